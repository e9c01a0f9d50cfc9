//! Velocity pictures as grids of one layer.

use super::regions::fade_in;
use super::settings::Field;
use crate::sim::grid::Grid;
use crate::sim::inputs::Pixels;
use crate::sim::maths::bounded;

/// Largest velocity, pixels per frame.
pub const FASTEST: f64 = 1e5;

/// A velocity field with its picture.
pub struct FieldGrid<'a> {
    field: &'a Field,
    grid: &'a Grid,
    pixels: &'a Pixels,
}

impl<'a> FieldGrid<'a> {
    /// A field on a grid with one pixel per cell.
    pub fn new(field: &'a Field, grid: &'a Grid, pixels: &'a Pixels) -> Self {
        Self { field, grid, pixels }
    }

    /// Its group.
    #[inline(always)]
    pub fn group(&self) -> i32 {
        self.field.group
    }

    /// Velocity at a position, pixels per frame, and the weight: that of the distance to the nearest face, times the
    /// picture's alpha. `None` outside.
    #[inline(always)]
    pub fn sample(&self, [x, y, z]: [f64; 3]) -> Option<([f64; 3], f64)> {
        let Grid { width, height, origin, cells_per_pixel } = *self.grid;
        let Field { scale, depth, thickness, fade, .. } = *self.field;
        let (column, row) = ((x - origin[0]) * cells_per_pixel, (y - origin[1]) * cells_per_pixel);
        let (right, top) = (width as f64 - column, height as f64 - row);
        // Also for positions that are no numbers.
        if !(column > 0.0 && row > 0.0 && right > 0.0 && top > 0.0) {
            return None;
        }
        let mut weight = 1.0;
        if thickness > 0.0 || fade > 0.0 {
            let inside = column.min(row).min(right).min(top) / cells_per_pixel;
            let within = if thickness > 0.0 { thickness / 2.0 - (z - depth).abs() } else { f64::INFINITY };
            weight = fade_in(inside.min(within), fade)?;
        }
        let [u, v, alpha] = self.interpolated(column - 0.5, row - 0.5);
        Some(([bounded(u * scale, FASTEST), bounded(v * scale, FASTEST), 0.0], weight * alpha))
    }

    /// Reads the pixels at a position, so that [`sample`](Self::sample) soon after finds them in the processor's cache:
    /// reads that do not depend on each other overlap. Returns what a caller hands to [`std::hint::black_box`].
    #[inline(always)]
    pub fn touch(&self, [x, y]: [f64; 2]) -> f32 {
        let Grid { width, height, origin, cells_per_pixel } = *self.grid;
        let cell = |at: f64, axis: usize| (((at - origin[axis]) * cells_per_pixel - 0.5).max(0.0) as i32) as usize;
        let (column, row) = (cell(x, 0).min(width - 1), cell(y, 1).min(height - 1));
        self.pixels[row * width + column][0] + self.pixels[(row + 1).min(height - 1) * width + column][0]
    }

    /// Bilinear red, green and alpha between the centres of cells, clamped to the border. The position is above −0.5 and
    /// at most half a cell beyond the last centre.
    #[inline(always)]
    fn interpolated(&self, column: f64, row: f64) -> [f64; 3] {
        let Grid { width, height, .. } = *self.grid;
        let ((x0, x1, fx), (y0, y1, fy)) = (between(column, width), between(row, height));
        let (lower, upper) = (&self.pixels[y0 * width..], &self.pixels[y1 * width..]);
        let low = mixed(finite(lower[x0]), finite(lower[x1]), fx);
        let high = mixed(finite(upper[x0]), finite(upper[x1]), fx);
        let [u, v, _, alpha] = mixed(low, high, fy);
        [u, v, alpha]
    }
}

/// The cells on both sides of a position above −1, clamped to `0 .. count`, and the share of the second.
#[inline(always)]
fn between(at: f64, count: usize) -> (usize, usize, f64) {
    // The part after the point is cut off: rounding down, as the sum is not negative.
    let next = (at + 1.0) as i32;
    let upper = (next as usize).min(count - 1);
    ((next as usize).saturating_sub(1).min(upper), upper, at - f64::from(next - 1))
}

/// A pixel's velocity and alpha in their ranges; what is not a number becomes 0.
#[inline(always)]
fn finite(pixel: [f32; 4]) -> [f64; 4] {
    const LOWEST: [f32; 4] = [-FASTEST as f32, -FASTEST as f32, 0.0, 0.0];
    const HIGHEST: [f32; 4] = [FASTEST as f32, FASTEST as f32, 0.0, 1.0];
    let mut values = [0.0; 4];
    for channel in 0..4 {
        let value = if pixel[channel].is_nan() { 0.0 } else { pixel[channel] };
        values[channel] = f64::from(value.max(LOWEST[channel]).min(HIGHEST[channel]));
    }
    values
}

#[inline(always)]
fn mixed(a: [f64; 4], b: [f64; 4], share: f64) -> [f64; 4] {
    let mut values = [0.0; 4];
    for channel in 0..4 {
        values[channel] = a[channel] + (b[channel] - a[channel]) * share;
    }
    values
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const GRID: Grid = Grid { width: 40, height: 30, origin: [10.0, 20.0], cells_per_pixel: 0.5 };
    const FIELD: Field = Field { number: 0, scale: 1.0, depth: 5.0, thickness: 0.0, fade: 8.0, group: 0 };

    #[test]
    fn a_picture_of_positions_gives_positions_back() {
        let pixel = |at: usize| {
            let [x, y] = [at % GRID.width, at / GRID.width].map(|cell| cell as f64 + 0.5);
            [(x / 0.5 + 10.0) as f32, (y / 0.5 + 20.0) as f32, 0.0, 1.0]
        };
        let pixels: Pixels = Arc::new((0..GRID.cells()).map(pixel).collect());
        let grid = FieldGrid::new(&FIELD, &GRID, &pixels);
        for [x, y] in [[11.5, 21.5], [30.25, 40.75], [88.0, 78.0]] {
            let ([u, v, _], _) = grid.sample([x, y, 0.0]).expect("inside");
            assert!((u - x).abs() < 1e-5 && (v - y).abs() < 1e-5, "{u} {v} at {x} {y}");
        }
    }
}
