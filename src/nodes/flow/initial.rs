//! A file as the start of the simulation.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use flow_cache::{Foreign, Pool};

use super::controls::Id;
use super::params::Panel;
use super::{cache, geometry, stored};
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
    /// Hash of what it holds: another content is another simulation.
    hash: u128,
    /// Model and grid, where it is a state of ours.
    state: Option<(String, [usize; 2])>,
}

/// When a file was looked at, and what it was: it is not read again while it stays as it is.
#[derive(Clone, PartialEq, Eq)]
struct Stamp {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

/// The last file that a node looked at.
#[derive(Default)]
pub struct Looked(Mutex<Option<(Stamp, Initial)>>);

impl Looked {
    /// The file that the panel names; `None` where it names none.
    ///
    /// # Errors
    /// It can't be read, in the artist's words.
    pub fn at(&self, panel: &Panel<'_>, time: f64) -> Result<Option<Initial>> {
        let text = panel.text(Id::InitialState, time);
        if text.is_empty() {
            return Ok(None);
        }
        let path = PathBuf::from(cache::expand("Initial state", &text).map_err(Error::Message)?);
        let data = std::fs::metadata(&path).map_err(|error| failed(&path, &error.to_string()))?;
        let stamp = Stamp { path: path.clone(), length: data.len(), modified: data.modified().ok() };
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, initial)) = known.filter(|(before, _)| *before == stamp) {
            return Ok(Some(initial));
        }
        let initial = match flow_cache::peek(&path) {
            // What is read later is held against this hash.
            Ok(header) => Initial { path, hash: header.state, state: Some((header.model, header.grid)) },
            Err(_) => {
                let bytes = std::fs::read(&path).map_err(|error| failed(&path, &error.to_string()))?;
                let mut hash = PieceHash::default();
                hash.add(&bytes);
                Initial { path, hash: hash.finish(), state: None }
            }
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((stamp, initial.clone()));
        Ok(Some(initial))
    }
}

fn failed(path: &Path, why: &str) -> Error {
    Error::message(format!("Initial state {} can't be read: {why}. Choose another file, or none.", path.display()))
}

impl Initial {
    /// Enters it into a key.
    pub fn enter(&self, digest: &mut Digest) {
        digest.text("initial state");
        digest.wide(self.hash);
        digest.int(i64::from(self.state.is_some()));
    }

    /// Whether it is a state of this very grid and model: then it goes on with the same bits, and its first frame consumes
    /// nothing.
    pub fn is_exact(&self, spec: &Spec) -> bool {
        let (model, _) = stored::model(spec.constants.model);
        self.state.as_ref().is_some_and(|state| *state == (model, [spec.grid.width, spec.grid.height]))
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
        let changed = || failed(&self.path, "it has changed since the render began; render again");
        if self.is_exact(spec) {
            let (header, planes) = flow_cache::read(&self.path, None, threads)
                .map_err(|refusal| failed(&self.path, &refusal.to_string()))?;
            if header.state != self.hash {
                return Err(changed());
            }
            if header.version != sim::MODEL_VERSION {
                return Err(failed(&self.path, "another version of Flow simulated it, in another way"));
            }
            let told = stored::restore(spec, &header, planes).map_err(|why| failed(&self.path, &why))?;
            return Ok((told.water, Notices { steps: 0, ..told.notices }));
        }
        let foreign =
            flow_cache::read_foreign(&self.path).map_err(|refusal| failed(&self.path, &refusal.to_string()))?;
        let layers = on_grid(&foreign, spec);
        Ok(sim::adopt(spec, settings, inputs, &layers, device))
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
