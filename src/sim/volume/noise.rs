//! Turbulence as the curl of three noises that change in time (Bridson, Hourihan and Nordenstam 2007).

use super::settings::Noise;
use crate::sim::noise::{from_oblique, noises, patterns, seeded, to_oblique};

/// Root mean square of a component of the curl of three noises, per cell of the noise.
const CURL_RMS: f64 = 0.99;

/// Turbulence in a step: a random acceleration without divergence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turbulence {
    /// Seeds of the vector potential, for both patterns.
    seeds: [u32; 2],
    shares: [f64; 2],
    /// Cells of the noise per cell of the volume.
    scale: f64,
    strength: f64,
}

impl Turbulence {
    /// The turbulence at the simulated time `clock`, frames.
    pub fn new(noise: &Noise, clock: f64) -> Self {
        let patterns = patterns(clock, noise.pulse);
        Self {
            seeds: patterns.map(|(pattern, _)| seeded(noise.seed, pattern, 0)),
            shares: patterns.map(|(_, share)| share),
            // An eddy is two cells of the noise wide.
            scale: 2.0 / noise.size.max(1e-3),
            strength: noise.strength,
        }
    }

    /// Distance of the positions at which it suffices to compute the acceleration, cells of the volume; between them it
    /// is interpolated.
    pub fn spacing(&self) -> usize {
        ((0.5 / self.scale) as usize).clamp(1, 8)
    }

    /// Acceleration at a position in cells of the volume, cells per frame².
    pub fn acceleration(&self, position: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = position;
        let position = to_oblique([x * self.scale, y * self.scale, z * self.scale]);
        let mut sum = [0.0; 3];
        for (seed, share) in self.seeds.iter().zip(self.shares) {
            let [(_, a), (_, b), (_, c)] = noises(*seed, position);
            sum[0] += share * (c[1] - b[2]);
            sum[1] += share * (a[2] - c[0]);
            sum[2] += share * (b[0] - a[1]);
        }
        let scale = self.strength / CURL_RMS;
        from_oblique([sum[0] * scale, sum[1] * scale, sum[2] * scale])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::hash::pcg4d;

    fn places() -> impl Iterator<Item = [f64; 3]> {
        (0..4000).map(|n| {
            let [a, b, c, _] = pcg4d([n, 1, 2, 3]).map(|word| f64::from(word) / 4e6);
            [a, b, c]
        })
    }

    #[test]
    fn turbulence_has_its_strength_and_no_divergence() {
        let settings = Noise { strength: 2.0, size: 10.0, pulse: 8.0, seed: 5 };
        let turbulence = Turbulence::new(&settings, 3.0);
        let (mut squares, mut worst) = (0.0, 0.0_f64);
        for place in places() {
            squares += turbulence.acceleration(place).iter().map(|a| a * a).sum::<f64>();
            const H: f64 = 1e-4;
            let moved = |axis: usize, by: f64| {
                let mut moved = place;
                moved[axis] += by;
                turbulence.acceleration(moved)[axis]
            };
            worst = worst.max((0..3).map(|axis| (moved(axis, H) - moved(axis, -H)) / (2.0 * H)).sum::<f64>().abs());
        }
        let rms = (squares / 3.0 / 4000.0).sqrt();
        assert!((rms / 2.0 - 1.0).abs() < 0.05, "{rms} per component");
        assert!(worst < 1e-3, "{worst}");
    }
}
