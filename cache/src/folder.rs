//! A folder of states that many processes share.

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

/// A folder of states. Clones are the same folder. From any thread; a question may wait for another thread's that has to
/// list the folder, but never for one that reads headers or writes a state.
///
/// The folder may come and go, fill up and be written to by others at any time: what cannot be read is not there, and what
/// cannot be written is told once, by who writes.
#[derive(Clone)]
pub struct Folder(Arc<Inner>);

struct Inner {
    path: PathBuf,
    claims: Claims,
    scan: Scan,
    in_progress: InProgress,
}

/// Whether a folder holds state files, claims or anything that was left of them.
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
    /// The file.
    pub path: PathBuf,
    /// The first number of its name: files of one take are a sequence.
    pub take: String,
    /// The frame in its name.
    pub frame: i64,
    /// What it says of itself.
    pub header: Result<Header, Refusal>,
    /// Its size.
    pub bytes: u64,
    /// When it was written, by its disk's clock.
    pub modified: SystemTime,
    /// Device and number: takes that have split share files. `None` where the system doesn't say.
    pub file: Option<(u64, u64)>,
}

impl Folder {
    /// A folder, which need not exist. Touches nothing.
    pub fn new(path: PathBuf) -> Self {
        Self::with_clock(path, Clock::system())
    }

    /// A folder that goes by another clock than the system's. Touches nothing.
    pub fn with_clock(path: PathBuf, clock: Clock) -> Self {
        // Claims of one process are told by their folder, however it was named.
        let path = std::path::absolute(&path).unwrap_or(path);
        let (claims, scan) = (Claims::new(&path, clock.clone()), Scan::new(path.clone(), clock));
        Self(Arc::new(Inner { path, claims, scan, in_progress: InProgress::default() }))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    pub(crate) fn scan(&self) -> &Scan {
        &self.0.scan
    }

    pub(crate) fn claims(&self) -> &Claims {
        &self.0.claims
    }

    /// Whether a state of this family lies at a frame in the range, both ends included, by a listing that may be 250 ms
    /// old. A hint: the file may be gone or bad. The first question reads the headers of the files in the range, latest
    /// first, until it finds one. `go_on` is asked every now and then, with no lock held; where it says no, the answer is
    /// that none was found yet.
    pub fn has_between(&self, family: u128, first: i64, last: i64, go_on: &mut dyn FnMut() -> bool) -> bool {
        self.scan().has_family(family, first, last, go_on)
    }

    /// The file of exactly this state, by a look that may be 250 ms old, but not older than the last claim got here. It may
    /// be gone or bad when it is opened: `read` tells, and [`Folder::refuse`] has to be told. Once a state was found, the
    /// disk is asked at most once in 250 ms whether its file is as it was.
    pub fn find(&self, frame: i64, key: u128) -> Option<PathBuf> {
        self.scan().find(frame, key)
    }

    /// The files with names of ours that [`Folder::find`] and [`Folder::has_between`] have met since this was last asked,
    /// and that are bad by what their headers say. Each file once, for as long as it stays as it is; not those that are
    /// whole and only hold another state than the one looked for, nor those that are gone, nor those that
    /// [`Folder::refuse`] was told of.
    pub fn take_refusals(&self) -> Vec<Refusal> {
        self.scan().view().take_refusals()
    }

    /// Notes a file that turned out bad, or gone: it is not offered again while it stays as it is. True the first time, for a
    /// file that is there. Not for a file that only cannot be read at the moment.
    pub fn refuse(&self, path: &Path) -> bool {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        self.scan().refuse(&path)
    }

    /// Writes a state, so that its name is never that of anything less than the whole: `write` fills a temporary file in
    /// the folder, which is synced and renamed. Makes the folder if need be, but not the one that it lies in. `earlier` are the
    /// keys of states of its chain at earlier frames that are to be kept, the nearest first; a few are enough. They say which
    /// sequence the file goes on with: that of the nearest that is here. One that this process is writing just now is waited
    /// for, after `write`, for ten seconds at most. Never replaces a file of another key.
    ///
    /// Where somebody clears the folder meanwhile, `write` is asked once more.
    ///
    /// # Errors
    /// If the folder cannot be made or written to, or `write` fails. Nothing is left of the file then.
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
            // The folder is there: nothing is wrong with its disk.
            true => StoreError::cleared(self.path()),
            false => StoreError::new(self.path(), &error),
        })
    }

    /// Claims the duty to make the state of a key. See [`Claimed`]. Makes the folder if need be, but not the one that it
    /// lies in.
    ///
    /// # Errors
    /// If the folder cannot be made, read or written to. The state is made without a claim then.
    pub fn claim(&self, key: u128) -> io::Result<Claimed> {
        let claimed = self.claims().claim(key)?;
        if matches!(claimed, Claimed::Mine(_)) {
            // Who had the claim before has perhaps just stored the state.
            self.scan().view().outdate();
        }
        Ok(claimed)
    }

    /// All state files, by take and frame. Reads every header; files whose names alone are ours are among them, with the
    /// reason why they are not used.
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

    /// What asking has cost until now.
    pub fn effort(&self) -> Effort {
        self.scan().view().effort
    }
}

impl std::fmt::Debug for Folder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Folder").field(&self.path()).finish()
    }
}
