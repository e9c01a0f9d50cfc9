//! Carrying: each value comes from where the wind blew it from.

use std::ops::Range;

use super::axis::Axis;
use super::band::{Band, Pass};
use super::look::Look;
use super::spots::{RUN, Spots};
use super::value::Value;
use crate::sim::smoke::machine::{Forces, Way, cubic};
use crate::sim::smoke::settings::Scheme;

/// What is carried on one lattice: planes of the same kind of values.
#[derive(Clone, Copy)]
pub(super) struct Freight<'a, V> {
    pub from: &'a [V],
    /// Where it came to, bilinear: what MacCormack's second half starts from.
    pub there: Option<&'a [V]>,
}

/// Carrying a plane of numbers, or the dye and, on the same way, the temperature.
pub(super) struct Carry<'a, V> {
    pub look: Look<'a>,
    pub way: Way,
    pub one: Freight<'a, V>,
    pub two: Option<Freight<'a, f32>>,
    /// 1 where a cell is solid.
    pub solid: Option<&'a [f32]>,
    /// The last pass on cells: what is lost is taken off.
    pub loses: bool,
}

/// A run of columns, where they come from and where they go.
struct Place<'a> {
    on: [Axis; 2],
    /// Index of the first.
    first: usize,
    back: &'a Spots,
    ahead: Option<&'a Spots>,
    solid: Option<&'a [f32]>,
    cubic: bool,
}

impl<V: Value> Pass for Carry<'_, V> {
    type Output = ();

    #[inline(always)]
    fn pass(&self, band: Band<'_>) {
        let columns = self.look.at[0].values as usize;
        let one: &mut [V] = bytemuck::cast_slice_mut(band.one);
        for row in 0..band.rows {
            for x0 in (0..columns).step_by(RUN) {
                let len = RUN.min(columns - x0);
                let at = row * columns + x0..row * columns + x0 + len;
                let two = if band.two.is_empty() { &mut [][..] } else { &mut band.two[at.clone()] };
                self.run([x0, band.first + row], &mut one[at], two);
            }
        }
    }
}

impl<V: Value> Carry<'_, V> {
    #[inline(always)]
    fn run(&self, [x0, y]: [usize; 2], one: &mut [V], two: &mut [f32]) {
        let (look, len) = (&self.look, one.len());
        let on = look.at;
        let spots = |time| Spots::new(on, on, [x0, y], &look.back([x0, y], len, time));
        let back = spots(self.way.time);
        let corrects = self.one.there.is_some();
        let ahead = corrects.then(|| spots(-self.way.time));
        let place = Place {
            on,
            first: y * on[0].values as usize + x0,
            back: &back,
            ahead: ahead.as_ref(),
            solid: self.solid,
            cubic: self.way.scheme == Scheme::CatmullRom,
        };
        place.carry(self.one, one);
        if let Some(freight) = self.two {
            place.carry(freight, two);
        }
        if self.loses {
            let Way { keep, cooling, ambient, .. } = self.way;
            if keep != 1.0 {
                one.iter_mut().for_each(|value| *value = value.times(keep));
            }
            two.iter_mut().for_each(|t| *t -= cooling * Forces::excess(*t, ambient));
        }
        if let Some(solid) = self.solid {
            let solid = &solid[place.columns(len)];
            for (value, _) in one.iter_mut().zip(solid).filter(|(_, solid)| **solid > 0.0) {
                *value = V::ZERO;
            }
            for (value, _) in two.iter_mut().zip(solid).filter(|(_, solid)| **solid > 0.0) {
                *value = 0.0;
            }
        }
    }
}

impl Place<'_> {
    fn columns(&self, len: usize) -> Range<usize> {
        self.first..self.first + len
    }

    #[inline(always)]
    fn carry<V: Value>(&self, freight: Freight<'_, V>, to: &mut [V]) {
        match (freight.there, self.ahead) {
            (Some(there), Some(ahead)) => self.correct(freight.from, there, ahead, to),
            _ if self.cubic => self.cubic(freight.from, to),
            _ => {
                for (l, to) in to.iter_mut().enumerate() {
                    *to = self.bilinear(l, freight.from).bounded();
                }
            }
        }
    }

    /// Between the four values around, without those in solids.
    #[inline(always)]
    fn bilinear<V: Value>(&self, l: usize, from: &[V]) -> V {
        let taps = self.back.taps(l, self.on, from);
        match self.fluid(l, self.back) {
            Some(fluid) => self.around(l, from, taps, fluid),
            None => self.back.bilinear(l, taps),
        }
    }

    /// Which of the four are fluid, where one of them is not.
    #[inline(always)]
    fn fluid(&self, l: usize, spots: &Spots) -> Option<[f32; 4]> {
        let solid = spots.taps(l, self.on, self.solid?);
        (solid != [0.0; 4]).then(|| solid.map(|solid| 1.0 - solid))
    }

    /// Between those of the four that are fluid.
    #[inline(always)]
    fn around<V: Value>(&self, l: usize, from: &[V], [a, b, c, d]: [V; 4], fluid: [f32; 4]) -> V {
        let (tx, ty) = (self.back.part[0][l], self.back.part[1][l]);
        let share = [(1.0 - tx) * (1.0 - ty), tx * (1.0 - ty), (1.0 - tx) * ty, tx * ty];
        let [e, f, g, h] = [0, 1, 2, 3].map(|tap| share[tap] * fluid[tap]);
        let sum = (e + f) + (g + h);
        if sum > 0.0 {
            (a.times(e).add(b.times(f))).add(c.times(g).add(d.times(h))).times(1.0 / sum)
        } else {
            from[self.first + l]
        }
    }

    #[inline(always)]
    fn cubic<V: Value>(&self, from: &[V], to: &mut [V]) {
        for (l, to) in to.iter_mut().enumerate() {
            if let Some(fluid) = self.solid_near(l) {
                let taps = self.back.taps(l, self.on, from);
                *to = self.around(l, from, taps, fluid).bounded();
                continue;
            }
            let taps = self.back.wide_taps(l, self.on, from);
            let [wx, wy] = [0, 1].map(|axis| cubic(self.back.part[axis][l]));
            let rows = taps.map(|row| sum(row, wx));
            let [[_, a, b, _], [_, c, d, _]] = [taps[1], taps[2]];
            let (low, high) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
            *to = sum(rows, wy).max(low).min(high).bounded();
        }
    }

    /// Which of the four around are fluid, where one of the sixteen is not.
    #[inline(always)]
    fn solid_near(&self, l: usize) -> Option<[f32; 4]> {
        let solid = self.solid?;
        let near = self.back.wide_taps(l, self.on, solid);
        (near != [[0.0; 4]; 4]).then(|| self.back.taps(l, self.on, solid).map(|solid| 1.0 - solid))
    }

    #[inline(always)]
    fn correct<V: Value>(&self, from: &[V], there: &[V], ahead: &Spots, to: &mut [V]) {
        let (from_here, there_here) = (&from[self.columns(to.len())], &there[self.columns(to.len())]);
        for (l, to) in to.iter_mut().enumerate() {
            if self.fluid(l, self.back).is_some() || self.fluid(l, ahead).is_some() {
                *to = there_here[l];
                continue;
            }
            let [a, b, c, d] = self.back.taps(l, self.on, from);
            let (low, high) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
            let again = ahead.bilinear(l, ahead.taps(l, self.on, there));
            let value = there_here[l].add(from_here[l].sub(again).times(0.5));
            *to = value.max(low).min(high).bounded();
        }
    }
}

#[inline(always)]
fn sum<V: Value>([a, b, c, d]: [V; 4], w: [f32; 4]) -> V {
    a.times(w[0]).add(b.times(w[1])).add(c.times(w[2]).add(d.times(w[3])))
}
