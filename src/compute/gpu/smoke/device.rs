//! The device of the nodes: frames of smoke on the graphics device of the process.

use std::sync::Arc;

use super::backend::SmokeBackend;
use super::resources::SmokeResources;
use crate::compute::gpu::device::Gpu;
use crate::compute::gpu::fault::{Fallback, Fault};
use crate::compute::gpu::graphics::Graphics;
use crate::compute::gpu::options::FaultKind;
use crate::compute::gpu::restart::{Failure, Restarting, failed};
use crate::compute::resources::Resource as _;
use crate::sim::Interrupted;
use crate::sim::smoke::device::{Device, Failed, Task};
use crate::sim::smoke::state::{Diagnostics, State};

/// Smoke on the graphics device of the process.
pub struct SmokeGpu(Restarting);

impl SmokeGpu {
    /// The device as a backend.
    ///
    /// # Errors
    /// [`Failed`] where the device does not work, or is not used after a failure.
    pub fn backend(&self) -> Result<SmokeBackend, Failed> {
        let gpu = self.0.open(&mut || true)?;
        let resources = resources(&gpu).map_err(|fault| Failed::Device(fault.to_string()))?;
        Ok(SmokeBackend::new(gpu.core(), &resources))
    }
}

impl Graphics {
    /// A device for smoke on a grid of `size` cells, opened if necessary; `None` without a working device for a grid of
    /// this size. `any`: a software device will do. `go_on` is called while a device opens.
    ///
    /// # Errors
    /// [`Interrupted`] where `go_on` returned false.
    pub fn smoke(
        self: &Arc<Self>,
        size: [usize; 2],
        any: bool,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Arc<SmokeGpu>>, Interrupted> {
        let fits = |gpu: &Arc<Gpu>| gpu.core().pool.holds(largest(size)) && size.iter().all(|n| *n <= SIZE_MAX);
        let gpu = self.get(any, Fallback::Restart, go_on)?.filter(fits);
        Ok(gpu.map(|_| Arc::new(SmokeGpu(Restarting { graphics: Arc::clone(self), any }))))
    }
}

/// Largest number of columns, and of rows, of a grid: their product stays within 32 bits.
const SIZE_MAX: usize = 32768;

/// The largest plane of a grid, bytes: the dye's, or a face's where the grid is a line.
fn largest([width, height]: [usize; 2]) -> u64 {
    let values = (4 * width * height).max((width + 1) * height).max(width * (height + 1));
    (values * size_of::<f32>()) as u64
}

/// The resources of smoke on a device.
fn resources(gpu: &Gpu) -> Result<Arc<SmokeResources>, Fault> {
    gpu.resource(|core| Ok(SmokeResources::new(&core.device)))
}

/// Runs a frame; the buffers of the new state stay on the device.
fn frame(
    gpu: &Gpu,
    task: &Task,
    before: &State,
    drill: Option<FaultKind>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(State, Diagnostics), Failure> {
    let core = gpu.core();
    let resources = resources(gpu).map_err(failed)?;
    core.inject(drill).map_err(failed)?;
    let backend = SmokeBackend::new(core, &resources);
    let made = crate::sim::smoke::run(&backend, task, before, go_on).map_err(|failed| (failed, backend.fault()))?;
    if drill == Some(FaultKind::Late) {
        core.lose();
    }
    core.pool.sweep();
    Ok(made)
}

impl Device for SmokeGpu {
    fn name(&self) -> String {
        self.0.name()
    }

    fn class(&self) -> &'static str {
        "gpu"
    }

    fn run(
        &self,
        task: &Task,
        before: &State,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(State, Diagnostics), Failed> {
        let release = |gpu: &Gpu| resources(gpu).is_ok_and(|resources| resources.release());
        self.0.run(go_on, release, |gpu, drill, go_on| frame(gpu, task, before, drill, go_on))
    }
}
