//! Carrying: each value comes from where the wind blew it from.

use std::ops::Range;

use super::axis::Axis;
use super::band::{Band, Pass};
use super::inner::{Inner, Near, corrected, curved};
use super::look::Look;
use super::spots::{RUN, Spots};
use super::value::Value;
use super::walls::Walls;
use crate::sim::smoke::machine::{Curve, Forces, Lattice, Way};
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
    /// What is solid, where cells are carried.
    pub walls: Option<Walls<'a>>,
    /// The last pass on cells: what is lost is taken off.
    pub loses: bool,
}

/// A run of columns, where they come from and where they go.
struct Place<'a> {
    on: [Axis; 2],
    /// Index of the first.
    first: usize,
    back: &'a Spots,
    /// Where the values around begin.
    starts: &'a [u32; RUN],
    ahead: Option<(&'a Spots, &'a [u32; RUN])>,
    /// 1 where a cell is solid, where some may be near.
    solid: Option<&'a [f32]>,
    curve: Option<Curve>,
}

impl<V: Inner> Pass for Carry<'_, V> {
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

impl<V: Inner> Carry<'_, V> {
    #[inline(always)]
    fn spots(&self, at: [usize; 2], len: usize, time: f32) -> Spots {
        let on = self.look.at;
        Spots::new(on, on, at, &self.look.back(at, len, time))
    }

    /// The solid cells, where one of the sixteen around some place may be one.
    #[inline(always)]
    fn solid_around(&self, spots: &Spots) -> Option<&[f32]> {
        let [[left, right], [bottom, top]] = spots.bounds;
        match &self.walls {
            Some(walls) if walls.near([[left - 1, right + 2], [bottom - 1, top + 2]]) => Some(walls.solid),
            _ => None,
        }
    }

    #[inline(always)]
    fn run(&self, [x0, y]: [usize; 2], one: &mut [V], two: &mut [f32]) {
        let len = one.len();
        let on = self.look.at;
        let faces = matches!(self.look.lattice, Lattice::U | Lattice::V);
        let curve =
            (self.way.scheme == Scheme::Cubic).then_some(if faces { Curve::Lagrange } else { Curve::CatmullRom });
        let back = self.spots([x0, y], len, self.way.time);
        let starts = back.starts(on, i32::from(curve.is_some()));
        let mut solid = self.solid_around(&back);
        let spots;
        let starts_ahead;
        let mut ahead = None;
        if self.one.there.is_some() {
            spots = self.spots([x0, y], len, -self.way.time);
            starts_ahead = spots.starts(on, 0);
            solid = solid.or(self.solid_around(&spots));
            ahead = Some((&spots, &starts_ahead));
        }
        let place =
            Place { on, first: y * on[0].values as usize + x0, back: &back, starts: &starts, ahead, solid, curve };
        place.carry(self.one, one);
        if let Some(freight) = self.two {
            place.carry(freight, two);
        }
        if self.loses {
            let Way { keep, cooling, ambient, .. } = self.way;
            if keep != 1.0 {
                for value in one.iter_mut() {
                    *value = value.times(keep);
                }
            }
            for t in two.iter_mut() {
                *t -= cooling * Forces::excess(*t, ambient);
            }
        }
        let here = [[x0 as i32, (x0 + len) as i32], [y as i32; 2]];
        if let Some(walls) = self.walls.as_ref().filter(|walls| walls.near(here)) {
            let solid = &walls.solid[place.columns(len)];
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
    fn carry<V: Inner>(&self, freight: Freight<'_, V>, to: &mut [V]) {
        let inner = self.solid.is_none() && self.inner(freight, to);
        if !inner {
            match (freight.there, self.ahead) {
                (Some(there), Some((ahead, _))) => self.correct(freight.from, there, ahead, to),
                _ => match self.curve {
                    Some(curve) => self.cubic(curve, freight.from, to),
                    None => {
                        for (l, to) in to.iter_mut().enumerate() {
                            *to = self.bilinear(l, freight.from).bounded();
                        }
                    }
                },
            }
        }
    }

    /// Carries a run that stays away from edges and solids; false where this one does not.
    #[inline(always)]
    fn inner<V: Inner>(&self, freight: Freight<'_, V>, to: &mut [V]) -> bool {
        let Freight { from, there } = freight;
        let here = self.columns(to.len());
        let Ok(to) = <&mut [V; RUN]>::try_from(to) else { return false };
        if let (Some(curve), None) = (self.curve, there) {
            let Some(near) = Near::four(self.back, self.on, from, self.starts) else { return false };
            V::cubic(&near, curve, to);
            return true;
        }
        let Some(back) = Near::two(self.back, self.on, from, self.starts) else { return false };
        let (Some(there), Some((spots, starts))) = (there, self.ahead) else {
            V::bilinear(&back, to);
            for value in to {
                *value = value.bounded();
            }
            return true;
        };
        let Some(ahead) = Near::two(spots, self.on, there, starts) else { return false };
        let (from, there) = (&from[here.clone()], &there[here]);
        let (Ok(from), Ok(there)) = (from.try_into(), there.try_into()) else { return false };
        V::correct([from, there], &back, &ahead, to);
        true
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
    fn cubic<V: Value>(&self, curve: Curve, from: &[V], to: &mut [V]) {
        for (l, to) in to.iter_mut().enumerate() {
            *to = if let Some(fluid) = self.solid_near(l) {
                self.around(l, from, self.back.taps(l, self.on, from), fluid).bounded()
            } else {
                curved(self.back.wide_taps(l, self.on, from), curve, [0, 1].map(|axis| self.back.part[axis][l]))
            };
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
            *to = if self.fluid(l, self.back).is_some() || self.fluid(l, ahead).is_some() {
                there_here[l]
            } else {
                let again = ahead.bilinear(l, ahead.taps(l, self.on, there));
                corrected([from_here[l], there_here[l]], self.back.taps(l, self.on, from), again)
            };
        }
    }
}
