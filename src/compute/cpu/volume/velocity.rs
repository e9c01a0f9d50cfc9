//! Conversion of the velocity of a state to fields with layers of ghost values around a box, and back.

use std::sync::Arc;

use super::super::Cpu;
use super::super::wide::Do;
use super::padded::Padded;
use crate::sim::memory::Values;
use crate::sim::volume::State;
use crate::sim::volume::fields::Bounds;
use crate::sim::volume::plan::VELOCITY_MAX;
use crate::sim::volume::settings::Side;
use crate::sim::volume::state::face_sizes;

/// The velocity of a state in another box: new faces have the velocity of the nearest old one. Layers unspecified.
pub(super) fn expanded(cpu: &Cpu, state: &State, to: Bounds) -> [Padded; 3] {
    let shift: [i32; 3] = std::array::from_fn(|axis| to.low[axis] - state.bounds.low[axis]);
    std::array::from_fn(|axis| {
        let old = face_sizes(state.bounds.cells, axis);
        let mut padded = Padded::uninitialised(face_sizes(to.cells, axis), 1, cpu.memory());
        let from = &state.velocity[axis];
        let size = padded.size;
        let nearest = |at: usize, along: usize| (at as i32 + shift[along]).clamp(0, old[along] as i32 - 1) as usize;
        cpu.each(padded.planes(), |mut plane| {
            let z = nearest(plane.z, 2);
            for y in 0..size[1] {
                let row = plane.row(y);
                let old = &from[(nearest(y, 1) + old[1] * z) * old[0]..][..old[0]];
                let first = (-shift[0]).clamp(0, size[0] as i32) as usize;
                let last = (old.len() as i32 - shift[0]).clamp(first as i32, size[0] as i32) as usize;
                row[..first].fill(old[0]);
                if last > first {
                    let start = (first as i32 + shift[0]) as usize;
                    row[first..last].copy_from_slice(&old[start..start + last - first]);
                }
                row[last..].fill(old[old.len() - 1]);
            }
        });
        padded
    })
}

/// Sets the faces of closed sides to 0, and the last faces of wrapped axes to the first.
pub(super) fn enforce_sides(cpu: &Cpu, velocity: &mut [Padded; 3], sides: [[Side; 2]; 3]) {
    for (axis, field) in velocity.iter_mut().enumerate() {
        let [low, high] = sides[axis].map(|side| side == Side::Closed);
        let wrapped = sides[axis][0] == Side::Wrapped;
        if !low && !high && !wrapped {
            continue;
        }
        let size = field.size;
        if axis == 2 {
            let mut planes = field.planes();
            let last = planes.len() - 1;
            for (at, closed) in [(0, low), (last, high)] {
                for y in (0..size[1]).filter(|_| closed) {
                    planes[at].row(y).fill(0.0);
                }
            }
            if wrapped && let [first, .., last] = &mut planes[..] {
                for y in 0..size[1] {
                    last.row(y).copy_from_slice(first.row(y));
                }
            }
            continue;
        }
        cpu.each(field.planes(), |mut plane| {
            if axis == 1 {
                for (at, _) in [(0, low), (size[1] - 1, high)].into_iter().filter(|(_, closed)| *closed) {
                    plane.row(at).fill(0.0);
                }
                if wrapped {
                    let first = plane.row(0).to_vec();
                    plane.row(size[1] - 1).copy_from_slice(&first);
                }
                return;
            }
            for y in 0..size[1] {
                let row = plane.row(y);
                let last = row.len() - 1;
                if low {
                    row[0] = 0.0;
                }
                if high {
                    row[last] = 0.0;
                }
                if wrapped {
                    row[last] = row[0];
                }
            }
        });
    }
}

/// The velocity without layers, each value finite and limited, and its largest magnitude.
pub(super) fn compact(cpu: &Cpu, velocity: [Padded; 3]) -> ([Arc<Values<f32>>; 3], f32) {
    let mut most = 0.0_f32;
    let fields = velocity.map(|field| {
        let size = field.size;
        let plane = size[0] * size[1];
        let mut values = Values::uninitialised(plane * size[2], cpu.memory());
        let largest = cpu.each(values.chunks_exact_mut(plane).enumerate().collect(), |(z, to): (usize, &mut [f32])| {
            let mut most = [0.0_f32; 16];
            for (y, to) in to.chunks_exact_mut(size[0]).enumerate() {
                let from = field.row([y, z]);
                cpu.isa.run(Do(
                    #[inline(always)]
                    || {
                        let limit = VELOCITY_MAX as f32;
                        for (to, from) in to.iter_mut().zip(from) {
                            let value = from.max(-limit).min(limit);
                            *to = if from.is_nan() { 0.0 } else { value };
                        }
                        for group in to.chunks(16) {
                            for (most, value) in most.iter_mut().zip(group) {
                                *most = most.max(value.abs());
                            }
                        }
                    },
                ));
            }
            most.into_iter().fold(0.0, f32::max)
        });
        most = largest.into_iter().fold(most, f32::max);
        Arc::new(values)
    });
    (fields, most)
}
