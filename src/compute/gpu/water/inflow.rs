//! What flows in over a frame, as one set of planes for all layers.

use crate::sim::water::field::Field;
use crate::sim::water::plan::{Device, FramePlan, Layer, RowCounts};

/// Layers that a frame may have: their remainders share a word, ten bits each.
pub(in crate::compute::gpu) const MOST_LAYERS: usize = 3;

/// The layers of a frame over the cells that they reach.
pub(in crate::compute::gpu) struct Inflow {
    /// First column and row, ring coordinates.
    pub from: [usize; 2],
    /// Bases of the kinds, then, where shared, their remainders.
    pub shares: Field,
    /// There are remainders.
    pub shared: bool,
    /// There is pigment.
    pub coloured: bool,
    /// What comes in over the frame's steps.
    pub added: [i64; 4],
}

/// Packs the layers; `None` where nothing flows in.
pub(in crate::compute::gpu) fn pack(plan: &FramePlan, device: &dyn Device) -> Option<Inflow> {
    let layers = &plan.layers;
    let [left, right] =
        span(layers.iter().flat_map(|l| &l.extents).filter(|e| !e.is_empty()).map(|e| [e.start, e.end]))?;
    let rows = |l: &Layer| {
        let from = l.extents.iter().position(|e| !e.is_empty())?;
        Some([from, l.extents.iter().rposition(|e| !e.is_empty())? + 1])
    };
    let [bottom, top] = span(layers.iter().filter_map(rows))?;
    let coloured = layers.iter().any(|l| l.coloured);
    let shared = layers.iter().any(|l| l.shares.planes() == 8);
    let kinds = if coloured { 4 } else { 1 };
    let mut shares = Field::new(right - left, top - bottom, if shared { 2 * kinds } else { kinds });
    let stride = shares.stride();
    let steps = u64::from(plan.steps);
    let counts = device.rows(&mut shares, &|y, row| {
        let mut counts = RowCounts::default();
        for (nth, layer) in layers.iter().enumerate() {
            let extent = layer.extents[bottom + y].clone();
            let kinds = if layer.coloured { 4 } else { 1 };
            let line = bottom + y + 1;
            for kind in (0..kinds).filter(|_| !extent.is_empty()) {
                let at = kind * stride + extent.start - left + 1;
                let bases = &layer.shares.row(line, kind)[extent.clone()];
                for (to, &base) in row[at..].iter_mut().zip(bases) {
                    *to += base;
                    counts[kind] += base as u64 * steps;
                }
                if layer.shares.planes() == 8 {
                    let at = at + if coloured { 4 } else { 1 } * stride;
                    let rests = &layer.shares.row(line, kind + 4)[extent.clone()];
                    for (to, &rest) in row[at..].iter_mut().zip(rests) {
                        *to |= rest << (10 * nth);
                        counts[kind] += (rest as u64).min(steps);
                    }
                }
            }
        }
        counts
    });
    Some(Inflow { from: [left, bottom + 1], shares, shared, coloured, added: counts.map(|c| c as i64) })
}

/// From the least start to the greatest end.
fn span(ranges: impl Iterator<Item = [usize; 2]>) -> Option<[usize; 2]> {
    ranges.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}
