//! What a cell has to do with its neighbours, a row at a time.
//!
//! Rows in hand have a value more at either end: 0 where nothing lies there, or stands at 0, else the other side's.

use super::super::Plane;
use crate::sim::smoke::pressure::{Level, Weights};

/// A row with its ends, between the rows below and above it.
#[derive(Clone, Copy)]
pub(super) struct Three<'a> {
    pub south: &'a [f32],
    pub row: &'a [f32],
    pub north: &'a [f32],
}

/// The equation of a level. Rows of results have no ends, but that of `relax` has.
pub(super) trait Stencil: Copy + Sync {
    /// `to = x + omega·(j − x)`, j being Jacobi's value.
    fn relax(self, at: usize, x: Three<'_>, b: &[f32], omega: &[f32], to: &mut [f32]);

    /// `to = b − A x`.
    fn residual(self, at: usize, x: Three<'_>, b: &[f32], to: &mut [f32]);

    /// Sets a row's values to 0 where nothing couples.
    fn mask(self, at: usize, row: &mut [f32]);
}

/// A level without solids.
#[derive(Clone, Copy)]
pub(super) struct Plain<'a> {
    pub level: &'a Level,
}

impl Plain<'_> {
    /// What couples a row's cells to the row below and above.
    #[inline(always)]
    fn rows(self, at: usize) -> [f32; 2] {
        let Level { size, couple, beyond, .. } = self.level;
        let south = if at == 0 { beyond[2] } else { couple[1] };
        let north = if at + 1 == size[1] { beyond[3] } else { couple[1] };
        [south, north]
    }

    /// What couples the first and the last cell to the left and the right.
    #[inline(always)]
    fn ends(self) -> [(usize, [f32; 2]); 2] {
        let Level { size, couple, beyond, .. } = self.level;
        let last = size[0] - 1;
        let left = (0, [beyond[0], if last == 0 { beyond[1] } else { couple[0] }]);
        let right = (last, [if last == 0 { beyond[0] } else { couple[0] }, beyond[1]]);
        [left, right]
    }
}

/// One over a sum of couplings.
#[inline(always)]
fn inverse([west, east]: [f32; 2], [south, north]: [f32; 2]) -> f32 {
    let sum = (west + east) + (south + north);
    if sum > 0.0 { 1.0 / sum } else { 0.0 }
}

impl Stencil for Plain<'_> {
    #[inline(always)]
    fn relax(self, at: usize, x: Three<'_>, b: &[f32], omega: &[f32], to: &mut [f32]) {
        let n = b.len();
        let a = self.level.couple[0];
        let rows = self.rows(at);
        let [south, north] = rows;
        let inner = inverse([a, a], rows);
        let (w, c, e) = (&x.row[..n], &x.row[1..][..n], &x.row[2..][..n]);
        let (s, t, omega, to) = (&x.south[1..][..n], &x.north[1..][..n], &omega[..n], &mut to[1..][..n]);
        for i in 0..n {
            let j = inner * (b[i] + (a * (w[i] + e[i]) + (south * s[i] + north * t[i])));
            to[i] = c[i] + omega[i] * (j - c[i]);
        }
        for (i, ends) in self.ends() {
            let j = inverse(ends, rows) * (b[i] + ((ends[0] * w[i] + ends[1] * e[i]) + (south * s[i] + north * t[i])));
            to[i] = c[i] + omega[i] * (j - c[i]);
        }
    }

    #[inline(always)]
    fn residual(self, at: usize, x: Three<'_>, b: &[f32], to: &mut [f32]) {
        let n = b.len();
        let a = self.level.couple[0];
        let [south, north] = self.rows(at);
        let (w, c, e) = (&x.row[..n], &x.row[1..][..n], &x.row[2..][..n]);
        let (s, t, to) = (&x.south[1..][..n], &x.north[1..][..n], &mut to[..n]);
        for i in 0..n {
            let rows = south * (c[i] - s[i]) + north * (c[i] - t[i]);
            to[i] = b[i] - (a * ((c[i] - w[i]) + (c[i] - e[i])) + rows);
        }
        for (i, ends) in self.ends() {
            let rows = south * (c[i] - s[i]) + north * (c[i] - t[i]);
            to[i] = b[i] - ((ends[0] * (c[i] - w[i]) + ends[1] * (c[i] - e[i])) + rows);
        }
    }

    #[inline(always)]
    fn mask(self, _: usize, _: &mut [f32]) {}
}

/// A level with solids.
#[derive(Clone, Copy)]
pub(super) struct Weighted<'a> {
    pub width: usize,
    pub weights: &'a Weights<Plane>,
}

impl Weighted<'_> {
    /// Couplings to the left and right, below and above, and the inverse of their sum.
    #[inline(always)]
    fn row(&self, at: usize) -> [&[f32]; 5] {
        let n = self.width;
        let x = &self.weights.x[at * (n + 1)..][..n + 1];
        let y = &self.weights.y[at * n..][..2 * n];
        [&x[..n], &x[1..], &y[..n], &y[n..], &self.weights.inverse[at * n..][..n]]
    }
}

impl Stencil for Weighted<'_> {
    #[inline(always)]
    fn relax(self, at: usize, x: Three<'_>, b: &[f32], omega: &[f32], to: &mut [f32]) {
        let n = self.width;
        let [west, east, south, north, inverse] = self.row(at);
        let (w, c, e) = (&x.row[..n], &x.row[1..][..n], &x.row[2..][..n]);
        let (s, t, omega, to) = (&x.south[1..][..n], &x.north[1..][..n], &omega[..n], &mut to[1..][..n]);
        let b = &b[..n];
        for i in 0..n {
            let sum = (west[i] * w[i] + east[i] * e[i]) + (south[i] * s[i] + north[i] * t[i]);
            to[i] = c[i] + omega[i] * (inverse[i] * (b[i] + sum) - c[i]);
        }
    }

    #[inline(always)]
    fn residual(self, at: usize, x: Three<'_>, b: &[f32], to: &mut [f32]) {
        let n = self.width;
        let [west, east, south, north, _] = self.row(at);
        let (w, c, e) = (&x.row[..n], &x.row[1..][..n], &x.row[2..][..n]);
        let (s, t, b, to) = (&x.south[1..][..n], &x.north[1..][..n], &b[..n], &mut to[..n]);
        for i in 0..n {
            let columns = west[i] * (c[i] - w[i]) + east[i] * (c[i] - e[i]);
            to[i] = b[i] - (columns + (south[i] * (c[i] - s[i]) + north[i] * (c[i] - t[i])));
        }
    }

    #[inline(always)]
    fn mask(self, at: usize, row: &mut [f32]) {
        for (value, inverse) in row.iter_mut().zip(&self.weights.inverse[at * self.width..]) {
            *value = if *inverse > 0.0 { *value } else { 0.0 };
        }
    }
}
