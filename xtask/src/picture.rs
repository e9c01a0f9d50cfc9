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

/// A moving picture in memory, for an animated WebP file that loops.
pub struct Movie {
    frames: Vec<Picture>,
    per_second: u32,
}

impl Movie {
    /// A movie without frames.
    pub fn new(per_second: u32) -> Self {
        Self { frames: Vec::new(), per_second }
    }

    /// Adds a frame; all have one size.
    pub fn add(&mut self, picture: Picture) {
        self.frames.push(picture);
    }

    /// Writes the file with at most `limit` bytes: as good and then as large as fits.
    pub fn write_webp(&self, path: &Path, limit: usize) -> Result<()> {
        let first = self.frames.first().context("a movie without frames")?;
        for (divisor, quality) in [(4, 82.0), (4, 70.0), (4, 55.0), (5, 60.0), (6, 55.0), (8, 50.0), (8, 30.0)] {
            let (width, height) = (first.width * 4 / divisor, first.height * 4 / divisor);
            let bytes =
                self.encode(width, height, quality).with_context(|| format!("cannot encode {}", path.display()))?;
            if bytes.len() <= limit {
                return command::write_file(path, &bytes);
            }
        }
        anyhow::bail!("{} does not fit into {limit} bytes: it has too many frames, or too large ones", path.display())
    }

    fn encode(&self, width: usize, height: usize, quality: f32) -> Result<Vec<u8>> {
        let mut config = webp::WebPConfig::new().map_err(|()| anyhow::anyhow!("libwebp has another version"))?;
        config.quality = quality;
        config.method = 5;
        let frames: Vec<Vec<u8>> = self.frames.iter().map(|frame| frame.shrink(width, height).rgb()).collect();
        let (width, height) = (width as u32, height as u32);
        let mut encoder = webp::AnimEncoder::new(width, height, &config);
        for (number, frame) in (0..).zip(&frames) {
            let at = (number * 1000 / self.per_second).cast_signed();
            encoder.add_frame(webp::AnimFrame::from_rgb(frame, width, height, at));
        }
        let encoded = encoder.try_encode().map_err(|error| anyhow::anyhow!("libwebp failed: {error:?}"))?;
        Ok(encoded.to_vec())
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

/// The linear value of a value of sRGB, 0 to 1.
pub fn decoded(value: f32) -> f32 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
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
    fn a_movie_fits_its_limit_and_loops() {
        let mut movie = Movie::new(10);
        for frame in 0..6 {
            movie.add(Picture::from_fn(96, 54, |x, y| [((x * 7 + y * 13 + frame * 29) % 17) as f32 / 17.0; 4]));
        }
        let path = std::env::temp_dir().join(format!("flow-xtask-{}.webp", std::process::id()));
        let size = |limit| {
            movie.write_webp(&path, limit).unwrap();
            std::fs::metadata(&path).unwrap().len() as usize
        };
        let large = size(1 << 20);
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(b"RIFF") && bytes.windows(4).any(|part| part == b"ANIM"));
        assert_eq!(bytes.windows(4).filter(|part| part == b"ANMF").count(), 6);
        assert!(size(large * 3 / 4) <= large * 3 / 4);
        std::fs::remove_file(&path).unwrap();
        assert!(movie.write_webp(&path, 100).is_err() && !path.exists());
    }

    #[test]
    fn srgb_conversion_has_its_fixed_points() {
        assert_eq!([srgb(-1.0), srgb(0.0), srgb(0.216), srgb(1.0), srgb(f32::NAN)], [0, 0, 128, 255, 0]);
    }
}
