//! Tiles of a level of the pyramid: the cells that a change of the solid cells touches.

use std::ops::Range;

use super::dispersion::LEVELS;
use super::links;
use super::pyramid::Pyramid;
use crate::sim::request;
use crate::sim::water::domain::Domain;

/// Side of a tile, cells.
pub(super) const TILE: usize = 16;
/// Distance in cells up to which a change of a cell of the finer level changes cells of a level, and up to which a
/// change of a solid cell changes pipes.
const REACH: usize = 5;
const _: () = assert!(REACH < TILE, "the first tile covers the reach across a joined edge");

/// The cells of a tile.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    pub columns: Range<usize>,
    pub rows: Range<usize>,
}

impl Tile {
    /// The cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let columns = self.columns.clone();
        self.rows.clone().flat_map(move |y| columns.clone().map(move |x| (x, y)))
    }
}

/// The marked tiles of a level.
struct Tiles {
    size: [usize; 2],
    counts: [usize; 2],
    wraps: bool,
    marked: Vec<bool>,
}

impl Tiles {
    fn new(pyramid: &Pyramid, level: usize, all: bool) -> Tiles {
        let size = [pyramid.levels[level].width, pyramid.levels[level].height];
        let counts = size.map(|count| count.div_ceil(TILE));
        Tiles { size, counts, wraps: pyramid.wraps(), marked: request::filled(counts[0] * counts[1], all) }
    }

    /// Marks the tiles within [`REACH`] of the cells `from` ..= `to`.
    fn mark(&mut self, from: [usize; 2], to: [usize; 2]) {
        let [columns, rows] = [0, 1].map(|axis| self.around(axis, from[axis], to[axis]));
        for row in rows {
            columns.iter().for_each(|column| self.marked[row * self.counts[0] + column] = true);
        }
    }

    /// The tiles of an axis within [`REACH`] of some cells.
    fn around(&self, axis: usize, from: usize, to: usize) -> Vec<usize> {
        let count = self.size[axis];
        let (low, high) = (from.saturating_sub(REACH), (to + REACH).min(count - 1));
        let mut tiles: Vec<usize> = (low / TILE..=high / TILE).collect();
        if self.wraps && from < REACH {
            tiles.extend(count.saturating_sub(REACH) / TILE..self.counts[axis]);
        }
        if self.wraps && to + REACH >= count {
            tiles.push(0);
        }
        tiles
    }

    fn list(&self) -> Vec<Tile> {
        let range = |tile: usize, axis: usize| tile * TILE..((tile + 1) * TILE).min(self.size[axis]);
        let marked = (0..self.marked.len()).filter(|&tile| self.marked[tile]);
        let made =
            marked.map(|tile| Tile { columns: range(tile % self.counts[0], 0), rows: range(tile / self.counts[0], 1) });
        request::collected(made)
    }

    /// Whether a row has a marked tile.
    fn touches(&self, y: usize) -> bool {
        let first = y / TILE * self.counts[0];
        self.marked[first..first + self.counts[0]].contains(&true)
    }
}

/// Builds the levels over the domain. `before`: the pyramid whose levels these are, over a domain with other solid
/// cells; only tiles near a change are built again then.
pub(super) fn build(pyramid: &mut Pyramid, before: Option<&Pyramid>) {
    let mut tiles = Tiles::new(pyramid, 0, before.is_none());
    if let Some(before) = before {
        mark_changes(&mut tiles, &before.domain, &pyramid.domain);
    }
    let mut list = tiles.list();
    links::flag_blur(pyramid, 0, &list);
    for level in 1..LEVELS {
        let mut coarse = Tiles::new(pyramid, level, before.is_none());
        if let Some(before) = before {
            for tile in &list {
                if let Some([from, to]) = changed(pyramid, before, level - 1, tile) {
                    coarse.mark(from.map(|at| at / 2), to.map(|at| at / 2));
                }
            }
        }
        list = coarse.list();
        links::build(pyramid, level, &list);
        let fine = &mut pyramid.levels[level - 1];
        let touched = |y: &usize| tiles.touches(*y) || coarse.touches(y / 2);
        (0..fine.height).filter(touched).for_each(|y| fine.find_spans(y));
        tiles = coarse;
    }
    let coarsest = &mut pyramid.levels[LEVELS - 1];
    (0..coarsest.height).filter(|&y| tiles.touches(y)).for_each(|y| coarsest.find_spans(y));
}

/// The first and last column and row of the cells of a tile that differ in what the coarser level depends on: masses
/// and lengths of faces.
fn changed(now: &Pyramid, before: &Pyramid, level: usize, tile: &Tile) -> Option<[[usize; 2]; 2]> {
    let of = |pyramid: &Pyramid, x: usize, y: usize| {
        [pyramid.mass(level, x, y), pyramid.length(level, 0, x, y), pyramid.length(level, 1, x, y)]
    };
    let cells = tile.cells().filter(|&(x, y)| of(now, x, y) != of(before, x, y));
    cells.fold(None, |range: Option<[[usize; 2]; 2]>, (x, y)| {
        let [from, to] = range.unwrap_or([[x, y]; 2]);
        Some([[from[0].min(x), from[1].min(y)], [to[0].max(x), to[1].max(y)]])
    })
}

/// Marks the tiles near cells that are solid in only one of both domains.
fn mark_changes(tiles: &mut Tiles, before: &Domain, now: &Domain) {
    let width = tiles.size[0];
    let mut changes = now.changes(before).peekable();
    while let Some(first) = changes.next() {
        let mut last = first;
        while changes.next_if(|&cell| cell == last + 1 && cell % width > 0).is_some() {
            last += 1;
        }
        tiles.mark([first % width, first / width], [last % width, last / width]);
    }
}
