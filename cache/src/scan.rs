//! Looking at a folder: what this process remembers of it, and what it has to ask the disk. No lock is held while the disk
//! is asked, since a disk may take long or not answer.

use std::fs::{self, FileTimes, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::{Mutex, MutexGuard};

use crate::names::StateName;
use crate::view::{Hint, Holder, Stamp, Summary, View};
use crate::{Clock, Refusal, peek};

/// A file that is used is marked as used, but not more often than this.
const USE: Duration = Duration::from_secs(10 * 60);

/// Headers that are read between two questions whether to go on.
const BATCH: usize = 8;

/// Names that are listed between two such questions.
const NAMES: usize = 1000;

/// Time between two such questions while another thread lists the folder.
const POLL: Duration = Duration::from_millis(5);

/// A folder, and what is known of it.
pub(crate) struct Scan {
    folder: PathBuf,
    clock: Clock,
    view: Mutex<View>,
    /// Held by the thread that lists the folder.
    listing: Mutex<()>,
}

impl Scan {
    pub fn new(folder: PathBuf, clock: Clock) -> Self {
        let view = Mutex::new(View::new(folder.clone()));
        Self { folder, clock, view, listing: Mutex::default() }
    }

    /// What is known. To be held for a moment only.
    pub fn view(&self) -> MutexGuard<'_, View> {
        self.view.lock()
    }

    pub fn path(&self, name: &StateName) -> PathBuf {
        self.folder.join(name.file())
    }

    /// Lists the folder, if that is due; what cannot be listed is empty. False if `go_on` ended it.
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
            // One that was outdated before it ended serves no better the next time for whoever asked before.
            break;
        }
        true
    }

    /// Whether a state of a family lies at a frame in the range.
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

    /// The file of exactly this state. Asks the disk nothing where it was seen a moment ago.
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

    /// Who held a name when it was last looked at. Good enough for what is only a hint: a state's file is replaced by the
    /// same state alone.
    pub fn remembered(&self, name: &StateName) -> Holder {
        let state = self.view().state(name);
        state.map_or_else(|| self.holder(name), Holder::State)
    }

    /// Who holds a name now. Reads the header of a file once, for as long as it stays as it is.
    pub fn holder(&self, name: &StateName) -> Holder {
        self.look(name).0
    }

    /// Who holds a name now, for somebody who looks for a state: a bad file is told.
    fn report(&self, name: &StateName) -> Holder {
        let (holder, why) = self.look(name);
        if let Some((why, stamp)) = why {
            self.view().report(why, stamp);
        }
        holder
    }

    fn look(&self, name: &StateName) -> (Holder, Option<(Refusal, Stamp)>) {
        let path = self.path(name);
        self.view().effort.looks += 1;
        let stamp = match fs::metadata(&path) {
            Ok(found) if found.is_file() => Stamp::from(&found),
            Err(error) if error.kind() == ErrorKind::NotFound && fs::symlink_metadata(&path).is_err() => {
                self.view().forget(name);
                return (Holder::Free, None);
            }
            // A folder in the way, a link to nowhere.
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
                    // Perhaps it can be read the next time.
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

    /// Notes a file that this process has just written or linked.
    pub fn note(&self, name: &StateName, summary: Summary) {
        let path = self.path(name);
        let stamp = stamp_of(&path);
        let mut view = self.view();
        view.accept(&path);
        if let Some(stamp) = stamp {
            view.learn(name, stamp, Holder::State(summary), None, self.clock.now());
        }
    }

    /// Notes that a file is bad as it is. True the first time; false where it is gone.
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

    /// Whether a file turned out bad and is as it was.
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

/// The names of the state files in a folder, in no order. Empty for a folder that cannot be listed; `None` if `go_on` ended
/// it.
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

/// The names of all state files in a folder, in order. Empty for a folder that cannot be listed.
pub(crate) fn all_names(folder: &Path) -> Vec<StateName> {
    let mut names = state_names(folder, &mut || true).unwrap_or_default();
    names.sort();
    names
}

/// When a file was last written or read.
pub(crate) fn last_use(found: &Metadata) -> Option<SystemTime> {
    found.modified().ok().max(found.accessed().ok())
}

/// Marks a file as used now: file systems do so seldom or never by themselves. What cannot be marked stays as it is.
fn mark_used(path: &Path) {
    let Ok(found) = fs::metadata(path) else { return };
    let recent = last_use(&found).and_then(|used| used.elapsed().ok()).is_none_or(|since| since < USE);
    if !recent && let Ok(file) = fs::File::open(path) {
        drop(file.set_times(FileTimes::new().set_accessed(SystemTime::now())));
    }
}

/// Runs what looks into a file without using its state, such as a check of a whole folder, so that it does not count when
/// [`trim()`](crate::trim()) asks what was used last.
pub fn without_use<T>(path: &Path, look: impl FnOnce() -> T) -> T {
    let accessed = || fs::metadata(path).and_then(|found| found.accessed());
    let before = accessed();
    let seen = look();
    if let Ok(before) = before
        && accessed().is_ok_and(|after| after != before)
    {
        // Only the owner may; for others, the system's own mark stays.
        let restored = fs::File::open(path).and_then(|file| file.set_times(FileTimes::new().set_accessed(before)));
        tracing::trace!("{}: {restored:?}", path.display());
    }
    seen
}
