//! Soil that falls gently to the right, with furrows, hummocks and stones.

use super::noise::{fractal, noise};
use super::smooth;
use super::stones::{self, Stone};

/// Least height of the rocks, above that of all soil.
pub const ROCKS: f64 = 0.66;

/// Open soil.
pub struct Meadow {
    aspect: f64,
    stones: Vec<Stone>,
    /// Rocks that no water covers.
    rocks: Vec<Stone>,
}

impl Meadow {
    /// Soil in a frame of an aspect ratio.
    pub fn new(aspect: f64) -> Self {
        let stones = stones::scattered(22, 53, [0.008, 0.026], 2.2, |along, across| [aspect * along, across]);
        let rocks = stones::scattered(8, 57, [0.035, 0.085], 1.0, |along, across| {
            [aspect * (0.16 + 0.8 * along), 0.08 + 0.84 * across]
        });
        Self { aspect, stones, rocks }
    }

    /// Height of the ground.
    pub fn height(&self, u: f64, v: f64) -> f64 {
        let along = u / self.aspect;
        let hummocks = 0.1 * fractal(u * 1.7, v * 1.7, 61, 4, 0.5);
        let rough = 0.02 * fractal(u * 14.0, v * 14.0, 67, 5, 0.6);
        // Two ruts of a cart, which wind from the lower left to the right.
        let course = 0.3 + 0.2 * along + 0.05 * noise(u * 1.3, 0.5, 71);
        let rut = |at: f64| smooth(1.0 - ((v - at) / 0.03).abs());
        let worn = 0.5 + 0.6 * noise(u * 2.1, v * 2.1, 73);
        let ruts = -0.03 * worn.clamp(0.0, 1.0) * (rut(course) + rut(course + 0.09));
        let ground = 0.3 + 0.16 * (1.0 - along) + hummocks + rough + ruts + stones::height(&self.stones, [u, v]);
        let dome = stones::height(&self.rocks, [u, v]);
        // Flanks as wide as a few cells, so that their outlines are smooth.
        ground + (ROCKS + 2.4 * dome + rough - ground).max(0.0) * smooth(dome / 0.03)
    }
}
