//! Smoke and fire in three dimensions: incompressible air on a staggered grid, whose box follows the smoke.
//!
//! | file | contents |
//! |---|---|
//! | `settings` | the parameters of a frame |
//! | `fields` | place and fields of a volume for its readers |
//! | `state` | the state, its properties and diagnostics |
//! | `sources` | emitters as functions of a position |
//! | `gas_velocity` | the velocity of an emitter's gas |
//! | `source_grids` | grids of a file as the shape of an emitter |
//! | `solids` | solids as functions of a position |
//! | `turn` | orientation and rotation of solids |
//! | `projected` | solids of pictures |
//! | `shapes` | shapes of emitters and solids |
//! | `sparse` | sparse grids of voxels, as files have them |
//! | `camera_view` | the view of a camera |
//! | `matte` | a matte before a camera as the shape of an emitter |
//! | `noise` | turbulence |
//! | `force_fields` | turbulence, attractor and vortex |
//! | `extent` | the box and its sides |
//! | `plan` | a step as numbers, for a device |
//! | `step` | one frame as steps, and the device's interface |
//! | `multigrid` | levels of the pressure's equation |
//! | `resample` | velocity between faces, and on cells of another size |
//! | `rounding` | stochastic rounding to halves |
//!
//! Velocity is f32 on the faces of cells. Scalars are halves, rounded stochastically once a step. Pressure is no part
//! of a state: each solve begins with zero.

pub mod camera_view;
pub mod extent;
pub mod fields;
pub mod force_fields;
mod gas_velocity;
pub mod matte;
pub mod multigrid;
pub mod noise;
pub mod plan;
pub mod projected;
pub mod resample;
pub mod rounding;
pub mod settings;
mod shapes;
pub mod solids;
pub mod source_grids;
pub mod sources;
pub mod sparse;
pub mod state;
mod step;
#[doc(hidden)]
pub mod testing;
pub mod turn;

pub use settings::Settings;
pub use state::{Diagnostics, State, Statistics};
pub use step::{Device, Failed, Solves, advance, first};

/// Version of the model: changes when equal settings give other bits.
pub const MODEL_VERSION: u32 = 5;
