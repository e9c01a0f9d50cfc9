//! A few neighbouring rows of a plane, made one after the other.

/// Number of rows.
const KEPT: usize = 5;

/// The last rows of a plane. Rows are numbered without wrapping, from −[`Ring::BELOW`] on.
pub(super) struct Ring {
    width: usize,
    rows: Vec<i32>,
}

impl Ring {
    /// Rows below the first.
    const BELOW: isize = 10;

    pub fn new(width: usize) -> Ring {
        Ring { width, rows: vec![0; width * KEPT] }
    }

    fn at(&self, y: isize) -> usize {
        (y + Ring::BELOW) as usize % KEPT * self.width
    }

    /// Row `y`, of those made last.
    pub fn row(&self, y: isize) -> &[i32] {
        &self.rows[self.at(y)..][..self.width]
    }

    /// Row `y`, to make it.
    pub fn row_mut(&mut self, y: isize) -> &mut [i32] {
        let at = self.at(y);
        &mut self.rows[at..][..self.width]
    }

    /// The rows below, at and above row `y`.
    pub fn three(&self, y: isize) -> [&[i32]; 3] {
        [self.row(y - 1), self.row(y), self.row(y + 1)]
    }
}
