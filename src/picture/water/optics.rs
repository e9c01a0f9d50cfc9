//! Reflectance of the surface, and transmittance of the water.

use crate::picture::maths::decay;

/// Reflectance of a surface seen straight on, by its index of refraction.
pub fn facing_reflectance(index: f64) -> f64 {
    let share = (index - 1.0) / (index + 1.0);
    share * share
}

/// Fresnel's reflectance after Schlick, from the reflectance straight on and the cosine of the angle of incidence. Below
/// water's, the reflectance at grazing angles fades, so that a surface without refraction has no reflection.
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

/// Share of light that goes through water of a colour (0 to 1): e^(−(S + K)·height) with scattering S and, after Kubelka
/// and Munk, the absorption K that shows endlessly deep water in this colour, K / S = (1 − c)² / 2c.
#[inline(always)]
pub fn transmittance(colour: f32, scattering: f32, height: f32) -> f32 {
    let c = colour.max(DARKEST);
    let absorbed = (1.0 - c) * (1.0 - c) / (2.0 * c);
    decay(scattering * (1.0 + absorbed) * height)
}
