//! Arithmetic on lines: cells of one row of a window, vector by vector.
//!
//! Everything here is inlined into the kernels of [`super::kernel`], each with its own vectors. A line has room for a
//! neighbour on both sides; work goes over whole blocks of cells.
//!
//! | file | what |
//! |---|---|
//! | `product` | products of the fixed point, in 32 bits |
//! | `pipes` | acceleration of the pipes, and what then leaves and reaches the cells |
//! | `faces` | the same for the faces of shallow water |
//! | `limit` | outflows cut to what a cell holds |
//! | `level` | water moves; heads of the next step |
//! | `row` | what pipes and faces of a row have in common |
//! | `pigment` | colour moves with the water |

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

/// Cells before the first of a line, and after the last: one is read, the rest keeps lines aligned.
pub(super) const PAD: usize = 16;

/// Blocks of a line: so many cells that the rows in hand stay in the cache nearest but one.
pub(super) const BLOCKS: usize = 8;

/// Cells of a line.
pub(super) const CELLS: usize = BLOCKS * BLOCK;

/// Cells that are looked at together where few of a block may need more work: a multiple of every vector.
pub(super) const STRETCH: usize = 16;
/// Stretches of a block.
pub(super) const STRETCHES: usize = BLOCK / STRETCH;
/// All stretches of a block.
pub(super) const ALL_STRETCHES: u32 = (1 << STRETCHES) - 1;
const _: () = assert!(CELLS / STRETCH <= u32::BITS as usize);

/// The stretches `stretches` that lie in block `index`, as those of the first block.
#[inline(always)]
pub(super) fn stretches_of(stretches: u32, index: usize) -> u32 {
    stretches >> (index * STRETCHES) & ALL_STRETCHES
}

/// The stretches of some blocks.
#[inline(always)]
pub(super) fn stretches(blocks: u32) -> u32 {
    (0..BLOCKS).map(|index| (blocks >> index & 1) * (ALL_STRETCHES << (index * STRETCHES))).sum()
}

/// Cells of one row of a window, with [`PAD`] more on both sides, aligned as the widest vectors.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Line([i32; CELLS + 2 * PAD]);

impl Line {
    /// Zeros.
    pub const ZERO: Line = Line([0; CELLS + 2 * PAD]);

    /// The cells `run`.
    #[inline(always)]
    pub fn cells(&self, run: Run) -> &[i32] {
        &self.0[PAD + run.from..][..run.len]
    }

    /// The cells `run`.
    #[inline(always)]
    pub fn cells_mut(&mut self, run: Run) -> &mut [i32] {
        &mut self.0[PAD + run.from..][..run.len]
    }

    /// One cell.
    #[inline(always)]
    pub fn cell(&mut self, index: usize) -> &mut i32 {
        &mut self.0[PAD + index]
    }

    /// Sets all values.
    pub fn fill(&mut self, value: i32) {
        self.0.fill(value);
    }

    /// Sets what lies before the first cell, and from cell `from` on, to 0.
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

/// Indices of the first `blocks` blocks of a line. The bound spares every access its own check.
#[inline(always)]
fn indices(blocks: usize) -> std::ops::Range<usize> {
    0..blocks.min(BLOCKS)
}

/// The flows of a row: the four pipes that its cells own, and the classic pipes' other directions or shallow water's speeds.
pub(super) type Flows = [Line; 8];

/// Shares of the coefficients of a row, in the planes of [`control`].
pub(super) type Shares = [Line; control::PLANES];

/// Shares of the coefficients of a row and of the one above it, and the blocks in which some share that their pipes take in is
/// not whole.
#[derive(Clone, Copy)]
pub(super) struct Eased<'a> {
    pub here: &'a Shares,
    pub above: &'a Shares,
    pub blocks: u32,
}

impl<'a> Eased<'a> {
    /// Whether some share of a block is not whole.
    #[inline(always)]
    fn has(&self, index: usize) -> bool {
        self.blocks >> index & 1 != 0
    }

    /// Shares of the four pipes of the cells of a block, of one coefficient.
    #[inline(always)]
    fn ends(&self, plane: usize, index: usize) -> Ends<'a> {
        let pair = Pair { here: &self.here[plane], above: &self.above[plane] };
        Ends { own: pair.here.block(index), far: pair.fars(index) }
    }

    /// Those of the acceleration, of the loss by damping, and of what is left.
    #[inline(always)]
    fn of(&self, index: usize) -> [Ends<'a>; 3] {
        [self.ends(control::PULL, index), self.ends(control::LOSS, index), self.ends(control::REST, index)]
    }
}

/// A share at the near and far ends of a block's pipes.
#[derive(Clone, Copy)]
struct Ends<'a> {
    own: &'a Block,
    far: [&'a Block; 4],
}

impl Ends<'_> {
    /// That of a pipe, of a vector's cells.
    #[inline(always)]
    fn mean<V: Lanes>(&self, pipe: usize, j: usize) -> V {
        V::load(self.own, j).add(V::load(self.far[pipe], j)).srl(V::splat(1))
    }
}

/// What is kept of flows or speeds, of which all of damping would leave `damped`, with the shares of [`Eased::of`].
#[inline(always)]
fn kept<V: Lanes>(q: V, damped: V, [_, loss, rest]: &[Ends<'_>; 3], pipe: usize, j: usize) -> V {
    part(q.sub(part(q.sub(damped), loss.mean(pipe, j))), rest.mean(pipe, j))
}

/// A bit for each cell of a line, block by block.
pub(super) type Bits = [u64; BLOCKS];

/// A run of cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// First cell.
    pub from: usize,
    /// Number of cells.
    pub len: usize,
}

/// Lines of a row and of the one above it.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub here: &'a Line,
    pub above: &'a Line,
}

impl<'a> Pair<'a> {
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

impl<'a> Pair<'a> {
    /// The lines in two slots.
    #[inline(always)]
    pub fn of(lines: &'a [Line], here: usize, above: usize) -> Pair<'a> {
        Pair { here: &lines[here], above: &lines[above] }
    }
}

// Closures and the mapping of arrays are not inlined reliably into functions as large as the kernels: hence the lists.

impl<'a> Pair<'a> {
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

/// The flows of the pipes that end in the cells of a block: E, N, NE, NW of the cells beside and below it.
#[inline(always)]
fn ending<'a>(flows: &'a Flows, below: &'a Flows, first: usize, index: usize) -> [&'a Block; 4] {
    [
        flows[first].west(index),
        below[first + 1].block(index),
        below[first + 2].west(index),
        below[first + 3].east(index),
    ]
}
