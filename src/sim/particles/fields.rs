//! Velocity pictures as grids of one layer.

use super::settings::Field;
use crate::sim::grid::Grid;
use crate::sim::inputs::Pixels;
use crate::sim::maths::{bounded, clamp};

/// Largest velocity, pixels per frame.
const FASTEST: f64 = 1e5;

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

    /// Velocity at a position, pixels per frame, and the weight: `s²(3 − 2s)` with `s` = distance to the nearest face
    /// over the fade, times the picture's alpha. `None` outside.
    pub fn sample(&self, [x, y, z]: [f64; 3]) -> Option<([f64; 2], f64)> {
        if !(x.is_finite() && y.is_finite() && z.is_finite()) {
            return None;
        }
        let Grid { width, height, origin, cells_per_pixel } = *self.grid;
        let Field { scale, depth, thickness, fade, .. } = *self.field;
        let [column, row] = [(x - origin[0]) * cells_per_pixel, (y - origin[1]) * cells_per_pixel];
        let [right, top] = [width as f64 - column, height as f64 - row];
        let inside = column.min(row).min(right).min(top) / cells_per_pixel;
        let within = if thickness > 0.0 { thickness / 2.0 - (z - depth).abs() } else { f64::INFINITY };
        let distance = inside.min(within);
        if distance <= 0.0 {
            return None;
        }
        let s = if fade > 0.0 { (distance / fade).min(1.0) } else { 1.0 };
        let [u, v, alpha] = self.interpolated(column - 0.5, row - 0.5);
        Some(([u * scale, v * scale].map(|v| bounded(v, FASTEST)), s * s * (3.0 - 2.0 * s) * alpha))
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

/// The air where fields overlap: `U + Σ w (u − U)` in the order of the fields. The weights of a group are divided by
/// their sum where that is above 1.
pub fn blend(ambient: [f64; 3], fields: &[FieldGrid<'_>], position: [f64; 3]) -> [f64; 3] {
    let mut sampled = [None; super::settings::FIELDS];
    for (slot, field) in sampled.iter_mut().zip(fields) {
        *slot = field.sample(position).map(|(velocity, weight)| (field.group(), velocity, weight));
    }
    let sum = |group: i32| sampled.iter().flatten().filter(|other| other.0 == group).map(|other| other.2).sum::<f64>();
    let mut air = ambient;
    for (group, velocity, weight) in sampled.iter().flatten() {
        let weight = if *group == 0 { *weight } else { weight / sum(*group).max(1.0) };
        for axis in 0..2 {
            air[axis] += weight * (velocity[axis] - ambient[axis]);
        }
        air[2] -= weight * ambient[2];
    }
    air
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const GRID: Grid = Grid { width: 40, height: 30, origin: [10.0, 20.0], cells_per_pixel: 0.5 };
    const FIELD: Field = Field { number: 0, scale: 1.0, depth: 5.0, thickness: 0.0, fade: 8.0, group: 0 };

    fn flat(velocity: [f32; 2], alpha: f32) -> Pixels {
        Arc::new(vec![[velocity[0], velocity[1], 0.0, alpha]; GRID.cells()])
    }

    #[test]
    fn a_picture_of_positions_gives_positions_back() {
        let pixel = |at: usize| {
            let [x, y] = [at % GRID.width, at / GRID.width].map(|cell| cell as f64 + 0.5);
            [(x / 0.5 + 10.0) as f32, (y / 0.5 + 20.0) as f32, 0.0, 1.0]
        };
        let pixels: Pixels = Arc::new((0..GRID.cells()).map(pixel).collect());
        let grid = FieldGrid::new(&FIELD, &GRID, &pixels);
        for [x, y] in [[11.5, 21.5], [30.25, 40.75], [88.0, 78.0]] {
            let ([u, v], _) = grid.sample([x, y, 0.0]).expect("inside");
            assert!((u - x).abs() < 1e-5 && (v - y).abs() < 1e-5, "{u} {v} at {x} {y}");
        }
    }

    #[test]
    fn a_field_fades_towards_its_faces_with_a_bounded_slope() {
        let pixels = flat([3.0, 0.0], 1.0);
        let fields = [FieldGrid::new(&FIELD, &GRID, &pixels)];
        let ambient = [-1.0, 0.5, 0.25];
        let air = |x: f64| blend(ambient, &fields, [x, 50.0, 0.0]);
        assert_eq!(air(9.0), ambient);
        assert_eq!(air(10.0), ambient);
        assert_eq!(air(50.0), [3.0, 0.0, 0.0]);
        let step = 0.01;
        let mut last = air(9.5);
        for n in 0..10_000 {
            let next = air(9.5 + f64::from(n) * step);
            assert!((next[0] - last[0]).abs() <= 1.5 * 4.0 / 8.0 * step + 1e-9);
            last = next;
        }
        let thin = Field { thickness: 20.0, ..FIELD };
        let fields = [FieldGrid::new(&thin, &GRID, &pixels)];
        let at = |z: f64| blend(ambient, &fields, [50.0, 50.0, z]);
        assert_eq!((at(-5.0), at(15.0), at(5.0)), (ambient, ambient, [3.0, 0.0, 0.0]));
    }

    #[test]
    fn fields_add_and_those_of_a_group_do_not() {
        let (a, b) = (flat([2.0, 1.0], 1.0), flat([2.0, 1.0], 1.0));
        let both = |group: i32| {
            let field = Field { group, ..FIELD };
            let fields = [FieldGrid::new(&field, &GRID, &a), FieldGrid::new(&field, &GRID, &b)];
            blend([0.0; 3], &fields, [50.0, 50.0, 0.0])
        };
        assert_eq!(both(0), [4.0, 2.0, 0.0], "two fields add");
        assert_eq!(both(1), [2.0, 1.0, 0.0], "two fields of a group are one");
        let half = flat([2.0, 1.0], 0.25);
        let field = Field { group: 3, ..FIELD };
        let one = [FieldGrid::new(&field, &GRID, &half)];
        assert_eq!(blend([0.0; 3], &one, [50.0, 50.0, 0.0]), [0.5, 0.25, 0.0], "alpha is a weight");
    }

    #[test]
    fn values_that_are_no_numbers_do_no_harm() {
        let pixels = flat([f32::NAN, f32::INFINITY], f32::NAN);
        let fields = [FieldGrid::new(&FIELD, &GRID, &pixels)];
        assert!(blend([1.0; 3], &fields, [50.0, 50.0, 0.0]).iter().all(|v| v.is_finite()));
        assert_eq!(blend([1.0; 3], &fields, [f64::NAN; 3]), [1.0; 3]);
    }
}
