//! Volumes on a graphics device agree with the CPU within the tolerances stated here. Repeated runs give the same bits,
//! with states that are on the device and without. Faults are reported.

#[path = "../device/mod.rs"]
mod device;
mod faults;
#[path = "../record/mod.rs"]
mod record;
mod scenes;
mod solids;
mod steps;

use std::sync::{Arc, OnceLock};

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::compute::gpu::volume::VolumeGpu;
use flow_ofx::compute::gpu::{Graphics, Options};

/// A graphics device, software or not, opened as `options` say.
fn opened(options: Options) -> Arc<Graphics> {
    Graphics::new(Options { adapter: std::env::var("FLOW_ADAPTER").ok(), ..options })
}

/// The CPU that most tests share.
fn cpu() -> Arc<Cpu> {
    static CPU: OnceLock<Arc<Cpu>> = OnceLock::new();
    Arc::clone(CPU.get_or_init(|| Arc::new(Cpu::new(2))))
}

/// The volume's device on it; fails on a machine without one.
fn volume_on(graphics: &Arc<Graphics>) -> Arc<VolumeGpu> {
    let found = graphics.volume(([64; 3], 2), true, &cpu(), &mut || true).expect("nobody interrupts");
    found.unwrap_or_else(|| panic!("no graphics device works: {:?}", graphics.take_notices()))
}

/// The device that most tests share.
fn shared() -> Arc<VolumeGpu> {
    static GRAPHICS: OnceLock<Arc<Graphics>> = OnceLock::new();
    volume_on(GRAPHICS.get_or_init(|| opened(Options::default())))
}
