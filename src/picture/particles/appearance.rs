//! The appearance of a particle at a time: its size and colour, without a camera.

use super::look::{Look, curve, gradient};
use crate::sim::particles::Particle;
use crate::sim::particles::random::{Purpose, units};

/// Exponent of the random number of a size, more than 1, at a skew of 1.
const SKEW: f64 = 9.0;

/// A particle at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Appearance {
    /// Age, frames; below 0 before the release.
    pub age: f64,
    /// Life until the particle ends or is recycled, frames.
    pub life: f64,
    /// Diameter, pixels.
    pub diameter: f64,
    /// Opacity.
    pub opacity: f64,
    /// Colour, not multiplied by the opacity.
    pub colour: [f64; 3],
    /// Reflectance for light other than that of its own colour: the colour without the brightness.
    pub reflectance: [f64; 3],
    /// Angle by which a flat sprite that tumbles has turned away from the camera, radians.
    pub tumble: Option<f64>,
    /// Random numbers of its spin and its rotation at birth, 0 to 1.
    pub of_spin: [f64; 2],
}

impl Appearance {
    /// The appearance of a particle; `None` if its emitter has none.
    pub fn new(look: &Look, particle: &Particle, time: f64) -> Option<Self> {
        let number = usize::from(particle.emitter);
        let of_all = look;
        let look = look.emitters.get(number)?.as_ref()?;
        let life = match of_all.futures.get(number)? {
            Some(future) => future.life(particle),
            None => f64::from(particle.life),
        };
        let age = time - particle.birth();
        let share = share(age, life);
        let [of_size, _, of_spin, of_turn] = units(look.seed, particle.id, Purpose::Sprite);
        let of_size = if look.size_skew == 0.0 { of_size } else { libm::pow(of_size, 1.0 + SKEW * look.size_skew) };
        let spread = 1.0 + (2.0 * of_size - 1.0) * look.size_spread;
        let tint = gradient(&look.colours, share);
        let reflectance = [0, 1, 2].map(|c| tint[c] * f64::from(particle.colour[c]));
        let tumble = (look.tumble != 0.0).then(|| {
            let [of_angle, of_speed, ..] = units(look.seed, particle.id, Purpose::Tumble);
            let turns = of_angle + (2.0 * of_speed - 1.0) * look.tumble * age.max(0.0);
            2.0 * std::f64::consts::PI * (turns - libm::floor(turns))
        });
        Some(Self {
            age,
            life,
            diameter: (look.size * spread * curve(&look.sizes, share)).max(0.0) * of_all.scale,
            opacity: look.opacity * curve(&look.opacities, share) * f64::from(particle.colour[3]),
            colour: [0, 1, 2].map(|c| tint[c] * look.brightness * f64::from(particle.colour[c])),
            reflectance,
            tumble,
            of_spin: [of_spin, of_turn],
        })
    }

    /// Age as a share of the life, 0 to 1.
    pub fn share(&self) -> f64 {
        share(self.age, self.life)
    }
}

fn share(age: f64, life: f64) -> f64 {
    (age / life.max(1e-6)).clamp(0.0, 1.0)
}
