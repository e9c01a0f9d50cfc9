//! The margin: cells beyond open edges, in which waves are damped.
//!
//! The steps run on a grid enlarged by the margin. A state stores the values of the margin in additional planes of its
//! flows, one after the other, so that all its planes have the size of the grid.

use std::sync::Arc;

use crate::sim::request;
use crate::sim::water::domain::Domain;
use crate::sim::water::field::Field;
use crate::sim::water::fixed_point::WHOLE;
use crate::sim::water::plan::Water;
use crate::sim::water::settings::{Constants, Edges};

use super::REST;

/// Width of the margin, cells.
pub const WIDTH: usize = 32;
/// Fraction of a value that the outermost cell loses per step.
const LOSS: f64 = 0.4;
/// Number of pipes that a cell owns, and of flow planes without the margin's.
pub const PIPES: usize = 4;
/// Values of a cell of the margin: its deviation from rest, and the flows of its pipes.
const VALUES: usize = 1 + PIPES;

/// The margin of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// Columns and rows of the grid.
    pub grid: [usize; 2],
    /// Cells before the grid in x and y.
    pub before: [usize; 2],
    /// Columns and rows of the grid and its margin.
    pub size: [usize; 2],
}

impl Margin {
    /// The margin of a grid of `width` × `height` cells.
    pub fn new(constants: &Constants, width: usize, height: usize) -> Margin {
        let [left, bottom, right, top] = match constants.edges {
            Edges::Open => constants.shut.map(|shut| if shut { 0 } else { WIDTH }),
            Edges::Closed | Edges::Wrap => [0; 4],
        };
        Margin { grid: [width, height], before: [left, bottom], size: [left + width + right, bottom + height + top] }
    }

    /// Whether there is no margin.
    pub fn is_empty(&self) -> bool {
        self.grid == self.size
    }

    /// Planes of flow of a state.
    pub fn flow_planes(&self) -> usize {
        let [[width, height], [columns, rows]] = [self.grid, self.size];
        PIPES + (VALUES * (columns * rows - width * height)).div_ceil((width + 2) * (height + 2))
    }

    /// The cell of the grid that is nearest to a cell of the larger grid.
    pub fn nearest(&self, at: usize, axis: usize) -> usize {
        at.saturating_sub(self.before[axis]).min(self.grid[axis] - 1)
    }

    /// The columns of row `y` that are in the margin.
    fn columns(&self, y: usize) -> impl Iterator<Item = usize> + use<> {
        let [from, to] = [0, 1].map(|end| self.before[0] + end * self.grid[0]);
        let inside = (self.before[1]..self.before[1] + self.grid[1]).contains(&y);
        (0..self.size[0]).filter(move |x| !(inside && (from..to).contains(x)))
    }

    /// Shares of a value that a step leaves to each column (0) or row (1), parts of [`WHOLE`].
    pub fn shares(&self, axis: usize) -> Vec<i32> {
        let end = self.before[axis] + self.grid[axis];
        let share = |at: usize| {
            let outward = if at < self.before[axis] { self.before[axis] - at } else { (at + 1).saturating_sub(end) };
            let depth = outward as f64 / WIDTH as f64;
            libm::floor((1.0 - LOSS * depth * depth) * f64::from(WHOLE) + 0.5) as i32
        };
        request::collected((0..self.size[axis]).map(share))
    }

    /// The domain of the larger grid, with closed edges beyond the margin.
    pub fn domain(&self, domain: &Arc<Domain>) -> Arc<Domain> {
        if domain.edges() != Edges::Open {
            return Arc::clone(domain);
        }
        let [width, height] = self.size;
        let solid = domain.solid().map(|solid| self.solid(solid));
        Arc::new(Domain::new(width, height, Edges::Closed, [false; 4], solid))
    }

    /// The domain of the larger grid after solid cells have moved; `before`: the larger grid's domain before.
    pub fn moved(&self, before: &Domain, domain: &Arc<Domain>) -> Arc<Domain> {
        if domain.edges() != Edges::Open {
            return Arc::clone(domain);
        }
        Arc::new(before.moved(domain.solid().map(|solid| self.solid(solid))))
    }

    fn solid(&self, solid: &[bool]) -> Vec<bool> {
        let mut larger = request::filled(self.size[0] * self.size[1], false);
        for (y, row) in solid.chunks_exact(self.grid[0]).enumerate() {
            let at = (self.before[1] + y) * self.size[0] + self.before[0];
            larger[at..at + self.grid[0]].copy_from_slice(row);
        }
        larger
    }

    /// Copies a state into planes of the larger grid: the heights, and the flows.
    pub fn expand(&self, water: &Water, height: &mut Field, flow: &mut Field) {
        let [width, grid_height] = self.grid;
        let columns = self.before[0] + 1..self.before[0] + 1 + width;
        for field in [&mut *height, &mut *flow] {
            field.clear_ring();
        }
        for y in 0..grid_height {
            let to = self.before[1] + y + 1;
            height.row_mut(to, 0)[columns.clone()].copy_from_slice(&water.height.row(y + 1, 0)[1..=width]);
            for pipe in 0..PIPES {
                flow.row_mut(to, pipe)[columns.clone()].copy_from_slice(&water.flow.row(y + 1, pipe)[1..=width]);
            }
        }
        let mut places = Places::new(&water.flow);
        let mut stored = || {
            let [plane, row, column] = places.next();
            water.flow.row(row, plane)[column]
        };
        for y in 0..self.size[1] {
            for x in self.columns(y) {
                height.row_mut(y + 1, 0)[x + 1] = stored() + REST;
                for pipe in 0..PIPES {
                    flow.row_mut(y + 1, pipe)[x + 1] = stored();
                }
            }
        }
    }

    /// Copies planes of the larger grid into those of a state.
    pub fn fold(&self, height: &Field, flow: &Field, water: &mut Water) {
        let [width, grid_height] = self.grid;
        let (below, left) = (self.before[1], self.before[0]);
        for y in 0..grid_height {
            let row = &height.row(below + y + 1, 0)[left + 1..left + 1 + width];
            water.height.row_mut(y + 1, 0)[1..=width].copy_from_slice(row);
        }
        water.height.clear_ring();
        for plane in PIPES..water.flow.planes() {
            (0..grid_height + 2).for_each(|y| water.flow.row_mut(y, plane).fill(0));
        }
        // The ring of the flows has the values of the margin's cells next to the grid or, without a margin, of the
        // ring.
        for y in 0..grid_height + 2 {
            for pipe in 0..PIPES {
                let from = flow.row((below + y).min(self.size[1] + 1), pipe);
                water.flow.row_mut(y, pipe).copy_from_slice(&from[left..left + width + 2]);
            }
        }
        let mut places = Places::new(&water.flow);
        let mut store = |value: i32| {
            let [plane, row, column] = places.next();
            water.flow.row_mut(row, plane)[column] = value;
        };
        for y in 0..self.size[1] {
            for x in self.columns(y) {
                store(height.row(y + 1, 0)[x + 1] - REST);
                (0..PIPES).for_each(|pipe| store(flow.row(y + 1, pipe)[x + 1]));
            }
        }
    }
}

/// The positions of the values of the margin in the flows of a state (plane, row, column), in the order of storage.
struct Places {
    stride: usize,
    rows: usize,
    next: [usize; 3],
}

impl Places {
    fn new(flow: &Field) -> Places {
        Places { stride: flow.stride(), rows: flow.height() + 2, next: [PIPES, 0, 0] }
    }

    fn next(&mut self) -> [usize; 3] {
        let place @ [plane, row, column] = self.next;
        self.next = match (column + 1 < self.stride, row + 1 < self.rows) {
            (true, _) => [plane, row, column + 1],
            (false, true) => [plane, row + 1, 0],
            (false, false) => [plane + 1, 0, 0],
        };
        place
    }
}
