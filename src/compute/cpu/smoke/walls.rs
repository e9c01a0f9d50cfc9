//! Where solid cells are, roughly: most of the air is far from them.

use super::super::lanes::floats::Floats;
use super::band::{Band, Pass};
use crate::compute::cpu::Cpu;

/// Columns and rows of a tile.
const TILE: usize = 32;

/// Solid cells, and the tiles that have one.
pub(super) struct Walls<'a> {
    /// 1 where a cell is solid.
    pub solid: &'a [f32],
    tiles: Vec<f32>,
    columns: usize,
}

impl<'a> Walls<'a> {
    /// Looks where they are, on a grid of so many columns.
    pub fn new(cpu: &Cpu, solid: &'a [f32], width: usize) -> Walls<'a> {
        let rows = solid.len() / width.max(1);
        let [columns, tile_rows] = [width, rows].map(|cells| cells.div_ceil(TILE));
        let mut tiles = vec![0.0; columns * tile_rows];
        cpu.pass(tile_rows, &mut tiles, &mut [], &Find { solid, width, columns });
        Walls { solid, tiles, columns }
    }

    /// Whether a cell may be solid, from `low` to `high` per axis, counting those beyond an edge as the last inside.
    #[inline(always)]
    pub fn near(&self, [x, y]: [[i32; 2]; 2]) -> bool {
        let rows = self.tiles.len() / self.columns;
        let mut sum = 0.0;
        for row in tile(y[0], rows)..=tile(y[1], rows) {
            let row = &self.tiles[row * self.columns..][..self.columns];
            for tile in &row[tile(x[0], self.columns)..=tile(x[1], self.columns)] {
                sum += tile;
            }
        }
        sum > 0.0
    }
}

/// The tile of an index, of so many.
#[inline(always)]
fn tile(at: i32, count: usize) -> usize {
    (at.max(0) as usize / TILE).min(count - 1)
}

/// Whether one of some cells is solid.
#[inline(always)]
pub(super) fn any(cells: &[f32]) -> bool {
    let (chunks, rest) = cells.as_chunks::<TILE>();
    let mut found = [0.0f32; TILE];
    for chunk in chunks {
        for l in 0..TILE {
            found[l] += chunk[l];
        }
    }
    let mut sum = 0.0;
    for &cell in found.iter().chain(rest) {
        sum += cell;
    }
    sum > 0.0
}

/// Looks for solid cells in tiles.
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
