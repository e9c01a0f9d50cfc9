//! The clips of a node, and their images as pictures.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::geometry::{self, Rect, image_scale, sane_aspect};
use super::node::Input;
use super::pictures::{ImageSource, Pixels, Sampled, Sampling};
use crate::compute::cpu::Cpu;
use crate::compute::cpu::bands::bands;
use crate::nodes::quirks;
use crate::ofx::{self, Clip, EffectHandle, Error, Image, Premultiplication, Result};
use crate::picture::{Averaging, Axis, Components, Depth, Format, Gather, Placement, Reading};
use crate::sim::fingerprint::Digest;
use crate::sim::request;
use crate::timeline::{PieceHash, PixelHash};

/// The choice of the simulated region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The region of the Source, the first input.
    Source,
    /// The region of the project.
    Project,
    /// The rectangle around both.
    Both,
}

impl Extent {
    /// The extent of an option of the choice.
    pub fn of_option(option: i32) -> Self {
        match option {
            1 => Self::Project,
            2 => Self::Both,
            _ => Self::Source,
        }
    }
}

/// Most pixels along a side of an input on its own grid.
const MOST_OWN: f64 = 2048.0;

/// The inputs of a node, with the clips of its context.
pub struct Clips(Vec<(Input, Option<Clip>)>);

impl Clips {
    /// Fetches the clips of inputs.
    pub fn fetch(effect: &EffectHandle<'_>, inputs: &[Input]) -> Self {
        Self(inputs.iter().map(|input| (*input, effect.clip(input.name).ok())).collect())
    }

    /// The clips of this context, each with the index of its input.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Input, &Clip)> {
        self.0.iter().enumerate().filter_map(|(place, (input, clip))| Some((place, input, clip.as_ref()?)))
    }

    /// Whether the host's statement that a clip is connected is unreliable: it states it for all clips.
    pub fn connections_are_doubtful(&self, effect: &EffectHandle<'_>) -> bool {
        let host = effect.host();
        if quirks::claims_all_connected(host) || quirks::tells_connections(host) {
            return quirks::claims_all_connected(host);
        }
        // A filter has one input, which hosts connect when the node is created.
        self.iter().nth(1).is_some() && self.iter().all(|(.., clip)| clip.connected(effect))
    }

    /// The clip of an input.
    fn get(&self, input: usize) -> Option<&Clip> {
        self.0.get(input)?.1.as_ref()
    }

    /// The simulated region. The region of the Source is taken at the start frame; without a Source it is the region of
    /// the project. In hosts whose images all have one size the result is the region of the Source.
    pub fn region(&self, effect: &EffectHandle<'_>, extent: Extent, start: i64) -> Option<Rect> {
        let project = effect.project().map(rect);
        let proper = project.filter(geometry::is_proper);
        let extent = if effect.host().info().multi_resolution { extent } else { Extent::Source };
        if extent == Extent::Project && proper.is_some() {
            return proper;
        }
        let source = self.get(0).filter(|clip| clip.connected(effect));
        let region = source.and_then(|clip| clip.region_of_definition(effect, start as f64).ok()).map(rect);
        let region = region.and_then(|region| geometry::finite(region, project));
        match (region, proper) {
            (Some(region), Some(project)) if extent == Extent::Both => Some(geometry::around(region, project)),
            (region, project) => region.or(project),
        }
    }
}

/// The clips during one render.
pub struct ClipImages<'e> {
    effect: &'e EffectHandle<'e>,
    clips: &'e Clips,
    /// Threads for sampling and hashing.
    cpu: &'e Cpu,
    /// Hash of the sampling of each input (region, scale, components), the same for all frames of a render; `None` where
    /// none is connected.
    views: Vec<Option<u128>>,
    scale: [f64; 2],
    /// Returns false to stop the work, in addition to the abort of the host.
    pub patience: Option<&'e dyn Fn() -> bool>,
    /// Time that the host spent on images.
    pub fetching: Duration,
    /// Time that sampling and hashing took.
    pub sampling: Duration,
}

impl<'e> ClipImages<'e> {
    /// The images of a render at a scale; `sampling` is a hash of the raster, `times` are the rendered frame and the
    /// start frame.
    pub fn new(
        effect: &'e EffectHandle<'e>,
        clips: &'e Clips,
        cpu: &'e Cpu,
        scale: [f64; 2],
        sampling: u128,
        times: [f64; 2],
    ) -> Self {
        let doubtful = clips.connections_are_doubtful(effect);
        let view = |(_, clip): &(Input, Option<Clip>)| {
            let clip = clip.as_ref().filter(|clip| is_wired(effect, clip, doubtful, times))?;
            let mut digest = Digest::new("view");
            digest.wide(sampling);
            digest.real(scale[0]);
            digest.real(scale[1]);
            digest.int(clip.depth(effect).map_or(-1, |depth| depth as i64));
            digest.int(clip.components(effect).map_or(-1, |components| components as i64));
            digest.int(clip.premultiplication(effect).map_or(-1, |premult| premult as i64));
            Some(digest.finish())
        };
        let views = clips.0.iter().map(view).collect();
        Self { effect, clips, cpu, views, scale, patience: None, fetching: Duration::ZERO, sampling: Duration::ZERO }
    }

    /// Samples and hashes an image. The pieces that are hashed depend on the grid only.
    fn take<'i>(
        &self,
        gather: &Gather<impl Fn(usize) -> Option<&'i [u8]> + Sync>,
        sampling: &Sampling,
    ) -> (PixelHash, Option<Pixels>) {
        let (width, height) = (sampling.grid.x.count, sampling.grid.y.count);
        let bands = bands(height, width);
        if !sampling.keep {
            let hashes = self.cpu.each(bands, |rows| {
                let mut hash = PieceHash::default();
                gather.visit(rows, |bytes| hash.add(bytes));
                hash.finish()
            });
            return (PixelHash::of_pieces(&hashes), None);
        }
        let mut pixels = request::zeros::<[f32; 4]>(width * height);
        let mut rest = &mut pixels[..];
        let mut pieces = Vec::with_capacity(bands.len());
        for rows in bands {
            let (cells, others) = rest.split_at_mut(rows.len() * width);
            pieces.push((rows, cells));
            rest = others;
        }
        let hashes = self.cpu.each(pieces, |(rows, cells)| {
            gather.fill(rows, cells);
            let mut hash = PieceHash::default();
            hash.add(bytemuck::cast_slice(cells));
            hash.finish()
        });
        (PixelHash::of_pieces(&hashes), Some(Arc::new(pixels)))
    }
}

impl ImageSource for ClipImages<'_> {
    fn view(&self, input: usize) -> Option<u128> {
        self.views[input]
    }

    fn own_grid(&self, input: usize, time: f64) -> Option<Placement> {
        let region = self.clips.get(input)?.region_of_definition(self.effect, time).ok().map(rect)?;
        let [x1, y1, x2, y2] = geometry::finite(region, self.effect.project().map(rect))?;
        let axis = |low: f64, high: f64| {
            let count = (high - low).ceil().clamp(1.0, MOST_OWN);
            Axis { start: low, size: (high - low) / count, count: count as usize }
        };
        (x2 > x1 && y2 > y1).then(|| Placement { x: axis(x1, x2), y: axis(y1, y2) })
    }

    fn sample(&mut self, input: usize, time: f64, sampling: &Sampling) -> Result<Option<Sampled>> {
        let (started, before) = (Instant::now(), self.sampling);
        let sampled = self.fetch(input, time, sampling);
        // The host takes the remaining time: it renders the image, describes it, and releases it.
        self.fetching += started.elapsed().saturating_sub(self.sampling - before);
        sampled
    }

    fn nothing(&mut self, sampling: &Sampling) -> Sampled {
        let started = Instant::now();
        let format = Format { depth: Depth::Float, components: Components::Rgba };
        let reading = Reading { format, averaging: Averaging::Plain, alpha_of_luminance: false };
        let gather = Gather::new(&sampling.grid, &sampling.grid, reading, |_: usize| None);
        let (hash, pixels) = self.take(&gather, sampling);
        self.sampling += started.elapsed();
        Sampled { hash, pixels, components: Components::Rgba, premultiplied: true }
    }

    fn go_on(&mut self) -> bool {
        !self.effect.abort() && self.patience.is_none_or(|patience| patience())
    }
}

impl ClipImages<'_> {
    fn fetch(&mut self, input: usize, time: f64, sampling: &Sampling) -> Result<Option<Sampled>> {
        let Some((input, Some(clip))) = self.clips.0.get(input) else { return Ok(None) };
        let Some(image) = clip.image(self.effect, time)? else { return Ok(None) };
        let format = format(&image).map_err(|error| named(input, error))?;
        let rod = clip.region_of_definition(self.effect, time).ok().map(rect);
        let (placement, _) = place(&image, rod, clip.pixel_aspect(self.effect), self.scale);
        let without_alpha =
            format.components == Components::Rgb || clip.unmapped_components(self.effect) == Some(ofx::Components::Rgb);
        let premultiplied = format.components == Components::Alpha
            || (!without_alpha && premultiplication(&image, clip, self.effect) == Premultiplication::Premultiplied);
        let straight = !premultiplied && !without_alpha;
        let reading = Reading {
            format,
            averaging: if straight { sampling.averaging } else { Averaging::Plain },
            alpha_of_luminance: without_alpha && input.matte,
        };
        let first = image.bounds().y1;
        let gather = Gather::new(&placement, &sampling.grid, reading, |y: usize| image.row(first + y as i32));
        let started = Instant::now();
        let (hash, pixels) = self.take(&gather, sampling);
        self.sampling += started.elapsed();
        let components = if without_alpha { Components::Rgb } else { format.components };
        Ok(Some(Sampled { hash, pixels, components, premultiplied }))
    }
}

/// Whether a clip is connected. With a host that is `doubtful`, it counts as connected if it has an image at one of the
/// times.
fn is_wired(effect: &EffectHandle<'_>, clip: &Clip, doubtful: bool, times: [f64; 2]) -> bool {
    clip.connected(effect) && (!doubtful || times.into_iter().any(|time| has_image(effect, clip, time)))
}

/// Whether a clip has an image with pixels at a time.
fn has_image(effect: &EffectHandle<'_>, clip: &Clip, time: f64) -> bool {
    let nowhere = clip.region_of_definition(effect, time).is_ok_and(|region| region.is_empty());
    !nowhere && clip.image(effect, time).is_ok_and(|image| image.is_some_and(|image| !image.bounds().is_empty()))
}

fn named(input: &Input, error: Error) -> Error {
    Error::message(format!("{}: {error}", input.text()))
}

/// The premultiplication of an image or, if the image does not state it, of its clip; by default premultiplied, as most
/// images in compositing are.
fn premultiplication(image: &Image<'_>, clip: &Clip, effect: &EffectHandle<'_>) -> Premultiplication {
    image.premultiplication().or_else(|| clip.premultiplication(effect)).unwrap_or(Premultiplication::Premultiplied)
}

/// The pixel format of an image of the host.
///
/// # Errors
/// Two-channel images are not supported.
pub fn format(image: &Image<'_>) -> Result<Format> {
    let components = match image.components() {
        ofx::Components::Rgba => Components::Rgba,
        ofx::Components::Rgb => Components::Rgb,
        ofx::Components::Alpha => Components::Alpha,
        ofx::Components::Xy => {
            return Err(Error::Image("two-channel images are not supported: convert it to RGBA".into()));
        }
    };
    Ok(Format { depth: depth(image), components })
}

/// The depth of an image of the host.
pub fn depth(image: &Image<'_>) -> Depth {
    match image.depth() {
        ofx::Depth::Byte => Depth::Byte,
        ofx::Depth::Short => Depth::Short,
        ofx::Depth::Half => Depth::Half,
        ofx::Depth::Float => Depth::Float,
    }
}

/// The position and the scale of an image, with tolerance for wrong properties of the host.
pub fn place(image: &Image<'_>, rod: Option<Rect>, clip_aspect: Option<f64>, scale: [f64; 2]) -> (Placement, [f64; 2]) {
    let bounds = image.bounds();
    let bounds = [bounds.x1, bounds.y1, bounds.x2, bounds.y2];
    let aspect = sane_aspect(image.pixel_aspect().or(clip_aspect).unwrap_or(1.0));
    let offered = [scale, image.render_scale(), [1.0; 2]];
    let scale = image_scale(rod, bounds, aspect, &offered);
    (Placement::of_pixels(bounds, scale, aspect), scale)
}

/// A rectangle of the host.
pub fn rect(rect: ofx::RectD) -> Rect {
    [rect.x1, rect.y1, rect.x2, rect.y2]
}
