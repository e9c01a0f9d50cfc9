//! Reflectance of the surface.

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
