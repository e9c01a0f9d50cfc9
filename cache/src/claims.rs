//! Claims: coordination of processes that share a folder and have no other connection.
//!
//! A claim is a file `.claims/<key>.claim`. It is created atomically, so only one process can create it. It names its
//! process, and a thread of that process increments a counter in it every second while the claim is held. Another
//! process that requests the same key reads the file:
//!
//! - The claim is dead if its process ran on the same machine and has ended. The operating system is queried at most
//!   once in 100 ms for each process, for any number of claims.
//! - The claim is dead if its content has not changed for ten seconds by the reader's own clock. Clocks of different
//!   machines are never compared.
//! - Otherwise the claim is alive, and the reader tries again later.
//!
//! A dead claim is not removed: of two processes that try, the slower could remove the new claim of the faster. It is
//! superseded by the next generation, `<key>.1.claim`, which is also created atomically. The highest generation is
//! valid. Its holder removes the earlier generations, and its own file at the end of the work.
//!
//! The holder of a new claim must check whether the state has been stored meanwhile. Claims avoid duplicate work;
//! correctness does not depend on them. If a process was silent for too long but is alive, two processes simulate the
//! same state, which is harmless.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use parking_lot::Mutex;

use crate::Clock;
use crate::heartbeat::{self, Entered, Files, Held, beat_line};
use crate::machine::{Process, random_digits};
use crate::names::StateName;
use crate::{directory, temporary};

/// Name of the folder of claims, inside the folder of states.
pub(crate) const FOLDER: &str = ".claims";

/// A claim whose content has not changed for this time is dead.
const SILENCE: Duration = Duration::from_secs(10);

/// Minimum time between two queries whether a process is alive. A query costs more than reading a claim.
const ASKING: Duration = Duration::from_millis(100);

/// A claim whose file is older than this, by any clock, is removed without observation.
const FORGOTTEN: Duration = Duration::from_secs(60 * 60);

/// Limit of generations for one state. A higher number indicates another fault.
const MOST_GENERATIONS: u32 = 1000;

/// Result of a request for a claim.
#[derive(Debug)]
pub enum Claimed {
    /// The caller holds the claim and simulates the state unless it has been stored meanwhile. Threads of one process
    /// share a claim.
    Mine(Claim),
    /// A live process, or another thread of this one, holds the claim. Request again after 20 to 50 ms.
    Theirs,
}

/// The announcement that this process simulates a state, visible to all processes. Dropping it releases the claim.
#[derive(Debug)]
pub struct Claim {
    _held: Arc<Held>,
}

/// Last known content of a claim, and the time of its last change.
struct Seen {
    text: String,
    since: Duration,
}

/// Processes that hold claims, with the result and the time of the last query whether they are dead.
type Makers = HashMap<Process, (bool, Duration)>;

/// The claims of one folder, with this process's observations of them.
pub(crate) struct Claims {
    folder: PathBuf,
    clock: Clock,
    seen: Mutex<HashMap<PathBuf, Seen>>,
    makers: Mutex<Makers>,
}

impl Claims {
    /// Claims in a folder of states. Does not access the disk.
    pub fn new(states: &Path, clock: Clock) -> Self {
        Self { folder: states.join(FOLDER), clock, seen: Mutex::default(), makers: Mutex::default() }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn claim(&self, key: u128) -> io::Result<Claimed> {
        let turn = match heartbeat::enter(&(self.folder.clone(), key)) {
            Entered::Held(held) => return Ok(Claimed::Mine(Claim { _held: held })),
            Entered::Busy => return Ok(Claimed::Theirs),
            Entered::Free(turn) => turn,
        };
        let mut generation = 0;
        let mut made: Option<PathBuf> = None;
        while generation < MOST_GENERATIONS {
            let path = self.path(key, generation);
            match read(&path) {
                Ok(text) if self.lives(&path, &text) => {
                    made.iter().for_each(|path| drop(fs::remove_file(path)));
                    return Ok(Claimed::Theirs);
                }
                Ok(_) => generation += 1,
                Err(error) if error.kind() == ErrorKind::NotFound => match self.make(&path) {
                    // A holder that ended during release leaves only the last of several generations, which supersedes
                    // this file.
                    Ok(_) if self.path(key, generation + 1).exists() => {
                        made = Some(path);
                        generation += 1;
                    }
                    Ok(text) => {
                        let dead: Vec<PathBuf> = (0..generation).map(|earlier| self.path(key, earlier)).collect();
                        self.forget(dead.iter().chain([&path]));
                        let files = Files { own: path, dead, next: self.path(key, generation + 1), text };
                        return Ok(Claimed::Mine(Claim { _held: turn.got(files)? }));
                    }
                    // Another process created the file first: read it in the next iteration.
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                    Err(error) => return Err(error),
                },
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other(format!(
            "{MOST_GENERATIONS} holders of a claim on one state have ended in {}",
            self.folder.display()
        )))
    }

    fn path(&self, key: u128, generation: u32) -> PathBuf {
        self.folder.join(match generation {
            0 => format!("{key:032x}.claim"),
            _ => format!("{key:032x}.{generation}.claim"),
        })
    }

    /// Creates the file of a claim, which must not exist, and returns its content before the heartbeat counter.
    fn make(&self, path: &Path) -> io::Result<String> {
        let Process { machine, pid, start } = Process::this();
        let since = humantime::format_rfc3339_seconds(SystemTime::now());
        let id = random_digits();
        let text = format!("flow claim 1\nmachine {machine}\npid {pid}\nstart {start}\nid {id}\nsince {since}\n");
        let content = format!("{text}{}", beat_line(0));
        match self.make_whole(path, &content) {
            Ok(true) => return Ok(text),
            Ok(false) => return Err(ErrorKind::AlreadyExists.into()),
            Err(error) => tracing::trace!("{}: {error}", path.display()),
        }
        // Fallback for file systems without atomic naming: the file is empty for a moment.
        self.make_folder()?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        let written = file.write_all(content.as_bytes());
        drop(file);
        written.inspect_err(|_| drop(fs::remove_file(path)))?;
        Ok(text)
    }

    /// Creates the folder of claims and the folder of states.
    fn make_folder(&self) -> io::Result<()> {
        self.folder.parent().map_or(Ok(()), directory::make)?;
        directory::make(&self.folder)
    }

    /// Creates a file that is never visible without its content. Returns false if the file exists.
    fn make_whole(&self, path: &Path, content: &str) -> io::Result<bool> {
        let name = StateName::new("claim", 0);
        let mut file = match temporary::create(&self.folder, &name) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.make_folder()?;
                temporary::create(&self.folder, &name)?
            }
            created => created?,
        };
        file.write_all(content.as_bytes())?;
        temporary::name_new(&mut Some(file), path)
    }

    /// Whether a claim is alive. An empty file, whose writer is at work or has ended, counts as unchanged content.
    fn lives(&self, path: &Path, text: &str) -> bool {
        let now = self.clock.now();
        let mut seen = self.seen.lock();
        let since = match seen.get(path) {
            Some(seen) if seen.text == text => seen.since,
            _ => {
                // Entries this old are no longer requested.
                seen.retain(|_, seen| now.saturating_sub(seen.since) < FORGOTTEN);
                seen.insert(path.to_path_buf(), Seen { text: text.into(), since: now });
                now
            }
        };
        drop(seen);
        now.saturating_sub(since) < SILENCE && !claimant(text).is_some_and(|maker| self.is_dead(maker, now))
    }

    /// Whether a process is dead, by a query that is at most `ASKING` old.
    fn is_dead(&self, process: Process, now: Duration) -> bool {
        let mut makers = self.makers.lock();
        if let Some((dead, asked)) = makers.get(&process)
            && (*dead || now.saturating_sub(*asked) < ASKING)
        {
            return *dead;
        }
        makers.retain(|_, (_, asked)| now.saturating_sub(*asked) < FORGOTTEN);
        let dead = process.is_dead();
        makers.insert(process, (dead, now));
        dead
    }

    fn forget<'a>(&self, paths: impl IntoIterator<Item = &'a PathBuf>) {
        let mut seen = self.seen.lock();
        for path in paths {
            seen.remove(path);
        }
    }

    /// Claims whose process is dead, or whose file has not changed for an hour.
    pub fn dead(&self) -> Vec<PathBuf> {
        let dead = |path: &PathBuf| {
            let Ok(text) = read(path) else { return false };
            let quiet = fs::metadata(path).and_then(|found| found.modified()).ok();
            let quiet = quiet.and_then(|modified| modified.elapsed().ok());
            claimant(&text).is_some_and(|process| process.is_dead()) || quiet.is_some_and(|quiet| quiet > FORGOTTEN)
        };
        self.files().into_iter().filter(dead).collect()
    }

    /// All claim files, sorted.
    pub fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| key_of(path).is_some()).collect();
        files.sort();
        files
    }

    pub fn is_claim(&self, path: &Path) -> bool {
        path.parent() == Some(&self.folder) && key_of(path).is_some()
    }

    /// Removes a dead claim. A claim that is held stays for its holder. Returns whether the file is gone.
    pub fn remove_dead(&self, path: &Path) -> bool {
        let Some(key) = key_of(path) else { return false };
        // Acquiring the claim removes the dead generations before it; the claim is released at once.
        if let Ok(Claimed::Theirs) = self.claim(key) {
            // All generations have been unchanged for an hour, and no later generation is alive.
            let dead = self.dead();
            let of_key: Vec<PathBuf> = self.files().into_iter().filter(|file| key_of(file) == Some(key)).collect();
            if of_key.iter().all(|file| dead.contains(file)) {
                of_key.iter().for_each(|file| drop(fs::remove_file(file)));
            }
        }
        !path.exists()
    }
}

/// Content of a claim. Only a regular file is opened: opening a pipe would block.
fn read(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The process that a claim names.
fn claimant(text: &str) -> Option<Process> {
    let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    Some(Process {
        machine: value("machine")?.to_owned(),
        pid: value("pid")?.parse().ok()?,
        start: value("start")?.parse().ok()?,
    })
}

/// The key in the name of a claim file.
fn key_of(path: &Path) -> Option<u128> {
    let stem = path.file_name()?.to_str()?.strip_suffix(".claim")?;
    let (key, generation) = stem.split_once('.').map_or((stem, None), |(key, rest)| (key, Some(rest)));
    let numbered = generation.is_none_or(|number| number.parse::<u32>().is_ok());
    (key.len() == 32 && numbered).then(|| u128::from_str_radix(key, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn the_system_is_queried_once_per_interval_for_any_number_of_claims() {
        let temp = tempfile::tempdir().expect("folder");
        let clock = Clock::manual();
        let claims = Claims::new(temp.path(), clock.clone());
        fs::create_dir(claims.folder()).expect("made");
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().expect("a child");
        let Process { machine, .. } = Process::this();
        let claim = |key: u128, beat: u32| {
            let text = format!("machine {machine}\npid {}\nstart 0\nbeat {beat}\n", child.id());
            fs::write(claims.path(key, 0), text).expect("written");
        };
        (0..10).for_each(|key| claim(key, 0));
        let theirs = |key: u128| matches!(claims.claim(key), Ok(Claimed::Theirs));
        assert!(theirs(0));
        // Within `ASKING` the cached answer is used, for new claims and for changed ones.
        let pid = child.id();
        drop(child.stdin.take());
        child.wait().expect("ended");
        let changed = format!("machine {machine}\npid {pid}\nstart 0\nbeat 1\n");
        fs::write(claims.path(0, 0), changed).expect("written");
        assert!((0..9).all(theirs));
        clock.advance(ASKING);
        assert!(!(0..10).any(theirs));
    }
}
