//! Gradient noise (Perlin 2002) over the plane.

use crate::sim::hash::{hash, unit};

/// Noise at a place, about −1 to 1, with features of length 1.
pub fn noise(x: f64, y: f64, seed: i32) -> f64 {
    let (left, low) = (libm::floor(x), libm::floor(y));
    let (dx, dy) = (x - left, y - low);
    let corner = |i: i64, j: i64| {
        let turn = unit(hash(seed, left as i64 + i, (low as i64 + j) as u64, 0)) * std::f64::consts::TAU;
        let (sin, cos) = libm::sincos(turn);
        (dx - i as f64) * cos + (dy - j as f64) * sin
    };
    let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let (across, up) = (fade(dx), fade(dy));
    let row = |j: i64| {
        let [a, b] = [corner(0, j), corner(1, j)];
        a + (b - a) * across
    };
    let (a, b) = (row(0), row(1));
    (a + (b - a) * up) * std::f64::consts::SQRT_2
}

/// A sum of `octaves` noises, each of half the length and `gain` times the size of the one before.
pub fn fractal(x: f64, y: f64, seed: i32, octaves: i32, gain: f64) -> f64 {
    let (mut sum, mut size, mut scale) = (0.0, 1.0, 1.0);
    for octave in 0..octaves {
        sum += noise(x * scale, y * scale, seed + octave) * size;
        size *= gain;
        scale *= 2.0;
    }
    sum
}
