//! A frame's work, and the trait of the devices that do it.

use super::forcing::{Forcing, GridMotion};
use super::settings::{Settings, Spec};
use super::state::{Diagnostics, State};
pub use crate::sim::fluid::Failed;

/// A frame's work.
#[derive(Clone, Debug)]
pub struct Task {
    /// Grid and constants of the simulation.
    pub spec: Spec,
    /// The frame's settings.
    pub settings: Settings,
    /// Forcing, inflow and solids.
    pub forcing: Forcing,
    /// The motion of the grid into the frame.
    pub motion: GridMotion,
    /// Simulated time, frames.
    pub time: f64,
}

/// A device that simulates frames. All methods may be called from any thread.
pub trait Device: Send + Sync {
    /// Its name, for people.
    fn name(&self) -> String;

    /// The class of devices with the same bits: `cpu` or `gpu`.
    fn class(&self) -> &'static str;

    /// The state after a frame's work on `before`. `go_on` is asked on the calling thread, several times per sub-step;
    /// an answer may count one question later.
    ///
    /// # Errors
    /// [`Failed`]; nothing is lost then.
    fn run(&self, task: &Task, before: &State, go_on: &mut dyn FnMut() -> bool)
    -> Result<(State, Diagnostics), Failed>;
}
