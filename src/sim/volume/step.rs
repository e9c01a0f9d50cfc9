//! One frame: equal steps, each in a box that follows the smoke.

use super::extent;
use super::gas_velocity::largest_speed;
use super::plan::{StepPlan, VELOCITY_MAX};
use super::settings::Settings;
use super::solids::{Body, swept_by_turning};
use super::sources::Source;
use super::state::{Diagnostics, State};
pub use crate::sim::fluid::Failed;
use crate::sim::maths::{bounded, clamp};

/// Largest number of steps of a frame.
const STEPS_MAX: f64 = 64.0;

/// Largest relative residual at which a projection counts as converged.
const RESIDUAL: f64 = 2e-3;

/// A device that simulates a volume step by step. All methods may be called from any thread.
pub trait Device: Send + Sync {
    /// Name for users.
    fn name(&self) -> String;

    /// Class of devices with the same bits: `cpu` or `gpu`.
    fn class(&self) -> &'static str;

    /// The state after a step, and the number of cycles and the largest relative residual of its projections. `go_on`
    /// is called every few milliseconds.
    ///
    /// # Errors
    /// [`Failed`]; `before` is unchanged.
    fn step(&self, before: &State, plan: &StepPlan, go_on: &mut dyn FnMut() -> bool)
    -> Result<(State, Solves), Failed>;
}

/// The work of the projections of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solves {
    /// Largest number of multigrid cycles of one projection.
    pub cycles: u32,
    /// Largest residual, relative to the divergence before.
    pub residual: f64,
}

impl Solves {
    /// The larger number of cycles and the larger residual of both.
    pub fn and(self, other: Solves) -> Solves {
        Solves { cycles: self.cycles.max(other.cycles), residual: self.residual.max(other.residual) }
    }
}

/// The state before the first frame: no smoke, and air that moves with the wind.
pub fn first(settings: &Settings) -> State {
    let sources = sources(settings, [1.0, 1.0], 1.0);
    let solids = bodies(settings, [1.0, 1.0], 1.0);
    let bounds = extent::bounds(settings, (&sources, &solids), &super::Statistics::default(), 1.0);
    State::still(bounds, settings.detail, settings.wind.map(|speed| bounded(speed, VELOCITY_MAX) as f32))
}

/// The emitters in the part `span` of a frame, from 0 to 1, which lasts `time` simulated frames.
fn sources(settings: &Settings, span: [f64; 2], time: f64) -> Vec<Source> {
    let clock = clock(settings, span[0]);
    settings.emitters.iter().map(|emitter| Source::new(emitter, span, time, clock)).collect()
}

/// The solids in the part `span` of a frame, which lasts `time` simulated frames.
fn bodies(settings: &Settings, span: [f64; 2], time: f64) -> Vec<Body> {
    settings.solids.iter().filter_map(|solid| Body::new(solid, span, time)).collect()
}

/// Simulated time at the fraction `share` of the frame, frames.
fn clock(settings: &Settings, share: f64) -> f64 {
    (settings.frame - 1.0 + share) * clamp(settings.time_scale, 0.0, 1e3)
}

/// Advances a state by the fraction `share` of a frame; returns its diagnostics and the number of steps.
///
/// # Errors
/// [`Failed`]: `go_on` returned false, or the device failed.
pub fn advance(
    before: &State,
    settings: &Settings,
    share: f64,
    device: &dyn Device,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(State, Diagnostics, u64), Failed> {
    let time = clamp(settings.time_scale, 0.0, 1e3) * share;
    let mut state = before.clone();
    if time == 0.0 {
        return Ok((state, Diagnostics { cells: before.bounds.len() as u64, ..Diagnostics::default() }, 0));
    }
    let jets = settings.emitters.iter().map(largest_speed);
    let speed = jets.fold(f64::from(before.statistics.speed), f64::max);
    // A solid crosses no more cells in a step than the air may.
    let moves =
        settings.solids.iter().flat_map(|solid| [0, 1, 2].map(|axis| solid.centre[axis] - solid.previous[axis]));
    let turns = settings.solids.iter().map(swept_by_turning);
    let moves = moves.chain(turns).map(|distance| bounded(distance.abs(), VELOCITY_MAX) * share);
    let crossed = moves.fold(speed * time, f64::max);
    let wanted = libm::ceil(crossed / clamp(settings.max_cfl, 0.1, 100.0) - 1e-6);
    let count = wanted.max(f64::from(settings.min_steps) * share).clamp(1.0, STEPS_MAX);
    let count = libm::ceil(count);
    let mut solves = Solves::default();
    for step in 0..count as u32 {
        let span = [0.0, 1.0].map(|end| share * (f64::from(step) + end) / count);
        let time = time / count;
        let sources = sources(settings, span, time);
        let solids = bodies(settings, span, time);
        let bounds = extent::bounds(settings, (&sources, &solids), &state.statistics, time);
        let plan = StepPlan::new(settings, bounds, (sources, solids), (state.steps, time, clock(settings, span[0])));
        let (next, work) = device.step(&state, &plan, go_on)?;
        state = next;
        solves = solves.and(work);
    }
    let diagnostics = Diagnostics {
        cells: state.bounds.len() as u64,
        cycles: solves.cycles,
        residual: solves.residual,
        unconverged: solves.residual > RESIDUAL,
        too_fast: wanted > STEPS_MAX,
    };
    Ok((state, diagnostics, count as u64))
}
