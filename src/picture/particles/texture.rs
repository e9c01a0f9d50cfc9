//! A picture of sprites: an atlas of frames, each with smaller copies of itself (Williams 1983).

use super::look::Atlas;
use crate::compute::gpu::particles as gpu;
use crate::sim::request;

/// A picture of the host: RGBA by row, the lowest first.
#[derive(Clone, Copy)]
pub struct SpritePicture<'a> {
    /// One value per cell.
    pub pixels: &'a [[f32; 4]],
    /// Columns and rows.
    pub size: [usize; 2],
    /// False where the picture has no alpha: its greatest channel is the cover.
    pub has_alpha: bool,
    /// Whether RGB is multiplied by alpha.
    pub premultiplied: bool,
}

/// A frame at one size: cover, and RGB multiplied by it.
struct Level {
    size: [usize; 2],
    pixels: Vec<[f32; 4]>,
}

impl Level {
    fn at(&self, x: isize, y: isize) -> [f32; 4] {
        let [width, height] = self.size.map(|side| side as isize);
        if (0..width).contains(&x) && (0..height).contains(&y) {
            self.pixels[(y * width + x) as usize]
        } else {
            [0.0; 4]
        }
    }

    /// Bilinear value at a position in pixels.
    fn between(&self, x: f32, y: f32) -> [f32; 4] {
        let ((left, low), (u, v)) = ((x.floor(), y.floor()), (x - x.floor(), y - y.floor()));
        let (left, low) = (left as isize, low as isize);
        let (a, b) = (self.at(left, low), self.at(left + 1, low));
        let (c, d) = (self.at(left, low + 1), self.at(left + 1, low + 1));
        std::array::from_fn(|part| {
            let lower = a[part] + (b[part] - a[part]) * u;
            let upper = c[part] + (d[part] - c[part]) * u;
            lower + (upper - lower) * v
        })
    }

    /// The frame at half the size.
    fn half(&self) -> Self {
        let size = self.size.map(|side| (side / 2).max(1));
        let mut pixels = request::with_capacity(size[0] * size[1]);
        for y in 0..size[1] {
            for x in 0..size[0] {
                // An odd column or row at the end belongs to the last pixel.
                let range = |place: usize, axis: usize| {
                    let end = if place + 1 == size[axis] { self.size[axis] } else { 2 * place + 2 };
                    2 * place..end
                };
                let mut sum = [0.0; 4];
                let mut count = 0.0;
                for row in range(y, 1) {
                    for column in range(x, 0) {
                        let pixel = self.pixels[row * self.size[0] + column];
                        sum = std::array::from_fn(|part| sum[part] + pixel[part]);
                        count += 1.0;
                    }
                }
                pixels.push(sum.map(|part| part / count));
            }
        }
        Self { size, pixels }
    }
}

/// A frame of the atlas.
struct Frame {
    /// From the whole size to one pixel.
    levels: Vec<Level>,
}

/// An atlas of frames.
pub struct Texture {
    frames: Vec<Frame>,
    /// Half sides of a sprite over those of the frame in it: a frame is as large as fits in a square.
    fit: [f32; 2],
}

impl Texture {
    /// The frames of a picture in the order of reading; `None` for a picture with fewer pixels than frames.
    pub fn new(picture: SpritePicture<'_>, atlas: Atlas) -> Option<Self> {
        let [columns, rows] = atlas.frames.map(|count| count.max(1));
        let size = [picture.size[0] / columns, picture.size[1] / rows];
        if size[0] == 0 || size[1] == 0 || picture.pixels.len() < picture.size[0] * picture.size[1] {
            return None;
        }
        let mut frames = Vec::with_capacity(columns * rows);
        for row in (0..rows).rev() {
            for column in 0..columns {
                let mut pixels = request::with_capacity(size[0] * size[1]);
                for y in row * size[1]..(row + 1) * size[1] {
                    let line = &picture.pixels[y * picture.size[0] + column * size[0]..][..size[0]];
                    pixels.extend(line.iter().map(|pixel| texel(*pixel, &picture)));
                }
                let mut levels = vec![Level { size, pixels }];
                while let Some(last) = levels.last().filter(|level| level.pixels.len() > 1) {
                    levels.push(last.half());
                }
                frames.push(Frame { levels });
            }
        }
        let longer = size[0].max(size[1]) as f32;
        Some(Self { frames, fit: size.map(|side| longer / side as f32) })
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// The texture as a graphics device reads it: all frames have the same levels.
    pub fn for_gpu(&self) -> gpu::Texture {
        let mut levels = Vec::new();
        let mut frame_texels = 0;
        for Level { size: [width, height], pixels } in self.frames.first().map_or(&[][..], |frame| &frame.levels) {
            levels.push([frame_texels as u32, *width as u32, *height as u32, 0]);
            frame_texels += pixels.len();
        }
        let mut texels = request::with_capacity(frame_texels * self.frames.len());
        self.frames.iter().flat_map(|frame| &frame.levels).for_each(|level| texels.extend_from_slice(&level.pixels));
        gpu::Texture { texels, levels, frame_texels, fit: self.fit }
    }

    /// Integral of a frame's cover over a sprite, and its mean colour.
    pub fn energy(&self, frame: usize) -> [f32; 4] {
        let [cover, rgb @ ..] = self.frames[frame].levels.last().map_or([0.0; 4], |level| level.pixels[0]);
        let area = 4.0 / (self.fit[0] * self.fit[1]);
        let [r, g, b] = rgb.map(|part| if cover > 0.0 { part / cover } else { 0.0 });
        [cover * area, r, g, b]
    }

    /// Level of a sprite that is so many pixels wide and high: 0 is the whole size, 1 half of it.
    pub fn level(&self, width: f32) -> f32 {
        let level = &self.frames[0].levels[0];
        let pixels = level.size[0].max(level.size[1]) as f32;
        libm::log2f((pixels / width.max(1e-3)).max(1.0))
    }

    /// Cover and colour of a frame at a place in −1..1.
    pub fn at(&self, frame: usize, level: f32, x: f32, y: f32) -> [f32; 4] {
        let levels = &self.frames[frame].levels;
        let last = levels.len() - 1;
        let low = (level as usize).min(last);
        let value = |level: usize| {
            let Level { size, .. } = levels[level];
            let position = |place: f32, axis: usize| (place * self.fit[axis] + 1.0) / 2.0 * size[axis] as f32 - 0.5;
            levels[level].between(position(x, 0), position(y, 1))
        };
        let (a, b) = (value(low), value((low + 1).min(last)));
        let share = (level - low as f32).clamp(0.0, 1.0);
        std::array::from_fn(|part| a[part] + (b[part] - a[part]) * share)
    }
}

/// Cover, and RGB multiplied by it, of a pixel of the host.
fn texel(pixel: [f32; 4], picture: &SpritePicture<'_>) -> [f32; 4] {
    let [r, g, b, a] = pixel.map(|part| if part.is_finite() { part.clamp(0.0, 1e6) } else { 0.0 });
    let cover = if picture.has_alpha { a } else { r.max(g).max(b) }.min(1.0);
    let factor = if picture.has_alpha && !picture.premultiplied { cover } else { 1.0 };
    [cover, r * factor, g * factor, b * factor]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(pixels: &[[f32; 4]], size: [usize; 2]) -> SpritePicture<'_> {
        SpritePicture { pixels, size, has_alpha: true, premultiplied: true }
    }

    #[test]
    fn frames_are_in_the_order_of_reading() {
        // Two columns and two rows of one pixel, the lower row first.
        let pixels = [[0.3, 0.0, 0.0, 1.0], [0.4, 0.0, 0.0, 1.0], [0.1, 0.0, 0.0, 1.0], [0.2, 0.0, 0.0, 1.0]];
        let atlas = Atlas { frames: [2, 2], by_age: false };
        let texture = Texture::new(picture(&pixels, [2, 2]), atlas).expect("large enough");
        assert_eq!(texture.frames(), 4);
        for (frame, red) in [0.1, 0.2, 0.3, 0.4].into_iter().enumerate() {
            assert_eq!(texture.at(frame, 0.0, 0.0, 0.0), [1.0, red, 0.0, 0.0]);
        }
        assert!(Texture::new(picture(&pixels, [2, 2]), Atlas { frames: [3, 1], by_age: false }).is_none());
    }

    #[test]
    fn all_levels_have_the_same_mean() {
        let pixels: Vec<[f32; 4]> = (0..12 * 8).map(|place| [0.0, 0.0, (place % 7) as f32, 0.5]).collect();
        let texture = Texture::new(picture(&pixels, [12, 8]), Atlas { frames: [1, 1], by_age: false });
        let texture = texture.expect("large enough");
        let mean = |level: usize| {
            let level = &texture.frames[0].levels[level];
            level.pixels.iter().map(|pixel| pixel[3]).sum::<f32>() / level.pixels.len() as f32
        };
        assert!((0..3).all(|level| (mean(level) / mean(0) - 1.0).abs() < 0.1));
        // A wide frame covers the middle of the square.
        assert_eq!(texture.at(0, 0.0, 0.0, 0.9)[0], 0.0);
        assert_eq!(texture.at(0, 0.0, 0.0, 0.0)[0], 0.5);
        let [cover, ..] = texture.energy(0);
        assert!((cover - 0.5 * 4.0 * 2.0 / 3.0).abs() < 1e-5, "{cover}");
        assert_eq!((texture.level(12.0), texture.level(100.0)), (0.0, 0.0));
        assert!((texture.level(3.0) - 2.0).abs() < 1e-6);
    }

    #[test]
    fn values_that_are_no_colours_do_no_harm() {
        let bad = [[f32::NAN, f32::INFINITY, -3.0, f32::NAN]; 4];
        for has_alpha in [true, false] {
            let picture = SpritePicture { has_alpha, premultiplied: false, ..picture(&bad, [2, 2]) };
            let texture = Texture::new(picture, Atlas { frames: [1, 1], by_age: true }).expect("large enough");
            assert_eq!(texture.at(0, 0.3, 0.1, 0.2), [0.0; 4]);
        }
    }
}
