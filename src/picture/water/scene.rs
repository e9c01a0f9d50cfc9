//! Surroundings of the water: shading settings, and the pictures below and above the surface.

use super::shading::Shading;

/// Largest value of a picture; a larger one, or NaN, counts as 0.
const LARGEST: f32 = 1e9;

/// Shading settings and pictures.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The shading settings.
    pub shading: &'a Shading,
    /// The bed, lit, over the ground.
    pub background: Option<Backdrop<'a>>,
    /// The reflected picture, over the sky.
    pub reflection: Option<Backdrop<'a>>,
}

impl<'a> Scene<'a> {
    /// A scene without pictures.
    pub fn of(shading: &'a Shading) -> Self {
        Self { shading, background: None, reflection: None }
    }
}

/// A picture of one value per cell, row 0 lowest. Values may be anything, NaN and infinities included.
#[derive(Clone, Copy)]
pub struct Backdrop<'a> {
    /// Its cells.
    pub pixels: &'a [[f32; 4]],
    /// False where alpha says nothing: the picture is opaque.
    pub has_alpha: bool,
    /// RGB is multiplied by alpha.
    pub premultiplied: bool,
}

impl Backdrop<'_> {
    /// A cell, premultiplied; alpha is from 0 to 1.
    #[inline(always)]
    pub fn cell(&self, at: usize) -> [f32; 4] {
        let [r, g, b, a] = self.pixels[at].map(|value| if value.abs() <= LARGEST { value } else { 0.0 });
        let alpha = if self.has_alpha { a.clamp(0.0, 1.0) } else { 1.0 };
        let share = if self.premultiplied { 1.0 } else { alpha };
        [r * share, g * share, b * share, alpha]
    }
}
