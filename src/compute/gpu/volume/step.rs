//! A step: forces, advection, burning and projection, as on the CPU.

use std::sync::Arc;

use super::commands::{Buffer, Commands, check_abort};
use super::emission::{Emitted, emit};
use super::layout::{self, Params, flag, whole};
use super::momentum::{Base, Momentum};
use super::passes::Pass;
use super::projection::Projection;
use super::resources::{Resident, VolumeResources};
use super::solids::Solids;
use crate::compute::cpu::Cpu;
use crate::compute::cpu::volume::coarser;
use crate::compute::gpu::core::Core;
use crate::compute::gpu::fault::{Fault, Stop};
use crate::compute::gpu::pipeline::on;
use crate::sim::memory::Values;
use crate::sim::volume::plan::{StepPlan, VELOCITY_MAX};
use crate::sim::volume::rounding::PACKS;
use crate::sim::volume::state::{PACK, faces};
use crate::sim::volume::{Solves, State, Statistics};

/// Numbers of the statistics: the speed, and both ends of the active cells along each axis.
const STATISTICS: usize = 7;

/// The buffers of a state, uploaded if they are not on the device.
fn resident(commands: &Commands<'_>, resources: &VolumeResources, state: &State) -> Result<Resident, Fault> {
    if let Some(found) = resources.find(state) {
        return Ok(found);
    }
    let velocity = commands.uploaded_faces(state.velocity.each_ref().map(|values| &values[..]))?;
    let uploaded =
        |packs: &Option<Arc<Values<u16>>>| packs.as_ref().map(|packs| commands.uploaded(&packs[..])).transpose();
    let (gases, tints) = (uploaded(&state.gases)?, uploaded(&state.tints)?);
    Ok(Resident { velocity, scalars: commands.uploaded(&state.scalars[..])?, gases, tints })
}

/// A step on the device.
struct Step<'a> {
    commands: &'a Commands<'a>,
    momentum: Momentum<'a>,
    plan: &'a StepPlan,
    solids: Option<&'a Solids>,
}

impl Step<'_> {
    /// The means of packs over the cells of the velocity.
    fn means(&self, packs: &Buffer) -> Result<Buffer, Fault> {
        if self.plan.detail == 1 {
            return Ok(Arc::clone(packs));
        }
        let (commands, bounds) = (self.commands, self.plan.bounds);
        let to = commands.packs(bounds.len())?;
        commands.over(Pass::Mean, commands.shared, &[Some(packs), Some(&to)], bounds.cells)?;
        Ok(to)
    }

    /// Advection of the packs along the backtraces in a velocity, then burning. `back`: those of its cells, if known.
    fn transport(&self, emitted: Emitted, velocity: &Buffer, back: Option<Buffer>) -> Result<Emitted, Fault> {
        let Self { commands, plan, .. } = self;
        let back = match back {
            // Finer cells have backtraces of their own.
            _ if plan.detail > 1 => None,
            None => Some(self.momentum.displacements(velocity, plan.time)?),
            back => back,
        };
        let fine = plan.bounds.finer(plan.detail);
        let advect = |packs: &Buffer| {
            let to = commands.packs(fine.len())?;
            let params = Params { time: plan.time, flags: on(plan.detail > 1, flag::FINER), ..commands.shared };
            let buffers = [Some(packs), back.as_ref(), Some(velocity), Some(&to)];
            commands.over(Pass::AdvectPacks, params, &buffers, fine.cells)?;
            if let Some(solids) = self.solids {
                solids.clear(commands, &to, fine.cells)?;
            }
            Ok::<_, Fault>(to)
        };
        let scalars = advect(&emitted.scalars)?;
        let gases = emitted.gases.as_ref().map(advect).transpose()?;
        let tints = emitted.tints.as_ref().map(advect).transpose()?;
        if let (Some(fire), Some(gases)) = (&plan.fire, &gases) {
            let burning = fire.burning;
            let params = Params {
                numbers: [burning.rate, burning.ignition, burning.heat, burning.ageing],
                more: [burning.keep, burning.soot, burning.per_frame, fire.radiation],
                flags: on(fire.radiation > 0.0, flag::RADIATES),
                ..commands.shared
            };
            commands.along(Pass::Burn, params, &[Some(&scalars), Some(gases)], fine.len())?;
        }
        Ok(Emitted { scalars, gases, tints })
    }
}

/// Runs a step; the buffers of the new state stay on the device.
pub(super) fn run(
    core: &Arc<Core>,
    resources: &VolumeResources,
    cpu: &Cpu,
    (before, plan): (&State, &StepPlan),
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(State, Solves), Stop> {
    let bounds = plan.bounds;
    let commands = &Commands::new(core, resources, shared(plan));
    let start = resident(commands, resources, before)?;
    let solids = resources.solids(commands, cpu, plan)?;
    let solids = solids.as_deref();
    let momentum = Momentum::new(commands, cpu, plan, solids)?;
    let step = Step { commands, momentum, plan, solids };
    let velocity = step.momentum.velocity()?;
    let shift = std::array::from_fn(|axis| bounds.low[axis] - before.bounds.low[axis]);
    let params = Params { first: shift, part: whole(before.bounds.cells), ..commands.shared };
    step.momentum.over_faces(Pass::Expand, params, &[Some(&start.velocity), Some(&velocity)])?;
    step.momentum.enforce(&velocity)?;
    let has = [before.gases.is_some() || plan.fire.is_some(), before.tints.is_some() || plan.is_coloured()];
    let packs = [Some(&start.scalars), start.gases.as_ref(), start.tints.as_ref()];
    let emitted = emit(commands, cpu, (before.bounds.finer(before.detail), packs), plan, solids, has)?;
    let projection = Projection::new(commands, cpu, plan, solids)?;
    let project = |velocity: &Buffer, gases: Option<&Buffer>| {
        let means = gases.filter(|_| projection.expansion > 0.0).map(|gases| step.means(gases)).transpose()?;
        projection.solve(velocity, means.as_ref())
    };
    check_abort(go_on)?;
    let scalars = step.means(&emitted.scalars)?;
    let (advected, aimed, mut solves) = if plan.reflection {
        let half = 0.5 * plan.time;
        let back = step.momentum.displacements(&velocity, half)?;
        let first = step.momentum.advect((&velocity, &back), &Base::Plain(&velocity), &scalars, half)?;
        drop((scalars, back));
        let solves = project(&first, emitted.gases.as_ref())?;
        check_abort(go_on)?;
        let middle = projection.subtracted(&step.momentum, &first)?;
        let advected = step.transport(emitted, &middle, None)?;
        let scalars = step.means(&advected.scalars)?;
        let back = step.momentum.displacements(&middle, half)?;
        let base = Base::Reflected(&first, &middle);
        (advected, step.momentum.advect((&middle, &back), &base, &scalars, half)?, solves)
    } else {
        let back = step.momentum.displacements(&velocity, plan.time)?;
        let aimed = step.momentum.advect((&velocity, &back), &Base::Plain(&velocity), &scalars, plan.time)?;
        (step.transport(emitted, &velocity, Some(back))?, aimed, Solves::default())
    };
    solves = solves.and(project(&aimed, advected.gases.as_ref())?);
    check_abort(go_on)?;
    let velocity = projection.subtracted(&step.momentum, &aimed)?;
    let (state, resident) = downloaded(&step, core, velocity, &advected)?;
    resources.keep(&state, resident);
    core.pool.sweep();
    Ok((state, solves))
}

/// Parameters that all passes of a step share.
fn shared(plan: &StepPlan) -> Params {
    Params {
        size: whole(plan.bounds.cells),
        detail: plan.detail as i32,
        low: plan.bounds.low,
        wind: plan.forces.wind,
        sides: layout::sides(plan.sides),
        ..Params::default()
    }
}

/// The new state, downloaded, and its buffers.
fn downloaded(step: &Step<'_>, core: &Core, velocity: Buffer, advected: &Emitted) -> Result<(State, Resident), Fault> {
    let Step { commands, plan, .. } = step;
    let (bounds, fine) = (plan.bounds, plan.bounds.finer(plan.detail));
    let counts = faces(bounds.cells);
    let statistics = commands.uploaded(&[0_u32; STATISTICS])?;
    let params = Params { numbers: [VELOCITY_MAX as f32, 0.0, 0.0, 0.0], ..commands.shared };
    let all = counts.into_iter().sum();
    commands.along(Pass::SanitiseVelocity, params, &[Some(&velocity), Some(&statistics)], all)?;
    let halves = |packs: &Buffer, pack: u32| {
        let to = commands.words(2 * fine.len())?;
        let number = plan.number.wrapping_mul(PACKS).wrapping_add(pack);
        let params = Params { low: fine.low, number, flags: on(pack > 0, flag::OTHERS), ..commands.shared };
        commands.over(Pass::Round, params, &[Some(packs), Some(&to), Some(&statistics)], fine.cells)?;
        Ok::<_, Fault>(to)
    };
    let scalars = halves(&advected.scalars, 0)?;
    let gases = advected.gases.as_ref().map(|gases| halves(gases, 1)).transpose()?;
    let tints = advected.tints.as_ref().map(|tints| halves(tints, 2)).transpose()?;
    let mut parts = counts.map(|count| Values::<f32>::uninitialised(count, &core.memory));
    let packs = || Values::<u16>::uninitialised(PACK * fine.len(), &core.memory);
    let (mut of_scalars, mut of_gases, mut of_tints) =
        (packs(), gases.as_ref().map(|_| packs()), tints.as_ref().map(|_| packs()));
    let mut found = [0_u32; STATISTICS];
    let mut wanted: Vec<(&Buffer, usize, &mut [u8])> = Vec::new();
    let mut from = 0;
    for part in &mut parts {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(part);
        let count = bytes.len();
        wanted.push((&velocity, from, bytes));
        from += count;
    }
    wanted.push((&scalars, 0, bytemuck::cast_slice_mut(&mut of_scalars)));
    for (buffer, values) in [(&gases, &mut of_gases), (&tints, &mut of_tints)] {
        if let (Some(buffer), Some(values)) = (buffer, values) {
            wanted.push((buffer, 0, bytemuck::cast_slice_mut(values)));
        }
    }
    wanted.push((&statistics, 0, bytemuck::cast_slice_mut(&mut found)));
    commands.down(wanted)?;
    let ends = (found[1] > 0).then(|| {
        let first = std::array::from_fn(|axis| fine.low[axis] + fine.cells[axis] as i32 - found[1 + axis] as i32);
        coarser([first, std::array::from_fn(|axis| fine.low[axis] + found[4 + axis] as i32)], plan.detail)
    });
    let state = State {
        bounds,
        detail: plan.detail,
        steps: plan.number.wrapping_add(1),
        velocity: parts.map(Arc::new),
        scalars: Arc::new(of_scalars),
        gases: of_gases.map(Arc::new),
        tints: of_tints.map(Arc::new),
        statistics: Statistics { active: ends, speed: f32::from_bits(found[0]) },
    };
    Ok((state, Resident { velocity, scalars, gases, tints }))
}
