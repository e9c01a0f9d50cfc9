//! Devices that run the models of [`crate::sim`].
//!
//! | file | contents |
//! |---|---|
//! | `cpu` | the CPU: threads and vector code |
//! | `gpu` | graphics devices, through wgpu |
//! | `memory` | the pool of host memory that a device keeps between frames |
//! | `resources` | the resources of each model on a device |

pub mod cpu;
pub mod gpu;
pub mod memory;
mod resources;
