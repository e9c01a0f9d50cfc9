//! The compiled passes of the water on a device, and the buffers that all frames share.

use std::ops::Deref;
use std::sync::Arc;

use wgpu::BufferUsages;

use super::passes::Pass;
use crate::compute::gpu::core::{Core, buffer};
use crate::compute::gpu::pipeline::Passes;
use crate::sim::water::time_step::STEPS_MAX;

/// A device with the passes of the water.
pub(super) struct Kernels {
    core: Arc<Core>,
    pub passes: Passes<Pass>,
    /// Indices of steps, a table of uniforms.
    pub steps: wgpu::Buffer,
    /// Bound where a pass writes nothing.
    pub nowhere: wgpu::Buffer,
}

impl Kernels {
    /// Parses the shaders.
    pub fn new(core: &Arc<Core>) -> Kernels {
        let stride = core.uniform_stride as usize;
        let mut table = vec![0_u8; STEPS_MAX as usize * stride];
        for (step, entry) in (0_u32..).zip(table.chunks_exact_mut(stride)) {
            entry[..4].copy_from_slice(&step.to_ne_bytes());
        }
        let steps = buffer(&core.device, table.len() as u64, BufferUsages::UNIFORM | BufferUsages::COPY_DST);
        core.queue.write_buffer(&steps, 0, &table);
        let passes = Passes::new(&core.device);
        passes.read();
        let nowhere = buffer(&core.device, 256, BufferUsages::STORAGE);
        Kernels { core: Arc::clone(core), passes, steps, nowhere }
    }

    /// The device.
    pub fn core(&self) -> &Arc<Core> {
        &self.core
    }
}

impl Deref for Kernels {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}
