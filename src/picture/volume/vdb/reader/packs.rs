//! The values of a node or leaf: which are stored, those of inactive voxels, and the compression.

use half::f16;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

use super::bytes::Bytes;
use super::{VdbError, blosc};

/// Flags of the compression of a grid.
const ZIP: u32 = 1;
const ACTIVE_MASK: u32 = 2;
const BLOSC: u32 = 4;

/// Cases of inactive values: all are the background, its negative, or one other value; a mask selects the background
/// among its negative or one other value, or one of two values; all values are stored.
const BACKGROUND: u8 = 0;
const ONE: u8 = 2;
const MASK: u8 = 3;
const MASK_AND_ONE: u8 = 4;
const MASK_AND_TWO: u8 = 5;
const ALL: u8 = 6;

/// The layout of the values of a grid.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Components of a value.
    pub components: usize,
    /// Whether values are stored as halves. The background and inactive values never are.
    half: bool,
    compression: Compression,
    /// Whether active values alone are stored.
    compact: bool,
}

/// The compression of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compression {
    None,
    Zip,
    Blosc,
}

impl Layout {
    /// The layout for the flags of a grid.
    pub fn new(flags: u32, components: usize, half: bool) -> Result<Self, VdbError> {
        if flags & !(ZIP | ACTIVE_MASK | BLOSC) != 0 {
            return Err(VdbError::Damaged("flags of the compression"));
        }
        let compression = match (flags & BLOSC != 0, flags & ZIP != 0) {
            (true, _) => Compression::Blosc,
            (false, true) => Compression::Zip,
            (false, false) => Compression::None,
        };
        Ok(Self { components, half, compression, compact: flags & ACTIVE_MASK != 0 })
    }

    /// A value that is not compressed.
    pub fn value(&self, bytes: &mut Bytes<'_>) -> Result<[f32; 3], VdbError> {
        let mut value = [0.0; 3];
        for component in &mut value[..self.components] {
            *component = bytes.f32()?;
        }
        Ok(value)
    }

    /// Bytes of a stored value.
    fn size(&self) -> usize {
        self.components * if self.half { 2 } else { 4 }
    }
}

/// The values of a node or leaf in a file.
pub struct Pack<'a> {
    layout: Layout,
    /// The voxels whose values are stored; `None` for all.
    stored: Option<&'a [u8]>,
    /// The values of others, without and with a bit in `selection`.
    others: [[f32; 3]; 2],
    selection: Option<&'a [u8]>,
    bytes: &'a [u8],
    is_packed: bool,
    /// Bytes of the values.
    size: usize,
}

/// Whether a mask has a bit.
pub fn bit(mask: &[u8], at: usize) -> bool {
    mask[at / 8] >> (at % 8) & 1 == 1
}

/// Number of bits of a mask.
pub fn count(mask: &[u8]) -> usize {
    mask.iter().map(|byte| byte.count_ones() as usize).sum()
}

impl<'a> Pack<'a> {
    /// Finds the values of the voxels of a mask.
    pub fn find(
        bytes: &mut Bytes<'a>,
        layout: Layout,
        background: [f32; 3],
        active: &'a [u8],
    ) -> Result<Self, VdbError> {
        let case = bytes.u8()?;
        if case > ALL {
            return Err(VdbError::Damaged("a case of inactive values"));
        }
        let negative = background.map(|value| -value);
        let mut others = [if case == BACKGROUND { background } else { negative }, background];
        if matches!(case, ONE | MASK_AND_ONE | MASK_AND_TWO) {
            others[0] = layout.value(bytes)?;
        }
        if case == MASK_AND_TWO {
            others[1] = layout.value(bytes)?;
        }
        let selection = if (MASK..=MASK_AND_TWO).contains(&case) { Some(bytes.take(active.len())?) } else { None };
        let stored = (layout.compact && case != ALL).then_some(active);
        let size = stored.map_or(8 * active.len(), count) * layout.size();
        let (packed, is_packed) = if size == 0 && layout.half {
            // Nothing is written for no halves, not even their number of bytes.
            (&[][..], false)
        } else if layout.compression != Compression::None {
            let length = bytes.i64()?;
            let count = usize::try_from(length.unsigned_abs()).map_err(|_| VdbError::Short)?;
            (bytes.take(count)?, length > 0)
        } else {
            (bytes.take(size)?, false)
        };
        if !is_packed && packed.len() != size {
            return Err(VdbError::Damaged("the length of values"));
        }
        Ok(Self { layout, stored, others, selection, bytes: packed, is_packed, size })
    }

    /// Writes the values of all voxels to `to`. Returns the number of values that are not finite, in whose place there
    /// is 0.
    pub fn unpack(&self, to: &mut [f32], work: &mut Work) -> Result<usize, VdbError> {
        let Self { layout: Layout { components, half, compression, .. }, .. } = *self;
        let bytes = match compression {
            _ if !self.is_packed => self.bytes,
            Compression::Blosc => work.unpack(self.bytes, self.size)?,
            Compression::Zip | Compression::None => work.inflate(self.bytes, self.size)?,
        };
        let stored = |at: usize| {
            if half {
                f16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]).to_f32()
            } else {
                f32::from_le_bytes([bytes[4 * at], bytes[4 * at + 1], bytes[4 * at + 2], bytes[4 * at + 3]])
            }
        };
        let mut next = 0;
        let mut bad = 0;
        for (at, value) in to.chunks_exact_mut(components).enumerate() {
            if self.stored.is_none_or(|mask| bit(mask, at)) {
                for (component, value) in value.iter_mut().enumerate() {
                    *value = stored(next + component);
                }
                next += components;
            } else {
                let selected = self.selection.is_some_and(|mask| bit(mask, at));
                value.copy_from_slice(&self.others[usize::from(selected)][..components]);
            }
            bad += sanitise(value);
        }
        Ok(bad)
    }
}

/// Replaces values that are not finite by 0, and returns whether there are any.
pub fn sanitise(value: &mut [f32]) -> usize {
    let is_bad = !value.iter().all(|component| component.is_finite());
    if is_bad {
        value.iter_mut().filter(|component| !component.is_finite()).for_each(|component| *component = 0.0);
    }
    usize::from(is_bad)
}

/// Memory for unpacked values.
#[derive(Default)]
pub struct Work {
    inflated: Vec<u8>,
    block: Vec<u8>,
    inflater: Box<DecompressorOxide>,
}

impl Work {
    /// The bytes that Blosc has packed, `size` in number.
    fn unpack(&mut self, packed: &[u8], size: usize) -> Result<&[u8], VdbError> {
        blosc::unpack(packed, size, &mut self.inflated, &mut self.block)?;
        Ok(&self.inflated[..size])
    }

    /// The bytes of a zlib stream, `size` in number.
    fn inflate(&mut self, packed: &[u8], size: usize) -> Result<&[u8], VdbError> {
        self.inflated.resize(size, 0);
        self.inflater.init();
        let flags = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER
            | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
            | inflate_flags::TINFL_FLAG_COMPUTE_ADLER32;
        let (status, _, count) = decompress(&mut self.inflater, packed, &mut self.inflated, 0, flags);
        if status != TINFLStatus::Done || count != size {
            return Err(VdbError::Damaged("compressed values"));
        }
        Ok(&self.inflated)
    }
}
