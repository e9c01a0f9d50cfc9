//! Places on a lattice, sixteen columns of a row at a time, and what is around them.

use super::super::lanes::floats::{Floats, Grid, WIDTH};
use super::super::lanes::prefetch;
use super::axis::Axis;
use super::operands::{Curve, MOST};
use super::value::Value;

/// The groups of a row of so many columns: where each begins, and its columns. The last one reaches back into the one before,
/// so that it is as wide as the others.
#[inline(always)]
pub(super) fn groups(columns: usize) -> impl Iterator<Item = (usize, usize)> {
    let len = WIDTH.min(columns);
    (0..columns.div_ceil(WIDTH)).map(move |group| ((group * WIDTH).min(columns - len), len))
}

/// The values of a group, 0 after the last.
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

/// The means of two groups' values.
#[inline(always)]
pub(super) fn mean<F: Floats>(first: &[f32], second: &[f32]) -> F {
    F::splat(0.5).mul(read::<F>(first).add(read(second)))
}

/// Asks for values that are read, or written, before long: memory has time until then.
#[inline(always)]
pub(super) fn ask(plane: &[f32], at: usize) {
    if let Some(value) = plane.get(at) {
        prefetch(value);
    }
}

/// Writes as many as there is room for.
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

/// The values of a lattice, and how far they reach.
#[derive(Clone, Copy)]
pub(super) struct Field<'a, F> {
    axes: [Axis; 2],
    grid: Grid<'a>,
    low: [F; 2],
    high: [F; 2],
    /// What is added to offsets.
    step: [F; 2],
}

impl<'a, F: Floats> Field<'a, F> {
    /// Looked at from places that stand where the values of lattice `at` do.
    #[inline(always)]
    pub fn new(axes: [Axis; 2], at: [Axis; 2], values: &'a [f32]) -> Self {
        let [[left, right], [bottom, top]] = [axes[0].range(), axes[1].range()];
        Field {
            axes,
            grid: Grid::new(values, axes[0].values as usize),
            low: [F::splat(left), F::splat(bottom)],
            high: [F::splat(right), F::splat(top)],
            step: [F::splat(axes[0].step(at[0])), F::splat(axes[1].step(at[1]))],
        }
    }

    /// Where it is looked up at `offset` from a group.
    #[inline(always)]
    pub fn places(&self, group: Group<F>, offset: [F; 2]) -> Places<F> {
        let mut places = Places { index: group.index, part: offset };
        for axis in 0..2 {
            let from = group.from[axis];
            let (low, high) = (self.low[axis].sub(from), self.high[axis].sub(from));
            let offset = offset[axis].add(self.step[axis]).greatest(low).least(high);
            let (whole, steps) = offset.floor();
            places.index[axis] = F::whole_add(group.index[axis], steps);
            places.part[axis] = offset.sub(whole);
        }
        places
    }

    /// The values around each place: `K` rows of `K`, the lowest first.
    #[inline(always)]
    pub fn around<const K: usize>(&self, places: &Places<F>) -> [[F; K]; K] {
        let [x, y] = places.index;
        match F::around(self.grid, x, y) {
            Some(taps) => taps,
            None if !self.axes[0].wraps() && !self.axes[1].wraps() && self.axes[0].values > 0 => {
                let ([left, right], [bottom, top]) = (self.axes[0].closed(), self.axes[1].closed());
                F::around_sides(self.grid, x, y, [!left, !right, !bottom, !top])
            }
            None => {
                let taps = anywhere::<K>(self.axes, self.grid.values(), &places.indices());
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

    /// Between the four values around each.
    #[inline(always)]
    pub fn bilinear(&self, places: &Places<F>) -> F {
        between(self.around(places), places.part)
    }
}

/// Where a group stands on its lattice.
#[derive(Clone, Copy)]
pub(super) struct Group<F: Floats> {
    from: [F; 2],
    index: [F::Whole; 2],
}

impl<F: Floats> Group<F> {
    /// From column `x0` of row `y` on.
    #[inline(always)]
    pub fn new([x0, y]: [usize; 2]) -> Self {
        Group {
            from: [F::steps().add(F::splat(x0 as i32 as f32)), F::splat(y as i32 as f32)],
            index: [F::whole_add(F::whole_steps(), F::whole(x0 as i32)), F::whole(y as i32)],
        }
    }
}

/// Where the columns of a group are looked up: indices and fractions per axis.
#[derive(Clone, Copy)]
pub(super) struct Places<F: Floats> {
    pub index: [F::Whole; 2],
    pub part: [F; 2],
}

impl<F: Floats> Places<F> {
    /// Whether one of them is on a column or a row of values.
    #[inline(always)]
    pub fn on_lines(&self) -> bool {
        self.part[0].any_zero(self.part[1])
    }

    /// Fractions along x and along y.
    #[inline(always)]
    pub fn parts(&self) -> [[f32; WIDTH]; 2] {
        let mut parts = [[0.0; WIDTH]; 2];
        self.part[0].store(&mut parts[0]);
        self.part[1].store(&mut parts[1]);
        parts
    }

    /// Columns and rows.
    #[inline(always)]
    pub fn indices(&self) -> [[i32; WIDTH]; 2] {
        [F::wholes(self.index[0]), F::wholes(self.index[1])]
    }
}

/// The values around places, some of them beyond an edge.
#[cold]
#[inline(never)]
fn anywhere<const K: usize>(on: [Axis; 2], plane: &[f32], index: &[[i32; WIDTH]; 2]) -> [[[f32; WIDTH]; K]; K] {
    let mut all = [[[0.0; WIDTH]; K]; K];
    for l in 0..WIDTH {
        let taps: [[f32; K]; K] = around_one(on, plane, [index[0][l], index[1][l]]);
        for r in 0..K {
            for c in 0..K {
                all[r][c][l] = taps[r][c];
            }
        }
    }
    all
}

/// The values around a place: `K` rows of `K`, the lowest first.
#[inline(always)]
pub(super) fn around_one<V: Value, const K: usize>(on: [Axis; 2], plane: &[V], [x, y]: [i32; 2]) -> [[V; K]; K] {
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

/// Of values around a place, those that have a weight at fractions `part`; 0 for the others.
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

/// Between those of four that are in no wall; `None` where none with a weight is.
pub(super) fn without<V: Value>(walls: [[f32; 2]; 2], [[a, b], [c, d]]: [[V; 2]; 2], [tx, ty]: [f32; 2]) -> Option<V> {
    let share = [[(1.0 - tx) * (1.0 - ty), tx * (1.0 - ty)], [(1.0 - tx) * ty, tx * ty]];
    let of = |r: usize, c: usize| share[r][c] * (1.0 - walls[r][c]);
    let [e, f, g, h] = [of(0, 0), of(0, 1), of(1, 0), of(1, 1)];
    let sum = (e + f) + (g + h);
    (sum > 0.0).then(|| (a.times(e).add(b.times(f))).add(c.times(g).add(d.times(h))).times(1.0 / sum))
}

/// Between four.
#[inline(always)]
pub(super) fn between<F: Floats>([[a, b], [c, d]]: [[F; 2]; 2], [tx, ty]: [F; 2]) -> F {
    a.lerp(b, tx).lerp(c.lerp(d, tx), ty)
}

/// Between sixteen, with a cubic's weights per axis; `at` as in [`limits`].
#[inline(always)]
pub(super) fn curved<F: Floats>(taps: [[F; 4]; 4], curve: Curve, [wx, wy]: [[F; 4]; 2], at: Option<[F; 2]>) -> F {
    let [below, low_row, high_row, above] = taps;
    let value = sum([sum(below, wx), sum(low_row, wx), sum(high_row, wx), sum(above, wx)], wy);
    if curve == Curve::Lagrange {
        return bounded(value);
    }
    let [_, [_, a, b, _], [_, c, d, _], _] = taps;
    let (low, high) = limits([[a, b], [c, d]], at);
    bounded(value.greatest(low).least(high))
}

/// What MacCormack's second half makes of the values that were, those that came to be, the four around the ends of the looks back,
/// and the values at the ends of the looks ahead; `at` as in [`limits`].
#[inline(always)]
pub(super) fn corrected<F: Floats>([from, there]: [F; 2], taps: [[F; 2]; 2], again: F, at: Option<[F; 2]>) -> F {
    let (low, high) = limits(taps, at);
    bounded(there.add(from.sub(again).mul(F::splat(0.5))).greatest(low).least(high))
}

/// Finite, and within bounds.
#[inline(always)]
pub(super) fn bounded<F: Floats>(value: F) -> F {
    value.greatest(F::splat(-MOST)).least(F::splat(MOST)).unless_nan(value)
}

/// The least and the greatest of four values, those without weight left out: at fractions `at`, which are needed only where one
/// of them is 0.
#[inline(always)]
fn limits<F: Floats>([[a, b], [c, d]]: [[F; 2]; 2], at: Option<[F; 2]>) -> (F, F) {
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

/// A curve's weights of the four values around each place.
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
