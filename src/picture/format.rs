//! Pixel formats: rows of bytes to RGBA in 32-bit float, and back.

use half::f16;
use half::slice::{HalfBitsSliceExt as _, HalfFloatSliceExt as _};

use crate::compute::cpu::wide::{Wide, wide};

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

/// Pixel format of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// Depth of each channel.
    pub depth: Depth,
    /// Channels of each pixel.
    pub components: Components,
}

impl Format {
    /// The format of pixels in memory: 32-bit float RGBA.
    pub const PLAIN: Self = Self { depth: Depth::Float, components: Components::Rgba };

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
        wide(Decode { format: self, row, out });
    }

    #[inline(always)]
    fn decode_with(self, row: &[u8], out: &mut [[f32; 4]]) {
        let channels = self.components.channels();
        if channels == 4 {
            return self.depth.decode(row, out.as_flattened_mut());
        }
        let mut values = [0.0_f32; CHUNK];
        let pixels = CHUNK / channels;
        for (out, row) in out.chunks_mut(pixels).zip(row.chunks(pixels * self.bytes())) {
            let values = &mut values[..out.len() * channels];
            self.depth.decode(row, values);
            if channels == 3 {
                for (pixel, [r, g, b]) in out.iter_mut().zip(values.as_chunks().0) {
                    *pixel = [*r, *g, *b, 1.0];
                }
            } else {
                out.iter_mut().zip(values).for_each(|(pixel, alpha)| *pixel = [*alpha; 4]);
            }
        }
    }

    /// Writes a row of `pixels.len()` pixels. For integer depths values are clamped to 0..1 and rounded to the nearest;
    /// NaN becomes 0.
    pub fn encode(self, pixels: &[[f32; 4]], row: &mut [u8]) {
        wide(Encode { format: self, pixels, row });
    }

    #[inline(always)]
    fn encode_with(self, pixels: &[[f32; 4]], row: &mut [u8]) {
        let channels = self.components.channels();
        if channels == 4 {
            return self.depth.encode(pixels.as_flattened(), row);
        }
        let mut values = [0.0_f32; CHUNK];
        let most = CHUNK / channels;
        for (pixels, row) in pixels.chunks(most).zip(row.chunks_mut(most * self.bytes())) {
            let values = &mut values[..pixels.len() * channels];
            if channels == 3 {
                for ([r, g, b, _], value) in pixels.iter().zip(values.as_chunks_mut().0) {
                    *value = [*r, *g, *b];
                }
            } else {
                pixels.iter().zip(values.iter_mut()).for_each(|(pixel, value)| *value = pixel[3]);
            }
            self.depth.encode(values, row);
        }
    }

    /// Whether a row of this format has the same bytes as its pixels in memory.
    pub fn is_plain(self) -> bool {
        self == Self::PLAIN
    }
}

struct Decode<'a> {
    format: Format,
    row: &'a [u8],
    out: &'a mut [[f32; 4]],
}

impl Wide for Decode<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.format.decode_with(self.row, self.out);
    }
}

struct Encode<'a> {
    format: Format,
    pixels: &'a [[f32; 4]],
    row: &'a mut [u8],
}

impl Wide for Encode<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.format.encode_with(self.pixels, self.row);
    }
}

/// Number of channels that are converted at once where a conversion needs scratch memory.
const CHUNK: usize = 768;

/// A channel to write.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Channel {
    /// The channel of each pixel with this index.
    Of(usize),
    /// The same value for all pixels.
    Is(f32),
}

impl Depth {
    /// Writes some channels of a row of pixels, in the order of `channels`. Values as in [`Format::encode`].
    pub fn encode_channels(self, pixels: &[[f32; 4]], channels: &[Channel], row: &mut [u8]) {
        let value = |pixel: &[f32; 4], channel: Channel| match channel {
            Channel::Of(place) => pixel[place],
            Channel::Is(value) => value,
        };
        let values: Vec<f32> =
            pixels.iter().flat_map(|pixel| channels.iter().map(|channel| value(pixel, *channel))).collect();
        self.encode(&values, row);
    }

    /// Reads channels, as many as there are in `out`.
    #[inline(always)]
    fn decode(self, bytes: &[u8], out: &mut [f32]) {
        match self {
            Self::Byte => out.iter_mut().zip(bytes).for_each(|(value, byte)| *value = f32::from(*byte) / 255.0),
            Self::Short => {
                let shorts = bytes.as_chunks().0.iter().map(|b| u16::from_ne_bytes(*b));
                out.iter_mut().zip(shorts).for_each(|(value, short)| *value = f32::from(short) / 65535.0);
            }
            Self::Half => {
                // The conversion of a slice uses the processor's instructions where it has them.
                if let Ok(halves) = bytemuck::try_cast_slice::<u8, u16>(&bytes[..2 * out.len()]) {
                    return halves.reinterpret_cast::<f16>().convert_to_f32_slice(out);
                }
                let mut halves = [f16::ZERO; CHUNK];
                for (out, bytes) in out.chunks_mut(CHUNK).zip(bytes.chunks(2 * CHUNK)) {
                    let halves = &mut halves[..out.len()];
                    halves.iter_mut().zip(bytes.as_chunks().0).for_each(|(half, b)| *half = f16::from_ne_bytes(*b));
                    halves.convert_to_f32_slice(out);
                }
            }
            Self::Float => {
                let length = size_of_val(out);
                bytemuck::cast_slice_mut(out).copy_from_slice(&bytes[..length]);
            }
        }
    }

    /// Writes channels.
    #[inline(always)]
    fn encode(self, values: &[f32], bytes: &mut [u8]) {
        match self {
            Self::Byte => values.iter().zip(bytes).for_each(|(value, byte)| *byte = scaled(*value, 255.0) as u8),
            Self::Short => {
                for (value, bytes) in values.iter().zip(bytes.as_chunks_mut().0) {
                    *bytes = (scaled(*value, 65535.0) as u16).to_ne_bytes();
                }
            }
            Self::Half => {
                let length = 2 * values.len();
                if let Ok(halves) = bytemuck::try_cast_slice_mut::<u8, u16>(&mut bytes[..length]) {
                    return halves.reinterpret_cast_mut::<f16>().convert_from_f32_slice(values);
                }
                let mut halves = [f16::ZERO; CHUNK];
                for (values, bytes) in values.chunks(CHUNK).zip(bytes.chunks_mut(2 * CHUNK)) {
                    let halves = &mut halves[..values.len()];
                    halves.convert_from_f32_slice(values);
                    bytes.as_chunks_mut().0.iter_mut().zip(halves).for_each(|(b, half)| *b = half.to_ne_bytes());
                }
            }
            Self::Float => bytes[..size_of_val(values)].copy_from_slice(bytemuck::cast_slice(values)),
        }
    }
}

/// 2^23. The sum with a number from 0 to below 2^22 has the nearest integer in its low bits.
const MAGIC: f32 = 8_388_608.0;

/// A value of 0..1 as an integer up to `most`, halves up; NaN gives 0. (A conversion with `as` also clamps to the range
/// of its type, which keeps compilers from vectorising it.)
#[inline(always)]
fn scaled(value: f32, most: f32) -> u32 {
    let value = if value > 0.0 { value } else { 0.0 };
    let value = if value < 1.0 { value } else { 1.0 };
    let wanted = value * most + 0.5;
    let nearest = (wanted + MAGIC) - MAGIC;
    let whole = nearest - if nearest > wanted { 1.0 } else { 0.0 };
    (whole + MAGIC).to_bits() & 0xffff
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute::cpu::Isa;

    const ALL: [Depth; 4] = [Depth::Byte, Depth::Short, Depth::Half, Depth::Float];

    #[test]
    fn every_format_survives_a_round_trip() {
        let pixels = [[0.0, 0.25, 1.0, 0.5], [1.0, 0.75, 0.125, 1.0]];
        for depth in ALL {
            let tolerance = if depth == Depth::Byte { 0.51 / 255.0 } else { 0.51 / 65535.0 };
            for components in [Components::Rgba, Components::Rgb, Components::Alpha] {
                let format = Format { depth, components };
                // The rows begin at an odd address, so that the test fails if the code needs alignment.
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

    /// Numbers of every magnitude and sign, halfway cases of the integer depths among them.
    fn numbers() -> Vec<f32> {
        let special = [f32::INFINITY, f32::NAN, f32::MAX, f32::MIN_POSITIVE, 1e-42, 65504.0, 65520.0, 6.0e-8, 1.0, 0.0];
        let halfway = (0..256).flat_map(|n| [(n as f32 + 0.5) / 255.0, (n as f32 * 257.0 + 0.5) / 65535.0]);
        let powers = (0..=254_u32).map(|exponent| f32::from_bits(exponent << 23 | 0x2f_5a5b));
        let numbers: Vec<f32> = special.into_iter().chain(halfway).chain(powers).collect();
        let near = |v: &f32| [*v, -*v, f32::from_bits(v.to_bits().wrapping_add(1)), *v * 0.999_999_9];
        numbers.iter().flat_map(near).collect()
    }

    #[test]
    fn rows_are_converted_channel_by_channel() {
        let values = numbers();
        let pixels = values.as_chunks::<4>().0;
        for depth in ALL {
            let plain = |v: f32| match depth {
                Depth::Byte => vec![(v.clamp(0.0, 1.0) * 255.0 + 0.5) as u8],
                Depth::Short => ((v.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16).to_ne_bytes().to_vec(),
                Depth::Half => f16::from_f32_const(v).to_ne_bytes().to_vec(),
                Depth::Float => v.to_ne_bytes().to_vec(),
            };
            for components in [Components::Rgba, Components::Rgb, Components::Alpha] {
                let format = Format { depth, components };
                let shown = |pixel: &[f32; 4]| match components {
                    Components::Rgba => pixel.to_vec(),
                    Components::Rgb => pixel[..3].to_vec(),
                    Components::Alpha => vec![pixel[3]],
                };
                let truth: Vec<u8> = pixels.iter().flat_map(shown).flat_map(plain).collect();
                for isa in Isa::available() {
                    let mut bytes = vec![0; pixels.len() * format.bytes() + 1];
                    isa.run(Encode { format, pixels, row: &mut bytes[1..] });
                    assert_eq!(&bytes[1..], truth, "{format:?} {isa:?}");
                }
            }
        }
        let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_ne_bytes).collect();
        let channels = bytes.as_chunks::<2>().0;
        for (depth, isa) in
            [Depth::Short, Depth::Half].into_iter().flat_map(|d| Isa::available().into_iter().map(move |v| (d, v)))
        {
            let mut pixels = vec![[0.0; 4]; channels.len() / 4];
            let format = Format { depth, components: Components::Rgba };
            isa.run(Decode { format, row: &bytes, out: &mut pixels });
            for (value, b) in pixels.as_flattened().iter().zip(channels) {
                let truth = match depth {
                    Depth::Half => f16::from_ne_bytes(*b).to_f32_const(),
                    _ => f32::from(u16::from_ne_bytes(*b)) / 65535.0,
                };
                assert_eq!(value.to_bits(), truth.to_bits(), "{depth:?} {isa:?} {b:?}");
            }
        }
    }
}
