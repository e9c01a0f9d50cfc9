//! Motion of a grid that follows a point, in whole cells from its start position.

use super::GridMotion;
use crate::sim::grid::Grid;
use crate::sim::maths::clamp;
use crate::sim::smoke::{Settings, Spec, State};

/// Largest displacement of a grid, cells.
const POSITION_MAX: f64 = 1e9;

/// Motion of the grid to a frame with these settings; `before` is the previous state, `None` in the start frame.
///
/// A following grid has the position, in whole cells from `spec.grid`, whose centre is nearest to `grid_centre`. The
/// position depends on nothing else, so it does not drift; sample the inputs of the frame on that grid. A centre that
/// is not finite leaves the grid in place. The contents shift against the grid by the fraction 1 − `inherit` of its
/// motion, in whole cells; the fraction of a cell stays in the remainder.
pub fn grid_motion(spec: &Spec, settings: &Settings, before: Option<&State>) -> GridMotion {
    let last = before.map_or([0.0; 4], |state| state.remainder);
    let last_place = before.map_or([0; 2], |state| cells_between(&spec.grid, &state.grid));
    if !spec.constants.follow {
        return GridMotion { grid: spec.grid, shift: [0; 2], remainder: [0.0; 4] };
    }
    let left_behind = 1.0 - clamp(settings.inherit, 0.0, 1.0);
    let mut motion = GridMotion { grid: spec.grid, shift: [0; 2], remainder: [0.0; 4] };
    for axis in 0..2 {
        let cells = [spec.grid.width, spec.grid.height][axis] as f64;
        let wanted = (settings.grid_centre[axis] - spec.grid.origin[axis]) * spec.grid.cells_per_pixel - cells / 2.0;
        let (place, remainder) = if settings.grid_centre[axis].is_finite() && wanted.is_finite() {
            rounded(wanted)
        } else {
            (last_place[axis], last[axis])
        };
        motion.grid.origin[axis] = spec.grid.origin[axis] + place as f64 / spec.grid.cells_per_pixel;
        motion.remainder[axis] = remainder;
        if before.is_some() {
            let due = (place - last_place[axis]) as f64 * left_behind + last[2 + axis];
            (motion.shift[axis], motion.remainder[2 + axis]) = rounded(due);
        }
    }
    motion
}

/// The nearest integer, and the remainder of −½ to ½.
fn rounded(value: f64) -> (i64, f64) {
    let value = clamp(value, -2.0 * POSITION_MAX, 2.0 * POSITION_MAX);
    let whole = libm::floor(value + 0.5);
    (whole as i64, value - whole)
}

/// Offset between two grids with equal cells, in whole cells.
pub(super) fn cells_between(from: &Grid, to: &Grid) -> [i64; 2] {
    [0, 1].map(|axis| rounded((to.origin[axis] - from.origin[axis]) * to.cells_per_pixel).0)
}
