//! An internal gravity wave in stratified air: its period, and its amplitude with buoyancy and reflection.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use flow_ofx::sim::fluid::Backend;
use flow_ofx::sim::smoke::settings::Boundary;
use flow_ofx::sim::smoke::{Settings, State, Task};

use crate::devices::Under;
use crate::record::Scale;
use crate::smoke::{air, each, run, settings, settings_text, spec, task};

/// Cells: one wavelength wide, half a wavelength high.
const SIZE: [usize; 2] = [64, 32];
/// Temperature per cell of height.
const GRADIENT: f64 = 0.1;
/// Largest velocity at the start, cells per frame.
const SPEED: f64 = 0.25;

/// Wave numbers along x and y.
fn wave_numbers() -> [f64; 2] {
    [TAU / SIZE[0] as f64, PI / SIZE[1] as f64]
}

/// The upward velocity of the standing wave at a position, at most 1.
fn mode([x, y]: [f64; 2]) -> f64 {
    let [k, m] = wave_numbers();
    (k * x).cos() * (m * y).sin()
}

/// Air whose temperature rises with height, wrapped at the sides and closed at the bottom and the top, in a standing
/// wave of this angular frequency (Boussinesq: ω² = N²k² / (k² + m²), N² = lift · gradient).
fn stratified(omega: f64) -> (Task, State) {
    let mut spec = spec(SIZE[0], SIZE[1], [Boundary::Wrap, Boundary::Wrap, Boundary::Closed, Boundary::Closed]);
    spec.constants.reflection = true;
    let [k, m] = wave_numbers();
    let lift = omega * omega * (k * k + m * m) / (k * k) / GRADIENT;
    let settings = Settings { lift, tolerance: 1e-5, ..settings() };
    let velocity = |[x, y]: [f64; 2]| [-SPEED * m / k * (k * x).sin() * (m * y).cos(), SPEED * mode([x, y])];
    let mut state = air(&spec, velocity, |_| [0.0; 4]);
    let mut temperature = vec![0.0; SIZE[0] * SIZE[1]];
    each(SIZE[0], SIZE[1], [0.5, 0.5], |at, [_, y]| {
        temperature[at] = (GRADIENT * (y - SIZE[1] as f64 / 2.0)) as f32;
    });
    Arc::make_mut(&mut state.air).temperature = Some(temperature.into());
    (task(&spec, &settings, 1.0), state)
}

/// Amplitude of the wave in a state, 1 at the start.
fn amplitude(state: &State) -> f64 {
    let (mut product, mut square) = (0.0, 0.0);
    each(SIZE[0], SIZE[1] + 1, [0.5, 0.0], |at, place| {
        product += f64::from(state.air.v[at]) * mode(place);
        square += mode(place) * mode(place);
    });
    product / square / SPEED
}

/// The amplitude of the wave by frame, for this number of periods.
fn swings<B: Backend>(on: &Under<B>, omega: f64, periods: f64) -> Vec<[f64; 2]> {
    let (task, mut state) = stratified(omega);
    let frames = (periods * TAU / omega + 2.0).ceil() as usize;
    let mut curve = vec![[0.0, amplitude(&state)]];
    for frame in 1..=frames {
        let (next, diagnostics) = run(on.device, &task, &state);
        assert_eq!(diagnostics.substeps, 1);
        state = next;
        curve.push([frame as f64, amplitude(&state)]);
    }
    curve
}

/// The mean period, from the first to the last crossing of zero.
fn period(curve: &[[f64; 2]]) -> f64 {
    let crossings: Vec<f64> = curve
        .windows(2)
        .filter(|pair| (pair[0][1] > 0.0) != (pair[1][1] > 0.0))
        .map(|pair| pair[0][0] + pair[0][1] / (pair[0][1] - pair[1][1]))
        .collect();
    let intervals = crossings.len() - 1;
    2.0 * (crossings[intervals] - crossings[0]) / intervals as f64
}

/// The last peak: the vertex of the parabola through the largest value of the last half period and its neighbours.
fn last_peak(curve: &[[f64; 2]], period: f64) -> f64 {
    let from = curve.len() - (period / 2.0) as usize;
    let at = (from..curve.len() - 1).max_by(|a, b| curve[*a][1].total_cmp(&curve[*b][1])).expect("frames");
    let [a, b, c] = [curve[at - 1][1], curve[at][1], curve[at + 1][1]];
    b - (a - c) * (a - c) / (8.0 * (a - 2.0 * b + c))
}

fn keeps_its_amplitude<B: Backend>(on: &Under<B>) {
    let mut record = on.record("waves");
    let mut lines = Vec::new();
    // A software graphics device takes seconds for a period.
    let (periods, frequencies): (f64, &[f64]) = if on.is_cpu() { (4.0, &[0.09, 0.18]) } else { (1.0, &[0.18]) };
    for &omega in frequencies {
        let (task, _) = stratified(omega);
        record.under(settings_text(&task.spec, &task.settings, task.time));
        let curve = swings(on, omega, periods);
        let found = period(&curve);
        let what = format!("internal gravity wave, reflection, ω·dt = {omega}");
        record.near(format!("{what}: period over the theoretical one"), found * omega / TAU, 1.0, 0.01);
        let peak = last_peak(&curve, found);
        let what = format!("{what}: amplitude after {periods} periods");
        record.at_least(what.clone(), peak, f64::powf(0.75, periods / 4.0));
        record.at_most(what, peak, 1.02);
        lines.push((format!("ω·dt = {omega}"), curve.into_iter().map(|[t, a]| [t * omega / TAU, a]).collect()));
    }
    record.plot(
        "Internal gravity wave: upward velocity",
        ["period", "share of the velocity at the start"],
        [Scale::Linear; 2],
        &lines,
        &[],
    );
    record.save();
}

crate::gate!(a_gravity_wave_keeps_its_amplitude, super::keeps_its_amplitude);
