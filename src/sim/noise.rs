//! Gradient noise on a cubic lattice (Perlin 2002).

use std::f64::consts::FRAC_PI_2;

use super::hash::pcg4d;
use super::maths::clamp;

/// Gradients: the directions to the edges of a cube.
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

/// Largest coordinate of the lattice.
const FAR: f64 = 1e9;

/// The gradients of three noises of a seed at a position in cells of their lattice. One hash serves all three.
#[inline]
pub(super) fn gradients(seed: u32, position: [f64; 3]) -> [[f64; 3]; 3] {
    let mut cell = [0_i64; 3];
    let mut part = [0.0; 3];
    let mut fade = [[0.0; 2]; 3];
    let mut slope = [[0.0; 2]; 3];
    for axis in 0..3 {
        let place = clamp(position[axis], -FAR, FAR);
        let low = libm::floor(place);
        let t = place - low;
        let (rise, steep) = (t * t * t * (t * (t * 6.0 - 15.0) + 10.0), 30.0 * t * t * (t * (t - 2.0) + 1.0));
        (cell[axis], part[axis]) = (low as i64, t);
        (fade[axis], slope[axis]) = ([1.0 - rise, rise], [-steep, steep]);
    }
    let mut sums = [[0.0; 3]; 3];
    for z in 0..2 {
        for y in 0..2 {
            for x in 0..2 {
                let at = [x, y, z];
                let words = [cell[0] + x as i64, cell[1] + y as i64, cell[2] + z as i64];
                let hash = pcg4d([words[0] as u32, words[1] as u32, words[2] as u32, seed]);
                let [wx, wy, wz] = [fade[0][x], fade[1][y], fade[2][z]];
                let across = [wy * wz, wx * wz, wx * wy];
                for (which, sum) in sums.iter_mut().enumerate() {
                    let g = &GRADIENTS[((u64::from(hash[which]) * GRADIENTS.len() as u64) >> 32) as usize];
                    let mut ramp = 0.0;
                    for axis in 0..3 {
                        ramp += g[axis] * (part[axis] - at[axis] as f64);
                    }
                    for axis in 0..3 {
                        sum[axis] += across[axis] * (slope[axis][at[axis]] * ramp + fade[axis][at[axis]] * g[axis]);
                    }
                }
            }
        }
    }
    sums
}

/// Value and gradient of the noise of a seed at a position in cells of its lattice.
pub(super) fn noise(seed: u32, position: [f64; 3]) -> (f64, [f64; 3]) {
    let position = position.map(|x| clamp(x, -FAR, FAR));
    let cell = position.map(libm::floor);
    let f: [f64; 3] = std::array::from_fn(|axis| position[axis] - cell[axis]);
    let fade = f.map(|t| t * t * t * (t * (t * 6.0 - 15.0) + 10.0));
    let slope = f.map(|t| 30.0 * t * t * (t * (t - 2.0) + 1.0));
    let (mut value, mut sum) = (0.0, [0.0; 3]);
    for corner in 0..8_usize {
        let at = [corner & 1, corner >> 1 & 1, corner >> 2];
        let [x, y, z] = std::array::from_fn(|axis| (cell[axis] as i64 + at[axis] as i64) as u32);
        let [hash, ..] = pcg4d([x, y, z, seed]);
        let g = GRADIENTS[((u64::from(hash) * GRADIENTS.len() as u64) >> 32) as usize];
        let ramp: f64 = (0..3).map(|axis| g[axis] * (f[axis] - at[axis] as f64)).sum();
        let weight: [f64; 3] = std::array::from_fn(|axis| if at[axis] == 1 { fade[axis] } else { 1.0 - fade[axis] });
        let sign = at.map(|at| if at == 1 { 1.0 } else { -1.0 });
        value += weight[2] * weight[1] * weight[0] * ramp;
        sum[0] += weight[2] * weight[1] * (sign[0] * slope[0] * ramp + weight[0] * g[0]);
        sum[1] += weight[2] * weight[0] * (sign[1] * slope[1] * ramp + weight[1] * g[1]);
        sum[2] += weight[1] * weight[0] * (sign[2] * slope[2] * ramp + weight[2] * g[2]);
    }
    (value, sum)
}
/// Largest index of a pattern.
const LAST_PATTERN: f64 = 1e6;

/// Indices and weights of the two patterns that are blended at the simulated time `clock`, frames. A pattern fades into
/// the next over `pulse` frames; the squares of the weights add up to 1, so that the variance is constant.
pub fn patterns(clock: f64, pulse: f64) -> [(u32, f64); 2] {
    let at = clamp(clock / pulse.max(1e-3), -LAST_PATTERN, LAST_PATTERN);
    let first = libm::floor(at);
    let turn = FRAC_PI_2 * (at - first);
    [(first as i64 as u32, libm::cos(turn)), ((first as i64 + 1) as u32, libm::sin(turn))]
}

/// Seed of the noise `which` of a pattern.
pub(super) fn seeded(seed: i32, pattern: u32, which: u32) -> u32 {
    pcg4d([seed.cast_unsigned(), pattern, which, 0])[0]
}

/// Value of the blended patterns, about −1 to 1, at a position in cells of the noise.
fn changing(seed: i32, position: [f64; 3], patterns: [(u32, f64); 2]) -> f64 {
    patterns.iter().map(|(pattern, share)| share * noise(seeded(seed, *pattern, 0), position).0).sum()
}

/// Frames over which one pattern of [`patches`] fades into the next.
pub const PATCHES_PULSE: f64 = 6.0;

/// Patches of an emission that is broken up: 0 to 1, on the mean a half. `position` in sizes of a patch; `patterns` of
/// [`PATCHES_PULSE`].
pub fn patches(seed: i32, position: [f64; 3], patterns: [(u32, f64); 2]) -> f64 {
    let octave = |scale: f64, seed: i32| changing(seed, position.map(|x| x * scale), patterns);
    clamp(0.5 + 1.6 * (octave(1.0, seed) + 0.5 * octave(2.0, seed.wrapping_add(1))), 0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_gradients_are_those_of_three_noises() {
        // The first word of the hash decides the noise of the seed itself, the others decide the others.
        let mut apart = 0;
        for n in 0..200 {
            let at = [0.37, 1.91, -0.73].map(|scale| scale * f64::from(n));
            let [first, second, third] = gradients(9, at);
            let (_, exact) = noise(9, at);
            assert!((0..3).all(|axis| (first[axis] - exact[axis]).abs() < 1e-12), "{first:?} for {exact:?}");
            apart += usize::from(first != second && second != third && third != first);
        }
        assert!(apart > 190, "at {apart} of 200 places all three differ");
    }

    #[test]
    fn patterns_give_way_to_the_next_without_a_jump() {
        let at = |clock: f64| changing(7, [0.3, 0.6, 0.2], patterns(clock, 4.0));
        assert!((at(4.0) - at(4.0 - 1e-9)).abs() < 1e-6);
        assert_ne!(at(0.0), at(4.0));
    }
}
