//! Velocity samples near free-slip solids: a face between two solid cells is in a wall, and its value has no weight.
//! GPU: `shared/walls.wgsl`; reference: `tests/reference/transport.rs`.

use super::super::Cpu;
use super::super::lanes::floats::{Floats, WIDTH};
use super::axis::Axis;
use super::obstacles::Obstacles;
use super::operands::{FieldKind, PlaneDomain};
use super::sample::{Positions, bilinear_without, taps_at, weighted};
use super::value::Value;

/// The solid cells; `None` without free slip along solids.
pub(super) fn free_slip_obstacles<'a>(cpu: &Cpu, domain: &PlaneDomain<&'a [f32]>) -> Option<Obstacles<'a>> {
    domain.slippery().map(|solid| Obstacles::new(cpu, solid, domain.width))
}

/// Tests for faces inside free-slip solids.
#[derive(Clone, Copy)]
pub(super) struct FreeSlip<'a> {
    walls: &'a Obstacles<'a>,
    cells: [Axis; 2],
    /// Axes of u and of v.
    on: [[Axis; 2]; 2],
}

/// Sample positions of a group, by column.
pub(super) struct LanePositions {
    index: [[i32; WIDTH]; 2],
    part: [[f32; WIDTH]; 2],
}

impl LanePositions {
    #[inline(always)]
    pub fn new<F: Floats>(positions: &Positions<F>) -> LanePositions {
        LanePositions { index: positions.indices(), part: positions.parts() }
    }
}

impl<'a> FreeSlip<'a> {
    pub fn new<P: Copy>(domain: &PlaneDomain<P>, walls: &'a Obstacles<'a>) -> FreeSlip<'a> {
        let [cells, u, v] = [FieldKind::Cell, FieldKind::U, FieldKind::V].map(|kind| Axis::both(domain, kind));
        FreeSlip { walls, cells, on: [u, v] }
    }

    /// Whether a face in a wall may have a weight at one of the first `len` sample positions.
    pub fn near(&self, positions: &LanePositions, len: usize) -> bool {
        let bounds = positions.index.map(|index| {
            let index = &index[..len];
            let least = index.iter().fold(i32::MAX, |least, at| least.min(*at));
            let most = index.iter().fold(i32::MIN, |most, at| most.max(*at));
            // The faces of a bicubic stencil, and the cells at them.
            [least - 2, most + 2]
        });
        self.walls.near(self.cells, bounds)
    }

    /// Whether a face normal to `axis` is between two solid cells.
    fn in_wall(&self, axis: usize, [x, y]: [usize; 2]) -> bool {
        let is_solid = |[x, y]: [i32; 2]| {
            let width = self.cells[0].values as usize;
            self.walls.solid[self.cells[1].nearest(y) * width + self.cells[0].nearest(x)] > 0.0
        };
        let second = [x as i32, y as i32];
        let mut first = second;
        first[axis] -= 1;
        is_solid(first) && is_solid(second)
    }

    /// For each of the `K` × `K` taps of a sample position, the lowest row first: 1 if the tap has a weight and is a
    /// face in a wall, else 0.
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

    /// Replaces samples of a component where a face in a wall has a weight: by bilinear interpolation without the faces
    /// in walls, or by `own` where no other face has a weight. `cubic`: the stencil is bicubic.
    pub fn exclude_walls(
        &self,
        axis: usize,
        positions: &LanePositions,
        cubic: bool,
        from: &[f32],
        own: &[f32],
        to: &mut [f32; WIDTH],
    ) {
        for (l, (to, own)) in to.iter_mut().zip(own).enumerate() {
            let place = [positions.index[0][l], positions.index[1][l]];
            let part = [positions.part[0][l], positions.part[1][l]];
            let walls: [[f32; 2]; 2] = self.walls(axis, place, part);
            if walls != [[0.0; 2]; 2] || (cubic && self.walls::<4>(axis, place, part) != [[0.0; 4]; 4]) {
                *to = bilinear_without(walls, taps_at(self.on[axis], from, place), part).unwrap_or(*own).clamped();
            }
        }
    }

    /// Sets values to `advected` where a face in a wall has a weight at one of both sample positions.
    pub fn keep_at_walls(&self, axis: usize, positions: [&LanePositions; 2], advected: &[f32], to: &mut [f32; WIDTH]) {
        for (l, (to, advected)) in to.iter_mut().zip(advected).enumerate() {
            let in_wall = |positions: &LanePositions| {
                let place = [positions.index[0][l], positions.index[1][l]];
                self.walls::<2>(axis, place, [positions.part[0][l], positions.part[1][l]]) != [[0.0; 2]; 2]
            };
            if positions.into_iter().any(in_wall) {
                *to = *advected;
            }
        }
    }
}
