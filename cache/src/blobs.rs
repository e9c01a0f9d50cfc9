//! The contents of a state file: exact blobs, and layers for people.
//!
//! A blob is a named array over the cells of the header's shape with a border of one cell at each end of each axis. Its
//! first axis has `shape[0] + 2` values, which are one row; rows follow one another along the second axis, then the third
//! and the fourth. In two dimensions the cell (x, y) lies in column x + 1 of row y + 1. A staggered grid fits: a cell's
//! lower face across an axis is stored at the cell, and the last face in the border. Unused values are 0.

use exr::meta::attribute::SampleType;
use xxhash_rust::xxh3::Xxh3;

/// A named array of exact values, border included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// The name of its channel.
    pub name: String,
    /// Row by row, the innermost axis first.
    pub values: Values,
}

/// The values of a blob. Two are equal if all their bits are, NaN and zeros included.
#[derive(Clone, Debug)]
pub enum Values {
    /// A channel of the type UINT, taken as two's complement.
    Ints(Vec<i32>),
    /// A channel of the type FLOAT.
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
    /// The name and the integers.
    ///
    /// # Errors
    /// They are floats, in words for an artist.
    pub fn into_ints(self) -> Result<(String, Vec<i32>), String> {
        match self.values {
            Values::Ints(values) => Ok((self.name, values)),
            Values::Floats(_) => Err(format!("its blob {} does not hold integers", self.name)),
        }
    }

    /// The name and the floats.
    ///
    /// # Errors
    /// They are integers, in words for an artist.
    pub fn into_floats(self) -> Result<(String, Vec<f32>), String> {
        match self.values {
            Values::Floats(values) => Ok((self.name, values)),
            Values::Ints(_) => Err(format!("its blob {} does not hold floats", self.name)),
        }
    }

    /// A blob from the bits of its values.
    pub(crate) fn new(name: String, kind: SampleType, bits: Vec<u32>) -> Self {
        // Neither of them copies: the values take the place of the bits.
        let values = match kind {
            SampleType::F32 => Values::Floats(bits.into_iter().map(f32::from_bits).collect()),
            _ => Values::Ints(bits.into_iter().map(u32::cast_signed).collect()),
        };
        Self { name, values }
    }
}

/// A blob to be written, row by row.
pub struct BlobRows<'a> {
    /// The name of its channel: not empty, unique in the file, at most 255 bytes.
    pub name: String,
    /// Its rows: `row(number)` for each number from 0 on, one for each combination of the outer axes.
    pub row: Row<'a>,
}

/// The rows of a blob.
pub enum Row<'a> {
    /// `row(number)` has `shape[0] + 2` values.
    Ints(Box<dyn Fn(usize) -> &'a [i32] + Sync + Send + 'a>),
    /// `row(number, out)` fills `out`, `shape[0] + 2` zeros before. All bits are kept, those of NaN included.
    #[expect(clippy::type_complexity, reason = "one closure, spelt out where it is needed")]
    Floats(Box<dyn Fn(usize, &mut [f32]) + Sync + Send + 'a>),
}

impl<'a> BlobRows<'a> {
    /// A blob of integers: `row(number)` has `shape[0] + 2` values.
    pub fn ints(name: impl Into<String>, row: impl Fn(usize) -> &'a [i32] + Sync + Send + 'a) -> Self {
        Self { name: name.into(), row: Row::Ints(Box::new(row)) }
    }

    /// A blob of floats: `row(number, out)` fills `out`, `shape[0] + 2` zeros before.
    pub fn floats(name: impl Into<String>, row: impl Fn(usize, &mut [f32]) + Sync + Send + 'a) -> Self {
        Self { name: name.into(), row: Row::Floats(Box::new(row)) }
    }

    /// The type of its channel.
    pub(crate) fn kind(&self) -> SampleType {
        match self.row {
            Row::Ints(_) => SampleType::U32,
            Row::Floats(_) => SampleType::F32,
        }
    }

    /// Sets `out` to the bits of row `y`. An error is the length of a row that has another.
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

    /// The hash of the whole blob, of so many columns and rows.
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

/// Up to four float channels for people, over the cells of the first two axes.
pub struct Layer<'a> {
    /// The names of the channels, such as `R` or `cross.R`, at most four: not empty, unique in the file, at most 255
    /// bytes.
    pub names: Vec<String>,
    /// `row(y, out)` fills the `shape[0]` pixels of row y, 0 being the lowest; the first `names.len()` components count.
    #[expect(clippy::type_complexity, reason = "one closure, spelt out where it is needed")]
    pub row: Box<dyn Fn(usize, &mut [[f32; 4]]) + Sync + Send + 'a>,
}

/// The hash of the values of one blob, border included.
pub(crate) struct BlobHash {
    all: Xxh3,
    kind: SampleType,
    bytes: Vec<u8>,
}

impl BlobHash {
    pub fn new(kind: SampleType) -> Self {
        Self { all: Xxh3::new(), kind, bytes: Vec::new() }
    }

    /// Goes on with the bits of more values, a row or any other piece.
    pub fn add(&mut self, bits: &[u32]) {
        // The hash is of little-endian bytes, whatever the machine's order is.
        for bits in bits.chunks(4096) {
            self.bytes.resize(bits.len() * 4, 0);
            for (bytes, bits) in self.bytes.chunks_exact_mut(4).zip(bits) {
                bytes.copy_from_slice(&bits.to_le_bytes());
            }
            self.all.update(&self.bytes);
        }
    }

    pub fn finish(mut self) -> u128 {
        // A fifth byte that no integers have: floats are no integers, though all their bits may be the same.
        if self.kind == SampleType::F32 {
            self.all.update(b"f");
        }
        self.all.digest128()
    }
}
