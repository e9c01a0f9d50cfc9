//! Means of scalars over the cells of the velocity, where the cells of the scalars are finer.

use super::super::Cpu;
use super::super::wide::Do;
use super::forces::Rows;
use crate::sim::memory::Values;
use crate::sim::volume::state::PACK;

/// Packs of the cells of the velocity.
pub(super) struct Means {
    values: Values<f32>,
    cells: [usize; 3],
}

impl Means {
    /// The means of `detail`³ packs for each of the cells of the velocity, `cells` along each axis.
    pub fn new(cpu: &Cpu, packs: &dyn Rows, cells: [usize; 3], detail: usize) -> Self {
        let [columns, rows, planes] = cells;
        let plane = PACK * columns * rows;
        let mut values = Values::uninitialised(plane * planes, cpu.memory());
        cpu.each(values.chunks_exact_mut(plane).enumerate().collect(), |(z, plane): (usize, &mut [f32])| {
            for (y, row) in plane.chunks_exact_mut(PACK * columns).enumerate() {
                let rows = fine_rows([y, z], detail).map(|at| packs.cells(at));
                mean_row(cpu, rows, detail, row.as_chunks_mut().0);
            }
        });
        Self { values, cells }
    }
}

/// The rows of packs in a row of cells.
pub(super) fn fine_rows([y, z]: [usize; 2], detail: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..detail * detail).map(move |row| [y * detail + row % detail, z * detail + row / detail])
}

/// Writes the means over a row of cells of its rows of packs. `detail`: 2 or 4.
pub(super) fn mean_row<'a>(
    cpu: &Cpu,
    rows: impl Iterator<Item = &'a [[f32; PACK]]>,
    detail: usize,
    to: &mut [[f32; PACK]],
) {
    debug_assert!(matches!(detail, 2 | 4), "{detail} fine cells along a cell");
    to.fill([0.0; PACK]);
    for from in rows {
        cpu.isa.run(Do(
            #[inline(always)]
            || match detail {
                4 => add::<4>(from, to),
                _ => add::<2>(from, to),
            },
        ));
    }
    let share = 1.0 / (detail * detail * detail) as f32;
    to.as_flattened_mut().iter_mut().for_each(|value| *value *= share);
}

/// Adds each `N` packs to those of a cell.
#[inline(always)]
fn add<const N: usize>(from: &[[f32; PACK]], to: &mut [[f32; PACK]]) {
    for (to, from) in to.iter_mut().zip(from.as_chunks::<N>().0) {
        for pack in from {
            for channel in 0..PACK {
                to[channel] += pack[channel];
            }
        }
    }
}

impl Rows for Means {
    fn cells(&self, [y, z]: [usize; 2]) -> &[[f32; PACK]] {
        let from = (y + self.cells[1] * z) * self.cells[0];
        &self.values.as_chunks().0[from..from + self.cells[0]]
    }
}
