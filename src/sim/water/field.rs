//! Integer planes on the grid, with a ring of one cell around it.

use std::sync::Arc;

use crate::sim::memory::{PagePool, Values};

/// One or more `i32` planes over a grid and a ring of one cell around it, stored row after row; within a row, plane
/// after plane. A row with all its planes is one slice, so that work can be cut by rows. Clones share their memory until
/// one of them changes.
///
/// Ring coordinates: cell (x, y) of the grid is column x + 1 of row y + 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    width: usize,
    height: usize,
    planes: usize,
    data: Arc<Values<i32>>,
}

impl Field {
    /// Zeros.
    pub fn new(width: usize, height: usize, planes: usize) -> Field {
        Field { width, height, planes, data: Arc::new(Values::zeros((width + 2) * (height + 2) * planes)) }
    }

    /// Contents unspecified, in memory of `pool`.
    pub fn uninitialised(width: usize, height: usize, planes: usize, pool: &Arc<dyn PagePool>) -> Field {
        let data = Values::uninitialised((width + 2) * (height + 2) * planes, pool);
        Field { width, height, planes, data: Arc::new(data) }
    }

    /// Columns of the grid, without the ring.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows of the grid, without the ring.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Number of planes.
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// Values in one row of one plane: the width and the ring.
    pub fn stride(&self) -> usize {
        self.width + 2
    }

    /// Values in one row of all planes.
    pub fn row_len(&self) -> usize {
        self.stride() * self.planes
    }

    /// Memory of the values.
    pub fn bytes(&self) -> usize {
        self.data.len() * size_of::<i32>()
    }

    /// One row of one plane, ring included; `y` in ring coordinates.
    pub fn row(&self, y: usize, plane: usize) -> &[i32] {
        let stride = self.stride();
        let at = (y * self.planes + plane) * stride;
        &self.data[at..at + stride]
    }

    /// One row of one plane, ring included; `y` in ring coordinates.
    pub fn row_mut(&mut self, y: usize, plane: usize) -> &mut [i32] {
        let stride = self.stride();
        let at = (y * self.planes + plane) * stride;
        &mut Arc::make_mut(&mut self.data)[at..at + stride]
    }

    /// The value of a grid cell.
    pub fn at(&self, x: usize, y: usize, plane: usize) -> i32 {
        self.row(y + 1, plane)[x + 1]
    }

    /// Sets the value of a grid cell.
    pub fn set(&mut self, x: usize, y: usize, plane: usize, value: i32) {
        self.row_mut(y + 1, plane)[x + 1] = value;
    }

    /// The rows `first ..= last` (ring coordinates) with all their planes, as one slice.
    pub fn rows(&self, first: usize, last: usize) -> &[i32] {
        let len = self.row_len();
        &self.data[first * len..(last + 1) * len]
    }

    /// The rows `first ..= last` (ring coordinates) with all their planes, as one slice.
    pub fn rows_mut(&mut self, first: usize, last: usize) -> &mut [i32] {
        let len = self.row_len();
        &mut Arc::make_mut(&mut self.data)[first * len..(last + 1) * len]
    }

    /// Sum over the grid cells of one plane, modulo 2^64.
    pub fn sum(&self, plane: usize) -> i64 {
        (1..=self.height)
            .map(|y| self.row(y, plane)[1..=self.width].iter().map(|&v| i64::from(v)).sum::<i64>())
            .fold(0, i64::wrapping_add)
    }

    /// Whether every value is 0.
    pub fn is_zero(&self) -> bool {
        self.data.iter().all(|&v| v == 0)
    }

    /// Fills the ring from the opposite edges.
    pub fn wrap_ring(&mut self) {
        let (w, h, stride, len) = (self.width, self.height, self.stride(), self.row_len());
        let data = Arc::make_mut(&mut self.data);
        for row in data[len..len * (h + 1)].chunks_exact_mut(stride) {
            row[0] = row[w];
            row[w + 1] = row[1];
        }
        data.copy_within(h * len..(h + 1) * len, 0);
        data.copy_within(len..2 * len, (h + 1) * len);
    }

    /// Fills the ring from the cells beside it.
    pub fn continue_ring(&mut self) {
        let (w, h, stride, len) = (self.width, self.height, self.stride(), self.row_len());
        let data = Arc::make_mut(&mut self.data);
        for row in data[len..len * (h + 1)].chunks_exact_mut(stride) {
            row[0] = row[1];
            row[w + 1] = row[w];
        }
        data.copy_within(len..2 * len, 0);
        data.copy_within(h * len..(h + 1) * len, (h + 1) * len);
    }

    /// Sets the ring to 0.
    pub fn clear_ring(&mut self) {
        let (w, h, stride, len) = (self.width, self.height, self.stride(), self.row_len());
        let data = Arc::make_mut(&mut self.data);
        for row in data.chunks_exact_mut(stride) {
            row[0] = 0;
            row[w + 1] = 0;
        }
        data[..len].fill(0);
        data[(h + 1) * len..].fill(0);
    }
}
