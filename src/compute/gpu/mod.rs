//! Graphics devices, through wgpu.
//!
//! | file | what |
//! |---|---|
//! | `graphics` | the device of the process |
//! | `options` | what the environment says |
//! | `adapter` | which devices there are, and which is used |
//! | `core` | an open device |
//! | `open` | a device at work: what stays on it from frame to frame |
//! | `pipeline` | shaders as pipelines |
//! | `fetch` | what comes down, into planes |
//! | `pool` | buffers |
//! | `fault` | what can go wrong |
//! | [`water`] | the passes of the water |
//! | [`smoke`] | the passes of the smoke |
//!
//! Nothing is opened before the first frame.

mod adapter;
mod core;
mod fault;
mod fetch;
mod graphics;
mod open;
mod options;
mod pipeline;
mod pool;
pub mod smoke;
pub mod water;

pub use adapter::{Listed, list};
pub use graphics::Graphics;
pub use options::{FaultKind, InjectedFault, Options};
pub use pipeline::Shader;
