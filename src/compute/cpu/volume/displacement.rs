//! Displacements of backtraces and forward traces: one per cell, by the midpoint rule. The displacement of a face is
//! the mean of those of its two cells.

use super::super::Cpu;
use super::super::kernel::{Kernel, run_kernel};
use super::super::lanes::floats::Floats;
use super::occupied::farthest_of;
use super::padded::Padded;
use super::sample::{Sampler, groups, load, store};
use super::vectors::{VectorPlane, Vectors};
use crate::sim::volume::settings::Side;

/// Displacement vectors of all cells, in cells. Each row has one more value at each end.
pub(super) struct Displacements {
    vectors: Vectors<3>,
    size: [usize; 3],
    wrapped: [bool; 3],
}

impl Displacements {
    /// The row of each component, with one more value at each end.
    #[inline(always)]
    pub fn rows(&self, at: [usize; 2]) -> [&[f32]; 3] {
        [self.vectors.row(0, at), self.vectors.row(1, at), self.vectors.row(2, at)]
    }

    /// Number of planes of cells.
    pub fn planes(&self) -> usize {
        self.vectors.planes()
    }

    /// Largest magnitude of each component in a plane.
    pub fn farthest(&self, z: usize) -> [f32; 3] {
        let mut farthest = [0.0_f32; 3];
        for y in 0..self.size[1] {
            for (row, most) in self.rows([y, z]).into_iter().zip(&mut farthest) {
                *most = farthest_of(row).max(*most);
            }
        }
        farthest
    }

    /// Indices of the two cells next to face `at` along `axis` (y or z); at a border that does not wrap, twice the
    /// inner cell.
    #[inline(always)]
    pub fn both(&self, axis: usize, at: usize) -> [usize; 2] {
        let count = self.size[axis];
        match at {
            0 if self.wrapped[axis] => [count - 1, 0],
            0 => [0, 0],
            at if at < count => [at - 1, at],
            _ if self.wrapped[axis] => [count - 1, 0],
            _ => [count - 1, count - 1],
        }
    }
}

/// Period of each axis, cells; `None` for an axis that does not wrap.
pub(super) fn periods(size: [usize; 3], sides: [[Side; 2]; 3]) -> [Option<f32>; 3] {
    std::array::from_fn(|axis| (sides[axis][0] == Side::Wrapped).then_some(size[axis] as f32))
}

struct Trace<'a> {
    fields: [&'a Padded; 3],
    size: [usize; 3],
    periods: [Option<f32>; 3],
    /// Time of the backtrace, frames; negative for a forward trace.
    time: f32,
}

impl Kernel<VectorPlane<'_, 3>> for Trace<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Floats>(&self, (z, plane): VectorPlane<'_, 3>) {
        let [columns, rows, _] = self.size;
        let stride = columns + 2;
        let [u, v, w] = self.fields;
        let samplers = [Sampler::new(u, self.periods), Sampler::new(v, self.periods), Sampler::new(w, self.periods)];
        let values = [self.fields[0].values(), self.fields[1].values(), self.fields[2].values()];
        let half = F::splat(-0.5 * self.time);
        let whole = F::splat(-self.time);
        for y in 0..rows {
            for x in groups(columns) {
                let at = [x, y, z];
                let mut middle = [F::splat(0.0); 3];
                for axis in 0..3 {
                    let field = self.fields[axis];
                    let here = field.at(at);
                    let step = [1, field.stride(), field.stride() * field.rows()][axis];
                    let sum = load::<F>(values[axis], here).add(load(values[axis], here + step));
                    middle[axis] = sum.mul(F::splat(0.5)).mul(half);
                }
                for axis in 0..3 {
                    let mut offset = middle;
                    // The centre of a cell lies half a cell above its lower face.
                    offset[axis] = offset[axis].add(F::splat(0.5));
                    let positions = samplers[axis].positions(at, offset);
                    let there = samplers[axis].sample(&positions).mul(whole);
                    store(there, plane[axis], y * stride + 1 + x);
                }
            }
        }
    }
}

/// Displacements over `time` frames: of backtraces where `time` is above 0, of forward traces where it is below. The
/// layers of ghost values around the velocity must be filled.
pub(super) fn displacements(cpu: &Cpu, velocity: [&Padded; 3], sides: [[Side; 2]; 3], time: f32) -> Displacements {
    let mut size = velocity[0].size;
    size[0] -= 1;
    let wrapped = sides.map(|sides| sides[0] == Side::Wrapped);
    let stride = size[0] + 2;
    let mut vectors = Vectors::uninitialised(size, 2, cpu.memory());
    let trace = Trace { fields: velocity, size, periods: periods(size, sides), time };
    cpu.each(vectors.planes_mut(), |(z, mut plane): VectorPlane<'_, 3>| {
        run_kernel(cpu.isa, &trace, (z, plane.each_mut().map(|part| &mut **part)));
        for row in plane.into_iter().flat_map(|part| part.chunks_exact_mut(stride)) {
            let (first, last) = (row[1], row[stride - 2]);
            (row[0], row[stride - 1]) = if wrapped[0] { (last, first) } else { (first, last) };
        }
    });
    Displacements { vectors, size, wrapped }
}
