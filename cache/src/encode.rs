//! Writing of a state file.

use std::io::{self, Seek, SeekFrom, Write};

use exr::math::Vec2;
use exr::meta::attribute::{
    self, AttributeValue, ChannelDescription, ChannelList, IntegerBounds, LineOrder, SampleType, Text,
};
use exr::meta::header::{Header as ExrHeader, ImageAttributes, LayerAttributes};
use exr::meta::{BlockDescription, compute_chunk_count};
use exr::prelude::Compression;
use parking_lot::Mutex;

use crate::parts::{LONG_NAMES, MAGIC, MOST_PIXELS, MULTI_PART};
use crate::{BlobRows, Header, Layer, Pool, decode, fields, memory, shape};

/// Name of the part with the picture. Nuke and Natron prefix the layers with the name of the part unless it is empty:
/// with the empty name `R` belongs to the colour layer and `cross.R` to the layer `cross`.
pub(crate) const PICTURE: &str = "";
/// Name of the part with the exact values.
pub(crate) const STATE: &str = "state";
/// RLE is ten times as fast as deflate, and its files are a tenth to a fifth larger; see `examples/compression.rs`.
const PICTURE_COMPRESSION: Compression = Compression::RLE;
const STATE_COMPRESSION: Compression = Compression::RLE;
/// Limit of blobs, above that of every model.
pub(crate) const MOST_BLOBS: usize = 64;
/// Bytes of pixels per batch: a batch is compressed before it is written.
const BATCH: usize = 8 << 20;

/// Writes a state file at the current position of `out`. Without layers the file has no picture.
///
/// `header` must have been sealed with the same blobs, otherwise [`crate::read`] refuses the file. The bytes depend on
/// the arguments alone. Parameters longer than 128 KiB are truncated. About 16 MiB are allocated, more with a wide
/// pool. The row closures are called on the threads of the pool.
///
/// # Errors
/// Errors of `out`. The file is then incomplete; [`crate::peek`] may still accept its header, but `read` refuses it.
/// [`io::ErrorKind::InvalidInput`] for a shape without cells, without axes, with more than four axes or too large; and
/// for blobs or channels that are missing, have an invalid or duplicate name, or have rows of the wrong length.
pub fn encode(
    header: &Header,
    blobs: &[BlobRows<'_>],
    layers: &[Layer<'_>],
    pool: &dyn Pool,
    out: &mut (impl Write + Seek),
) -> io::Result<()> {
    let pixels = shape::stored(&header.shape).map(|[columns, rows]| (columns as u64).saturating_mul(rows as u64));
    if pixels.is_none_or(|pixels| pixels > MOST_PIXELS) {
        return Err(invalid(format!("a grid of {} cannot be written", shape::sides(&header.shape))));
    }
    if header.origin.len() != header.shape.len() || !header.origin.iter().all(|at| at.is_finite()) {
        return Err(invalid(format!("a grid cannot begin at {:?}", header.origin)));
    }
    if blobs.len() > MOST_BLOBS {
        return Err(invalid(format!("{} blobs are too many", blobs.len())));
    }
    if let Some(name) = header.numbers.keys().find(|name| !fields::is_name(name)) {
        return Err(invalid(format!("a number cannot be named {name:?}")));
    }
    let picture = if layers.is_empty() { None } else { Some(picture(header, layers)?) };
    let parts: Vec<OutputPart<'_>> = picture.into_iter().chain([state(header, blobs)?]).collect();
    let start = out.stream_position()?;
    let head = head(header, &parts)?;
    out.write_all(&head)?;
    let count: usize = parts.iter().map(|part| part.header.chunk_count).sum();
    let mut at = head.len() as u64 + count as u64 * 8;
    // The offset tables are 0 until the end, so that an incomplete file is refused.
    out.write_all(&vec![0; count * 8])?;
    let mut offsets = Vec::with_capacity(count * 8);
    for (number, part) in parts.iter().enumerate() {
        let Vec2(width, height) = part.header.layer_size;
        let lines = part.header.compression.scan_lines_per_block();
        let blocks: Vec<usize> = (0..height).step_by(lines).collect();
        let block = lines * width * part.header.channels.bytes_per_pixel;
        let batch = (BATCH / block.max(1)).max(pool.width() * 2);
        // Each chunk needs memory for its values and for its compressed content.
        memory::to_write(3 * batch.min(blocks.len()) * block)?;
        for blocks in blocks.chunks(batch) {
            let packed: Vec<Mutex<io::Result<Vec<u8>>>> = blocks.iter().map(|_| Mutex::new(Ok(Vec::new()))).collect();
            pool.each(blocks.len(), &|index| {
                let result = part.pack(blocks[index], lines.min(height - blocks[index]));
                *packed[index].lock() = result;
            });
            for (top, packed) in blocks.iter().zip(packed) {
                let packed = packed.into_inner()?;
                let y = *top as i32 + part.header.own_attributes.layer_position.y();
                for number in [number as i32, y, packed.len() as i32] {
                    out.write_all(&number.to_le_bytes())?;
                }
                out.write_all(&packed)?;
                offsets.extend(at.to_le_bytes());
                at += 12 + packed.len() as u64;
            }
        }
    }
    out.seek(SeekFrom::Start(start + head.len() as u64))?;
    out.write_all(&offsets)?;
    out.seek(SeekFrom::Start(start + at))?;
    out.flush()
}

/// `fill(row, out)` writes the values of all channels of a row; row 0 is the highest.
type Fill<'a> = Box<dyn Fn(usize, &mut [u8]) -> io::Result<()> + Sync + 'a>;

/// One part of the file before compression.
struct OutputPart<'a> {
    header: ExrHeader,
    fill: Fill<'a>,
}

impl OutputPart<'_> {
    fn pack(&self, top: usize, lines: usize) -> io::Result<Vec<u8>> {
        let Vec2(width, _) = self.header.layer_size;
        let row = width * self.header.channels.bytes_per_pixel;
        let mut bytes = vec![0; row * lines];
        for (line, bytes) in bytes.chunks_exact_mut(row).enumerate() {
            (self.fill)(top + line, bytes)?;
        }
        let bounds = IntegerBounds { position: Vec2(0, top as i32), size: Vec2(width, lines) };
        let compression = self.header.compression;
        compression.compress_image_section_to_le(&self.header, bytes, bounds).map_err(io::Error::other)
    }
}

fn picture<'a>(header: &Header, layers: &'a [Layer<'_>]) -> io::Result<OutputPart<'a>> {
    let [columns, rows] = shape::pictured(&header.shape);
    if let Some(layer) = layers.iter().find(|layer| layer.names.len() > 4) {
        return Err(invalid(format!("the layer of {} has more than four channels", layer.names[0])));
    }
    let names = layers.iter().flat_map(|layer| &layer.names);
    let order = sorted(names.map(String::as_str))?;
    // Byte offset of each channel within a row of the file.
    let mut starts = vec![0; order.len()];
    for (rank, &(channel, _)) in order.iter().enumerate() {
        starts[channel] = rank * columns * 4;
    }
    let fill = move |row: usize, bytes: &mut [u8]| {
        let mut pixels = vec![[0.0; 4]; columns];
        let mut channel = 0;
        for layer in layers {
            pixels.fill([0.0; 4]);
            (layer.row)(rows - 1 - row, &mut pixels);
            for component in 0..layer.names.len() {
                let bytes = &mut bytes[starts[channel]..][..columns * 4];
                for (bytes, pixel) in bytes.chunks_exact_mut(4).zip(&pixels) {
                    bytes.copy_from_slice(&pixel[component].to_ne_bytes());
                }
                channel += 1;
            }
        }
        Ok(())
    };
    let bounds = IntegerBounds { position: Vec2(0, 0), size: Vec2(columns, rows) };
    let channels = order.iter().map(|&(_, name)| channel(name, SampleType::F32));
    let header = exr_header(header, PICTURE, bounds, ChannelList::new(channels.collect()), PICTURE_COMPRESSION);
    Ok(OutputPart { header, fill: Box::new(fill) })
}

fn state<'a>(header: &Header, blobs: &'a [BlobRows<'_>]) -> io::Result<OutputPart<'a>> {
    let order = sorted(blobs.iter().map(|blob| blob.name.as_str()))?;
    let bounds = decode::window(&header.shape).ok_or_else(|| invalid("its shape cannot be written".into()))?;
    let Vec2(columns, rows) = bounds.size;
    let channels = order.iter().map(|&(blob, name)| channel(name, blobs[blob].kind()));
    let part_header = exr_header(header, STATE, bounds, ChannelList::new(channels.collect()), STATE_COMPRESSION);
    let fill = move |row: usize, bytes: &mut [u8]| {
        let mut bits = vec![0; columns];
        for (&(blob, name), bytes) in order.iter().zip(bytes.chunks_exact_mut(columns * 4)) {
            let filled = blobs[blob].bits(rows - 1 - row, &mut bits);
            filled.map_err(|found| invalid(format!("a row of the blob {name} has {found} values, not {columns}")))?;
            for (bytes, bits) in bytes.chunks_exact_mut(4).zip(&bits) {
                bytes.copy_from_slice(&bits.to_ne_bytes());
            }
        }
        Ok(())
    };
    Ok(OutputPart { header: part_header, fill: Box::new(fill) })
}

/// Names in the order of the file, each with its index in the input.
fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> io::Result<Vec<(usize, &'a str)>> {
    let mut order: Vec<(usize, &str)> = names.enumerate().collect();
    order.sort_by_key(|&(_, name)| name);
    if order.is_empty() {
        return Err(invalid("a part without channels cannot be written".into()));
    }
    if let Some(pair) = order.windows(2).find(|pair| pair[0].1 == pair[1].1) {
        return Err(invalid(format!("two channels are named {}", pair[0].1)));
    }
    if let Some((_, name)) = order.iter().find(|(_, name)| name.is_empty() || name.len() > 255 || name.contains('\0')) {
        return Err(invalid(format!("a channel cannot be named {name:?}")));
    }
    Ok(order)
}

fn channel(name: &str, kind: SampleType) -> ChannelDescription {
    ChannelDescription::named(Text::from_slice_unchecked(name.as_bytes()), kind)
}

fn exr_header(
    header: &Header,
    name: &str,
    bounds: IntegerBounds,
    channels: ChannelList,
    compression: Compression,
) -> ExrHeader {
    let [columns, rows] = shape::pictured(&header.shape);
    ExrHeader {
        channels,
        compression,
        blocks: BlockDescription::ScanLines,
        line_order: LineOrder::Increasing,
        layer_size: bounds.size,
        deep: false,
        deep_data_version: None,
        chunk_count: compute_chunk_count(compression, bounds.size, BlockDescription::ScanLines),
        max_samples_per_pixel: None,
        shared_attributes: ImageAttributes::with_size((columns, rows)),
        own_attributes: LayerAttributes {
            layer_name: Some(Text::from_slice_unchecked(name.as_bytes())),
            layer_position: bounds.position,
            software_name: Some(Text::from_slice_unchecked(b"Flow")),
            ..LayerAttributes::default()
        },
    }
}

/// The content of the file before its offset tables.
fn head(header: &Header, parts: &[OutputPart<'_>]) -> io::Result<Vec<u8>> {
    let long =
        |part: &OutputPart<'_>| part.header.channels.list.iter().any(|channel| channel.name.as_slice().len() > 31);
    let flags = 2 | MULTI_PART | if parts.iter().any(long) { LONG_NAMES } else { 0 };
    let mut bytes = MAGIC.to_vec();
    bytes.extend(flags.to_le_bytes());
    let counter = i32::try_from(header.frame).ok().map(|frame| ("imageCounter", AttributeValue::I32(frame)));
    let fields: Vec<(&str, AttributeValue)> = counter.into_iter().chain(fields::write(header)).collect();
    for part in parts {
        // Attributes are written one by one: the exr crate writes custom attributes in the order of a hash map.
        let own = part.header.all_named_attributes();
        let all = own.chain(fields.iter().map(|(name, value)| (name.as_bytes(), value.clone())));
        for (name, value) in all {
            attribute::write(name, &value, &mut bytes).map_err(io::Error::other)?;
        }
        bytes.push(0);
    }
    bytes.push(0);
    if bytes.len() > decode::HEADER_LIMIT {
        return Err(invalid("its model, numbers or channel names are too long".into()));
    }
    Ok(bytes)
}

fn invalid(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}
