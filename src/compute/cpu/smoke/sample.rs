//! Sample positions of groups of sixteen columns of a row, the taps around them, and interpolation. GPU:
//! `shared/sample.wgsl`; reference: `tests/reference/transport.rs`.

use super::super::lanes::floats::{Floats, Grid, WIDTH};
use super::super::lanes::prefetch;
use super::axis::Axis;
use super::operands::{Curve, VALUE_MAX};
use super::value::Value;

/// The groups of a row: first column and number of columns. The last group overlaps the one before it, so that all have
/// the same number.
#[inline(always)]
pub(super) fn groups(columns: usize) -> impl Iterator<Item = (usize, usize)> {
    let len = WIDTH.min(columns);
    (0..columns.div_ceil(WIDTH)).map(move |group| ((group * WIDTH).min(columns - len), len))
}

/// Loads the values of a group; lanes after the last value are 0.
#[inline(always)]
pub(super) fn read<F: Floats>(values: &[f32]) -> F {
    match values.first_chunk() {
        Some(values) => F::load(values),
        None => {
            let mut all = [0.0; WIDTH];
            all[..values.len()].copy_from_slice(values);
            F::load(&all)
        }
    }
}

/// The mean of two groups.
#[inline(always)]
pub(super) fn mean<F: Floats>(first: &[f32], second: &[f32]) -> F {
    F::splat(0.5).mul(read::<F>(first).add(read(second)))
}

/// Prefetches the value at an index, if the plane has it.
#[inline(always)]
pub(super) fn prefetch_at(plane: &[f32], at: usize) {
    if let Some(value) = plane.get(at) {
        prefetch(value);
    }
}

/// Stores the first values of a group: as many as `to` has.
#[inline(always)]
pub(super) fn write<F: Floats>(of: F, to: &mut [f32]) {
    match to.first_chunk_mut() {
        Some(to) => of.store(to),
        None => {
            let mut all = [0.0; WIDTH];
            of.store(&mut all);
            to.copy_from_slice(&all[..to.len()]);
        }
    }
}

/// A field with the limits of its sample positions.
#[derive(Clone, Copy)]
pub(super) struct Field<'a, F> {
    axes: [Axis; 2],
    grid: Grid<'a>,
    /// Least coordinate of a sample position, per axis.
    low: [F; 2],
    /// Greatest coordinate of a sample position, per axis.
    high: [F; 2],
    /// Offset per axis, in cells, between the points that samples start from and those of this field: their staggering.
    step: [F; 2],
}

impl<'a, F: Floats> Field<'a, F> {
    /// A field with these axes. Displacements start from the points of a field with the axes `at`.
    #[inline(always)]
    pub fn new(axes: [Axis; 2], at: [Axis; 2], values: &'a [f32]) -> Self {
        let [[left, right], [bottom, top]] = [axes[0].limits(), axes[1].limits()];
        Field {
            axes,
            grid: Grid::new(values, axes[0].values as usize),
            low: [F::splat(left), F::splat(bottom)],
            high: [F::splat(right), F::splat(top)],
            step: [F::splat(axes[0].offset(at[0])), F::splat(axes[1].offset(at[1]))],
        }
    }

    /// The sample positions at a displacement from the points of a group.
    #[inline(always)]
    pub fn positions(&self, group: Group<F>, offset: [F; 2]) -> Positions<F> {
        let mut positions = Positions { index: group.index, part: offset };
        for axis in 0..2 {
            let from = group.from[axis];
            let (low, high) = (self.low[axis].sub(from), self.high[axis].sub(from));
            let offset = offset[axis].add(self.step[axis]).greatest(low).least(high);
            let (whole, steps) = offset.floor();
            positions.index[axis] = F::whole_add(group.index[axis], steps);
            positions.part[axis] = offset.sub(whole);
        }
        positions
    }

    /// The values around each position: `K` rows of `K`, the lowest first.
    #[inline(always)]
    pub fn taps<const K: usize>(&self, positions: &Positions<F>) -> [[F; K]; K] {
        let [x, y] = positions.index;
        match F::around(self.grid, x, y) {
            Some(taps) => taps,
            None if !self.axes[0].wraps() && !self.axes[1].wraps() && self.axes[0].values > 0 => {
                let ([left, right], [bottom, top]) = (self.axes[0].closed(), self.axes[1].closed());
                F::around_sides(self.grid, x, y, [!left, !right, !bottom, !top])
            }
            None => {
                let taps = taps_beyond::<K>(self.axes, self.grid.values(), &positions.indices());
                let mut all = [[F::splat(0.0); K]; K];
                for r in 0..K {
                    for c in 0..K {
                        all[r][c] = F::load(&taps[r][c]);
                    }
                }
                all
            }
        }
    }

    /// Bilinear interpolation.
    #[inline(always)]
    pub fn bilinear(&self, positions: &Positions<F>) -> F {
        bilinear(self.taps(positions), positions.part)
    }
}

/// Coordinates of the points of a group: as floats, and as indices.
#[derive(Clone, Copy)]
pub(super) struct Group<F: Floats> {
    from: [F; 2],
    index: [F::Whole; 2],
}

impl<F: Floats> Group<F> {
    #[inline(always)]
    pub fn new([x0, y]: [usize; 2]) -> Self {
        Group::at([x0 as i32, y as i32])
    }

    /// A group whose first point has these indices, which may be off the grid.
    #[inline(always)]
    pub fn at([x0, y]: [i32; 2]) -> Self {
        Group {
            from: [F::steps().add(F::splat(x0 as f32)), F::splat(y as f32)],
            index: [F::whole_add(F::whole_steps(), F::whole(x0)), F::whole(y)],
        }
    }
}

/// Sample positions: index and fraction per axis.
#[derive(Clone, Copy)]
pub(super) struct Positions<F: Floats> {
    pub index: [F::Whole; 2],
    pub part: [F; 2],
}

impl<F: Floats> Positions<F> {
    /// Whether one of the positions lies on a column or a row of values.
    #[inline(always)]
    pub fn on_lines(&self) -> bool {
        self.part[0].any_zero(self.part[1])
    }

    /// Fractions along x and along y, by column of the group.
    #[inline(always)]
    pub fn parts(&self) -> [[f32; WIDTH]; 2] {
        let mut parts = [[0.0; WIDTH]; 2];
        self.part[0].store(&mut parts[0]);
        self.part[1].store(&mut parts[1]);
        parts
    }

    /// Indices along x and along y, by column of the group.
    #[inline(always)]
    pub fn indices(&self) -> [[i32; WIDTH]; 2] {
        [F::wholes(self.index[0]), F::wholes(self.index[1])]
    }
}

/// [`taps_at`] for each position of a group: some of the taps are beyond an edge.
#[cold]
#[inline(never)]
fn taps_beyond<const K: usize>(on: [Axis; 2], plane: &[f32], index: &[[i32; WIDTH]; 2]) -> [[[f32; WIDTH]; K]; K] {
    let mut all = [[[0.0; WIDTH]; K]; K];
    for l in 0..WIDTH {
        let taps: [[f32; K]; K] = taps_at(on, plane, [index[0][l], index[1][l]]);
        for r in 0..K {
            for c in 0..K {
                all[r][c][l] = taps[r][c];
            }
        }
    }
    all
}

/// The values around a position: `K` rows of `K`, the lowest first.
#[inline(always)]
pub(super) fn taps_at<V: Value, const K: usize>(on: [Axis; 2], plane: &[V], [x, y]: [i32; 2]) -> [[V; K]; K] {
    let below = K as i32 / 2 - 1;
    let (x, y) = (x - below, y - below);
    let stride = on[0].values as usize;
    let mut taps = [[V::ZERO; K]; K];
    if x >= 0 && y >= 0 && x + (K as i32) <= on[0].values && y + (K as i32) <= on[1].values {
        let from = y as usize * stride + x as usize;
        for (r, row) in taps.iter_mut().enumerate() {
            row.copy_from_slice(&plane[from + r * stride..from + r * stride + K]);
        }
        return taps;
    }
    let columns: [_; K] = std::array::from_fn(|c| on[0].tap(x + c as i32));
    for (r, row) in taps.iter_mut().enumerate() {
        let Some(line) = on[1].tap(y + r as i32) else { continue };
        for (tap, column) in row.iter_mut().zip(columns) {
            if let Some(column) = column {
                *tap = plane[line * stride + column];
            }
        }
    }
    taps
}

/// The taps of a position that have a weight at the fractions `part`; 0 in place of the others.
pub(super) fn weighted<const K: usize>(mut taps: [[f32; K]; K], part: [f32; 2]) -> [[f32; K]; K] {
    let here = K / 2 - 1;
    for (r, row) in taps.iter_mut().enumerate() {
        for (c, tap) in row.iter_mut().enumerate() {
            if (part[0] == 0.0 && c != here) || (part[1] == 0.0 && r != here) {
                *tap = 0.0;
            }
        }
    }
    taps
}

/// Bilinear interpolation without the taps that are 1 in `walls`: the other weights are divided by their sum. `None` if
/// that sum is 0.
pub(super) fn bilinear_without<V: Value>(
    walls: [[f32; 2]; 2],
    [[a, b], [c, d]]: [[V; 2]; 2],
    [tx, ty]: [f32; 2],
) -> Option<V> {
    let weights = [[(1.0 - tx) * (1.0 - ty), tx * (1.0 - ty)], [(1.0 - tx) * ty, tx * ty]];
    let weight = |r: usize, c: usize| weights[r][c] * (1.0 - walls[r][c]);
    let [e, f, g, h] = [weight(0, 0), weight(0, 1), weight(1, 0), weight(1, 1)];
    let sum = (e + f) + (g + h);
    (sum > 0.0).then(|| (a.times(e).add(b.times(f))).add(c.times(g).add(d.times(h))).times(1.0 / sum))
}

/// Bilinear interpolation between four taps at the fractions `tx` and `ty`.
#[inline(always)]
pub(super) fn bilinear<F: Floats>([[a, b], [c, d]]: [[F; 2]; 2], [tx, ty]: [F; 2]) -> F {
    a.lerp(b, tx).lerp(c.lerp(d, tx), ty)
}

/// Bicubic interpolation with the weights of a curve per axis; `at` as in [`limits`].
#[inline(always)]
pub(super) fn bicubic<F: Floats>(taps: [[F; 4]; 4], curve: Curve, [wx, wy]: [[F; 4]; 2], at: Option<[F; 2]>) -> F {
    let value = bicubic_unclamped(taps, [wx, wy]);
    if curve == Curve::Lagrange {
        return clamped(value);
    }
    let [_, [_, a, b, _], [_, c, d, _], _] = taps;
    let (low, high) = limits([[a, b], [c, d]], at);
    clamped(value.greatest(low).least(high))
}

/// Bicubic interpolation with weights per axis, not clamped.
#[inline(always)]
pub(super) fn bicubic_unclamped<F: Floats>(taps: [[F; 4]; 4], [wx, wy]: [[F; 4]; 2]) -> F {
    let [below, low_row, high_row, above] = taps;
    sum([sum(below, wx), sum(low_row, wx), sum(high_row, wx), sum(above, wx)], wy)
}

/// The second half of MacCormack. `from`: the field; `there`: the result of the first half; `taps`: the four taps of
/// the field at the backward positions; `again`: the samples of the first half at the forward positions; `at` as in
/// [`limits`].
#[inline(always)]
pub(super) fn maccormack<F: Floats>([from, there]: [F; 2], taps: [[F; 2]; 2], again: F, at: Option<[F; 2]>) -> F {
    let (low, high) = limits(taps, at);
    clamped(there.add(from.sub(again).mul(F::splat(0.5))).greatest(low).least(high))
}

/// Clamped to ±[`VALUE_MAX`]; 0 for NaN.
#[inline(always)]
pub(super) fn clamped<F: Floats>(value: F) -> F {
    value.greatest(F::splat(-VALUE_MAX)).least(F::splat(VALUE_MAX)).unless_nan(value)
}

/// The least and the greatest of the taps that have a weight. `at`: the fractions of the position; `None` where no
/// fraction is 0, so that all taps have a weight.
#[inline(always)]
pub(super) fn limits<F: Floats>([[a, b], [c, d]]: [[F; 2]; 2], at: Option<[F; 2]>) -> (F, F) {
    let [[a, b], [c, d]] = match at {
        None => [[a, b], [c, d]],
        Some([x, y]) => {
            let (b, d) = (b.unless_zero(x, a), d.unless_zero(x, c));
            [[a, b], [c.unless_zero(y, a), d.unless_zero(y, b)]]
        }
    };
    (a.least(b).least(c.least(d)), a.greatest(b).greatest(c.greatest(d)))
}

#[inline(always)]
fn sum<F: Floats>([a, b, c, d]: [F; 4], w: [F; 4]) -> F {
    a.mul(w[0]).add(b.mul(w[1])).add(c.mul(w[2]).add(d.mul(w[3])))
}

/// [`Curve::weights`] of a group of fractions.
#[inline(always)]
pub(super) fn weights<F: Floats>(curve: Curve, t: F) -> [F; 4] {
    let of = F::splat;
    match curve {
        Curve::Lagrange => {
            let (inner, outer) = (t.mul(of(1.0).sub(t)), of(1.0).add(t).mul(of(2.0).sub(t)));
            let (low, high) = (inner.mul(of(2.0).sub(t)), inner.mul(of(1.0).add(t)));
            [
                low.mul(of(-1.0 / 6.0)),
                outer.mul(of(1.0).sub(t)).mul(of(0.5)),
                outer.mul(t).mul(of(0.5)),
                high.mul(of(-1.0 / 6.0)),
            ]
        }
        Curve::CatmullRom => [
            of(1.0).sub(of(0.5).mul(t)).mul(t).sub(of(0.5)).mul(t),
            of(1.5).mul(t).sub(of(2.5)).mul(t.mul(t)).add(of(1.0)),
            of(2.0).sub(of(1.5).mul(t)).mul(t).add(of(0.5)).mul(t),
            of(0.5).mul(t).sub(of(0.5)).mul(t.mul(t)),
        ],
    }
}
