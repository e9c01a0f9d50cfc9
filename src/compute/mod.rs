//! Devices that run the models of [`crate::sim`].
//!
//! | file | contents |
//! |---|---|
//! | `cpu` | the CPU: threads and vector code |
//! | `gpu` | graphics devices, through wgpu |
//! | `memory` | the pool of host memory that a device keeps between frames |
//! | `resources` | what each model keeps on a device between frames |

pub mod cpu;
pub mod gpu;
pub mod memory;
mod resources;
