//! A cell's colour, once the light has come to it.

use super::blackbody;
use super::light::Lit;
use super::look::{Fire, Look};
use crate::picture::layers::Cells;
use crate::picture::maths::{decay, held, up_to};
use crate::sim::smoke::State;

/// Cells that are shaded at a time.
const CHUNK: usize = 256;

/// Cells of lit smoke, with or without fire.
pub struct Shaded<'a> {
    state: &'a State,
    lit: &'a Lit,
    light: [f32; 3],
    ambient: [f32; 3],
    opacity: f32,
    glow: Option<Glow>,
}

impl<'a> Shaded<'a> {
    /// Of a state in its light.
    pub fn new(state: &'a State, look: &Look, fire: Option<&Fire>, lit: &'a Lit) -> Self {
        let colour = |rgb: [f64; 3]| rgb.map(|value| held(value, 0.0, 1e6) as f32);
        Self {
            state,
            lit,
            light: colour(look.light_colour),
            ambient: colour(look.ambient),
            opacity: held(look.opacity, 0.0, 1e6) as f32,
            glow: fire.filter(|_| state.air.temperature.is_some()).map(Glow::new),
        }
    }
}

impl Cells for Shaded<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        let width = self.state.grid.width;
        let (mut direct, mut around) = ([0.0; CHUNK], [0.0; CHUNK]);
        for (i, out) in out.chunks_mut(CHUNK).enumerate() {
            let from = from + i * CHUNK;
            let (direct, around) = (&mut direct[..out.len()], &mut around[..out.len()]);
            self.lit.row(y, from, direct, around);
            let dye = &self.state.air.dye[y * width + from..];
            for (((pixel, &[r, g, b, density]), &direct), &around) in
                out.iter_mut().zip(dye).zip(&*direct).zip(&*around)
            {
                let density = density.max(0.0);
                let alpha = 1.0 - decay(density * self.opacity);
                // Colour by density; thin smoke is thin, not black.
                let share = if density > 0.0 { alpha / density.max(f32::MIN_POSITIVE) } else { 0.0 };
                let shown = |dye: f32, light: f32, ambient: f32| {
                    (dye.max(0.0) * share).min(BRIGHTEST) * (light * direct + ambient * around)
                };
                *pixel = [
                    shown(r, self.light[0], self.ambient[0]),
                    shown(g, self.light[1], self.ambient[1]),
                    shown(b, self.light[2], self.ambient[2]),
                    alpha,
                ];
            }
            if let (Some(glow), Some(temperature)) = (&self.glow, &self.state.air.temperature) {
                for (pixel, &temperature) in out.iter_mut().zip(&temperature[y * width + from..]) {
                    let [r, g, b, a] = glow.of(temperature);
                    let warm = up_to(temperature, HOTTEST);
                    let left = decay(warm * warm * glow.soot);
                    let alpha = pixel[3] + a * (1.0 - pixel[3]);
                    *pixel = [pixel[0] * left + r, pixel[1] * left + g, pixel[2] * left + b, alpha];
                }
            }
        }
    }
}

/// Brightest that the colour of dye counts for.
const BRIGHTEST: f32 = 1e6;

/// Light and alpha of fire, by its temperature.
struct Glow {
    soot: f32,
    table: Vec<[f32; 4]>,
}

/// Hottest temperature in the table; what is hotter looks like it.
const HOTTEST: f32 = 8.0;

/// Entries of the table for a temperature of 1.
const ENTRIES: f32 = 256.0;

impl Glow {
    fn new(fire: &Fire) -> Self {
        let [ember, kelvin] = [fire.ember, fire.kelvin].map(|kelvin| held(kelvin, 500.0, blackbody::HOTTEST));
        let (falloff, opacity) = (held(fire.falloff, 0.5, 8.0), held(fire.opacity, 0.0, 1e6));
        let most = libm::exp2(held(fire.exposure, -20.0, 20.0));
        let entry = |i: usize| {
            let temperature = i as f64 / f64::from(ENTRIES);
            let power = libm::pow(temperature, falloff);
            let [r, g, b] =
                blackbody::rgb(ember + (kelvin - ember) * temperature).map(|v| (f64::from(v) * power * most) as f32);
            [r, g, b, -libm::expm1(-power * opacity) as f32]
        };
        Self {
            soot: held(fire.soot, 0.0, 1e6) as f32,
            table: (0..=(HOTTEST * ENTRIES) as usize + 1).map(entry).collect(),
        }
    }

    /// Light and alpha, linear between the table's entries.
    #[inline(always)]
    fn of(&self, temperature: f32) -> [f32; 4] {
        let place = up_to(temperature, HOTTEST) * ENTRIES;
        let low = place as usize;
        let share = place - low as f32;
        let (below, above) = (self.table[low], self.table[low + 1]);
        [0, 1, 2, 3].map(|i| below[i] + (above[i] - below[i]) * share)
    }
}
