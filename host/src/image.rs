//! Pictures in any layout of a host.

use half::f16;

use crate::{Components, Depth, Premultiplication, RectI, memory};

fn read_sample(depth: Depth, bytes: &[u8]) -> f32 {
    match depth {
        Depth::Byte => f32::from(bytes[0]) / 255.0,
        Depth::Short => f32::from(u16::from_ne_bytes([bytes[0], bytes[1]])) / 65535.0,
        Depth::Half => f16::from_ne_bytes([bytes[0], bytes[1]]).to_f32(),
        Depth::Float => f32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
    }
}

fn write_sample(depth: Depth, value: f32, bytes: &mut [u8]) {
    match depth {
        Depth::Byte => bytes[0] = (value * 255.0 + 0.5) as u8,
        Depth::Short => bytes[..2].copy_from_slice(&((value * 65535.0 + 0.5) as u16).to_ne_bytes()),
        Depth::Half => bytes[..2].copy_from_slice(&f16::from_f32(value).to_ne_bytes()),
        Depth::Float => bytes[..4].copy_from_slice(&value.to_ne_bytes()),
    }
}

/// Layout of rows in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RowLayout {
    /// The bottom row is last in memory, and the row bytes are negative.
    pub negative: bool,
    /// Unused bytes after each row.
    pub padding: usize,
}

/// A picture of any depth, components, origin and row layout. The first row is the
/// bottom one.
#[derive(Clone, PartialEq)]
pub struct Image {
    bounds: RectI,
    depth: Depth,
    components: Components,
    rows: RowLayout,
    /// Relation of the colour to the alpha.
    pub premultiplication: Premultiplication,
    /// Width over height of a pixel.
    pub pixel_aspect: f64,
    data: Vec<u8>,
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Image({:?}, {:?}, {:?}, {:?})", self.bounds, self.depth, self.components, self.rows)
    }
}

/// Fills the padding between rows, so that a write there can be detected.
const PADDING: u8 = 0xA5;

impl Image {
    /// A picture of zeros.
    #[must_use]
    pub fn new(bounds: RectI, depth: Depth, components: Components) -> Self {
        Self::with_rows(bounds, depth, components, RowLayout::default())
    }

    /// A picture of zeros with the given row layout.
    #[must_use]
    pub fn with_rows(bounds: RectI, depth: Depth, components: Components, rows: RowLayout) -> Self {
        let line = bounds.width() * depth.bytes() * components.count();
        let mut data = memory::zeros((line + rows.padding) * bounds.height());
        if rows.padding > 0 {
            for row in data.chunks_mut(line + rows.padding) {
                row[line..].fill(PADDING);
            }
        }
        Self {
            bounds,
            depth,
            components,
            rows,
            premultiplication: Premultiplication::Premultiplied,
            pixel_aspect: 1.0,
            data,
        }
    }

    /// A picture of floats, RGBA, whose pixels are `pixel(x, y)`.
    #[must_use]
    pub fn from_fn(bounds: RectI, pixel: impl Fn(i32, i32) -> [f32; 4]) -> Self {
        let mut image = Self::new(bounds, Depth::Float, Components::Rgba);
        for y in bounds.y1..bounds.y2 {
            for x in bounds.x1..bounds.x2 {
                image.set_pixel(x, y, pixel(x, y));
            }
        }
        image
    }

    /// The same picture with a declared relation of colour to alpha.
    #[must_use]
    pub fn premultiplied(mut self, premultiplication: Premultiplication) -> Self {
        self.premultiplication = premultiplication;
        self
    }

    /// The same picture with a declared pixel aspect ratio.
    #[must_use]
    pub fn pixel_aspect(mut self, pixel_aspect: f64) -> Self {
        self.pixel_aspect = pixel_aspect;
        self
    }

    /// The covered pixels.
    #[must_use]
    pub fn bounds(&self) -> RectI {
        self.bounds
    }

    /// Makes the system provide the memory now: a host that recycles its pictures hands out memory in use, and the
    /// measured time of a plug-in should not include the system's.
    pub(crate) fn touch(&mut self) {
        const PAGE: usize = 4096;
        for byte in self.data.iter_mut().step_by(PAGE) {
            *byte = std::hint::black_box(*byte);
        }
    }

    /// Storage format of a channel.
    #[must_use]
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// Channels of a pixel.
    #[must_use]
    pub fn components(&self) -> Components {
        self.components
    }

    /// Layout of the rows in memory.
    #[must_use]
    pub fn rows(&self) -> RowLayout {
        self.rows
    }

    /// All bytes, padding included, in memory order.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// Bytes from one row to the next one up; negative if the bottom row is last.
    #[must_use]
    pub fn row_bytes(&self) -> isize {
        let line = (self.line() + self.rows.padding) as isize;
        if self.rows.negative { -line } else { line }
    }

    fn line(&self) -> usize {
        self.bounds.width() * self.pixel_bytes()
    }

    fn pixel_bytes(&self) -> usize {
        self.depth.bytes() * self.components.count()
    }

    /// Offset of the lower left pixel in `data`, in bytes.
    pub(crate) fn origin_offset(&self) -> usize {
        if self.rows.negative && self.bounds.height() > 0 {
            (self.line() + self.rows.padding) * (self.bounds.height() - 1)
        } else {
            0
        }
    }

    pub(crate) fn data_mut(&mut self) -> &mut [u8] {
        &mut self.data
    }

    fn row_offset(&self, y: i32) -> usize {
        let from_bottom = (y - self.bounds.y1) as usize;
        let row = if self.rows.negative { self.bounds.height() - 1 - from_bottom } else { from_bottom };
        row * (self.line() + self.rows.padding)
    }

    /// The bytes of a row's pixels, without padding.
    ///
    /// # Panics
    /// If `y` is outside the bounds.
    #[must_use]
    pub fn row(&self, y: i32) -> &[u8] {
        assert!(y >= self.bounds.y1 && y < self.bounds.y2, "row {y} of {:?}", self.bounds);
        let start = self.row_offset(y);
        &self.data[start..start + self.line()]
    }

    /// The stored channels of a pixel, unconverted, in component order; zeros outside the bounds.
    #[must_use]
    pub fn channels(&self, x: i32, y: i32) -> [f32; 4] {
        let mut out = [0.0; 4];
        if self.bounds.contains(x, y) {
            let start = self.row_offset(y) + (x - self.bounds.x1) as usize * self.pixel_bytes();
            let size = self.depth.bytes();
            for (i, value) in out.iter_mut().take(self.components.count()).enumerate() {
                *value = read_sample(self.depth, &self.data[start + i * size..]);
            }
        }
        out
    }

    /// A pixel as red, green, blue, alpha; nothing outside the bounds. An RGB picture
    /// has an alpha of one, an alpha picture no colour.
    #[must_use]
    pub fn pixel(&self, x: i32, y: i32) -> [f32; 4] {
        if !self.bounds.contains(x, y) {
            return [0.0; 4];
        }
        let c = self.channels(x, y);
        match self.components {
            Components::Rgba => c,
            Components::Rgb => [c[0], c[1], c[2], 1.0],
            Components::Alpha => [0.0, 0.0, 0.0, c[0]],
            Components::Xy => [c[0], c[1], 0.0, 0.0],
        }
    }

    /// Stores red, green, blue, alpha at a pixel; pixels outside the bounds are dropped.
    pub fn set_pixel(&mut self, x: i32, y: i32, rgba: [f32; 4]) {
        if !self.bounds.contains(x, y) {
            return;
        }
        let start = self.row_offset(y) + (x - self.bounds.x1) as usize * self.pixel_bytes();
        let (depth, size) = (self.depth, self.depth.bytes());
        let channels: &[f32] = match self.components {
            Components::Rgba => &rgba,
            Components::Rgb => &rgba[..3],
            Components::Alpha => &rgba[3..],
            Components::Xy => &rgba[..2],
        };
        for (i, value) in channels.iter().enumerate() {
            write_sample(depth, *value, &mut self.data[start + i * size..]);
        }
    }

    /// The picture in another layout; zeros where `bounds` reaches beyond it.
    #[must_use]
    pub fn converted(&self, bounds: RectI, depth: Depth, components: Components, rows: RowLayout) -> Self {
        let mut out = Self::with_rows(bounds, depth, components, rows);
        out.premultiplication = self.premultiplication;
        out.pixel_aspect = self.pixel_aspect;
        let shared = bounds.intersect(&self.bounds);
        let same = depth == self.depth && components == self.components;
        for y in shared.y1..shared.y2 {
            if same {
                let size = self.pixel_bytes();
                let from = self.row_offset(y) + (shared.x1 - self.bounds.x1) as usize * size;
                let to = out.row_offset(y) + (shared.x1 - bounds.x1) as usize * size;
                let length = shared.width() * size;
                out.data[to..to + length].copy_from_slice(&self.data[from..from + length]);
            } else {
                for x in shared.x1..shared.x2 {
                    out.set_pixel(x, y, self.pixel(x, y));
                }
            }
        }
        out
    }

    /// The picture at a smaller (or larger) scale: each new pixel is the mean of the
    /// area it covers; the area outside the bounds counts as 0.
    #[must_use]
    pub fn scaled(&self, scale: (f64, f64)) -> Self {
        if scale == (1.0, 1.0) {
            return self.clone();
        }
        let bounds = self.bounds.canonical((1.0, 1.0), 1.0).pixels(scale, 1.0);
        let mut out = Self::with_rows(bounds, self.depth, self.components, self.rows);
        out.premultiplication = self.premultiplication;
        out.pixel_aspect = self.pixel_aspect;
        let columns: Vec<_> = (bounds.x1..bounds.x2).map(|x| cover(x, scale.0)).collect();
        for y in bounds.y1..bounds.y2 {
            let rows = cover(y, scale.1);
            for (x, columns) in (bounds.x1..bounds.x2).zip(&columns) {
                let mut sum = [0.0f64; 4];
                for &(sy, wy) in &rows {
                    for &(sx, wx) in columns {
                        let pixel = self.pixel(sx, sy);
                        for (total, value) in sum.iter_mut().zip(pixel) {
                            *total += f64::from(value) * wx * wy;
                        }
                    }
                }
                out.set_pixel(x, y, sum.map(|value| value as f32));
            }
        }
        out
    }

    /// All pixels of `window`, bottom row first, as RGBA floats; nothing outside the bounds.
    #[must_use]
    pub fn to_rgba(&self, window: RectI) -> Vec<[f32; 4]> {
        let mut out = memory::vector(window.width() * window.height());
        for y in window.y1..window.y2 {
            out.extend((window.x1..window.x2).map(|x| self.pixel(x, y)));
        }
        out
    }

    /// Whether the padding between rows was written.
    pub(crate) fn padding_was_written(&self) -> bool {
        let line = self.line();
        self.rows.padding > 0
            && self.data.chunks(line + self.rows.padding).any(|row| row[line..].iter().any(|byte| *byte != PADDING))
    }

    /// The values of the image's properties: depth, components, premultiplication.
    pub(crate) fn ofx_names(&self) -> [&'static str; 3] {
        [self.depth.as_str(), self.components.as_str(), self.premultiplication.as_str()]
    }
}

/// The source pixels under pixel `at` of a picture scaled by `scale`, with weights that sum to one.
fn cover(at: i32, scale: f64) -> Vec<(i32, f64)> {
    let (from, to) = (f64::from(at) / scale, f64::from(at + 1) / scale);
    let (first, last) = (from.floor() as i32, to.ceil() as i32);
    (first..last)
        .map(|i| (i, (to.min(f64::from(i + 1)) - from.max(f64::from(i))).max(0.0) / (to - from)))
        .filter(|(_, weight)| *weight > 1e-9)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(bounds: RectI) -> Image {
        Image::from_fn(bounds, |x, y| [x as f32 / 8.0, y as f32 / 8.0, 0.25, 1.0])
    }

    #[test]
    fn every_row_layout_keeps_the_pixels() {
        let bounds = RectI::new(-2, 1, 5, 5);
        let image = ramp(bounds);
        for negative in [false, true] {
            for padding in [0, 12] {
                let rows = RowLayout { negative, padding };
                let other = image.converted(bounds, Depth::Half, Components::Rgba, rows);
                assert_eq!(other.to_rgba(bounds), image.to_rgba(bounds));
                assert_eq!(other.row_bytes().unsigned_abs(), 7 * 8 + padding);
                assert_eq!(other.row_bytes() < 0, negative);
                assert!(!other.padding_was_written());
            }
        }
    }

    #[test]
    fn the_origin_of_negative_rows_is_the_last_row() {
        let rows = RowLayout { negative: true, padding: 4 };
        let image =
            ramp(RectI::new(0, 0, 2, 3)).converted(RectI::new(0, 0, 2, 3), Depth::Float, Components::Rgba, rows);
        let start = image.origin_offset();
        assert_eq!(start, 2 * (2 * 16 + 4));
        assert_eq!(&image.data()[start..start + 4], &0.0f32.to_ne_bytes());
        assert_eq!(image.pixel(1, 2), [0.125, 0.25, 0.25, 1.0]);
    }

    #[test]
    fn half_scale_averages_four_pixels() {
        let image = ramp(RectI::new(0, 0, 4, 4)).scaled((0.5, 0.5));
        assert_eq!(image.bounds(), RectI::new(0, 0, 2, 2));
        assert_eq!(image.pixel(0, 0), [0.0625, 0.0625, 0.25, 1.0]);
        assert_eq!(image.pixel(1, 1), [0.3125, 0.3125, 0.25, 1.0]);
    }

    #[test]
    fn a_write_between_rows_is_detected() {
        let rows = RowLayout { negative: false, padding: 3 };
        let mut image = Image::with_rows(RectI::new(0, 0, 2, 2), Depth::Byte, Components::Rgba, rows);
        assert!(!image.padding_was_written());
        image.data_mut()[9] = 0;
        assert!(image.padding_was_written());
    }

    #[test]
    fn bytes_round_to_nearest_and_saturate() {
        let mut image = Image::new(RectI::new(0, 0, 1, 1), Depth::Byte, Components::Rgba);
        image.set_pixel(0, 0, [0.5, 2.0, -1.0, f32::NAN]);
        assert_eq!(image.data(), [128, 255, 0, 0]);
    }
}
