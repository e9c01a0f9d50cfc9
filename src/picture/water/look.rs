//! What an artist sets of a picture. Nothing of it enters the simulation: all may be animated.

/// What alpha of the shaded water means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlphaMode {
    /// The ground is part of the picture, which is opaque.
    OverBed,
    /// Water alone, to be merged over a plate: alpha is what the water hides of it.
    WaterOnly,
}

/// How water is shaded. Values may be anything: each is held to its range, and NaN counts as the range's lower end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Full-resolution pixels that a height of 1 stands for: scales slopes and depths. 0 to 10^6.
    pub relief: f64,
    /// Index of refraction, 1 to 3: 1.333 is water.
    pub index_of_refraction: f64,
    /// Colour of deep water, linear Rec. 709, 0 to 1.
    pub water_colour: [f64; 3],
    /// Scattering per height of 1, 0 to 10^6: depth hides the bed as e^(−extinction × height).
    pub density: f64,
    /// What alpha means.
    pub alpha_mode: AlphaMode,
    /// Albedo of the ground, linear Rec. 709, 0 and up.
    pub ground_colour: [f64; 3],
    /// The sky overhead, linear Rec. 709, 0 and up.
    pub sky_colour: [f64; 3],
    /// The sky at the horizon, linear Rec. 709, 0 and up.
    pub horizon_colour: [f64; 3],
    /// Where the light comes from, degrees counter-clockwise from the right. Any angle.
    pub light_direction: f64,
    /// How far the light stands above the picture's plane, degrees, 0 to 90.
    pub light_elevation: f64,
    /// What a white surface that faces the light shows, linear Rec. 709, 0 and up.
    pub light_colour: [f64; 3],
    /// Width of the highlight: its square is the α of the GGX distribution. 0.05 to 1.
    pub roughness: f64,
    /// How strongly the light through the surface shows on the bed: 1 as it is, 0 to 100.
    pub caustics: f64,
    /// Full-resolution pixels between the water and a picture that it reflects, 0 to 10^6.
    pub reflection_distance: f64,
    /// Albedo of foam, linear Rec. 709, 0 and up.
    pub foam_colour: [f64; 3],
    /// Share of its light that wet ground keeps to itself, 0 to 1.
    pub wet_darkening: f64,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            relief: 140.0,
            index_of_refraction: 1.333,
            water_colour: [0.01, 0.08, 0.1],
            density: 3.0,
            alpha_mode: AlphaMode::OverBed,
            ground_colour: [0.2, 0.165, 0.115],
            sky_colour: [0.16, 0.28, 0.48],
            horizon_colour: [0.6, 0.66, 0.72],
            light_direction: 125.0,
            light_elevation: 40.0,
            light_colour: [1.4, 1.28, 1.1],
            roughness: 0.25,
            caustics: 1.0,
            reflection_distance: 200.0,
            foam_colour: [0.75, 0.78, 0.8],
            wet_darkening: 0.45,
        }
    }
}
