//! Advection of packs of four scalars: Catmull-Rom in 64 taps, clamped to the inner eight.

#![expect(
    clippy::needless_range_loop,
    reason = "several arrays at once; what a closure does is not compiled for the instruction set"
)]

use super::super::Cpu;
use super::super::kernel::{Kernel, run_kernel};
use super::super::lanes::floats::{Floats, WIDTH};
use super::backtrace::Backtraces;
use super::displacement::periods;
use super::occupied::Occupied;
use super::padded::Padded;
use super::sample::{Sampler, groups};
use crate::sim::volume::settings::Side;

/// The advection of packs along backtraces.
pub(super) struct Advection<'a, B> {
    cpu: &'a Cpu,
    from: &'a Padded,
    periods: [Option<f32>; 3],
    back: &'a B,
    occupied: Occupied,
}

/// Weights of the four taps at a fraction.
#[inline(always)]
fn weights<F: Floats>(t: F) -> [F; 4] {
    let of = F::splat;
    [
        of(1.0).sub(of(0.5).mul(t)).mul(t).sub(of(0.5)).mul(t),
        of(1.5).mul(t).sub(of(2.5)).mul(t.mul(t)).add(of(1.0)),
        of(2.0).sub(of(1.5).mul(t)).mul(t).add(of(0.5)).mul(t),
        of(0.5).mul(t).sub(of(0.5)).mul(t.mul(t)),
    ]
}

#[inline(always)]
fn sum<F: Floats>([a, b, c, d]: [F; 4], w: [F; 4]) -> F {
    a.mul(w[0]).add(b.mul(w[1])).add(c.mul(w[2]).add(d.mul(w[3])))
}

impl<B: Backtraces> Kernel<([usize; 2], &mut [f32])> for Advection<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<F: Floats>(&self, ([y, z], row): ([usize; 2], &mut [f32])) {
        let sampler = Sampler::places(self.from, self.periods);
        let values = self.from.packs();
        let stride = self.from.stride();
        let above = stride * self.from.rows();
        for x in groups(self.from.size[0]) {
            let to = &mut row[x * 4..][..WIDTH * 4];
            if !self.occupied.near([x, y, z]) {
                to.fill(0.0);
                continue;
            }
            let positions = sampler.positions([x, y, z], self.back.of::<F>([x, y, z]));
            let (column, line) = (F::wholes(positions.column), F::wholes(positions.row));
            let [wx, wy, wz] = [weights(positions.part[0]), weights(positions.part[1]), weights(positions.part[2])];
            for quad in 0..WIDTH / 4 {
                let mut from = [0; 4];
                for cell in 0..4 {
                    let lane = 4 * quad + cell;
                    // The first tap lies one value, one row and one plane before.
                    from[cell] = (line[lane] as usize * stride + column[lane] as usize) - (above + stride + 1);
                }
                let mut by = [[F::splat(0.0); 4]; 3];
                for tap in 0..4 {
                    by[0][tap] = wx[tap].each_four_times(quad);
                    by[1][tap] = wy[tap].each_four_times(quad);
                    by[2][tap] = wz[tap].each_four_times(quad);
                }
                let mut planes = [F::splat(0.0); 4];
                let (mut low, mut high) = (F::splat(f32::INFINITY), F::splat(f32::NEG_INFINITY));
                for k in 0..4 {
                    let mut from = from;
                    for cell in 0..4 {
                        from[cell] += k * above;
                    }
                    let taps = F::blocks_apart::<4>(values, from, stride);
                    let mut lines = [F::splat(0.0); 4];
                    for r in 0..4 {
                        lines[r] = sum(taps[r], by[0]);
                    }
                    planes[k] = sum(lines, by[1]);
                    if k == 1 || k == 2 {
                        for r in 1..3 {
                            for c in 1..3 {
                                low = low.least(taps[r][c]);
                                high = high.greatest(taps[r][c]);
                            }
                        }
                    }
                }
                let value = sum(planes, by[2]).greatest(low).least(high);
                if let Some(to) = to[quad * WIDTH..].first_chunk_mut() {
                    value.store(to);
                }
            }
        }
    }
}

impl<'a, B: Backtraces> Advection<'a, B> {
    /// The advection of `from`, whose layers are filled, along backtraces of at most `reach` cells along each axis.
    pub fn new(cpu: &'a Cpu, from: &'a Padded, (back, reach): (&'a B, [f32; 3]), sides: [[Side; 2]; 3]) -> Self {
        let occupied = Occupied::new(cpu, from, reach, sides);
        Self { cpu, from, periods: periods(from.size, sides), back, occupied }
    }

    /// Writes the advected packs of a row of cells.
    pub fn row(&self, at: [usize; 2], to: &mut [f32]) {
        run_kernel(self.cpu.isa, self, (at, to));
    }
}
