//! Arithmetic on lines, the cells of one row of a window, vector by vector.
//!
//! All functions are inlined into the kernels of [`super::kernel`]. A line has a neighbour cell on both sides; work
//! covers whole blocks of cells.
//!
//! | file | contents |
//! |---|---|
//! | `product` | products of the fixed point, in 32 bits |
//! | `pipes` | acceleration of pipes, outflows and net inflow |
//! | `faces` | acceleration of the faces of Shallow water, outflows and net inflow |
//! | `limit` | the outflow limit |
//! | `level` | new heights, and the heads of the next step |
//! | `row` | input and output that pipes and faces share |
//! | `pigment` | transport of pigment |

pub(super) mod faces;
pub(super) mod level;
pub(super) mod limit;
pub(super) mod pigment;
pub(super) mod pipes;
pub(super) mod product;
pub(super) mod row;

use super::super::lanes::{BLOCK, Block, Lanes};
use crate::sim::water::plan::control;
use product::part;

/// Cells before the first and after the last cell of a line: the nearest is its neighbour, the others keep lines
/// aligned.
pub(super) const PAD: usize = 16;

/// Blocks of a line: the window then fits the second-level cache.
pub(super) const BLOCKS: usize = 8;

/// Cells of a line.
pub(super) const CELLS: usize = BLOCKS * BLOCK;

/// Cells of a strip: the unit of extra work where few cells of a block need it; a multiple of every vector.
pub(super) const STRIP: usize = 16;
/// Strips of a block.
pub(super) const STRIPS: usize = BLOCK / STRIP;
/// All strips of a block.
pub(super) const ALL_STRIPS: u32 = (1 << STRIPS) - 1;
const _: () = assert!(CELLS / STRIP <= u32::BITS as usize);

/// The strips of block `index`, as bits from 0 on.
#[inline(always)]
pub(super) fn strips_of(strips: u32, index: usize) -> u32 {
    strips >> (index * STRIPS) & ALL_STRIPS
}

/// The strips of some blocks.
#[inline(always)]
pub(super) fn strips(blocks: u32) -> u32 {
    (0..BLOCKS).map(|index| (blocks >> index & 1) * (ALL_STRIPS << (index * STRIPS))).sum()
}

/// The cells of one row of a window, with [`PAD`] more on both sides, aligned for the widest vectors.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Line([i32; CELLS + 2 * PAD]);

impl Line {
    /// Zeros.
    pub const ZERO: Line = Line([0; CELLS + 2 * PAD]);

    /// The cells of a range.
    #[inline(always)]
    pub fn cells(&self, run: CellRange) -> &[i32] {
        &self.0[PAD + run.from..][..run.len]
    }

    /// The cells of a range.
    #[inline(always)]
    pub fn cells_mut(&mut self, run: CellRange) -> &mut [i32] {
        &mut self.0[PAD + run.from..][..run.len]
    }

    /// One cell.
    #[inline(always)]
    pub fn cell(&mut self, index: usize) -> &mut i32 {
        &mut self.0[PAD + index]
    }

    /// Sets all cells.
    pub fn fill(&mut self, value: i32) {
        self.0.fill(value);
    }

    /// Clears the padding before the first cell, and all from cell `from` on.
    pub fn clear_beyond(&mut self, from: usize) {
        self.0[..PAD].fill(0);
        self.0[PAD + from..].fill(0);
    }

    #[inline(always)]
    fn from(&self, at: usize) -> &Block {
        match self.0[at..].first_chunk() {
            Some(block) => block,
            None => unreachable!("a line has room for its blocks"),
        }
    }

    /// Block `index`.
    #[inline(always)]
    pub fn block(&self, index: usize) -> &Block {
        self.from(PAD + index * BLOCK)
    }

    /// Block `index`.
    #[inline(always)]
    pub fn block_mut(&mut self, index: usize) -> &mut Block {
        match self.0[PAD + index * BLOCK..].first_chunk_mut() {
            Some(block) => block,
            None => unreachable!("a line has room for its blocks"),
        }
    }

    /// The neighbours to the east of block `index`.
    #[inline(always)]
    pub fn east(&self, index: usize) -> &Block {
        self.from(PAD + 1 + index * BLOCK)
    }

    /// The neighbours to the west of block `index`.
    #[inline(always)]
    pub fn west(&self, index: usize) -> &Block {
        self.from(PAD - 1 + index * BLOCK)
    }
}

/// Indices of the first `blocks` blocks of a line. The bound removes the checks of later accesses.
#[inline(always)]
fn indices(blocks: usize) -> std::ops::Range<usize> {
    0..blocks.min(BLOCKS)
}

/// The flows of a row: its four pipes ahead, then those back (Classic pipes) or the speeds (Shallow water).
pub(super) type Flows = [Line; 8];

/// Control maps of a row, in the planes of [`control`].
pub(super) type Shares = [Line; control::PLANES];

/// Control maps of a row and of the row above, and the blocks with pipes whose share is below 1.
#[derive(Clone, Copy)]
pub(super) struct ControlRows<'a> {
    pub here: &'a Shares,
    pub above: &'a Shares,
    pub blocks: u32,
}

impl<'a> ControlRows<'a> {
    /// Whether some share of a block is below 1.
    #[inline(always)]
    fn has(&self, index: usize) -> bool {
        self.blocks >> index & 1 != 0
    }

    /// Control shares of one plane for the four pipes of the cells of a block.
    #[inline(always)]
    fn ends(&self, plane: usize, index: usize) -> Ends<'a> {
        let pair = RowPair { here: &self.here[plane], above: &self.above[plane] };
        Ends { own: pair.here.block(index), far: pair.fars(index) }
    }

    /// Control shares of the acceleration, of the damping, and of absorbing edges, for a block.
    #[inline(always)]
    fn of(&self, index: usize) -> [Ends<'a>; 3] {
        [self.ends(control::PULL, index), self.ends(control::LOSS, index), self.ends(control::REST, index)]
    }
}

/// Control shares at the near and the far ends of the pipes of a block.
#[derive(Clone, Copy)]
struct Ends<'a> {
    own: &'a Block,
    far: [&'a Block; 4],
}

impl Ends<'_> {
    /// The mean share of a pipe, for the cells of a vector.
    #[inline(always)]
    fn mean<V: Lanes>(&self, pipe: usize, j: usize) -> V {
        V::load(self.own, j).add(V::load(self.far[pipe], j)).srl(V::splat(1))
    }
}

/// Flows or speeds after damping and absorption, with their control shares. `damped`: the result of damping with a
/// share of 1.
#[inline(always)]
fn kept<V: Lanes>(q: V, damped: V, [_, loss, rest]: &[Ends<'_>; 3], pipe: usize, j: usize) -> V {
    part(q.sub(part(q.sub(damped), loss.mean(pipe, j))), rest.mean(pipe, j))
}

/// A bit for each cell of a line, block by block.
pub(super) type Bits = [u64; BLOCKS];

/// A run of cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellRange {
    /// First cell.
    pub from: usize,
    /// Number of cells.
    pub len: usize,
}

/// Lines of a row and of the row above.
#[derive(Clone, Copy)]
pub(super) struct RowPair<'a> {
    pub here: &'a Line,
    pub above: &'a Line,
}

impl<'a> RowPair<'a> {
    /// Values at the far ends of the pipes E, N, NE, NW of a block.
    #[inline(always)]
    fn far(&self, pipe: usize, index: usize) -> &'a Block {
        match pipe {
            0 => self.here.east(index),
            1 => self.above.block(index),
            2 => self.above.east(index),
            _ => self.above.west(index),
        }
    }
}

impl<'a> RowPair<'a> {
    /// The lines in two slots.
    #[inline(always)]
    pub fn of(lines: &'a [Line], here: usize, above: usize) -> RowPair<'a> {
        RowPair { here: &lines[here], above: &lines[above] }
    }
}

// Written out without closures and `map`, which compilers do not inline reliably into large functions.

impl<'a> RowPair<'a> {
    /// Values at the far ends of the pipes E, N, NE, NW of a block.
    #[inline(always)]
    fn fars(&self, index: usize) -> [&'a Block; 4] {
        [self.far(0, index), self.far(1, index), self.far(2, index), self.far(3, index)]
    }
}

/// The flows of the pipes E, N, NE, NW of a block, from plane `first` on.
#[inline(always)]
fn owned(flows: &Flows, first: usize, index: usize) -> [&Block; 4] {
    [
        flows[first].block(index),
        flows[first + 1].block(index),
        flows[first + 2].block(index),
        flows[first + 3].block(index),
    ]
}

/// The flows of the pipes that end in the cells of a block: E, N, NE and NW of the neighbours to the west, south,
/// south-west and south-east.
#[inline(always)]
fn ending<'a>(flows: &'a Flows, below: &'a Flows, first: usize, index: usize) -> [&'a Block; 4] {
    [
        flows[first].west(index),
        below[first + 1].block(index),
        below[first + 2].west(index),
        below[first + 3].east(index),
    ]
}
