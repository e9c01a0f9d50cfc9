//! The columns of each row that have nonzero values. Most smoke fills a part of the frame; advection skips the rest.

use std::ops::Range;

use super::super::bands::bands;
use super::super::wide::Wide;
use super::super::{Cpu, Isa};

/// For each row, the columns from the first to the last cell that may differ from +0.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OccupiedSpans(Vec<Range<u32>>);

/// No columns.
const NONE: Range<u32> = 0..0;

/// Number of values that are tested at once.
const PIECE: usize = 64;

impl OccupiedSpans {
    /// The spans of rows, in order.
    pub fn from_rows(rows: impl Iterator<Item = Range<usize>>) -> OccupiedSpans {
        OccupiedSpans(rows.map(|row| row.start as u32..row.end as u32).collect())
    }

    /// Scans a plane of `columns` cells per row and `values` numbers per cell.
    pub fn scan(cpu: &Cpu, plane: &[f32], columns: usize, values: usize) -> OccupiedSpans {
        let stride = (columns * values).max(1);
        let isa: Isa = cpu.isa;
        let rows = bands(plane.len() / stride, stride);
        let found = cpu.each(rows, |rows| {
            let rows = plane[rows.start * stride..rows.end * stride].chunks_exact(stride);
            rows.map(|row| isa.run(Find { row, values })).collect::<Vec<_>>()
        });
        OccupiedSpans(found.into_iter().flatten().collect())
    }

    pub fn rows(&self) -> usize {
        self.0.len()
    }

    /// The columns of a row.
    pub fn row(&self, y: usize) -> Range<usize> {
        self.0[y].start as usize..self.0[y].end as usize
    }

    /// Adds the spans of another plane of the same size.
    pub fn unite(&mut self, other: &OccupiedSpans) {
        for (row, other) in self.0.iter_mut().zip(&other.0) {
            *row = both(row, other);
        }
    }

    /// Adds a rectangle.
    pub fn add(&mut self, columns: Range<usize>, rows: Range<usize>) {
        let columns = columns.start.min(u32::MAX as usize) as u32..columns.end.min(u32::MAX as usize) as u32;
        for row in self.0.iter_mut().take(rows.end).skip(rows.start) {
            *row = both(row, &columns);
        }
    }

    /// The columns of row y from which an occupied cell is at most `reach[0]` columns and `reach[1]` rows away, of a
    /// grid of `columns` columns.
    #[inline(always)]
    pub fn dilated_row(&self, y: usize, reach: [usize; 2], columns: usize) -> Range<usize> {
        let rows = y.saturating_sub(reach[1])..y.saturating_add(reach[1]).saturating_add(1).min(self.0.len());
        let mut all = NONE;
        for row in &self.0[rows] {
            all = both(&all, row);
        }
        if all.is_empty() {
            return 0..0;
        }
        (all.start as usize).saturating_sub(reach[0])..(all.end as usize).saturating_add(reach[0]).min(columns)
    }
}

/// The smallest range that contains both.
#[inline(always)]
fn both(one: &Range<u32>, other: &Range<u32>) -> Range<u32> {
    match (one.is_empty(), other.is_empty()) {
        (true, true) => NONE,
        (true, false) => other.clone(),
        (false, true) => one.clone(),
        (false, false) => one.start.min(other.start)..one.end.max(other.end),
    }
}

/// The largest absolute displacement, rounded up; larger than any grid where one is not finite.
#[inline(always)]
pub(super) fn max_displacement(offsets: &[f32]) -> usize {
    let mut largest = 0;
    for offset in offsets {
        // The bit patterns of non-negative floats, read as integers, sort like the floats; infinity and NaN sort last.
        largest = largest.max(offset.to_bits() & 0x7fff_ffff);
    }
    let largest = f32::from_bits(largest);
    if largest < 1e6 { largest.ceil() as usize } else { usize::MAX / 4 }
}

/// Finds the nonzero columns of a row.
struct Find<'a> {
    row: &'a [f32],
    values: usize,
}

impl Find<'_> {
    /// Whether a piece has a nonzero value.
    #[inline(always)]
    fn has_nonzero(&self, piece: usize) -> bool {
        let mut bits = 0;
        for value in &self.row[piece * PIECE..((piece + 1) * PIECE).min(self.row.len())] {
            bits |= value.to_bits();
        }
        bits != 0
    }
}

impl Wide for Find<'_> {
    type Output = Range<u32>;

    #[inline(always)]
    fn run(self) -> Range<u32> {
        let pieces = self.row.len().div_ceil(PIECE);
        let mut first = 0;
        while first < pieces && !self.has_nonzero(first) {
            first += 1;
        }
        if first == pieces {
            return NONE;
        }
        let mut last = pieces - 1;
        while last > first && !self.has_nonzero(last) {
            last -= 1;
        }
        let end = ((last + 1) * PIECE).min(self.row.len()).div_ceil(self.values);
        (first * PIECE / self.values) as u32..end as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonzero_columns_are_found() {
        let (columns, rows) = (300, 4);
        for values in [1, 4] {
            let mut plane = vec![0.0; columns * rows * values];
            plane[(columns + 130) * values] = 1.0;
            plane[(3 * columns + 299) * values + values - 1] = -0.0;
            plane[(3 * columns) * values] = f32::NAN;
            let spans = OccupiedSpans::scan(&Cpu::new(2), &plane, columns, values);
            let found: Vec<_> = (0..rows).map(|y| spans.row(y)).collect();
            assert!(found[0].is_empty() && found[2].is_empty(), "{found:?}");
            assert!(found[1].contains(&130) && found[1].len() <= PIECE, "{found:?}");
            assert_eq!(found[3], 0..columns);
        }
    }

    #[test]
    fn dilation_covers_neighbours() {
        let mut spans = OccupiedSpans::from_rows([0..0, 0..0, 10..20, 0..0, 0..0].into_iter());
        assert_eq!(spans.dilated_row(0, [3, 1], 100), 0..0);
        assert_eq!(spans.dilated_row(1, [3, 1], 100), 7..23);
        assert_eq!(spans.dilated_row(4, [30, 2], 25), 0..25);
        assert_eq!(spans.dilated_row(4, [usize::MAX / 4; 2], 100), 0..100);
        spans.add(90..200, 3..9);
        assert_eq!(spans.dilated_row(3, [0, 1], 100), 10..100);
        let mut other = OccupiedSpans::from_rows(vec![5..6; 5].into_iter());
        other.unite(&spans);
        assert_eq!([other.row(0), other.row(2), other.row(4)], [5..6, 5..20, 5..200]);
    }

    #[test]
    fn displacements_that_are_not_finite_reach_everywhere() {
        assert_eq!(max_displacement(&[]), 0);
        assert_eq!(max_displacement(&[0.5, -2.25, 1.0]), 3);
        for bad in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30] {
            assert!(max_displacement(&[0.0, bad, 3.0]) > 1 << 40, "{bad}");
        }
    }
}
