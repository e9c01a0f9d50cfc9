//! Pictures in memory, and their files.

use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::command;

/// A picture: linear light, straight alpha, rows from the top.
#[derive(Clone)]
pub struct Picture {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    pixels: Vec<[f32; 4]>,
}

impl Picture {
    /// A picture whose pixel at (x, y), y downwards, is `pixel(x, y)`.
    pub fn from_fn(width: usize, height: usize, mut pixel: impl FnMut(usize, usize) -> [f32; 4]) -> Self {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| pixel(x, y)).collect();
        Self { width, height, pixels }
    }

    /// All pixels, row by row from the top.
    pub fn pixels(&self) -> &[[f32; 4]] {
        &self.pixels
    }

    /// The pixel at (x, y); beyond the edge, the nearest one.
    pub fn at(&self, x: usize, y: usize) -> [f32; 4] {
        self.pixels[y.min(self.height - 1) * self.width + x.min(self.width - 1)]
    }

    /// Sets the pixel at (x, y); beyond the edge, none.
    pub fn set(&mut self, x: usize, y: usize, pixel: [f32; 4]) {
        if x < self.width && y < self.height {
            self.pixels[y * self.width + x] = pixel;
        }
    }

    /// Puts `other` on this picture with its upper left corner at (x, y).
    pub fn paste(&mut self, other: &Self, x: usize, y: usize) {
        for row in 0..other.height {
            for column in 0..other.width {
                self.set(x + column, y + row, other.at(column, row));
            }
        }
    }

    /// The picture at a smaller size: each pixel is the mean of those that it covers.
    pub fn shrink(&self, width: usize, height: usize) -> Self {
        let span = |i: usize, to: usize, from: usize| {
            let start = i * from / to;
            start..((i + 1) * from).div_ceil(to).clamp(start + 1, from)
        };
        Self::from_fn(width, height, |x, y| {
            let (mut sum, mut count) = ([0.0; 4], 0.0);
            for row in span(y, height, self.height) {
                for column in span(x, width, self.width) {
                    let pixel = self.at(column, row);
                    (0..4).for_each(|channel| sum[channel] += pixel[channel]);
                    count += 1.0;
                }
            }
            sum.map(|channel| channel / count)
        })
    }

    /// Reads an EXR file's red, green, blue and, if present, alpha.
    pub fn read_exr(path: &Path) -> Result<Self> {
        let image = exr::prelude::read_first_rgba_layer_from_file(
            path,
            |size, _| Self { width: size.width(), height: size.height(), pixels: vec![[0.0; 4]; size.area()] },
            |picture: &mut Self, position, (r, g, b, a): (f32, f32, f32, f32)| {
                picture.pixels[position.y() * picture.width + position.x()] = [r, g, b, a];
            },
        );
        Ok(image.with_context(|| format!("cannot read {}", path.display()))?.layer_data.channel_data.pixels)
    }

    /// Writes an EXR file with 32-bit float channels red, green, blue and alpha.
    pub fn write_exr(&self, path: &Path) -> Result<()> {
        use exr::prelude::{Encoding, Image, Layer, LayerAttributes, SpecificChannels, WritableImage as _};
        let pixel = |position: exr::prelude::Vec2<usize>| {
            let [r, g, b, a] = self.at(position.x(), position.y());
            (r, g, b, a)
        };
        let layer = Layer::new(
            (self.width, self.height),
            LayerAttributes::default(),
            Encoding::FAST_LOSSLESS,
            SpecificChannels::rgba(pixel),
        );
        let mut bytes = std::io::Cursor::new(Vec::new());
        Image::from_layer(layer)
            .write()
            .to_buffered(&mut bytes)
            .with_context(|| format!("cannot encode {}", path.display()))?;
        command::write_file(path, bytes.get_ref())
    }

    /// Writes an 8-bit sRGB PNG file with alpha.
    pub fn write_png(&self, path: &Path) -> Result<()> {
        let bytes: Vec<u8> =
            self.pixels.iter().flat_map(|&[r, g, b, a]| [srgb(r), srgb(g), srgb(b), level(a)]).collect();
        self.encode_png(png::ColorType::Rgba, &bytes, path)
    }

    /// Writes an 8-bit sRGB PNG file without alpha.
    pub fn write_opaque_png(&self, path: &Path) -> Result<()> {
        self.encode_png(png::ColorType::Rgb, &self.rgb(), path)
    }

    /// Writes an sRGB JPEG file.
    pub fn write_jpeg(&self, path: &Path, quality: u8) -> Result<()> {
        let mut bytes = Vec::new();
        let side = |pixels: usize| u16::try_from(pixels).context("a JPEG has at most 65535 pixels a side");
        jpeg_encoder::Encoder::new(&mut bytes, quality)
            .encode(&self.rgb(), side(self.width)?, side(self.height)?, jpeg_encoder::ColorType::Rgb)
            .with_context(|| format!("cannot encode {}", path.display()))?;
        command::write_file(path, &bytes)
    }

    fn encode_png(&self, colour: png::ColorType, bytes: &[u8], path: &Path) -> Result<()> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_color(colour);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder
            .write_header()
            .and_then(|mut writer| writer.write_image_data(bytes))
            .with_context(|| format!("cannot encode {}", path.display()))?;
        command::write_file(path, &file)
    }

    /// Red, green and blue as sRGB bytes.
    fn rgb(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(|&[r, g, b, _]| [srgb(r), srgb(g), srgb(b)]).collect()
    }
}

/// An animated GIF, written frame by frame, each with a palette of its own.
pub struct Gif {
    encoder: gif::Encoder<BufWriter<std::fs::File>>,
    /// Hundredths of a second between frames.
    delay: u16,
}

impl Gif {
    /// Starts a file that loops forever.
    pub fn create(path: &Path, width: usize, height: usize, per_second: u16) -> Result<Self> {
        let wrong = || format!("cannot write {}", path.display());
        let file = BufWriter::new(std::fs::File::create(path).with_context(wrong)?);
        let mut encoder = gif::Encoder::new(file, width as u16, height as u16, &[]).with_context(wrong)?;
        encoder.set_repeat(gif::Repeat::Infinite).with_context(wrong)?;
        Ok(Self { encoder, delay: 100 / per_second })
    }

    /// Adds a frame of the file's size.
    pub fn add(&mut self, picture: &Picture) -> Result<()> {
        let mut frame = gif::Frame::from_rgb_speed(picture.width as u16, picture.height as u16, &picture.rgb(), 10);
        frame.delay = self.delay;
        self.encoder.write_frame(&frame).context("cannot write the animated GIF")
    }
}

/// An animated PNG, written frame by frame.
pub struct Animation {
    writer: png::Writer<BufWriter<std::fs::File>>,
}

impl Animation {
    /// Starts a file of `frames` frames that loops forever.
    pub fn create(path: &Path, width: usize, height: usize, frames: usize, per_second: u16) -> Result<Self> {
        let wrong = || format!("cannot write {}", path.display());
        let file = std::fs::File::create(path).with_context(wrong)?;
        let mut encoder = png::Encoder::new(BufWriter::new(file), width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_animated(frames as u32, 0).with_context(wrong)?;
        encoder.set_frame_delay(1, per_second).with_context(wrong)?;
        Ok(Self { writer: encoder.write_header().with_context(wrong)? })
    }

    /// Adds a frame of the file's size.
    pub fn add(&mut self, picture: &Picture) -> Result<()> {
        self.writer.write_image_data(&picture.rgb()).context("cannot write the animated PNG")
    }

    /// Ends the file.
    pub fn finish(self) -> Result<()> {
        self.writer.finish().context("cannot write the animated PNG")
    }
}

fn level(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// A linear value as the value of sRGB, 0 to 1.
pub fn encoded(linear: f32) -> f32 {
    let linear = linear.clamp(0.0, 1.0);
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

fn srgb(linear: f32) -> u8 {
    level(encoded(linear))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exr_files_come_back_bit_for_bit() {
        let picture = Picture::from_fn(7, 5, |x, y| [x as f32 * 0.1, y as f32 - 2.0, 1e-7, 9.5]);
        let path = std::env::temp_dir().join(format!("flow-xtask-{}.exr", std::process::id()));
        picture.write_exr(&path).unwrap();
        let back = Picture::read_exr(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!((back.width, back.height), (7, 5));
        assert_eq!(back.pixels, picture.pixels);
    }

    #[test]
    fn shrinking_keeps_the_mean() {
        let picture = Picture::from_fn(8, 6, |x, y| [(x * y) as f32; 4]);
        let small = picture.shrink(4, 3);
        let mean =
            |picture: &Picture| picture.pixels.iter().map(|pixel| pixel[0]).sum::<f32>() / picture.pixels.len() as f32;
        assert_eq!((small.width, small.height), (4, 3));
        assert!((mean(&small) - mean(&picture)).abs() < 1e-5);
        assert_eq!(small.at(0, 0)[0], 0.25);
    }

    #[test]
    fn srgb_conversion_has_its_fixed_points() {
        assert_eq!([srgb(-1.0), srgb(0.0), srgb(0.216), srgb(1.0), srgb(f32::NAN)], [0, 0, 128, 255, 0]);
    }
}
