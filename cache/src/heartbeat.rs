//! The claims that this process holds, and the one thread that shows that it lives.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::{Condvar, Mutex, MutexGuard};

/// Time between two signs of life.
const BEAT: Duration = Duration::from_secs(1);

/// Which claim: its folder and key.
pub(crate) type Name = (PathBuf, u128);

/// A claim on disk, for as long as somebody in this process holds it. Dropping it gives the claim back.
#[derive(Debug)]
pub(crate) struct Held {
    name: Name,
    files: Files,
    /// A child process that got a copy of this value by forking does not hold the claim.
    process: u32,
}

/// A claim's files.
#[derive(Debug)]
pub(crate) struct Files {
    /// The one that counts.
    pub own: PathBuf,
    /// Those of claimants that died, the oldest first.
    pub dead: Vec<PathBuf>,
    /// The one that somebody would make who took over from this process.
    pub next: PathBuf,
    /// What the own file says before the count of beats; no other says the same.
    pub text: String,
}

enum Slot {
    /// A thread is at work on the disk to get the claim, or to give it back.
    Pending,
    /// Held, and where to show that its holder lives: the file and what it begins with.
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

/// The lock is never held while the disk is asked, since a disk may not answer.
fn heartbeat() -> MutexGuard<'static, Heartbeat> {
    HEARTBEAT.lock()
}

/// What this process has to do with a claim.
pub(crate) enum Entered {
    /// Somebody here holds it: they share it.
    Held(Arc<Held>),
    /// Another thread is about to get it or to give it back.
    Busy,
    /// Nobody here: the disk decides, while other threads are told that it is busy.
    Free(Turn),
}

/// The right to try for a claim on disk.
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
    /// Notes that the claim was got, and lets the heartbeat beat for it.
    ///
    /// # Errors
    /// If there is no thread to be had; the claim is given back then.
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
        // Until the slot is free, other threads of this process wait; the disk is asked without the lock.
        give_back(&self.files);
        let mut heartbeat = heartbeat();
        heartbeat.slots.remove(&self.name);
        let idle = !heartbeat.slots.values().any(|slot| matches!(slot, Slot::Held(..)));
        let beating = if idle { heartbeat.beating.take() } else { None };
        drop(heartbeat);
        stop(beating);
    }
}

/// Removes a claim's files, the one that counts last, so that nobody takes over in between.
fn give_back(files: &Files) {
    let Files { own, dead, next, text } = files;
    // Whoever found this process silent for too long and took over clears up.
    if next.exists() || !std::fs::read_to_string(own).is_ok_and(|found| found.starts_with(text)) {
        return;
    }
    for path in dead {
        drop(std::fs::remove_file(path));
    }
    if let Err(error) = std::fs::remove_file(own) {
        tracing::debug!("the claim {} stays behind: {error}", own.display());
    }
}

/// Ends the thread that shows this process's life, and waits for it. Claims that are still held fall silent, and are taken
/// over by others in time. For a library that is about to be unloaded; the next claim starts the thread again.
pub fn stop_heartbeat() {
    let beating = heartbeat().beating.take();
    stop(beating);
}

fn stop(beating: Option<Beating>) {
    let Some(Beating { thread, stop }) = beating else { return };
    *stop.stopped.lock() = true;
    stop.changed.notify_all();
    // It cannot panic but by a fault in the standard library, and there would be nothing left to do.
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
                tracing::debug!("no sign of life in {}: {error}", path.display());
            }
        }
        stopped = stop.stopped.lock();
    }
}

/// Counts on in a claim's file, if it is still the one that this process made: a file never changes hands, so reading and
/// writing through one handle cannot touch another's claim. Closed each time, so that other machines see it.
fn beat(path: &Path, text: &str, count: u64) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut found = String::new();
    file.read_to_string(&mut found)?;
    if !found.starts_with(text) {
        return Err(io::Error::other("another has taken it over"));
    }
    file.seek(SeekFrom::Start(text.len() as u64))?;
    file.write_all(beat_line(count).as_bytes())
}

/// The last line of a claim's file, of the same length for every count.
pub(crate) fn beat_line(count: u64) -> String {
    format!("beat {count:020}\n")
}
