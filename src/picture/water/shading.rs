//! Shading settings of water. They enter no simulation; all may be animated.

use super::skyline::Row;

/// Meaning of alpha in the shaded output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlphaMode {
    /// The ground is part of the picture, which is opaque.
    OverBed,
    /// Water alone, to be merged over a plate: alpha is the share of it that the water hides.
    WaterOnly,
}

/// Shading settings. Each value is clamped to its range, NaN to the lower end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shading {
    /// Full-resolution pixels that a height of 1 stands for: scales slopes and depths. 0 to 10^6.
    pub relief: f64,
    /// Index of refraction, 1 to 3: 1.333 is water.
    pub index_of_refraction: f64,
    /// Colour of deep water, linear Rec. 709, 0 to 1.
    pub water_colour: [f64; 3],
    /// Height of water that leaves 1/e of the light that it absorbs least, 10^-4 to 10^6.
    pub clarity: f64,
    /// Share of the light lost on the way through the water that it scatters, 0 to 1; the rest is absorbed.
    pub murkiness: f64,
    /// Meaning of alpha.
    pub alpha_mode: AlphaMode,
    /// Albedo of the ground, linear Rec. 709, 0 and up.
    pub ground_colour: [f64; 3],
    /// The sky overhead, linear Rec. 709, 0 and up.
    pub sky_colour: [f64; 3],
    /// The sky at the horizon, linear Rec. 709, 0 and up.
    pub horizon_colour: [f64; 3],
    /// Brightness of the sky towards the light over that away from it, 0 to 4; 0 is even.
    pub sky_contrast: f64,
    /// Cover of the reflected sky by clouds, 0 to 1.
    pub clouds: f64,
    /// Row that stands behind the upper edge of the frame and is reflected.
    pub skyline: Option<Row>,
    /// Full-resolution pixels up to the top of its tallest, 1 to 10^6.
    pub skyline_height: f64,
    /// Elevation of the eye for reflections, degrees, 1 to 90; at 90 it looks straight down.
    pub view_elevation: f64,
    /// Direction to the light, degrees counter-clockwise from the right. Any angle.
    pub light_direction: f64,
    /// Elevation of the light above the picture's plane, degrees, 0 to 90.
    pub light_elevation: f64,
    /// Radiance of a white surface that faces the light, linear Rec. 709, 0 and up.
    pub light_colour: [f64; 3],
    /// Angular diameter of the light, degrees, 0 to 60.
    pub light_size: f64,
    /// Width of the highlight: its square is the α of the GGX distribution. 0.05 to 1.
    pub roughness: f64,
    /// Share of the light that the shadow of higher ground takes, 0 to 1.
    pub terrain_shadow: f64,
    /// Strength of the caustics on the bed, 0 to 100; 1 is physical.
    pub caustics: f64,
    /// Full-resolution pixels between the water and a picture that it reflects, 0 to 10^6.
    pub reflection_distance: f64,
    /// Slope of the fine waves on fast water, 0 to 100.
    pub detail_strength: f64,
    /// Size of the fine waves and of the holes in the foam, 0.01 to 100; at 1 a wave is about 1/30 of the frame's
    /// height.
    pub detail_size: f64,
    /// Albedo of foam, linear Rec. 709, 0 and up.
    pub foam_colour: [f64; 3],
    /// Share of its light that wet ground keeps to itself, 0 to 1.
    pub wet_darkening: f64,
}

impl Default for Shading {
    fn default() -> Self {
        Self {
            relief: 140.0,
            index_of_refraction: 1.333,
            water_colour: [0.01, 0.08, 0.1],
            clarity: 0.25,
            murkiness: 0.35,
            alpha_mode: AlphaMode::OverBed,
            ground_colour: [0.2, 0.165, 0.115],
            sky_colour: [0.16, 0.28, 0.48],
            horizon_colour: [0.6, 0.66, 0.72],
            sky_contrast: 0.6,
            clouds: 0.0,
            skyline: None,
            skyline_height: 200.0,
            view_elevation: 40.0,
            light_direction: 125.0,
            light_elevation: 40.0,
            light_colour: [1.4, 1.28, 1.1],
            light_size: 8.0,
            roughness: 0.2,
            terrain_shadow: 1.0,
            caustics: 1.0,
            reflection_distance: 200.0,
            detail_strength: 0.0,
            detail_size: 1.0,
            foam_colour: [0.75, 0.78, 0.8],
            wet_darkening: 0.45,
        }
    }
}
