//! Velocity pictures as grids of one layer.

use super::regions::fade_in;
use super::settings::Field;
use crate::sim::batch::{BATCH, Batch, Batch3, at, mix};
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

    /// Velocities at positions, pixels per frame, and the weights: those of the distance to the nearest face, times the
    /// picture's alpha; 0 outside.
    #[inline(always)]
    pub fn sample(&self, positions: &Batch3) -> (Batch3, Batch) {
        let Grid { width, height, origin, cells_per_pixel } = *self.grid;
        let Field { scale, depth, thickness, fade, .. } = *self.field;
        let mut weights = [0.0; BATCH];
        let (mut columns, mut rows) = ([[0; BATCH]; 2], [[0; BATCH]; 2]);
        let (mut across, mut up) = ([0.0; BATCH], [0.0; BATCH]);
        for n in 0..BATCH {
            let [x, y, z] = at(positions, n);
            let (column, row) = ((x - origin[0]) * cells_per_pixel, (y - origin[1]) * cells_per_pixel);
            let (right, top) = (width as f64 - column, height as f64 - row);
            // Also for positions that are no numbers.
            let is_inside = (column > 0.0) & (row > 0.0) & (right > 0.0) & (top > 0.0);
            let mut weight = 1.0;
            if thickness > 0.0 || fade > 0.0 {
                let inside = column.min(row).min(right).min(top) / cells_per_pixel;
                let within = if thickness > 0.0 { thickness / 2.0 - (z - depth).abs() } else { f64::INFINITY };
                weight = fade_in(inside.min(within), fade);
            }
            weights[n] = if is_inside { weight } else { 0.0 };
            let ([left, right], share) = between(if is_inside { column - 0.5 } else { 0.0 }, width);
            (columns[0][n], columns[1][n], across[n]) = (left, right, share);
            let ([lower, upper], share) = between(if is_inside { row - 0.5 } else { 0.0 }, height);
            (rows[0][n], rows[1][n], up[n]) = (lower, upper, share);
        }
        // Reads that do not depend on each other overlap.
        let mut pixels = [[[0.0; 4]; 4]; BATCH];
        for n in 0..BATCH {
            let lower = &self.pixels[rows[0][n] as usize * width..];
            let upper = &self.pixels[rows[1][n] as usize * width..];
            let [left, right] = [columns[0][n] as usize, columns[1][n] as usize];
            pixels[n] = [lower[left], lower[right], upper[left], upper[right]];
        }
        let mut mixed = [[0.0; BATCH]; 4];
        for channel in [0, 1, 3] {
            let mut values = [[0.0; BATCH]; 4];
            for corner in 0..4 {
                for n in 0..BATCH {
                    values[corner][n] = finite(pixels[n][corner][channel], channel);
                }
            }
            let [a, b, c, d] = &values;
            mixed[channel] = mix(&mix(a, b, &across), &mix(c, d, &across), &up);
        }
        let [mut u, mut v, _, alpha] = mixed;
        for n in 0..BATCH {
            u[n] = bounded(u[n] * scale, FASTEST);
            v[n] = bounded(v[n] * scale, FASTEST);
            weights[n] *= alpha[n];
        }
        ([u, v, [0.0; BATCH]], weights)
    }
}

/// The cells on both sides of a position above −1, clamped to `0 .. count`, and the share of the second.
#[inline(always)]
fn between(at: f64, count: usize) -> ([u32; 2], f64) {
    // The part after the point is cut off: rounding down, as the sum is not negative.
    let next = (at + 1.0) as i32;
    let high = (next as u32).min(count as u32 - 1);
    ([(next as u32).saturating_sub(1).min(high), high], at - f64::from(next - 1))
}

/// A channel of a pixel, velocity or alpha, in its range; NaN becomes 0.
#[inline(always)]
fn finite(value: f32, channel: usize) -> f64 {
    let [low, high] = if channel == 3 { [0.0, 1.0] } else { [-FASTEST as f32, FASTEST as f32] };
    let value = if value.is_nan() { 0.0 } else { value };
    f64::from(value.max(low).min(high))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::sim::batch::splat;

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
            let (velocities, weights) = grid.sample(&splat([x, y, 0.0]));
            let [u, v, _] = at(&velocities, BATCH - 1);
            assert!(weights[BATCH - 1] > 0.0, "inside");
            assert!((u - x).abs() < 1e-5 && (v - y).abs() < 1e-5, "{u} {v} at {x} {y}");
        }
    }
}
