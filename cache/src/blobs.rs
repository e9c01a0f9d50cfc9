//! The contents of a state file: exact blobs, and layers for display.
//!
//! A blob is a named array over the cells of the header's shape with a border of one cell at each end of each axis. A
//! row is `shape[0] + 2` values along the first axis. The rows are stored in the order of the second axis, then of the
//! third and the fourth. In two dimensions the cell (x, y) is in column x + 1 of row y + 1. In a staggered grid a
//! cell's lower face across an axis is stored at the cell, and the last face in the border. Unused values are 0.

use exr::meta::attribute::SampleType;
use xxhash_rust::xxh3::Xxh3;

/// A named array of exact values, border included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// Name of the EXR channel.
    pub name: String,
    /// Values in rows, the innermost axis first.
    pub values: Values,
}

/// The values of a blob. Equality compares bits, also those of NaN and of signed zeros.
#[derive(Clone, Debug)]
pub enum Values {
    /// An EXR channel of type UINT, interpreted as two's complement.
    Ints(Vec<i32>),
    /// An EXR channel of type FLOAT.
    Floats(Vec<f32>),
}

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Ints(a), Self::Ints(b)) => a == b,
            (Self::Floats(a), Self::Floats(b)) => {
                a.iter().map(|value| value.to_bits()).eq(b.iter().map(|value| value.to_bits()))
            }
            _ => false,
        }
    }
}

impl Eq for Values {}

impl Blob {
    /// Returns the name and the integer values.
    ///
    /// # Errors
    /// The blob holds floats. The text is for an artist.
    pub fn into_ints(self) -> Result<(String, Vec<i32>), String> {
        match self.values {
            Values::Ints(values) => Ok((self.name, values)),
            Values::Floats(_) => Err(format!("its blob {} does not hold integers", self.name)),
        }
    }

    /// Returns the name and the float values.
    ///
    /// # Errors
    /// The blob holds integers. The text is for an artist.
    pub fn into_floats(self) -> Result<(String, Vec<f32>), String> {
        match self.values {
            Values::Floats(values) => Ok((self.name, values)),
            Values::Ints(_) => Err(format!("its blob {} does not hold floats", self.name)),
        }
    }

    /// Creates a blob from the bit patterns of its values.
    pub(crate) fn new(name: String, kind: SampleType, bits: Vec<u32>) -> Self {
        // Both conversions reuse the allocation.
        let values = match kind {
            SampleType::F32 => Values::Floats(bits.into_iter().map(f32::from_bits).collect()),
            _ => Values::Ints(bits.into_iter().map(u32::cast_signed).collect()),
        };
        Self { name, values }
    }
}

/// A blob for writing; its rows are produced on demand.
pub struct BlobRows<'a> {
    /// Name of the EXR channel: not empty, unique in the file, at most 255 bytes.
    pub name: String,
    /// Produces the rows: `row(number)`, with one number for each combination of the outer axes, from 0.
    pub row: Row<'a>,
}

/// The source of the rows of a blob.
pub enum Row<'a> {
    /// Integers: `row(number)` has `shape[0] + 2` values.
    Ints(Box<dyn Fn(usize) -> &'a [i32] + Sync + Send + 'a>),
    /// Floats: `row(number, out)` fills `out`, which holds `shape[0] + 2` zeros on entry. All bits are stored, also
    /// those of NaN.
    #[expect(clippy::type_complexity, reason = "one closure, spelt out where it is needed")]
    Floats(Box<dyn Fn(usize, &mut [f32]) + Sync + Send + 'a>),
}

impl<'a> BlobRows<'a> {
    /// Creates a blob of integers: `row(number)` has `shape[0] + 2` values.
    pub fn ints(name: impl Into<String>, row: impl Fn(usize) -> &'a [i32] + Sync + Send + 'a) -> Self {
        Self { name: name.into(), row: Row::Ints(Box::new(row)) }
    }

    /// Creates a blob of floats: `row(number, out)` fills `out`, which holds `shape[0] + 2` zeros on entry.
    pub fn floats(name: impl Into<String>, row: impl Fn(usize, &mut [f32]) + Sync + Send + 'a) -> Self {
        Self { name: name.into(), row: Row::Floats(Box::new(row)) }
    }

    /// Sample type of the EXR channel.
    pub(crate) fn kind(&self) -> SampleType {
        match self.row {
            Row::Ints(_) => SampleType::U32,
            Row::Floats(_) => SampleType::F32,
        }
    }

    /// Writes the bits of row `y` to `out`.
    ///
    /// # Errors
    /// The length of the row, if it differs from the length of `out`.
    pub(crate) fn bits(&self, y: usize, out: &mut [u32]) -> Result<(), usize> {
        match &self.row {
            Row::Ints(row) => {
                let values = row(y);
                if values.len() != out.len() {
                    return Err(values.len());
                }
                out.iter_mut().zip(values).for_each(|(bits, value)| *bits = value.cast_unsigned());
            }
            Row::Floats(row) => {
                let mut values = vec![0.0_f32; out.len()];
                row(y, &mut values);
                out.iter_mut().zip(values).for_each(|(bits, value)| *bits = value.to_bits());
            }
        }
        Ok(())
    }

    /// Hash of all values, for the given numbers of columns and rows.
    pub(crate) fn hash(&self, [columns, rows]: [usize; 2]) -> u128 {
        let mut all = BlobHash::new(self.kind());
        let mut bits = vec![0; columns];
        for y in 0..rows {
            let row = self.bits(y, &mut bits);
            assert_eq!(row, Ok(()), "row {y} of the blob {} has the wrong length", self.name);
            all.add(&bits);
        }
        all.finish()
    }
}

/// Up to four float channels for display, over the cells of the first two axes.
pub struct Layer<'a> {
    /// Names of the channels, such as `R` or `cross.R`. At most four; each is not empty, unique in the file, at most
    /// 255 bytes.
    pub names: Vec<String>,
    /// `row(y, out)` fills the `shape[0]` pixels of row `y`; row 0 is the lowest. The first `names.len()` components
    /// are stored.
    #[expect(clippy::type_complexity, reason = "one closure, spelt out where it is needed")]
    pub row: Box<dyn Fn(usize, &mut [[f32; 4]]) + Sync + Send + 'a>,
}

/// Incremental hash of the values of one blob, border included.
pub(crate) struct BlobHash {
    all: Xxh3,
    kind: SampleType,
    bytes: Vec<u8>,
}

impl BlobHash {
    pub fn new(kind: SampleType) -> Self {
        Self { all: Xxh3::new(), kind, bytes: Vec::new() }
    }

    /// Adds the bits of further values; the split into calls does not affect the hash.
    pub fn add(&mut self, bits: &[u32]) {
        // The hash is defined over little-endian bytes on every machine.
        for bits in bits.chunks(4096) {
            self.bytes.resize(bits.len() * 4, 0);
            for (bytes, bits) in self.bytes.chunks_exact_mut(4).zip(bits) {
                bytes.copy_from_slice(&bits.to_le_bytes());
            }
            self.all.update(&self.bytes);
        }
    }

    pub fn finish(mut self) -> u128 {
        // The suffix distinguishes floats from integers with the same bits.
        if self.kind == SampleType::F32 {
            self.all.update(b"f");
        }
        self.all.digest128()
    }
}
