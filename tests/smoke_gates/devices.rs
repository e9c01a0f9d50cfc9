//! The two device classes.

use std::sync::{Arc, OnceLock};

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::compute::cpu::smoke::SmokeCpu;
use flow_ofx::compute::gpu::smoke::{SmokeBackend, SmokeGpu};
use flow_ofx::compute::gpu::{Graphics, Options};
use flow_ofx::sim::fluid::Backend;
use flow_ofx::sim::smoke::Device;

use crate::record::Record;

/// A device under test.
pub struct Under<B> {
    /// Its operations, one by one.
    pub backend: B,
    /// Its frames.
    pub device: &'static dyn Device,
    /// Executor of work outside of the passes.
    pub cpu: &'static Cpu,
    name: &'static str,
}

impl<B: Backend> Under<B> {
    /// Whether this is the CPU; else long runs are shortened, since the graphics device may be software.
    pub fn is_cpu(&self) -> bool {
        self.name == "CPU"
    }

    /// Values found on the device.
    pub fn record(&self, gate: &'static str) -> Record {
        Record::new(gate, self.name).on(self.device.name())
    }
}

fn cpu() -> &'static Cpu {
    static CPU: OnceLock<Cpu> = OnceLock::new();
    CPU.get_or_init(|| Cpu::new(2))
}

/// Runs a gate on the CPU.
pub fn on_the_cpu(gate: fn(&Under<SmokeCpu<'static>>)) {
    gate(&Under { backend: SmokeCpu::new(cpu()), device: cpu(), cpu: cpu(), name: "CPU" });
}

/// Runs a gate on a graphics device; fails on a machine without one.
pub fn on_a_graphics_device(gate: fn(&Under<SmokeBackend>)) {
    static GRAPHICS: OnceLock<(Arc<Graphics>, Arc<SmokeGpu>)> = OnceLock::new();
    let (graphics, device) = GRAPHICS.get_or_init(|| {
        let graphics = Graphics::new(Options { adapter: std::env::var("FLOW_ADAPTER").ok(), ..Options::default() });
        let found = graphics.smoke([64, 64], true, &mut || true).expect("nobody interrupts");
        let device = found.unwrap_or_else(|| panic!("no graphics device works: {:?}", graphics.take_notices()));
        (graphics, device)
    });
    let backend = device.backend().expect("the device works");
    gate(&Under { backend, device: &**device, cpu: cpu(), name: "GPU" });
    assert_eq!(graphics.take_notices(), [""; 0], "the graphics device failed");
}
