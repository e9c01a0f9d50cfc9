//! What an artist sets of a picture. Nothing of it enters the simulation: all may be animated.

use crate::picture::maths::held;
use crate::sim::smoke::layers::Layer;
use crate::sim::smoke::pace::LONGEST;

/// How smoke is lit. Values may be anything: each is held to its range, and NaN counts as the range's lower end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Where the light comes from, degrees counter-clockwise from the right. Any angle.
    pub light_direction: f64,
    /// How far the light stands above the picture's plane, degrees, 0 to 90: from the side, to from the camera, where
    /// nothing is in shadow.
    pub light_elevation: f64,
    /// Half of the angle that the light takes up in the sky, degrees, 0 to 45: shadows are softer the larger it is.
    pub light_size: f64,
    /// Linear Rec. 709, 0 and up.
    pub light_colour: [f64; 3],
    /// Light from all around, linear Rec. 709, 0 and up.
    pub ambient: [f64; 3],
    /// Optical depth of a density of 1 over 100 pixels on the way to the light, 0 and up.
    pub shadow: f64,
    /// Depth of the smoke in front of the picture's plane, pixels, above 0: from an elevation e, shadows fade over
    /// depth / tan e; those in the ambient light over the depth itself. Fire is as deep.
    pub depth: f64,
    /// Optical depth of a density of 1 towards the camera, 0 and up: alpha is 1 − e^(−density × opacity).
    pub opacity: f64,
    /// How heat glows.
    pub fire: Fire,
    /// How velocity and motion are seen.
    pub passing: Passing,
    /// Width of the border along which dye, smoke and fire fade towards the grid's sides, full-resolution pixels, 0 and up.
    pub feather: f64,
}

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
        Self { time: held(self.time, 0.0, LONGEST), ride }
    }

    /// Adds the grid's way to what shows how its content moves; what stands in the world, by the number of its pixel, does
    /// not take part.
    #[inline(always)]
    pub(super) fn ride_along(&self, layer: Layer, pixels: &mut [[f32; 4]], stands: impl Fn(usize) -> bool) {
        let [next, last] = self.ride;
        if self.ride == [[0.0; 2]; 2] {
            return;
        }
        let pixels = pixels.iter_mut().enumerate().filter(|(i, _)| !stands(*i)).map(|(_, pixel)| pixel);
        match layer {
            Layer::Velocity => {
                let along = [0, 1].map(|axis| ((next[axis] - last[axis]) / 2.0) as f32);
                for pixel in pixels {
                    let [u, v] = [pixel[0] + along[0], pixel[1] + along[1]];
                    *pixel = [u, v, (u * u + v * v).sqrt(), 1.0];
                }
            }
            Layer::Motion => {
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

/// How heat glows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fire {
    /// Colour of what hardly glows, a temperature of 0, kelvin, 500 to 20,000.
    pub ember: f64,
    /// Colour of a temperature of 1, kelvin, 500 to 20,000; others lie on the line through both.
    pub kelvin: f64,
    /// Brightness of a temperature of 1, in stops: its brightest channel is 2^exposure. −20 to 20.
    pub exposure: f64,
    /// Brightness goes with this power of the temperature, 0.5 to 8.
    pub falloff: f64,
    /// How much of the light that smoke scatters is lost where it glows: as the exponent of a decay, at a temperature of
    /// 1, and with its square elsewhere. 0 and up; with 0 red fire is pink on grey smoke.
    pub soot: f64,
    /// Optical depth towards the camera of fire of a temperature of 1, 0 and up, with the brightness elsewhere; 0 only
    /// adds light.
    pub opacity: f64,
    /// How much of its light it sheds on the smoke around, 0 and up. It falls with the distance, and beyond the depth with
    /// its square.
    pub light: f64,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            light_direction: 125.0,
            light_elevation: 25.0,
            light_size: 12.0,
            light_colour: [1.25, 1.2, 1.1],
            ambient: [0.14, 0.17, 0.22],
            shadow: 6.0,
            depth: 80.0,
            opacity: 2.0,
            fire: Fire::default(),
            passing: Passing::default(),
            feather: 0.0,
        }
    }
}

impl Default for Fire {
    fn default() -> Self {
        Self { ember: 1150.0, kelvin: 2300.0, exposure: 3.0, falloff: 2.5, soot: 8.0, opacity: 0.3, light: 1.0 }
    }
}
