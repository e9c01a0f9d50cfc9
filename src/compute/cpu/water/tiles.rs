//! The cuts of a grid: bands of rows, which are distributed to the threads, and tiles whose working rows fit a cache.
//! Only the size of the grid determines them, and results do not depend on them.

use std::ops::Range;

use super::line::CELLS;
use crate::sim::water::settings::Model;

/// Least and largest number of rows of a band: a band repeats work of both neighbours.
const BAND: Range<usize> = 64..160;
/// Number of bands of a large grid.
const BANDS: usize = 8;
/// Largest number of columns of a tile: with its margins it fills a line.
const COLUMNS: usize = CELLS - 2 * margin(STEPS, FARTHEST);
/// Largest number of steps of a sweep; more steps are not faster.
pub(super) const STEPS: u32 = 4;

/// Even pieces of 1 ..= `size` (ring coordinates), none longer than `most`.
fn pieces(size: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
    let count = size.div_ceil(most);
    (0..count).map(move |i| 1 + size * i / count..1 + size * (i + 1) / count)
}

/// Rows of the bands of a grid of `height` rows, ring coordinates.
pub(super) fn bands(height: usize) -> impl Iterator<Item = Range<usize>> {
    pieces(height, height.div_ceil(BANDS).clamp(BAND.start, BAND.end))
}

/// Columns of the tiles of a grid of `width` columns, ring coordinates.
pub(super) fn tiles(width: usize) -> impl Iterator<Item = Range<usize>> {
    pieces(width, COLUMNS)
}

/// The sweeps of a frame of `steps` steps: as few as possible, of even length.
pub(super) fn sweeps(steps: u32) -> impl Iterator<Item = Range<u32>> {
    let count = steps.div_ceil(STEPS).max(1);
    (0..count).map(move |i| steps * i / count..steps * (i + 1) / count)
}

/// Greatest [`reach`].
const FARTHEST: usize = 3;

/// Number of rows and columns before a tile that one step reads: neighbours, their upwind neighbours, and with Shallow
/// water the speeds that are advected from there. After a tile a step reads one less.
pub(super) const fn reach(model: Model) -> usize {
    match model {
        Model::Pipes | Model::Classic | Model::Ripples => 2,
        Model::ShallowWater => FARTHEST,
    }
}

/// Rows and columns around a tile that a sweep of `steps` steps reads; `reach` is that of one step.
pub(super) const fn margin(steps: u32, reach: usize) -> usize {
    reach * steps as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_everything_once() {
        for size in [1, 2, 63, 64, 65, 160, 161, 512, 1000, 1001, 1080, 2160, 16384] {
            for parts in [bands(size).collect::<Vec<_>>(), tiles(size).collect()] {
                assert_eq!((parts[0].start, parts[parts.len() - 1].end), (1, size + 1));
                assert!(parts.windows(2).all(|p| p[0].end == p[1].start) && parts.iter().all(|p| !p.is_empty()));
            }
        }
        for steps in 0..40 {
            let sweeps: Vec<_> = sweeps(steps).collect();
            assert_eq!((sweeps[0].start, sweeps[sweeps.len() - 1].end), (0, steps));
            assert!(sweeps.windows(2).all(|s| s[0].end == s[1].start));
            assert!(sweeps.iter().all(|s| s.len() as u32 <= STEPS && (steps == 0 || !s.is_empty())));
        }
    }
}
