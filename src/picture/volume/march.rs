//! The march along a ray: light that reaches the camera, segment by segment, in closed form.
//!
//! Within a segment the medium and its light are constant: `C += T·(1 − E)·S`, `T *= E` with `E = exp(−σ·d)` (Hillaire
//! 2015). Tiles without contents are passed over by whole segments.

use wide::f32x4;

use super::coarse::CoarseGrid;
use super::detail::{Detail, DetailReader};
use super::fire::Burning;
use super::lights::Illumination;
use super::look::{LIGHTS, Light, VolumeLook};
use super::medium::{HOT, Medium, SOOTY, TINTED, Tiles};
use super::motion::Motion;
use super::phase::{OCTAVES, Phase};
use super::pixel::{Data, Pixel, Record};
use super::rays::{Exits, Segments};
use super::sample::{Finder, Grid, Patch, Volume};
use super::sources::{Source, SourceKind};
use super::vector::{decay4, four, largest};
use crate::picture::maths::{clamped, dot, up_to};

/// Transmittance at which a ray ends.
const DARK: f32 = 1e-4;

/// Transmittance below which two segments are marched as one.
const DIM: f32 = 0.02;

/// Alpha at which a ray has met the medium.
const FIRST: f32 = 0.01;

/// Unit of the shadows.
const UNIT: f32 = 1.0 / 65535.0;

/// Marches rays through a medium in light.
pub struct Marcher<'a> {
    /// Tiles that rays may find contents in.
    tiles: &'a Tiles,
    /// Tiles of the medium, where positions are displaced before it is read.
    displaced: Option<&'a Tiles>,
    burning: Option<&'a Burning>,
    densities: Grid<'a, f32>,
    gas: Option<Grid<'a, [f32; 4]>>,
    tint: Option<Grid<'a, [f32; 4]>>,
    base: Option<Grid<'a, f32>>,
    shadows: Option<Grid<'a, [u16; 4]>>,
    around: CoarseGrid<'a, [f32; 4]>,
    fire: Option<CoarseGrid<'a, [f32; 4]>>,
    phase: &'a Phase,
    finder: Finder,
    /// Velocity of the medium, cells per frame, for rays at other times.
    velocity: Option<CoarseGrid<'a, [f32; 4]>>,
    detail: Option<DetailReader<'a>>,
    sources: Vec<Source>,
    albedo: [f32; 3],
    /// Light behind the medium.
    behind: [f32; 3],
    /// Extinction by channel, and 1.
    extinction: f32x4,
    /// Whether the extinction of smoke by channel is that of its tint.
    absorbs_by_colour: bool,
    /// Length of a segment, cells.
    length: f32,
    /// Flags that every tile is taken to have.
    flags: u8,
}

impl<'a> Marcher<'a> {
    /// Marches through a medium with shading settings and lights.
    pub fn new(
        medium: &'a Medium,
        light: &'a Illumination,
        phase: &'a Phase,
        look: &VolumeLook,
        lights: &[Light],
    ) -> Self {
        let sources = lights.iter().take(LIGHTS).map(|light| Source::new(medium, light)).collect();
        let factor = |value: f64, most: f64| clamped(value, 0.0, most) as f32;
        Self {
            tiles: &medium.tiles,
            displaced: None,
            burning: medium.burning.as_ref(),
            densities: medium.extinction.grid(),
            gas: medium.gas.as_ref().map(Volume::grid),
            tint: medium.tint.as_ref().map(Volume::grid),
            base: medium.base.as_ref().map(Volume::grid),
            shadows: light.shadows.as_ref().map(Volume::grid),
            around: light.around.grid(),
            fire: light.fire.as_ref().map(|fire| fire.radiance.grid()),
            phase,
            finder: Finder::new(medium.extinction.size),
            velocity: None,
            detail: None,
            sources,
            albedo: look.albedo.map(|albedo| factor(albedo, 1.0)),
            behind: look.behind.map(|light| factor(light, 1e6)),
            extinction: four(look.extinction.map(|extinction| factor(extinction, 1e3)), 1.0),
            absorbs_by_colour: look.absorbs_by_colour,
            length: segment_length(look) as f32,
            flags: 0,
        }
    }

    /// The marcher through a medium in motion: a ray sees the contents that come to its positions at its time.
    pub fn through(self, motion: &'a Motion) -> Self {
        let Motion { velocity, detail, tiles } = motion;
        let detail = detail.as_ref().map(Detail::reader);
        Self { tiles, displaced: Some(self.tiles), velocity: Some(velocity.grid()), detail, ..self }
    }

    /// The marcher without skipping of empty tiles.
    #[cfg(test)]
    pub fn through_all(self) -> Self {
        Self { flags: super::medium::DENSE | HOT | SOOTY | TINTED, ..self }
    }

    /// Marches along the segments of a ray. With `DATA` it collects data and goes on to the end of the ray.
    #[inline(always)]
    pub fn march<const DATA: bool>(&self, ray: &Segments) -> Pixel {
        self.march_into::<DATA, ()>(ray, &mut ())
    }

    /// [`march`](Self::march), which gives its segments to `record`.
    #[inline(always)]
    pub fn march_into<const DATA: bool, R: Record>(&self, ray: &Segments, record: &mut R) -> Pixel {
        let zero = f32x4::ZERO;
        let (mut lights, mut ambient, mut bounced, mut emission) = ([zero; LIGHTS], zero, zero, zero);
        let mut clear = f32x4::splat(1.0);
        let mut data = Data::default();
        let (mut weights, has_points) = self.ray_weights(ray.direction);
        let exits = Exits::new(ray);
        let count = self.sources.len();
        let mut at = 0;
        let mut is_dim = false;
        let mut octaves = self.detail.as_ref().map_or(0, |detail| detail.octaves(1.0));
        while at < ray.count {
            // Pairs begin at even segments, so that they do not depend on the tiles that are passed over.
            let is_pair = is_dim && at % 2 == 0 && at + 2 < ray.count;
            let (stride, share) = match is_pair {
                true => (2, 2.0),
                false if at + 1 == ray.count => (1, ray.last),
                false => (1, 1.0),
            };
            let middle = at as f32 + 0.5 * (share - 1.0);
            let q = ray.start + ray.step * f32x4::splat(middle);
            let place = self.finder.place(q);
            let tile = place.tile();
            let mut flag = self.tiles.flag(tile) | self.flags;
            if flag == 0 {
                let next = exits.next(at, tile);
                at = (at + stride).max(if is_dim { next - next % 2 } else { next });
                continue;
            }
            at += stride;
            let (mut q, mut place, mut factor) = (q, place, 1.0);
            if let Some(tiles) = self.displaced {
                if let Some(velocity) = &self.velocity
                    && ray.time != 0.0
                {
                    q -= velocity.at(q) * f32x4::splat(ray.time);
                }
                if let Some(detail) = &self.detail
                    && !is_dim
                {
                    let way;
                    (way, factor) = detail.at(q, octaves);
                    q += way;
                }
                place = self.finder.place(q);
                flag = tiles.flag(place.tile()) | self.flags;
                if flag == 0 {
                    continue;
                }
            }
            let patch = self.finder.patch(q);
            let extinction = self.densities.smooth(&patch) * factor;
            if !(extinction > 0.0 || flag & HOT != 0) {
                continue;
            }
            let length = self.length * share;
            let gas = match &self.gas {
                Some(gas) if flag & (HOT | SOOTY) != 0 => {
                    Some((gas.smooth(&patch) * f32x4::new([1.0, 1.0, 1.0, factor])).to_array())
                }
                _ => None,
            };
            let tint = match &self.tint {
                Some(tint) if flag & TINTED != 0 => Some(tint.smooth(&patch) * f32x4::splat(factor)),
                _ => None,
            };
            let depth = if self.absorbs_by_colour {
                // Soot and fire absorb all colours alike.
                let grey = gas.map_or(0.0, |[.., part]| (extinction - part).max(0.0));
                let smoke = with_fourth(tint.unwrap_or(zero), extinction - grey);
                self.extinction * (smoke + f32x4::splat(grey)) * f32x4::splat(length)
            } else {
                self.extinction * f32x4::splat(extinction * length)
            };
            let keep = decay4(depth);
            let lost = f32x4::splat(1.0) - keep;
            let covered = clear * lost;
            let scattered = match gas {
                Some([.., part]) if extinction > 0.0 => covered * f32x4::splat(up_to(part / extinction, 1.0)),
                _ => covered,
            };
            let scattered = match tint {
                // Of what scatters, the share that the colour leaves.
                Some(tint) if extinction > 0.0 => {
                    let whole = gas.map_or(extinction, |[.., part]| part.min(extinction)).max(1e-12);
                    let left = f32x4::splat(1.0) - tint * f32x4::splat(1.0 / whole);
                    scattered * left.fast_max(zero).fast_min(f32x4::splat(1.0))
                }
                _ => scattered,
            };
            if let Some(shadows) = &self.shadows {
                if has_points {
                    self.point_weights(q, ray.direction, &mut weights);
                }
                // Shadows are integrals, and smooth between cells as they are.
                let root = shadows.at(&place) * f32x4::splat(UNIT);
                let square = root * root;
                let light = (square * square) * weights[0] + square * weights[1] + root * weights[2];
                let light = light.to_array();
                for (sum, light) in lights[..count].iter_mut().zip(light) {
                    *sum += scattered * f32x4::splat(light);
                }
            }
            ambient += scattered * self.around.at(q);
            if let Some(fire) = &self.fire {
                bounced += scattered * fire.at(q);
            }
            if let (Some(gas), Some(burning)) = (gas, self.burning)
                && flag & HOT != 0
            {
                let mut emitted = burning.emission(gas);
                if let Some(base) = &self.base {
                    emitted = burning.with_base(emitted, base.smooth(&patch));
                }
                if emitted != [0.0; 3] {
                    emission += clear * four(emitted, 0.0) * mean_clear(depth, lost) * f32x4::splat(length);
                }
            }
            if DATA {
                let middle = middle + 0.5;
                let weight = covered.to_array()[3];
                self.collect(&mut data, &patch, [middle, share, weight, clear.to_array()[3]], gas, extinction * length);
            }
            clear *= keep;
            if R::ON {
                let light = self.pixel(&lights, ambient, emission, (bounced, clear)).light();
                let near = middle + 0.5 - 0.5 * share;
                record.segment([near, near + share], extinction * length, light, clear.to_array()[3]);
            }
            let brightest = largest(clear);
            if !DATA && brightest < DARK {
                break;
            }
            is_dim = brightest < DIM;
            if let Some(detail) = &self.detail {
                octaves = detail.octaves(brightest);
            }
        }
        Pixel { clear: clear.to_array(), data, ..self.pixel(&lights, ambient, emission, (bounced, clear)) }
    }

    /// The light of a pixel from the sums along its ray, and the transmittance.
    #[inline(always)]
    fn pixel(
        &self,
        lights: &[f32x4; LIGHTS],
        ambient: f32x4,
        emission: f32x4,
        (bounced, clear): (f32x4, f32x4),
    ) -> Pixel {
        let channels = |sum: f32x4, factor: [f32; 3]| {
            let sum = sum.to_array();
            [sum[0] * factor[0], sum[1] * factor[1], sum[2] * factor[2]]
        };
        let mut pixel = Pixel::default();
        for ((to, sum), source) in pixel.lights.iter_mut().zip(*lights).zip(&self.sources) {
            let [r, g, b] = source.colour;
            *to = channels(sum, [self.albedo[0] * r, self.albedo[1] * g, self.albedo[2] * b]);
        }
        pixel.ambient = channels(ambient, self.albedo);
        // A merge with alpha keeps as much of the picture behind in each channel; the channels let more of it through.
        let [red, green, blue, kept] = clear.to_array();
        for ((to, clear), light) in pixel.ambient.iter_mut().zip([red, green, blue]).zip(self.behind) {
            *to += light * up_to(clear - kept, 1.0);
        }
        pixel.emission = channels(emission + bounced * four(self.albedo, 0.0), [1.0; 3]);
        pixel
    }

    /// Phase-function weights of the octaves for directional lights, and whether there are point lights.
    #[inline(always)]
    fn ray_weights(&self, direction: [f32; 3]) -> ([f32x4; OCTAVES], bool) {
        let mut weights = [[0.0; 4]; OCTAVES];
        let mut has_points = false;
        for (lane, source) in self.sources.iter().enumerate() {
            match source.kind {
                SourceKind::Parallel(to_light) => {
                    let octaves = self.phase.weights(dot(to_light, direction));
                    weights.iter_mut().zip(octaves).for_each(|(weights, weight)| weights[lane] = weight);
                }
                SourceKind::Point(_) => has_points = true,
            }
        }
        (weights.map(f32x4::new), has_points)
    }

    /// Sets the phase-function weights of the octaves for point lights at a position.
    #[inline(always)]
    fn point_weights(&self, q: f32x4, direction: [f32; 3], weights: &mut [f32x4; OCTAVES]) {
        let [x, y, z, _] = q.to_array();
        let mut lanes = weights.map(f32x4::to_array);
        for (lane, source) in self.sources.iter().enumerate() {
            let SourceKind::Point(point) = source.kind else { continue };
            let light = point.at([x, y, z]);
            let octaves = self.phase.weights(dot(light.to_light, direction) * light.inverse);
            lanes.iter_mut().zip(octaves).for_each(|(lanes, weight)| lanes[lane] = weight * light.intensity);
        }
        *weights = lanes.map(f32x4::new);
    }

    /// Adds a segment to the data: its middle, the share that the ray passes, its contribution to alpha, and the
    /// transmittance before it.
    #[inline(always)]
    fn collect(
        &self,
        data: &mut Data,
        patch: &Patch,
        [middle, share, weight, clear]: [f32; 4],
        gas: Option<[f32; 4]>,
        depth: f32,
    ) {
        let after = clear - weight;
        if data.first.is_none() && after <= 1.0 - FIRST {
            data.first = Some(middle);
        }
        if data.half.is_none() && after <= 0.5 {
            let passed = if weight > 0.0 { (clear - 0.5) / weight } else { 0.0 };
            data.half = Some(middle + (passed - 0.5) * share);
        }
        if clear > DARK && weight > 0.0 {
            data.last = middle + 0.5 * share;
        }
        data.covered += weight;
        data.mean += weight * middle;
        let gradient = self.densities.gradient(patch);
        data.gradient.iter_mut().zip(gradient).for_each(|(sum, slope)| *sum += weight * slope);
        data.integrals[0] += depth;
        if let (Some(gas), Some(burning)) = (gas, self.burning)
            && burning.glows(gas)
            && gas[0] > data.integrals[1]
        {
            data.integrals[1] = gas[0];
        }
    }
}

/// Length of a segment, cells.
pub fn segment_length(look: &VolumeLook) -> f64 {
    clamped(look.step, 0.05, 4.0)
}

/// The first three components of `v`, which are at least 0, and another fourth.
#[inline(always)]
fn with_fourth(v: f32x4, fourth: f32) -> f32x4 {
    let [red, green, blue, _] = v.fast_max(f32x4::ZERO).to_array();
    f32x4::new([red, green, blue, fourth])
}

/// Mean transmittance within a segment: (1 − e^−x)/x.
#[inline(always)]
fn mean_clear(depth: f32x4, lost: f32x4) -> f32x4 {
    let (depth, lost) = (depth.to_array(), lost.to_array());
    f32x4::new(std::array::from_fn(|channel| {
        if depth[channel] > 1e-2 {
            lost[channel] / depth[channel]
        } else {
            1.0 - depth[channel] * (0.5 - depth[channel] * (1.0 / 6.0))
        }
    }))
}
