//! Settings and threads for tests.

use super::births::{Births, PIECES};
use super::settings::{Emitter, Settings, Shape, Solids};
use super::state::Particle;
use super::step::Workers;

/// Settings of a frame without an emitter, in still air.
pub fn still() -> Settings {
    Settings {
        frame: 1,
        counted: true,
        emitters: Vec::new(),
        share: 1.0,
        longest: 0.0,
        fields: Vec::new(),
        grids: Vec::new(),
        gravity: [0.0; 3],
        wind: [0.0; 3],
        noise: Vec::new(),
        attractor: None,
        vortex: None,
        solids: Solids::default(),
    }
}

/// An emitter of `rate` particles a frame, in its frame `frame` (from 0).
pub fn emitter(rate: f64, frame: u32) -> Emitter {
    let pieces = [rate / PIECES as f64; PIECES];
    // Counted frame by frame, as the node does.
    let before = (0..frame).fold(0.0, |before, _| Births { before, pieces }.after());
    Emitter {
        number: 0,
        seed: 1,
        capacity: 10_000,
        births: Births { before, pieces },
        shape: Shape::Disc,
        centre: [50.0, 40.0, 0.0],
        previous: [50.0, 40.0, 0.0],
        radius: 10.0,
        height: 10.0,
        thickness: 0.0,
        angle: 0.0,
        threshold: 0.5,
        life: 10.0,
        life_spread: 0.5,
        speed: 2.0,
        speed_spread: 0.5,
        direction: 90.0,
        elevation: 0.0,
        spread: 60.0,
        depth_spread: 0.0,
        inherit: 0.0,
        inherit_air: 0.0,
        plate: false,
        tracer: false,
        drag: 0.1,
        drag_spread: 0.0,
        drag_by_size: false,
        release_delay: 0.0,
        release_front: 0.0,
        release_angle: 0.0,
        release_spread: 0.0,
        release_speed: 0.0,
        release_patch: 0.0,
        weight: 1.0,
    }
}

/// The calling thread, with pieces of a size.
pub struct Serial(pub usize);

impl Workers for Serial {
    fn pieces(&self, particles: &mut [Particle], work: impl Fn(&mut [Particle]) + Sync) {
        particles.chunks_mut(self.0).for_each(work);
    }
}
