//! Water on graphics devices: the same passes as on the CPU, in WGSL, with the same bits.
//!
//! | file | what |
//! |---|---|
//! | `hybrid` | the device of the nodes: a graphics device, and the CPU wherever that fails |
//! | `frame`, `record` | one frame |
//! | `show` | layers of a state as pictures |
//! | `passes`, `layout` | the shaders, and what they are told |
//! | `slabs` | grids larger than a buffer |
//! | `inflow`, `upload` | what goes up |
//! | `resident`, `courier` | states that stay, and come down behind the rendering |
//!
//! All arithmetic is in 32-bit integers, so that no driver has a say in the bits; 64-bit sums are pairs of words.

pub(super) mod courier;
pub(super) mod frame;
mod hybrid;
pub(super) mod inflow;
pub mod layout;
pub(super) mod passes;
mod record;
pub(super) mod resident;
pub(super) mod show;
pub(super) mod slabs;
pub(super) mod upload;

pub use hybrid::GpuWithFallback;
pub use passes::SHADERS;
