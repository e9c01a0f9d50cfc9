//! What lies in a folder, as this process last saw it.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, FileTimes, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::names::StateName;
use crate::{Header, Refusal, peek};

/// Least time between two listings. A folder that takes long to list is listed less often.
const LISTING: Duration = Duration::from_millis(250);

/// How much longer than a listing took the next has to wait.
const LISTING_SHARE: u32 = 10;

/// A file that is used is marked as used, but not more often than this.
const USE: Duration = Duration::from_secs(10 * 60);

/// Tells a file from what it was before somebody replaced or changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
    file: Option<(u64, u64)>,
}

impl Stamp {
    pub fn of(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().filter(Metadata::is_file).map(|found| Self::from(&found))
    }
}

impl From<&Metadata> for Stamp {
    fn from(found: &Metadata) -> Self {
        Self { bytes: found.len(), modified: found.modified().ok(), file: file_number(found) }
    }
}

/// Device and number of a file, the same for all its names; `None` where the system doesn't say.
#[cfg(unix)]
pub(crate) fn file_number(found: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((found.dev(), found.ino()))
}

/// Device and number of a file, the same for all its names; `None` where the system doesn't say.
#[cfg(not(unix))]
pub(crate) fn file_number(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// What of a header has to be at hand for every file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Brief {
    pub key: u128,
    pub family: u128,
    /// Frame of the chain's first state.
    pub start: i64,
}

impl From<&Header> for Brief {
    fn from(header: &Header) -> Self {
        Self { key: header.key, family: header.family, start: start(header) }
    }
}

/// The frame with which a state's chain begins.
pub(crate) fn start(header: &Header) -> i64 {
    header.frame.saturating_sub(i64::try_from(header.index).unwrap_or(i64::MAX))
}

/// Who holds a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// Nobody.
    Free,
    /// A state of ours.
    State(Brief),
    /// What was a state of ours and is of no use to anyone.
    Wreck,
    /// A state of ours in another file format.
    OtherFormat,
    /// A file of somebody else, or something that cannot be read now.
    Stranger,
}

/// What listing and reading have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// How often the folder was listed.
    pub listings: u64,
    /// How many headers were read.
    pub peeks: u64,
}

/// What is known of a file.
struct Known {
    stamp: Stamp,
    holder: Holder,
    /// Whether that still held after the last listing. What is not a state may have become one since.
    sure: bool,
}

pub(crate) struct View {
    folder: PathBuf,
    /// The takes of each frame, with what is known of their files.
    takes: BTreeMap<i64, BTreeMap<String, Option<Known>>>,
    /// Files that turned out bad on reading, as they were then.
    refused: HashMap<PathBuf, Stamp>,
    listed: Option<Duration>,
    wait: Duration,
    pub effort: Effort,
}

impl View {
    pub fn new(folder: PathBuf) -> Self {
        let (takes, refused, effort) = Default::default();
        Self { folder, takes, refused, listed: None, wait: LISTING, effort }
    }

    pub fn path(&self, name: &StateName) -> PathBuf {
        self.folder.join(name.file())
    }

    /// The next question lists the folder again.
    pub fn outdate(&mut self) {
        self.listed = None;
    }

    /// Lists the folder, if that is due. What cannot be listed is empty.
    pub fn refresh(&mut self, now: Duration) {
        if self.listed.is_some_and(|listed| now.saturating_sub(listed) < self.wait) {
            return;
        }
        let begun = Instant::now();
        let mut before = std::mem::take(&mut self.takes);
        for name in state_names(&self.folder) {
            let mut known = before.get_mut(&name.frame).and_then(|takes| takes.remove(&name.take)).flatten();
            if let Some(known) = &mut known {
                known.sure = matches!(known.holder, Holder::State(_));
            }
            self.takes.entry(name.frame).or_default().insert(name.take, known);
        }
        self.effort.listings += 1;
        self.listed = Some(now);
        self.wait = LISTING.max(begun.elapsed() * LISTING_SHARE);
    }

    /// The names of a frame, in the order of their takes.
    pub fn of_frame(&self, frame: i64) -> Vec<StateName> {
        let takes = self.takes.get(&frame).into_iter().flat_map(BTreeMap::keys);
        takes.map(|take| StateName::new(take.as_str(), frame)).collect()
    }

    /// The names of a range of frames, the latest first.
    pub fn between(&self, first: i64, last: i64) -> Vec<StateName> {
        self.range(first, last).map(|(frame, take, _)| StateName::new(take, frame)).collect()
    }

    fn range(&self, first: i64, last: i64) -> impl Iterator<Item = (i64, &str, Option<&Known>)> {
        let frames = (first <= last).then(|| self.takes.range(first..=last).rev());
        frames
            .into_iter()
            .flatten()
            .flat_map(|(frame, takes)| takes.iter().map(|(take, known)| (*frame, take.as_str(), known.as_ref())))
    }

    /// The last frame of a take.
    pub fn last_of(&self, take: &str) -> Option<i64> {
        self.takes.iter().rev().find(|(_, takes)| takes.contains_key(take)).map(|(frame, _)| *frame)
    }

    /// Whether a state of a family lies at a frame in the range, as far as is known; reads headers, latest first, while it
    /// is not.
    pub fn has_family(&mut self, family: u128, first: i64, last: i64) -> bool {
        let mut wanted = Vec::new();
        let mut unknown = Vec::new();
        for (frame, take, known) in self.range(first, last) {
            match known {
                Some(Known { holder: Holder::State(brief), .. }) if brief.family == family => {
                    if self.refused.is_empty() {
                        return true;
                    }
                    wanted.push(StateName::new(take, frame));
                }
                Some(Known { sure: true, .. }) => {}
                _ => unknown.push(StateName::new(take, frame)),
            }
        }
        wanted.iter().chain(&unknown).any(|name| {
            let path = self.path(name);
            matches!(self.remembered(name), Holder::State(brief) if brief.family == family) && !self.is_refused(&path)
        })
    }

    fn known(&mut self, name: &StateName) -> Option<&mut Option<Known>> {
        self.takes.get_mut(&name.frame)?.get_mut(&name.take)
    }

    /// Who held a name when it was last looked at. Good enough for what is only a hint: a state's file is replaced by the
    /// same state alone.
    pub fn remembered(&mut self, name: &StateName) -> Holder {
        match self.known(name) {
            Some(Some(Known { holder: holder @ Holder::State(_), .. })) => *holder,
            _ => self.holder(name),
        }
    }

    /// Who holds a name now. Reads the header of a file once, for as long as it stays as it is.
    pub fn holder(&mut self, name: &StateName) -> Holder {
        let path = self.path(name);
        let stamp = match fs::metadata(&path) {
            Ok(found) if found.is_file() => Stamp::from(&found),
            Err(error) if error.kind() == ErrorKind::NotFound && fs::symlink_metadata(&path).is_err() => {
                self.takes.get_mut(&name.frame).and_then(|takes| takes.remove(&name.take));
                return Holder::Free;
            }
            // A folder in the way, a link to nowhere.
            _ => return Holder::Stranger,
        };
        if let Some(Some(known)) = self.known(name)
            && known.stamp == stamp
        {
            known.sure = true;
            return known.holder;
        }
        self.effort.peeks += 1;
        let holder = match without_use(&path, || peek(&path)) {
            Ok(header) => Holder::State(Brief::from(&header)),
            Err(refusal) => {
                tracing::debug!("{refusal}");
                match refusal {
                    Refusal::Missing { .. } => return Holder::Free,
                    // Perhaps it can be read the next time.
                    Refusal::Unreadable { .. } => return Holder::Stranger,
                    Refusal::Damaged { .. } => Holder::Wreck,
                    Refusal::NotExr { .. } if stamp.bytes == 0 => Holder::Wreck,
                    Refusal::OtherFormat { .. } | Refusal::OtherVersion { .. } => Holder::OtherFormat,
                    _ => Holder::Stranger,
                }
            }
        };
        self.learn(name, stamp, holder);
        holder
    }

    fn learn(&mut self, name: &StateName, stamp: Stamp, holder: Holder) {
        let known = Known { stamp, holder, sure: true };
        self.takes.entry(name.frame).or_default().insert(name.take.clone(), Some(known));
    }

    /// Notes a file that this process has just written or linked.
    pub fn note(&mut self, name: &StateName, brief: Brief) {
        let path = self.path(name);
        self.refused.remove(&path);
        if let Some(stamp) = Stamp::of(&path) {
            self.learn(name, stamp, Holder::State(brief));
        }
    }

    /// Notes that a file is bad as it is. True the first time.
    pub fn refuse(&mut self, path: &Path) -> bool {
        let Some(stamp) = Stamp::of(path) else { return false };
        self.refused.insert(path.to_path_buf(), stamp.clone()) != Some(stamp)
    }

    /// Whether a file turned out bad and is as it was.
    pub fn is_refused(&mut self, path: &Path) -> bool {
        let Some(then) = self.refused.get(path) else { return false };
        let same = Stamp::of(path).is_some_and(|now| now == *then);
        if !same {
            self.refused.remove(path);
        }
        same
    }
}

/// The names of the state files in a folder, in no order. Empty for a folder that cannot be listed.
pub(crate) fn state_names(folder: &Path) -> Vec<StateName> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            tracing::debug!("{} cannot be listed: {error}", folder.display());
            return Vec::new();
        }
    };
    entries.flatten().filter_map(|entry| StateName::parse(entry.file_name().to_str()?)).collect()
}

/// When a file was last written or read.
pub(crate) fn last_use(found: &Metadata) -> Option<SystemTime> {
    found.modified().ok().max(found.accessed().ok())
}

/// Marks a file as used now: file systems do so seldom or never by themselves. What cannot be marked stays as it is.
pub(crate) fn mark_used(path: &Path) {
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
