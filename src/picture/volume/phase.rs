//! The phase function: the distribution of scattered light over directions.
//!
//! Two lobes of Henyey & Greenstein (1941), relative to isotropic scattering. Multiple scattering is a sum of octaves
//! (Wrenninge, Kulla & Lundqvist 2013): octave n has the weight aⁿ, the extinction bⁿ and the eccentricity cⁿ, with
//! b = c = ½.

use super::look::VolumeLook;
use crate::picture::maths::clamped;

/// Number of octaves.
pub const OCTAVES: usize = 3;

/// Number of intervals of the table, equal steps of the cosine from −1 to 1.
const ENTRIES: usize = 512;

/// The weights of the octaves by the cosine of the angle between the light's direction and the scattered direction.
pub struct Phase {
    table: Vec<[f32; 4]>,
    /// Mean cosine of the phase function.
    pub mean_cosine: f64,
}

impl Phase {
    /// Tabulates the phase function of the shading settings.
    pub fn new(look: &VolumeLook) -> Self {
        let [forward, backward] = look.lobes.map(|g| clamped(g, -0.95, 0.95));
        let share = clamped(look.forward, 0.0, 1.0);
        let strength = clamped(look.scattering, 0.0, 1.0);
        let lobe = |g: f64, cosine: f64| {
            let distance = 1.0 + g * g - 2.0 * g * cosine;
            (1.0 - g * g) / (distance * libm::sqrt(distance))
        };
        let entry = |i: usize| {
            let cosine = 2.0 * i as f64 / ENTRIES as f64 - 1.0;
            let mut weights = [0.0; 4];
            let (mut weight, mut factor) = (1.0, 1.0);
            for to in &mut weights[..OCTAVES] {
                let both = share * lobe(forward * factor, cosine) + (1.0 - share) * lobe(backward * factor, cosine);
                *to = (weight * both) as f32;
                weight *= strength;
                factor *= 0.5;
            }
            weights
        };
        Self { table: (0..=ENTRIES + 1).map(entry).collect(), mean_cosine: share * forward + (1.0 - share) * backward }
    }

    /// Weights of the octaves at a cosine, linear between the entries of the table.
    #[inline(always)]
    pub fn weights(&self, cosine: f32) -> [f32; OCTAVES] {
        let at = ((cosine + 1.0) * (0.5 * ENTRIES as f32)).max(0.0).min(ENTRIES as f32);
        let low = at as usize;
        let share = at - low as f32;
        let [below, above] = [self.table[low], self.table[low + 1]];
        [0, 1, 2].map(|octave| below[octave] + (above[octave] - below[octave]) * share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lobes_have_a_mean_of_one_and_their_mean_cosine() {
        let phase =
            Phase::new(&VolumeLook { lobes: [0.6, -0.3], forward: 0.75, scattering: 1.0, ..Default::default() });
        let (mut mean, mut cosines) = ([0.0; OCTAVES], 0.0);
        let steps = 20_000;
        for i in 0..steps {
            let cosine = (i as f32 + 0.5) / steps as f32 * 2.0 - 1.0;
            let weights = phase.weights(cosine).map(f64::from);
            mean.iter_mut().zip(weights).for_each(|(mean, weight)| *mean += weight / f64::from(steps));
            cosines += weights[0] * f64::from(cosine) / f64::from(steps);
        }
        assert!(mean.iter().all(|mean| (mean - 1.0).abs() < 1e-3), "{mean:?}");
        assert!((cosines - phase.mean_cosine).abs() < 1e-3 && (phase.mean_cosine - 0.375).abs() < 1e-12);
        assert!(phase.weights(f32::NAN).iter().all(|weight| weight.is_finite()));
    }
}
