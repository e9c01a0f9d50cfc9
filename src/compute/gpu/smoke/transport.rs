//! Operations on velocity and scalars as passes.

use std::sync::Arc;

use super::backend::{Pending, Plane, Reduce, SmokeBackend, lease, over};
use super::layout::{self, Params, flag};
use super::passes::Pass;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::{in_a_row, on};
use crate::compute::gpu::pool::Lease;
use crate::sim::fluid::{
    Advection, Boundary, Domain, FieldId, Fields, Operation, Scalars, Scheme, Shape, Slip, Slips, Stamp, VectorField,
};
use crate::sim::smoke::FieldKind;

/// Field kinds of the faces, by axis.
pub(super) const KINDS: [FieldKind; 2] = [FieldKind::U, FieldKind::V];

/// A shift beyond the width of any grid, within the range of the shaders' integers.
const FAR: i64 = 1 << 24;

/// A kind of field as the shaders number it.
fn number(kind: FieldKind) -> u32 {
    match kind {
        FieldKind::U => 0,
        FieldKind::V => 1,
        FieldKind::Cell | FieldKind::Dye => 2,
    }
}

/// The solid cells, where there are any.
pub(super) fn solid<'a>(fields: &'a Fields<Plane>, domain: &Domain) -> Option<&'a Arc<Lease>> {
    domain.solids.map(|solids| &fields.get(solids.cells).lease)
}

/// The parameters of a pass over a field.
pub(super) fn params(domain: &Domain, kind: FieldKind) -> Params {
    let no_slip = domain.slip.edges == Slip::No && domain.sides[..2].as_flattened().contains(&Boundary::Closed);
    Params {
        size: layout::size([domain.size[0], domain.size[1]]),
        staggering: number(kind),
        flags: on(domain.solids.is_some(), flag::SOLID)
            | on(kind == FieldKind::Dye, flag::FOUR)
            | on(no_slip, flag::NO_SLIP_EDGES)
            | on(domain.solids.is_some() && domain.slip.obstacles == Slip::Free, flag::FREE_SLIP_SOLIDS),
        edges: layout::edges(domain.sides),
        ..Params::default()
    }
}

/// An advected field, MacCormack's first pass over it, and the result.
struct Advected {
    kind: FieldKind,
    from: FieldId,
    advected: Option<FieldId>,
    to: FieldId,
}

impl SmokeBackend {
    /// Records an operation on velocity or scalars.
    pub(super) fn transport(&self, fields: &Fields<Plane>, operation: Operation<'_>) -> Result<(), Fault> {
        let id = |id: FieldId| lease(fields, id);
        match operation {
            Operation::Scale { by, from, to } => {
                self.row(Pass::Scale, fields.get(to).len, by, &[id(from), id(to)]);
            }
            Operation::Sanitise { field } => self.row(Pass::Sanitise, fields.get(field).len, 0.0, &[id(field)]),
            Operation::VelocityStatistics { velocity } => {
                let mut all = Pending { pairs: Vec::new(), reduce: Reduce::Largest };
                for field in velocity.iter() {
                    let len = fields.get(*field).len;
                    let pairs = self.pairs(in_a_row(len))?;
                    self.row(Pass::VelocityStatistics, len, 0.0, &[id(*field), Some(&pairs.0)]);
                    all.pairs.push(pairs);
                }
                self.pending.borrow_mut().push(all);
            }
            Operation::Shift { shape, by, from, to } => {
                let [width, height, _] = shape.cells;
                let open = Domain::plane([width, height], [Boundary::Open; 4], Slips::default(), None);
                let mut params = params(&open, FieldKind::of(&shape));
                params.area = [by[0].clamp(-FAR, FAR) as i32, by[1].clamp(-FAR, FAR) as i32, 0, 0];
                self.whole(Pass::Shift, &open, &params, &[id(from), id(to)]);
            }
            Operation::Stamp { domain, shape, stamp, first, size, values, to } => {
                self.stamp(fields, domain, &shape, stamp, [first, size], [values, to]);
            }
            Operation::Force { domain, forces, scalars, from, to } => {
                for (axis, kind) in KINDS.into_iter().enumerate() {
                    let mut params = params(domain, kind);
                    params.numbers = [forces.keep, forces.weight[axis], forces.lift[axis], forces.ambient];
                    params.flags |= on(scalars.temperature.is_some(), flag::TEMPERATURE);
                    let temperature = scalars.temperature.and_then(id);
                    let buffers = [id(from[axis]), id(scalars.colour), temperature, id(to[axis])];
                    self.whole(Pass::Force, domain, &params, &buffers);
                }
                if forces.confinement > 0.0 {
                    let curl = self.plane(domain.size.iter().product())?;
                    let curl = Some(&curl.lease);
                    let buffers = [id(from[0]), id(from[1]), solid(fields, domain), curl];
                    self.whole(Pass::Curl, domain, &params(domain, FieldKind::Cell), &buffers);
                    for (axis, kind) in KINDS.into_iter().enumerate() {
                        let params = Params { numbers: [forces.confinement, 0.0, 0.0, 0.0], ..params(domain, kind) };
                        self.whole(Pass::Confine, domain, &params, &[curl, solid(fields, domain), id(to[axis])]);
                    }
                }
            }
            Operation::Diffuse { domain, number, weight, rhs, from, to } => {
                for (axis, kind) in KINDS.into_iter().enumerate() {
                    let params = Params { numbers: [number, weight, 0.0, 0.0], ..params(domain, kind) };
                    let buffers = [solid(fields, domain), id(rhs[axis]), id(from[axis]), id(to[axis])];
                    self.whole(Pass::Diffuse, domain, &params, &buffers);
                }
            }
            Operation::Backtrace { domain, time, wind, to } => {
                self.backtrace(fields, domain, time, wind, [id(to[0]), id(to[1])]);
            }
            Operation::AdvectVelocity { domain, scheme, time, wind, from, backtrace, to } => {
                let back = [id(backtrace[0]), id(backtrace[1])];
                self.backtrace(fields, domain, time, wind, back);
                self.advect_velocity(fields, domain, scheme, &[back], (from, None, to));
            }
            Operation::CorrectVelocity { domain, time, wind, backtrace, from, advected, to } => {
                let cells = domain.size.iter().product();
                let forward = [self.plane(cells)?, self.plane(cells)?];
                let [back, forward] =
                    [[id(backtrace[0]), id(backtrace[1])], [Some(&forward[0].lease), Some(&forward[1].lease)]];
                self.backtrace(fields, domain, -time, wind, forward);
                let planes = (from, Some(advected), to);
                self.advect_velocity(fields, domain, Scheme::MacCormack, &[back, forward], planes);
            }
            Operation::AdvectScalars { domain, advection, backtrace, from, to } => {
                let traces = [[id(backtrace[0]), id(backtrace[1])]];
                self.advect_scalars(fields, domain, &advection, &traces, (from, None, to));
            }
            Operation::CorrectScalars { domain, advection, traces, from, advected, to } => {
                let traces = traces.map(|trace| [id(trace[0]), id(trace[1])]);
                self.advect_scalars(fields, domain, &advection, &traces, (from, Some(advected), to));
            }
            Operation::Reflect { projected, velocity } => {
                for (from, to) in projected.iter().zip(velocity.iter()) {
                    self.row(Pass::Reflect, fields.get(*to).len, 0.0, &[id(*from), id(*to)]);
                }
            }
            Operation::EnforceBoundaries { domain, velocity, measure } => {
                let mut all = Pending { pairs: Vec::new(), reduce: Reduce::First };
                for (axis, kind) in KINDS.into_iter().enumerate() {
                    let [width, height, _] = domain.size;
                    let groups = over([width + 1, height + 1]);
                    let pairs = self.pairs(groups)?;
                    let given = domain.solids.and_then(|solids| id(solids.velocity[axis]));
                    let buffers = [solid(fields, domain), given, id(velocity[axis]), Some(&pairs.0)];
                    self.pass(Pass::EnforceBoundaries, &params(domain, kind), &buffers, groups);
                    all.pairs.push(pairs);
                }
                if measure {
                    self.pending.borrow_mut().push(all);
                }
            }
            _ if self.fire(fields, operation)? || self.flow_map(fields, operation) => {}
            _ => return Err(Fault::Invalid(format!("no pass for {operation:?}"))),
        }
        Ok(())
    }

    /// Records a pass over a whole field.
    pub(super) fn whole(&self, pass: Pass, domain: &Domain, params: &Params, buffers: &[Option<&Arc<Lease>>]) {
        let [width, height, _] = domain.size;
        let size = [width + usize::from(params.staggering == 0), height + usize::from(params.staggering == 1)];
        self.pass(pass, params, buffers, over(size));
    }

    fn stamp(
        &self,
        fields: &Fields<Plane>,
        domain: &Domain,
        shape: &Shape,
        stamp: Stamp,
        [first, size]: [[usize; 3]; 2],
        [values, to]: [FieldId; 2],
    ) {
        let mut params = params(domain, FieldKind::of(shape));
        match stamp {
            Stamp::Add { share } => params.numbers[0] = share,
            Stamp::Steer => params.flags |= flag::STEER,
            Stamp::Replace => params.flags |= flag::REPLACE,
            Stamp::FillUp => params.flags |= flag::FILL_UP,
            Stamp::Raise => params.flags |= flag::RAISE,
            Stamp::Fuel => params.flags |= flag::FUEL,
        }
        params.area = [first[0], first[1], size[0], size[1]].map(|n| n as i32);
        let buffers = [solid(fields, domain), lease(fields, values), lease(fields, to)];
        self.pass(Pass::Stamp, &params, &buffers, over([size[0], size[1]]));
    }

    fn backtrace(
        &self,
        fields: &Fields<Plane>,
        domain: &Domain,
        time: f32,
        wind: VectorField,
        [x, y]: [Option<&Arc<Lease>>; 2],
    ) {
        let params = Params { numbers: [time, 0.0, 0.0, 0.0], ..params(domain, FieldKind::Cell) };
        let buffers = [lease(fields, wind[0]), lease(fields, wind[1]), solid(fields, domain), x, y];
        self.whole(Pass::Backtrace, domain, &params, &buffers);
    }

    fn advect_velocity(
        &self,
        fields: &Fields<Plane>,
        domain: &Domain,
        scheme: Scheme,
        traces: &[[Option<&Arc<Lease>>; 2]],
        (from, advected, to): (VectorField, Option<VectorField>, VectorField),
    ) {
        let advection = Advection { scheme, keep: 1.0, cooling: 0.0, ambient: 0.0 };
        for (axis, kind) in KINDS.into_iter().enumerate() {
            let advected = advected.map(|of| of[axis]);
            let of = Advected { kind, from: from[axis], advected, to: to[axis] };
            self.advect(fields, domain, &advection, traces, &of);
        }
    }

    fn advect_scalars(
        &self,
        fields: &Fields<Plane>,
        domain: &Domain,
        advection: &Advection,
        traces: &[[Option<&Arc<Lease>>; 2]],
        (from, advected, to): (Scalars, Option<Scalars>, Scalars),
    ) {
        let colour = advected.map(|of| of.colour);
        let dye = Advected { kind: FieldKind::Dye, from: from.colour, advected: colour, to: to.colour };
        self.advect(fields, domain, advection, traces, &dye);
        if let (Some(from), Some(to)) = (from.temperature, to.temperature) {
            let advected = advected.and_then(|of| of.temperature);
            self.advect(fields, domain, advection, traces, &Advected { kind: FieldKind::Cell, from, advected, to });
        }
    }

    fn advect(
        &self,
        fields: &Fields<Plane>,
        domain: &Domain,
        advection: &Advection,
        traces: &[[Option<&Arc<Lease>>; 2]],
        of: &Advected,
    ) {
        let Advected { kind, from, advected, to } = *of;
        let cells = matches!(kind, FieldKind::Cell | FieldKind::Dye);
        let mut params = params(domain, kind);
        let last = advection.scheme != Scheme::MacCormack || advected.is_some();
        params.flags |= on(cells && last, flag::DECAYS) | on(advection.scheme == Scheme::Cubic, flag::CUBIC);
        // Advection of velocity ignores solids, except faces in walls with free slip.
        params.flags &= !on(!cells, flag::SOLID);
        params.numbers = [advection.keep, advection.cooling, advection.ambient, 0.0];
        let pass = match (advected, kind == FieldKind::Dye) {
            (None, false) => Pass::Advect,
            (None, true) => Pass::AdvectDye,
            (Some(_), false) => Pass::MacCormack,
            (Some(_), true) => Pass::MacCormackDye,
        };
        let mut buffers: Vec<_> = traces[0].to_vec();
        buffers.extend([solid(fields, domain), lease(fields, from)]);
        buffers.extend(traces[1..].as_flattened());
        buffers.extend(advected.map(|id| lease(fields, id)));
        buffers.push(lease(fields, to));
        self.whole(pass, domain, &params, &buffers);
    }
}
