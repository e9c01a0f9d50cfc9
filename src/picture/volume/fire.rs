//! Emission of fire: the flame of burning fuel by its age and temperature, or the glow of heat as a black body.

use super::look::VolumeLook;
use crate::picture::maths::{clamped, decay, up_to};
use crate::picture::smoke::Fire;
use crate::picture::smoke::flame::Flame;
use crate::picture::smoke::glow::Glow;

/// Temperature below which heat does not glow.
const COLD: f32 = 0.02;

/// Exposure of the blackest fire, stops.
const LEAST_EXPOSURE: f64 = -19.9;

/// Emission and extinction of fire by temperature, flame gas and age.
pub struct Burning {
    source: Source,
    /// Emission per cell for a brightness of 1.
    light: f32,
    /// Extinction per cell for a brightness of 1.
    opacity: f32,
    /// Decay of scattered light by the square of the temperature, or by the opacity of a flame.
    soot: f32,
}

/// Both glow as black bodies. A flame has its warmth in place of the temperature.
enum Source {
    Flame(Flame, Glow),
    Heat(Glow),
}

/// Exponent of the warmth in the brightness of a flame: its core is many times brighter than its edge.
const FALLOFF: f64 = 4.0;

impl Burning {
    /// The fire of shading settings, on cells of `spacing` world units; `None` where it is black.
    pub fn new(look: &VolumeLook, has_gases: bool, spacing: f64) -> Option<Self> {
        if clamped(look.fire.exposure, -20.0, 20.0) <= LEAST_EXPOSURE {
            return None;
        }
        let per_cell = spacing / clamped(look.fire_depth, 1e-3, 1e9);
        let source = if has_gases {
            let glow = Glow::new(&Fire { falloff: FALLOFF, ..look.fire });
            Source::Flame(Flame::new(&look.fire, 1.0 / spacing), glow)
        } else {
            Source::Heat(Glow::new(&look.fire))
        };
        Some(Self {
            source,
            light: per_cell as f32,
            opacity: (clamped(look.fire.opacity, 0.0, 1e6) * per_cell) as f32,
            soot: clamped(look.fire.soot, 0.0, 1e6) as f32,
        })
    }

    /// Light of gas: temperature, flame gas, and flame gas times its age; and its opacity, relative to a fire's.
    #[inline(always)]
    fn colour(&self, [temperature, gas, aged, _]: [f32; 4]) -> Option<[f32; 4]> {
        match &self.source {
            Source::Flame(flame, glow) => {
                let [warmth, share] = flame.warmth(temperature, gas, aged)?;
                let [r, g, b, _] = glow.of(warmth);
                // The edge would be a black line if its opacity did not fall with its light.
                Some([r * share, g * share, b * share, share * warmth * warmth])
            }
            Source::Heat(glow) if temperature > COLD => {
                let [r, g, b, _] = glow.of(temperature);
                Some([r, g, b, r])
            }
            Source::Heat(_) => None,
        }
    }

    /// Whether gas may be bright. Gas between values of which none may is dark.
    #[inline(always)]
    pub fn glows(&self, [temperature, gas, ..]: [f32; 4]) -> bool {
        match &self.source {
            Source::Flame(flame, _) => flame.can_glow(gas),
            Source::Heat(_) => temperature > COLD,
        }
    }

    /// Emission per cell.
    #[inline(always)]
    pub fn emission(&self, gas: [f32; 4]) -> [f32; 3] {
        self.colour(gas).map_or([0.0; 3], |[r, g, b, _]| [r, g, b].map(|channel| channel * self.light))
    }

    /// Emission of the blue base per cell, relative to its colour: by fuel burnt per frame, flame gas, flame gas times its
    /// age, and the gradient of fuel per cell.
    #[inline(always)]
    pub fn base(&self, burnt: f32, gas: f32, aged: f32, gradient: f32) -> f32 {
        match &self.source {
            Source::Flame(flame, _) if burnt > 0.0 && gas > 0.0 => {
                flame.base_strength(burnt, aged / gas, gradient) * self.light
            }
            _ => 0.0,
        }
    }

    /// Adds the blue base to an emission.
    #[inline(always)]
    pub fn with_base(&self, emission: [f32; 3], base: f32) -> [f32; 3] {
        let Source::Flame(flame, _) = &self.source else { return emission };
        std::array::from_fn(|channel| emission[channel] + flame.base_colour[channel] * base)
    }

    /// Optical depth per cell, and the share of the light that smoke in the gas still scatters: glowing soot is dark.
    #[inline(always)]
    pub fn extinction(&self, gas: [f32; 4]) -> [f32; 2] {
        let Some([.., opaque]) = self.colour(gas) else { return [0.0, 1.0] };
        let dark = match &self.source {
            Source::Flame(..) => opaque,
            Source::Heat(_) => up_to(gas[0], 8.0) * up_to(gas[0], 8.0),
        };
        [opaque * self.opacity, decay(dark * self.soot)]
    }
}
