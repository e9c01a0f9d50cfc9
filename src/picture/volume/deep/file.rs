//! The layout of a deep scan-line OpenEXR file of one part, with ZIPS compression.

use std::io::{self, Seek, SeekFrom, Write};

use half::f16;

use super::samples::Sample;
use crate::picture::placement::Placement;
use crate::picture::zlib::Packer;

/// First bytes of a file.
const MAGIC: u32 = 20_000_630;
/// Version 2, with deep data.
const VERSION: u32 = 2 | 0x800;
/// Compression of single lines by zlib.
const ZIPS: u8 = 2;

/// The channels, by name, and whether each is of halves.
const CHANNELS: [(&str, bool); 6] =
    [("A", true), ("B", true), ("G", true), ("R", true), ("Z", false), ("ZBack", false)];

/// Samples of a line.
#[derive(Default)]
pub struct Line {
    /// Number of samples up to each pixel, its own included.
    counts: Vec<u8>,
    /// Colours, in the order of the channels.
    colours: [Vec<u8>; 4],
    /// Front and back.
    depths: [Vec<u8>; 2],
    count: i32,
    /// Most samples of a pixel.
    most: i32,
}

/// A line as bytes of the file.
pub struct Encoded {
    bytes: Vec<u8>,
    most: i32,
}

impl Line {
    /// Adds a pixel. `depth` is that of a place in segments.
    pub fn pixel(&mut self, samples: &[Sample], depth: impl Fn(f32) -> f32) {
        for Sample { colour: [r, g, b, a], ends } in samples {
            for (channel, value) in self.colours.iter_mut().zip([a, b, g, r]) {
                channel.extend(f16::to_le_bytes(*value));
            }
            for (channel, end) in self.depths.iter_mut().zip(ends) {
                channel.extend(depth(*end).to_le_bytes());
            }
        }
        let count = samples.len() as i32;
        self.count += count;
        self.most = self.most.max(count);
        self.counts.extend(self.count.to_le_bytes());
    }

    /// The chunk of line `number`.
    pub fn encoded(&self, number: usize, packer: &mut Packer) -> Encoded {
        let data: Vec<u8> = self.colours.iter().chain(&self.depths).flatten().copied().collect();
        let table = packed(&self.counts, packer);
        let samples = packed(&data, packer);
        let mut bytes = (number as i32).to_le_bytes().to_vec();
        for count in [table.len(), samples.len(), data.len()] {
            bytes.extend((count as u64).to_le_bytes());
        }
        bytes.extend(table);
        bytes.extend(samples);
        Encoded { bytes, most: self.most }
    }
}

/// Bytes after ZIPS: even ones, then odd ones, as differences, by zlib; unchanged where that is not smaller.
fn packed(bytes: &[u8], packer: &mut Packer) -> Vec<u8> {
    let split = bytes.iter().step_by(2).chain(bytes.iter().skip(1).step_by(2));
    let mut before = 0_u8;
    let mut differences: Vec<u8> = Vec::with_capacity(bytes.len());
    for byte in split {
        differences.push(byte.wrapping_sub(before).wrapping_add(128));
        before = *byte;
    }
    if let Some(first) = bytes.first() {
        differences[0] = *first;
    }
    packer.zlib(&differences).map_or_else(|| bytes.to_vec(), <[u8]>::to_vec)
}

/// Writes a file.
pub struct Writer<'a, W> {
    to: &'a mut W,
    /// Places of the largest number of samples, and of the table of lines, in the file.
    most_at: u64,
    table_at: u64,
    position: u64,
    lines: Vec<u64>,
    most: i32,
}

impl<'a, W: Write + Seek> Writer<'a, W> {
    /// Writes the header of a picture with the pixels of a placement.
    ///
    /// # Errors
    /// The file cannot be written to.
    pub fn begin(to: &'a mut W, pixels: &Placement) -> io::Result<Self> {
        let (width, height) = (pixels.x.count as i32, pixels.y.count as i32);
        let mut bytes = [MAGIC, VERSION].iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        let mut attribute = |name: &str, kind: &str, value: &[u8]| {
            for text in [name, kind] {
                bytes.extend(text.as_bytes());
                bytes.push(0);
            }
            bytes.extend((value.len() as i32).to_le_bytes());
            bytes.extend(value);
            bytes.len() as u64
        };
        let window: Vec<u8> = [0, 0, width - 1, height - 1].iter().flat_map(|side| i32::to_le_bytes(*side)).collect();
        attribute("channels", "chlist", &channels());
        attribute("chunkCount", "int", &height.to_le_bytes());
        attribute("compression", "compression", &[ZIPS]);
        attribute("dataWindow", "box2i", &window);
        attribute("displayWindow", "box2i", &window);
        attribute("lineOrder", "lineOrder", &[0]);
        let most_at = attribute("maxSamplesPerPixel", "int", &[0; 4]) - 4;
        attribute("name", "string", b"deep");
        let aspect = (pixels.x.size / pixels.y.size) as f32;
        attribute("pixelAspectRatio", "float", &aspect.to_le_bytes());
        attribute("screenWindowCenter", "v2f", &[0; 8]);
        attribute("screenWindowWidth", "float", &1.0_f32.to_le_bytes());
        attribute("type", "string", b"deepscanline");
        attribute("version", "int", &1_i32.to_le_bytes());
        bytes.push(0);
        let table_at = bytes.len() as u64;
        bytes.resize(bytes.len() + 8 * pixels.y.count, 0);
        to.write_all(&bytes)?;
        Ok(Self { to, most_at, table_at, position: bytes.len() as u64, lines: Vec::new(), most: 0 })
    }

    /// Writes the next line.
    ///
    /// # Errors
    /// The file cannot be written to.
    pub fn line(&mut self, line: &Encoded) -> io::Result<()> {
        self.lines.push(self.position);
        self.position += line.bytes.len() as u64;
        self.most = self.most.max(line.most);
        self.to.write_all(&line.bytes)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The file cannot be written to.
    pub fn end(self) -> io::Result<()> {
        self.to.seek(SeekFrom::Start(self.most_at))?;
        self.to.write_all(&self.most.to_le_bytes())?;
        self.to.seek(SeekFrom::Start(self.table_at))?;
        let table: Vec<u8> = self.lines.iter().flat_map(|at| at.to_le_bytes()).collect();
        self.to.write_all(&table)?;
        self.to.seek(SeekFrom::Start(self.position))?;
        Ok(())
    }
}

/// The list of channels: name, type, and sampling of each.
fn channels() -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, is_half) in CHANNELS {
        bytes.extend(name.as_bytes());
        bytes.push(0);
        bytes.extend((if is_half { 1_i32 } else { 2 }).to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend([1_i32, 1].iter().flat_map(|step| step.to_le_bytes()));
    }
    bytes.push(0);
    bytes
}
