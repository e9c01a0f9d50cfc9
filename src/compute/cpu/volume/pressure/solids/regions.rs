//! Closed regions of air: cells that are joined through open faces, without an open side. Their pressure is defined up
//! to a constant, and their divergence must have a mean of 0.

use std::ops::Range;

use super::super::super::super::Cpu;
use crate::sim::memory::Values;
use crate::sim::union_find::UnionFind;
use crate::sim::volume::settings::Side;
use crate::sim::volume::state::face_sizes;

/// Label of a cell that is in no closed region.
const NONE: u32 = u32::MAX;

/// Number of cells along each axis, open areas of the faces and the sides of a box.
type Faces<'a> = ([usize; 3], [&'a [f32]; 3], [[Side; 2]; 3]);

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
        let runs = Runs::new(cpu, size, areas[0]);
        // The last set stands for the air beyond open sides.
        let outside = runs.count();
        let mut sets = UnionFind::new(outside + 1);
        let joints = cpu.each((0..=size[2]).collect(), |z: usize| runs.joints(z, (size, areas, sides)));
        for [a, b] in joints.into_iter().flatten() {
            sets.join(a as usize, b as usize);
        }
        // All areas around a solid cell are 0: it is the only cell of its set.
        let solid = |cell: usize| {
            let at = [cell % size[0], cell / size[0] % size[1], cell / (size[0] * size[1])];
            (0..3).all(|axis| {
                let faces = face_sizes(size, axis);
                let face = at[0] + faces[0] * (at[1] + faces[1] * at[2]);
                let values = areas[axis];
                values[face] == 0.0 && values[face + [1, faces[0], faces[0] * faces[1]][axis]] == 0.0
            })
        };
        let open = sets.find(outside);
        let mut counts: Vec<f64> = Vec::new();
        let mut of_runs = Vec::with_capacity(outside);
        for run in 0..outside {
            let cells = runs.cells(run);
            // The root of a set is its first run, which has a label before the others.
            let first = sets.find(run);
            of_runs.push(if first == open {
                NONE
            } else if first != run {
                of_runs[first]
            } else if cells.len() == 1 && solid(cells.start) {
                NONE
            } else {
                counts.push(0.0);
                counts.len() as u32 - 1
            });
            if let Some(count) = counts.get_mut(of_runs[run] as usize) {
                *count += cells.len() as f64;
            }
        }
        if counts.is_empty() {
            return None;
        }
        let mut labels = Values::uninitialised(size.iter().product(), cpu.memory());
        let rows = labels.chunks_exact_mut(size[0]).enumerate().collect();
        cpu.each(rows, |(row, labels): (usize, &mut [u32])| {
            let of_row = runs.rows[row]..runs.rows[row + 1];
            for (run, label) in of_row.clone().zip(&of_runs[of_row]) {
                let cells = runs.cells(run);
                labels[cells.start - row * size[0]..cells.end - row * size[0]].fill(*label);
            }
        });
        Some(Self { labels, counts })
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

/// Runs of the rows of cells: neighbours along x with open faces between them.
struct Runs {
    /// The first cell of each run, in the order of the cells, and the number of cells.
    starts: Vec<u32>,
    /// The first run of each row, and the number of runs.
    rows: Vec<usize>,
}

impl Runs {
    /// The runs between the faces across x.
    fn new(cpu: &Cpu, size: [usize; 3], areas: &[f32]) -> Self {
        let [columns, rows, planes] = size;
        let starts = cpu.each((0..planes).collect(), |z: usize| {
            let mut starts: Vec<u32> = Vec::new();
            let mut counts = Vec::with_capacity(rows);
            for row in z * rows..(z + 1) * rows {
                let (known, first) = (starts.len(), row * columns);
                starts.push(first as u32);
                let between = &areas[row * (columns + 1)..][1..columns];
                starts
                    .extend((first as u32 + 1..).zip(between).filter(|(_, area)| **area <= 0.0).map(|(cell, _)| cell));
                counts.push(starts.len() - known);
            }
            (starts, counts)
        });
        let mut all = Self { starts: Vec::new(), rows: vec![0] };
        let mut count = 0;
        for (starts, counts) in starts {
            all.starts.extend(starts);
            all.rows.extend(counts.into_iter().map(|more| {
                count += more;
                count
            }));
        }
        all.starts.push((columns * rows * planes) as u32);
        all
    }

    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The cells of a run.
    fn cells(&self, run: usize) -> Range<usize> {
        self.starts[run] as usize..self.starts[run + 1] as usize
    }

    /// Pairs of runs with open faces between them: those of the faces across z below the plane `z` and, within the
    /// plane, across y and at the ends of x.
    fn joints(&self, z: usize, (size, areas, sides): Faces<'_>) -> Vec<[u32; 2]> {
        let [columns, rows, planes] = size;
        let mut joints = Vec::new();
        let mut across = |axis: usize, [y, z]: [usize; 2], place: usize| {
            let faces = face_sizes(size, axis);
            let from = faces[0] * (y + faces[1] * z);
            let areas = &areas[axis][from..from + columns];
            let row = y + rows * z;
            let [back, whole] = [[0, 1, rows], [0, rows, rows * planes]].map(|steps| steps[axis]);
            let end = place == size[axis];
            match sides[axis][usize::from(end)] {
                _ if place > 0 && !end => self.join([row - back, row], areas, &mut joints),
                Side::Open => self.join_outside(if end { row - back } else { row }, areas, &mut joints),
                Side::Wrapped if end => self.join([row - back, row - whole], areas, &mut joints),
                Side::Closed | Side::Wrapped => {}
            }
        };
        for y in 0..rows {
            across(2, [y, z], z);
        }
        if z == planes {
            return joints;
        }
        for y in 0..=rows {
            across(1, [y, z], y);
        }
        for row in z * rows..(z + 1) * rows {
            let ends = [row * (columns + 1), row * (columns + 1) + columns].map(|face| areas[0][face] > 0.0);
            let [first, last] = [self.rows[row], self.rows[row + 1] - 1].map(|run| run as u32);
            let outside = self.count() as u32;
            if ends[0] && sides[0][0] == Side::Open {
                joints.push([first, outside]);
            }
            match sides[0][1] {
                Side::Open if ends[1] => joints.push([last, outside]),
                Side::Wrapped if ends[1] => joints.push([first, last]),
                _ => {}
            }
        }
        joints
    }

    /// Pairs of runs of two rows with an open face between them.
    fn join(&self, rows: [usize; 2], areas: &[f32], joints: &mut Vec<[u32; 2]>) {
        let first = rows.map(|row| row * areas.len());
        let ends = rows.map(|row| self.rows[row + 1]);
        let mut runs = rows.map(|row| self.rows[row]);
        let mut from = 0;
        while runs[0] < ends[0] && runs[1] < ends[1] {
            let to = [0, 1].map(|row| self.cells(runs[row]).end - first[row]);
            let end = to[0].min(to[1]);
            if areas[from..end].iter().any(|area| *area > 0.0) {
                joints.push(runs.map(|run| run as u32));
            }
            from = end;
            (0..2).for_each(|row| runs[row] += usize::from(to[row] == end));
        }
    }

    /// Runs of a row with an open face to the air beyond.
    fn join_outside(&self, row: usize, areas: &[f32], joints: &mut Vec<[u32; 2]>) {
        for run in self.rows[row]..self.rows[row + 1] {
            let cells = self.cells(run);
            if areas[cells.start - row * areas.len()..cells.end - row * areas.len()].iter().any(|area| *area > 0.0) {
                joints.push([run as u32, self.count() as u32]);
            }
        }
    }
}
