//! The work of a frame, and the trait of the devices that run it.

use super::forcing::{Forcing, GridMotion};
use super::settings::{Settings, Spec};
use super::state::{Diagnostics, State};
pub use crate::sim::fluid::Failed;

/// The work of a frame: all inputs of a device besides the state.
#[derive(Clone, Debug)]
pub struct Task {
    /// Grid and constants of the simulation.
    pub spec: Spec,
    /// The frame's settings.
    pub settings: Settings,
    /// Forcing, inflow and solids.
    pub forcing: Forcing,
    /// Motion of the grid from the previous frame.
    pub motion: GridMotion,
    /// Simulated time, frames.
    pub time: f64,
}

/// A device that simulates frames. All methods may be called from any thread.
pub trait Device: Send + Sync {
    /// Name for users.
    fn name(&self) -> String;

    /// Class of devices with the same bits: `cpu` or `gpu`.
    fn class(&self) -> &'static str;

    /// The state after the frame, from the state `before` it. `go_on` is called on the calling thread, several times
    /// per sub-step; an answer may take effect at the next call.
    ///
    /// # Errors
    /// [`Failed`]; `before` is unchanged.
    fn run(&self, task: &Task, before: &State, go_on: &mut dyn FnMut() -> bool)
    -> Result<(State, Diagnostics), Failed>;
}
