//! Residuals `b − A x`, and the product of the matrix and a vector. GPU: `residual.wgsl`; reference:
//! `tests/reference/mod.rs`.

use std::ops::Range;

use super::super::operands::{LevelOperands, PlaneLevel, Sums};
use super::super::{Plane, SmokeCpu};
use super::projection::divergence;
use super::reductions::{squares, sum, total};
use super::stencil::{RowTriple, Stencil as _, Uniform, with_stencil};
use super::velocity_rows::VelocityRows;
use super::wavefront::GridSize;

impl SmokeCpu<'_> {
    /// The sum of the squares of `b − A x`.
    pub(super) fn residual_squares(&self, operands: LevelOperands<'_>, b: &Plane, x: &Plane) -> f64 {
        let ([n, rows], shape) = (operands.level.size, GridSize::new(operands.level));
        let (zeros, bands) = (vec![0.0; n], self.cut(rows, n));
        let sums = with_stencil!(operands, |stencil| self.spread(
            bands,
            #[inline(always)]
            |band: Range<usize>| {
                let mut residual = vec![0.0; n];
                let mut sums = Vec::with_capacity(band.len());
                for row in band {
                    let (triple, beyond) = around(shape, x, &zeros, row);
                    stencil.residual(row, triple, beyond, &b[row * n..][..n], &mut residual);
                    sums.push(squares(&residual));
                }
                sums
            },
        ));
        let [squares] = total(sums.into_iter().flatten());
        squares
    }

    /// `r = b − A x`, and the sum of its squares.
    pub(super) fn store_residual(&self, operands: LevelOperands<'_>, b: &Plane, x: &Plane, r: &mut Plane) -> f64 {
        let (n, shape) = (operands.level.size[0], GridSize::new(operands.level));
        let zeros = vec![0.0; n];
        let [squares] = with_stencil!(operands, |stencil| self.make_rows(
            r,
            n,
            #[inline(always)]
            |row, r, _| {
                let (triple, beyond) = around(shape, x, &zeros, row);
                stencil.residual(row, triple, beyond, &b[row * n..][..n], r);
                squares(r)
            },
        ));
        squares
    }

    /// The divergence `b` of a velocity `[u, v]` without solids, its sums, and the sum of the squares of `b − A x`: one
    /// pass.
    pub(super) fn divergence_and_residual(
        &self,
        level: &PlaneLevel,
        [u, v]: [&Plane; 2],
        b: &mut Plane,
        x: &Plane,
    ) -> (Sums, f64) {
        let (n, shape) = (level.size[0], GridSize::new(level));
        let zeros = vec![0.0; n];
        let [sum, squares_of_b, residual] = self.make_rows(
            b,
            n,
            #[inline(always)]
            |row, b, residual| {
                let [sum_of_b, squares_of_b] = divergence(&VelocityRows { level, coefficients: None }, row, u, v, b);
                let (triple, beyond) = around(shape, x, &zeros, row);
                Uniform { level }.residual(row, triple, beyond, b, residual);
                let [squares] = squares(residual);
                [sum_of_b, squares_of_b, squares]
            },
        );
        (Sums { sum, squares: squares_of_b }, residual)
    }

    /// `q = A d`, and the sum of d·q.
    pub(super) fn apply_operator(&self, operands: LevelOperands<'_>, d: &Plane, q: &mut Plane) -> f64 {
        let (n, shape) = (operands.level.size[0], GridSize::new(operands.level));
        let zeros = vec![0.0; n];
        let [product] = with_stencil!(operands, |stencil| self.make_rows(
            q,
            n,
            #[inline(always)]
            |row, q, _| {
                let (triple, beyond) = around(shape, d, &zeros, row);
                stencil.residual(row, triple, beyond, &zeros, q);
                q.iter_mut().for_each(|q| *q = -*q);
                sum(
                    [triple.row, &*q],
                    #[inline(always)]
                    |[d, q]| [d * q],
                )
            },
        ));
        product
    }
}

/// A row with the rows below and above it (zeros off the grid), and the values beyond both ends of the row.
#[inline(always)]
fn around<'a>(shape: GridSize, x: &'a [f32], zeros: &'a [f32], row: usize) -> (RowTriple<'a>, [f32; 2]) {
    let n = shape.width;
    let line = |row: isize| shape.real(row).map_or(zeros, |row| &x[row * n..][..n]);
    let [south, here, north] = [-1, 0, 1].map(|step| line(row as isize + step));
    let beyond = if shape.wraps[0] { [here[n - 1], here[0]] } else { [0.0; 2] };
    (RowTriple { south, row: here, north }, beyond)
}
