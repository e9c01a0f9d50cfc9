//! Turbulence as the curl of three noises that change in time (Bridson, Hourihan and Nordenstam 2007).

use super::settings::Noise;
use crate::sim::batch::{BATCH, Batch3, at, each3};
use crate::sim::noise::{from_oblique, gradients, patterns, seeded, to_oblique};

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

    /// Accelerations at positions in cells of the volume, cells per frame².
    #[inline(always)]
    pub fn accelerations(&self, positions: &Batch3) -> Batch3 {
        let positions = each3(
            #[inline(always)]
            |n| {
                let [x, y, z] = at(positions, n);
                to_oblique([x * self.scale, y * self.scale, z * self.scale])
            },
        );
        let mut sum = [[0.0; BATCH]; 3];
        for (seed, share) in self.seeds.iter().zip(self.shares) {
            let [a, b, c] = gradients(*seed, &positions);
            for n in 0..BATCH {
                sum[0][n] += share * (c[1][n] - b[2][n]);
                sum[1][n] += share * (a[2][n] - c[0][n]);
                sum[2][n] += share * (b[0][n] - a[1][n]);
            }
        }
        let scale = self.strength / CURL_RMS;
        each3(
            #[inline(always)]
            |n| from_oblique([sum[0][n] * scale, sum[1][n] * scale, sum[2][n] * scale]),
        )
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
        let acceleration = |place: [f64; 3]| at(&turbulence.accelerations(&each3(|_| place)), 0);
        let (mut squares, mut worst) = (0.0, 0.0_f64);
        for place in places() {
            squares += acceleration(place).iter().map(|a| a * a).sum::<f64>();
            const H: f64 = 1e-4;
            let moved = |axis: usize, by: f64| {
                let mut moved = place;
                moved[axis] += by;
                acceleration(moved)[axis]
            };
            worst = worst.max((0..3).map(|axis| (moved(axis, H) - moved(axis, -H)) / (2.0 * H)).sum::<f64>().abs());
        }
        let rms = (squares / 3.0 / 4000.0).sqrt();
        assert!((rms / 2.0 - 1.0).abs() < 0.05, "{rms} per component");
        assert!(worst < 1e-3, "{worst}");
    }
}
