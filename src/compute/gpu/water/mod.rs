//! The water on graphics devices: the passes of the CPU in WGSL, with the same bits.
//!
//! All arithmetic is in 32-bit integers, so that results do not depend on the driver; 64-bit sums are pairs of words.
//!
//! | file | contents |
//! |---|---|
//! | `fallback` | the device of the nodes: a graphics device, and the CPU wherever it fails |
//! | `device` | frames, and the states that stay on the device |
//! | `frame`, `record` | the commands of one frame |
//! | `show` | raw layers of a state |
//! | `passes`, `kernels` | the shaders with their bindings, and their pipelines |
//! | `layout` | uniforms, flags and counters |
//! | `slabs` | the partition of grids that are larger than a buffer |
//! | `inflow`, `upload` | data for the device |
//! | `ripples` | frames of Ripples |
//! | `resident`, `readback` | states on the device, and their copies in memory |

mod device;
mod fallback;
mod frame;
mod inflow;
mod kernels;
pub mod layout;
mod passes;
mod readback;
mod record;
mod resident;
pub mod ripples;
mod show;
mod slabs;
mod upload;

pub use fallback::GpuWithFallback;
pub use passes::SHADERS;
