//! What a cell has to do with its neighbours, a row at a time.
//!
//! Whole rows in hand have a value more at either end: 0 where nothing lies there, or stands at 0, else the other side's. Of
//! rows in two kinds of columns, even (0) and odd (1), one kind is worked on at a time.

use super::super::operands::OMEGA;
use super::super::operands::{Level, Weights};
use crate::sim::smoke::settings::Side;

/// A row with its ends, between the rows below and above it.
#[derive(Clone, Copy)]
pub(super) struct Three<'a> {
    pub south: &'a [f32],
    pub row: &'a [f32],
    pub north: &'a [f32],
}

/// What stands around the columns of one kind.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    /// Those of the other kind: to the left of each, and one more.
    pub beside: &'a [f32],
    pub south: &'a [f32],
    pub north: &'a [f32],
}

/// Couplings of the columns of one kind, and the inverse of their sum; empty without weights.
#[derive(Clone, Copy, Default)]
pub(super) struct Couplings<'a> {
    pub west: &'a [f32],
    pub east: &'a [f32],
    pub south: &'a [f32],
    pub north: &'a [f32],
    pub inverse: &'a [f32],
}

/// The equation of a level. Rows of results have no ends, but that of `jacobi` has.
pub(super) trait Stencil: Copy + Sync {
    /// `to = x + (j − x)`, j being Jacobi's value.
    fn jacobi(self, at: usize, x: Three<'_>, b: &[f32], to: &mut [f32]);

    /// `to = b − A x`, from rows without ends; `ends` is what stands beyond those of the middle one.
    fn residual(self, at: usize, x: Three<'_>, ends: [f32; 2], b: &[f32], to: &mut [f32]);

    /// `x += ω·(j − x)` for columns of one kind.
    fn relax(self, at: usize, kind: usize, around: Around<'_>, b: &[f32], couplings: Couplings<'_>, x: &mut [f32]);

    /// `to = b − A x` for columns of one kind.
    #[expect(clippy::too_many_arguments, reason = "all that the equation has")]
    fn left(
        self,
        at: usize,
        kind: usize,
        x: &[f32],
        around: Around<'_>,
        b: &[f32],
        couplings: Couplings<'_>,
        to: &mut [f32],
    );

    /// Couplings of a row, where there are weights: of the vertical faces, the horizontal ones below it, and the inverse; above the
    /// last row there are only the second.
    fn couplings(&self, at: usize) -> Option<[&[f32]; 3]>;

    /// On a finest level with solids, where couplings are 1 or 0 and follow from the inverses: what stands for an inverse beyond
    /// the left, right, lower and upper side. Half sweeps are given inverses in place of couplings then.
    fn sides(&self) -> Option<[f32; 4]>;

    /// Sets the values of a row's even and odd columns to 0 where nothing couples.
    fn mask(self, at: usize, row: [&mut [f32]; 2]);
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

    /// Those of them that are of a kind, by their place among it.
    #[inline(always)]
    fn ends_of(self, kind: usize) -> impl Iterator<Item = (usize, [f32; 2])> {
        self.ends().into_iter().filter(move |(i, _)| i % 2 == kind).map(|(i, ends)| (i / 2, ends))
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

/// What stands to the left and the right of one value.
#[inline(always)]
fn beside_one(row: &[f32], i: usize, [before, after]: [f32; 2]) -> [f32; 2] {
    [if i > 0 { row[i - 1] } else { before }, if i + 1 < row.len() { row[i + 1] } else { after }]
}

/// One over a sum of couplings.
#[inline(always)]
fn inverse([west, east]: [f32; 2], [south, north]: [f32; 2]) -> f32 {
    let sum = (west + east) + (south + north);
    if sum > 0.0 { 1.0 / sum } else { 0.0 }
}

impl Stencil for Plain<'_> {
    #[inline(always)]
    fn jacobi(self, at: usize, x: Three<'_>, b: &[f32], to: &mut [f32]) {
        let n = b.len();
        let a = self.level.couple[0];
        let rows = self.rows(at);
        let [south, north] = rows;
        let inner = inverse([a, a], rows);
        let (w, c, e) = (&x.row[..n], &x.row[1..][..n], &x.row[2..][..n]);
        let (s, t, to) = (&x.south[1..][..n], &x.north[1..][..n], &mut to[1..][..n]);
        for i in 0..n {
            let j = inner * (b[i] + (a * (w[i] + e[i]) + (south * s[i] + north * t[i])));
            to[i] = c[i] + (j - c[i]);
        }
        for (i, ends) in self.ends() {
            let j = inverse(ends, rows) * (b[i] + ((ends[0] * w[i] + ends[1] * e[i]) + (south * s[i] + north * t[i])));
            to[i] = c[i] + (j - c[i]);
        }
    }

    #[inline(always)]
    fn relax(self, at: usize, kind: usize, around: Around<'_>, b: &[f32], _: Couplings<'_>, x: &mut [f32]) {
        let n = x.len();
        let a = self.level.couple[0];
        let rows = self.rows(at);
        let [south, north] = rows;
        let inner = inverse([a, a], rows);
        let (w, e, b) = (&around.beside[..n], &around.beside[1..][..n], &b[..n]);
        let (s, t) = (&around.south[..n], &around.north[..n]);
        let before = [0, n.max(1) - 1].map(|i| x.get(i).copied().unwrap_or(0.0));
        for i in 0..n {
            let j = inner * (b[i] + (a * (w[i] + e[i]) + (south * s[i] + north * t[i])));
            x[i] += OMEGA * (j - x[i]);
        }
        for (i, ends) in self.ends_of(kind) {
            let c = before[usize::from(i > 0)];
            let j = inverse(ends, rows) * (b[i] + ((ends[0] * w[i] + ends[1] * e[i]) + (south * s[i] + north * t[i])));
            x[i] = c + OMEGA * (j - c);
        }
    }

    #[inline(always)]
    fn left(self, at: usize, kind: usize, x: &[f32], around: Around<'_>, b: &[f32], _: Couplings<'_>, to: &mut [f32]) {
        let n = x.len();
        let a = self.level.couple[0];
        let [south, north] = self.rows(at);
        let (w, e, b) = (&around.beside[..n], &around.beside[1..][..n], &b[..n]);
        let (s, t, to) = (&around.south[..n], &around.north[..n], &mut to[..n]);
        for i in 0..n {
            let rows = south * (x[i] - s[i]) + north * (x[i] - t[i]);
            to[i] = b[i] - (a * ((x[i] - w[i]) + (x[i] - e[i])) + rows);
        }
        for (i, ends) in self.ends_of(kind) {
            let rows = south * (x[i] - s[i]) + north * (x[i] - t[i]);
            to[i] = b[i] - ((ends[0] * (x[i] - w[i]) + ends[1] * (x[i] - e[i])) + rows);
        }
    }

    #[inline(always)]
    fn couplings(&self, _: usize) -> Option<[&[f32]; 3]> {
        None
    }

    #[inline(always)]
    fn residual(self, at: usize, x: Three<'_>, beyond: [f32; 2], b: &[f32], to: &mut [f32]) {
        let n = b.len();
        let a = self.level.couple[0];
        let [south, north] = self.rows(at);
        let (c, s, t, to) = (&x.row[..n], &x.south[..n], &x.north[..n], &mut to[..n]);
        for i in 1..n.max(2) - 1 {
            let rows = south * (c[i] - s[i]) + north * (c[i] - t[i]);
            to[i] = b[i] - (a * ((c[i] - c[i - 1]) + (c[i] - c[i + 1])) + rows);
        }
        for (i, ends) in self.ends() {
            let [w, e] = beside_one(c, i, beyond);
            let rows = south * (c[i] - s[i]) + north * (c[i] - t[i]);
            to[i] = b[i] - ((ends[0] * (c[i] - w) + ends[1] * (c[i] - e)) + rows);
        }
    }

    #[inline(always)]
    fn sides(&self) -> Option<[f32; 4]> {
        None
    }

    #[inline(always)]
    fn mask(self, _: usize, _: [&mut [f32]; 2]) {}
}

/// A level with solids.
#[derive(Clone, Copy)]
pub(super) struct Weighted<'a> {
    pub width: usize,
    pub weights: Weights<'a>,
    sides: Option<[f32; 4]>,
}

impl<'a> Weighted<'a> {
    pub fn new(level: &Level, weights: Weights<'a>) -> Self {
        let finest = level.spacing == [1.0; 2];
        let sides = finest.then(|| level.edges.map(|edge| f32::from(u8::from(edge == Side::Open))));
        Weighted { width: level.size[0], weights, sides }
    }
}

/// The coupling of a cell to one with this inverse.
#[inline(always)]
fn open(inverse: f32) -> f32 {
    if inverse > 0.0 { 1.0 } else { 0.0 }
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

    /// The inverses of a row and of those below and above it; `None` for the first row and the last.
    #[inline(always)]
    fn inverses(&self, at: usize) -> Option<[&[f32]; 3]> {
        let n = self.width;
        let rows = self.weights.inverse.get(at.checked_sub(1)? * n..(at + 2) * n)?;
        Some([&rows[..n], &rows[n..2 * n], &rows[2 * n..]])
    }
}

impl Stencil for Weighted<'_> {
    #[inline(always)]
    fn jacobi(self, at: usize, x: Three<'_>, b: &[f32], to: &mut [f32]) {
        let n = self.width;
        let [west, east, south, north, inverse] = self.row(at);
        let (w, c, e) = (&x.row[..n], &x.row[1..][..n], &x.row[2..][..n]);
        let (s, t, to) = (&x.south[1..][..n], &x.north[1..][..n], &mut to[1..][..n]);
        let b = &b[..n];
        for i in 0..n {
            let sum = (west[i] * w[i] + east[i] * e[i]) + (south[i] * s[i] + north[i] * t[i]);
            to[i] = c[i] + (inverse[i] * (b[i] + sum) - c[i]);
        }
    }

    #[inline(always)]
    fn relax(self, _: usize, _: usize, around: Around<'_>, b: &[f32], couplings: Couplings<'_>, x: &mut [f32]) {
        let n = x.len();
        let Couplings { west, east, south, north, inverse } = couplings;
        let (west, east, south, north, inverse) = (&west[..n], &east[..n], &south[..n], &north[..n], &inverse[..n]);
        let (w, e, b) = (&around.beside[..n], &around.beside[1..][..n], &b[..n]);
        let (s, t) = (&around.south[..n], &around.north[..n]);
        if self.sides.is_some() {
            for i in 0..n {
                let columns = open(west[i]) * w[i] + open(east[i]) * e[i];
                let sum = columns + (open(south[i]) * s[i] + open(north[i]) * t[i]);
                x[i] += OMEGA * (inverse[i] * (b[i] + sum) - x[i]);
            }
            return;
        }
        for i in 0..n {
            let sum = (west[i] * w[i] + east[i] * e[i]) + (south[i] * s[i] + north[i] * t[i]);
            x[i] += OMEGA * (inverse[i] * (b[i] + sum) - x[i]);
        }
    }

    #[inline(always)]
    fn left(
        self,
        _: usize,
        _: usize,
        x: &[f32],
        around: Around<'_>,
        b: &[f32],
        couplings: Couplings<'_>,
        to: &mut [f32],
    ) {
        let n = x.len();
        let Couplings { west, east, south, north, inverse } = couplings;
        let (west, east, south, north, inverse) = (&west[..n], &east[..n], &south[..n], &north[..n], &inverse[..n]);
        let (w, e, b) = (&around.beside[..n], &around.beside[1..][..n], &b[..n]);
        let (s, t, to) = (&around.south[..n], &around.north[..n], &mut to[..n]);
        if self.sides.is_some() {
            for i in 0..n {
                let columns = open(west[i]) * (x[i] - w[i]) + open(east[i]) * (x[i] - e[i]);
                let all = columns + (open(south[i]) * (x[i] - s[i]) + open(north[i]) * (x[i] - t[i]));
                to[i] = b[i] - open(inverse[i]) * all;
            }
            return;
        }
        for i in 0..n {
            let columns = west[i] * (x[i] - w[i]) + east[i] * (x[i] - e[i]);
            to[i] = b[i] - (columns + (south[i] * (x[i] - s[i]) + north[i] * (x[i] - t[i])));
        }
    }

    #[inline(always)]
    fn couplings(&self, at: usize) -> Option<[&[f32]; 3]> {
        let (n, Weights { x, y, inverse }) = (self.width, self.weights);
        let last = at * n >= inverse.len();
        let of = |width: usize| if last { 0..0 } else { at * width..(at + 1) * width };
        match self.sides {
            None => Some([&x[of(n + 1)], &y[at * n..][..n], &inverse[of(n)]]),
            Some(_) => Some([&[], &[], &inverse[of(n)]]),
        }
    }

    #[inline(always)]
    fn residual(self, at: usize, x: Three<'_>, beyond: [f32; 2], b: &[f32], to: &mut [f32]) {
        let n = self.width;
        let [west, east, south, north, _] = self.row(at);
        let (c, s, t, b, to) = (&x.row[..n], &x.south[..n], &x.north[..n], &b[..n], &mut to[..n]);
        let (south, north) = (&south[..n], &north[..n]);
        let inner = self.sides.and_then(|_| self.inverses(at));
        match inner {
            // Where all couplings are 0 or 1, those of the cells beside it say them: that is less to read.
            Some([below, here, above]) => {
                for i in 1..n.max(2) - 1 {
                    let columns = open(here[i - 1]) * (c[i] - c[i - 1]) + open(here[i + 1]) * (c[i] - c[i + 1]);
                    let all = columns + (open(below[i]) * (c[i] - s[i]) + open(above[i]) * (c[i] - t[i]));
                    to[i] = b[i] - open(here[i]) * all;
                }
            }
            None => {
                for i in 1..n.max(2) - 1 {
                    let columns = west[i] * (c[i] - c[i - 1]) + east[i] * (c[i] - c[i + 1]);
                    to[i] = b[i] - (columns + (south[i] * (c[i] - s[i]) + north[i] * (c[i] - t[i])));
                }
            }
        }
        for i in [0, n - 1] {
            let [w, e] = beside_one(c, i, beyond);
            let columns = west[i] * (c[i] - w) + east[i] * (c[i] - e);
            to[i] = b[i] - (columns + (south[i] * (c[i] - s[i]) + north[i] * (c[i] - t[i])));
        }
    }

    #[inline(always)]
    fn sides(&self) -> Option<[f32; 4]> {
        self.sides
    }

    #[inline(always)]
    fn mask(self, at: usize, row: [&mut [f32]; 2]) {
        let inverse = &self.weights.inverse[at * self.width..][..self.width];
        let kept = |value: f32, inverse: f32| if inverse > 0.0 { value } else { 0.0 };
        let (pairs, last) = inverse.as_chunks::<2>();
        let [even, odd] = row;
        for ((even, odd), [first, second]) in even.iter_mut().zip(&mut *odd).zip(pairs) {
            (*even, *odd) = (kept(*even, *first), kept(*odd, *second));
        }
        if let [last] = last {
            let even = &mut even[pairs.len()];
            *even = kept(*even, *last);
        }
    }
}
