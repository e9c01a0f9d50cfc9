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
    /// Angle by which a flat sprite has turned away from the camera, radians; `None` where it does not tumble.
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
            let [of_speed, ..] = units(look.seed, particle.id, Purpose::Tumble);
            let turns = (2.0 * of_speed - 1.0) * look.tumble * age.max(0.0);
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

#[cfg(test)]
mod tests {
    use super::super::tests::{look, sprite};
    use super::super::{EmitterLook, Sprite};
    use super::*;

    fn appearances(emitter: EmitterLook) -> Vec<Appearance> {
        let look = look(&[emitter]);
        let particle = |id| Particle { id, born: 6, life: 10.0, colour: [1.0; 4], ..Particle::default() };
        (0..4000).map(|id| Appearance::new(&look, &particle(id), 10.0).expect("its emitter has a look")).collect()
    }

    #[test]
    fn skewed_sizes_are_mostly_small() {
        let even = EmitterLook { size: 10.0, size_spread: 1.0, ..sprite(Sprite::Disc) };
        for (skew, median, mean) in
            [(0.0, 10.0, 10.0), (0.2, 20.0 * 0.5_f64.powf(2.8), 20.0 / 3.8), (1.0, 0.02, 20.0 / 11.0)]
        {
            let all = appearances(EmitterLook { size_skew: skew, ..even });
            let mut sizes: Vec<f64> = all.iter().map(|one| one.diameter).collect();
            sizes.sort_by(f64::total_cmp);
            assert!(sizes[0] >= 0.0 && sizes[3999] > 19.5 && sizes[3999] <= 20.0, "{skew}: {:?}", sizes[3999]);
            assert!((sizes[2000] - median).abs() < 0.5, "{skew}: {}", sizes[2000]);
            assert!((sizes.iter().sum::<f64>() / 4000.0 - mean).abs() < 0.3, "{skew}");
        }
    }

    #[test]
    fn tumbling_starts_in_front_of_the_camera_and_has_any_speed_up_to_the_largest() {
        assert!(appearances(sprite(Sprite::Disc)).iter().all(|one| one.tumble.is_none()));
        // Shares of the largest angle at that age.
        let shares = appearances(EmitterLook { tumble: 0.05, ..sprite(Sprite::Disc) }).into_iter().map(|one| {
            let turned = one.tumble.expect("tumbles") / (2.0 * std::f64::consts::PI);
            (turned - libm::round(turned)) / (0.05 * one.age)
        });
        let [low, high] = shares.fold([0.0_f64; 2], |[low, high], share| [low.min(share), high.max(share)]);
        assert!((-1.0001..-0.98).contains(&low) && (0.98..1.0001).contains(&high), "{low} {high}");
        let waiting = EmitterLook { tumble: 0.1, ..sprite(Sprite::Disc) };
        let later = Particle { born: 14, life: 10.0, ..Particle::default() };
        let appearance = Appearance::new(&look(&[waiting]), &later, 10.0).expect("its emitter has a look");
        assert_eq!(appearance.tumble, Some(0.0), "a particle that waits does not tumble");
    }
}
