//! Operations on velocity and scalars: each cut into bands of rows.

use super::advect::{AdvectCells, AdvectedField};
use super::axis::Axis;
use super::backtrace::Backtrace;
use super::band::Pass;
use super::momentum::{AdvectFaces, MomentumStep};
use super::obstacles::Obstacles;
use super::occupied::OccupiedSpans;
use super::operands::{self, Faces, FieldKind, Rectangle, VelocityStatistics, read_faces, write, write_all};
use super::plane::Plane;
use super::slip::free_slip_obstacles;
use super::{SmokeCpu, diffuse, force, pointwise};
use crate::sim::fluid::{Advection, Domain, Fields, Operation, Reductions, Scalars, Scheme, VectorField};

/// Number of values that a thread computes the statistics of at once.
const PIECE: usize = 1 << 16;

/// A domain with its solid cells.
pub(super) fn domain<'a>(fields: &'a Fields<Plane>, of: &Domain) -> operands::PlaneDomain<&'a [f32]> {
    let [[left, right], [bottom, top], _] = of.sides;
    let solid = of.solids.map(|solids| &**fields.get(solids.cells));
    let [width, height, _] = of.size;
    operands::PlaneDomain { width, height, edges: [left, right, bottom, top], slip: of.slip, solid }
}

/// The planes of a vector field, for reading.
pub(super) fn read_axes(fields: &Fields<Plane>, of: VectorField) -> [&[f32]; 2] {
    [fields.get(of[0]), fields.get(of[1])]
}

/// The planes of scalars, for reading.
fn read_scalars(fields: &Fields<Plane>, of: Scalars) -> (&Plane, Option<&Plane>) {
    (fields.get(of.colour), of.temperature.map(|id| fields.get(id)))
}

impl SmokeCpu<'_> {
    /// Runs an operation on velocity or scalars; returns the name of its part of a step, for time measurements.
    pub(super) fn transport(
        &self,
        fields: &mut Fields<Plane>,
        operation: Operation<'_>,
        reductions: &mut Reductions,
    ) -> &'static str {
        match operation {
            Operation::Scale { by, from, to } => {
                write(fields, to, |fields, to| self.each_value(to, &pointwise::Scale { by, from: fields.get(from) }));
                "memory"
            }
            Operation::Sanitise { field } => {
                write(fields, field, |_, field| self.each_value(field, &pointwise::Sanitise));
                "velocity statistics"
            }
            Operation::VelocityStatistics { velocity } => {
                let VelocityStatistics { largest, bad } = self.statistics(fields, velocity);
                reductions.push(&[f64::from(largest), bad as f64]);
                "velocity statistics"
            }
            Operation::Shift { shape, by: [x, y, _], from, to } => {
                let (kind, [columns, rows, _]) = (FieldKind::of(&shape), shape.size());
                write(fields, to, |fields, to| {
                    let (values, from) = (kind.components(), fields.get(from));
                    self.cpu.pass(rows, to, &mut [], &pointwise::Shift { columns, rows, values, by: [x, y], from });
                });
                "memory"
            }
            Operation::Stamp { domain: of, shape, stamp, first: [x, y, _], size: [width, height, _], values, to } => {
                write(fields, to, |fields, to| {
                    let area = Rectangle { x, y, width, height, values: &**fields.get(values) };
                    self.stamp(FieldKind::of(&shape), shape.size(), stamp, &area, domain(fields, of).solid, to);
                });
                "stamps"
            }
            Operation::Reflect { projected, velocity } => {
                for (projected, to) in projected.iter().zip(velocity.iter()) {
                    write(fields, *to, |fields, to| {
                        self.each_value(to, &pointwise::Reflect { projected: fields.get(*projected) });
                    });
                }
                "boundaries"
            }
            Operation::Force { domain: of, forces, scalars, from, to } => {
                write_all(fields, [to[0], to[1]], |fields, [u, v]| {
                    let (of, (colour, temperature)) = (domain(fields, of), read_scalars(fields, scalars));
                    let mut force = force::Force {
                        forces,
                        cells: Axis::both(&of, FieldKind::Cell),
                        from: read_faces(fields, from),
                        dye: colour,
                        spans: None,
                        temperature: temperature.map(|plane| &**plane),
                        solid: of.solid,
                        slips: of.slippery().is_some(),
                        no_slip: [0, 1, 2, 3].map(|side| of.sticks(side)),
                        zeros: vec![0.0; of.width + 1],
                    };
                    if force.has_buoyancy(0) || force.has_buoyancy(1) {
                        force.spans = Some(colour.spans(self.cpu, of.width, FieldKind::Dye.components()));
                    }
                    force.run(self.cpu, Faces { u, v });
                });
                "forces and confinement"
            }
            Operation::Diffuse { domain: of, number, weight, rhs, from, to } => {
                for (axis, kind) in [FieldKind::U, FieldKind::V].into_iter().enumerate() {
                    write(fields, to[axis], |fields, to| {
                        let of = domain(fields, of);
                        let diffuse = diffuse::Diffuse {
                            number,
                            weight,
                            axis,
                            faces: Axis::both(&of, kind),
                            cells: Axis::both(&of, FieldKind::Cell),
                            solid: of.solid,
                            slips: of.slippery().is_some(),
                            no_slip: [0, 1, 2, 3].map(|side| of.sticks(side)),
                            rhs: fields.get(rhs[axis]),
                            from: fields.get(from[axis]),
                        };
                        self.cpu.pass(of.height + axis, to, &mut [], &diffuse);
                    });
                }
                "viscosity"
            }
            Operation::Backtrace { domain: of, time, wind, to } => {
                write_all(fields, [to[0], to[1]], |fields, [x, y]| {
                    let of = domain(fields, of);
                    let obstacles = free_slip_obstacles(self.cpu, &of);
                    let tracer = Backtrace::new(&of, read_faces(fields, wind), time, obstacles.as_ref());
                    self.cpu.pass(of.height, x, y, &tracer);
                });
                "backtraces"
            }
            Operation::AdvectVelocity { domain: of, scheme, time, wind, from, backtrace, to } => {
                write_all(fields, [to[0], to[1], backtrace[0], backtrace[1]], |fields, [u, v, x, y]| {
                    let of = domain(fields, of);
                    let obstacles = free_slip_obstacles(self.cpu, &of);
                    let tracer = Backtrace::new(&of, read_faces(fields, wind), time, obstacles.as_ref());
                    let carry =
                        AdvectFaces::new(&of, tracer, read_faces(fields, from), MomentumStep::SemiLagrangian(scheme));
                    carry.run(self.cpu, Faces { u, v }, Some([x, y]));
                });
                "velocity advection"
            }
            Operation::CorrectVelocity { domain: of, time, wind, backtrace, from, advected, to } => {
                write_all(fields, [to[0], to[1]], |fields, [u, v]| {
                    let of = domain(fields, of);
                    let obstacles = free_slip_obstacles(self.cpu, &of);
                    let tracer = Backtrace::new(&of, read_faces(fields, wind), -time, obstacles.as_ref());
                    let how = MomentumStep::MacCormack(read_faces(fields, advected), read_axes(fields, backtrace));
                    let carry = AdvectFaces::new(&of, tracer, read_faces(fields, from), how);
                    carry.run(self.cpu, Faces { u, v }, None);
                });
                "velocity advection"
            }
            Operation::AdvectScalars { domain, advection, backtrace, from, to } => {
                self.advect_scalars(fields, domain, &advection, (backtrace, None), from, None, to);
                "scalar advection"
            }
            Operation::CorrectScalars { domain, advection, traces: [back, forward], from, advected, to } => {
                self.advect_scalars(fields, domain, &advection, (back, Some(forward)), from, Some(advected), to);
                "scalar advection"
            }
            // The module `pressure` runs the other operations.
            _ => self
                .fire(fields, operation)
                .or_else(|| self.flow_map(fields, operation))
                .unwrap_or_else(|| unreachable!("{operation:?}")),
        }
    }

    /// Runs a pass over the values of a field, each a row of one value.
    fn each_value(&self, to: &mut Plane, pass: &impl Pass) {
        let rows = to.len();
        self.cpu.pass(rows, to, &mut [], pass);
    }

    fn statistics(&self, fields: &Fields<Plane>, velocity: VectorField) -> VelocityStatistics {
        let planes = [fields.get(velocity[0]), fields.get(velocity[1])];
        if let Some(known) = self.known_statistics(planes) {
            return known;
        }
        let pieces = planes.into_iter().flat_map(|plane| plane.chunks(PIECE)).collect();
        let found = self.cpu.each(pieces, |values: &[f32]| self.cpu.isa.run(pointwise::Statistics(values)));
        found.into_iter().fold(VelocityStatistics::default(), VelocityStatistics::and)
    }

    fn stamp(
        &self,
        kind: FieldKind,
        [columns, rows, _]: [usize; 3],
        stamp: operands::Stamp,
        area: &Rectangle<&[f32]>,
        solid: Option<&[f32]>,
        to: &mut Plane,
    ) {
        let spans = to.take_spans();
        let Rectangle { x, y, width, height, values } = *area;
        // The pass visits the rows under the stamp only, as a field.
        let [first, end] = [y, y + height].map(|y| y.min(rows) * columns);
        let solid = solid.map(|solid| solid.get(first..).unwrap_or_default());
        let area = Rectangle { x, y: 0, width, height, values };
        let stamped = pointwise::StampArea { kind, columns, stamp, area, solid };
        let components = kind.components();
        let touched = &mut to[first * components..end * components];
        self.cpu.pass_over((end - first) / columns.max(1), width * components, [touched, &mut []], &stamped);
        if let Some(mut spans) = spans {
            spans.add(x..(x + width).min(columns), y..y + height);
            to.set_spans(spans);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the operands of two operations")]
    fn advect_scalars(
        &self,
        fields: &mut Fields<Plane>,
        of: &Domain,
        advection: &Advection,
        (back, ahead): (VectorField, Option<VectorField>),
        from: Scalars,
        advected: Option<Scalars>,
        to: Scalars,
    ) {
        let mut colour = fields.take(to.colour);
        let mut temperature = to.temperature.map(|id| fields.take(id));
        let of = domain(fields, of);
        let (from, advected) = (read_scalars(fields, from), advected.map(|of| read_scalars(fields, of)));
        let of_temperature = advected.and_then(|of| of.1).map(|plane| &**plane);
        let axes = Axis::both(&of, FieldKind::Cell);
        let spans = (!axes[0].wraps() && !axes[1].wraps()).then(|| self.spans(of.width, from, advected));
        let carry = AdvectCells {
            cells: axes,
            advection: *advection,
            back: read_axes(fields, back),
            ahead: ahead.map(|ahead| read_axes(fields, ahead)),
            dye: AdvectedField {
                from: bytemuck::cast_slice(from.0),
                advected: advected.map(|(colour, _)| bytemuck::cast_slice(colour)),
            },
            temperature: from.1.map(|from| AdvectedField { from, advected: of_temperature }),
            obstacles: of.solid.map(|solid| Obstacles::new(self.cpu, solid, of.width)),
            decays: advection.scheme != Scheme::MacCormack || advected.is_some(),
            spans: spans.as_ref(),
        };
        let two = temperature.as_deref_mut().unwrap_or_default();
        let carried = self.cpu.pass(of.height, &mut colour, two, &carry);
        if spans.is_some() {
            let spans = OccupiedSpans::from_rows(carried.into_iter().flatten());
            if let Some(temperature) = &mut temperature {
                temperature.set_spans(spans.clone());
            }
            colour.set_spans(spans);
        }
        fields.put(to.colour, colour);
        to.temperature.into_iter().zip(temperature).for_each(|(id, plane)| fields.put(id, plane));
    }

    /// The spans that scalars occupy.
    fn spans(
        &self,
        columns: usize,
        from: (&Plane, Option<&Plane>),
        advected: Option<(&Plane, Option<&Plane>)>,
    ) -> OccupiedSpans {
        let mut all = from.0.spans(self.cpu, columns, FieldKind::Dye.components()).clone();
        for temperature in [from.1, advected.and_then(|of| of.1)].into_iter().flatten() {
            all.unite(temperature.spans(self.cpu, columns, FieldKind::Cell.components()));
        }
        if let Some((colour, _)) = advected {
            all.unite(colour.spans(self.cpu, columns, FieldKind::Dye.components()));
        }
        all
    }
}
