//! Rows of face velocities: divergence, gradient and boundary conditions. GPU: `divergence.wgsl`,
//! `subtract_gradient.wgsl`, `enforce_boundaries.wgsl`; reference: `tests/reference/mod.rs`.

use std::ops::Range;

use super::super::obstacles::any;
use super::super::operands::{Boundary, CoefficientPlanes, PlaneLevel};
use super::reductions::{sum, sum_and_squares};

/// Number of faces that are tested for solids at once: most are far from solids.
const PIECE: usize = 64;

/// The level that rows belong to.
#[derive(Clone, Copy)]
pub(super) struct VelocityRows<'a> {
    pub level: &'a PlaneLevel,
    pub coefficients: Option<CoefficientPlanes<'a>>,
}

impl VelocityRows<'_> {
    /// A row of the right-hand side, the negative divergence of the velocities around it, with its sum and sum of
    /// squares.
    #[inline(always)]
    pub fn divergence(&self, row: usize, u: &[f32], south: &[f32], north: &[f32], b: &mut [f32]) -> [f64; 2] {
        let n = b.len();
        let (west, east, south, north) = (&u[..n], &u[1..][..n], &south[..n], &north[..n]);
        for i in 0..n {
            b[i] = -((east[i] - west[i]) + (north[i] - south[i]));
        }
        if let Some(coefficients) = self.coefficients {
            for (b, inverse) in b.iter_mut().zip(&coefficients.inverse[row * n..]) {
                *b = if *inverse > 0.0 { *b } else { 0.0 };
            }
        }
        sum_and_squares(b)
    }

    /// Adds a row of a source to a row of the right-hand side; returns its sum and sum of squares.
    #[inline(always)]
    pub fn add_source(&self, row: usize, source: &[f32], b: &mut [f32]) -> [f64; 2] {
        let n = b.len();
        let source = &source[..n];
        match self.coefficients {
            None => {
                for i in 0..n {
                    b[i] += source[i];
                }
            }
            Some(coefficients) => {
                let inverse = &coefficients.inverse[row * n..][..n];
                for i in 0..n {
                    b[i] += if inverse[i] > 0.0 { source[i] } else { 0.0 };
                }
            }
        }
        sum_and_squares(b)
    }

    /// Subtracts the gradient of e from a row of u.
    #[inline(always)]
    pub fn subtract_u(&self, row: usize, e: &[f32], u: &mut [f32]) {
        let n = e.len();
        let wraps = self.level.wraps(0);
        let coefficients = self.coefficients.map(|coefficients| &coefficients.x[row * (n + 1)..][..n + 1]);
        let open = |side: usize| match self.level.edges[side] {
            Boundary::Open => 1.0,
            Boundary::Wrap if n > 1 => 1.0,
            Boundary::Closed | Boundary::Wrap => 0.0,
        };
        let [low, high] = coefficients.map_or([open(0), open(1)], |w| [w[0], w[n]]);
        let (first, last) = (e[0], e[n - 1]);
        let ends = if wraps { [first - last, first - last] } else { [first, -last] };
        u[0] -= low * ends[0];
        subtract(&e[..n - 1], &e[1..n], coefficients.map(|w| &w[1..n]), &mut u[1..n]);
        u[n] -= high * ends[1];
        if wraps {
            u[n] = u[0];
        }
    }

    /// Subtracts the gradient of e from a row of v, given the rows of e below and above it. Beyond a wrapped side, the
    /// row of e is that of the opposite side; beyond other sides its values do not matter.
    #[inline(always)]
    pub fn subtract_v(&self, row: usize, [below, above]: [&[f32]; 2], v: &mut [f32]) {
        let [n, rows] = self.level.size;
        let coefficients = self.coefficients.map(|coefficients| &coefficients.y[row * n..][..n]);
        let inner = row > 0 && row < rows;
        let side = if row == 0 { 2 } else { 3 };
        match (inner, self.level.edges[side]) {
            (true, _) => subtract(below, above, coefficients, v),
            (false, Boundary::Closed) => {}
            (false, Boundary::Wrap) if rows == 1 => {}
            (false, Boundary::Wrap) => subtract(below, above, coefficients, v),
            (false, Boundary::Open) => {
                let (line, sign) = if row == 0 { (above, 1.0) } else { (below, -1.0) };
                for (i, v) in v.iter_mut().enumerate() {
                    *v -= coefficients.map_or(1.0, |w| w[i]) * (sign * line[i]);
                }
            }
        }
    }

    /// The rows of e below and above a row of v, as [`subtract_v`](Self::subtract_v) takes them.
    #[inline(always)]
    pub fn beside<'e>(&self, row: usize, e: &'e [f32]) -> [&'e [f32]; 2] {
        let [n, rows] = self.level.size;
        [row + rows - 1, row].map(|row| &e[row % rows * n..][..n])
    }

    /// Sets boundary conditions in a row of u, given the solid cells and the velocities of their faces; returns the sum
    /// of the squared changes at solids.
    #[inline(always)]
    pub fn enforce_u(&self, row: usize, solid: Option<[&[f32]; 2]>, u: &mut [f32]) -> f64 {
        let n = self.level.size[0];
        let wraps = self.level.wraps(0);
        for (side, at) in [(0, 0), (1, n)] {
            if self.level.edges[side] == Boundary::Closed {
                u[at] = 0.0;
            }
        }
        let mut changed = 0.0;
        if let Some([cells, of]) = solid {
            let (cells, of) = (&cells[row * n..][..n], &of[row * (n + 1)..][..n + 1]);
            let inner = [&cells[..n - 1], &cells[1..], &of[1..n]];
            changed += enforce(inner, &mut u[1..n]);
            let before = if wraps { cells[n - 1] } else { 0.0 };
            changed += enforce([&[before], &cells[..1], of], &mut u[..1]);
            if !wraps {
                changed += enforce([&cells[n - 1..], &[0.0], &of[n..]], &mut u[n..]);
            }
        }
        if wraps {
            u[n] = u[0];
        }
        changed
    }

    /// Sets boundary conditions in a row of v, as [`enforce_u`](Self::enforce_u). Where y wraps, the last row does not
    /// change: the caller copies the first row to it.
    #[inline(always)]
    pub fn enforce_v(&self, row: usize, solid: Option<[&[f32]; 2]>, v: &mut [f32]) -> f64 {
        let [n, rows] = self.level.size;
        let wraps = self.level.wraps(1);
        if (row == 0 && self.level.edges[2] == Boundary::Closed)
            || (row == rows && self.level.edges[3] == Boundary::Closed)
        {
            v.fill(0.0);
        }
        let Some([cells, of]) = solid.filter(|_| !(wraps && row == rows)) else { return 0.0 };
        let line = |row: Option<usize>| row.filter(|row| *row < rows).map(|row| &cells[row * n..][..n]);
        let below = line(if row > 0 { Some(row - 1) } else { wraps.then(|| rows - 1) });
        let (above, of) = (line(Some(row)), &of[row * n..][..n]);
        match (below, above) {
            (Some(below), Some(above)) => enforce([below, above, of], v),
            (Some(line), None) | (None, Some(line)) => enforce([line, line, of], v),
            (None, None) => 0.0,
        }
    }
}

/// Sets faces at solid cells to the velocities of the solids; returns the sum of the squared changes. The input has,
/// for each face, both cells (1 if solid) and the velocity of the solid.
#[inline(always)]
fn enforce([first, second, of]: [&[f32]; 3], to: &mut [f32]) -> f64 {
    let mut changed = 0.0;
    let cells = first.chunks(PIECE).zip(second.chunks(PIECE));
    for ((to, of), (first, second)) in to.chunks_mut(PIECE).zip(of.chunks(PIECE)).zip(cells) {
        let n = to.len();
        let (first, second, of) = (&first[..n], &second[..n], &of[..n]);
        if !any(first) && !any(second) {
            continue;
        }
        let [squares] = sum(
            [first, second, of, &*to],
            #[inline(always)]
            |[a, b, of, to]| [if a + b > 0.0 { (to - of) * (to - of) } else { 0.0 }],
        );
        changed += squares;
        for i in 0..n {
            to[i] = if first[i] + second[i] > 0.0 { of[i] } else { to[i] };
        }
    }
    changed
}

/// `to ← to − coefficient·(high − low)`; without coefficients they count as 1.
#[inline(always)]
fn subtract(low: &[f32], high: &[f32], coefficients: Option<&[f32]>, to: &mut [f32]) {
    let n = to.len();
    let (low, high) = (&low[..n], &high[..n]);
    match coefficients {
        None => {
            for i in 0..n {
                to[i] -= high[i] - low[i];
            }
        }
        Some(coefficients) => {
            let coefficients = &coefficients[..n];
            for i in 0..n {
                to[i] -= coefficients[i] * (high[i] - low[i]);
            }
        }
    }
}

/// Cuts a plane of `width` columns into the rows of each band. The last band also gets all rows after it.
pub(super) fn split_bands<'a>(plane: &'a mut [f32], width: usize, bands: &[Range<usize>]) -> Vec<&'a mut [f32]> {
    let mut rest = plane;
    let mut cut = Vec::with_capacity(bands.len());
    for (at, band) in bands.iter().enumerate() {
        let len = if at + 1 == bands.len() { rest.len() } else { band.len() * width };
        let (front, back) = rest.split_at_mut(len);
        cut.push(front);
        rest = back;
    }
    cut
}
