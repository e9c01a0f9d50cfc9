//! The packs of a volume without its empty tiles.

use crate::compute::cpu::Cpu;
use crate::sim::memory::Values;
use crate::sim::request;
use crate::sim::volume::fields::TILE;
use crate::sim::volume::state::PACK;

/// Halves of a row of a tile, and of a tile.
const ROW: usize = TILE * PACK;
const WHOLE: usize = TILE * TILE * ROW;

/// The packs of a range of whole tiles; those of empty tiles are 0 in all bits and take no memory.
#[derive(Debug, PartialEq)]
pub struct SparsePacks {
    /// Cells along each axis, whole tiles.
    cells: [usize; 3],
    /// For each tile, its number among those with contents plus 1; 0 for an empty one.
    numbers: Vec<u32>,
    /// Bits of the packs of the tiles with contents, tile after tile, x fastest.
    values: Values<u16>,
}

impl SparsePacks {
    /// The tiles of packs in rows, x fastest, on the threads of `cpu`.
    pub fn new(cpu: &Cpu, cells: [usize; 3], packs: &[u16]) -> Self {
        let [across, up, _] = cells.map(|cells| cells / TILE);
        let slab = cells[0] * cells[1] * TILE * PACK;
        let slabs: Vec<&[u16]> = packs.chunks_exact(slab.max(1)).collect();
        let filled = cpu.each(slabs.clone(), |slab: &[u16]| {
            let mut filled = vec![false; across * up];
            for (row, values) in slab.chunks_exact(cells[0] * PACK).enumerate() {
                let first = row % cells[1] / TILE * across;
                for (filled, part) in filled[first..].iter_mut().zip(values.chunks_exact(ROW)) {
                    // Without a branch in the loop, so that it is vectorised.
                    *filled |= part.iter().fold(0, |bits, value| bits | value) != 0;
                }
            }
            filled
        });
        let mut count = 0;
        let mut numbers = request::with_capacity(filled.len() * across * up);
        for is_filled in filled.into_iter().flatten() {
            count += u32::from(is_filled);
            numbers.push(if is_filled { count } else { 0 });
        }
        let mut values = Values::uninitialised(count as usize * WHOLE, cpu.memory());
        let mut rest = &mut values[..];
        let mut parts = Vec::new();
        for (slab, numbers) in slabs.into_iter().zip(numbers.chunks_exact((across * up).max(1))) {
            let own = numbers.iter().filter(|number| **number > 0).count();
            let (part, behind) = rest.split_at_mut(own * WHOLE);
            parts.push((slab, numbers, part));
            rest = behind;
        }
        cpu.each(parts, |(slab, numbers, part): (&[u16], &[u32], &mut [u16])| {
            let filled = numbers.iter().enumerate().filter(|(_, number)| **number > 0);
            for ((tile, _), to) in filled.zip(part.chunks_exact_mut(WHOLE)) {
                for (row, to) in to.chunks_exact_mut(ROW).enumerate() {
                    to.copy_from_slice(&slab[start(cells, [tile % across, tile / across], row)..][..ROW]);
                }
            }
        });
        Self { cells, numbers, values }
    }

    /// The packs of all cells, in rows, on the threads of `cpu`.
    pub fn packs(&self, cpu: &Cpu) -> Values<u16> {
        let cells = self.cells;
        let [across, up, _] = cells.map(|cells| cells / TILE);
        let mut packs = Values::uninitialised(self.len() * PACK, cpu.memory());
        let slabs = packs.chunks_exact_mut((cells[0] * cells[1] * TILE * PACK).max(1));
        let parts = slabs.zip(self.numbers.chunks_exact((across * up).max(1))).collect();
        cpu.each(parts, |(slab, numbers): (&mut [u16], &[u32])| {
            for (tile, number) in numbers.iter().enumerate() {
                let mut rows = self.tile(*number).chunks_exact(ROW);
                for row in 0..TILE * TILE {
                    let to = &mut slab[start(cells, [tile % across, tile / across], row)..][..ROW];
                    match rows.next() {
                        Some(from) => to.copy_from_slice(from),
                        None => to.fill(0),
                    }
                }
            }
        });
        packs
    }

    /// The packs of a tile by its number plus 1; none for 0.
    fn tile(&self, number: u32) -> &[u16] {
        let after = number as usize * WHOLE;
        if number == 0 { &[] } else { &self.values[after - WHOLE..after] }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.iter().product()
    }

    /// The packs of the [`TILE`] cells from cell `place` on, which is the first of a row of a tile; `None` in an empty
    /// tile.
    pub fn row(&self, place: usize) -> Option<&[u16]> {
        let [width, height, _] = self.cells;
        let [x, y, z] = [place % width, place / width % height, place / width / height];
        let [across, up, _] = self.cells.map(|cells| cells / TILE);
        let number = self.numbers[x / TILE + across * (y / TILE + up * (z / TILE))];
        self.tile(number).chunks_exact(ROW).nth(y % TILE + TILE * (z % TILE))
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.numbers[..]) + size_of_val(&self.values[..])
    }
}

/// The first value of a row of a tile in a slab of tiles.
fn start(cells: [usize; 3], [tile_x, tile_y]: [usize; 2], row: usize) -> usize {
    let (y, z) = (tile_y * TILE + row % TILE, row / TILE);
    ((z * cells[1] + y) * cells[0] + tile_x * TILE) * PACK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_have_the_packs_and_no_memory_for_empty_ones() {
        let (cpu, cells) = (Cpu::new(2), [24, 16, 32]);
        let count: usize = cells.iter().product();
        let mut packs = vec![0_u16; count * PACK];
        let at = |x: usize, y: usize, z: usize| (x + cells[0] * (y + cells[1] * z)) * PACK;
        packs[at(0, 0, 0)] = 1;
        packs[at(23, 15, 31) + 3] = 0x8000;
        for (n, value) in packs[at(8, 8, 8)..][..ROW].iter_mut().enumerate() {
            *value = n as u16 + 1;
        }
        let tiles = SparsePacks::new(&cpu, cells, &packs);
        assert_eq!(tiles.packs(&cpu)[..], packs[..]);
        assert_eq!((tiles.len(), tiles.values.len()), (count, 3 * WHOLE));
        assert_eq!(tiles, SparsePacks::new(&Cpu::new(1), cells, &packs));
        for place in (0..count).step_by(TILE) {
            let own = &packs[place * PACK..][..ROW];
            match tiles.row(place) {
                Some(row) => assert_eq!(row, own, "{place}"),
                None => assert!(own.iter().all(|value| *value == 0), "{place}"),
            }
        }
        let none = SparsePacks::new(&cpu, cells, &vec![0; count * PACK]);
        assert!(none.values.is_empty() && none.packs(&cpu).iter().all(|value| *value == 0));
    }
}
