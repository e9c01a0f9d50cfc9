//! What faces get of the two cells at them.

use super::axis::Axis;
use super::band::Band;

/// Something that is made per cell, and joined at faces.
pub(super) trait Meet {
    /// Two numbers of each cell of a row.
    fn row(&self, y: usize, one: &mut [f32], two: &mut [f32]);

    /// Adds what comes of the cells before the faces and of those after them.
    fn join(&self, first: [&[f32]; 2], second: [&[f32]; 2], to: &mut [f32]);
}

/// Rows of two numbers a cell, and of those beyond both edges.
struct Row([Vec<f32>; 2]);

impl Row {
    fn new(width: usize) -> Row {
        Row([vec![0.0; width + 2], vec![0.0; width + 2]])
    }

    #[inline(always)]
    fn make(&mut self, meet: &impl Meet, cells: [Axis; 2], y: usize) {
        let width = cells[0].values as usize;
        let [one, two] = &mut self.0;
        meet.row(y, &mut one[1..=width], &mut two[1..=width]);
        for row in [one, two] {
            row[0] = row[cells[0].near(-1) + 1];
            row[width + 1] = row[cells[0].near(width as i32) + 1];
        }
    }

    #[inline(always)]
    fn from(&self, first: usize, len: usize) -> [&[f32]; 2] {
        [&self.0[0][first..first + len], &self.0[1][first..first + len]]
    }
}

/// Adds something to faces of one kind: 0 for u, 1 for v. Cells beyond an edge count as those inside, or wrapped.
#[inline(always)]
pub(super) fn add(meet: &impl Meet, cells: [Axis; 2], axis: usize, band: Band<'_>) {
    let width = cells[0].values as usize;
    let columns = width + 1 - axis;
    let mut here = Row::new(width);
    let mut below = Row::new(width);
    if axis == 1 {
        here.make(meet, cells, cells[1].near(band.first as i32 - 1));
    }
    for (row, to) in band.one.chunks_exact_mut(columns).enumerate() {
        std::mem::swap(&mut here, &mut below);
        here.make(meet, cells, cells[1].near((band.first + row) as i32));
        let first = if axis == 0 { here.from(0, columns) } else { below.from(1, columns) };
        meet.join(first, here.from(1, columns), to);
    }
}
