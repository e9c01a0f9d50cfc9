//! Reads deep pictures: scan-line OpenEXR files of one part, without compression or with ZIPS.
//!
//! A file is not trusted: counts are compared with the bytes that are there before anything is allocated, and lines do
//! not inflate beyond their known size. Any bytes give a picture or an error.

use half::f16;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use thiserror::Error;

use crate::picture::maths::up_to;
use crate::sim::request;

/// First bytes of a file.
const MAGIC: u32 = 20_000_630;

/// Bits of the version: tiles, deep data, several parts.
const TILED: u32 = 0x200;
const DEEP: u32 = 0x800;
const PARTS: u32 = 0x1000;

/// Compressions that can be read.
const NONE: u8 = 0;
const ZIPS: u8 = 2;

/// Most pixels and most samples of a picture.
const MOST: usize = 1 << 28;

/// Largest ratio of bytes before and after deflation.
const RATIO: usize = 1032;

/// The reason why a deep picture cannot be read, as the end of a sentence for the artist.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DeepError {
    /// Other bytes.
    #[error("it is no OpenEXR file")]
    NotExr,
    /// A picture with one value per pixel.
    #[error("it is a flat picture, and a deep one is needed")]
    Flat,
    /// Several pictures.
    #[error("it has several parts: write each into a file of its own")]
    Parts,
    /// Pixels in tiles.
    #[error("its pixels are in tiles: write scan lines")]
    Tiles,
    /// Another compression.
    #[error("its compression is neither None nor ZIPS (zip of single lines): write it with one of them")]
    Compression,
    /// A channel that is needed.
    #[error("it has no channel {0}")]
    Channel(&'static str),
    /// More pixels or samples than the budget.
    #[error("it has more than {} million pixels or samples", MOST >> 20)]
    Large,
    /// The file ends within its contents.
    #[error("it ends early: copy it anew")]
    Short,
    /// Contents that no program writes.
    #[error("it is damaged ({0})")]
    Damaged(&'static str),
}

/// A part of the volume before a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeepSample {
    /// Premultiplied colour.
    pub colour: [f32; 3],
    /// Alpha of the whole span, 0 to 1.
    pub alpha: f32,
    /// The nearest and the farthest distance, in units of the file.
    pub ends: [f32; 2],
}

/// A deep picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deep {
    /// Width and height of the whole picture.
    pub size: [usize; 2],
    /// The pixels with samples: the first column and row of the whole picture, the uppermost row is 0, and their numbers.
    first: [i64; 2],
    count: [usize; 2],
    /// Number of samples up to each pixel, its own included.
    ends: Vec<u32>,
    /// All samples; those of a pixel by their nearest distance.
    samples: Vec<DeepSample>,
}

impl Deep {
    /// Reads a file.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn read(bytes: &[u8]) -> Result<Self, DeepError> {
        let (header, table) = Header::parse(bytes)?;
        let [x1, y1, x2, y2] = header.data;
        let count = [span(x1, x2)?, span(y1, y2)?];
        let [whole_x, whole_y, ..] = header.display;
        let size = [span(whole_x, header.display[2])?, span(whole_y, header.display[3])?];
        let pixels = count[0].checked_mul(count[1]).filter(|pixels| *pixels <= MOST).ok_or(DeepError::Large)?;
        // Each line has at least its place in the table and the head of its chunk, and each pixel a count.
        if table.len() / 36 < count[1] || 4 * pixels > table.len().saturating_mul(RATIO) {
            return Err(DeepError::Short);
        }
        let mut lines: Vec<Option<&[u8]>> = request::filled(count[1], None);
        for line in 0..count[1] {
            let at = u64::from_le_bytes(array(table, 8 * line)?);
            let chunk = usize::try_from(at).ok().and_then(|at| bytes.get(at..)).ok_or(DeepError::Short)?;
            let y = i64::from(i32::from_le_bytes(array(chunk, 0)?)) - i64::from(y1);
            let place = usize::try_from(y).ok().and_then(|y| lines.get_mut(y));
            *place.ok_or(DeepError::Damaged("a line outside"))? = Some(&chunk[4..]);
        }
        let first = [i64::from(x1) - i64::from(whole_x), i64::from(y1) - i64::from(whole_y)];
        let mut deep = Self { size, first, count, ends: request::with_capacity(pixels), samples: Vec::new() };
        for line in lines {
            deep.add_line(&header, line.ok_or(DeepError::Damaged("a line is missing"))?)?;
        }
        Ok(deep)
    }

    /// Samples of a pixel of the whole picture, `[column, row]`, the uppermost row is 0.
    pub fn pixel(&self, place: [usize; 2]) -> &[DeepSample] {
        let at = [0, 1].map(|axis| place[axis] as i64 - self.first[axis]);
        if (0..2).any(|axis| at[axis] < 0 || at[axis] >= self.count[axis] as i64) {
            return &[];
        }
        let pixel = at[0] as usize + self.count[0] * at[1] as usize;
        let from = if pixel == 0 { 0 } else { self.ends[pixel - 1] };
        &self.samples[from as usize..self.ends[pixel] as usize]
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.ends[..]) + size_of_val(&self.samples[..])
    }

    /// Adds the next line, from the sizes in the head of its chunk on.
    fn add_line(&mut self, header: &Header, chunk: &[u8]) -> Result<(), DeepError> {
        let mut sizes = [0; 3];
        for (n, size) in sizes.iter_mut().enumerate() {
            *size = usize::try_from(u64::from_le_bytes(array(chunk, 8 * n)?)).map_err(|_| DeepError::Short)?;
        }
        let [table, packed, unpacked] = sizes;
        let rest = &chunk[24..];
        let end = table.checked_add(packed).ok_or(DeepError::Short)?;
        let (table, packed) = rest.get(..end).ok_or(DeepError::Short)?.split_at(table);
        let counts = header.unpacked(table, 4 * self.count[0])?;
        let before = self.samples.len();
        let mut last = 0;
        for end in counts.as_chunks().0 {
            let end = u32::from_le_bytes(*end);
            if end < last || before + end as usize > MOST {
                return Err(if end < last { DeepError::Damaged("its counts fall") } else { DeepError::Large });
            }
            last = end;
            request::push(&mut self.ends, before as u32 + end);
        }
        let count = last as usize;
        let length = count.checked_mul(header.channels.iter().map(|channel| channel.bytes()).sum());
        if length != Some(unpacked) {
            return Err(DeepError::Damaged("the size of a line"));
        }
        let data = header.unpacked(packed, unpacked)?;
        let value = |place: usize, sample: usize| header.channels[place].value(&data, count, sample);
        let samples = (0..count).map(|n| {
            let colour = header.colours.map(|place| place.map_or(0.0, |place| value(place, n)));
            let near = value(header.near, n);
            let far = header.far.map_or(near, |place| value(place, n));
            sample(colour, value(header.alpha, n), [near, far])
        });
        request::extend(&mut self.samples, samples);
        let mut from = before;
        for end in self.ends.iter().skip(self.ends.len() - self.count[0]) {
            let own = &mut self.samples[from..*end as usize];
            if !own.is_sorted_by(|a, b| a.ends[0] <= b.ends[0]) {
                own.sort_by(|a, b| a.ends[0].total_cmp(&b.ends[0]));
            }
            from = *end as usize;
        }
        Ok(())
    }
}

/// A sample; one whose numbers are not finite is empty.
fn sample(colour: [f32; 3], alpha: f32, [near, far]: [f32; 2]) -> DeepSample {
    if !(near.is_finite() && far.is_finite() && alpha.is_finite()) {
        return DeepSample { colour: [0.0; 3], alpha: 0.0, ends: [0.0; 2] };
    }
    let colour = colour.map(|channel| if channel.is_finite() { channel } else { 0.0 });
    DeepSample { colour, alpha: up_to(alpha, 1.0), ends: [near.min(far), near.max(far)] }
}

/// Number of pixels from one to another.
fn span(first: i32, last: i32) -> Result<usize, DeepError> {
    let count = i64::from(last) - i64::from(first) + 1;
    usize::try_from(count).ok().filter(|count| (1..=MOST).contains(count)).ok_or(DeepError::Damaged("its window"))
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], DeepError> {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().ok_or(DeepError::Short)
}

/// A channel: the place of its first value in a line, in bytes per sample, and its type.
#[derive(Clone, Copy)]
struct Channel {
    before: usize,
    kind: i32,
}

impl Channel {
    fn bytes(self) -> usize {
        if self.kind == 1 { 2 } else { 4 }
    }

    /// The value of a sample among `count` of a line.
    fn value(self, data: &[u8], count: usize, sample: usize) -> f32 {
        let at = self.before * count + self.bytes() * sample;
        let word = || data.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
        match self.kind {
            0 => u32::from_le_bytes(word()) as f32,
            1 => f16::from_le_bytes([data[at], data[at + 1]]).to_f32(),
            _ => f32::from_le_bytes(word()),
        }
    }
}

/// The header of a file.
struct Header {
    channels: Vec<Channel>,
    /// Places in `channels`: red, green, blue; alpha; the nearest and the farthest distance.
    colours: [Option<usize>; 3],
    alpha: usize,
    near: usize,
    far: Option<usize>,
    compression: u8,
    data: [i32; 4],
    display: [i32; 4],
}

impl Header {
    /// The header of a file, and the bytes from the table of lines on.
    fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), DeepError> {
        let word = |at: usize| array(bytes, at).map(u32::from_le_bytes);
        if word(0) != Ok(MAGIC) {
            return Err(DeepError::NotExr);
        }
        let flags = word(4)?;
        for (flag, error) in [(PARTS, DeepError::Parts), (TILED, DeepError::Tiles)] {
            if flags & flag != 0 {
                return Err(error);
            }
        }
        if flags & DEEP == 0 {
            return Err(DeepError::Flat);
        }
        let (mut channels, mut compression, mut data, mut display) = (None, None, None, None);
        let mut rest = &bytes[8..];
        loop {
            let name = text(&mut rest)?;
            if name.is_empty() {
                break;
            }
            text(&mut rest)?;
            let length = usize::try_from(i32::from_le_bytes(array(rest, 0)?)).map_err(|_| DeepError::Short)?;
            let value = rest[4..].get(..length).ok_or(DeepError::Short)?;
            rest = &rest[4 + length..];
            let window = || -> Result<[i32; 4], DeepError> {
                let mut window = [0; 4];
                for (n, side) in window.iter_mut().enumerate() {
                    *side = i32::from_le_bytes(array(value, 4 * n)?);
                }
                Ok(window)
            };
            match name {
                b"channels" => channels = Some(value),
                b"compression" => compression = value.first().copied(),
                b"dataWindow" => data = Some(window()?),
                b"displayWindow" => display = Some(window()?),
                b"type" if value == b"deeptile" => return Err(DeepError::Tiles),
                _ => {}
            }
        }
        let data = data.ok_or(DeepError::Damaged("it has no window"))?;
        let compression = compression.filter(|kind| [NONE, ZIPS].contains(kind)).ok_or(DeepError::Compression)?;
        let display = display.unwrap_or(data);
        let header = Self::with_channels(channels.ok_or(DeepError::Channel("A"))?, compression, data, display)?;
        Ok((header, rest))
    }

    fn with_channels(mut list: &[u8], compression: u8, data: [i32; 4], display: [i32; 4]) -> Result<Self, DeepError> {
        let (mut channels, mut names) = (Vec::new(), Vec::new());
        let mut before = 0;
        loop {
            let name = text(&mut list)?;
            if name.is_empty() {
                break;
            }
            let kind = i32::from_le_bytes(array(list, 0)?);
            let steps = [i32::from_le_bytes(array(list, 8)?), i32::from_le_bytes(array(list, 12)?)];
            if !(0..3).contains(&kind) || steps != [1, 1] {
                return Err(DeepError::Damaged("a channel"));
            }
            let channel = Channel { before, kind };
            before += channel.bytes();
            channels.push(channel);
            names.push(name);
            list = &list[16..];
        }
        let place = |name: &'static str| names.iter().position(|other| *other == name.as_bytes());
        let needed = |name: &'static str| place(name).ok_or(DeepError::Channel(name));
        Ok(Self {
            colours: ["R", "G", "B"].map(place),
            alpha: needed("A")?,
            near: needed("Z")?,
            far: place("ZBack"),
            channels,
            compression,
            data,
            display,
        })
    }

    /// `count` bytes before their compression.
    fn unpacked(&self, bytes: &[u8], count: usize) -> Result<Vec<u8>, DeepError> {
        // Bytes that would not become fewer are stored as they are.
        if self.compression == NONE || bytes.len() == count {
            return if bytes.len() == count {
                Ok(bytes.to_vec())
            } else {
                Err(DeepError::Damaged("the size of a line"))
            };
        }
        if count > bytes.len().saturating_mul(RATIO) {
            return Err(DeepError::Short);
        }
        let split = decompress_to_vec_zlib_with_limit(bytes, count);
        let mut split = split.map_err(|_| DeepError::Damaged("compressed values"))?;
        if split.len() != count {
            return Err(DeepError::Damaged("the size of a line"));
        }
        for at in 1..count {
            split[at] = split[at].wrapping_add(split[at - 1]).wrapping_sub(128);
        }
        let odd = count.div_ceil(2);
        Ok((0..count).map(|at| split[if at % 2 == 0 { at / 2 } else { odd + at / 2 }]).collect())
    }
}

/// The text up to the next zero, which it takes from `rest`.
fn text<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], DeepError> {
    let end = rest.iter().position(|byte| *byte == 0).ok_or(DeepError::Short)?;
    let (text, after) = rest.split_at(end);
    *rest = &after[1..];
    Ok(text)
}

#[cfg(test)]
pub mod testing {
    use super::*;

    impl Deep {
        /// A picture of the samples of its pixels, the uppermost row first.
        pub fn of(size: [usize; 2], pixels: Vec<Vec<DeepSample>>) -> Self {
            let mut deep = Self { size, count: size, ..Self::default() };
            for pixel in pixels {
                deep.samples.extend(pixel);
                deep.ends.push(deep.samples.len() as u32);
            }
            deep
        }

        /// Light and alpha of a pixel up to a depth.
        pub fn flat(&self, place: [usize; 2], depth: f32) -> [f32; 4] {
            let mut sum = [0.0; 4];
            for DeepSample { colour: [r, g, b], alpha, ends: [near, far] } in self.pixel(place) {
                let share = if depth >= *far { 1.0 } else { ((depth - near) / (far - near)).max(0.0) };
                let covered = 1.0 - (1.0 - alpha).powf(share);
                let part = if *alpha > 0.0 { covered / alpha } else { share };
                let clear = 1.0 - sum[3];
                for (sum, value) in sum.iter_mut().zip([r * part, g * part, b * part, covered]) {
                    *sum += clear * value;
                }
            }
            sum
        }

        /// Samples of all pixels of the data window, the uppermost row first.
        pub fn pixels(&self) -> impl Iterator<Item = &[DeepSample]> {
            let [x, y] = self.first.map(|first| first as usize);
            let places = (0..self.count[1]).flat_map(move |row| (0..self.count[0]).map(move |column| [column, row]));
            places.map(move |[column, row]| self.pixel([x + column, y + row]))
        }
    }
}
