//! A row in which something is accelerated: what pipes and faces have in common.

use super::limit::Means;
use super::{Eased, Line, Pair};

/// Half pushes along a row and the one above, x and y.
#[derive(Clone, Copy)]
pub(crate) struct Push<'a> {
    pub x: Pair<'a>,
    pub y: Pair<'a>,
}

/// What cells at walls and edges need beside heads and pushes.
#[derive(Clone, Copy)]
pub(crate) struct Edge<'a> {
    /// Codes of [`crate::sim::water::domain::Domain::codes`].
    pub codes: &'a Line,
    /// Ground and pressure: the head of a dry cell beyond an open edge.
    pub base: Pair<'a>,
    /// 1 in cells of the grid, 0 in those beyond its edges.
    pub inside: &'a Line,
}

/// What drives a row, and where it leaves what comes of it.
pub(crate) struct Common<'a> {
    pub heads: Pair<'a>,
    pub height: Pair<'a>,
    pub push: Push<'a>,
    /// There is any push.
    pub pushed: bool,
    pub edge: Edge<'a>,
    pub eased: Eased<'a>,
    /// Gets inflows − outflows of its cells, as long as nothing has to be cut.
    pub change: &'a mut Line,
    /// Gets what its cells can afford.
    pub means: Means<'a>,
    /// Stretches with cells at walls or edges.
    pub special: u32,
    /// Blocks between dry cells only: whatever drives their pipes, nothing flows.
    pub still: u32,
    pub blocks: usize,
}
