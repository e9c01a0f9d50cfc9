//! The particles of a frame.

use std::sync::Arc;

use super::settings::EMITTERS;
use crate::sim::diagnostics::diagnostics;

/// A particle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Particle {
    /// Number of the particle in its emitter, from 0, in the order of births.
    pub id: u64,
    /// Number of its emitter, from 0.
    pub emitter: u8,
    /// Whether it sticks to a solid.
    pub stuck: bool,
    /// Number of the frame in which the particle was born or, of an emitter that delays, is released.
    pub born: i32,
    /// Time of the birth or release as a fraction of the frame that ends at `born`, 0 to 1.
    pub fraction: f32,
    /// Life, frames; recycling may end it earlier.
    pub life: f32,
    /// Position, full-resolution pixels.
    pub position: [f32; 3],
    /// Velocity, pixels per frame.
    pub velocity: [f32; 3],
    /// Colour of the Source at birth, not multiplied by its alpha; white without one.
    pub colour: [f32; 4],
}

impl Particle {
    /// Time of its birth or, of an emitter that delays, of its release, frames.
    pub fn birth(&self) -> f64 {
        f64::from(self.born) - 1.0 + f64::from(self.fraction)
    }

    /// Age at a time, frames; 0 before its release.
    pub fn age(&self, time: f64) -> f64 {
        (time - self.birth()).max(0.0)
    }

    /// Whether its life has not ended at a time.
    pub fn lives(&self, time: f64) -> bool {
        self.age(time) < f64::from(self.life)
    }
}

/// The state of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Time of the state: the number of its frame, or a time between two frames.
    pub time: f64,
    /// The particles, by emitter and number.
    pub particles: Arc<Vec<Particle>>,
    /// Births of each emitter up to the last whole frame.
    pub births: [f64; EMITTERS],
    /// The Emission matte of the frame, where an emitter depends on its change.
    pub matte: Option<Arc<Vec<f32>>>,
}

impl State {
    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let matte = self.matte.as_ref().map_or(0, |matte| size_of_val(&matte[..]));
        size_of_val(&self.particles[..]) + matte
    }
}

diagnostics! {
    /// Facts about a frame. None is merged over a chain: a state may be computed from a part of it.
    pub struct Diagnostics {
        /// Particles in the frame.
        pub particles: u64 = last;
        /// Particles born in the frame.
        pub births: u64 = last;
        /// Emitters, as bits by number, of which the frame recycled particles before the end of their lives.
        pub recycled: u64 = last, recycled;
    }
}

/// The notice about emitters that bear more particles than their capacity.
fn recycled(emitters: u64) -> String {
    let names: Vec<String> =
        (0..EMITTERS).filter(|emitter| emitters >> emitter & 1 == 1).map(|emitter| (emitter + 1).to_string()).collect();
    format!(
        "Emitter {} bears more particles than its Capacity: rate times life, with the release delay and front, is \
         greater, and particles end early. Raise Capacity, or lower Rate, Life or the delays",
        names.join(", ")
    )
}
