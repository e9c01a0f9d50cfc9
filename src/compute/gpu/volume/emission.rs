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
    pub tints: Option<Buffer>,
}

/// Applies emission and decay to the packs `halves` of the cells `before`; solid cells have none. `has`: whether there
/// are gases, and whether there are tints.
pub(super) fn emit(
    commands: &Commands<'_>,
    cpu: &Cpu,
    (before, halves): (Bounds, [Option<&Buffer>; 3]),
    plan: &StepPlan,
    solids: Option<&Solids>,
    has: [bool; 2],
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
    let [gases, tints] = [(has[0], halves[1]), (has[1], halves[2])].map(|(has, halves)| has.then(|| widened(halves)));
    let (gases, tints) = (gases.transpose()?, tints.transpose()?);
    for source in &plan.sources {
        let Some(cover) = Cover::emission(cpu, source, bounds, plan.detail) else { continue };
        let [amounts, emitted_tints] = amounts(cpu, source, &cover, (bounds, plan.detail), tints.is_some());
        let amounts = commands.uploaded(&amounts)?;
        let emitted_tints = tints.as_ref().map(|_| commands.uploaded(&emitted_tints)).transpose()?;
        let flags = match source.mode() {
            Mode::Fill => 0,
            Mode::Add => flag::ADD,
            Mode::Replace => flag::REPLACE,
        };
        let params = Params {
            first: whole(cover.from),
            part: whole(cover.size),
            flags: flags | on(gases.is_some(), flag::GASES) | on(tints.is_some(), flag::TINTED),
            ..commands.shared
        };
        // An empty buffer cannot be read and written by one pass.
        let emitted_tints = emitted_tints.as_ref().unwrap_or(&amounts);
        let buffers = [Some(&amounts), Some(emitted_tints), Some(&scalars), gases.as_ref(), tints.as_ref()];
        commands.over(Pass::Emit, params, &buffers, cover.size)?;
    }
    let [density, temperature] = plan.keep;
    for (packs, keep) in [(Some(&scalars), [density, temperature, 1.0, 1.0]), (tints.as_ref(), [density; 4])] {
        if packs.is_some() && keep != [1.0; 4] {
            let params = Params { numbers: keep, ..commands.shared };
            commands.along(Pass::Decay, params, &[packs], bounds.len())?;
        }
    }
    if let Some(solids) = solids {
        [Some(&scalars), gases.as_ref(), tints.as_ref()]
            .into_iter()
            .flatten()
            .try_for_each(|packs| solids.clear(commands, packs, bounds.cells))?;
    }
    Ok(Emitted { scalars, gases, tints })
}

/// Density, heat and fuel times the coverage, and the coverage, of the cells of a cover; and, if wanted, one less the
/// colour.
fn amounts(
    cpu: &Cpu,
    source: &Source,
    cover: &Cover,
    (bounds, detail): (Bounds, usize),
    has_tints: bool,
) -> [Vec<[f32; 4]>; 2] {
    let [columns, rows, planes] = cover.size;
    let time = if source.mode() == Mode::Add { source.time() } else { 1.0 };
    let planes = cpu.each((0..planes).collect(), |z: usize| {
        let mut plane = Vec::with_capacity(columns * rows);
        let mut emitted_tints = Vec::with_capacity(if has_tints { columns * rows } else { 0 });
        for y in 0..rows {
            for x in 0..columns {
                let at = [x, y, z];
                let share = f64::from(cover.values[x + columns * (y + rows * z)]);
                if share <= 0.0 {
                    plane.push([0.0; 4]);
                    emitted_tints.extend(has_tints.then_some([0.0; 4]));
                    continue;
                }
                let centre = std::array::from_fn(|axis| {
                    (f64::from(bounds.low[axis]) + (cover.from[axis] + at[axis]) as f64 + 0.5) / detail as f64
                });
                let [density, temperature, fuel] = source.amounts(share, centre).map(|amount| amount * share);
                plane.push([density * time, temperature, fuel, share].map(|value| value as f32));
                if has_tints {
                    let [red, green, blue] = source.tint(centre).map(|value| value as f32);
                    emitted_tints.push([red, green, blue, 0.0]);
                }
            }
        }
        [plane, emitted_tints]
    });
    [0, 1].map(|which| planes.iter().flat_map(|planes| &planes[which]).copied().collect())
}
