//! Smoothing of the gas of flames. Flame gas ends within a cell, and the look of a flame is far from linear: without the
//! filter its outline has the steps of the grid.

use half::f16;
use half::slice::HalfFloatSliceExt as _;

use crate::picture::maths::up_to;
use crate::sim::volume::fields::VolumeView;

/// Largest temperature, and largest amount of flame gas.
pub(super) const MOST: f32 = 8.0;

/// Temperature, flame gas, and flame gas times its age, of rows of cells, after a binomial filter of three cells along
/// each axis. Beyond the box is the value of its last cell.
pub(super) struct Smoothing<'a> {
    scalars: &'a [[f16; 4]],
    gases: &'a [[f16; 4]],
    cells: [usize; 3],
    /// Converted rows of scalars and gases.
    row: [Vec<[f32; 4]>; 2],
    /// The sum of nine rows, with a cell more at each end.
    sum: Vec<[f32; 3]>,
}

impl<'a> Smoothing<'a> {
    /// The filter of a view's cells and their gases.
    pub fn new(view: &'a VolumeView<'_>, gases: &'a [[f16; 4]]) -> Self {
        let cells = view.bounds.cells;
        let row = || vec![[0.0; 4]; cells[0]];
        Self { scalars: view.scalars, gases, cells, row: [row(), row()], sum: vec![[0.0; 3]; cells[0] + 2] }
    }

    /// Writes the row of cells with these y and z: the last component is 0.
    #[inline(always)]
    pub fn row(&mut self, [y, z]: [usize; 2], to: &mut [[f32; 4]]) {
        let [nx, ny, nz] = self.cells;
        let near = |at: usize, count: usize| [(at.saturating_sub(1), 0.25), (at, 0.5), ((at + 1).min(count - 1), 0.25)];
        let mut rows = [(0, 0.0); 9];
        for (rows, (z, wz)) in rows.as_chunks_mut::<3>().0.iter_mut().zip(near(z, nz)) {
            *rows = near(y, ny).map(|(y, wy)| (nx * (y + ny * z), wy * wz));
        }
        // A temperature without flame gas has no light.
        if rows.iter().all(|(from, _)| self.gases[*from..from + nx].iter().all(|gas| gas[0] == f16::ZERO)) {
            to.fill([0.0; 4]);
            return;
        }
        self.sum.fill([0.0; 3]);
        for (from, weight) in rows {
            let [scalars, flames] = &mut self.row;
            self.scalars[from..from + nx].as_flattened().convert_to_f32_slice(scalars.as_flattened_mut());
            self.gases[from..from + nx].as_flattened().convert_to_f32_slice(flames.as_flattened_mut());
            for ((sum, scalars), gas) in self.sum[1..=nx].iter_mut().zip(scalars).zip(flames) {
                for (sum, value) in sum.iter_mut().zip([scalars[1], gas[0], gas[1]]) {
                    *sum += weight * up_to(value, MOST);
                }
            }
        }
        self.sum[0] = self.sum[1];
        self.sum[nx + 1] = self.sum[nx];
        for (to, around) in to.iter_mut().zip(self.sum.windows(3)) {
            let [a, b, c] = [0, 1, 2].map(|part| 0.25 * (around[0][part] + around[2][part]) + 0.5 * around[1][part]);
            *to = [a, b, c, 0.0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::volume::fields::{Bounds, Lattice};

    const CELLS: [usize; 3] = [8, 16, 8];

    /// The smoothed cells of gas by place, with a temperature of 0.5.
    fn smoothed(gas: impl Fn([f32; 3]) -> f32) -> Vec<[f32; 4]> {
        let [nx, ny, nz] = CELLS;
        let at = |cell: usize| [cell % nx, cell / nx % ny, cell / (nx * ny)].map(|place| place as f32);
        let count = nx * ny * nz;
        let gases: Vec<_> = (0..count).map(|cell| [gas(at(cell)), 0.5, 0.0, 0.0].map(f16::from_f32)).collect();
        let scalars = vec![[0.0, 0.5, 0.0, 0.0].map(f16::from_f32); count];
        let view = VolumeView {
            lattice: Lattice { origin: [0.0; 3], spacing: 1.0 },
            bounds: Bounds { low: [0; 3], cells: CELLS },
            detail: 1,
            scalars: &scalars,
            gases: Some(&gases),
            tints: None,
            velocity: None,
        };
        let mut smoothing = Smoothing::new(&view, &gases);
        let mut to = vec![[1.0; 4]; count];
        for (row, to) in to.chunks_exact_mut(nx).enumerate() {
            smoothing.row([row % ny, row / ny], to);
        }
        to
    }

    #[test]
    fn a_linear_gas_stays_and_a_cell_spreads() {
        let linear = |[x, y, z]: [f32; 3]| 0.25 + 0.125 * x + 0.0625 * y + 0.25 * z;
        let [nx, ny, _] = CELLS;
        let cell = |[x, y, z]: [usize; 3]| x + nx * (y + ny * z);
        assert_eq!(smoothed(linear)[cell([3, 7, 4])], [0.5, linear([3.0, 7.0, 4.0]), 0.5, 0.0]);
        let spread = smoothed(|place| if place == [3.0, 7.0, 4.0] { 1.0 } else { 0.0 });
        assert!((spread.iter().map(|gas| gas[1]).sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(spread[cell([3, 7, 4])][1], 0.125);
        assert_eq!(spread[cell([4, 6, 5])][1], 1.0 / 64.0);
        assert_eq!(spread[cell([4, 9, 5])], [0.0; 4], "rows without gas around them are dark");
    }
}
