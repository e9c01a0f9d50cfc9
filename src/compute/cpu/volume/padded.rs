//! Fields with layers (ghost values) around the box, so that a sample position near a side needs no special case.

use std::sync::Arc;

use super::super::Cpu;
use crate::sim::memory::{PagePool, Values};
use crate::sim::volume::settings::Side;

/// Layers below the first value along each axis.
pub(super) const LOW: usize = 2;
/// Layers after the last value along each axis.
const HIGH: usize = 3;

/// Values for which memory is taken, for a number per value of `size` values or cells: much the same for faces and cells of
/// a box, with and without layers, so that all of them may use the same pages.
pub(super) fn room(size: [usize; 3]) -> usize {
    let len: usize = size.map(|size| size + 1 + LOW + HIGH).iter().product();
    let step = (len.next_power_of_two() / 64).max(1);
    len.next_multiple_of(step)
}

/// A field of `channels` numbers per value.
pub(super) struct Padded {
    values: Values<f32>,
    /// Values along each axis, without the layers.
    pub size: [usize; 3],
    channels: usize,
}

impl Padded {
    /// A field with unspecified contents.
    pub fn uninitialised(size: [usize; 3], channels: usize, memory: &Arc<dyn PagePool>) -> Self {
        let len: usize = size.map(|size| size + LOW + HIGH).iter().product();
        let room = if channels == 1 { room(size) } else { len * channels };
        Self { values: Values::with_room(len * channels, room, memory), size, channels }
    }

    /// Values from one row to the next, with the layers.
    #[inline(always)]
    pub fn stride(&self) -> usize {
        self.size[0] + LOW + HIGH
    }

    /// Rows of a plane, with the layers.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.size[1] + LOW + HIGH
    }

    /// Index of a value.
    #[inline(always)]
    pub fn at(&self, [x, y, z]: [usize; 3]) -> usize {
        x + LOW + self.stride() * (y + LOW + self.rows() * (z + LOW))
    }

    /// All numbers.
    #[inline(always)]
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// All values of a field of four numbers.
    #[inline(always)]
    pub fn packs(&self) -> &[[f32; 4]] {
        self.values.as_chunks().0
    }

    /// A row of a field of one number, without layers.
    #[inline(always)]
    pub fn row(&self, [y, z]: [usize; 2]) -> &[f32] {
        let at = self.at([0, y, z]);
        &self.values[at..at + self.size[0]]
    }

    /// The inner planes, from the lowest on; each with its first row.
    pub fn planes(&mut self) -> Vec<Plane<'_>> {
        let (stride, rows, size, channels) = (self.stride(), self.rows(), self.size, self.channels);
        let planes = self.values.chunks_exact_mut(stride * rows * channels).skip(LOW).take(size[2]);
        planes.enumerate().map(|(z, values)| Plane { z, values, stride, size, channels }).collect()
    }

    /// Fills the layers: with `ambient` beyond open sides, with the nearest value of the box beyond closed sides, and
    /// with the values of the other end beyond wrapped sides. `axis`: the normal of the faces, or `None` for values at
    /// cells.
    pub fn fill_layers(&mut self, cpu: &Cpu, sides: [[Side; 2]; 3], axis: Option<usize>, ambient: f32) {
        let (size, stride, rows, channels) = (self.size, self.stride(), self.rows(), self.channels);
        // Along a wrapped axis of faces, the last face is the first.
        let period = |along: usize| size[along] - usize::from(axis == Some(along));
        let source = |at: usize, along: usize| -> Option<usize> {
            let (below, last) = (at < LOW, LOW + size[along] - 1);
            if !below && at <= last {
                return Some(at);
            }
            match sides[along][usize::from(!below)] {
                Side::Open => None,
                Side::Closed => Some(at.clamp(LOW, last)),
                Side::Wrapped => {
                    let from = at as i64 - LOW as i64;
                    Some(LOW + from.rem_euclid(period(along) as i64) as usize)
                }
            }
        };
        self.each_inner(cpu, |values| {
            for y in LOW..LOW + size[1] {
                let row = &mut values[y * stride * channels..][..stride * channels];
                for x in (0..LOW).chain(LOW + size[0]..stride) {
                    match source(x, 0) {
                        Some(from) => row.copy_within(from * channels..(from + 1) * channels, x * channels),
                        None => row[x * channels..(x + 1) * channels].fill(ambient),
                    }
                }
            }
            let row = stride * channels;
            for y in (0..LOW).chain(LOW + size[1]..rows) {
                match source(y, 1) {
                    Some(from) => values.copy_within(from * row..(from + 1) * row, y * row),
                    None => values[y * row..(y + 1) * row].fill(ambient),
                }
            }
        });
        let plane = stride * rows * channels;
        for z in (0..LOW).chain(LOW + size[2]..size[2] + LOW + HIGH) {
            match source(z, 2) {
                Some(from) => self.values.copy_within(from * plane..(from + 1) * plane, z * plane),
                None => self.values[z * plane..(z + 1) * plane].fill(ambient),
            }
        }
    }

    fn each_inner(&mut self, cpu: &Cpu, job: impl Fn(&mut [f32]) + Sync) {
        cpu.each(self.planes(), |plane| job(plane.values));
    }
}

/// A plane of a field, with its layers.
pub(super) struct Plane<'a> {
    /// Its number.
    pub z: usize,
    values: &'a mut [f32],
    stride: usize,
    size: [usize; 3],
    channels: usize,
}

impl Plane<'_> {
    /// A row without layers.
    #[inline(always)]
    pub fn row(&mut self, y: usize) -> &mut [f32] {
        let from = (LOW + self.stride * (y + LOW)) * self.channels;
        &mut self.values[from..from + self.size[0] * self.channels]
    }
}
