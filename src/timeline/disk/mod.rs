//! The archive that is a folder of files.
//!
//! | file | what |
//! |---|---|
//! | this file | the folders that the process uses, and one render's view of one |
//! | `writer` | the threads that write behind the rendering |
//! | `notices` | what there is to tell, once |
//! | `uses` | which states each node has read and written |
//!
//! What is in a file, and how files are named, claimed and trimmed, is the crate `flow_cache`.

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

/// A state that can be kept in a file.
pub trait Stored: CachedValue {
    /// The position, scale and numbers of the file's header; the other fields are filled by the archive.
    fn header(&self) -> Header;
    /// Passes on the exact blobs, and the layers for people, if any. May block until a device has given them.
    fn show(&self, to: &mut dyn FnMut(&[BlobRows<'_>], &[Layer<'_>]));
}

/// What a file's state has to be, and how it becomes one.
pub struct Restore<'a, S> {
    /// Model and its version, as in the header.
    pub model: (String, u32),
    /// Cells along each axis, the innermost first: one to four.
    pub shape: Vec<usize>,
    /// Makes it, or says why not.
    pub make: Make<'a, S>,
}

/// Makes a state of a file's content, or says why it can't.
pub type Make<'a, S> = Box<dyn Fn(&Header, Vec<Blob>) -> Result<S, String> + Send + Sync + 'a>;

/// How a folder is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// States are written, too.
    pub write: bool,
    /// Every n-th frame is, at least 1.
    pub every: u64,
    /// Bytes that the folder's states may take; 0 for no limit.
    pub limit: u64,
    /// Rendering waits where the disk can't keep up; else frames are left out.
    pub wait: bool,
    /// Memory for states on their way, in bytes.
    pub room: u64,
}

/// The folders of the process, and the threads that write. Nothing is opened before it is used.
#[derive(Default)]
pub struct Disks {
    folders: Mutex<HashMap<PathBuf, Arc<SharedFolder>>>,
    uses: AllUses,
    unusable: Mutex<Unusable>,
    writer: Writer,
}

/// Cache folders that could not be used when they were last asked for.
#[derive(Default)]
struct Unusable {
    told: HashMap<String, String>,
    unreported: Vec<String>,
}

/// A folder, shared by all nodes that use it.
struct SharedFolder {
    folder: Folder,
    notices: Notices,
    /// States on their way.
    pending: Mutex<HashSet<ChainKey>>,
    growth: Mutex<Growth>,
    /// When it was last searched for frames from another kind of device, and for which family.
    searched: Mutex<Option<(ChainKey, Instant)>>,
}

/// Least time between two searches of a folder for frames from another kind of device: a search goes through all its files.
const BETWEEN_SEARCHES: Duration = Duration::from_millis(250);

/// What has happened since a folder was last trimmed.
#[derive(Default)]
struct Growth {
    /// The limit that it was trimmed to.
    limit: u64,
    /// Bytes written since.
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

    /// A folder as the archive of one render.
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
                // The folder may be larger already: by another session, or under another limit.
                let (shared, limit) = (Arc::clone(&shared), usage.limit);
                if self.writer.submit(Box::new(move || shared.trim(limit, &[])), 0, u64::MAX, None) {
                    *growth = Growth { limit: usage.limit, bytes: 0 };
                }
            }
        }
        Disk { shared, usage, restore, cpu, uses, writer: &self.writer, unreadable: Mutex::default() }
    }

    /// Notes whether the cache folder of this name can be used, or why not, which is told when it changes.
    pub fn usable(&self, name: &str, trouble: Option<&str>) {
        let mut unusable = self.unusable.lock();
        match trouble {
            None => drop(unusable.told.remove(name)),
            Some(why) => {
                if unusable.told.insert(name.to_owned(), why.to_owned()).as_deref() != Some(why) {
                    tracing::warn!("{why}");
                    unusable.unreported.push(format!("{why} Rendering goes on from memory."));
                }
            }
        }
    }

    /// Whether writing into a folder failed the last time.
    pub fn failing(&self, folder: &Path) -> bool {
        self.shared(folder).notices.failing()
    }

    /// What there is to tell and was not told yet.
    pub fn take_notices(&self) -> Vec<String> {
        let folders: Vec<_> = self.folders.lock().values().cloned().collect();
        let mut told = std::mem::take(&mut self.unusable.lock().unreported);
        for shared in folders {
            // Files that were bad before anybody read their pixels.
            for refusal in shared.folder.take_refusals() {
                shared.notices.refused(shared.folder.path(), refusal.to_string());
            }
            told.extend(shared.notices.take());
        }
        told
    }

    /// A new node's.
    pub fn uses(&self) -> Uses {
        self.uses.add()
    }

    /// Removes a node's states from a folder, and nothing else; gives their number. They are those that it has used, and of
    /// the others those that no other live node has used: of these `families`, or of any.
    ///
    /// # Errors
    /// The system lets them not be removed.
    pub fn clear(&self, folder: &Path, own: &Uses, families: Option<&[ChainKey]>) -> std::io::Result<usize> {
        self.flush(&mut || true);
        let others = self.uses.but(own);
        let keeps = |key: u128, family: u128| {
            let foreign = families.is_some_and(|own| !own.contains(&ChainKey(family)));
            !own.has(key) && (foreign || others.iter().any(|used| used.has(key)))
        };
        self.shared(folder).folder.clear_but(&keeps)
    }

    /// Waits until everything handed in so far is written or given up, as long as `go_on` says so and the disk does not hang;
    /// false where it is not.
    pub fn flush(&self, go_on: &mut dyn FnMut() -> bool) -> bool {
        self.writer.flush(go_on)
    }

    /// Writes what was handed in and ends the threads. A later use starts anew.
    pub fn close(&self) {
        self.writer.close();
        self.folders.lock().clear();
        flow_cache::stop_heartbeat();
    }
}

/// A folder as one render sees it.
pub struct Disk<'a, S> {
    shared: Arc<SharedFolder>,
    usage: Usage,
    restore: Restore<'a, S>,
    cpu: &'a Cpu,
    uses: &'a Uses,
    writer: &'a Writer,
    /// States that could not be read just now, though nothing is known to be wrong with them.
    unreadable: Mutex<HashSet<ChainKey>>,
}

/// The device's threads, to take files apart.
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
    /// Tells, once for the folder, where it holds frames of the same simulation from another `kind` of device, as a farm of
    /// both makes them: such frames are others. Looks as long as `go_on` says so.
    pub fn report_if_mixed(&self, other: ChainKey, kind: &str, go_on: &mut dyn FnMut() -> bool) {
        let SharedFolder { folder, notices, .. } = &*self.shared;
        if !notices.is_mixed() && self.shared.is_due(other) && folder.has_between(other.0, i64::MIN, i64::MAX, go_on) {
            notices.mixed(format!(
                "{} holds frames of this simulation that {kind} made; here another kind of device works, and the two differ \
                 slightly. What one of them made the other simulates anew, and the picture may jump where their chunks \
                 meet: set Device to the same, CPU or GPU, on all machines.",
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
            // Somebody has removed it, the disk has hiccups, or memory is short: no bad file, but of no use now.
            tracing::warn!("{refusal}");
            self.unreadable.lock().insert(key);
            return None;
        }
        let made = read.map_err(|refusal| refusal.to_string()).and_then(|(header, blobs)| {
            make(&header, blobs).map_err(|why| format!("{}: {why}. It is simulated anew.", path.display()))
        });
        match made {
            Ok(state) => {
                tracing::debug!(path = %path.display(), frame, "took a state from disk");
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
                // Without claims the work is not shared, and that is all. Writing says what is wrong.
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
        duty: Option<ArchiveClaim>,
        go_on: &mut dyn FnMut() -> bool,
    ) {
        let Address { place, frame, key, earlier } = address;
        self.uses.add(key);
        let (shared, state, Usage { limit, room, .. }) = (Arc::clone(&self.shared), Arc::clone(state), self.usage);
        let bytes = state.bytes() as u64;
        let pending = Pending::new(&shared, key);
        let (Restore { model: (model, version), shape, .. }, index) = (&self.restore, place.index);
        let (model, version, shape, family) = (model.clone(), *version, shape.clone(), place.family.0);
        let job = move || {
            let header =
                Header { key: key.0, family, model, version, frame, index, shape, parameters, ..state.header() };
            shared.write(header, &earlier, &*state, limit);
            // Others may go on from here: not before the state is there, nor never.
            drop((pending, duty));
        };
        let patience: Option<&mut dyn FnMut() -> bool> = if self.usage.wait { Some(go_on) } else { None };
        if !self.writer.submit(Box::new(job), bytes, room, patience) {
            tracing::debug!(frame, "the disk can't keep up: a frame is left out");
        }
    }
}

/// A state on its way; no longer, once this is dropped.
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
    /// Whether the folder is to be searched for frames of this family, which is noted.
    fn is_due(&self, family: ChainKey) -> bool {
        let mut searched = self.searched.lock();
        let due = searched.is_none_or(|(other, at)| other != family || at.elapsed() >= BETWEEN_SEARCHES);
        if due {
            *searched = Some((family, Instant::now()));
        }
        due
    }

    /// Writes a state, or tells why not.
    fn write(&self, mut header: Header, earlier: &[ChainKey], state: &impl Stored, limit: u64) {
        let earlier: Vec<u128> = earlier.iter().map(|key| key.0).collect();
        let mut outcome = None;
        // A state may have to come down from a device first.
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
                tracing::debug!(path = %path.display(), bytes, "kept a state on disk");
                self.grow(bytes, limit, path);
            }
            Some(Err(error)) => self.notices.failed(error.to_string()),
            None => {}
        }
    }

    /// Keeps the folder within its limit: looks each time that this process has written a 64th of it, since there may be
    /// many processes.
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
