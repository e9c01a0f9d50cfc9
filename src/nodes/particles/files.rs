//! Files of particles for other programs: one per frame, written by renders in full quality.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::controls::Id;
use crate::compute::cpu::Cpu;
use crate::nodes::common::cache;
use crate::nodes::common::values::Values;
use crate::nodes::engine::engine;
use crate::ofx::Result;
use crate::picture::particles::{FileFormat, Look, write};
use crate::sim::particles::State;

/// Bytes that are written at once.
const BUFFER: usize = 1 << 20;

/// Name of files, where the artist gives none.
const NAME: &str = "particles";

/// Numbers of temporary files of this process.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// The files on the panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Files {
    /// The folder, as the artist wrote it.
    folder: String,
    name: String,
    format: FileFormat,
}

impl Files {
    /// The files on the panel at a time; `None` without a folder.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read(values: &impl Values<Id>, time: f64) -> Result<Option<Self>> {
        let folder = values.text(Id::ParticleFolder, time);
        if folder.is_empty() {
            return Ok(None);
        }
        let name = values.text(Id::ParticleName, time);
        let format = if values.choice(Id::ParticleFormat, time)? == 1 { FileFormat::Csv } else { FileFormat::Ply };
        Ok(Some(Self { folder, name, format }))
    }

    /// Writes a frame. Returns a text for the artist where that failed, which is posted once until a frame is written.
    pub fn write(&self, cpu: &Cpu, state: &State, look: &Look, frame: i64) -> Option<String> {
        match self.try_write(cpu, state, look, frame) {
            Ok(()) => {
                engine().notices().settle(&self.folder);
                None
            }
            Err(why) => {
                engine().notices().add(&self.folder, &why);
                Some(why)
            }
        }
    }

    fn try_write(&self, cpu: &Cpu, state: &State, look: &Look, frame: i64) -> std::result::Result<(), String> {
        let folder = PathBuf::from(cache::expand("Particle folder", &self.folder)?);
        let name = match cache::expand("Particle name", &self.name)? {
            name if name.is_empty() => NAME.to_owned(),
            name => flow_cache::safe_name(&name),
        };
        let sign = if frame < 0 { "-" } else { "" };
        let file = format!("{name}.{sign}{:04}.{}", frame.unsigned_abs(), self.format.extension());
        prepare(&folder).and_then(|()| replace(&folder, &file, cpu, state, look, self.format)).map_err(|error| {
            format!(
                "Particles can't be written into {}: {error}. Check the path and the disk, or empty Particle folder.",
                folder.display()
            )
        })
    }
}

/// Creates the folder, but not its parent: if that is missing, a disk is most likely not mounted.
fn prepare(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        created => created,
    }
}

/// Writes a file under a temporary name, and then gives it its own: a reader never sees a part of it.
fn replace(folder: &Path, file: &str, cpu: &Cpu, state: &State, look: &Look, format: FileFormat) -> io::Result<()> {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!(".{file}.{}.{number}.tmp", std::process::id()));
    let written =
        written(&temporary, cpu, state, look, format).and_then(|()| fs::rename(&temporary, folder.join(file)));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn written(path: &Path, cpu: &Cpu, state: &State, look: &Look, format: FileFormat) -> io::Result<()> {
    let mut buffer = BufWriter::with_capacity(BUFFER, File::create(path)?);
    write(cpu, state, look, format, &mut buffer)?;
    buffer.flush()
}
