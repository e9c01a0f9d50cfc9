//! A frame on a machine: what [`Device::run`](super::device::Device::run) does, whatever the machine.

use std::sync::Arc;

use super::device::{Failed, Task};
use super::drive::{Drive, Once, Patch, Push};
use super::machine::{Area, Cells, Faces, Ground, Lattice, Machine, Solid, Stamp};
use super::pace::Pace;
use super::pressure::Projected;
use super::settings::Constants;
use super::state::{Diagnostics, Solids, State};
use super::step::{Moved, Pushed, Step, ask};
use crate::sim::maths::clamp;
use crate::sim::request;

/// The state after a frame's work on `before`, whose grid has as many columns and rows as the task's. `go_on` is asked
/// several times per sub-step.
///
/// A frame whose number is not a multiple of `update_every` leaves velocity and pressure as they are, and the next that is
/// takes as many frames of them as went by. Nothing changes where time stands still.
///
/// # Errors
/// [`Failed`].
pub fn run<M: Machine>(
    machine: &M,
    task: &Task,
    before: &State,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(State, Diagnostics), Failed> {
    let Task { spec, settings, drive, moved, time } = task;
    let mut told = drive.told();
    let still = time.is_nan() || *time <= 0.0;
    if still && moved.shift == [0, 0] {
        // A matte goes on while time stands: what it moves by is then that of a frame again.
        let solids = drive.solids.clone();
        return Ok((State { grid: moved.grid, remainder: moved.remainder, solids, ..before.clone() }, told));
    }
    ask(go_on)?;
    let size = [moved.grid.width, moved.grid.height];
    let ground = ground(machine, size, task, if still { &before.solids } else { &drive.solids })?;
    let (mut faces, mut cells, mut pressure) = machine.load(&before.air)?;
    if moved.shift != [0, 0] {
        let shift = |lattice: Lattice, from: &M::Plane| -> Result<M::Plane, Failed> {
            let mut to = machine.stale(ground.len(lattice))?;
            machine.shift(size, lattice, moved.shift, from, &mut to);
            Ok(to)
        };
        faces = Faces { u: shift(Lattice::U, &faces.u)?, v: shift(Lattice::V, &faces.v)? };
        let temperature = cells.temperature.as_ref().map(|t| shift(Lattice::Cell, t)).transpose()?;
        cells = Cells { dye: shift(Lattice::Dye, &cells.dye)?, temperature };
        pressure = shift(Lattice::Cell, &pressure)?;
    }
    let mut survey = machine.survey(&faces)?;
    let mut after = None;
    if survey.bad > 0 {
        told.discarded += survey.bad;
        faces = scrubbed(machine, &ground, faces)?;
        survey = machine.survey(&faces)?;
    }
    let pace = if still { None } else { Some(Pace::new(task, survey.largest)) };
    if let Some(pace) = pace {
        if cells.temperature.is_none() && !drive.heat.is_empty() {
            cells.temperature = Some(machine.zeros(ground.len(Lattice::Cell))?);
        }
        begin(machine, &ground, drive, &mut cells)?;
        let solves = pace.frames > 0.0;
        let pressed = pace.pressed(spec.constants.reflection);
        let step = Step {
            machine,
            ground: &ground,
            constants: &spec.constants,
            settings,
            scale: clamp(moved.grid.cells_per_pixel, 1e-6, 1e6),
            pace,
            pushes: &if solves { pushes(machine, drive, &pace, spec.constants.reflection)? } else { Vec::new() },
            inflow: &inflow(machine, drive, &pace)?,
        };
        let (mut rooms, mut known) = (None, None);
        if solves {
            rooms = Some(machine.rooms(size, ground.edges, drive.solids.as_ref())?);
            if pressed != 1.0 {
                pressure = scaled(machine, &ground, pressed, &pressure)?;
            }
        }
        for _ in 0..pace.substeps {
            let Some(rooms) = &mut rooms else {
                cells = step.cells(&cells, &faces, None, go_on)?;
                continue;
            };
            let mut note = |projected: Projected| {
                told.iterations += projected.iterations;
                told.residual = projected.residual;
                told.divergence = projected.divergence_after;
                known = projected.survey;
            };
            let moved = step.advance(&faces, &cells, (rooms, &pressure), &mut note, go_on)?;
            Moved { faces, pressure, cells } = moved;
        }
        if let Some(rooms) = rooms {
            machine.keep(rooms, drive.solids.as_ref());
        }
        told.substeps = pace.substeps;
        told.cfl_cut = pace.cut;
        told.cfl = f64::from(survey.largest) * pace.time.max(pace.drift);
        if solves {
            // Scaling takes out what is no number. Without reflection that would have made velocities that are none, which
            // are looked for below.
            if pressed != 1.0 || spec.constants.reflection {
                pressure = scaled(machine, &ground, 1.0 / pressed, &pressure)?;
            }
            let survey = known.map_or_else(|| machine.survey(&faces), Ok)?;
            told.cfl = told.cfl.max(f64::from(survey.largest) * pace.time);
            if survey.bad > 0 {
                told.discarded += survey.bad;
                faces = scrubbed(machine, &ground, faces)?;
                machine.scrub(&mut pressure);
            } else {
                after = Some(survey);
            }
        }
    }
    let air = Arc::new(machine.store(faces, cells, pressure)?);
    if let Some(survey) = after {
        machine.surveyed(&air, survey);
    }
    let state = State {
        grid: moved.grid,
        edges: spec.constants.edges,
        air,
        solids: drive.solids.clone(),
        remainder: moved.remainder,
    };
    Ok((state, told))
}

/// What is done to the cells before the first sub-step.
fn begin<M: Machine>(
    machine: &M,
    ground: &Ground<M::Plane>,
    drive: &Drive,
    cells: &mut Cells<M::Plane>,
) -> Result<(), Failed> {
    let copied = |lattice, from: &M::Plane| -> Result<M::Plane, Failed> {
        let mut to = machine.stale(ground.len(lattice))?;
        machine.copy(from, &mut to);
        Ok(to)
    };
    let once = drive.once.as_ref().map(|once| match once {
        Once::Replace(patch) => (Stamp::Replace, patch),
        Once::FillUp(patch) => (Stamp::FillUp, patch),
    });
    // Where solids have been there is nothing yet.
    let wake = drive.wake.dye.as_ref().map(|patch| (Stamp::Replace, patch));
    if wake.is_some() || once.is_some() {
        cells.dye = copied(Lattice::Dye, &cells.dye)?;
    }
    for (stamp, patch) in wake.into_iter().chain(once) {
        machine.stamp(ground, Lattice::Dye, stamp, &dyed(machine, patch)?, &mut cells.dye);
    }
    if let (Some(patch), Some(temperature)) = (&drive.wake.heat, &mut cells.temperature) {
        *temperature = copied(Lattice::Cell, temperature)?;
        let area = area(patch, machine.up(&patch.values)?);
        machine.stamp(ground, Lattice::Cell, Stamp::Add { share: 1.0 }, &area, temperature);
    }
    Ok(())
}

fn ground<M: Machine>(
    machine: &M,
    [width, height]: [usize; 2],
    task: &Task,
    solids: &Option<Arc<Solids>>,
) -> Result<Ground<M::Plane>, Failed> {
    let solids = match solids {
        Some(solids) => {
            let cells: Vec<f32> = request::collected(solids.solid.iter().map(|&solid| f32::from(u8::from(solid))));
            let faces = Faces { u: machine.up(&solids.u)?, v: machine.up(&solids.v)? };
            Some(Solid { cells: machine.up(&cells)?, faces })
        }
        None => None,
    };
    let Constants { edges, slip, .. } = task.spec.constants;
    Ok(Ground { width, height, edges, slip, solids })
}

/// A plane of cells times a number, in memory of its own.
fn scaled<M: Machine>(machine: &M, ground: &Ground<M::Plane>, by: f64, from: &M::Plane) -> Result<M::Plane, Failed> {
    let mut to = machine.stale(ground.len(Lattice::Cell))?;
    machine.scale(by as f32, from, &mut to);
    Ok(to)
}

/// Copies without what is not finite or beyond bounds.
fn scrubbed<M: Machine>(
    machine: &M,
    ground: &Ground<M::Plane>,
    faces: Faces<M::Plane>,
) -> Result<Faces<M::Plane>, Failed> {
    let clean = |lattice, from: &M::Plane| -> Result<M::Plane, Failed> {
        let mut to = machine.stale(ground.len(lattice))?;
        machine.copy(from, &mut to);
        machine.scrub(&mut to);
        Ok(to)
    };
    Ok(Faces { u: clean(Lattice::U, &faces.u)?, v: clean(Lattice::V, &faces.v)? })
}

/// What is done to velocity in each solution of the pressure.
fn pushes<M: Machine>(
    machine: &M,
    drive: &Drive,
    pace: &Pace,
    reflection: bool,
) -> Result<Vec<Pushed<M::Plane>>, Failed> {
    let part = if reflection { pace.push() / 2.0 } else { pace.push() };
    let mut all = Vec::new();
    for (lattice, pushes) in [(Lattice::U, &drive.u), (Lattice::V, &drive.v)] {
        for push in pushes {
            let (stamp, area) = match push {
                Push::Add(patch) => (Stamp::Add { share: part as f32 }, area(patch, machine.up(&patch.values)?)),
                Push::Steer(patch) => {
                    let shared = |[to, share]: [f32; 2]| [to, Pace::way(f64::from(share), part) as f32];
                    let values = request::collected(patch.values.iter().map(|value| shared(*value)));
                    (Stamp::Steer, area(patch, machine.up(values.as_flattened())?))
                }
            };
            all.push(Pushed { lattice, stamp, area });
        }
    }
    Ok(all)
}

/// What is done to dye and temperature in each sub-step.
fn inflow<M: Machine>(machine: &M, drive: &Drive, pace: &Pace) -> Result<Vec<Pushed<M::Plane>>, Failed> {
    let stamp = Stamp::Add { share: pace.inflow() as f32 };
    let dye = drive.dye.iter().map(|patch| Ok(Pushed { lattice: Lattice::Dye, stamp, area: dyed(machine, patch)? }));
    let heat = drive.heat.iter().map(|patch| {
        let area = area(patch, machine.up(&patch.values)?);
        Ok(Pushed { lattice: Lattice::Cell, stamp, area })
    });
    dye.chain(heat).collect()
}

fn dyed<M: Machine>(machine: &M, patch: &Patch<[f32; 4]>) -> Result<Area<M::Plane>, Failed> {
    Ok(area(patch, machine.up(bytemuck::cast_slice(&patch.values))?))
}

fn area<T, P>(patch: &Patch<T>, values: P) -> Area<P> {
    Area { x: patch.x, y: patch.y, width: patch.width, height: patch.height, values }
}
