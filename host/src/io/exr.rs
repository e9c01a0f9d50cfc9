//! EXR: any channel layout in, RGBA out. Row 0 of a file is the top one; the display
//! window is turned upside down in place, so that a picture keeps its coordinates.

use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use ::exr::prelude as e;
use ::exr::prelude::{ReadChannels as _, ReadLayers as _, WritableImage as _};
use half::f16;

use crate::{Components, Depth, Error, Image, Plane, Premultiplication, RectI, Result, memory};

/// Channels of a file that make up the picture.
struct Chosen<'a> {
    layer: &'a e::Layer<e::AnyChannels<e::FlatSamples>>,
    /// Indices of red, green, blue, alpha; the same one thrice for luminance.
    channels: [Option<usize>; 4],
}

pub(super) fn read(path: &Path) -> Result<Image> {
    let image = e::read()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .all_layers()
        .all_attributes()
        .from_file(path)
        .map_err(|error| match error {
            e::Error::Io(error) => Error::file(path, format!("cannot be read: {error}")),
            other => Error::file(path, format!("is not a readable EXR: {other}")),
        })?;
    let chosen = image.layer_data.iter().find_map(choose).ok_or_else(|| {
        let names = image.layer_data.iter().flat_map(|layer| &layer.channel_data.list);
        let names: Vec<String> = names.map(|channel| channel.name.to_string()).collect();
        Error::file(path, format!("has no channels R, G, B, A or Y; it has {}", crate::error::listing(names)))
    })?;
    let display = image.attributes.display_window;
    let position = chosen.layer.attributes.layer_position;
    let size = chosen.layer.size;
    let (width, height) = (size.width(), size.height());
    // The row of the file for row y of the picture, and vice versa.
    let row_sum = display.position.y() * 2 + display.size.height() as i32 - 1;
    let x1 = position.x();
    let top = row_sum - position.y();
    let bounds = RectI::new(x1, top + 1 - height as i32, x1 + width as i32, top + 1);
    let [red, .., alpha] = chosen.channels;
    let (components, premultiplication) = match (red, alpha) {
        (Some(_), Some(_)) => (Components::Rgba, Premultiplication::Premultiplied),
        (Some(_), None) => (Components::Rgb, Premultiplication::Opaque),
        _ => (Components::Alpha, Premultiplication::Premultiplied),
    };
    let samples =
        chosen.channels.map(|channel| channel.map(|index| &chosen.layer.channel_data.list[index].sample_data));
    let mut out = Image::new(bounds, Depth::Float, components)
        .premultiplied(premultiplication)
        .pixel_aspect(f64::from(image.attributes.pixel_aspect));
    for row in 0..height {
        let y = top - row as i32;
        for column in 0..width {
            let at = row * width + column;
            let pixel = samples.map(|samples| samples.map_or(0.0, |s| sample(s, at)));
            out.set_pixel(x1 + column as i32, y, pixel);
        }
    }
    Ok(out)
}

fn sample(samples: &e::FlatSamples, at: usize) -> f32 {
    match samples {
        e::FlatSamples::F16(values) => values.get(at).map_or(0.0, |v| v.to_f32()),
        e::FlatSamples::F32(values) => values.get(at).copied().unwrap_or(0.0),
        e::FlatSamples::U32(values) => values.get(at).map_or(0.0, |v| *v as f32),
    }
}

/// R, G, B, A or Y of a layer, or those of its first group, such as `beauty.R`.
fn choose(layer: &e::Layer<e::AnyChannels<e::FlatSamples>>) -> Option<Chosen<'_>> {
    let names: Vec<String> = layer.channel_data.list.iter().map(|channel| channel.name.to_string()).collect();
    let groups = names.iter().map(|name| name.rsplit_once('.').map_or("", |(group, _)| group));
    let mut order: Vec<&str> = vec![""];
    order.extend(groups);
    order.into_iter().find_map(|group| {
        let find = |channel: &str| {
            let full = if group.is_empty() { channel.into() } else { format!("{group}.{channel}") };
            names.iter().position(|name| *name == full)
        };
        let luminance = find("Y");
        let channels = match (find("R"), find("G"), find("B")) {
            (None, None, None) => [luminance, luminance, luminance, find("A")],
            (red, green, blue) => [red.or(green).or(blue).and(red), green, blue, find("A")],
        };
        let any_colour = channels[..3].iter().any(Option::is_some);
        let channels = match channels {
            // A picture with a green channel only is a colour picture.
            [None, green, blue, alpha] if any_colour => [green.or(blue), green, blue, alpha],
            other => other,
        };
        channels.iter().any(Option::is_some).then_some(Chosen { layer, channels })
    })
}

/// A picture and its layers, whose channels are named `layer.channel`.
pub(super) fn encode(
    path: &Path,
    image: &Image,
    layers: &[(Plane, Arc<Image>)],
    window: RectI,
    half: bool,
) -> Result<Vec<u8>> {
    if window.is_empty() {
        return Err(Error::file(path, "an empty picture cannot be written"));
    }
    let size = e::Vec2(window.width(), window.height());
    let gather = |count: usize, pixel: &dyn Fn(i32, i32) -> [f32; 4]| {
        let mut planes: Vec<Vec<f32>> = (0..count).map(|_| memory::vector(window.width() * window.height())).collect();
        for y in (window.y1..window.y2).rev() {
            for x in window.x1..window.x2 {
                for (plane, value) in planes.iter_mut().zip(pixel(x, y)) {
                    plane.push(value);
                }
            }
        }
        planes
    };
    let colour = ["R", "G", "B", "A"].map(str::to_owned).into_iter().zip(gather(4, &|x, y| image.pixel(x, y)));
    let layers = layers.iter().flat_map(|(plane, image)| {
        let names = plane.channels.iter().map(|channel| format!("{}.{channel}", plane.name));
        names.zip(gather(plane.channels.len(), &|x, y| image.channels(x, y)))
    });
    let channels = colour.chain(layers).map(|(name, values)| {
        let samples = if half {
            e::FlatSamples::F16(values.into_iter().map(f16::from_f32).collect())
        } else {
            e::FlatSamples::F32(values)
        };
        e::AnyChannel::new(name.as_str(), samples)
    });
    let attributes =
        e::LayerAttributes { layer_position: e::Vec2(window.x1, window.y1), ..e::LayerAttributes::default() };
    let encoding = e::Encoding { compression: e::Compression::ZIP16, ..e::Encoding::FAST_LOSSLESS };
    let channels = e::AnyChannels::sort(channels.collect());
    let mut file = e::Image::from_layer(e::Layer::new(size, attributes, encoding, channels));
    file.attributes.display_window = e::IntegerBounds::new(e::Vec2(window.x1, window.y1), size);
    file.attributes.pixel_aspect = image.pixel_aspect as f32;
    // The file, and extra files that its package writes.
    memory::reserve(8 * 4 * window.width() * window.height());
    let mut bytes = Cursor::new(Vec::new());
    file.write()
        .non_parallel()
        .to_buffered(&mut bytes)
        .map_err(|error| Error::file(path, format!("cannot be encoded: {error}")))?;
    Ok(bytes.into_inner())
}
