//! Sand that falls to the lower edge, with cusps and ripples.

use super::noise::fractal;
use super::smooth;

/// Height of the ground.
pub fn height(u: f64, v: f64) -> f64 {
    let cusps = 0.05 * libm::sin(u * 5.2 + 0.6) + 0.1 * fractal(u * 1.6, v * 0.8, 107, 3, 0.5);
    let slope = v + cusps;
    let bar = 0.05 * smooth(1.0 - ((slope - 0.3) / 0.14).abs());
    let ripples = 0.003 * fractal(u * 14.0, v * 30.0, 109, 3, 0.6);
    0.62 * slope + 0.16 * slope * slope + bar + ripples
}
