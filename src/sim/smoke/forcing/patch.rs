//! Patches: rectangles of values, computed row by row.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use bytemuck::Zeroable;

use super::Patch;
use super::raster::Raster;
use crate::sim::fluid::Staggering;
use crate::sim::request;
use crate::sim::smoke::Workers;

/// A rectangle of a field by its columns and rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellRange {
    /// Columns.
    pub x: Range<usize>,
    /// Rows.
    pub y: Range<usize>,
}

impl CellRange {
    /// The whole field.
    pub fn all(raster: &Raster<'_>, staggering: Staggering) -> CellRange {
        let [width, height] = raster.size(staggering);
        CellRange { x: 0..width, y: 0..height }
    }

    /// The range that contains all values of a field between the positions `low` and `high`, in cells, with a margin;
    /// clipped to the field. On a wrapped axis it also contains the periodic images, and may span the whole axis.
    pub fn bounding(raster: &Raster<'_>, staggering: Staggering, low: [f64; 2], high: [f64; 2]) -> CellRange {
        let size = raster.size(staggering);
        let cells = [raster.width as f64, raster.height as f64];
        let [x, y] = [0, 1].map(|axis| {
            let offsets: &[f64] = if raster.wrap[axis] { &[-1.0, 0.0, 1.0] } else { &[0.0] };
            let mut range = 0..0;
            for offset in offsets.iter().map(|o| o * cells[axis]) {
                let from = libm::floor(low[axis] + offset - 0.5).max(0.0) as usize;
                let to = (libm::ceil(high[axis] + offset + 0.5).max(0.0) as usize).min(size[axis]);
                if from < to {
                    range = if range.is_empty() { from..to } else { range.start.min(from)..range.end.max(to) };
                }
            }
            range
        });
        CellRange { x, y }
    }
}

/// Calls `draw` with the number and the values of each row of `values`, `width` long, on the threads of the workers.
pub(super) fn for_each_row<T: Send>(
    workers: &dyn Workers,
    values: &mut [T],
    width: usize,
    draw: impl Fn(usize, &mut [T]) + Sync,
) {
    if values.is_empty() {
        return;
    }
    let rows: Vec<_> = values.chunks_mut(width).map(Mutex::new).collect();
    workers.each(rows.len(), &|y| draw(y, &mut rows[y].lock().unwrap_or_else(PoisonError::into_inner)));
}

/// A patch of the values `value(column, row)` of a rectangle, cropped to those that differ from the default (zeros);
/// `None` if all are the default.
pub(super) fn rasterise_patch<T: Copy + Default + PartialEq + Send + Zeroable>(
    raster: &Raster<'_>,
    area: &CellRange,
    value: impl Fn(usize, usize) -> T + Sync,
) -> Option<Patch<T>> {
    let (width, height) = (area.x.len(), area.y.len());
    let mut values = request::zeros(width * height);
    let mut used = vec![0..0; height];
    {
        let lines: Vec<_> = values.chunks_mut(width.max(1)).zip(&mut used).map(Mutex::new).collect();
        raster.workers.each(lines.len(), &|row| {
            let mut line = lines[row].lock().unwrap_or_else(PoisonError::into_inner);
            let (out, used) = &mut *line;
            for (column, out) in out.iter_mut().enumerate() {
                let value = value(area.x.start + column, area.y.start + row);
                // Zeros are not written, so that pages of zero-initialised memory stay uncommitted.
                if value != T::default() {
                    *out = value;
                    let from = if used.end == 0 { column } else { used.start };
                    **used = from..column + 1;
                }
            }
        });
    }
    let low = used.iter().position(|line| !line.is_empty())?;
    let high = used.iter().rposition(|line| !line.is_empty())? + 1;
    let lines = || used.iter().filter(|line| !line.is_empty());
    let (left, right) = (lines().map(|line| line.start).min()?, lines().map(|line| line.end).max()?);
    if (right - left, high - low) != (width, height) {
        let rows = values.chunks(width).take(high).skip(low);
        let mut cut = request::with_capacity((right - left) * (high - low));
        rows.for_each(|row| cut.extend_from_slice(&row[left..right]));
        values = cut;
    }
    Some(Patch { x: area.x.start + left, y: area.y.start + low, width: right - left, height: high - low, values })
}
