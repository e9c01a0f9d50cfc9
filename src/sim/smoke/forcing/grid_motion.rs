//! Where a grid that follows a point stands, always a whole number of cells from where it stood at first.

use super::GridMotion;
use crate::sim::grid::Grid;
use crate::sim::maths::clamp;
use crate::sim::smoke::{Settings, Spec, State};

/// Furthest that a grid goes, in cells.
const POSITION_MAX: f64 = 1e9;

/// How the grid moves into a frame with these settings; `before` is the state that the frame goes on from, `None` at the
/// start.
///
/// A grid that follows stands where its middle is nearest to `grid_centre` among the places a whole number of cells from
/// `spec.grid`: the place depends on nothing else, so it never drifts, and the pictures of the frame are to be sampled
/// there. A centre that is no number leaves the grid where it is. What the grid holds moves on it by the motion that it
/// takes no part in (1 − `inherit`), in whole cells too; the rest waits in the remainder.
pub fn grid_motion(spec: &Spec, settings: &Settings, before: Option<&State>) -> GridMotion {
    let last = before.map_or([0.0; 4], |state| state.remainder);
    let stood = before.map_or([0; 2], |state| cells_between(&spec.grid, &state.grid));
    if !spec.constants.follow {
        return GridMotion { grid: spec.grid, shift: [0; 2], remainder: [0.0; 4] };
    }
    let share = 1.0 - clamp(settings.inherit, 0.0, 1.0);
    let mut motion = GridMotion { grid: spec.grid, shift: [0; 2], remainder: [0.0; 4] };
    for axis in 0..2 {
        let cells = [spec.grid.width, spec.grid.height][axis] as f64;
        let wanted = (settings.grid_centre[axis] - spec.grid.origin[axis]) * spec.grid.cells_per_pixel - cells / 2.0;
        let (place, rest) = if settings.grid_centre[axis].is_finite() && wanted.is_finite() {
            rounded(wanted)
        } else {
            (stood[axis], last[axis])
        };
        motion.grid.origin[axis] = spec.grid.origin[axis] + place as f64 / spec.grid.cells_per_pixel;
        motion.remainder[axis] = rest;
        if before.is_some() {
            let due = (place - stood[axis]) as f64 * share + last[2 + axis];
            (motion.shift[axis], motion.remainder[2 + axis]) = rounded(due);
        }
    }
    motion
}

/// The nearest whole number, and what is missing to the value: −½ up to ½.
fn rounded(value: f64) -> (i64, f64) {
    let value = clamp(value, -2.0 * POSITION_MAX, 2.0 * POSITION_MAX);
    let whole = libm::floor(value + 0.5);
    (whole as i64, value - whole)
}

/// Whole cells from one grid to another of the same cells.
pub(super) fn cells_between(from: &Grid, to: &Grid) -> [i64; 2] {
    [0, 1].map(|axis| rounded((to.origin[axis] - from.origin[axis]) * to.cells_per_pixel).0)
}
