//! The values around a run of places, read without a place at a time: a wind that is smooth takes neighbours from nearly the same
//! way off, so that what is around them lies side by side, or a column or a row beside that.

#![expect(
    clippy::needless_range_loop,
    reason = "rows and columns of several arrays at once, in loops that are to become vectors"
)]

use super::super::lanes::prefetch;
use super::axis::Axis;
use super::spots::{RUN, Spots};
use super::value::Value;

/// Numbers that are worked on together: a multiple of every vector, and of the numbers of a value.
pub(super) const LANES: usize = 16;

/// A number for each of them.
pub(super) type Row = [f32; LANES];

/// The values around the places of the lanes: `K` rows of `K`.
pub(super) trait Taps<const K: usize> {
    fn at(&self, lane: usize) -> [[f32; K]; K];
}

/// What is made of them.
pub(super) trait Kernel<const K: usize> {
    /// For the lanes from one of a run's numbers on; `part`: the fractions of their places per axis.
    fn work(&mut self, from: usize, taps: &impl Taps<K>, part: [&Row; 2]);
}

/// Asks for the cache lines of so many values that are read before long, such as a row that the next row's places begin to need.
#[inline(always)]
pub(super) fn ahead<T>(values: &[T], from: usize, len: usize) {
    let line = 64 / size_of::<T>();
    for at in (from..from + len).step_by(line) {
        if let Some(value) = values.get(at) {
            prefetch(value);
        }
    }
}

/// A plane around a run of places.
#[derive(Clone, Copy)]
pub(super) struct Near<'a, V> {
    spots: &'a Spots,
    on: [Axis; 2],
    plane: &'a [V],
    /// Columns of the run that count.
    len: usize,
}

impl<'a, V: Value> Near<'a, V> {
    #[inline(always)]
    pub fn new(spots: &'a Spots, on: [Axis; 2], plane: &'a [V], len: usize) -> Self {
        Near { spots, on, plane, len }
    }

    /// Hands the kernel all lanes of the run, from the four around each.
    #[inline(always)]
    pub fn feed_two(&self, kernel: &mut impl Kernel<2>) {
        self.feed::<2, 3>(kernel);
    }

    /// From the sixteen.
    #[inline(always)]
    pub fn feed_four(&self, kernel: &mut impl Kernel<4>) {
        self.feed::<4, 5>(kernel);
    }

    #[inline(always)]
    fn feed<const K: usize, const N: usize>(&self, kernel: &mut impl Kernel<K>) {
        let places = LANES / V::NUMBERS;
        let Spots { index, part: parts, .. } = self.spots;
        for first in (0..RUN).step_by(places) {
            // That of the first place, and how far each is off.
            let x = index[0][first].min(index[0][first + places - 1] - (places as i32 - 1));
            let y = index[1][first].min(index[1][first + places - 1]);
            let mut off = [[0; LANES]; 2];
            let mut part = [[0.0; LANES]; 2];
            let mut most = 0;
            for l in 0..LANES {
                let place = l / V::NUMBERS;
                off[0][l] = index[0][first + place] - (x + place as i32);
                off[1][l] = index[1][first + place] - y;
                most |= (off[0][l] | off[1][l]) as u32;
                part[0][l] = parts[0][first + place];
                part[1][l] = parts[1][first + place];
            }
            let part = [&part[0], &part[1]];
            let from = first * V::NUMBERS;
            match if most <= 1 { self.rows::<N>([x, y]) } else { None } {
                Some(rows) if N > 3 && most == 0 => kernel.work(from, &Even { rows }, part),
                Some(rows) => kernel.work(from, &Close { rows, off: &off }, part),
                None => kernel.work(from, &self.apart::<K>(first), part),
            }
        }
    }

    /// What is around a row of places from (x, y) on, and a column and a row more; `None` where it is not all on the lattice.
    #[inline(always)]
    fn rows<const N: usize>(&self, [x, y]: [i32; 2]) -> Option<[[&'a Row; N]; N]> {
        let places = LANES / V::NUMBERS;
        let below = N as i32 / 2 - 1;
        let [columns, rows] = [self.on[0].values, self.on[1].values];
        let (x, y) = (x - below, y - below);
        if x < 0 || y < 0 || x + (places + N - 1) as i32 > columns || y + N as i32 > rows {
            return None;
        }
        let stride = columns as usize * V::NUMBERS;
        let len = LANES + (N - 1) * V::NUMBERS;
        let start = y as usize * stride + x as usize * V::NUMBERS;
        let values: &[f32] = bytemuck::cast_slice(self.plane);
        let all = &values[start..start + (N - 1) * stride + len];
        ahead(values, start + N * stride, LANES);
        let mut rows = [[&[0.0; LANES]; N]; N];
        for (r, row) in rows.iter_mut().enumerate() {
            let values = &all[r * stride..r * stride + len];
            for (c, place) in row.iter_mut().enumerate() {
                *place = values[c * V::NUMBERS..].first_chunk()?;
            }
        }
        Some(rows)
    }

    /// The values around each place of a piece, wherever they are.
    #[inline(always)]
    fn apart<const K: usize>(&self, first: usize) -> Apart<K> {
        let mut taps = [[[0.0; LANES]; K]; K];
        for place in 0..(LANES / V::NUMBERS).min(self.len.saturating_sub(first)) {
            let found: [[V; K]; K] = self.spots.around(first + place, self.on, self.plane);
            for r in 0..K {
                for c in 0..K {
                    let value: &[f32] = bytemuck::cast_slice(std::slice::from_ref(&found[r][c]));
                    for number in 0..V::NUMBERS {
                        taps[r][c][place * V::NUMBERS + number] = value[number];
                    }
                }
            }
        }
        Apart(taps)
    }
}

/// Around places in a row.
struct Even<'a, const N: usize> {
    rows: [[&'a Row; N]; N],
}

impl<const K: usize, const N: usize> Taps<K> for Even<'_, N> {
    #[inline(always)]
    fn at(&self, lane: usize) -> [[f32; K]; K] {
        let mut taps = [[0.0; K]; K];
        for r in 0..K {
            for c in 0..K {
                taps[r][c] = self.rows[r][c][lane];
            }
        }
        taps
    }
}

/// Around places that are a column or a row off each other at most.
struct Close<'a, const N: usize> {
    /// What is in a row with the least of them, so many rows up and columns on.
    rows: [[&'a Row; N]; N],
    /// How far each is off the least, per axis: 0 or 1.
    off: &'a [[i32; LANES]; 2],
}

impl<const K: usize, const N: usize> Taps<K> for Close<'_, N> {
    #[inline(always)]
    fn at(&self, lane: usize) -> [[f32; K]; K] {
        let (right, up) = (-self.off[0][lane], -self.off[1][lane]);
        let mut rows = [[0.0; K]; N];
        for r in 0..N {
            for c in 0..K {
                let (here, next) = (self.rows[r][c][lane], self.rows[r][c + 1][lane]);
                rows[r][c] = pick(right, next, here);
            }
        }
        let mut taps = [[0.0; K]; K];
        for r in 0..K {
            for c in 0..K {
                taps[r][c] = pick(up, rows[r + 1][c], rows[r][c]);
            }
        }
        taps
    }
}

/// `yes` where all bits of the mask are set, `no` where none is. Of a choice between two values that were just loaded compilers make
/// one load from a chosen address, for each lane on its own.
#[inline(always)]
fn pick(mask: i32, yes: f32, no: f32) -> f32 {
    let (yes, no) = (yes.to_bits(), no.to_bits());
    f32::from_bits(no ^ ((no ^ yes) & mask as u32))
}

/// Around places anywhere.
struct Apart<const K: usize>([[Row; K]; K]);

impl<const K: usize> Taps<K> for Apart<K> {
    #[inline(always)]
    fn at(&self, lane: usize) -> [[f32; K]; K] {
        let mut taps = [[0.0; K]; K];
        for r in 0..K {
            for c in 0..K {
                taps[r][c] = self.0[r][c][lane];
            }
        }
        taps
    }
}
