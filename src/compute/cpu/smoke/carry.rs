//! Carrying: each value comes from where the wind blew it from.

use std::ops::Range;

use super::axis::Axis;
use super::band::{Band, Pass};
use super::inner::{self, corrected, curved};
use super::near::{Near, ahead};
use super::plane::Plane;
use super::spots::{RUN, Run, Spots, runs};
use super::value::Value;
use super::walls::Walls;
use crate::sim::smoke::machine::{Curve, Forces, Lattice, Offsets, Way};
use crate::sim::smoke::settings::Scheme;

/// What is carried on one lattice: planes of the same kind of values.
#[derive(Clone, Copy)]
pub(super) struct Freight<'a, V> {
    pub from: &'a [V],
    /// Where it came to, bilinear: what MacCormack's second half starts from.
    pub there: Option<&'a [V]>,
}

/// Offsets of the cells' looks, along x and along y.
#[derive(Clone, Copy)]
pub(super) struct Looks<'a> {
    back: [&'a [f32]; 2],
    ahead: Option<[&'a [f32]; 2]>,
}

impl<'a> Looks<'a> {
    /// Of one back, or of one back and one ahead.
    pub fn new(looks: &[&'a Offsets<Plane>]) -> Looks<'a> {
        let planes = |look: &&'a Offsets<Plane>| [&*look.x, &*look.y];
        Looks { back: looks.first().map(planes).unwrap_or_default(), ahead: looks.get(1).map(planes) }
    }
}

/// Carrying a plane of numbers, or the dye and, on the same way, the temperature.
pub(super) struct Carry<'a, V> {
    /// Faces of one kind, or cells.
    pub lattice: Lattice,
    /// Its axes.
    pub on: [Axis; 2],
    /// Columns and rows of cells.
    pub cells: [Axis; 2],
    pub way: Way,
    pub looks: Looks<'a>,
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
    ahead: Option<&'a Spots>,
    /// 1 where a cell is solid, where some may be near.
    solid: Option<&'a [f32]>,
    curve: Option<Curve>,
}

/// Half a cell beyond the first of two.
#[inline(always)]
fn beyond(first: f32, second: f32) -> f32 {
    first + 0.5 * (first - second)
}

impl<V: Value> Pass for Carry<'_, V> {
    type Output = ();

    #[inline(always)]
    fn pass(&self, band: Band<'_>) {
        let columns = self.on[0].values as usize;
        let one: &mut [V] = bytemuck::cast_slice_mut(band.one);
        for row in 0..band.rows {
            for (x0, len) in runs(columns) {
                let at = row * columns + x0..row * columns + x0 + len;
                ahead(one, at.start + columns, len);
                let two = if band.two.is_empty() { &mut [][..] } else { &mut band.two[at.clone()] };
                self.run([x0, band.first + row], &mut one[at], two);
            }
        }
    }
}

impl<V: Value> Carry<'_, V> {
    /// The ends of looks; those from faces are halfway between those from the cells at them, or go on to an edge as between the two
    /// cells before it.
    #[inline(always)]
    fn spots(&self, [x0, y]: [usize; 2], len: usize, looks: [&[f32]; 2]) -> Spots {
        let mut offset = [[0.0; RUN]; 2];
        for (offset, look) in offset.iter_mut().zip(looks) {
            self.offset([x0, y], len, look, offset);
        }
        Spots::new(self.on, self.on, [x0, y], &offset)
    }

    /// Offsets along an axis.
    #[inline(always)]
    fn offset(&self, [x0, y]: [usize; 2], len: usize, look: &[f32], to: &mut Run) {
        let [across, up] = self.cells;
        let columns = across.values as usize;
        let row = |y: i32| &look[up.near(y) * columns..][..columns];
        let here = row(y as i32);
        ahead(look, (y + 1) * columns + x0, len);
        match self.lattice {
            Lattice::U => {
                let (first, end) = (usize::from(x0 == 0), len.min(columns - x0));
                if first < end {
                    let (before, after) = (&here[x0 + first - 1..x0 + end - 1], &here[x0 + first..x0 + end]);
                    inner::means([before, after], &mut to[first..end]);
                }
                for l in (0..first).chain(end..len) {
                    let [first, second] = across.beside((x0 + l) as i32).map(|x| here[x]);
                    to[l] = if across.wraps() { 0.5 * (first + second) } else { beyond(first, second) };
                }
            }
            Lattice::V => {
                let [first, second] = up.beside(y as i32).map(|y| &row(y as i32)[x0..x0 + len]);
                if up.wraps() || (y > 0 && y < up.values as usize) {
                    inner::means([first, second], &mut to[..len]);
                } else {
                    for (l, to) in to[..len].iter_mut().enumerate() {
                        *to = beyond(first[l], second[l]);
                    }
                }
            }
            Lattice::Cell | Lattice::Dye => to[..len].copy_from_slice(&here[x0..x0 + len]),
        }
    }

    /// The solid cells, where one of the sixteen around some place may be one.
    #[inline(always)]
    fn solid_around(&self, spots: &Spots) -> Option<&[f32]> {
        let walls = self.walls.as_ref()?;
        let [[left, right], [bottom, top]] = spots.bounds();
        walls.near([[left - 1, right + 2], [bottom - 1, top + 2]]).then_some(walls.solid)
    }

    #[inline(always)]
    fn run(&self, [x0, y]: [usize; 2], one: &mut [V], two: &mut [f32]) {
        let len = one.len();
        let on = self.on;
        let faces = matches!(self.lattice, Lattice::U | Lattice::V);
        let curve =
            (self.way.scheme == Scheme::Cubic).then_some(if faces { Curve::Lagrange } else { Curve::CatmullRom });
        let back = self.spots([x0, y], len, self.looks.back);
        let mut solid = self.solid_around(&back);
        let spots;
        let mut ahead = None;
        if let Some(looks) = self.looks.ahead {
            spots = self.spots([x0, y], len, looks);
            solid = solid.or(self.solid_around(&spots));
            ahead = Some(&spots);
        }
        let place = Place { on, first: y * on[0].values as usize + x0, back: &back, ahead, solid, curve };
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
    fn carry<V: Value>(&self, Freight { from, there }: Freight<'_, V>, to: &mut [V]) {
        if self.solid.is_none() {
            self.freely(from, there, to);
            return;
        }
        match (there, self.ahead) {
            (Some(there), Some(ahead)) => self.correct(from, there, ahead, to),
            _ => match self.curve {
                Some(curve) => self.cubic(curve, from, to),
                None => {
                    for (l, to) in to.iter_mut().enumerate() {
                        *to = self.bilinear(l, from).bounded();
                    }
                }
            },
        }
    }

    /// Carries a run that stays away from solids.
    #[inline(always)]
    fn freely<V: Value>(&self, from: &[V], there: Option<&[V]>, to: &mut [V]) {
        let len = to.len();
        let mut carried = [V::ZERO; RUN];
        let back = Near::new(self.back, self.on, from, len);
        match (there, self.ahead, self.curve) {
            (Some(there), Some(ahead), _) => {
                let mut here = [[V::ZERO; RUN]; 2];
                here[0][..len].copy_from_slice(&from[self.columns(len)]);
                here[1][..len].copy_from_slice(&there[self.columns(len)]);
                let ahead = Near::new(ahead, self.on, there, len);
                inner::correct([&here[0], &here[1]], &back, &ahead, &mut carried);
            }
            (_, _, Some(curve)) => inner::cubic(&back, curve, &mut carried),
            _ => {
                inner::bilinear(&back, &mut carried);
                for value in &mut carried {
                    *value = value.bounded();
                }
            }
        }
        to.copy_from_slice(&carried[..len]);
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
                curved(self.back.around(l, self.on, from), curve, [0, 1].map(|axis| self.back.part[axis][l]))
            };
        }
    }

    /// Which of the four around are fluid, where one of the sixteen is not.
    #[inline(always)]
    fn solid_near(&self, l: usize) -> Option<[f32; 4]> {
        let solid = self.solid?;
        let near: [[f32; 4]; 4] = self.back.around(l, self.on, solid);
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
