//! All inflows of a frame, packed into one set of planes.

use crate::sim::water::field::Field;
use crate::sim::water::plan::{Device, FramePlan, Inflow, RowCounts};

/// Largest number of inflows of a frame: their remainders share a word, ten bits each.
pub(super) const MOST_LAYERS: usize = 3;

/// The inflows of a frame over the cells that they reach.
pub(super) struct PackedInflow {
    /// First column and row, ring coordinates.
    pub from: [usize; 2],
    /// Amounts per step of water (in Ripples, negative ones, too), red, green and blue; where `shared`, their remainders follow.
    pub shares: Field,
    /// There are remainders.
    pub shared: bool,
    /// There is pigment.
    pub coloured: bool,
    /// Total of each kind over the frame, units.
    pub added: [i64; 4],
}

/// Packs the inflows; `None` where nothing flows in.
pub(super) fn pack(plan: &FramePlan, device: &dyn Device) -> Option<PackedInflow> {
    let inflows = &plan.inflows;
    let [left, right] =
        span(inflows.iter().flat_map(|l| &l.extents).filter(|e| !e.is_empty()).map(|e| [e.start, e.end]))?;
    let rows = |l: &Inflow| {
        let from = l.extents.iter().position(|e| !e.is_empty())?;
        Some([from, l.extents.iter().rposition(|e| !e.is_empty())? + 1])
    };
    let [bottom, top] = span(inflows.iter().filter_map(rows))?;
    let coloured = inflows.iter().any(|l| l.coloured);
    let shared = inflows.iter().any(|l| l.shares.planes() == 8);
    let kinds = if coloured { 4 } else { 1 };
    let mut shares = Field::new(right - left, top - bottom, if shared { 2 * kinds } else { kinds });
    let stride = shares.stride();
    let steps = u64::from(plan.steps);
    let counts = device.rows(&mut shares, &|y, row| {
        let mut counts = RowCounts::default();
        for (nth, inflow) in inflows.iter().enumerate() {
            let extent = inflow.extents[bottom + y].clone();
            let kinds = if inflow.coloured { 4 } else { 1 };
            let line = bottom + y + 1;
            for kind in (0..kinds).filter(|_| !extent.is_empty()) {
                let at = kind * stride + extent.start - left + 1;
                let bases = &inflow.shares.row(line, kind)[extent.clone()];
                for (to, &base) in row[at..].iter_mut().zip(bases) {
                    *to += base;
                    counts[kind] = counts[kind].wrapping_add((base as u64).wrapping_mul(steps));
                }
                if inflow.shares.planes() == 8 {
                    let at = at + if coloured { 4 } else { 1 } * stride;
                    let rests = &inflow.shares.row(line, kind + 4)[extent.clone()];
                    for (to, &rest) in row[at..].iter_mut().zip(rests) {
                        *to |= rest << (10 * nth);
                        counts[kind] = counts[kind].wrapping_add((rest as u64).min(steps));
                    }
                }
            }
        }
        counts
    });
    Some(PackedInflow { from: [left, bottom + 1], shares, shared, coloured, added: counts.map(|c| c as i64) })
}

/// The least start and the greatest end.
fn span(ranges: impl Iterator<Item = [usize; 2]>) -> Option<[usize; 2]> {
    ranges.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}
