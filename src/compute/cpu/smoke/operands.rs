//! The operands of an operation in the form that the kernels take: planes in memory, on a grid of two axes.

use super::plane::Plane;
use crate::sim::fluid;
pub(super) use crate::sim::fluid::level::{between, covers, within};
pub(super) use crate::sim::fluid::{
    Advection, Boundary, Colour, Confinement, Curve, Forces, Prolongation, Regions, Relax, Stamp, VALUE_MAX,
    VelocityStatistics, wall_share,
};
use crate::sim::fluid::{FieldId, Fields, LevelOperand, Slip, Slips, VectorField};
pub(super) use crate::sim::smoke::FieldKind;

/// The relaxation factor that the kernels of the pressure are compiled for.
pub(super) const OMEGA: f32 = 1.15;

/// A velocity on the faces.
#[derive(Clone, Copy)]
pub(super) struct Faces<P> {
    /// The component on vertical faces.
    pub u: P,
    /// The component on horizontal faces.
    pub v: P,
}

/// The grid of a frame.
#[derive(Clone, Copy)]
pub(super) struct PlaneDomain<P> {
    /// Columns of cells.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Boundary conditions: left, right, bottom, top.
    pub edges: [Boundary; 4],
    /// Slip conditions at closed edges and at solids.
    pub slip: Slips,
    /// 1 in solid cells, else 0; `None` where there are none.
    pub solid: Option<P>,
}

impl<P: Copy> PlaneDomain<P> {
    /// Whether a side (left, right, bottom, top) is closed and without slip.
    pub fn sticks(&self, side: usize) -> bool {
        self.edges[side] == Boundary::Closed && self.slip.edges == Slip::No
    }

    /// The solid cells; `None` without free slip along solids.
    pub fn slippery(&self) -> Option<P> {
        self.solid.filter(|_| self.slip.obstacles == Slip::Free)
    }
}

/// A rectangle of a field.
pub(super) struct Rectangle<P> {
    /// First column.
    pub x: usize,
    /// First row.
    pub y: usize,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The values of a stamp, row after row.
    pub values: P,
}

/// A grid of the multigrid hierarchy: [`fluid::Level`] on two axes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlaneLevel {
    /// Columns and rows.
    pub size: [usize; 2],
    /// Width of a cell per axis, in cells of the finest grid.
    pub spacing: [f64; 2],
    /// Boundary conditions: left, right, bottom, top.
    pub edges: [Boundary; 4],
    /// Coefficient of the inner faces normal to each axis.
    pub coefficient: [f32; 2],
    /// Coefficient of the faces on each side.
    pub side_coefficient: [f32; 4],
    /// Ghost value beyond each side, as a multiple of the last value inside.
    pub ghost: [f32; 4],
}

impl PlaneLevel {
    /// The first two axes of a level.
    pub fn new(of: &fluid::Level) -> PlaneLevel {
        let four = |sides: [[f32; 2]; 3]| [sides[0][0], sides[0][1], sides[1][0], sides[1][1]];
        let [x, y, _] = of.sides;
        PlaneLevel {
            size: [of.size[0], of.size[1]],
            spacing: [of.spacing[0], of.spacing[1]],
            edges: [x[0], x[1], y[0], y[1]],
            coefficient: [of.coefficient[0], of.coefficient[1]],
            side_coefficient: four(of.side_coefficient),
            ghost: four(of.ghost),
        }
    }

    /// Whether an axis wraps.
    pub fn wraps(&self, axis: usize) -> bool {
        self.edges[2 * axis] == Boundary::Wrap
    }
}

/// Face coefficients of a level.
#[derive(Clone, Copy)]
pub(super) struct CoefficientPlanes<'a> {
    /// Coefficients of the vertical faces.
    pub x: &'a [f32],
    /// Coefficients of the horizontal faces.
    pub y: &'a [f32],
    /// Inverse diagonals: one over the sum of the four coefficients of a cell, or 0 where that is 0.
    pub inverse: &'a [f32],
}

/// A level, with or without face coefficients.
#[derive(Clone, Copy)]
pub(super) struct LevelOperands<'a> {
    pub level: &'a PlaneLevel,
    pub coefficients: Option<CoefficientPlanes<'a>>,
}

impl<'a> LevelOperands<'a> {
    /// The level of an operand, whose two axes are `level`.
    pub fn new(fields: &'a Fields<Plane>, of: LevelOperand<'_>, level: &'a PlaneLevel) -> Self {
        let coefficients = of.coefficients.map(|of| {
            let Faces { u: x, v: y } = read_faces(fields, of.faces);
            CoefficientPlanes { x, y, inverse: fields.get(of.inverse) }
        });
        LevelOperands { level, coefficients }
    }
}

/// Solid cells and the velocity of their faces.
#[derive(Clone, Copy)]
pub(super) struct Walls<'a> {
    pub cells: &'a [f32],
    pub u: &'a [f32],
    pub v: &'a [f32],
}

/// Sums over the cells that are not solid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sums {
    /// Sum of b.
    pub sum: f64,
    /// Sum of b².
    pub squares: f64,
}

/// Sums after a correction of the velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Corrected {
    /// Sums of the divergence.
    pub sums: Sums,
    /// Statistics of the velocity.
    pub statistics: VelocityStatistics,
}

/// Both components of a vector field, for reading.
pub(super) fn read_faces(fields: &Fields<Plane>, of: VectorField) -> Faces<&[f32]> {
    Faces { u: fields.get(of[0]), v: fields.get(of[1]) }
}

/// Removes the buffer of a field from `fields` while `write` changes it.
pub(super) fn write<R>(
    fields: &mut Fields<Plane>,
    id: FieldId,
    write: impl FnOnce(&Fields<Plane>, &mut Plane) -> R,
) -> R {
    let mut plane = fields.take(id);
    let made = write(fields, &mut plane);
    fields.put(id, plane);
    made
}

/// Removes the buffers of several fields from `fields` while `write` changes them.
pub(super) fn write_all<const N: usize, R>(
    fields: &mut Fields<Plane>,
    ids: [FieldId; N],
    write: impl FnOnce(&Fields<Plane>, [&mut Plane; N]) -> R,
) -> R {
    let mut planes = ids.map(|id| fields.take(id));
    let made = write(fields, planes.each_mut());
    ids.into_iter().zip(planes).for_each(|(id, plane)| fields.put(id, plane));
    made
}
