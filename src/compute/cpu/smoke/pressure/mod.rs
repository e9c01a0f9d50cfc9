//! The passes of the pressure on the CPU.
//!
//! Work is cut into bands of rows. Every pass but the sums gives each cell the same bits however it is cut; sums are made
//! per row or block of cells, and added up in their order. Loops over rows call no iterator that takes a closure: what a
//! library function calls is not compiled for the instruction set.
//!
//! | file | what |
//! |---|---|
//! | `stencil` | the equation, a row at a time |
//! | `halves` | many half sweeps in one go |
//! | `wave` | many of Jacobi's sweeps in one go |
//! | `levels` | relaxing, and going from level to level |
//! | `ends` | the same with what a velocity needs before and after |
//! | `residual` | what is left of an equation |
//! | `transfer` | rows of coarser and finer levels |
//! | `faces` | rows of velocities |
//! | `velocity` | divergence and gradient |
//! | `sums` | sums whose order is fixed |

mod ends;
mod faces;
mod halves;
mod levels;
mod residual;
mod stencil;
mod sums;
mod transfer;
mod velocity;
mod wave;

use std::ops::Range;

use super::{Plane, SmokeCpu};
use crate::compute::cpu::wide::Do;
use crate::sim::smoke::device::Failed;
use crate::sim::smoke::planes::Planes;
use crate::sim::smoke::pressure::{Corrected, Level, PressurePasses, Regions, Relax, Rung, Sums, Walls};
use sums::{BLOCK, sum, total};

/// Cells up to which a level is one thread's.
const SMALL: usize = 128 * 128;

impl SmokeCpu<'_> {
    /// Calls `job` with each piece on the device's threads, compiled for its instruction set.
    fn spread<T: Send, R: Send>(&self, pieces: Vec<T>, job: impl Fn(T) -> R + Sync) -> Vec<R> {
        self.cpu.each(pieces, |piece| {
            let job = &job;
            self.cpu.isa.run(Do(
                #[inline(always)]
                move || job(piece),
            ))
        })
    }

    /// Bands of `rows` rows: some for each thread, none so low that its margins are most of the work.
    fn cut(&self, rows: usize, width: usize) -> Vec<Range<usize>> {
        let bands = if rows * width <= SMALL { 1 } else { (2 * self.cpu.threads()).min(rows / 32).max(1) };
        (0..bands).map(|band| band * rows / bands..(band + 1) * rows / bands).collect()
    }

    /// Hands out each row of `n` values, with its number and room for another, to be filled; adds up what they give.
    fn make_rows<const M: usize>(
        &self,
        plane: &mut Plane,
        n: usize,
        row: impl Fn(usize, &mut [f32], &mut [f32]) -> [f64; M] + Sync,
    ) -> [f64; M] {
        let bands = self.cut(plane.len() / n, n);
        let pieces = faces::cut(plane, n, &bands).into_iter().zip(bands).collect();
        let sums = self.spread(
            pieces,
            #[inline(always)]
            |(lines, band): (&mut [f32], Range<usize>)| {
                let mut room = vec![0.0; n];
                let mut sums = Vec::with_capacity(band.len());
                for (line, at) in lines.chunks_exact_mut(n).zip(band) {
                    sums.push(row(at, line, &mut room));
                }
                sums
            },
        );
        total(sums.into_iter().flatten())
    }

    /// The sums of what `of` makes of the values of planes.
    fn reduce<const N: usize, const M: usize>(
        &self,
        planes: [&[f32]; N],
        of: impl Fn([f64; N]) -> [f64; M] + Sync,
    ) -> [f64; M] {
        let len = planes[0].len();
        let blocks: Vec<usize> = (0..len).step_by(BLOCK).collect();
        total(self.spread(
            blocks,
            #[inline(always)]
            |from| sum(planes.map(|plane| &plane[from..(from + BLOCK).min(len)]), &of),
        ))
    }
}

impl PressurePasses for SmokeCpu<'_> {
    fn between_looks(&self) -> u32 {
        1
    }

    fn clear(&self, plane: &mut Plane) {
        self.spread(plane.chunks_mut(BLOCK * 16).collect(), |plane: &mut [f32]| plane.fill(0.0));
    }

    fn hold(
        &self,
        finest: &Level,
        solids: Option<Walls<'_, Plane>>,
        u: &mut Plane,
        v: &mut Plane,
    ) -> Result<f64, Failed> {
        Ok(self.hold_faces(finest, solids, u, v))
    }

    fn divergence(&self, rung: Rung<'_, Plane>, u: &Plane, v: &Plane, b: &mut Plane) -> Result<Sums, Failed> {
        Ok(self.measure(rung, u, v, b))
    }

    fn divergence_to_residual(
        &self,
        rung: Rung<'_, Plane>,
        [u, v]: [&Plane; 2],
        b: &mut Plane,
        x: &Plane,
        _: &mut Plane,
    ) -> Result<(Sums, f64), Failed> {
        match rung.weights {
            None => Ok(self.measure_to_left(rung.level, [u, v], b, x)),
            Some(_) => Ok((self.measure(rung, u, v, b), self.left(rung, b, x))),
        }
    }

    fn divergence_and_descend(
        &self,
        fine: Rung<'_, Plane>,
        relax: Relax,
        velocity: [&Plane; 2],
        b: &mut Plane,
        (from, x): (&Plane, &mut Plane),
        spare: &mut Plane,
        (coarse, to): (Rung<'_, Plane>, &mut Plane),
    ) -> Result<(Sums, f64), Failed> {
        if let (None, Some(part)) = (fine.weights, ends::in_one_go(relax)) {
            return Ok(self.measure_and_go_down(fine.level, part, velocity, b, (from, x), (coarse.level, to)));
        }
        let told = self.divergence_to_residual(fine, velocity, b, from, spare)?;
        self.copy(from, x);
        self.descend(fine, relax, false, b, x, spare, (coarse, to));
        Ok(told)
    }

    fn correct(
        &self,
        rung: Rung<'_, Plane>,
        e: &Plane,
        velocity: [&mut Plane; 2],
        p: Option<&mut Plane>,
        b: &mut Plane,
        last: bool,
    ) -> Result<Corrected, Failed> {
        Ok(self.push(rung, e, velocity, p, b, last))
    }

    fn level_out(&self, regions: &Regions, b: &mut Plane) -> Result<f64, Failed> {
        Ok(self.take_means(regions, b))
    }

    fn descend(
        &self,
        fine: Rung<'_, Plane>,
        relax: Relax,
        zero: bool,
        b: &Plane,
        x: &mut Plane,
        _: &mut Plane,
        (coarse, to): (Rung<'_, Plane>, &mut Plane),
    ) {
        self.go_down(fine, relax, zero, b, x, coarse.level, to);
    }

    fn ascend(
        &self,
        fine: Rung<'_, Plane>,
        relax: Relax,
        b: &Plane,
        x: &mut Plane,
        _: &mut Plane,
        (coarse, from): (Rung<'_, Plane>, &Plane),
    ) {
        self.go_up(fine, relax, b, x, coarse.level, from);
    }

    fn ascend_to_residual(
        &self,
        fine: Rung<'_, Plane>,
        relax: Relax,
        b: &Plane,
        x: &mut Plane,
        _: &mut Plane,
        (coarse, from): (Rung<'_, Plane>, &Plane),
    ) -> Result<f64, Failed> {
        Ok(self.go_up_to_residual(fine, relax, b, x, coarse.level, from))
    }

    fn ascend_and_descend(
        &self,
        fine: Rung<'_, Plane>,
        [up, down]: [Relax; 2],
        b: &Plane,
        x: &mut Plane,
        spare: &mut Plane,
        (coarse, from, to): (Rung<'_, Plane>, &Plane, &mut Plane),
    ) -> Result<f64, Failed> {
        // In one go, half sweeps take turns all along.
        let sweeps = 2 * (up.sweeps + down.sweeps) as usize;
        if fine.weights.is_none()
            && !fine.symmetric
            && up.first == down.first
            && up.sweeps > 0
            && sweeps <= halves::MOST_PAUSED
        {
            return Ok(self.go_up_and_down(fine.level, [up, down], b, x, coarse.level, from, to));
        }
        let squares = self.ascend_to_residual(fine, up, b, x, spare, (coarse, from))?;
        self.descend(fine, down, false, b, x, spare, (coarse, to));
        Ok(squares)
    }

    fn ascend_and_correct(
        &self,
        fine: Rung<'_, Plane>,
        relax: Relax,
        b: &Plane,
        x: &mut Plane,
        spare: &mut Plane,
        (coarse, from): (Rung<'_, Plane>, &Plane),
        velocity: [&mut Plane; 2],
    ) -> Result<Corrected, Failed> {
        if let (None, false, Some(part)) = (fine.weights, fine.symmetric, ends::in_one_go(relax)) {
            return Ok(self.go_up_and_push(fine.level, part, b, x, (coarse.level, from), velocity));
        }
        self.ascend(fine, relax, b, x, spare, (coarse, from));
        self.correct(fine, x, velocity, None, spare, true)
    }

    fn bottom(&self, rung: Rung<'_, Plane>, relax: Relax, b: &Plane, x: &mut Plane, _: &mut Plane) {
        self.relax(rung, relax, b, x);
        if rung.level.is_shut() {
            let [sum] = self.reduce(
                [&*x],
                #[inline(always)]
                |[x]| [x],
            );
            let mean = (sum / x.len() as f64) as f32;
            x.iter_mut().for_each(|x| *x -= mean);
        }
    }

    fn residual(&self, rung: Rung<'_, Plane>, b: &Plane, x: &Plane, _: &mut Plane) -> Result<f64, Failed> {
        Ok(self.left(rung, b, x))
    }

    fn rest(&self, rung: Rung<'_, Plane>, b: &Plane, x: &Plane, r: &mut Plane) -> Result<f64, Failed> {
        Ok(self.leave(rung, b, x, r))
    }

    fn jacobi(&self, rung: Rung<'_, Plane>, sweeps: u32, b: &Plane, x: &mut Plane, spare: &mut Plane) {
        self.sweep(rung, sweeps, b, x, spare);
    }

    fn apply(&self, rung: Rung<'_, Plane>, d: &Plane, q: &mut Plane) -> Result<f64, Failed> {
        Ok(self.times(rung, d, q))
    }

    fn products(&self, z: &Plane, r: &Plane, q: &Plane) -> Result<[f64; 2], Failed> {
        Ok(self.reduce(
            [&**z, &**r, &**q],
            #[inline(always)]
            |[z, r, q]| [z * r, z * q],
        ))
    }

    fn advance(&self, a: f32, [d, q]: [&Plane; 2], x: &mut Plane, r: &mut Plane) -> Result<f64, Failed> {
        type Piece<'a> = ((&'a mut [f32], &'a mut [f32]), (&'a [f32], &'a [f32]));
        let pieces = x.chunks_mut(BLOCK).zip(r.chunks_mut(BLOCK)).zip(d.chunks(BLOCK).zip(q.chunks(BLOCK))).collect();
        let sums = self.spread(
            pieces,
            #[inline(always)]
            |((x, r), (d, q)): Piece<'_>| {
                let n = x.len();
                let (d, q, r) = (&d[..n], &q[..n], &mut r[..n]);
                for i in 0..n {
                    x[i] += a * d[i];
                    r[i] -= a * q[i];
                }
                sum(
                    [&*r],
                    #[inline(always)]
                    |[r]| [r * r],
                )
            },
        );
        let [squares] = total(sums);
        Ok(squares)
    }

    fn turn(&self, a: f32, z: &Plane, d: &mut Plane) {
        let pieces = d.chunks_mut(BLOCK).zip(z.chunks(BLOCK)).collect();
        self.spread(
            pieces,
            #[inline(always)]
            |(d, z): (&mut [f32], &[f32])| {
                for (d, z) in d.iter_mut().zip(z) {
                    *d = z + a * *d;
                }
            },
        );
    }
}
