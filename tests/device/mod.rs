//! The graphics device of the tests. Tests fail without one; a software device (Mesa's lavapipe) is enough.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::sync::Arc;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::compute::gpu::water::GpuWithFallback;
use flow_ofx::compute::gpu::{Graphics, Options};
use flow_ofx::sim::water::Device;

/// A device with the CPU as fallback, and its graphics part for inspection.
pub struct Tested {
    pub graphics: Arc<Graphics>,
    pub device: GpuWithFallback,
}

/// A device opened as `options` say.
pub fn opened(options: Options) -> Tested {
    let graphics = Graphics::new(Options { adapter: std::env::var("FLOW_ADAPTER").ok(), ..options });
    let cpu: Arc<dyn Device> = Arc::new(Cpu::new(1));
    let device = GpuWithFallback::new(Arc::clone(&graphics), cpu, true);
    Tested { graphics, device }
}

/// A device with default options.
pub fn any() -> Tested {
    opened(Options::default())
}

impl Tested {
    /// Fails unless the graphics device made at least `frames` frames, without any fault.
    pub fn assert_worked(&self, frames: u64) {
        assert_eq!(self.graphics.take_notices(), [""; 0], "the graphics device failed");
        assert!(self.graphics.frames() >= frames, "the graphics device made {} frames", self.graphics.frames());
    }
}
