//! Graphics devices, through wgpu. Nothing is opened before the first frame.
//!
//! | file | contents |
//! |---|---|
//! | `graphics` | the graphics device of the process: opening, failures, fallback |
//! | `options` | environment variables |
//! | `adapter` | the list and the choice of devices |
//! | `device` | the open device, with the resources of each model |
//! | `core` | its queue, buffers and time limits |
//! | `pool` | pooled buffers |
//! | `pipeline` | shaders, pipelines, bind groups |
//! | `recorder` | the command recorder |
//! | `fetch` | readback of buffers |
//! | `restart` | devices whose states differ from the CPU's |
//! | `fault` | failures and their messages |
//! | [`water`], [`smoke`], [`volume`] | the passes of each model |
//! | [`particles`] | pictures of sprites |

mod adapter;
mod core;
mod device;
mod fault;
mod fetch;
mod graphics;
mod options;
pub mod particles;
mod pipeline;
mod pool;
mod recorder;
mod restart;
pub mod smoke;
pub mod volume;
pub mod water;

pub use adapter::{Listed, list};
pub use graphics::Graphics;
pub use options::{FaultKind, InjectedFault, Options};
pub use pipeline::Shader;
