//! The partition of a grid that is larger than a buffer: slabs of rows, each with one row of each neighbour.

/// The rows of the grid, in ring coordinates, that one set of buffers holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slab {
    /// First row in the buffers.
    pub first: usize,
    /// Rows in the buffers.
    pub rows: usize,
    /// First row that the slab owns; the others are copies.
    pub own_first: usize,
    /// Last row that the slab owns.
    pub own_last: usize,
}

impl Slab {
    /// Index of a row in the buffers.
    pub fn local(&self, y: usize) -> usize {
        y - self.first
    }
}

/// The slabs of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Partition {
    pub width: usize,
    pub height: usize,
    /// Opposite edges join.
    pub wrap: bool,
    pub slabs: Vec<Slab>,
}

/// Largest number of planes of a buffer.
const MOST_PLANES: usize = 8;

/// A row that one slab owns and another one reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seam {
    pub from: usize,
    pub to: usize,
    /// Index of the row in the buffers of each.
    pub from_row: usize,
    pub to_row: usize,
}

impl Partition {
    /// Cuts a grid so that no buffer is larger than `largest` bytes; `None` where not even three rows fit.
    pub fn new(width: usize, height: usize, wrap: bool, largest: u64) -> Option<Partition> {
        let row = (width + 2) * MOST_PLANES * size_of::<i32>();
        let most = usize::try_from(largest / row as u64).unwrap_or(usize::MAX);
        if height + 2 <= most {
            let whole = Slab { first: 0, rows: height + 2, own_first: 0, own_last: height + 1 };
            return Some(Partition { width, height, wrap, slabs: vec![whole] });
        }
        let count = height.div_ceil(most.checked_sub(2).filter(|rows| *rows > 0)?);
        let slabs = (0..count).map(|nth| {
            let (from, to) = (1 + nth * height / count, (nth + 1) * height / count);
            // The outer slabs own the ring, unless it copies the opposite edge.
            let own_first = if nth == 0 && !wrap { 0 } else { from };
            let own_last = if nth + 1 == count && !wrap { height + 1 } else { to };
            let first = from - 1;
            Slab { first, rows: to + 2 - first, own_first, own_last }
        });
        Some(Partition { width, height, wrap, slabs: slabs.collect() })
    }

    /// Whether there is more than one slab.
    pub fn is_split(&self) -> bool {
        self.slabs.len() > 1
    }

    /// The row of the grid whose values a row of the ring holds.
    pub fn source(&self, y: usize) -> usize {
        match y {
            0 if self.wrap && self.is_split() => self.height,
            y if y == self.height + 1 && self.wrap && self.is_split() => 1,
            y => y,
        }
    }

    /// Values of a row of one plane.
    pub fn stride(&self) -> usize {
        self.width + 2
    }

    /// The rows to copy after a pass has written the rows that each slab owns.
    pub fn seams(&self) -> Vec<Seam> {
        let count = self.slabs.len();
        let mut seams = Vec::new();
        if count < 2 {
            return seams;
        }
        for below in 0..count {
            let above = (below + 1) % count;
            if above == 0 && !self.wrap {
                break;
            }
            let (b, a) = (self.slabs[below], self.slabs[above]);
            seams.push(Seam { from: below, to: above, from_row: b.local(b.own_last), to_row: 0 });
            seams.push(Seam { from: above, to: below, from_row: a.local(a.own_first), to_row: b.rows - 1 });
        }
        seams
    }

    /// First and last row of a field that a slab contributes to a readback. `ring`: the ring of the field is part of
    /// the state.
    pub fn read_back(&self, nth: usize, ring: bool) -> (usize, usize) {
        let slab = self.slabs[nth];
        let copies = ring && self.wrap && self.is_split();
        let first = if copies && nth == 0 { 0 } else { slab.own_first };
        let last = if copies && nth + 1 == self.slabs.len() { self.height + 1 } else { slab.own_last };
        (first, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_belongs_to_one_slab_and_every_buffer_fits() {
        for wrap in [false, true] {
            for height in 1..40 {
                for most in 3..44 {
                    let partition = Partition::new(6, height, wrap, most * 8 * 32).expect("three rows fit");
                    let mut owners = vec![0; height + 2];
                    for slab in &partition.slabs {
                        assert!(slab.rows as u64 <= most);
                        assert!(slab.own_first <= slab.own_last && slab.own_last < slab.first + slab.rows);
                        (slab.own_first..=slab.own_last).for_each(|y| owners[y] += 1);
                    }
                    let ring = usize::from(!wrap || !partition.is_split());
                    assert!(owners[1..=height].iter().all(|n| *n == 1) && owners[0] == ring, "{partition:?}");
                    for seam in partition.seams() {
                        let (from, to) = (partition.slabs[seam.from], partition.slabs[seam.to]);
                        assert_eq!(
                            partition.source(to.first + seam.to_row),
                            from.first + seam.from_row,
                            "{partition:?}"
                        );
                    }
                }
            }
        }
        assert_eq!(Partition::new(6, 9, false, 2 * 8 * 32), None);
    }
}
