//! Particles of a file as the state of the first frame.

use std::sync::Arc;

use super::births::first_from;
use super::random::{Purpose, units};
use super::settings::{EMITTERS, Emitter, Settings};
use super::state::{Particle, State};
use crate::sim::request;

/// Facts about the particles of a file that the settings of a simulation depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Initial {
    /// Births of each emitter up to the state.
    pub births: [f64; EMITTERS],
    /// Longest life of a particle, frames.
    pub longest: f64,
}

/// Particles that cannot be in the first state, by emitter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Particles of emitters that are off.
    pub off: [u64; EMITTERS],
    /// Particles beyond the capacity of their emitter.
    pub over: [u64; EMITTERS],
}

impl Initial {
    /// The facts about particles in the order of emitters and numbers. The next birth gets the next number.
    pub fn of(particles: &[Particle]) -> Self {
        let mut initial = Self::default();
        for particle in particles {
            // A particle that waits lives from its release on.
            initial.longest = initial.longest.max(particle.birth().max(0.0) + f64::from(particle.life));
            if let Some(births) = initial.births.get_mut(usize::from(particle.emitter)) {
                *births = births.max(particle.id as f64 + 1.0);
            }
        }
        initial
    }
}

/// The first state: `made` with the particles of a file, whose births are relative to the time of the state.
pub fn begin(settings: &Settings, particles: &[Particle], initial: &Initial, made: State) -> (State, LeftOut) {
    let mut left = LeftOut::default();
    let mut kept = request::with_capacity(particles.len());
    for particle in particles {
        let number = usize::from(particle.emitter);
        let Some(Emitter { seed, capacity, plate, .. }) = settings.emitters.iter().find(|own| own.number == number)
        else {
            if let Some(count) = left.off.get_mut(number) {
                *count += 1;
            }
            continue;
        };
        let first = first_from(initial.births.get(number).copied().unwrap_or(0.0)).saturating_sub(*capacity as u64);
        if particle.id < first {
            left.over[number] += 1;
            continue;
        }
        let there = units(*seed, particle.id, Purpose::Detail)[0] < settings.share;
        if there && particle.lives(0.0) {
            let born = i64::from(particle.born) + settings.frame;
            let born = born.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
            let colour = if *plate { particle.colour } else { [1.0; 4] };
            kept.push(Particle { born, colour, ..*particle });
        }
    }
    (State { particles: Arc::new(kept), ..made }, left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::particles::testing::{emitter, still};

    /// Settings with one emitter.
    fn settings() -> Settings {
        Settings { emitters: vec![emitter(5.0, 0)], ..still() }
    }

    fn particle(emitter: u8, id: u64, age: i32, life: f32) -> Particle {
        Particle { id, emitter, born: 1 - age, fraction: 0.0, life, colour: [0.5; 4], ..Particle::default() }
    }

    #[test]
    fn particles_keep_numbers_and_ages_and_the_next_birth_has_the_next_number() {
        let file = [particle(0, 7, 3, 10.0), particle(0, 9, 1, 40.0), particle(0, 10, 5, 5.0), particle(2, 1, 0, 8.0)];
        let initial = Initial::of(&file);
        assert_eq!(initial, Initial { births: [11.0, 0.0, 2.0, 0.0], longest: 40.0 });
        assert_eq!(
            Initial::of(&[particle(0, 1, -50, 10.0)]).longest,
            60.0,
            "one that waits lives on after its release"
        );
        let settings = Settings { frame: 101, ..settings() };
        assert_eq!(settings.emitters.len(), 1, "one emitter is on");
        let (state, left) = begin(&settings, &file, &initial, State { time: 101.0, ..State::default() });
        let found: Vec<(u64, f64)> =
            state.particles.iter().map(|particle| (particle.id, particle.age(101.0))).collect();
        assert_eq!(found, [(7, 3.0), (9, 1.0)], "one is at the end of its life");
        assert!(state.particles.iter().all(|particle| particle.colour == [1.0; 4]), "no colour of a plate");
        assert_eq!(left, LeftOut { off: [0, 0, 1, 0], over: [0; 4] });
    }

    #[test]
    fn the_oldest_beyond_the_capacity_and_the_level_of_detail_are_left_out() {
        let file: Vec<Particle> = (0..1000).map(|id| particle(0, id, 1, 20.0)).collect();
        let initial = Initial::of(&file);
        let mut few = settings();
        few.emitters[0].capacity = 300;
        let (state, left) = begin(&few, &file, &initial, State::default());
        assert_eq!((state.particles.len(), state.particles[0].id, left.over), (300, 700, [700, 0, 0, 0]));
        let (all, _) = begin(&settings(), &file, &initial, State::default());
        let (some, _) = begin(&Settings { share: 0.25, ..settings() }, &file, &initial, State::default());
        assert!(some.particles.len() > 150 && some.particles.len() < 350, "{}", some.particles.len());
        assert!(some.particles.iter().all(|particle| all.particles.contains(particle)));
    }
}
