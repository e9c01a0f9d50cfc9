//! The device of the nodes: steps of volumes on the graphics device of the process.

use std::sync::Arc;

use super::resources::VolumeResources;
use super::step;
use crate::compute::cpu::Cpu;
use crate::compute::gpu::device::Gpu;
use crate::compute::gpu::fault::{Fallback, Fault};
use crate::compute::gpu::graphics::Graphics;
use crate::compute::gpu::options::FaultKind;
use crate::compute::gpu::restart::{Restarting, failed};
use crate::compute::resources::Resource as _;
use crate::sim::Interrupted;
use crate::sim::volume::plan::StepPlan;
use crate::sim::volume::state::{faces, whole};
use crate::sim::volume::{Device, Failed, Solves, State};

/// Volumes on the graphics device of the process.
pub struct VolumeGpu {
    device: Restarting,
    cpu: Arc<Cpu>,
}

impl Graphics {
    /// A device for volumes of at most `cells` cells along each axis, which have `detail`³ packs each, opened if
    /// necessary; `None` without a working device for them. `any`: a software device will do. `cpu` computes emitters.
    /// `go_on` is called while a device opens.
    ///
    /// # Errors
    /// [`Interrupted`] where `go_on` returned false.
    pub fn volume(
        self: &Arc<Self>,
        (cells, detail): ([usize; 3], usize),
        any: bool,
        cpu: &Arc<Cpu>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Arc<VolumeGpu>>, Interrupted> {
        let fits = |gpu: &Arc<Gpu>| gpu.core().pool.holds(largest(cells, detail));
        let gpu = self.get(any, Fallback::Restart, go_on)?.filter(fits);
        let device = Restarting { graphics: Arc::clone(self), any };
        Ok(gpu.map(|_| Arc::new(VolumeGpu { device, cpu: Arc::clone(cpu) })))
    }
}

/// The largest buffer of a volume, bytes: packs as floats, or all components of the velocity. The matrix among solids
/// has four numbers for each cell, as packs without detail do.
fn largest(cells: [usize; 3], detail: usize) -> u64 {
    let packs = 4 * whole(cells).finer(detail).len();
    let velocity = faces(cells).into_iter().sum();
    (packs.max(velocity) * size_of::<f32>()) as u64
}

/// The resources of volumes on a device.
fn resources(gpu: &Gpu) -> Result<Arc<VolumeResources>, Fault> {
    gpu.resource(|core| Ok(VolumeResources::new(&core.device)))
}

impl Device for VolumeGpu {
    fn name(&self) -> String {
        self.device.name()
    }

    fn class(&self) -> &'static str {
        "gpu"
    }

    fn step(
        &self,
        before: &State,
        plan: &StepPlan,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(State, Solves), Failed> {
        let release = |gpu: &Gpu| resources(gpu).is_ok_and(|resources| resources.release());
        self.device.run(go_on, release, |gpu, drill, go_on| {
            let core = gpu.core();
            let resources = resources(gpu).map_err(failed)?;
            core.inject(drill).map_err(failed)?;
            let made = step::run(core, &resources, &self.cpu, (before, plan), go_on)?;
            if drill == Some(FaultKind::Late) {
                core.lose();
            }
            Ok(made)
        })
    }
}
