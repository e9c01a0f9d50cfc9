//! Looking back along the wind, or ahead, from the cells.

use super::axis::Axis;
use super::band::{Band, Pass};
use super::inner;
use super::near::{Near, ahead};
use super::spots::{RUN, Run, Spots, runs};
use crate::sim::smoke::machine::{Faces, Ground, Lattice};

/// The wind, as the cells see it; writes the offsets along x and along y.
pub(super) struct Look<'a> {
    cells: [Axis; 2],
    u: [Axis; 2],
    v: [Axis; 2],
    wind: Faces<&'a [f32]>,
    time: f32,
}

impl<'a> Look<'a> {
    pub fn new<P>(ground: &Ground<P>, wind: Faces<&'a [f32]>, time: f32) -> Look<'a> {
        let axes = |lattice| Axis::both(ground, lattice);
        Look { cells: axes(Lattice::Cell), u: axes(Lattice::U), v: axes(Lattice::V), wind, time }
    }

    /// Where the columns `x0` … of row `y` came from: offsets per axis. Columns from `len` on are anybody's.
    #[inline(always)]
    fn back(&self, [x0, y]: [usize; 2], len: usize) -> [Run; 2] {
        let here = self.here([x0, y], len);
        let half = -0.5 * self.time;
        let mut offset = [[0.0; RUN]; 2];
        for l in 0..RUN {
            offset[0][l] = half * here[0][l];
            offset[1][l] = half * here[1][l];
        }
        let mut wind = [[0.0; RUN]; 2];
        let on_u = Spots::new(self.u, self.cells, [x0, y], &offset);
        let on_v = Spots::new(self.v, self.cells, [x0, y], &offset);
        inner::bilinear(&Near::new(&on_u, self.u, self.wind.u, len), &mut wind[0]);
        inner::bilinear(&Near::new(&on_v, self.v, self.wind.v, len), &mut wind[1]);
        for l in 0..RUN {
            offset[0][l] = -self.time * wind[0][l];
            offset[1][l] = -self.time * wind[1][l];
        }
        offset
    }

    /// The wind at the cells themselves.
    #[inline(always)]
    fn here(&self, [x0, y]: [usize; 2], len: usize) -> [Run; 2] {
        let mut wind = [[0.0; RUN]; 2];
        let [columns, stride] = [self.u[0].values as usize, self.v[0].values as usize];
        let u = &self.wind.u[y * columns + x0..][..len + 1];
        let v = [&self.wind.v[y * stride + x0..][..len], &self.wind.v[(y + 1) * stride + x0..][..len]];
        inner::means([&u[..len], &u[1..]], &mut wind[0]);
        inner::means(v, &mut wind[1]);
        wind
    }
}

impl Pass for Look<'_> {
    type Output = ();

    #[inline(always)]
    fn pass(&self, band: Band<'_>) {
        let columns = self.cells[0].values as usize;
        for row in 0..band.rows {
            for (x0, len) in runs(columns) {
                let offset = self.back([x0, band.first + row], len);
                let at = row * columns + x0..row * columns + x0 + len;
                for plane in [&*band.one, &*band.two] {
                    ahead(plane, at.start + columns, len);
                }
                band.one[at.clone()].copy_from_slice(&offset[0][..len]);
                band.two[at].copy_from_slice(&offset[1][..len]);
            }
        }
    }
}
