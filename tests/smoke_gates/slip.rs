//! Walls with and without slip: the flow through a channel, and closed edges against still solids in their place.

use std::sync::Arc;

use flow_ofx::sim::fluid::Backend;
use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::smoke::settings::{Boundary, Scheme, Slip, Slips};
use flow_ofx::sim::smoke::state::Solids;
use flow_ofx::sim::smoke::{Settings, Spec, State, Task};

use crate::devices::Under;
use crate::record::Scale;
use crate::smoke::{air, each, run, settings, settings_text, spec, task};

const SLIPS: [Slip; 2] = [Slip::Free, Slip::No];

/// Rows of air in the channel.
const HEIGHT: usize = 16;
/// Acceleration along the channel.
const FORCE: f64 = 0.02;
const VISCOSITY: f64 = 4.0;

fn solids(spec: &Spec, is_solid: impl Fn(usize, usize) -> bool) -> Arc<Solids> {
    let Grid { width, height, .. } = spec.grid;
    let solid = (0..width * height).map(|at| is_solid(at % width, at / width)).collect();
    Arc::new(Solids { solid, u: vec![0.0; (width + 1) * height], v: vec![0.0; width * (height + 1)] })
}

/// The velocities along a channel after some frames of uniform acceleration, by row of air; its walls are edges or
/// solids. With the settings.
fn channel<B: Backend>(on: &Under<B>, slip: Slip, by_solids: bool, frames: usize) -> (Vec<f64>, String) {
    let (width, below) = (8, usize::from(by_solids));
    let height = HEIGHT + 2 * below;
    let mut spec = spec(width, height, [Boundary::Wrap, Boundary::Wrap, Boundary::Closed, Boundary::Closed]);
    // The other kind of wall has the other slip, which has to be without effect.
    let other = if slip == Slip::Free { Slip::No } else { Slip::Free };
    spec.constants.slip =
        if by_solids { Slips { edges: other, obstacles: slip } } else { Slips { edges: slip, obstacles: other } };
    // The acceleration is the air's weight, to the right.
    let settings = Settings { viscosity: VISCOSITY, weight: FORCE, gravity: 0.0, tolerance: 1e-5, ..settings() };
    let mut state = air(&spec, |_| [0.0; 2], |_| [1.0; 4]);
    let mut task = task(&spec, &settings, 1.0);
    if by_solids {
        let solids = solids(&spec, |_, y| y == 0 || y == height - 1);
        let dye = &mut Arc::make_mut(&mut state.air).dye;
        dye.iter_mut().zip(&solids.solid).filter(|(_, solid)| **solid).for_each(|(dye, _)| *dye = [0.0; 4]);
        task.forcing.solids = Some(solids);
    }
    let end = (0..frames).fold(state, |state, _| run(on.device, &task, &state).0);
    let velocities = (below..below + HEIGHT).map(|y| f64::from(end.air.u[y * (width + 1) + 3])).collect();
    (velocities, settings_text(&task.spec, &task.settings, task.time))
}

fn flows_through_a_channel<B: Backend>(on: &Under<B>) {
    let mut record = on.record("slip");
    let frames = 90;
    let mut lines = Vec::new();
    let parabola = |y: f64| FORCE / (2.0 * VISCOSITY) * y * (HEIGHT as f64 - y);
    for (by_solids, name) in [(false, "edges"), (true, "obstacles")] {
        let (sticky, settings) = channel(on, Slip::No, by_solids, frames);
        record.under(settings);
        let most = parabola(HEIGHT as f64 / 2.0);
        let row = |row: usize| row as f64 + 0.5;
        let off = sticky.iter().enumerate().map(|(y, u)| (u - parabola(row(y))).abs() / most).fold(0.0, f64::max);
        record.at_most(format!("channel between {name} without slip: off Poiseuille's parabola"), off, 1e-3);
        let (free, _) = channel(on, Slip::Free, by_solids, 20);
        let off = free.iter().map(|u| (u / (20.0 * FORCE) - 1.0).abs()).fold(0.0, f64::max);
        record.at_most(format!("channel between {name} with free slip: off a plug"), off, 1e-5);
        lines.push((name.to_owned(), sticky.iter().enumerate().map(|(y, u)| [row(y), *u]).collect()));
    }
    let known = (0..HEIGHT).map(|y| y as f64 + 0.5).map(|y| [y, parabola(y)]).collect();
    record.plot(
        "Channel without slip: velocity",
        ["height", "velocity"],
        [Scale::Linear; 2],
        &lines,
        &[("Poiseuille".to_owned(), known)],
    );
    record.save();
}

/// Columns and rows of air in the box.
const BOX: [usize; 2] = [24, 20];

/// A box of swirling air, within closed edges or a ring of solid cells: its velocities after some frames, and the
/// settings.
fn boxed<B: Backend>(on: &Under<B>, slip: Slip, scheme: Scheme, ring: bool) -> ([Vec<f32>; 2], String) {
    let by = usize::from(ring);
    let [width, height] = BOX.map(|cells| cells + 2 * by);
    let mut spec = spec(width, height, [Boundary::Closed; 4]);
    spec.constants.slip = Slips { edges: slip, obstacles: slip };
    spec.constants.velocity_scheme = scheme;
    let settings = Settings { viscosity: 0.2, confinement: 0.3, tolerance: 1e-5, iterations: 40, ..settings() };
    let [w, h] = BOX.map(|cells| cells as f64);
    let [k, m] = [std::f64::consts::PI / w, std::f64::consts::PI / h];
    let swirl = |[x, y]: [f64; 2]| {
        let [x, y] = [x - by as f64, y - by as f64];
        let inside = (0.0..=w).contains(&x) && (0.0..=h).contains(&y);
        let one = [(k * x).sin() * (m * y).cos(), -(k * x).cos() * (m * y).sin() * h / w];
        let two = [(3.0 * k * x).sin() * (2.0 * m * y).cos(), -(3.0 * k * x).cos() * (2.0 * m * y).sin()];
        [0, 1].map(|axis| if inside { 0.9 * one[axis] + 0.4 * two[axis] } else { 0.0 })
    };
    let mut state = air(&spec, swirl, |_| [0.0; 4]);
    let mut task: Task = task(&spec, &settings, 1.0);
    if ring {
        task.forcing.solids = Some(solids(&spec, |x, y| x == 0 || y == 0 || x == width - 1 || y == height - 1));
    }
    for _ in 0..if on.is_cpu() { 10 } else { 3 } {
        state = run(on.device, &task, &state).0;
    }
    let State { air, .. } = state;
    let mut inner = [Vec::new(), Vec::new()];
    each(BOX[0] + 1, BOX[1], [0.0; 2], |_, [x, y]| {
        inner[0].push(air.u[(y as usize + by) * (width + 1) + x as usize + by]);
    });
    each(BOX[0], BOX[1] + 1, [0.0; 2], |_, [x, y]| {
        inner[1].push(air.v[(y as usize + by) * width + x as usize + by]);
    });
    (inner, settings_text(&task.spec, &task.settings, task.time))
}

fn is_as_along_solids<B: Backend>(on: &Under<B>) {
    let mut record = on.record("edges");
    // Beside solids with slip, cubic interpolation falls back to bilinear; along edges it does not.
    for (slip, scheme) in
        [(Slip::No, Scheme::SemiLagrangian), (Slip::No, Scheme::Cubic), (Slip::Free, Scheme::SemiLagrangian)]
    {
        let [(edges, settings), (ring, _)] = [false, true].map(|ring| boxed(on, slip, scheme, ring));
        record.under(settings);
        let largest = edges.iter().flatten().fold(0.0_f32, |most, value| most.max(value.abs()));
        let off = edges.iter().flatten().zip(ring.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        let what = format!("closed edges against a ring of still solids, {slip:?} slip, {scheme:?}: velocity");
        record.at_most(what, f64::from(off / largest), 2e-4);
    }
    let [free, no] = SLIPS.map(|slip| boxed(on, slip, Scheme::Cubic, false).0);
    let apart = free.iter().flatten().zip(no.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(apart > 0.05, "slip makes no difference: {apart}");
    record.save();
}

crate::gate!(channel_flow_matches_the_slip_of_its_walls, super::flows_through_a_channel);
crate::gate!(edges_act_as_resting_solids, super::is_as_along_solids);
