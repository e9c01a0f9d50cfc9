//! Relaxing, and going from level to level.

use std::mem::swap;
use std::ops::Range;

use super::super::SmokeCpu;
use super::faces::cut;
use super::halves::{Pair, halves, join, parts};
use super::stencil::{Plain, Stencil, Weighted};
use super::sums::{squares_of_pair, total};
use super::transfer::{Coarsen, Refine};
use super::wave::{self, Shape};
use crate::sim::smoke::pressure::{Colour, Level, Relax, Rung};

use super::super::Plane;

impl SmokeCpu<'_> {
    /// Relaxes x from 0.
    pub(super) fn relax(&self, rung: Rung<'_, Plane>, relax: Relax, b: &Plane, x: &mut Plane, spare: &mut Plane) {
        for (at, part) in parts(relax).into_iter().enumerate() {
            let from = (at > 0).then_some(&*x);
            self.steps(
                rung,
                part,
                b,
                spare,
                #[inline(always)]
                |row, to| read(from, row, to),
            );
            swap(x, spare);
        }
    }

    /// Jacobi's sweeps from 0.
    pub(super) fn sweep(&self, rung: Rung<'_, Plane>, sweeps: u32, b: &Plane, x: &mut Plane, spare: &mut Plane) {
        for at in (0..sweeps.max(1) as usize).step_by(wave::MOST) {
            let stages = wave::MOST.min(sweeps as usize - at);
            let from = (at > 0).then_some(&*x);
            match rung.weights {
                None => self.sweep_by(Plain { level: rung.level }, rung.level, stages, b, from, spare),
                Some(weights) => {
                    let stencil = Weighted::new(rung.level, weights);
                    self.sweep_by(stencil, rung.level, stages, b, from, spare);
                }
            }
            swap(x, spare);
        }
    }

    fn sweep_by<S: Stencil>(
        &self,
        stencil: S,
        level: &Level,
        stages: usize,
        b: &Plane,
        from: Option<&Plane>,
        to: &mut Plane,
    ) {
        let [n, rows] = level.size;
        let (shape, bands) = (Shape::new(level), self.cut(rows, n));
        let pieces = cut(to, n, &bands).into_iter().zip(bands).collect();
        self.spread(
            pieces,
            #[inline(always)]
            |(to, band): (&mut [f32], Range<usize>)| {
                let start = band.start;
                let line = |row: usize| &b[row * n..][..n];
                let load = |row: usize, to: &mut [f32]| {
                    if !read(from, row, to) {
                        to.fill(0.0);
                    }
                };
                let done = |row: usize, x: &[f32]| to[(row - start) * n..][..n].copy_from_slice(x);
                wave::wave(stencil, shape, stages, line, band, load, done);
            },
        );
    }

    #[expect(clippy::too_many_arguments, reason = "as the pass has them")]
    pub(super) fn go_down(
        &self,
        fine: Rung<'_, Plane>,
        relax: Relax,
        zero: bool,
        b: &Plane,
        x: &mut Plane,
        spare: &mut Plane,
        coarse: &Level,
        to: &mut Plane,
    ) {
        let coarsen = Coarsen::new(fine.level, coarse, fine.weights.is_some());
        let parts = parts(relax);
        for (at, part) in parts.iter().copied().enumerate() {
            let from = (at > 0 || !zero).then_some(&*x);
            let load = |row: usize, line: &mut [f32]| read(from, row, line);
            if at + 1 < parts.len() {
                self.steps(fine, part, b, spare, load);
            } else {
                match fine.weights {
                    None => self.last_steps(Plain { level: fine.level }, part, b, spare, load, &coarsen, to),
                    Some(weights) => {
                        let stencil = Weighted::new(fine.level, weights);
                        self.last_steps(stencil, part, b, spare, load, &coarsen, to);
                    }
                }
            }
            swap(x, spare);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "as the pass has them")]
    pub(super) fn go_up(
        &self,
        fine: Rung<'_, Plane>,
        relax: Relax,
        b: &Plane,
        x: &mut Plane,
        spare: &mut Plane,
        coarse: &Level,
        from: &Plane,
    ) {
        let refine = Refine::new(fine.level, coarse, fine.weights.is_some());
        for (at, part) in parts(relax).into_iter().enumerate() {
            let before = &*x;
            if at > 0 {
                self.steps(
                    fine,
                    part,
                    b,
                    spare,
                    #[inline(always)]
                    |row, to| read(Some(before), row, to),
                );
            } else {
                match fine.weights {
                    None => self.first_steps(Plain { level: fine.level }, part, b, before, spare, &refine, from, false),
                    Some(weights) => {
                        let stencil = Weighted::new(fine.level, weights);
                        self.first_steps(stencil, part, b, before, spare, &refine, from, false)
                    }
                };
            }
            swap(x, spare);
        }
    }

    /// As [`go_up`](Self::go_up); gives the sum of the squares of what is left of the equation.
    #[expect(clippy::too_many_arguments, reason = "as the pass has them")]
    pub(super) fn go_up_to_residual(
        &self,
        fine: Rung<'_, Plane>,
        relax: Relax,
        b: &Plane,
        x: &mut Plane,
        spare: &mut Plane,
        coarse: &Level,
        from: &Plane,
    ) -> f64 {
        // With solids, conjugate gradients find the pressure nearly always, and look at sums of their own.
        match (fine.weights, &parts(relax)[..]) {
            (None, [part]) => {
                let (stencil, refine) = (Plain { level: fine.level }, Refine::new(fine.level, coarse, false));
                let sums = self.first_steps(stencil, *part, b, x, spare, &refine, from, true);
                swap(x, spare);
                let [squares] = total(sums);
                squares
            }
            _ => {
                self.go_up(fine, relax, b, x, spare, coarse, from);
                self.left(fine, b, x)
            }
        }
    }

    /// Half sweeps from what `load` gives into `to`.
    fn steps(
        &self,
        rung: Rung<'_, Plane>,
        part: (Colour, usize),
        b: &Plane,
        to: &mut Plane,
        load: impl Fn(usize, &mut [f32]) -> bool + Sync,
    ) {
        match rung.weights {
            None => self.steps_by(Plain { level: rung.level }, rung.level, part, b, to, load),
            Some(weights) => {
                let stencil = Weighted::new(rung.level, weights);
                self.steps_by(stencil, rung.level, part, b, to, load);
            }
        }
    }

    fn steps_by<S: Stencil>(
        &self,
        stencil: S,
        level: &Level,
        part: (Colour, usize),
        b: &Plane,
        to: &mut Plane,
        load: impl Fn(usize, &mut [f32]) -> bool + Sync,
    ) {
        let [n, rows] = level.size;
        let (shape, bands) = (Shape::new(level), self.cut(rows, n));
        let pieces = cut(to, n, &bands).into_iter().zip(bands).collect();
        self.spread(
            pieces,
            #[inline(always)]
            |(to, band): (&mut [f32], Range<usize>)| {
                let start = band.start;
                let line = |row: usize| &b[row * n..][..n];
                halves(
                    stencil,
                    shape,
                    part,
                    line,
                    band,
                    0..0,
                    &load,
                    #[inline(always)]
                    |row: usize, x: Pair<'_>| join(x, &mut to[(row - start) * n..][..n]),
                    |_, _| {},
                );
            },
        );
    }

    /// Half sweeps after what a coarser level found was added. With `squared`, gives the sums of the squares of what each row
    /// leaves of the equation, in their order.
    #[expect(clippy::too_many_arguments, reason = "as the pass has them")]
    fn first_steps<S: Stencil>(
        &self,
        stencil: S,
        part: (Colour, usize),
        b: &Plane,
        x: &Plane,
        to: &mut Plane,
        refine: &Refine<'_>,
        from: &Plane,
        squared: bool,
    ) -> Vec<[f64; 1]> {
        let [n, rows] = refine.fine.size;
        let (shape, bands) = (Shape::new(refine.fine), self.cut(rows, n));
        let pieces = cut(to, n, &bands).into_iter().zip(bands).collect();
        let sums = self.spread(
            pieces,
            #[inline(always)]
            |(to, band): (&mut [f32], Range<usize>)| {
                let start = band.start;
                let residuals = if squared { start as isize..band.end as isize } else { 0..0 };
                let mut sums = Vec::with_capacity(residuals.len());
                let mut mixed = vec![0.0; refine.coarse.size[0] + 2];
                let line = |row: usize| &b[row * n..][..n];
                halves(
                    stencil,
                    shape,
                    part,
                    line,
                    band,
                    residuals,
                    #[inline(always)]
                    |row: usize, to: &mut [f32]| {
                        read(Some(x), row, to);
                        refine.add(row, from, &mut mixed, to);
                        stencil.mask(row, to);
                        true
                    },
                    #[inline(always)]
                    |row: usize, x: Pair<'_>| join(x, &mut to[(row - start) * n..][..n]),
                    #[inline(always)]
                    |_, left: Pair<'_>| sums.push([squares_of_pair(left)]),
                );
                sums
            },
        );
        sums.into_iter().flatten().collect()
    }

    /// Half sweeps, then the coarser level's right-hand side.
    #[expect(clippy::too_many_arguments, reason = "as the pass has them")]
    fn last_steps<S: Stencil>(
        &self,
        stencil: S,
        part: (Colour, usize),
        b: &Plane,
        to: &mut Plane,
        load: impl Fn(usize, &mut [f32]) -> bool + Sync,
        coarsen: &Coarsen<'_>,
        coarse: &mut Plane,
    ) {
        let ([n, rows], [coarse_n, coarse_rows]) = (coarsen.fine.size, coarsen.coarse.size);
        let shape = Shape::new(coarsen.fine);
        // Bands of coarser rows, and the finer ones that begin in them.
        let bands = self.cut(rows, n).len();
        let coarser: Vec<_> = (0..bands).map(|k| k * coarse_rows / bands..(k + 1) * coarse_rows / bands).collect();
        let finer: Vec<_> = coarser
            .iter()
            .map(|band: &Range<usize>| {
                let end = if band.end == coarse_rows { rows } else { coarsen.rows(band.end).0 };
                coarsen.rows(band.start).0..end
            })
            .collect();
        let outputs = cut(to, n, &finer).into_iter().zip(cut(coarse, coarse_n, &coarser));
        let pieces = outputs.zip(finer.iter().cloned().zip(coarser.iter().cloned())).collect();
        type Piece<'a> = ((&'a mut [f32], &'a mut [f32]), (Range<usize>, Range<usize>));
        self.spread(
            pieces,
            #[inline(always)]
            |((to, coarse), (band, made)): Piece<'_>| {
                let start = band.start;
                let (last, shares) = coarsen.rows(made.end - 1);
                let end = last + shares.iter().rposition(|share| *share > 0.0).unwrap_or(0) + 1;
                let line = |row: usize| &b[row * n..][..n];
                // The row that is being made, and the one after it, which may have begun.
                let mut sums = [0, 1].map(|_| [vec![0.0; n.div_ceil(2)], vec![0.0; n / 2]]);
                let mut whole = vec![0.0; n];
                let mut making = made.start;
                halves(
                    stencil,
                    shape,
                    part,
                    line,
                    band,
                    start as isize..end as isize,
                    &load,
                    #[inline(always)]
                    |row: usize, x: Pair<'_>| join(x, &mut to[(row - start) * n..][..n]),
                    #[inline(always)]
                    |row: isize, residual: Pair<'_>| {
                        let row = row as usize;
                        for at in making..made.end.min(making + 2) {
                            let (from, shares) = coarsen.rows(at);
                            if let Some(share) = row.checked_sub(from).and_then(|k| shares.get(k)).filter(|s| **s > 0.0)
                            {
                                for (residual, sum) in residual.into_iter().zip(&mut sums[at % 2]) {
                                    Coarsen::add(*share, row == from, residual, sum);
                                }
                            }
                        }
                        let (from, shares) = coarsen.rows(making);
                        if row == from + shares.iter().rposition(|share| *share > 0.0).unwrap_or(0) {
                            let to = &mut coarse[(making - made.start) * coarse_n..][..coarse_n];
                            let [even, odd] = &sums[making % 2];
                            coarsen.finish([even, odd], &mut whole, to);
                            making = (making + 1).min(made.end - 1);
                        }
                    },
                );
            },
        );
    }
}

/// A row of x, if there is one.
#[inline(always)]
pub(super) fn read(x: Option<&Plane>, row: usize, to: &mut [f32]) -> bool {
    if let Some(x) = x {
        to.copy_from_slice(&x[row * to.len()..][..to.len()]);
    }
    x.is_some()
}
