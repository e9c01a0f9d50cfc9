//! The scalar reference backend: the operations as their formulas stand, on grids of any rank, one value at a time.
//! `transport` has those on velocity and scalars, `fire` those of fire, `flow_map` those of a flow map, of two axes.
#![allow(dead_code, reason = "each test takes what it needs")]

mod fire;
mod flow_map;
pub mod transport;

use std::sync::Arc;

use flow_ofx::sim::fluid::level::{between, covers, within};
use flow_ofx::sim::fluid::workspace::DetachedWorkspace;
use flow_ofx::sim::fluid::{
    Backend, Boundary, Colour, Domain, Failed, FieldId, Fields, HostFields, Level, LevelOperand, Operation,
    Prolongation, Reductions, Regions, Relax, Restriction, VALUE_MAX, VectorField, VelocityStatistics,
};
use flow_ofx::sim::memory::Values;

/// The reference backend.
pub struct Reference;

/// Indices of all positions of a box, x first.
pub fn positions(size: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let [w, h, d] = size;
    (0..w * h * d).map(move |at| [at % w, at / w % h, at / (w * h)])
}

/// The place of a position in memory.
pub fn index(size: [usize; 3], [i, j, k]: [usize; 3]) -> usize {
    (k * size[1] + j) * size[0] + i
}

/// The size of the face grid of an axis.
pub fn face_size(mut size: [usize; 3], axis: usize) -> [usize; 3] {
    size[axis] += 1;
    size
}

/// Axes along which a velocity has a component.
fn axes(velocity: VectorField) -> impl Iterator<Item = (usize, FieldId)> {
    (0..velocity.len()).map(move |axis| (axis, velocity[axis]))
}

/// The neighbour of a cell on the low (0) or the high (1) side along an axis.
fn neighbour(
    size: [usize; 3],
    sides: [[Boundary; 2]; 3],
    mut cell: [usize; 3],
    axis: usize,
    side: usize,
) -> Option<[usize; 3]> {
    let (at, n) = (cell[axis], size[axis]);
    let outside = if side == 0 { at == 0 } else { at + 1 == n };
    cell[axis] = match (outside, side) {
        (false, 0) => at - 1,
        (false, _) => at + 1,
        (true, _) if sides[axis][side] != Boundary::Wrap => return None,
        (true, 0) => n - 1,
        (true, _) => 0,
    };
    Some(cell)
}

/// The coefficient of a cell's face.
fn coefficient(fields: &Fields<Vec<f32>>, of: LevelOperand<'_>, cell: [usize; 3], axis: usize, side: usize) -> f32 {
    let level = of.level;
    if let Some(coefficients) = of.coefficients {
        let Some(faces) = coefficients.faces.get(axis) else { return 0.0 };
        let mut face = cell;
        face[axis] += side;
        return fields.get(*faces)[index(face_size(level.size, axis), face)];
    }
    match cell[axis] == if side == 0 { 0 } else { level.size[axis] - 1 } {
        true => level.side_coefficient[axis][side],
        false => level.coefficient[axis],
    }
}

/// Σ a·neighbour and Σ a of a cell.
fn sums(fields: &Fields<Vec<f32>>, of: LevelOperand<'_>, x: &[f32], cell: [usize; 3]) -> [f32; 2] {
    let (mut sum, mut all) = (0.0, 0.0);
    for axis in 0..3 {
        let (mut along, mut a_along) = (0.0, 0.0);
        for side in 0..2 {
            let a = coefficient(fields, of, cell, axis, side);
            let there = neighbour(of.level.size, of.level.sides, cell, axis, side);
            along += a * there.map_or(0.0, |there| x[index(of.level.size, there)]);
            a_along += a;
        }
        sum += along;
        all += a_along;
    }
    [sum, all]
}

/// `A x`.
fn product(fields: &Fields<Vec<f32>>, of: LevelOperand<'_>, x: &[f32]) -> Vec<f32> {
    let size = of.level.size;
    let one = |cell: [usize; 3]| {
        let here = x[index(size, cell)];
        let mut sum = 0.0;
        for (axis, side) in (0..3).flat_map(|axis| [(axis, 0), (axis, 1)]) {
            let there = neighbour(size, of.level.sides, cell, axis, side).map_or(0.0, |there| x[index(size, there)]);
            sum += coefficient(fields, of, cell, axis, side) * (here - there);
        }
        sum
    };
    positions(size).map(one).collect()
}

fn squares(values: &[f32]) -> f64 {
    values.iter().map(|value| f64::from(*value) * f64::from(*value)).sum()
}

/// Red-black sweeps; a half sweep reads the values before it.
fn relax(fields: &Fields<Vec<f32>>, of: LevelOperand<'_>, relax: Relax, b: &[f32], x: &mut [f32]) {
    for half in 0..2 * relax.sweeps {
        let parity = usize::from((relax.first == Colour::Black) != (half % 2 == 1));
        let before = x.to_vec();
        for cell in positions(of.level.size).filter(|cell| cell.iter().sum::<usize>() % 2 == parity) {
            let (at, [sum, all]) = (index(of.level.size, cell), sums(fields, of, &before, cell));
            let j = if all > 0.0 { (b[at] + sum) / all } else { 0.0 };
            x[at] = before[at] + relax.omega * (j - before[at]);
        }
    }
}

/// The fine cells of a coarse one along an axis, with their shares.
fn restricted(fine: usize, coarse: usize, at: usize, restriction: Restriction) -> Vec<(usize, f32)> {
    match restriction {
        Restriction::Mean => {
            let (from, shares) = covers(fine, coarse, at);
            (from..).zip(shares).filter(|(_, share)| *share > 0.0).collect()
        }
        Restriction::Sum if fine == coarse => vec![(at, 1.0)],
        Restriction::Sum => (2 * at..(2 * at + 2).min(fine)).map(|cell| (cell, 1.0)).collect(),
    }
}

/// The coarse cells of a fine one along an axis, with their shares.
fn prolonged(fine: &Level, coarse: &Level, axis: usize, at: usize, prolongation: Prolongation) -> Vec<(usize, f32)> {
    let (n, m) = (fine.size[axis], coarse.size[axis]);
    let (low, share) = match prolongation {
        Prolongation::Linear => between(n, m, at),
        Prolongation::Mean => within(n, m, at),
        Prolongation::Constant => return vec![(if n == m { at } else { at / 2 }, 1.0)],
        Prolongation::Distances => {
            let parent = if n == m { at } else { at / 2 };
            let off = fine.centres[axis][at + 1] - coarse.centres[axis][parent + 1];
            let other = if off < 0.0 { parent } else { parent + 2 };
            let distance = (coarse.centres[axis][other] - coarse.centres[axis][parent + 1]).abs();
            if off == 0.0 || distance.is_nan() {
                return vec![(parent, 1.0)];
            }
            let share = (off.abs() / distance) as f32;
            // The point beyond an open side holds 0.
            let beside = (1..=m).contains(&other).then(|| (other - 1, share));
            return [(parent, 1.0 - share)].into_iter().chain(beside).collect();
        }
    };
    let reach = |at: isize| match at {
        _ if (0..m as isize).contains(&at) => (at as usize, 1.0),
        _ if coarse.wraps(axis) => (at.rem_euclid(m as isize) as usize, 1.0),
        _ => (at.clamp(0, m as isize - 1) as usize, coarse.ghost[axis][usize::from(at >= 0)]),
    };
    [(low, 1.0 - share), (low + 1, share)]
        .into_iter()
        .filter(|(_, share)| *share > 0.0)
        .map(|(at, share)| (reach(at).0, share * reach(at).1))
        .collect()
}

/// The sum of `from` over the tensor product of cells with shares per axis.
fn tensor(from: &[f32], size: [usize; 3], shares: [Vec<(usize, f32)>; 3]) -> f32 {
    let mut sum = 0.0;
    for (k, c) in &shares[2] {
        for (j, b) in &shares[1] {
            for (i, a) in &shares[0] {
                sum += a * b * c * from[index(size, [*i, *j, *k])];
            }
        }
    }
    sum
}

/// Whether a cell is solid; `None` counts as fluid.
fn is_solid(fields: &Fields<Vec<f32>>, domain: &Domain, cell: Option<[usize; 3]>) -> bool {
    domain.solids.zip(cell).is_some_and(|(solids, cell)| fields.get(solids.cells)[index(domain.size, cell)] > 0.0)
}

/// The two cells at a face.
fn cells_at(size: [usize; 3], sides: [[Boundary; 2]; 3], face: [usize; 3], axis: usize) -> [Option<[usize; 3]>; 2] {
    let high = (face[axis] < size[axis]).then_some(face);
    let mut low = face;
    low[axis] = face[axis].wrapping_sub(1);
    match high {
        Some(high) => [neighbour(size, sides, high, axis, 0), Some(high)],
        None => [Some(low), neighbour(size, sides, low, axis, 1)],
    }
}

fn enforce_boundaries(fields: &mut Fields<Vec<f32>>, domain: &Domain, velocity: VectorField) -> f64 {
    let mut changed = 0.0;
    for (axis, id) in axes(velocity) {
        let (mut values, size) = (fields.take(id), face_size(domain.size, axis));
        for face in positions(size) {
            let (at, side) = (index(size, face), usize::from(face[axis] > 0));
            let is_edge = face[axis] == 0 || face[axis] == domain.size[axis];
            if is_edge && domain.sides[axis][side] == Boundary::Closed {
                values[at] = 0.0;
            }
            let touches = cells_at(domain.size, domain.sides, face, axis).map(|cell| is_solid(fields, domain, cell));
            let repeats = domain.sides[axis][0] == Boundary::Wrap && face[axis] == domain.size[axis];
            if let Some(solids) = domain.solids.filter(|_| touches.contains(&true) && !repeats) {
                let given = fields.get(solids.velocity[axis])[at];
                changed += f64::from(values[at] - given).powi(2);
                values[at] = given;
            }
        }
        repeat_first(domain.sides, domain.size, axis, &mut values);
        fields.put(id, values);
    }
    changed
}

/// Where an axis wraps, sets the last faces to the first.
fn repeat_first(sides: [[Boundary; 2]; 3], cells: [usize; 3], axis: usize, values: &mut [f32]) {
    let size = face_size(cells, axis);
    for face in positions(size).filter(|face| sides[axis][0] == Boundary::Wrap && face[axis] == cells[axis]) {
        let mut first = face;
        first[axis] = 0;
        values[index(size, face)] = values[index(size, first)];
    }
}

fn correct(fields: &mut Fields<Vec<f32>>, of: LevelOperand<'_>, e: FieldId, velocity: VectorField) {
    let Level { size: cells, sides, .. } = *of.level;
    for (axis, id) in axes(velocity) {
        let (mut values, size, e) = (fields.take(id), face_size(cells, axis), fields.get(e));
        for face in positions(size) {
            let [low, high] = cells_at(cells, sides, face, axis);
            let weight = match of.coefficients {
                Some(of) => fields.get(of.faces[axis])[index(size, face)],
                None if low.is_some() && high.is_some() => {
                    f32::from(u8::from(sides[axis][0] != Boundary::Wrap || cells[axis] > 1))
                }
                None => f32::from(u8::from(sides[axis][usize::from(face[axis] > 0)] == Boundary::Open)),
            };
            let [low, high] = [low, high].map(|cell| cell.map_or(0.0, |cell| e[index(cells, cell)]));
            values[index(size, face)] -= weight * (high - low);
        }
        repeat_first(sides, cells, axis, &mut values);
        fields.put(id, values);
    }
}

fn divergence(
    fields: &Fields<Vec<f32>>,
    of: LevelOperand<'_>,
    velocity: VectorField,
    source: Option<FieldId>,
) -> Vec<f32> {
    let one = |cell: [usize; 3]| {
        let mut sum = 0.0;
        for (axis, id) in axes(velocity) {
            let (size, mut high) = (face_size(of.level.size, axis), cell);
            high[axis] += 1;
            sum += fields.get(id)[index(size, high)] - fields.get(id)[index(size, cell)];
        }
        let inverse = of.coefficients.map_or(1.0, |of_level| fields.get(of_level.inverse)[index(of.level.size, cell)]);
        let source = source.map_or(0.0, |source| fields.get(source)[index(of.level.size, cell)]);
        if inverse > 0.0 { source - sum } else { 0.0 }
    };
    positions(of.level.size).map(one).collect()
}

fn remove_mean(regions: &Regions, b: &mut [f32]) {
    let label = |at: usize| regions.labels.as_ref().map_or(0, |labels| labels[at]) as usize;
    let mut means = vec![0.0_f64; regions.cells.len()];
    for (at, b) in b.iter().enumerate().filter(|(at, _)| label(*at) < regions.cells.len()) {
        means[label(at)] += f64::from(*b) / regions.cells[label(at)] as f64;
    }
    for (at, b) in b.iter_mut().enumerate() {
        *b = match means.get(label(at)) {
            Some(mean) if regions.singular[label(at)] => (f64::from(*b) - mean) as f32,
            Some(_) => *b,
            None => 0.0,
        };
    }
}

/// Replaces the values of a field by those that `make` makes of the fields and of the old values.
pub fn update(fields: &mut Fields<Vec<f32>>, id: FieldId, make: impl FnOnce(&Fields<Vec<f32>>, &mut Vec<f32>)) {
    let mut values = fields.take(id);
    make(fields, &mut values);
    fields.put(id, values);
}

fn run(fields: &mut Fields<Vec<f32>>, operation: Operation<'_>, sums: &mut Reductions) {
    match operation {
        Operation::Clear { to } => update(fields, to, |_, to| to.fill(0.0)),
        Operation::Copy { from, to } => update(fields, to, |fields, to| to.copy_from_slice(fields.get(from))),
        Operation::Dot { a, b } => {
            let pairs = fields.get(a).iter().zip(fields.get(b));
            sums.push(&[pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()]);
        }
        Operation::Axpy { a, x, y } => {
            update(fields, y, |fields, y| y.iter_mut().zip(fields.get(x)).for_each(|(y, x)| *y += a * x));
        }
        Operation::Xpay { x, a, y } => {
            update(fields, y, |fields, y| y.iter_mut().zip(fields.get(x)).for_each(|(y, x)| *y = x + a * *y));
        }
        Operation::EnforceBoundaries { domain, velocity, measure } => {
            let changed = enforce_boundaries(fields, domain, velocity);
            if measure {
                sums.push(&[changed]);
            }
        }
        Operation::Divergence { level, velocity, source, b, .. } => {
            let made = divergence(fields, level, velocity, source);
            sums.push(&[made.iter().map(|b| f64::from(*b)).sum(), squares(&made)]);
            fields.take(b);
            fields.put(b, made);
        }
        Operation::Correct { level, e, velocity, pressure } => {
            correct(fields, level, e, velocity);
            if let Some(pressure) = pressure {
                update(fields, pressure, |fields, p| p.iter_mut().zip(fields.get(e)).for_each(|(p, e)| *p += e));
            }
        }
        Operation::RemoveMean { regions, b } => update(fields, b, |_, b| {
            remove_mean(regions, b);
            sums.push(&[squares(b)]);
        }),
        Operation::Residual { level, b, x, r, .. } => {
            let product = product(fields, level, fields.get(x));
            let made: Vec<f32> = fields.get(b).iter().zip(product).map(|(b, ax)| b - ax).collect();
            sums.push(&[squares(&made)]);
            update(fields, r, |_, r| *r = made);
        }
        Operation::Apply { level, x, to } => {
            let made = product(fields, level, fields.get(x));
            sums.push(&[made.iter().zip(fields.get(x)).map(|(q, d)| f64::from(*q) * f64::from(*d)).sum()]);
            update(fields, to, |_, to| *to = made);
        }
        Operation::Relax { level, relax: how, zero, b, x, .. } => update(fields, x, |fields, x| {
            if zero {
                x.fill(0.0);
            }
            relax(fields, level, how, fields.get(b), x);
        }),
        Operation::CoarseSolve { level, relax: how, b, x, .. } => update(fields, x, |fields, x| {
            x.fill(0.0);
            relax(fields, level, how, fields.get(b), x);
            if level.level.is_closed() {
                let mean = x.iter().map(|x| f64::from(*x)).sum::<f64>() / x.len() as f64;
                x.iter_mut().for_each(|x| *x -= mean as f32);
            }
        }),
        Operation::Jacobi { level, sweeps: count, b, x, .. } => update(fields, x, |fields, x| {
            x.fill(0.0);
            for _ in 0..count {
                let before = x.clone();
                for cell in positions(level.level.size) {
                    let (at, [sum, all]) = (index(level.level.size, cell), self::sums(fields, level, &before, cell));
                    let j = if all > 0.0 { (fields.get(b)[at] + sum) / all } else { 0.0 };
                    x[at] = before[at] + (j - before[at]);
                }
            }
        }),
        Operation::Restrict { level, coarse, restriction, b, x, to } => {
            let product = product(fields, level, fields.get(x));
            let left: Vec<f32> = fields.get(b).iter().zip(product).map(|(b, ax)| b - ax).collect();
            let (fine, size) = (level.level.size, coarse.level.size);
            let one = |cell: [usize; 3]| {
                let shares = [0, 1, 2].map(|axis| restricted(fine[axis], size[axis], cell[axis], restriction));
                tensor(&left, fine, shares)
            };
            update(fields, to, |_, to| *to = positions(size).map(one).collect());
        }
        Operation::Prolong { level, coarse, prolongation, from, x } => update(fields, x, |fields, x| {
            for (cell, x) in positions(level.level.size).zip(x) {
                let shares = [0, 1, 2].map(|axis| prolonged(level.level, coarse.level, axis, cell[axis], prolongation));
                *x += tensor(fields.get(from), coarse.level.size, shares);
                let inverse = level.coefficients.map(|of| fields.get(of.inverse)[index(level.level.size, cell)]);
                *x = if inverse == Some(0.0) { 0.0 } else { *x };
            }
        }),
        _ => transport::run(fields, operation, sums),
    }
}

impl Backend for Reference {
    type Buffer = Vec<f32>;

    fn allocate(&self, len: usize) -> Result<Vec<f32>, Failed> {
        Ok(vec![f32::NAN; len])
    }

    fn upload(&self, values: &[f32]) -> Result<Vec<f32>, Failed> {
        Ok(values.to_vec())
    }

    fn download(&self, buffer: &Vec<f32>) -> Result<Vec<f32>, Failed> {
        Ok(buffer.clone())
    }

    fn run(&self, fields: &mut Fields<Vec<f32>>, operations: &[Operation<'_>]) -> Result<Reductions, Failed> {
        let mut sums = Reductions::default();
        operations.iter().for_each(|operation| run(fields, *operation, &mut sums));
        Ok(sums)
    }

    fn load(&self, owner: &Arc<dyn HostFields>, part: usize) -> Result<Vec<f32>, Failed> {
        Ok(owner.part(part).to_vec())
    }

    fn store(&self, buffers: Vec<Vec<f32>>) -> Result<Vec<Values<f32>>, Failed> {
        Ok(buffers.into_iter().map(Values::from).collect())
    }

    fn stored(&self, _: &Arc<dyn HostFields>, _: Option<VelocityStatistics>) {}

    fn take_workspace(&self, _: &dyn Fn(&DetachedWorkspace<Vec<f32>>) -> bool) -> Option<DetachedWorkspace<Vec<f32>>> {
        None
    }

    fn keep_workspace(&self, _: DetachedWorkspace<Vec<f32>>) {}

    fn cycles_per_readback(&self) -> u32 {
        1
    }
}

/// Clamped to ±[`VALUE_MAX`]; 0 for NaN.
pub fn bounded(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(-VALUE_MAX, VALUE_MAX) }
}
