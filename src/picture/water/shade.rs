//! A cell's colour: bed, water and reflection.

use super::bed::Bed;
use super::caustics::Caustics;
use super::light::{Light, colour};
use super::optics::{facing_reflectance, fresnel, ggx, transmittance};
use super::plane::Plane;
use super::reflection::Reflection;
use super::refraction::Refraction;
use super::scene::Scene;
use super::shading::AlphaMode;
use super::surface::{CHUNK, Slopes, Surface};
use crate::compute::cpu::Cpu;
use crate::picture::layers::Cells;
use crate::picture::maths::{held, up_to};
use crate::sim::water::State;
use crate::sim::water::surface_maps::FOAM;

/// Depth in pixels of the film at a front over which reflections come in: a thinner one covers a part of its pixel.
const FILM: f32 = 1.0;

/// Shaded water, premultiplied linear light.
pub struct Shaded<'a> {
    state: &'a State,
    surface: Surface<'a>,
    refraction: Refraction,
    light: Light,
    bed: Shown,
    /// The picture that is reflected instead of the sky.
    reflection: Option<Reflection>,
    alpha_mode: AlphaMode,
    water: [f32; 3],
    sky: [f32; 3],
    horizon: [f32; 3],
    scattering: f32,
    /// Reflectance seen straight on.
    facing: f32,
    /// Share of the light scattered in the water that leaves it: most is thrown back by the surface from below.
    leaving: f32,
    highlight: Highlight,
    /// Albedo of foam, where there can be any.
    foam: Option<[f32; 3]>,
    /// Heights of which a film covers its pixel, 1 over them.
    covering: f32,
    cells_per_pixel: f32,
}

/// Light on the way to the eye through and from a cell of the surface.
#[derive(Clone, Copy)]
pub struct Seen {
    /// Light from the bed.
    pub bed: [f32; 3],
    /// Reflected picture instead of the sky, premultiplied.
    pub reflected: [f32; 4],
}

/// Light from the bed.
enum Shown {
    /// The same everywhere.
    Even([f32; 3]),
    /// Of each cell.
    Cells(Plane<3>),
}

/// The light's reflection.
#[derive(Clone, Copy)]
struct Highlight {
    /// Half way between the light and the eye.
    half: [f32; 3],
    /// Width of the distribution.
    alpha: f32,
    /// Factor that is the same at all cells: Fresnel reflectance, and the visibility term of Kelemen.
    share: f32,
}

impl Highlight {
    fn new(light: &Light, facing: f32, roughness: f64) -> Self {
        let [x, y, z] = light.towards;
        let length = (x * x + y * y + (z + 1.0) * (z + 1.0)).sqrt();
        let half = [x / length, y / length, (z + 1.0) / length];
        let roughness = held(roughness, 0.05, 1.0) as f32;
        let share = fresnel(facing, half[2]) / (4.0 * half[2] * half[2]);
        Self { half, alpha: roughness * roughness, share }
    }

    /// Highlight of a slope, with the cosine to the light.
    #[inline(always)]
    fn at(&self, slope_x: f32, slope_y: f32, upright: f32, facing_light: f32) -> f32 {
        let [x, y, z] = self.half;
        let cosine = up_to((z - x * slope_x - y * slope_y) * upright, 1.0);
        ggx(self.alpha, cosine) * self.share * facing_light
    }
}

impl<'a> Shaded<'a> {
    /// Shaded cells of a state whose planes are in memory. Computes the light on the bed on the threads of `cpu`.
    pub fn new(cpu: &Cpu, state: &'a State, scene: &Scene<'_>) -> Self {
        let Scene { shading, background, reflection } = *scene;
        let surface = Surface::new(state, held(shading.relief, 0.0, 1e6));
        let light = Light::new(shading);
        let refraction = Refraction::new(shading);
        let index = held(shading.index_of_refraction, 1.0, 3.0);
        let facing = facing_reflectance(index) as f32;
        let bed = match shading.alpha_mode {
            AlphaMode::OverBed => {
                let strength = held(shading.caustics, 0.0, 100.0) as f32;
                let caustics = (strength > 0.0).then(|| Caustics::new(cpu, state, surface, refraction, &light));
                let caustics = caustics.as_ref().map(|caustics| (caustics, strength));
                let area = (surface, state.grid().width);
                let wet = state.surface_maps().map(|_| (state, held(shading.wet_darkening, 0.0, 1.0) as f32));
                let bed = Bed::new(area, light, colour(shading.ground_colour), caustics, background, wet);
                if state.terrain().is_some() || caustics.is_some() || background.is_some() || wet.is_some() {
                    Shown::Cells(Plane::new(cpu, state, &bed))
                } else {
                    Shown::Even(bed.even())
                }
            }
            AlphaMode::WaterOnly => Shown::Even([0.0; 3]),
        };
        Self {
            state,
            surface,
            refraction,
            light,
            bed,
            reflection: reflection.map(|picture| Reflection::new(cpu, state, picture, shading.reflection_distance)),
            alpha_mode: shading.alpha_mode,
            water: shading.water_colour.map(|value| held(value, 0.0, 1.0) as f32),
            sky: colour(shading.sky_colour),
            horizon: colour(shading.horizon_colour),
            scattering: held(shading.density, 0.0, 1e6) as f32,
            facing,
            leaving: (1.0 / (index * index)) as f32,
            highlight: Highlight::new(&light, facing, shading.roughness),
            foam: state.surface_maps().map(|_| colour(shading.foam_colour)),
            covering: held(shading.relief, 0.0, 1e6) as f32 / FILM,
            cells_per_pixel: state.grid().cells_per_pixel as f32,
        }
    }

    /// Light from the bed below each cell.
    #[inline(always)]
    fn bed(&self, y: usize, from: usize, out: &[[f32; 4]], slopes: &Slopes, shown: &mut [[f32; 3]; CHUNK]) {
        let bed = match &self.bed {
            Shown::Even(even) => return shown.fill(*even),
            Shown::Cells(bed) => bed,
        };
        let mut aside = [[0.0; 2]; CHUNK];
        for (((aside, pixel), &sx), &sy) in aside.iter_mut().zip(out).zip(&slopes.x).zip(&slopes.y) {
            *aside = self.refraction.offset(pixel[3], sx, sy).map(|pixels| pixels * self.cells_per_pixel);
        }
        for ((x, shown), [dx, dy]) in (from..from + out.len()).zip(shown).zip(aside) {
            *shown = bed.at(x, y, dx, dy);
        }
    }

    /// Draws cells without water: the bed.
    #[inline(always)]
    fn dry(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        let alpha = if self.alpha_mode == AlphaMode::OverBed { 1.0 } else { 0.0 };
        match &self.bed {
            Shown::Even([r, g, b]) => out.fill([*r, *g, *b, alpha]),
            Shown::Cells(bed) => {
                for (pixel, [r, g, b]) in out.iter_mut().zip(&bed.row(y)[from..]) {
                    *pixel = [*r, *g, *b, alpha];
                }
            }
        }
    }

    /// Reflected picture at each cell, premultiplied.
    #[inline(always)]
    fn reflected(&self, y: usize, from: usize, out: &[[f32; 4]], slopes: &Slopes, shown: &mut [[f32; 4]; CHUNK]) {
        let Some(reflection) = &self.reflection else { return };
        for ((((x, pixel), shown), &sx), &sy) in (from..).zip(out).zip(shown).zip(&slopes.x).zip(&slopes.y) {
            *shown = if pixel[3] > 0.0 { reflection.at(x, y, sx, sy) } else { [0.0; 4] };
        }
    }

    /// A pixel with foam on it, of the surface's slopes.
    #[inline(always)]
    fn foamed(&self, [r, g, b, a]: [f32; 4], albedo: [f32; 3], share: f32, slope_x: f32, slope_y: f32) -> [f32; 4] {
        let upright = 1.0 / (1.0 + slope_x * slope_x + slope_y * slope_y).sqrt();
        let facing = self.light.facing(slope_x, slope_y, upright);
        let mut rgb = [r, g, b];
        for i in 0..3 {
            let white = albedo[i] * (self.light.colour[i] * facing + self.light.around[i]);
            rgb[i] += (white - rgb[i]) * share;
        }
        [rgb[0], rgb[1], rgb[2], a + (1.0 - a) * share]
    }

    /// A pixel, of the water's colour and height, and its slopes.
    #[inline(always)]
    pub fn pixel(&self, [r, g, b, height]: [f32; 4], slope_x: f32, slope_y: f32, seen: Seen) -> [f32; 4] {
        let upright = 1.0 / (1.0 + slope_x * slope_x + slope_y * slope_y).sqrt();
        let facing_light = self.light.facing(slope_x, slope_y, upright);
        let cover = (height * self.covering).min(1.0);
        let reflected = fresnel(self.facing, upright) * cover;
        let highlight = self.highlight.at(slope_x, slope_y, upright, facing_light) * cover;
        // Vertical part of the reflected ray.
        let up = (2.0 * upright * upright - 1.0).max(0.0);
        let pigment = up_to(r.max(g).max(b), 1.0);
        let over_bed = self.alpha_mode == AlphaMode::OverBed;
        let dyes = [r, g, b];
        let open = 1.0 - seen.reflected[3];
        let mut let_through = [0.0; 3];
        let mut rgb = [0.0; 3];
        for i in 0..3 {
            let light = self.light.colour[i];
            let around = self.light.around[i];
            let colour = up_to(self.water[i] * (1.0 - pigment) + dyes[i], 1.0);
            let through = transmittance(colour, self.scattering, height);
            let scattered = (1.0 - through) * self.leaving * colour * (light * facing_light + around);
            let sky = (self.horizon[i] + (self.sky[i] - self.horizon[i]) * up) * open + seen.reflected[i];
            rgb[i] = (seen.bed[i] * through + scattered) * (1.0 - reflected) + sky * reflected + light * highlight;
            let_through[i] = through;
        }
        let [tr, tg, tb] = let_through;
        let alpha = if over_bed { 1.0 } else { 1.0 - (1.0 - reflected) * ((tr + tg + tb) * (1.0 / 3.0)) };
        [rgb[0], rgb[1], rgb[2], alpha]
    }
}

impl Cells for Shaded<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        self.state.water_cells(y, from, out);
        let least = (f64::from(self.state.wet_limit()) / self.state.units()) as f32;
        let mut slopes = Slopes::FLAT;
        let mut bed = [[0.0; 3]; CHUNK];
        let mut reflected = [[0.0; 4]; CHUNK];
        for (i, out) in out.chunks_mut(CHUNK).enumerate() {
            let from = from + i * CHUNK;
            for pixel in out.iter_mut() {
                pixel[3] = if pixel[3] < least { 0.0 } else { pixel[3] };
            }
            if out.iter().all(|pixel| pixel[3] == 0.0) {
                self.dry(y, from, out);
                continue;
            }
            self.surface.slopes(y, from, out.len(), &mut slopes);
            self.bed(y, from, out, &slopes, &mut bed);
            self.reflected(y, from, out, &slopes, &mut reflected);
            let seen = bed.iter().zip(&reflected).map(|(&bed, &reflected)| Seen { bed, reflected });
            for (((pixel, &sx), &sy), seen) in out.iter_mut().zip(&slopes.x).zip(&slopes.y).zip(seen) {
                *pixel = self.pixel(*pixel, sx, sy, seen);
            }
            if let Some(albedo) = self.foam {
                let mut foam = [[0.0; 4]; CHUNK];
                let foam = &mut foam[..out.len()];
                self.state.surface_map_cells(FOAM, y, from, foam);
                for (((pixel, foam), &sx), &sy) in out.iter_mut().zip(foam).zip(&slopes.x).zip(&slopes.y) {
                    *pixel = self.foamed(*pixel, albedo, foam[0], sx, sy);
                }
            }
        }
    }
}
