//! Coarser volumes, for light that changes slowly.

use bytemuck::Pod;
use wide::f32x4;

use super::sample::{Finder, Mix, Volume};
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Do, wide};
use crate::sim::memory::Values;

/// A volume whose cells are `side` cells of the medium wide, with a border of one cell as the medium has it.
pub struct Coarse<T> {
    /// The values.
    pub volume: Volume<T>,
    finder: Finder,
    scale: f32x4,
    offset: f32x4,
}

impl<T: Pod + Mix> Coarse<T> {
    /// A volume of `size` values with cells of `side` cells of the medium.
    pub fn new(size: [usize; 3], side: usize, values: Values<T>) -> Self {
        let scale = 1.0 / side as f32;
        Self {
            volume: Volume { size, values },
            finder: Finder::new(size),
            scale: f32x4::splat(scale),
            offset: f32x4::splat(0.5 - 0.5 * scale),
        }
    }

    /// The value at a position in the medium.
    #[inline(always)]
    pub fn at(&self, q: f32x4) -> T::Sum {
        self.volume.at(&self.finder.place(q * self.scale + self.offset))
    }

    /// The value at a position in this volume.
    #[inline(always)]
    pub fn at_own(&self, q: f32x4) -> T::Sum {
        self.volume.at(&self.finder.place(q))
    }
}

/// Size of a coarse volume of a medium of `size` values.
pub fn coarse_size(size: [usize; 3], side: usize) -> [usize; 3] {
    size.map(|count| (count - 2).div_ceil(side) + 2)
}

/// The extinction of a medium per coarse cell of `side` cells, on the threads of `cpu`.
pub fn coarse_extinction(cpu: &Cpu, fine: &Volume<f32>, side: usize) -> Coarse<f32> {
    let size = coarse_size(fine.size, side);
    let mut values = Values::uninitialised(size.iter().product(), cpu.memory());
    let planes = values.chunks_mut(size[0] * size[1]).enumerate().collect();
    // The sum over the cells is that of side² lines of sight.
    let scale = 1.0 / (side * side) as f32;
    cpu.each(planes, |(z, plane): (usize, &mut [f32])| {
        wide(Do(
            #[inline(always)]
            || {
                plane.fill(0.0);
                let range = |coarse: usize, axis: usize| {
                    let from = (coarse.max(1) - 1) * side + 1;
                    let end = fine.size[axis] - 1;
                    if coarse == 0 { 0..0 } else { from.min(end)..(from + side).min(end) }
                };
                for fine_z in range(z, 2) {
                    for (y, row) in plane.chunks_exact_mut(size[0]).enumerate() {
                        for fine_y in range(y, 1) {
                            let start = fine.size[0] * (fine_y + fine.size[1] * fine_z) + 1;
                            let values = &fine.values[start..start + fine.size[0] - 2];
                            for (to, values) in row[1..].iter_mut().zip(values.chunks(side)) {
                                *to += values.iter().sum::<f32>() * scale;
                            }
                        }
                    }
                }
            },
        ));
    });
    Coarse::new(size, side, values)
}
