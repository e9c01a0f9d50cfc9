//! Taylor and Green's eddies in a wrapped box: conservation of energy, and its decay by viscosity.

use std::f64::consts::{PI, TAU};

use flow_ofx::sim::fluid::Backend;
use flow_ofx::sim::smoke::settings::{Boundary, Scheme};
use flow_ofx::sim::smoke::{Settings, Spec, State};

use crate::defaults;
use crate::devices::Under;
use crate::record::{Bound, Record, Scale, in_full};
use crate::smoke::{air, energy, run, settings, spec, task};

const N: usize = 128;

/// A wrapped box of eddies, sin·cos, moving one cell per frame at most.
fn taylor_green() -> (Spec, State) {
    let mut spec = spec(N, N, [Boundary::Wrap; 4]);
    spec.constants.velocity_scheme = Scheme::MacCormack;
    let k = TAU / N as f64;
    let velocity = |[x, y]: [f64; 2]| [(k * x).sin() * (k * y).cos(), -(k * x).cos() * (k * y).sin()];
    let state = air(&spec, velocity, |_| [0.0; 4]);
    (spec, state)
}

/// The remaining fraction of the energy until a time, by time: at 1 the fastest air has crossed the box.
fn kept<B: Backend>(
    on: &Under<B>,
    (spec, settings, time): (&Spec, &Settings, f64),
    start: &State,
    until: f64,
) -> Vec<[f64; 2]> {
    let task = task(spec, settings, time);
    let steps = (N as f64 / time) as usize;
    let mut state = start.clone();
    let mut curve = vec![[0.0, 1.0]];
    for step in 1..=(until * steps as f64) as usize {
        let (next, diagnostics) = run(on.device, &task, &state);
        assert_eq!(diagnostics.substeps, 1);
        state = next;
        curve.push([step as f64 / steps as f64, energy(&state) / energy(start)]);
    }
    curve
}

/// Remaining energy at t = 1, and its curve.
fn measured<B: Backend>(
    on: &Under<B>,
    record: &mut Record,
    flow: (&Spec, &Settings, f64),
    start: &State,
) -> (f64, Vec<[f64; 2]>) {
    record.under(defaults::settings_text(flow.0, flow.1, flow.2));
    let curve = kept(on, flow, start, 1.0);
    (curve.last().expect("steps")[1], curve)
}

fn eddies<B: Backend>(on: &Under<B>) {
    let mut record = on.record("eddies");
    let (spec, start) = taylor_green();
    let [mut cubic, mut reflecting, mut standard] = [spec; 3];
    cubic.constants.velocity_scheme = Scheme::Cubic;
    reflecting.constants.reflection = true;
    let (plain, mut usual) = (settings(), settings());
    defaults::apply(&mut standard, &mut usual);
    let fast = Settings { max_cfl: 3.0, ..settings() };
    // 1e-3 of a box of 1 and a unit of time of 128 frames.
    let viscosity = 1e-3 * N as f64;
    let thick = |settings: &Settings| Settings { viscosity, ..settings.clone() };

    // A device in software takes a second for each step.
    if !on.is_cpu() && !in_full() {
        record.under(defaults::settings_text(&reflecting, &fast, 2.0));
        let curve = kept(on, (&reflecting, &fast, 2.0), &start, 0.25);
        let remaining = curve.last().expect("steps")[1];
        record.at_least("Taylor-Green, energy kept at t = 0.25, reflection, CFL 2", remaining, 0.999);
        return record.save();
    }
    let (remaining, maccormack) = measured(on, &mut record, (&spec, &plain, 1.0), &start);
    record.at_least("Taylor-Green, energy kept at t = 1, MacCormack, CFL 1", remaining, 0.865);
    let (remaining, _) = measured(on, &mut record, (&cubic, &plain, 1.0), &start);
    record.at_least("Taylor-Green, energy kept at t = 1, cubic, CFL 1", remaining, 0.865);
    let (remaining, by_default) = measured(on, &mut record, (&standard, &usual, 1.0), &start);
    record.row("Taylor-Green, energy kept at t = 1, the node's defaults, CFL 1", "", remaining);
    let (remaining, reflected) = measured(on, &mut record, (&reflecting, &fast, 2.0), &start);
    record.at_least("Taylor-Green, energy kept at t = 1, reflection, CFL 2", remaining, 0.999);

    let fades = |t: f64| (-16.0 * PI * PI * 1e-3 * t).exp();
    let asked = Bound::Near(1.0, 0.02);
    let what = "Taylor-Green, ν = 1e-3, energy over e^(−16π²ν)";
    let (remaining, damped) = measured(on, &mut record, (&reflecting, &thick(&fast), 2.0), &start);
    record.bounded(format!("{what}, reflection, CFL 2"), remaining / fades(1.0), asked);
    let (remaining, damped_by_default) = measured(on, &mut record, (&standard, &thick(&usual), 1.0), &start);
    record.known_to_miss(
        format!("{what}, the node's defaults, CFL 1"),
        remaining / fades(1.0),
        asked,
        Bound::Near(0.9, 0.05),
        "without Reflection the projections also remove energy",
    );
    let known = (0..=8).map(|n| f64::from(n) / 8.0).map(|t| [t, fades(t)]).collect();
    record.plot(
        "Taylor-Green: energy",
        ["time", "share of the energy"],
        [Scale::Linear; 2],
        &[
            ("MacCormack, CFL 1".to_owned(), maccormack),
            ("the node's defaults, CFL 1".to_owned(), by_default),
            ("reflection, CFL 2".to_owned(), reflected),
            ("reflection, CFL 2, ν = 1e-3".to_owned(), damped),
            ("the node's defaults, CFL 1, ν = 1e-3".to_owned(), damped_by_default),
        ],
        &[("exact, ν = 1e-3".to_owned(), known)],
    );
    record.save();
}

crate::gate!(eddies_keep_their_energy, super::eddies);
