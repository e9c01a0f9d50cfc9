//! Operations of fire, on two axes.

use flow_ofx::sim::fluid::combustion::{Burning, FlameForces};
use flow_ofx::sim::fluid::{Boundary, Domain, FieldId, Fields, Operation, VectorField};

use super::{index, is_solid, positions, update};

/// Smoothstep from `low` to `high`.
fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Fuel burnt per frame in a cell.
fn burn(of: &Burning, temperature: &mut f32, gas: &mut [f32]) -> f32 {
    let r = smoothstep(of.ignition, of.ignition + 0.1, *temperature);
    let b = gas[0].min(of.rate * r);
    gas[0] -= b;
    if b > 0.0 {
        *temperature = 1.0 - (1.0 - *temperature) * (-of.heat * b).exp();
    }
    gas[2] += gas[1] * (0.15 + 0.85 * r) * of.ageing;
    let age = if gas[1] > 0.0 { gas[2] / gas[1] } else { 0.0 };
    gas[3] = gas[3] * of.keep + of.soot * b * smoothstep(0.2, 0.7, age);
    b * of.per_frame
}

/// A cell, or the nearest one inside; wrapped on an axis that wraps.
fn inside(domain: &Domain, cell: [i64; 2]) -> [usize; 3] {
    let at = |axis: usize| {
        let n = domain.size[axis] as i64;
        let wraps = domain.sides[axis][0] == Boundary::Wrap;
        (if wraps { cell[axis].rem_euclid(n) } else { cell[axis].clamp(0, n - 1) }) as usize
    };
    [at(0), at(1), 0]
}

/// The neighbours of a cell on the left, right, below and above, without solids.
fn neighbours(fields: &Fields<Vec<f32>>, domain: &Domain, [x, y, _]: [usize; 3]) -> [usize; 4] {
    [[-1, 0], [1, 0], [0, -1], [0, 1]].map(|[dx, dy]| {
        let there = inside(domain, [x as i64 + dx, y as i64 + dy]);
        let solid = is_solid(fields, domain, Some(there));
        index(domain.size, if solid { [x, y, 0] } else { there })
    })
}

fn spread(fields: &Fields<Vec<f32>>, domain: &Domain, numbers: [f32; 4], n: usize, from: &[f32], to: &mut [f32]) {
    for cell in positions(domain.size) {
        let at = index(domain.size, cell);
        let solid = is_solid(fields, domain, Some(cell));
        let [left, right, below, above] = neighbours(fields, domain, cell);
        for part in 0..n {
            let here = from[at * n + part];
            let along = |a: usize, b: usize| (from[a * n + part] - here) + (from[b * n + part] - here);
            let number = if solid { 0.0 } else { numbers[part] };
            to[at * n + part] = here + number * (along(left, right) + along(below, above));
        }
    }
}

/// The share of the disturbance, the velocity that shredding adds, and the relaxation of a cell.
fn quantities(
    fields: &Fields<Vec<f32>>,
    domain: &Domain,
    forces: &FlameForces,
    (temperature, velocity): (FieldId, VectorField),
    cell: [usize; 3],
) -> (f32, [f32; 2], f32) {
    let temperature = fields.get(temperature);
    let [left, right, below, above] = neighbours(fields, domain, cell);
    let heat = temperature[index(domain.size, cell)];
    let g = [0.5 * (temperature[right] - temperature[left]), 0.5 * (temperature[above] - temperature[below])];
    let l = (g[0] * g[0] + g[1] * g[1]).sqrt();
    let mean = |axis: usize| {
        let (mut size, mut next) = (domain.size, cell);
        (size[axis], next[axis]) = (size[axis] + 1, next[axis] + 1);
        let values = fields.get(velocity[axis]);
        0.5 * (values[index(size, cell)] + values[index(size, next)])
    };
    let mut shredding = [0.0; 2];
    if l > 0.0 {
        let n = g.map(|along| along / l);
        let most = forces.shredding_max;
        let along = (mean(0) * n[0] + mean(1) * n[1]).clamp(-most, most);
        shredding = n.map(|n| forces.shredding * along * smoothstep(0.01, 0.06, l * forces.unit) * n);
    }
    let m = smoothstep(0.03, 0.15, heat) * (1.0 - smoothstep(0.75, 1.0, heat));
    (m, shredding, 1.0 - (-forces.drag * (1.0 - smoothstep(0.05, 0.3, heat))).exp())
}

/// Runs an operation of fire.
pub fn run(fields: &mut Fields<Vec<f32>>, operation: Operation<'_>) {
    match operation {
        Operation::Burn { burning, temperature, flame } => {
            let (mut hot, mut gas) = (fields.take(temperature), fields.take(flame.gas));
            let cells = hot.iter_mut().zip(gas.chunks_exact_mut(4));
            let burnt = cells.map(|(temperature, gas)| burn(&burning, temperature, gas)).collect();
            fields.put(temperature, hot);
            fields.put(flame.gas, gas);
            update(fields, flame.burning, |_, to| *to = burnt);
        }
        Operation::Cool { rate, temperature } => update(fields, temperature, |_, temperature| {
            for t in temperature.iter_mut().filter(|t| **t > 1e-4) {
                *t = (t.powi(-3) + rate).powf(-1.0 / 3.0);
            }
        }),
        Operation::Spread { domain, shape, numbers, from, to } => update(fields, to, |fields, to| {
            spread(fields, domain, numbers, shape.components, fields.get(from), to);
        }),
        Operation::FlameForce { domain, forces, temperature, gas, disturbance, from, to } => {
            for axis in 0..2 {
                update(fields, to[axis], |fields, to| {
                    let mut size = domain.size;
                    size[axis] += 1;
                    for face in positions(size) {
                        let at = index(size, face);
                        let [x, y] = [face[0] as i64, face[1] as i64];
                        let before = if axis == 0 { [x - 1, y] } else { [x, y - 1] };
                        let cells = [before, [x, y]].map(|cell| inside(domain, cell));
                        let [first, second] =
                            cells.map(|cell| quantities(fields, domain, &forces, (temperature, from), cell));
                        let [soot, more] = cells.map(|cell| fields.get(gas)[4 * index(domain.size, cell) + 3]);
                        let mut force = 0.5 * (soot + more) * forces.weight[axis];
                        if let Some(disturbance) = disturbance {
                            let given = fields.get(disturbance[axis])[at] * forces.disturbance;
                            force += 0.5 * (first.0 + second.0) * given;
                        }
                        force += 0.5 * (first.1[axis] + second.1[axis]);
                        let value = fields.get(from[axis])[at] + force;
                        let place = [0, 1].map(|along| face[along] as f32 + if along == axis { 0.0 } else { 0.5 });
                        let share = forces.ramp[0] * place[0] + forces.ramp[1] * place[1] + forces.ramp[3];
                        let goal = forces.updraft[axis] * share.clamp(0.0, 1.0);
                        to[at] = value + (goal - value) * (0.5 * (first.2 + second.2));
                    }
                });
            }
        }
        _ => unimplemented!("{operation:?}"),
    }
}
