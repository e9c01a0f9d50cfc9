//! Water on a height field, as numbers.
//!
//! [`start_frame`], [`next_frame`] and [`part_frame`] turn the settings and pictures of a frame into a [`FramePlan`]:
//! planes of integers, coefficients, and a number of steps. A [`Device`] runs it. All that is real-valued happens here,
//! in `f64` and with functions whose last bit does not depend on the platform; a device only sees integers, so that
//! every device gives the same bits.
//!
//! | file | what |
//! |---|---|
//! | `fixed` | units, coefficients, products |
//! | `field` | integer planes |
//! | `walls` | closed, widened and outside pipes |
//! | `shallow` | a face of shallow water |
//! | `pace` | steps per frame and their coefficients |
//! | `reach` | how deep and how high water may stand |
//! | `control` | where speed, damping and smoothing are less, and borders that absorb |
//! | `amounts`, `emitter`, `outline`, `rain` | pictures and settings as amounts of water |
//! | `goal` | velocities that water is drawn to |
//! | `drain`, `displace` | water taken away, and pushed ahead of obstacles |
//! | `plan` | the seam to the devices |
//! | `body` | water, wherever it is |
//! | `frame` | from frame to frame |
//! | `adopt`, `flows` | the layers of an image as a start |
//! | `state`, `velocity` | the result, and its layers |
//! | `traces` | foam, and wetness |
//! | `exact` | a state as numbers and planes |

pub mod adopt;
mod amounts;
pub mod buffers;
mod control;
mod depth_bounds;
mod displace;
pub mod domain;
mod drain;
pub mod emitter;
pub mod exact;
pub mod field;
pub mod fixed_point;
pub mod flows;
mod frame;
mod goal;
pub mod inputs;
mod outline;
pub mod plan;
mod rain;
pub mod settings;
pub mod shallow;
pub mod state;
pub mod surface_maps;
pub mod time_step;
mod velocity;

pub use adopt::{Adopted, adopt};
pub use buffers::StateBuffers;
pub use flows::FlowLayers;
pub use frame::{next_frame, part_frame, start_frame};
pub use plan::{Device, FramePlan, MassBalance, Water};
pub use state::{BadPixels, Ledger, Notices, Spec, State};
pub use time_step::steps_per_frame;

/// Version of the model: another number means other bits from the same settings.
pub const MODEL_VERSION: u32 = 3;

/// The oldest version whose states resume with the same bits. Version 3 reads the layers of an image otherwise; steps are
/// those of version 2.
pub const OLDEST_STATE: u32 = 2;
