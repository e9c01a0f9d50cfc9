//! Means of scalars over the cells of the velocity, where the cells of the scalars are finer.

use super::super::Cpu;
use super::super::wide::Do;
use super::forces::{Rows, row};
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
        let share = 1.0 / (detail * detail * detail) as f32;
        cpu.each(values.chunks_exact_mut(plane).enumerate().collect(), |(z, plane): (usize, &mut [f32])| {
            plane.fill(0.0);
            for (y, row) in plane.chunks_exact_mut(PACK * columns).enumerate() {
                for (dz, dy) in (0..detail).flat_map(|dz| (0..detail).map(move |dy| (dz, dy))) {
                    let from = packs.cells([y * detail + dy, z * detail + dz]);
                    cpu.isa.run(Do(
                        #[inline(always)]
                        || {
                            for (to, from) in row.as_chunks_mut::<PACK>().0.iter_mut().zip(from.chunks_exact(detail)) {
                                for (channel, to) in to.iter_mut().enumerate() {
                                    for pack in from {
                                        *to += pack[channel];
                                    }
                                }
                            }
                        },
                    ));
                }
                row.iter_mut().for_each(|value| *value *= share);
            }
        });
        Self { values, cells }
    }
}

impl Rows for Means {
    fn cells(&self, at: [usize; 2]) -> &[[f32; PACK]] {
        row(&self.values, self.cells, at)
    }
}
