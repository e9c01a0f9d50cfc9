//! Graphics devices, through wgpu: the same passes as on the CPU, in WGSL, with the same bits.
//!
//! | file | what |
//! |---|---|
//! | `hybrid` | the device of the nodes: a graphics device, and the CPU wherever that fails |
//! | `options` | what the environment says |
//! | `adapter` | which devices there are, and which is used |
//! | `core` | an open device |
//! | `open` | a device at work: what stays on it from frame to frame |
//! | `frame`, `record` | one frame |
//! | `show` | layers of a state as pictures |
//! | `pipeline` | shaders as pipelines |
//! | `passes`, `layout` | the water's shaders, and what they are told |
//! | `slabs` | grids larger than a buffer |
//! | `inflow`, `upload` | what goes up |
//! | `fetch` | what comes down, into planes |
//! | `resident`, `courier` | states that stay, and come down behind the rendering |
//! | `pool` | buffers |
//! | `fault` | what can go wrong |
//! | [`smoke`] | the other model |
//!
//! Nothing is opened before the first frame. All arithmetic of the water is in 32-bit integers, so that no driver has a say
//! in the bits; 64-bit sums are pairs of words.

mod adapter;
mod core;
mod courier;
mod fault;
mod fetch;
mod frame;
mod hybrid;
mod inflow;
pub mod layout;
mod open;
mod options;
mod passes;
mod pipeline;
mod pool;
mod record;
mod resident;
mod show;
mod slabs;
pub mod smoke;
mod upload;

pub use adapter::{Listed, list};
pub use hybrid::{Graphics, Hybrid};
pub use options::{Drill, DrillKind, Options};
pub use passes::SHADERS;
pub use pipeline::Shader;
