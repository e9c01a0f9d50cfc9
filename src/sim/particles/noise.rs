//! Eddies: the curl of gradient noise.

use super::settings::Noise;
use crate::sim::batch::{BATCH, Batch, Batch3, each3};
use crate::sim::noise::gradients;

/// Root mean square of a component of the gradient of a noise.
const RMS: f64 = 0.70;

impl Noise {
    /// Velocities of the eddies at positions and times. They have no z component and no divergence in planes of equal z.
    #[inline(always)]
    pub fn velocities(&self, positions: &Batch3, times: &Batch) -> [Batch; 2] {
        let Self { strength, size, speed, seed } = *self;
        // An eddy is two cells of the noise wide.
        let scale = 2.0 / size.max(1e-3);
        let positions = each3(
            #[inline(always)]
            |n| [positions[0][n] * scale, positions[1][n] * scale, positions[2][n] * scale + speed * times[n]],
        );
        let [[dx, dy, _]] = gradients(seed.cast_unsigned(), &positions);
        let [mut u, mut v] = [dy, dx];
        for n in 0..BATCH {
            (u[n], v[n]) = (dy[n] * strength / RMS, -dx[n] * strength / RMS);
        }
        [u, v]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::hash::pcg4d;

    const NOISE: Noise = Noise { strength: 2.0, size: 10.0, speed: 0.1, seed: 5 };

    fn velocity(noise: Noise, position: [f64; 3], time: f64) -> [f64; 2] {
        let [u, v] = noise.velocities(&each3(|_| position), &[time; BATCH]);
        [u[BATCH - 1], v[BATCH - 1]]
    }

    fn places() -> impl Iterator<Item = [f64; 3]> {
        (0..4000).map(|n| {
            let [a, b, c, _] = pcg4d([n, 1, 2, 3]).map(|word| f64::from(word) / 4e6);
            [a, b, c]
        })
    }

    #[test]
    fn eddies_have_their_strength_and_no_divergence() {
        let (mut squares, mut worst) = (0.0, 0.0_f64);
        for place in places() {
            let [u, v] = velocity(NOISE, place, 3.0);
            squares += u * u + v * v;
            const H: f64 = 1e-4;
            let moved = |axis: usize, by: f64| {
                let mut moved = place;
                moved[axis] += by;
                velocity(NOISE, moved, 3.0)[axis]
            };
            let divergence: f64 = (0..2).map(|axis| (moved(axis, H) - moved(axis, -H)) / (2.0 * H)).sum();
            worst = worst.max(divergence.abs());
        }
        let rms = (squares / 2.0 / 4000.0).sqrt();
        assert!((rms / 2.0 - 1.0).abs() < 0.05, "{rms} per component");
        // The coordinates have some 1e-13 of rounding, and cell faces a kink of the second derivative.
        assert!(worst < 1e-3, "{worst}");
    }

    #[test]
    fn eddies_change_with_the_seed_and_the_time() {
        let here = [3.3, 4.4, 0.0];
        let other = Noise { seed: 6, ..NOISE };
        assert_ne!(velocity(NOISE, here, 0.0), velocity(other, here, 0.0));
        assert_ne!(velocity(NOISE, here, 0.0), velocity(NOISE, here, 1.0));
        assert!(velocity(NOISE, [f64::MAX, -f64::MAX, 0.0], 1.0).iter().all(|v| v.is_finite()));
    }
}
