//! What a state file says of itself.

use std::collections::BTreeMap;
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use crate::{PlaneRows, Refusal};

/// What a state file says of itself. All of it is in the header of the EXR, as attributes named `flow.*`.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Chain key of this state.
    pub key: u128,
    /// Key from which its chain starts.
    pub family: u128,
    /// Which model it is a state of, such as "org.flowofx.Flow pipes".
    pub model: String,
    /// Version of the model.
    pub version: u32,
    /// Frame in the host's time.
    pub frame: i64,
    /// Frames since the first of the chain.
    pub index: u64,
    /// Columns and rows, without the ring.
    pub grid: [usize; 2],
    /// Where the lower left corner of the grid lies, in the model's own coordinates.
    pub origin: [f64; 2],
    /// Cells for each full-resolution pixel.
    pub cells_per_pixel: f64,
    /// Units for 1.0 of height.
    pub units: f64,
    /// Exact scalars of the model by name, as the bits of an i64 or f64. Names have no white space and no `=`.
    pub numbers: BTreeMap<String, u64>,
    /// For people: the parameters as text. Alone among the fields, it is not covered by `state`.
    pub parameters: String,
    /// xxh3-128 of all that stands above except `parameters`, and of all planes. [`Header::seal`] sets it.
    pub state: u128,
}

/// What a reader needs a file to be. Everything else is refused before its pixels are touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Chain key of the state.
    pub key: u128,
    /// The reader's model.
    pub model: String,
    /// Version of that model.
    pub version: u32,
    /// Columns and rows, without the ring.
    pub grid: [usize; 2],
}

impl Expected {
    /// Whether the state that `header` speaks of is the one.
    pub(crate) fn check(&self, path: &Path, header: &Header) -> Result<(), Refusal> {
        let Self { key, model, version, grid } = self;
        let path = path.to_path_buf();
        if (&header.model, header.version) != (model, *version) {
            let found = format!("{} version {}", header.model, header.version);
            return Err(Refusal::OtherVersion { path, found, expected: format!("{model} version {version}") });
        }
        if header.grid != *grid {
            return Err(Refusal::WrongSize { path, found: header.grid, expected: *grid });
        }
        if header.key != *key {
            return Err(Refusal::OtherKey { path, found: header.key, expected: *key });
        }
        Ok(())
    }
}

impl Header {
    /// Sets `state` to the hash of the other fields and of the planes. Reads every plane once, on this thread.
    ///
    /// # Panics
    /// If a row of a plane does not have `grid[0] + 2` values.
    pub fn seal(&mut self, planes: &[PlaneRows<'_>]) {
        let mut hashes: Vec<(&str, u128)> =
            planes.iter().map(|plane| (plane.name.as_str(), plane.hash(self.grid))).collect();
        // The file keeps its channels by name, whatever order they were handed in.
        hashes.sort();
        self.state = self.hash(&hashes);
    }

    /// The hash that `state` should be, from the names and hashes of the planes, by name.
    pub(crate) fn hash(&self, planes: &[(&str, u128)]) -> u128 {
        // Every field is named, so that a new one cannot be forgotten.
        let Self {
            key,
            family,
            model,
            version,
            frame,
            index,
            grid,
            origin,
            cells_per_pixel,
            units,
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
        for size in grid {
            all.number(*size as u128);
        }
        for value in origin.iter().chain([cells_per_pixel, units]) {
            all.number(value.to_bits().into());
        }
        all.number(numbers.len() as u128);
        for (name, bits) in numbers {
            all.text(name);
            all.number((*bits).into());
        }
        all.number(planes.len() as u128);
        for (name, hash) in planes {
            all.text(name);
            all.number(*hash);
        }
        all.0.digest128()
    }
}

/// A hash of values, each of which says where it ends.
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
