//! Smoke on a graphics device: the operations of `sim::fluid` as shaders in WGSL.
//!
//! Arithmetic is that of the CPU, operation by operation, but a driver may fuse, and divides and takes roots as it
//! likes: two devices agree within a tolerance. On one device the same frame has the same bits, since sums are made in
//! a fixed order: by workgroup there, and here, in 64 bits, over the workgroups.
//!
//! | file | contents |
//! |---|---|
//! | `device` | the device of the nodes: frames and failures |
//! | `backend` | buffers, and passes in their order |
//! | `transport`, `fire`, `flow_map`, `pressure`, `regions` | operations as passes |
//! | `resources` | resources that stay from frame to frame |
//! | `passes`, `layout` | the shaders and their parameters |

mod backend;
mod device;
mod fire;
mod flow_map;
pub mod layout;
mod passes;
mod pressure;
mod regions;
mod resources;
mod transport;

pub use backend::{Plane, SmokeBackend};
pub use device::SmokeGpu;
pub use passes::SHADERS;
