//! Asphalt with shallow hollows and a worn lane.

use super::noise::{fractal, noise};
use super::smooth;

/// Height of the ground: the hollows lie between about 0 and 0.1.
pub fn height(u: f64, v: f64) -> f64 {
    let hollows = 0.1 * fractal(u * 1.15 + 0.35, v * 1.15 + 0.2, 83, 3, 0.42);
    let worn = 0.009 * fractal(u * 6.0, v * 6.0, 89, 4, 0.5);
    // Grains of the gravel in the asphalt.
    let grain = 0.0012 * noise(u * 150.0, v * 150.0, 97) + 0.0006 * noise(u * 290.0, v * 290.0, 101);
    // A long crack, which the water fills.
    let way = v - 0.78 + 0.05 * fractal(u * 3.0, 0.7, 103, 4, 0.55);
    let crack = -0.008 * smooth(1.0 - (way / 0.008).abs());
    0.1 + hollows + worn + grain + crack
}
