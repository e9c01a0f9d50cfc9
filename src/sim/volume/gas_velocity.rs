//! The velocity that an emitter gives its gas. It wanders in time, and a noise, which the gas advects, varies it in space.

use super::settings::Emitter;
use super::shapes::{dot, norm};
use crate::sim::maths::clamp;
use crate::sim::noise::{
    PATCHES_PULSE, VECTOR_RMS, changing_vector, from_oblique, pattern_times, patterns, to_oblique,
};
use crate::sim::variation::wander;

/// Largest sideways part of a velocity that wanders, as a share of its length: 60 degrees.
const ASIDE: f64 = 1.732;

/// Most of the root mean square of the noise, relative to the length of the velocity.
const MOST_NOISE: f64 = 4.0;

/// Largest value of a vector noise over its root mean square.
const NOISE_PEAK: f64 = 4.0;

/// Largest speed of the gas of an emitter along an axis, cells per frame; where the velocity wanders, that of its mean.
pub(super) fn largest_speed(emitter: &Emitter) -> f64 {
    let mean = emitter.velocity.into_iter().flatten().map(f64::abs).fold(0.0, f64::max);
    let noise = clamp(emitter.velocity_noise, 0.0, MOST_NOISE);
    if noise > 0.0 { mean + NOISE_PEAK * noise * emitter.velocity.map_or(0.0, norm) / 3.0_f64.sqrt() } else { mean }
}

/// The velocity of an emitter's gas during a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GasVelocity {
    /// Velocity, cells per frame.
    pub mean: [f64; 3],
    noise: Option<Noise>,
    patterns: AdvectedPatterns,
}

/// A noise of velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Noise {
    /// Root mean square of a component, cells per frame.
    amplitude: f64,
    /// Size of a cell of the noise, cells.
    size: f64,
    seed: i32,
}

impl GasVelocity {
    /// The velocity at the simulated time `clock`; `None` where the emitter leaves it alone.
    pub fn new(emitter: &Emitter, patterns: AdvectedPatterns, clock: f64) -> Option<Self> {
        let velocity = emitter.velocity?;
        let amount = clamp(emitter.velocity_noise, 0.0, MOST_NOISE);
        let noise = (amount > 0.0).then(|| Noise {
            amplitude: amount * norm(velocity) / 3.0_f64.sqrt(),
            size: emitter.velocity_noise_size.max(1.0),
            seed: emitter.seed,
        });
        Some(Self { mean: wandering(velocity, emitter, clock), noise, patterns })
    }

    /// The velocity at a position.
    pub fn at(&self, position: [f64; 3]) -> [f64; 3] {
        let Some(Noise { amplitude, size, seed }) = self.noise else { return self.mean };
        let noise = from_oblique(changing_vector(seed, self.patterns.places(position, size), self.patterns.weighted));
        std::array::from_fn(|axis| self.mean[axis] + amplitude / VECTOR_RMS * noise[axis])
    }
}

/// Patterns of noise that the velocity of an emitter advects. The displacement of a pattern is 0 when it has its full
/// weight, so that it does not depend on the velocity of other times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AdvectedPatterns {
    /// The patterns with their weights.
    pub weighted: [(u32, f64); 2],
    /// Displacement of each pattern, cells.
    displacements: [[f64; 3]; 2],
}

impl AdvectedPatterns {
    /// The patterns of [`PATCHES_PULSE`] at the simulated time `clock`.
    pub fn new(emitter: &Emitter, clock: f64) -> Self {
        let velocity = emitter.velocity.unwrap_or_default();
        let displacements = pattern_times(clock, PATCHES_PULSE).map(|time| velocity.map(|speed| speed * time));
        Self { weighted: patterns(clock, PATCHES_PULSE), displacements }
    }

    /// A position in each pattern, in sizes of a cell of the noise, which is `size` cells of the volume.
    pub fn places(&self, position: [f64; 3], size: f64) -> [[f64; 3]; 2] {
        self.displacements
            .map(|displacement| to_oblique(std::array::from_fn(|axis| (position[axis] - displacement[axis]) / size)))
    }
}

/// A velocity in its variation at a time: turned by up to 60 degrees, longer and shorter by up to its own length.
fn wandering(velocity: [f64; 3], emitter: &Emitter, clock: f64) -> [f64; 3] {
    let amount = clamp(emitter.wander, 0.0, 1.0);
    let length = norm(velocity);
    if amount == 0.0 || length == 0.0 {
        return velocity;
    }
    let noise = |which| amount * wander(clock, emitter.seed, which);
    // Two directions across: the axis that is the farthest from it, made perpendicular, and the product of both.
    let axis = velocity.map(|part| part / length);
    let far = if axis[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let along = dot(far, axis);
    let side: [f64; 3] = std::array::from_fn(|i| far[i] - along * axis[i]);
    let side = side.map(|part| part / norm(side));
    let other = [1, 2, 0].map(|i| {
        let j = (i + 1) % 3;
        axis[i] * side[j] - axis[j] * side[i]
    });
    let [first, second] = [ASIDE * noise(0), ASIDE * noise(1)];
    let turned: [f64; 3] = std::array::from_fn(|i| axis[i] + first * side[i] + second * other[i]);
    let scale = length * (1.0 + noise(2)) / norm(turned);
    turned.map(|part| part * scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::volume::testing::emitter;

    fn of(emitter: &Emitter, clock: f64) -> GasVelocity {
        GasVelocity::new(emitter, AdvectedPatterns::new(emitter, clock), clock).expect("a velocity")
    }

    fn jet(velocity_noise: f64) -> Emitter {
        Emitter { velocity: Some([0.0, 3.0, 0.0]), velocity_noise, velocity_noise_size: 6.0, ..emitter([20.0; 3]) }
    }

    #[test]
    fn a_velocity_wanders_around_its_mean() {
        let steady = jet(0.0);
        let moving = Emitter { wander: 0.4, ..steady.clone() };
        let at = |emitter: &Emitter, clock: f64| of(emitter, clock).mean;
        assert_eq!(Some(at(&steady, 5.0)), steady.velocity);
        let mut mean = [0.0; 3];
        for frame in 0..2000 {
            let velocity = at(&moving, f64::from(frame));
            let next = at(&moving, f64::from(frame) + 0.01);
            assert!((0..3).all(|axis| (velocity[axis] - next[axis]).abs() < 0.05), "smooth: {velocity:?} {next:?}");
            assert!(velocity[1] > 0.0 && norm(velocity) <= 4.2 + 1e-9, "{velocity:?}");
            mean = std::array::from_fn(|axis| mean[axis] + velocity[axis] / 2000.0);
        }
        assert!(mean[0].abs() < 0.3 && mean[2].abs() < 0.3 && (2.2..3.0).contains(&mean[1]), "{mean:?}");
    }

    #[test]
    fn noise_has_its_strength_and_a_mean_of_zero() {
        let amount = 0.5;
        let (mut squares, mut mean, mut most) = (0.0, [0.0; 3], 0.0_f64);
        let count = 6000;
        for n in 0..count {
            let emitter = jet(amount);
            let velocity = of(&emitter, f64::from(n) * 0.37);
            let there = velocity.at([1.7, 2.3, 3.1].map(|step| f64::from(n % 97) * step));
            let apart: [f64; 3] = std::array::from_fn(|axis| there[axis] - [0.0, 3.0, 0.0][axis]);
            squares += dot(apart, apart);
            most = apart.iter().fold(most, |most, part| most.max(part.abs()));
            mean = std::array::from_fn(|axis| mean[axis] + apart[axis] / f64::from(count));
        }
        let rms = (squares / f64::from(count)).sqrt() / (amount * 3.0);
        assert!((rms - 1.0).abs() < 0.06, "{rms} of the strength");
        assert!(mean.iter().all(|part| part.abs() < 0.08), "{mean:?}");
        assert!(3.0 + most <= largest_speed(&jet(amount)), "{most}");
    }

    #[test]
    fn noise_moves_with_the_gas() {
        let clock = 7.5;
        let correlation = |up: f64| {
            let (mut product, mut square) = (0.0, 0.0);
            for n in 0..400 {
                let here = [1.7, 2.3, 3.1].map(|step| f64::from(n) * step);
                let there = [here[0], here[1] + up, here[2]];
                let [a, b] = [of(&jet(0.5), clock).at(here), of(&jet(0.5), clock + 0.5).at(there)].map(|v| v[0]);
                product += a * b;
                square += a * a;
            }
            product / square
        };
        let [advected, still] = [correlation(1.5), correlation(0.0)];
        assert!(advected > 0.9 && still < advected - 0.05, "{advected} with the gas, {still} in place");
    }
}
