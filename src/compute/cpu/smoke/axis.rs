//! The values of a lattice along an axis, and what stands beyond them.

use super::operands::{Domain, FieldKind};
use crate::sim::smoke::settings::Side;

/// One axis of a lattice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Cells of the grid.
    cells: i32,
    /// Values.
    pub values: i32,
    /// Whether they stand in the middle of cells.
    pub middle: bool,
    low: Side,
    high: Side,
}

impl Axis {
    /// Both axes of a lattice. Velocity along a closed side without slip is 0 beyond it: for that lattice it is an open one.
    pub fn both<P: Copy>(ground: &Domain<P>, lattice: FieldKind) -> [Axis; 2] {
        let along = |side: usize| lattice == if side < 2 { FieldKind::V } else { FieldKind::U };
        let side = |side: usize| if along(side) && ground.sticks(side) { Side::Open } else { ground.edges[side] };
        let [left, right, bottom, top] = [side(0), side(1), side(2), side(3)];
        let axis = |cells: usize, faces: bool, low, high| {
            let cells = cells as i32;
            Axis { cells, values: cells + i32::from(faces), middle: !faces, low, high }
        };
        [
            axis(ground.width, lattice == FieldKind::U, left, right),
            axis(ground.height, lattice == FieldKind::V, bottom, top),
        ]
    }

    pub fn wraps(self) -> bool {
        self.low == Side::Wrap
    }

    pub fn closed(self) -> [bool; 2] {
        [self.low == Side::Closed, self.high == Side::Closed]
    }

    /// What is added to the offset of a place that stands where the values of `from` do.
    #[inline(always)]
    pub fn step(self, from: Axis) -> f32 {
        match (from.middle, self.middle) {
            (true, false) => 0.5,
            (false, true) => -0.5,
            _ => 0.0,
        }
    }

    /// Least and greatest coordinate of a place.
    #[inline(always)]
    pub fn range(self) -> [f32; 2] {
        const FAR: f32 = 1e6;
        let low = match self.low {
            Side::Closed => 0.0,
            Side::Open => -2.0,
            Side::Wrap => -FAR,
        };
        let high = match self.high {
            Side::Closed => (self.values - 1) as f32,
            Side::Open => (self.values + 1) as f32,
            Side::Wrap => FAR,
        };
        [low, high]
    }

    /// The value with an index; `None` is 0.
    #[inline(always)]
    pub fn tap(self, index: i32) -> Option<usize> {
        let last = self.values - 1;
        if (0..=last).contains(&index) {
            return Some(index as usize);
        }
        match if index < 0 { self.low } else { self.high } {
            Side::Closed => Some(index.clamp(0, last) as usize),
            Side::Open => None,
            Side::Wrap => Some(index.rem_euclid(self.cells) as usize),
        }
    }

    /// The value with an index, that beyond an edge being the one inside, or wrapped.
    #[inline(always)]
    pub fn near(self, index: i32) -> usize {
        if self.wraps() { index.rem_euclid(self.cells) as usize } else { index.clamp(0, self.values - 1) as usize }
    }

    /// The two cells, on an axis of cells, that tell most of a face: those at it, or, at an edge that does not wrap, the one at
    /// it and the next one.
    #[inline(always)]
    pub fn beside(self, face: i32) -> [usize; 2] {
        match face {
            0 if !self.wraps() => [self.near(0), self.near(1)],
            last if last == self.values && !self.wraps() => [self.near(last - 1), self.near(last - 2)],
            _ => [self.near(face - 1), self.near(face)],
        }
    }
}
