//! Gradient noise, and the eddies that are its curl.

use super::random::pcg4d;
use super::settings::Noise;
use crate::sim::maths::clamp;

/// Gradients: the directions to the edges of a cube (Perlin 2002).
const GRADIENTS: [[f64; 3]; 12] = [
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [-1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [-1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [-1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, -1.0, 1.0],
    [0.0, 1.0, -1.0],
    [0.0, -1.0, -1.0],
];

/// Root mean square of a component of the gradient of [`gradient`].
const RMS: f64 = 0.70;

/// Largest coordinate of the lattice.
const FAR: f64 = 1e9;

/// The first two components of the gradient of the noise at a position in cells of its lattice.
fn gradient(seed: i32, position: [f64; 3]) -> [f64; 2] {
    let position = position.map(|x| clamp(x, -FAR, FAR));
    let cell = position.map(libm::floor);
    let f = [0, 1, 2].map(|axis| position[axis] - cell[axis]);
    let fade = f.map(|t| t * t * t * (t * (t * 6.0 - 15.0) + 10.0));
    let slope = f.map(|t| 30.0 * t * t * (t * (t - 2.0) + 1.0));
    let mut sum = [0.0; 2];
    for corner in 0..8_usize {
        let at = [corner & 1, corner >> 1 & 1, corner >> 2];
        let lattice = [0, 1, 2].map(|axis| (cell[axis] as i64 + at[axis] as i64) as u32);
        let [hash, ..] = pcg4d([lattice[0], lattice[1], lattice[2], seed.cast_unsigned()]);
        let g = GRADIENTS[((u64::from(hash) * GRADIENTS.len() as u64) >> 32) as usize];
        let ramp: f64 = (0..3).map(|axis| g[axis] * (f[axis] - at[axis] as f64)).sum();
        let weight = [0, 1, 2].map(|axis| if at[axis] == 1 { fade[axis] } else { 1.0 - fade[axis] });
        let sign = at.map(|at| if at == 1 { 1.0 } else { -1.0 });
        sum[0] += weight[2] * weight[1] * (sign[0] * slope[0] * ramp + weight[0] * g[0]);
        sum[1] += weight[2] * weight[0] * (sign[1] * slope[1] * ramp + weight[1] * g[1]);
    }
    sum
}

impl Noise {
    /// Velocity of the eddies at a position and a time. It has no z component and no divergence in planes of equal z.
    pub fn velocity(&self, position: [f64; 3], time: f64) -> [f64; 2] {
        let Self { strength, size, speed, seed } = *self;
        // An eddy is two cells of the lattice wide.
        let scale = 2.0 / size.max(1e-3);
        let [x, y, z] = position.map(|x| x * scale);
        let [dx, dy] = gradient(seed, [x, y, z + speed * time]);
        [dy * strength / RMS, -dx * strength / RMS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOISE: Noise = Noise { strength: 2.0, size: 10.0, speed: 0.1, seed: 5 };

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
            let [u, v] = NOISE.velocity(place, 3.0);
            squares += u * u + v * v;
            const H: f64 = 1e-4;
            let moved = |axis: usize, by: f64| {
                let mut moved = place;
                moved[axis] += by;
                NOISE.velocity(moved, 3.0)[axis]
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
        assert_ne!(NOISE.velocity(here, 0.0), other.velocity(here, 0.0));
        assert_ne!(NOISE.velocity(here, 0.0), NOISE.velocity(here, 1.0));
        assert!(NOISE.velocity([f64::MAX, -f64::MAX, 0.0], 1.0).iter().all(|v| v.is_finite()));
    }
}
