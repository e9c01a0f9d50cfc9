//! Backtraces: displacements of the cells along the velocity, backward or forward in time, by the midpoint method. GPU:
//! `backtrace.wgsl`; reference: `tests/reference/transport.rs`.

use super::super::lanes::floats::{Floats, WIDTH};
use super::axis::Axis;
use super::band::{Band, Pass};
use super::obstacles::Obstacles;
use super::operands::{Faces, FieldKind, PlaneDomain};
use super::sample::{Field, Group, Positions, groups, mean, prefetch_at, read, write};
use super::slip::{FreeSlip, LanePositions};

/// Number of rows by which the prefetch of velocities precedes their use.
pub(super) const AHEAD: usize = 3;

/// Traces cells along a velocity.
#[derive(Clone, Copy)]
pub(super) struct Backtrace<'a> {
    cells: [Axis; 2],
    u: [Axis; 2],
    v: [Axis; 2],
    wind: Faces<&'a [f32]>,
    /// Time in frames: positive to trace backward, negative to trace forward.
    time: f32,
    /// Solids with free slip.
    pub free_slip: Option<FreeSlip<'a>>,
}

impl<'a> Backtrace<'a> {
    pub fn new<P: Copy>(
        domain: &PlaneDomain<P>,
        wind: Faces<&'a [f32]>,
        time: f32,
        obstacles: Option<&'a Obstacles<'a>>,
    ) -> Self {
        let axes = |kind| Axis::both(domain, kind);
        let free_slip = obstacles.map(|obstacles| FreeSlip::new(domain, obstacles));
        Backtrace { cells: axes(FieldKind::Cell), u: axes(FieldKind::U), v: axes(FieldKind::V), wind, time, free_slip }
    }

    /// The components of the velocity, as fields that are sampled from the cells.
    #[inline(always)]
    pub fn fields<F: Floats>(&self) -> [Field<'a, F>; 2] {
        [Field::new(self.u, self.cells, self.wind.u), Field::new(self.v, self.cells, self.wind.v)]
    }

    /// The displacements of a row of cells along x and along y.
    #[inline(always)]
    pub fn row<F: Floats>(&self, [u, v]: &[Field<'_, F>; 2], y: usize, dx: &mut [f32], dy: &mut [f32]) {
        let (half, back) = (F::splat(-0.5 * self.time), F::splat(-self.time));
        for (x0, len) in groups(dx.len()) {
            prefetch_at(self.wind.u, (y + AHEAD) * self.u[0].values as usize + x0);
            prefetch_at(self.wind.v, (y + AHEAD + 1) * self.v[0].values as usize + x0);
            let here = self.here::<F>([x0, y], len);
            let (group, offset) = (Group::new([x0, y]), [half.mul(here[0]), half.mul(here[1])]);
            let positions = [u.positions(group, offset), v.positions(group, offset)];
            let found = [u.bilinear(&positions[0]), v.bilinear(&positions[1])];
            let [x, y] = match &self.free_slip {
                None => found,
                Some(free_slip) => self.along_walls(free_slip, positions, len, here, found),
            };
            write(back.mul(x), &mut dx[x0..x0 + len]);
            write(back.mul(y), &mut dy[x0..x0 + len]);
        }
    }

    /// Recomputes the sampled velocity `found` of a group without the faces inside free-slip solids. Where no other
    /// face has a weight, the result is the velocity at the cells, `here`.
    #[inline(always)]
    fn along_walls<F: Floats>(
        &self,
        free_slip: &FreeSlip<'_>,
        positions: [Positions<F>; 2],
        len: usize,
        here: [F; 2],
        found: [F; 2],
    ) -> [F; 2] {
        let mut all = found;
        for (axis, wind) in [self.wind.u, self.wind.v].into_iter().enumerate() {
            let positions = LanePositions::new(&positions[axis]);
            if free_slip.near(&positions, len) {
                let (mut own, mut to) = ([0.0; WIDTH], [0.0; WIDTH]);
                here[axis].store(&mut own);
                found[axis].store(&mut to);
                free_slip.exclude_walls(axis, &positions, false, wind, &own[..len], &mut to);
                all[axis] = read(&to);
            }
        }
        all
    }

    /// The velocity at the cells themselves.
    #[inline(always)]
    fn here<F: Floats>(&self, [x0, y]: [usize; 2], len: usize) -> [F; 2] {
        let [columns, stride] = [self.u[0].values as usize, self.v[0].values as usize];
        let u = &self.wind.u[y * columns + x0..][..len + 1];
        let v = [&self.wind.v[y * stride + x0..][..len], &self.wind.v[(y + 1) * stride + x0..][..len]];
        [mean(&u[..len], &u[1..]), mean(v[0], v[1])]
    }
}

impl Pass for Backtrace<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        let columns = self.cells[0].values as usize;
        let fields = self.fields::<F>();
        let rows = band.one.chunks_exact_mut(columns).zip(band.two.chunks_exact_mut(columns));
        for (row, (dx, dy)) in rows.enumerate() {
            self.row(&fields, band.first + row, dx, dy);
        }
    }
}
