//! Accelerations of force fields at points between which they are interpolated.

use std::ops::Range;
use std::sync::OnceLock;

use super::super::Cpu;
use super::super::wide::{Do, wide};
use crate::sim::batch::{BATCH, at, each3};
use crate::sim::volume::fields::Bounds;
use crate::sim::volume::force_fields::ForceFields;

/// Points of a block along x and along y.
const SIDE: usize = 4;

/// Accelerations at the points of a block, x fastest.
type Block = [[f32; 3]; BATCH];

const _: () = assert!(SIDE * SIDE == BATCH, "a block is a batch of positions");

/// Accelerations of force fields at points that are `spacing` cells apart and fixed with respect to the volume. They are
/// computed in blocks of a plane at their first use: force fields do not act on clear air.
pub(in crate::compute) struct ForcePoints<'a> {
    fields: &'a ForceFields,
    bounds: Bounds,
    /// Number of the first point along each axis.
    pub first: [i32; 3],
    /// Points along each axis.
    pub size: [usize; 3],
    /// Cells from one point to the next.
    pub spacing: usize,
    /// Blocks of a plane along x and along y.
    across: [usize; 2],
    blocks: Vec<OnceLock<Block>>,
}

impl<'a> ForcePoints<'a> {
    /// The points for the cells of a box.
    pub fn new(fields: &'a ForceFields, bounds: Bounds) -> Self {
        let spacing = fields.spacing();
        let step = spacing as i32;
        let first = bounds.low.map(|low| low.div_euclid(step));
        let high = bounds.high();
        let size: [usize; 3] = std::array::from_fn(|axis| (high[axis].div_euclid(step) - first[axis] + 2) as usize);
        let across = [size[0].div_ceil(SIDE), size[1].div_ceil(SIDE)];
        let blocks = (0..across[0] * across[1] * size[2]).map(|_| OnceLock::new()).collect();
        Self { fields, bounds, first, size, spacing, across, blocks }
    }

    /// The accelerations at all points, x fastest.
    pub fn all(&self, cpu: &Cpu) -> Vec<[f32; 3]> {
        let planes = cpu.each((0..self.size[2]).collect(), |z: usize| {
            let row = |y: usize| (0..self.across[0]).flat_map(move |block| self.part([block, y, z])).take(self.size[0]);
            (0..self.size[1]).flat_map(row).copied().collect::<Vec<_>>()
        });
        planes.concat()
    }

    /// The part of a row of points in a block; `block`: number of the block along x.
    #[inline(always)]
    fn part(&self, [block, y, z]: [usize; 3]) -> &[[f32; 3]] {
        let row = y / SIDE;
        let found = &self.blocks[block + self.across[0] * (row + self.across[1] * z)];
        &found.get_or_init(|| self.computed([block, row, z]))[y % SIDE * SIDE..][..SIDE]
    }

    /// Computes a block, given its numbers along x and y and its plane.
    #[cold]
    fn computed(&self, [block, row, plane]: [usize; 3]) -> Block {
        let place = |axis: usize, point: usize| f64::from((self.first[axis] + point as i32) * self.spacing as i32);
        let positions =
            each3(|n| [place(0, block * SIDE + n % SIDE), place(1, row * SIDE + n / SIDE), place(2, plane)]);
        let found = wide(Do(
            #[inline(always)]
            || self.fields.accelerations(&positions),
        ));
        std::array::from_fn(|n| at(&found, n).map(|a| a as f32))
    }

    /// Index of the last point before the centre of a cell of the box along an axis, and the fraction from it to the
    /// next.
    pub fn place(&self, axis: usize, cell: usize) -> (usize, f32) {
        let (cell, step) = (self.bounds.low[axis] + cell as i32, self.spacing as i32);
        let point = cell.div_euclid(step);
        let part = ((cell - point * step) as f32 + 0.5) / step as f32;
        ((point - self.first[axis]) as usize, part)
    }

    /// Writes the accelerations of a range of points along x, interpolated in y and z to a row of cells. `to`: a vector
    /// per point of the row; the rest of the first and of the last block is written, too.
    pub fn line(&self, points: Range<usize>, [y, z]: [usize; 2], to: &mut [[f32; 3]]) {
        let ((py, fy), (pz, fz)) = (self.place(1, y), self.place(2, z));
        let rows = [[py, pz], [py + 1, pz], [py, pz + 1], [py + 1, pz + 1]];
        for block in points.start / SIDE..points.end.div_ceil(SIDE) {
            let [a, b, c, d] = rows.map(|[y, z]| self.part([block, y, z]));
            for (x, to) in to[block * SIDE..].iter_mut().take(SIDE).enumerate() {
                for (part, to) in to.iter_mut().enumerate() {
                    let low = a[x][part] + (b[x][part] - a[x][part]) * fy;
                    let high = c[x][part] + (d[x][part] - c[x][part]) * fy;
                    *to = low + (high - low) * fz;
                }
            }
        }
    }
}
