//! What a state file holds: exact planes, and layers for people.
//!
//! All planes of a file have one window, the grid with a ring of one cell: width + 2 by height + 2 values, lowest row
//! first, so that the cell (x, y) lies in column x + 1 of row y + 1. A staggered grid fits into it: a cell's left side and
//! the one below it lie where the cell does, the last ones in column width + 1 and row height + 1. What a plane does not
//! use is 0.

use exr::meta::attribute::SampleType;
use xxhash_rust::xxh3::Xxh3;

/// A plane of exact values: width + 2 by height + 2 of them, lowest row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    /// The name of its channel.
    pub name: String,
    /// Row by row, left to right.
    pub values: Values,
}

/// The values of a plane. They are equal if all their bits are, NaN and zeros included.
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

impl Plane {
    /// The name and the integers.
    ///
    /// # Errors
    /// They are floats, in words for an artist.
    pub fn into_ints(self) -> Result<(String, Vec<i32>), String> {
        match self.values {
            Values::Ints(values) => Ok((self.name, values)),
            Values::Floats(_) => Err(format!("its plane {} does not hold integers", self.name)),
        }
    }

    /// The name and the floats.
    ///
    /// # Errors
    /// They are integers, in words for an artist.
    pub fn into_floats(self) -> Result<(String, Vec<f32>), String> {
        match self.values {
            Values::Floats(values) => Ok((self.name, values)),
            Values::Ints(_) => Err(format!("its plane {} does not hold floats", self.name)),
        }
    }

    /// A plane from the bits of its values.
    pub(crate) fn new(name: String, kind: SampleType, bits: Vec<u32>) -> Self {
        // Neither of them copies: the values take the place of the bits.
        let values = match kind {
            SampleType::F32 => Values::Floats(bits.into_iter().map(f32::from_bits).collect()),
            _ => Values::Ints(bits.into_iter().map(u32::cast_signed).collect()),
        };
        Self { name, values }
    }
}

/// A plane as the writer hands it in.
pub struct PlaneRows<'a> {
    /// The name of its channel: not empty, unique in the file, at most 255 bytes.
    pub name: String,
    /// Its rows, for y in 0..height + 2, lowest row first.
    pub row: Row<'a>,
}

/// The rows of a plane.
pub enum Row<'a> {
    /// `row(y)` has width + 2 values.
    Ints(Box<dyn Fn(usize) -> &'a [i32] + Sync + Send + 'a>),
    /// `row(y, out)` fills `out`, which comes as width + 2 zeros. All bits are kept, those of NaN included.
    #[expect(clippy::type_complexity, reason = "one closure, spelt out where it is needed")]
    Floats(Box<dyn Fn(usize, &mut [f32]) + Sync + Send + 'a>),
}

impl<'a> PlaneRows<'a> {
    /// A plane of integers: `row(y)` has width + 2 values.
    pub fn ints(name: impl Into<String>, row: impl Fn(usize) -> &'a [i32] + Sync + Send + 'a) -> Self {
        Self { name: name.into(), row: Row::Ints(Box::new(row)) }
    }

    /// A plane of floats: `row(y, out)` fills `out`, which comes as width + 2 zeros.
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

    /// Sets `out` to the bits of row `y`; where the row has another length, says which.
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

    /// The hash of the whole plane.
    pub(crate) fn hash(&self, grid: [usize; 2]) -> u128 {
        let mut all = PlaneHash::new(self.kind());
        let mut bits = vec![0; grid[0] + 2];
        for y in 0..grid[1] + 2 {
            let row = self.bits(y, &mut bits);
            assert_eq!(row, Ok(()), "row {y} of the plane {} has the wrong length", self.name);
            all.add(&bits);
        }
        all.finish()
    }
}

/// Up to four float channels for people.
pub struct Layer<'a> {
    /// The names of the channels, such as `R` or `cross.R`, at most four: not empty, unique in the file, at most 255
    /// bytes.
    pub names: Vec<String>,
    /// `row(y, out)` fills width pixels of grid row y, 0 being the lowest; the first `names.len()` components count.
    #[expect(clippy::type_complexity, reason = "one closure, spelt out where it is needed")]
    pub row: Box<dyn Fn(usize, &mut [[f32; 4]]) + Sync + Send + 'a>,
}

/// The hash of the values of one plane, ring included, lowest row first.
pub(crate) struct PlaneHash {
    all: Xxh3,
    kind: SampleType,
    bytes: Vec<u8>,
}

impl PlaneHash {
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
