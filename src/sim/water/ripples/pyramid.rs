//! The pyramid of the head operator on a domain: masses, faces and links of each level, and the stencils built from
//! them.
//!
//! Level 0 is the domain. A cell of the next level is a block of 2 × 2 cells. All stencils are weighted means with
//! weights in integers; where no wall is near they are [1 2 1]² / 16 (blur) and [1 3 3 1]² / 64 (restrict).

use std::sync::Arc;

use bytemuck::Zeroable;

use super::dispersion::LEVELS;
use super::tiles::{self, TILE};
use crate::sim::request;
use crate::sim::water::domain::{CLOSED, Domain};
use crate::sim::water::settings::Edges;

/// Length of an open face, and sum of a cell's links.
pub const FULL: u32 = 256;
/// Mass of a full cell. The operator is symmetric up to the rounding of masses to parts of it; with smaller parts the
/// sums would overflow on graphics devices.
pub const MASS: u32 = 4096;
/// Sum of the blur weights of a cell, as a multiple of its mass.
pub const BLUR: u32 = 2;
/// Blur weight of an open face.
pub(super) const FACE: u16 = 1024;
/// Blur weight of an open diagonal.
pub(super) const DIAGONAL: u16 = 512;
/// Links of a cell away from walls: to its block, and to the nearest blocks in x, in y and along the diagonal.
pub(super) const LINKS: [u8; 4] = [144, 48, 48, 16];
/// Stored value of a link of 1.
pub(super) const WHOLE: u8 = 255;

/// Shortest run of cells away from walls that is processed by the loops over rows; shorter ones go cell by cell.
const SHORTEST_PLAIN: usize = 16;

/// Kinds of stencils.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stencil {
    /// A cell from its neighbours.
    Blur = 1,
    /// A cell from the cells of the finer level.
    Restrict = 2,
    /// A cell from the cells of the coarser level.
    Prolong = 4,
}

/// A run of cells in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// First column.
    pub from: usize,
    /// Column after the last.
    pub to: usize,
    /// Whether the stencil is that of cells away from walls.
    pub plain: bool,
}

/// Cells and their weights; unused entries have weight 0.
pub type Stencils<const N: usize> = [(usize, u32); N];

/// Values of the cells of a level, in bands of rows. Clones share the bands that none of them changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plane<T> {
    width: usize,
    bands: Vec<Arc<Vec<T>>>,
}

/// Rows of a band.
const BAND: usize = TILE;

impl<T: Copy + Zeroable> Plane<T> {
    fn new(width: usize, height: usize) -> Plane<T> {
        let rows = |first: usize| BAND.min(height - first);
        let bands = (0..height).step_by(BAND).map(|first| Arc::new(request::zeros(width * rows(first))));
        Plane { width, bands: bands.collect() }
    }

    /// The value of a cell.
    #[inline]
    pub fn at(&self, x: usize, y: usize) -> T {
        self.row(y)[x]
    }

    /// A row.
    #[inline]
    pub fn row(&self, y: usize) -> &[T] {
        &self.bands[y / BAND][y % BAND * self.width..][..self.width]
    }

    /// A row, to change it.
    #[inline]
    pub fn row_mut(&mut self, y: usize) -> &mut [T] {
        &mut Arc::make_mut(&mut self.bands[y / BAND])[y % BAND * self.width..][..self.width]
    }

    fn bytes(&self) -> usize {
        self.bands.iter().map(|band| size_of_val(band.as_slice())).sum()
    }
}

/// A level of the pyramid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Fraction of a cell that is water, in parts of [`MASS`]. Empty on level 0.
    pub(super) mass: Plane<u16>,
    /// Children of the core, a bit each. Empty on level 0.
    pub(super) core: Plane<u8>,
    /// Lengths of the faces to the east and north, parts of [`FULL`]; 0 is closed. Empty on level 0.
    pub(super) lengths: Plane<[u16; 2]>,
    /// Blur weights of the pipes to the east, north, north-east and north-west. Empty on level 0.
    pub(super) weights: Plane<[u16; 4]>,
    /// Links to the coarser level. Empty on the coarsest.
    pub(super) links: Plane<[u8; 4]>,
    /// For each cell, a bit per [`Stencil`]: whether it is that of cells away from walls.
    pub(super) plain: Plane<u8>,
    spans: [Vec<Arc<[Span]>>; 3],
}

impl Level {
    fn new(width: usize, height: usize, at: usize) -> Level {
        let coarse = if at > 0 { height } else { 0 };
        Level {
            width,
            height,
            mass: Plane::new(width, coarse),
            core: Plane::new(width, coarse),
            lengths: Plane::new(width, coarse),
            weights: Plane::new(width, coarse),
            links: Plane::new(width, if at + 1 < LEVELS { height } else { 0 }),
            plain: Plane::new(width, height),
            spans: std::array::from_fn(|_| vec![Arc::default(); height]),
        }
    }

    /// The runs of row `y` for a stencil.
    pub fn spans(&self, stencil: Stencil, y: usize) -> &[Span] {
        &self.spans[(stencil as u8).trailing_zeros() as usize][y]
    }

    /// Finds the runs of row `y` from the flags of its cells.
    pub(super) fn find_spans(&mut self, y: usize) {
        let flags = self.plain.row(y);
        for (kind, rows) in self.spans.iter_mut().enumerate() {
            let mut runs: Vec<Span> = Vec::new();
            let mut push = |from: usize, to: usize, plain: bool| {
                let plain = plain && to - from >= SHORTEST_PLAIN;
                match runs.last_mut() {
                    Some(last) if last.plain == plain => last.to = to,
                    _ => request::push(&mut runs, Span { from, to, plain }),
                }
            };
            let mut from = 0;
            for run in flags.chunk_by(|a, b| (a ^ b) >> kind & 1 == 0) {
                push(from, from + run.len(), run[0] >> kind & 1 == 1);
                from += run.len();
            }
            rows[y] = runs.into();
        }
    }

    fn bytes(&self) -> usize {
        let spans = self.spans.iter().flatten().map(|row| size_of_val(&**row) + size_of::<Arc<[Span]>>());
        self.mass.bytes()
            + self.core.bytes()
            + self.lengths.bytes()
            + self.weights.bytes()
            + self.links.bytes()
            + self.plain.bytes()
            + spans.sum::<usize>()
    }
}

/// The pyramid over a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pyramid {
    pub(super) domain: Arc<Domain>,
    pub(super) levels: Vec<Level>,
}

impl Pyramid {
    /// The pyramid over a domain, whose edges are closed or wrap.
    pub fn new(domain: Arc<Domain>) -> Pyramid {
        let mut size = [domain.width(), domain.height()];
        let levels = (0..LEVELS)
            .map(|at| {
                let [width, height] = size;
                size = size.map(|count| count.div_ceil(2));
                Level::new(width, height, at)
            })
            .collect();
        let mut pyramid = Pyramid { domain, levels };
        tiles::build(&mut pyramid, None);
        pyramid
    }

    /// The pyramid after the solid cells of the domain have changed; only cells near a change are built again.
    pub fn moved(&self, domain: Arc<Domain>) -> Pyramid {
        let mut pyramid = Pyramid { domain, levels: self.levels.clone() };
        tiles::build(&mut pyramid, Some(self));
        pyramid
    }

    /// The domain.
    pub fn domain(&self) -> &Arc<Domain> {
        &self.domain
    }

    /// The levels, the finest first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Memory, bytes.
    pub fn bytes(&self) -> usize {
        self.domain.bytes() + self.levels.iter().map(Level::bytes).sum::<usize>()
    }

    /// Whether opposite edges join.
    pub fn wraps(&self) -> bool {
        self.domain.edges() == Edges::Wrap
    }

    /// Mass of a cell.
    #[inline]
    pub fn mass(&self, level: usize, x: usize, y: usize) -> u32 {
        match level {
            0 if self.domain.is_solid(y * self.domain.width() + x) => 0,
            0 => MASS,
            _ => u32::from(self.levels[level].mass.at(x, y)),
        }
    }

    /// Length of the face to the east (0) or north (1) of a cell.
    #[inline]
    pub(super) fn length(&self, level: usize, axis: usize, x: usize, y: usize) -> u32 {
        match level {
            0 if self.domain.codes(y + 1)[x + 1] >> (4 * axis) & CLOSED == CLOSED => 0,
            0 => FULL,
            _ => u32::from(self.levels[level].lengths.at(x, y)[axis]),
        }
    }

    /// Blur weights of the pipes that a cell owns.
    #[inline]
    pub fn owned(&self, level: usize, x: usize, y: usize) -> [u16; 4] {
        if level > 0 {
            return self.levels[level].weights.at(x, y);
        }
        let code = self.domain.codes(y + 1)[x + 1];
        std::array::from_fn(|pipe| match code >> (4 * pipe) & CLOSED {
            CLOSED => 0,
            beside if pipe < 2 => FACE + FACE / 4 * beside,
            _ => DIAGONAL,
        })
    }

    /// The column or row at the distance `by` from `at`, of `count`, wrapped where edges join; `None` beyond closed
    /// edges.
    #[inline]
    pub(super) fn step(&self, at: usize, by: isize, count: usize) -> Option<usize> {
        match at.checked_add_signed(by) {
            Some(next) if next < count => Some(next),
            _ if self.wraps() => Some((at + count).wrapping_add_signed(by) % count),
            _ => None,
        }
    }

    /// Stencil of [`Stencil::Blur`] for a cell of water: its neighbours and, last, the cell itself. The weights sum up
    /// to [`BLUR`] times the cell's mass.
    pub fn blur(&self, level: usize, x: usize, y: usize) -> Stencils<9> {
        let Level { width, height, .. } = self.levels[level];
        let mut stencil = [(0, 0); 9];
        let own = self.owned(level, x, y);
        let columns = [self.step(x, -1, width), Some(x), self.step(x, 1, width)];
        let rows = [self.step(y, -1, height), Some(y), self.step(y, 1, height)];
        // For each neighbour: its column and row in the 3 × 3 cells around, the number of the pipe to it, and whether
        // the neighbour owns the pipe.
        const AROUND: [(usize, usize, usize, bool); 8] = [
            (2, 1, 0, false),
            (1, 2, 1, false),
            (2, 2, 2, false),
            (0, 2, 3, false),
            (0, 1, 0, true),
            (1, 0, 1, true),
            (0, 0, 2, true),
            (2, 0, 3, true),
        ];
        let mut rest = BLUR * self.mass(level, x, y);
        for (entry, (column, row, pipe, theirs)) in stencil.iter_mut().zip(AROUND) {
            let Some((nx, ny)) = columns[column].zip(rows[row]) else { continue };
            let weight = u32::from(if theirs { self.owned(level, nx, ny)[pipe] } else { own[pipe] });
            *entry = (ny * width + nx, weight);
            rest -= weight;
        }
        stencil[8] = (y * width + x, rest);
        stencil
    }

    /// Stencil of [`Stencil::Restrict`] for a cell of level 1 or coarser: cells of the finer level.
    pub fn restrict(&self, level: usize, x: usize, y: usize) -> Stencils<16> {
        let mut stencil = [(0, 0); 16];
        let fine = &self.levels[level - 1];
        let (columns, rows) = (self.children(x, fine.width), self.children(y, fine.height));
        let mut entries = stencil.iter_mut();
        for (fy, down) in rows.into_iter().flatten() {
            for (fx, across) in columns.into_iter().flatten() {
                let cell = fy * fine.width + fx;
                let link = link(fine.links.at(fx, fy)[across + 2 * down]);
                if let Some(entry) = entries.next().filter(|_| link > 0) {
                    *entry = (cell, link * self.mass(level - 1, fx, fy));
                }
            }
        }
        stencil
    }

    /// Whether all cells from which [`Stencil::Restrict`] takes a cell of a coarser level are full and have all links;
    /// the cell has all its neighbours on the grid.
    pub(super) fn is_open(&self, level: usize, x: usize, y: usize) -> bool {
        let (fine, columns) = (level - 1, 2 * x - 1..2 * x + 3);
        (2 * y - 1..2 * y + 3).all(|y| {
            let Some(links) = self.levels[fine].links.row(y).get(columns.clone()) else { return false };
            links == [LINKS; 4] && columns.clone().all(|x| self.mass(fine, x, y) == MASS)
        })
    }

    /// Stencil of [`Stencil::Prolong`] for a cell of any level but the coarsest: cells of the next coarser level. The
    /// weights sum up to [`FULL`].
    pub fn prolong(&self, level: usize, x: usize, y: usize) -> Stencils<4> {
        let coarse = &self.levels[level + 1];
        let links = self.levels[level].links.at(x, y);
        let columns = [Some(x / 2), self.nearer(x, coarse.width)];
        let rows = [Some(y / 2), self.nearer(y, coarse.height)];
        std::array::from_fn(|at| match columns[at % 2].zip(rows[at / 2]) {
            Some((column, row)) => (row * coarse.width + column, link(links[at])),
            None => (0, 0),
        })
    }

    /// The cells of a level for graphics devices: blur weights of the pipes to the east and north and to the north-east
    /// and north-west, two a word; mass; links, four a word.
    pub fn packed(&self, level: usize) -> Vec<[u32; 4]> {
        let Level { width, height, links, .. } = &self.levels[level];
        let linked = level + 1 < LEVELS;
        let cells = (0..height * width).map(|cell| {
            let (x, y) = (cell % width, cell / width);
            let [east, north, north_east, north_west] = self.owned(level, x, y).map(u32::from);
            let links = if linked { u32::from_le_bytes(links.at(x, y)) } else { 0 };
            [east | north << 16, north_east | north_west << 16, self.mass(level, x, y), links]
        });
        request::collected(cells)
    }

    /// Flags whether a cell has the stencil of cells away from walls.
    pub(super) fn flag(&mut self, level: usize, x: usize, y: usize, stencil: Stencil, plain: bool) {
        let flag = &mut self.levels[level].plain.row_mut(y)[x];
        *flag = if plain { *flag | stencil as u8 } else { *flag & !(stencil as u8) };
    }

    /// Along an axis, the nearer neighbour of the block of cell `at`; `None` beyond a closed edge, and where it is the
    /// same block.
    #[inline]
    pub(super) fn nearer(&self, at: usize, blocks: usize) -> Option<usize> {
        let by = if at.is_multiple_of(2) { -1 } else { 1 };
        self.step(at / 2, by, blocks).filter(|&block| block != at / 2)
    }

    /// The columns or rows of the finer level that may link to a block, each with 1 if it lies in a neighbour of the
    /// block, else 0.
    pub(super) fn children(&self, block: usize, fine: usize) -> [Option<(usize, usize)>; 4] {
        let blocks = fine.div_ceil(2);
        let beside = |by: isize| self.step(block, by, blocks).filter(|&other| other != block);
        let inside = |cell: usize| (cell < fine).then_some(cell);
        [
            beside(-1).and_then(|left| inside(2 * left + 1)).map(|cell| (cell, 1)),
            Some((2 * block, 0)),
            inside(2 * block + 1).map(|cell| (cell, 0)),
            beside(1).map(|right| (2 * right, 1)),
        ]
    }
}

/// A link in parts of [`FULL`].
#[inline]
pub(super) fn link(stored: u8) -> u32 {
    u32::from(stored) + u32::from(stored == WHOLE)
}
