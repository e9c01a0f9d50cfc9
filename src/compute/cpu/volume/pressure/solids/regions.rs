//! Closed regions of air: cells that are joined through open faces, without an open side. Their pressure is defined up
//! to a constant, and their divergence must have a mean of 0.

use super::super::super::super::Cpu;
use crate::sim::memory::Values;
use crate::sim::union_find::UnionFind;
use crate::sim::volume::settings::Side;
use crate::sim::volume::state::face_sizes;

/// Label of a cell that is in no closed region.
const NONE: u32 = u32::MAX;

/// The closed regions of a box.
pub(in crate::compute) struct Regions {
    /// The number of the region of each cell, or [`NONE`].
    labels: Values<u32>,
    /// Cells of each region.
    counts: Vec<f64>,
}

impl Regions {
    /// The closed regions of a box between faces with these open areas; `None` where there are none.
    pub fn new(cpu: &Cpu, size: [usize; 3], areas: [&[f32]; 3], sides: [[Side; 2]; 3]) -> Option<Self> {
        let steps = [1, size[0], size[0] * size[1]];
        let cells = steps[2] * size[2];
        // The last entry stands for the air beyond open sides.
        let outside = cells;
        let mut sets = UnionFind::new(cells + 1);
        for axis in 0..3 {
            let faces = face_sizes(size, axis);
            for (face, _) in areas[axis].iter().enumerate().filter(|(_, area)| **area > 0.0) {
                let at = [face % faces[0], face / faces[0] % faces[1], face / (faces[0] * faces[1])];
                let cell = at[0] + steps[1] * at[1] + steps[2] * at[2];
                let end = at[axis] == size[axis];
                let below = cell.wrapping_sub(steps[axis]);
                match sides[axis][usize::from(end)] {
                    _ if at[axis] > 0 && !end => sets.join(below, cell),
                    Side::Open => sets.join(if end { below } else { cell }, outside),
                    Side::Closed => {}
                    Side::Wrapped if end => sets.join(below, cell - steps[axis] * size[axis]),
                    Side::Wrapped => {}
                }
            }
        }
        // All areas around a solid cell are 0: it is the only cell of its set.
        let solid = |cell: usize| {
            let at = [cell % size[0], cell / size[0] % size[1], cell / steps[2]];
            (0..3).all(|axis| {
                let faces = face_sizes(size, axis);
                let face = at[0] + faces[0] * (at[1] + faces[1] * at[2]);
                let values = areas[axis];
                values[face] == 0.0 && values[face + [1, faces[0], faces[0] * faces[1]][axis]] == 0.0
            })
        };
        let open = sets.find(outside);
        let mut counts: Vec<f64> = Vec::new();
        let mut labels = Values::uninitialised(cells, cpu.memory());
        for cell in 0..cells {
            // The root of a set is its first cell, which has a label before the others.
            let first = sets.find(cell);
            labels[cell] = if first == open {
                NONE
            } else if first != cell {
                labels[first]
            } else if solid(cell) {
                NONE
            } else {
                counts.push(0.0);
                counts.len() as u32 - 1
            };
            if let Some(count) = counts.get_mut(labels[cell] as usize) {
                *count += 1.0;
            }
        }
        (!counts.is_empty()).then_some(Self { labels, counts })
    }

    /// The cells of all regions, region by region, and the number of cells of each.
    pub fn members(&self) -> (Vec<u32>, Vec<usize>) {
        let counts: Vec<usize> = self.counts.iter().map(|count| *count as usize).collect();
        let mut next: Vec<usize> =
            counts.iter().scan(0, |end, count| Some(std::mem::replace(end, *end + count))).collect();
        let mut cells = vec![0; counts.iter().sum()];
        for (cell, label) in (0..).zip(&self.labels[..]) {
            if let Some(at) = next.get_mut(*label as usize) {
                cells[*at] = cell;
                *at += 1;
            }
        }
        (cells, counts)
    }

    /// Subtracts its mean in each region. `rows` has `width` values for each row of `columns` cells.
    pub(super) fn remove_means(&self, rows: &mut [f32], width: usize, columns: usize) {
        let mut sums = vec![0.0_f64; self.counts.len()];
        for (row, labels) in rows.chunks_exact(width).zip(self.labels.chunks_exact(columns)) {
            for (value, label) in row.iter().zip(labels) {
                if let Some(sum) = sums.get_mut(*label as usize) {
                    *sum += f64::from(*value);
                }
            }
        }
        sums.iter_mut().zip(&self.counts).for_each(|(sum, count)| *sum /= count);
        for (row, labels) in rows.chunks_exact_mut(width).zip(self.labels.chunks_exact(columns)) {
            for (value, label) in row.iter_mut().zip(labels) {
                if let Some(mean) = sums.get(*label as usize) {
                    *value -= *mean as f32;
                }
            }
        }
    }
}
