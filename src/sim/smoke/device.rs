//! The seam between the model and the machines that run it.

use std::fmt;

use super::drive::{Drive, Move};
use super::settings::{Settings, Spec};
use super::state::{Diagnostics, State};

/// A frame's work.
#[derive(Clone, Debug)]
pub struct Task {
    /// What the simulation stands on.
    pub spec: Spec,
    /// The frame's settings.
    pub settings: Settings,
    /// What drives the air.
    pub drive: Drive,
    /// How the grid moves into the frame.
    pub moved: Move,
    /// Simulated time, frames.
    pub time: f64,
}

/// Why there is no state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// `go_on` said no.
    Interrupted,
    /// The device can't go on: why, in the artist's words. Another class of device may.
    Device(String),
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failed::Interrupted => write!(f, "interrupted"),
            Failed::Device(why) => write!(f, "{why}"),
        }
    }
}

/// Simulates. All methods may be called from any thread.
pub trait Device: Send + Sync {
    /// For people.
    fn name(&self) -> String;

    /// Class of devices that give the same bits: `cpu` or `gpu`.
    fn class(&self) -> &'static str;

    /// The state after a frame's work on `before`. `go_on` is asked on the calling thread, several times per sub-step;
    /// an answer may count one question later.
    ///
    /// # Errors
    /// [`Failed`]; nothing is lost then.
    fn run(&self, task: &Task, before: &State, go_on: &mut dyn FnMut() -> bool)
    -> Result<(State, Diagnostics), Failed>;
}
