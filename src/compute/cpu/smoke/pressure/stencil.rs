//! The five-point equation of the pressure, `b = Σ a·(x − x_neighbour)`, for a row of cells.
//!
//! Red-black sweeps store the even columns of a row (parity 0) and the odd ones (parity 1) apart and work on one parity
//! at a time. A padded row has one more value at each end: the neighbour across a wrapped side, else 0. GPU:
//! `shared/stencil.wgsl`; reference: `tests/reference/mod.rs`.

use super::super::operands::{Boundary, CoefficientPlanes, OMEGA, PlaneLevel};

/// A row between the rows below and above it.
#[derive(Clone, Copy)]
pub(super) struct RowTriple<'a> {
    pub south: &'a [f32],
    pub row: &'a [f32],
    pub north: &'a [f32],
}

/// The neighbours of the columns of one parity.
#[derive(Clone, Copy)]
pub(super) struct Neighbours<'a> {
    /// Columns of the other parity: value `i` is the left neighbour of column `i`, value `i + 1` its right neighbour.
    pub beside: &'a [f32],
    pub south: &'a [f32],
    pub north: &'a [f32],
}

impl<'a> Neighbours<'a> {
    /// West, east, south and north of `n` columns.
    #[inline(always)]
    fn sides(self, n: usize) -> [&'a [f32]; 4] {
        [&self.beside[..n], &self.beside[1..][..n], &self.south[..n], &self.north[..n]]
    }
}

/// The coefficients of a cell's four faces and the inverse diagonal, by the cell's index.
pub(super) trait FivePoint: Copy {
    /// `Σ a·v` over the values `v` of west, east, south and north.
    fn weighted_sum(self, i: usize, v: [f32; 4]) -> f32;

    /// `1 / Σ a`, or 0.
    fn inverse(self, i: usize) -> f32;

    /// 0 for a solid cell whose coefficients are not 0, else 1.
    fn mask(self, i: usize) -> f32;
}

/// `x + ω·(j − x)` with Jacobi's value `j`.
#[inline(always)]
fn relaxed(a: impl FivePoint, i: usize, omega: f32, x: f32, neighbours: [f32; 4], b: f32) -> f32 {
    let jacobi = a.inverse(i) * (b + a.weighted_sum(i, neighbours));
    x + omega * (jacobi - x)
}

/// `b − A x`.
#[inline(always)]
fn residual(a: impl FivePoint, i: usize, x: f32, [w, e, s, n]: [f32; 4], b: f32) -> f32 {
    b - a.mask(i) * a.weighted_sum(i, [x - w, x - e, x - s, x - n])
}

/// Jacobi's values in a padded row.
#[inline(always)]
fn jacobi_all(a: impl FivePoint, x: RowTriple<'_>, b: &[f32], to: &mut [f32]) {
    let len = b.len();
    let (w, c, e) = (&x.row[..len], &x.row[1..][..len], &x.row[2..][..len]);
    let (s, n, to) = (&x.south[1..][..len], &x.north[1..][..len], &mut to[1..][..len]);
    for i in 0..len {
        to[i] = relaxed(a, i, 1.0, c[i], [w[i], e[i], s[i], n[i]], b[i]);
    }
}

/// Residuals of cells, given their values and those of west, east, south and north.
#[inline(always)]
fn residual_all(a: impl FivePoint, x: &[f32], [w, e, s, n]: [&[f32]; 4], b: &[f32], to: &mut [f32]) {
    for i in 0..x.len() {
        to[i] = residual(a, i, x[i], [w[i], e[i], s[i], n[i]], b[i]);
    }
}

/// The residuals of a row. `inner`: coefficients from the second cell to the last but one; `ends`: index and
/// coefficients of the first and the last cell; `beyond`: the values of x beyond both ends of the row.
#[inline(always)]
fn residual_row(
    inner: impl FivePoint,
    ends: [(usize, Constant<false>); 2],
    x: RowTriple<'_>,
    beyond: [f32; 2],
    b: &[f32],
    to: &mut [f32],
) {
    let n = b.len();
    let (c, s, t, to) = (&x.row[..n], &x.south[..n], &x.north[..n], &mut to[..n]);
    if n > 2 {
        let range = 1..n - 1;
        let sides = [&c[..n - 2], &c[2..], &s[range.clone()], &t[range.clone()]];
        residual_all(inner, &c[range.clone()], sides, &b[range.clone()], &mut to[range]);
    }
    for (i, end) in ends {
        let west = if i > 0 { c[i - 1] } else { beyond[0] };
        let east = if i + 1 < n { c[i + 1] } else { beyond[1] };
        to[i] = residual(end, i, c[i], [west, east, s[i], t[i]], b[i]);
    }
}

/// The coefficients of west, east, south and north faces and the inverse diagonals, by cell.
pub(super) type Coefficients<'a> = [&'a [f32]; 5];

#[inline(always)]
fn cut(of: Coefficients<'_>, first: usize, n: usize) -> Coefficients<'_> {
    of.map(|of| &of[first..][..n])
}

/// Coefficients by cell. `BINARY`: each is 1 or 0 and is derived from the neighbour's inverse diagonal, of which there
/// is one per cell: less memory is read. The first four rows then have the inverse diagonals of the four neighbours.
#[derive(Clone, Copy)]
pub(super) struct PerCell<'a, const BINARY: bool>(Coefficients<'a>);

/// The coefficient of a face to a cell with this inverse diagonal.
#[inline(always)]
fn open(inverse: f32) -> f32 {
    if inverse > 0.0 { 1.0 } else { 0.0 }
}

impl<const BINARY: bool> FivePoint for PerCell<'_, BINARY> {
    #[inline(always)]
    fn weighted_sum(self, i: usize, [w, e, s, n]: [f32; 4]) -> f32 {
        let [west, east, south, north, _] = self.0;
        if BINARY {
            (open(west[i]) * w + open(east[i]) * e) + (open(south[i]) * s + open(north[i]) * n)
        } else {
            (west[i] * w + east[i] * e) + (south[i] * s + north[i] * n)
        }
    }

    #[inline(always)]
    fn inverse(self, i: usize) -> f32 {
        self.0[4][i]
    }

    #[inline(always)]
    fn mask(self, i: usize) -> f32 {
        if BINARY { open(self.0[4][i]) } else { 1.0 }
    }
}

/// The same coefficients for all cells. `EQUAL`: those of west and east are equal, and multiply the sum of both values.
#[derive(Clone, Copy)]
pub(super) struct Constant<const EQUAL: bool> {
    columns: [f32; 2],
    rows: [f32; 2],
    inverse: f32,
}

impl<const EQUAL: bool> Constant<EQUAL> {
    #[inline(always)]
    fn new(columns: [f32; 2], rows: [f32; 2]) -> Self {
        let sum = (columns[0] + columns[1]) + (rows[0] + rows[1]);
        Constant { columns, rows, inverse: if sum > 0.0 { 1.0 / sum } else { 0.0 } }
    }
}

impl<const EQUAL: bool> FivePoint for Constant<EQUAL> {
    #[inline(always)]
    fn weighted_sum(self, _: usize, [w, e, s, n]: [f32; 4]) -> f32 {
        let ([west, east], [south, north]) = (self.columns, self.rows);
        let columns = if EQUAL { west * (w + e) } else { west * w + east * e };
        columns + (south * s + north * n)
    }

    #[inline(always)]
    fn inverse(self, _: usize) -> f32 {
        self.inverse
    }

    #[inline(always)]
    fn mask(self, _: usize) -> f32 {
        1.0
    }
}

/// The first and the last cell of a row where they have other coefficients than the inner cells: index, coefficients.
type Ends = [Option<(usize, Constant<false>)>; 2];

/// The equation of a level. Sweeps read the coefficients of a row once, keep them in a ring buffer, and pass them as
/// `given`.
pub(super) trait Stencil: Copy + Sync {
    /// Coefficients of a row.
    type RowCoefficients<'r>: FivePoint;

    /// The coefficients of the `n` columns of one parity of a row (`row`: index and parity), and those of its ends
    /// where they differ. `given`: the coefficients on a level with solids, else empty.
    fn parity<'r>(self, row: [usize; 2], n: usize, given: Coefficients<'r>) -> (Self::RowCoefficients<'r>, Ends);

    /// Jacobi's values of the row `at`, from padded rows into a padded row.
    fn jacobi(self, at: usize, x: RowTriple<'_>, b: &[f32], to: &mut [f32]);

    /// `to = b − A x` in the row `at`; `beyond` has the values beyond the ends of the middle row.
    fn residual(self, at: usize, x: RowTriple<'_>, beyond: [f32; 2], b: &[f32], to: &mut [f32]);

    /// The coefficients that sweeps read for the row `at`: those of its vertical faces, those of the horizontal faces
    /// below it, and its inverse diagonals. One row above the grid's last has the horizontal faces only. On the finest
    /// level the face coefficients are empty. `None` on a level without solids.
    fn coefficient_rows(&self, at: usize) -> Option<[&[f32]; 3]>;

    /// On the finest level with solids, where [`given`](Self::parity) has the inverse diagonals of the neighbours:
    /// those beyond the left, right, lower and upper side (1 beyond an open side, else 0). `None` on other levels.
    fn side_inverses(&self) -> Option<[f32; 4]>;

    /// Sets the even and odd columns of the row `at` to 0 in solid cells.
    fn mask(self, at: usize, row: [&mut [f32]; 2]);

    /// `x += ω·(j − x)` for the columns of a row (index and parity).
    #[inline(always)]
    fn relax_parity(
        self,
        row: [usize; 2],
        neighbours: Neighbours<'_>,
        b: &[f32],
        given: Coefficients<'_>,
        x: &mut [f32],
    ) {
        let n = x.len();
        let (a, ends) = self.parity(row, n, given);
        let ([west, east, south, north], b) = (neighbours.sides(n), &b[..n]);
        let before = [0, n.max(1) - 1].map(|i| x.get(i).copied().unwrap_or(0.0));
        for i in 0..n {
            x[i] = relaxed(a, i, OMEGA, x[i], [west[i], east[i], south[i], north[i]], b[i]);
        }
        for (i, end) in ends.into_iter().flatten() {
            let sides = [west[i], east[i], south[i], north[i]];
            x[i] = relaxed(end, i, OMEGA, before[usize::from(i > 0)], sides, b[i]);
        }
    }

    /// `to = b − A x` for the columns of a row (index and parity).
    #[inline(always)]
    fn residual_parity(
        self,
        row: [usize; 2],
        x: &[f32],
        neighbours: Neighbours<'_>,
        b: &[f32],
        given: Coefficients<'_>,
        to: &mut [f32],
    ) {
        let n = x.len();
        let (a, ends) = self.parity(row, n, given);
        let (sides, b, to) = (neighbours.sides(n), &b[..n], &mut to[..n]);
        residual_all(a, x, sides, b, to);
        for (i, end) in ends.into_iter().flatten() {
            to[i] = residual(end, i, x[i], sides.map(|side| side[i]), b[i]);
        }
    }
}

/// Evaluates an expression with the stencil of a level: [`Uniform`] without solids, else [`Variable`].
macro_rules! with_stencil {
    ($operands:expr, |$stencil:ident| $expression:expr) => {{
        use super::stencil::{Uniform, Variable};
        let level = $operands.level;
        match $operands.coefficients {
            None => {
                let $stencil = Uniform { level };
                $expression
            }
            Some(coefficients) if level.spacing == [1.0; 2] => {
                let $stencil = Variable::<true> { level, coefficients };
                $expression
            }
            Some(coefficients) => {
                let $stencil = Variable::<false> { level, coefficients };
                $expression
            }
        }
    }};
}
pub(super) use with_stencil;

/// A level without solids.
#[derive(Clone, Copy)]
pub(super) struct Uniform<'a> {
    pub level: &'a PlaneLevel,
}

impl Uniform<'_> {
    /// The coefficients of the inner cells of a row, and of its first and last cell with their columns.
    #[inline(always)]
    fn row(self, at: usize) -> (Constant<true>, [(usize, Constant<false>); 2]) {
        let PlaneLevel { size, coefficient: [across, along], side_coefficient, .. } = *self.level;
        let last = size[0] - 1;
        let rows = [
            if at == 0 { side_coefficient[2] } else { along },
            if at + 1 == size[1] { side_coefficient[3] } else { along },
        ];
        let inner = |side: usize| if last == 0 { side_coefficient[side] } else { across };
        let ends = [(0, [side_coefficient[0], inner(1)]), (last, [inner(0), side_coefficient[1]])];
        (Constant::new([across; 2], rows), ends.map(|(i, columns)| (i, Constant::new(columns, rows))))
    }
}

impl Stencil for Uniform<'_> {
    type RowCoefficients<'r> = Constant<true>;

    #[inline(always)]
    fn parity<'r>(self, [at, parity]: [usize; 2], _: usize, _: Coefficients<'r>) -> (Constant<true>, Ends) {
        let (inner, ends) = self.row(at);
        (inner, ends.map(|(i, end)| (i % 2 == parity).then_some((i / 2, end))))
    }

    #[inline(always)]
    fn jacobi(self, at: usize, x: RowTriple<'_>, b: &[f32], to: &mut [f32]) {
        let (inner, ends) = self.row(at);
        jacobi_all(inner, x, b, to);
        for (i, end) in ends {
            let sides = [x.row[i], x.row[i + 2], x.south[i + 1], x.north[i + 1]];
            to[i + 1] = relaxed(end, i, 1.0, x.row[i + 1], sides, b[i]);
        }
    }

    #[inline(always)]
    fn residual(self, at: usize, x: RowTriple<'_>, beyond: [f32; 2], b: &[f32], to: &mut [f32]) {
        let (inner, ends) = self.row(at);
        residual_row(inner, ends, x, beyond, b, to);
    }

    #[inline(always)]
    fn coefficient_rows(&self, _: usize) -> Option<[&[f32]; 3]> {
        None
    }

    #[inline(always)]
    fn side_inverses(&self) -> Option<[f32; 4]> {
        None
    }

    #[inline(always)]
    fn mask(self, _: usize, _: [&mut [f32]; 2]) {}
}

/// A level with solids: each face has its coefficient. `BINARY`: the finest level, where coefficients are 1 or 0.
#[derive(Clone, Copy)]
pub(super) struct Variable<'a, const BINARY: bool> {
    pub level: &'a PlaneLevel,
    pub coefficients: CoefficientPlanes<'a>,
}

impl<const BINARY: bool> Stencil for Variable<'_, BINARY> {
    type RowCoefficients<'r> = PerCell<'r, BINARY>;

    #[inline(always)]
    fn parity<'r>(self, _: [usize; 2], n: usize, given: Coefficients<'r>) -> (PerCell<'r, BINARY>, Ends) {
        (PerCell(cut(given, 0, n)), [None; 2])
    }

    #[inline(always)]
    fn jacobi(self, at: usize, x: RowTriple<'_>, b: &[f32], to: &mut [f32]) {
        let row = PerCell::<false>(self.row(at));
        jacobi_all(row, x, &b[..self.level.size[0]], to);
    }

    #[inline(always)]
    fn residual(self, at: usize, x: RowTriple<'_>, beyond: [f32; 2], b: &[f32], to: &mut [f32]) {
        let (n, row) = (self.level.size[0], self.row(at));
        let [west, east, south, north, inverse] = row;
        let of = |i: usize| Constant { columns: [west[i], east[i]], rows: [south[i], north[i]], inverse: inverse[i] };
        let ends = [0, n - 1].map(|i| (i, of(i)));
        let (b, len) = (&b[..n], n.max(2) - 2);
        match self.rows_of_inverses(at) {
            Some([below, here, above]) => {
                let inner = [&here[..len], &here[n - len..], &below[1..n - 1], &above[1..n - 1], &here[1..n - 1]];
                residual_row(PerCell::<true>(inner), ends, x, beyond, b, to);
            }
            None => residual_row(PerCell::<false>(cut(row, n.min(2) - 1, len)), ends, x, beyond, b, to),
        }
    }

    #[inline(always)]
    fn coefficient_rows(&self, at: usize) -> Option<[&[f32]; 3]> {
        let (n, CoefficientPlanes { x, y, inverse }) = (self.level.size[0], self.coefficients);
        let above = at * n >= inverse.len();
        let of = |width: usize| if above { 0..0 } else { at * width..(at + 1) * width };
        let faces: [&[f32]; 2] = if BINARY { [&[]; 2] } else { [&x[of(n + 1)], &y[at * n..][..n]] };
        Some([faces[0], faces[1], &inverse[of(n)]])
    }

    #[inline(always)]
    fn side_inverses(&self) -> Option<[f32; 4]> {
        BINARY.then(|| self.level.edges.map(|edge| f32::from(u8::from(edge == Boundary::Open))))
    }

    #[inline(always)]
    fn mask(self, at: usize, row: [&mut [f32]; 2]) {
        let n = self.level.size[0];
        let kept = |value: f32, inverse: f32| if inverse > 0.0 { value } else { 0.0 };
        let (pairs, last) = self.coefficients.inverse[at * n..][..n].as_chunks::<2>();
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

impl<'a, const BINARY: bool> Variable<'a, BINARY> {
    #[inline(always)]
    fn row(self, at: usize) -> Coefficients<'a> {
        let n = self.level.size[0];
        let x = &self.coefficients.x[at * (n + 1)..][..n + 1];
        let y = &self.coefficients.y[at * n..][..2 * n];
        [&x[..n], &x[1..], &y[..n], &y[n..], &self.coefficients.inverse[at * n..][..n]]
    }

    /// The inverse diagonals of the rows below, at and above `at`, from which the coefficients of inner cells are
    /// derived; `None` for the first and the last row, for rows without inner cells, and on coarser levels.
    #[inline(always)]
    fn rows_of_inverses(self, at: usize) -> Option<[&'a [f32]; 3]> {
        let n = self.level.size[0];
        if !BINARY || n < 3 {
            return None;
        }
        let rows = self.coefficients.inverse.get(at.checked_sub(1)? * n..(at + 2) * n)?;
        Some([&rows[..n], &rows[n..2 * n], &rows[2 * n..]])
    }
}
