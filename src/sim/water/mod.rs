//! Water on a height field.
//!
//! [`start_frame`], [`next_frame`] and [`part_frame`] turn the settings and pictures of a frame into a [`FramePlan`]:
//! planes of integers, coefficients and a number of steps. A [`Device`] runs it. All real arithmetic is in this module,
//! in `f64` and with functions whose last bit does not depend on the platform. A device only sees integers, so all
//! devices give the same bits.
//!
//! | file | contents |
//! |---|---|
//! | `settings`, `inputs` | settings and pictures of a frame |
//! | `fixed_point` | units, coefficients, products |
//! | `field` | integer planes |
//! | `domain` | solid cells, edges, and the kinds of pipes |
//! | `shallow` | speed and flow of one face (Shallow water) |
//! | `time_step` | number of steps per frame, and their coefficients |
//! | `depth_bounds` | greatest depth and relief of a frame |
//! | `control` | control maps and absorbing edges |
//! | `amounts`, `emitter`, `outline`, `rain` | pictures and settings as amounts of water |
//! | `ground` | built-in terrain |
//! | `goal` | velocities that water is drawn to |
//! | `drain`, `displace` | water that a drain takes or a moving obstacle pushes |
//! | `plan` | one frame as integers, and the trait of the devices |
//! | `buffers` | the planes of a state, in memory or on a device |
//! | `frame`, `start` | the frames: next, part, start |
//! | `adopt`, `flows` | a start from the layers of an image |
//! | `state`, `velocity` | the state of a frame, and its layers |
//! | `surface_maps`, `fronts` | foam and wetness; fronts that passed within a frame |
//! | `texture` | texture coordinates that the water carries |
//! | `paths` | paths of the water back over a frame |
//! | `ripples` | the head operator of Ripples, its sources and edges |
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
mod fronts;
mod goal;
pub mod ground;
pub mod inputs;
mod outline;
mod paths;
pub mod plan;
mod rain;
pub mod ripples;
pub mod settings;
pub mod shallow;
mod start;
pub mod state;
pub mod surface_maps;
pub mod texture;
pub mod time_step;
mod velocity;

pub use adopt::{Adopted, adopt};
pub use buffers::StateBuffers;
pub use flows::FlowLayers;
pub use frame::{next_frame, part_frame};
pub use plan::{Device, FramePlan, MassBalance, Water};
pub use start::start_frame;
pub use state::{BadPixels, Diagnostics, Ledger, Spec, State};
pub use texture::{TexturePhase, TexturePhases};
pub use time_step::steps_per_frame;

/// Version of the model; it changes when the same settings give other bits.
pub const MODEL_VERSION: u32 = 7;
