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

    /// The cells around a position of [`Paths::before`]; beyond a border that does not join another, the cells beside
    /// it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_follow_an_eddy_and_wrap() {
        let mut velocity = Field::new(40, 40, 2);
        let turn = 0.2;
        for (x, y) in (0..40).flat_map(|y| (0..40).map(move |x| (x, y))) {
            let at = [x as f64 - 19.5, y as f64 - 19.5];
            velocity.set(x, y, 0, ((-turn * at[1]) as f32).to_bits() as i32);
            velocity.set(x, y, 1, ((turn * at[0]) as f32).to_bits() as i32);
        }
        let paths = Paths { velocity, wraps: true, cells_per_pixel: 1.0 };
        let [x, y] = paths.before([28, 24], paths.displacement([28, 24])).map(|at| at - 19.5);
        // The midpoint method: the relative error of the radius is an eighth of the fourth power of the angle. That
        // of Euler's method is half of its square.
        assert!((x.hypot(y) / 8.5_f64.hypot(4.5) - 1.0).abs() < 0.000_3, "{x} {y}");
        let cells = paths.stencil([-0.25, 39.5]);
        assert_eq!(cells.map(|(cell, _)| cell), [[39, 39], [0, 39], [39, 0], [0, 0]]);
        assert_eq!(cells.map(|(_, weight)| weight), [0.125, 0.375, 0.125, 0.375]);
    }
}
