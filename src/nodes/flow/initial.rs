//! A file as the start of the simulation.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use flow_cache::{Foreign, Pool, Refusal};

use super::controls::Id;
use super::stored;
use crate::nodes::common::values::Values;
use crate::nodes::common::{cache, geometry};
use crate::ofx::{Error, Result};
use crate::picture::{Averaging, Axis, Components, Depth, Format, Gather, Placement, Reading};
use crate::sim::inputs::{Inputs, Pixels};
use crate::sim::settings::Settings;
use crate::sim::{self, Adopted, Device, Notices, Spec, State};
use crate::timeline::{Digest, PieceHash};

/// A file that a simulation starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initial {
    path: PathBuf,
    content: Content,
}

/// What is taken of the file. Its hash is part of the simulation's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// The exact state, by its own hash.
    State(u128),
    /// The layers that it shows, by the hash of the whole file.
    Layers(u128),
}

/// When a file was looked at: it is not read again while it stays as it is.
#[derive(Clone, PartialEq, Eq)]
struct Stamp {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
    identity: [i64; 3],
}

/// A file as it was found: of which model and grid and with which hash, if it is a state; the hash of the whole, once
/// somebody wanted it.
#[derive(Clone)]
struct Found {
    stamp: Stamp,
    state: Option<(String, [usize; 2], u128)>,
    whole: Option<u128>,
}

/// The files that nodes of this process looked at last: hosts make an instance for every frame.
static FOUND: Mutex<Vec<Found>> = Mutex::new(Vec::new());

/// Files remembered.
const MOST_FOUND: usize = 16;

impl Stamp {
    fn of(path: &Path) -> Result<Self> {
        let data = std::fs::metadata(path).map_err(|error| failed(path, &error.to_string()))?;
        if !data.is_file() {
            return Err(failed(path, "it is no file"));
        }
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt as _;
            [data.ino() as i64, data.ctime(), data.ctime_nsec()]
        };
        #[cfg(not(unix))]
        let identity = [0; 3];
        Ok(Self { path: path.to_owned(), length: data.len(), modified: data.modified().ok(), identity })
    }
}

impl Found {
    /// Looks at a file, or remembers it.
    fn at(path: &Path) -> Result<Self> {
        let stamp = Stamp::of(path)?;
        if let Some(known) = lock().iter().find(|known| known.stamp == stamp) {
            return Ok(known.clone());
        }
        let state = match flow_cache::peek(path) {
            Ok(header) => Some((header.model, header.grid, header.state)),
            Err(Refusal::NotOurs { .. }) => None,
            // A state that is damaged is not to be started from as a picture.
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

/// Hash of a file's bytes, which are read piece by piece.
fn hash_of(path: &Path) -> Result<u128> {
    let unreadable = |error: io::Error| failed(path, &error.to_string());
    let mut file = File::open(path).map_err(unreadable)?;
    let mut hash = PieceHash::default();
    let mut piece = vec![0; 1 << 20];
    loop {
        match file.read(&mut piece).map_err(unreadable)? {
            0 => return Ok(hash.finish()),
            read => hash.add(&piece[..read]),
        }
    }
}

fn failed(path: &Path, why: &str) -> Error {
    Error::message(format!("Initial state {} can't be used: {why} Choose another file, or none.", path.display()))
}

impl Initial {
    /// The file that the panel names, for a simulation; `None` where it names none.
    ///
    /// # Errors
    /// It can't be used, in the artist's words.
    pub fn read(values: &impl Values<Id>, time: f64, spec: &Spec) -> Result<Option<Self>> {
        let text = values.text(Id::InitialState, time);
        if text.is_empty() {
            return Ok(None);
        }
        let path = PathBuf::from(cache::expand("Initial state", &text).map_err(Error::Message)?);
        let mut found = Found::at(&path)?;
        let (model, _) = stored::model(spec.constants.model);
        let content = match &found.state {
            Some((theirs, grid, hash)) if *theirs == model && *grid == [spec.grid.width, spec.grid.height] => {
                Content::State(*hash)
            }
            _ => Content::Layers(found.whole()?),
        };
        Ok(Some(Self { path, content }))
    }

    /// Enters it into a key.
    pub fn enter(&self, digest: &mut Digest) {
        digest.text("initial state");
        let (kind, hash) = match self.content {
            Content::State(hash) => (0, hash),
            Content::Layers(hash) => (1, hash),
        };
        digest.int(kind);
        digest.wide(hash);
    }

    /// Whether it is a state of this very grid and model: then it goes on with the same bits, and its first frame consumes
    /// nothing.
    pub fn is_exact(&self) -> bool {
        matches!(self.content, Content::State(_))
    }

    /// The state of the first frame.
    ///
    /// # Errors
    /// The file is no start of this simulation, in the artist's words.
    pub fn start(
        &self,
        spec: &Spec,
        settings: &Settings,
        inputs: &Inputs,
        device: &dyn Device,
        threads: &dyn Pool,
    ) -> Result<(State, Notices)> {
        let changed = || failed(&self.path, "it has changed since the render began. Render again.");
        match self.content {
            Content::State(hash) => {
                let read = flow_cache::read(&self.path, None, threads);
                let (header, planes) = read.map_err(|refusal| failed(&self.path, &refusal.to_string()))?;
                if header.state != hash {
                    return Err(changed());
                }
                if header.version != sim::MODEL_VERSION {
                    return Err(failed(&self.path, "another version of Flow simulated it, in another way."));
                }
                let told = stored::restore(spec, &header, planes).map_err(|why| {
                    failed(&self.path, &format!("{why}. Set the parameter as it was when the file was made."))
                })?;
                Ok((told.water, told.notices))
            }
            Content::Layers(hash) => {
                let read = flow_cache::read_foreign(&self.path);
                let foreign = read.map_err(|refusal| failed(&self.path, &refusal.to_string()))?;
                if hash_of(&self.path)? != hash {
                    return Err(changed());
                }
                Ok(sim::adopt(spec, settings, inputs, &on_grid(&foreign, spec), device))
            }
        }
    }
}

/// The layers of a picture that lies over the whole frame, on the grid.
fn on_grid(foreign: &Foreign, spec: &Spec) -> Adopted {
    let grid = geometry::placement(&spec.grid);
    let [width, height] = foreign.size;
    let over = |axis: &Axis, count: usize| Axis {
        start: axis.start,
        size: axis.size * axis.count as f64 / count as f64,
        count,
    };
    let image = Placement { x: over(&grid.x, width), y: over(&grid.y, height) };
    let sampled = |pixels: &Vec<[f32; 4]>, averaging| -> Pixels {
        let format = Format { depth: Depth::Float, components: Components::Rgba };
        let reading = Reading { format, averaging, alpha_of_luminance: false };
        let rows: Vec<&[u8]> = pixels.chunks_exact(width).map(bytemuck::cast_slice).collect();
        let gather = Gather::new(&image, &grid, reading, |y: usize| rows.get(y).copied());
        let mut cells = vec![[0.0; 4]; spec.grid.cells()];
        gather.fill(0..spec.grid.height, &mut cells);
        Arc::new(cells)
    };
    Adopted {
        // The water's colour counts by its height.
        water: sampled(&foreign.rgba, Averaging::ByAlpha),
        cross: foreign.cross.as_ref().map(|pixels| sampled(pixels, Averaging::Plain)),
        diagonal: foreign.diagonal.as_ref().map(|pixels| sampled(pixels, Averaging::Plain)),
    }
}
