//! A folder of states that is shared by many processes.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::claims::{self, Claimed, Claims};
use crate::in_progress::InProgress;
use crate::names::StateName;
use crate::scan::{self, Scan};
use crate::store::{StoreError, Writing};
use crate::view::{self, Effort};
use crate::{Clock, Header, Refusal, index, peek, temporary};

/// A folder of states. Clones share the same folder. Thread-safe: a query may wait for another thread that lists the
/// folder, but not for one that reads headers or writes a state.
///
/// The folder may be missing, appear, disappear, become full or be changed by other processes at any time. A file that
/// cannot be read counts as absent. A failure to write is an error of [`Folder::store`].
#[derive(Clone)]
pub struct Folder(Arc<Inner>);

struct Inner {
    path: PathBuf,
    claims: Claims,
    scan: Scan,
    in_progress: InProgress,
}

/// Whether a folder contains state files, claims, an index or temporary files of this crate.
pub fn is_used(folder: &Path) -> bool {
    let ours = |name: &str| {
        StateName::parse(name).is_some()
            || temporary::is_temporary(name)
            || [claims::FOLDER, index::FILE].contains(&name)
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| entry.file_name().to_str().is_some_and(ours))
}

/// A state file in a folder.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Path of the file.
    pub path: PathBuf,
    /// Name of the take: the files of one take are a sequence.
    pub take: String,
    /// Frame number in the file's name.
    pub frame: i64,
    /// The header, or the reason why the file is not used.
    pub header: Result<Header, Refusal>,
    /// Size in bytes.
    pub bytes: u64,
    /// Time of the last write, by the clock of the disk.
    pub modified: SystemTime,
    /// Device and inode number; takes that have split share files. `None` if the system does not provide them.
    pub file: Option<(u64, u64)>,
}

impl Folder {
    /// A folder, which need not exist. Does not access the disk.
    pub fn new(path: PathBuf) -> Self {
        Self::with_clock(path, Clock::system())
    }

    /// A folder with the given clock. Does not access the disk.
    pub fn with_clock(path: PathBuf, clock: Clock) -> Self {
        // Claims of one process are identified by their folder, so the path must not depend on its spelling.
        let path = std::path::absolute(&path).unwrap_or(path);
        let (claims, scan) = (Claims::new(&path, clock.clone()), Scan::new(path.clone(), clock));
        Self(Arc::new(Inner { path, claims, scan, in_progress: InProgress::default() }))
    }

    /// Absolute path of the folder.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    pub(crate) fn scan(&self) -> &Scan {
        &self.0.scan
    }

    pub(crate) fn claims(&self) -> &Claims {
        &self.0.claims
    }

    /// Whether the folder contains a state of this family at a frame of the range, both ends included, by a listing
    /// that is at most 250 ms old. The answer is a hint: the file may be gone or damaged. The first query reads the
    /// headers of the files in the range, latest first, until it finds one. `go_on` is called regularly with no lock
    /// held; after it returns false, the answer is that of the files read so far.
    pub fn has_between(&self, family: u128, first: i64, last: i64, go_on: &mut dyn FnMut() -> bool) -> bool {
        self.scan().has_family(family, first, last, go_on)
    }

    /// Path of the file of exactly this state, by a listing that is at most 250 ms old and not older than the last
    /// claim acquired here. The file may be gone or damaged when it is opened: [`crate::read`] reports that, and the
    /// caller passes it to [`Folder::refuse`]. For a known state the file is checked for changes at most once in 250
    /// ms.
    pub fn find(&self, frame: i64, key: u128) -> Option<PathBuf> {
        self.scan().find(frame, key)
    }

    /// Takes the refusals of state files that [`Folder::find`] and [`Folder::has_between`] met since the previous call
    /// and whose headers are invalid. Each file is reported once, until it changes. Not reported are valid files of
    /// other states, missing files, and files passed to [`Folder::refuse`].
    pub fn take_refusals(&self) -> Vec<Refusal> {
        self.scan().view().take_refusals()
    }

    /// Excludes a damaged or missing file from later queries until it changes. Returns true the first time for a file
    /// that exists. Not for a file that is only temporarily unreadable.
    pub fn refuse(&self, path: &Path) -> bool {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        self.scan().refuse(&path)
    }

    /// Writes a state atomically: `write` fills a temporary file in the folder, which is synced and renamed. A file
    /// name is never visible with an incomplete state. Creates the folder if necessary, but not its parent.
    ///
    /// `earlier` are the keys of stored states of the same chain at earlier frames, the nearest first; a few are
    /// enough. The file continues the sequence of the nearest one in this folder. If this process is writing one of
    /// them, the call waits for it after `write`, for at most ten seconds. A file with another key is never replaced.
    ///
    /// If another process clears the folder meanwhile, `write` is called once more.
    ///
    /// # Errors
    /// The folder cannot be created or written to, or `write` fails. No file remains then.
    pub fn store(
        &self,
        header: &Header,
        earlier: &[u128],
        mut write: impl FnMut(&mut BufWriter<&File>) -> io::Result<()>,
    ) -> Result<PathBuf, StoreError> {
        let _begun = self.0.in_progress.begin(header.key);
        let mut store = || {
            let writing = Writing::begin(self.path(), self.claims(), header, &mut write)?;
            writing.publish(self.scan(), &self.0.in_progress, earlier)
        };
        let gone = |error: &io::Error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::StaleNetworkFileHandle);
        let stored = match store() {
            Err(error) if gone(&error) => {
                tracing::debug!("{} was cleared meanwhile: {error}", self.path().display());
                store()
            }
            stored => stored,
        };
        stored.map_err(|error| match gone(&error) && self.path().is_dir() {
            // The folder exists, so its disk works.
            true => StoreError::cleared(self.path()),
            false => StoreError::new(self.path(), &error),
        })
    }

    /// Requests the claim for a key; see [`Claimed`]. Creates the folder if necessary, but not its parent.
    ///
    /// # Errors
    /// The folder cannot be created, read or written to. The caller then simulates the state without a claim.
    pub fn claim(&self, key: u128) -> io::Result<Claimed> {
        let claimed = self.claims().claim(key)?;
        if matches!(claimed, Claimed::Mine(_)) {
            // The previous holder of the claim may have just stored the state.
            self.scan().view().outdate();
        }
        Ok(claimed)
    }

    /// All state files, by take and frame. Reads every header. A file that has the name of a state file but is not one
    /// is listed with the reason.
    pub fn list(&self) -> Vec<Listed> {
        let names = scan::all_names(self.path());
        names.into_iter().filter_map(|name| self.listed(name)).collect()
    }

    fn listed(&self, StateName { take, frame }: StateName) -> Option<Listed> {
        let path = self.path().join(StateName::new(take.as_str(), frame).file());
        let found = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
        let (bytes, file) = (found.len(), view::file_number(&found));
        let modified = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let header = scan::without_use(&path, || peek(&path));
        Some(Listed { header, path, take, frame, bytes, modified, file })
    }

    /// Numbers of disk accesses until now.
    pub fn effort(&self) -> Effort {
        self.scan().view().effort
    }
}

impl std::fmt::Debug for Folder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Folder").field(&self.path()).finish()
    }
}
