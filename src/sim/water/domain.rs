//! The domain: solid cells, edges, and the kind of each pipe.

use super::settings::Edges;
use crate::sim::request;

/// Neighbour offsets of the four pipes that a cell owns: east, north, north-east, north-west.
pub const PIPES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// Code of a closed pipe.
pub const CLOSED: u16 = 7;
/// Flag of a pipe that joins a cell to the outside of an open edge.
pub const OUTSIDE: u16 = 8;

/// Code of a cell whose four pipes are all closed.
const ALL_CLOSED: u16 = 0x7777;

/// A run of cells in one row, ring coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// First column.
    pub from: u32,
    /// Column after the last.
    pub to: u32,
    /// Whether all pipes of these cells are inside, open, and away from walls.
    pub plain: bool,
}

/// The solid cells and edges of a grid, and the kind of each pipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    width: usize,
    height: usize,
    edges: Edges,
    shut: [bool; 4],
    solid: Option<Vec<bool>>,
    codes: Vec<u16>,
    spans: Vec<Span>,
    starts: Vec<u32>,
}

/// Shortest plain run with a loop of its own, cells.
const SHORTEST_PLAIN: usize = 8;

impl Domain {
    /// Finds the kind of each pipe. `shut`: the sides of open edges that are walls: left, bottom, right, top. `solid`:
    /// one value per cell, row 0 lowest; `None` where nothing is solid.
    pub fn new(width: usize, height: usize, edges: Edges, shut: [bool; 4], solid: Option<Vec<bool>>) -> Domain {
        let shut = if edges == Edges::Open { shut } else { [false; 4] };
        let codes = request::zeros((width + 2) * (height + 2));
        let starts = Vec::with_capacity(height + 3);
        let mut domain = Domain { width, height, edges, shut, solid, codes, spans: Vec::new(), starts };
        domain.lay_rows(|_| None);
        domain
    }

    /// The domain with other solid cells. Only the kinds of the pipes near a change are found again.
    pub fn moved(&self, solid: Option<Vec<bool>>) -> Domain {
        let mut domain = Domain {
            solid,
            codes: request::copied(&self.codes),
            spans: request::with_capacity(self.spans.len()),
            starts: Vec::with_capacity(self.starts.len()),
            ..*self
        };
        // A pipe depends on the cells around both its ends, in three rows.
        let changed = domain.changed_rows(self);
        domain.lay_rows(|y| {
            let near = y.saturating_sub(1)..=(y + 1).min(self.height + 1);
            (!changed[near].contains(&true)).then(|| self.spans(y))
        });
        domain
    }

    /// Whether the solid cells of a row (ring coordinates) differ from those of a domain of the same size.
    fn changed_rows(&self, before: &Domain) -> Vec<bool> {
        let mut changed = vec![false; self.height + 2];
        (0..self.height).for_each(|y| changed[y + 1] = self.differs(before, y));
        if self.edges == Edges::Wrap {
            (changed[0], changed[self.height + 1]) = (changed[self.height], changed[1]);
        }
        changed
    }

    /// Whether the solid cells of a row of the grid differ from those of a domain of the same size.
    fn differs(&self, before: &Domain, y: usize) -> bool {
        match [before, self].map(|domain| domain.solid_row(y)) {
            [None, None] => false,
            [Some(before), Some(now)] => before != now,
            [Some(row), None] | [None, Some(row)] => row.contains(&true),
        }
    }

    /// The cells that are solid in only one of two domains of the same size, row by row.
    pub fn changes<'a>(&'a self, before: &'a Domain) -> impl Iterator<Item = usize> + 'a {
        let rows = (0..self.height).filter(|&y| self.differs(before, y));
        rows.flat_map(|y| y * self.width..(y + 1) * self.width)
            .filter(|&cell| self.is_solid(cell) != before.is_solid(cell))
    }

    /// Whether a cell of the grid is solid.
    pub fn is_solid(&self, cell: usize) -> bool {
        self.solid.as_ref().is_some_and(|solid| solid[cell])
    }

    /// The solid cells of a row of the grid; `None` where nothing is solid in the domain.
    fn solid_row(&self, y: usize) -> Option<&[bool]> {
        Some(&self.solid.as_ref()?[y * self.width..][..self.width])
    }

    /// Finds the codes and the runs of all rows; `known` has the runs of rows whose codes are up to date.
    fn lay_rows<'a>(&mut self, known: impl Fn(usize) -> Option<&'a [Span]>) {
        for y in 0..self.height + 2 {
            self.starts.push(self.spans.len() as u32);
            match known(y) {
                Some(spans) => request::extend(&mut self.spans, spans.iter().copied()),
                None => self.lay_row(y),
            }
        }
        self.starts.push(self.spans.len() as u32);
    }

    /// Columns of the grid.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows of the grid.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The kind of the edges.
    pub fn edges(&self) -> Edges {
        self.edges
    }

    /// Whether a ring cell is a wall: beyond a closed edge, or at a side that is shut.
    pub fn is_shut(&self, x: usize, y: usize) -> bool {
        let [left, bottom, right, top] = self.shut;
        let shut = (left && x == 0) || (right && x == self.width + 1);
        self.edges == Edges::Closed || shut || (bottom && y == 0) || (top && y == self.height + 1)
    }

    /// The solid cells, one value per grid cell; `None` where nothing is solid.
    pub fn solid(&self) -> Option<&[bool]> {
        self.solid.as_deref()
    }

    /// The runs of cells of row `y` (ring coordinates) with open pipes. All pipes of cells outside these runs are
    /// closed.
    pub fn spans(&self, y: usize) -> &[Span] {
        &self.spans[self.starts[y] as usize..self.starts[y + 1] as usize]
    }

    /// Codes of row `y` (ring coordinates): four bits per pipe, the lowest for the pipe to the east. The low three bits
    /// are the number of blocked side diagonals (0 to 4), or [`CLOSED`]; the high bit is [`OUTSIDE`].
    pub fn codes(&self, y: usize) -> &[u16] {
        let stride = self.width + 2;
        &self.codes[y * stride..(y + 1) * stride]
    }

    /// Memory, bytes.
    pub fn bytes(&self) -> usize {
        self.solid.as_ref().map_or(0, Vec::len)
            + self.codes.len() * size_of::<u16>()
            + self.spans.len() * size_of::<Span>()
            + self.starts.len() * size_of::<u32>()
    }

    /// Whether the cells of a row are blocked; all in ring coordinates.
    fn blocked_row(&self, y: usize) -> Vec<bool> {
        let (w, h, wrap) = (self.width, self.height, self.edges == Edges::Wrap);
        let inside = match y {
            0 if wrap => h,
            y if y == h + 1 && wrap => 1,
            y => y,
        };
        let mut row: Vec<bool> = match inside {
            y if y == 0 || y == h + 1 => (0..w + 2).map(|x| self.is_shut(x, y)).collect(),
            y => {
                let mut row = vec![false; w + 2];
                if let Some(solid) = self.solid_row(y - 1) {
                    row[1..=w].copy_from_slice(solid);
                }
                (row[0], row[w + 1]) = (self.is_shut(0, y), self.is_shut(w + 1, y));
                row
            }
        };
        if wrap {
            (row[0], row[w + 1]) = (row[w], row[1]);
        }
        row
    }

    fn outside(&self, x: usize, y: usize) -> bool {
        x == 0 || y == 0 || x == self.width + 1 || y == self.height + 1
    }

    /// Finds the codes and the runs of a row.
    fn lay_row(&mut self, y: usize) {
        let (w, h, stride) = (self.width, self.height, self.width + 2);
        let ring = y == 0 || y == h + 1;
        if y == h + 1 || (ring && self.edges != Edges::Open) {
            self.codes[y * stride..(y + 1) * stride].fill(ALL_CLOSED);
            return;
        }
        let wrap = self.edges == Edges::Wrap;
        // The rows below, at and above this one, and the columns with a blocked cell in any of them.
        let blocked = [y.saturating_sub(1), y, y + 1].map(|y| self.blocked_row(y));
        let mut near = vec![false; stride];
        for row in &blocked {
            near.iter_mut().zip(row).for_each(|(n, &b)| *n |= b);
        }
        let inner_row = !ring && (wrap || y < h);
        let mut runs: Vec<Span> = Vec::new();
        let mut push = |x: usize, plain: bool| match runs.last_mut() {
            Some(last) if last.plain == plain && last.to as usize == x => last.to += 1,
            _ => runs.push(Span { from: x as u32, to: x as u32 + 1, plain }),
        };
        for x in 0..w + 2 {
            let inner = inner_row && (wrap || (x > 1 && x < w));
            let side = x == 0 || x == w + 1;
            let code = if side && self.edges != Edges::Open {
                ALL_CLOSED
            } else if inner && !side && !(near[x - 1] || near[x] || near[x + 1]) {
                0
            } else {
                self.code(x, y, &blocked)
            };
            self.codes[y * stride + x] = code;
            if !(self.outside(x, y) && code == ALL_CLOSED) {
                push(x, code == 0);
            }
        }
        for mut run in runs {
            run.plain &= (run.to - run.from) as usize >= SHORTEST_PLAIN;
            let first = self.spans.len() == *self.starts.last().unwrap_or(&0) as usize;
            match self.spans.last_mut() {
                Some(last) if !first && last.plain == run.plain && last.to == run.from => last.to = run.to,
                _ => request::push(&mut self.spans, run),
            }
        }
    }

    /// The code of a cell; `blocked`: the rows below, at and above it.
    fn code(&self, x: usize, y: usize, blocked: &[Vec<bool>; 3]) -> u16 {
        let wrap = self.edges == Edges::Wrap;
        let at = |x: usize, row: usize| blocked[row + 1 - y][x];
        let mut code = 0;
        for (p, &(dx, dy)) in PIPES.iter().enumerate() {
            let (Some(jx), jy) = (x.checked_add_signed(dx), y + dy as usize) else {
                code |= CLOSED << (4 * p);
                continue;
            };
            let beyond = jx > self.width + 1 || jy > self.height + 1;
            let both_out = beyond || (!wrap && self.outside(x, y) && self.outside(jx, jy));
            if both_out || at(x, y) || at(jx, jy) {
                code |= CLOSED << (4 * p);
                continue;
            }
            let mut value = match (dx, dy) {
                (1, 0) => {
                    [(x, y - 1), (x, y + 1), (jx, y - 1), (jx, y + 1)].iter().filter(|c| at(c.0, c.1)).count() as u16
                }
                (0, 1) => {
                    [(x - 1, y), (x + 1, y), (x - 1, jy), (x + 1, jy)].iter().filter(|c| at(c.0, c.1)).count() as u16
                }
                _ if at(jx, y) && at(x, jy) => CLOSED,
                _ => 0,
            };
            if value != CLOSED && !wrap && (self.outside(x, y) || self.outside(jx, jy)) {
                value |= OUTSIDE;
            }
            code |= value << (4 * p);
        }
        code
    }
}
