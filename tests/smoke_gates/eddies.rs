//! Taylor and Green's eddies in a wrapped box: the energy that is kept, and that which viscosity takes.

use std::f64::consts::{PI, TAU};

use flow_ofx::sim::smoke::settings::{Scheme, Side};
use flow_ofx::sim::smoke::{Machine, Settings, Spec, State};

use crate::devices::Under;
use crate::record::Scale;
use crate::smoke::{air, energy, run, settings, spec, task};

const N: usize = 128;

/// A wrapped box of eddies, sin·cos, moving one cell per frame at most.
fn taylor_green() -> (Spec, State) {
    let mut spec = spec(N, N, [Side::Wrap; 4]);
    spec.constants.velocity_scheme = Scheme::MacCormack;
    let k = TAU / N as f64;
    let velocity = |[x, y]: [f64; 2]| [(k * x).sin() * (k * y).cos(), -(k * x).cos() * (k * y).sin()];
    let state = air(&spec, velocity, |_| [0.0; 4]);
    (spec, state)
}

/// The share of the energy that is left, by time: 1 is when the fastest air crossed the box.
fn kept<M: Machine>(on: &Under<M>, spec: &Spec, start: &State, settings: &Settings, time: f64) -> Vec<[f64; 2]> {
    let task = task(spec, settings, time);
    let steps = (N as f64 / time) as usize;
    let mut state = start.clone();
    let mut curve = vec![[0.0, 1.0]];
    for step in 1..=steps {
        let (next, told) = run(on.device, &task, &state);
        assert_eq!(told.substeps, 1);
        state = next;
        curve.push([step as f64 / steps as f64, energy(&state) / energy(start)]);
    }
    curve
}

fn eddies<M: Machine>(on: &Under<M>) {
    let mut record = on.record("eddies");
    let (mut spec, start) = taylor_green();
    let mut settings = settings();
    let left = |curve: &[[f64; 2]]| curve.last().expect("steps")[1];
    let plain = kept(on, &spec, &start, &settings, 1.0);
    let cubic = {
        let mut spec = spec;
        spec.constants.velocity_scheme = Scheme::Cubic;
        kept(on, &spec, &start, &settings, 1.0)
    };
    let mut thick = settings.clone();
    // 1e-3 of a box of 1 and a unit of time of 128 frames.
    thick.viscosity = 1e-3 * N as f64;
    spec.constants.reflection = true;
    settings.max_cfl = 3.0;
    let reflected = kept(on, &spec, &start, &settings, 2.0);
    thick.max_cfl = 3.0;
    let damped = kept(on, &spec, &start, &thick, 2.0);
    let fades = |t: f64| (-16.0 * PI * PI * 1e-3 * t).exp();
    record.at_least("Taylor-Green, energy kept at t = 1, MacCormack, CFL 1", left(&plain), 0.865);
    record.at_least("Taylor-Green, energy kept at t = 1, cubic, CFL 1", left(&cubic), 0.865);
    record.at_least("Taylor-Green, energy kept at t = 1, reflection, CFL 2", left(&reflected), 0.999);
    record.near("Taylor-Green, ν = 1e-3, energy over e^(−16π²ν)", left(&damped) / fades(1.0), 1.0, 0.02);
    let known = (0..=8).map(|n| f64::from(n) / 8.0).map(|t| [t, fades(t)]).collect();
    record.plot(
        "Taylor-Green: energy",
        ["time", "share of the energy"],
        [Scale::Linear; 2],
        &[
            ("MacCormack, CFL 1".to_owned(), plain),
            ("cubic, CFL 1".to_owned(), cubic),
            ("reflection, CFL 2".to_owned(), reflected),
            ("reflection, ν = 1e-3".to_owned(), damped),
        ],
        &[("exact, ν = 1e-3".to_owned(), known)],
    );
    record.save();
}

crate::gate!(eddies_keep_their_energy, super::eddies);
