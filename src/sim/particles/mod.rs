//! Particles: emitters spawn them, the air moves them, and they die at the end of their life.
//!
//! A particle has a number n in its emitter. Its time of birth and its random attributes follow from n and the
//! settings alone, so that a state depends on the frames since the birth of its oldest particle and on no others
//! ([`Settings::history`]).
//!
//! | file | contents |
//! |---|---|
//! | `settings`, `inputs` | parameters and pictures of a frame |
//! | `births` | the number of births up to a time, and its inverse |
//! | `random` | random attributes |
//! | `emit`, `places`, `figure` | the birth of a particle; random cells of a matte; random points of a person |
//! | `air`, `noise` | velocity of the air and forces; eddies |
//! | `regions`, `fields`, `grids` | regions with their own air: velocity pictures, grids |
//! | `motion` | integration of the paths of a batch of particles |
//! | `release` | the release of particles that rest: by the air, or by a front |
//! | `solids` | collisions with the floor and with obstacles |
//! | `step` | one frame |
//! | `initial` | particles of a file as the first state |
//! | `state` | the particles of a frame |

mod air;
pub mod births;
mod emit;
mod fields;
mod figure;
mod grids;
mod initial;
pub mod inputs;
mod motion;
mod noise;
mod places;
pub mod random;
mod regions;
mod release;
pub mod settings;
mod solids;
mod state;
mod step;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use initial::{Initial, LeftOut, begin};
pub use inputs::Inputs;
pub use settings::Settings;
pub use state::{Diagnostics, Particle, State};
pub use step::{Workers, advance};

/// Version of the model: changes when equal settings give other bits.
pub const MODEL_VERSION: u32 = 5;
