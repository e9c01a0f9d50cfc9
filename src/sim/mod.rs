//! The models: what the water is, as numbers. No host, no threads, no GPU.
//!
//! [`start_frame`], [`next_frame`] and [`part_frame`] turn the settings and pictures of a frame into a [`Program`]:
//! planes of integers, coefficients, and a number of steps. A [`Device`] runs it. All that is real-valued happens here,
//! in `f64` and with functions whose last bit does not depend on the platform; a device only sees integers, so that
//! every device gives the same bits.
//!
//! | file | what |
//! |---|---|
//! | `fixed` | units, coefficients, products |
//! | `field`, `memory` | integer planes, and what they lie in |
//! | `request` | requests for memory that the system may refuse |
//! | `walls` | closed, widened and outside pipes |
//! | `shallow` | a face of shallow water |
//! | `pace` | steps per frame and their coefficients |
//! | `reach` | how deep and how high water may stand |
//! | `control` | where speed, damping and smoothing are less, and borders that absorb |
//! | `amounts`, `emitter`, `outline`, `rain` | pictures and settings as amounts of water |
//! | `goal` | velocities that water is drawn to |
//! | `drain`, `displace` | water taken away, and pushed ahead of obstacles |
//! | `stroke`, `hash` | a disc on its way, and numbers that look random |
//! | `program` | the seam to the devices |
//! | `body` | water, wherever it is |
//! | `frame` | from frame to frame |
//! | `adopt`, `flows` | the layers of an image as a start |
//! | `state`, `velocity` | the result, and its layers |
//! | `traces` | foam, and wetness |
//! | `exact` | a state as numbers and planes |
//! | `channel` | a channel of a picture |
//! | `smoke` | the other model: air and what it carries |

pub mod adopt;
mod amounts;
pub mod body;
pub mod channel;
mod control;
mod displace;
mod drain;
pub mod emitter;
pub mod exact;
pub mod field;
pub mod fixed;
pub mod flows;
pub mod fluid;
mod frame;
mod goal;
pub mod grid;
mod hash;
pub mod inputs;
pub mod memory;
mod outline;
pub mod pace;
pub mod program;
mod rain;
mod reach;
pub mod request;
pub mod settings;
pub mod shallow;
pub mod smoke;
pub mod state;
mod stroke;
pub mod traces;
mod velocity;
pub mod walls;

pub use adopt::{Adopted, adopt};
pub use body::Body;
pub use exact::Unfit;
pub use flows::Flows;
pub use frame::{next_frame, part_frame, start_frame};
pub use pace::steps_per_frame;
pub use program::{Device, Interrupted, Program, Tally, Water};
pub use state::{BadPixels, Ledger, Notices, Spec, State};

/// Version of the model: another number means other bits from the same settings.
pub const MODEL_VERSION: u32 = 3;

/// The oldest version whose states resume with the same bits. Version 3 reads the layers of an image otherwise; steps are
/// those of version 2.
pub const OLDEST_STATE: u32 = 2;
