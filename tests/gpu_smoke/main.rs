//! Smoke on a graphics device agrees with the CPU within the tolerances stated here, pass by pass and frame by
//! frame. Repeated runs give the same bits, wherever the planes are. Faults are reported.

mod cases;
#[path = "../device/mod.rs"]
mod device;
mod faults;
mod frames;
mod levels;
mod operations;
mod passes;
#[path = "../record/mod.rs"]
mod record;
#[path = "../smoke/mod.rs"]
mod smoke;

use std::sync::{Arc, OnceLock};

use flow_ofx::compute::gpu::smoke::SmokeGpu;
use flow_ofx::compute::gpu::{Graphics, Options};

/// A graphics device, software or not, opened as `options` say.
fn opened(options: Options) -> Arc<Graphics> {
    Graphics::new(Options { adapter: std::env::var("FLOW_ADAPTER").ok(), ..options })
}

/// The smoke's device on it; fails on a machine without one.
fn smoke_on(graphics: &Arc<Graphics>) -> Arc<SmokeGpu> {
    let found = graphics.smoke([64, 64], true, &mut || true).expect("nobody interrupts");
    found.unwrap_or_else(|| panic!("no graphics device works: {:?}", graphics.take_notices()))
}

/// The device that most tests share.
fn shared() -> Arc<SmokeGpu> {
    static GRAPHICS: OnceLock<Arc<Graphics>> = OnceLock::new();
    smoke_on(GRAPHICS.get_or_init(|| opened(Options::default())))
}
