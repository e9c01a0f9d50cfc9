//! Looking back along the wind, and ahead.

use super::axis::Axis;
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
        let spots = Spots::new(self.u, self.at, [x0, y], &offset);
        let u = spots.values(len, self.u, self.wind.u);
        let spots = Spots::new(self.v, self.at, [x0, y], &offset);
        let v = spots.values(len, self.v, self.wind.v);
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
        let u_row = |row: Option<usize>| row.map(|row| &self.wind.u[row * columns..][..columns]);
        let v_row = |row: usize| &self.wind.v[row * stride..][..stride];
        match self.lattice {
            Lattice::Cell | Lattice::Dye => {
                let u = &self.wind.u[y * columns + x0..][..len + 1];
                let (low, high) = (&v_row(y)[x0..x0 + len], &v_row(y + 1)[x0..x0 + len]);
                for l in 0..len {
                    wind[0][l] = 0.5 * (u[l] + u[l + 1]);
                    wind[1][l] = 0.5 * (low[l] + high[l]);
                }
            }
            Lattice::U => {
                wind[0][..len].copy_from_slice(&self.wind.u[y * columns + x0..][..len]);
                let (low, high) = (v_row(y), v_row(y + 1));
                let tap = |row: &[f32], x: i32| self.v[0].tap(x).map_or(0.0, |x| row[x]);
                for (l, value) in wind[1][..len].iter_mut().enumerate() {
                    let x = x0 + l;
                    *value = if x > 0 && x < stride {
                        0.25 * ((low[x - 1] + low[x]) + (high[x - 1] + high[x]))
                    } else {
                        let x = x as i32;
                        0.25 * ((tap(low, x - 1) + tap(low, x)) + (tap(high, x - 1) + tap(high, x)))
                    };
                }
            }
            Lattice::V => {
                wind[1][..len].copy_from_slice(&v_row(y)[x0..x0 + len]);
                let rows = [y as i32 - 1, y as i32].map(|row| u_row(self.u[1].tap(row)));
                for (l, value) in wind[0][..len].iter_mut().enumerate() {
                    let sum = |row: Option<&[f32]>| row.map_or(0.0, |row| row[x0 + l] + row[x0 + l + 1]);
                    *value = 0.25 * (sum(rows[0]) + sum(rows[1]));
                }
            }
        }
        wind
    }
}
