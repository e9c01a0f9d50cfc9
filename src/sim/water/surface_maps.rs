//! Surface maps: foam on the water and wetness of the ground.
//!
//! Both are computed once per frame from the new state, on the CPU, in a fixed order of operations, so that they have
//! the same bits for every device.

use std::sync::Arc;

use super::field::Field;
use super::fixed_point::WHOLE;
use super::plan::{Device, RowCounts};
use super::settings::{Edges, Foam, Settings};
use super::state::State;
use crate::sim::maths::clamp;

/// Plane of the foam: the share of the surface that it covers, in parts of [`WHOLE`].
pub const FOAM: usize = 0;
/// Plane of the wetness: 1 under water, then decaying, in parts of [`WHOLE`].
pub const WETNESS: usize = 1;
/// Number of planes.
pub const PLANES: usize = 2;

/// Convergence at which water begins to foam, per frame.
const CONVERGENCE: f64 = 0.25;
/// Speed against an obstacle at which water begins to foam, full-resolution pixels per frame.
const IMPACT: f64 = 1.0;
/// Depth from which on foam has its full strength, height.
const DEEP: f64 = 1.0 / 64.0;

/// Surface maps of a frame of length `time` and of `steps` steps, with the water of `state`; `None` where both are off.
/// `before`: the maps of the frame before; `None` on the start frame, and where both were off.
pub(super) fn next(
    state: &State,
    before: Option<&Field>,
    settings: &Settings,
    time: f64,
    steps: u32,
    device: &dyn Device,
) -> Option<Arc<Field>> {
    if settings.foam.is_none() && settings.dry_frames.is_none() {
        return None;
    }
    let grid = state.grid();
    let mut field = Field::new(grid.width, grid.height, PLANES);
    let blank = Field::new(1, 1, 1);
    let velocity = settings.foam.as_ref().map(|_| velocity(state, steps, device));
    let surface = Surface {
        state,
        before,
        velocity: velocity.as_ref().unwrap_or(&blank),
        wraps: state.domain().edges() == Edges::Wrap,
        slope: grid.cells_per_pixel / state.units() / 2.0,
        floor: state.wet_limit(),
    };
    let drying = settings.dry_frames.map(|frames| time / clamp(frames, 1e-3, 1e9) * f64::from(WHOLE));
    let stride = field.stride();
    // Fetches the planes before threads need them.
    state.water();
    device.rows(&mut field, &|y, row| {
        for x in 0..grid.width {
            let wet = state.water().height.at(x, y, 0) >= surface.floor;
            if let Some(foam) = settings.foam.as_ref().filter(|_| wet) {
                row[FOAM * stride + x + 1] = parts(surface.foam([x, y], foam, time));
            }
            if let Some(drying) = drying {
                let old = before.map_or(0, |before| before.at(x, y, WETNESS));
                let left = f64::from(old) - drying;
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

/// Velocities of all cells, full-resolution pixels per frame: two planes of the bits of `f32`; the ring is 0 or
/// wrapped.
fn velocity(state: &State, steps: u32, device: &dyn Device) -> Field {
    let grid = state.grid();
    let mut field = Field::new(grid.width, grid.height, 2);
    let stride = field.stride();
    state.water();
    device.rows(&mut field, &|y, row| {
        let mut line = vec![[0.0; 4]; grid.width];
        state.velocity_row(y, steps, &mut line);
        for (x, pixel) in line.iter().enumerate() {
            row[x + 1] = pixel[0].to_bits() as i32;
            row[stride + x + 1] = pixel[1].to_bits() as i32;
        }
        RowCounts::default()
    });
    if state.domain().edges() == Edges::Wrap {
        field.wrap_ring();
    }
    field
}

/// Excess of a value over a threshold: 0 at the threshold, 1 at twice its value.
fn above(value: f64, threshold: f64) -> f64 {
    (value / threshold.max(1e-9) - 1.0).clamp(0.0, 1.0)
}

/// The data that foam depends on.
struct Surface<'a> {
    state: &'a State,
    before: Option<&'a Field>,
    velocity: &'a Field,
    wraps: bool,
    /// Slope of one unit over two cells, height per full-resolution pixel.
    slope: f64,
    floor: i32,
}

impl Surface<'_> {
    fn speed(&self, [x, y]: [usize; 2], axis: usize) -> f64 {
        f64::from(f32::from_bits(self.velocity.row(y, axis)[x] as u32))
    }

    /// Foam of a wet cell.
    fn foam(&self, cell: [usize; 2], foam: &Foam, time: f64) -> f64 {
        // Ring coordinates.
        let here = [cell[0] + 1, cell[1] + 1];
        let [u, v] = [self.speed(here, 0), self.speed(here, 1)];
        let cells = self.state.grid().cells_per_pixel;
        let carried = self.carried([cell[0] as f64 - u * cells, cell[1] as f64 - v * cells]);
        let left = carried * libm::exp2(-time / clamp(foam.life, 1e-3, 1e9));
        let born = self.born(cell, [u, v], foam) * clamp(foam.amount, 0.0, 1e6) * time;
        left + (1.0 - left) * born.min(1.0)
    }

    /// Strength of the sources of foam in a cell, 0 to 1.
    fn born(&self, [x, y]: [usize; 2], velocity: [f64; 2], foam: &Foam) -> f64 {
        let [east, north] = [[[x, y + 1], [x + 2, y + 1]], [[x + 1, y], [x + 1, y + 2]]];
        let level = self.level([x + 1, y + 1]).unwrap_or(0);
        let rise = |ends: [[usize; 2]; 2]| {
            let [low, high] = ends.map(|end| f64::from(self.level(end).unwrap_or(level)));
            (high - low) * self.slope
        };
        let (sx, sy) = (rise(east), rise(north));
        let steep = above(libm::sqrt(sx * sx + sy * sy), clamp(foam.steepness, 0.0, 1e9));
        let spread = |[low, high]: [[usize; 2]; 2], axis: usize| self.speed(high, axis) - self.speed(low, axis);
        let cells = self.state.grid().cells_per_pixel;
        let gathering = above(-(spread(east, 0) + spread(north, 1)) / 2.0 * cells, CONVERGENCE);
        let towards = |end: [usize; 2], speed: f64| if self.solid(end) { above(speed, IMPACT) } else { 0.0 };
        let [u, v] = velocity;
        let hit = (towards(east[0], -u) + towards(east[1], u)) + (towards(north[0], -v) + towards(north[1], v));
        let depth = f64::from(self.state.water().height.at(x, y, 0)) / self.state.units();
        (steep + gathering + hit).min(1.0) * (depth / DEEP).min(1.0)
    }

    /// Foam of the frame before at a place in cells, bilinear between cell centres.
    fn carried(&self, place: [f64; 2]) -> f64 {
        let Some(before) = self.before else { return 0.0 };
        let counts = [before.width(), before.height()];
        let axis = |at: usize| {
            let low = libm::floor(place[at]);
            let count = counts[at] as i64;
            let cell = |low: f64| {
                let low = low.clamp(-1e9, 1e9) as i64;
                if self.wraps { low.rem_euclid(count) } else { low.clamp(0, count - 1) }
            };
            ([cell(low) as usize, cell(low + 1.0) as usize], place[at] - low)
        };
        let ((xs, right), (ys, up)) = (axis(0), axis(1));
        let value = |x: usize, y: usize| f64::from(before.at(x, y, FOAM));
        let row = |y: usize| value(xs[0], y) * (1.0 - right) + value(xs[1], y) * right;
        (row(ys[0]) * (1.0 - up) + row(ys[1]) * up) / f64::from(WHOLE)
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
