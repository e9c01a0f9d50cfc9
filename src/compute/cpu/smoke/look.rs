//! Looking back along the wind, and ahead.

use super::axis::Axis;
use super::inner::{Near, both};
use super::spots::{RUN, Run, Spots};
use crate::sim::smoke::machine::{Faces, Ground, Lattice};

/// The wind, as seen from one lattice.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    pub lattice: Lattice,
    /// Axes of the lattice, of u and of v.
    pub at: [Axis; 2],
    u: [Axis; 2],
    v: [Axis; 2],
    wind: Faces<&'a [f32]>,
}

impl<'a> Look<'a> {
    pub fn new<P>(ground: &Ground<P>, lattice: Lattice, wind: Faces<&'a [f32]>) -> Look<'a> {
        let axes = |lattice| Axis::both(ground, lattice);
        Look { lattice, at: axes(lattice), u: axes(Lattice::U), v: axes(Lattice::V), wind }
    }

    /// Where the columns `x0` … of row `y` came from, `time` ago: offsets per axis. Columns from `len` on are anybody's.
    #[inline(always)]
    pub fn back(&self, [x0, y]: [usize; 2], len: usize, time: f32) -> [Run; 2] {
        let here = self.here([x0, y], len);
        let half = -0.5 * time;
        let mut offset = [[0.0; RUN]; 2];
        for l in 0..RUN {
            offset[0][l] = half * here[0][l];
            offset[1][l] = half * here[1][l];
        }
        let on_u = Spots::new(self.u, self.at, [x0, y], &offset);
        let on_v = Spots::new(self.v, self.at, [x0, y], &offset);
        let (starts_u, starts_v) = (on_u.starts(self.u, 0), on_v.starts(self.v, 0));
        let near_u = Near::two(&on_u, self.u, self.wind.u, &starts_u);
        let near_v = Near::two(&on_v, self.v, self.wind.v, &starts_v);
        let [u, v] = match (&near_u, &near_v) {
            (Some(u), Some(v)) => both([u, v]),
            _ => [on_u.values(len, self.u, self.wind.u), on_v.values(len, self.v, self.wind.v)],
        };
        for l in 0..RUN {
            offset[0][l] = -time * u[l];
            offset[1][l] = -time * v[l];
        }
        offset
    }

    /// The wind on the lattice itself.
    #[inline(always)]
    fn here(&self, [x0, y]: [usize; 2], len: usize) -> [Run; 2] {
        let mut wind = [[0.0; RUN]; 2];
        let [columns, stride] = [self.u[0].values as usize, self.v[0].values as usize];
        let v_row = |row: usize| &self.wind.v[row * stride..][..stride];
        match self.lattice {
            Lattice::Cell | Lattice::Dye => {
                let u = &self.wind.u[y * columns + x0..][..len + 1];
                halves(&mut wind[0][..len], &u[..len], &u[1..]);
                halves(&mut wind[1][..len], &v_row(y)[x0..x0 + len], &v_row(y + 1)[x0..x0 + len]);
            }
            Lattice::U => {
                wind[0][..len].copy_from_slice(&self.wind.u[y * columns + x0..][..len]);
                let (low, high) = (v_row(y), v_row(y + 1));
                // Those with a value on both sides, then those at the edges.
                let (first, end) = (usize::from(x0 == 0), len.min(stride - x0));
                if first < end {
                    let around = x0 + first - 1..x0 + end;
                    quarters(&mut wind[1][first..end], &low[around.clone()], &high[around]);
                }
                for l in (0..first).chain(end..len) {
                    let [before, after] = [self.v[0].tap((x0 + l) as i32 - 1), self.v[0].tap((x0 + l) as i32)];
                    let sum = |row: &[f32]| before.map_or(0.0, |x| row[x]) + after.map_or(0.0, |x| row[x]);
                    wind[1][l] = 0.25 * (sum(low) + sum(high));
                }
            }
            Lattice::V => {
                wind[1][..len].copy_from_slice(&v_row(y)[x0..x0 + len]);
                let still = [0.0; RUN + 1];
                let (mut low, mut high) = (&still[..len + 1], &still[..len + 1]);
                if let Some(row) = self.u[1].tap(y as i32 - 1) {
                    low = &self.wind.u[row * columns + x0..][..len + 1];
                }
                if let Some(row) = self.u[1].tap(y as i32) {
                    high = &self.wind.u[row * columns + x0..][..len + 1];
                }
                quarters(&mut wind[0][..len], low, high);
            }
        }
        wind
    }
}

/// Means of two.
#[inline(always)]
fn halves(to: &mut [f32], first: &[f32], second: &[f32]) {
    for (to, (first, second)) in to.iter_mut().zip(first.iter().zip(second)) {
        *to = 0.5 * (first + second);
    }
}

/// Means of four: of two neighbours in each of two rows, which are one longer.
#[inline(always)]
fn quarters(to: &mut [f32], low: &[f32], high: &[f32]) {
    let (low, high) = (low.iter().zip(&low[1..]), high.iter().zip(&high[1..]));
    for (to, ((a, b), (c, d))) in to.iter_mut().zip(low.zip(high)) {
        *to = 0.25 * ((a + b) + (c + d));
    }
}
