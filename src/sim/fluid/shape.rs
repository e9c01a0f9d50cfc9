//! Grids: sizes, positions of values, boundary conditions.

use super::fields::{FieldId, VectorField};
use crate::sim::fingerprint::fingerprinted;

fingerprinted! {
    /// The boundary condition of a side of the grid.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Boundary {
        /// A wall; [`Slips`] has its slip condition.
        Closed,
        /// Still air outside: outflow leaves the domain, and inflow brings zeros.
        Open,
        /// Joined to the opposite side; both sides of an axis wrap or neither does.
        Wrap,
    }

    /// The slip condition at a wall.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Slip {
        /// Free slip: the velocity along the wall is that of the adjacent air.
        Free,
        /// No slip: the velocity along the wall is that of the wall.
        No,
    }

    /// Slip conditions of edges and of obstacles.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Slips {
        /// Condition along closed sides of the grid, which are at rest.
        pub edges: Slip,
        /// Condition along solids.
        pub obstacles: Slip,
    }
}

impl Default for Slips {
    fn default() -> Slips {
        Slips { edges: Slip::Free, obstacles: Slip::No }
    }
}

/// The positions of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Staggering {
    /// Cell centres.
    Cell,
    /// Centres of the faces normal to an axis: one more than cells along that axis.
    Face(usize),
}

/// The shape of a field. Values lie row after row along x, then y, then z; components are interleaved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Cells of the grid per axis.
    pub cells: [usize; 3],
    /// Positions of the values.
    pub staggering: Staggering,
    /// Numbers at each position.
    pub components: usize,
}

impl Shape {
    /// Positions per axis.
    pub fn size(&self) -> [usize; 3] {
        let mut size = self.cells;
        if let Staggering::Face(axis) = self.staggering {
            size[axis] += 1;
        }
        size
    }

    /// Numbers in the field.
    #[expect(clippy::len_without_is_empty, reason = "no grid is empty")]
    pub fn len(&self) -> usize {
        self.size().into_iter().product::<usize>() * self.components
    }
}

/// The grid of a frame: its size, boundary conditions and solids.
#[derive(Clone, Copy, Debug)]
pub struct Domain {
    /// Cells per axis.
    pub size: [usize; 3],
    /// Conditions at the low and the high side of each axis.
    pub sides: [[Boundary; 2]; 3],
    /// Slip conditions at closed sides and at solids.
    pub slip: Slips,
    /// Solid cells, where there are any.
    pub solids: Option<SolidFields>,
}

/// Solids as fields.
#[derive(Clone, Copy, Debug)]
pub struct SolidFields {
    /// 1 in solid cells, else 0.
    pub cells: FieldId,
    /// Velocity of the faces of solid cells.
    pub velocity: VectorField,
}

impl Domain {
    /// A domain of two axes; `edges` are left, right, bottom, top.
    pub fn plane(
        [width, height]: [usize; 2],
        edges: [Boundary; 4],
        slip: Slips,
        solids: Option<SolidFields>,
    ) -> Domain {
        Domain { size: [width, height, 1], sides: plane_sides(edges), slip, solids }
    }

    /// The shape of a field on the domain.
    pub fn shape(&self, staggering: Staggering, components: usize) -> Shape {
        Shape { cells: self.size, staggering, components }
    }
}

/// Sides of a grid of two axes, given left, right, bottom, top.
pub fn plane_sides([left, right, bottom, top]: [Boundary; 4]) -> [[Boundary; 2]; 3] {
    [[left, right], [bottom, top], [Boundary::Closed; 2]]
}
