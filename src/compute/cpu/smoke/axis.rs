//! Indices along an axis of a field, and the boundary conditions at its ends.

use super::operands::{FieldKind, PlaneDomain};
use crate::sim::smoke::settings::Boundary;

/// One axis of a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Number of cells.
    cells: i32,
    /// Number of values.
    pub values: i32,
    /// Whether values are at cell centres.
    pub centred: bool,
    low: Boundary,
    high: Boundary,
}

impl Axis {
    /// Both axes of a field. Beyond a closed side without slip the velocity along the side is 0: for that component the
    /// side counts as open.
    pub fn both<P: Copy>(domain: &PlaneDomain<P>, kind: FieldKind) -> [Axis; 2] {
        let along = |side: usize| kind == if side < 2 { FieldKind::V } else { FieldKind::U };
        let side = |side: usize| if along(side) && domain.sticks(side) { Boundary::Open } else { domain.edges[side] };
        let [left, right, bottom, top] = [side(0), side(1), side(2), side(3)];
        let axis = |cells: usize, faces: bool, low, high| {
            let cells = cells as i32;
            Axis { cells, values: cells + i32::from(faces), centred: !faces, low, high }
        };
        [axis(domain.width, kind == FieldKind::U, left, right), axis(domain.height, kind == FieldKind::V, bottom, top)]
    }

    /// Whether both ends of the axis are joined.
    pub fn wraps(self) -> bool {
        self.low == Boundary::Wrap
    }

    /// Whether the low and the high side are closed.
    pub fn closed(self) -> [bool; 2] {
        [self.low == Boundary::Closed, self.high == Boundary::Closed]
    }

    /// Offset from the points of `from` to those of this axis, in cells.
    #[inline(always)]
    pub fn offset(self, from: Axis) -> f32 {
        match (from.centred, self.centred) {
            (true, false) => 0.5,
            (false, true) => -0.5,
            _ => 0.0,
        }
    }

    /// Least and greatest coordinate of a sample position.
    #[inline(always)]
    pub fn limits(self) -> [f32; 2] {
        const FAR: f32 = 1e6;
        let low = match self.low {
            Boundary::Closed => 0.0,
            Boundary::Open => -2.0,
            Boundary::Wrap => -FAR,
        };
        let high = match self.high {
            Boundary::Closed => (self.values - 1) as f32,
            Boundary::Open => (self.values + 1) as f32,
            Boundary::Wrap => FAR,
        };
        [low, high]
    }

    /// The position in memory of the value at an index, clamped at a closed side or wrapped; `None` beyond an open
    /// side, where the value is 0.
    #[inline(always)]
    pub fn tap(self, index: i32) -> Option<usize> {
        let last = self.values - 1;
        if (0..=last).contains(&index) {
            return Some(index as usize);
        }
        match if index < 0 { self.low } else { self.high } {
            Boundary::Closed => Some(index.clamp(0, last) as usize),
            Boundary::Open => None,
            Boundary::Wrap => Some(index.rem_euclid(self.cells) as usize),
        }
    }

    /// The position in memory of the value at an index, clamped at closed and open sides, or wrapped.
    #[inline(always)]
    pub fn nearest(self, index: i32) -> usize {
        if self.wraps() { index.rem_euclid(self.cells) as usize } else { index.clamp(0, self.values - 1) as usize }
    }

    /// On an axis of cells, the two cells from which the value of a face is computed: those on both sides of it; at an
    /// edge that does not wrap the two nearest inside, the nearest first.
    #[inline(always)]
    pub fn cells_at_face(self, face: i32) -> [usize; 2] {
        match face {
            0 if !self.wraps() => [self.nearest(0), self.nearest(1)],
            last if last == self.values && !self.wraps() => [self.nearest(last - 1), self.nearest(last - 2)],
            _ => [self.nearest(face - 1), self.nearest(face)],
        }
    }
}
