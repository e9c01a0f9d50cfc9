//! Runs of places with nothing but values around them, no edge: the same arithmetic as anywhere, in vectors.

use super::super::lanes::windows::Windows;
use super::axis::Axis;
use super::spots::{RUN, Run, Spots};
use super::value::Value;
use crate::sim::smoke::machine::cubic;

/// The values around a run of places.
pub(super) struct Near<'a, V> {
    part: &'a [Run; 2],
    windows: Windows<'a, V, RUN>,
    stride: usize,
}

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
        Some(Near { part: &spots.part, windows, stride })
    }

    #[inline(always)]
    fn part(&self, l: usize) -> [f32; 2] {
        [self.part[0][l], self.part[1][l]]
    }

    #[inline(always)]
    fn row<const K: usize>(&self, l: usize, row: usize) -> [V; K] {
        self.windows.get(l, row * self.stride)
    }

    #[inline(always)]
    fn four_taps(&self, l: usize) -> [V; 4] {
        let ([a, b], [c, d]) = (self.row(l, 0), self.row(l, 1));
        [a, b, c, d]
    }

    /// A row of all, one after the other.
    #[inline(always)]
    fn rows<const K: usize>(&self, row: usize) -> [[V; K]; RUN] {
        let mut all = [[V::ZERO; K]; RUN];
        for (l, to) in all.iter_mut().enumerate() {
            *to = self.row(l, row);
        }
        all
    }
}

/// What carrying makes of the values around.
pub(super) trait Inner: Value {
    /// Between four.
    fn bilinear(near: &Near<'_, Self>, to: &mut [Self; RUN]);
    /// Between sixteen.
    fn cubic(near: &Near<'_, Self>, to: &mut [Self; RUN]);
    /// MacCormack's second half, from what was and what came to be at the places, and what that is around the ends of the
    /// looks back and ahead.
    fn correct(here: [&[Self; RUN]; 2], back: &Near<'_, Self>, ahead: &Near<'_, Self>, to: &mut [Self; RUN]);
}

#[inline(always)]
pub(super) fn between<V: Value>([a, b, c, d]: [V; 4], [tx, ty]: [f32; 2]) -> V {
    a.lerp(b, tx).lerp(c.lerp(d, tx), ty)
}

/// With Catmull and Rom's cubic, held between the four in the middle.
#[inline(always)]
pub(super) fn curved<V: Value>(taps: [[V; 4]; 4], [tx, ty]: [f32; 2]) -> V {
    let (wx, wy) = (cubic(tx), cubic(ty));
    let [_, [_, a, b, _], [_, c, d, _], _] = taps;
    let (low, high) = extremes([a, b, c, d]);
    let [below, low_row, high_row, above] = taps;
    let rows = [sum(below, wx), sum(low_row, wx), sum(high_row, wx), sum(above, wx)];
    sum(rows, wy).max(low).min(high).bounded()
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
        let (low, high) = (near.rows::<2>(0), near.rows::<2>(1));
        for l in 0..RUN {
            let ([a, b], [c, d]) = (low[l], high[l]);
            to[l] = between([a, b, c, d], near.part(l));
        }
    }

    #[inline(always)]
    fn cubic(near: &Near<'_, f32>, to: &mut [f32; RUN]) {
        let (a, b, c, d) = (near.rows::<4>(0), near.rows::<4>(1), near.rows::<4>(2), near.rows::<4>(3));
        for l in 0..RUN {
            to[l] = curved([a[l], b[l], c[l], d[l]], near.part(l));
        }
    }

    #[inline(always)]
    fn correct([from, there]: [&[f32; RUN]; 2], back: &Near<'_, f32>, ahead: &Near<'_, f32>, to: &mut [f32; RUN]) {
        let (low, high) = (back.rows::<2>(0), back.rows::<2>(1));
        let (low_ahead, high_ahead) = (ahead.rows::<2>(0), ahead.rows::<2>(1));
        for l in 0..RUN {
            let ([a, b], [c, d]) = (low_ahead[l], high_ahead[l]);
            let again = between([a, b, c, d], ahead.part(l));
            let ([a, b], [c, d]) = (low[l], high[l]);
            to[l] = corrected([from[l], there[l]], [a, b, c, d], again);
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
    fn cubic(near: &Near<'_, Self>, to: &mut [Self; RUN]) {
        for (l, to) in to.iter_mut().enumerate() {
            *to = curved([near.row(l, 0), near.row(l, 1), near.row(l, 2), near.row(l, 3)], near.part(l));
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
