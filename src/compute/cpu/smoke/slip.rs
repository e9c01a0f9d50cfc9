//! Velocity beside solids along which air slips: what faces in a wall hold is left out.

use super::super::Cpu;
use super::super::lanes::floats::{Floats, WIDTH};
use super::axis::Axis;
use super::obstacles::Obstacles;
use super::operands::{Domain, FieldKind};
use super::sample::{Places, around_one, weighted, without};
use super::value::Value;

/// The solids of a grid along which air slips, if it does.
pub(super) fn free_slip_obstacles<'a>(cpu: &Cpu, ground: &Domain<&'a [f32]>) -> Option<Obstacles<'a>> {
    ground.slippery().map(|solid| Obstacles::new(cpu, solid, ground.width))
}

/// Those solids, as the faces see them.
#[derive(Clone, Copy)]
pub(super) struct Slippery<'a> {
    walls: &'a Obstacles<'a>,
    cells: [Axis; 2],
    /// Of vertical faces, and of horizontal ones.
    on: [[Axis; 2]; 2],
}

/// Where the faces of a group are looked up.
pub(super) struct Looked {
    index: [[i32; WIDTH]; 2],
    part: [[f32; WIDTH]; 2],
}

impl Looked {
    #[inline(always)]
    pub fn new<F: Floats>(places: &Places<F>) -> Looked {
        Looked { index: places.indices(), part: places.parts() }
    }
}

impl<'a> Slippery<'a> {
    pub fn new<P: Copy>(ground: &Domain<P>, walls: &'a Obstacles<'a>) -> Slippery<'a> {
        let [cells, u, v] = [FieldKind::Cell, FieldKind::U, FieldKind::V].map(|lattice| Axis::both(ground, lattice));
        Slippery { walls, cells, on: [u, v] }
    }

    /// Whether some face in a wall may have a weight at one of the places; `len` of them count.
    pub fn near(&self, looked: &Looked, len: usize) -> bool {
        let bounds = looked.index.map(|index| {
            let index = &index[..len];
            let least = index.iter().fold(i32::MAX, |least, at| least.min(*at));
            let most = index.iter().fold(i32::MIN, |most, at| most.max(*at));
            // A cubic's faces, and the cells at them.
            [least - 2, most + 2]
        });
        self.walls.near(self.cells, bounds)
    }

    /// Whether a face along `axis` is between two solid cells.
    fn in_wall(&self, axis: usize, [x, y]: [usize; 2]) -> bool {
        let is_solid = |[x, y]: [i32; 2]| {
            let width = self.cells[0].values as usize;
            self.walls.solid[self.cells[1].near(y) * width + self.cells[0].near(x)] > 0.0
        };
        let second = [x as i32, y as i32];
        let mut first = second;
        first[axis] -= 1;
        is_solid(first) && is_solid(second)
    }

    /// 1 for those of the `K` rows of `K` faces around a place that are in a wall and have a weight.
    fn walls<const K: usize>(&self, axis: usize, [x, y]: [i32; 2], part: [f32; 2]) -> [[f32; K]; K] {
        let (on, below) = (self.on[axis], K as i32 / 2 - 1);
        let mut walls = [[0.0; K]; K];
        for (r, row) in walls.iter_mut().enumerate() {
            for (c, wall) in row.iter_mut().enumerate() {
                let place = [on[0].tap(x - below + c as i32), on[1].tap(y - below + r as i32)];
                if let [Some(x), Some(y)] = place {
                    *wall = f32::from(u8::from(self.in_wall(axis, [x, y])));
                }
            }
        }
        weighted(walls, part)
    }

    /// Values of faces along `axis`, looked up bilinear or, `cubic`, with a cubic: set to those without faces in walls wherever one
    /// of them has a weight; to `own` where nothing else has.
    pub fn leave_out(
        &self,
        axis: usize,
        looked: &Looked,
        cubic: bool,
        from: &[f32],
        own: &[f32],
        to: &mut [f32; WIDTH],
    ) {
        for (l, (to, own)) in to.iter_mut().zip(own).enumerate() {
            let place = [looked.index[0][l], looked.index[1][l]];
            let part = [looked.part[0][l], looked.part[1][l]];
            let walls: [[f32; 2]; 2] = self.walls(axis, place, part);
            if walls != [[0.0; 2]; 2] || (cubic && self.walls::<4>(axis, place, part) != [[0.0; 4]; 4]) {
                *to = without(walls, around_one(self.on[axis], from, place), part).unwrap_or(*own).bounded();
            }
        }
    }

    /// Sets values to `there` where a face in a wall has a weight, in one of two look-ups.
    pub fn leave_alone(&self, axis: usize, looked: [&Looked; 2], there: &[f32], to: &mut [f32; WIDTH]) {
        for (l, (to, there)) in to.iter_mut().zip(there).enumerate() {
            let in_wall = |looked: &Looked| {
                let place = [looked.index[0][l], looked.index[1][l]];
                self.walls::<2>(axis, place, [looked.part[0][l], looked.part[1][l]]) != [[0.0; 2]; 2]
            };
            if looked.into_iter().any(in_wall) {
                *to = *there;
            }
        }
    }
}
