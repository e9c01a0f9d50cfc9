//! Failures of a graphics device. None reaches the host: the CPU computes the frame.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::sim::Interrupted;

/// A failure of a graphics device; the messages are for users.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// There is no device, or none that may be used.
    #[error("{0}")]
    None(String),
    /// The device does not open.
    #[error("the graphics device does not open: {0}")]
    Refused(String),
    /// The device was lost.
    #[error("the graphics device was lost: {0}")]
    Lost(String),
    /// The device lacks memory, or the limit of its memory is reached.
    #[error("the graphics device has not enough memory: {0}")]
    Memory(String),
    /// The device refused a command.
    #[error("the graphics device reports an error: {0}")]
    Invalid(String),
    /// A submission did not end in time.
    #[error("the graphics device did not answer for {} seconds", .0.as_secs_f32())]
    Hang(Duration),
    /// The plug-in or the driver panicked.
    #[error("an internal error: {0}")]
    Panic(String),
}

/// Fallback of a node whose device fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fallback {
    /// The CPU computes the frame, with the same bits.
    SameFrame,
    /// The CPU simulates from the start frame on, with slightly different values.
    Restart,
    /// The CPU draws the picture, with slightly different values.
    Redraw,
}

impl Fallback {
    /// The sentence for the user.
    pub fn text(self) -> &'static str {
        match self {
            Fallback::SameFrame => "This node renders on the CPU; the pixels are the same.",
            Fallback::Redraw => "This node draws on the CPU: the pixels differ a little.",
            Fallback::Restart => "This node simulates on the CPU, from the start: the pixels differ a little.",
        }
    }
}

/// The reason why a frame was not computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The caller interrupted the frame.
    Interrupted,
    /// The device failed.
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

impl From<Interrupted> for Stop {
    fn from(_: Interrupted) -> Stop {
        Stop::Interrupted
    }
}

/// The first fault of a device. Any thread may enter it.
#[derive(Clone, Default)]
pub(super) struct FaultCell(Arc<OnceLock<Fault>>);

impl FaultCell {
    /// Enters a fault; later ones are only logged.
    pub fn enter(&self, fault: Fault) {
        tracing::warn!("{fault}");
        self.0.get_or_init(|| fault);
    }

    /// Returns the fault, if one was entered.
    pub fn check(&self) -> Result<(), Fault> {
        self.0.get().cloned().map_or(Ok(()), Err)
    }
}

/// The message of a panic.
pub(super) fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a text".to_owned())
}
