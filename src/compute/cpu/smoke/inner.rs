//! Runs of places with nothing but values around them, no edge: the same arithmetic as anywhere, in vectors.

use super::super::lanes::windows::Windows;
use super::axis::Axis;
use super::spots::{RUN, Run, Spots};
use super::value::Value;
use crate::sim::smoke::machine::Curve;

/// The values around a run of places.
pub(super) struct Near<'a, V> {
    part: &'a [Run; 2],
    windows: Windows<'a, V, RUN>,
    stride: usize,
    /// Whether all places are the same way off, as in calm air: what is around them then lies in a row.
    even: bool,
}

/// Values around the places of a run that lie in a row: two, or four, to a place.
const TWO: usize = RUN + 1;
const FOUR: usize = RUN + 3;

impl<'a, V: Value> Near<'a, V> {
    /// The four around each, which [start](Spots::starts) none before the place; `None` where there are not all.
    #[inline(always)]
    pub fn two(spots: &'a Spots, on: [Axis; 2], plane: &'a [V], starts: &'a [u32; RUN]) -> Option<Self> {
        Self::new(spots, on, plane, starts, [0, 1])
    }

    /// The sixteen around each, which start one before the place.
    #[inline(always)]
    pub fn four(spots: &'a Spots, on: [Axis; 2], plane: &'a [V], starts: &'a [u32; RUN]) -> Option<Self> {
        Self::new(spots, on, plane, starts, [1, 2])
    }

    #[inline(always)]
    fn new(spots: &'a Spots, on: [Axis; 2], plane: &'a [V], starts: &'a [u32; RUN], margin: [i32; 2]) -> Option<Self> {
        let stride = on[0].values as usize;
        if !spots.inside(on, margin) || plane.len() > i32::MAX as usize {
            return None;
        }
        let more = (margin[0] + margin[1]) as usize;
        let windows = Windows::new(plane, starts, more * stride + more + 1)?;
        let mut odd = 0;
        for l in 0..RUN {
            odd |= starts[l].wrapping_sub(starts[0]) ^ l as u32;
        }
        Some(Near { part: &spots.part, windows, stride, even: odd == 0 })
    }

    #[inline(always)]
    fn part(&self, l: usize) -> [f32; 2] {
        [self.part[0][l], self.part[1][l]]
    }

    #[inline(always)]
    fn row<const K: usize>(&self, l: usize, row: usize) -> [V; K] {
        self.windows.get(l, row * self.stride)
    }

    /// A row around all places, where they are even.
    #[inline(always)]
    fn in_a_row<const MORE: usize>(&self, row: usize) -> &'a [V; MORE] {
        self.windows.row(0, row * self.stride)
    }

    #[inline(always)]
    fn four_taps(&self, l: usize) -> [V; 4] {
        let ([a, b], [c, d]) = (self.row(l, 0), self.row(l, 1));
        [a, b, c, d]
    }

    /// So many rows of all, each one after the other. Some places at a time, so that few jumps are to be foreseen.
    #[inline(always)]
    fn rows<const ROWS: usize, const K: usize>(&self) -> [[[V; K]; RUN]; ROWS] {
        const TOGETHER: usize = 8;
        let mut all = [[[V::ZERO; K]; RUN]; ROWS];
        for piece in 0..RUN / TOGETHER {
            for l in 0..TOGETHER {
                let l = piece * TOGETHER + l;
                for (row, to) in all.iter_mut().enumerate() {
                    to[l] = self.row(l, row);
                }
            }
        }
        all
    }
}

/// Between four, on two planes of numbers.
#[inline(always)]
pub(super) fn both(near: [&Near<'_, f32>; 2]) -> [Run; 2] {
    if near[0].even && near[1].even {
        let mut to = [[0.0; RUN]; 2];
        near[0].between_in_a_row(&mut to[0]);
        near[1].between_in_a_row(&mut to[1]);
        return to;
    }
    // All are read before the first is worked with: what was just stored cannot be read in wider pieces at once.
    let (one, two) = (near[0].rows::<2, 2>(), near[1].rows::<2, 2>());
    let mut to = [[0.0; RUN]; 2];
    near[0].between(&one, &mut to[0]);
    near[1].between(&two, &mut to[1]);
    to
}

impl Near<'_, f32> {
    #[inline(always)]
    fn between(&self, [low, high]: &[[[f32; 2]; RUN]; 2], to: &mut Run) {
        for l in 0..RUN {
            let ([a, b], [c, d]) = (low[l], high[l]);
            to[l] = between([a, b, c, d], self.part(l));
        }
    }

    /// The same where all are even.
    #[inline(always)]
    fn between_in_a_row(&self, to: &mut Run) {
        let (low, high) = (self.in_a_row::<TWO>(0), self.in_a_row::<TWO>(1));
        for l in 0..RUN {
            to[l] = between([low[l], low[l + 1], high[l], high[l + 1]], self.part(l));
        }
    }
}

/// What carrying makes of the values around.
pub(super) trait Inner: Value {
    /// Between four.
    fn bilinear(near: &Near<'_, Self>, to: &mut [Self; RUN]);
    /// Between sixteen.
    fn cubic(near: &Near<'_, Self>, curve: Curve, to: &mut [Self; RUN]);
    /// MacCormack's second half, from what was and what came to be at the places, and what that is around the ends of the
    /// looks back and ahead.
    fn correct(here: [&[Self; RUN]; 2], back: &Near<'_, Self>, ahead: &Near<'_, Self>, to: &mut [Self; RUN]);
}

#[inline(always)]
pub(super) fn between<V: Value>([a, b, c, d]: [V; 4], [tx, ty]: [f32; 2]) -> V {
    a.lerp(b, tx).lerp(c.lerp(d, tx), ty)
}

/// With a cubic.
#[inline(always)]
pub(super) fn curved<V: Value>(taps: [[V; 4]; 4], curve: Curve, [tx, ty]: [f32; 2]) -> V {
    weighed(taps, curve, curve.weights(tx), curve.weights(ty))
}

/// The same, with what the cubic takes of each.
#[inline(always)]
fn weighed<V: Value>(taps: [[V; 4]; 4], curve: Curve, wx: [f32; 4], wy: [f32; 4]) -> V {
    let [below, low_row, high_row, above] = taps;
    let rows = [sum(below, wx), sum(low_row, wx), sum(high_row, wx), sum(above, wx)];
    let value = sum(rows, wy);
    if curve == Curve::Lagrange {
        return value.bounded();
    }
    let [_, [_, a, b, _], [_, c, d, _], _] = taps;
    let (low, high) = extremes([a, b, c, d]);
    value.max(low).min(high).bounded()
}

/// What MacCormack's second half makes of the value that was, the one that came to be, the four around the end of the look
/// back, and the value at the end of the look ahead.
#[inline(always)]
pub(super) fn corrected<V: Value>([from, there]: [V; 2], taps: [V; 4], again: V) -> V {
    let (low, high) = extremes(taps);
    there.add(from.sub(again).times(0.5)).max(low).min(high).bounded()
}

#[inline(always)]
fn extremes<V: Value>([a, b, c, d]: [V; 4]) -> (V, V) {
    (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)))
}

#[inline(always)]
fn sum<V: Value>([a, b, c, d]: [V; 4], w: [f32; 4]) -> V {
    a.times(w[0]).add(b.times(w[1])).add(c.times(w[2]).add(d.times(w[3])))
}

/// Vectors hold the same number of many places: they are put side by side first.
impl Inner for f32 {
    #[inline(always)]
    fn bilinear(near: &Near<'_, f32>, to: &mut [f32; RUN]) {
        if near.even {
            near.between_in_a_row(to);
        } else {
            near.between(&near.rows(), to);
        }
    }

    #[inline(always)]
    fn cubic(near: &Near<'_, f32>, curve: Curve, to: &mut [f32; RUN]) {
        if near.even {
            let (a, b) = (near.in_a_row::<FOUR>(0), near.in_a_row::<FOUR>(1));
            let (c, d) = (near.in_a_row::<FOUR>(2), near.in_a_row::<FOUR>(3));
            for (l, to) in to.iter_mut().enumerate() {
                let taps = [four(a, l, 1), four(b, l, 1), four(c, l, 1), four(d, l, 1)];
                *to = curved(taps, curve, near.part(l));
            }
            return;
        }
        let [a, b, c, d] = near.rows();
        for l in 0..RUN {
            to[l] = curved([a[l], b[l], c[l], d[l]], curve, near.part(l));
        }
    }

    #[inline(always)]
    fn correct([from, there]: [&[f32; RUN]; 2], back: &Near<'_, f32>, ahead: &Near<'_, f32>, to: &mut [f32; RUN]) {
        if back.even && ahead.even {
            let (low, high) = (back.in_a_row::<TWO>(0), back.in_a_row::<TWO>(1));
            let (low_ahead, high_ahead) = (ahead.in_a_row::<TWO>(0), ahead.in_a_row::<TWO>(1));
            for l in 0..RUN {
                let taps = [low_ahead[l], low_ahead[l + 1], high_ahead[l], high_ahead[l + 1]];
                let again = between(taps, ahead.part(l));
                to[l] = corrected([from[l], there[l]], [low[l], low[l + 1], high[l], high[l + 1]], again);
            }
            return;
        }
        let [low, high] = back.rows();
        let [low_ahead, high_ahead] = ahead.rows();
        for l in 0..RUN {
            let ([a, b], [c, d]) = (low_ahead[l], high_ahead[l]);
            let again = between([a, b, c, d], ahead.part(l));
            let ([a, b], [c, d]) = (low[l], high[l]);
            to[l] = corrected([from[l], there[l]], [a, b, c, d], again);
        }
    }
}

/// Four values, so many numbers apart.
#[inline(always)]
fn four(row: &[f32], at: usize, apart: usize) -> [f32; 4] {
    [row[at], row[at + apart], row[at + 2 * apart], row[at + 3 * apart]]
}

/// A number of each place, four times.
#[inline(always)]
fn wide(of: &Run) -> [f32; 4 * RUN] {
    let mut wide = [0.0; 4 * RUN];
    for l in 0..RUN {
        for c in 0..4 {
            wide[4 * l + c] = of[l];
        }
    }
    wide
}

impl Near<'_, [f32; 4]> {
    /// With a cubic where all are even: vectors hold the four numbers of several places.
    #[inline(always)]
    fn cubic_in_a_row(&self, curve: Curve, x: &[Run; 4], y: &[Run; 4], to: &mut [[f32; 4]; RUN]) {
        let x = [wide(&x[0]), wide(&x[1]), wide(&x[2]), wide(&x[3])];
        let y = [wide(&y[0]), wide(&y[1]), wide(&y[2]), wide(&y[3])];
        let (a, b) = (self.in_a_row::<FOUR>(0).as_flattened(), self.in_a_row::<FOUR>(1).as_flattened());
        let (c, d) = (self.in_a_row::<FOUR>(2).as_flattened(), self.in_a_row::<FOUR>(3).as_flattened());
        let to = to.as_flattened_mut();
        for i in 0..4 * RUN {
            let taps = [four(a, i, 4), four(b, i, 4), four(c, i, 4), four(d, i, 4)];
            let (wx, wy) = ([x[0][i], x[1][i], x[2][i], x[3][i]], [y[0][i], y[1][i], y[2][i], y[3][i]]);
            to[i] = weighed(taps, curve, wx, wy);
        }
    }
}

/// Vectors hold the four numbers of a place.
impl Inner for [f32; 4] {
    #[inline(always)]
    fn bilinear(near: &Near<'_, Self>, to: &mut [Self; RUN]) {
        for (l, to) in to.iter_mut().enumerate() {
            *to = between(near.four_taps(l), near.part(l));
        }
    }

    #[inline(always)]
    fn cubic(near: &Near<'_, Self>, curve: Curve, to: &mut [Self; RUN]) {
        let mut weights = [[[0.0; RUN]; 4]; 2];
        for (weights, part) in weights.iter_mut().zip(near.part) {
            for l in 0..RUN {
                let [a, b, c, d] = curve.weights(part[l]);
                (weights[0][l], weights[1][l], weights[2][l], weights[3][l]) = (a, b, c, d);
            }
        }
        let [x, y] = &weights;
        if near.even {
            near.cubic_in_a_row(curve, x, y, to);
            return;
        }
        for (l, to) in to.iter_mut().enumerate() {
            let taps = [near.row(l, 0), near.row(l, 1), near.row(l, 2), near.row(l, 3)];
            *to = weighed(taps, curve, [x[0][l], x[1][l], x[2][l], x[3][l]], [y[0][l], y[1][l], y[2][l], y[3][l]]);
        }
    }

    #[inline(always)]
    fn correct([from, there]: [&[Self; RUN]; 2], back: &Near<'_, Self>, ahead: &Near<'_, Self>, to: &mut [Self; RUN]) {
        for (l, to) in to.iter_mut().enumerate() {
            let again = between(ahead.four_taps(l), ahead.part(l));
            *to = corrected([from[l], there[l]], back.four_taps(l), again);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::smoke::machine::{Ground, Lattice};
    use crate::sim::smoke::settings::Side;

    /// Numbers without a pattern, from −1 to 1.
    fn noise(seed: &mut u32) -> f32 {
        *seed = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let mixed = ((*seed >> ((*seed >> 28) + 4)) ^ *seed).wrapping_mul(277_803_737);
        (mixed >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    fn bits<V: Value>(values: &[V]) -> Vec<u32> {
        bytemuck::cast_slice(values).to_vec()
    }

    /// Runs against places one by one.
    fn agrees<V: Inner>(lattice: Lattice, curve: Curve, number: impl Fn(&mut u32) -> V) {
        let mut seed = 5;
        let ground = Ground::<()> { width: 90, height: 30, edges: [Side::Closed; 4], solids: None };
        let on = Axis::both(&ground, lattice);
        let size = (on[0].values * on[1].values) as usize;
        let [from, there] = [0, 1].map(|_| (0..size).map(|_| number(&mut seed)).collect::<Vec<V>>());
        for turn in 0..40 {
            // All over the place, or calm, so that most runs are even.
            let rough = [9.0, 0.001][turn % 2];
            let [back, ahead] = [0, 1].map(|_| {
                let offset = [0, 1].map(|_| {
                    let all = (9.0 - rough) * noise(&mut seed);
                    std::array::from_fn(|_| all + rough * noise(&mut seed))
                });
                Spots::new(on, on, [12, 14], &offset)
            });
            let (starts, starts_ahead, wide) = (back.starts(on, 0), ahead.starts(on, 0), back.starts(on, 1));
            let two = Near::two(&back, on, &from, &starts).expect("far from edges");
            let four = Near::four(&back, on, &from, &wide).expect("far from edges");
            let two_ahead = Near::two(&ahead, on, &there, &starts_ahead).expect("far from edges");
            let here: [[V; RUN]; 2] =
                [&from, &there].map(|plane| std::array::from_fn(|l| plane[14 * on[0].values as usize + 12 + l]));
            let (mut linear, mut cubic, mut correct) = ([V::ZERO; RUN], [V::ZERO; RUN], [V::ZERO; RUN]);
            V::bilinear(&two, &mut linear);
            V::cubic(&four, curve, &mut cubic);
            V::correct([&here[0], &here[1]], &two, &two_ahead, &mut correct);
            let one = |l| back.bilinear(l, back.taps(l, on, &from));
            assert_eq!(bits(&linear), bits(&std::array::from_fn::<V, RUN, _>(one)));
            let one = |l: usize| curved(back.wide_taps(l, on, &from), curve, [back.part[0][l], back.part[1][l]]);
            assert_eq!(bits(&cubic), bits(&std::array::from_fn::<V, RUN, _>(one)));
            let one = |l| {
                let again = ahead.bilinear(l, ahead.taps(l, on, &there));
                corrected([here[0][l], here[1][l]], back.taps(l, on, &from), again)
            };
            assert_eq!(bits(&correct), bits(&std::array::from_fn::<V, RUN, _>(one)));
        }
        let edge = Spots::new(on, on, [0, 14], &[[-0.5; RUN]; 2]);
        assert!(Near::two(&edge, on, &from, &edge.starts(on, 0)).is_some(), "closed sides hold places");
        assert!(Near::four(&edge, on, &from, &edge.starts(on, 1)).is_none());
    }

    #[test]
    fn runs_have_the_bits_of_places_one_by_one() {
        agrees(Lattice::U, Curve::Lagrange, noise);
        agrees(Lattice::V, Curve::CatmullRom, noise);
        agrees(Lattice::Cell, Curve::CatmullRom, |seed| [noise(seed), noise(seed), 0.0, noise(seed) * 1e-40]);
    }
}
