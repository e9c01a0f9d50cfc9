//! Pixel formats: rows of bytes to RGBA in 32-bit float, and back.

use half::f16;

/// Bits and meaning of one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Depth {
    /// 8 bits, 255 is 1.
    Byte,
    /// 16 bits, 65,535 is 1.
    Short,
    /// 16-bit float.
    Half,
    /// 32-bit float.
    Float,
}

/// Channels of one pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Components {
    /// Red, green, blue, alpha.
    Rgba,
    /// Red, green, blue; alpha is 1.
    Rgb,
    /// Alpha alone; shown as white of that alpha, so that it also serves where a colour is asked for.
    Alpha,
}

impl Components {
    /// Channels per pixel.
    pub fn channels(self) -> usize {
        match self {
            Self::Rgba => 4,
            Self::Rgb => 3,
            Self::Alpha => 1,
        }
    }
}

/// How an image's bytes are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// Of each channel.
    pub depth: Depth,
    /// Of each pixel.
    pub components: Components,
}

impl Format {
    /// Bytes per pixel.
    pub fn bytes(self) -> usize {
        let channel = match self.depth {
            Depth::Byte => 1,
            Depth::Short | Depth::Half => 2,
            Depth::Float => 4,
        };
        channel * self.components.channels()
    }

    /// Reads a row of `out.len()` pixels. `row` need not be aligned and must hold that many pixels.
    pub fn decode(self, row: &[u8], out: &mut [[f32; 4]]) {
        match self.depth {
            Depth::Byte => self.decode_with(row, out, |[b]: [u8; 1]| f32::from(b) / 255.0),
            Depth::Short => self.decode_with(row, out, |b| f32::from(u16::from_ne_bytes(b)) / 65535.0),
            Depth::Half => self.decode_with(row, out, |b| f16::from_ne_bytes(b).to_f32()),
            Depth::Float => self.decode_with(row, out, f32::from_ne_bytes),
        }
    }

    fn decode_with<const N: usize>(self, row: &[u8], out: &mut [[f32; 4]], read: impl Fn([u8; N]) -> f32) {
        let (channels, _) = row.as_chunks::<N>();
        match self.components {
            Components::Rgba => {
                for (pixel, value) in out.iter_mut().zip(channels.as_chunks::<4>().0) {
                    *pixel = value.map(&read);
                }
            }
            Components::Rgb => {
                for (pixel, value) in out.iter_mut().zip(channels.as_chunks::<3>().0) {
                    let [r, g, b] = value.map(&read);
                    *pixel = [r, g, b, 1.0];
                }
            }
            Components::Alpha => {
                for (pixel, value) in out.iter_mut().zip(channels) {
                    *pixel = [read(*value); 4];
                }
            }
        }
    }

    /// Writes a row of `pixels.len()` pixels. Integer depths are cut to 0..1 and rounded to the nearest; NaN becomes 0.
    pub fn encode(self, pixels: &[[f32; 4]], row: &mut [u8]) {
        match self.depth {
            Depth::Byte => self.encode_with(pixels, row, |v| [(v.clamp(0.0, 1.0) * 255.0 + 0.5) as u8]),
            Depth::Short => {
                self.encode_with(pixels, row, |v| ((v.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16).to_ne_bytes());
            }
            Depth::Half => self.encode_with(pixels, row, |v| f16::from_f32(v).to_ne_bytes()),
            Depth::Float => self.encode_with(pixels, row, f32::to_ne_bytes),
        }
    }

    fn encode_with<const N: usize>(self, pixels: &[[f32; 4]], row: &mut [u8], write: impl Fn(f32) -> [u8; N]) {
        let (channels, _) = row.as_chunks_mut::<N>();
        match self.components {
            Components::Rgba => {
                for (pixel, out) in pixels.iter().zip(channels.as_chunks_mut::<4>().0) {
                    *out = pixel.map(&write);
                }
            }
            Components::Rgb => {
                for (pixel, out) in pixels.iter().zip(channels.as_chunks_mut::<3>().0) {
                    let [r, g, b, _] = *pixel;
                    *out = [r, g, b].map(&write);
                }
            }
            Components::Alpha => {
                for (pixel, out) in pixels.iter().zip(channels) {
                    *out = write(pixel[3]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Depth; 4] = [Depth::Byte, Depth::Short, Depth::Half, Depth::Float];

    #[test]
    fn every_format_survives_a_round_trip() {
        let pixels = [[0.0, 0.25, 1.0, 0.5], [1.0, 0.75, 0.125, 1.0]];
        for depth in ALL {
            let tolerance = if depth == Depth::Byte { 0.51 / 255.0 } else { 0.51 / 65535.0 };
            for components in [Components::Rgba, Components::Rgb, Components::Alpha] {
                let format = Format { depth, components };
                // One byte off, so that nothing relies on alignment.
                let mut bytes = vec![0_u8; 2 * format.bytes() + 1];
                format.encode(&pixels, &mut bytes[1..]);
                let mut back = [[9.0; 4]; 2];
                format.decode(&bytes[1..], &mut back);
                for (pixel, back) in pixels.iter().zip(back) {
                    let [r, g, b, a] = *pixel;
                    let expected = match components {
                        Components::Rgba => [r, g, b, a],
                        Components::Rgb => [r, g, b, 1.0],
                        Components::Alpha => [a; 4],
                    };
                    for (value, expected) in back.iter().zip(expected) {
                        assert!((value - expected).abs() <= tolerance, "{format:?}: {back:?} from {pixel:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn integers_are_cut_and_nan_is_black() {
        let mut bytes = [7_u8; 4];
        let format = Format { depth: Depth::Byte, components: Components::Rgba };
        format.encode(&[[-1.0, 2.0, f32::NAN, f32::INFINITY]], &mut bytes);
        assert_eq!(bytes, [0, 255, 0, 255]);
    }
}
