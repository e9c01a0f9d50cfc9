//! Reflectance of the surface, and transmittance of the water.

use crate::picture::maths::decay;

/// Reflectance of a surface seen straight on, by its index of refraction.
pub fn facing_reflectance(index: f64) -> f64 {
    let share = (index - 1.0) / (index + 1.0);
    share * share
}

/// Fresnel's reflectance after Schlick, from the reflectance straight on and the cosine of the angle of incidence.
/// Below water's, the reflectance at grazing angles fades, so that a surface without refraction has no reflection.
#[inline(always)]
pub fn fresnel(facing: f32, cosine: f32) -> f32 {
    let off = (1.0 - cosine).max(0.0);
    let squared = off * off;
    let grazing = (facing * 50.0).min(1.0);
    facing + (grazing - facing) * (squared * squared * off)
}

/// π times the GGX distribution of width `alpha`, at the cosine between normal and half vector.
#[inline(always)]
pub fn ggx(alpha: f32, cosine: f32) -> f32 {
    let spread = cosine * cosine * (alpha * alpha - 1.0) + 1.0;
    let part = alpha / spread.max(1e-6);
    part * part
}

/// Least colour that absorption is worked out for.
const DARKEST: f32 = 0.02;

/// Loss of light on its way through water of a colour.
///
/// After Kubelka and Munk, endlessly deep water of scattering S and absorption K has the colour c where
/// K / S = (1 − c)² / 2c, and e^(−(S + K)·height) of the light goes through. The brightest channel sets S.
#[derive(Clone, Copy)]
pub struct Absorption {
    /// Extinction of the brightest channel, per height of 1.
    extinction: f32,
}

impl Absorption {
    /// Water of which a height of `clarity`, above 0, leaves 1/e of the brightest channel.
    pub fn new(clarity: f64) -> Self {
        Self { extinction: (1.0 / clarity) as f32 }
    }

    /// Shares of light that go through a height of water of a colour (0 to 1).
    #[inline(always)]
    pub fn transmittance(self, colour: [f32; 3], height: f32) -> [f32; 3] {
        let lost = colour.map(
            #[inline(always)]
            |c| {
                let c = c.max(DARKEST);
                1.0 + (1.0 - c) * (1.0 - c) / (2.0 * c)
            },
        );
        let scale = self.extinction * height / lost[0].min(lost[1]).min(lost[2]);
        lost.map(
            #[inline(always)]
            |lost| decay(scale * lost),
        )
    }
}
