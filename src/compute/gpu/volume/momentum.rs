//! Forces on the velocity, and its advection by itself.

use super::commands::{Buffer, Commands};
use super::layout::{Params, flag, whole};
use super::passes::Pass;
use super::solids::Solids;
use crate::compute::cpu::Cpu;
use crate::compute::cpu::volume::{Cover, ForcePoints};
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::on;
use crate::sim::volume::plan::StepPlan;
use crate::sim::volume::state::{face_sizes, faces};

/// Velocities that an emitter sets on the faces across an axis.
struct EmitterVelocity {
    axis: usize,
    from: [usize; 3],
    size: [usize; 3],
    /// Coverage and velocity of the faces.
    values: Buffer,
}

/// The velocity of a step: its forces and its advection.
pub(super) struct Momentum<'a> {
    commands: &'a Commands<'a>,
    plan: &'a StepPlan,
    solids: Option<&'a Solids>,
    /// Accelerations of the force fields, and the points that have them.
    fields: Option<(Buffer, ForcePoints<'a>)>,
    emitters: Vec<EmitterVelocity>,
}

/// The velocity to which forces are added.
pub(super) enum Base<'a> {
    /// A velocity.
    Plain(&'a Buffer),
    /// The reflection of a velocity, the first, across its projection, the second.
    Reflected(&'a Buffer, &'a Buffer),
}

impl<'a> Momentum<'a> {
    /// Uploads the force fields and the velocities of emitters.
    pub fn new(
        commands: &'a Commands<'a>,
        cpu: &Cpu,
        plan: &'a StepPlan,
        solids: Option<&'a Solids>,
    ) -> Result<Self, Fault> {
        let fields = match &plan.forces.fields {
            Some(fields) => {
                let points = ForcePoints::new(fields, plan.bounds);
                let values: Vec<[f32; 4]> = points.all(cpu).iter().map(|[x, y, z]| [*x, *y, *z, 0.0]).collect();
                Some((commands.uploaded(&values)?, points))
            }
            None => None,
        };
        let mut emitters = Vec::new();
        for source in &plan.sources {
            for axis in 0..3 {
                let Some(Cover { from, size, values }) = Cover::faces(cpu, source, plan.bounds, axis) else { continue };
                emitters.push(EmitterVelocity { axis, from, size, values: commands.uploaded(&values)? });
            }
        }
        Ok(Self { commands, plan, solids, fields, emitters })
    }

    /// A velocity with unspecified values.
    pub fn velocity(&self) -> Result<Buffer, Fault> {
        self.commands.words(faces(self.plan.bounds.cells).into_iter().sum())
    }

    /// Records a pass over the faces across each axis.
    pub fn over_faces(&self, pass: Pass, params: Params, buffers: &[Option<&Buffer>]) -> Result<(), Fault> {
        for axis in 0..3 {
            let params = Params { axis: axis as u32, ..params };
            self.commands.over(pass, params, buffers, face_sizes(self.plan.bounds.cells, axis))?;
        }
        Ok(())
    }

    /// Sets closed faces to the velocity of their solid.
    pub fn enforce(&self, velocity: &Buffer) -> Result<(), Fault> {
        self.solids.map_or(Ok(()), |solids| solids.enforce(self.commands, velocity, self.plan.bounds.cells))
    }

    /// Displacements of the cells over `time` in a velocity.
    pub fn displacements(&self, velocity: &Buffer, time: f32) -> Result<Buffer, Fault> {
        let (commands, bounds) = (self.commands, self.plan.bounds);
        let to = commands.packs(bounds.len())?;
        let params = Params { time, ..commands.shared };
        commands.over(Pass::Displacement, params, &[Some(velocity), Some(&to)], bounds.cells)?;
        Ok(to)
    }

    /// Accelerations of the cells; `None` without forces. `packs`: the scalars of the cells of the velocity.
    fn accelerations(&self, velocity: &Buffer, packs: &Buffer) -> Result<Option<Buffer>, Fault> {
        let (commands, forces, bounds) = (self.commands, &self.plan.forces, self.plan.bounds);
        if self.fields.is_none() && forces.confinement == 0.0 && forces.lift == [0.0; 4] {
            return Ok(None);
        }
        let vorticity = if forces.confinement > 0.0 {
            let to = commands.packs(bounds.len())?;
            commands.over(Pass::Vorticity, commands.shared, &[Some(velocity), Some(&to)], bounds.cells)?;
            Some(to)
        } else {
            None
        };
        let to = commands.packs(bounds.len())?;
        let mut params = Params {
            numbers: forces.lift,
            more: [forces.confinement, 0.0, 0.0, 0.0],
            flags: on(vorticity.is_some(), flag::CONFINED) | on(self.fields.is_some(), flag::FIELDS),
            ..commands.shared
        };
        if let Some((_, points)) = &self.fields {
            params = Params { first: points.first, part: whole(points.size), mode: points.spacing as u32, ..params };
        }
        let values = self.fields.as_ref().map(|(values, _)| values);
        commands.over(Pass::Accelerate, params, &[Some(packs), vorticity.as_ref(), values, Some(&to)], bounds.cells)?;
        Ok(Some(to))
    }

    /// A velocity after the forces over `time`; `by`: the advecting velocity.
    fn forced(&self, by: &Buffer, base: &Base<'_>, packs: &Buffer, time: f32) -> Result<Buffer, Fault> {
        let (commands, forces) = (self.commands, &self.plan.forces);
        let accelerations = self.accelerations(by, packs)?;
        let (velocity, projected) = match base {
            Base::Plain(velocity) => (*velocity, None),
            Base::Reflected(velocity, projected) => (*velocity, Some(*projected)),
        };
        let friction = forces.viscosity * time;
        let keep = libm::exp(-f64::from(forces.drag * time)) as f32;
        let params = Params {
            time,
            numbers: [friction, keep, 0.0, 0.0],
            flags: on(projected.is_some(), flag::REFLECTED)
                | on(friction > 0.0, flag::VISCOUS)
                | on(accelerations.is_some(), flag::ACCELERATED),
            ..commands.shared
        };
        let to = self.velocity()?;
        self.over_faces(
            Pass::Force,
            params,
            &[Some(by), Some(velocity), projected, accelerations.as_ref(), Some(&to)],
        )?;
        for EmitterVelocity { axis, from, size, values } in &self.emitters {
            let params = Params { axis: *axis as u32, first: whole(*from), part: whole(*size), ..commands.shared };
            commands.over(Pass::EmitterVelocity, params, &[Some(values), Some(&to)], *size)?;
        }
        self.enforce(&to)?;
        Ok(to)
    }

    /// Adds the forces over `time` to a velocity, and advects the result by the velocity `by`, whose backtraces over the
    /// time are `back`.
    pub fn advect(
        &self,
        (by, back): (&Buffer, &Buffer),
        base: &Base<'_>,
        packs: &Buffer,
        time: f32,
    ) -> Result<Buffer, Fault> {
        let shared = self.commands.shared;
        let from = self.forced(by, base, packs, time)?;
        let ahead = self.displacements(by, -time)?;
        let (once, again, to) = (self.velocity()?, self.velocity()?, self.velocity()?);
        self.over_faces(Pass::AdvectVelocity, shared, &[Some(&from), Some(back), Some(&once)])?;
        self.over_faces(Pass::AdvectVelocity, shared, &[Some(&once), Some(&ahead), Some(&again)])?;
        let buffers = [Some(&from), Some(&once), Some(&again), Some(back), Some(&ahead), Some(&to)];
        self.over_faces(Pass::MacCormack, shared, &buffers)?;
        self.enforce(&to)?;
        Ok(to)
    }
}
