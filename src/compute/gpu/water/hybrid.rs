//! The device of the nodes: a graphics device where there is one, the CPU wherever that fails.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::super::fault::{Fault, Stop, Work, panic_text};
use super::super::graphics::Graphics;
use super::super::open::Gpu;
use crate::sim::Interrupted;
use crate::sim::request::unless_refused;
use crate::sim::water::buffers::StateBuffers;
use crate::sim::water::field::Field;
use crate::sim::water::plan::{Device, FramePlan, MassBalance, RowCounts, RowJob};

/// A graphics device with the CPU behind it. All failures end here.
pub struct GpuWithFallback {
    graphics: Arc<Graphics>,
    cpu: Arc<dyn Device>,
    any: bool,
}

impl GpuWithFallback {
    /// `any`: a software graphics device will do, too.
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
        body: &Arc<StateBuffers>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(Arc<StateBuffers>, MassBalance), Interrupted> {
        if Gpu::takes(plan)
            && let Some(gpu) = self.graphics.get(self.any, Work::Water, go_on)?
        {
            let drill = self.graphics.drill();
            let made = catch_unwind(AssertUnwindSafe(|| gpu.run(plan, body, &self.cpu, drill, go_on)));
            match made {
                Ok(Ok(made)) => {
                    self.graphics.count();
                    return Ok(made);
                }
                Ok(Err(Stop::Interrupted)) => return Err(Interrupted),
                Ok(Err(Stop::Fault(fault))) => self.graphics.put_away(&gpu, &fault, Work::Water),
                Err(payload) => {
                    let payload = unless_refused(payload);
                    self.graphics.put_away(&gpu, &Fault::Panic(panic_text(&*payload)), Work::Water);
                    // Dropped, a payload with a panicking destructor would get past.
                    std::mem::forget(payload);
                }
            }
        }
        self.graphics.drill_cpu();
        self.cpu.run(plan, body, go_on)
    }
}
