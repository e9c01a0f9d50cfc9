//! Many half sweeps in one go over the memory: each a row behind the one before it.
//!
//! A band of rows begins as many rows further out as there are half sweeps: what neighbours work on too comes out the same,
//! since every half sweep is a function of the values before it.

use std::ops::Range;

use super::stencil::{Stencil, Three};
use crate::sim::smoke::pressure::passes::OMEGA;
use crate::sim::smoke::pressure::{Colour, Level, Relax};
use crate::sim::smoke::settings::Side;

/// Most half sweeps in one go.
pub(super) const MOST: usize = 4;

/// Rows of a stage that are in hand.
const KEPT: usize = 4;

/// Half sweeps in their order: where the cells that change begin in an even row, or all cells.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    halves: Vec<usize>,
    /// Shares of the way, alternating.
    omega: Vec<f32>,
}

impl Plan {
    /// Half sweeps in two colours.
    pub fn colours(width: usize, relax: Relax) -> Plan {
        let first = usize::from(relax.first == Colour::Black);
        let halves = (0..2 * relax.sweeps as usize).map(|half| (first + half) % 2).collect();
        Plan { halves, omega: (0..width + 1).map(|i| if i % 2 == 0 { OMEGA } else { 0.0 }).collect() }
    }

    /// Sweeps over all cells.
    pub fn jacobi(width: usize, sweeps: u32) -> Plan {
        Plan { halves: vec![0; sweeps as usize], omega: vec![1.0; width + 1] }
    }

    /// Parts of it that can be done in one go; at least one, though it be empty.
    pub fn parts(&self) -> Vec<Plan> {
        match self.halves.is_empty() {
            true => vec![self.clone()],
            false => self
                .halves
                .chunks(MOST)
                .map(|halves| Plan { halves: halves.to_vec(), omega: self.omega.clone() })
                .collect(),
        }
    }

    #[inline(always)]
    fn omega(&self, stage: usize, row: usize) -> &[f32] {
        &self.omega[(self.halves[stage] + row) % 2..]
    }
}

/// Rows and sides of a level.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    width: usize,
    height: usize,
    wraps: [bool; 2],
}

impl Shape {
    pub fn new(level: &Level) -> Shape {
        let wraps = [0, 1].map(|axis| level.edges[2 * axis] == Side::Wrap && level.size[axis] > 1);
        Shape { width: level.size[0], height: level.size[1], wraps }
    }

    /// The row of the grid that stands at `row`, if there is one.
    #[inline(always)]
    fn real(&self, row: isize) -> Option<usize> {
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

/// Works a band off: `load` fills a row of x with what is there before; `done` takes a row of `rows` when all half sweeps are
/// over; `rest` takes a row of `residuals`, if they are wanted, and is called in order too.
#[inline(always)]
pub(super) fn wave<'b, S: Stencil>(
    stencil: S,
    shape: Shape,
    plan: &Plan,
    b: impl Fn(usize) -> &'b [f32],
    rows: Range<usize>,
    residuals: Range<isize>,
    mut load: impl FnMut(usize, &mut [f32]),
    mut done: impl FnMut(usize, &[f32]),
    mut rest: impl FnMut(isize, &[f32]),
) {
    let n = shape.width;
    let (stages, stride) = (plan.halves.len(), n + 2);
    let mut kept = vec![0.0_f32; (stages + 1) * KEPT * stride];
    let zero = vec![0.0_f32; stride];
    let mut residual = vec![0.0_f32; n];
    let place = |row: isize| row.rem_euclid(KEPT as isize) as usize * stride;
    let any = residuals.start < residuals.end;
    let low = if any { (rows.start as isize).min(residuals.start - 1) } else { rows.start as isize };
    let high = if any { (rows.end as isize).max(residuals.end + 1) } else { rows.end as isize };
    let reach = stages as isize;
    for tick in low - reach..high + reach + 1 {
        if let Some(real) = shape.real(tick).filter(|_| tick < high + reach) {
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
            stencil.relax(real, three(shape, before, &zero, row, stride), b(real), plan.omega(stage - 1, real), to);
            shape.close(to);
        }
        let last = &kept[stages * KEPT * stride..];
        let row = tick - reach;
        if rows.start as isize <= row && row < rows.end as isize {
            done(row as usize, &last[place(row)..][1..=n]);
        }
        let row = row - 1;
        if residuals.contains(&row) {
            if let Some(real) = shape.real(row) {
                stencil.residual(real, three(shape, last, &zero, row, stride), b(real), &mut residual);
                rest(row, &residual);
            }
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
