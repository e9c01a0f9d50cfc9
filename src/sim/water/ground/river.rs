//! A valley that falls to the right, with a winding bed, banks and boulders.

use super::noise::fractal;
use super::stones::{self, Stone};
use super::{RIVER_FALL, smooth};

/// Half the width of the bed, on the mean.
const HALF: f64 = 0.125;

/// A river's valley.
pub struct River {
    aspect: f64,
    stones: Vec<Stone>,
}

impl River {
    /// The valley in a frame of an aspect ratio.
    pub fn new(aspect: f64) -> Self {
        let place = |along: f64, across: f64| {
            let u = aspect * (0.04 + 0.95 * along);
            [u, middle(along) + (across * 2.0 - 1.0) * 0.16]
        };
        let mut stones = stones::scattered(38, 41, [0.010, 0.046], 2.6, place);
        // Larger ones in the current.
        stones.extend(stones::scattered(7, 43, [0.03, 0.055], 3.0, |along, across| {
            let along = 0.12 + 0.8 * along;
            [aspect * along, middle(along) + (across * 2.0 - 1.0) * 0.06]
        }));
        Self { aspect, stones }
    }

    /// Height of the ground.
    pub fn height(&self, u: f64, v: f64) -> f64 {
        let along = u / self.aspect;
        let bend = (middle(along + 0.005) - middle(along - 0.005)) / (0.01 * self.aspect);
        let wander = 0.035 * fractal(u * 5.0, v * 5.0, 11, 5, 0.55);
        let off = ((v - middle(along)) / libm::sqrt(1.0 + bend * bend) + wander).abs();
        let half = HALF + 0.022 * libm::sin(15.0 * along + 0.7);
        let bank = 0.24 * smooth((off - half) / 0.09);
        let hills = (off - half - 0.04).max(0.0) * (0.55 + 0.5 * fractal(u * 2.2, v * 2.2, 17, 3, 0.5));
        // Shallows and pools: the bed's middle is lower, and its floor uneven.
        let bowl = 0.05 * (off / half).min(1.0) * (off / half).min(1.0);
        let floor = 0.02 * fractal(u * 9.0, v * 9.0, 19, 4, 0.55);
        let rough = 0.025 * smooth((off - half + 0.03) / 0.1) * fractal(u * 12.0, v * 12.0, 23, 5, 0.6);
        // Riffles: the bed falls in steps.
        let steps = 0.035 * libm::sin(std::f64::consts::TAU * (3.2 * along + 0.08 * wander));
        let valley = RIVER_FALL * (1.0 - along) + steps * (1.0 - smooth((off - half) / 0.08));
        let stones = stones::height(&self.stones, [u, v]);
        0.06 + valley + bank + hills + bowl + floor + rough + stones
    }
}

/// The middle of the bed at a share of the frame's width.
fn middle(along: f64) -> f64 {
    0.5 + 0.13 * libm::sin(6.0 * along + 0.6) + 0.035 * libm::sin(13.5 * along + 1.4)
}
