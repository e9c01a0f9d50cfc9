//! The models: fluids as numbers. This module knows no host, no threads and no GPU.
//!
//! | file | contents |
//! |---|---|
//! | `water` | water on a height field |
//! | `fluid` | operations on staggered grids of any dimension, multigrid, projection: for every incompressible model |
//! | `smoke` | incompressible air with dye and heat |
//! | `particles` | particles that emitters bear and the air moves |
//! | `volume` | smoke and fire in three dimensions |
//! | `memory` | buffers of the size of a grid |
//! | `request` | requests for memory that the system may refuse |
//! | `fingerprint` | hashes of the values that a state depends on |
//! | `diagnostics` | tables of figures and notices of a frame |
//! | `grid` | the place and the size of a simulation |
//! | `inputs`, `channel` | pictures sampled onto the grid, and their channels |
//! | `stroke` | the coverage of a disc that moves along a line |
//! | `hash`, `noise` | pseudo-random numbers; gradient noise |
//! | `variation` | emission that wanders and pulses |
//! | `union_find` | disjoint sets |
//! | `maths` | arithmetic that models share |
//! | `batch` | numbers in batches, for loops that become vectors |
//! | `exact` | errors of stored states |

pub mod batch;
pub mod channel;
pub mod diagnostics;
pub mod exact;
pub mod fingerprint;
pub mod fluid;
pub mod grid;
mod hash;
pub mod inputs;
mod maths;
pub mod memory;
pub mod noise;
pub mod particles;
pub mod request;
pub mod smoke;
mod stroke;
pub(crate) mod union_find;
mod variation;
pub mod volume;
pub mod water;

pub use exact::StateError;

/// The error of a frame whose caller interrupted it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the simulation was interrupted")]
pub struct Interrupted;
