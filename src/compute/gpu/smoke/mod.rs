//! Smoke on a graphics device: the passes of `sim::smoke` in WGSL.
//!
//! Arithmetic is that of the CPU, operation by operation, but a driver may fuse, and divides and takes roots as it likes:
//! two devices agree within a tolerance. On one device the same frame has the same bits, since sums are made in a fixed
//! order: by workgroup there, and here, in 64 bits, over the workgroups.
//!
//! | file | what |
//! |---|---|
//! | `device` | the device of the nodes: frames, what fails, and what is told of it |
//! | `kept` | the last states, which stay |
//! | `machine` | planes, and the passes in their order on a tape |
//! | `step`, `pressure` | the passes, as the sequences call them |
//! | `cells`, `levels` | what each is told |
//! | `regions` | means of what hangs together |
//! | `rooms` | what the pressure needs for a grid, kept from frame to frame |
//! | `tape` | commands on their way to the device |
//! | `passes`, `layout` | the shaders, and what they are told |

mod cells;
mod device;
mod kept;
pub mod layout;
mod levels;
mod machine;
mod passes;
mod pressure;
mod regions;
mod rooms;
mod step;
mod tape;

pub use device::SmokeGpu;
pub use machine::{Plane, SmokeMachine};
pub use passes::SHADERS;
