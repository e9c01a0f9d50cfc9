//! What is left of an equation.

use std::ops::Range;

use super::super::operands::{Level, LevelOperands, Sums};
use super::super::{Plane, SmokeCpu};
use super::projection::{divergence, squares};
use super::reductions::{sum, total};
use super::stencil::{Plain, Stencil, Three, Weighted};
use super::velocity_rows::Ground;
use super::wavefront::Shape;

impl SmokeCpu<'_> {
    /// The sum of the squares of `b − A x`.
    pub(super) fn residual_squares(&self, rung: LevelOperands<'_>, b: &Plane, x: &Plane) -> f64 {
        match rung.weights {
            None => self.left_by(Plain { level: rung.level }, rung.level, b, x),
            Some(weights) => self.left_by(Weighted::new(rung.level, weights), rung.level, b, x),
        }
    }

    fn left_by<S: Stencil>(&self, stencil: S, level: &Level, b: &Plane, x: &Plane) -> f64 {
        let [n, rows] = level.size;
        let (shape, nothing) = (Shape::new(level), vec![0.0; n]);
        let sums = self.spread(
            self.cut(rows, n),
            #[inline(always)]
            |band: Range<usize>| {
                let mut left = vec![0.0; n];
                let mut sums = Vec::with_capacity(band.len());
                for row in band {
                    let (three, ends) = around(shape, x, &nothing, row);
                    stencil.residual(row, three, ends, &b[row * n..][..n], &mut left);
                    sums.push(squares(&left));
                }
                sums
            },
        );
        let [squares] = total(sums.into_iter().flatten());
        squares
    }

    /// `r = b − A x`, and the sum of its squares.
    pub(super) fn store_residual(&self, rung: LevelOperands<'_>, b: &Plane, x: &Plane, r: &mut Plane) -> f64 {
        match rung.weights {
            None => self.leave_by(Plain { level: rung.level }, rung.level, b, x, r),
            Some(weights) => self.leave_by(Weighted::new(rung.level, weights), rung.level, b, x, r),
        }
    }

    fn leave_by<S: Stencil>(&self, stencil: S, level: &Level, b: &Plane, x: &Plane, r: &mut Plane) -> f64 {
        let n = level.size[0];
        let (shape, nothing) = (Shape::new(level), vec![0.0; n]);
        let [squares] = self.make_rows(
            r,
            n,
            #[inline(always)]
            |row, r, _| {
                let (three, ends) = around(shape, x, &nothing, row);
                stencil.residual(row, three, ends, &b[row * n..][..n], r);
                squares(r)
            },
        );
        squares
    }

    /// The right-hand side that a velocity `[u, v]` makes, without solids, its sums, and the sum of the squares of what x leaves
    /// of it: rows while they are in hand.
    pub(super) fn divergence_and_residual(
        &self,
        level: &Level,
        [u, v]: [&Plane; 2],
        b: &mut Plane,
        x: &Plane,
    ) -> (Sums, f64) {
        let n = level.size[0];
        let (ground, stencil) = (Ground { level, weights: None }, Plain { level });
        let (shape, nothing) = (Shape::new(level), vec![0.0; n]);
        let [sum, squares_of_b, left] = self.make_rows(
            b,
            n,
            #[inline(always)]
            |row, b, left| {
                let [sum_of_b, squares_of_b] = divergence(&ground, row, u, v, b);
                let (three, ends) = around(shape, x, &nothing, row);
                stencil.residual(row, three, ends, b, left);
                let [squares] = squares(left);
                [sum_of_b, squares_of_b, squares]
            },
        );
        (Sums { sum, squares: squares_of_b }, left)
    }

    /// `q = A d`, and the sum of d·q.
    pub(super) fn apply_operator(&self, rung: LevelOperands<'_>, d: &Plane, q: &mut Plane) -> f64 {
        match rung.weights {
            None => self.times_by(Plain { level: rung.level }, rung.level, d, q),
            Some(weights) => self.times_by(Weighted::new(rung.level, weights), rung.level, d, q),
        }
    }

    fn times_by<S: Stencil>(&self, stencil: S, level: &Level, d: &Plane, q: &mut Plane) -> f64 {
        let n = level.size[0];
        let (shape, nothing) = (Shape::new(level), vec![0.0; n]);
        let [product] = self.make_rows(
            q,
            n,
            #[inline(always)]
            |row, q, _| {
                let (three, ends) = around(shape, d, &nothing, row);
                stencil.residual(row, three, ends, &nothing, q);
                q.iter_mut().for_each(|q| *q = -*q);
                sum(
                    [three.row, &*q],
                    #[inline(always)]
                    |[d, q]| [d * q],
                )
            },
        );
        product
    }
}

/// A row between its neighbours, and what stands beyond its ends.
#[inline(always)]
fn around<'a>(shape: Shape, x: &'a [f32], nothing: &'a [f32], row: usize) -> (Three<'a>, [f32; 2]) {
    let n = shape.width;
    let line = |row: isize| shape.real(row).map_or(nothing, |row| &x[row * n..][..n]);
    let [south, here, north] = [-1, 0, 1].map(|step| line(row as isize + step));
    let ends = if shape.wraps[0] { [here[n - 1], here[0]] } else { [0.0; 2] };
    (Three { south, row: here, north }, ends)
}
