//! Smoke: air that cannot be compressed, and what it carries, on a staggered grid.
//!
//! All lengths of the solver are cells and all times frames. Values are `f32`, sums over the grid `f64`. The sequence of
//! passes is here, once; a machine runs the passes. Two machines of one class give the same bits, whatever their threads
//! and vectors; machines of two classes agree within a tolerance, so a chain of states names its class.
//!
//! | file | what |
//! |---|---|
//! | `settings`, `inputs` | what a frame is made from |
//! | `forcing` | settings and pictures as what is done to the air on the grid |
//! | `frame` | from frame to frame |
//! | `adopt` | a picture as the start |
//! | `device` | a frame's work, and the trait of a device |
//! | `run` | the operations of a frame |
//! | `pace` | time step control |
//! | `step` | the operations of a sub-step |
//! | `pressure` | multigrid cycles and grids of the pressure |
//! | `field` | kinds of fields |
//! | `state` | what a frame becomes |
//! | `layers`, `trace` | what can be seen of it as it is, and where it is going |
//! | `exact` | a state as numbers and planes |

pub mod device;
pub mod exact;
mod field;
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

/// Version of the model: another number means other bits from the same settings.
pub const MODEL_VERSION: u32 = 2;

/// Work on this machine's threads, for what is done beside the passes.
pub trait Workers: Sync {
    /// Calls `work` once with every number below `count`, in any order, on any threads, and blocks until all are done.
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync));
}
