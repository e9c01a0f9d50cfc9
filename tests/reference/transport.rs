//! Operations on velocity and scalars, on two axes.

use flow_ofx::sim::fluid::{
    Advection, Boundary, Confinement, Curve, Domain, FieldId, Fields, Forces, Operation, Reductions, Scheme, Shape,
    Slip, Staggering, Stamp, VectorField, wall_share,
};

use super::{bounded, index, positions, update};

/// A field with its positions: face-x 0, face-y 1, cells 2.
#[derive(Clone, Copy)]
pub struct Sampled<'a> {
    domain: &'a Domain,
    kind: usize,
    values: &'a [f32],
    components: usize,
}

/// Values around a sample position along an axis, and the fraction.
pub struct Tap {
    pub first: i64,
    pub part: f32,
}

impl Sampled<'_> {
    fn count(&self, axis: usize) -> i64 {
        self.domain.size[axis] as i64 + i64::from(self.kind == axis)
    }

    /// The condition at a side; velocity along a side without slip is 0 beyond it.
    fn side(&self, axis: usize, side: usize) -> Boundary {
        let of = self.domain.sides[axis][side];
        let along = self.kind < 2 && self.kind != axis;
        if along && of == Boundary::Closed && self.domain.slip.edges == Slip::No { Boundary::Open } else { of }
    }

    fn tap(&self, axis: usize, at: i64, from: usize, offset: f32) -> Tap {
        let step = f32::from(u8::from(self.kind == axis)) - f32::from(u8::from(from == axis));
        let (i, count) = (at as f32, self.count(axis));
        let low = match self.side(axis, 0) {
            Boundary::Closed => -i,
            Boundary::Open => -2.0 - i,
            Boundary::Wrap => f32::MIN,
        };
        let high = match self.side(axis, 1) {
            Boundary::Closed => (count - 1) as f32 - i,
            Boundary::Open => (count + 1) as f32 - i,
            Boundary::Wrap => f32::MAX,
        };
        let r = (offset + 0.5 * step).clamp(low, high);
        Tap { first: at + r.floor() as i64, part: r - r.floor() }
    }

    /// The index of a value on an axis; `None` is 0.
    fn inside(&self, axis: usize, at: i64) -> Option<usize> {
        let last = self.count(axis) - 1;
        if (0..=last).contains(&at) {
            return Some(at as usize);
        }
        match self.side(axis, usize::from(at > last)) {
            Boundary::Closed => Some(at.clamp(0, last) as usize),
            Boundary::Open => None,
            Boundary::Wrap => Some(at.rem_euclid(self.domain.size[axis] as i64) as usize),
        }
    }

    fn value(&self, x: i64, y: i64, component: usize) -> f32 {
        match (self.inside(0, x), self.inside(1, y)) {
            (Some(x), Some(y)) => self.values[(y * self.count(0) as usize + x) * self.components + component],
            _ => 0.0,
        }
    }

    /// Taps of a position of grid `from`.
    pub fn taps(&self, [x, y]: [usize; 2], from: usize, offset: [f32; 2]) -> [Tap; 2] {
        [self.tap(0, x as i64, from, offset[0]), self.tap(1, y as i64, from, offset[1])]
    }

    /// Taps of a position of cells, which may be off the grid.
    pub fn taps_from(&self, [x, y]: [i64; 2], offset: [f32; 2]) -> [Tap; 2] {
        [self.tap(0, x, 2, offset[0]), self.tap(1, y, 2, offset[1])]
    }

    fn corners(&self, [x, y]: &[Tap; 2], component: usize) -> [f32; 4] {
        let at = |dx, dy| self.value(x.first + dx, y.first + dy, component);
        [at(0, 0), at(1, 0), at(0, 1), at(1, 1)]
    }

    fn bilinear(&self, taps: &[Tap; 2], component: usize) -> f32 {
        let [a, b, c, d] = self.corners(taps, component);
        let (low, high) = (a + (b - a) * taps[0].part, c + (d - c) * taps[0].part);
        low + (high - low) * taps[1].part
    }

    /// The least and greatest corner with a weight.
    pub fn limits(&self, taps: &[Tap; 2], component: usize) -> [f32; 2] {
        let corners = self.corners(taps, component);
        let counts = |at: usize| (at.is_multiple_of(2) || taps[0].part > 0.0) && (at < 2 || taps[1].part > 0.0);
        let of = (0..4).filter(|at| counts(*at)).map(|at| corners[at]);
        [of.clone().fold(f32::INFINITY, f32::min), of.fold(f32::NEG_INFINITY, f32::max)]
    }

    pub fn cubic(&self, curve: Curve, [x, y]: &[Tap; 2], component: usize) -> f32 {
        let [along, across] = [x, y].map(|tap| curve.weights(tap.part));
        let mix = |[a, b, c, d]: [f32; 4], w: [f32; 4]| (a * w[0] + b * w[1]) + (c * w[2] + d * w[3]);
        let rows = [-1, 0, 1, 2]
            .map(|dy| mix([-1, 0, 1, 2].map(|dx| self.value(x.first + dx, y.first + dy, component)), along));
        mix(rows, across)
    }
}

/// A component of the velocity at a cell.
fn at_cell(fields: &Fields<Vec<f32>>, domain: &Domain, velocity: VectorField, cell: [usize; 2], axis: usize) -> f32 {
    let (width, [x, y]) = (domain.size[0] + usize::from(axis == 0), cell);
    let values = fields.get(velocity[axis]);
    let next = if axis == 0 { y * width + x + 1 } else { (y + 1) * width + x };
    0.5 * (values[y * width + x] + values[next])
}

pub fn sampled<'a>(
    fields: &'a Fields<Vec<f32>>,
    domain: &'a Domain,
    id: FieldId,
    kind: usize,
    components: usize,
) -> Sampled<'a> {
    Sampled { domain, kind, values: fields.get(id), components }
}

/// Displacements of the cells.
fn backtrace(fields: &Fields<Vec<f32>>, domain: &Domain, time: f32, wind: VectorField) -> [Vec<f32>; 2] {
    let cells: Vec<_> = positions(domain.size).map(|[x, y, _]| [x, y]).collect();
    [0, 1].map(|axis| {
        let field = sampled(fields, domain, wind[axis], axis, 1);
        let one = |cell: &[usize; 2]| {
            let half = [0, 1].map(|axis| -0.5 * time * at_cell(fields, domain, wind, *cell, axis));
            -time * field.bilinear(&field.taps(*cell, 2, half), 0)
        };
        cells.iter().map(one).collect()
    })
}

/// The displacement of a face.
fn of_face(domain: &Domain, trace: [&[f32]; 2], [x, y]: [usize; 2], axis: usize) -> [f32; 2] {
    let (n, at) = (domain.size[axis], if axis == 0 { x } else { y });
    let wraps = domain.sides[axis][0] == Boundary::Wrap;
    let pair = match at {
        0 if !wraps => [0, 1.min(n - 1)],
        at if at == n && !wraps => [n - 1, n.saturating_sub(2)],
        at => [(at + n - 1) % n, at % n],
    };
    let inner = wraps || (at > 0 && at < n);
    trace.map(|trace| {
        let [first, second] = pair.map(|at| {
            let [x, y] = if axis == 0 { [at, y] } else { [x, at] };
            trace[y * domain.size[0] + x]
        });
        if inner { 0.5 * (first + second) } else { first + 0.5 * (first - second) }
    })
}

/// The odd-even part of a face value, both axes.
fn odd_even(field: &Sampled<'_>, [x, y]: [usize; 2], back: [f32; 2]) -> f32 {
    let near = |axis: usize, at: i64| {
        let (n, count) = (field.domain.size[axis] as i64, field.count(axis));
        if field.domain.sides[axis][0] == Boundary::Wrap { at.rem_euclid(n) } else { at.clamp(0, count - 1) }
    };
    let along = |axis: usize| {
        let value = |by: i64| {
            let [x, y] = [x as i64 + if axis == 0 { by } else { 0 }, y as i64 + if axis == 1 { by } else { 0 }];
            field.values[(near(1, y) * field.count(0) + near(0, x)) as usize]
        };
        let d = |by: i64| (value(by) + value(by)) - (value(by - 1) + value(by + 1));
        let (below, here, above) = (d(-1), d(0), d(1));
        0.125 * (here.min(-below).min(-above).max(0.0) + here.max(-below).max(-above).min(0.0))
    };
    let still = |by: f32| (1.0 - 2.0 * by.abs()).max(0.0);
    still(back[0]) * still(back[1]) * (along(0) + along(1))
}

/// The advected value of one position; `traces` are its displacements back and forward.
fn advected(
    [from, there]: [&Sampled<'_>; 2],
    at: [usize; 2],
    component: usize,
    [back, forward]: [[f32; 2]; 2],
    (scheme, corrects): (Scheme, bool),
    curve: Curve,
) -> f32 {
    let taps = from.taps(at, from.kind, back);
    match scheme {
        Scheme::MacCormack if corrects => {
            let own = (at[1] * from.count(0) as usize + at[0]) * from.components + component;
            let alternating = if from.kind < 2 { odd_even(from, at, back) } else { 0.0 };
            let again = there.bilinear(&there.taps(at, there.kind, forward), component);
            let [least, most] = from.limits(&taps, component);
            let value = (there.values[own] - alternating) + 0.5 * (from.values[own] - again);
            bounded(value.max(least).min(most))
        }
        Scheme::Cubic if curve == Curve::CatmullRom => {
            let [least, most] = from.limits(&taps, component);
            bounded(from.cubic(curve, &taps, component).max(least).min(most))
        }
        Scheme::Cubic => bounded(from.cubic(curve, &taps, component)),
        Scheme::SemiLagrangian | Scheme::MacCormack => bounded(from.bilinear(&taps, component)),
    }
}

fn advect_velocity(
    fields: &mut Fields<Vec<f32>>,
    domain: &Domain,
    scheme: Scheme,
    traces: [[Vec<f32>; 2]; 2],
    (from, there, to): (VectorField, Option<VectorField>, VectorField),
) {
    for axis in 0..2 {
        let size = super::face_size(domain.size, axis);
        let made = positions(size).map(|[x, y, _]| {
            let field = sampled(fields, domain, from[axis], axis, 1);
            let advected_field = sampled(fields, domain, there.unwrap_or(from)[axis], axis, 1);
            let both = traces.each_ref().map(|trace| of_face(domain, [&trace[0], &trace[1]], [x, y], axis));
            advected([&field, &advected_field], [x, y], 0, both, (scheme, there.is_some()), Curve::Lagrange)
        });
        let made = made.collect();
        update(fields, to[axis], |_, to| *to = made);
    }
}

fn advect_scalar(
    fields: &mut Fields<Vec<f32>>,
    domain: &Domain,
    way: &Advection,
    traces: [VectorField; 2],
    (from, there, to, components): (FieldId, Option<FieldId>, FieldId, usize),
) {
    let loses = way.scheme != Scheme::MacCormack || there.is_some();
    let mut made = Vec::new();
    for [x, y, _] in positions(domain.size) {
        let at = index(domain.size, [x, y, 0]);
        let both = traces.map(|trace| [fields.get(trace[0])[at], fields.get(trace[1])[at]]);
        let field = sampled(fields, domain, from, 2, components);
        let advected_field = sampled(fields, domain, there.unwrap_or(from), 2, components);
        for component in 0..components {
            let how = (way.scheme, there.is_some());
            let value = advected([&field, &advected_field], [x, y], component, both, how, Curve::CatmullRom);
            made.push(match (loses, components) {
                (false, _) => value,
                (true, 4) => value * way.keep,
                (true, _) => value - way.cooling * Forces::excess(value, way.ambient),
            });
        }
    }
    update(fields, to, |_, to| *to = made);
}

/// The cell beside one, the last inside at an edge.
fn beside(domain: &Domain, cell: [usize; 2], axis: usize, by: i64) -> [usize; 2] {
    let (n, mut to) = (domain.size[axis] as i64, cell);
    let at = cell[axis] as i64 + by;
    to[axis] = if domain.sides[axis][0] == Boundary::Wrap { at.rem_euclid(n) } else { at.clamp(0, n - 1) } as usize;
    to
}

fn force(
    fields: &mut Fields<Vec<f32>>,
    domain: &Domain,
    forces: &Forces,
    scalars: [Option<FieldId>; 2],
    from: VectorField,
    to: VectorField,
) {
    let at = |[x, y]: [usize; 2]| y * domain.size[0] + x;
    let cells: Vec<_> = positions(domain.size).map(|[x, y, _]| [x, y]).collect();
    let sticks = |axis: usize, cell: [usize; 2], by: i64| {
        let (n, at) = (domain.size[axis] as i64, cell[axis] as i64 + by);
        let outside = !(0..n).contains(&at);
        outside && domain.slip.edges == Slip::No && domain.sides[axis][usize::from(by > 0)] == Boundary::Closed
    };
    let speed = |cell: [usize; 2], axis: usize, along: usize, by: i64| {
        if sticks(along, cell, by) { 0.0 } else { at_cell(fields, domain, from, beside(domain, cell, along, by), axis) }
    };
    let omega: Vec<f32> = cells
        .iter()
        .map(|cell| {
            0.5 * ((speed(*cell, 1, 0, 1) - speed(*cell, 1, 0, -1)) - (speed(*cell, 0, 1, 1) - speed(*cell, 0, 1, -1)))
        })
        .collect();
    let size_of = |cell: [usize; 2], along: usize, by: i64| {
        if sticks(along, cell, by) { 0.0 } else { omega[at(beside(domain, cell, along, by))].abs() }
    };
    let confined: Vec<[f32; 2]> = cells
        .iter()
        .map(|cell| {
            let g = [0, 1].map(|axis| 0.5 * (size_of(*cell, axis, 1) - size_of(*cell, axis, -1)));
            let own = omega[at(*cell)];
            let s = Confinement::share((g[0] * g[0] + g[1] * g[1]).sqrt(), own.abs()) * own;
            [g[1] * s, -g[0] * s]
        })
        .collect();
    for axis in 0..2 {
        let size = super::face_size(domain.size, axis);
        let made = positions(size).map(|[x, y, _]| {
            let face = [x, y];
            let low = if face[axis] == 0 && domain.sides[axis][0] == Boundary::Wrap {
                beside(domain, face, axis, -1)
            } else {
                beside(domain, face, axis, if face[axis] == 0 { 0 } else { -1 })
            };
            let high = beside(domain, face, axis, 0);
            let mean = |value: &dyn Fn([usize; 2]) -> f32| 0.5 * (value(low) + value(high));
            let density = mean(&|cell| scalars[0].map_or(0.0, |id| fields.get(id)[4 * at(cell) + 3]));
            let excess =
                mean(&|cell| scalars[1].map_or(0.0, |id| Forces::excess(fields.get(id)[at(cell)], forces.ambient)));
            let value = fields.get(from[axis])[index(size, [x, y, 0])] * forces.keep
                + (density * forces.weight[axis] + excess * forces.lift[axis]);
            let push = if forces.confinement > 0.0 {
                forces.confinement * mean(&|cell| confined[at(cell)][axis])
            } else {
                0.0
            };
            value + push
        });
        let made = made.collect();
        update(fields, to[axis], |_, to| *to = made);
    }
}

/// A sweep of Chebyshev's iteration over the faces of an axis.
fn diffuse(domain: &Domain, axis: usize, [number, weight]: [f32; 2], [rhs, from]: [&[f32]; 2], to: &mut [f32]) {
    let size = super::face_size(domain.size, axis);
    let old = to.to_vec();
    for face in positions(size) {
        let at = index(size, face);
        let is_edge = face[axis] == 0 || face[axis] == domain.size[axis];
        if is_edge && domain.sides[axis][usize::from(face[axis] > 0)] == Boundary::Closed {
            to[at] = rhs[at];
            continue;
        }
        let (mut sums, mut shares) = ([0.0; 2], [0.0; 2]);
        for along in 0..2 {
            let wraps = domain.sides[along][0] == Boundary::Wrap;
            let (n, last) = (domain.size[along] as i64, size[along] as i64 - 1);
            // A neighbour's value, or whether it is a wall; neither beyond another edge.
            let there = |side: usize| {
                let next = face[along] as i64 + if side == 0 { -1 } else { 1 };
                if wraps || (0..=last).contains(&next) {
                    let mut other = face;
                    other[along] = if wraps { next.rem_euclid(n) } else { next } as usize;
                    return (Some(from[index(size, other)]), false);
                }
                let sticks = domain.sides[along][side] == Boundary::Closed && domain.slip.edges == Slip::No;
                (None, along != axis && sticks)
            };
            let both = [there(0), there(1)];
            let share = |side: usize| match both[side] {
                (None, false) => 0.0,
                (_, wall) => wall_share(wall, both[1 - side].1),
            };
            sums[along] = share(0) * both[0].0.unwrap_or(0.0) + share(1) * both[1].0.unwrap_or(0.0);
            shares[along] = share(0) + share(1);
        }
        let j = (rhs[at] + number * (sums[0] + sums[1])) / (1.0 + number * (shares[0] + shares[1]));
        to[at] = if weight == 1.0 { j } else { (j - old[at]) * weight + old[at] };
    }
}

fn stamp(how: Stamp, a: &[f32], x: &mut [f32]) {
    match how {
        Stamp::Add { share } => x.iter_mut().zip(a).for_each(|(x, a)| *x = bounded(*x + share * a)),
        Stamp::Steer => x[0] = bounded(x[0] + (a[0] - x[0]) * a[1]),
        Stamp::Raise => x.iter_mut().zip(a).for_each(|(x, a)| *x = bounded(x.max(*a))),
        Stamp::Fuel => {
            (x[0], x[1]) = (bounded(x[0].max(a[0])), bounded(x[1].max(a[1])));
            x[2] *= 1.0 - a[1];
        }
        Stamp::Replace | Stamp::FillUp => {
            if a[3] > if how == Stamp::Replace { 0.0 } else { x[3] } {
                x.copy_from_slice(a);
            }
        }
    }
}

/// The kind of a shape as [`Sampled`] numbers it, and its columns and rows.
fn kind(shape: &Shape) -> (usize, [usize; 3]) {
    (
        match shape.staggering {
            Staggering::Face(axis) => axis,
            Staggering::Cell => 2,
        },
        shape.size(),
    )
}

/// Runs an operation; solids are left to the tests of devices against each other.
pub fn run(fields: &mut Fields<Vec<f32>>, operation: Operation<'_>, sums: &mut Reductions) {
    match operation {
        Operation::Scale { by, from, to } => update(fields, to, |fields, to| {
            let finite = |value: f32| if value.is_finite() { value } else { 0.0 };
            *to = fields.get(from).iter().map(|value| finite(value * by)).collect();
        }),
        Operation::Sanitise { field } => update(fields, field, |_, values| {
            values.iter_mut().for_each(|value| *value = if value.is_finite() { bounded(*value) } else { 0.0 });
        }),
        Operation::VelocityStatistics { velocity } => {
            let sizes: Vec<f32> = velocity.iter().flat_map(|id| fields.get(*id)).map(|value| value.abs()).collect();
            let good = |size: &&f32| **size <= flow_ofx::sim::fluid::VALUE_MAX;
            let largest = sizes.iter().filter(good).fold(0.0, |most: f32, size| most.max(*size));
            sums.push(&[f64::from(largest), sizes.iter().filter(|size| !good(size)).count() as f64]);
        }
        Operation::Shift { shape, by, from, to } => update(fields, to, |fields, to| {
            let (_, size) = kind(&shape);
            for ([x, y, _], to) in positions(size).zip(to.chunks_exact_mut(shape.components)) {
                let there = [x as i64 + by[0], y as i64 + by[1]];
                let inside = (0..2).all(|axis| (0..size[axis] as i64).contains(&there[axis]));
                let at = inside.then(|| index(size, [there[0] as usize, there[1] as usize, 0]) * shape.components);
                to.iter_mut().enumerate().for_each(|(c, to)| *to = at.map_or(0.0, |at| fields.get(from)[at + c]));
            }
        }),
        Operation::Reflect { projected, velocity } => {
            for axis in 0..velocity.len() {
                update(fields, velocity[axis], |fields, to| {
                    to.iter_mut().zip(fields.get(projected[axis])).for_each(|(to, p)| *to = 2.0 * p - *to);
                });
            }
        }
        Operation::Force { domain, forces, scalars, from, to } => {
            force(fields, domain, &forces, [Some(scalars.colour), scalars.temperature], from, to);
        }
        Operation::Backtrace { domain, time, wind, to } => {
            let made = backtrace(fields, domain, time, wind);
            made.into_iter().enumerate().for_each(|(axis, made)| update(fields, to[axis], |_, to| *to = made));
        }
        Operation::AdvectVelocity { domain, scheme, time, wind, from, backtrace: trace, to } => {
            let made = backtrace(fields, domain, time, wind);
            advect_velocity(fields, domain, scheme, [made.clone(), made.clone()], (from, None, to));
            made.into_iter().enumerate().for_each(|(axis, made)| update(fields, trace[axis], |_, to| *to = made));
        }
        Operation::CorrectVelocity { domain, time, wind, backtrace: trace, from, advected, to } => {
            let back = [0, 1].map(|axis| fields.get(trace[axis]).clone());
            let forward = backtrace(fields, domain, -time, wind);
            advect_velocity(fields, domain, Scheme::MacCormack, [back, forward], (from, Some(advected), to));
        }
        Operation::AdvectScalars { domain, advection, backtrace, from, to } => {
            let traces = [backtrace; 2];
            advect_scalar(fields, domain, &advection, traces, (from.colour, None, to.colour, 4));
            if let (Some(from), Some(to)) = (from.temperature, to.temperature) {
                advect_scalar(fields, domain, &advection, traces, (from, None, to, 1));
            }
        }
        Operation::CorrectScalars { domain, advection, traces, from, advected, to } => {
            advect_scalar(fields, domain, &advection, traces, (from.colour, Some(advected.colour), to.colour, 4));
            if let (Some(from), Some(to)) = (from.temperature, to.temperature) {
                advect_scalar(fields, domain, &advection, traces, (from, advected.temperature, to, 1));
            }
        }
        Operation::Diffuse { domain, number, weight, rhs, from, to } => {
            for axis in 0..2 {
                update(fields, to[axis], |fields, to| {
                    let (rhs, from) = (fields.get(rhs[axis]), fields.get(from[axis]));
                    diffuse(domain, axis, [number, weight], [rhs, from], to);
                });
            }
        }
        Operation::Stamp { shape, stamp: how, first, size: area, values, to, .. } => {
            update(fields, to, |fields, to| {
                let (size, components) = (shape.size(), shape.components);
                let each = if how == Stamp::Steer { 2 } else { components };
                for (nth, [i, j, _]) in positions(area)
                    .enumerate()
                    .filter(|(_, [i, j, _])| first[0] + i < size[0] && first[1] + j < size[1])
                {
                    let at = index(size, [first[0] + i, first[1] + j, 0]) * components;
                    stamp(how, &fields.get(values)[nth * each..][..each], &mut to[at..at + components]);
                }
            })
        }
        _ => super::flow_map::run(fields, operation),
    }
}
