//! Projection: the divergence of a velocity, the pressure that removes it, and the subtraction of its gradient.

use super::commands::{Buffer, Commands};
use super::layout::{Params, flag, whole};
use super::momentum::Momentum;
use super::passes::Pass;
use super::pressure::Pressure;
use super::solid_pressure::SolidPressure;
use super::solids::Solids;
use crate::compute::cpu::Cpu;
use crate::compute::cpu::volume::Cover;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::on;
use crate::sim::volume::Solves;
use crate::sim::volume::plan::StepPlan;

/// The divergence of an emitter.
struct EmitterDivergence {
    from: [usize; 3],
    size: [usize; 3],
    cover: Buffer,
    /// At full coverage, per frame.
    divergence: f32,
}

/// The solver of the pressure.
enum Solver<'a> {
    Free(Pressure<'a>),
    AmongSolids(SolidPressure<'a>, &'a Solids),
}

/// The projections of a step.
pub(super) struct Projection<'a> {
    commands: &'a Commands<'a>,
    solver: Solver<'a>,
    emitters: Vec<EmitterDivergence>,
    /// Cells of the box.
    size: [usize; 3],
    /// Divergence per fuel burnt per frame.
    pub expansion: f32,
}

impl<'a> Projection<'a> {
    /// The projections of a step.
    pub fn new(
        commands: &'a Commands<'a>,
        cpu: &Cpu,
        plan: &StepPlan,
        solids: Option<&'a Solids>,
    ) -> Result<Self, Fault> {
        let mut emitters = Vec::new();
        for source in plan.sources.iter().filter(|source| source.expands()) {
            let Some(Cover { from, size, values }) = Cover::cells(cpu, source, plan.bounds) else { continue };
            let (cover, divergence) = (commands.uploaded(&values)?, source.divergence(1.0) as f32);
            emitters.push(EmitterDivergence { from, size, cover, divergence });
        }
        let solver = match solids {
            Some(solids) => Solver::AmongSolids(SolidPressure::new(commands, plan, solids)?, solids),
            None => Solver::Free(Pressure::new(commands, plan)?),
        };
        let expansion = plan.fire.as_ref().map_or(0.0, |fire| fire.expansion);
        Ok(Self { commands, solver, emitters, size: plan.bounds.cells, expansion })
    }

    /// The divergence of `velocity` less those of emitters and of burning; `gases`: those of the cells of the velocity.
    fn divergence(&self, velocity: &Buffer, gases: Option<&Buffer>) -> Result<(), Fault> {
        let commands = self.commands;
        let (to, solids) = match &self.solver {
            Solver::Free(pressure) => (pressure.divergence(), None),
            Solver::AmongSolids(pressure, solids) => (pressure.divergence(), Some(solids)),
        };
        let params = Params {
            numbers: [self.expansion, 0.0, 0.0, 0.0],
            flags: on(gases.is_some() && self.expansion > 0.0, flag::EXPANDING)
                | solids.map_or(0, |solids| solids.flags()),
            ..commands.shared
        };
        let (open, moved) = (solids.map(|solids| &solids.open), solids.and_then(|solids| solids.moved.as_ref()));
        commands.over(Pass::Divergence, params, &[Some(velocity), gases, open, moved, Some(to)], self.size)?;
        for EmitterDivergence { from, size, cover, divergence } in &self.emitters {
            let params = Params {
                first: whole(*from),
                part: whole(*size),
                numbers: [*divergence, 0.0, 0.0, 0.0],
                ..commands.shared
            };
            commands.over(Pass::EmitterDivergence, params, &[Some(cover), Some(to)], *size)?;
        }
        Ok(())
    }

    /// Computes the pressure whose gradient, subtracted from `velocity`, leaves the divergence of emitters and of
    /// burning; `gases`: those of the cells of the velocity.
    pub fn solve(&self, velocity: &Buffer, gases: Option<&Buffer>) -> Result<Solves, Fault> {
        self.divergence(velocity, gases)?;
        match &self.solver {
            Solver::Free(pressure) => pressure.solve(),
            Solver::AmongSolids(pressure, _) => pressure.solve(),
        }
    }

    /// A velocity without the gradient of the pressure.
    pub fn subtracted(&self, momentum: &Momentum<'_>, velocity: &Buffer) -> Result<Buffer, Fault> {
        let pressure = match &self.solver {
            Solver::Free(pressure) => pressure.pressure(),
            Solver::AmongSolids(pressure, _) => pressure.pressure(),
        };
        let to = momentum.velocity()?;
        let buffers = [Some(velocity), Some(pressure), Some(&to)];
        momentum.over_faces(Pass::SubtractGradient, self.commands.shared, &buffers)?;
        momentum.enforce(&to)?;
        Ok(to)
    }
}
