//! Which fluid cells hang together.

use super::level::Level;
use crate::sim::request;
use crate::sim::smoke::settings::Side;

/// Fluid cells that hang together through faces, also across sides that wrap.
#[derive(Clone, Debug, PartialEq)]
pub struct Regions {
    /// The region of each cell, [`SOLID`](Regions::SOLID) in solids; `None` where all cells are fluid: one region.
    pub labels: Option<Vec<u32>>,
    /// Number of cells of each region, in the order of their first cells.
    pub cells: Vec<usize>,
    /// Whether its pressure is fixed only up to a constant: nothing in it lies at an open side.
    pub singular: Vec<bool>,
}

impl Regions {
    /// No region.
    pub const SOLID: u32 = u32::MAX;

    /// Finds them.
    pub fn new(level: &Level, solid: Option<&[bool]>) -> Regions {
        let Some(solid) = solid else {
            let singular = level.is_shut();
            return Regions { labels: None, cells: vec![level.cells()], singular: vec![singular] };
        };
        let [w, h] = level.size;
        let mut runs = Runs::new(w, h, solid);
        for j in 1..h {
            runs.join_rows(j - 1, j);
        }
        if level.wraps(1) {
            runs.join_rows(h - 1, 0);
        }
        if level.wraps(0) {
            for j in 0..h {
                runs.join_ends(j, w);
            }
        }
        runs.number(level)
    }

    /// Number of fluid cells.
    pub fn fluid(&self) -> usize {
        self.cells.iter().sum()
    }

    /// Whether any pressure is fixed only up to a constant.
    pub fn any_singular(&self) -> bool {
        self.singular.contains(&true)
    }
}

/// Fluid cells side by side, row after row, in sets.
struct Runs {
    /// First column, and the one after the last.
    spans: Vec<(usize, usize)>,
    /// The first run of each row, and the end.
    rows: Vec<usize>,
    /// A run of the same set that comes before, or the run itself.
    parent: Vec<usize>,
}

impl Runs {
    fn new(w: usize, h: usize, solid: &[bool]) -> Runs {
        let mut spans = Vec::new();
        let mut rows = Vec::with_capacity(h + 1);
        for row in solid.chunks_exact(w) {
            rows.push(spans.len());
            let mut at = 0;
            while let Some(start) = row[at..].iter().position(|solid| !solid).map(|skip| at + skip) {
                at = row[start..].iter().position(|solid| *solid).map_or(w, |len| start + len);
                request::push(&mut spans, (start, at));
            }
        }
        rows.push(spans.len());
        let parent = request::collected(0..spans.len());
        Runs { spans, rows, parent }
    }

    fn find(&mut self, mut run: usize) -> usize {
        while self.parent[run] != run {
            self.parent[run] = self.parent[self.parent[run]];
            run = self.parent[run];
        }
        run
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }

    fn join_rows(&mut self, lower: usize, upper: usize) {
        let (mut a, mut b) = (self.rows[lower], self.rows[upper]);
        while a < self.rows[lower + 1] && b < self.rows[upper + 1] {
            let (one, other) = (self.spans[a], self.spans[b]);
            if one.0 < other.1 && other.0 < one.1 {
                self.join(a, b);
            }
            if one.1 <= other.1 {
                a += 1;
            } else {
                b += 1;
            }
        }
    }

    fn join_ends(&mut self, row: usize, w: usize) {
        let (first, end) = (self.rows[row], self.rows[row + 1]);
        if first < end && self.spans[first].0 == 0 && self.spans[end - 1].1 == w {
            self.join(first, end - 1);
        }
    }

    fn number(mut self, level: &Level) -> Regions {
        let [w, h] = level.size;
        let open = level.edges.map(|edge| edge == Side::Open);
        let mut labels = request::filled(w * h, Regions::SOLID);
        let mut number = request::filled(self.spans.len(), Regions::SOLID);
        let (mut cells, mut singular) = (Vec::new(), Vec::new());
        for j in 0..h {
            for run in self.rows[j]..self.rows[j + 1] {
                let root = self.find(run);
                if root == run {
                    number[run] = cells.len() as u32;
                    cells.push(0);
                    singular.push(true);
                }
                let (label, (start, end)) = (number[root], self.spans[run]);
                labels[j * w..][start..end].fill(label);
                cells[label as usize] += end - start;
                let out = [start == 0, end == w, j == 0, j + 1 == h];
                if out.iter().zip(open).any(|(at, open)| *at && open) {
                    singular[label as usize] = false;
                }
            }
        }
        Regions { labels: Some(labels), cells, singular }
    }
}
