//! The initial state: a file as the start of the simulation.

use std::fs::File;
use std::io::Read as _;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flow_cache::{Blob, Foreign, Header, Pool, Refusal, Wanted};

use super::file_hash::{self, Stamp};
use super::pictures::Pixels;
use super::{cache, geometry};
use crate::ofx::{Error, Result};
use crate::picture::{Averaging, Axis, Components, Depth, Format, Gather, Placement, Reading};
use crate::sim::fingerprint::Digest;
use crate::sim::grid::Grid;
use crate::sim::request;

/// A file that a simulation starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initial {
    path: PathBuf,
    content: Content,
}

/// The part of the file that the simulation uses. Its hash is part of the first key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// The exact state, with the hash of the state.
    State(u128),
    /// The layers, with the hash of the whole file.
    Layers(u128),
}

/// A file, with model, shape and hash if it is a state, and with the hash of all its bytes once that was needed.
#[derive(Clone)]
struct Found {
    stamp: Stamp,
    state: Option<(String, Vec<usize>, u128)>,
    whole: Option<u128>,
}

/// The files that the nodes of the process read last: some hosts create an instance for every frame.
static FOUND: Mutex<Vec<Found>> = Mutex::new(Vec::new());

/// Largest number of remembered files.
const MOST_FOUND: usize = 16;

impl Found {
    /// Reads the header of a file, unless it is remembered. `others`: files of other kinds than EXR are allowed.
    fn at(path: &Path, others: bool) -> Result<Self> {
        let stamp = Stamp::of(path).map_err(|error| failed(path, &error.to_string()))?;
        if let Some(known) = lock().iter().find(|known| known.stamp == stamp) {
            return Ok(known.clone());
        }
        let state = match flow_cache::peek(path) {
            Err(_) if others && !begins_as_exr(path)? => None,
            Ok(header) => Some((header.model, header.shape, header.state)),
            Err(Refusal::NotOurs { .. }) => None,
            // A damaged state does not count as a picture.
            Err(refusal) => return Err(failed(path, &refusal.to_string())),
        };
        let found = Self { stamp, state, whole: None };
        found.remember();
        Ok(found)
    }

    fn remember(&self) {
        let mut all = lock();
        all.retain(|known| known.stamp.path != self.stamp.path);
        if all.len() >= MOST_FOUND {
            all.remove(0);
        }
        all.push(self.clone());
    }

    /// Hash of the whole file.
    fn whole(&mut self) -> Result<u128> {
        if let Some(hash) = self.whole {
            return Ok(hash);
        }
        let hash = hash_of(&self.stamp.path)?;
        self.whole = Some(hash);
        self.remember();
        Ok(hash)
    }
}

fn lock() -> MutexGuard<'static, Vec<Found>> {
    FOUND.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a file begins as an EXR does.
fn begins_as_exr(path: &Path) -> Result<bool> {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4).read_to_end(&mut start));
    read.map_err(|error| failed(path, &format!("{error}.")))?;
    Ok(start == [0x76, 0x2f, 0x31, 0x01])
}

/// Hash of a file's bytes.
fn hash_of(path: &Path) -> Result<u128> {
    file_hash::hash_of(path).map_err(|error| failed(path, &error.to_string()))
}

fn failed(path: &Path, why: &str) -> Error {
    Error::message(format!("Initial state {} can't be used: {why} Choose another file, or none.", path.display()))
}

/// The contents of the file for a simulation.
pub enum Loaded {
    /// A state of the same model and grid.
    State(Box<Header>, Vec<Blob>),
    /// Any other picture.
    Layers(Foreign),
}

impl Initial {
    /// The file of a path; `None` for an empty path. `goes_on`: whether the simulation can continue a state of a model,
    /// given by its name, on a grid of a shape.
    ///
    /// # Errors
    /// The file cannot be used; the error is a text for the artist.
    pub fn read(text: &str, goes_on: impl Fn(&str, &[usize]) -> bool) -> Result<Option<Self>> {
        Self::found(text, goes_on, false)
    }

    /// As [`read`](Self::read), for a node that also starts from files of another kind than EXR.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_any(text: &str, goes_on: impl Fn(&str, &[usize]) -> bool) -> Result<Option<Self>> {
        Self::found(text, goes_on, true)
    }

    fn found(text: &str, goes_on: impl Fn(&str, &[usize]) -> bool, others: bool) -> Result<Option<Self>> {
        if text.is_empty() {
            return Ok(None);
        }
        let path = PathBuf::from(cache::expand("Initial state", text).map_err(Error::Message)?);
        let mut found = Found::at(&path, others)?;
        let content = match &found.state {
            Some((model, shape, hash)) if goes_on(model, shape) => Content::State(*hash),
            _ => Content::Layers(found.whole()?),
        };
        Ok(Some(Self { path, content }))
    }

    /// Adds the hash of the used part to a key.
    pub fn enter(&self, digest: &mut Digest) {
        digest.text("initial state");
        let (kind, hash) = match self.content {
            Content::State(hash) => (0, hash),
            Content::Layers(hash) => (1, hash),
        };
        digest.int(kind);
        digest.wide(hash);
    }

    /// Hash of the used part.
    pub fn hash(&self) -> u128 {
        match self.content {
            Content::State(hash) | Content::Layers(hash) => hash,
        }
    }

    /// The bytes of a file that is no state of the same grid and model.
    ///
    /// # Errors
    /// The file has changed, is larger than `most` bytes, or cannot be read; the error is a text for the artist.
    pub fn bytes(&self, most: u64) -> Result<Vec<u8>> {
        let read = file_hash::bytes(&self.path, self.hash(), most);
        let bytes = read.map_err(|error| failed(&self.path, &format!("{error}.")))?;
        bytes.ok_or_else(|| failed(&self.path, "it has changed since the render began. Render again."))
    }

    /// The error about a file that cannot be used, for a reason that is a sentence.
    pub fn refused(&self, why: &str) -> Error {
        failed(&self.path, why)
    }

    /// Whether the file is a state of the same grid and model. The simulation then continues it with the same bits, and
    /// the first frame consumes no input.
    pub fn is_exact(&self) -> bool {
        matches!(self.content, Content::State(_))
    }

    /// Reads the file: a state of the model in one of these versions, or the wanted layers of a picture.
    ///
    /// # Errors
    /// The file has changed, or cannot be read; the error is a text for the artist.
    pub fn load(&self, versions: RangeInclusive<u32>, wanted: &Wanted, threads: &dyn Pool) -> Result<Loaded> {
        let changed = || failed(&self.path, "it has changed since the render began. Render again.");
        match self.content {
            Content::State(hash) => {
                let read = flow_cache::read(&self.path, None, threads);
                let (header, planes) = read.map_err(|refusal| failed(&self.path, &refusal.to_string()))?;
                if header.state != hash {
                    return Err(changed());
                }
                if !versions.contains(&header.version) {
                    return Err(failed(&self.path, "another version of Flow simulated it, in another way."));
                }
                Ok(Loaded::State(Box::new(header), planes))
            }
            Content::Layers(hash) => {
                let read = flow_cache::read_foreign(&self.path, wanted);
                let foreign = read.map_err(|refusal| failed(&self.path, &refusal.to_string()))?;
                // A damaged state is refused, although its layers may be readable.
                match flow_cache::peek(&self.path) {
                    Ok(_) | Err(Refusal::NotOurs { .. }) => {}
                    Err(refusal) => return Err(failed(&self.path, &refusal.to_string())),
                }
                if hash_of(&self.path)? != hash {
                    return Err(changed());
                }
                Ok(Loaded::Layers(foreign))
            }
        }
    }

    /// The error for a state of this model and grid that the simulation cannot continue, with the reason.
    pub fn unfit(&self, why: &str) -> Error {
        failed(&self.path, &format!("{why}. Set the parameter as it was when the file was made."))
    }
}

/// A layer of a picture over a whole grid, sampled onto its cells.
pub fn on_grid(layer: &[[f32; 4]], size: [usize; 2], grid: &Grid, averaging: Averaging) -> Pixels {
    Arc::new(on_lattice(layer, size, grid, [false; 2], averaging))
}

/// A layer of a picture of `size` cells over a whole grid, sampled onto the grid. Along an axis that is `between`, the
/// values of the layer and of the result are at the faces, one more than the cells.
pub fn on_lattice(
    layer: &[[f32; 4]],
    size: [usize; 2],
    grid: &Grid,
    between: [bool; 2],
    averaging: Averaging,
) -> Vec<[f32; 4]> {
    let cells = geometry::placement(grid);
    let over = |axis: &Axis, count: usize| Axis {
        start: axis.start,
        size: axis.size * axis.count as f64 / count as f64,
        count,
    };
    let [width, height] = size;
    let image = Placement { x: over(&cells.x, width), y: over(&cells.y, height) };
    let lattice = |Placement { x, y }: Placement| {
        let axis = |axis: Axis, between: bool| match between {
            true => Axis { start: axis.start - 0.5 * axis.size, count: axis.count + 1, ..axis },
            false => axis,
        };
        Placement { x: axis(x, between[0]), y: axis(y, between[1]) }
    };
    let (image, cells) = (lattice(image), lattice(cells));
    let format = Format { depth: Depth::Float, components: Components::Rgba };
    let reading = Reading { format, averaging, alpha_of_luminance: false };
    let rows: Vec<&[u8]> = layer.chunks_exact(image.x.count).map(bytemuck::cast_slice).collect();
    let gather = Gather::new(&image, &cells, reading, |y: usize| rows.get(y).copied());
    let mut sampled = request::zeros(cells.x.count * cells.y.count);
    gather.fill(0..cells.y.count, &mut sampled);
    sampled
}
