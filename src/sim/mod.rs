//! The models: what fluids are, as numbers. No host, no threads, no GPU.
//!
//! | file | what |
//! |---|---|
//! | `water` | water on a height field |
//! | `smoke` | air and what it carries |
//! | `memory` | what planes lie in |
//! | `request` | requests for memory that the system may refuse |
//! | `grid` | where the cells of a simulation stand |
//! | `inputs`, `channel` | pictures on the grid, and a channel of a picture |
//! | `stroke`, `hash` | a disc on its way, and numbers that look random |
//! | `maths` | arithmetic that models share |
//! | `exact` | states taken apart and put together again |

pub mod channel;
pub mod exact;
pub mod grid;
mod hash;
pub mod inputs;
mod maths;
pub mod memory;
pub mod request;
pub mod smoke;
mod stroke;
pub mod water;

pub use exact::StateError;

/// A frame given up because its caller asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the simulation was interrupted")]
pub struct Interrupted;
