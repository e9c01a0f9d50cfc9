//! A plume between closed walls: symmetric, and rising; and solids in its way.

use std::sync::Arc;

use flow_ofx::sim::fluid::Backend;
use flow_ofx::sim::smoke::settings::Boundary;
use flow_ofx::sim::smoke::state::Solids;
use flow_ofx::sim::smoke::{Settings, State, Task};

use crate::defaults;
use crate::devices::Under;
use crate::record::{Bound, Scale, in_full};
use crate::smoke::{air, run, settings, spec, task};

/// A square of smoke that is lighter than air, in the middle of the bottom.
fn plume(width: usize, height: usize) -> (Task, State) {
    let spec = spec(width, height, [Boundary::Closed; 4]);
    let settings = Settings { weight: -0.05, substeps: 2, ..settings() };
    let middle = width as f64 / 2.0;
    let puff = |[x, y]: [f64; 2]| if (x - middle).abs() < 6.0 && (y - 14.0).abs() < 6.0 { [1.0; 4] } else { [0.0; 4] };
    (task(&spec, &settings, 1.0), air(&spec, |_| [0.0; 2], puff))
}

/// Results of a rising plume.
struct Rise {
    /// The largest difference between left and right.
    apart: f64,
    /// Height of the smoke's top after each frame.
    heights: Vec<[f64; 2]>,
    /// Whether the top ever sank.
    sank: bool,
}

fn risen<B: Backend>(on: &Under<B>, task: &Task, mut state: State, frames: u32) -> Rise {
    let top = |state: &State| {
        let row = |y: usize| &state.air.dye[y * 96..(y + 1) * 96];
        (0..128).rev().find(|&y| row(y).iter().any(|dye| dye[3] > 0.1)).expect("there is smoke") as f64
    };
    let mut rise = Rise { apart: 0.0, heights: vec![[0.0, top(&state)]], sank: false };
    for frame in 1..=frames {
        state = run(on.device, task, &state).0;
        for row in state.air.dye.chunks_exact(96) {
            rise.apart = (0..48).map(|x| f64::from((row[x][3] - row[95 - x][3]).abs())).fold(rise.apart, f64::max);
        }
        let now = top(&state);
        rise.sank |= now < rise.heights.last().expect("one")[1];
        rise.heights.push([f64::from(frame), now]);
    }
    rise
}

fn rises<B: Backend>(on: &Under<B>) {
    let mut record = on.record("plume");
    let (mut task, state) = plume(96, 128);
    // The residual divergence is not symmetric.
    (task.settings.tolerance, task.settings.iterations) = (1e-6, 40);
    let symmetric = Bound::AtMost(1e-5);
    let climb = |rise: &Rise| rise.heights[60][1] - rise.heights[0][1];

    record.under(defaults::settings_text(&task.spec, &task.settings, task.time));
    if !on.is_cpu() && !in_full() {
        let strict = risen(on, &task, state, 20);
        record.bounded("plume, left against right, 20 frames", strict.apart, symmetric);
        assert!(!strict.sank, "the top sinks");
        return record.save();
    }
    let strict = risen(on, &task, state.clone(), 60);
    record.bounded("plume, left against right, 60 frames", strict.apart, symmetric);
    record.at_least("plume, rise of its top in rows, never sinking", climb(&strict), 13.0);
    assert!(!strict.sank, "the top sinks");
    // Confinement depends on the direction of the gradient alone, however small it is: rounding errors grow, too.
    task.settings.confinement = 0.1;
    record.under(defaults::settings_text(&task.spec, &task.settings, task.time));
    let confined = risen(on, &task, state.clone(), 40);
    record.bounded("plume, left against right, 40 frames with confinement", confined.apart, symmetric);
    assert!(!confined.sank, "the top sinks");

    task.settings.confinement = 0.0;
    defaults::apply(&mut task.spec, &mut task.settings);
    record.under(defaults::settings_text(&task.spec, &task.settings, task.time));
    let usual = risen(on, &task, state, 60);
    record.known_to_miss(
        "plume, left against right, 60 frames, the node's defaults",
        usual.apart,
        symmetric,
        Bound::AtMost(0.001),
        "the residual of the default tolerance is not symmetric",
    );
    record.at_least("plume, rise of its top in rows, never sinking, the node's defaults", climb(&usual), 13.0);
    assert!(!usual.sank, "the top sinks");
    record.plot(
        "Plume: its top",
        ["frame", "row"],
        [Scale::Linear; 2],
        &[("tolerance 1e-6".to_owned(), strict.heights), ("the node's defaults".to_owned(), usual.heights)],
        &[],
    );
    record.save();
}

/// A block that moves sideways.
fn holds_its_faces<B: Backend>(on: &Under<B>) {
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
    task.forcing.solids = Some(Arc::new(solids));
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
    record.under(defaults::settings_text(&task.spec, &task.settings, task.time));
    record.at_most("velocity through a moving solid's faces, error", off, 0.0);
    record.save();
}

crate::gate!(a_plume_rises_and_stays_symmetric, super::rises);
crate::gate!(solid_faces_have_the_solids_velocity, super::holds_its_faces);
