//! What carrying makes of the values around a run of places: the same arithmetic as anywhere, in vectors.

use super::near::{Kernel, LANES, Near, Row, Taps};
use super::spots::RUN;
use super::value::Value;
use crate::sim::smoke::machine::Curve;

#[inline(always)]
pub(super) fn between<V: Value>([a, b, c, d]: [V; 4], [tx, ty]: [f32; 2]) -> V {
    a.lerp(b, tx).lerp(c.lerp(d, tx), ty)
}

/// With a cubic.
#[inline(always)]
pub(super) fn curved<V: Value>(taps: [[V; 4]; 4], curve: Curve, [tx, ty]: [f32; 2]) -> V {
    let (wx, wy) = (curve.weights(tx), curve.weights(ty));
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

/// Between four.
struct Between<'a>(&'a mut [f32]);

impl Kernel<2> for Between<'_> {
    #[inline(always)]
    fn work(&mut self, from: usize, taps: &impl Taps<2>, part: [&Row; 2]) {
        let mut to = [0.0; LANES];
        for l in 0..LANES {
            let [[a, b], [c, d]] = taps.at(l);
            to[l] = between([a, b, c, d], [part[0][l], part[1][l]]);
        }
        self.0[from..from + LANES].copy_from_slice(&to);
    }
}

/// Between sixteen.
struct Curved<'a>(Curve, &'a mut [f32]);

impl Kernel<4> for Curved<'_> {
    #[inline(always)]
    fn work(&mut self, from: usize, taps: &impl Taps<4>, part: [&Row; 2]) {
        let mut to = [0.0; LANES];
        for l in 0..LANES {
            to[l] = curved(taps.at(l), self.0, [part[0][l], part[1][l]]);
        }
        self.1[from..from + LANES].copy_from_slice(&to);
    }
}

/// MacCormack's second half, from what was and what came to be at the places, and that at the ends of the looks ahead.
struct Corrected<'a> {
    here: [&'a [f32]; 2],
    again: &'a [f32],
    to: &'a mut [f32],
}

impl Kernel<2> for Corrected<'_> {
    #[inline(always)]
    fn work(&mut self, from: usize, taps: &impl Taps<2>, _: [&Row; 2]) {
        let lanes = from..from + LANES;
        let (was, there) = (&self.here[0][lanes.clone()], &self.here[1][lanes.clone()]);
        let again = &self.again[lanes.clone()];
        let mut to = [0.0; LANES];
        for l in 0..LANES {
            let [[a, b], [c, d]] = taps.at(l);
            to[l] = corrected([was[l], there[l]], [a, b, c, d], again[l]);
        }
        self.to[lanes].copy_from_slice(&to);
    }
}

/// Between four.
#[inline(always)]
pub(super) fn bilinear<V: Value>(near: &Near<'_, V>, to: &mut [V; RUN]) {
    near.feed_two(&mut Between(bytemuck::cast_slice_mut(to)));
}

/// Between sixteen.
#[inline(always)]
pub(super) fn cubic<V: Value>(near: &Near<'_, V>, curve: Curve, to: &mut [V; RUN]) {
    near.feed_four(&mut Curved(curve, bytemuck::cast_slice_mut(to)));
}

/// MacCormack's second half, from what was and what came to be at the places, and what that is around the ends of the
/// looks back and ahead.
#[inline(always)]
pub(super) fn correct<V: Value>(here: [&[V; RUN]; 2], back: &Near<'_, V>, ahead: &Near<'_, V>, to: &mut [V; RUN]) {
    let mut again = [V::ZERO; RUN];
    bilinear(ahead, &mut again);
    let here = [bytemuck::cast_slice(here[0]), bytemuck::cast_slice(here[1])];
    back.feed_two(&mut Corrected { here, again: bytemuck::cast_slice(&again), to: bytemuck::cast_slice_mut(to) });
}

/// Means of two.
#[inline(always)]
pub(super) fn means([first, second]: [&[f32]; 2], to: &mut [f32]) {
    for (to, (first, second)) in to.iter_mut().zip(first.iter().zip(second)) {
        *to = 0.5 * (first + second);
    }
}

#[cfg(test)]
mod tests {
    use super::super::axis::Axis;
    use super::super::spots::Spots;
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
    fn agrees<V: Value>(lattice: Lattice, curve: Curve, number: impl Fn(&mut u32) -> V) {
        let mut seed = 5;
        let ground = Ground::<()> { width: 90, height: 30, edges: [Side::Closed; 4], solids: None };
        let on = Axis::both(&ground, lattice);
        let size = (on[0].values * on[1].values) as usize;
        let [from, there] = [0, 1].map(|_| (0..size).map(|_| number(&mut seed)).collect::<Vec<V>>());
        for turn in 0..60 {
            // All over the place, calm, or such that what is around places is mostly a column or a row off at most. The last rows
            // are near an edge.
            let rough = [9.0, 0.001, 0.4][turn % 3];
            let at = [12, turn / 2];
            let [back, ahead] = [0, 1].map(|_| {
                let offset = [0, 1].map(|_| {
                    let all = (9.0 - rough) * noise(&mut seed);
                    std::array::from_fn(|_| all + rough * noise(&mut seed))
                });
                Spots::new(on, on, at, &offset)
            });
            let two = Near::new(&back, on, &from, RUN);
            let ahead_of = Near::new(&ahead, on, &there, RUN);
            let here: [[V; RUN]; 2] =
                [&from, &there].map(|plane| std::array::from_fn(|l| plane[at[1] * on[0].values as usize + 12 + l]));
            let (mut linear, mut cubed, mut corrected_run) = ([V::ZERO; RUN], [V::ZERO; RUN], [V::ZERO; RUN]);
            bilinear(&two, &mut linear);
            cubic(&two, curve, &mut cubed);
            correct([&here[0], &here[1]], &two, &ahead_of, &mut corrected_run);
            let one = |l| back.bilinear(l, back.taps(l, on, &from));
            assert_eq!(bits(&linear), bits(&std::array::from_fn::<V, RUN, _>(one)));
            let one = |l: usize| curved(back.around(l, on, &from), curve, [back.part[0][l], back.part[1][l]]);
            assert_eq!(bits(&cubed), bits(&std::array::from_fn::<V, RUN, _>(one)));
            let one = |l| {
                let again = ahead.bilinear(l, ahead.taps(l, on, &there));
                corrected([here[0][l], here[1][l]], back.taps(l, on, &from), again)
            };
            assert_eq!(bits(&corrected_run), bits(&std::array::from_fn::<V, RUN, _>(one)));
        }
    }

    #[test]
    fn runs_have_the_bits_of_places_one_by_one() {
        agrees(Lattice::U, Curve::Lagrange, noise);
        agrees(Lattice::V, Curve::CatmullRom, noise);
        agrees(Lattice::Cell, Curve::CatmullRom, |seed| [noise(seed), noise(seed), 0.0, noise(seed) * 1e-40]);
    }
}
