//! Operations of a flow map, on two axes; solids are left to the tests of devices against each other.

use flow_ofx::sim::fluid::flow_map::FlowMap;
use flow_ofx::sim::fluid::{Boundary, Curve, Domain, FieldId, Fields, Operation, Stamp, VectorField};

use super::transport::{Sampled, Tap, sampled};
use super::{bounded, index, positions, update};

/// An index along an axis, the last inside beyond a side that does not wrap.
fn nearest(domain: &Domain, axis: usize, at: i64) -> usize {
    let n = domain.size[axis] as i64;
    (if domain.sides[axis][0] == Boundary::Wrap { at.rem_euclid(n) } else { at.clamp(0, n - 1) }) as usize
}

/// A component of a map at a cell or the nearest one inside.
fn at_nearest(domain: &Domain, map: &[f32], [x, y]: [i64; 2], component: usize) -> f32 {
    map[4 * (nearest(domain, 1, y) * domain.size[0] + nearest(domain, 0, x)) + component]
}

fn limited(field: &Sampled<'_>, taps: &[Tap; 2], component: usize) -> f32 {
    let [least, most] = field.limits(taps, component);
    bounded(field.cubic(Curve::CatmullRom, taps, component).max(least).min(most))
}

fn advect(fields: &Fields<Vec<f32>>, domain: &Domain, backtrace: VectorField, from: FieldId) -> Vec<f32> {
    let (field, map) = (sampled(fields, domain, from, 2, 4), fields.get(from));
    let one = |[x, y, _]: [usize; 3]| {
        let cell = index(domain.size, [x, y, 0]);
        let taps = field.taps([x, y], 2, [0, 1].map(|axis| fields.get(backtrace[axis])[cell]));
        let [wx, wy] = taps.each_ref().map(|tap| Curve::CatmullRom.weights(tap.part));
        let mix = |v: [f32; 4], w: [f32; 4]| (v[0] * w[0] + v[1] * w[1]) + (v[2] * w[2] + v[3] * w[3]);
        let moved = [0, 1].map(|axis| (taps[axis].first - [x, y][axis] as i64) as f32 + taps[axis].part);
        let displacement = [0, 1].map(|axis| {
            let rows = [-1, 0, 1, 2].map(|dy| {
                let row = [-1, 0, 1, 2].map(|dx| [taps[0].first + dx, taps[1].first + dy]);
                mix(row.map(|at| at_nearest(domain, map, at, axis)), wx)
            });
            bounded(mix(rows, wy) + moved[axis])
        });
        [displacement[0], displacement[1], limited(&field, &taps, 2), 0.0]
    };
    positions(domain.size).flat_map(one).collect()
}

fn read(fields: &Fields<Vec<f32>>, domain: &Domain, of: FlowMap) -> Vec<f32> {
    let (base, map) = (sampled(fields, domain, of.base, 2, 4), fields.get(of.map));
    let one = |[x, y, _]: [usize; 3]| {
        let cell = 4 * index(domain.size, [x, y, 0]);
        let here = [x as i64, y as i64];
        // Gradient of the position in the base: by axis of the difference, then by component.
        let gradient = [0, 1].map(|axis| {
            let by = |by: i64| {
                let mut there = here;
                there[axis] += by;
                [0, 1].map(|component| at_nearest(domain, map, there, component))
            };
            let inner = here[axis] > 0 && here[axis] + 1 < domain.size[axis] as i64;
            let per_cell = if inner || domain.sides[axis][0] == Boundary::Wrap { 0.5 } else { 1.0 };
            let (low, high) = (by(-1), by(1));
            [0, 1].map(|part| f32::from(u8::from(part == axis)) + (high[part] - low[part]) * per_cell)
        });
        let square: f32 = gradient.iter().flatten().map(|g| g * g).sum();
        let reading = |offset: [f32; 2], component: usize| {
            let place = [0, 1].map(|axis| map[cell + axis] + offset[axis]);
            let from = [0, 1].map(|axis| here[axis] + i64::from(of.shift[axis]));
            limited(&base, &base.taps_from(from, place), component)
        };
        [0, 1, 2, 3].map(|component| {
            let value = if square > 3.125 {
                let at = |sx: f32, sy: f32| {
                    let offset = [0, 1].map(|part| {
                        (gradient[0][part] * (0.25 * sx) + gradient[1][part] * (0.25 * sy)).clamp(-1.0, 1.0)
                    });
                    reading(offset, component)
                };
                ((at(-1.0, -1.0) + at(1.0, -1.0)) + (at(-1.0, 1.0) + at(1.0, 1.0))) * 0.25
            } else {
                reading([0.0; 2], component)
            };
            bounded(value * (map[cell + 2] * of.scale) + fields.get(of.residual)[cell + component])
        })
    };
    positions(domain.size).flat_map(one).collect()
}

/// Runs an operation of a flow map.
pub fn run(fields: &mut Fields<Vec<f32>>, operation: Operation<'_>) {
    match operation {
        Operation::AdvectMap { domain, backtrace, from, to } => {
            let made = advect(fields, domain, backtrace, from);
            update(fields, to, |_, to| *to = made);
        }
        Operation::ReadMap { domain, map, fading, to } => {
            let mut made = read(fields, domain, map);
            if let Some((old, share)) = fading {
                let old = read(fields, domain, old);
                made.iter_mut().zip(old).for_each(|(c, o)| *c = o + (*c - o) * share);
            }
            update(fields, to, |_, to| *to = made);
        }
        Operation::StampMap { domain, stamp, first, size, values, dye, map } => {
            let (mut survival, mut residual) = (fields.take(map.map), fields.take(map.residual));
            for (nth, [i, j, _]) in positions(size).enumerate() {
                let [x, y] = [first[0] + i, first[1] + j];
                let at = 4 * index(domain.size, [x, y, 0]);
                let value = &fields.get(values)[4 * nth..4 * nth + 4];
                let inside = x < domain.size[0] && y < domain.size[1];
                if inside && value[3] > if stamp == Stamp::FillUp { fields.get(dye)[at + 3] } else { 0.0 } {
                    survival[at + 2] = 0.0;
                    residual[at..at + 4].copy_from_slice(value);
                }
            }
            fields.put(map.map, survival);
            fields.put(map.residual, residual);
        }
        Operation::FillSolids { from, to, .. } => {
            update(fields, to, |fields, to| to.copy_from_slice(fields.get(from)));
        }
        _ => super::fire::run(fields, operation),
    }
}
