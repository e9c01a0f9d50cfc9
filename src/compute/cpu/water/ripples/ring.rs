//! A ring buffer of neighbouring rows of a plane.

/// Slots of a ring buffer.
const KEPT: usize = 5;

/// The most recent rows of a plane, filled in rising order. Row numbers do not wrap and begin at −[`Ring::BELOW`].
pub(super) struct Ring {
    width: usize,
    rows: Vec<i32>,
}

impl Ring {
    /// Number of rows below row 0 that may be stored.
    const BELOW: isize = 10;

    pub fn new(width: usize) -> Ring {
        Ring { width, rows: vec![0; width * KEPT] }
    }

    fn at(&self, y: isize) -> usize {
        (y + Ring::BELOW) as usize % KEPT * self.width
    }

    /// Row `y`, one of the most recent.
    pub fn row(&self, y: isize) -> &[i32] {
        &self.rows[self.at(y)..][..self.width]
    }

    /// The memory of row `y`, to fill it.
    pub fn row_mut(&mut self, y: isize) -> &mut [i32] {
        let at = self.at(y);
        &mut self.rows[at..][..self.width]
    }

    /// The rows below, at and above row `y`.
    pub fn three(&self, y: isize) -> [&[i32]; 3] {
        [self.row(y - 1), self.row(y), self.row(y + 1)]
    }
}
