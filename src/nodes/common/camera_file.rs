//! Files of cameras, which are read at render time.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::cache;
use crate::nodes::engine::engine;
use crate::picture::camera_path::{CameraPath, Pose};

/// Most bytes of a file: more than a line for each of a hundred thousand frames.
const MOST_BYTES: u64 = 32 << 20;

/// Most files that are remembered.
const MOST_FILES: usize = 16;

/// A file as it was read, with the properties that change with its contents.
struct Known {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
    camera: Arc<CameraPath>,
}

/// The files of cameras that the process has read. Thread-safe.
#[derive(Default)]
pub struct CameraFiles(Mutex<Vec<Known>>);

impl CameraFiles {
    /// The path in a file, which is read anew after a change.
    fn read(&self, path: &Path) -> io::Result<Arc<CameraPath>> {
        let data = fs::metadata(path)?;
        if !data.is_file() {
            return Err(io::Error::other("it is no file"));
        }
        if data.len() > MOST_BYTES {
            return Err(io::Error::other("it is larger than 32 MB"));
        }
        let (length, modified) = (data.len(), data.modified().ok());
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |known: &&Known| known.path == path && known.length == length && known.modified == modified;
        if let Some(known) = lock().iter().find(same) {
            return Ok(Arc::clone(&known.camera));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
        let camera = Arc::new(CameraPath::parse(&String::from_utf8_lossy(&bytes)));
        let mut files = lock();
        files.retain(|known| known.path != path);
        if files.len() >= MOST_FILES {
            files.remove(0);
        }
        files.push(Known { path: path.to_owned(), length, modified, camera: Arc::clone(&camera) });
        Ok(camera)
    }
}

/// Words of the texts about a file.
pub struct Words<'a> {
    /// The parameter with the file.
    pub file: &'a str,
    /// The text where none is chosen.
    pub unset: &'a str,
    /// The sentence about its substitute.
    pub otherwise: &'a str,
    /// The form of a line.
    pub line: &'a str,
    /// The end of a sentence about times before and after all lines.
    pub outside: &'a str,
}

/// The words about the file of a camera.
pub const CAMERA: Words<'static> = Words {
    file: "Camera file",
    unset: "Camera is File, and no Camera file is chosen: Front is shown.",
    otherwise: "Front is shown.",
    line: "frame tx ty tz rx ry rz vfov",
    outside: "its first and its last camera are shown",
};

/// The pose of a file at a time, and a text for the artist where the file is not used as it is. `text`: path of the
/// file, as the artist wrote it; `order`: order of the rotations in the file.
pub fn pose(words: &Words<'_>, text: &str, time: f64, order: [usize; 3]) -> (Option<Pose>, Option<String>) {
    let read = match text {
        "" => Err(words.unset.to_owned()),
        text => cache::expand(words.file, text).and_then(|path| {
            let read = engine().camera_files().read(Path::new(&path));
            read.map_err(|error| format!("{} {path} can't be read: {error}. {}", words.file, words.otherwise))
        }),
    };
    match read {
        Ok(path) => (path.at(time, order), notice(words, text, &path, time)),
        Err(why) => (None, Some(why)),
    }
}

/// The text about a path that does not have a pose at a time, or of whose lines some are unknown.
fn notice(words: &Words<'_>, text: &str, path: &CameraPath, time: f64) -> Option<String> {
    let Words { file, line: form, otherwise, outside, .. } = words;
    let Some([first, last]) = path.frames() else {
        return Some(format!("{file} {text} has no line \"{form}\": {otherwise}"));
    };
    if time < first || time > last {
        return Some(format!("{file} {text} has frames {first} to {last}: before and after them, {outside}."));
    }
    let (line, count) = path.unreadable()?;
    let lines = if count == 1 {
        format!("line {line} is not \"{form}\" and is left out")
    } else {
        format!("{count} lines from line {line} on are not \"{form}\" and are left out")
    };
    Some(format!("{file} {text}: {lines}."))
}
