//! Queries of a folder: from the cached contents where possible, otherwise from the disk. No lock is held during disk
//! access, since a disk may be slow or not respond.

use std::fs::{self, FileTimes, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::{Mutex, MutexGuard};

use crate::names::StateName;
use crate::view::{Hint, Holder, Stamp, Summary, View};
use crate::{Clock, Refusal, peek};

/// Minimum time between two updates of a file's access time.
const USE: Duration = Duration::from_secs(10 * 60);

/// Headers that are read between two calls of `go_on`.
const BATCH: usize = 8;

/// Names that are listed between two calls of `go_on`.
const NAMES: usize = 1000;

/// Time between two calls of `go_on` while another thread lists the folder.
const POLL: Duration = Duration::from_millis(5);

/// A folder with its cached contents.
pub(crate) struct Scan {
    folder: PathBuf,
    clock: Clock,
    view: Mutex<View>,
    /// Locked by the thread that lists the folder.
    listing: Mutex<()>,
}

impl Scan {
    pub fn new(folder: PathBuf, clock: Clock) -> Self {
        let view = Mutex::new(View::new(folder.clone()));
        Self { folder, clock, view, listing: Mutex::default() }
    }

    /// Locks the cached contents. The lock must be released before any disk access.
    pub fn view(&self) -> MutexGuard<'_, View> {
        self.view.lock()
    }

    pub fn path(&self, name: &StateName) -> PathBuf {
        self.folder.join(name.file())
    }

    /// Lists the folder if the last listing is too old. A folder that cannot be listed counts as empty. Returns false
    /// if `go_on` ended the listing.
    pub fn refresh(&self, go_on: &mut dyn FnMut() -> bool) -> bool {
        let due = || self.view().is_due(self.clock.now());
        while due() {
            let Some(_turn) = self.listing.try_lock() else {
                if !go_on() {
                    return false;
                }
                thread::sleep(POLL);
                continue;
            };
            if !due() {
                break;
            }
            let (number, begun) = (self.view().begin_listing(), Instant::now());
            let Some(names) = state_names(&self.folder, go_on) else { return false };
            self.view().end_listing(number, names, self.clock.now(), begun.elapsed());
            // One listing is enough for this caller, even if it was declared outdated meanwhile.
            break;
        }
        true
    }

    /// Whether a state of a family exists at a frame of the range.
    pub fn has_family(&self, family: u128, first: i64, last: i64, go_on: &mut dyn FnMut() -> bool) -> bool {
        if !self.refresh(go_on) {
            return false;
        }
        let hint = self.view().of_family(family, first, last);
        let names = match hint {
            Hint::Found(_) => return true,
            Hint::Candidates(names) => names,
        };
        for batch in names.chunks(BATCH) {
            let found = batch.iter().any(|name| {
                matches!(self.report(name), Holder::State(summary) if summary.family == family)
                    && !self.is_refused(&self.path(name))
            });
            if found {
                return true;
            }
            if !go_on() {
                return false;
            }
        }
        false
    }

    /// Path of the file of exactly this state. Does not access the disk if the file was checked recently.
    pub fn find(&self, frame: i64, key: u128) -> Option<PathBuf> {
        let is = |holder: Holder| matches!(holder, Holder::State(summary) if summary.key == key);
        let hint = self.view().of_key(frame, key, self.clock.now());
        let known = match hint {
            Hint::Found(name) => Some(name),
            Hint::Candidates(names) => names.into_iter().find(|name| is(self.holder(name))),
        };
        let found = known.or_else(|| {
            self.refresh(&mut || true);
            let names = self.view().of_frame(frame);
            names.into_iter().find(|name| {
                let recent =
                    self.view().recent(name, self.clock.now()).filter(|holder| matches!(holder, Holder::State(_)));
                is(recent.unwrap_or_else(|| self.report(name))) && !self.is_refused(&self.path(name))
            })
        })?;
        let path = self.path(&found);
        if self.view().marks(&found, USE, self.clock.now()) {
            mark_used(&path);
        }
        Some(path)
    }

    /// The holder of a name at the last check, without a new check for a state. Sufficient for hints: the file of a
    /// state is only ever replaced by the same state.
    pub fn remembered(&self, name: &StateName) -> Holder {
        let state = self.view().state(name);
        state.map_or_else(|| self.holder(name), Holder::State)
    }

    /// The current holder of a name. The header of a file is read once, until the file changes.
    pub fn holder(&self, name: &StateName) -> Holder {
        self.inspect(name).0
    }

    /// The current holder of a name, for a query of a state: a damaged file is recorded for `take_refusals`.
    fn report(&self, name: &StateName) -> Holder {
        let (holder, why) = self.inspect(name);
        if let Some((why, stamp)) = why {
            self.view().report(why, stamp);
        }
        holder
    }

    fn inspect(&self, name: &StateName) -> (Holder, Option<(Refusal, Stamp)>) {
        let path = self.path(name);
        self.view().effort.looks += 1;
        let stamp = match fs::metadata(&path) {
            Ok(found) if found.is_file() => Stamp::from(&found),
            Err(error) if error.kind() == ErrorKind::NotFound && fs::symlink_metadata(&path).is_err() => {
                self.view().forget(name);
                return (Holder::Free, None);
            }
            // A folder with that name, or a broken link.
            _ => return (Holder::Foreign, None),
        };
        if let Some((holder, why)) = self.view().settled(name, &stamp, self.clock.now()) {
            return (holder, why.map(|why| (why, stamp)));
        }
        self.view().effort.peeks += 1;
        let (holder, why) = match without_use(&path, || peek(&path)) {
            Ok(header) => (Holder::State(Summary::from(&header)), None),
            Err(why) => {
                tracing::debug!("{why}");
                let holder = match why {
                    Refusal::Missing { .. } => return (Holder::Free, None),
                    // Not cached: the file may be readable at the next query.
                    Refusal::Unreadable { .. } => return (Holder::Foreign, Some((why, stamp))),
                    Refusal::Damaged { .. } => Holder::Damaged,
                    Refusal::NotExr { .. } if stamp.bytes == 0 => Holder::Damaged,
                    Refusal::OtherFormat { .. } | Refusal::OtherVersion { .. } => Holder::OtherFormat,
                    _ => Holder::Foreign,
                };
                (holder, Some(why))
            }
        };
        self.view().learn(name, stamp.clone(), holder, why.clone(), self.clock.now());
        (holder, why.map(|why| (why, stamp)))
    }

    /// Records a file that this process has just written or linked.
    pub fn note(&self, name: &StateName, summary: Summary) {
        let path = self.path(name);
        let stamp = stamp_of(&path);
        let mut view = self.view();
        view.accept(&path);
        if let Some(stamp) = stamp {
            view.learn(name, stamp, Holder::State(summary), None, self.clock.now());
        }
    }

    /// Records that a file is damaged. Returns true the first time, and false if the file is gone.
    pub fn refuse(&self, path: &Path) -> bool {
        match stamp_of(path) {
            Some(stamp) => self.view().refuse(path, stamp),
            None => {
                let name = path.file_name().and_then(|name| StateName::parse(name.to_str()?));
                name.iter().for_each(|name| self.view().forget(name));
                false
            }
        }
    }

    /// Whether a file was found damaged and has not changed since.
    pub fn is_refused(&self, path: &Path) -> bool {
        let Some(then) = self.view().refused(path).cloned() else { return false };
        let same = stamp_of(path).is_some_and(|now| now == then);
        if !same {
            self.view().accept(path);
        }
        same
    }
}

fn stamp_of(path: &Path) -> Option<Stamp> {
    fs::metadata(path).ok().filter(Metadata::is_file).map(|found| Stamp::from(&found))
}

/// The names of the state files in a folder, unsorted. Empty for a folder that cannot be listed; `None` if `go_on`
/// ended the listing.
fn state_names(folder: &Path, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<StateName>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            tracing::debug!("{} cannot be listed: {error}", folder.display());
            return Some(Vec::new());
        }
    };
    let mut names = Vec::new();
    for (at, entry) in entries.flatten().enumerate() {
        if at % NAMES == NAMES - 1 && !go_on() {
            return None;
        }
        names.extend(entry.file_name().to_str().and_then(StateName::parse));
    }
    Some(names)
}

/// The names of all state files in a folder, sorted. Empty for a folder that cannot be listed.
pub(crate) fn all_names(folder: &Path) -> Vec<StateName> {
    let mut names = state_names(folder, &mut || true).unwrap_or_default();
    names.sort();
    names
}

/// Time of the last write or read of a file.
pub(crate) fn last_use(found: &Metadata) -> Option<SystemTime> {
    found.modified().ok().max(found.accessed().ok())
}

/// Sets the access time of a file, which many file systems update rarely or never. Failures are ignored.
fn mark_used(path: &Path) {
    let Ok(found) = fs::metadata(path) else { return };
    let recent = last_use(&found).and_then(|used| used.elapsed().ok()).is_none_or(|since| since < USE);
    if !recent && let Ok(file) = fs::File::open(path) {
        drop(file.set_times(FileTimes::new().set_accessed(SystemTime::now())));
    }
}

/// Runs `inspect`, which reads a file without using its state, and restores the access time, so that
/// [`trim()`](crate::trim()) does not count the file as used. For example for a check of a whole folder.
pub fn without_use<T>(path: &Path, inspect: impl FnOnce() -> T) -> T {
    let accessed = || fs::metadata(path).and_then(|found| found.accessed());
    let before = accessed();
    let seen = inspect();
    if let Ok(before) = before
        && accessed().is_ok_and(|after| after != before)
    {
        // Only the owner may set times; for other users the new access time remains.
        let restored = fs::File::open(path).and_then(|file| file.set_times(FileTimes::new().set_accessed(before)));
        tracing::trace!("{}: {restored:?}", path.display());
    }
    seen
}
