//! A search for solid cells near a sample position. Tiles without solid cells are skipped: most of the air is far from
//! solids.

use super::super::lanes::floats::Floats;
use super::axis::Axis;
use super::band::{Band, Pass};
use crate::compute::cpu::Cpu;
use crate::sim::request;

/// Columns and rows of a tile.
const TILE: usize = 32;

/// Solid cells, with an index by tiles.
pub(super) struct Obstacles<'a> {
    /// 1 in solid cells, else 0.
    pub solid: &'a [f32],
    /// Number of rows with solid cells of each tile.
    tiles: Vec<f32>,
    /// Columns of tiles.
    columns: usize,
}

impl<'a> Obstacles<'a> {
    /// Indexes the solid cells of a grid of `width` columns.
    pub fn new(cpu: &Cpu, solid: &'a [f32], width: usize) -> Obstacles<'a> {
        let rows = solid.len() / width.max(1);
        let [columns, tile_rows] = [width, rows].map(|cells| cells.div_ceil(TILE));
        let mut tiles = request::zeros(columns * tile_rows);
        cpu.pass(tile_rows, &mut tiles, &mut [], &Find { solid, width, columns });
        Obstacles { solid, tiles, columns }
    }

    /// Whether a cell from the first to the last column and row (both included) is solid. Indices beyond an edge count
    /// as the last inside; the result is true for a range across an edge that wraps.
    #[inline(always)]
    pub fn near(&self, on: [Axis; 2], [x, y]: [[i32; 2]; 2]) -> bool {
        for (axis, [low, high]) in on.into_iter().zip([x, y]) {
            if axis.wraps() && (low < 0 || high >= axis.values) {
                return true;
            }
        }
        let rows = self.tiles.len() / self.columns;
        let mut sum = 0.0;
        for row in tile(y[0], rows)..=tile(y[1], rows) {
            let row = &self.tiles[row * self.columns..][..self.columns];
            for tile in &row[tile(x[0], self.columns)..=tile(x[1], self.columns)] {
                sum += tile;
            }
        }
        if sum == 0.0 {
            return false;
        }
        let ([left, right], [bottom, top]) = (x.map(|at| on[0].nearest(at)), y.map(|at| on[1].nearest(at)));
        let width = on[0].values as usize;
        for row in bottom..=top {
            if any(&self.solid[row * width..][left..=right]) {
                return true;
            }
        }
        false
    }
}

/// The tile along an axis of `count` tiles that has the column or row `at`, clamped.
#[inline(always)]
fn tile(at: i32, count: usize) -> usize {
    (at.max(0) as usize / TILE).min(count - 1)
}

/// Whether one of the cells is solid.
#[inline(always)]
pub(super) fn any(cells: &[f32]) -> bool {
    // All bits of 0.0 are 0.
    let mut bits = 0;
    for cell in cells {
        bits |= cell.to_bits();
    }
    bits != 0
}

/// Counts the rows with solid cells of each tile.
struct Find<'a> {
    solid: &'a [f32],
    width: usize,
    columns: usize,
}

impl Pass for Find<'_> {
    type Output = ();

    #[inline(always)]
    fn pass<F: Floats>(&self, band: Band<'_>) {
        for (row, tiles) in band.one.chunks_exact_mut(self.columns).enumerate() {
            let rows = self.solid.chunks(self.width).skip((band.first + row) * TILE).take(TILE);
            for cells in rows {
                for (tile, cells) in tiles.iter_mut().zip(cells.chunks(TILE)) {
                    *tile += f32::from(u8::from(any(cells)));
                }
            }
        }
    }
}
