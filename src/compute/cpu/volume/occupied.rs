//! Tiles of a box into which advection may carry scalars other than 0. Advection skips the other tiles.

use super::super::Cpu;
use super::padded::Padded;
use crate::sim::volume::fields::TILE;
use crate::sim::volume::settings::Side;

/// Number of cells that interpolation reads on each side of a position.
const TAPS: usize = 2;

/// The tiles of a box, and which of them advection has to process.
pub(super) struct Occupied {
    tiles: [usize; 3],
    /// For each tile: whether its cells may get values other than 0.
    near: Vec<bool>,
}

impl Occupied {
    /// Finds the tiles that nonzero values of `field` reach along displacements of at most `reach` cells along each axis.
    pub fn new(cpu: &Cpu, field: &Padded, reach: [f32; 3], sides: [[Side; 2]; 3]) -> Self {
        let size = field.size;
        let tiles = size.map(|size| size.div_ceil(TILE));
        let wrapped = sides.iter().any(|sides| sides[0] == Side::Wrapped);
        if wrapped {
            return Self { tiles, near: vec![true; tiles.iter().product()] };
        }
        let slabs = cpu.each((0..tiles[2]).collect(), |slab: usize| {
            let mut found = vec![false; tiles[0] * tiles[1]];
            for z in slab * TILE..((slab + 1) * TILE).min(size[2]) {
                for y in 0..size[1] {
                    let from = field.at([0, y, z]);
                    let row = &field.packs()[from..from + size[0]];
                    for (tile, cells) in row.chunks(TILE).enumerate() {
                        let any = cells.as_flattened().iter().fold(0, |any, value| any | value.to_bits());
                        found[tile + tiles[0] * (y / TILE)] |= any != 0;
                    }
                }
            }
            found
        });
        let mut near = slabs.concat();
        for axis in 0..3 {
            let by = (reach[axis].min(1e6).ceil() as usize + TAPS).div_ceil(TILE);
            let step = [1, tiles[0], tiles[0] * tiles[1]][axis];
            let before = near.clone();
            for (at, near) in near.iter_mut().enumerate() {
                let here = at / step % tiles[axis];
                let (low, high) = (here.saturating_sub(by), (here + by).min(tiles[axis] - 1));
                *near = (low..=high).any(|tile| before[at + tile * step - here * step]);
            }
        }
        Self { tiles, near }
    }

    /// Whether one of the sixteen cells of a row from a cell on may get values other than 0.
    #[inline(always)]
    pub fn near(&self, [x, y, z]: [usize; 3]) -> bool {
        let row = self.tiles[0] * (y / TILE + self.tiles[1] * (z / TILE));
        let last = ((x + 15) / TILE).min(self.tiles[0] - 1);
        self.near[row + x / TILE..=row + last].iter().any(|near| *near)
    }
}

/// Largest magnitude of displacements or velocities; NaN counts as nothing, since its position is limited to the box.
pub(super) fn farthest_of(row: &[f32]) -> f32 {
    let (groups, rest) = row.as_chunks::<16>();
    let mut most = [0.0_f32; 16];
    for group in groups {
        for (most, value) in most.iter_mut().zip(group) {
            *most = most.max(value.abs());
        }
    }
    most.iter().chain(rest).fold(0.0, |a, b| a.max(b.abs()))
}
