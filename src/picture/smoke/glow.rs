//! Emission and opacity of fire.

use super::blackbody;
use super::shading::Fire;
use crate::picture::maths::{clamped, decay, up_to};

/// Light and alpha of fire, by its temperature.
pub struct Glow {
    soot: f32,
    /// Entries by temperature: light and alpha, and their difference to the next entry.
    table: Vec<[[f32; 4]; 2]>,
}

/// Hottest temperature in the table; hotter fire is clamped to it.
const HOTTEST: f32 = 8.0;

/// Number of cells that fire is added to at once.
pub const MOST: usize = 256;

/// Number of entries of the table per unit of temperature.
const ENTRIES: f32 = 256.0;

impl Glow {
    /// The table for the settings of a fire.
    pub fn new(fire: &Fire) -> Self {
        let [ember, kelvin] = [fire.ember, fire.kelvin].map(|kelvin| clamped(kelvin, 500.0, blackbody::HOTTEST));
        let (falloff, opacity) = (clamped(fire.falloff, 0.5, 8.0), clamped(fire.opacity, 0.0, 1e6));
        let most = libm::exp2(clamped(fire.exposure, -20.0, 20.0));
        let entry = |i: usize| {
            let temperature = i as f64 / f64::from(ENTRIES);
            let power = libm::pow(temperature, falloff);
            let colour = blackbody::rgb(ember + (kelvin - ember) * temperature, fire.working_space);
            let [r, g, b] = colour.map(|v| (f64::from(v) * power * most) as f32);
            [r, g, b, -libm::expm1(-power * opacity) as f32]
        };
        let entries: Vec<_> = (0..=(HOTTEST * ENTRIES) as usize + 1).map(entry).collect();
        let more = |pair: &[[f32; 4]]| [pair[0], [0, 1, 2, 3].map(|i| pair[1][i] - pair[0][i])];
        Self { soot: clamped(fire.soot, 0.0, 1e6) as f32, table: entries.windows(2).map(more).collect() }
    }

    /// Light and alpha at a temperature, linear between the entries of the table.
    #[inline(always)]
    pub fn of(&self, temperature: f32) -> [f32; 4] {
        let [low, share] = Self::place(temperature);
        self.between(low, f32::from_bits(share))
    }

    /// The entry of the table before a temperature, and the bits of the fraction of the step to the next entry.
    #[inline(always)]
    fn place(temperature: f32) -> [u32; 2] {
        let place = up_to(temperature, HOTTEST) * ENTRIES;
        let low = place as i32;
        [low as u32, (place - low as f32).to_bits()]
    }

    #[inline(always)]
    fn between(&self, low: u32, share: f32) -> [f32; 4] {
        let [mut light, more] = self.table[low as usize];
        for (light, more) in light.iter_mut().zip(more) {
            *light += more * share;
        }
        light
    }

    /// Lays the fire of cells over their smoke, up to [`MOST`] of them.
    #[inline(always)]
    pub fn over(&self, temperature: &[f32], smoke: &mut [[f32; 4]]) {
        let temperature = &temperature[..smoke.len()];
        if !any(temperature) {
            return;
        }
        // The operations that are the same for every cell run on vectors.
        let (mut left, mut places) = ([1.0; MOST], [[0; 2]; MOST]);
        for ((left, place), &temperature) in left.iter_mut().zip(&mut places).zip(temperature) {
            *left = self.sooted(temperature);
            *place = Self::place(temperature);
        }
        for ((pixel, [low, share]), left) in smoke.iter_mut().zip(places).zip(left) {
            let [r, g, b, a] = self.between(low, f32::from_bits(share));
            let alpha = pixel[3] + a * (1.0 - pixel[3]);
            *pixel = [pixel[0] * left + r, pixel[1] * left + g, pixel[2] * left + b, alpha];
        }
    }

    /// Share of the scattered light that smoke of a temperature keeps.
    #[inline(always)]
    fn sooted(&self, temperature: f32) -> f32 {
        let warm = up_to(temperature, HOTTEST);
        decay(warm * warm * self.soot)
    }
}

/// True if any cell glows: a temperature of 0 or less has no emission and no opacity.
#[inline(always)]
fn any(temperature: &[f32]) -> bool {
    let mut most = 0.0;
    for &temperature in temperature {
        most = if temperature > most { temperature } else { most };
    }
    most > 0.0
}
