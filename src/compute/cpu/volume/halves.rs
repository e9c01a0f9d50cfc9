//! Scalars as halves, rounded stochastically, and the range of those that are more than a trace.

use super::super::Cpu;
use super::super::wide::Do;
use crate::sim::volume::fields::Bounds;
use crate::sim::volume::rounding::{bits, round};
use crate::sim::volume::state::TRACE;

/// Cells that are rounded together, or not at all where they have no scalars.
const GROUP: usize = 16;

/// Rounds the packs of a row, of which the first is that of the cell `first` of the lattice, in the step `step`.
/// `pack`: 0 for the scalars, 1 for the gases, 2 for the tints.
pub(super) fn round_row(cpu: &Cpu, from: &[f32], first: [i32; 3], (step, pack): (u32, u32), to: &mut [u16]) {
    let [low, y, z] = first;
    cpu.isa.run(Do(
        #[inline(always)]
        || {
            for (group, (to, from)) in to.chunks_mut(4 * GROUP).zip(from.chunks(4 * GROUP)).enumerate() {
                if from.iter().fold(0, |any, value| any | value.to_bits()) == 0 {
                    to.fill(0);
                    continue;
                }
                let low = low + (group * GROUP) as i32;
                let cells = to.as_chunks_mut::<4>().0.iter_mut().zip(from.as_chunks::<4>().0);
                for (x, (to, from)) in cells.enumerate() {
                    let random = bits([low + x as i32, y, z], step, pack);
                    for channel in 0..4 {
                        to[channel] = round(from[channel], random[channel]);
                    }
                }
            }
        },
    ));
}

/// The cells with more than a trace: the first along each axis, and the one after the last, cells of the lattice.
pub(super) fn active(cpu: &Cpu, packs: &[u16], bounds: Bounds) -> Option<[[i32; 3]; 2]> {
    let [columns, rows, _] = bounds.cells;
    let plane = 4 * columns * rows;
    let planes = cpu.each(packs.chunks_exact(plane).collect(), |plane: &[u16]| {
        let mut found: Option<[usize; 4]> = None;
        for (y, row) in plane.chunks_exact(4 * columns).enumerate() {
            if !row.iter().fold(false, |any, half| any | (*half > TRACE)) {
                continue;
            }
            let more = |pack: &[u16; 4]| pack.iter().any(|half| *half > TRACE);
            let packs = row.as_chunks::<4>().0;
            let first = packs.iter().position(more).unwrap_or(0);
            let last = packs.iter().rposition(more).unwrap_or(0);
            let [x0, x1, y0, _] = found.unwrap_or([first, last, y, y]);
            found = Some([x0.min(first), x1.max(last), y0, y]);
        }
        found
    });
    let mut all: Option<[[usize; 3]; 2]> = None;
    for (z, [x0, x1, y0, y1]) in planes.into_iter().enumerate().filter_map(|(z, found)| Some((z, found?))) {
        let [low, high] = all.unwrap_or([[x0, y0, z], [x1, y1, z]]);
        all = Some([[low[0].min(x0), low[1].min(y0), low[2]], [high[0].max(x1), high[1].max(y1), z]]);
    }
    let [low, high] = all?;
    let place = |at: [usize; 3], more: i32| std::array::from_fn(|axis| bounds.low[axis] + at[axis] as i32 + more);
    Some([place(low, 0), place(high, 1)])
}
