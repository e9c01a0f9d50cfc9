//! Parallel work on the rows of a field.

use std::ops::AddAssign;

use super::super::pool::Pool;
use crate::sim::water::field::Field;
use crate::sim::water::plan::{RowCounts, RowJob};

/// Cells of a band, at least. Work is cut by its size, never by the number of threads.
const BAND_CELLS: usize = 16384;

impl Pool {
    /// Calls `job` once for every row of the grid with its number (0 lowest) and all planes of `field`, and adds the
    /// counts up.
    pub fn rows(&self, field: &mut Field, job: &RowJob<'_>) -> RowCounts {
        let (len, last) = (field.row_len(), field.height());
        let band = BAND_CELLS.div_ceil(field.stride());
        let mut bands: Vec<_> = field.rows_mut(1, last).chunks_mut(band * len).enumerate().collect();
        self.each(&mut bands, |(index, rows)| {
            let mut sum = Counts::default();
            for (i, row) in rows.chunks_exact_mut(len).enumerate() {
                sum += Counts(job(*index * band + i, row));
            }
            sum
        })
        .0
    }
}

/// A sum of counts.
#[derive(Default)]
struct Counts(RowCounts);

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a += b;
        }
    }
}
