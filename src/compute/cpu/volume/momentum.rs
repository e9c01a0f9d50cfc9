//! Advection of the velocity by itself: MacCormack (Selle et al. 2008), clamped to the eight values around the
//! backtraced position.

#![expect(
    clippy::needless_range_loop,
    reason = "several arrays at once; what a closure does is not compiled for the instruction set"
)]

use super::super::Cpu;
use super::super::kernel::{Kernel, run_kernel};
use super::super::lanes::floats::{Floats, WIDTH};
use super::displacement::{Displacements, periods};
use super::padded::{Padded, Plane};
use super::sample::{Sampler, groups, limits, load, store};
use crate::sim::volume::settings::Side;

/// The advection of the faces normal to one axis.
struct Faces<'a> {
    axis: usize,
    cells: [usize; 3],
    periods: [Option<f32>; 3],
    from: &'a Padded,
    back: &'a Displacements,
    /// In the second pass: the field advected by the first pass, and the displacements of the forward trace. `None` in
    /// the first pass.
    second: Option<(&'a Padded, &'a Displacements)>,
}

/// Rows of displacements of the cells on both sides of a row of faces, and the index in them of the two cells of the
/// first face.
struct Sides<'a> {
    rows: [[&'a [f32]; 3]; 2],
    columns: [usize; 2],
}

impl Sides<'_> {
    /// Displacement of a group of faces from face `x` on: the mean of those of their two cells.
    #[inline(always)]
    fn displacement<F: Floats>(&self, x: usize) -> [F; 3] {
        let half = F::splat(0.5);
        let mut to = [half; 3];
        for component in 0..3 {
            let low = load::<F>(self.rows[0][component], self.columns[0] + x);
            let high = load::<F>(self.rows[1][component], self.columns[1] + x);
            to[component] = low.add(high).mul(half);
        }
        to
    }
}

impl Faces<'_> {
    /// The displacements of a row of faces.
    #[inline(always)]
    fn sides<'a>(&self, of: &'a Displacements, [y, z]: [usize; 2]) -> Sides<'a> {
        let [low, high] = match self.axis {
            0 => [[y, z]; 2],
            1 => of.both(1, y).map(|y| [y, z]),
            _ => of.both(2, z).map(|z| [y, z]),
        };
        // Rows of displacements have one more value at each end.
        let columns = if self.axis == 0 { [0, 1] } else { [1; 2] };
        Sides { rows: [of.rows(low), of.rows(high)], columns }
    }

    /// Squared distance from the box of the sample positions of a group of faces (their own positions plus `offset`): 0
    /// inside. Wrapped axes do not count.
    #[inline(always)]
    fn outside<F: Floats>(&self, at: [usize; 3], offset: [F; 3]) -> F {
        let mut sum = F::splat(0.0);
        for axis in 0..3 {
            if self.periods[axis].is_some() {
                continue;
            }
            let low = if axis == self.axis { 0.0 } else { -0.5 };
            let high = low + self.cells[axis] as f32;
            let start = F::splat(at[axis] as i32 as f32);
            let from = if axis == 0 { F::steps().add(start) } else { start };
            let to = from.add(offset[axis]);
            let beyond = to.sub(to.greatest(F::splat(low)).least(F::splat(high)));
            sum = sum.add(beyond.mul(beyond));
        }
        sum
    }
}

impl Kernel<Plane<'_>> for Faces<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Floats>(&self, mut plane: Plane<'_>) {
        let size = self.from.size;
        let z = plane.z;
        let sampler = Sampler::new(self.from, self.periods);
        let Some((first, forth)) = self.second else {
            for y in 0..size[1] {
                let back = self.sides(self.back, [y, z]);
                let row = plane.row(y);
                for x in groups(size[0]) {
                    let positions = sampler.positions([x, y, z], back.displacement::<F>(x));
                    store(sampler.sample(&positions), row, x);
                }
            }
            return;
        };
        let again = Sampler::new(first, self.periods);
        for y in 0..size[1] {
            let (back, ahead) = (self.sides(self.back, [y, z]), self.sides(forth, [y, z]));
            let (from, there) = (self.from.row([y, z]), first.row([y, z]));
            let row = plane.row(y);
            for x in groups(size[0]) {
                let at = [x, y, z];
                let (back, ahead) = (back.displacement::<F>(x), ahead.displacement::<F>(x));
                let (low, high) = limits(sampler.corners(&sampler.positions(at, back)));
                let there = load::<F>(there, x);
                let again = again.sample(&again.positions(at, ahead));
                let better = there.add(load::<F>(from, x).sub(again).mul(F::splat(0.5)));
                let outside = self.outside(at, back).add(self.outside(at, ahead));
                store(there.unless_zero(outside, better.greatest(low).least(high)), row, x);
            }
        }
    }
}

/// Advects the velocity `from` along the displacements of the backtraces (`back`) and of the forward traces (`forth`).
/// The layers of ghost values around `from` must be filled; those of the result are unspecified. `ambient`: velocity
/// beyond open sides.
pub(super) fn advect(
    cpu: &Cpu,
    from: [Padded; 3],
    [back, forth]: [&Displacements; 2],
    sides: [[Side; 2]; 3],
    ambient: [f32; 3],
) -> [Padded; 3] {
    let cells = std::array::from_fn(|axis| from[axis].size[axis] - 1);
    debug_assert!(from.iter().all(|field| field.size[0] >= WIDTH));
    let mut axis = 0..;
    // Each component of `from` is dropped once it is advected.
    from.map(|from| {
        let axis = axis.next().unwrap_or_default();
        let mut faces = Faces { axis, cells, periods: periods(cells, sides), from: &from, back, second: None };
        let new = || Padded::uninitialised(from.size, 1, cpu.memory());
        let mut first = new();
        cpu.each(first.planes(), |plane| run_kernel(cpu.isa, &faces, plane));
        first.fill_layers(cpu, sides, Some(axis), ambient[axis]);
        let mut second = new();
        faces.second = Some((&first, forth));
        cpu.each(second.planes(), |plane| run_kernel(cpu.isa, &faces, plane));
        second
    })
}
