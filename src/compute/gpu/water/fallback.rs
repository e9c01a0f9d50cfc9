//! The device of the water nodes: a graphics device, and the CPU wherever it fails.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::device::WaterGpu;
use crate::compute::gpu::fault::{Fallback, Fault, Stop, panic_text};
use crate::compute::gpu::graphics::Graphics;
use crate::sim::Interrupted;
use crate::sim::request::unless_refused;
use crate::sim::water::buffers::StateBuffers;
use crate::sim::water::field::Field;
use crate::sim::water::plan::{Device, FramePlan, MassBalance, RowCounts, RowJob};

/// A graphics device, and the CPU wherever it fails: no failure gets further.
pub struct GpuWithFallback {
    graphics: Arc<Graphics>,
    cpu: Arc<dyn Device>,
    any: bool,
}

impl GpuWithFallback {
    /// `any`: a software graphics device will do.
    pub fn new(graphics: Arc<Graphics>, cpu: Arc<dyn Device>, any: bool) -> GpuWithFallback {
        GpuWithFallback { graphics, cpu, any }
    }
}

impl Device for GpuWithFallback {
    fn name(&self) -> String {
        self.graphics.name(self.any).unwrap_or_else(|| self.cpu.name())
    }

    fn rows(&self, field: &mut Field, job: &RowJob<'_>) -> RowCounts {
        self.cpu.rows(field, job)
    }

    fn run(
        &self,
        plan: &Arc<FramePlan>,
        before: &Arc<StateBuffers>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(Arc<StateBuffers>, MassBalance), Interrupted> {
        if WaterGpu::takes(plan)
            && let Some(gpu) = self.graphics.get(self.any, Fallback::SameFrame, go_on)?
        {
            let injected = self.graphics.injected_fault();
            let run = || WaterGpu::of(&gpu)?.run(plan, before, &self.cpu, injected, go_on);
            match catch_unwind(AssertUnwindSafe(run)) {
                Ok(Ok(made)) => {
                    self.graphics.count();
                    return Ok(made);
                }
                Ok(Err(Stop::Interrupted)) => return Err(Interrupted),
                Ok(Err(Stop::Fault(fault))) => self.graphics.put_away(&gpu, &fault, Fallback::SameFrame),
                Err(payload) => {
                    let payload = unless_refused(payload);
                    let fault = Fault::Panic(panic_text(&*payload));
                    self.graphics.put_away(&gpu, &fault, Fallback::SameFrame);
                    // The destructor of a payload may panic, too.
                    std::mem::forget(payload);
                }
            }
        }
        self.graphics.inject_cpu_fault();
        self.cpu.run(plan, before, go_on)
    }
}
