//! Temporally blocked Jacobi sweeps: several sweeps in one pass over the memory, each a row behind the one before it.
//!
//! A band of rows is extended at both ends by one row per sweep. Rows that two bands compute have the same bits in
//! both, since every sweep is a function of the values before it. GPU: `relax_out_of_place.wgsl`; reference:
//! `tests/reference/mod.rs`.

use std::ops::Range;

use super::super::operands::{Boundary, PlaneLevel};
use super::stencil::{RowTriple, Stencil};

/// Most sweeps in one pass.
pub(super) const SWEEPS_MAX: usize = 4;

/// Recent rows that are stored of each sweep.
const ROWS_KEPT: usize = 3;

/// Size of a level, and the axes that wrap.
#[derive(Clone, Copy)]
pub(super) struct GridSize {
    pub width: usize,
    pub height: usize,
    pub wraps: [bool; 2],
}

impl GridSize {
    pub fn new(level: &PlaneLevel) -> GridSize {
        let wraps = [0, 1].map(|axis| level.edges[2 * axis] == Boundary::Wrap && level.size[axis] > 1);
        GridSize { width: level.size[0], height: level.size[1], wraps }
    }

    /// The grid's row at `row`, wrapped where y wraps; `None` off the grid.
    #[inline(always)]
    pub fn real(&self, row: isize) -> Option<usize> {
        let height = self.height as isize;
        match (0..height).contains(&row) {
            true => Some(row as usize),
            false if self.wraps[1] => Some(row.rem_euclid(height) as usize),
            false => None,
        }
    }

    /// Sets the first and the last value of a padded row: the neighbours across a wrapped side, else 0.
    #[inline(always)]
    fn pad(&self, row: &mut [f32]) {
        let n = self.width;
        (row[0], row[n + 1]) = if self.wraps[0] { (row[n], row[1]) } else { (0.0, 0.0) };
    }
}

/// Runs `sweeps` sweeps over the band `rows`. `b` gives a row of the right-hand side, `initial` fills a row of x before
/// the first sweep, and `finished` receives each row of the band after the last one.
#[inline(always)]
pub(super) fn jacobi<'b, S: Stencil>(
    stencil: S,
    shape: GridSize,
    sweeps: usize,
    b: impl Fn(usize) -> &'b [f32],
    rows: Range<usize>,
    mut initial: impl FnMut(usize, &mut [f32]),
    mut finished: impl FnMut(usize, &[f32]),
) {
    let n = shape.width;
    // Rows at like addresses modulo 4 KiB would evict each other from the cache.
    let stride = (n + 2).next_multiple_of(16) + 48;
    let mut kept = vec![0.0_f32; (sweeps + 1) * ROWS_KEPT * stride];
    let zero = vec![0.0_f32; stride];
    let place = |row: isize| row.rem_euclid(ROWS_KEPT as isize) as usize * stride;
    let (low, high, margin) = (rows.start as isize, rows.end as isize, sweeps as isize);
    for tick in low - margin..high + margin {
        if let Some(real) = shape.real(tick) {
            let row = &mut kept[place(tick)..][..stride];
            initial(real, &mut row[1..=n]);
            shape.pad(row);
        }
        for sweep in 1..=sweeps {
            let (row, left) = (tick - sweep as isize, (sweeps - sweep) as isize);
            let Some(real) = shape.real(row).filter(|_| (low - left..high + left).contains(&row)) else { continue };
            let (before, after) = kept.split_at_mut(sweep * ROWS_KEPT * stride);
            let before = &before[(sweep - 1) * ROWS_KEPT * stride..];
            let get = |row: isize| if shape.real(row).is_some() { &before[place(row)..][..stride] } else { &zero[..] };
            let x = RowTriple { south: get(row - 1), row: get(row), north: get(row + 1) };
            let to = &mut after[place(row)..][..stride];
            stencil.jacobi(real, x, b(real), to);
            shape.pad(to);
        }
        let row = tick - margin;
        if low <= row && row < high {
            finished(row as usize, &kept[sweeps * ROWS_KEPT * stride..][place(row)..][1..=n]);
        }
    }
}
