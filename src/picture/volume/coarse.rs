//! Volumes of lower resolution than the medium, for light that changes slowly.

use bytemuck::Pod;
use wide::f32x4;

use super::sample::{Finder, Grid, Mix, Place, Volume};
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Wide, wide};
use crate::sim::memory::Values;

/// A volume whose cells are `side` cells of the medium wide, with a border of one cell like that of the medium.
pub struct Coarse<T> {
    /// The values.
    pub volume: Volume<T>,
    side: usize,
}

impl<T: Pod> Coarse<T> {
    /// A volume of `size` values, border included, whose cells are `side` cells of the medium wide.
    pub fn new(size: [usize; 3], side: usize, values: Values<T>) -> Self {
        Self { volume: Volume { size, values }, side }
    }

    /// Cells of the medium along a side of a cell.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The cell nearest to a position in the medium.
    pub fn cell(&self, position: [f32; 3]) -> [usize; 3] {
        let scale = 1.0 / self.side as f32;
        [0, 1, 2].map(|axis| {
            let own = position[axis] * scale + (0.5 - 0.5 * scale);
            ((own + 0.5) as usize).min(self.volume.size[axis] - 1)
        })
    }

    /// The values for interpolation.
    pub fn grid(&self) -> CoarseGrid<'_, T> {
        let scale = 1.0 / self.side as f32;
        CoarseGrid {
            grid: self.volume.grid(),
            finder: Finder::new(self.volume.size),
            scale: f32x4::splat(scale),
            offset: f32x4::splat(0.5 - 0.5 * scale),
        }
    }
}

/// Values of a coarse volume, for interpolation.
#[derive(Clone, Copy)]
pub struct CoarseGrid<'a, T> {
    grid: Grid<'a, T>,
    finder: Finder,
    scale: f32x4,
    offset: f32x4,
}

impl<T: Mix> CoarseGrid<'_, T> {
    /// The value at a position in the medium.
    #[inline(always)]
    pub fn at(&self, q: f32x4) -> T::Sum {
        self.at_own(q * self.scale + self.offset)
    }

    /// The value at a position in the coarse volume.
    #[inline(always)]
    pub fn at_own(&self, q: f32x4) -> T::Sum {
        self.grid.at(&self.finder.place(q))
    }

    /// The place of a position in the medium, in all coarse volumes of this size.
    #[inline(always)]
    pub fn place(&self, q: f32x4) -> Place {
        self.finder.place(q * self.scale + self.offset)
    }

    /// The value at a place.
    #[inline(always)]
    pub fn at_place(&self, place: &Place) -> T::Sum {
        self.grid.at(place)
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
    cpu.each(planes, |(z, plane): (usize, &mut [f32])| wide(Sums { fine, side, z, plane }));
    Coarse::new(size, side, values)
}

/// The extinctions of plane `z` of coarse cells.
struct Sums<'a> {
    fine: &'a Volume<f32>,
    side: usize,
    z: usize,
    plane: &'a mut [f32],
}

impl Wide for Sums<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { fine, side, z, plane } = self;
        let [width, height, _] = fine.size;
        // Optical depth of a coarse cell: the mean over its side² lines of sight, each the sum of its cells.
        let scale = 1.0 / (side * side) as f32;
        plane.fill(0.0);
        let cells = |coarse: usize, axis: usize| {
            let end = fine.size[axis] - 1;
            let from = (coarse.max(1) - 1) * side + 1;
            if coarse == 0 { 0..0 } else { from.min(end)..(from + side).min(end) }
        };
        let across = coarse_size(fine.size, side)[0];
        let fine_values = &fine.values[..];
        for fine_z in cells(z, 2) {
            for (y, row) in plane.chunks_exact_mut(across).enumerate() {
                for fine_y in cells(y, 1) {
                    let values = &fine_values[width * (fine_y + height * fine_z) + 1..][..width - 2];
                    for (to, values) in row[1..].iter_mut().zip(values.chunks(side)) {
                        *to += values.iter().sum::<f32>() * scale;
                    }
                }
            }
        }
    }
}
