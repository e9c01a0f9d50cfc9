//! A plume between closed walls: the same on both sides, and rising; and solids in its way.

use std::sync::Arc;

use flow_ofx::sim::smoke::settings::Side;
use flow_ofx::sim::smoke::state::Solids;
use flow_ofx::sim::smoke::{Machine, Settings, State, Task};

use crate::devices::Under;
use crate::record::Scale;
use crate::smoke::{air, run, settings, spec, task};

/// A square of smoke that is lighter than air, in the middle of the bottom.
fn plume(width: usize, height: usize) -> (Task, State) {
    let spec = spec(width, height, [Side::Closed; 4]);
    let settings = Settings { weight: -0.05, substeps: 2, ..settings() };
    let middle = width as f64 / 2.0;
    let puff = |[x, y]: [f64; 2]| if (x - middle).abs() < 6.0 && (y - 14.0).abs() < 6.0 { [1.0; 4] } else { [0.0; 4] };
    (task(&spec, &settings, 1.0), air(&spec, |_| [0.0; 2], puff))
}

/// The most that left and right differ over so many frames, and where the top of the smoke is after each.
fn risen<M: Machine>(on: &Under<M>, confinement: f64, frames: u32) -> (f64, Vec<[f64; 2]>) {
    let (mut task, mut state) = plume(96, 128);
    task.settings.confinement = confinement;
    // The pressure's colours are not symmetric: what it leaves would show.
    (task.settings.tolerance, task.settings.iterations) = (1e-6, 40);
    let top = |state: &State| {
        let row = |y: usize| &state.air.dye[y * 96..(y + 1) * 96];
        (0..128).rev().find(|&y| row(y).iter().any(|dye| dye[3] > 0.1)).expect("there is smoke") as f64
    };
    let mut heights = vec![[0.0, top(&state)]];
    let mut most = 0.0_f64;
    for frame in 1..=frames {
        state = run(on.device, &task, &state).0;
        for row in state.air.dye.chunks_exact(96) {
            most = (0..48).map(|x| f64::from((row[x][3] - row[95 - x][3]).abs())).fold(most, f64::max);
        }
        let now = top(&state);
        assert!(now >= heights.last().expect("one")[1], "frame {frame}: the top sinks");
        heights.push([f64::from(frame), now]);
    }
    (most, heights)
}

fn rises<M: Machine>(on: &Under<M>) {
    let mut record = on.record("plume");
    let (most, heights) = risen(on, 0.0, 60);
    record.at_most("plume, left against right, 60 frames", most, 1e-5);
    record.at_least("plume, rows that its top rises, never sinking", heights[60][1] - heights[0][1], 13.0);
    // It goes by a direction alone, however small what points there: rounding grows, too.
    let (most, _) = risen(on, 0.1, 40);
    record.at_most("plume, left against right, 40 frames with confinement", most, 1e-5);
    record.plot(
        "Plume: its top",
        ["frame", "row"],
        [Scale::Linear; 2],
        &[("where density is above 0.1".to_owned(), heights)],
        &[],
    );
    record.save();
}

/// A block that moves sideways.
fn holds_its_faces<M: Machine>(on: &Under<M>) {
    let (mut task, state) = plume(48, 40);
    task.settings.confinement = 0.1;
    let solid: Vec<bool> =
        (0..48 * 40usize).map(|at| (at % 48).abs_diff(24) < 5 && (at / 48).abs_diff(24) < 5).collect();
    let touches = |x: usize, y: usize, other: Option<(usize, usize)>| {
        let is = |x: usize, y: usize| x < 48 && y < 40 && solid[y * 48 + x];
        is(x, y) || other.is_some_and(|(x, y)| is(x, y))
    };
    let mut solids = Solids { solid: solid.clone(), u: vec![0.0; 49 * 40], v: vec![0.0; 48 * 41] };
    for y in 0..40 {
        for x in 0..49 {
            let touched = touches(x, y, x.checked_sub(1).map(|x| (x, y)));
            solids.u[y * 49 + x] = if touched { 0.75 } else { 0.0 };
        }
    }
    task.drive.solids = Some(Arc::new(solids));
    let after = (0..4).fold(state, |state, _| run(on.device, &task, &state).0);
    let mut off = 0.0_f64;
    for y in 0..40 {
        for x in (0..49).filter(|&x| touches(x, y, x.checked_sub(1).map(|x| (x, y)))) {
            off = off.max(f64::from((after.air.u[y * 49 + x] - 0.75).abs()));
        }
    }
    for y in 0..41 {
        for x in (0..48).filter(|&x| touches(x, y, y.checked_sub(1).map(|y| (x, y)))) {
            off = off.max(f64::from(after.air.v[y * 48 + x].abs()));
        }
    }
    let mut inside = solid.iter().zip(&after.air.dye).filter(|(solid, _)| **solid);
    assert!(inside.all(|(_, dye)| *dye == [0.0; 4]), "there is smoke in a solid");
    let mut record = on.record("faces");
    record.at_most("velocity through a moving solid's faces, off by", off, 0.0);
    record.save();
}

crate::gate!(a_plume_rises_and_stays_symmetric, super::rises);
crate::gate!(solid_faces_have_the_solids_velocity, super::holds_its_faces);
