//! Forces that follow from where the air is: weight and lift, and vorticity confinement.

use super::axis::Axis;
use super::band::{Band, Pass};
use crate::sim::smoke::machine::Forces;

/// Weight, lift and drag, on one kind of faces.
pub(super) struct Force<'a> {
    pub forces: Forces,
    /// 0 for u, 1 for v.
    pub axis: usize,
    pub cells: [Axis; 2],
    pub from: &'a [f32],
    pub dye: &'a [f32],
    pub temperature: Option<&'a [f32]>,
}

impl Pass for Force<'_> {
    type Output = ();

    #[inline(always)]
    fn pass(&self, band: Band<'_>) {
        let Forces { keep, weight, lift, ambient } = self.forces;
        let [weight, lift] = [weight, lift].map(|force| force[self.axis]);
        let width = self.cells[0].values as usize;
        let columns = width + usize::from(self.axis == 0);
        let dye: &[[f32; 4]] = bytemuck::cast_slice(self.dye);
        for (row, to) in band.one.chunks_exact_mut(columns).enumerate() {
            let y = band.first + row;
            let from = &self.from[y * columns..][..columns];
            for (to, from) in to.iter_mut().zip(from) {
                *to = from * keep;
            }
            if weight == 0.0 && (lift == 0.0 || self.temperature.is_none()) {
                continue;
            }
            let force = |first: usize, second: usize| {
                let density = 0.5 * (dye[first][3] + dye[second][3]);
                let excess = self
                    .temperature
                    .map_or(0.0, |t| 0.5 * (Forces::excess(t[first], ambient) + Forces::excess(t[second], ambient)));
                density * weight + excess * lift
            };
            if self.axis == 0 {
                let start = y * width;
                for (x, to) in to.iter_mut().enumerate() {
                    let x = x as i32;
                    *to += force(start + self.cells[0].near(x - 1), start + self.cells[0].near(x));
                }
            } else {
                let y = y as i32;
                let [low, high] = [self.cells[1].near(y - 1) * width, self.cells[1].near(y) * width];
                for (x, to) in to.iter_mut().enumerate() {
                    *to += force(low + x, high + x);
                }
            }
        }
    }
}

/// Vorticity of cells.
pub(super) struct Curl<'a> {
    pub cells: [Axis; 2],
    pub u: &'a [f32],
    pub v: &'a [f32],
    pub solid: Option<&'a [f32]>,
}

impl Pass for Curl<'_> {
    type Output = ();

    #[inline(always)]
    fn pass(&self, band: Band<'_>) {
        let width = self.cells[0].values as usize;
        for (row, to) in band.one.chunks_exact_mut(width).enumerate() {
            let y = band.first + row;
            let [low, high] = [-1, 1].map(|d| self.cells[1].near(y as i32 + d));
            let [below, above] = [low, high].map(|y| &self.u[y * (width + 1)..][..width + 1]);
            let [lower, upper] = [y, y + 1].map(|y| &self.v[y * width..][..width]);
            let along = |row: &[f32], x: usize| 0.5 * (row[x] + row[x + 1]);
            let up = |x: usize| 0.5 * (lower[x] + upper[x]);
            let at = |x: usize, left: usize, right: usize| {
                0.5 * ((up(right) - up(left)) - (along(above, x) - along(below, x)))
            };
            let last = width - 1;
            for x in 1..last.max(1) {
                to[x] = at(x, x - 1, x + 1);
            }
            for x in [0, last] {
                to[x] = at(x, self.cells[0].near(x as i32 - 1), self.cells[0].near(x as i32 + 1));
            }
            if let Some(solid) = self.solid {
                for (to, solid) in to.iter_mut().zip(&solid[y * width..]) {
                    *to = if *solid > 0.0 { 0.0 } else { *to };
                }
            }
        }
    }
}

/// Vorticity confinement, on one kind of faces.
pub(super) struct Confine<'a> {
    pub cells: [Axis; 2],
    pub axis: usize,
    pub strength: f32,
    pub curl: &'a [f32],
}

impl Confine<'_> {
    /// The force on a cell along the axis.
    #[inline(always)]
    fn cell(&self, [x, y]: [i32; 2]) -> f32 {
        let width = self.cells[0].values as usize;
        let at = |x: usize, y: usize| self.curl[y * width + x];
        let strength = |x: usize, y: usize| at(x, y).abs();
        let [x, y] = [self.cells[0].near(x), self.cells[1].near(y)];
        let [left, right] = [-1, 1].map(|d| strength(self.cells[0].near(x as i32 + d), y));
        let [below, above] = [-1, 1].map(|d| strength(x, self.cells[1].near(y as i32 + d)));
        let gradient = [0.5 * (right - left), 0.5 * (above - below)];
        let length = (gradient[0] * gradient[0] + gradient[1] * gradient[1]).sqrt() + 1e-6;
        let curl = at(x, y);
        if self.axis == 0 { gradient[1] / length * curl } else { -(gradient[0] / length) * curl }
    }
}

impl Pass for Confine<'_> {
    type Output = ();

    #[inline(always)]
    fn pass(&self, band: Band<'_>) {
        let columns = self.cells[0].values as usize + usize::from(self.axis == 0);
        for (row, to) in band.one.chunks_exact_mut(columns).enumerate() {
            let y = (band.first + row) as i32;
            for (x, to) in to.iter_mut().enumerate() {
                let x = x as i32;
                let first = if self.axis == 0 { [x - 1, y] } else { [x, y - 1] };
                *to += self.strength * (0.5 * (self.cell(first) + self.cell([x, y])));
            }
        }
    }
}
