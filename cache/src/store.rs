//! Writing of a state: the choice of its file name, and the atomic publication of the file.
//!
//! # Takes
//!
//! A folder holds *takes*: sequences of files with the same first number in their names, so that a Read node shows each
//! as one sequence. The first stored frame of a chain begins the take named after its family. Each later frame is
//! stored in the take of the frame before it. If another state already has that name, because an edit produced another
//! version of the frame, the take splits: the frame begins a take named after its own key. Names depend on keys alone,
//! so processes that split at the same frame agree on the name. Once the new take has several frames, the earlier
//! frames are linked into it, if the file system supports links, so that both takes are complete. Short takes, of which
//! a moved slider leaves many, are not completed.
//!
//! A file is replaced only by the same state, or if it is damaged.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tempfile::NamedTempFile;

use crate::Header;
use crate::claims::{Claimed, Claims};
use crate::in_progress::InProgress;
use crate::index;
use crate::names::{StateName, take_of};
use crate::scan::Scan;
use crate::view::{self, Holder, Split, Summary};
use crate::{directory, temporary};

/// Bytes of the write buffer.
const BUFFER: usize = 1 << 20;

/// Limit of the wait for earlier states that are being written.
const PATIENCE: Duration = Duration::from_secs(10);

/// Number of a new take's own frames from which on the earlier frames are linked into it.
const FRAMES_BEFORE_LINKS: usize = 8;

/// Number of attempts to publish a state whose name is taken by other processes.
const ATTEMPTS: usize = 100;

/// The reason why a state was not written. No file of it remains.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The cache folder {} cannot be written to: {why}. {}", .folder.display(), advice(*.kind))]
pub struct StoreError {
    /// The folder.
    pub folder: PathBuf,
    /// Kind of the system's error.
    pub kind: ErrorKind,
    /// Message of the system.
    pub why: String,
}

impl StoreError {
    pub(crate) fn new(folder: &Path, error: &io::Error) -> Self {
        Self { folder: folder.into(), kind: error.kind(), why: error.to_string() }
    }

    /// Another process repeatedly removes the files of this folder during writing.
    pub(crate) fn cleared(folder: &Path) -> Self {
        let why = "another process removed the file while it was being written".into();
        Self { folder: folder.into(), kind: ErrorKind::Interrupted, why }
    }
}

/// The remedy in the message of a [`StoreError`].
fn advice(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "Free space on that disk, or lower the limit of the cache."
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "Ask for permission to write there, choose another folder, or only read from the cache."
        }
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
            "A file has the name of the folder; choose another folder."
        }
        ErrorKind::Interrupted => "Render the frame again afterwards.",
        ErrorKind::NotFound => "Check that its disk is connected, or choose another folder.",
        _ => "Check the disk, or choose another folder.",
    }
}

/// The chosen file name of a state.
struct Destination {
    name: StateName,
    /// Whether an existing file is replaced: it holds the same state, or is damaged.
    replace: bool,
    /// The split, if the state begins a new take.
    split: Option<Split>,
}

/// A state in a temporary file before it has its name.
pub(crate) struct Writing<'a> {
    folder: &'a Path,
    claims: &'a Claims,
    header: &'a Header,
    file: Option<NamedTempFile>,
}

impl<'a> Writing<'a> {
    /// Writes and syncs a temporary file.
    pub fn begin(
        folder: &'a Path,
        claims: &'a Claims,
        header: &'a Header,
        write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
    ) -> io::Result<Self> {
        directory::make(folder)?;
        let file = temporary::create(folder, &StateName::new(take_of(header.key, 8), header.frame))?;
        let mut writer = BufWriter::with_capacity(BUFFER, file.as_file());
        write(&mut writer)?;
        writer.flush()?;
        drop(writer);
        file.as_file().sync_all()?;
        Ok(Self { folder, claims, header, file: Some(file) })
    }

    /// Chooses the name of the state and renames the file. Returns the new path.
    pub fn publish(mut self, scan: &Scan, in_progress: &InProgress, earlier: &[u128]) -> io::Result<PathBuf> {
        let summary = Summary::from(self.header);
        scan.refresh(&mut || true);
        let until = Instant::now() + PATIENCE;
        for _ in 0..ATTEMPTS {
            let mut before = nearest(scan, self.header, earlier);
            while in_progress.wait(&earlier[..before.as_ref().map_or(earlier.len(), |before| before.rank)], until) {
                before = nearest(scan, self.header, earlier);
            }
            let destination = choose(scan, self.header, before)?;
            let path = self.folder.join(destination.name.file());
            if !self.give(&destination, &path, scan)? {
                continue;
            }
            scan.note(&destination.name, summary);
            if let Some(split) = destination.split {
                scan.view().split(&destination.name.take, split);
            }
            self.complete(scan, &destination.name.take, earlier);
            self.repair(scan, &path);
            temporary::sync_folder(self.folder);
            index::append(self.folder, &destination.name, bytes_of(&path), self.header);
            return Ok(path);
        }
        Err(io::Error::other("other processes repeatedly took the names of its files"))
    }

    /// Returns true if the file has its name now; false if the folder has changed and the name must be chosen again.
    fn give(&mut self, destination: &Destination, path: &Path, scan: &Scan) -> io::Result<bool> {
        if destination.replace {
            let (name, key) = (&destination.name, self.header.key);
            return self.replace_in_turn(path, || match scan.holder(name) {
                Holder::State(summary) => summary.key == key,
                holder => holder == Holder::Damaged,
            });
        }
        match temporary::name_new(&mut self.file, path) {
            // The file system can neither link nor rename without replacing. Systems report that with different errors.
            Err(error) if error.kind() != ErrorKind::NotFound => {
                self.replace_in_turn(path, || fs::symlink_metadata(path).is_err()).map_err(|_| error)
            }
            given => given,
        }
    }

    /// Renames the file, replacing any existing one, if `allowed` returns true. Threads and processes that replace the
    /// same file are serialised, so the condition stays true until the rename.
    fn replace_in_turn(&mut self, path: &Path, allowed: impl FnOnce() -> bool) -> io::Result<bool> {
        // The lock serialises threads, since threads of one process share a claim.
        static TURN: Mutex<()> = Mutex::new(());
        let _threads = TURN.lock();
        let key = xxhash_rust::xxh3::xxh3_128(path.file_name().unwrap_or_default().as_encoded_bytes());
        let _processes = loop {
            match self.claims.claim(key)? {
                Claimed::Mine(turn) => break turn,
                Claimed::Theirs => thread::sleep(Duration::from_millis(5)),
            }
        };
        if !allowed() {
            return Ok(false);
        }
        let Some(file) = self.file.take() else { return Ok(false) };
        match file.persist(path) {
            Ok(_) => Ok(true),
            Err(failure) => {
                self.file = Some(failure.file);
                Err(failure.error)
            }
        }
    }

    /// Links the frames before a split into a take once the take is long enough. The links only serve to view the
    /// sequence, so failures are ignored.
    fn complete(&self, scan: &Scan, take: &str, earlier: &[u128]) {
        if *take == take_of(self.header.family, 8) {
            return;
        }
        let split = scan.view().split_of(take).cloned();
        let Some(split) = split.or_else(|| self.split_by_others(scan, take, earlier)) else { return };
        let own = scan.view().count_after(take, split.before, FRAMES_BEFORE_LINKS);
        if split.linked || own < FRAMES_BEFORE_LINKS {
            return;
        }
        scan.view().split(take, Split { linked: true, ..split.clone() });
        // The other take may itself be a split whose earlier frames are not linked.
        let mut seen = vec![take.to_owned()];
        let mut next = Some(split);
        while let Some(Split { from, before, .. }) = next.take() {
            if !self.link(scan, &from, before, take) || seen.contains(&from) {
                return;
            }
            let further = scan.view().split_of(&from).cloned();
            next = further.map(|further| Split { before: further.before.min(before), ..further });
            seen.push(from);
        }
    }

    /// The split of a take that another process has begun: at the last state before its first frame, if that state
    /// belongs to this chain.
    fn split_by_others(&self, scan: &Scan, take: &str, earlier: &[u128]) -> Option<Split> {
        let first = scan.view().first_of(take)?;
        let names = scan.view().between(view::start(self.header), first.checked_sub(1)?);
        let before = names.first()?.frame;
        let mut nearest = names.into_iter().take_while(|name| name.frame == before);
        let from = nearest
            .find(|name| matches!(scan.remembered(name), Holder::State(summary) if earlier.contains(&summary.key)))?;
        let split = Split { from: from.take, before, linked: false };
        scan.view().split(take, split.clone());
        Some(split)
    }

    /// Links the frames of this chain in take `from`, up to frame `last`, into take `to`. Returns false if the folder
    /// does not support links.
    fn link(&self, scan: &Scan, from: &str, last: i64, to: &str) -> bool {
        let start = view::start(self.header);
        let mut names = scan.view().between(start, last);
        names.retain(|name| name.take == from);
        for name in names {
            let Holder::State(summary) = scan.remembered(&name) else { continue };
            if summary.family != self.header.family || summary.start != start {
                continue;
            }
            let new = StateName::new(to, name.frame);
            let (old_path, new_path) = (scan.path(&name), scan.path(&new));
            match fs::hard_link(&old_path, &new_path) {
                Ok(()) => scan.note(&new, summary),
                // The file was removed meanwhile, or another process has created the link.
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) => {}
                Err(error) => {
                    tracing::debug!("{} cannot be linked: {error}", old_path.display());
                    return false;
                }
            }
        }
        true
    }

    /// Replaces damaged files of the same state in other takes by links.
    fn repair(&self, scan: &Scan, good: &Path) {
        let names = scan.view().of_frame(self.header.frame);
        for name in names {
            let path = scan.path(&name);
            let same = scan.is_refused(&path)
                && matches!(scan.remembered(&name), Holder::State(summary) if summary.key == self.header.key);
            if same
                && let Ok(link) = temporary::link(self.folder, good, &name)
                && link.persist(&path).is_ok()
            {
                scan.note(&name, Summary::from(self.header));
            }
        }
    }
}

fn bytes_of(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

/// The nearest earlier state in the folder.
struct Before {
    /// Index in the list of earlier keys.
    rank: usize,
    frame: i64,
    takes: Vec<String>,
}

/// Finds the nearest earlier state of a chain in the folder, and the takes that contain it.
fn nearest(scan: &Scan, header: &Header, earlier: &[u128]) -> Option<Before> {
    let start = view::start(header);
    let last = header.frame.checked_sub(1).filter(|_| !earlier.is_empty())?;
    let names = scan.view().between(start, last);
    // If the nearest state is already cached, no header is read.
    let is_first = |name: &&StateName| scan.view().state(name).is_some_and(|summary| summary.key == earlier[0]);
    let known = names.iter().find(is_first).map(|name| (0, name.frame));
    let (rank, frame) = known.or_else(|| {
        names.iter().find_map(|name| match scan.remembered(name) {
            Holder::State(summary) => Some((earlier.iter().position(|key| *key == summary.key)?, name.frame)),
            _ => None,
        })
    })?;
    let same = |name: &&StateName| {
        name.frame == frame && matches!(scan.remembered(name), Holder::State(summary) if summary.key == earlier[rank])
    };
    Some(Before { rank, frame, takes: names.iter().filter(same).map(|name| name.take.clone()).collect() })
}

/// Chooses the file name of a state for the current contents of the folder.
fn choose(scan: &Scan, header: &Header, before: Option<Before>) -> io::Result<Destination> {
    let (frame, key) = (header.frame, header.key);
    let names = scan.view().of_frame(frame);
    for name in names {
        if matches!(scan.holder(&name), Holder::State(summary) if summary.key == key) {
            return Ok(Destination { name, replace: true, split: None });
        }
    }
    let family = take_of(header.family, 8);
    let (mut takes, last) = before.map_or_else(Default::default, |before| (before.takes, before.frame));
    // The order is the same for every process: takes that end before this frame first, then the take of the family.
    takes.sort_by_cached_key(|take| {
        (scan.view().last_of(take).is_some_and(|last| last > frame), *take != family, take.clone())
    });
    let split = takes.first().map(|from| Split { from: from.clone(), before: last, linked: false });
    if takes.is_empty() {
        takes.push(family);
    }
    let own_takes = [8, 16, 32].map(|digits| (take_of(key, digits), split.clone()));
    for (take, split) in takes.into_iter().map(|take| (take, None)).chain(own_takes) {
        let name = StateName::new(take, frame);
        let replace = match scan.holder(&name) {
            Holder::Free => false,
            Holder::Damaged => true,
            Holder::State(summary) if summary.key == key => true,
            Holder::State(_) | Holder::OtherFormat | Holder::Foreign => continue,
        };
        return Ok(Destination { name, replace, split });
    }
    Err(io::Error::new(ErrorKind::AlreadyExists, format!("other files have all names of frame {frame}")))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::Clock;

    #[test]
    fn without_atomic_naming_writers_are_serialised() {
        let temp = tempfile::tempdir().expect("folder");
        let header = Header {
            key: 1,
            family: 1,
            model: "test".into(),
            version: 1,
            frame: 1,
            shape: vec![1, 1],
            origin: vec![0.0; 2],
            cells_per_pixel: 1.0,
            ..Header::default()
        };
        let path = temp.path().join("flow.00000000.0001.exr");
        let given = AtomicUsize::new(0);
        thread::scope(|scope| {
            for writer in 0..8_u8 {
                let (header, path, given, folder) = (&header, &path, &given, temp.path());
                scope.spawn(move || {
                    let claims = Claims::new(folder, Clock::system());
                    let written = Writing::begin(folder, &claims, header, |out| out.write_all(&[writer; 9]));
                    if written.expect("written").replace_in_turn(path, || !path.exists()).expect("a turn") {
                        given.fetch_add(1, Ordering::Relaxed);
                        let content = fs::read(path).expect("there");
                        assert_eq!(content, [writer; 9]);
                    }
                });
            }
        });
        assert_eq!(given.into_inner(), 1, "the first writer keeps the name");
        assert!(temporary::all(temp.path()).is_empty());
    }
}
