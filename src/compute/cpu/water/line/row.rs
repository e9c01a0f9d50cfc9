//! The input and output of an acceleration, common to pipes and faces.

use super::limit::OutflowLimits;
use super::{ControlRows, Line, RowPair};

/// Half pushes along x and y, of a row and of the row above.
#[derive(Clone, Copy)]
pub(crate) struct Push<'a> {
    pub x: RowPair<'a>,
    pub y: RowPair<'a>,
}

/// Input at walls and edges.
#[derive(Clone, Copy)]
pub(crate) struct Edge<'a> {
    /// Codes of [`crate::sim::water::domain::Domain::codes`].
    pub codes: &'a Line,
    /// Terrain and pressure: the head of a dry cell beyond an open edge.
    pub base: RowPair<'a>,
    /// 1 in cells of the grid, 0 beyond its edges.
    pub inside: &'a Line,
}

/// Input and output of the acceleration of a row.
pub(crate) struct Common<'a> {
    pub heads: RowPair<'a>,
    pub height: RowPair<'a>,
    pub push: Push<'a>,
    /// Whether the frame has a push.
    pub pushed: bool,
    pub edge: Edge<'a>,
    pub controlled: ControlRows<'a>,
    /// Net inflow of the cells, valid while no flow is limited (output).
    pub change: &'a mut Line,
    /// Outflow limits of the cells (output).
    pub limits: OutflowLimits<'a>,
    /// Strips with cells at walls or edges, as bits.
    pub special: u32,
    /// Blocks without flow (dry, between dry blocks), as bits.
    pub still: u32,
    pub blocks: usize,
}
