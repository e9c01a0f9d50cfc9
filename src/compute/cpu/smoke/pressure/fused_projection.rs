//! The start and the end of a projection, each in one pass over the memory, on a level without solids: the divergence
//! with the first smoothing and restriction; the last prolongation and smoothing with the subtraction of the gradient.
//! On the GPU each operation is a pass of its own (table in `compute/gpu/smoke/passes.rs`); reference:
//! `tests/reference/mod.rs`.

use super::super::operands::{Corrected, PlaneLevel, Prolongation, Relax, Sums, VelocityStatistics};
use super::super::pointwise::statistics;
use super::super::{Plane, SmokeCpu};
use super::projection::{divergence, joined};
use super::red_black::{
    Band, HalfSweeps, Initial, Required, Rows, SLOTS_WITH_PAUSE, Sink, Source, passes, sweep, sweep_with_pause,
};
use super::reductions::total;
use super::smoothing::{CoarseBand, Prolonged, Restrict};
use super::stencil::Uniform;
use super::transfer::{RowProlongation, RowRestriction};
use super::velocity_rows::{VelocityRows, split_bands};
use super::wavefront::GridSize;
use crate::compute::cpu::lanes::PrefetchQueue;

/// The half sweeps of a relaxation that is one pass; `None` if it has no half sweeps or takes several passes.
pub(super) fn single_pass(relax: Relax) -> Option<HalfSweeps> {
    match passes(relax)[..] {
        [pass] if pass.1 > 0 => Some(pass),
        _ => None,
    }
}

impl SmokeCpu<'_> {
    /// The divergence `b` of a velocity, its sums, and the sum of the squared residuals of `before`; then half sweeps
    /// from `before` to x and the restriction of the residual to the coarse right-hand side `to`.
    pub(super) fn divergence_and_restrict(
        &self,
        fine: &PlaneLevel,
        pass: HalfSweeps,
        [u, v]: [&Plane; 2],
        b: &mut Plane,
        (before, x): (&Plane, &mut Plane),
        (coarse, to): (&PlaneLevel, &mut Plane),
    ) -> (Sums, f64) {
        let (n, shape, restriction) = (fine.size[0], GridSize::new(fine), RowRestriction::new(fine, coarse, false));
        let bands = self.coarse_bands(pass.1, x, Initial::Plane(before), &restriction, to);
        let rows: Vec<_> = bands.iter().map(|CoarseBand { band, .. }| band.rows()).collect();
        let pieces = bands.into_iter().zip(split_bands(b, n, &rows)).collect();
        let found = self.spread(
            pieces,
            #[inline(always)]
            |(CoarseBand { band, to, coarse }, b): (CoarseBand<'_>, &mut [f32])| {
                let rows = band.rows();
                let mut source = Divergence {
                    rows: VelocityRows { level: fine, coefficients: None },
                    velocity: [u, v],
                    own: [rows.start as isize, rows.end as isize],
                    b,
                    other: vec![0.0; n],
                    sums: Vec::with_capacity(rows.len()),
                };
                let mut restrict = Restrict::new(&restriction, coarse, to);
                let stencil = Uniform { level: fine };
                sweep_with_pause::<SLOTS_WITH_PAUSE, _>(
                    stencil,
                    shape,
                    pass,
                    Some(0),
                    band,
                    &mut source,
                    &mut restrict,
                );
                (source.sums, restrict.squares)
            },
        );
        let (sums, residuals): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let [sum, squares] = total(sums.into_iter().flatten());
        let [residual] = total(residuals.into_iter().flatten());
        (Sums { sum, squares }, residual)
    }

    /// Adds the prolongation of the coarse values `from` to x, runs half sweeps, and subtracts the gradient of x from
    /// the velocity `[u, v]`; returns the sums of its divergence and its statistics.
    pub(super) fn prolong_smooth_project(
        &self,
        fine: &PlaneLevel,
        pass: HalfSweeps,
        b: &Plane,
        x: &mut Plane,
        (coarse, from): (&PlaneLevel, &Plane),
        [u, v]: [&mut Plane; 2],
    ) -> Corrected {
        let [n, rows] = fine.size;
        let (shape, prolongation) = (GridSize::new(fine), RowProlongation::new(fine, coarse, Prolongation::Linear));
        let velocity_rows = VelocityRows { level: fine, coefficients: None };
        let bands = self.cut(rows, n);
        let required = bands.iter().cloned().map(|rows| {
            let values = rows.start as isize - 1..rows.end as isize + isize::from(rows.end == fine.size[1]);
            Required { values, ..Required::rows(rows) }
        });
        let faces = split_bands(u, n + 1, &bands).into_iter().zip(split_bands(v, n, &bands));
        let pieces = Band::all(x, shape, pass.1, Initial::Here, required).into_iter().zip(faces).collect();
        type Piece<'a> = (Band<'a>, (&'a mut [f32], &'a mut [f32]));
        let found = self.spread(
            pieces,
            #[inline(always)]
            |(band, (u, v)): Piece<'_>| {
                let rows = band.rows();
                let mut source = Prolonged::new(Uniform { level: fine }, Rows(b, n), &prolongation, from);
                let mut project = Project {
                    rows: velocity_rows,
                    first: rows.start as isize,
                    end: rows.end as isize,
                    faces: [u, v],
                    below: vec![0.0; n],
                    line: vec![0.0; n],
                    sums: Vec::with_capacity(rows.len()),
                    statistics: VelocityStatistics::default(),
                };
                sweep(Uniform { level: fine }, shape, pass, band, &mut source, &mut project);
                project.finish(shape);
                (project.sums, project.statistics)
            },
        );
        let (u, v, mut line) = (&*u, &*v, vec![0.0; n]);
        joined(&bands, found, |row| divergence(&velocity_rows, row, u, v, &mut line))
    }
}

/// Computes the right-hand side b = −∇·velocity row by row, and stores it in the band's own rows.
struct Divergence<'a> {
    rows: VelocityRows<'a>,
    velocity: [&'a [f32]; 2],
    /// The band's first row, and the one after its last.
    own: [isize; 2],
    b: &'a mut [f32],
    /// Scratch for a row of another band.
    other: Vec<f32>,
    /// Sum and sum of squares of b in each of the band's own rows.
    sums: Vec<[f64; 2]>,
}

impl Source for Divergence<'_> {
    #[inline(always)]
    fn right(&mut self, row: isize, real: usize) -> &[f32] {
        let (n, [u, v], [start, end]) = (self.other.len(), self.velocity, self.own);
        if row < start || end <= row {
            divergence(&self.rows, real, u, v, &mut self.other);
            return &self.other;
        }
        let own = &mut self.b[(row - start) as usize * n..][..n];
        self.sums.push(divergence(&self.rows, real, u, v, own));
        own
    }

    #[inline(always)]
    fn prefetch<'a>(&'a self, real: usize, ahead: &mut PrefetchQueue<'a>) {
        let (n, [u, v]) = (self.other.len(), self.velocity);
        ahead.push(&u[real * (n + 1)..][..n + 1]);
        ahead.push(&v[(real + 1) * n..][..n]);
    }
}

/// Subtracts the gradient of x row by row.
struct Project<'a> {
    rows: VelocityRows<'a>,
    /// The band's first row, and the one after its last.
    first: isize,
    end: isize,
    faces: [&'a mut [f32]; 2],
    /// The row of x below the next one.
    below: Vec<f32>,
    /// Scratch for a row of divergences.
    line: Vec<f32>,
    /// Sum and sum of squares of each row's divergence.
    sums: Vec<[f64; 2]>,
    /// Statistics of the finished faces.
    statistics: VelocityStatistics,
}

impl Project<'_> {
    /// Corrects the horizontal faces below a row and measures the divergence of the row below them. `x` is `None` above
    /// the grid's last row.
    #[inline(always)]
    fn correct_below(&mut self, row: isize, x: Option<&[f32]>) {
        let (n, at) = (self.line.len(), (row - self.first) as usize);
        let [u, v] = &mut self.faces;
        let below = &self.below;
        self.rows.subtract_v(row as usize, [below, x.unwrap_or(below)], &mut v[at * n..][..n]);
        self.statistics = self.statistics.and(statistics(&v[at * n..][..n]));
        if at > 0 {
            let (u, v) = (&u[(at - 1) * (n + 1)..][..n + 1], &v[(at - 1) * n..][..2 * n]);
            self.sums.push(self.rows.divergence(row as usize - 1, u, &v[..n], &v[n..], &mut self.line));
        }
    }

    /// Corrects the faces above the grid's last row, where y does not wrap.
    #[inline(always)]
    fn finish(&mut self, shape: GridSize) {
        if self.end as usize == shape.height && !shape.wraps[1] {
            self.correct_below(self.end, None);
        }
    }
}

impl Sink for Project<'_> {
    #[inline(always)]
    fn prefetch<'a>(&'a self, real: usize, ahead: &mut PrefetchQueue<'a>) {
        if let Some(at) = real.checked_sub(self.first as usize) {
            let n = self.line.len();
            ahead.push(self.faces[0].get(at * (n + 1)..(at + 1) * (n + 1)).unwrap_or_default());
            ahead.push(self.faces[1].get(at * n..(at + 1) * n).unwrap_or_default());
        }
    }

    #[inline(always)]
    fn finished(&mut self, row: isize, x: &[f32]) {
        if row >= self.first {
            self.correct_below(row, Some(x));
        }
        if (self.first..self.end).contains(&row) {
            let n = x.len();
            let u = &mut self.faces[0][(row - self.first) as usize * (n + 1)..][..n + 1];
            self.rows.subtract_u(row as usize, x, u);
            self.statistics = self.statistics.and(statistics(u));
        }
        self.below.copy_from_slice(x);
    }
}
