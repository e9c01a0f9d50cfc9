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
use crate::sim::memory::Values;
use crate::sim::volume::settings::Side;

struct Cubic<'a, B> {
    from: &'a Padded,
    periods: [Option<f32>; 3],
    back: &'a B,
    occupied: &'a Occupied,
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

impl<B: Backtraces> Kernel<(usize, &mut [f32])> for Cubic<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<F: Floats>(&self, (z, plane): (usize, &mut [f32])) {
        let [columns, rows, _] = self.from.size;
        let sampler = Sampler::places(self.from, self.periods);
        let values = self.from.packs();
        let stride = self.from.stride();
        let above = stride * self.from.rows();
        for y in 0..rows {
            let row = &mut plane[y * columns * 4..][..columns * 4];
            for x in groups(columns) {
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
}

/// Packs of all cells, advected along backtraces. The layers of `from` are filled.
pub(super) fn advect(
    cpu: &Cpu,
    from: &Padded,
    back: &impl Backtraces,
    sides: [[Side; 2]; 3],
    occupied: &Occupied,
) -> Values<f32> {
    let size = from.size;
    let plane = 4 * size[0] * size[1];
    let mut to = Values::uninitialised(plane * size[2], cpu.memory());
    let cubic = Cubic { from, periods: periods(size, sides), back, occupied };
    cpu.each(to.chunks_exact_mut(plane).enumerate().collect(), |piece: (usize, &mut [f32])| {
        run_kernel(cpu.isa, &cubic, piece);
    });
    to
}
