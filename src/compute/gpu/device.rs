//! The open graphics device, with the resources of each model.

use std::sync::Arc;

use super::core::Core;
use super::fault::Fault;
use super::options::Options;
use crate::compute::resources::{Resource, Resources};
use crate::sim::memory::PagePool;
use crate::sim::request::fits;

/// Address space that drivers need to open, in bytes. Some end the process where they do not get it.
const DRIVER_SPACE: usize = 1 << 30;

/// An open device. Threads share it; frames of several nodes take turns on its queue.
pub(super) struct Gpu {
    /// Dropped before the core.
    resources: Resources,
    core: Arc<Core>,
}

impl Gpu {
    /// Opens a device. `any`: a software device will do. `memory`: for data that is read back.
    ///
    /// # Errors
    /// No device is found, or it does not open.
    pub fn open(options: &Options, any: bool, memory: Arc<dyn PagePool>) -> Result<Gpu, Fault> {
        if !fits(DRIVER_SPACE) {
            return Err(Fault::Memory(format!("its driver needs {} MB of address space", DRIVER_SPACE >> 20)));
        }
        Ok(Gpu { core: Arc::new(Core::open(options, any, memory)?), resources: Resources::default() })
    }

    /// The device itself.
    pub fn core(&self) -> &Arc<Core> {
        &self.core
    }

    /// The resource of a model, made on the first call.
    ///
    /// # Errors
    /// The errors of `make`.
    pub fn resource<R: Resource>(&self, make: impl FnOnce(&Arc<Core>) -> Result<R, Fault>) -> Result<Arc<R>, Fault> {
        self.resources.get(|| make(&self.core))
    }

    /// Gives a failed device up. A device that hangs is never freed: that would hang the caller.
    pub fn abandon(&self) {
        if let Err(Fault::Hang(_)) = self.core.faults.check() {
            std::mem::forget(Arc::clone(&self.core));
        }
    }
}
