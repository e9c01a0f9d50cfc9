//! Vectors of cells: an array for each component, all about as large as a component of the velocity, so that the memory of
//! one serves the next.

use std::sync::Arc;

use super::padded::room;
use crate::sim::memory::{PagePool, Values};

/// `N` numbers per cell, as arrays of rows.
pub(super) struct Vectors<const N: usize> {
    parts: [Values<f32>; N],
    /// Length of a row, rows of a plane, and planes.
    size: [usize; 3],
}

/// The number of a plane, and its components.
pub(super) type VectorPlane<'a, const N: usize> = (usize, [&'a mut [f32]; N]);

impl<const N: usize> Vectors<N> {
    /// Vectors of a box of `cells`, with unspecified contents. Each row has `more` values than cells.
    pub fn uninitialised(cells: [usize; 3], more: usize, memory: &Arc<dyn PagePool>) -> Self {
        let size = [cells[0] + more, cells[1], cells[2]];
        let parts = std::array::from_fn(|_| Values::with_room(size.iter().product(), room(cells), memory));
        Self { parts, size }
    }

    /// Rows of a plane.
    pub fn rows(&self) -> usize {
        self.size[1]
    }

    /// Number of planes.
    pub fn planes(&self) -> usize {
        self.size[2]
    }

    /// A row of a component.
    #[inline(always)]
    pub fn row(&self, part: usize, [y, z]: [usize; 2]) -> &[f32] {
        &self.parts[part][(y + self.size[1] * z) * self.size[0]..][..self.size[0]]
    }

    /// The planes of all components, with their numbers.
    pub fn planes_mut(&mut self) -> Vec<VectorPlane<'_, N>> {
        let [columns, rows, planes] = self.size;
        let mut pieces = self.parts.each_mut().map(|part| part.chunks_exact_mut(columns * rows));
        (0..planes).map(|z| (z, pieces.each_mut().map(|pieces| pieces.next().unwrap_or_default()))).collect()
    }
}
