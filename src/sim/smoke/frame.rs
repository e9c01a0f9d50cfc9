//! The frames of a simulation: the first, the next, and a fraction of one.

use std::sync::Arc;

use super::device::{Device, Failed, Task};
use super::field::FieldKind;
use super::forcing::{self, Forcing, InitialSource, Patch};
use super::state::{Air, Diagnostics, Fire, State};
use super::{Inputs, Settings, Spec, Workers};
use crate::sim::fluid::VALUE_MAX;
use crate::sim::maths::clamp;
use crate::sim::memory::Values;
use crate::sim::request;

/// The state of the start frame: air at rest, with the smoke of the Source (in every mode of it) and one frame of all
/// other inflow.
pub fn start_frame(spec: &Spec, settings: &Settings, inputs: &Inputs, workers: &dyn Workers) -> (State, Diagnostics) {
    let motion = forcing::grid_motion(spec, settings, None);
    let forcing = forcing::rasterise(spec, settings, inputs, &motion, None, settings.frame_time(), workers);
    let [width, height] = [motion.grid.width, motion.grid.height];
    let zeros = |kind: FieldKind| {
        let [columns, rows] = kind.size(width, height);
        Values::zeros(columns * rows)
    };
    let cells = width * height;
    let mut air = Air {
        u: forcing.solids.as_ref().map_or_else(|| zeros(FieldKind::U), |solids| request::copied(&solids.u).into()),
        v: forcing.solids.as_ref().map_or_else(|| zeros(FieldKind::V), |solids| request::copied(&solids.v).into()),
        pressure: Values::zeros(cells),
        dye: Values::zeros(cells),
        dye_map: None,
        temperature: (!forcing.heat.is_empty() || settings.fire.is_some()).then(|| Values::zeros(cells)),
        fire: settings.fire.map(|_| Fire { gas: Values::zeros(cells), burning: Values::zeros(cells) }),
    };
    add_inflow(&mut air, &forcing, width);
    let diagnostics = forcing.diagnostics();
    let state = State {
        grid: motion.grid,
        edges: spec.constants.edges,
        air: Arc::new(air),
        solids: forcing.solids,
        remainder: motion.remainder,
    };
    (state, diagnostics)
}

/// The device and the threads that compute a frame.
#[derive(Clone, Copy)]
pub struct Executor<'a> {
    /// The device, which runs the operations.
    pub device: &'a dyn Device,
    /// The threads, which rasterise forcing, inflow and solids.
    pub workers: &'a dyn Workers,
}

/// The state one frame after `previous`, with the settings and inputs of the new frame. `go_on` is called on the
/// calling thread, several times per sub-step.
///
/// # Errors
/// [`Failed`].
pub fn next_frame(
    spec: &Spec,
    previous: &State,
    settings: &Settings,
    inputs: &Inputs,
    executor: Executor<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(State, Diagnostics), Failed> {
    advance(spec, previous, settings, inputs, 1.0, executor, go_on)
}

/// The state at a fraction `t` of a frame after `previous`, with the settings and inputs at that time: for pictures
/// between frames, never as the previous state of another frame. It is computed as a frame of `t` times the simulated
/// time, in which brush, jets and solids move by `t` times their displacement. `t` is clamped to 0 … 1.
///
/// # Errors
/// [`Failed`].
pub fn part_frame(
    spec: &Spec,
    previous: &State,
    settings: &Settings,
    inputs: &Inputs,
    t: f64,
    executor: Executor<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(State, Diagnostics), Failed> {
    let t = clamp(t, 0.0, 1.0);
    if t == 0.0 {
        return Ok((previous.clone(), Diagnostics::default()));
    }
    advance(spec, previous, settings, inputs, t, executor, go_on)
}

/// The state after the fraction `share` of a frame.
fn advance(
    spec: &Spec,
    previous: &State,
    settings: &Settings,
    inputs: &Inputs,
    share: f64,
    executor: Executor<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(State, Diagnostics), Failed> {
    let time = settings.frame_time() * share;
    let motion = forcing::grid_motion(spec, settings, Some(previous));
    let forcing = forcing::rasterise(spec, settings, inputs, &motion, Some(previous), time, executor.workers);
    let task = Task { spec: *spec, settings: settings.clone(), forcing, motion, time };
    executor.device.run(&task, previous, go_on)
}

/// Adds the dye, heat and fuel of a frame to still air.
fn add_inflow(air: &mut Air, forcing: &Forcing, width: usize) {
    if let Some(InitialSource::Replace(patch) | InitialSource::FillUp(patch)) = &forcing.initial_source {
        for_each_cell(patch, width, |at, value| {
            if value[3] > air.dye[at][3] {
                air.dye[at] = value;
            }
        });
    }
    let add = |to: &mut f32, value: f32| *to = (*to + value).clamp(-VALUE_MAX, VALUE_MAX);
    for patch in &forcing.dye {
        for_each_cell(patch, width, |at, value| {
            air.dye[at].iter_mut().zip(value).for_each(|(to, value)| add(to, value))
        });
    }
    if let Some(temperature) = &mut air.temperature {
        for patch in &forcing.heat {
            for_each_cell(patch, width, |at, value| add(&mut temperature[at], value));
        }
        for patch in forcing.fuel.iter().filter_map(|fuel| fuel.temperature.as_ref()) {
            for_each_cell(patch, width, |at, value| temperature[at] = temperature[at].max(value));
        }
    }
    if let Some(fire) = &mut air.fire {
        for fuel in &forcing.fuel {
            for_each_cell(&fuel.gas, width, |at, value| {
                let gas = &mut fire.gas[at];
                *gas = std::array::from_fn(|part| gas[part].max(value[part]));
            });
        }
    }
}

/// Calls `each` for every value of a patch of cells, with the linear index of its cell.
fn for_each_cell<T: Copy>(patch: &Patch<T>, width: usize, mut each: impl FnMut(usize, T)) {
    for (row, values) in patch.values.chunks_exact(patch.width.max(1)).enumerate() {
        let start = (patch.y + row) * width + patch.x;
        for (column, &value) in values.iter().enumerate() {
            each(start + column, value);
        }
    }
}
