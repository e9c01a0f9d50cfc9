//! Colour of a cell, from its density and the light on it.

use super::firelight::Firelight;
use super::flame::Flame;
use super::glow::{self, Glow};
use super::light::Lit;
use super::shading::{Fire, Shading};
use crate::compute::cpu::{Cpu, PrefetchQueue};
use crate::picture::layers::Cells;
use crate::picture::maths::{clamped, decay};
use crate::sim::smoke::State;
use crate::sim::smoke::state::Fire as Fields;

/// Number of cells that are shaded at once.
const CHUNK: usize = glow::MOST;

/// Cells of lit smoke, with or without fire.
pub struct Shaded<'a> {
    state: &'a State,
    lit: &'a Lit,
    light: [f32; 3],
    ambient: [f32; 3],
    opacity: f32,
    fire: Option<Burning>,
}

/// Fire, and the light that it sheds on smoke.
struct Burning {
    emission: Emission,
    light: Option<Firelight>,
}

/// Light of fire.
enum Emission {
    /// Of heat.
    Glow(Glow),
    /// Of burning fuel.
    Flame(Flame),
}

impl Burning {
    /// The fire of a state; `None` where nothing is hot.
    fn new(cpu: &Cpu, state: &State, fire: &Fire, depth: f64) -> Option<Self> {
        let (grid, temperature) = (&state.grid, &**state.air.temperature.as_ref()?);
        Some(match &state.air.fire {
            Some(Fields { gas, .. }) => {
                let (flame, gas) = (Flame::new(fire, grid.cells_per_pixel), &**gas);
                let light = Firelight::new(
                    cpu,
                    grid,
                    #[inline(always)]
                    |at| flame.body(temperature[at], gas[at]),
                    fire.light,
                    depth,
                );
                Self { emission: Emission::Flame(flame), light }
            }
            None => {
                let glow = Glow::new(fire);
                let light = Firelight::new(
                    cpu,
                    grid,
                    #[inline(always)]
                    |at| {
                        let [r, g, b, _] = if temperature[at] > 0.0 { glow.of(temperature[at]) } else { return None };
                        Some([r, g, b])
                    },
                    fire.light,
                    depth,
                );
                Self { emission: Emission::Glow(glow), light }
            }
        })
    }
}

impl<'a> Shaded<'a> {
    /// Shaded cells of a state in its light; the fire's light is computed on the threads of `cpu`.
    pub fn new(cpu: &Cpu, state: &'a State, shading: &Shading, fire: Option<&Fire>, lit: &'a Lit) -> Self {
        let colour = |rgb: [f64; 3]| rgb.map(|value| clamped(value, 0.0, 1e6) as f32);
        Self {
            state,
            lit,
            light: colour(shading.light_colour),
            ambient: colour(shading.ambient),
            opacity: clamped(shading.opacity, 0.0, 1e6) as f32,
            fire: fire.and_then(|fire| Burning::new(cpu, state, fire, shading.depth)),
        }
    }
}

impl Shaded<'_> {
    /// Prefetches the values of the cells from number `first` on, which are shaded one row later.
    #[inline(always)]
    fn ask(&self, first: usize) {
        let cells = |count: usize| first.min(count)..(first + CHUNK).min(count);
        let mut ahead = PrefetchQueue::new();
        for plane in self.lit.planes() {
            ahead.push(&plane[cells(plane.len())]);
        }
        let air = &self.state.air;
        ahead.push(&air.dye[cells(air.dye.len())]);
        if let (Some(_), Some(temperature)) = (&self.fire, &air.temperature) {
            ahead.push(&temperature[cells(temperature.len())]);
        }
        ahead.spread(1);
        ahead.issue();
    }
}

impl Cells for Shaded<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        let width = self.state.grid.width;
        let (mut direct, mut around, mut warm) = ([0.0; CHUNK], [0.0; CHUNK], [[0.0; 3]; CHUNK]);
        for (i, out) in out.chunks_mut(CHUNK).enumerate() {
            let from = from + i * CHUNK;
            self.ask(y * width + from + out.len());
            let (direct, around) = (&mut direct[..out.len()], &mut around[..out.len()]);
            self.lit.row(y, from, direct, around);
            let warm = &mut warm[..out.len()];
            if let Some(light) = self.fire.as_ref().and_then(|fire| fire.light.as_ref()) {
                light.row(y, from, warm);
            }
            let dye = &self.state.air.dye[y * width + from..];
            for ((((pixel, &[r, g, b, density]), &direct), &around), &warm) in
                out.iter_mut().zip(dye).zip(&*direct).zip(&*around).zip(&*warm)
            {
                let density = density.max(0.0);
                let alpha = 1.0 - decay(density * self.opacity);
                // Colour by density; thin smoke is thin, not black.
                let share = if density > 0.0 { alpha / density.max(f32::MIN_POSITIVE) } else { 0.0 };
                let shown = |i: usize, dye: f32| {
                    (dye.max(0.0) * share).min(BRIGHTEST)
                        * (self.light[i] * direct + self.ambient[i] * around + warm[i])
                };
                *pixel = [shown(0, r), shown(1, g), shown(2, b), alpha];
            }
            let Some(Burning { emission, .. }) = &self.fire else { continue };
            let air = &self.state.air;
            match (emission, &air.temperature, &air.fire) {
                (Emission::Glow(glow), Some(temperature), _) => glow.over(&temperature[y * width + from..], out),
                (Emission::Flame(flame), _, Some(fire)) => {
                    for (x, pixel) in out.iter_mut().enumerate() {
                        let lit = |i: usize| self.light[i] * direct[x] + self.ambient[i] * around[x] + warm[x][i];
                        flame.over(self.state, fire, [from + x, y], [lit(0), lit(1), lit(2)], pixel);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Upper limit of the colour of dye.
const BRIGHTEST: f32 = 1e6;
