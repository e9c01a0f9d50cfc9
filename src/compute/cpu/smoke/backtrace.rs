//! Backtrace back along the wind, or ahead, from the cells.

use super::super::lanes::floats::{Floats, WIDTH};
use super::axis::Axis;
use super::band::{Band, Pass};
use super::obstacles::Obstacles;
use super::operands::{Domain, Faces, FieldKind};
use super::sample::{Field, Group, Places, ask, groups, mean, read, write};
use super::slip::{Looked, Slippery};

/// Rows that are asked for ahead of those that are read.
pub(super) const AHEAD: usize = 3;

/// The wind, as the cells see it.
#[derive(Clone, Copy)]
pub(super) struct Backtrace<'a> {
    cells: [Axis; 2],
    u: [Axis; 2],
    v: [Axis; 2],
    wind: Faces<&'a [f32]>,
    /// Frames back; ahead below 0.
    time: f32,
    /// Solids along which air slips.
    pub slippery: Option<Slippery<'a>>,
}

impl<'a> Backtrace<'a> {
    pub fn new<P: Copy>(
        ground: &Domain<P>,
        wind: Faces<&'a [f32]>,
        time: f32,
        walls: Option<&'a Obstacles<'a>>,
    ) -> Self {
        let axes = |lattice| Axis::both(ground, lattice);
        let slippery = walls.map(|walls| Slippery::new(ground, walls));
        Backtrace { cells: axes(FieldKind::Cell), u: axes(FieldKind::U), v: axes(FieldKind::V), wind, time, slippery }
    }

    /// The wind along x and along y.
    #[inline(always)]
    pub fn fields<F: Floats>(&self) -> [Field<'a, F>; 2] {
        [Field::new(self.u, self.cells, self.wind.u), Field::new(self.v, self.cells, self.wind.v)]
    }

    /// Where the cells of a row came from: offsets per axis.
    #[inline(always)]
    pub fn row<F: Floats>(&self, [u, v]: &[Field<'_, F>; 2], y: usize, along: &mut [f32], across: &mut [f32]) {
        let (half, back) = (F::splat(-0.5 * self.time), F::splat(-self.time));
        for (x0, len) in groups(along.len()) {
            ask(self.wind.u, (y + AHEAD) * self.u[0].values as usize + x0);
            ask(self.wind.v, (y + AHEAD + 1) * self.v[0].values as usize + x0);
            let here = self.here::<F>([x0, y], len);
            let (group, offset) = (Group::new([x0, y]), [half.mul(here[0]), half.mul(here[1])]);
            let places = [u.places(group, offset), v.places(group, offset)];
            let found = [u.bilinear(&places[0]), v.bilinear(&places[1])];
            let [x, y] = match &self.slippery {
                None => found,
                Some(slippery) => self.along_walls(slippery, places, len, here, found),
            };
            write(back.mul(x), &mut along[x0..x0 + len]);
            write(back.mul(y), &mut across[x0..x0 + len]);
        }
    }

    /// Both components of the wind of a group, without what is in walls; that of the cells where there is nothing else.
    #[inline(always)]
    fn along_walls<F: Floats>(
        &self,
        slippery: &Slippery<'_>,
        places: [Places<F>; 2],
        len: usize,
        here: [F; 2],
        found: [F; 2],
    ) -> [F; 2] {
        let mut all = found;
        for (axis, wind) in [self.wind.u, self.wind.v].into_iter().enumerate() {
            let looked = Looked::new(&places[axis]);
            if slippery.near(&looked, len) {
                let (mut own, mut to) = ([0.0; WIDTH], [0.0; WIDTH]);
                here[axis].store(&mut own);
                found[axis].store(&mut to);
                slippery.leave_out(axis, &looked, false, wind, &own[..len], &mut to);
                all[axis] = read(&to);
            }
        }
        all
    }

    /// The wind at the cells themselves.
    #[inline(always)]
    fn here<F: Floats>(&self, [x0, y]: [usize; 2], len: usize) -> [F; 2] {
        let [columns, stride] = [self.u[0].values as usize, self.v[0].values as usize];
        let u = &self.wind.u[y * columns + x0..][..len + 1];
        let v = [&self.wind.v[y * stride + x0..][..len], &self.wind.v[(y + 1) * stride + x0..][..len]];
        [mean(&u[..len], &u[1..]), mean(v[0], v[1])]
    }
}

/// Writes the offsets along x and along y.
impl Pass for Backtrace<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        let columns = self.cells[0].values as usize;
        let fields = self.fields::<F>();
        let rows = band.one.chunks_exact_mut(columns).zip(band.two.chunks_exact_mut(columns));
        for (row, (along, across)) in rows.enumerate() {
            self.row(&fields, band.first + row, along, across);
        }
    }
}
