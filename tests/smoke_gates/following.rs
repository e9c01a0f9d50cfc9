//! A following grid, against a fixed one that is large enough for both.

use std::f64::consts::TAU;

use flow_ofx::sim::fluid::Backend;
use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::smoke::settings::Boundary;
use flow_ofx::sim::smoke::{Executor, Inputs, Settings, Spec, State, next_frame};

use crate::defaults::settings_text;
use crate::devices::Under;
use crate::record::{Scale, in_full};
use crate::smoke::{air, settings, spec, still};

/// Cells of the fixed grid.
const LARGE: [usize; 2] = [224, 96];
/// Cells of the moving grid.
const SMALL: [usize; 2] = [112, 72];
const FRAMES: i64 = 60;
/// Position of the eddy.
const EDDY: [f64; 2] = [96.0, 48.0];

/// Wanted centre of the moving grid, in cells of the large one: past the eddy, not by whole cells.
fn middle(frame: i64) -> [f64; 2] {
    let t = frame as f64;
    [80.0 + 0.53 * t, 47.0 + 3.0 * (t * TAU / 45.0).sin()]
}

/// An eddy in a counter-rotating ring, without velocity far away.
fn eddy([x, y]: [f64; 2]) -> [f64; 2] {
    let (x, y) = (x - EDDY[0], y - EDDY[1]);
    let fall = 0.16 * (-(x * x + y * y) / (2.0 * 7.0 * 7.0)).exp();
    [-y * fall, x * fall]
}

/// The small grid at a frame, as a specification.
fn moving() -> Spec {
    let mut spec = spec(SMALL[0], SMALL[1], [Boundary::Open; 4]);
    spec.constants.follow = true;
    spec
}

/// The velocity of the small grid's faces, two cells off its border, against the large one's: the largest difference
/// over the largest velocity there.
fn apart(small: &State, large: &State) -> f64 {
    let Grid { width, height, origin, .. } = small.grid;
    let [left, bottom] = origin.map(|o| o as usize);
    let (mut off, mut most) = (0.0_f64, 0.0_f64);
    let mut compare = |a: f32, b: f32| {
        off = off.max(f64::from((a - b).abs()));
        most = most.max(f64::from(b.abs()));
    };
    for y in 2..height - 2 {
        for x in 2..width - 2 {
            let (a, b) = (y * (width + 1) + x, (y + bottom) * (LARGE[0] + 1) + x + left);
            compare(small.air.u[a], large.air.u[b]);
            compare(small.air.v[y * width + x], large.air.v[(y + bottom) * LARGE[0] + x + left]);
        }
    }
    off / most
}

fn at(frame: i64) -> Settings {
    Settings { frame, grid_centre: middle(frame), tolerance: 1e-5, ..settings() }
}

fn next<B: Backend>(on: &Under<B>, spec: &Spec, state: &State, frame: i64) -> State {
    let settings = at(frame);
    let executor = Executor { device: on.device, workers: on.cpu };
    next_frame(spec, state, &settings, &Inputs::default(), executor, &mut || true).expect("works").0
}

fn sees_the_same_air<B: Backend>(on: &Under<B>) {
    let (standing, moving) = (spec(LARGE[0], LARGE[1], [Boundary::Open; 4]), moving());
    let mut large = air(&standing, eddy, |_| [0.0; 4]);
    // The first frame places the small grid.
    let mut small = next(on, &moving, &still(&moving), 0);
    let [left, bottom] = small.grid.origin;
    small.air = air(&moving, |[x, y]| eddy([x + left, y + bottom]), |_| [0.0; 4]).air;
    let mut record = on.record("following");
    record.under(settings_text(&moving, &at(0), 1.0));
    // A software graphics device takes most of a second for each.
    let frames = if on.is_cpu() || in_full() { FRAMES } else { FRAMES / 3 };
    let mut curve = vec![[0.0, apart(&small, &large)]];
    for frame in 1..=frames {
        large = next(on, &standing, &large, frame);
        small = next(on, &moving, &small, frame);
        curve.push([frame as f64, apart(&small, &large)]);
    }
    let way = 25.0 * frames as f64 / FRAMES as f64;
    assert!(small.grid.origin[0] > left + way, "the grid followed: {:?}", small.grid.origin);
    let most = curve.iter().map(|point| point[1]).fold(0.0, f64::max);
    record.at_most(
        format!("a grid moving 32 cells in 60 frames against a fixed one, {frames} frames: velocity, two cells inside"),
        most,
        0.01,
    );
    let curve = curve.into_iter().filter(|point| point[1] > 0.0).collect();
    record.plot(
        "A grid that follows, against one that stands",
        ["frame", "largest difference over largest velocity"],
        [Scale::Linear, Scale::Log],
        &[("two cells inside its border".to_owned(), curve)],
        &[],
    );

    // Through still air, with smoke.
    let mut state = next(on, &moving, &still(&moving), 0);
    let puff = |[x, y]: [f64; 2]| [if (x - EDDY[0]).hypot(y - EDDY[1]) < 9.0 { 1.0 } else { 0.0 }; 4];
    let seen = |state: &State| {
        let [left, bottom] = state.grid.origin;
        air(&moving, |_| [0.0; 2], |[x, y]| puff([x + left, y + bottom])).air
    };
    state.air = seen(&state);
    let mut off = 0.0_f32;
    for frame in 1..=frames {
        state = next(on, &moving, &state, frame);
        off = state.air.u.iter().chain(&state.air.v).map(|v| v.abs()).fold(off, f32::max);
        assert!(state.air.dye == seen(&state).dye, "frame {frame}: smoke stays where it is in the world");
    }
    record.at_most("velocity of still air in a moving grid", f64::from(off), 0.0);
    record.save();
}

crate::gate!(a_moving_grid_agrees_with_a_fixed_grid, super::sees_the_same_air);
