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

/// The part of a grid that is in the frame, in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Position of its lower left corner.
    pub corner: [f64; 2],
    /// Its width and height, at least 1.
    pub size: [f64; 2],
}

impl Grid {
    /// The part without `overscan`: pixels beyond the frame to the left and right, and below and above.
    pub fn frame(&self, overscan: [f64; 2]) -> Frame {
        let corner = overscan.map(|pixels| pixels * self.cells_per_pixel);
        let side = |cells: usize, corner: f64| (cells as f64 - 2.0 * corner).max(1.0);
        Frame { corner, size: [side(self.width, corner[0]), side(self.height, corner[1])] }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.width * self.height
    }
}
