//! The structure of an EXR file: header, offset tables and chunks. Every size is validated before it is used.
//!
//! The `exr` crate decodes attribute values and pixels. The structure around them is parsed here, since a file may be
//! incomplete or hostile: no allocation exceeds the size that the length of the file justifies.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use exr::block::BlockIndex;
use exr::io::PeekRead;
use exr::math::Vec2;
use exr::meta::attribute::{ChannelList, IntegerBounds, Text, TileDescription};
use exr::meta::{BlockDescription, compute_chunk_count, header::Header as ExrHeader};
use exr::prelude::Compression;

use crate::Refusal;

/// The first four bytes of an EXR file.
pub(crate) const MAGIC: [u8; 4] = [0x76, 0x2f, 0x31, 0x01];
pub(crate) const LONG_NAMES: u32 = 0x400;
pub(crate) const MULTI_PART: u32 = 0x1000;
const SINGLE_TILED: u32 = 0x200;
const DEEP: u32 = 0x800;

/// Limit of pixels of a data or display window: a square of 32,768.
pub(crate) const MOST_PIXELS: u64 = 1 << 30;
const MOST_PARTS: usize = 256;
const MOST_ATTRIBUTES: usize = 4096;
const MOST_CHANNELS: usize = 4096;
/// Limit of bytes of a decoded chunk.
const MOST_CHUNK: u64 = 1 << 30;
/// Limit of output bytes per input byte: that of deflate, which is above that of RLE.
const MOST_EXPANSION: u64 = 1040;

/// One attribute of a part, with its undecoded value.
#[derive(PartialEq, Eq)]
pub(crate) struct Attribute {
    pub name: String,
    pub kind: String,
    pub value: Vec<u8>,
}

/// One part: its attributes, and the description of its pixels.
pub(crate) struct Part {
    pub name: String,
    pub deep: bool,
    pub attributes: Vec<Attribute>,
    pub display: IntegerBounds,
    /// The fields that are needed to decode chunks: channels, compression, blocks, data window.
    pub header: ExrHeader,
    /// Number of chunks of all resolution levels.
    pub chunks: u64,
}

/// An open file whose header has been read.
pub(crate) struct Parts {
    file: File,
    path: PathBuf,
    length: u64,
    /// Position of the offset tables in the file.
    tables: u64,
    multi: bool,
    pub parts: Vec<Part>,
}

/// One compressed chunk.
pub(crate) struct Packed {
    pub bounds: IntegerBounds,
    pub bytes: Vec<u8>,
}

impl Parts {
    /// Opens a file and reads its header, at most `limit` bytes.
    pub fn open(path: &Path, limit: usize) -> Result<Self, Refusal> {
        let io = |error| Refusal::io(path, &error);
        // Opening a pipe would block.
        let kind = fs::metadata(path).map_err(io)?;
        if !kind.is_file() {
            let why = if kind.is_dir() { "it is a folder" } else { "it is not a plain file" };
            return Err(Refusal::NotExr { path: path.into(), why: why.into() });
        }
        let mut file = File::open(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        let mut bytes = Vec::new();
        // Most headers are small, and a folder may hold thousands of files on a slow disk.
        let mut want = 16 << 10;
        loop {
            let more = want.min(limit) - bytes.len();
            (&mut file).take(more as u64).read_to_end(&mut bytes).map_err(io)?;
            let all = bytes.len() as u64 >= length;
            match walk(path, &bytes, limit) {
                Ok(walked) => {
                    let Walked { multi, parts, end } = walked;
                    return Ok(Self { file, path: path.into(), length, tables: end as u64, multi, parts });
                }
                Err(Stop::Refused(refusal)) => return Err(refusal),
                Err(Stop::Short) if all || bytes.len() < want.min(limit) => {
                    return Err(Refusal::damaged(path, "it ends within its header"));
                }
                Err(Stop::Short) if want >= limit => {
                    return Err(Refusal::absurd(path, format!("its header is longer than {limit} bytes")));
                }
                Err(Stop::Short) => want *= 8,
            }
        }
    }

    /// The chunks of a part's full resolution, with their offsets, which are within the file.
    pub fn chunks(&mut self, part: usize) -> Result<Vec<(BlockIndex, u64)>, Refusal> {
        let before: u64 = self.parts[..part].iter().map(|part| part.chunks).sum();
        let all: u64 = self.parts.iter().map(|part| part.chunks).sum();
        let count = self.parts[part].count();
        if count > self.parts[part].chunks || all.saturating_mul(8) > self.length.saturating_sub(self.tables) {
            return Err(Refusal::damaged(&self.path, "it is too short for its pixels"));
        }
        let mut bytes = vec![0; count as usize * 8];
        self.file.seek(SeekFrom::Start(self.tables + before * 8)).map_err(|error| Refusal::io(&self.path, &error))?;
        self.file.read_exact(&mut bytes).map_err(|error| Refusal::io(&self.path, &error))?;
        let first = self.tables + all * 8;
        let offset = |bytes: &[u8]| u64::from_le_bytes(std::array::from_fn(|at| bytes[at]));
        let offsets: Vec<u64> = bytes.chunks_exact(8).map(offset).collect();
        if offsets.iter().any(|&offset| offset < first || offset >= self.length) {
            return Err(Refusal::damaged(&self.path, "its table of chunks points outside the file"));
        }
        Ok(self.parts[part].blocks().zip(offsets).collect())
    }

    /// Reads the chunk at `offset`. Refuses it unless it is the chunk of `block`.
    pub fn chunk(&mut self, part: usize, offset: u64, block: &BlockIndex) -> Result<Packed, Refusal> {
        let path = &self.path;
        let damaged = |why: &str| Refusal::damaged(path, why);
        let header = &self.parts[part].header;
        let tiled = header.blocks.has_tiles();
        let mut head = [0; 24];
        let size = 4 * (usize::from(self.multi) + if tiled { 4 } else { 1 } + 1);
        self.file.seek(SeekFrom::Start(offset)).map_err(|error| Refusal::io(path, &error))?;
        self.file.read_exact(&mut head[..size]).map_err(|error| Refusal::io(path, &error))?;
        let mut numbers = head[..size].chunks_exact(4).map(|n| i64::from(i32::from_le_bytes([n[0], n[1], n[2], n[3]])));
        let mut next = || numbers.next().unwrap_or(-1);
        if self.multi && next() != part as i64 {
            return Err(damaged("a chunk belongs to another part"));
        }
        let Vec2(x, y) = block.pixel_position;
        let is_there = match header.blocks {
            BlockDescription::ScanLines => next() == y as i64 + i64::from(header.own_attributes.layer_position.y()),
            BlockDescription::Tiles(tiles) => {
                let Vec2(width, height) = tiles.tile_size;
                [next(), next(), next(), next()] == [(x / width) as i64, (y / height) as i64, 0, 0]
            }
        };
        if !is_there {
            return Err(damaged("a chunk is at the position of another"));
        }
        let packed = next();
        let unpacked = (block.pixel_size.area() * header.channels.bytes_per_pixel) as u64;
        let Ok(packed @ 1..) = u64::try_from(packed) else {
            return Err(damaged("a chunk is empty"));
        };
        if packed > unpacked || offset + size as u64 + packed > self.length {
            return Err(damaged("a chunk is too long"));
        }
        if bounded(header.compression) && unpacked > packed.saturating_mul(MOST_EXPANSION) + 64 {
            return Err(damaged("a chunk is too short"));
        }
        let mut bytes = vec![0; packed as usize];
        self.file.read_exact(&mut bytes).map_err(|error| Refusal::io(path, &error))?;
        let position = Vec2(x as i32, y as i32);
        Ok(Packed { bounds: IntegerBounds { position, size: block.pixel_size }, bytes })
    }

    /// Refuses a part if the file is too short for its pixels, even at the highest compression ratio.
    pub fn justify(&self, part: usize) -> Result<(), Refusal> {
        let header = &self.parts[part].header;
        let bytes = header.layer_size.area() as u64 * header.channels.bytes_per_pixel as u64;
        if bounded(header.compression) && bytes > self.length.saturating_mul(MOST_EXPANSION) {
            return Err(Refusal::damaged(&self.path, "it is too short for its pixels"));
        }
        Ok(())
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Part {
    /// Value of the attribute with this name and type.
    pub fn attribute(&self, name: &str, kind: &str) -> Option<&[u8]> {
        self.attributes.iter().find(|a| a.name == name && a.kind == kind).map(|a| a.value.as_slice())
    }

    /// Number of chunks of the full resolution.
    fn count(&self) -> u64 {
        let Vec2(width, height) = self.header.layer_size;
        let Vec2(columns, rows) = self.header.max_block_pixel_size();
        width.div_ceil(columns) as u64 * height.div_ceil(rows) as u64
    }

    /// The chunks of the full resolution, in the order of the offset table.
    fn blocks(&self) -> impl Iterator<Item = BlockIndex> {
        let Vec2(width, height) = self.header.layer_size;
        let Vec2(columns, rows) = self.header.max_block_pixel_size();
        let block = move |y, x| BlockIndex {
            layer: 0,
            pixel_position: Vec2(x, y),
            pixel_size: Vec2(columns.min(width - x), rows.min(height - y)),
            level: Vec2(0, 0),
        };
        let row = move |y| (0..width).step_by(columns).map(move |x| block(y, x));
        (0..height).step_by(rows).flat_map(row)
    }
}

/// Whether the size of the output is bounded by the size of the input.
fn bounded(compression: Compression) -> bool {
    matches!(compression, Compression::Uncompressed | Compression::RLE | Compression::ZIP1 | Compression::ZIP16)
}

struct Walked {
    multi: bool,
    parts: Vec<Part>,
    end: usize,
}

enum Stop {
    /// The bytes end within the header.
    Short,
    Refused(Refusal),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Walk<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Stop> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.get(..count)).ok_or(Stop::Short)?;
        self.at += count;
        Ok(taken)
    }

    fn number(&mut self) -> Result<i32, Stop> {
        let bytes = self.take(4)?;
        Ok(i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Whether a list ends here; the end is then consumed.
    fn ends(&mut self) -> Result<bool, Stop> {
        let ends = *self.bytes.get(self.at).ok_or(Stop::Short)? == 0;
        self.at += usize::from(ends);
        Ok(ends)
    }

    fn name(&mut self, path: &Path) -> Result<String, Stop> {
        let rest = &self.bytes[self.at.min(self.bytes.len())..];
        let length = match rest.iter().take(257).position(|&byte| byte == 0) {
            Some(0) => return Err(Refusal::damaged(path, "its header has an empty name").into()),
            Some(length) => length,
            None if rest.len() < 257 => return Err(Stop::Short),
            None => return Err(Refusal::absurd(path, "its header has a name of more than 255 bytes").into()),
        };
        let name = String::from_utf8_lossy(self.take(length)?).into_owned();
        self.at += 1;
        Ok(name)
    }
}

fn walk(path: &Path, bytes: &[u8], limit: usize) -> Result<Walked, Stop> {
    let not_exr = |why: &str| Refusal::NotExr { path: path.into(), why: why.into() };
    if bytes.is_empty() {
        return Err(not_exr("it is empty").into());
    }
    let start = bytes.len().min(4);
    if bytes[..start] != MAGIC[..start] {
        return Err(not_exr("it does not begin like one").into());
    }
    let mut walk = Walk { bytes, at: 4 };
    let flags = walk.number()? as u32;
    if flags & 0xff != 2 || flags & !(0xff | SINGLE_TILED | LONG_NAMES | DEEP | MULTI_PART) != 0 {
        return Err(not_exr("it needs a newer reader, or its header is damaged").into());
    }
    let multi = flags & MULTI_PART != 0;
    let mut parts = Vec::new();
    while parts.is_empty() || (multi && !walk.ends()?) {
        if parts.len() == MOST_PARTS {
            return Err(Refusal::absurd(path, format!("it has more than {MOST_PARTS} parts")).into());
        }
        let mut attributes: Vec<Attribute> = Vec::new();
        while !walk.ends()? {
            if attributes.len() == MOST_ATTRIBUTES {
                let why = format!("a part has more than {MOST_ATTRIBUTES} attributes");
                return Err(Refusal::absurd(path, why).into());
            }
            let (name, kind) = (walk.name(path)?, walk.name(path)?);
            let size = walk.number()?;
            let Some(size) = usize::try_from(size).ok().filter(|size| *size <= limit) else {
                return Err(
                    Refusal::absurd(path, format!("its attribute {name} declares {} bytes", size as u32)).into()
                );
            };
            let value = walk.take(size)?.to_vec();
            attributes.push(Attribute { name, kind, value });
        }
        parts.push(part(path, attributes, flags)?);
    }
    Ok(Walked { multi, parts, end: walk.at })
}

/// Creates a part from its attributes.
fn part(path: &Path, attributes: Vec<Attribute>, flags: u32) -> Result<Part, Refusal> {
    let find = |name: &str, kind: &str| {
        attributes.iter().find(|a| a.name == name && a.kind == kind).map(|a| a.value.as_slice())
    };
    let need = |name: &str, kind: &str| {
        find(name, kind).ok_or_else(|| Refusal::damaged(path, format!("its header lacks {name}")))
    };
    let bad = |name: &str| Refusal::damaged(path, format!("its {name} is invalid"));
    let window = |name: &str| {
        let bytes = need(name, "box2i")?;
        let corners: Vec<i32> = bytes.chunks_exact(4).map(|n| i32::from_le_bytes([n[0], n[1], n[2], n[3]])).collect();
        // The exr crate accepts a window with exchanged corners.
        if corners.len() != 4 || corners[2] < corners[0] || corners[3] < corners[1] {
            return Err(bad(name));
        }
        let window = IntegerBounds::read(&mut &*bytes).map_err(|_| bad(name))?;
        let Vec2(width, height) = window.size;
        if (width as u64).saturating_mul(height as u64) > MOST_PIXELS {
            return Err(Refusal::absurd(path, format!("its {name} is {width}×{height}")));
        }
        Ok(window)
    };
    let (display, data) = (window("displayWindow")?, window("dataWindow")?);
    let name = String::from_utf8_lossy(find("name", "string").unwrap_or_default()).into_owned();
    let (deep, tiled) = match find("type", "string") {
        Some(b"scanlineimage") => (false, false),
        Some(b"tiledimage") => (false, true),
        Some(b"deepscanline") => (true, false),
        Some(b"deeptile") => (true, true),
        None => (flags & DEEP != 0, flags & SINGLE_TILED != 0),
        Some(_) => return Err(bad("type")),
    };
    let compression = Compression::read(&mut need("compression", "compression")?).map_err(|_| bad("compression"))?;
    let list = need("channels", "chlist")?;
    let channels = ChannelList::read(&mut PeekRead::new(list)).map_err(|_| bad("channels"))?;
    let count = channels.list.len();
    if count > MOST_CHANNELS {
        return Err(Refusal::absurd(path, format!("a part has {count} channels")));
    }
    if count == 0 {
        return Err(Refusal::damaged(path, "a part has no channels"));
    }
    let blocks = if tiled {
        let tiles = TileDescription::read(&mut need("tiles", "tiledesc")?).map_err(|_| bad("tiles"))?;
        let most = 1..=1 << 20;
        if !most.contains(&tiles.tile_size.width()) || !most.contains(&tiles.tile_size.height()) {
            let Vec2(width, height) = tiles.tile_size;
            return Err(Refusal::absurd(path, format!("its tiles are {width}×{height}")));
        }
        BlockDescription::Tiles(tiles)
    } else {
        BlockDescription::ScanLines
    };
    let header = ExrHeader {
        own_attributes: exr::meta::header::LayerAttributes {
            layer_position: data.position,
            ..exr::meta::header::LayerAttributes::default()
        },
        compression,
        blocks,
        // The constructor would count the chunks, which is expensive before the size is validated.
        chunk_count: 0,
        channels,
        ..ExrHeader::new(Text::from_slice_unchecked(b""), data.size, Default::default())
    };
    let Vec2(columns, rows) = header.max_block_pixel_size();
    let block = columns.min(data.size.0) as u64 * rows.min(data.size.1) as u64;
    if block * header.channels.bytes_per_pixel as u64 > MOST_CHUNK {
        return Err(Refusal::absurd(path, "one of its chunks has more than a gigabyte"));
    }
    let counted = find("chunkCount", "int").and_then(|bytes| <[u8; 4]>::try_from(bytes).ok()).map(i32::from_le_bytes);
    let chunks = match counted {
        Some(count) => u64::try_from(count).map_err(|_| bad("chunkCount"))?,
        None if flags & MULTI_PART != 0 => return Err(Refusal::damaged(path, "its header lacks chunkCount")),
        None => compute_chunk_count(compression, data.size, blocks) as u64,
    };
    Ok(Part { name, deep, attributes, display, header, chunks })
}
