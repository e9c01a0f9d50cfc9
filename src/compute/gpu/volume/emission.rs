//! Scalars before the advection: the packs of a state in the new box, with emission and decay.

use super::commands::{Buffer, Commands};
use super::layout::{Params, flag, whole};
use super::passes::Pass;
use super::solids::Solids;
use crate::compute::cpu::Cpu;
use crate::compute::cpu::volume::Cover;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::on;
use crate::sim::volume::fields::Bounds;
use crate::sim::volume::plan::StepPlan;
use crate::sim::volume::settings::Mode;
use crate::sim::volume::sources::Source;

/// The packs of a step before their advection.
pub(super) struct Emitted {
    pub scalars: Buffer,
    pub gases: Option<Buffer>,
}

/// Applies emission and decay to the packs `halves` of the cells `before`; solid cells have none. `fire`: there are
/// gases.
pub(super) fn emit(
    commands: &Commands<'_>,
    cpu: &Cpu,
    (before, halves): (Bounds, [Option<&Buffer>; 2]),
    plan: &StepPlan,
    solids: Option<&Solids>,
    fire: bool,
) -> Result<Emitted, Fault> {
    let bounds = plan.bounds.finer(plan.detail);
    let shift = std::array::from_fn(|axis| bounds.low[axis] - before.low[axis]);
    let widened = |halves: Option<&Buffer>| {
        let to = commands.packs(bounds.len())?;
        if halves.is_some() {
            let params = Params { first: shift, part: whole(before.cells), ..commands.shared };
            commands.over(Pass::Widen, params, &[halves, Some(&to)], bounds.cells)?;
        } else {
            commands.clear(&to);
        }
        Ok::<_, Fault>(to)
    };
    let scalars = widened(halves[0])?;
    let gases = if fire { Some(widened(halves[1])?) } else { None };
    for source in &plan.sources {
        let Some(cover) = Cover::emission(cpu, source, bounds, plan.detail) else { continue };
        let amounts = commands.uploaded(&amounts(cpu, source, &cover, bounds, plan.detail))?;
        let flags = match source.mode() {
            Mode::Fill => 0,
            Mode::Add => flag::ADD,
            Mode::Replace => flag::REPLACE,
        };
        let params = Params {
            first: whole(cover.from),
            part: whole(cover.size),
            flags: flags | on(gases.is_some(), flag::GASES),
            ..commands.shared
        };
        commands.over(Pass::Emit, params, &[Some(&amounts), Some(&scalars), gases.as_ref()], cover.size)?;
    }
    if plan.keep != [1.0; 2] {
        let params = Params { numbers: [plan.keep[0], plan.keep[1], 0.0, 0.0], ..commands.shared };
        commands.along(Pass::Decay, params, &[Some(&scalars)], bounds.len())?;
    }
    if let Some(solids) = solids {
        [Some(&scalars), gases.as_ref()]
            .into_iter()
            .flatten()
            .try_for_each(|packs| solids.clear(commands, packs, bounds.cells))?;
    }
    Ok(Emitted { scalars, gases })
}

/// Density, heat and fuel times the coverage, and the coverage, of the cells of a cover.
fn amounts(cpu: &Cpu, source: &Source, cover: &Cover, bounds: Bounds, detail: usize) -> Vec<[f32; 4]> {
    let [columns, rows, planes] = cover.size;
    let time = if source.mode() == Mode::Add { source.time() } else { 1.0 };
    let planes = cpu.each((0..planes).collect(), |z: usize| {
        let mut plane = Vec::with_capacity(columns * rows);
        for y in 0..rows {
            for x in 0..columns {
                let at = [x, y, z];
                let share = f64::from(cover.values[x + columns * (y + rows * z)]);
                if share <= 0.0 {
                    plane.push([0.0; 4]);
                    continue;
                }
                let centre = std::array::from_fn(|axis| {
                    (f64::from(bounds.low[axis]) + (cover.from[axis] + at[axis]) as f64 + 0.5) / detail as f64
                });
                let [density, temperature, fuel] = source.amounts(share, centre).map(|amount| amount * share);
                plane.push([density * time, temperature, fuel, share].map(|value| value as f32));
            }
        }
        plane
    });
    planes.concat()
}
