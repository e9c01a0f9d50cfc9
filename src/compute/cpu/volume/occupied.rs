//! Parts of a box into which advection may carry scalars other than 0. Advection skips the others.

use super::super::Cpu;
use super::super::lanes::floats::{Floats, WIDTH};
use super::padded::Padded;
use super::sample::Positions;
use crate::sim::volume::settings::Side;

/// Cells of a block along each axis: no fewer than interpolation reads on each side of a position.
const BLOCK: usize = 4;

/// The blocks of a box with one more block on each side, and which of them advection has to process.
pub(super) struct Occupied {
    blocks: [usize; 3],
    /// For each block: whether a sample position in it has a value other than 0 near it.
    sampled: Vec<u8>,
    /// For each block: whether the backtraces of its cells may end in such a block.
    reached: Vec<u8>,
}

impl Occupied {
    /// Finds the blocks that nonzero values of `field` reach along displacements of at most `reach` cells along each
    /// axis.
    pub fn new(cpu: &Cpu, field: &Padded, reach: [f32; 3], sides: [[Side; 2]; 3]) -> Self {
        let size = field.size;
        let blocks = size.map(|size| size.div_ceil(BLOCK) + 2);
        if sides.iter().any(|sides| sides[0] == Side::Wrapped) {
            let all = vec![1; blocks.iter().product()];
            return Self { blocks, sampled: all.clone(), reached: all };
        }
        let slabs = cpu.each((0..blocks[2]).collect(), |slab: usize| {
            let mut found = vec![0; blocks[0] * blocks[1]];
            // The first and the last slab lie outside the box.
            let first = (slab * BLOCK).saturating_sub(BLOCK);
            for z in if slab == 0 { 0..0 } else { first..(first + BLOCK).min(size[2]) } {
                for y in 0..size[1] {
                    let from = field.at([0, y, z]);
                    let row = &field.packs()[from..from + size[0]];
                    let to = &mut found[1 + blocks[0] * (1 + y / BLOCK)..];
                    for (to, cells) in to.iter_mut().zip(row.chunks(BLOCK)) {
                        let any = cells.as_flattened().iter().fold(0, |any, value| any | value.to_bits());
                        *to |= u8::from(any != 0);
                    }
                }
            }
            found
        });
        let mut sampled = slabs.concat();
        grow(&mut sampled, blocks, [1; 3]);
        let mut reached = sampled.clone();
        grow(&mut reached, blocks, reach.map(|reach| (reach.min(1e6).ceil() as usize).div_ceil(BLOCK)));
        Self { blocks, sampled, reached }
    }

    /// Whether one of the sixteen cells of a row from a cell on may get values other than 0.
    #[inline(always)]
    pub fn reaches(&self, [x, y, z]: [usize; 3]) -> bool {
        let row = self.blocks[0] * (y / BLOCK + 1 + self.blocks[1] * (z / BLOCK + 1));
        let last = ((x + WIDTH - 1) / BLOCK + 1).min(self.blocks[0] - 1);
        self.reached[row + x / BLOCK + 1..=row + last].iter().any(|reached| *reached != 0)
    }

    /// The blocks of sample positions of a group of cells from a cell on.
    #[inline(always)]
    pub fn places<F: Floats>(&self, at: [usize; 3], positions: &Positions<F>) -> [usize; WIDTH] {
        let share = F::splat(1.0 / BLOCK as f32);
        let mut block = [share; 3];
        for axis in 0..3 {
            let start = F::splat((at[axis] + BLOCK) as i32 as f32);
            let from = if axis == 0 { F::steps().add(start) } else { start };
            block[axis] = from.add(positions.whole[axis]).mul(share);
        }
        let (_, column) = block[0].floor();
        let rows = F::splat(self.blocks[1] as i32 as f32);
        let (_, row) = block[2].floor().0.mul(rows).add(block[1]).floor();
        let (column, row) = (F::wholes(column), F::wholes(row));
        let mut places = [0; WIDTH];
        for lane in 0..WIDTH {
            places[lane] = row[lane] as usize * self.blocks[0] + column[lane] as usize;
        }
        places
    }

    /// Whether one of the samples at the places of positions may be other than 0.
    #[inline(always)]
    pub fn samples(&self, places: &[usize]) -> bool {
        places.iter().fold(0, |any, place| any | self.sampled[*place]) != 0
    }
}

/// Sets the blocks up to a number of blocks from those that are set, along each axis.
fn grow(set: &mut [u8], blocks: [usize; 3], by: [usize; 3]) {
    for axis in 0..3 {
        let count = blocks[axis];
        let step: usize = blocks[..axis].iter().product();
        let before = set.to_vec();
        for by in 1..=by[axis].min(count - 1) {
            let far = by * step;
            for (to, from) in set.chunks_exact_mut(step * count).zip(before.chunks_exact(step * count)) {
                or(&mut to[far..], &from[..step * count - far]);
                or(&mut to[..step * count - far], &from[far..]);
            }
        }
    }
}

fn or(to: &mut [u8], from: &[u8]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to |= from);
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
