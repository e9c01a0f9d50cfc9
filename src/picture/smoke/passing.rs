//! How velocity and motion are seen in a shot, whose frames may be longer or shorter than those that are simulated.

use crate::picture::maths::held;
use crate::sim::smoke::quantities::Quantity;
use crate::sim::smoke::time_step::FRAME_TIME_MAX;

/// Furthest that a grid is taken to go in a frame, pixels.
const FURTHEST: f64 = 1e9;

/// How a frame of the shot passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passing {
    /// Simulated frames in it, 0 to 1,000.
    pub time: f64,
    /// How far the grid takes its content along until the next frame, and from where it took it since the one before: pixels
    /// from where it is.
    pub ride: [[f64; 2]; 2],
}

impl Passing {
    /// With each number in its range; what is none counts as nothing.
    pub(super) fn held(self) -> Self {
        let ride =
            self.ride.map(|way| way.map(|way| if way.is_finite() { way.clamp(-FURTHEST, FURTHEST) } else { 0.0 }));
        Self { time: held(self.time, 0.0, FRAME_TIME_MAX), ride }
    }

    /// Adds the grid's way to what shows how its content moves; what stands in the world, by the number of its pixel, does
    /// not take part.
    #[inline(always)]
    pub(super) fn ride_along(&self, layer: Quantity, pixels: &mut [[f32; 4]], stands: impl Fn(usize) -> bool) {
        let [next, last] = self.ride;
        if self.ride == [[0.0; 2]; 2] {
            return;
        }
        let pixels = pixels.iter_mut().enumerate().filter(|(i, _)| !stands(*i)).map(|(_, pixel)| pixel);
        match layer {
            Quantity::Velocity => {
                let along = [0, 1].map(|axis| ((next[axis] - last[axis]) / 2.0) as f32);
                for pixel in pixels {
                    let [u, v] = [pixel[0] + along[0], pixel[1] + along[1]];
                    *pixel = [u, v, (u * u + v * v).sqrt(), 1.0];
                }
            }
            Quantity::Motion => {
                let ways = [next[0], next[1], last[0], last[1]].map(|way| way as f32);
                for pixel in pixels {
                    pixel.iter_mut().zip(ways).for_each(|(to, way)| *to += way);
                }
            }
            _ => {}
        }
    }
}

impl Default for Passing {
    fn default() -> Self {
        Self { time: 1.0, ride: [[0.0; 2]; 2] }
    }
}
