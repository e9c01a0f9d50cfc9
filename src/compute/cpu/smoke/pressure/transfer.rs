//! Restriction to the next coarser level and prolongation from it, a row at a time. GPU: `restrict.wgsl`,
//! `prolong.wgsl`; reference: `tests/reference/mod.rs`.

use super::super::operands::{Boundary, PlaneLevel, Prolongation, between, covers, within};
use super::red_black::{Pair, join};

/// Whether each coarse column consists of two fine columns.
fn is_halved(fine: &PlaneLevel, coarse: &PlaneLevel) -> bool {
    fine.size[0] == 2 * coarse.size[0]
}

/// The restriction from one level to the next coarser one.
pub(super) struct RowRestriction<'a> {
    pub fine: &'a PlaneLevel,
    pub coarse: &'a PlaneLevel,
    /// Whether a coarse value is the sum of fine values; else it is their mean.
    pub sums: bool,
    /// For each coarse column: the first of its fine columns, and the weights of three. Empty where each coarse column
    /// consists of two fine ones.
    columns: Vec<(usize, [f32; 3])>,
}

impl<'a> RowRestriction<'a> {
    pub fn new(fine: &'a PlaneLevel, coarse: &'a PlaneLevel, sums: bool) -> Self {
        let mut made = RowRestriction { fine, coarse, sums, columns: Vec::new() };
        if !is_halved(fine, coarse) {
            made.columns = (0..coarse.size[0]).map(|i| made.covers(0, i)).collect();
        }
        made
    }

    /// The first fine cell under the coarse cell `index` along an axis, and the weights of three.
    fn covers(&self, axis: usize, index: usize) -> (usize, [f32; 3]) {
        let (fine, coarse) = (self.fine.size[axis], self.coarse.size[axis]);
        if !self.sums {
            return covers(fine, coarse, index);
        }
        match fine == coarse {
            true => (index, [1.0, 0.0, 0.0]),
            false => (2 * index, [1.0, if 2 * index + 1 < fine { 1.0 } else { 0.0 }, 0.0]),
        }
    }

    /// The first fine row under a coarse row, and the weights of three.
    pub fn rows(&self, row: usize) -> (usize, [f32; 3]) {
        self.covers(1, row)
    }

    /// The last fine row under a coarse row.
    #[inline(always)]
    pub fn last(&self, row: usize) -> usize {
        let (first, weights) = self.rows(row);
        first + weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0)
    }

    /// Adds a fine row times `weight` to a sum; for the `first` fine row sets the sum to it.
    #[inline(always)]
    pub fn add(weight: f32, first: bool, row: &[f32], sum: &mut [f32]) {
        let sum = &mut sum[..row.len()];
        if first {
            for (sum, value) in sum.iter_mut().zip(row) {
                *sum = weight * value;
            }
        } else {
            for (sum, value) in sum.iter_mut().zip(row) {
                *sum += weight * value;
            }
        }
    }

    /// Computes a coarse row from the sum of its fine rows, even and odd columns apart; `line` is scratch for a fine
    /// row.
    #[inline(always)]
    pub fn finish(&self, sum: Pair<'_>, line: &mut [f32], to: &mut [f32]) {
        if is_halved(self.fine, self.coarse) {
            let weight = if self.sums { 1.0 } else { 0.5 };
            let [even, odd] = sum.map(|sum| &sum[..to.len()]);
            for i in 0..to.len() {
                to[i] = weight * even[i] + weight * odd[i];
            }
            return;
        }
        join(sum, line);
        let sum = line;
        for (to, (from, weights)) in to.iter_mut().zip(&self.columns) {
            let mut value = weights[0] * sum[*from];
            for (k, weight) in weights.iter().enumerate().skip(1).filter(|(_, weight)| **weight > 0.0) {
                value += weight * sum[from + k];
            }
            *to = value;
        }
    }
}

/// The lower of the two coarse cells that a fine cell is interpolated from along an axis, and the weight of the next
/// one.
fn coarse_pair(prolongation: Prolongation, fine: usize, coarse: usize, index: usize) -> (isize, f32) {
    match prolongation {
        Prolongation::Mean => within(fine, coarse, index),
        _ => between(fine, coarse, index),
    }
}

/// The prolongation from one level to the next finer one.
pub(super) struct RowProlongation<'a> {
    pub fine: &'a PlaneLevel,
    pub coarse: &'a PlaneLevel,
    prolongation: Prolongation,
    /// For each fine column: the left coarse column, as an index into a padded row, and the weight of the next one.
    /// Empty where each coarse column consists of two fine ones.
    columns: Vec<(usize, f32)>,
}

impl<'a> RowProlongation<'a> {
    pub fn new(fine: &'a PlaneLevel, coarse: &'a PlaneLevel, prolongation: Prolongation) -> Self {
        let pair = |i: usize| {
            let (low, weight) = coarse_pair(prolongation, fine.size[0], coarse.size[0], i);
            ((low + 1) as usize, weight)
        };
        let columns = if is_halved(fine, coarse) { Vec::new() } else { (0..fine.size[0]).map(pair).collect() };
        RowProlongation { fine, coarse, prolongation, columns }
    }

    /// Adds the prolonged values to the even and odd columns of the fine row `row`; `mixed` is scratch for a padded
    /// coarse row.
    #[inline(always)]
    pub fn add(&self, row: usize, from: &[f32], mixed: &mut [f32], [even, odd]: [&mut [f32]; 2]) {
        let ([fine, fine_rows], [n, rows]) = (self.fine.size, self.coarse.size);
        let line = |row: usize| &from[row * n..][..n];
        if self.prolongation == Prolongation::Constant {
            let line = line(if rows == fine_rows { row } else { row / 2 });
            for (parity, to) in [even, odd].into_iter().enumerate() {
                if n == fine {
                    to.iter_mut().zip(line.iter().skip(parity).step_by(2)).for_each(|(to, value)| *to += value);
                } else {
                    to.iter_mut().zip(line).for_each(|(to, value)| *to += value);
                }
            }
            return;
        }
        let (low, weight) = coarse_pair(self.prolongation, fine_rows, rows, row);
        let (below, low_factor) = self.ghost(1, low);
        let (above, high_factor) = self.ghost(1, low + 1);
        let (below, above) = (line(below), line(above));
        for ((mixed, below), above) in mixed[1..=n].iter_mut().zip(below).zip(above) {
            let (below, above) = (low_factor * below, high_factor * above);
            *mixed = below + weight * (above - below);
        }
        let ((left, left_factor), (right, right_factor)) = (self.ghost(0, -1), self.ghost(0, n as isize));
        mixed[0] = left_factor * mixed[1 + left];
        mixed[n + 1] = right_factor * mixed[1 + right];
        if is_halved(self.fine, self.coarse) {
            let (left, here, right) = (&mixed[..n], &mixed[1..][..n], &mixed[2..][..n]);
            let (even, odd) = (&mut even[..n], &mut odd[..n]);
            if self.prolongation == Prolongation::Mean {
                for i in 0..n {
                    even[i] += here[i];
                    odd[i] += here[i];
                }
                return;
            }
            for i in 0..n {
                even[i] += left[i] + 0.75 * (here[i] - left[i]);
                odd[i] += here[i] + 0.25 * (right[i] - here[i]);
            }
            return;
        }
        for (parity, to) in [even, odd].into_iter().enumerate() {
            for (to, (low, weight)) in to.iter_mut().zip(self.columns.iter().skip(parity).step_by(2)) {
                let low_value = mixed[*low];
                *to += if *weight > 0.0 { low_value + weight * (mixed[low + 1] - low_value) } else { low_value };
            }
        }
    }

    /// The coarse row or column that gives the value at index `at`, which may be one beyond a side, and the factor of
    /// its value: the ghost value's beyond a side that does not wrap, else 1.
    #[inline(always)]
    fn ghost(&self, axis: usize, at: isize) -> (usize, f32) {
        let n = self.coarse.size[axis] as isize;
        if (0..n).contains(&at) {
            return (at as usize, 1.0);
        }
        let side = 2 * axis + usize::from(at >= n);
        match self.coarse.edges[side] {
            Boundary::Wrap => (at.rem_euclid(n) as usize, 1.0),
            _ => (if at < 0 { 0 } else { n as usize - 1 }, self.coarse.ghost[side]),
        }
    }
}
