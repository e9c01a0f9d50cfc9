//! Between a level and the next coarser one, a row at a time.

use super::super::operands::{Level, Prolongation, between, covers, within};
use super::red_black::{Pair, join};
use crate::sim::smoke::settings::Side;

/// Whether columns go two into one.
fn halves(fine: &Level, coarse: &Level) -> bool {
    fine.size[0] == 2 * coarse.size[0]
}

/// What a coarser row is made of.
pub(super) struct Coarsen<'a> {
    pub fine: &'a Level,
    pub coarse: &'a Level,
    /// Sums instead of means.
    pub sums: bool,
    /// What coarser columns are made of, where that is not two each.
    columns: Vec<(usize, [f32; 3])>,
}

impl<'a> Coarsen<'a> {
    pub fn new(fine: &'a Level, coarse: &'a Level, sums: bool) -> Self {
        let mut made = Coarsen { fine, coarse, sums, columns: Vec::new() };
        if !halves(fine, coarse) {
            made.columns = (0..coarse.size[0]).map(|i| made.covers(0, i)).collect();
        }
        made
    }

    /// The first fine cell, and the shares of three.
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

    /// The fine rows that a coarser one is made of: the first, and their shares.
    pub fn rows(&self, row: usize) -> (usize, [f32; 3]) {
        self.covers(1, row)
    }

    /// The last fine row of those.
    #[inline(always)]
    pub fn last(&self, row: usize) -> usize {
        let (first, shares) = self.rows(row);
        first + shares.iter().rposition(|share| *share > 0.0).unwrap_or(0)
    }

    /// Adds a share of a fine row to what a coarser one is made of.
    #[inline(always)]
    pub fn add(share: f32, first: bool, row: &[f32], sum: &mut [f32]) {
        let sum = &mut sum[..row.len()];
        if first {
            for (sum, value) in sum.iter_mut().zip(row) {
                *sum = share * value;
            }
        } else {
            for (sum, value) in sum.iter_mut().zip(row) {
                *sum += share * value;
            }
        }
    }

    /// Makes a coarser row of that; `line` is room for a finer row.
    #[inline(always)]
    pub fn finish(&self, sum: Pair<'_>, line: &mut [f32], to: &mut [f32]) {
        if halves(self.fine, self.coarse) {
            let share = if self.sums { 1.0 } else { 0.5 };
            let [even, odd] = sum.map(|sum| &sum[..to.len()]);
            for i in 0..to.len() {
                to[i] = share * even[i] + share * odd[i];
            }
            return;
        }
        join(sum, line);
        let sum = line;
        for (to, (from, shares)) in to.iter_mut().zip(&self.columns) {
            let mut value = shares[0] * sum[*from];
            for (k, share) in shares.iter().enumerate().skip(1).filter(|(_, share)| **share > 0.0) {
                value += share * sum[from + k];
            }
            *to = value;
        }
    }
}

/// The coarser cell below a fine one of an axis, and the share of the next.
fn place(prolongation: Prolongation, fine: usize, coarse: usize, index: usize) -> (isize, f32) {
    match prolongation {
        Prolongation::Mean => within(fine, coarse, index),
        _ => between(fine, coarse, index),
    }
}

/// What a finer row gets from a coarser level.
pub(super) struct Refine<'a> {
    pub fine: &'a Level,
    pub coarse: &'a Level,
    advection: Prolongation,
    /// Between what finer columns stand, where those are not two to a coarser one.
    columns: Vec<(usize, f32)>,
}

impl<'a> Refine<'a> {
    pub fn new(fine: &'a Level, coarse: &'a Level, advection: Prolongation) -> Self {
        let place = |i: usize| {
            let (low, share) = place(advection, fine.size[0], coarse.size[0], i);
            ((low + 1) as usize, share)
        };
        let columns = if halves(fine, coarse) { Vec::new() } else { (0..fine.size[0]).map(place).collect() };
        Refine { fine, coarse, advection, columns }
    }

    /// Adds it to the even and the odd columns of a row; `mixed` is room for a coarser row with its ends.
    #[inline(always)]
    pub fn add(&self, row: usize, from: &[f32], mixed: &mut [f32], [even, odd]: [&mut [f32]; 2]) {
        let ([fine, fine_rows], [n, rows]) = (self.fine.size, self.coarse.size);
        let line = |row: usize| &from[row * n..][..n];
        if self.advection == Prolongation::Constant {
            let line = line(if rows == fine_rows { row } else { row / 2 });
            for (kind, to) in [even, odd].into_iter().enumerate() {
                if n == fine {
                    to.iter_mut().zip(line.iter().skip(kind).step_by(2)).for_each(|(to, value)| *to += value);
                } else {
                    to.iter_mut().zip(line).for_each(|(to, value)| *to += value);
                }
            }
            return;
        }
        let (low, share) = place(self.advection, fine_rows, rows, row);
        let (below, low_factor) = self.reach(1, low);
        let (above, high_factor) = self.reach(1, low + 1);
        let (below, above) = (line(below), line(above));
        for ((mixed, below), above) in mixed[1..=n].iter_mut().zip(below).zip(above) {
            let (below, above) = (low_factor * below, high_factor * above);
            *mixed = below + share * (above - below);
        }
        let ((left, left_factor), (right, right_factor)) = (self.reach(0, -1), self.reach(0, n as isize));
        mixed[0] = left_factor * mixed[1 + left];
        mixed[n + 1] = right_factor * mixed[1 + right];
        if halves(self.fine, self.coarse) {
            let (left, here, right) = (&mixed[..n], &mixed[1..][..n], &mixed[2..][..n]);
            let (even, odd) = (&mut even[..n], &mut odd[..n]);
            if self.advection == Prolongation::Mean {
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
        for (kind, to) in [even, odd].into_iter().enumerate() {
            for (to, (low, share)) in to.iter_mut().zip(self.columns.iter().skip(kind).step_by(2)) {
                let low_value = mixed[*low];
                *to += if *share > 0.0 { low_value + share * (mixed[low + 1] - low_value) } else { low_value };
            }
        }
    }

    /// The coarser row or column that stands at a place, and what it is multiplied by.
    #[inline(always)]
    fn reach(&self, axis: usize, at: isize) -> (usize, f32) {
        let n = self.coarse.size[axis] as isize;
        if (0..n).contains(&at) {
            return (at as usize, 1.0);
        }
        let side = 2 * axis + usize::from(at >= n);
        match self.coarse.edges[side] {
            Side::Wrap => (at.rem_euclid(n) as usize, 1.0),
            _ => (if at < 0 { 0 } else { n as usize - 1 }, self.coarse.ghost[side]),
        }
    }
}
