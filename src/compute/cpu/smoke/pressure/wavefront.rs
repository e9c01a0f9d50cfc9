//! Many of Jacobi's sweeps in one go over the memory: each a row behind the one before it.
//!
//! A band of rows begins as many rows further out as there are sweeps: what neighbours work on too comes out the same, since
//! every sweep is a function of the values before it.

use std::ops::Range;

use super::super::operands::Level;
use super::stencil::{Stencil, Three};
use crate::sim::smoke::settings::Side;

/// Most sweeps in one go.
pub(super) const MOST: usize = 4;

/// Rows of a stage that are in hand.
const KEPT: usize = 3;

/// Rows and sides of a level.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub width: usize,
    pub height: usize,
    pub wraps: [bool; 2],
}

impl Shape {
    pub fn new(level: &Level) -> Shape {
        let wraps = [0, 1].map(|axis| level.edges[2 * axis] == Side::Wrap && level.size[axis] > 1);
        Shape { width: level.size[0], height: level.size[1], wraps }
    }

    /// The row of the grid that stands at `row`, if there is one.
    #[inline(always)]
    pub fn real(&self, row: isize) -> Option<usize> {
        let height = self.height as isize;
        match (0..height).contains(&row) {
            true => Some(row as usize),
            false if self.wraps[1] => Some(row.rem_euclid(height) as usize),
            false => None,
        }
    }

    /// Sets the values at a row's ends.
    #[inline(always)]
    fn close(&self, row: &mut [f32]) {
        let n = self.width;
        (row[0], row[n + 1]) = if self.wraps[0] { (row[n], row[1]) } else { (0.0, 0.0) };
    }
}

/// Works a band off: `load` fills a row of x with what is there before; `done` takes a row of `rows` when all sweeps are over.
#[inline(always)]
pub(super) fn wave<'b, S: Stencil>(
    stencil: S,
    shape: Shape,
    stages: usize,
    b: impl Fn(usize) -> &'b [f32],
    rows: Range<usize>,
    mut load: impl FnMut(usize, &mut [f32]),
    mut done: impl FnMut(usize, &[f32]),
) {
    let n = shape.width;
    // Rows whose places in memory are alike get into each other's way in a cache.
    let stride = (n + 2).next_multiple_of(16) + 48;
    let mut kept = vec![0.0_f32; (stages + 1) * KEPT * stride];
    let zero = vec![0.0_f32; stride];
    let place = |row: isize| row.rem_euclid(KEPT as isize) as usize * stride;
    let (low, high, reach) = (rows.start as isize, rows.end as isize, stages as isize);
    for tick in low - reach..high + reach {
        if let Some(real) = shape.real(tick) {
            let row = &mut kept[place(tick)..][..stride];
            load(real, &mut row[1..=n]);
            shape.close(row);
        }
        for stage in 1..=stages {
            let (row, left) = (tick - stage as isize, (stages - stage) as isize);
            let Some(real) = shape.real(row).filter(|_| (low - left..high + left).contains(&row)) else { continue };
            let (before, after) = kept.split_at_mut(stage * KEPT * stride);
            let before = &before[(stage - 1) * KEPT * stride..];
            let to = &mut after[place(row)..][..stride];
            stencil.jacobi(real, three(shape, before, &zero, row, stride), b(real), to);
            shape.close(to);
        }
        let row = tick - reach;
        if low <= row && row < high {
            done(row as usize, &kept[stages * KEPT * stride..][place(row)..][1..=n]);
        }
    }
}

/// A row in hand between its neighbours.
#[inline(always)]
fn three<'a>(shape: Shape, kept: &'a [f32], zero: &'a [f32], row: isize, stride: usize) -> Three<'a> {
    let get = |row: isize| match shape.real(row) {
        Some(_) => &kept[row.rem_euclid(KEPT as isize) as usize * stride..][..stride],
        None => zero,
    };
    Three { south: get(row - 1), row: get(row), north: get(row + 1) }
}
