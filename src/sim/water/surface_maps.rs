//! Surface maps: foam on the water and wetness of the ground.
//!
//! Surface maps are computed once per frame from the new state, on the CPU, in a fixed order of operations, so that they have
//! the same bits for every device.

use std::sync::Arc;

use super::field::Field;
use super::fixed_point::WHOLE;
use super::fronts::Fronts;
use super::paths::{Paths, Stencil};
use super::plan::{Device, Inflow, RowCounts};
use super::settings::{Edges, Foam, Settings};
use super::state::State;
use super::texture;
use crate::sim::maths::clamp;

/// Plane of the foam: the share of the surface that it covers, in parts of [`WHOLE`].
pub const FOAM: usize = 0;
/// Plane of the wetness: 1 under water, growing in rain, else decaying, in parts of [`WHOLE`].
pub const WETNESS: usize = 1;
/// Number of planes.
pub const PLANES: usize = 2;

/// Convergence at which water begins to foam, per frame.
const CONVERGENCE: f64 = 0.25;
/// Speed against an obstacle at which water begins to foam, full-resolution pixels per frame.
const IMPACT: f64 = 1.0;
/// Foam that a breaking front leaves, in frames of the full amount.
const FRONT: f64 = 4.0;
/// Distance in cells by which a slope moves in a frame to be half as much as one that stands.
const STANDING: f64 = 0.2;
/// Foam that a shore leaves where it comes to, and where water of the speed [`IMPACT`] moves along it, per frame.
const FRESH: f64 = 0.25;
const LAPPING: f64 = 0.1;
/// Share of dry ground that rain wets, per frame.
const WETTING: f64 = 0.06;
/// Depth from which on foam has its full strength, height.
const DEEP: f64 = 1.0 / 64.0;

/// A frame that ends with the state of which surface maps are made.
pub(super) struct Frame<'a> {
    /// The state of the frame before; `None` on the start frame.
    pub previous: Option<&'a State>,
    pub settings: &'a Settings,
    /// The inflows of the frame.
    pub inflows: &'a [Inflow],
    /// Simulated time.
    pub time: f64,
    /// Steps that it took.
    pub steps: u32,
}

/// A state with its surface maps and texture coordinates.
pub(super) fn advected(state: State, frame: &Frame<'_>, device: &dyn Device) -> State {
    let Frame { previous, settings, steps, .. } = *frame;
    let carries = settings.foam.is_some() || settings.texture;
    let paths = carries.then(|| Paths::new(&state, steps, device));
    let surface_maps = next(&state, frame, paths.as_ref(), device);
    let texture = paths.map(|paths| texture::next(&state, previous, &paths, device));
    State { surface_maps, texture, ..state }
}

/// Surface maps; `None` where both are off. `paths`: those of the frame, where there is foam.
fn next(state: &State, frame: &Frame<'_>, paths: Option<&Paths>, device: &dyn Device) -> Option<Arc<Field>> {
    let Frame { previous, settings, inflows, time, steps } = *frame;
    if settings.foam.is_none() && settings.dry_frames.is_none() {
        return None;
    }
    let grid = state.grid();
    let mut field = Field::new(grid.width, grid.height, PLANES);
    let before = previous.and_then(|previous| previous.surface_maps.as_deref());
    let surface = settings.foam.as_ref().zip(paths).map(|(foam, paths)| Surface {
        state,
        before,
        paths,
        fronts: previous.map(|previous| Fronts::new(state, previous, inflows, steps, device)),
        foam,
        time,
        wraps: state.domain().edges() == Edges::Wrap,
        slope: grid.cells_per_pixel / state.units() / 2.0,
        floor: state.wet_limit(),
    });
    let drying = settings.dry_frames.map(|frames| time / clamp(frames, 1e-3, 1e9) * f64::from(WHOLE));
    let rained = if settings.rains() { 1.0 - libm::exp(-WETTING * time) } else { 0.0 };
    let stride = field.stride();
    // Fetches the planes before threads need them.
    state.water();
    device.rows(&mut field, &|y, row| {
        for x in 0..grid.width {
            let wet = state.water().height.at(x, y, 0) >= state.wet_limit();
            if let Some(surface) = surface.as_ref().filter(|_| wet) {
                row[FOAM * stride + x + 1] = parts(surface.foam([x, y]));
            }
            if let Some(drying) = drying {
                let old = before.map_or(0, |before| before.at(x, y, WETNESS));
                let left = if rained > 0.0 {
                    f64::from(old) + f64::from(WHOLE as i32 - old) * rained
                } else {
                    f64::from(old) - drying
                };
                row[WETNESS * stride + x + 1] =
                    if wet { WHOLE as i32 } else { libm::floor(left.max(0.0) + 0.5) as i32 };
            }
        }
        RowCounts::default()
    });
    Some(Arc::new(field))
}

/// A share in parts of [`WHOLE`].
fn parts(share: f64) -> i32 {
    libm::floor(share.clamp(0.0, 1.0) * f64::from(WHOLE) + 0.5) as i32
}

/// Excess of a value over a threshold: 0 at the threshold, 1 at twice its value.
fn above(value: f64, threshold: f64) -> f64 {
    (value / threshold.max(1e-9) - 1.0).clamp(0.0, 1.0)
}

/// The data that foam depends on.
struct Surface<'a> {
    state: &'a State,
    before: Option<&'a Field>,
    paths: &'a Paths,
    /// Fronts of the frame; `None` on the start frame.
    fronts: Option<Fronts<'a>>,
    foam: &'a Foam,
    time: f64,
    wraps: bool,
    /// Slope of one unit over two cells, height per full-resolution pixel.
    slope: f64,
    floor: i32,
}

impl Surface<'_> {
    /// Foam of a wet cell.
    fn foam(&self, cell: [usize; 2]) -> f64 {
        let Foam { amount, life, shore, .. } = *self.foam;
        let from = self.paths.stencil(self.paths.before(cell, self.paths.displacement(cell)));
        let left = self.carried(&from) * libm::exp2(-self.time / clamp(life, 1e-3, 1e9));
        let passed = self.fronts.as_ref().map_or(0.0, |fronts| FRONT * fronts.passage(cell, &from));
        let born = (self.born(cell) * self.time + passed) * self.deep(cell) * clamp(amount, 0.0, 1e6)
            + if shore > 0.0 { self.at_shore(cell) * shore.min(1.0) } else { 0.0 };
        // Amounts of which each covers a share of the surface that is left: in what parts they come does not matter.
        1.0 - (1.0 - left) * libm::exp(-born)
    }

    /// Strength of foam by the depth of a cell.
    fn deep(&self, [x, y]: [usize; 2]) -> f64 {
        (f64::from(self.state.water().height.at(x, y, 0)) / self.state.units() / DEEP).min(1.0)
    }

    /// Foam of a wet cell beside dry ground: once where the shore came to it, and steadily where water moves along it.
    fn at_shore(&self, [x, y]: [usize; 2]) -> f64 {
        let Some(fronts) = &self.fronts else { return 0.0 };
        if fronts.is_fresh([x, y]) {
            return FRESH;
        }
        let (mut dry, mut was_dry) = (false, false);
        for [x, y] in (0..9).map(|at| [x + at % 3, y + at / 3]) {
            let Some(near) = self.cell([x, y]).filter(|_| !self.solid([x, y])) else { continue };
            dry |= self.state.water().height.at(near[0], near[1], 0) < self.floor;
            was_dry |= fronts.was_dry(near);
        }
        if !(dry && was_dry) || fronts.was_dry([x, y]) {
            return 0.0;
        }
        let [u, v] = [0, 1].map(|axis| self.paths.speed([x + 1, y + 1], axis));
        LAPPING * (libm::sqrt(u * u + v * v) / IMPACT).min(1.0) * self.time
    }

    /// Strength of the sources of foam that stay in a cell, 0 to 1.
    fn born(&self, [x, y]: [usize; 2]) -> f64 {
        // Ring coordinates.
        let here = [x + 1, y + 1];
        let velocity = [0, 1].map(|axis| self.paths.speed(here, axis));
        let [east, north] = [[[x, y + 1], [x + 2, y + 1]], [[x + 1, y], [x + 1, y + 2]]];
        let level = self.level(here).unwrap_or(0);
        let rise = |ends: [[usize; 2]; 2]| {
            let [low, high] = ends.map(|end| f64::from(self.level(end).unwrap_or(level)));
            high - low
        };
        let (sx, sy) = (rise(east), rise(north));
        let slope = libm::sqrt(sx * sx + sy * sy);
        let steep = above(slope * self.slope, clamp(self.foam.steepness, 0.0, 1e9));
        let spread =
            |[low, high]: [[usize; 2]; 2], axis: usize| self.paths.speed(high, axis) - self.paths.speed(low, axis);
        let cells = self.state.grid().cells_per_pixel;
        let gathering = above(-(spread(east, 0) + spread(north, 1)) / 2.0 * cells, CONVERGENCE);
        let towards = |end: [usize; 2], speed: f64| if self.solid(end) { above(speed, IMPACT) } else { 0.0 };
        let [u, v] = velocity;
        let hit = (towards(east[0], -u) + towards(east[1], u)) + (towards(north[0], -v) + towards(north[1], v));
        ((steep + gathering) * self.stands([x, y], slope / 2.0) + hit).min(1.0)
    }

    /// Share of a slope, units per cell, that stands still: 1 where the level does not change, 0 where a slope moved by
    /// more than its width. Fronts have their foam by [`Fronts::passage`].
    fn stands(&self, cell: [usize; 2], slope: f64) -> f64 {
        let rise = self.fronts.as_ref().map_or(0.0, |fronts| fronts.rise(cell) as f64);
        let (still, moved) = (slope * STANDING, rise.abs());
        if moved == 0.0 { 1.0 } else { still * still / (still * still + moved * moved) }
    }

    /// Foam of the frame before that the water brought from a place.
    fn carried(&self, from: &Stencil) -> f64 {
        let Some(before) = self.before else { return 0.0 };
        let sum: f64 = from.iter().map(|&([x, y], weight)| weight * f64::from(before.at(x, y, FOAM))).sum();
        sum / f64::from(WHOLE)
    }

    /// The grid cell of a ring cell; `None` beyond the border.
    fn cell(&self, [x, y]: [usize; 2]) -> Option<[usize; 2]> {
        let grid = self.state.grid();
        let axis = |at: usize, count: usize| match at.checked_sub(1) {
            Some(at) if at < count => Some(at),
            _ if self.wraps => Some((at + count - 1) % count),
            _ => None,
        };
        Some([axis(x, grid.width)?, axis(y, grid.height)?])
    }

    /// Level of the surface of a ring cell; `None` where it is dry.
    fn level(&self, place: [usize; 2]) -> Option<i32> {
        let [x, y] = self.cell(place)?;
        let height = self.state.water().height.at(x, y, 0);
        let ground = self.state.terrain().map_or(0, |terrain| terrain.at(x, y, 0));
        (height >= self.floor).then_some(height + ground)
    }

    fn solid(&self, place: [usize; 2]) -> bool {
        let solid = self.state.domain().solid();
        self.cell(place).zip(solid).is_some_and(|([x, y], solid)| solid[y * self.state.grid().width + x])
    }
}
