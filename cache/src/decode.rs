//! Reading of a state file: the header alone, or the header and the exact values.

use std::path::Path;

use exr::math::Vec2;
use exr::meta::BlockDescription;
use exr::meta::attribute::{IntegerBounds, SampleType};
use exr::meta::header::Header as ExrHeader;
use exr::prelude::Compression;
use parking_lot::Mutex;

use crate::blobs::BlobHash;
use crate::encode::{MOST_BLOBS, STATE};
use crate::header::Expected;
use crate::parts::{Packed, Part, Parts};
use crate::{Blob, Header, Pool, Refusal, fields, memory, shape};

/// Limit of a state file's header in bytes. Headers that this crate writes are smaller.
pub(crate) const HEADER_LIMIT: usize = 1 << 20;
/// Bytes of pixels per batch: a batch is read before it is decoded.
const BATCH: usize = 8 << 20;

/// The data window of the blobs of a shape: pixel (0, 0) of the picture is the first inner cell of a blob.
pub(crate) fn window(shape: &[usize]) -> Option<IntegerBounds> {
    let [columns, rows] = shape::stored(shape)?;
    let top = if shape.len() > 1 { -1 } else { 0 };
    Some(IntegerBounds { position: Vec2(-1, top), size: Vec2(columns, rows) })
}

/// Reads the header of a state file: usually 16 KiB, at most 1 MiB. The hash is not verified; the header serves to
/// choose files for [`read`].
///
/// # Errors
/// The reason why the file is not a state, or not one that this version reads.
pub fn peek(path: &Path) -> Result<Header, Refusal> {
    open(path).map(|(_, header)| header)
}

/// Reads the state of a file and verifies it against the hash in its header. The picture is not read.
///
/// With `expected`, a file with another state is refused before its pixels are read. Without it, the length of the file
/// bounds the allocations. About 16 MiB are allocated in addition to the blobs, more with a wide pool. The blobs are
/// sorted by name.
///
/// # Errors
/// The reason why the file is not used.
pub fn read(path: &Path, expected: Option<&Expected>, pool: &dyn Pool) -> Result<(Header, Vec<Blob>), Refusal> {
    let (mut parts, header) = open(path)?;
    if let Some(expected) = expected {
        expected.check(path, &header)?;
    }
    let number = check(path, &parts.parts, &header)?;
    parts.justify(number)?;
    let exr = parts.parts[number].header.clone();
    let Vec2(columns, rows) = exr.layer_size;
    let chunks = parts.chunks(number)?;
    let channels = &exr.channels.list;
    let lines = exr.compression.scan_lines_per_block();
    let block = columns * lines * exr.channels.bytes_per_pixel;
    let batch = (BATCH / block.max(1)).max(pool.width() * 2);
    // A chunk needs memory for its file content and for one or two decoded copies.
    memory::to_read(path, (channels.len() * 4 * columns * rows).saturating_add(3 * batch * block))?;
    let mut blobs: Vec<Vec<u32>> = channels.iter().map(|_| vec![0; columns * rows]).collect();
    // The first chunk of the file holds the highest rows, which are the last rows of a blob.
    let mut targets: Vec<Vec<&mut [u32]>> = chunks.iter().map(|_| Vec::with_capacity(blobs.len())).collect();
    for blob in &mut blobs {
        for (target, rows) in targets.iter_mut().zip(blob.rchunks_mut(columns * lines)) {
            target.push(rows);
        }
    }
    let mut targets = targets.into_iter();
    for chunks in chunks.chunks(batch) {
        let mut work = Vec::with_capacity(chunks.len());
        for ((block, offset), target) in chunks.iter().zip(&mut targets) {
            let packed = parts.chunk(number, *offset, block)?;
            work.push(Mutex::new(Unpacking { packed: Some(packed), target, failed: None }));
        }
        pool.each(work.len(), &|index| work[index].lock().run(&exr));
        for work in work {
            let work = work.into_inner();
            if let Some(why) = work.failed.or(work.packed.map(|_| "a chunk was not decoded".into())) {
                return Err(Refusal::damaged(path, why));
            }
        }
    }
    let hashes: Vec<Mutex<u128>> = blobs.iter().map(|_| Mutex::new(0)).collect();
    pool.each(blobs.len(), &|index| {
        let mut hash = BlobHash::new(channels[index].sample_type);
        hash.add(&blobs[index]);
        *hashes[index].lock() = hash.finish();
    });
    let names: Vec<String> = channels.iter().map(|channel| channel.name.to_string()).collect();
    let hashes = hashes.into_iter().map(|hash| hash.into_inner());
    let named: Vec<(&str, u128)> = names.iter().map(String::as_str).zip(hashes).collect();
    if header.hash(&named) != header.state {
        return Err(Refusal::damaged(path, "its contents do not match the hash in its header"));
    }
    let kinds = channels.iter().map(|channel| channel.sample_type);
    let blobs = names.into_iter().zip(kinds).zip(blobs).map(|((name, kind), bits)| Blob::new(name, kind, bits));
    Ok((header, blobs.collect()))
}

/// A chunk with the rows that it is decoded to.
struct Unpacking<'a> {
    packed: Option<Packed>,
    /// Destination rows in each blob, lowest row first.
    target: Vec<&'a mut [u32]>,
    failed: Option<String>,
}

impl Unpacking<'_> {
    fn run(&mut self, exr: &ExrHeader) {
        let Some(Packed { bounds, bytes }) = self.packed.take() else {
            return;
        };
        let bytes = match exr.compression.decompress_image_section_from_le(exr, bytes, bounds, true) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.failed = Some(format!("a chunk cannot be decoded ({error})"));
                return;
            }
        };
        let width = bounds.size.width();
        let mut lines = bytes.chunks_exact(width * 4);
        for row in (0..bounds.size.height()).rev() {
            for blob in &mut self.target {
                let Some(line) = lines.next() else {
                    self.failed = Some("a chunk is too short".into());
                    return;
                };
                let values = blob[row * width..][..width].iter_mut();
                for (value, bytes) in values.zip(line.chunks_exact(4)) {
                    *value = u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                }
            }
        }
    }
}

fn open(path: &Path) -> Result<(Parts, Header), Refusal> {
    let parts = Parts::open(path, HEADER_LIMIT)?;
    let header = fields::read(path, &parts.parts)?;
    Ok((parts, header))
}

/// Checks that the layout is that of this crate for the header, and returns the number of the part with the blobs.
fn check(path: &Path, parts: &[Part], header: &Header) -> Result<usize, Refusal> {
    let damaged = |why: &str| Err(Refusal::damaged(path, why));
    let ([part] | [_, part]) = parts else {
        return damaged("it does not have one or two parts");
    };
    let exr = &part.header;
    let Some(window) = window(&header.shape) else {
        return Err(Refusal::absurd(path, format!("its grid is {}", shape::sides(&header.shape))));
    };
    if part.name != STATE || part.deep || exr.blocks != BlockDescription::ScanLines {
        return damaged("its last part is not a state");
    }
    if (exr.layer_size, exr.own_attributes.layer_position) != (window.size, window.position) {
        return damaged("the size of its state differs from its header");
    }
    let channels = &exr.channels.list;
    if channels.len() > MOST_BLOBS {
        return Err(Refusal::absurd(path, format!("its state has {} blobs", channels.len())));
    }
    if channels.iter().any(|channel| channel.sample_type == SampleType::F16 || channel.sampling != Vec2(1, 1)) {
        return damaged("its state does not hold exact values");
    }
    if channels.windows(2).any(|pair| pair[0].name >= pair[1].name) {
        return damaged("its blobs are not in order");
    }
    let known = matches!(
        exr.compression,
        Compression::Uncompressed | Compression::RLE | Compression::ZIP1 | Compression::ZIP16
    );
    if !known {
        return damaged("its state has a compression that Flow does not write");
    }
    let lines = exr.compression.scan_lines_per_block();
    if part.chunks != exr.layer_size.height().div_ceil(lines) as u64 {
        return damaged("its number of chunks is wrong");
    }
    Ok(parts.len() - 1)
}
