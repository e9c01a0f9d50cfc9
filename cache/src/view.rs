//! The cached contents of a folder. This module does not access the disk.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::Metadata;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::names::StateName;
use crate::{Header, Refusal};

/// Minimum time between two listings, and between two checks of a known file. A folder that takes long to list is
/// listed less often.
pub(crate) const RECENT: Duration = Duration::from_millis(250);

/// Minimum time between two listings, in durations of the previous listing.
const LISTING_SHARE: u32 = 10;

/// Metadata that change when a file is replaced or modified.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stamp {
    pub bytes: u64,
    modified: Option<SystemTime>,
    file: Option<(u64, u64)>,
}

impl From<&Metadata> for Stamp {
    fn from(found: &Metadata) -> Self {
        Self { bytes: found.len(), modified: found.modified().ok(), file: file_number(found) }
    }
}

/// Device and inode number of a file, equal for all its names; `None` if the system does not provide them.
#[cfg(unix)]
pub(crate) fn file_number(found: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((found.dev(), found.ino()))
}

/// Device and inode number of a file, equal for all its names; `None` if the system does not provide them.
#[cfg(not(unix))]
pub(crate) fn file_number(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// The fields of a header that are cached for every file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    pub key: u128,
    pub family: u128,
    /// Frame of the chain's first state.
    pub start: i64,
}

impl From<&Header> for Summary {
    fn from(header: &Header) -> Self {
        Self { key: header.key, family: header.family, start: start(header) }
    }
}

/// Frame of the first state of the chain.
pub(crate) fn start(header: &Header) -> i64 {
    header.frame.saturating_sub(i64::try_from(header.index).unwrap_or(i64::MAX))
}

/// The kind of file that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// No file has the name.
    Free,
    /// A valid state.
    State(Summary),
    /// A damaged state.
    Damaged,
    /// A state in another version of the format or of the model.
    OtherFormat,
    /// A file of another program, or one that cannot be read now.
    Foreign,
}

/// Numbers of disk accesses of a folder's queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Listings of the folder.
    pub listings: u64,
    /// Headers that were read.
    pub peeks: u64,
    /// Checks whether a file has changed.
    pub looks: u64,
}

/// The cached facts of a file.
struct Known {
    stamp: Stamp,
    holder: Holder,
    /// The reason why the file is not used, if it is not.
    why: Option<Refusal>,
    /// Reset by a listing for a file that is not a state, since it may have become one.
    sure: bool,
    /// Time of the last check.
    checked: Option<Duration>,
    /// Number of listings that had begun at the last check.
    begun: u64,
    /// Time of the last update of the access time.
    marked: Option<Duration>,
}

/// The split of a take from another.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    /// Name of the other take.
    pub from: String,
    /// The last frame that the takes share.
    pub before: i64,
    /// Whether the frames up to `before` have been linked, as far as possible.
    pub linked: bool,
}

/// A file's name with its cached facts.
struct Entry<'a> {
    frame: i64,
    take: &'a str,
    known: Option<&'a Known>,
}

impl Entry<'_> {
    fn name(&self) -> StateName {
        StateName::new(self.take, self.frame)
    }

    fn state(&self) -> Option<&Summary> {
        match self.known {
            Some(Known { holder: Holder::State(summary), .. }) => Some(summary),
            _ => None,
        }
    }
}

/// The cached answer to a query of states.
pub(crate) enum Hint {
    /// A matching state exists, by a recent check.
    Found(StateName),
    /// Files that may hold a matching state and must be checked.
    Candidates(Vec<StateName>),
}

pub(crate) struct View {
    folder: PathBuf,
    /// The takes of each frame, with the cached facts of their files.
    takes: BTreeMap<i64, BTreeMap<String, Option<Known>>>,
    /// Files that were found damaged on reading, with their metadata at that time.
    refused: HashMap<PathBuf, Stamp>,
    /// Damaged files that queries have met, for each to be reported once; and the refusals that have not been reported
    /// yet. The path is part of the identity only where the system provides no file numbers.
    met: HashSet<(Option<PathBuf>, Stamp)>,
    unreported: Vec<Refusal>,
    /// Splits of takes that this process knows.
    splits: HashMap<String, Split>,
    listed: Option<Duration>,
    wait: Duration,
    /// Number of listings that have begun, and its value when `outdate` was last called.
    begun: u64,
    outdated: u64,
    pub effort: Effort,
}

impl View {
    pub fn new(folder: PathBuf) -> Self {
        let (takes, refused, met, unreported, splits, effort) = Default::default();
        Self {
            folder,
            takes,
            refused,
            met,
            unreported,
            splits,
            listed: None,
            wait: RECENT,
            begun: 0,
            outdated: 0,
            effort,
        }
    }

    pub fn path(&self, name: &StateName) -> PathBuf {
        self.folder.join(name.file())
    }

    /// Makes the next query list the folder again.
    pub fn outdate(&mut self) {
        self.listed = None;
        self.outdated = self.begun;
    }

    /// Makes the next queries list the folder and check every file again.
    pub fn invalidate(&mut self) {
        self.outdate();
        for known in self.takes.values_mut().flat_map(BTreeMap::values_mut).flatten() {
            known.checked = None;
        }
    }

    /// Whether the folder must be listed again.
    pub fn is_due(&self, now: Duration) -> bool {
        self.listed.is_none_or(|listed| now.saturating_sub(listed) >= self.wait)
    }

    /// Records the begin of a listing and returns its number.
    pub fn begin_listing(&mut self) -> u64 {
        self.effort.listings += 1;
        self.begun += 1;
        self.begun
    }

    /// Merges the result of a listing.
    pub fn end_listing(&mut self, number: u64, names: Vec<StateName>, now: Duration, took: Duration) {
        let mut before = std::mem::take(&mut self.takes);
        for name in names {
            let mut known = before.get_mut(&name.frame).and_then(|takes| takes.remove(&name.take)).flatten();
            if let Some(known) = &mut known {
                known.sure = matches!(known.holder, Holder::State(_));
            }
            self.takes.entry(name.frame).or_default().insert(name.take, known);
        }
        // Files that were checked after the begin of the listing may be too new for it.
        for (frame, takes) in before {
            let new = takes.into_iter().filter(|(_, known)| known.as_ref().is_some_and(|known| known.begun >= number));
            new.for_each(|(take, known)| drop(self.takes.entry(frame).or_default().insert(take, known)));
        }
        self.listed = (number > self.outdated).then_some(now);
        self.wait = RECENT.max(took * LISTING_SHARE);
    }

    /// The names of a frame, sorted by take.
    pub fn of_frame(&self, frame: i64) -> Vec<StateName> {
        self.between(frame, frame)
    }

    /// The names of a range of frames, the latest frame first.
    pub fn between(&self, first: i64, last: i64) -> Vec<StateName> {
        self.range(first, last).map(|entry| entry.name()).collect()
    }

    fn range(&self, first: i64, last: i64) -> impl Iterator<Item = Entry<'_>> {
        let frames = (first <= last).then(|| self.takes.range(first..=last).rev());
        frames.into_iter().flatten().flat_map(|(&frame, takes)| {
            takes.iter().map(move |(take, known)| Entry { frame, take, known: known.as_ref() })
        })
    }

    /// The last frame of a take.
    pub fn last_of(&self, take: &str) -> Option<i64> {
        self.takes.iter().rev().find(|(_, takes)| takes.contains_key(take)).map(|(frame, _)| *frame)
    }

    /// The first frame of a take.
    pub fn first_of(&self, take: &str) -> Option<i64> {
        self.takes.iter().find(|(_, takes)| takes.contains_key(take)).map(|(frame, _)| *frame)
    }

    /// The number of a take's frames after `frame`, at most `most`.
    pub fn count_after(&self, take: &str, frame: i64, most: usize) -> usize {
        let after = self.takes.range((Bound::Excluded(frame), Bound::Unbounded));
        after.filter(|(_, takes)| takes.contains_key(take)).take(most).count()
    }

    /// Records a split.
    pub fn split(&mut self, take: &str, split: Split) {
        self.splits.insert(take.to_owned(), split);
    }

    pub fn split_of(&self, take: &str) -> Option<&Split> {
        self.splits.get(take)
    }

    /// Whether a state of a family exists at a frame of the range. Candidates are first the states of the family, if
    /// any file has been refused, then the unknown files, each latest first. Records the damaged files of the range for
    /// `take_refusals`.
    pub fn of_family(&mut self, family: u128, first: i64, last: i64) -> Hint {
        let (mut wanted, mut unknown, mut bad) = (Vec::new(), Vec::new(), Vec::new());
        for entry in self.range(first, last) {
            match (entry.state(), entry.known) {
                (Some(summary), _) if summary.family == family => {
                    if self.refused.is_empty() {
                        return Hint::Found(entry.name());
                    }
                    wanted.push(entry.name());
                }
                (_, Some(Known { sure: true, why, stamp, .. })) => {
                    bad.extend(why.clone().map(|why| (why, stamp.clone())));
                }
                _ => unknown.push(entry.name()),
            }
        }
        bad.into_iter().for_each(|(why, stamp)| self.report(why, stamp));
        wanted.append(&mut unknown);
        Hint::Candidates(wanted)
    }

    /// The cached answer for exactly this state.
    pub fn of_key(&self, frame: i64, key: u128, now: Duration) -> Hint {
        let mut wanted = Vec::new();
        for entry in self.range(frame, frame).filter(|entry| entry.state().is_some_and(|summary| summary.key == key)) {
            let name = entry.name();
            if !self.refused.contains_key(&self.path(&name)) {
                if entry.known.is_some_and(|known| is_recent(known.checked, now)) {
                    return Hint::Found(name);
                }
                wanted.push(name);
            }
        }
        Hint::Candidates(wanted)
    }

    fn known(&self, name: &StateName) -> Option<&Known> {
        self.takes.get(&name.frame)?.get(&name.take)?.as_ref()
    }

    fn known_mut(&mut self, name: &StateName) -> Option<&mut Known> {
        self.takes.get_mut(&name.frame)?.get_mut(&name.take)?.as_mut()
    }

    /// The state that a name had at the last check.
    pub fn state(&self, name: &StateName) -> Option<Summary> {
        self.known(name).and_then(|known| match known.holder {
            Holder::State(summary) => Some(summary),
            _ => None,
        })
    }

    /// The holder of a name, if it was checked recently.
    pub fn recent(&self, name: &StateName, now: Duration) -> Option<Holder> {
        self.known(name).filter(|known| known.sure && is_recent(known.checked, now)).map(|known| known.holder)
    }

    /// The cached holder of a name and the reason of a refusal, if the metadata of the file have not changed. Records
    /// the check.
    pub fn settled(&mut self, name: &StateName, stamp: &Stamp, now: Duration) -> Option<(Holder, Option<Refusal>)> {
        let begun = self.begun;
        let known = self.known_mut(name).filter(|known| known.stamp == *stamp)?;
        (known.sure, known.checked, known.begun) = (true, Some(now), begun);
        Some((known.holder, known.why.clone()))
    }

    /// Whether the access time of a file is due for an update, which is recorded as done.
    pub fn marks(&mut self, name: &StateName, every: Duration, now: Duration) -> bool {
        let Some(known) = self.known_mut(name) else { return false };
        let due = known.marked.is_none_or(|marked| now.saturating_sub(marked) >= every);
        if due {
            known.marked = Some(now);
        }
        due
    }

    pub fn learn(&mut self, name: &StateName, stamp: Stamp, holder: Holder, why: Option<Refusal>, now: Duration) {
        let known = Known { stamp, holder, why, sure: true, checked: Some(now), begun: self.begun, marked: None };
        self.takes.entry(name.frame).or_default().insert(name.take.clone(), Some(known));
    }

    /// Records that no file has the name.
    pub fn forget(&mut self, name: &StateName) {
        if let Some(takes) = self.takes.get_mut(&name.frame) {
            takes.remove(&name.take);
        }
    }

    /// Records a damaged file that a query has met, for `take_refusals`.
    pub fn report(&mut self, why: Refusal, stamp: Stamp) {
        // A file that is gone is not an error.
        if !matches!(why, Refusal::Missing { .. }) && self.is_new(why.path(), &stamp) {
            self.unreported.push(why);
        }
    }

    /// Whether a damaged file has not been reported in its present version; records it as reported.
    fn is_new(&mut self, path: &Path, stamp: &Stamp) -> bool {
        let path = stamp.file.is_none().then(|| path.to_path_buf());
        self.met.insert((path, stamp.clone()))
    }

    pub fn take_refusals(&mut self) -> Vec<Refusal> {
        std::mem::take(&mut self.unreported)
    }

    /// Records a file as damaged; the caller reports it. Returns true the first time.
    pub fn refuse(&mut self, path: &Path, stamp: Stamp) -> bool {
        self.is_new(path, &stamp);
        self.refused.insert(path.to_path_buf(), stamp.clone()) != Some(stamp)
    }

    /// Metadata of a damaged file at the time of its refusal.
    pub fn refused(&self, path: &Path) -> Option<&Stamp> {
        self.refused.get(path)
    }

    /// Removes a file from the damaged ones.
    pub fn accept(&mut self, path: &Path) {
        self.refused.remove(path);
    }
}

fn is_recent(checked: Option<Duration>, now: Duration) -> bool {
    checked.is_some_and(|checked| now.saturating_sub(checked) < RECENT)
}
