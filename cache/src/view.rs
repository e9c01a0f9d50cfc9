//! What this process remembers of a folder. Nothing here asks the disk.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::Metadata;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::names::StateName;
use crate::{Header, Refusal};

/// Least time between two listings, and between two looks at a file that is known. A folder that takes long to list is
/// listed less often.
pub(crate) const RECENT: Duration = Duration::from_millis(250);

/// How much longer than a listing took the next has to wait.
const LISTING_SHARE: u32 = 10;

/// Tells a file from what it was before somebody replaced or changed it.
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
    State(Summary),
    /// What was a state of ours and is of no use to anyone.
    Damaged,
    /// A state of ours in another file format.
    OtherFormat,
    /// A file of somebody else, or something that cannot be read now.
    Foreign,
}

/// What asking has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// How often the folder was listed.
    pub listings: u64,
    /// How many headers were read.
    pub peeks: u64,
    /// How often the system was asked whether a file is as it was.
    pub looks: u64,
}

/// What is known of a file.
struct Known {
    stamp: Stamp,
    holder: Holder,
    /// Why it is of no use, where it is not.
    why: Option<Refusal>,
    /// Whether that still held after the last listing. What is not a state may have become one since.
    sure: bool,
    /// When it was last looked at.
    looked: Option<Duration>,
    /// Listings that had begun by then.
    begun: u64,
    /// When it was last marked as used.
    marked: Option<Duration>,
}

/// Where a take has split from another.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    /// The other.
    pub from: String,
    /// The last frame that they share.
    pub before: i64,
    /// Whether the frames up to that were linked, as far as they can be.
    pub linked: bool,
}

/// A file's name and who holds it, if that is known.
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

/// What is known of the states that are asked for.
pub(crate) enum Hint {
    /// One is there, by a look that is recent.
    Found(StateName),
    /// These may be, and have to be looked at.
    Candidates(Vec<StateName>),
}

pub(crate) struct View {
    folder: PathBuf,
    /// The takes of each frame, with what is known of their files.
    takes: BTreeMap<i64, BTreeMap<String, Option<Known>>>,
    /// Files that turned out bad on reading, as they were then.
    refused: HashMap<PathBuf, Stamp>,
    /// Bad files that were met, and those of them that nobody was told of yet. A file with several names is met once, where
    /// the system tells files from names.
    met: HashSet<(Option<PathBuf>, Stamp)>,
    unreported: Vec<Refusal>,
    /// Takes that have split while this process looked.
    splits: HashMap<String, Split>,
    listed: Option<Duration>,
    wait: Duration,
    /// Listings that have begun, and how many had when the last one was declared outdated.
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

    /// The next question lists the folder again.
    pub fn outdate(&mut self) {
        self.listed = None;
        self.outdated = self.begun;
    }

    /// Whatever is known may be gone.
    pub fn invalidate(&mut self) {
        self.outdate();
        for known in self.takes.values_mut().flat_map(BTreeMap::values_mut).flatten() {
            known.looked = None;
        }
    }

    /// Whether the folder has to be listed again.
    pub fn is_due(&self, now: Duration) -> bool {
        self.listed.is_none_or(|listed| now.saturating_sub(listed) >= self.wait)
    }

    /// Notes that a listing begins, and gives its number.
    pub fn begin_listing(&mut self) -> u64 {
        self.effort.listings += 1;
        self.begun += 1;
        self.begun
    }

    /// Takes in a listing.
    pub fn end_listing(&mut self, number: u64, names: Vec<StateName>, now: Duration, took: Duration) {
        let mut before = std::mem::take(&mut self.takes);
        for name in names {
            let mut known = before.get_mut(&name.frame).and_then(|takes| takes.remove(&name.take)).flatten();
            if let Some(known) = &mut known {
                known.sure = matches!(known.holder, Holder::State(_));
            }
            self.takes.entry(name.frame).or_default().insert(name.take, known);
        }
        // What was seen since the listing began may have been too new for it.
        for (frame, takes) in before {
            let new = takes.into_iter().filter(|(_, known)| known.as_ref().is_some_and(|known| known.begun >= number));
            new.for_each(|(take, known)| drop(self.takes.entry(frame).or_default().insert(take, known)));
        }
        self.listed = (number > self.outdated).then_some(now);
        self.wait = RECENT.max(took * LISTING_SHARE);
    }

    /// The names of a frame, in the order of their takes.
    pub fn of_frame(&self, frame: i64) -> Vec<StateName> {
        self.between(frame, frame)
    }

    /// The names of a range of frames, the latest first.
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

    /// The number of frames of a take after one, if it is less than `most`, else that.
    pub fn count_after(&self, take: &str, frame: i64, most: usize) -> usize {
        let after = self.takes.range((Bound::Excluded(frame), Bound::Unbounded));
        after.filter(|(_, takes)| takes.contains_key(take)).take(most).count()
    }

    /// Notes where a take has split from another.
    pub fn split(&mut self, take: &str, split: Split) {
        self.splits.insert(take.to_owned(), split);
    }

    pub fn split_of(&self, take: &str) -> Option<&Split> {
        self.splits.get(take)
    }

    /// Whether a state of a family lies at a frame in the range, as far as is known: first those that are to be looked at
    /// since they were bad, then those of which nothing is known, latest first. Bad files are met.
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

    /// What is known of exactly this state.
    pub fn of_key(&self, frame: i64, key: u128, now: Duration) -> Hint {
        let mut wanted = Vec::new();
        for entry in self.range(frame, frame).filter(|entry| entry.state().is_some_and(|summary| summary.key == key)) {
            let name = entry.name();
            if !self.refused.contains_key(&self.path(&name)) {
                if entry.known.is_some_and(|known| is_recent(known.looked, now)) {
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

    /// The state that held a name when it was last looked at.
    pub fn state(&self, name: &StateName) -> Option<Summary> {
        self.known(name).and_then(|known| match known.holder {
            Holder::State(summary) => Some(summary),
            _ => None,
        })
    }

    /// Who holds a name, by a look that is recent.
    pub fn recent(&self, name: &StateName, now: Duration) -> Option<Holder> {
        self.known(name).filter(|known| known.sure && is_recent(known.looked, now)).map(|known| known.holder)
    }

    /// Who holds a name whose file looks like this, if it does as it did before, and why it is of no use.
    pub fn settled(&mut self, name: &StateName, stamp: &Stamp, now: Duration) -> Option<(Holder, Option<Refusal>)> {
        let begun = self.begun;
        let known = self.known_mut(name).filter(|known| known.stamp == *stamp)?;
        (known.sure, known.looked, known.begun) = (true, Some(now), begun);
        Some((known.holder, known.why.clone()))
    }

    /// Whether a file is to be marked as used, which is noted.
    pub fn marks(&mut self, name: &StateName, every: Duration, now: Duration) -> bool {
        let Some(known) = self.known_mut(name) else { return false };
        let due = known.marked.is_none_or(|marked| now.saturating_sub(marked) >= every);
        if due {
            known.marked = Some(now);
        }
        due
    }

    pub fn learn(&mut self, name: &StateName, stamp: Stamp, holder: Holder, why: Option<Refusal>, now: Duration) {
        let known = Known { stamp, holder, why, sure: true, looked: Some(now), begun: self.begun, marked: None };
        self.takes.entry(name.frame).or_default().insert(name.take.clone(), Some(known));
    }

    /// Notes that nobody holds a name.
    pub fn forget(&mut self, name: &StateName) {
        if let Some(takes) = self.takes.get_mut(&name.frame) {
            takes.remove(&name.take);
        }
    }

    /// Notes that somebody who looked for a state has met a bad file.
    pub fn report(&mut self, why: Refusal, stamp: Stamp) {
        // Gone, which is no fault.
        if !matches!(why, Refusal::Missing { .. }) && self.is_new(why.path(), &stamp) {
            self.unreported.push(why);
        }
    }

    /// Whether nobody was told of a bad file as it is; somebody is now.
    fn is_new(&mut self, path: &Path, stamp: &Stamp) -> bool {
        let path = stamp.file.is_none().then(|| path.to_path_buf());
        self.met.insert((path, stamp.clone()))
    }

    pub fn take_refusals(&mut self) -> Vec<Refusal> {
        std::mem::take(&mut self.unreported)
    }

    /// Notes that a file is bad as it is, by somebody who tells of it. True the first time.
    pub fn refuse(&mut self, path: &Path, stamp: Stamp) -> bool {
        self.is_new(path, &stamp);
        self.refused.insert(path.to_path_buf(), stamp.clone()) != Some(stamp)
    }

    /// How a bad file was when it turned out so.
    pub fn refused(&self, path: &Path) -> Option<&Stamp> {
        self.refused.get(path)
    }

    /// Notes that a file is another than the bad one.
    pub fn accept(&mut self, path: &Path) {
        self.refused.remove(path);
    }
}

fn is_recent(looked: Option<Duration>, now: Duration) -> bool {
    looked.is_some_and(|looked| now.saturating_sub(looked) < RECENT)
}
