//! Parallel work on bands of rows and on other pieces.

use std::ops::Range;

use rayon::prelude::*;

use super::Cpu;
use super::lanes::mode::standard;

/// Least number of cells of a band. The size of the work determines the bands; the number of threads does not.
const BAND_CELLS: usize = 16384;

/// Cuts `rows` rows of `width` cells into bands, the lowest first.
pub fn bands(rows: usize, width: usize) -> Vec<Range<usize>> {
    bands_of(BAND_CELLS, rows, width)
}

/// Cuts rows into bands of at least `cells` cells.
pub fn bands_of(cells: usize, rows: usize, width: usize) -> Vec<Range<usize>> {
    let each = cells.div_ceil(width.max(1));
    (0..rows).step_by(each).map(|from| from..(from + each).min(rows)).collect()
}

impl Cpu {
    /// Calls `job` once for each of `pieces`, in any order, on the device's threads; returns the results in the order
    /// of the pieces. Blocks the caller, and passes a panic of a job on. Jobs run in the standard floating-point mode.
    pub fn each<T: Send, R: Send>(&self, pieces: Vec<T>, job: impl Fn(T) -> R + Sync) -> Vec<R> {
        let job = |piece| standard(|| job(piece));
        match self.pool.inner() {
            Some(pool) if pieces.len() > 1 => pool.install(|| pieces.into_par_iter().map(&job).collect()),
            _ => pieces.into_iter().map(job).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_cover_every_row_once_and_in_order() {
        for (rows, width) in [(0, 5), (1, 1), (7, 100_000), (1080, 1920), (40_000, 1), (3, 0)] {
            let rejoined: Vec<usize> = bands(rows, width).into_iter().flatten().collect();
            assert_eq!(rejoined, (0..rows).collect::<Vec<_>>(), "{rows} x {width}");
        }
        assert!(bands(1080, 1920).len() > 16, "there is work for many threads");
    }

    #[test]
    fn what_jobs_make_comes_in_the_order_of_the_pieces() {
        for threads in [1, 3] {
            let made = Cpu::new(threads).each((0..1000).collect(), |piece: usize| piece * piece);
            assert_eq!(made, (0..1000).map(|piece| piece * piece).collect::<Vec<_>>());
        }
    }
}
