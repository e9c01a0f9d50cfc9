//! What an artist sets of a picture. Nothing of it enters the simulation: all may be animated.

use super::passing::Passing;

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
