//! Files of frames for other programs, which renders in full quality write: one a frame, in a folder of the artist's.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::cache::expand;
use super::controls::Controls;
use super::values::Values;
use crate::nodes::engine::engine;

/// Bytes that are written at once.
const BUFFER: usize = 1 << 20;

/// Numbers of temporary files of this process.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// The folder and the names of the files of frames.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameFiles {
    /// The folder and the name, as the artist wrote them, each with the label of its parameter.
    folder: Labelled,
    name: Labelled,
    /// Contents of the files, for messages.
    contents: &'static str,
    /// The name where the artist gives none.
    default_name: &'static str,
}

/// A text with the label of its parameter.
#[derive(Clone, Debug, PartialEq)]
struct Labelled {
    label: String,
    text: String,
}

impl Labelled {
    fn read<Id: Controls>(values: &impl Values<Id>, id: Id, time: f64) -> Self {
        Self { label: id.control().label.to_string_lossy().into_owned(), text: values.text(id, time) }
    }

    fn expanded(&self) -> Result<String, String> {
        expand(&self.label, &self.text)
    }
}

impl FrameFiles {
    /// The files on the panel at a time; `None` without a folder. `contents` begins messages, `default_name` names files
    /// without a name of the artist's.
    pub fn read<Id: Controls>(
        values: &impl Values<Id>,
        [folder, name]: [Id; 2],
        (contents, default_name): (&'static str, &'static str),
        time: f64,
    ) -> Option<Self> {
        let folder = Labelled::read(values, folder, time);
        let name = || Labelled::read(values, name, time);
        (!folder.text.is_empty()).then(|| Self { name: name(), folder, contents, default_name })
    }

    /// Writes the file of a frame. Returns a text for the artist where that failed, which is posted once until a file is
    /// written.
    pub fn write(
        &self,
        frame: i64,
        extension: &str,
        contents: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Option<String> {
        let subject = format!("{}: {}", self.folder.label, self.folder.text);
        match self.try_write(frame, extension, contents) {
            Ok(()) => {
                engine().notices().settle(&subject);
                None
            }
            Err(why) => {
                engine().notices().add(&subject, &why);
                Some(why)
            }
        }
    }

    fn try_write(
        &self,
        frame: i64,
        extension: &str,
        contents: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), String> {
        let folder = PathBuf::from(self.folder.expanded()?);
        let name = match self.name.expanded()? {
            name if name.is_empty() => self.default_name.to_owned(),
            name => flow_cache::safe_name(&name),
        };
        let sign = if frame < 0 { "-" } else { "" };
        let file = format!("{name}.{sign}{:04}.{extension}", frame.unsigned_abs());
        prepare(&folder).and_then(|()| replace(&folder, &file, contents)).map_err(|error| {
            format!(
                "{} can't be written into {}: {error}. Check the path and the disk, or empty {}.",
                self.contents,
                folder.display(),
                self.folder.label
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
fn replace(folder: &Path, file: &str, contents: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!(".{file}.{}.{number}.tmp", std::process::id()));
    let written = File::create(&temporary)
        .and_then(|created| {
            let mut buffer = BufWriter::with_capacity(BUFFER, created);
            contents(&mut buffer)?;
            buffer.flush()
        })
        .and_then(|()| fs::rename(&temporary, folder.join(file)));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}
