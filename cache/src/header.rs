//! The header of a state file, and the state that a reader expects.

use std::collections::BTreeMap;
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use crate::{BlobRows, Refusal, shape};

/// The description of a state. In a file its fields are attributes of the EXR named `flow.*`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Chain key of the state.
    pub key: u128,
    /// Family key: the key from which the chain starts.
    pub family: u128,
    /// Name of the model, such as "org.flowofx.Flow pipes".
    pub model: String,
    /// Version of the model.
    pub version: u32,
    /// Frame in the host's time.
    pub frame: i64,
    /// Frames since the first of the chain.
    pub index: u64,
    /// Cells along each axis, without the border: one to four numbers, the innermost axis first.
    pub shape: Vec<usize>,
    /// Position of the grid's lowest corner along each axis, in the model's own coordinates; finite.
    pub origin: Vec<f64>,
    /// Cells per full-resolution pixel.
    pub cells_per_pixel: f64,
    /// Exact scalars of the model by name, as the bits of an i64 or f64. Names contain no white space and no `=`.
    pub numbers: BTreeMap<String, u64>,
    /// The parameters as readable text. `state` does not cover this field.
    pub parameters: String,
    /// xxh3-128 of the fields above except `parameters`, and of all blobs. [`Header::seal`] sets it.
    pub state: u128,
}

/// The state that a reader needs. A file with another state is refused before its pixels are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Chain key of the state.
    pub key: u128,
    /// Name of the reader's model.
    pub model: String,
    /// Version of the reader's model.
    pub version: u32,
    /// Cells along each axis, as in [`Header::shape`].
    pub shape: Vec<usize>,
}

impl Expected {
    /// Refuses the header of another state.
    pub(crate) fn check(&self, path: &Path, header: &Header) -> Result<(), Refusal> {
        let Self { key, model, version, shape } = self;
        let path = path.to_path_buf();
        if (&header.model, header.version) != (model, *version) {
            let found = format!("{} version {}", header.model, header.version);
            return Err(Refusal::OtherVersion { path, found, expected: format!("{model} version {version}") });
        }
        if header.shape != *shape {
            return Err(Refusal::WrongSize { path, found: header.shape.clone(), expected: shape.clone() });
        }
        if header.key != *key {
            return Err(Refusal::OtherKey { path, found: header.key, expected: *key });
        }
        Ok(())
    }
}

impl Header {
    /// Sets `state` to the hash of the other fields and of the blobs. Reads every blob once, on the calling thread.
    ///
    /// # Panics
    /// The shape cannot be written, or a row of a blob does not have `shape[0] + 2` values.
    pub fn seal(&mut self, blobs: &[BlobRows<'_>]) {
        let size = shape::stored(&self.shape).expect("a shape of one to four sides");
        let mut hashes: Vec<(&str, u128)> = blobs.iter().map(|blob| (blob.name.as_str(), blob.hash(size))).collect();
        // Files order their channels by name.
        hashes.sort();
        self.state = self.hash(&hashes);
    }

    /// Expected value of `state`, from the names and hashes of the blobs, sorted by name.
    pub(crate) fn hash(&self, blobs: &[(&str, u128)]) -> u128 {
        // The exhaustive pattern makes a new field a compile error here.
        let Self {
            key,
            family,
            model,
            version,
            frame,
            index,
            shape,
            origin,
            cells_per_pixel,
            numbers,
            parameters: _,
            state: _,
        } = self;
        let mut all = Fingerprint(Xxh3::new());
        all.number(*key);
        all.number(*family);
        all.text(model);
        all.number((*version).into());
        all.number(*frame as u128);
        all.number((*index).into());
        all.number(shape.len() as u128);
        for side in shape {
            all.number(*side as u128);
        }
        all.number(origin.len() as u128);
        for value in origin.iter().chain([cells_per_pixel]) {
            all.number(value.to_bits().into());
        }
        all.number(numbers.len() as u128);
        for (name, bits) in numbers {
            all.text(name);
            all.number((*bits).into());
        }
        all.number(blobs.len() as u128);
        for (name, hash) in blobs {
            all.text(name);
            all.number(*hash);
        }
        all.0.digest128()
    }
}

/// A hash of values with known lengths.
struct Fingerprint(Xxh3);

impl Fingerprint {
    fn number(&mut self, value: u128) {
        self.0.update(&value.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u128);
        self.0.update(text.as_bytes());
    }
}
