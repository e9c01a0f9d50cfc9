//! Velocity pictures as grids of one layer.

use super::regions::fade_in;
use super::settings::Field;
use crate::sim::grid::Grid;
use crate::sim::inputs::Pixels;
use crate::sim::maths::{bounded, clamp};

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
    pub fn group(&self) -> i32 {
        self.field.group
    }

    /// Velocity at a position, pixels per frame, and the weight: that of the distance to the nearest face, times the
    /// picture's alpha. `None` outside.
    pub fn sample(&self, [x, y, z]: [f64; 3]) -> Option<([f64; 3], f64)> {
        if !(x.is_finite() && y.is_finite() && z.is_finite()) {
            return None;
        }
        let Grid { width, height, origin, cells_per_pixel } = *self.grid;
        let Field { scale, depth, thickness, fade, .. } = *self.field;
        let [column, row] = [(x - origin[0]) * cells_per_pixel, (y - origin[1]) * cells_per_pixel];
        let [right, top] = [width as f64 - column, height as f64 - row];
        let inside = column.min(row).min(right).min(top) / cells_per_pixel;
        let within = if thickness > 0.0 { thickness / 2.0 - (z - depth).abs() } else { f64::INFINITY };
        let weight = fade_in(inside.min(within), fade)?;
        let [u, v, alpha] = self.interpolated(column - 0.5, row - 0.5);
        let [u, v] = [u, v].map(|v| bounded(v * scale, FASTEST));
        Some(([u, v, 0.0], weight * alpha))
    }

    /// Bilinear red, green and alpha between the centres of cells, clamped to the border.
    fn interpolated(&self, column: f64, row: f64) -> [f64; 3] {
        let Grid { width, height, .. } = *self.grid;
        let axis = |at: f64, count: usize| {
            let low = libm::floor(at);
            let index = |at: f64| clamp(at, 0.0, count as f64 - 1.0) as usize;
            (index(low), index(low + 1.0), at - low)
        };
        let ((x0, x1, fx), (y0, y1, fy)) = (axis(column, width), axis(row, height));
        let corner = |x: usize, y: usize| {
            let [u, v, _, alpha] = self.pixels[y * width + x].map(f64::from);
            [bounded(u, FASTEST), bounded(v, FASTEST), clamp(alpha, 0.0, 1.0)]
        };
        let mix = |a: [f64; 3], b: [f64; 3], f: f64| [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * f);
        mix(mix(corner(x0, y0), corner(x1, y0), fx), mix(corner(x0, y1), corner(x1, y1), fx), fy)
    }
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
