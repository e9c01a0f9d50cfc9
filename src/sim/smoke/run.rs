//! The frame of a device, [`Device::run`](super::device::Device::run), for any backend.

use std::any::Any;
use std::sync::Arc;

use super::device::Task;
use super::field::FieldKind;
use super::fire::{FireStep, is_enclosed};
use super::flow_map::{self, FrameMaps, Maps, share_of_frame, stamp_map};
use super::forcing::{self, Forcing, InitialSource, Patch};
use super::pressure::hierarchy;
use super::settings::Constants;
use super::state::{Air, Diagnostics, Fire, Solids, State};
use super::step::{Content, FieldStamp, Flow, Step, free_content};
use super::time_step::TimeStep;
use crate::sim::fluid::combustion::Flame;
use crate::sim::fluid::session::ask;
use crate::sim::fluid::{
    Backend, Domain, Failed, FieldId, HostFields, Operation, Projected, Scalars, Session, SolidFields, Stamp,
    VectorField, Workspace,
};
use crate::sim::maths::clamp;
use crate::sim::request;

/// The parts of a state by number: u, v, pressure, dye and, those that are present, temperature, gas and burning of a
/// fire, and maps of the dye.
impl HostFields for Air {
    fn part(&self, number: usize) -> &[f32] {
        match number {
            0 => &self.u,
            1 => &self.v,
            2 => &self.pressure,
            3 => bytemuck::cast_slice(&self.dye),
            _ => {
                let fire = self.fire.iter().flat_map(|fire| [bytemuck::cast_slice(&fire.gas), &*fire.burning]);
                let others = self.temperature.as_deref().into_iter().chain(fire);
                others.chain(flow_map::parts(self.dye_map.as_ref())).nth(number - 4).unwrap_or_default()
            }
        }
    }
}

/// The state after the frame, from the state `before` it, whose grid has the size of the task's. `go_on` is called
/// several times per sub-step.
///
/// A frame whose number is a multiple of `update_every` advances velocity and pressure by `update_every` frames. Other
/// frames advect the scalars only. A frame without simulated time only moves the grid and takes over the solids.
///
/// # Errors
/// [`Failed`].
pub fn run<B: Backend>(
    backend: &B,
    task: &Task,
    before: &State,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(State, Diagnostics), Failed> {
    let Task { spec, settings, forcing, motion, time } = task;
    let mut diagnostics = forcing.diagnostics();
    let still = time.is_nan() || *time <= 0.0;
    if still && motion.shift == [0, 0] {
        // The solids are taken over at a time scale of 0 too, so that their next displacement is that of one frame.
        let solids = forcing.solids.clone();
        return Ok((State { grid: motion.grid, remainder: motion.remainder, solids, ..before.clone() }, diagnostics));
    }
    ask(go_on)?;
    let session = &mut Session::new(backend);
    let size = [motion.grid.width, motion.grid.height];
    let domain = &domain(session, size, task, if still { &before.solids } else { &forcing.solids })?;
    let mut flow = load(session, &before.air)?;
    let mut maps = if spec.constants.flow_map { FrameMaps::load(session, &before.air)? } else { None };
    if motion.shift != [0, 0] {
        shift(session, size, motion.shift, &mut flow, maps.as_mut())?;
    }
    let statistics = |session: &mut Session<'_, B>, flow: &Flow| {
        let found = session.run(&[Operation::VelocityStatistics { velocity: flow.velocity }]);
        found.map(|mut found| found.take_statistics())
    };
    let mut found = statistics(session, &flow)?;
    let mut statistics_after = None;
    if found.bad > 0 {
        diagnostics.discarded += found.bad;
        sanitise(session, size, &mut flow.velocity)?;
        found = statistics(session, &flow)?;
    }
    let time_step = if still { None } else { Some(TimeStep::new(task, found.largest)) };
    if let Some(time_step) = time_step {
        let content = &mut flow.content;
        if content.scalars.temperature.is_none() && (!forcing.heat.is_empty() || settings.fire.is_some()) {
            content.scalars.temperature = Some(session.zeros(FieldKind::Cell.shape(size).len())?);
        }
        if settings.fire.is_none() {
            let flame = content.flame.take();
            flame.into_iter().for_each(|Flame { gas, burning }| session.free(&[gas, burning]));
        } else if content.flame.is_none() {
            let [gas, burning] = [FieldKind::Dye, FieldKind::Cell].map(|kind| session.zeros(kind.shape(size).len()));
            content.flame = Some(Flame { gas: gas?, burning: burning? });
        }
        if spec.constants.flow_map {
            let share = share_of_frame(*time, settings.frame_time());
            let now = FrameMaps::begin(maps, session, domain, content.scalars.colour, share)?;
            content.maps = Some(now.maps);
            maps = Some(now);
        }
        stamp_initial(session, domain, forcing, content)?;
        let solves = time_step.velocity_frames > 0.0;
        let reflection = spec.constants.reflection;
        let projection_time = time_step.projection_time(reflection);
        let step = Step {
            domain,
            constants: &spec.constants,
            settings,
            scale: clamp(motion.grid.cells_per_pixel, 1e-6, 1e6),
            time_step,
            velocity_stamps: &if solves {
                velocity_stamps(session, forcing, &time_step, reflection)?
            } else {
                Vec::new()
            },
            scalar_stamps: &scalar_stamps(session, forcing, &time_step)?,
            fire: match &settings.fire {
                Some(fire) => Some(FireStep::new(session, fire, forcing)?),
                None => None,
            },
        };
        let (mut solver, mut known) = (None, None);
        if solves {
            let workspace = solver.insert(workspace(session, size, domain, forcing.solids.as_ref())?);
            let hierarchy = &workspace.hierarchy;
            let regions = if domain.solids.is_some() { &hierarchy.regions } else { &hierarchy.box_regions };
            diagnostics.enclosed_fire = is_enclosed(forcing, regions, size[0]);
            if projection_time != 1.0 {
                scale(session, projection_time, &mut flow.pressure, size)?;
            }
        }
        for _ in 0..time_step.substeps {
            let Some(workspace) = &mut solver else {
                let advected = step.advance_content(session, flow.content, flow.velocity, None, go_on)?;
                free_content(session, std::mem::replace(&mut flow.content, advected));
                continue;
            };
            let mut report = |projected: Projected| {
                diagnostics.iterations += projected.iterations;
                diagnostics.residual = projected.residual;
                diagnostics.divergence = projected.divergence_after;
                known = projected.statistics;
            };
            step.advance(session, workspace, &mut flow, &mut report, go_on)?;
        }
        if let Some(workspace) = solver {
            let kept = workspace.close(session);
            session.backend.keep_workspace(kept);
        }
        diagnostics.substeps = time_step.substeps;
        diagnostics.cfl_cut = time_step.limited;
        diagnostics.cfl = f64::from(found.largest) * time_step.velocity_time.max(time_step.scalar_time);
        if solves {
            // Scaling sets values that are not finite to 0. Without reflection these would have made velocities that
            // are not finite, which the statistics below find.
            if projection_time != 1.0 || reflection {
                scale(session, 1.0 / projection_time, &mut flow.pressure, size)?;
            }
            let found = known.map_or_else(|| statistics(session, &flow), Ok)?;
            diagnostics.cfl = diagnostics.cfl.max(f64::from(found.largest) * time_step.velocity_time);
            if found.bad > 0 {
                diagnostics.discarded += found.bad;
                sanitise(session, size, &mut flow.velocity)?;
                session.run(&[Operation::Sanitise { field: flow.pressure }])?;
            } else {
                statistics_after = Some(found);
            }
        }
    }
    if let Some(maps) = &mut maps {
        maps.maps = flow.content.maps.unwrap_or(maps.maps);
        maps.store_base(session)?;
    }
    let air = Arc::new(store(session, &flow, maps)?);
    let owner: Arc<dyn HostFields> = Arc::clone(&air) as _;
    backend.stored(&owner, statistics_after);
    let state = State {
        grid: motion.grid,
        edges: spec.constants.edges,
        air,
        solids: forcing.solids.clone(),
        remainder: motion.remainder,
    };
    Ok((state, diagnostics))
}

/// The fields of a state, read only.
fn load<B: Backend>(session: &mut Session<'_, B>, air: &Arc<Air>) -> Result<Flow, Failed> {
    let owner: Arc<dyn HostFields> = Arc::clone(air) as _;
    let mut part = |number| Ok(session.fields.add(session.backend.load(&owner, number)?));
    let velocity = VectorField::new(&[part(0)?, part(1)?]);
    let (pressure, colour) = (part(2)?, part(3)?);
    let temperature = air.temperature.is_some().then(|| part(4)).transpose()?;
    let flame = match air.fire {
        Some(_) => Some(Flame { gas: part(5)?, burning: part(6)? }),
        None => None,
    };
    let content = Content { scalars: Scalars { colour, temperature }, flame, maps: None };
    Ok(Flow { velocity, content, pressure })
}

/// The flow as the fields of a state. Blocks.
fn store<B: Backend>(session: &mut Session<'_, B>, flow: &Flow, maps: Option<FrameMaps>) -> Result<Air, Failed> {
    let Flow { velocity, content: Content { scalars: Scalars { colour, temperature }, flame, .. }, pressure } = *flow;
    let fire = flame.map(|Flame { gas, burning }| [gas, burning]);
    let parts = [velocity[0], velocity[1], pressure, colour].into_iter().chain(temperature);
    let parts = parts.chain(fire.into_iter().flatten()).chain(maps.iter().flat_map(FrameMaps::fields));
    let buffers = parts.map(|id| session.fields.remove(id)).collect();
    let mut values = session.backend.store(buffers)?.into_iter();
    let mut next = || values.next().unwrap_or_default();
    let (u, v, pressure, dye) = (next(), next(), next(), next().cast());
    let temperature = temperature.map(|_| next());
    let fire = fire.map(|_| Fire { gas: next().cast(), burning: next() });
    let dye_map = maps.and_then(|maps| maps.state(&mut next));
    Ok(Air { u, v, pressure, dye, dye_map, temperature, fire })
}

/// Moves the flow by whole cells.
fn shift<B: Backend>(
    session: &mut Session<'_, B>,
    size: [usize; 2],
    by: [i64; 2],
    flow: &mut Flow,
    maps: Option<&mut FrameMaps>,
) -> Result<(), Failed> {
    let mut shifted = |kind: FieldKind, from: FieldId| {
        let shape = kind.shape(size);
        let to = session.allocate(shape.len())?;
        session.run(&[Operation::Shift { shape, by: [by[0], by[1], 0], from, to }])?;
        session.free(&[from]);
        Ok(to)
    };
    let [u, v] = [flow.velocity[0], flow.velocity[1]];
    flow.velocity = VectorField::new(&[shifted(FieldKind::U, u)?, shifted(FieldKind::V, v)?]);
    let Content { scalars, flame, .. } = flow.content;
    let temperature = scalars.temperature.map(|from| shifted(FieldKind::Cell, from)).transpose()?;
    let scalars = Scalars { colour: shifted(FieldKind::Dye, scalars.colour)?, temperature };
    let flame = match flame {
        Some(Flame { gas, burning }) => {
            Some(Flame { gas: shifted(FieldKind::Dye, gas)?, burning: shifted(FieldKind::Cell, burning)? })
        }
        None => None,
    };
    flow.content = Content { scalars, flame, maps: None };
    flow.pressure = shifted(FieldKind::Cell, flow.pressure)?;
    maps.map_or(Ok(()), |maps| maps.shift(by, |field| shifted(FieldKind::Dye, field)))
}

/// Replaces a field by a copy, which may be written.
fn make_writable<B: Backend>(
    session: &mut Session<'_, B>,
    kind: FieldKind,
    size: [usize; 2],
    field: &mut FieldId,
) -> Result<(), Failed> {
    let to = session.allocate(kind.shape(size).len())?;
    session.run(&[Operation::Copy { from: *field, to }])?;
    session.free(&[std::mem::replace(field, to)]);
    Ok(())
}

/// The stamps on the scalars before the first sub-step.
fn stamp_initial<B: Backend>(
    session: &mut Session<'_, B>,
    domain: &Domain,
    forcing: &Forcing,
    content: &mut Content,
) -> Result<(), Failed> {
    let scalars = &mut content.scalars;
    let size = [domain.size[0], domain.size[1]];
    let source = forcing.initial_source.as_ref().map(|source| match source {
        InitialSource::Replace(patch) => (Stamp::Replace, patch),
        InitialSource::FillUp(patch) => (Stamp::FillUp, patch),
    });
    // Fresh cells have no values yet.
    let fresh_cells = forcing.fresh_cells.dye.as_ref().map(|patch| (Stamp::Replace, patch));
    if fresh_cells.is_some() || source.is_some() {
        make_writable(session, FieldKind::Dye, size, &mut scalars.colour)?;
        if let Some(maps) = &mut content.maps {
            maps.make_writable(|field| make_writable(session, FieldKind::Dye, size, field))?;
        }
    }
    for (stamp, patch) in fresh_cells.into_iter().chain(source) {
        let stamp = upload_stamp(session, FieldKind::Dye, stamp, patch)?;
        let maps = content.maps.iter().flat_map(Maps::each).map(|map| stamp_map(&stamp, domain, scalars.colour, *map));
        session.run(&maps.chain([stamp.onto(domain, scalars.colour)]).collect::<Vec<_>>())?;
        session.free(&[stamp.values]);
    }
    if let (Some(patch), Some(temperature)) = (&forcing.fresh_cells.heat, &mut scalars.temperature) {
        make_writable(session, FieldKind::Cell, size, temperature)?;
        let stamp = upload_stamp(session, FieldKind::Cell, Stamp::Add { share: 1.0 }, patch)?;
        session.run(&[stamp.onto(domain, *temperature)])?;
        session.free(&[stamp.values]);
    }
    Ok(())
}

fn domain<B: Backend>(
    session: &mut Session<'_, B>,
    size: [usize; 2],
    task: &Task,
    solids: &Option<Arc<Solids>>,
) -> Result<Domain, Failed> {
    let solids = match solids {
        Some(solids) => {
            let cells: Vec<f32> = request::collected(solids.solid.iter().map(|&solid| f32::from(u8::from(solid))));
            let velocity = VectorField::new(&[session.upload(&solids.u)?, session.upload(&solids.v)?]);
            Some(SolidFields { cells: session.upload(&cells)?, velocity })
        }
        None => None,
    };
    let Constants { edges, slip, .. } = task.spec.constants;
    Ok(Domain::plane(size, edges, slip, solids))
}

/// The workspace of the pressure solver: the one that the backend stores, if it is for the same grid, sides and solids;
/// else a new one.
fn workspace<B: Backend>(
    session: &mut Session<'_, B>,
    size: [usize; 2],
    domain: &Domain,
    solids: Option<&Arc<Solids>>,
) -> Result<Workspace, Failed> {
    let same = |of: &Option<Arc<dyn Any + Send + Sync>>| match (of, solids) {
        (Some(of), Some(solids)) => of
            .downcast_ref::<Solids>()
            .is_some_and(|of| std::ptr::eq(of, &raw const **solids) || of.solid == solids.solid),
        (None, None) => true,
        _ => false,
    };
    let fits = |workspace: &Workspace| {
        let finest = &workspace.hierarchy.levels[0];
        finest.size == domain.size && finest.sides == domain.sides && same(&workspace.solids)
    };
    if let Some(kept) = session.backend.take_workspace(&|kept| fits(kept.workspace())) {
        return Ok(kept.open(session));
    }
    let [[left, right], [bottom, top], _] = domain.sides;
    let hierarchy = hierarchy(size, [left, right, bottom, top], solids.map(|solids| &*solids.solid));
    let mut made = Workspace::new(session, Arc::new(hierarchy))?;
    made.solids = solids.map(|solids| Arc::clone(solids) as _);
    Ok(made)
}

/// Multiplies a field of cells by a number.
fn scale<B: Backend>(
    session: &mut Session<'_, B>,
    by: f64,
    field: &mut FieldId,
    size: [usize; 2],
) -> Result<(), Failed> {
    let to = session.allocate(FieldKind::Cell.shape(size).len())?;
    session.run(&[Operation::Scale { by: by as f32, from: *field, to }])?;
    session.free(&[std::mem::replace(field, to)]);
    Ok(())
}

/// Replaces values of a velocity that are not finite or beyond bounds.
fn sanitise<B: Backend>(
    session: &mut Session<'_, B>,
    size: [usize; 2],
    velocity: &mut VectorField,
) -> Result<(), Failed> {
    let mut axes = [velocity[0], velocity[1]];
    for (kind, field) in [FieldKind::U, FieldKind::V].into_iter().zip(&mut axes) {
        make_writable(session, kind, size, field)?;
        session.run(&[Operation::Sanitise { field: *field }])?;
    }
    *velocity = VectorField::new(&axes);
    Ok(())
}

/// The stamps on velocity in each projection.
fn velocity_stamps<B: Backend>(
    session: &mut Session<'_, B>,
    forcing: &Forcing,
    time_step: &TimeStep,
    reflection: bool,
) -> Result<Vec<FieldStamp>, Failed> {
    let part = if reflection { time_step.forcing_share() / 2.0 } else { time_step.forcing_share() };
    let mut all = Vec::new();
    for (kind, list) in [(FieldKind::U, &forcing.u), (FieldKind::V, &forcing.v)] {
        for each in list {
            all.push(match each {
                forcing::VelocityForcing::Add(patch) => {
                    upload_stamp(session, kind, Stamp::Add { share: part as f32 }, patch)?
                }
                forcing::VelocityForcing::Steer(patch) => {
                    let shared = |[to, share]: [f32; 2]| [to, TimeStep::relaxation(f64::from(share), part) as f32];
                    let values = request::collected(patch.values.iter().map(|value| shared(*value)));
                    let Patch { x, y, width, height, .. } = *patch;
                    upload_stamp(session, kind, Stamp::Steer, &Patch { x, y, width, height, values })?
                }
            });
        }
    }
    Ok(all)
}

/// The stamps on the scalars in each sub-step.
fn scalar_stamps<B: Backend>(
    session: &mut Session<'_, B>,
    forcing: &Forcing,
    time_step: &TimeStep,
) -> Result<Vec<FieldStamp>, Failed> {
    let stamp = Stamp::Add { share: time_step.inflow_share() as f32 };
    let mut all = Vec::new();
    for patch in &forcing.dye {
        all.push(upload_stamp(session, FieldKind::Dye, stamp, patch)?);
    }
    for patch in &forcing.heat {
        all.push(upload_stamp(session, FieldKind::Cell, stamp, patch)?);
    }
    Ok(all)
}

/// A patch of values, uploaded.
pub(super) fn upload_stamp<B: Backend, T: bytemuck::NoUninit>(
    session: &mut Session<'_, B>,
    kind: FieldKind,
    stamp: Stamp,
    patch: &Patch<T>,
) -> Result<FieldStamp, Failed> {
    let values = session.upload(bytemuck::cast_slice(&patch.values))?;
    Ok(FieldStamp { kind, stamp, first: [patch.x, patch.y], size: [patch.width, patch.height], values })
}
