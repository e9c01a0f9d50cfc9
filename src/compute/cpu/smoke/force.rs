//! Forces that follow from where the air is: weight and lift, and vorticity confinement.

use super::super::lanes::floats::Floats;
use super::axis::Axis;
use super::band::{Band, Pass};
use super::meet::{self, Meet};
use crate::sim::smoke::machine::{Confinement, Forces};

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
    fn pass<F: Floats>(&self, band: Band<'_>) {
        let start = band.first * band.one.len() / band.rows.max(1);
        for (to, from) in band.one.iter_mut().zip(&self.from[start..]) {
            *to = from * self.forces.keep;
        }
        let still = self.forces.lift[self.axis] == 0.0 || self.temperature.is_none();
        if self.forces.weight[self.axis] != 0.0 || !still {
            meet::add(self, self.cells, self.axis, band);
        }
    }
}

impl Meet for Force<'_> {
    /// Density and excess of temperature.
    #[inline(always)]
    fn row(&self, y: usize, density: &mut [f32], excess: &mut [f32]) {
        let width = density.len();
        let dye = &self.dye[y * width * 4..][..width * 4];
        for (density, dye) in density.iter_mut().zip(dye.as_chunks::<4>().0) {
            *density = dye[3];
        }
        if let Some(temperature) = self.temperature {
            for (excess, t) in excess.iter_mut().zip(&temperature[y * width..][..width]) {
                *excess = Forces::excess(*t, self.forces.ambient);
            }
        }
    }

    #[inline(always)]
    fn join(&self, first: [&[f32]; 2], second: [&[f32]; 2], to: &mut [f32]) {
        let (weight, lift) = (self.forces.weight[self.axis], self.forces.lift[self.axis]);
        let len = to.len();
        let [[d, e], [f, g]] = [first, second];
        let (d, e, f, g) = (&d[..len], &e[..len], &f[..len], &g[..len]);
        for (x, to) in to.iter_mut().enumerate() {
            *to += 0.5 * (d[x] + f[x]) * weight + 0.5 * (e[x] + g[x]) * lift;
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
    fn pass<F: Floats>(&self, band: Band<'_>) {
        let width = self.cells[0].values as usize;
        for (row, to) in band.one.chunks_exact_mut(width).enumerate() {
            let y = band.first + row;
            let [low, high] = [-1, 1].map(|d| self.cells[1].near(y as i32 + d));
            let [below, above] = [low, high].map(|y| &self.u[y * (width + 1)..][..width + 1]);
            let [lower, upper] = [y, y + 1].map(|y| &self.v[y * width..][..width]);
            let rows = [below, above, lower, upper];
            let last = width - 1;
            for (x, to) in to[1..last.max(1)].iter_mut().enumerate() {
                *to = curl(rows, [x, x + 1, x + 2]);
            }
            for x in [0, last] {
                to[x] = curl(rows, [self.cells[0].near(x as i32 - 1), x, self.cells[0].near(x as i32 + 1)]);
            }
            if let Some(solid) = self.solid {
                for (to, solid) in to.iter_mut().zip(&solid[y * width..]) {
                    *to = if *solid > 0.0 { 0.0 } else { *to };
                }
            }
        }
    }
}

/// Of the cell in the middle of three, from the rows of u below and above and those of v at its own faces.
#[inline(always)]
fn curl([below, above, lower, upper]: [&[f32]; 4], [left, x, right]: [usize; 3]) -> f32 {
    let (before, after) = (0.5 * (lower[left] + upper[left]), 0.5 * (lower[right] + upper[right]));
    let (under, over) = (0.5 * (below[x] + below[x + 1]), 0.5 * (above[x] + above[x + 1]));
    0.5 * ((after - before) - (over - under))
}

/// Vorticity confinement, on one kind of faces.
pub(super) struct Confine<'a> {
    pub cells: [Axis; 2],
    pub axis: usize,
    pub strength: f32,
    pub curl: &'a [f32],
}

impl Confine<'_> {
    /// The force on a cell along the axis, from the vorticity of those beside it, below, above and its own.
    #[inline(always)]
    fn cell(&self, [left, right, below, above, curl]: [f32; 5]) -> f32 {
        let gradient = [0.5 * (right.abs() - left.abs()), 0.5 * (above.abs() - below.abs())];
        let length = (gradient[0] * gradient[0] + gradient[1] * gradient[1]).sqrt();
        let share = Confinement::share(length, curl.abs()) * curl;
        if self.axis == 0 { gradient[1] * share } else { -gradient[0] * share }
    }
}

impl Meet for Confine<'_> {
    /// The force.
    #[inline(always)]
    fn row(&self, y: usize, force: &mut [f32], _: &mut [f32]) {
        let width = force.len();
        let [low, high] = [self.cells[1].near(y as i32 - 1), self.cells[1].near(y as i32 + 1)];
        let (below, here) = (&self.curl[low * width..][..width], &self.curl[y * width..][..width]);
        let above = &self.curl[high * width..][..width];
        for x in 1..width.max(1) - 1 {
            force[x] = self.cell([here[x - 1], here[x + 1], below[x], above[x], here[x]]);
        }
        for x in [0, width - 1] {
            let [left, right] = [self.cells[0].near(x as i32 - 1), self.cells[0].near(x as i32 + 1)];
            force[x] = self.cell([here[left], here[right], below[x], above[x], here[x]]);
        }
    }

    #[inline(always)]
    fn join(&self, [first, _]: [&[f32]; 2], [second, _]: [&[f32]; 2], to: &mut [f32]) {
        for (to, (first, second)) in to.iter_mut().zip(first.iter().zip(second)) {
            *to += self.strength * (0.5 * (first + second));
        }
    }
}

impl Pass for Confine<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        meet::add(self, self.cells, self.axis, band);
    }
}
