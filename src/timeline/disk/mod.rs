//! The disk cache: an archive in a folder of files.
//!
//! | file | contents |
//! |---|---|
//! | this file | [`Disks`]: the cache folders of the process; [`Disk`]: the view of one render |
//! | `writer` | the threads that write states in the background |
//! | `notices` | messages about a folder, each reported once |
//! | `uses` | the states that each node has read and written |
//!
//! The crate `flow_cache` defines the contents of files, their names, claims and removal.

mod notices;
mod uses;
mod writer;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use flow_cache::{Blob, BlobRows, Expected, Folder, Header, Layer, Pool, Refusal, Serial};
use parking_lot::Mutex;

use super::archive::{Address, Archive, ArchiveClaim, Claimed};
use super::key::ChainKey;
use super::store::{CachedValue, Place};
use crate::compute::cpu::Cpu;
use crate::sim::request;
use notices::Notices;
use uses::AllUses;
pub use uses::Uses;
use writer::Writer;

/// A state that can be stored in a file.
pub trait Stored: CachedValue {
    /// Position, scale and numbers for the file's header. The archive fills the other fields.
    fn header(&self) -> Header;
    /// Calls `to` with the exact blobs, and the layers for display, if any. May block until a download is complete.
    fn show(&self, to: &mut dyn FnMut(&[BlobRows<'_>], &[Layer<'_>]));
}

/// The state that a render expects in a file, and its conversion.
pub struct Restore<'a, S> {
    /// Name and version of the model, as in the header.
    pub model: (String, u32),
    /// Cells along each axis, the innermost axis first: one to four.
    pub shape: Vec<usize>,
    /// Converts the contents of a file to a state.
    pub make: Make<'a, S>,
}

/// Converts the contents of a file to a state; the error is the reason why it cannot.
pub type Make<'a, S> = Box<dyn Fn(&Header, Vec<Blob>) -> Result<S, String> + Send + Sync + 'a>;

/// The settings of a folder's use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Whether states are written.
    pub write: bool,
    /// Interval of written frames, at least 1.
    pub every: u64,
    /// Limit of the folder's states in bytes; 0 for no limit.
    pub limit: u64,
    /// Whether rendering waits for a full queue. Otherwise frames are skipped.
    pub wait: bool,
    /// Limit of the states in the write queue, in bytes.
    pub queue_limit: u64,
}

/// The cache folders of the process, and the threads that write. A folder is accessed at its first use.
#[derive(Default)]
pub struct Disks {
    folders: Mutex<HashMap<PathBuf, Arc<SharedFolder>>>,
    uses: AllUses,
    unusable: Mutex<Unusable>,
    writer: Writer,
}

/// Cache folders that could not be used at the last attempt.
#[derive(Default)]
struct Unusable {
    reported: HashMap<String, String>,
    unreported: Vec<String>,
}

/// A folder that is shared by all nodes that use it.
struct SharedFolder {
    folder: Folder,
    notices: Notices,
    /// Keys of the states in the write queue.
    pending: Mutex<HashSet<ChainKey>>,
    growth: Mutex<Growth>,
    /// Family and time of the last search for frames of another device class.
    searched: Mutex<Option<(ChainKey, Instant)>>,
}

/// Minimum time between two searches of a folder for frames of another device class. A search reads the headers of all
/// its files.
const BETWEEN_SEARCHES: Duration = Duration::from_millis(250);

/// Bytes written since a folder was last trimmed.
#[derive(Default)]
struct Growth {
    /// Limit at the last trim, in bytes.
    limit: u64,
    /// Bytes written since the last trim.
    bytes: u64,
}

impl Disks {
    fn shared(&self, folder: &Path) -> Arc<SharedFolder> {
        let mut folders = self.folders.lock();
        let shared = folders.entry(folder.to_owned()).or_insert_with(|| {
            Arc::new(SharedFolder {
                folder: Folder::new(folder.to_owned()),
                notices: Notices::default(),
                pending: Mutex::default(),
                growth: Mutex::default(),
                searched: Mutex::default(),
            })
        });
        Arc::clone(shared)
    }

    /// Creates the archive of one render in a folder.
    pub fn disk<'a, S>(
        &'a self,
        folder: &Path,
        usage: Usage,
        restore: Restore<'a, S>,
        cpu: &'a Cpu,
        uses: &'a Uses,
    ) -> Disk<'a, S> {
        let shared = self.shared(folder);
        if usage.write && usage.limit > 0 {
            let mut growth = shared.growth.lock();
            if growth.limit != usage.limit {
                // Another session, or another limit, may have left the folder larger than this limit.
                let (shared, limit) = (Arc::clone(&shared), usage.limit);
                if self.writer.submit(Box::new(move || shared.trim(limit, &[])), 0, u64::MAX, None) {
                    *growth = Growth { limit: usage.limit, bytes: 0 };
                }
            }
        }
        Disk { shared, usage, restore, cpu, uses, writer: &self.writer, unreadable: Mutex::default() }
    }

    /// Records whether the cache folder with this name is usable, or the reason why not. The reason is reported when it
    /// changes.
    pub fn usable(&self, name: &str, trouble: Option<&str>) {
        let mut unusable = self.unusable.lock();
        match trouble {
            None => drop(unusable.reported.remove(name)),
            Some(why) => {
                if unusable.reported.insert(name.to_owned(), why.to_owned()).as_deref() != Some(why) {
                    tracing::warn!("{why}");
                    unusable.unreported.push(format!("{why} Rendering goes on from memory."));
                }
            }
        }
    }

    /// Whether the last write to a folder failed.
    pub fn failing(&self, folder: &Path) -> bool {
        self.shared(folder).notices.failing()
    }

    /// Takes the messages that have not been reported yet.
    pub fn take_notices(&self) -> Vec<String> {
        let folders: Vec<_> = self.folders.lock().values().cloned().collect();
        let mut messages = std::mem::take(&mut self.unusable.lock().unreported);
        for shared in folders {
            // Files whose headers are invalid.
            for refusal in shared.folder.take_refusals() {
                shared.notices.refused(shared.folder.path(), refusal.to_string());
            }
            messages.extend(shared.notices.take());
        }
        messages
    }

    /// Creates the record of a new node.
    pub fn uses(&self) -> Uses {
        self.uses.add()
    }

    /// Removes the states of a node from a folder, and returns their number. These are the states that the node has
    /// used, and those that no other live node has used: of `families`, or of any family if it is `None`.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn clear(&self, folder: &Path, own: &Uses, families: Option<&[ChainKey]>) -> std::io::Result<usize> {
        self.flush(&mut || true);
        let others = self.uses.but(own);
        let keeps = |key: u128, family: u128| {
            let foreign = families.is_some_and(|own| !own.contains(&ChainKey(family)));
            !own.has(key) && (foreign || others.iter().any(|used| used.has(key)))
        };
        self.shared(folder).folder.clear_but(&keeps)
    }

    /// Waits until all queued states are written or have failed. Returns false if `go_on` ended the wait or the disk
    /// does not respond.
    pub fn flush(&self, go_on: &mut dyn FnMut() -> bool) -> bool {
        self.writer.flush(go_on)
    }

    /// Writes all queued states and ends the threads. A later use starts them again.
    pub fn close(&self) {
        self.writer.close();
        self.folders.lock().clear();
        flow_cache::stop_heartbeat();
    }
}

/// A folder as the archive of one render.
pub struct Disk<'a, S> {
    shared: Arc<SharedFolder>,
    usage: Usage,
    restore: Restore<'a, S>,
    cpu: &'a Cpu,
    uses: &'a Uses,
    writer: &'a Writer,
    /// States that could not be read by a temporary failure. They are ignored by this render.
    unreadable: Mutex<HashSet<ChainKey>>,
}

/// The device's threads as a [`Pool`] to decode files.
pub struct Threads<'a>(pub &'a Cpu);

impl Pool for Threads<'_> {
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        self.0.each((0..count).collect(), work);
    }

    fn width(&self) -> usize {
        self.0.threads()
    }
}

impl<S> Disk<'_, S> {
    /// Reports once if the folder holds frames of the same simulation from a device class `kind`, as a mixed farm
    /// produces them; `other` is their family. The search ends when `go_on` returns false.
    pub fn report_if_mixed(&self, other: ChainKey, kind: &str, go_on: &mut dyn FnMut() -> bool) {
        let SharedFolder { folder, notices, .. } = &*self.shared;
        if !notices.is_mixed() && self.shared.is_due(other) && folder.has_between(other.0, i64::MIN, i64::MAX, go_on) {
            notices.mixed(format!(
                "{} holds frames of this simulation that {kind} made. This machine uses another kind of device, and the two \
                 differ slightly: each simulates the frames of the other again, and the picture may jump between their \
                 chunks. To avoid that, set Device to the same, CPU or GPU, on all machines.",
                folder.path().display()
            ));
        }
    }
}

impl<S: Stored> Archive<S> for Disk<'_, S> {
    fn has_between(&self, family: ChainKey, first: i64, last: i64, go_on: &mut dyn FnMut() -> bool) -> bool {
        self.shared.folder.has_between(family.0, first, last, go_on)
    }

    fn has(&self, frame: i64, key: ChainKey) -> bool {
        let there = !self.unreadable.lock().contains(&key) && self.shared.folder.find(frame, key.0).is_some();
        if there {
            self.uses.add(key);
        }
        there
    }

    fn load(&self, frame: i64, key: ChainKey) -> Option<S> {
        let path = self.shared.folder.find(frame, key.0)?;
        let Restore { model: (model, version), shape, make } = &self.restore;
        let expected = Expected { key: key.0, model: model.clone(), version: *version, shape: shape.clone() };
        let read = flow_cache::read(&path, Some(&expected), &Threads(self.cpu));
        if let Err(refusal @ (Refusal::Missing { .. } | Refusal::Unreadable { .. } | Refusal::Memory { .. })) = &read {
            // The file was removed, the disk has a temporary fault, or memory is short. The file itself is not damaged.
            tracing::warn!("{refusal}");
            self.unreadable.lock().insert(key);
            return None;
        }
        let made = read.map_err(|refusal| refusal.to_string()).and_then(|(header, blobs)| {
            make(&header, blobs).map_err(|why| format!("{}: {why}. It is simulated again.", path.display()))
        });
        match made {
            Ok(state) => {
                tracing::debug!(path = %path.display(), frame, "loaded a state from disk");
                self.uses.add(key);
                Some(state)
            }
            Err(why) => {
                if self.shared.folder.refuse(&path) {
                    self.shared.notices.refused(self.shared.folder.path(), why);
                }
                None
            }
        }
    }

    fn wants(&self, place: Place, frame: i64, key: ChainKey) -> bool {
        self.usage.write
            && place.index.is_multiple_of(self.usage.every)
            && !self.shared.notices.paused()
            && !self.shared.pending.lock().contains(&key)
            && !self.has(frame, key)
    }

    fn strip(&self, place: Place) -> u64 {
        match place.index {
            0 => 0,
            index => (index - 1) / self.usage.every * self.usage.every + 1,
        }
    }

    fn claim(&self, key: ChainKey) -> Claimed {
        if !self.usage.write || self.shared.notices.paused() {
            return Claimed::Mine(ArchiveClaim(Box::new(())));
        }
        match self.shared.folder.claim(key.0) {
            Ok(flow_cache::Claimed::Mine(claim)) => Claimed::Mine(ArchiveClaim(Box::new(claim))),
            Ok(flow_cache::Claimed::Theirs) => Claimed::Theirs,
            Err(error) => {
                // Without claims, processes only duplicate work. A failure of the folder is reported by the next write.
                tracing::debug!(%error, "no claim");
                Claimed::Mine(ArchiveClaim(Box::new(())))
            }
        }
    }

    fn keep(
        &self,
        address: Address,
        state: &Arc<S>,
        parameters: String,
        claim: Option<ArchiveClaim>,
        go_on: &mut dyn FnMut() -> bool,
    ) {
        let Address { place, frame, key, earlier } = address;
        self.uses.add(key);
        let (shared, state, Usage { limit, queue_limit, .. }) =
            (Arc::clone(&self.shared), Arc::clone(state), self.usage);
        let bytes = state.bytes() as u64;
        let pending = Pending::new(&shared, key);
        let (Restore { model: (model, version), shape, .. }, index) = (&self.restore, place.index);
        let (model, version, shape, family) = (model.clone(), *version, shape.clone(), place.family.0);
        let job = move || {
            let header =
                Header { key: key.0, family, model, version, frame, index, shape, parameters, ..state.header() };
            shared.write(header, &earlier, &*state, limit);
            // The claim is released after the state is stored, or has failed to be.
            drop((pending, claim));
        };
        let patience: Option<&mut dyn FnMut() -> bool> = if self.usage.wait { Some(go_on) } else { None };
        if !self.writer.submit(Box::new(job), bytes, queue_limit, patience) {
            tracing::debug!(frame, "the disk is too slow: a frame is skipped");
        }
    }
}

/// The entry of a state in `SharedFolder::pending`; dropping it removes the entry.
struct Pending {
    shared: Arc<SharedFolder>,
    key: ChainKey,
}

impl Pending {
    fn new(shared: &Arc<SharedFolder>, key: ChainKey) -> Self {
        shared.pending.lock().insert(key);
        Self { shared: Arc::clone(shared), key }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.shared.pending.lock().remove(&self.key);
    }
}

impl SharedFolder {
    /// Whether a search for frames of this family is due; records it as done.
    fn is_due(&self, family: ChainKey) -> bool {
        let mut searched = self.searched.lock();
        let due = searched.is_none_or(|(other, at)| other != family || at.elapsed() >= BETWEEN_SEARCHES);
        if due {
            *searched = Some((family, Instant::now()));
        }
        due
    }

    /// Writes a state, or records the reason of the failure.
    fn write(&self, mut header: Header, earlier: &[ChainKey], state: &impl Stored, limit: u64) {
        let earlier: Vec<u128> = earlier.iter().map(|key| key.0).collect();
        let mut outcome = None;
        // A download from a device may fail for lack of memory.
        let shown = request::caught(|| {
            state.show(&mut |blobs, layers| {
                header.seal(blobs);
                let (header, folder) = (&header, &self.folder);
                outcome = Some(
                    folder.store(header, &earlier, |file| flow_cache::encode(header, blobs, layers, &Serial, file)),
                );
            });
        });
        if let Err(refused) = shown {
            self.notices.failed(refused.to_string());
            return;
        }
        match outcome {
            Some(Ok(path)) => {
                self.notices.succeeded();
                let bytes = path.metadata().map_or(0, |data| data.len());
                tracing::debug!(path = %path.display(), bytes, "stored a state on disk");
                self.grow(bytes, limit, path);
            }
            Some(Err(error)) => self.notices.failed(error.to_string()),
            None => {}
        }
    }

    /// Trims the folder after this process has written a 64th of the limit. The fraction is small, since many processes
    /// may write.
    fn grow(&self, bytes: u64, limit: u64, newest: PathBuf) {
        if limit == 0 {
            return;
        }
        {
            let mut growth = self.growth.lock();
            growth.bytes += bytes;
            if growth.bytes < limit / 64 {
                return;
            }
            *growth = Growth { limit, bytes: 0 };
        }
        self.trim(limit, &[newest]);
    }

    fn trim(&self, limit: u64, keep: &[PathBuf]) {
        let trimmed = self.folder.trim(limit, keep);
        tracing::debug!(?trimmed, "trimmed the folder");
    }
}
