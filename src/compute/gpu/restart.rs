//! Devices whose states differ a little from the CPU's: after a failure, a device of another class simulates from the
//! start.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::device::Gpu;
use super::fault::{Fallback, Fault, Stop, panic_text};
use super::graphics::Graphics;
use super::options::FaultKind;
use crate::sim::fluid::Failed;
use crate::sim::request::unless_refused;

/// The graphics device of the process for simulations whose bits depend on the class of device. A failure is reported
/// to the user, and the device is not used for a while: another class of device then continues with a separate chain.
pub(super) struct Restarting {
    pub graphics: Arc<Graphics>,
    /// Whether a software device will do.
    pub any: bool,
}

/// The answer for the caller, and the fault of the device that is its reason.
pub(super) type Failure = (Failed, Option<Fault>);

/// A fault of the device as a failure.
pub(super) fn failed(fault: Fault) -> Failure {
    (Failed::Device(fault.to_string()), Some(fault))
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        match stop {
            Stop::Interrupted => (Failed::Interrupted, None),
            Stop::Fault(fault) => failed(fault),
        }
    }
}

impl Restarting {
    /// The open device.
    ///
    /// # Errors
    /// [`Failed`] where the device does not work, or is not used after a failure.
    pub fn open(&self, go_on: &mut dyn FnMut() -> bool) -> Result<Arc<Gpu>, Failed> {
        let resting = || Failed::Device("the graphics device failed and is left alone for a while".to_owned());
        self.graphics.get(self.any, Fallback::Restart, go_on).map_err(|_| Failed::Interrupted)?.ok_or_else(resting)
    }

    /// Name for users.
    pub fn name(&self) -> String {
        self.graphics.name(self.any).unwrap_or_else(|| "GPU".to_owned())
    }

    /// Runs a piece of work on the open device, given the fault to inject. Without enough memory, `release` frees what
    /// the model keeps on the device; where it frees anything, the work runs again.
    ///
    /// # Errors
    /// [`Failed`]; the device is put away after a fault.
    pub fn run<T>(
        &self,
        go_on: &mut dyn FnMut() -> bool,
        release: impl Fn(&Gpu) -> bool,
        work: impl Fn(&Gpu, Option<FaultKind>, &mut dyn FnMut() -> bool) -> Result<T, Failure>,
    ) -> Result<T, Failed> {
        let gpu = self.open(go_on)?;
        let drill = self.graphics.injected_fault();
        let run = || match work(&gpu, drill, go_on) {
            Err((_, Some(Fault::Memory(_)))) if gpu.core().faults.check().is_ok() && release(&gpu) => {
                work(&gpu, None, go_on)
            }
            made => made,
        };
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(made)) => {
                self.graphics.count();
                Ok(made)
            }
            Ok(Err((Failed::Interrupted, _))) => Err(Failed::Interrupted),
            Ok(Err((failed, fault))) => {
                let fault = fault.unwrap_or_else(|| Fault::Invalid(failed.to_string()));
                self.graphics.put_away(&gpu, &fault, Fallback::Restart);
                Err(failed)
            }
            Err(payload) => {
                let payload = unless_refused(payload);
                let fault = Fault::Panic(panic_text(&*payload));
                self.graphics.put_away(&gpu, &fault, Fallback::Restart);
                // Dropped, a payload with a panicking destructor would get past.
                std::mem::forget(payload);
                Err(Failed::Device(fault.to_string()))
            }
        }
    }
}
