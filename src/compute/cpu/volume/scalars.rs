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

/// Packs before their advection.
struct Source<'a> {
    values: &'a [[f32; 4]],
    occupied: Occupied,
}

/// The advection of scalars, gases and tints along backtraces.
pub(super) struct Advection<'a, B> {
    cpu: &'a Cpu,
    sampler: Sampler<'a>,
    size: [usize; 3],
    /// Values from one row, and from one plane, to the next.
    strides: [usize; 2],
    packs: [Option<Source<'a>>; 3],
    back: &'a B,
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

/// Rows of scalars, gases and tints.
pub(super) type PackRows<'a> = [Option<&'a mut [f32]>; 3];

impl<B: Backtraces> Kernel<([usize; 2], PackRows<'_>)> for Advection<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<F: Floats>(&self, ([y, z], mut rows): ([usize; 2], PackRows<'_>)) {
        let [stride, above] = self.strides;
        for x in groups(self.size[0]) {
            let mut any = false;
            for source in self.packs.iter().flatten() {
                any |= source.occupied.reaches([x, y, z]);
            }
            if !any {
                for row in rows.iter_mut().flatten() {
                    row[x * 4..][..WIDTH * 4].fill(0.0);
                }
                continue;
            }
            let positions = self.sampler.positions([x, y, z], self.back.of::<F>([x, y, z]));
            let (column, line) = (F::wholes(positions.column), F::wholes(positions.row));
            let [wx, wy, wz] = [weights(positions.part[0]), weights(positions.part[1]), weights(positions.part[2])];
            let mut places = [0; WIDTH];
            if let Some(source) = &self.packs[0] {
                places = source.occupied.places([x, y, z], &positions);
            }
            for quad in 0..WIDTH / 4 {
                let places = &places[4 * quad..][..4];
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
                for pack in 0..3 {
                    let (Some(source), Some(row)) = (&self.packs[pack], &mut rows[pack]) else { continue };
                    let to = &mut row[x * 4 + quad * WIDTH..][..WIDTH];
                    if !source.occupied.samples(places) {
                        to.fill(0.0);
                        continue;
                    }
                    let mut planes = [F::splat(0.0); 4];
                    let (mut low, mut high) = (F::splat(f32::INFINITY), F::splat(f32::NEG_INFINITY));
                    for k in 0..4 {
                        let mut from = from;
                        for cell in 0..4 {
                            from[cell] += k * above;
                        }
                        let taps = F::blocks_apart::<4>(source.values, from, stride);
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
                    if let Some(to) = to.first_chunk_mut() {
                        value.store(to);
                    }
                }
            }
        }
    }
}

impl<'a, B: Backtraces> Advection<'a, B> {
    /// The advection of scalars, and of the gases and tints that there are, along backtraces of at most `reach` cells
    /// along each axis. Their layers must be filled.
    pub fn new(
        cpu: &'a Cpu,
        (scalars, [gases, tints]): (&'a Padded, [Option<&'a Padded>; 2]),
        (back, reach): (&'a B, [f32; 3]),
        sides: [[Side; 2]; 3],
    ) -> Self {
        let packs = [Some(scalars), gases, tints].map(|packs| {
            packs.map(|packs| Source { values: packs.packs(), occupied: Occupied::new(cpu, packs, reach, sides) })
        });
        let strides = [scalars.stride(), scalars.stride() * scalars.rows()];
        let sampler = Sampler::places(scalars, periods(scalars.size, sides));
        Self { cpu, sampler, size: scalars.size, strides, packs, back }
    }

    /// Writes the advected packs of a row of cells: those that there are.
    pub fn row(&self, at: [usize; 2], to: PackRows<'_>) {
        run_kernel(self.cpu.isa, self, (at, to));
    }
}
