//! Quantities of a state per cell: the raw layers of a picture, in full-resolution pixels and frames, y up.
//!
//! In a solid cell, velocity and motion are those of the solid.

use std::ops::Range;

use super::pathlines::Pathlines;
use super::settings::Boundary;
use super::state::{Solids, State};

/// A quantity, four values per cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Dye as premultiplied colour and alpha. Where the density exceeds 1, all four values are divided by it, which
    /// keeps the hue. Dye from a picture with alpha ≤ 1 gives that picture again.
    Dye,
    /// R, G, B: density, 0 and up. A: 1.
    Density,
    /// R: velocity to the right at the cell's centre, G: up, pixels per frame. B: speed. A: 1.
    Velocity,
    /// R, G: displacement of the cell's content over the next frame, pixels. B, A: displacement back to its position
    /// one frame ago. Both follow the pathlines of the current velocity.
    Motion,
    /// R: vorticity, per frame, positive counter-clockwise. G: its positive part. B: the magnitude of its negative
    /// part. A: its magnitude. 0 in solids; differences at a solid's surface are one-sided.
    Vorticity,
    /// R, G, B: pressure over density, pixels² per frame². A: 1.
    Pressure,
    /// R, G, B: divergence of the velocity, per frame. A: 1. 0 in solids.
    Divergence,
    /// R, G, B: temperature. A: 1.
    Temperature,
}

/// A quantity with its channel names in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedQuantity {
    /// The quantity.
    pub quantity: Quantity,
    /// Names of its first values, in order.
    pub channels: &'static [&'static str],
}

/// The quantities in files. Names of colour and motion are those of Nuke.
pub const QUANTITIES: [NamedQuantity; 8] = [
    NamedQuantity { quantity: Quantity::Dye, channels: &["R", "G", "B", "A"] },
    NamedQuantity { quantity: Quantity::Density, channels: &["density.density"] },
    NamedQuantity { quantity: Quantity::Velocity, channels: &["velocity.x", "velocity.y"] },
    NamedQuantity { quantity: Quantity::Motion, channels: &["forward.u", "forward.v", "backward.u", "backward.v"] },
    NamedQuantity { quantity: Quantity::Vorticity, channels: &["vorticity.vorticity"] },
    NamedQuantity { quantity: Quantity::Pressure, channels: &["pressure.pressure"] },
    NamedQuantity { quantity: Quantity::Divergence, channels: &["divergence.divergence"] },
    NamedQuantity { quantity: Quantity::Temperature, channels: &["temperature.temperature"] },
];

impl State {
    /// Writes a quantity of the cells of grid row `y`, 0 the lowest, from column `from` on. Velocity and motion are
    /// those of a frame of `time` simulated frames. Pixels beyond the grid stay unchanged.
    #[inline(always)]
    pub fn quantity_cells(&self, quantity: Quantity, y: usize, from: usize, out: &mut [[f32; 4]], time: f64) {
        let width = self.grid.width;
        if y >= self.grid.height || from >= width {
            return;
        }
        let count = out.len().min(width - from);
        let out = &mut out[..count];
        let at = y * width + from;
        match quantity {
            Quantity::Dye => {
                for (pixel, &dye) in out.iter_mut().zip(&self.air.dye[at..]) {
                    *pixel = unit_density(dye);
                }
            }
            Quantity::Density => {
                out.iter_mut().zip(&self.air.dye[at..]).for_each(|(pixel, dye)| *pixel = broadcast(dye[3]))
            }
            Quantity::Velocity => {
                let pixels = time / self.grid.cells_per_pixel;
                for (i, pixel) in out.iter_mut().enumerate() {
                    let [u, v] = self.velocity(from + i, y).map(|cells| f64::from(cells) * pixels);
                    *pixel = [finite(u), finite(v), finite((u * u + v * v).sqrt()), 1.0];
                }
            }
            Quantity::Motion => Pathlines::new(self, time).motion(from, y, out),
            Quantity::Vorticity => {
                // `f32::max` of +0 and −0 may return either; this expression returns +0.
                let above = |value: f32| if value > 0.0 { value } else { 0.0 };
                let shown = |curl: f32| [curl, above(curl), above(-curl), curl.abs()];
                // Cells with air on all four sides need no boundary cases.
                let surrounded = self.solids.is_none() && y > 0 && y + 1 < self.grid.height;
                let inner = if surrounded { from.max(1)..(from + count).min(width - 1) } else { from..from };
                for (i, pixel) in out.iter_mut().enumerate() {
                    if !inner.contains(&(from + i)) {
                        *pixel = shown(self.curl(from + i, y));
                    }
                }
                if !inner.is_empty() {
                    let own = &mut out[inner.start - from..inner.end - from];
                    own.iter_mut().zip(self.interior_curls(inner, y)).for_each(|(pixel, curl)| *pixel = shown(curl));
                }
            }
            Quantity::Pressure => {
                let scale = 1.0 / (self.grid.cells_per_pixel * self.grid.cells_per_pixel);
                for (pixel, &pressure) in out.iter_mut().zip(&self.air.pressure[at..]) {
                    *pixel = broadcast(finite(f64::from(pressure) * scale));
                }
            }
            Quantity::Divergence => {
                for (i, pixel) in out.iter_mut().enumerate() {
                    *pixel = broadcast(self.divergence(from + i, y));
                }
            }
            Quantity::Temperature => match &self.air.temperature {
                Some(plane) => out.iter_mut().zip(&plane[at..]).for_each(|(pixel, &t)| *pixel = broadcast(t)),
                None => out.fill(broadcast(0.0)),
            },
        }
    }

    /// Whether a cell is solid.
    #[inline(always)]
    pub fn is_solid(&self, x: usize, y: usize) -> bool {
        self.solids.as_ref().is_some_and(|solids| solids.solid[y * self.grid.width + x])
    }

    /// Velocity at the centre of a cell, cells per frame; in a solid cell that of the solid.
    #[inline(always)]
    pub fn velocity(&self, x: usize, y: usize) -> [f32; 2] {
        let (u, v) = match &self.solids {
            Some(solids) if self.is_solid(x, y) => {
                let Solids { u, v, .. } = &**solids;
                (&**u, &**v)
            }
            _ => (&*self.air.u, &*self.air.v),
        };
        let width = self.grid.width;
        let (left, below) = (y * (width + 1) + x, y * width + x);
        [f32::midpoint(u[left], u[left + 1]), f32::midpoint(v[below], v[below + width])]
    }

    /// Divergence of a cell, per frame.
    #[inline(always)]
    fn divergence(&self, x: usize, y: usize) -> f32 {
        if self.is_solid(x, y) {
            return 0.0;
        }
        let width = self.grid.width;
        let (left, below) = (y * (width + 1) + x, y * width + x);
        let (u, v) = (&self.air.u, &self.air.v);
        finite(f64::from(u[left + 1]) - f64::from(u[left]) + (f64::from(v[below + width]) - f64::from(v[below])))
    }

    /// Vorticity at the centre of a cell: central differences between the neighbours, one-sided where a neighbour is
    /// missing or solid.
    #[inline(always)]
    fn curl(&self, x: usize, y: usize) -> f32 {
        if self.is_solid(x, y) {
            return 0.0;
        }
        let (width, height) = (self.grid.width, self.grid.height);
        let [[left, right], [below, above]] =
            [neighbours(x, width, self.edges[0]), neighbours(y, height, self.edges[2])];
        let ((low, a), (high, b)) =
            (self.neighbour_velocity((x, y), left, None), self.neighbour_velocity((x, y), right, None));
        let across = (high[1] - low[1]) / (a + b).max(1.0);
        let ((low, a), (high, b)) =
            (self.neighbour_velocity((x, y), None, below), self.neighbour_velocity((x, y), None, above));
        let along = (high[0] - low[0]) / (a + b).max(1.0);
        finite(across - along)
    }

    /// Vorticity of cells with air on all four sides.
    #[inline(always)]
    fn interior_curls(&self, columns: Range<usize>, y: usize) -> impl Iterator<Item = f32> {
        let (width, count) = (self.grid.width, columns.len());
        let u = |row: usize| &self.air.u[row * (width + 1) + columns.start..][..count + 1];
        let v = |row: usize| &self.air.v[row * width + columns.start - 1..][..count + 2];
        let ([low, high], [below, above]) = ([v(y), v(y + 1)], [u(y - 1), u(y + 1)]);
        let middle = |a: f32, b: f32| f64::from(f32::midpoint(a, b));
        (0..count).map(move |i| {
            let across = (middle(low[i + 2], high[i + 2]) - middle(low[i], high[i])) / 2.0;
            let along = (middle(above[i], above[i + 1]) - middle(below[i], below[i + 1])) / 2.0;
            finite(across - along)
        })
    }

    /// Velocity of a neighbour and its distance, 1. Without a neighbour, or with a solid one, the velocity of the cell
    /// and the distance 0.
    #[inline(always)]
    fn neighbour_velocity(&self, (x, y): (usize, usize), column: Option<usize>, row: Option<usize>) -> ([f64; 2], f64) {
        let beside = (column.unwrap_or(x), row.unwrap_or(y));
        let is_air = (column.is_some() || row.is_some()) && !self.is_solid(beside.0, beside.1);
        let (x, y) = if is_air { beside } else { (x, y) };
        let [u, v] = self.velocity(x, y);
        ([f64::from(u), f64::from(v)], if is_air { 1.0 } else { 0.0 })
    }
}

/// Indices before and after `at` on an axis; `None` beyond a side that does not wrap.
#[inline(always)]
fn neighbours(at: usize, count: usize, side: Boundary) -> [Option<usize>; 2] {
    let wraps = side == Boundary::Wrap;
    let before = at.checked_sub(1).or(wraps.then(|| count - 1));
    let behind = if at + 1 < count { Some(at + 1) } else { wraps.then_some(0) };
    [before, behind]
}

/// A scalar as a grey pixel.
#[inline(always)]
fn broadcast(value: f32) -> [f32; 4] {
    [value, value, value, 1.0]
}

/// Dye divided by its density where that exceeds 1.
#[inline(always)]
fn unit_density(dye: [f32; 4]) -> [f32; 4] {
    let share = dye[3].max(1.0);
    dye.map(|value| value / share)
}

/// The nearest finite `f32`; 0 for NaN.
#[inline(always)]
pub(super) fn finite(value: f64) -> f32 {
    let value = if value.is_nan() { 0.0 } else { value };
    value.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::state::Air;
    use super::*;
    use crate::sim::grid::Grid;

    /// A state whose face velocities sample `field`; positions and velocities in cells.
    fn blown(size: [usize; 2], cells_per_pixel: f64, field: impl Fn(f64, f64) -> [f64; 2]) -> State {
        let [width, height] = size;
        let air = Air {
            u: (0..(width + 1) * height)
                .map(|i| field((i % (width + 1)) as f64, (i / (width + 1)) as f64 + 0.5)[0] as f32)
                .collect(),
            v: (0..width * (height + 1))
                .map(|i| field((i % width) as f64 + 0.5, (i / width) as f64)[1] as f32)
                .collect(),
            pressure: vec![3.0; width * height].into(),
            dye: vec![[0.5, 0.25, 0.0, 1.0]; width * height].into(),
            temperature: None,
            dye_map: None,
            fire: None,
        };
        let grid = Grid { width, height, origin: [0.0; 2], cells_per_pixel };
        State { grid, edges: [Boundary::Open; 4], air: Arc::new(air), solids: None, remainder: [0.0; 4] }
    }

    fn cell(state: &State, quantity: Quantity, x: usize, y: usize) -> [f32; 4] {
        let mut out = [[7.5; 4]];
        state.quantity_cells(quantity, y, x, &mut out, 1.0);
        out[0]
    }

    fn cells(width: usize, height: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    #[track_caller]
    fn near(value: f32, truth: f64, within: f64) {
        assert!((f64::from(value) - truth).abs() <= within, "{value} for {truth}");
    }

    #[test]
    fn a_linear_field_is_exact_in_the_middle_of_cells() {
        let state = blown([9, 7], 0.5, |x, y| [0.25 * x - 0.5 * y + 1.0, 0.125 * x + 0.75 * y - 2.0]);
        for (x, y) in cells(9, 7) {
            let (cx, cy) = (x as f64 + 0.5, y as f64 + 0.5);
            let truth = [2.0 * (0.25 * cx - 0.5 * cy + 1.0), 2.0 * (0.125 * cx + 0.75 * cy - 2.0)];
            let [u, v, speed, alpha] = cell(&state, Quantity::Velocity, x, y);
            assert_eq!([u, v, alpha], [truth[0] as f32, truth[1] as f32, 1.0]);
            near(speed, truth[0].hypot(truth[1]), 1e-5);
            near(cell(&state, Quantity::Divergence, x, y)[0], 1.0, 1e-6);
            near(cell(&state, Quantity::Vorticity, x, y)[0], 0.625, 1e-6);
        }
        assert_eq!(cell(&state, Quantity::Pressure, 0, 0), [12.0, 12.0, 12.0, 1.0]);
        assert_eq!(cell(&state, Quantity::Temperature, 0, 0), [0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn curls_of_cells_with_air_all_around_are_the_same_in_a_row_as_alone() {
        let state = blown([33, 6], 0.5, |x, y| [(7.3 * x + y * y).sin(), (x * y).cos() * 1e3]);
        for y in 1..5 {
            let row: Vec<f32> = state.interior_curls(1..32, y).collect();
            let alone: Vec<f32> = (1..32).map(|x| state.curl(x, y)).collect();
            assert_eq!(row, alone);
        }
    }

    #[test]
    fn vorticity_has_the_same_bits_in_any_window() {
        // Vorticity of +0 and −0: air at rest, and velocities of the least magnitude.
        let least = f64::from(f32::from_bits(1));
        let fields: [&dyn Fn(f64, f64) -> [f64; 2]; 3] = [
            &|_, _| [0.0; 2],
            &|x, y| [if y < 3.0 { -0.0 } else { 0.0 }, if x < 17.0 { 0.0 } else { -0.0 }],
            &|x, y| [least * (x * 0.7 + y).sin().signum(), 0.0],
        ];
        for field in fields {
            let mut state = blown([40, 6], 1.0, field);
            for side in [Boundary::Open, Boundary::Closed, Boundary::Wrap] {
                state.edges = [side; 4];
                let row = |y: usize, from: usize, len: usize| -> Vec<[u32; 4]> {
                    let mut out = vec![[7.5; 4]; len];
                    state.quantity_cells(Quantity::Vorticity, y, from, &mut out, 1.0);
                    out.into_iter().map(|pixel| pixel.map(f32::to_bits)).collect()
                };
                for y in 0..6 {
                    let whole = row(y, 0, 40);
                    for (from, len) in [(0, 1), (1, 1), (0, 17), (3, 8), (5, 33), (23, 17), (39, 1)] {
                        assert_eq!(row(y, from, len), whole[from..from + len], "row {y}, {len} from {from}");
                    }
                    for [curl, positive, negative, size] in whole {
                        assert_eq!([positive, negative, size].map(|bits| bits >> 31), [0; 3], "{curl:x}");
                    }
                }
            }
        }
    }

    #[test]
    fn divergence_is_that_of_the_field() {
        // Over a cell the mean divergence of (x², xy) is 3x at its centre.
        let state = blown([12, 10], 1.0, |x, y| [x * x / 64.0, x * y / 64.0]);
        for (x, y) in cells(12, 10) {
            near(cell(&state, Quantity::Divergence, x, y)[0], 3.0 * (x as f64 + 0.5) / 64.0, 1e-6);
        }
    }

    #[test]
    fn a_rigid_rotation_is_traced_and_spins_everywhere() {
        for turn in [0.05, -0.1] {
            let state = blown([40, 40], 0.5, |x, y| [-turn * (y - 20.0), turn * (x - 20.0)]);
            for (x, y) in cells(40, 40) {
                let curl = cell(&state, Quantity::Vorticity, x, y);
                near(curl[0], 2.0 * turn, 1e-5);
                near(curl[1], (2.0 * turn).max(0.0), 1e-5);
                near(curl[2], (-2.0 * turn).max(0.0), 1e-5);
                near(curl[3], 2.0 * turn.abs(), 1e-5);
                let (rx, ry) = (x as f64 + 0.5 - 20.0, y as f64 + 0.5 - 20.0);
                if rx.hypot(ry) > 15.0 {
                    continue;
                }
                let motion = cell(&state, Quantity::Motion, x, y);
                for (time, at) in [(1.0, 0), (-1.0, 2)] {
                    let (sin, cos) = (time * turn).sin_cos();
                    near(motion[at], 2.0 * (rx * cos - ry * sin - rx), 1e-3);
                    near(motion[at + 1], 2.0 * (rx * sin + ry * cos - ry), 1e-3);
                }
            }
        }
    }

    #[test]
    fn paths_keep_their_digits_far_from_the_origin() {
        for side in [Boundary::Open, Boundary::Wrap] {
            let mut state = blown([30_000, 2], 1.0, |_, _| [0.3, 1e-4]);
            state.edges = [side; 4];
            let motion = cell(&state, Quantity::Motion, 29_990, 1);
            for (value, truth) in motion.into_iter().zip([0.3, 1e-4, -0.3, -1e-4]) {
                near(value, truth, 1e-7);
            }
        }
    }

    #[test]
    fn a_path_goes_on_over_a_joined_side() {
        let speed = |x: f64| 2.0 + (x * std::f64::consts::TAU / 16.0).cos();
        let mut state = blown([16, 4], 1.0, |x, _| [speed(x), 0.0]);
        state.edges = [Boundary::Wrap; 4];
        let once = cell(&state, Quantity::Motion, 15, 1);
        let mut moved = blown([16, 4], 1.0, |x, _| [speed(x + 8.0), 0.0]);
        moved.edges = [Boundary::Wrap; 4];
        let inside = cell(&moved, Quantity::Motion, 7, 1);
        for (a, b) in once.into_iter().zip(inside) {
            near(a, f64::from(b), 1e-5);
        }
        assert!(once[0] > 2.5 && once[2] < -2.5);
    }

    #[test]
    fn solids_show_their_own_motion_and_do_not_spin_the_air() {
        let mut state = blown([5, 5], 1.0, |_, _| [1.0, 0.0]);
        let mut solid = vec![false; 25];
        solid[12] = true;
        state.solids = Some(Arc::new(Solids { solid, u: vec![0.0; 30], v: vec![-2.0; 30] }));
        assert_eq!(cell(&state, Quantity::Velocity, 2, 2), [0.0, -2.0, 2.0, 1.0]);
        assert_eq!(cell(&state, Quantity::Motion, 2, 2), [0.0, -2.0, 0.0, 2.0]);
        assert_eq!(cell(&state, Quantity::Divergence, 2, 2)[0], 0.0);
        for (x, y) in cells(5, 5) {
            assert_eq!(cell(&state, Quantity::Vorticity, x, y), [0.0; 4], "{x} {y}");
        }
    }

    #[test]
    fn dye_is_a_picture_again_and_its_alpha_never_above_1() {
        let mut state = blown([3, 1], 1.0, |_, _| [0.0; 2]);
        let dye = vec![[0.1, 0.2, 0.3, 0.5], [2.0, 1.0, 0.0, 4.0], [1e30, 0.0, 0.0, 1e30]].into();
        state.air = Arc::new(Air { dye, ..(*state.air).clone() });
        assert_eq!(cell(&state, Quantity::Dye, 0, 0), [0.1, 0.2, 0.3, 0.5]);
        assert_eq!(cell(&state, Quantity::Dye, 1, 0), [0.5, 0.25, 0.0, 1.0]);
        assert_eq!(cell(&state, Quantity::Dye, 2, 0), [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(cell(&state, Quantity::Density, 2, 0), [1e30, 1e30, 1e30, 1.0]);
    }

    #[test]
    fn thin_grids_and_absurd_numbers_stay_finite() {
        for size in [[1, 1], [1, 50], [50, 1], [2, 2]] {
            for side in [Boundary::Open, Boundary::Wrap] {
                let mut state = blown(size, 1e-3, |x, y| [1e36 * (x - y), -1e38]);
                state.edges = [side; 4];
                for layer in QUANTITIES.map(|named| named.quantity) {
                    for (x, y) in cells(size[0], size[1]) {
                        let shown = cell(&state, layer, x, y);
                        assert!(shown.iter().all(|v| v.is_finite()), "{layer:?} {size:?} {shown:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn pixels_beyond_the_grid_stay_as_they_are() {
        let state = blown([3, 2], 1.0, |_, _| [1.0; 2]);
        for layer in QUANTITIES.map(|named| named.quantity) {
            for (y, from, on) in [(0, 1, 2), (2, 0, 0), (0, 3, 0), (1, 9, 0)] {
                let mut out = [[7.5; 4]; 4];
                state.quantity_cells(layer, y, from, &mut out, 1.0);
                assert!(out[..on].iter().all(|pixel| *pixel != [7.5; 4]), "{layer:?}");
                assert!(out[on..].iter().all(|pixel| *pixel == [7.5; 4]), "{layer:?}");
            }
        }
    }
}
