//! Values packed by Blosc 1, as OpenVDB packs them: blocks whose bytes are shuffled by their place in a value, and then
//! compressed by LZ4.

use super::VdbError;
use super::bytes::Bytes;

/// Flags of the header.
const SHUFFLED: u8 = 1;
const STORED: u8 = 2;
const BITS_SHUFFLED: u8 = 4;
const WHOLE: u8 = 16;

/// The number of LZ4 in the upper three bits of the flags.
const LZ4: u8 = 1;

/// Largest size of a value whose bytes are compressed apart, and the least number of values of such a block.
const MOST_PARTS: usize = 16;
const LEAST_PART: usize = 128;

const DAMAGED: VdbError = VdbError::Damaged("compressed values");

/// Unpacks `size` bytes into `to`; `work` has room for a block.
pub fn unpack(packed: &[u8], size: usize, to: &mut Vec<u8>, work: &mut Vec<u8>) -> Result<(), VdbError> {
    // The file may be whole, but a pack is not.
    unpacked(packed, size, to, work).map_err(|error| if error == VdbError::Short { DAMAGED } else { error })
}

fn unpacked(packed: &[u8], size: usize, to: &mut Vec<u8>, work: &mut Vec<u8>) -> Result<(), VdbError> {
    let mut header = Bytes::new(packed);
    // The versions of the format and of the compressor.
    header.take(2)?;
    let (flags, value) = (header.u8()?, usize::from(header.u8()?));
    let [count, block, length] = [header.u32()?, header.u32()?, header.u32()?].map(|number| number as usize);
    if count != size || length > packed.len() || value == 0 {
        return Err(DAMAGED);
    }
    to.clear();
    if flags & STORED != 0 {
        to.extend_from_slice(header.take(count)?);
        return Ok(());
    }
    if flags >> 5 != LZ4 || flags & BITS_SHUFFLED != 0 {
        return Err(VdbError::Codec);
    }
    if block == 0 || block > count {
        return Err(DAMAGED);
    }
    to.resize(count, 0);
    let is_shuffled = flags & SHUFFLED != 0 && value > 1;
    for block_to in to.chunks_mut(block) {
        let mut bytes = Bytes::new(packed).from(header.u32()? as usize)?;
        let is_split = flags & WHOLE == 0
            && value <= MOST_PARTS
            && block / value >= LEAST_PART
            && block_to.len() == block
            && block.is_multiple_of(value);
        let part = if is_split { block / value } else { block_to.len() };
        work.resize(block_to.len(), 0);
        for part_to in work.chunks_mut(part) {
            let length = bytes.u32()? as usize;
            let stored = bytes.take(length)?;
            if length == part_to.len() {
                part_to.copy_from_slice(stored);
            } else if !lz4_flex::block::decompress_into(stored, part_to).is_ok_and(|count| count == part_to.len()) {
                return Err(DAMAGED);
            }
        }
        if is_shuffled {
            unshuffle(work, block_to, value);
        } else {
            block_to.copy_from_slice(work);
        }
    }
    Ok(())
}

/// Puts the bytes of values of a size together again: all first bytes come first, then all second ones. Bytes after the
/// last whole value are in their places.
fn unshuffle(from: &[u8], to: &mut [u8], size: usize) {
    let values = from.len() / size;
    for (place, bytes) in from.chunks_exact(values.max(1)).take(size).enumerate() {
        for (at, byte) in bytes.iter().enumerate() {
            to[at * size + place] = *byte;
        }
    }
    let rest = values * size;
    to[rest..].copy_from_slice(&from[rest..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fewest bytes that Blosc compresses; fewer are stored.
    const LEAST: usize = 128;

    /// Packs bytes of values of a size in blocks, as the library does.
    fn pack(bytes: &[u8], value: usize, block: usize, is_split: bool) -> Vec<u8> {
        let flags = SHUFFLED | LZ4 << 5 | if is_split { 0 } else { WHOLE };
        let header = |flags: u8, sizes: [usize; 3]| {
            let sizes = sizes.map(|size| (size as u32).to_le_bytes());
            [&[2, 1, flags, value as u8][..], sizes.as_flattened()].concat()
        };
        if bytes.len() < LEAST {
            return [header(flags | STORED, [bytes.len(), bytes.len(), 16 + bytes.len()]), bytes.to_vec()].concat();
        }
        let (mut starts, mut body) = (Vec::new(), Vec::new());
        let head = 16 + 4 * bytes.len().div_ceil(block);
        for bytes in bytes.chunks(block) {
            starts.extend((head as u32 + body.len() as u32).to_le_bytes());
            let values = bytes.len() / value;
            let mut shuffled = bytes.to_vec();
            for at in 0..values * value {
                shuffled[at % value * values + at / value] = bytes[at];
            }
            let part = if is_split && bytes.len() == block { block / value } else { bytes.len() };
            for part in shuffled.chunks(part) {
                let packed = lz4_flex::block::compress(part);
                let packed = if packed.len() < part.len() { &packed[..] } else { part };
                body.extend((packed.len() as u32).to_le_bytes());
                body.extend_from_slice(packed);
            }
        }
        [header(flags, [bytes.len(), block, head + body.len()]), starts, body].concat()
    }

    fn back(packed: &[u8], size: usize) -> Result<Vec<u8>, VdbError> {
        let mut to = Vec::new();
        unpack(packed, size, &mut to, &mut Vec::new()).map(|()| to)
    }

    /// Bytes that LZ4 makes smaller, with some that it does not.
    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|at| if at % 4 == 3 { ((at * at) >> 3) as u8 } else { (at / 64) as u8 }).collect()
    }

    #[test]
    fn what_is_packed_comes_back() {
        for (size, value, block, is_split) in [
            (2048, 4, 2048, true),
            (2048, 4, 1024, true),
            (1030, 4, 512, true),
            (1536, 12, 1536, true),
            (700, 2, 700, false),
            (100, 4, 128, false),
            (0, 4, 128, false),
            (4099, 4, 1024, false),
        ] {
            let whole = bytes(size);
            let found = back(&pack(&whole, value, block, is_split), size).expect("unpacks");
            assert!(found == whole, "{size} {value} {block}");
        }
    }

    #[test]
    fn no_change_of_a_byte_and_no_length_is_a_crash() {
        let whole = bytes(1500);
        for packed in [pack(&whole, 4, 512, true), pack(&whole, 4, 700, false)] {
            for at in 0..packed.len() {
                for flip in [1, 0x80, 0xff] {
                    let mut changed = packed.clone();
                    changed[at] ^= flip;
                    if let Ok(found) = back(&changed, 1500) {
                        assert_eq!(found.len(), 1500);
                    }
                }
                assert!(back(&packed[..at], 1500).is_err());
            }
            let mut other = packed.clone();
            other[2] = 0x80 | SHUFFLED;
            assert_eq!(back(&other, 1500), Err(VdbError::Codec));
            assert_eq!(back(&packed, 1501), Err(DAMAGED));
        }
    }
}
