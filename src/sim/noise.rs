//! Gradient noise on a cubic lattice (Perlin 2002).

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
