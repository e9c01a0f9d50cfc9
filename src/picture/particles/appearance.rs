//! The appearance of a particle at a time: its size and colour, without a camera.

use super::look::{Look, curve, gradient};
use crate::sim::particles::Particle;
use crate::sim::particles::random::{Purpose, units};

/// Exponent of the random number of a size, more than 1, at a skew of 1.
const SKEW: f64 = 9.0;

/// Share of the opacity at birth that shock cells gather at their peaks.
const CELL_CONTRAST: f64 = 0.75;

/// Share by which sprites at birth are larger between the peaks of shock cells, and smaller at them.
const CELL_SWELL: f64 = 0.15;

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
        let cells = shock_cells(look.shock_cells, share);
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
            diameter: (look.size * spread * curve(&look.sizes, share) * cells.size).max(0.0) * of_all.scale,
            opacity: look.opacity * curve(&look.opacities, share) * cells.opacity * f64::from(particle.colour[3]),
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

/// Factors in the shock cells of a jet.
struct ShockCell {
    opacity: f64,
    size: f64,
}

/// The factors at a share of the life. A peak falls off as the fourth power of a cosine, whose mean is 3/8: the mean
/// opacity over a cell stays, but for the contrast, which decreases within the cell.
fn shock_cells(count: f64, share: f64) -> ShockCell {
    if count <= 0.0 {
        return ShockCell { opacity: 1.0, size: 1.0 };
    }
    let wave = libm::cos(std::f64::consts::PI * count * share);
    let peak = (wave * wave) * (wave * wave);
    let contrast = 1.0 - share;
    ShockCell {
        opacity: 1.0 + contrast * CELL_CONTRAST * (peak / 0.375 - 1.0),
        size: 1.0 + contrast * CELL_SWELL * (1.0 - 2.0 * peak),
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
    fn shock_cells_have_their_peaks_at_equal_ages_and_keep_the_mean_opacity() {
        let jet = look(&[EmitterLook { size: 10.0, shock_cells: 4.0, ..sprite(Sprite::Disc) }]);
        let at = |age: f64| {
            let particle = Particle { born: 1, life: 8.0, colour: [1.0; 4], ..Particle::default() };
            Appearance::new(&jet, &particle, age).expect("its emitter has a look")
        };
        let ages: Vec<f64> = (0..8000).map(|n| f64::from(n) * 1e-3).collect();
        let opacity: Vec<f64> = ages.iter().map(|age| at(*age).opacity).collect();
        let peaks: Vec<f64> = (1..7000)
            .filter(|n| opacity[*n] > opacity[n - 1] && opacity[*n] >= opacity[n + 1])
            .map(|n| ages[n])
            .collect();
        assert_eq!(peaks.len(), 3, "{peaks:?}");
        for (peak, age) in peaks.iter().zip([2.0, 4.0, 6.0]) {
            assert!((peak - age).abs() < 0.04, "{peaks:?}");
            assert!(at(*peak).diameter < 10.0 && at(peak + 1.0).diameter > 10.0, "widest between the peaks");
        }
        assert!(opacity[0] > opacity[2000] && opacity[2000] > opacity[4000], "they get weaker");
        // In the first cell the contrast decreases from 1 to 3/4, so that its first half has more weight.
        let mean = opacity[..2000].iter().sum::<f64>() / 2000.0;
        assert!((1.0..1.1).contains(&mean), "{mean}");
        let plain = appearances(EmitterLook { size: 10.0, ..sprite(Sprite::Disc) });
        assert!(plain.iter().all(|one| one.opacity == plain[0].opacity && one.diameter == 10.0));
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
