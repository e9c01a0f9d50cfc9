//! The light that falls on water and ground.

use super::shading::Shading;
use crate::picture::maths::clamped;

/// A distant light, and the sky around it.
#[derive(Clone, Copy)]
pub struct Light {
    /// Unit vector towards the light.
    pub towards: [f32; 3],
    /// Colour of the light.
    pub colour: [f32; 3],
    /// Mean colour of the sky.
    pub around: [f32; 3],
}

impl Light {
    /// The light of shading settings.
    pub fn new(shading: &Shading) -> Self {
        let elevation = clamped(shading.light_elevation, 0.0, 90.0).to_radians();
        let direction =
            if shading.light_direction.is_finite() { shading.light_direction.rem_euclid(360.0) } else { 0.0 };
        let ((sin, cos), (up, flat)) = (libm::sincos(direction.to_radians()), libm::sincos(elevation));
        let (sky, horizon) = (colour(shading.sky_colour), colour(shading.horizon_colour));
        Self {
            towards: [cos * flat, sin * flat, up].map(|part| part as f32),
            colour: colour(shading.light_colour),
            around: [0, 1, 2].map(|i| (sky[i] + horizon[i]) * 0.5),
        }
    }

    /// Cosine between the light and the normal of a slope; 0 where it faces away. `upright` is the normal's upright
    /// part.
    #[inline(always)]
    pub fn facing(&self, slope_x: f32, slope_y: f32, upright: f32) -> f32 {
        let [x, y, z] = self.towards;
        ((z - x * slope_x - y * slope_y) * upright).max(0.0)
    }
}

/// A colour that may be brighter than white.
pub fn colour(rgb: [f64; 3]) -> [f32; 3] {
    rgb.map(|value| clamped(value, 0.0, 1e6) as f32)
}
