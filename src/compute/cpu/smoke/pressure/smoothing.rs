//! Smoothing on a level, fused with the restriction after it and the prolongation before it. On the GPU each operation
//! is a pass: `relax.wgsl`, `restrict.wgsl`, `prolong.wgsl`; reference: `tests/reference/mod.rs`.

use std::mem::swap;
use std::ops::Range;

use super::super::operands::{LevelOperands, PlaneLevel, Prolongation, Relax};
use super::super::{Plane, SmokeCpu};
use super::red_black::{
    Band, HalfSweeps, Initial, Pair, Required, Rows, SLOTS_WITH_PAUSE, Sink, Source, passes, sweep, sweep_with_pause,
};
use super::reductions::{squares_of_pair, total};
use super::stencil::{Stencil, Uniform, with_stencil};
use super::transfer::{RowProlongation, RowRestriction};
use super::velocity_rows::split_bands;
use super::wavefront::{self, GridSize};
use crate::compute::cpu::lanes::PrefetchQueue;

impl SmokeCpu<'_> {
    /// Red-black sweeps on x; with `zero`, from 0.
    pub(super) fn red_black_sweeps(
        &self,
        operands: LevelOperands<'_>,
        relax: Relax,
        b: &Plane,
        x: &mut Plane,
        zero: bool,
    ) {
        for (at, pass) in passes(relax).into_iter().enumerate() {
            self.half_sweeps(operands, pass, b, x, zero && at == 0);
        }
    }

    /// Jacobi sweeps from 0.
    pub(super) fn jacobi_sweeps(
        &self,
        operands: LevelOperands<'_>,
        sweeps: u32,
        b: &Plane,
        x: &mut Plane,
        scratch: &mut Plane,
    ) {
        let ([n, rows], shape) = (operands.level.size, GridSize::new(operands.level));
        for at in (0..sweeps.max(1) as usize).step_by(wavefront::SWEEPS_MAX) {
            let count = wavefront::SWEEPS_MAX.min(sweeps as usize - at);
            let (from, bands) = ((at > 0).then_some(&*x), self.cut(rows, n));
            let pieces = split_bands(scratch, n, &bands).into_iter().zip(bands).collect();
            with_stencil!(operands, |stencil| self.spread(
                pieces,
                #[inline(always)]
                |(to, band): (&mut [f32], Range<usize>)| {
                    let start = band.start;
                    let line = |row: usize| &b[row * n..][..n];
                    let initial = |row: usize, to: &mut [f32]| match from {
                        Some(x) => to.copy_from_slice(&x[row * n..][..n]),
                        None => to.fill(0.0),
                    };
                    let finished = |row: usize, x: &[f32]| to[(row - start) * n..][..n].copy_from_slice(x);
                    wavefront::jacobi(stencil, shape, count, line, band, initial, finished);
                },
            ));
            swap(x, scratch);
        }
    }

    /// Red-black sweeps on x (from x = 0 with `zero`), and the restriction of the residual to the right-hand side `to`
    /// of the coarser level: by sums with `sums`, else by means.
    #[expect(clippy::too_many_arguments, reason = "the operands of two operations")]
    pub(super) fn smooth_and_restrict(
        &self,
        fine: LevelOperands<'_>,
        relax: Relax,
        mut zero: bool,
        b: &Plane,
        x: &mut Plane,
        (coarse, sums): (&PlaneLevel, bool),
        to: &mut Plane,
    ) {
        let (n, shape, restriction) =
            (fine.level.size[0], GridSize::new(fine.level), RowRestriction::new(fine.level, coarse, sums));
        let passes = passes(relax);
        let Some((last, first)) = passes.split_last() else { return };
        for pass in first {
            self.half_sweeps(fine, *pass, b, x, zero);
            zero = false;
        }
        let from = if zero { Initial::Zero } else { Initial::Here };
        let bands = self.coarse_bands(last.1, x, from, &restriction, to);
        with_stencil!(fine, |stencil| self.spread(
            bands,
            #[inline(always)]
            |CoarseBand { band, to, coarse }| {
                let mut restrict = Restrict::new(&restriction, coarse, to);
                sweep(stencil, shape, *last, band, &mut Rows(b, n), &mut restrict);
            },
        ));
    }

    /// Adds the prolongation of the coarse values `from` to x, then runs red-black sweeps.
    pub(super) fn prolong_and_smooth(
        &self,
        fine: LevelOperands<'_>,
        relax: Relax,
        b: &Plane,
        x: &mut Plane,
        (coarse, prolongation): (&PlaneLevel, Prolongation),
        from: &Plane,
    ) {
        let prolongation = RowProlongation::new(fine.level, coarse, prolongation);
        for (at, pass) in passes(relax).into_iter().enumerate() {
            if at == 0 {
                self.prolong_and_sweep(fine, pass, b, x, &prolongation, from, false);
            } else {
                self.half_sweeps(fine, pass, b, x, false);
            }
        }
    }

    /// As [`prolong_and_smooth`](Self::prolong_and_smooth); returns the sum of the squared residuals.
    pub(super) fn prolong_smooth_residual(
        &self,
        fine: LevelOperands<'_>,
        relax: Relax,
        b: &Plane,
        x: &mut Plane,
        (coarse, prolongation): (&PlaneLevel, Prolongation),
        from: &Plane,
    ) -> f64 {
        // The fused kernel serves levels without solids. With solids, conjugate gradients compute the residual.
        if let (None, [pass]) = (fine.coefficients, &passes(relax)[..]) {
            let prolongation = RowProlongation::new(fine.level, coarse, prolongation);
            return self.prolong_and_sweep(fine, *pass, b, x, &prolongation, from, true);
        }
        self.prolong_and_smooth(fine, relax, b, x, (coarse, prolongation), from);
        self.residual_squares(fine, b, x)
    }

    /// One pass of half sweeps on x; with `zero`, from 0.
    fn half_sweeps(&self, operands: LevelOperands<'_>, pass: HalfSweeps, b: &Plane, x: &mut Plane, zero: bool) {
        let ([n, rows], shape) = (operands.level.size, GridSize::new(operands.level));
        let from = if zero { Initial::Zero } else { Initial::Here };
        let bands = Band::all(x, shape, pass.1, from, self.cut(rows, n).into_iter().map(Required::rows));
        with_stencil!(operands, |stencil| self.spread(
            bands,
            #[inline(always)]
            |band: Band<'_>| sweep(stencil, shape, pass, band, &mut Rows(b, n), &mut ()),
        ));
    }

    /// A prolongation and a pass of half sweeps; returns the sum of the squared residuals with `measured`, else 0.
    #[expect(clippy::too_many_arguments, reason = "the operands of three operations")]
    fn prolong_and_sweep(
        &self,
        fine: LevelOperands<'_>,
        pass: HalfSweeps,
        b: &Plane,
        x: &mut Plane,
        prolongation: &RowProlongation<'_>,
        from: &Plane,
        measured: bool,
    ) -> f64 {
        let ([n, rows], shape) = (fine.level.size, GridSize::new(fine.level));
        let required = self.cut(rows, n).into_iter().map(|rows| {
            let residuals = if measured { rows.start as isize..rows.end as isize } else { 0..0 };
            Required { residuals, ..Required::rows(rows) }
        });
        let bands = Band::all(x, shape, pass.1, Initial::Here, required);
        let sums = with_stencil!(fine, |stencil| self.spread(
            bands,
            #[inline(always)]
            |band: Band<'_>| {
                let mut squares = Squares(Vec::new());
                sweep(
                    stencil,
                    shape,
                    pass,
                    band,
                    &mut Prolonged::new(stencil, Rows(b, n), prolongation, from),
                    &mut squares,
                );
                squares.0
            },
        ));
        let [squares] = total(sums.into_iter().flatten());
        squares
    }

    /// [`prolong_smooth_residual`](Self::prolong_smooth_residual) and
    /// [`smooth_and_restrict`](Self::smooth_and_restrict) in one pass over the memory, on a level without solids.
    #[expect(clippy::too_many_arguments, reason = "the operands of five operations")]
    pub(super) fn prolong_smooth_restrict(
        &self,
        fine: &PlaneLevel,
        [up, down]: [Relax; 2],
        b: &Plane,
        x: &mut Plane,
        coarse: &PlaneLevel,
        from: &Plane,
        to: &mut Plane,
    ) -> f64 {
        let (n, shape, stencil) = (fine.size[0], GridSize::new(fine), Uniform { level: fine });
        let (prolongation, restriction) =
            (RowProlongation::new(fine, coarse, Prolongation::Linear), RowRestriction::new(fine, coarse, false));
        let pause = 2 * up.sweeps as usize;
        let pass = (up.first, pause + 2 * down.sweeps as usize);
        let sums = self.spread(
            self.coarse_bands(pass.1, x, Initial::Here, &restriction, to),
            #[inline(always)]
            |CoarseBand { band, to, coarse }| {
                let mut source = Prolonged::new(stencil, Rows(b, n), &prolongation, from);
                let mut restrict = Restrict::new(&restriction, coarse, to);
                sweep_with_pause::<SLOTS_WITH_PAUSE, _>(
                    stencil,
                    shape,
                    pass,
                    Some(pause),
                    band,
                    &mut source,
                    &mut restrict,
                );
                restrict.squares
            },
        );
        let [squares] = total(sums.into_iter().flatten());
        squares
    }

    /// Cuts the coarser level into bands, and x into the fine rows that begin in each of them.
    pub(super) fn coarse_bands<'a>(
        &self,
        stages: usize,
        x: &'a mut Plane,
        from: Initial<'a>,
        restriction: &RowRestriction<'_>,
        coarse: &'a mut Plane,
    ) -> Vec<CoarseBand<'a>> {
        let ([n, rows], [coarse_n, coarse_rows]) = (restriction.fine.size, restriction.coarse.size);
        let bands = self.cut(rows, n).len();
        let coarser: Vec<_> = (0..bands).map(|k| k * coarse_rows / bands..(k + 1) * coarse_rows / bands).collect();
        let required = |coarse: &Range<usize>| {
            let end = if coarse.end == coarse_rows { rows } else { restriction.rows(coarse.end).0 };
            let start = restriction.rows(coarse.start).0;
            let residuals = start as isize..restriction.last(coarse.end - 1) as isize + 1;
            Required { residuals, ..Required::rows(start..end) }
        };
        let finer = Band::all(x, GridSize::new(restriction.fine), stages, from, coarser.iter().map(required));
        let pieces = finer.into_iter().zip(split_bands(coarse, coarse_n, &coarser)).zip(coarser);
        pieces.map(|((band, to), coarse)| CoarseBand { band, to, coarse }).collect()
    }
}

/// A band of fine rows with the coarse rows that are restricted from it.
pub(super) struct CoarseBand<'a> {
    pub band: Band<'a>,
    /// Values of the coarse rows.
    pub to: &'a mut [f32],
    /// Numbers of the coarse rows.
    pub coarse: Range<usize>,
}

/// The right-hand sides of a plane, and initial values to which the prolongation of a coarser level is added.
pub(super) struct Prolonged<'a, S> {
    stencil: S,
    right: Rows<'a>,
    prolongation: &'a RowProlongation<'a>,
    coarse: &'a [f32],
    /// Scratch for a coarse row.
    line: Vec<f32>,
}

impl<'a, S> Prolonged<'a, S> {
    pub fn new(stencil: S, right: Rows<'a>, prolongation: &'a RowProlongation<'a>, coarse: &'a [f32]) -> Self {
        Prolonged { stencil, right, prolongation, coarse, line: vec![0.0; prolongation.coarse.size[0] + 2] }
    }
}

impl<S: Stencil> Source for Prolonged<'_, S> {
    #[inline(always)]
    fn right(&mut self, row: isize, real: usize) -> &[f32] {
        self.right.right(row, real)
    }

    #[inline(always)]
    fn prefetch<'a>(&'a self, real: usize, ahead: &mut PrefetchQueue<'a>) {
        self.right.prefetch(real, ahead);
    }

    #[inline(always)]
    fn initial(&mut self, real: usize, [even, odd]: [&mut [f32]; 2]) {
        self.prolongation.add(real, self.coarse, &mut self.line, [&mut *even, &mut *odd]);
        self.stencil.mask(real, [even, odd]);
    }
}

/// Sums of the squared residuals of each row.
struct Squares(Vec<[f64; 1]>);

impl Sink for Squares {
    #[inline(always)]
    fn residual(&mut self, _: isize, residual: Pair<'_>) {
        self.0.push([squares_of_pair(residual)]);
    }
}

/// The restriction of residuals, row by row.
pub(super) struct Restrict<'a> {
    restriction: &'a RowRestriction<'a>,
    rows: Range<usize>,
    /// The next coarse row to be finished.
    at: usize,
    /// Sums of fine rows, even and odd columns apart, for the coarse row `at` and the one after it; the coarse row's
    /// number modulo 2 is the index.
    sums: [[Vec<f32>; 2]; 2],
    /// Scratch for a fine row.
    line: Vec<f32>,
    to: &'a mut [f32],
    /// Sums of the squared residuals of each row at the pause.
    pub squares: Vec<[f64; 1]>,
}

impl<'a> Restrict<'a> {
    /// Restricts to the coarse `rows`, whose values are `to`.
    pub fn new(restriction: &'a RowRestriction<'a>, rows: Range<usize>, to: &'a mut [f32]) -> Self {
        let n = restriction.fine.size[0];
        let sums = [0, 1].map(|_| [vec![0.0; n.div_ceil(2)], vec![0.0; n / 2]]);
        Restrict { restriction, at: rows.start, rows, sums, line: vec![0.0; n], to, squares: Vec::new() }
    }
}

impl Sink for Restrict<'_> {
    #[inline(always)]
    fn residual_at_pause(&mut self, residual: Pair<'_>) {
        self.squares.push([squares_of_pair(residual)]);
    }

    #[inline(always)]
    fn residual(&mut self, row: isize, residual: Pair<'_>) {
        let Restrict { restriction, rows, at, sums, line, to, .. } = self;
        let row = row as usize;
        for coarse in *at..rows.end.min(*at + 2) {
            let (from, weights) = restriction.rows(coarse);
            if let Some(weight) = row.checked_sub(from).and_then(|k| weights.get(k)).filter(|weight| **weight > 0.0) {
                for (residual, sum) in residual.into_iter().zip(&mut sums[coarse % 2]) {
                    RowRestriction::add(*weight, row == from, residual, sum);
                }
            }
        }
        if row == restriction.last(*at) {
            let n = restriction.coarse.size[0];
            let [even, odd] = &sums[*at % 2];
            restriction.finish([even, odd], line, &mut to[(*at - rows.start) * n..][..n]);
            *at = (*at + 1).min(rows.end - 1);
        }
    }
}
