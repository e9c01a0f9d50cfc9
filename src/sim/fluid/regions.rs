//! Connected components of the fluid cells.

use super::level::Level;
use super::shape::Boundary;
use crate::sim::request;
use crate::sim::union_find::UnionFind;

/// Fluid cells that are connected through faces, also across sides that wrap.
#[derive(Clone, Debug, PartialEq)]
pub struct Regions {
    /// The region of each cell, [`SOLID`](Regions::SOLID) in solids; `None` where all cells are fluid: one region.
    pub labels: Option<Vec<u32>>,
    /// Number of cells of each region, in the order of their first cells.
    pub cells: Vec<usize>,
    /// Whether the region's pressure is determined only up to a constant: no cell lies at an open side.
    pub singular: Vec<bool>,
}

impl Regions {
    /// The label of solid cells.
    pub const SOLID: u32 = u32::MAX;

    /// The regions of a grid; `solid` has a flag per cell.
    pub fn new(level: &Level, solid: Option<&[bool]>) -> Regions {
        let Some(solid) = solid else {
            return Regions { labels: None, cells: vec![level.cells()], singular: vec![level.is_closed()] };
        };
        let [w, h, d] = level.size;
        let mut runs = Runs::new(w, h * d, solid);
        for row in 0..h * d {
            let (j, k) = (row % h, row / h);
            if j > 0 {
                runs.join_rows(row - 1, row);
            } else if level.wraps(1) {
                runs.join_rows(row + h - 1, row);
            }
            if k > 0 {
                runs.join_rows(row - h, row);
            } else if level.wraps(2) {
                runs.join_rows(row + h * (d - 1), row);
            }
            if level.wraps(0) {
                runs.join_ends(row, w);
            }
        }
        runs.number(level)
    }

    /// Number of fluid cells.
    pub fn fluid(&self) -> usize {
        self.cells.iter().sum()
    }

    /// Whether a region's pressure is determined only up to a constant.
    pub fn any_singular(&self) -> bool {
        self.singular.contains(&true)
    }
}

/// Runs of fluid cells along x, row after row, and their connected sets.
struct Runs {
    /// First column, and the one after the last.
    spans: Vec<(usize, usize)>,
    /// The first run of each row, and the end.
    rows: Vec<usize>,
    /// Connected runs.
    sets: UnionFind,
}

impl Runs {
    fn new(width: usize, rows: usize, solid: &[bool]) -> Runs {
        let mut spans = Vec::new();
        let mut starts = Vec::with_capacity(rows + 1);
        for row in solid.chunks_exact(width) {
            starts.push(spans.len());
            let mut at = 0;
            while let Some(start) = row[at..].iter().position(|solid| !solid).map(|skip| at + skip) {
                at = row[start..].iter().position(|solid| *solid).map_or(width, |len| start + len);
                request::push(&mut spans, (start, at));
            }
        }
        starts.push(spans.len());
        let sets = UnionFind::new(spans.len());
        Runs { spans, rows: starts, sets }
    }

    fn join_rows(&mut self, lower: usize, upper: usize) {
        let (mut a, mut b) = (self.rows[lower], self.rows[upper]);
        while a < self.rows[lower + 1] && b < self.rows[upper + 1] {
            let (one, other) = (self.spans[a], self.spans[b]);
            if one.0 < other.1 && other.0 < one.1 {
                self.sets.join(a, b);
            }
            if one.1 <= other.1 {
                a += 1;
            } else {
                b += 1;
            }
        }
    }

    fn join_ends(&mut self, row: usize, width: usize) {
        let (first, end) = (self.rows[row], self.rows[row + 1]);
        if first < end && self.spans[first].0 == 0 && self.spans[end - 1].1 == width {
            self.sets.join(first, end - 1);
        }
    }

    fn number(mut self, level: &Level) -> Regions {
        let [w, h, d] = level.size;
        let [x, y, z] = level.sides.map(|sides| sides.map(|side| side == Boundary::Open));
        let mut labels = request::filled(w * h * d, Regions::SOLID);
        let mut number = request::filled(self.spans.len(), Regions::SOLID);
        let (mut cells, mut singular) = (Vec::new(), Vec::new());
        for row in 0..h * d {
            let (j, k) = (row % h, row / h);
            let row_open = (y[0] && j == 0) || (y[1] && j + 1 == h) || (z[0] && k == 0) || (z[1] && k + 1 == d);
            for run in self.rows[row]..self.rows[row + 1] {
                let root = self.sets.find(run);
                if root == run {
                    number[run] = cells.len() as u32;
                    cells.push(0);
                    singular.push(true);
                }
                let (label, (start, end)) = (number[root], self.spans[run]);
                labels[row * w..][start..end].fill(label);
                cells[label as usize] += end - start;
                if row_open || (x[0] && start == 0) || (x[1] && end == w) {
                    singular[label as usize] = false;
                }
            }
        }
        Regions { labels: Some(labels), cells, singular }
    }
}
