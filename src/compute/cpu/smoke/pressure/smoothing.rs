//! Relaxing, and going from level to level.

use std::mem::swap;
use std::ops::Range;

use super::super::SmokeCpu;
use super::super::operands::{Colour, Level, LevelOperands, Prolongation, Relax};
use super::red_black::{Along, Band, Initial, Pair, Right, SLOTS_PAUSED, Wanted, halves, halves_with_pause, parts};
use super::reductions::{squares_of_pair, total};
use super::stencil::{Plain, Stencil, Weighted};
use super::transfer::{Coarsen, Refine};
use super::velocity_rows::split_bands;
use super::wavefront::{self, Shape};
use crate::compute::cpu::lanes::PrefetchQueue;

use super::super::Plane;

impl SmokeCpu<'_> {
    /// Relaxes x; with `zero`, from 0.
    pub(super) fn red_black_sweeps(&self, rung: LevelOperands<'_>, relax: Relax, b: &Plane, x: &mut Plane, zero: bool) {
        for (at, part) in parts(relax).into_iter().enumerate() {
            self.steps(rung, part, b, x, zero && at == 0);
        }
    }

    /// Jacobi's sweeps from 0.
    pub(super) fn jacobi_sweeps(
        &self,
        rung: LevelOperands<'_>,
        sweeps: u32,
        b: &Plane,
        x: &mut Plane,
        spare: &mut Plane,
    ) {
        for at in (0..sweeps.max(1) as usize).step_by(wavefront::MOST) {
            let stages = wavefront::MOST.min(sweeps as usize - at);
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
        let pieces = split_bands(to, n, &bands).into_iter().zip(bands).collect();
        self.spread(
            pieces,
            #[inline(always)]
            |(to, band): (&mut [f32], Range<usize>)| {
                let start = band.start;
                let line = |row: usize| &b[row * n..][..n];
                let load = |row: usize, to: &mut [f32]| match from {
                    Some(x) => to.copy_from_slice(&x[row * n..][..n]),
                    None => to.fill(0.0),
                };
                let done = |row: usize, x: &[f32]| to[(row - start) * n..][..n].copy_from_slice(x);
                wavefront::wave(stencil, shape, stages, line, band, load, done);
            },
        );
    }

    #[expect(clippy::too_many_arguments, reason = "as the pass has them")]
    pub(super) fn smooth_and_restrict(
        &self,
        fine: LevelOperands<'_>,
        relax: Relax,
        zero: bool,
        b: &Plane,
        x: &mut Plane,
        (coarse, sums): (&Level, bool),
        to: &mut Plane,
    ) {
        let coarsen = Coarsen::new(fine.level, coarse, sums);
        let parts = parts(relax);
        for (at, part) in parts.iter().copied().enumerate() {
            let zero = zero && at == 0;
            if at + 1 < parts.len() {
                self.steps(fine, part, b, x, zero);
                continue;
            }
            match fine.weights {
                None => self.last_steps(Plain { level: fine.level }, part, b, x, zero, &coarsen, to),
                Some(weights) => {
                    self.last_steps(Weighted::new(fine.level, weights), part, b, x, zero, &coarsen, to);
                }
            }
        }
    }

    pub(super) fn prolong_and_smooth(
        &self,
        fine: LevelOperands<'_>,
        relax: Relax,
        b: &Plane,
        x: &mut Plane,
        (coarse, prolongation): (&Level, Prolongation),
        from: &Plane,
    ) {
        let refine = Refine::new(fine.level, coarse, prolongation);
        for (at, part) in parts(relax).into_iter().enumerate() {
            if at > 0 {
                self.steps(fine, part, b, x, false);
                continue;
            }
            match fine.weights {
                None => self.first_steps(Plain { level: fine.level }, part, b, x, &refine, from, false),
                Some(weights) => self.first_steps(Weighted::new(fine.level, weights), part, b, x, &refine, from, false),
            };
        }
    }

    /// As [`prolong_and_smooth`](Self::prolong_and_smooth); gives the sum of the squares of what is left of the equation.
    pub(super) fn prolong_smooth_residual(
        &self,
        fine: LevelOperands<'_>,
        relax: Relax,
        b: &Plane,
        x: &mut Plane,
        (coarse, prolongation): (&Level, Prolongation),
        from: &Plane,
    ) -> f64 {
        // With solids, conjugate gradients find the pressure nearly always, and look at sums of their own.
        match (fine.weights, &parts(relax)[..]) {
            (None, [part]) => {
                let (stencil, refine) = (Plain { level: fine.level }, Refine::new(fine.level, coarse, prolongation));
                let [squares] = total(self.first_steps(stencil, *part, b, x, &refine, from, true));
                squares
            }
            _ => {
                self.prolong_and_smooth(fine, relax, b, x, (coarse, prolongation), from);
                self.residual_squares(fine, b, x)
            }
        }
    }

    /// Half sweeps on x; with `zero`, from 0.
    fn steps(&self, rung: LevelOperands<'_>, part: (Colour, usize), b: &Plane, x: &mut Plane, zero: bool) {
        match rung.weights {
            None => self.steps_by(Plain { level: rung.level }, rung.level, part, b, x, zero),
            Some(weights) => self.steps_by(Weighted::new(rung.level, weights), rung.level, part, b, x, zero),
        }
    }

    fn steps_by<S: Stencil>(
        &self,
        stencil: S,
        level: &Level,
        part: (Colour, usize),
        b: &Plane,
        x: &mut Plane,
        zero: bool,
    ) {
        let [n, rows] = level.size;
        let shape = Shape::new(level);
        let wanted = self.cut(rows, n).into_iter().map(Wanted::rows);
        let from = if zero { Initial::Zero } else { Initial::Here };
        self.spread(
            Band::all(x, shape, part.1, from, wanted),
            #[inline(always)]
            |band: Band<'_>| halves(stencil, shape, part, band, &mut Right(b, n)),
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
        x: &mut Plane,
        refine: &Refine<'_>,
        from: &Plane,
        squared: bool,
    ) -> Vec<[f64; 1]> {
        let [n, rows] = refine.fine.size;
        let shape = Shape::new(refine.fine);
        let wanted = self.cut(rows, n).into_iter().map(|rows| {
            let residuals = if squared { rows.start as isize..rows.end as isize } else { 0..0 };
            Wanted { residuals, ..Wanted::rows(rows) }
        });
        let sums = self.spread(
            Band::all(x, shape, part.1, Initial::Here, wanted),
            #[inline(always)]
            |band: Band<'_>| {
                let mut up = Up::new(stencil, Right(b, n), refine, from);
                halves(stencil, shape, part, band, &mut up);
                up.sums
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
        x: &mut Plane,
        zero: bool,
        coarsen: &Coarsen<'_>,
        coarse: &mut Plane,
    ) {
        let n = coarsen.fine.size[0];
        let shape = Shape::new(coarsen.fine);
        let from = if zero { Initial::Zero } else { Initial::Here };
        self.spread(
            self.coarser(part.1, x, from, coarsen, coarse),
            #[inline(always)]
            |(band, to, made): Coarser<'_>| {
                let mut down = Down { right: Right(b, n), making: Making::new(coarsen, made, to) };
                halves(stencil, shape, part, band, &mut down);
            },
        );
    }

    /// What [`prolong_smooth_residual`](Self::prolong_smooth_residual) does, then what [`smooth_and_restrict`](Self::smooth_and_restrict) does, without solids: one
    /// time over the memory.
    #[expect(clippy::too_many_arguments, reason = "as the pass has them")]
    pub(super) fn prolong_smooth_restrict(
        &self,
        fine: &Level,
        [up, down]: [Relax; 2],
        b: &Plane,
        x: &mut Plane,
        coarse: &Level,
        from: &Plane,
        to: &mut Plane,
    ) -> f64 {
        let (n, shape, stencil) = (fine.size[0], Shape::new(fine), Plain { level: fine });
        let (refine, coarsen) = (Refine::new(fine, coarse, Prolongation::Linear), Coarsen::new(fine, coarse, false));
        let pause = 2 * up.sweeps as usize;
        let part = (up.first, pause + 2 * down.sweeps as usize);
        let sums = self.spread(
            self.coarser(part.1, x, Initial::Here, &coarsen, to),
            #[inline(always)]
            |(band, to, made): Coarser<'_>| {
                let up = Up::new(stencil, Right(b, n), &refine, from);
                let mut both = UpAndDown { up, making: Making::new(&coarsen, made, to) };
                halves_with_pause::<SLOTS_PAUSED, _>(stencil, shape, part, Some(pause), band, &mut both);
                both.up.sums
            },
        );
        let [squares] = total(sums.into_iter().flatten());
        squares
    }

    /// Bands of coarser rows, and the finer ones that begin in them, for so many half sweeps.
    pub(super) fn coarser<'a>(
        &self,
        stages: usize,
        x: &'a mut Plane,
        from: Initial<'a>,
        coarsen: &Coarsen<'_>,
        coarse: &'a mut Plane,
    ) -> Vec<Coarser<'a>> {
        let ([n, rows], [coarse_n, coarse_rows]) = (coarsen.fine.size, coarsen.coarse.size);
        let bands = self.cut(rows, n).len();
        let coarser: Vec<_> = (0..bands).map(|k| k * coarse_rows / bands..(k + 1) * coarse_rows / bands).collect();
        let finer = |made: &Range<usize>| {
            let end = if made.end == coarse_rows { rows } else { coarsen.rows(made.end).0 };
            let start = coarsen.rows(made.start).0;
            let residuals = start as isize..coarsen.last(made.end - 1) as isize + 1;
            Wanted { residuals, ..Wanted::rows(start..end) }
        };
        let shape = Shape::new(coarsen.fine);
        let finer = Band::all(x, shape, stages, from, coarser.iter().map(finer));
        let pieces = finer.into_iter().zip(split_bands(coarse, coarse_n, &coarser)).zip(coarser);
        pieces.map(|((band, to), made)| (band, to, made)).collect()
    }
}

/// Going up.
pub(super) struct Up<'a, S> {
    stencil: S,
    right: Right<'a>,
    refine: &'a Refine<'a>,
    /// What the coarser level found.
    from: &'a [f32],
    /// Room for a row of that.
    mixed: Vec<f32>,
    /// Of the squares of what each row leaves, where that is wanted.
    sums: Vec<[f64; 1]>,
}

impl<'a, S> Up<'a, S> {
    pub fn new(stencil: S, right: Right<'a>, refine: &'a Refine<'a>, from: &'a [f32]) -> Self {
        Up { stencil, right, refine, from, mixed: vec![0.0; refine.coarse.size[0] + 2], sums: Vec::new() }
    }
}

impl<S: Stencil> Along for Up<'_, S> {
    #[inline(always)]
    fn right(&mut self, _: isize, real: usize) -> &[f32] {
        self.right.row(real)
    }

    #[inline(always)]
    fn ahead<'a>(&'a self, real: usize, ahead: &mut PrefetchQueue<'a>) {
        self.right.ahead(real, ahead);
    }

    #[inline(always)]
    fn load(&mut self, real: usize, [even, odd]: [&mut [f32]; 2]) {
        self.refine.add(real, self.from, &mut self.mixed, [&mut *even, &mut *odd]);
        self.stencil.mask(real, [even, odd]);
    }

    #[inline(always)]
    fn rest(&mut self, _: isize, left: Pair<'_>) {
        self.sums.push([squares_of_pair(left)]);
    }
}

/// Going down.
struct Down<'a> {
    right: Right<'a>,
    making: Making<'a>,
}

impl Along for Down<'_> {
    #[inline(always)]
    fn right(&mut self, _: isize, real: usize) -> &[f32] {
        self.right.row(real)
    }

    #[inline(always)]
    fn ahead<'a>(&'a self, real: usize, ahead: &mut PrefetchQueue<'a>) {
        self.right.ahead(real, ahead);
    }

    #[inline(always)]
    fn rest(&mut self, row: isize, left: Pair<'_>) {
        self.making.take(row as usize, left);
    }
}

/// Going up, a look at what is left, and down again.
struct UpAndDown<'a, S> {
    up: Up<'a, S>,
    making: Making<'a>,
}

impl<S: Stencil> Along for UpAndDown<'_, S> {
    #[inline(always)]
    fn right(&mut self, row: isize, real: usize) -> &[f32] {
        self.up.right(row, real)
    }

    #[inline(always)]
    fn ahead<'a>(&'a self, real: usize, ahead: &mut PrefetchQueue<'a>) {
        self.up.ahead(real, ahead);
    }

    #[inline(always)]
    fn load(&mut self, real: usize, x: [&mut [f32]; 2]) {
        self.up.load(real, x);
    }

    #[inline(always)]
    fn middle(&mut self, left: Pair<'_>) {
        self.up.sums.push([squares_of_pair(left)]);
    }

    #[inline(always)]
    fn rest(&mut self, row: isize, left: Pair<'_>) {
        self.making.take(row as usize, left);
    }
}

/// A band of finer rows, and the coarser ones that are made of it.
pub(super) type Coarser<'a> = (Band<'a>, &'a mut [f32], Range<usize>);

/// Coarser rows that are being made of the residuals of finer ones, as these come.
pub(super) struct Making<'a> {
    coarsen: &'a Coarsen<'a>,
    made: Range<usize>,
    /// The one that is next to be done.
    at: usize,
    /// Of that one, and of the one after it, which may have begun.
    sums: [[Vec<f32>; 2]; 2],
    whole: Vec<f32>,
    to: &'a mut [f32],
}

impl<'a> Making<'a> {
    pub fn new(coarsen: &'a Coarsen<'a>, made: Range<usize>, to: &'a mut [f32]) -> Self {
        let n = coarsen.fine.size[0];
        let sums = [0, 1].map(|_| [vec![0.0; n.div_ceil(2)], vec![0.0; n / 2]]);
        Making { coarsen, at: made.start, made, sums, whole: vec![0.0; n], to }
    }

    /// The residual of the next row.
    #[inline(always)]
    pub fn take(&mut self, row: usize, residual: Pair<'_>) {
        let Making { coarsen, made, at, sums, whole, to } = self;
        for making in *at..made.end.min(*at + 2) {
            let (from, shares) = coarsen.rows(making);
            if let Some(share) = row.checked_sub(from).and_then(|k| shares.get(k)).filter(|share| **share > 0.0) {
                for (residual, sum) in residual.into_iter().zip(&mut sums[making % 2]) {
                    Coarsen::add(*share, row == from, residual, sum);
                }
            }
        }
        if row == coarsen.last(*at) {
            let n = coarsen.coarse.size[0];
            let [even, odd] = &sums[*at % 2];
            coarsen.finish([even, odd], whole, &mut to[(*at - made.start) * n..][..n]);
            *at = (*at + 1).min(made.end - 1);
        }
    }
}
