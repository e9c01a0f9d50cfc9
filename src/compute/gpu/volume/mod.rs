//! Volumes on a graphics device: the passes of a step as shaders in WGSL.
//!
//! The arithmetic is that of the CPU, but a driver may fuse, and divides and takes roots as it likes: two devices agree
//! within a tolerance. On one device the same step has the same bits: sums are made in a fixed order.
//!
//! | file | contents |
//! |---|---|
//! | `device` | the device of the nodes: steps and failures |
//! | `step` | a step as a sequence of passes |
//! | `emission` | emitters |
//! | `momentum` | forces on the velocity, and its advection |
//! | `solids` | open shares of faces, closed faces and solid cells |
//! | `regions` | closed regions of air |
//! | `projection` | divergence, and the choice of the solver |
//! | `pressure` | the pressure in a box without solids, by multigrid |
//! | `solid_pressure` | the pressure among solids, by conjugate gradients |
//! | `level` | a level of multigrid |
//! | `commands` | passes with their parameters and buffers |
//! | `resources` | resources that stay from step to step |
//! | `passes`, `layout` | the shaders and their parameters |

mod commands;
mod device;
mod emission;
pub mod layout;
mod level;
mod momentum;
mod passes;
mod pressure;
mod projection;
mod regions;
mod resources;
mod solid_pressure;
mod solids;
mod step;

pub use device::VolumeGpu;
pub use passes::SHADERS;
