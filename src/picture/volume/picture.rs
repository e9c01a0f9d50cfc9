//! The layers of a picture.

use super::catcher::CatcherShading;
use super::lights::Illumination;
use super::look::{LIGHTS, Light, VolumeLook};
use super::march::{Marcher, segment_length};
use super::medium::{Medium, Tiles};
use super::motion::{Motion, Velocity};
use super::phase::Phase;
use super::pixel::{Data, Pixel};
use super::rays::{Caster, Segments};
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Wide, wide};
use crate::picture::camera::{Camera, Projection};
use crate::picture::catcher::{Received, along};
use crate::picture::masks::{Masks, Scene};
use crate::picture::placement::{Axis, Placement};
use crate::sim::request;
use crate::sim::volume::fields::VolumeView;

/// Rows of a picture that a thread marches at once.
const ROWS: usize = 4;

/// A layer of a picture. Colours are premultiplied; layers but the beauty have an alpha of 0 unless stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// All light, and alpha: the lights in their order, ambient, emission.
    Beauty,
    /// Light of a light.
    Light(usize),
    /// Light from all around.
    Ambient,
    /// Light of fire, and its light on smoke and on the shadow catcher.
    Emission,
    /// Transmittance by channel, 1 without medium, and alpha.
    Transmittance,
    /// Alpha in all channels.
    Alpha,
    /// Distances from the camera along its axis, world units: where alpha reaches 1 %; the mean, weighted by the
    /// contribution to alpha; where the transmittance is ½; the last one that contributes. 0 where there is none.
    Depth,
    /// World position of the mean depth, and alpha.
    Position,
    /// Motion to the next frame and to the previous one, pixels: that of the velocity at the mean depth.
    Motion,
    /// Normal of the density, a unit vector in the world towards less density, and alpha; 0 without medium.
    Normal,
    /// Optical depth along the whole ray; the largest temperature of fire on it; 0; alpha.
    Projected,
    /// Light of fire on the surface of the shadow catcher, and the strength of the shadow on it as alpha, without the
    /// medium before them.
    Catcher,
}

impl Layer {
    /// Whether the layer has data along rays.
    pub fn is_data(self) -> bool {
        matches!(self, Self::Depth | Self::Position | Self::Motion | Self::Normal | Self::Projected)
    }
}

/// A medium in light, for any camera.
pub struct Lit<'a> {
    /// `None` where there are no cells.
    contents: Option<(Medium, Illumination)>,
    velocity: Option<Velocity<'a>>,
    /// For pictures at other times.
    motion: Option<Motion>,
    phase: Phase,
    pub(super) look: &'a VolumeLook,
    lights: &'a [Light],
}

/// A view of a medium.
#[derive(Clone, Copy)]
pub struct Shot<'a> {
    /// The camera.
    pub camera: Camera,
    /// Exposures within the shutter's time, whose mean is the picture; empty for the camera alone. Data layers are those
    /// of the camera.
    pub shutter: &'a [Exposure],
    /// The frame that the camera sees, with the cells onto which the scene is sampled.
    pub grid: Placement,
    /// Pictures that hide the medium.
    pub scene: Scene<'a>,
    /// The pixels.
    pub pixels: Placement,
}

/// A part of the time in which the shutter is open.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Exposure {
    /// The camera.
    pub camera: Camera,
    /// Time, frames from that of the picture.
    pub time: f64,
    /// The place of the medium relative to that of the picture, world units.
    pub shift: [f64; 3],
}

/// Layers of a picture, rows from the lowest on.
pub struct Layers {
    planes: Vec<(Layer, Vec<[f32; 4]>)>,
}

impl Shot<'_> {
    /// The frame that the camera sees, `[x1, y1, x2, y2]`.
    pub fn frame(&self) -> [f64; 4] {
        self.grid.frame()
    }
}

impl<'a> Lit<'a> {
    /// Computes the light in a view of a volume, on the threads of `cpu`. Lights beyond [`LIGHTS`] are left out.
    pub fn new(cpu: &Cpu, view: &VolumeView<'a>, look: &'a VolumeLook, lights: &'a [Light]) -> Self {
        let lights = &lights[..lights.len().min(LIGHTS)];
        let phase = Phase::new(look);
        let contents = Medium::new(cpu, view, look).map(|medium| {
            let light = Illumination::new(cpu, &medium, look, lights, phase.mean_cosine);
            (medium, light)
        });
        Self { contents, velocity: Velocity::new(view), motion: None, phase, look, lights }
    }

    /// The medium of a simulation of `time_scale` simulated frames per frame.
    pub fn with_time_scale(mut self, time_scale: f64) -> Self {
        if let Some(velocity) = &mut self.velocity {
            velocity.time_scale = time_scale;
        }
        self
    }

    /// The medium in motion along its velocity, for exposures within `time` frames before and after that of the picture,
    /// and with its detail.
    pub fn in_motion(mut self, cpu: &Cpu, time: f64) -> Self {
        let medium = self.contents.as_ref().map(|(medium, _)| medium);
        self.motion = medium
            .zip(self.velocity.as_ref())
            .map(|(medium, velocity)| Motion::new(cpu, medium, velocity, time, &self.look.detail));
        self
    }

    /// Renders layers, on the threads of `cpu`. Pixels do not depend on the number of threads.
    pub fn render(&self, cpu: &Cpu, shot: &Shot<'_>, layers: &[Layer]) -> Layers {
        let marcher = self.marcher().filter(|_| layers.iter().any(|layer| *layer != Layer::Catcher));
        self.render_with(cpu, shot, layers, marcher)
    }

    /// Marches through the medium; `None` where there are no cells.
    pub(super) fn marcher(&self) -> Option<(&Medium, Marcher<'_>)> {
        let (medium, light) = self.contents.as_ref()?;
        let marcher = Marcher::new(medium, light, &self.phase, self.look, self.lights);
        Some((medium, self.motion.iter().fold(marcher, Marcher::through)))
    }

    /// The medium and its light; `None` where there are no cells.
    #[cfg(test)]
    pub(super) fn parts(&self) -> Option<(&Medium, &Illumination)> {
        self.contents.as_ref().map(|(medium, light)| (medium, light))
    }

    /// The tiles that rays may find contents in.
    pub(super) fn tiles<'m>(&'m self, medium: &'m Medium) -> &'m Tiles {
        self.motion.as_ref().map_or(&medium.tiles, |motion| &motion.tiles)
    }

    /// [`render`](Self::render) without passing over empty tiles.
    #[cfg(test)]
    pub fn render_all(&self, cpu: &Cpu, shot: &Shot<'_>, layers: &[Layer]) -> Layers {
        let marcher = self.marcher().map(|(medium, marcher)| (medium, marcher.through_all()));
        self.render_with(cpu, shot, layers, marcher)
    }

    fn render_with(
        &self,
        cpu: &Cpu,
        shot: &Shot<'_>,
        layers: &[Layer],
        marcher: Option<(&Medium, Marcher<'_>)>,
    ) -> Layers {
        let Shot { camera, shutter, grid, scene, pixels } = *shot;
        let (width, height) = (pixels.x.count, pixels.y.count);
        let mut planes: Vec<(Layer, Vec<[f32; 4]>)> =
            layers.iter().map(|layer| (*layer, request::zeros(width * height))).collect();
        let frame = shot.frame();
        let projection = Projection::new(camera, frame);
        let moving: Vec<Projection> = shutter.iter().map(|exposure| Projection::new(exposure.camera, frame)).collect();
        let masks = Masks::new(scene, &grid, &pixels);
        let has_data = layers.iter().any(|layer| layer.is_data());
        let mut bands: Vec<Band<'_>> = (0..height.div_ceil(ROWS)).map(|_| Vec::new()).collect();
        for (layer, plane) in &mut planes {
            for (band, rows) in bands.iter_mut().zip(plane.chunks_mut((width * ROWS).max(1))) {
                band.push((*layer, rows));
            }
        }
        let caster = |projection| {
            let (medium, _) = marcher.as_ref()?;
            Some(Caster::new(projection, medium, self.tiles(medium), segment_length(self.look)))
        };
        let rows = Rows {
            caster: caster(&projection),
            moving: moving
                .iter()
                .zip(shutter)
                .filter_map(|(projection, exposure)| Some(caster(projection)?.at(exposure.time, exposure.shift)))
                .collect(),
            spacing: shutter.windows(2).next().map_or(0.0, |pair| (pair[1].time - pair[0].time) as f32),
            velocity: self.velocity.as_ref(),
            marcher: marcher.as_ref().map(|(_, marcher)| marcher),
            masks: &masks,
            projection: &projection,
            pixels: &pixels,
            has_data,
            shading: self
                .contents
                .as_ref()
                .and_then(|(medium, light)| CatcherShading::new(medium, light, self.look, self.lights)),
        };
        cpu.each(bands.into_iter().enumerate().collect(), |(number, band): (usize, Band<'_>)| {
            wide(March { rows: &rows, first: number * ROWS, band });
        });
        Layers { planes }
    }
}

/// Rows of each layer.
type Band<'a> = Vec<(Layer, &'a mut [[f32; 4]])>;

/// The rays of a picture.
struct Rows<'a> {
    /// `None` where there are no cells.
    caster: Option<Caster<'a>>,
    /// Rays of the exposures.
    moving: Vec<Caster<'a>>,
    /// Time between exposures, frames.
    spacing: f32,
    velocity: Option<&'a Velocity<'a>>,
    marcher: Option<&'a Marcher<'a>>,
    masks: &'a Masks<'a>,
    projection: &'a Projection,
    pixels: &'a Placement,
    has_data: bool,
    /// Shading of the shadow catcher; `None` without one.
    shading: Option<CatcherShading<'a>>,
}

/// The march of a band of rows from row `first` on.
struct March<'a> {
    rows: &'a Rows<'a>,
    first: usize,
    band: Band<'a>,
}

impl Wide for March<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let Rows { caster, moving, spacing, velocity, marcher, masks, projection, pixels, has_data, shading } =
            self.rows;
        let width = pixels.x.count;
        for y in self.first..(self.first + ROWS).min(pixels.y.count) {
            for x in 0..width {
                let place = [pixels.x.middle(x), pixels.y.middle(y)];
                let limit = f64::from(masks.distance(x, y));
                let ray = match caster {
                    Some(caster) if *has_data || moving.is_empty() => caster.cast(place, limit),
                    _ => None,
                };
                let mut pixel = Pixel { clear: [1.0; 4], ..Pixel::default() };
                if let Some(marcher) = marcher {
                    match &ray {
                        Some(ray) if *has_data => pixel = marcher.march::<true>(ray),
                        Some(ray) => pixel = marcher.march::<false>(ray),
                        None => {}
                    }
                    if !moving.is_empty() {
                        let number = |axis: &Axis, at: usize| libm::round(axis.start / axis.size) + at as f64;
                        let dither = dither([number(&pixels.x, x), number(&pixels.y, y)]);
                        pixel = blurred(marcher, moving, (place, limit), pixel.data, (*spacing, dither));
                    }
                }
                let received = shading.as_ref().and_then(|surface| {
                    let position = surface.catcher.intersect(masks, projection, [x, y], place)?;
                    Some(surface.at(&position))
                });
                let received = received.unwrap_or_default();
                let kept = 1.0 - masks.hidden(x, y);
                let shown = Shown { pixel, ray, kept, received, projection, velocity: *velocity, pixels, place };
                for (layer, plane) in &mut self.band {
                    plane[(y - self.first) * width + x] = shown.layer(*layer);
                }
            }
        }
    }
}

/// The mean of the pixels of several exposures, with `data`. Each exposure sees the medium at a time of its own within
/// the `spacing` of the exposures, by the `dither` of the pixel: the blur has a grain, and no double images.
#[inline(always)]
fn blurred(
    marcher: &Marcher<'_>,
    exposures: &[Caster<'_>],
    (place, limit): ([f64; 2], f64),
    data: Data,
    (spacing, dither): (f32, f64),
) -> Pixel {
    let mut sum = Pixel { data, ..Pixel::default() };
    for (number, caster) in exposures.iter().enumerate() {
        match caster.cast(place, limit) {
            Some(mut ray) => {
                let share = dither + number as f64 * GOLDEN;
                ray.time += spacing * (share - libm::floor(share) - 0.5) as f32;
                sum.add(&marcher.march::<false>(&ray));
            }
            None => sum.add(&Pixel { clear: [1.0; 4], ..Pixel::default() }),
        }
    }
    sum.scaled(1.0 / exposures.len() as f32)
}

/// The golden ratio less 1: multiples of it are spread evenly.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// Interleaved gradient noise (Jimenez 2014) of a pixel of the whole picture, 0 to 1.
#[inline(always)]
fn dither([x, y]: [f64; 2]) -> f64 {
    let inner = 0.067_110_56 * x + 0.005_837_15 * y;
    let outer = 52.982_918_9 * (inner - libm::floor(inner));
    outer - libm::floor(outer)
}

/// A pixel behind a holdout.
struct Shown<'a> {
    pixel: Pixel,
    ray: Option<Segments>,
    /// Share that the holdout leaves.
    kept: f32,
    /// Shadow and light on the surface behind the medium.
    received: Received,
    projection: &'a Projection,
    velocity: Option<&'a Velocity<'a>>,
    pixels: &'a Placement,
    place: [f64; 2],
}

impl Shown<'_> {
    fn alpha(&self) -> f32 {
        (1.0 - self.pixel.clear[3]) * self.kept
    }

    /// Light of fire, and that on the surface behind the medium.
    fn emission(&self) -> [f32; 3] {
        let Pixel { emission, clear, .. } = &self.pixel;
        [0, 1, 2].map(|channel| emission[channel] + clear[channel] * self.received.light[channel])
    }

    fn kept(&self, colour: [f32; 3]) -> [f32; 3] {
        colour.map(|channel| channel * self.kept)
    }

    fn layer(&self, layer: Layer) -> [f32; 4] {
        let with = |[x, y, z]: [f32; 3], alpha: f32| [x, y, z, alpha];
        match layer {
            Layer::Beauty => {
                let mut sum = [0.0; 3];
                let groups = self.pixel.lights.into_iter().chain([self.pixel.ambient, self.emission()]);
                for group in groups {
                    sum.iter_mut().zip(self.kept(group)).for_each(|(sum, light)| *sum += light);
                }
                let clear = self.pixel.clear[3] * (1.0 - self.received.shadow);
                with(sum, (1.0 - clear) * self.kept)
            }
            Layer::Light(number) => {
                with(self.pixel.lights.get(number).map_or([0.0; 3], |light| self.kept(*light)), 0.0)
            }
            Layer::Ambient => with(self.kept(self.pixel.ambient), 0.0),
            Layer::Emission => with(self.kept(self.emission()), 0.0),
            Layer::Catcher => with(self.kept(self.received.light), self.received.shadow * self.kept),
            Layer::Transmittance => {
                let [r, g, b, _] = self.pixel.clear.map(|clear| 1.0 - (1.0 - clear) * self.kept);
                [r, g, b, self.alpha()]
            }
            Layer::Alpha => [self.alpha(); 4],
            Layer::Depth => self.depths(),
            Layer::Position => match self.position() {
                Some(position) => with(position.map(|part| part as f32), self.alpha()),
                None => [0.0; 4],
            },
            Layer::Motion => {
                let [x, y] = self.motion().unwrap_or_default();
                [x, y, -x, -y]
            }
            Layer::Normal => {
                let gradient = self.pixel.data.gradient;
                let largest = gradient.iter().fold(0.0_f32, |most, part| most.max(part.abs()));
                if largest <= 0.0 {
                    return [0.0; 4];
                }
                let scaled = gradient.map(|part| -part / largest);
                let length = scaled.iter().map(|part| part * part).sum::<f32>().sqrt();
                with(scaled.map(|part| part / length), self.alpha())
            }
            Layer::Projected => {
                let [depth, temperature] = self.pixel.data.integrals;
                [depth, temperature, 0.0, self.alpha()]
            }
        }
    }

    /// Distance from the camera at so many segments from the start of the first one.
    fn depth(&self, segments: f32) -> f32 {
        self.ray.as_ref().map_or(0.0, |ray| (ray.depths[0] + f64::from(segments) * ray.depths[1]) as f32)
    }

    fn mean_depth(&self) -> f32 {
        let covered = self.pixel.data.covered;
        if covered > 0.0 { self.depth(self.pixel.data.mean / covered) } else { 0.0 }
    }

    /// World position of the mean depth.
    fn position(&self) -> Option<[f64; 3]> {
        let depth = f64::from(self.mean_depth());
        let ray = self.projection.ray(self.place);
        (depth > 0.0).then(|| along(&ray, depth))
    }

    /// Motion to the next frame, pixels.
    fn motion(&self) -> Option<[f32; 2]> {
        let position = self.position()?;
        let velocity = self.velocity?.at(position);
        let at = |time: f64| self.projection.project([0, 1, 2].map(|axis| position[axis] + velocity[axis] * time));
        let [from, to] = [at(-0.5)?.place, at(0.5)?.place];
        let way = [(to[0] - from[0]) / self.pixels.x.size, (to[1] - from[1]) / self.pixels.y.size];
        Some(way.map(|way| way as f32))
    }

    fn depths(&self) -> [f32; 4] {
        let data = &self.pixel.data;
        let or_none = |place: Option<f32>| place.map_or(0.0, |place| self.depth(place));
        let last = if data.last > 0.0 { self.depth(data.last) } else { 0.0 };
        [or_none(data.first), self.mean_depth(), or_none(data.half), last]
    }
}

impl Layers {
    /// The pixels of a layer, the lowest row first; empty where it was not rendered.
    pub fn get(&self, layer: Layer) -> &[[f32; 4]] {
        self.planes.iter().find(|(other, _)| *other == layer).map_or(&[], |(_, pixels)| pixels)
    }
}
