//! A sub-step: forces, advection, burning, solids, pressure.

use super::field::FieldKind;
use super::fire::FireStep;
use super::flow_map::Maps;
use super::settings::{Constants, Scheme, Settings};
use super::time_step::TimeStep;
use crate::sim::fluid::combustion::Flame;
use crate::sim::fluid::session::ask;
use crate::sim::fluid::{
    Advection, Backend, Domain, Failed, FieldId, GoOn, Operation, Projected, Projection, Scalars, Session, Stamp,
    VectorField, Workspace, project,
};

/// A stamp whose values are on the device.
pub(super) struct FieldStamp {
    pub kind: FieldKind,
    pub stamp: Stamp,
    pub first: [usize; 2],
    pub size: [usize; 2],
    pub values: FieldId,
}

impl FieldStamp {
    /// The operation on a field.
    pub fn onto<'a>(&self, domain: &'a Domain, to: FieldId) -> Operation<'a> {
        let ([x, y], [width, height]) = (self.first, self.size);
        Operation::Stamp {
            domain,
            shape: self.kind.shape([domain.size[0], domain.size[1]]),
            stamp: self.stamp,
            first: [x, y, 0],
            size: [width, height, 1],
            values: self.values,
            to,
        }
    }
}

/// The smoke at one time, as fields.
#[derive(Clone, Copy)]
pub(super) struct Flow {
    pub velocity: VectorField,
    pub content: Content,
    pub pressure: FieldId,
}

/// Advected fields.
#[derive(Clone, Copy)]
pub(super) struct Content {
    pub scalars: Scalars,
    /// With a fire there is a temperature.
    pub flame: Option<Flame>,
    /// Maps that the dye is read through.
    pub maps: Option<Maps>,
}

/// The operands that are equal in all sub-steps of a frame.
pub(super) struct Step<'a> {
    pub domain: &'a Domain,
    pub constants: &'a Constants,
    pub settings: &'a Settings,
    /// Cells per full-resolution pixel.
    pub scale: f64,
    pub time_step: TimeStep,
    /// Stamps on velocity per sub-step; with reflection, per half step.
    pub velocity_stamps: &'a [FieldStamp],
    /// Stamps on the scalars per sub-step.
    pub scalar_stamps: &'a [FieldStamp],
    /// The fire, where there is one.
    pub fire: Option<FireStep<'a>>,
}

/// Largest number of sweeps of viscosity: enough for air to come to rest.
const SWEEPS_MAX: u32 = 400;
/// Largest ratio of the error after the sweeps to the error before.
const SWEEPS_LEAVE: f64 = 1e-6;

/// Drops the fields of scalars.
fn free_scalars<B: Backend>(session: &mut Session<'_, B>, scalars: Scalars) {
    session.free(&[scalars.colour]);
    session.free(scalars.temperature.as_slice());
}

/// Drops advected fields.
pub(super) fn free_content<B: Backend>(session: &mut Session<'_, B>, content: Content) {
    free_scalars(session, content.scalars);
    if let Some(Flame { gas, burning }) = content.flame {
        session.free(&[gas, burning]);
    }
    if let Some(maps) = content.maps {
        maps.free(session);
    }
}

/// Replaces the fields of a flow and drops the old ones.
fn replace<B: Backend>(session: &mut Session<'_, B>, flow: &mut Flow, by: Flow) {
    let old = std::mem::replace(flow, by);
    session.free(&old.velocity);
    session.free(&[old.pressure]);
    free_content(session, old.content);
}

impl Step<'_> {
    /// Advances the flow by a sub-step and drops its old fields. Scalars are advected by the latest projected velocity:
    /// that at the start or, with reflection (Zehnder, Narain and Thomaszewski 2018), that in the middle of the
    /// sub-step. Then fuel burns, and the last projection takes its expansion. The projection in the middle takes that
    /// of the previous sub-step.
    ///
    /// With reflection the second half mirrors the first in time: forces come first in the first half, and last in the
    /// second, where they are computed from the advected scalars. An internal gravity wave then keeps its amplitude, up
    /// to the error of advection. With forces from the scalars of the start it would grow by ω²dt²/4 per sub-step; with
    /// forces before advection in both halves it would lose ω²dt²/8, since velocity from weight that pressure balances
    /// would be advected in the first half only.
    pub fn advance<B: Backend>(
        &self,
        session: &mut Session<'_, B>,
        workspace: &mut Workspace,
        flow: &mut Flow,
        report: &mut impl FnMut(Projected),
        go_on: GoOn<'_>,
    ) -> Result<(), Failed> {
        let Flow { velocity, content, pressure } = *flow;
        if !self.constants.reflection {
            let (next, backtrace) =
                self.unprojected(session, velocity, content, self.time_step.velocity_time, go_on)?;
            let backtrace = if self.time_step.velocity_time == self.time_step.scalar_time {
                Some(backtrace)
            } else {
                session.free(&backtrace);
                None
            };
            let advected = self.advance_content(session, content, velocity, backtrace, go_on)?;
            let (projected, found) = self.project(session, workspace, next, (Some(pressure), advected.flame), go_on)?;
            report(projected);
            replace(session, flow, Flow { velocity: next, content: advected, pressure: found });
            return Ok(());
        }
        let half = self.time_step.velocity_time / 2.0;
        let (mut reflected, backtrace) = self.unprojected(session, velocity, content, half, go_on)?;
        session.free(&backtrace);
        let middle = self.allocate_velocity(session)?;
        let mut list = vec![self.enforce_boundaries(reflected)];
        list.extend(copies(reflected, middle));
        session.run(&list)?;
        let (projected, found) = self.project(session, workspace, middle, (Some(pressure), content.flame), go_on)?;
        report(projected);
        session.run(&[Operation::Reflect { projected: middle, velocity: reflected }])?;
        let advected = self.advance_content(session, content, middle, None, go_on)?;
        reflected = self.diffuse(session, reflected, half, go_on)?;
        let (transported, backtrace) = self.advect(session, reflected, middle, half, go_on)?;
        session.free(&backtrace);
        session.run(&[self.enforce_boundaries(transported)])?;
        let next = self.force(session, transported, advected, half)?;
        for unused in [reflected, middle, transported] {
            session.free(&unused);
        }
        // Reflection has already removed most of the divergence of the second half: its initial pressure is 0.
        let (projected, unused) = self.project(session, workspace, next, (None, advected.flame), go_on)?;
        session.free(&[unused]);
        report(projected);
        replace(session, flow, Flow { velocity: next, content: advected, pressure: found });
        Ok(())
    }

    /// Advected fields after a sub-step of advection along `wind`, inflow and burning. `backtrace`, if already known, is
    /// dropped.
    pub fn advance_content<B: Backend>(
        &self,
        session: &mut Session<'_, B>,
        from: Content,
        wind: VectorField,
        backtrace: Option<VectorField>,
        go_on: GoOn<'_>,
    ) -> Result<Content, Failed> {
        let (domain, time) = (self.domain, self.time_step.scalar_time);
        let advection = Advection {
            scheme: self.constants.dye_scheme,
            keep: (1.0 - TimeStep::relaxation(self.settings.dissipation, time)) as f32,
            cooling: TimeStep::relaxation(self.settings.cooling, time) as f32,
            ambient: TimeStep::forces(self.settings, time, self.scale).ambient,
        };
        ask(go_on)?;
        let backtrace = match backtrace {
            Some(backtrace) => backtrace,
            None => self.backtrace(session, wind, time)?,
        };
        let forward = match advection.scheme {
            Scheme::MacCormack => Some(self.backtrace(session, wind, -time)?),
            Scheme::SemiLagrangian | Scheme::Cubic => None,
        };
        // With a flow map the residual is advected in place of the dye.
        let colour = from.maps.map_or(from.scalars.colour, |maps| maps.map.residual);
        let scalars = Scalars { colour, ..from.scalars };
        let mut to = self.advect_scalars(session, advection, (backtrace, forward), scalars, go_on)?;
        let maps = match from.maps {
            Some(maps) => Some(self.advect_maps(session, advection, backtrace, (maps, to.colour), go_on)?),
            None => None,
        };
        let mut gas = None;
        if let Some(flame) = from.flame {
            let (advection, from) =
                (Advection { keep: 1.0, ..advection }, Scalars { colour: flame.gas, temperature: None });
            gas = Some(self.advect_scalars(session, advection, (backtrace, forward), from, go_on)?.colour);
        }
        for trace in [Some(backtrace), forward].into_iter().flatten() {
            session.free(&trace);
        }
        let residuals: Vec<FieldId> = match &maps {
            Some(maps) => maps.each().map(|map| map.residual).collect(),
            None => vec![to.colour],
        };
        let stamps = self.scalar_stamps.iter().flat_map(|stamp| {
            let to = if stamp.kind == FieldKind::Dye { &*residuals } else { to.temperature.as_slice() };
            to.iter().map(|to| stamp.onto(domain, *to))
        });
        session.run(&stamps.collect::<Vec<_>>())?;
        if let Some(maps) = maps {
            to.colour = self.read_maps(session, maps)?;
        }
        let mut flame = None;
        if let (Some(fire), Some(gas), Some(temperature)) = (&self.fire, gas, to.temperature) {
            let (temperature, burnt) = self.burn(session, fire, gas, temperature)?;
            (to.temperature, flame) = (Some(temperature), Some(burnt));
        }
        Ok(Content { scalars: to, flame, maps })
    }

    /// Scalars after advection along displacements.
    fn advect_scalars<B: Backend>(
        &self,
        session: &mut Session<'_, B>,
        advection: Advection,
        (backtrace, forward): (VectorField, Option<VectorField>),
        from: Scalars,
        go_on: GoOn<'_>,
    ) -> Result<Scalars, Failed> {
        let domain = self.domain;
        let mut to = self.allocate_scalars(session, from)?;
        session.run(&[Operation::AdvectScalars { domain, advection, backtrace, from, to }])?;
        if let Some(forward) = forward {
            ask(go_on)?;
            let advected = std::mem::replace(&mut to, self.allocate_scalars(session, from)?);
            let traces = [backtrace, forward];
            session.run(&[Operation::CorrectScalars { domain, advection, traces, from, advected, to }])?;
            free_scalars(session, advected);
        }
        Ok(to)
    }

    /// Velocity after `time` frames of forces, viscosity and self-advection, and the backtrace of the cells. Boundary
    /// conditions are enforced later, at the start of the projection.
    fn unprojected<B: Backend>(
        &self,
        session: &mut Session<'_, B>,
        velocity: VectorField,
        content: Content,
        time: f64,
        go_on: GoOn<'_>,
    ) -> Result<(VectorField, VectorField), Failed> {
        ask(go_on)?;
        let forced = self.force(session, velocity, content, time)?;
        let forced = self.diffuse(session, forced, time, go_on)?;
        let advected = self.advect(session, forced, velocity, time, go_on)?;
        session.free(&forced);
        Ok(advected)
    }

    /// Velocity after `time` frames of advection along a wind, and the backtrace of the cells.
    fn advect<B: Backend>(
        &self,
        session: &mut Session<'_, B>,
        from: VectorField,
        wind: VectorField,
        time: f64,
        go_on: GoOn<'_>,
    ) -> Result<(VectorField, VectorField), Failed> {
        ask(go_on)?;
        let (domain, scheme, time) = (self.domain, self.constants.velocity_scheme, time as f32);
        let backtrace = self.allocate_displacements(session)?;
        let mut to = self.allocate_velocity(session)?;
        session.run(&[Operation::AdvectVelocity { domain, scheme, time, wind, from, backtrace, to }])?;
        if scheme == Scheme::MacCormack {
            ask(go_on)?;
            let advected = std::mem::replace(&mut to, self.allocate_velocity(session)?);
            session.run(&[Operation::CorrectVelocity { domain, time, wind, backtrace, from, advected, to }])?;
            session.free(&advected);
        }
        Ok((to, backtrace))
    }

    /// Displacements of the cells over `time`.
    fn backtrace<B: Backend>(
        &self,
        session: &mut Session<'_, B>,
        wind: VectorField,
        time: f64,
    ) -> Result<VectorField, Failed> {
        let to = self.allocate_displacements(session)?;
        session.run(&[Operation::Backtrace { domain: self.domain, time: time as f32, wind, to }])?;
        Ok(to)
    }

    /// Velocity after forces, with boundary conditions enforced.
    fn force<B: Backend>(
        &self,
        session: &mut Session<'_, B>,
        from: VectorField,
        Content { scalars, flame, .. }: Content,
        time: f64,
    ) -> Result<VectorField, Failed> {
        let (domain, forces) = (self.domain, TimeStep::forces(self.settings, time, self.scale));
        let mut to = self.allocate_velocity(session)?;
        let mut list = vec![Operation::Force { domain, forces, scalars, from, to }];
        if let (Some(fire), Some(flame), Some(temperature)) = (&self.fire, flame, scalars.temperature) {
            session.run(&std::mem::take(&mut list))?;
            to = self.force_flame(session, to, (fire, flame, temperature), time)?;
        }
        list.extend(
            self.velocity_stamps.iter().map(|stamp| stamp.onto(domain, to[usize::from(stamp.kind != FieldKind::U)])),
        );
        list.push(self.enforce_boundaries(to));
        session.run(&list)?;
        Ok(to)
    }

    /// Velocity after viscosity, by Chebyshev's iteration (Golub and Varga 1961); the diffusion number determines the
    /// number of sweeps. Drops `rhs`.
    fn diffuse<B: Backend>(
        &self,
        session: &mut Session<'_, B>,
        rhs: VectorField,
        time: f64,
        go_on: GoOn<'_>,
    ) -> Result<VectorField, Failed> {
        let domain = self.domain;
        let number = TimeStep::diffusion(self.settings, time, self.scale);
        if number == 0.0 {
            return Ok(rhs);
        }
        let radius = 4.0 * number / (1.0 + 4.0 * number);
        let factor = radius / (1.0 + libm::sqrt(1.0 - radius * radius));
        let sweeps = (libm::log(SWEEPS_LEAVE) / libm::log(factor)).ceil().clamp(2.0, f64::from(SWEEPS_MAX)) as u32;
        let mut before = self.allocate_velocity(session)?;
        let mut now = self.allocate_velocity(session)?;
        session.run(&copies(rhs, before).collect::<Vec<_>>())?;
        let (number, mut weight) = (number as f32, 1.0);
        for sweep in 0..sweeps {
            if sweep % 16 == 0 {
                ask(go_on)?;
            }
            let (from, to) = if sweep == 0 { (before, now) } else { (now, before) };
            if sweep > 0 {
                let share = if sweep == 1 { 0.5 } else { 0.25 };
                weight = 1.0 / (1.0 - share * radius * radius * weight);
                std::mem::swap(&mut now, &mut before);
            }
            session.run(&[Operation::Diffuse { domain, number, weight: weight as f32, rhs, from, to }])?;
        }
        session.free(&before);
        session.free(&rhs);
        Ok(now)
    }

    /// Projects a velocity onto the expansion of a flame, from the pressure `before`; also returns the pressure as a new
    /// field.
    fn project<B: Backend>(
        &self,
        session: &mut Session<'_, B>,
        workspace: &mut Workspace,
        velocity: VectorField,
        (before, flame): (Option<FieldId>, Option<Flame>),
        go_on: GoOn<'_>,
    ) -> Result<(Projected, FieldId), Failed> {
        ask(go_on)?;
        let found = session.allocate(self.len(FieldKind::Cell))?;
        let source = self.expansion(session, flame)?;
        let parameters: Projection = TimeStep::projection(self.settings, source);
        let projected = project(session, workspace, self.domain, velocity, (before, found), &parameters, go_on)?;
        session.free(source.as_slice());
        Ok((projected, found))
    }

    fn enforce_boundaries(&self, velocity: VectorField) -> Operation<'_> {
        Operation::EnforceBoundaries { domain: self.domain, velocity, measure: false }
    }

    pub fn len(&self, kind: FieldKind) -> usize {
        kind.shape([self.domain.size[0], self.domain.size[1]]).len()
    }

    fn allocate_displacements<B: Backend>(&self, session: &mut Session<'_, B>) -> Result<VectorField, Failed> {
        session.allocate_vector(&[self.len(FieldKind::Cell); 2])
    }

    pub fn allocate_velocity<B: Backend>(&self, session: &mut Session<'_, B>) -> Result<VectorField, Failed> {
        session.allocate_vector(&[self.len(FieldKind::U), self.len(FieldKind::V)])
    }

    fn allocate_scalars<B: Backend>(&self, session: &mut Session<'_, B>, like: Scalars) -> Result<Scalars, Failed> {
        let temperature = like.temperature.map(|_| session.allocate(self.len(FieldKind::Cell))).transpose()?;
        Ok(Scalars { colour: session.allocate(self.len(FieldKind::Dye))?, temperature })
    }
}

/// Copies of a vector field's components.
fn copies<'a>(from: VectorField, to: VectorField) -> impl Iterator<Item = Operation<'a>> {
    (0..from.len()).map(move |axis| Operation::Copy { from: from[axis], to: to[axis] })
}
