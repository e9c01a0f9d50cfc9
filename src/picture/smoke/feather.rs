//! Fading towards the sides of a grid that is smaller than the picture.

use crate::picture::layers::Cells;
use crate::picture::maths::clamped;
use crate::sim::grid::Grid;

/// Premultiplied cells that fade towards the grid's sides.
pub struct Feathered<C> {
    cells: C,
    grid: Grid,
    /// One over the width of the border in cells; infinite without a border.
    slope: f32,
}

impl<C> Feathered<C> {
    /// `feather` is the width of the border in full-resolution pixels.
    pub fn new(cells: C, grid: Grid, feather: f64) -> Self {
        let width = clamped(feather, 0.0, 1e6) * grid.cells_per_pixel;
        Self { cells, grid, slope: (1.0 / width) as f32 }
    }

    /// Factor of cell `at` of `count`: smooth at both ends of the border.
    #[inline(always)]
    fn share(&self, at: usize, count: usize) -> f32 {
        let part = ((at.min(count - 1 - at) as f32 + 0.5) * self.slope).min(1.0);
        part * part * (3.0 - 2.0 * part)
    }
}

impl<C: Cells> Cells for Feathered<C> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        self.cells.row(y, from, out);
        if !self.slope.is_finite() {
            return;
        }
        let row = self.share(y, self.grid.height);
        for (x, pixel) in (from..).zip(out) {
            let share = row * self.share(x, self.grid.width);
            *pixel = pixel.map(|value| value * share);
        }
    }
}
