//! A cell's colour: bed, water and reflection.

use super::bed::{Bed, unpacked};
use super::caustics::Caustics;
use super::ground::GroundTexture;
use super::light::{Light, colour};
use super::optics::{facing_reflectance, fresnel, ggx};
use super::plane::Plane;
use super::reflection::Reflection;
use super::refraction::Refraction;
use super::scene::Scene;
use super::shading::{AlphaMode, Shading};
use super::shadow::Shadows;
use super::sky::{Eye, Sky};
use super::surface::{CHUNK, Facet, Slopes, Surface};
use crate::compute::cpu::Cpu;
use crate::picture::absorption::Absorption;
use crate::picture::layers::Cells;
use crate::picture::maths::{clamped, up_to};
use crate::sim::water::State;
use crate::sim::water::surface_maps::FOAM;

/// Depth in pixels of the film at a front over which reflections come in: a thinner one covers a part of its pixel.
const FILM: f32 = 1.0;

/// Squared slope from which on a face is white where the water foams.
const BREAKING: f32 = 0.5;
/// Largest share of foam on such a face.
const CRESTS: f32 = 0.4;
/// Share of the surface's slopes that the bubbles of foam follow.
const FROTH: f32 = 0.5;

/// Square of a highlight's width per squared change of the slopes over a cell.
const VARIANCE: f32 = 0.8;
/// Largest square of the width that changing slopes add.
const WIDEST: f32 = 0.25;

/// Squared change of the slopes over a cell above which its reflection is sampled at several places.
const BENT: f32 = 2e-4;
/// Places of the samples from the middle of a cell, cells: a rotated grid.
const SAMPLES: [[f32; 2]; 4] = [[-0.375, -0.125], [0.125, -0.375], [0.375, 0.125], [-0.125, 0.375]];

/// Part of a film by which the highest grains of the ground stand out of it.
const GRAINS_OUT: f32 = 1.4;

/// Part of a film's depth that counts for highlights.
const GLINT: f32 = 0.3;

/// Share of the reflection of smooth water that rough wet ground shows.
const SHEEN: f32 = 0.6;
/// Squared change of the slopes over a cell of wet ground.
const GRAINS: f32 = 0.04;
/// One over the largest slope of the film.
const EVENED: f32 = 4.0;

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
    absorption: Absorption,
    sky: Sky,
    eye: Eye,
    /// Reflectance seen straight on.
    facing: f32,
    /// Share of the light lost in the water that leaves it again: the scattered part, most of which the surface throws
    /// back from below.
    leaving: f32,
    highlight: Highlight,
    /// Albedo of foam, where there can be any.
    foam: Option<[f32; 3]>,
    /// Heights of which a film covers its pixel, 1 over them.
    covering: f32,
    /// Part of a film by which the highest grains of the ground stand out of it.
    grains: f32,
    /// Whether wet ground shines.
    shines: bool,
    cells_per_pixel: f32,
}

/// Light that a surface reflects.
#[derive(Clone, Copy, Default)]
struct Reflected {
    /// Fresnel reflectance.
    reflectance: f32,
    /// Radiance of the sky or the reflected picture, times the reflectance.
    sky: [f32; 3],
    /// Brightness of the light's highlight.
    highlight: f32,
}

/// Light from the bed.
enum Shown {
    /// The same everywhere.
    Even([f32; 3]),
    /// Of each cell, with the share of the film on wet ground that reflects.
    Cells(Plane<4>),
}

/// The light's reflection.
#[derive(Clone, Copy)]
struct Highlight {
    /// Half way between the light and the eye.
    half: [f32; 3],
    /// Square of the width of the distribution, of the surface's roughness and the light's size.
    alpha_squared: f32,
    /// Factor that is the same at all cells: Fresnel reflectance, and the visibility term of Kelemen.
    share: f32,
}

impl Highlight {
    fn new(light: &Light, eye: &Eye, facing: f32, shading: &Shading) -> Self {
        let sum: [f32; 3] = std::array::from_fn(|i| light.towards[i] + eye.towards[i]);
        let length = sum.iter().map(|part| part * part).sum::<f32>().sqrt().max(1e-3);
        let half = sum.map(|part| part / length);
        let cosine = half.iter().zip(eye.towards).map(|(a, b)| a * b).sum::<f32>().max(0.1);
        let roughness = clamped(shading.roughness, 0.05, 1.0) as f32;
        let share = fresnel(facing, cosine) / (4.0 * cosine * cosine);
        // A half vector turns by half the angle of the light, and the light's radius is half its size.
        let size = clamped(shading.light_size, 0.0, 60.0).to_radians() as f32 * 0.25;
        Self { half, alpha_squared: roughness * roughness * roughness * roughness + size * size, share }
    }

    /// Highlight of a slope, with the cosine to the light. Slopes that change within the cell widen it (Tokuyoshi and
    /// Kaplanyan 2019), so that it does not flicker.
    #[inline(always)]
    fn at(&self, [slope_x, slope_y]: [f32; 2], change: f32, upright: f32, facing_light: f32) -> f32 {
        let [x, y, z] = self.half;
        let cosine = up_to((z - x * slope_x - y * slope_y) * upright, 1.0);
        let alpha = (self.alpha_squared + (change * VARIANCE).min(WIDEST)).sqrt();
        ggx(alpha, cosine) * self.share * facing_light
    }
}

impl<'a> Shaded<'a> {
    /// Shaded cells of a state whose planes are in memory. Computes the light on the bed on the threads of `cpu`.
    pub fn new(cpu: &Cpu, state: &'a State, surface: Surface<'a>, scene: &Scene<'_>) -> Self {
        let Scene { shading, background, reflection } = *scene;
        let light = Light::new(shading);
        let refraction = Refraction::new(shading);
        let index = clamped(shading.index_of_refraction, 1.0, 3.0);
        let facing = facing_reflectance(index) as f32;
        let eye = Eye::new(shading);
        let bed = match shading.alpha_mode {
            AlphaMode::OverBed => {
                let strength = clamped(shading.caustics, 0.0, 100.0) as f32;
                let caustics = (strength > 0.0).then(|| Caustics::new(cpu, state, surface, refraction, &light));
                let caustics = caustics.as_ref().map(|caustics| (caustics, strength));
                let area = (surface, state.grid().width, clamped(shading.relief, 0.0, 1e6) as f32);
                let wet = state.surface_maps().map(|_| (state, clamped(shading.wet_darkening, 0.0, 1.0) as f32));
                let texture = GroundTexture::new(state);
                let even = state.terrain().is_none() && texture.is_none() && wet.is_none();
                let ground = (colour(shading.ground_colour), texture);
                let shadows = Shadows::new(state, f64::from(area.2) * state.grid().cells_per_pixel, &light, shading);
                let bed = Bed::new(area, light, ground, shadows, caustics, background, wet);
                if !even || caustics.is_some() || background.is_some() {
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
            water: shading.water_colour.map(|value| clamped(value, 0.0, 1.0) as f32),
            absorption: Absorption::new(clamped(shading.clarity, 1e-4, 1e6)),
            sky: Sky::new(shading, light, state.grid(), &state.frame()),
            eye,
            facing,
            leaving: (clamped(shading.murkiness, 0.0, 1.0) / (index * index)) as f32,
            highlight: Highlight::new(&light, &eye, facing, shading),
            foam: state.surface_maps().map(|_| colour(shading.foam_colour)),
            covering: clamped(shading.relief, 0.0, 1e6) as f32 / FILM,
            grains: if GroundTexture::is_drawn(state) { GRAINS_OUT } else { 0.0 },
            shines: shading.alpha_mode == AlphaMode::OverBed
                && state.surface_maps().is_some()
                && shading.wet_darkening > 0.0,
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
            let [r, g, b, _] = bed.at(x, y, dx, dy);
            *shown = [r, g, b];
        }
    }

    /// Draws cells without water: the bed.
    #[inline(always)]
    fn dry(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        let alpha = if self.alpha_mode == AlphaMode::OverBed { 1.0 } else { 0.0 };
        match &self.bed {
            Shown::Even([r, g, b]) => out.fill([*r, *g, *b, alpha]),
            Shown::Cells(bed) => {
                for (pixel, [r, g, b, _]) in out.iter_mut().zip(&bed.row(y)[from..]) {
                    *pixel = [*r, *g, *b, alpha];
                }
            }
        }
    }

    /// Adds what the film on wet ground reflects to cells of a row, of which water covers these shares. The film follows
    /// the grains of the ground, so that it shows the sky blurred.
    #[inline(always)]
    fn shine(&self, y: usize, from: usize, covers: &[f32], slopes: &Slopes, out: &mut [[f32; 4]]) {
        let Shown::Cells(bed) = &self.bed else { return };
        let cells = out.iter_mut().zip(&bed.row(y)[from..]).zip(covers).zip(from..);
        for ((((pixel, [.., last]), cover), x), (&sx, &sy)) in cells.zip(slopes.x.iter().zip(&slopes.y)) {
            let wet = unpacked(*last)[0] * (1.0 - cover);
            if wet <= 0.0 {
                continue;
            }
            // The film evens steps out.
            let [sx, sy] = [sx, sy].map(
                #[inline(always)]
                |slope| slope / (1.0 + slope.abs() * EVENED),
            );
            let upright = 1.0 / (1.0 + sx * sx + sy * sy).sqrt();
            let cosine = self.eye.cosine(sy, upright);
            let reflected = fresnel(self.facing, cosine) * SHEEN * wet;
            let sky = self.sky.reflected(&self.eye, [x, y], [sx, sy], GRAINS, upright, cosine);
            for i in 0..3 {
                pixel[i] += (sky[i] - pixel[i]) * reflected;
            }
        }
    }

    /// Share of a pixel that water of a height covers, where what lies on the ground is so high: from 0 to 1. Grains stand
    /// out of a film.
    #[inline(always)]
    fn cover(&self, height: f32, top: f32) -> f32 {
        let film = (height * self.covering).min(1.0);
        let over = up_to(film * (1.0 + self.grains) - self.grains * top, 1.0);
        over * over * (3.0 - 2.0 * over)
    }

    /// Heights of what lies on the ground of some cells of a row.
    #[inline(always)]
    fn tops(&self, y: usize, from: usize, tops: &mut [f32]) {
        match &self.bed {
            Shown::Even(_) => tops.fill(0.0),
            Shown::Cells(bed) => {
                tops.iter_mut().zip(&bed.row(y)[from..]).for_each(|(top, [.., last])| *top = unpacked(*last)[1]);
            }
        }
    }

    /// Light that a facet reflects towards the eye. Sky, picture and highlight are no linear functions of the slopes, so
    /// that a bent facet is sampled at several places.
    #[inline(always)]
    fn reflected(&self, cell: [usize; 2], facet: Facet) -> Reflected {
        if facet.change <= BENT {
            return self.mirrored(cell, facet.slopes, facet.change);
        }
        let ([slope_x, slope_y], [xx, yy, xy]) = (facet.slopes, facet.bend);
        let share = 1.0 / SAMPLES.len() as f32;
        let mut mean = Reflected::default();
        for [dx, dy] in SAMPLES {
            let slopes = [slope_x + xx * dx + xy * dy, slope_y + xy * dx + yy * dy];
            let sample = self.mirrored(cell, slopes, facet.change * share);
            mean.reflectance += sample.reflectance * share;
            mean.highlight += sample.highlight * share;
            for i in 0..3 {
                mean.sky[i] += sample.sky[i] * share;
            }
        }
        mean
    }

    /// Light that a plane of these slopes reflects towards the eye; `change` is the squared change of the slopes over it.
    #[inline(always)]
    fn mirrored(&self, cell @ [x, y]: [usize; 2], slopes @ [slope_x, slope_y]: [f32; 2], change: f32) -> Reflected {
        let upright = 1.0 / (1.0 + slope_x * slope_x + slope_y * slope_y).sqrt();
        let cosine = self.eye.cosine(slope_y, upright);
        let reflectance = fresnel(self.facing, cosine);
        let highlight = self.highlight.at(slopes, change, upright, self.light.facing(slope_x, slope_y, upright));
        let sky = self.sky.reflected(&self.eye, cell, slopes, change, upright, cosine);
        let picture = self.reflection.as_ref().map_or([0.0; 4], |picture| picture.at(x, y, slope_x, slope_y));
        let open = 1.0 - picture[3];
        Reflected { reflectance, sky: std::array::from_fn(|i| (sky[i] * open + picture[i]) * reflectance), highlight }
    }

    /// Cover by foam of some cells of a row, whose heights are in alpha: that of the state, and the faces of breaking
    /// waves, broken up by the texture that the water carries.
    #[inline(always)]
    fn foam_cover(&self, y: usize, from: usize, water: &[[f32; 4]], slopes: &Slopes) -> [f32; CHUNK] {
        let mut map = [[0.0; 4]; CHUNK];
        self.state.surface_map_cells(FOAM, y, from, &mut map[..water.len()]);
        let mut foam = map.map(|[share, ..]| share);
        for (((foam, &sx), &sy), [.., height]) in foam.iter_mut().zip(&slopes.x).zip(&slopes.y).zip(water) {
            let deep = (height * self.covering * 0.5).min(1.0);
            *foam = foam.max(up_to((sx * sx + sy * sy - BREAKING) * 0.6, CRESTS) * deep);
        }
        if let Some(detail) = self.surface.detail() {
            detail.break_up(y, from, &mut foam[..water.len()]);
        }
        foam
    }

    /// A pixel with foam on it, of the surface's slopes.
    #[inline(always)]
    fn foamed(&self, [r, g, b, a]: [f32; 4], albedo: [f32; 3], share: f32, slope_x: f32, slope_y: f32) -> [f32; 4] {
        let [slope_x, slope_y] = [slope_x * FROTH, slope_y * FROTH];
        let upright = 1.0 / (1.0 + slope_x * slope_x + slope_y * slope_y).sqrt();
        let facing = self.light.facing(slope_x, slope_y, upright);
        let mut rgb = [r, g, b];
        for i in 0..3 {
            let white = albedo[i] * (self.light.colour[i] * facing + self.light.around[i]);
            rgb[i] += (white - rgb[i]) * share;
        }
        [rgb[0], rgb[1], rgb[2], a + (1.0 - a) * share]
    }

    /// A pixel, of the water's colour and height at a cell, its slopes, the light from its bed and the height of what lies
    /// on the ground.
    #[inline(always)]
    pub fn pixel(
        &self,
        cell: [usize; 2],
        [r, g, b, height]: [f32; 4],
        facet: Facet,
        bed: [f32; 3],
        top: f32,
    ) -> [f32; 4] {
        let [slope_x, slope_y] = facet.slopes;
        let upright = 1.0 / (1.0 + slope_x * slope_x + slope_y * slope_y).sqrt();
        let facing_light = self.light.facing(slope_x, slope_y, upright);
        let cover = self.cover(height, top);
        let mirrored = self.reflected(cell, facet);
        let reflected = mirrored.reflectance * cover;
        // Beads of water on dry ground do not glint.
        let highlight = mirrored.highlight * self.cover(height * GLINT, top);
        let pigment = up_to(r.max(g).max(b), 1.0);
        let over_bed = self.alpha_mode == AlphaMode::OverBed;
        let dyes = [r, g, b];
        let colours: [f32; 3] = std::array::from_fn(|i| up_to(self.water[i] * (1.0 - pigment) + dyes[i], 1.0));
        let let_through = self.absorption.transmittance(colours, height);
        let mut rgb = [0.0; 3];
        for i in 0..3 {
            let light = self.light.colour[i];
            let around = self.light.around[i];
            let through = let_through[i];
            let scattered = (1.0 - through) * self.leaving * colours[i] * (light * facing_light + around);
            let sky = mirrored.sky[i] * cover;
            rgb[i] = (bed[i] * through + scattered) * (1.0 - reflected) + sky + light * highlight;
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
        for (i, out) in out.chunks_mut(CHUNK).enumerate() {
            let from = from + i * CHUNK;
            for pixel in out.iter_mut() {
                pixel[3] = if pixel[3] < least { 0.0 } else { pixel[3] };
            }
            let dry = out.iter().all(|pixel| pixel[3] == 0.0);
            if dry && !self.shines {
                self.dry(y, from, out);
                continue;
            }
            self.surface.slopes(y, from, out.len(), &mut slopes);
            if dry {
                self.dry(y, from, out);
                self.shine(y, from, &[0.0; CHUNK], &slopes, out);
                continue;
            }
            let mut covers = [0.0; CHUNK];
            let mut tops = [0.0; CHUNK];
            self.tops(y, from, &mut tops[..out.len()]);
            for ((cover, pixel), top) in covers.iter_mut().zip(out.iter()).zip(&tops) {
                *cover = self.cover(pixel[3], *top);
            }
            self.bed(y, from, out, &slopes, &mut bed);
            let foam = self.foam.map(|albedo| (albedo, self.foam_cover(y, from, out, &slopes)));
            for (at, ((pixel, &bed), &top)) in out.iter_mut().zip(&bed).zip(&tops).enumerate() {
                *pixel = self.pixel([from + at, y], *pixel, slopes.facet(at), bed, top);
            }
            if self.shines {
                self.shine(y, from, &covers, &slopes, out);
            }
            if let Some((albedo, foam)) = foam {
                for (((pixel, &foam), &sx), &sy) in out.iter_mut().zip(&foam).zip(&slopes.x).zip(&slopes.y) {
                    *pixel = self.foamed(*pixel, albedo, foam, sx, sy);
                }
            }
        }
    }
}
