//! What is done to the values of a plane on their own.

use super::super::lanes::floats::{Floats, WIDTH};
use super::super::wide::Wide;
use super::band::{Band, Pass};
use super::places::ask;
use super::value::bounded;
use super::walls::any;
use crate::sim::smoke::machine::{Area, Lattice, MOST, Stamp};
use crate::sim::smoke::planes::Survey;

/// A rectangle of values on a lattice.
pub(super) struct Stamped<'a> {
    pub lattice: Lattice,
    /// Places of a row of the lattice.
    pub columns: usize,
    pub stamp: Stamp,
    pub area: Area<&'a [f32]>,
    /// Solid cells, for lattices of cells.
    pub solid: Option<&'a [f32]>,
}

impl Pass for Stamped<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        let area = &self.area;
        let values = self.lattice.values();
        let taken = if self.stamp == Stamp::Steer { 2 } else { values };
        let (first, end) = (area.y.max(band.first), (area.y + area.height).min(band.first + band.rows));
        let width = area.width.min(self.columns.saturating_sub(area.x));
        for y in first..end.max(first) {
            let at = (y - band.first) * self.columns + area.x;
            let to = &mut band.one[at * values..(at + width) * values];
            let from = &area.values[(y - area.y) * area.width * taken..][..width * taken];
            match (self.lattice, self.solid) {
                (Lattice::Cell | Lattice::Dye, Some(solid)) => {
                    let solid = &solid[y * self.columns + area.x..][..width];
                    for (l, _) in solid.iter().enumerate().filter(|(_, solid)| **solid == 0.0) {
                        let (to, from) = (&mut to[l * values..][..values], &from[l * taken..][..taken]);
                        stamp(self.stamp, from, to);
                    }
                }
                _ => stamp(self.stamp, from, to),
            }
        }
    }
}

#[inline(always)]
fn stamp(stamp: Stamp, from: &[f32], to: &mut [f32]) {
    match stamp {
        Stamp::Add { share } => {
            for (to, from) in to.iter_mut().zip(from) {
                *to = bounded(*to + share * from);
            }
        }
        Stamp::Steer => {
            for (to, from) in to.iter_mut().zip(from.as_chunks::<2>().0) {
                *to = bounded(*to + (from[0] - *to) * from[1]);
            }
        }
        Stamp::Replace | Stamp::FillUp => {
            for (to, from) in to.as_chunks_mut::<4>().0.iter_mut().zip(from.as_chunks::<4>().0) {
                let below = if stamp == Stamp::Replace { 0.0 } else { to[3] };
                if from[3] > below {
                    *to = from.map(bounded);
                }
            }
        }
    }
}

/// Moves a plane by whole places.
pub(super) struct Shift<'a> {
    pub columns: usize,
    pub rows: usize,
    pub values: usize,
    pub by: [i64; 2],
    pub from: &'a [f32],
}

impl Pass for Shift<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        let (columns, [dx, dy]) = (self.columns as i64, self.by);
        let stride = self.columns * self.values;
        let (first, end) = ((-dx).clamp(0, columns), (columns - dx.clamp(-columns, columns)).clamp(0, columns));
        for (row, to) in band.one.chunks_exact_mut(stride).enumerate() {
            to.fill(0.0);
            let y = ((band.first + row) as i64).saturating_add(dy);
            if (0..self.rows as i64).contains(&y) && first < end {
                let from = &self.from[y as usize * stride..][..stride];
                let len = (end - first) as usize * self.values;
                let [source, target] = [first + dx, first].map(|x| x as usize * self.values);
                to[target..target + len].copy_from_slice(&from[source..source + len]);
            }
        }
    }
}

/// Sets faces at walls, one kind of them.
pub(super) struct Settle<'a> {
    pub columns: usize,
    pub rows: usize,
    /// Whether the faces' own axis is that of the columns: u.
    pub along: bool,
    /// Whether that axis is closed, low and high.
    pub closed: [bool; 2],
    /// Whether it wraps.
    pub wraps: bool,
    /// Solid cells and their velocities through the faces.
    pub solid: Option<[&'a [f32]; 2]>,
}

impl Pass for Settle<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        let [low, high] = self.closed;
        for (row, to) in band.one.chunks_exact_mut(self.columns).enumerate() {
            let y = band.first + row;
            if self.along {
                let last = self.columns - 1;
                to[0] = if low { 0.0 } else { to[0] };
                to[last] = if high { 0.0 } else { to[last] };
            } else if (low && y == 0) || (high && y == self.rows - 1) {
                to.fill(0.0);
            }
            let Some([solid, faces]) = self.solid else { continue };
            let given = &faces[y * self.columns..][..self.columns];
            if self.along {
                let solid = &solid[y * (self.columns - 1)..][..self.columns - 1];
                let last = solid.len();
                hold(&mut to[1..last], &given[1..], solid, &solid[1..]);
                hold(&mut to[..1], given, if self.wraps { &solid[last - 1..] } else { solid }, solid);
                hold(&mut to[last..], &given[last..], &solid[last - 1..], &solid[last - 1..]);
            } else {
                let before = if y == 0 && self.wraps { self.rows - 2 } else { y.max(1) - 1 };
                let [low, high] = [before, y.min(self.rows - 2)];
                hold(to, given, &solid[low * self.columns..], &solid[high * self.columns..]);
            }
        }
    }
}

/// Sets the values that stand between two cells one of which is solid.
#[inline(always)]
fn hold(to: &mut [f32], given: &[f32], first: &[f32], second: &[f32]) {
    const PIECE: usize = 64;
    let cells = first.chunks(PIECE).zip(second.chunks(PIECE));
    for ((to, given), (first, second)) in to.chunks_mut(PIECE).zip(given.chunks(PIECE)).zip(cells) {
        // Most pieces have no solids near.
        if !any(first) && !any(second) {
            continue;
        }
        for ((to, given), (first, second)) in to.iter_mut().zip(given).zip(first.iter().zip(second)) {
            let touches = first + second > 0.0;
            *to = if touches { *given } else { *to };
        }
    }
}

/// `2·projected − to`, each value a row of its own.
pub(super) struct Reflect<'a> {
    pub projected: &'a [f32],
}

impl Pass for Reflect<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        for (to, projected) in band.one.iter_mut().zip(&self.projected[band.first..]) {
            *to = 2.0 * projected - *to;
        }
    }
}

/// Values times a number, each a row of its own.
pub(super) struct Scale<'a> {
    pub by: f32,
    pub from: &'a [f32],
}

impl Pass for Scale<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        for (to, from) in band.one.iter_mut().zip(&self.from[band.first..]) {
            let value = from * self.by;
            *to = if value.is_finite() { value } else { 0.0 };
        }
    }
}

/// Takes out what is not finite or beyond bounds, each value a row of its own.
pub(super) struct Scrub;

impl Pass for Scrub {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        band.one.iter_mut().for_each(|value| {
            let finite = value.is_finite();
            *value = if finite { bounded(*value) } else { 0.0 };
        });
    }
}

/// What is to know of some values.
#[inline(always)]
pub(super) fn survey(values: &[f32]) -> Survey {
    const LANES: usize = 32;
    // Chunks that are asked for ahead of the one that is looked at.
    const AHEAD: usize = 32;
    let (chunks, rest) = values.as_chunks::<LANES>();
    // The bits of what is not negative are in order, those of infinities and of what is no number at the end.
    let size = |value: f32| value.to_bits() & 0x7fff_ffff;
    let mut largest = [0; LANES];
    for (at, chunk) in chunks.iter().enumerate() {
        for line in 0..2 {
            ask(values, (at + AHEAD) * LANES + line * WIDTH);
        }
        for l in 0..LANES {
            largest[l] = largest[l].max(size(chunk[l]));
        }
    }
    let mut most = 0;
    for size in &largest {
        most = most.max(*size);
    }
    for value in rest {
        most = most.max(size(*value));
    }
    let largest = f32::from_bits(most);
    if largest <= MOST { Survey { largest, bad: 0 } } else { survey_bad(values) }
}

/// The same, where some values are bad.
#[cold]
#[inline(never)]
fn survey_bad(values: &[f32]) -> Survey {
    values.iter().map(|value| value.abs()).fold(Survey::default(), |all, size| {
        let good = size <= MOST;
        all.and(Survey { largest: if good { size } else { 0.0 }, bad: u64::from(!good) })
    })
}

/// The largest of some values, in vectors.
pub(super) struct Surveyed<'a>(pub &'a [f32]);

impl Wide for Surveyed<'_> {
    type Output = Survey;

    #[inline(always)]
    fn run(self) -> Survey {
        survey(self.0)
    }
}
