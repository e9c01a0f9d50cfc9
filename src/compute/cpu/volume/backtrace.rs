//! Backtraces of the cells of scalars: those of the cells of the velocity, or of finer cells, one each.

use super::super::Cpu;
use super::super::lanes::floats::Floats;
use super::displacement::{Displacements, periods};
use super::occupied::farthest_of;
use super::padded::Padded;
use super::sample::{Sampler, load};
use crate::sim::volume::settings::Side;

/// Displacements of backtraces, in cells of the scalars.
pub(super) trait Backtraces: Sync {
    /// The displacements of the sixteen cells of a row from a cell on.
    fn of<F: Floats>(&self, at: [usize; 3]) -> [F; 3];

    /// The most cells that a displacement crosses along each axis.
    fn reach(&self, cpu: &Cpu) -> [f32; 3];
}

impl Backtraces for Displacements {
    #[inline(always)]
    fn of<F: Floats>(&self, [x, y, z]: [usize; 3]) -> [F; 3] {
        let [u, v, w] = self.rows([y, z]);
        [load(u, x + 1), load(v, x + 1), load(w, x + 1)]
    }

    fn reach(&self, cpu: &Cpu) -> [f32; 3] {
        let planes = cpu.each((0..self.planes()).collect(), |z: usize| self.farthest(z));
        planes.into_iter().reduce(|a, b| [0, 1, 2].map(|axis| a[axis].max(b[axis]))).unwrap_or_default()
    }
}

/// Backtraces of cells `detail` times as fine as those of the velocity, by the midpoint rule.
pub(super) struct Finer<'a> {
    fields: [&'a Padded; 3],
    /// Period of each axis, cells of the velocity.
    periods: [Option<f32>; 3],
    detail: usize,
    /// Time of the backtrace, frames.
    time: f32,
}

impl<'a> Finer<'a> {
    /// The backtraces over `time` frames in a velocity whose layers of ghost values are filled.
    pub fn new(velocity: [&'a Padded; 3], sides: [[Side; 2]; 3], detail: usize, time: f32) -> Self {
        let mut size = velocity[0].size;
        size[0] -= 1;
        Self { fields: velocity, periods: periods(size, sides), detail, time }
    }

    /// The velocity at the centres of fine cells, moved by `by` cells of the velocity. `at`: the first of their cells.
    #[inline(always)]
    fn velocity<F: Floats>(&self, at: [usize; 3], by: [F; 3]) -> [F; 3] {
        let mut found = [F::splat(0.0); 3];
        for (axis, found) in found.iter_mut().enumerate() {
            let sampler = Sampler::new(self.fields[axis], self.periods);
            let mut by = by;
            // The centre of a cell lies half a cell above its lower face.
            by[axis] = by[axis].add(F::splat(0.5));
            *found = sampler.sample(&sampler.positions(at, by));
        }
        found
    }
}

impl Backtraces for Finer<'_> {
    #[inline(always)]
    fn of<F: Floats>(&self, at: [usize; 3]) -> [F; 3] {
        let detail = self.detail as f32;
        let cell = at.map(|at| at / self.detail);
        // From the centres of sixteen cells of the velocity in a row to the centres of the fine cells.
        let from = |axis: usize| F::splat((at[axis] as f32 + 0.5) / detail - 0.5 - cell[axis] as f32);
        let start = [from(0).add(F::steps().mul(F::splat(1.0 / detail - 1.0))), from(1), from(2)];
        let half = F::splat(-0.5 * self.time);
        let velocity = self.velocity(cell, start);
        let mut middle = start;
        for axis in 0..3 {
            middle[axis] = start[axis].add(velocity[axis].mul(half));
        }
        let whole = F::splat(-self.time * detail);
        let [u, v, w] = self.velocity(cell, middle);
        [u.mul(whole), v.mul(whole), w.mul(whole)]
    }

    fn reach(&self, cpu: &Cpu) -> [f32; 3] {
        // An interpolated velocity is not above the largest of its faces.
        self.fields.map(|field| {
            let plane = field.stride() * field.rows();
            let planes = cpu.each(field.values().chunks_exact(plane).collect(), |plane: &[f32]| farthest_of(plane));
            planes.into_iter().fold(0.0, f32::max) * self.time * self.detail as f32
        })
    }
}
