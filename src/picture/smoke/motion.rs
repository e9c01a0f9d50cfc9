//! Velocity and motion vectors per frame of the shot, which may be longer or shorter than a simulated frame.

use crate::picture::maths::clamped;
use crate::sim::smoke::quantities::Quantity;
use crate::sim::smoke::time_step::FRAME_TIME_MAX;

/// Largest motion of a grid in a frame, pixels.
const FURTHEST: f64 = 1e9;

/// Time scale of a frame and the motion of its grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameMotion {
    /// Simulated frames in it, 0 to 1,000.
    pub time_scale: f64,
    /// Displacement of the grid's content by the grid's motion, to the next frame and to the previous one, pixels.
    pub shifts: [[f64; 2]; 2],
}

impl FrameMotion {
    /// The motion with each number clamped to its range; NaN and infinity become 0.
    pub(super) fn clamped(self) -> Self {
        let shifts = self
            .shifts
            .map(|shift| shift.map(|pixels| if pixels.is_finite() { pixels.clamp(-FURTHEST, FURTHEST) } else { 0.0 }));
        Self { time_scale: clamped(self.time_scale, 0.0, FRAME_TIME_MAX), shifts }
    }

    /// Adds the grid's motion to velocities and motion vectors, except at pixels that stand still in the frame.
    #[inline(always)]
    pub(super) fn add_grid_motion(&self, layer: Quantity, pixels: &mut [[f32; 4]], stands: impl Fn(usize) -> bool) {
        let [next, last] = self.shifts;
        if self.shifts == [[0.0; 2]; 2] {
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
                let shifts = [next[0], next[1], last[0], last[1]].map(|shift| shift as f32);
                for pixel in pixels {
                    pixel.iter_mut().zip(shifts).for_each(|(to, shift)| *to += shift);
                }
            }
            _ => {}
        }
    }
}

impl Default for FrameMotion {
    fn default() -> Self {
        Self { time_scale: 1.0, shifts: [[0.0; 2]; 2] }
    }
}
