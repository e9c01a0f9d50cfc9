//! Shading settings of smoke. They enter no simulation; all may be animated.

use super::blackbody::WorkingSpace;
use super::motion::FrameMotion;

/// Shading settings. Each value is clamped to its range, NaN to the lower end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shading {
    /// Direction to the light, degrees counter-clockwise from the right. Any angle.
    pub light_direction: f64,
    /// Elevation of the light above the picture's plane, degrees: 0 from the side, to 90 from the camera, where
    /// nothing is in shadow.
    pub light_elevation: f64,
    /// Half of the angular size of the light, degrees, 0 to 45: a larger light gives softer shadows.
    pub light_size: f64,
    /// Colour of the light, linear Rec. 709, 0 and up.
    pub light_colour: [f64; 3],
    /// Colour of the ambient light, linear Rec. 709, 0 and up.
    pub ambient: [f64; 3],
    /// Optical depth of a density of 1 over 100 pixels on the way to the light, 0 and up.
    pub shadow: f64,
    /// Depth of the smoke and of its fire in front of the picture's plane, pixels, above 0. Shadows of light with the
    /// elevation e fade over depth / tan e; those of the ambient light over the depth.
    pub depth: f64,
    /// Optical depth of a density of 1 towards the camera, 0 and up: alpha is 1 − e^(−density × opacity).
    pub opacity: f64,
    /// Emission of hot smoke.
    pub fire: Fire,
    /// Time scale and grid motion, for velocity and motion vectors.
    pub motion: FrameMotion,
    /// Width of the border along which dye, smoke and fire fade towards the grid's sides, full-resolution pixels, 0 and
    /// up.
    pub feather: f64,
}

/// Emission of hot smoke.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fire {
    /// Colour at a temperature of 0, kelvin, 500 to 20,000.
    pub ember: f64,
    /// Colour of a temperature of 1, kelvin, 500 to 20,000; others lie on the line through both.
    pub kelvin: f64,
    /// Brightness of a temperature of 1, in stops: its brightest channel is 2^exposure. −20 to 20.
    pub exposure: f64,
    /// Exponent of the temperature in the brightness, 0.5 to 8.
    pub falloff: f64,
    /// Absorption of scattered light by glowing smoke: the exponent of a decay at a temperature of 1, proportional to
    /// the temperature's square. 0 and up; with 0 red fire is pink on grey smoke.
    pub soot: f64,
    /// Optical depth towards the camera of fire of a temperature of 1, 0 and up; at other temperatures proportional to
    /// the brightness. With 0 fire only adds light.
    pub opacity: f64,
    /// The flame of burning fuel, which is shown in place of the glow of heat.
    pub flame: FlameLook,
    /// Strength of the fire's light on the smoke around it, 0 and up. It falls with the distance, and beyond the depth
    /// with its square.
    pub light: f64,
    /// The space of its colours.
    pub working_space: WorkingSpace,
}

/// The flame of burning fuel. Its brightness and opacity are those of the fire: at an exposure of 3 stops its brightest
/// channel is 2.8.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlameLook {
    /// Brightness of old gas relative to young gas, 0 to 1.
    pub core: f64,
    /// Age at which gas begins to glow, in lives, −1 to 1; below −0.2 it glows from the first.
    pub onset: f64,
    /// Flame gas from which on the flame shows, 0 to 0.9.
    pub edge: f64,
    /// Brightness of the blue base, 0 and up.
    pub blue: f64,
    /// Fuel burnt per frame at full rate.
    pub rate: f64,
    /// Height of the flame to which gradients are relative, full-resolution pixels.
    pub size: f64,
}

impl Default for Shading {
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
            motion: FrameMotion::default(),
            feather: 0.0,
        }
    }
}

impl Default for Fire {
    fn default() -> Self {
        Self {
            ember: 1150.0,
            kelvin: 2300.0,
            exposure: 3.0,
            falloff: 2.5,
            soot: 8.0,
            opacity: 0.3,
            flame: FlameLook::default(),
            light: 1.0,
            working_space: WorkingSpace::default(),
        }
    }
}

impl Default for FlameLook {
    fn default() -> Self {
        Self { core: 0.3, onset: 0.03, edge: 0.05, blue: 0.35, rate: 0.03, size: 400.0 }
    }
}
