//! The claims that this process holds, and the thread that writes their heartbeat.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::{Condvar, Mutex, MutexGuard};

/// Time between two heartbeats.
const BEAT: Duration = Duration::from_secs(1);

/// Identity of a claim: its folder and key.
pub(crate) type Name = (PathBuf, u128);

/// A claim on disk, shared by its holders in this process. Dropping it releases the claim.
#[derive(Debug)]
pub(crate) struct Held {
    name: Name,
    files: Files,
    /// Process that acquired the claim. A forked child has a copy of this value but does not hold the claim.
    process: u32,
}

/// The files of a claim.
#[derive(Debug)]
pub(crate) struct Files {
    /// The valid file, of the highest generation.
    pub own: PathBuf,
    /// Files of dead holders, the oldest first.
    pub dead: Vec<PathBuf>,
    /// The file that another process creates when it takes over.
    pub next: PathBuf,
    /// Content of the own file before the heartbeat counter; unique.
    pub text: String,
}

enum Slot {
    /// A thread is acquiring or releasing the claim on disk.
    Pending,
    /// The claim is held. The second value is the path and the fixed content of its file, for the heartbeat.
    Held(Weak<Held>, Arc<(PathBuf, String)>),
}

#[derive(Default)]
struct Heartbeat {
    slots: HashMap<Name, Slot>,
    beating: Option<Beating>,
}

struct Beating {
    thread: JoinHandle<()>,
    stop: Arc<Stop>,
}

#[derive(Default)]
struct Stop {
    stopped: Mutex<bool>,
    changed: Condvar,
}

static HEARTBEAT: LazyLock<Mutex<Heartbeat>> = LazyLock::new(Mutex::default);

/// Locks the table of claims. The lock is never held during disk access, since a disk may not respond.
fn heartbeat() -> MutexGuard<'static, Heartbeat> {
    HEARTBEAT.lock()
}

/// State of a claim in this process.
pub(crate) enum Entered {
    /// This process holds the claim; its threads share it.
    Held(Arc<Held>),
    /// Another thread is acquiring or releasing the claim.
    Busy,
    /// This process does not hold the claim. The caller may try to acquire it on disk; other threads receive `Busy`
    /// meanwhile.
    Free(Turn),
}

/// The exclusive right of a thread of this process to acquire a claim on disk.
pub(crate) struct Turn {
    name: Name,
    used: bool,
}

pub(crate) fn enter(name: &Name) -> Entered {
    let mut heartbeat = heartbeat();
    match heartbeat.slots.get(name) {
        Some(Slot::Pending) => Entered::Busy,
        Some(Slot::Held(held, _)) => held.upgrade().map_or(Entered::Busy, Entered::Held),
        None => {
            heartbeat.slots.insert(name.clone(), Slot::Pending);
            Entered::Free(Turn { name: name.clone(), used: false })
        }
    }
}

impl Turn {
    /// Registers the acquired claim and starts the heartbeat thread if necessary.
    ///
    /// # Errors
    /// The thread cannot be started; the claim is released then.
    pub fn got(mut self, files: Files) -> io::Result<Arc<Held>> {
        let sign = Arc::new((files.own.clone(), files.text.clone()));
        let held = Arc::new(Held { name: self.name.clone(), files, process: std::process::id() });
        let mut heartbeat = heartbeat();
        heartbeat.slots.insert(self.name.clone(), Slot::Held(Arc::downgrade(&held), sign));
        self.used = true;
        if heartbeat.beating.is_none() {
            let stop = Arc::new(Stop::default());
            let stopped = Arc::clone(&stop);
            match thread::Builder::new().name("flow-claims".into()).spawn(move || beat_until(&stopped)) {
                Ok(thread) => heartbeat.beating = Some(Beating { thread, stop }),
                Err(error) => {
                    drop(heartbeat);
                    return Err(error);
                }
            }
        }
        Ok(held)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if !self.used {
            heartbeat().slots.remove(&self.name);
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            return;
        }
        // Other threads receive `Busy` until the slot is removed; the disk is accessed without the lock.
        give_back(&self.files);
        let mut heartbeat = heartbeat();
        heartbeat.slots.remove(&self.name);
        let idle = !heartbeat.slots.values().any(|slot| matches!(slot, Slot::Held(..)));
        let beating = if idle { heartbeat.beating.take() } else { None };
        drop(heartbeat);
        stop(beating);
    }
}

/// Removes the files of a claim. The valid file is removed last, so that no other process takes over in between.
fn give_back(files: &Files) {
    let Files { own, dead, next, text } = files;
    // If another process has taken over, it removes the files.
    if next.exists() || !std::fs::read_to_string(own).is_ok_and(|found| found.starts_with(text)) {
        return;
    }
    for path in dead {
        drop(std::fs::remove_file(path));
    }
    if let Err(error) = std::fs::remove_file(own) {
        tracing::debug!("the claim {} cannot be removed: {error}", own.display());
    }
}

/// Stops the heartbeat thread and waits for its end. Held claims expire and are taken over by other processes. For a
/// library before it is unloaded; the next claim starts the thread again.
pub fn stop_heartbeat() {
    let beating = heartbeat().beating.take();
    stop(beating);
}

fn stop(beating: Option<Beating>) {
    let Some(Beating { thread, stop }) = beating else { return };
    *stop.stopped.lock() = true;
    stop.changed.notify_all();
    // The thread does not panic, and a panic could not be handled here.
    drop(thread.join());
}

fn beat_until(stop: &Stop) {
    let mut count = 0_u64;
    let mut stopped = stop.stopped.lock();
    while !*stopped {
        stop.changed.wait_for(&mut stopped, BEAT);
        if *stopped {
            return;
        }
        drop(stopped);
        count += 1;
        let signs: Vec<Arc<(PathBuf, String)>> = (heartbeat().slots.values())
            .filter_map(|slot| match slot {
                Slot::Held(_, sign) => Some(Arc::clone(sign)),
                Slot::Pending => None,
            })
            .collect();
        for sign in signs {
            let (path, text) = &*sign;
            if let Err(error) = beat(path, text, count) {
                tracing::debug!("no heartbeat in {}: {error}", path.display());
            }
        }
        stopped = stop.stopped.lock();
    }
}

/// Increments the counter in the file of a claim, if the file still has this process's content. A file never changes
/// its owner, so reading and writing through one handle cannot modify another process's claim. The file is closed each
/// time, so that other machines see the change.
fn beat(path: &Path, text: &str, count: u64) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut found = String::new();
    file.read_to_string(&mut found)?;
    if !found.starts_with(text) {
        return Err(io::Error::other("another process has taken over the claim"));
    }
    file.seek(SeekFrom::Start(text.len() as u64))?;
    file.write_all(beat_line(count).as_bytes())
}

/// Last line of a claim file; its length is the same for every count.
pub(crate) fn beat_line(count: u64) -> String {
    format!("beat {count:020}\n")
}
