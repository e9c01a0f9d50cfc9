//! OpenVDB files as emitters and solids: the files of a frame, whose contents enter its key, and their grids.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use super::FlowVolume;
use super::controls::{EmitterField, Id, SolidField};
use super::values::number;
use crate::compute::cpu::Cpu;
use crate::nodes::common::cache::expand;
use crate::nodes::common::file_hash::{self, FileHashes};
use crate::nodes::common::node::{Failure, Node as _};
use crate::nodes::common::numbered::{Unfound, file_at};
use crate::nodes::common::values::{Missing, Setup, Values};
use crate::nodes::engine::engine;
use crate::ofx::{Error, Result};
use crate::picture::volume::{Transform, VdbContents, VdbError, VdbFile};
use crate::sim::fingerprint::{Digest, Fingerprint};
use crate::sim::volume::Settings;
use crate::sim::volume::source_grids::{FileSource, PlacedGrid, SourceGrids};

/// Largest file.
const MOST_BYTES: u64 = 4 << 30;

/// Most values of a grid: 1 GiB of memory.
const MOST_VALUES: usize = 1 << 28;

/// Bytes of grids that are kept for the next frame, beside those in use.
const MOST_KEPT: usize = 512 << 20;

/// The names of a grid where the artist gives none: the first that a file has.
const DENSITY: &[&str] = &["density"];
const HEAT: &[&str] = &["temperature", "heat"];
const FUEL: &[&str] = &["fuel", "flame", "flames"];
const SURFACE: &[&str] = &["surface", "collision", "ls_collision", "sdf"];

/// The settings of a frame, with the files of its emitters.
#[derive(Clone, Debug)]
pub struct FrameSettings {
    /// The settings, which have the hashes of the files.
    pub volume: Settings,
    /// The file of each emitter of the settings.
    pub files: Vec<Option<VdbSource>>,
    /// The file of each solid of the settings.
    pub solid_files: Vec<Option<VdbSource>>,
    /// Lines about inputs for the report.
    pub notices: Vec<&'static str>,
}

impl Fingerprint for FrameSettings {
    fn enter(&self, digest: &mut Digest) {
        self.volume.enter(digest);
    }
}

/// The emitter or solid whose shape is a file, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// An emitter.
    Emitter(usize),
    /// A solid.
    Solid(usize),
}

/// Parameters of a file.
struct Ids {
    file: Id,
    offset: Id,
    scale: Id,
    up: Id,
}

impl Owner {
    fn ids(self) -> Ids {
        use {EmitterField as E, SolidField as S};
        match self {
            Self::Emitter(n) => {
                let [file, offset, scale, up] =
                    [E::File, E::FileOffset, E::FileScale, E::FileUp].map(|field| Id::Emitter(n, field));
                Ids { file, offset, scale, up }
            }
            Self::Solid(n) => {
                let [file, offset, scale, up] =
                    [S::File, S::FileOffset, S::FileScale, S::FileUp].map(|field| Id::Solid(n, field));
                Ids { file, offset, scale, up }
            }
        }
    }

    /// The effect of a missing file on it, for messages.
    fn idle(self) -> &'static str {
        match self {
            Self::Emitter(_) => "emits nothing",
            Self::Solid(_) => "is left out",
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Emitter(n) => write!(f, "Emitter {}", n + 1),
            Self::Solid(n) => write!(f, "Solid {}", n + 1),
        }
    }
}

/// A file of an emitter or a solid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VdbSource {
    owner: Owner,
    path: PathBuf,
    /// Hash of the file.
    hash: u128,
    /// The names of the grids of density, heat and fuel that the artist gives; empty for the usual ones. Of a solid, the
    /// first is that of its level set.
    names: [String; 3],
    /// Whether heat and fuel are emitted.
    uses: [bool; 2],
}

/// The hashes of files, and the grids that were read last, by hash.
static HASHES: LazyLock<FileHashes> = LazyLock::new(FileHashes::default);
static KEPT: Mutex<Vec<(u128, Arc<SourceGrids>)>> = Mutex::new(Vec::new());

fn kept() -> MutexGuard<'static, Vec<(u128, Arc<SourceGrids>)>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Frees the grids that are kept for the next frame.
pub fn release() {
    kept().clear();
}

/// The error about a file, for a reason that is the end of a sentence.
fn refused(owner: Owner, path: &Path, why: &str) -> Error {
    let it = if matches!(owner, Owner::Emitter(_)) { "emitter" } else { "solid" };
    Error::message(format!(
        "VDB file {} of {owner} can't be used: {why}. Choose another file, or turn the {it} off.",
        path.display()
    ))
}

impl VdbSource {
    /// The file of an emitter or a solid at a time; `None` without one.
    ///
    /// # Errors
    /// The file cannot be read; the error is a text for the artist.
    pub fn read(values: &impl Values<Id>, owner: Owner, time: f64) -> Result<Option<Self>> {
        let ids = owner.ids();
        let text = values.text(ids.file, time);
        let subject = format!("VDB file of {owner}");
        let notice = |text: &str| engine().notices().add(&format!("{}: {subject}", FlowVolume::ABOUT.folder), text);
        if text.is_empty() {
            notice(&format!("{owner} {}, because its shape is VDB file and no VDB file is chosen.", owner.idle()));
            return Ok(None);
        }
        let frame = libm::floor(time) as i64 + i64::from(values.int(ids.offset, time)?);
        let setup = Setup::read(values, time)?;
        let earliest = setup.start + i64::from(values.int(ids.offset, time)?);
        let path = |name: &str| expand(&subject, name).map(PathBuf::from);
        let (path, hash) = match file_at(&text, frame, (setup.missing, earliest), path, |path| HASHES.of(path)) {
            Ok(Some(found)) => found,
            Ok(None) => {
                let is_held = setup.missing == Missing::Hold;
                let way_out = if is_held { "there is none before to hold" } else { "see Missing frames" };
                notice(&format!(
                    "VDB files {text} of {owner} are missing at some frames, where it {}: {way_out}.",
                    owner.idle()
                ));
                return Ok(None);
            }
            Err(Unfound::Name(why)) => return Err(Error::Message(why)),
            Err(Unfound::File(path, error)) => return Err(refused(owner, &path, &error.to_string())),
        };
        let (names, uses) = match owner {
            Owner::Emitter(n) => {
                use EmitterField as F;
                let id = |field| Id::Emitter(n, field);
                let emits = |field| -> Result<bool> { Ok(number(values, id(field), time)? > 0.0) };
                let uses = [emits(F::Heat)?, emits(F::Fuel)?];
                let used = |field, is_used: bool| if is_used { values.text(id(field), time) } else { String::new() };
                ([used(F::FileDensity, true), used(F::FileHeat, uses[0]), used(F::FileFuel, uses[1])], uses)
            }
            Owner::Solid(n) => {
                let name = values.text(Id::Solid(n, SolidField::FileGrid), time);
                ([name, String::new(), String::new()], [false; 2])
            }
        };
        Ok(Some(Self { owner, path, hash, names, uses }))
    }

    /// Hash of the grids.
    pub fn contents(&self) -> u128 {
        let mut digest = Digest::new(if matches!(self.owner, Owner::Emitter(_)) { "vdb" } else { "vdb level set" });
        digest.wide(self.hash);
        self.names.iter().for_each(|name| digest.text(name));
        self.uses.enter(&mut digest);
        digest.finish()
    }

    /// The grids.
    ///
    /// # Errors
    /// The file has changed, or cannot be read; the error is a text for the artist.
    fn grids(&self, cpu: &Cpu) -> Result<Arc<SourceGrids>> {
        let contents = self.contents();
        if let Some((_, grids)) = kept().iter().find(|(hash, _)| *hash == contents) {
            return Ok(Arc::clone(grids));
        }
        let refused = |why: &str| refused(self.owner, &self.path, why);
        let bytes = file_hash::bytes(&self.path, self.hash, MOST_BYTES);
        let bytes = bytes.map_err(|error| refused(&error.to_string()))?;
        let bytes = bytes.ok_or_else(|| refused("it has changed since the render began, which has to start again"))?;
        let unreadable = |error: VdbError| refused(&error.to_string());
        let file = VdbFile::open(&bytes).map_err(unreadable)?;
        let listed = || file.names().take(32).collect::<Vec<_>>().join(", ");
        let [heat, fuel] = self.uses;
        let mut grids = [None, None, None];
        let mut bad = 0;
        let is_solid = matches!(self.owner, Owner::Solid(_));
        let first = if is_solid { SURFACE } else { DENSITY };
        let wanted = [(first, true, true), (HEAT, heat, false), (FUEL, fuel, false)];
        for (which, (usual, _, is_needed)) in wanted.into_iter().enumerate().filter(|(_, (_, used, _))| *used) {
            let given = &self.names[which];
            let names = if given.is_empty() { usual.to_vec() } else { vec![&given[..]] };
            let found = names.iter().find(|name| file.names().any(|other| other == **name));
            let Some(name) = found else {
                if is_needed || !given.is_empty() {
                    return Err(refused(&format!("it has no grid {}, but {}", names[0], listed())));
                }
                continue;
            };
            let read = file.read(cpu, name, MOST_VALUES).map_err(unreadable)?;
            let Some(read) = read.filter(|read| read.values.components == 1) else {
                return Err(refused(&format!("its grid {name} has vectors, and floats are needed")));
            };
            bad += read.bad;
            grids[which] = Some(match (is_solid, read.is_level_set) {
                (true, true) => depths(read),
                (true, false) => {
                    let why =
                        format!("its grid {name} is no level set, and a solid needs the distance from its surface");
                    return Err(refused(&why));
                }
                (false, _) => placed(read),
            });
        }
        if bad > 0 {
            let text = format!("Values of the VDB files of {} that are not finite count as 0.", self.owner);
            engine().notices().add(FlowVolume::ABOUT.folder, &text);
        }
        let grids = Arc::new(SourceGrids::new(grids));
        let mut kept = kept();
        kept.push((contents, Arc::clone(&grids)));
        while kept.len() > 1 && kept.iter().map(|(_, grids)| grids.bytes()).sum::<usize>() > MOST_KEPT {
            kept.remove(0);
        }
        Ok(grids)
    }
}

/// A grid as a source. A signed distance becomes the share of a voxel that is inside.
fn placed(read: VdbContents) -> PlacedGrid {
    let VdbContents { mut values, transform: Transform { scale, translate }, is_level_set, .. } = read;
    if is_level_set {
        let voxel = scale.into_iter().map(f64::abs).fold(f64::INFINITY, f64::min) as f32;
        values.map(|distance| (0.5 - distance / voxel).clamp(0.0, 1.0));
    }
    values.clear_background();
    PlacedGrid { values, scale, translate }
}

/// A level set as the depth below its surface.
fn depths(read: VdbContents) -> PlacedGrid {
    let VdbContents { mut values, transform: Transform { scale, translate }, .. } = read;
    values.map(|distance| -distance);
    PlacedGrid { values, scale, translate }
}

impl FrameSettings {
    /// The settings with the grids of their files.
    ///
    /// # Errors
    /// A file cannot be read; the error is a text for the artist.
    pub fn loaded(&self, cpu: &Cpu) -> Result<Settings, Failure> {
        let mut settings = self.volume.clone();
        for (emitter, file) in settings.emitters.iter_mut().zip(&self.files) {
            if let (Some(source), Some(file)) = (&mut emitter.file, file) {
                source.grids = Some(file.grids(cpu)?);
            }
        }
        for (solid, file) in settings.solids.iter_mut().zip(&self.solid_files) {
            if let (Some(source), Some(file)) = (&mut solid.file, file) {
                source.grids = Some(file.grids(cpu)?);
            }
        }
        Ok(settings)
    }
}

/// The place of a file, for a box of `height` cells.
///
/// # Errors
/// A call to the host fails.
pub fn source(values: &impl Values<Id>, file: &VdbSource, height: f64, time: f64) -> Result<FileSource> {
    let ids = file.owner.ids();
    Ok(FileSource {
        contents: file.contents(),
        cells_per_unit: number(values, ids.scale, time)? * height,
        z_up: values.choice(ids.up, time)? == 1,
        grids: None,
    })
}
