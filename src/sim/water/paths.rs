//! Paths of the water back over a frame, along which fields on the surface are advected.

use super::field::Field;
use super::plan::{Device, RowCounts};
use super::settings::Edges;
use super::state::State;

/// Cells around a sample position, and their bilinear weights.
pub(super) type Stencil = [([usize; 2], f64); 4];

/// The velocity of a frame.
pub(super) struct Paths {
    /// Velocities in full-resolution pixels per frame: two planes of the bits of `f32`; the ring is 0 or wrapped.
    velocity: Field,
    wraps: bool,
    cells_per_pixel: f64,
}

impl Paths {
    /// The velocity of the water of `state`, whose frame took `steps` steps.
    pub fn new(state: &State, steps: u32, device: &dyn Device) -> Paths {
        let grid = state.grid();
        let mut velocity = Field::new(grid.width, grid.height, 2);
        let stride = velocity.stride();
        // Fetches the planes before threads need them.
        state.water();
        device.rows(&mut velocity, &|y, row| {
            let mut line = vec![[0.0; 4]; grid.width];
            state.velocity_row(y, steps, &mut line);
            for (x, pixel) in line.iter().enumerate() {
                row[x + 1] = pixel[0].to_bits() as i32;
                row[stride + x + 1] = pixel[1].to_bits() as i32;
            }
            RowCounts::default()
        });
        let wraps = state.domain().edges() == Edges::Wrap;
        if wraps {
            velocity.wrap_ring();
        }
        Paths { velocity, wraps, cells_per_pixel: grid.cells_per_pixel }
    }

    /// Velocity of a ring cell along an axis.
    pub fn speed(&self, [x, y]: [usize; 2], axis: usize) -> f64 {
        f64::from(f32::from_bits(self.velocity.row(y, axis)[x] as u32))
    }

    /// Displacement over the frame, full-resolution pixels, of the water that ends in the middle of a cell: midpoint
    /// method.
    pub fn displacement(&self, [x, y]: [usize; 2]) -> [f64; 2] {
        let start = [0, 1].map(|axis| self.speed([x + 1, y + 1], axis));
        if start == [0.0; 2] {
            return start;
        }
        let half = self.stencil(self.before([x, y], start.map(|speed| speed / 2.0)));
        [0, 1].map(|axis| half.iter().map(|&([x, y], weight)| weight * self.speed([x + 1, y + 1], axis)).sum())
    }

    /// Position in cells, the middle of cell (0, 0) being the origin, from which a displacement leads to a cell.
    pub fn before(&self, [x, y]: [usize; 2], displacement: [f64; 2]) -> [f64; 2] {
        let [dx, dy] = displacement.map(|d| d * self.cells_per_pixel);
        [x as f64 - dx, y as f64 - dy]
    }

    /// The cells around a position of [`Paths::before`]; beyond a border that does not join another, the cells beside it.
    pub fn stencil(&self, position: [f64; 2]) -> Stencil {
        let counts = [self.velocity.width(), self.velocity.height()];
        let axis = |at: usize| {
            let low = libm::floor(position[at]);
            let count = counts[at] as i64;
            let cell = |low: f64| {
                let low = low.clamp(-1e9, 1e9) as i64;
                if self.wraps { low.rem_euclid(count) } else { low.clamp(0, count - 1) }
            };
            ([cell(low) as usize, cell(low + 1.0) as usize], position[at] - low)
        };
        let ((xs, right), (ys, up)) = (axis(0), axis(1));
        [
            ([xs[0], ys[0]], (1.0 - right) * (1.0 - up)),
            ([xs[1], ys[0]], right * (1.0 - up)),
            ([xs[0], ys[1]], (1.0 - right) * up),
            ([xs[1], ys[1]], right * up),
        ]
    }
}
