//! Bands of face rows, a ring of recent rows, and streaming stores.

use super::super::bands::bands_of;
use super::super::lanes::CACHE_LINE;
use super::super::lanes::floats::{Floats, WIDTH};
use super::operands::Faces;

/// The faces of a band of rows of cells: the left and lower faces, the right face of each row's last cell, and the
/// upper faces of the grid's last row.
pub(super) struct FaceRows<'a> {
    /// First row of cells.
    pub first: usize,
    /// Rows of cells.
    pub count: usize,
    pub u: &'a mut [f32],
    pub v: &'a mut [f32],
}

/// Cuts the faces of a grid of `[width, height]` cells into bands of at least `cells` cells.
pub(super) fn face_rows<'a>(
    cells: usize,
    [width, height]: [usize; 2],
    faces: Faces<&'a mut [f32]>,
) -> Vec<FaceRows<'a>> {
    let Faces { mut u, mut v } = faces;
    let bands = bands_of(cells, height, width).into_iter();
    let cut = |range: std::ops::Range<usize>| {
        let lines = range.len() + usize::from(range.end == height);
        let (band_u, rest) = std::mem::take(&mut u).split_at_mut(range.len() * (width + 1));
        u = rest;
        let (band_v, rest) = std::mem::take(&mut v).split_at_mut(lines * width);
        v = rest;
        FaceRows { first: range.start, count: range.len(), u: band_u, v: band_v }
    };
    bands.map(cut).collect()
}

/// Number of cells from which on a plane does not stay in the caches until the next pass.
const FAR: usize = 1 << 20;

/// The way in which rows are stored.
#[derive(Clone, Copy)]
pub(super) struct RowStore {
    /// Whether stores bypass the caches.
    past_caches: bool,
}

impl RowStore {
    /// For planes of a grid of `[width, height]` cells.
    pub fn new([width, height]: [usize; 2]) -> RowStore {
        RowStore { past_caches: width * height >= FAR }
    }

    /// Stores a row. Stores to large planes bypass the caches, which then do not read the memory first; call
    /// [`Floats::settle`] after the last row.
    #[inline(always)]
    pub fn row<F: Floats>(self, from: &[f32], to: &mut [f32]) {
        if !self.past_caches {
            to.copy_from_slice(from);
            return;
        }
        let head = to.as_ptr().align_offset(CACHE_LINE).min(to.len());
        let (first, rest) = to.split_at_mut(head);
        let (before, from) = from.split_at(head);
        first.copy_from_slice(before);
        let (to, last) = rest.as_chunks_mut::<WIDTH>();
        let (from, after) = from.as_chunks::<WIDTH>();
        for (to, from) in to.iter_mut().zip(from) {
            F::load(from).stream(to);
        }
        last.copy_from_slice(after);
    }
}

/// Slots of a ring buffer: the current row and both neighbours.
const KEPT: usize = 3;

/// A ring buffer of recent rows. A new row replaces the oldest one.
pub(super) struct Ring<T> {
    rows: [(Option<usize>, T); KEPT],
    next: usize,
}

impl<T> Ring<T> {
    /// A ring of values made by `new`.
    pub fn new(new: impl Fn() -> T) -> Ring<T> {
        Ring { rows: std::array::from_fn(|_| (None, new())), next: 0 }
    }

    /// The slot of row `y`; `make` fills it if the ring buffer does not have the row.
    #[inline(always)]
    pub fn row(&mut self, y: usize, make: impl FnOnce(&mut T)) -> usize {
        for slot in 0..KEPT {
            if self.rows[slot].0 == Some(y) {
                return slot;
            }
        }
        let slot = self.next;
        self.next = (slot + 1) % KEPT;
        self.rows[slot].0 = Some(y);
        make(&mut self.rows[slot].1);
        slot
    }

    /// The value in a slot.
    #[inline(always)]
    pub fn at(&self, slot: usize) -> &T {
        &self.rows[slot].1
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Isa;
    use super::super::band::{Kernel, run_kernel};
    use super::*;

    /// Rows of all lengths and alignments, through the caches and past them.
    struct Rows;

    impl Kernel<bool> for Rows {
        type Output = ();

        fn run<F: Floats>(&self, past_caches: bool) {
            for skip in 0..2 * WIDTH {
                for len in [0, 1, WIDTH - 1, WIDTH, WIDTH + 1, 3 * WIDTH + 5] {
                    let from: Vec<f32> = (0..len).map(|at| at as f32 + 0.5).collect();
                    let mut to = vec![-1.0; skip + len + WIDTH];
                    RowStore { past_caches }.row::<F>(&from, &mut to[skip..skip + len]);
                    F::settle();
                    assert_eq!(&to[skip..skip + len], &from, "{len} from {skip} on");
                    assert!(to[..skip].iter().chain(&to[skip + len..]).all(|value| *value == -1.0));
                }
            }
        }
    }

    #[test]
    fn rows_are_written_whole_and_nothing_beside_them() {
        for isa in Isa::available() {
            for past_caches in [false, true] {
                run_kernel(isa, &Rows, past_caches);
            }
        }
        assert!(RowStore::new([3840, 2160]).past_caches && !RowStore::new([960, 540]).past_caches);
    }
}
