//! Values of all cells, to be read anywhere between them.

use std::ops::Range;

use crate::compute::cpu::Cpu;
use crate::compute::cpu::bands::bands;
use crate::compute::cpu::wide::wide;
use crate::picture::layers::{Cells, Draw};
use crate::sim::memory::Values;
use crate::sim::water::State;
use crate::sim::water::settings::Edges;

/// `N` values per cell of a grid.
pub struct Plane<const N: usize> {
    width: usize,
    height: usize,
    wraps: bool,
    values: Values<[f32; N]>,
}

impl<const N: usize> Plane<N> {
    /// The first channels of cells over a state's grid, drawn on the threads of `cpu`.
    pub fn new<C: Cells>(cpu: &Cpu, state: &State, cells: &C) -> Self {
        let (width, height) = (state.grid().width, state.grid().height);
        Self::of_bands(cpu, state, bands(height, width), |band, piece| {
            let mut line = vec![[0.0; 4]; width];
            for (y, row) in band.zip(piece.chunks_mut(width)) {
                wide(Draw { cells, y, from: 0, out: &mut line });
                for (value, pixel) in row.iter_mut().zip(&line) {
                    value.copy_from_slice(&pixel[..N]);
                }
            }
        })
    }

    /// A plane over a state's grid, of which `fill` writes each band of rows, all 0 before, on the threads of `cpu`.
    pub fn of_bands(
        cpu: &Cpu,
        state: &State,
        bands: Vec<Range<usize>>,
        fill: impl Fn(Range<usize>, &mut [[f32; N]]) + Sync,
    ) -> Self {
        let (width, height) = (state.grid().width, state.grid().height);
        let mut values = Values::uninitialised(width * height, cpu.memory());
        let mut rest = &mut values[..];
        let mut pieces = Vec::new();
        for band in bands {
            let (piece, left) = std::mem::take(&mut rest).split_at_mut(band.len() * width);
            pieces.push((band, piece));
            rest = left;
        }
        cpu.each(pieces, |(band, piece)| {
            piece.fill([0.0; N]);
            fill(band, piece);
        });
        Self { width, height, wraps: state.domain().edges() == Edges::Wrap, values }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// True if the edges join.
    pub fn wraps(&self) -> bool {
        self.wraps
    }

    /// A row.
    pub fn row(&self, y: usize) -> &[[f32; N]] {
        &self.values[y * self.width..(y + 1) * self.width]
    }

    /// The value `dx` and `dy` cells away from the middle of a cell: on the straight lines between the middles of the
    /// cells around it, and beyond the border as at the border, or at the other side where the edges join.
    #[inline(always)]
    pub fn at(&self, x: usize, y: usize, dx: f32, dy: f32) -> [f32; N] {
        let (x, y) = (self.between(x, dx, self.width), self.between(y, dy, self.height));
        let value = |x: usize, y: usize| self.values[y * self.width + x];
        let rows = [y.low, y.high].map(|y| mix(value(x.low, y), value(x.high, y), x.share));
        mix(rows[0], rows[1], y.share)
    }

    #[inline(always)]
    fn between(&self, at: usize, offset: f32, count: usize) -> Between {
        let last = (count - 1) as f32;
        let place = at as f32 + offset;
        if self.wraps {
            let wrapped = place - (place / count as f32).floor() * count as f32;
            let low = (wrapped as usize).min(count - 1);
            return Between { low, high: (low + 1) % count, share: (wrapped - low as f32).min(1.0) };
        }
        let place = place.max(0.0).min(last);
        let low = place as usize;
        Between { low, high: (low + 1).min(count - 1), share: place - low as f32 }
    }
}

/// A place between two cells.
struct Between {
    low: usize,
    high: usize,
    share: f32,
}

#[inline(always)]
fn mix<const N: usize>(a: [f32; N], b: [f32; N], share: f32) -> [f32; N] {
    let mut mixed = a;
    mixed.iter_mut().zip(b).for_each(|(a, b)| *a += (b - *a) * share);
    mixed
}
