//! Files that a picture shows, one per frame or one for all, which are read at render time.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cache::expand;
use super::controls::Controls;
use super::file_hash::Stamp;
use super::numbered::{Unfound, file_at};
use super::values::{Missing, Setup, Values};
use crate::ofx::Result;

/// Largest file.
const MOST_BYTES: u64 = 4 << 30;

/// The purpose of a file, for messages.
#[derive(Clone, Copy)]
pub struct Purpose {
    /// The parameter's label.
    pub subject: &'static str,
    /// The end of a sentence about frames without a file.
    pub without: &'static str,
}

/// The file of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameFile(Stamp);

/// A file or the error that the picture is, and a text for the artist where one of a sequence is missing.
pub type Found = (Option<Result<FrameFile, String>>, Option<String>);

/// The contents of the file that was read last, for the other planes and bands of a frame.
pub struct Kept<T>(Mutex<Option<(Stamp, Arc<T>)>>);

impl<T> Kept<T> {
    /// Nothing.
    pub const fn empty() -> Self {
        Self(Mutex::new(None))
    }

    /// Frees the contents.
    pub fn release(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Stamp, Arc<T>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Purpose {
    fn refused(self, path: &Path, why: &str) -> String {
        format!("{} {} can't be used: {why}. Choose another file, or none.", self.subject, path.display())
    }

    /// The file of a time by the name that the artist wrote; none for an empty name.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn find<Id: Controls>(self, values: &impl Values<Id>, text: &str, time: f64) -> Result<Found> {
        if text.is_empty() {
            return Ok((None, None));
        }
        let setup = Setup::read(values, time)?;
        let path = |name: &str| expand(self.subject, name).map(PathBuf::from);
        // As for a render, a time this close to a frame is the frame.
        let frame = libm::floor(time + 1e-6) as i64;
        Ok(match file_at(text, frame, (setup.missing, setup.start), path, Stamp::of) {
            Ok(Some((_, stamp))) => (Some(Ok(FrameFile(stamp))), None),
            Ok(None) => {
                let is_held = setup.missing == Missing::Hold;
                let way_out = if is_held { "there is none before to hold" } else { "see Missing frames" };
                let Self { subject, without } = self;
                (None, Some(format!("{subject} {text} is missing at some frames, which {without}: {way_out}.")))
            }
            Err(Unfound::Name(why)) => (Some(Err(why)), None),
            Err(Unfound::File(path, error)) => (Some(Err(self.refused(&path, &error.to_string()))), None),
        })
    }

    /// The contents of a file, as `parse` reads its bytes.
    ///
    /// # Errors
    /// The file cannot be read; a text for the artist.
    pub fn read<T>(
        self,
        file: &FrameFile,
        kept: &Kept<T>,
        parse: impl Fn(&[u8]) -> Result<T, String>,
    ) -> Result<Arc<T>, String> {
        let path = &file.0.path;
        let refused = |why: &str| self.refused(path, why);
        let stamp = Stamp::of(path).map_err(|error| refused(&error.to_string()))?;
        if let Some((_, contents)) = kept.lock().as_ref().filter(|(known, _)| *known == stamp) {
            return Ok(Arc::clone(contents));
        }
        if stamp.length > MOST_BYTES {
            return Err(refused("it is larger than 4 GB"));
        }
        let bytes = fs::read(path).map_err(|error| refused(&error.to_string()))?;
        let contents = Arc::new(parse(&bytes).map_err(|why| refused(why.trim_end_matches('.')))?);
        *kept.lock() = Some((stamp, Arc::clone(&contents)));
        Ok(contents)
    }
}
