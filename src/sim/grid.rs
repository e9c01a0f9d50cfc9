//! The grid of a simulation.

use crate::sim::fingerprint::fingerprinted;

fingerprinted! {
    /// The position and the size of a grid: `width` × `height` square cells over a rectangle of the canonical plane
    /// (square full-resolution pixels, y up). Row 0 is the lowest row; cell (0, 0) covers
    /// `origin .. origin + 1 / cells_per_pixel`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Grid {
        /// Columns per row, at least 1.
        pub width: usize,
        /// Rows, at least 1.
        pub height: usize,
        /// Canonical position of the lower left corner, full-resolution pixels.
        pub origin: [f64; 2],
        /// Grid scale g: cells per full-resolution pixel, above 0.
        pub cells_per_pixel: f64,
    }
}

impl Grid {
    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.width * self.height
    }
}
