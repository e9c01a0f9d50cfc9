//! Lamb and Oseen's vortex without viscosity: the remaining peak.

use std::f64::consts::TAU;

use flow_ofx::sim::fluid::Backend;
use flow_ofx::sim::smoke::settings::Boundary;
use flow_ofx::sim::smoke::{Settings, Spec, State};

use crate::defaults;
use crate::devices::Under;
use crate::record::{Line, Scale, in_full};
use crate::smoke::{air, run, settings, spec, task};

/// Cells along each side.
const N: usize = 128;
/// Core radius in cells, where the vorticity is 1/e of its peak.
const CORE: f64 = 8.0;
/// Displacement of the fastest air per frame, in cells: a usual speed, and the limit of a step by default.
const PACES: [f64; 2] = [1.0, 2.0];
/// The largest speed, at 1.1209 core radii, relative to Γ / 2πr_c.
const FASTEST: f64 = 0.638_172_686;
const FRAMES: u32 = 100;

/// The vortex in the centre of a closed box.
fn vortex(pace: f64) -> (Spec, State) {
    let spec = spec(N, N, [Boundary::Closed; 4]);
    let circulation = pace * TAU * CORE / FASTEST;
    let middle = N as f64 / 2.0;
    let velocity = |[x, y]: [f64; 2]| {
        let (x, y) = (x - middle, y - middle);
        let r2 = x * x + y * y;
        // Its limit in the centre is half of the vorticity.
        let turn = if r2 < 1e-12 { 1.0 / (CORE * CORE) } else { -(-r2 / (CORE * CORE)).exp_m1() / r2 };
        [-y, x].map(|side| circulation / TAU * turn * side)
    };
    let state = air(&spec, velocity, |_| [0.0; 4]);
    (spec, state)
}

/// The largest vorticity between four cells.
fn peak(state: &State) -> f64 {
    let (u, v) = (&state.air.u, &state.air.v);
    let inside = (1..N).flat_map(|y| (1..N).map(move |x| (x, y)));
    let curl = inside.map(|(x, y)| v[y * N + x] - v[y * N + x - 1] - (u[y * (N + 1) + x] - u[(y - 1) * (N + 1) + x]));
    f64::from(curl.fold(f32::MIN, f32::max))
}

/// The peak relative to the start, by frame.
fn peaks<B: Backend>(on: &Under<B>, spec: &Spec, settings: &Settings, start: &State) -> Vec<[f64; 2]> {
    let task = task(spec, settings, 1.0);
    let mut state = start.clone();
    let mut curve = vec![[0.0, 1.0]];
    for frame in 1..=FRAMES {
        state = run(on.device, &task, &state).0;
        curve.push([f64::from(frame), peak(&state) / peak(start)]);
    }
    curve
}

fn keeps_its_peak<B: Backend>(on: &Under<B>) {
    let mut record = on.record("vortex");
    let mut lines: Vec<Line> = Vec::new();
    // A software graphics device takes half a minute for each.
    let paces = if on.is_cpu() || in_full() { &PACES[..] } else { &PACES[..1] };
    for &pace in paces {
        let (mut spec, start) = vortex(pace);
        let exact = 2.0 * pace / (FASTEST * CORE);
        assert!((peak(&start) / exact - 1.0).abs() < 0.01, "{} is not {exact}", peak(&start));
        let mut settings = settings();
        defaults::apply(&mut spec, &mut settings);
        let cases = [(true, "with Reflection"), (false, "the node's defaults")];
        for (reflection, name) in cases.into_iter().take(if on.is_cpu() || in_full() { 2 } else { 1 }) {
            spec.constants.reflection = reflection;
            record.under(defaults::settings_text(&spec, &settings, 1.0));
            let curve = peaks(on, &spec, &settings, &start);
            let remaining = curve[FRAMES as usize][1];
            let name = format!("fastest air {pace} cells a frame, {name}");
            let what = format!("Lamb-Oseen, peak of vorticity after {FRAMES} frames over that at the start, {name}");
            if reflection {
                record.near(what, remaining, 1.0, 0.05);
            } else {
                record.row(what, "1 is exact", remaining);
            }
            lines.push((name, curve));
        }
    }
    record.plot(
        "Lamb-Oseen vortex: vorticity at its peak",
        ["frame", "share of that at the start"],
        [Scale::Linear; 2],
        &lines,
        &[],
    );
    record.save();
}

crate::gate!(a_vortex_keeps_its_peak, super::keeps_its_peak);
