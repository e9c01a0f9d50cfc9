//! What can go wrong on a graphics device. None of it reaches the host: the frame is made on the CPU.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::sim::Interrupted;

/// Why a graphics device cannot be used, now or at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// There is none, or none that may be used.
    #[error("{0}")]
    None(String),
    /// It would not open.
    #[error("the graphics device does not open: {0}")]
    Refused(String),
    /// It went away.
    #[error("the graphics device was lost: {0}")]
    Lost(String),
    /// It has not enough memory, or was allowed no more.
    #[error("the graphics device has not enough memory: {0}")]
    Memory(String),
    /// It refused what it was told to do.
    #[error("the graphics device reports an error: {0}")]
    Invalid(String),
    /// It did not answer in time.
    #[error("the graphics device did not answer for {} seconds", .0.as_secs_f32())]
    Hang(Duration),
    /// Code of ours or of the driver's failed.
    #[error("an internal error: {0}")]
    Panic(String),
}

/// What a device is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// The same bits on all devices.
    Water,
    /// Much the same on all devices.
    Smoke,
}

impl Work {
    /// How it goes on without the device, for the user.
    pub fn goes_on(self) -> &'static str {
        match self {
            Work::Water => "This node renders on the CPU; the pixels are the same.",
            Work::Smoke => "This node simulates on the CPU, from the start: the pixels differ a little.",
        }
    }
}

/// Why there is no frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The caller no longer wants it.
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

/// The first fault of a device, entered from whatever thread finds it.
#[derive(Clone, Default)]
pub(super) struct FaultCell(Arc<Inner>);

#[derive(Default)]
struct Inner {
    any: AtomicBool,
    first: Mutex<Option<Fault>>,
}

impl FaultCell {
    /// Enters a fault; the first one counts.
    pub fn enter(&self, fault: Fault) {
        tracing::warn!("{fault}");
        self.0.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
        self.0.any.store(true, Ordering::Release);
    }

    /// The fault, if there was one.
    pub fn check(&self) -> Result<(), Fault> {
        if !self.0.any.load(Ordering::Acquire) {
            return Ok(());
        }
        let first = self.0.first.lock().unwrap_or_else(PoisonError::into_inner).clone();
        first.map_or(Ok(()), Err)
    }
}

/// The text of a panic.
pub(super) fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a text".to_owned())
}
