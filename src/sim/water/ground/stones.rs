//! Scattered boulders.

use super::noise::{fractal, noise};
use crate::sim::hash::{hash, unit};

/// A boulder.
#[derive(Clone, Copy, Debug)]
pub struct Stone {
    /// Its centre.
    pub centre: [f64; 2],
    /// Its mean radius.
    pub radius: f64,
    /// Its height above the ground.
    pub tall: f64,
}

/// Boulders of pseudo-random radii between `least` and `most`, small ones more often, each where `place` puts it from
/// two numbers between 0 and 1. They are as tall as `steep` times their radius.
pub fn scattered(
    count: u64,
    seed: i32,
    [least, most]: [f64; 2],
    steep: f64,
    place: impl Fn(f64, f64) -> [f64; 2],
) -> Vec<Stone> {
    let stone = |index: u64| {
        let random = |which: u64| unit(hash(seed, 0, index, which));
        let size = random(2);
        let radius = least + (most - least) * size * size * size;
        let centre = place((index as f64 + random(0)) / count as f64, random(1));
        Stone { centre, radius, tall: radius * steep * (0.7 + 0.6 * random(3)) }
    };
    (0..count).map(stone).collect()
}

/// Height of the boulders above the ground at a place.
pub fn height(stones: &[Stone], [u, v]: [f64; 2]) -> f64 {
    let mut top = 0.0_f64;
    for (stone, seed) in stones.iter().zip(0..) {
        let (dx, dy) = (u - stone.centre[0], v - stone.centre[1]);
        let reach = stone.radius * 1.45;
        if dx * dx + dy * dy >= reach * reach {
            continue;
        }
        // The outline bulges with features of the stone's own size, and facets break its top.
        let [x, y] = [dx, dy].map(|d| d / stone.radius);
        let bulge = 1.0 + 0.3 * noise(x * 1.1 + 7.3 * f64::from(seed), y * 1.1, 301);
        let near = libm::sqrt(x * x + y * y) / bulge;
        if near < 1.0 {
            let facets = 0.3 * fractal(x * 1.7, y * 1.7 + 3.1 * f64::from(seed), 302, 3, 0.5);
            let dome = libm::sqrt(1.0 - near * near);
            let round = 0.35 * libm::sqrt(dome) + 0.65 * dome;
            top = top.max(stone.tall * (round + facets * dome).max(0.0));
        }
    }
    top
}
