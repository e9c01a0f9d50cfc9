//! A level of the pressure's equation among solids: couplings of all cells from the open areas of their faces.

use std::ops::Deref;

use super::super::super::super::Cpu;
use super::coloured::{Coloured, Layout, Row};
use crate::sim::memory::Values;
use crate::sim::volume::multigrid::AxisLevel;
use crate::sim::volume::state::face_sizes;

/// Open areas of the faces across each axis of a level, in faces of the finest level.
pub(super) struct Areas<V> {
    pub size: [usize; 3],
    pub values: [V; 3],
}

impl<V: Deref<Target = [f32]> + Sync> Areas<V> {
    /// The areas of the next coarser level: sums over the faces that lie on a coarser face.
    pub fn coarser(&self, cpu: &Cpu) -> Areas<Values<f32>> {
        let size = self.size.map(|size| size.div_ceil(2));
        let values = std::array::from_fn(|axis| {
            let (fine, coarse) = (face_sizes(self.size, axis), face_sizes(size, axis));
            let from = &self.values[axis];
            let children = |at: usize, along: usize| {
                let first = (2 * at).min(fine[along] - 1);
                if along == axis { first..first + 1 } else { first..(first + 2).min(fine[along]) }
            };
            let mut to = Values::uninitialised(coarse.iter().product(), cpu.memory());
            let plane = coarse[0] * coarse[1];
            cpu.each(to.chunks_exact_mut(plane).enumerate().collect(), |(z, plane): (usize, &mut [f32])| {
                for (y, row) in plane.chunks_exact_mut(coarse[0]).enumerate() {
                    row.fill(0.0);
                    for k in children(z, 2) {
                        for j in children(y, 1) {
                            let from = &from[(j + fine[1] * k) * fine[0]..][..fine[0]];
                            for (x, to) in row.iter_mut().enumerate() {
                                *to += from[children(x, 0)].iter().sum::<f32>();
                            }
                        }
                    }
                }
            });
            to
        });
        Areas { size, values }
    }
}

/// A level. The matrix is positive: the diagonal minus the couplings.
pub(super) struct Level {
    pub layout: Layout,
    /// Pressure.
    pub p: Coloured,
    /// Right-hand side.
    pub b: Coloured,
    pub matrix: Matrix,
}

/// Couplings of each cell to its upper neighbours, its diagonal, and the inverse of it; 0 in solid cells.
pub(super) struct Matrix {
    pub upper: [Coloured; 3],
    pub diagonal: Coloured,
    pub inverse: Coloured,
}

impl Level {
    /// The level of a hierarchy with these open areas.
    pub fn new<V: Deref<Target = [f32]> + Sync>(cpu: &Cpu, axes: &[AxisLevel; 3], areas: &Areas<V>) -> Self {
        let size = areas.size;
        let layout = Layout { size, wrapped: std::array::from_fn(|axis| axes[axis].wrapped) };
        let zeros = || Coloured::zeros(layout, cpu);
        let inverse = axes.each_ref().map(AxisLevel::inverse_distances);
        // Whether the pressure at the far end of an axis is coupled to a cell.
        let coupled = |axis: usize, at: usize| at + 1 < size[axis] || axes[axis].couplings[at][1] != 0.0;
        // The couplings across the faces below and above a cell.
        let couplings = |axis: usize, at: [usize; 3]| {
            let faces = face_sizes(size, axis);
            let here = at[0] + faces[0] * (at[1] + faces[1] * at[2]);
            let step = [1, faces[0], faces[0] * faces[1]][axis];
            let line = &inverse[axis];
            let area = |index: usize| f64::from(areas.values[axis][index]);
            [area(here) * line[at[axis]], area(here + step) * line[at[axis] + 1]].map(|value| value as f32)
        };
        let mut matrix = Matrix { upper: [zeros(), zeros(), zeros()], diagonal: zeros(), inverse: zeros() };
        let Matrix { upper, diagonal, inverse } = &mut matrix;
        let [ux, uy, uz] = upper;
        let pieces = ux.planes().into_iter().zip(uy.planes()).zip(uz.planes());
        let pieces = pieces.zip(diagonal.planes()).zip(inverse.planes());
        cpu.each(pieces.collect(), |(((((z, ux), (_, uy)), (_, uz)), (_, diagonal)), (_, inverse))| {
            let upper = [ux, uy, uz];
            for y in 0..size[1] {
                for colour in 0..2 {
                    let row = layout.row(colour, [y, z], true);
                    for i in 0..row.count {
                        let cell = [2 * i + row.parity, y, z];
                        let mut sum = 0.0;
                        for axis in 0..3 {
                            let [low, high] = couplings(axis, cell);
                            sum += f64::from(low) + f64::from(high);
                            upper[axis][colour][row.at + i] = if coupled(axis, cell[axis]) { high } else { 0.0 };
                        }
                        diagonal[colour][row.at + i] = sum as f32;
                        inverse[colour][row.at + i] = if sum > 0.0 { (1.0 / sum) as f32 } else { 0.0 };
                    }
                }
            }
        });
        matrix.upper.iter_mut().for_each(Coloured::wrap);
        Self { layout, p: zeros(), b: zeros(), matrix }
    }
}

/// The six neighbours of the cells of a row and their couplings.
pub(super) struct Stencil<'a> {
    by: [&'a [f32]; 6],
    of: [&'a [f32]; 6],
}

impl<'a> Stencil<'a> {
    /// The neighbours in a field, given the array of the other colour, of a row of a colour.
    #[inline(always)]
    pub fn new(matrix: &'a Matrix, field: &'a [f32], colour: usize, row: Row) -> Self {
        let layout = matrix.diagonal.layout;
        let Row { at, parity, count } = row;
        let (stride, plane) = (layout.stride(), layout.plane());
        let lower = [at + parity - 1, at - stride, at - plane];
        let higher = [at + parity, at + stride, at + plane];
        let own = |axis: usize| &matrix.upper[axis].colours[colour][at..at + count];
        let other = |axis: usize| &matrix.upper[axis].colours[1 - colour][lower[axis]..lower[axis] + count];
        let near = |from: usize| &field[from..from + count];
        Self {
            by: [other(0), own(0), other(1), own(1), other(2), own(2)],
            of: [near(lower[0]), near(higher[0]), near(lower[1]), near(higher[1]), near(lower[2]), near(higher[2])],
        }
    }

    /// Sum of the neighbours of cell `i` by their couplings.
    #[inline(always)]
    pub fn sum(&self, i: usize) -> f32 {
        let [a, b, c, d, e, f] = self.by;
        let [l, r, d0, u, b0, f0] = self.of;
        (a[i] * l[i] + b[i] * r[i]) + ((c[i] * d0[i] + d[i] * u[i]) + (e[i] * b0[i] + f[i] * f0[i]))
    }
}
