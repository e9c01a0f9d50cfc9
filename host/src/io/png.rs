//! PNG: 8 and 16 bit, with optional sRGB conversion.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use ::png::{BitDepth, ColorType, Decoder, Encoder, Transformations};

use crate::{Components, Depth, Error, Image, Premultiplication, RectI, Result};

pub(super) fn read(path: &Path, raw: bool, origin: (i32, i32)) -> Result<Image> {
    let file = File::open(path).map_err(|error| Error::file(path, format!("cannot be read: {error}")))?;
    let broken = |error: ::png::DecodingError| Error::file(path, format!("is not a readable PNG: {error}"));
    let mut decoder = Decoder::new(BufReader::new(file));
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(broken)?;
    let size = reader.output_buffer_size().ok_or_else(|| Error::file(path, "is too large to read"))?;
    let mut bytes = vec![0; size];
    let info = reader.next_frame(&mut bytes).map_err(broken)?;
    let wide = info.bit_depth == BitDepth::Sixteen;
    let channels = info.color_type.samples();
    let has_alpha = matches!(info.color_type, ColorType::Rgba | ColorType::GrayscaleAlpha);
    let (width, height) = (info.width as usize, info.height as usize);
    let (x1, y1) = origin;
    let bounds = RectI::new(x1, y1, x1 + width as i32, y1 + height as i32);
    let components = if has_alpha { Components::Rgba } else { Components::Rgb };
    let premultiplication = if has_alpha { Premultiplication::Unpremultiplied } else { Premultiplication::Opaque };
    let mut out = Image::new(bounds, Depth::Float, components).premultiplied(premultiplication);
    let sample = |row: &[u8], at: usize| -> f32 {
        if wide {
            f32::from(u16::from_be_bytes([row[at * 2], row[at * 2 + 1]])) / 65535.0
        } else {
            f32::from(row[at]) / 255.0
        }
    };
    for (row, line) in bytes.chunks(info.line_size).take(height).enumerate() {
        let y = bounds.y2 - 1 - row as i32;
        for x in 0..width {
            let at = x * channels;
            let colour = |i: usize| {
                let value = sample(line, if channels < 3 { at } else { at + i });
                if raw { value } else { to_linear(value) }
            };
            let alpha = if has_alpha { sample(line, at + channels - 1) } else { 1.0 };
            out.set_pixel(x1 + x as i32, y, [colour(0), colour(1), colour(2), alpha]);
        }
    }
    Ok(out)
}

pub(super) fn encode(path: &Path, image: &Image, window: RectI, raw: bool) -> Result<Vec<u8>> {
    let mut pixels = Vec::with_capacity(window.width() * window.height() * 4);
    let unpremultiply = !raw && image.premultiplication == Premultiplication::Premultiplied;
    for y in (window.y1..window.y2).rev() {
        for x in window.x1..window.x2 {
            let [r, g, b, a] = image.pixel(x, y);
            let divisor = if unpremultiply && a > 0.0 { a } else { 1.0 };
            let colour = [r, g, b].map(|value| {
                let value = value / divisor;
                byte(if raw { value } else { to_srgb(value) })
            });
            pixels.extend(colour);
            pixels.push(byte(a));
        }
    }
    let mut bytes = Vec::new();
    let failed = |error: ::png::EncodingError| Error::file(path, format!("cannot be encoded: {error}"));
    let mut encoder = Encoder::new(&mut bytes, window.width() as u32, window.height() as u32);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    if !raw {
        encoder.set_source_srgb(::png::SrgbRenderingIntent::Perceptual);
    }
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&pixels).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}

/// Rounds to the nearest of 256 levels; values outside 0 to 1 saturate, and NaN is 0.
fn byte(value: f32) -> u8 {
    (value * 255.0 + 0.5) as u8
}

/// The sRGB curve, IEC 61966-2-1.
fn to_linear(value: f32) -> f32 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// Its inverse.
fn to_srgb(value: f32) -> f32 {
    if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_srgb_conversion() {
        for level in 0..=255u8 {
            assert_eq!(byte(to_srgb(to_linear(f32::from(level) / 255.0))), level);
        }
    }
}
