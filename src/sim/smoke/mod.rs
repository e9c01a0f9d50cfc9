//! Smoke: incompressible air on a staggered grid that advects dye and temperature.
//!
//! Lengths in the solver are cells, times are frames; values are `f32`, sums over the grid `f64`. The model lists the
//! operations of a step, and a device runs them. Devices of one class give the same bits for any threads and vectors;
//! devices of two classes agree within a tolerance, so the key of a chain names the class.
//!
//! | file | contents |
//! |---|---|
//! | `settings`, `inputs` | the parameters and the pictures of a frame |
//! | `forcing` | settings and pictures as forces, dye, heat and solids on the grid |
//! | `frame` | the start frame, the next frame, a fraction of one |
//! | `initial_condition` | a state from images |
//! | `device` | the work of a frame, and the trait of a device |
//! | `run` | the operations of a frame |
//! | `time_step` | time step control |
//! | `step` | the operations of a sub-step |
//! | `fire` | those of fire with fuel |
//! | `flow_map` | dye by a flow map: the maps of a frame, and their part of a sub-step |
//! | `pressure` | multigrid cycles and grids of the pressure |
//! | `field` | kinds of fields |
//! | `state` | the state of a frame, and its diagnostics |
//! | `quantities`, `pathlines` | quantities of a state per cell; motion vectors |
//! | `exact` | a state as numbers and planes, for storage |

pub mod device;
pub mod exact;
mod field;
mod fire;
pub mod flow_map;
pub mod forcing;
mod frame;
mod initial_condition;
pub mod inputs;
mod pathlines;
pub mod pressure;
pub mod quantities;
pub mod run;
pub mod settings;
pub mod state;
mod step;
pub mod time_step;

pub use device::{Device, Failed, Task};
pub use field::FieldKind;
pub use frame::{Executor, next_frame, part_frame, start_frame};
pub use initial_condition::{InitialCondition, initial_state};
pub use inputs::Inputs;
pub use run::run;
pub use settings::{Constants, Settings, Spec};
pub use state::{Air, Diagnostics, State};

/// Version of the model. A change of the bits that equal settings give raises it.
pub const MODEL_VERSION: u32 = 2;

/// Parallel work on the host's threads.
pub trait Workers: Sync {
    /// Calls `work` once with every number below `count`, in any order, on any threads, and blocks until all are done.
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync));
}
