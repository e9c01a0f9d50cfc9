//! Relaxing, and going from level to level.

use std::mem::swap;
use std::ops::Range;

use super::super::SmokeCpu;
use super::faces::cut;
use super::stencil::{Plain, Stencil, Weighted};
use super::transfer::{Coarsen, Refine};
use super::wave::{Plan, Shape, wave};
use crate::sim::smoke::pressure::{Level, Relax, Rung};

use super::super::Plane;

impl SmokeCpu<'_> {
    /// Relaxes x from 0.
    pub(super) fn relax(&self, rung: Rung<'_, Plane>, plan: &Plan, b: &Plane, x: &mut Plane, spare: &mut Plane) {
        for (at, part) in plan.parts().iter().enumerate() {
            let from = (at > 0).then_some(&*x);
            self.steps(rung, part, b, spare, |row, to| read(from, row, to));
            swap(x, spare);
        }
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
        let parts = Plan::colours(fine.level.size[0], relax).parts();
        for (at, part) in parts.iter().enumerate() {
            let from = (at > 0 || !zero).then_some(&*x);
            let load = |row: usize, line: &mut [f32]| read(from, row, line);
            if at + 1 < parts.len() {
                self.steps(fine, part, b, spare, load);
            } else {
                match fine.weights {
                    None => self.last_steps(Plain { level: fine.level }, part, b, spare, load, &coarsen, to),
                    Some(weights) => {
                        let stencil = Weighted { width: fine.level.size[0], weights };
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
        for (at, part) in Plan::colours(fine.level.size[0], relax).parts().iter().enumerate() {
            let before = &*x;
            if at > 0 {
                self.steps(fine, part, b, spare, |row, to| read(Some(before), row, to));
            } else {
                match fine.weights {
                    None => self.first_steps(Plain { level: fine.level }, part, b, before, spare, &refine, from),
                    Some(weights) => {
                        let stencil = Weighted { width: fine.level.size[0], weights };
                        self.first_steps(stencil, part, b, before, spare, &refine, from);
                    }
                }
            }
            swap(x, spare);
        }
    }

    /// `r = b − A x`, or `A x` without b.
    pub(super) fn leave(&self, rung: Rung<'_, Plane>, b: Option<&Plane>, x: &Plane, r: &mut Plane) {
        match rung.weights {
            None => self.leave_by(Plain { level: rung.level }, rung.level, b, x, r),
            Some(weights) => {
                self.leave_by(Weighted { width: rung.level.size[0], weights }, rung.level, b, x, r);
            }
        }
    }

    fn leave_by<S: Stencil>(&self, stencil: S, level: &Level, b: Option<&Plane>, x: &Plane, r: &mut Plane) {
        let [n, rows] = level.size;
        let (shape, bands, nothing) = (Shape::new(level), self.cut(rows, n), vec![0.0; n]);
        let pieces = cut(r, n, &bands).into_iter().zip(bands).collect();
        let plan = Plan::jacobi(n, 0);
        self.spread(pieces, |(r, band): (&mut [f32], Range<usize>)| {
            let line = |row: usize| b.map_or(&nothing[..], |b| &b[row * n..][..n]);
            let load = |row: usize, to: &mut [f32]| read(Some(x), row, to);
            let wanted = band.start as isize..band.end as isize;
            wave(
                stencil,
                shape,
                &plan,
                line,
                0..0,
                wanted,
                load,
                |_, _| {},
                |row, residual| {
                    let to = &mut r[(row as usize - band.start) * n..][..n];
                    if b.is_some() {
                        to.copy_from_slice(residual);
                    } else {
                        to.iter_mut().zip(residual).for_each(|(to, value)| *to = -value);
                    }
                },
            );
        });
    }

    /// Half sweeps from what `load` gives into `to`.
    fn steps(
        &self,
        rung: Rung<'_, Plane>,
        plan: &Plan,
        b: &Plane,
        to: &mut Plane,
        load: impl Fn(usize, &mut [f32]) + Sync,
    ) {
        match rung.weights {
            None => self.steps_by(Plain { level: rung.level }, rung.level, plan, b, to, load),
            Some(weights) => {
                let stencil = Weighted { width: rung.level.size[0], weights };
                self.steps_by(stencil, rung.level, plan, b, to, load);
            }
        }
    }

    fn steps_by<S: Stencil>(
        &self,
        stencil: S,
        level: &Level,
        plan: &Plan,
        b: &Plane,
        to: &mut Plane,
        load: impl Fn(usize, &mut [f32]) + Sync,
    ) {
        let [n, rows] = level.size;
        let (shape, bands) = (Shape::new(level), self.cut(rows, n));
        let pieces = cut(to, n, &bands).into_iter().zip(bands).collect();
        self.spread(pieces, |(to, band): (&mut [f32], Range<usize>)| {
            let start = band.start;
            let line = |row: usize| &b[row * n..][..n];
            let done = |row: usize, x: &[f32]| to[(row - start) * n..][..n].copy_from_slice(x);
            wave(stencil, shape, plan, line, band, 0..0, &load, done, |_, _| {});
        });
    }

    /// Half sweeps after what a coarser level found was added.
    #[expect(clippy::too_many_arguments, reason = "as the pass has them")]
    fn first_steps<S: Stencil>(
        &self,
        stencil: S,
        plan: &Plan,
        b: &Plane,
        x: &Plane,
        to: &mut Plane,
        refine: &Refine<'_>,
        from: &Plane,
    ) {
        let [n, rows] = refine.fine.size;
        let (shape, bands) = (Shape::new(refine.fine), self.cut(rows, n));
        let pieces = cut(to, n, &bands).into_iter().zip(bands).collect();
        self.spread(pieces, |(to, band): (&mut [f32], Range<usize>)| {
            let start = band.start;
            let mut mixed = vec![0.0; refine.coarse.size[0] + 2];
            let load = |row: usize, to: &mut [f32]| {
                read(Some(x), row, to);
                refine.add(row, from, &mut mixed, to);
                stencil.mask(row, to);
            };
            let line = |row: usize| &b[row * n..][..n];
            let done = |row: usize, x: &[f32]| to[(row - start) * n..][..n].copy_from_slice(x);
            wave(stencil, shape, plan, line, band, 0..0, load, done, |_, _| {});
        });
    }

    /// Half sweeps, then the coarser level's right-hand side.
    #[expect(clippy::too_many_arguments, reason = "as the pass has them")]
    fn last_steps<S: Stencil>(
        &self,
        stencil: S,
        plan: &Plan,
        b: &Plane,
        to: &mut Plane,
        load: impl Fn(usize, &mut [f32]) + Sync,
        coarsen: &Coarsen<'_>,
        coarse: &mut Plane,
    ) {
        let ([n, rows], [coarse_n, coarse_rows]) = (coarsen.fine.size, coarsen.coarse.size);
        let shape = Shape::new(coarsen.fine);
        // Bands of coarser rows, and the finer ones that begin in them.
        let coarser: Vec<_> = match self.cut(rows, n).len() {
            bands => (0..bands).map(|k| k * coarse_rows / bands..(k + 1) * coarse_rows / bands).collect(),
        };
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
        self.spread(pieces, |((to, coarse), (band, made)): Piece<'_>| {
            let start = band.start;
            let (last, shares) = coarsen.rows(made.end - 1);
            let end = last + shares.iter().rposition(|share| *share > 0.0).unwrap_or(0) + 1;
            let line = |row: usize| &b[row * n..][..n];
            let done = |row: usize, x: &[f32]| to[(row - start) * n..][..n].copy_from_slice(x);
            // The row that is being made, and the one after it, which may have begun.
            let mut sums = [vec![0.0; n], vec![0.0; n]];
            let mut making = made.start;
            let rest = |row: isize, residual: &[f32]| {
                let row = row as usize;
                for at in making..made.end.min(making + 2) {
                    let (from, shares) = coarsen.rows(at);
                    if let Some(share) = row.checked_sub(from).and_then(|k| shares.get(k)).filter(|s| **s > 0.0) {
                        Coarsen::add(*share, row == from, residual, &mut sums[at % 2]);
                    }
                }
                let (from, shares) = coarsen.rows(making);
                if row == from + shares.iter().rposition(|share| *share > 0.0).unwrap_or(0) {
                    coarsen.finish(&sums[making % 2], &mut coarse[(making - made.start) * coarse_n..][..coarse_n]);
                    making = (making + 1).min(made.end - 1);
                }
            };
            wave(stencil, shape, plan, line, band, start as isize..end as isize, &load, done, rest);
        });
    }
}

/// A row of x; 0 where there is none.
#[inline(always)]
fn read(x: Option<&Plane>, row: usize, to: &mut [f32]) {
    match x {
        Some(x) => to.copy_from_slice(&x[row * to.len()..][..to.len()]),
        None => to.fill(0.0),
    }
}
