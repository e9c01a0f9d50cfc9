//! Reading of pictures of other programs that hold a state as floats.
//!
//! The main picture is in the channels R, G, B and A, further values are in layers. A layer is given by the name of its
//! part, as Nuke writes it, or by the prefix of its channels.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use exr::math::Vec2;
use exr::meta::attribute::{IntegerBounds, SampleType};
use exr::meta::header::Header as ExrHeader;
use exr::prelude::{Compression, f16};

use crate::encode::STATE;
use crate::parts::{Packed, Parts};
use crate::{Refusal, memory};

/// Limit of a header in bytes. Other programs store whole scripts and preview pictures in headers.
const HEADER_LIMIT: usize = 16 << 20;
/// Limit of pixels of the display window: a square of 8,192.
const MOST_PIXELS: usize = 1 << 26;

/// The channels that a caller needs from a picture.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Meaning of the alpha channel, for messages. A picture without alpha is refused.
    pub alpha: &'static str,
    /// Further layers with their channels, at most four each. A picture may lack a layer, but not a part of one.
    pub layers: &'static [(&'static str, &'static [&'static str])],
}

/// A picture of another program, or one of this crate's, as floats. Rows are ordered from the lowest and fill the
/// display window; pixels outside the data window are 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreign {
    /// Columns and rows of the display window.
    pub size: [usize; 2],
    /// Red, green, blue, alpha. A missing colour is 0.
    pub rgba: Vec<[f32; 4]>,
    /// The layers of [`Wanted::layers`], in that order; `None` if the file lacks the layer. Unused components are 0.
    pub layers: Vec<Option<Vec<[f32; 4]>>>,
}

/// Reads a picture with at least an alpha channel, and the requested layers that exist, in 16 or 32-bit float; scan
/// lines or tiles, one part or many. Names of layers and channels are case-insensitive, and `red` is accepted for `R`.
/// Of several parts with a picture the first one is used. Runs on the calling thread.
///
/// # Errors
/// The reason why the file is not used.
pub fn read_foreign(path: &Path, wanted: &Wanted) -> Result<Foreign, Refusal> {
    let mut parts = Parts::open(path, HEADER_LIMIT)?;
    let display = parts.parts[0].display;
    let Vec2(width, height) = display.size;
    if width * height > MOST_PIXELS {
        return Err(Refusal::absurd(path, format!("its picture is {width}×{height}")));
    }
    let plan = plan(path, &parts, wanted)?;
    let mut images: Vec<Option<Vec<[f32; 4]>>> = vec![None; 1 + wanted.layers.len()];
    let wanted_layers = 1 + wanted.layers.len();
    memory::to_read(path, (width * height * size_of::<[f32; 4]>()).saturating_mul(wanted_layers))?;
    for (part, targets) in plan {
        for target in &targets {
            images[target.layer].get_or_insert_with(|| vec![[0.0; 4]; width * height]);
        }
        paint(&mut parts, part, &targets, display, &mut images)?;
    }
    let layers = images.split_off(1);
    Ok(Foreign { size: [width, height], rgba: images.pop().flatten().unwrap_or_default(), layers })
}

/// Name and channels of the main picture, which is the first layer.
const RGBA: (&str, &[&str]) = ("rgba", &["R", "G", "B", "A"]);

/// Index of the required channel of the main picture.
const ALPHA: usize = 3;

impl Wanted {
    /// All layers, the main picture first.
    fn all(&self) -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
        std::iter::once(RGBA).chain(self.layers.iter().copied())
    }
}

/// A requested channel of the file, and its destination.
struct Target {
    channel: usize,
    layer: usize,
    component: usize,
}

/// The requested channels of each part that holds any.
fn plan(path: &Path, parts: &Parts, wanted: &Wanted) -> Result<Vec<(usize, Vec<Target>)>, Refusal> {
    let not_ours = |why: String| Refusal::NotOurs { path: path.into(), why };
    let mut plan = Vec::new();
    let mut found: Vec<Option<usize>> = vec![None; 1 + wanted.layers.len()];
    let mut names = Vec::new();
    for (number, part) in parts.parts.iter().enumerate() {
        // The exact values of a state are not a picture, whatever their names.
        if part.name == STATE && part.attribute("flow.format", "int").is_some() {
            continue;
        }
        let mut targets = Vec::new();
        for (channel, description) in part.header.channels.list.iter().enumerate() {
            let name = description.name.to_string();
            let component = find_component(wanted, &part.name, &name);
            if names.len() < 32 {
                names.push(name.clone());
            }
            let Some((layer, component)) = component.filter(|(layer, _)| found[*layer].is_none_or(|at| at == number))
            else {
                continue;
            };
            // Integer and deep channels are not a picture.
            if part.deep || description.sample_type == SampleType::U32 {
                continue;
            }
            if description.sampling != Vec2(1, 1) {
                return Err(not_ours(format!("its channel {name} is subsampled, which is not supported")));
            }
            found[layer] = Some(number);
            targets.push(Target { channel, layer, component });
        }
        if !targets.is_empty() {
            plan.push((number, targets));
        }
    }
    let has = |layer: usize, component: usize| {
        let all = plan.iter().flat_map(|(_, targets)| targets);
        all.filter(|target| (target.layer, target.component) == (layer, component)).count()
    };
    for (layer, (name, channels)) in wanted.all().enumerate() {
        for (component, letter) in channels.iter().enumerate() {
            let required = if layer == 0 { component == ALPHA } else { found[layer].is_some() };
            match has(layer, component) {
                0 if required && layer == 0 => {
                    let (names, what) = (names.join(", "), wanted.alpha);
                    return Err(not_ours(format!("it has no channel A with the {what}, only {names}")));
                }
                0 if required => return Err(not_ours(format!("its layer {name} lacks the channel {letter}"))),
                0 | 1 => {}
                _ => return Err(not_ours(format!("it has two channels that could be {letter} of {name}"))),
            }
        }
    }
    Ok(plan)
}

/// Layer and component of a channel, by its name or by the name of its part.
fn find_component(wanted: &Wanted, part: &str, channel: &str) -> Option<(usize, usize)> {
    let (layer, channel) = channel.rsplit_once('.').unwrap_or(("", channel));
    let find = |name: &str| wanted.all().position(|(layer, _)| layer.eq_ignore_ascii_case(name));
    let layer = if layer.is_empty() { find(part).unwrap_or(0) } else { find(layer)? };
    let (_, channels) = wanted.all().nth(layer)?;
    let spelt = |known: &'static str| match known {
        "R" => "red",
        "G" => "green",
        "B" => "blue",
        "A" => "alpha",
        other => other,
    };
    let is = |known: &&'static str| channel.eq_ignore_ascii_case(known) || channel.eq_ignore_ascii_case(spelt(known));
    Some((layer, channels.iter().position(is)?))
}

/// Whether a DWA chunk declares sizes that are impossible for its pixels. The decoder allocates the declared sizes, and
/// a failed allocation ends the process.
fn asks_too_much(packed: &Packed, exr: &ExrHeader) -> bool {
    // Header of a DWA chunk: eleven numbers, which are a version, the sizes and counts of the streams, and a method.
    // Pixels are coded in blocks of 8×8.
    let blocks = packed.bounds.size.width().next_multiple_of(8) * packed.bounds.size.height().next_multiple_of(8);
    let most = (blocks * exr.channels.bytes_per_pixel * 2 + 65536) as u64;
    let numbers = packed.bytes.chunks_exact(8).take(11);
    numbers.map(|bytes| u64::from_le_bytes(std::array::from_fn(|at| bytes[at]))).any(|number| number > most)
        && packed.bytes.len() != packed.bounds.size.area() * exr.channels.bytes_per_pixel
}

/// Decodes a part and copies its channels to their destinations.
fn paint(
    parts: &mut Parts,
    number: usize,
    targets: &[Target],
    display: IntegerBounds,
    images: &mut [Option<Vec<[f32; 4]>>],
) -> Result<(), Refusal> {
    let path = parts.path().to_path_buf();
    parts.justify(number)?;
    let exr = parts.parts[number].header.clone();
    // The display window does not bound the size of a part.
    if exr.layer_size.area() > MOST_PIXELS {
        let Vec2(width, height) = exr.layer_size;
        return Err(Refusal::absurd(&path, format!("a part of it is {width}×{height}")));
    }
    let sizes: Vec<usize> = exr.channels.list.iter().map(|channel| channel.sample_type.bytes_per_sample()).collect();
    let starts: Vec<usize> = sizes
        .iter()
        .scan(0, |at, size| {
            *at += size;
            Some(*at - size)
        })
        .collect();
    for (block, offset) in parts.chunks(number)? {
        let packed = parts.chunk(number, offset, &block)?;
        if matches!(exr.compression, Compression::DWAA(_) | Compression::DWAB(_)) && asks_too_much(&packed, &exr) {
            return Err(Refusal::damaged(&path, "a chunk declares more data than its pixels have"));
        }
        let decode = || exr.compression.decompress_image_section_from_le(&exr, packed.bytes, packed.bounds, false);
        // The decoders of rare compressions may panic on an index read from the file.
        let bytes = match catch_unwind(AssertUnwindSafe(decode)) {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(exr::error::Error::NotSupported(why))) => {
                return Err(Refusal::NotOurs { path, why: format!("its compression is not supported ({why})") });
            }
            Ok(Err(error)) => return Err(Refusal::damaged(&path, format!("a chunk cannot be decoded ({error})"))),
            Err(_) => return Err(Refusal::damaged(&path, "a chunk cannot be decoded")),
        };
        let width = block.pixel_size.width();
        let origin = exr.own_attributes.layer_position;
        for (line, bytes) in bytes.chunks_exact(width * exr.channels.bytes_per_pixel).enumerate() {
            let y = i64::from(origin.y()) + (block.pixel_position.y() + line) as i64 - i64::from(display.position.y());
            let Some(row) = usize::try_from(y).ok().and_then(|y| (display.size.height() - 1).checked_sub(y)) else {
                continue;
            };
            let left = i64::from(origin.x()) + block.pixel_position.x() as i64 - i64::from(display.position.x());
            for target in targets {
                let size = sizes[target.channel];
                let bytes = &bytes[starts[target.channel] * width..][..size * width];
                let Some(image) = &mut images[target.layer] else { continue };
                let image = &mut image[row * display.size.width()..][..display.size.width()];
                for (x, bytes) in (left..).zip(bytes.chunks_exact(size)) {
                    if let Some(pixel) = usize::try_from(x).ok().and_then(|x| image.get_mut(x)) {
                        pixel[target.component] = match *bytes {
                            [a, b] => f16::from_ne_bytes([a, b]).to_f32(),
                            [a, b, c, d] => f32::from_ne_bytes([a, b, c, d]),
                            _ => 0.0,
                        };
                    }
                }
            }
        }
    }
    Ok(())
}
