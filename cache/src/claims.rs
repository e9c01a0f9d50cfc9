//! Who makes which state, among processes that share a folder and nothing else.
//!
//! A claim is a file `.claims/<key>.claim`, made in one step that only one process can win. It says which process made it,
//! and while that process holds it, a thread counts on in it every second. Others that ask for the same key read it:
//!
//! - its maker was a process of the same machine that is no more: it is dead, which is asked every 100 ms of each process,
//!   however many claims it holds;
//! - it has not changed for ten seconds by the asker's own clock: it is dead. Clocks of machines are never compared;
//! - else it lives, and the asker asks again later.
//!
//! A dead claim is not removed, since of two that try, the slower could remove what the faster has just made. It is
//! outdone: the next generation, `<key>.1.claim`, is made in the same way, and only one can make it. The highest
//! generation counts. Its holder removes those before it, and then its own, when the work is done.
//!
//! Whoever gets a claim looks whether the state is there by now. Claims save work; they keep nothing right. Where a process
//! was silent for too long and lives on, two make the same state, which does no harm.

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

/// The folder of the claims, in that of the states.
pub(crate) const FOLDER: &str = ".claims";

/// A claim that has not changed for so long is dead.
const SILENCE: Duration = Duration::from_secs(10);

/// Time between two questions to the system whether a process lives; they cost more than reading a claim.
const ASKING: Duration = Duration::from_millis(100);

/// A claim whose last sign of life is so old, by whatever clock, is removed without having been watched.
const FORGOTTEN: Duration = Duration::from_secs(60 * 60);

/// More claimants than this do not die on one state; something else is wrong.
const MOST_GENERATIONS: u32 = 1000;

/// The answer to a claim.
#[derive(Debug)]
pub enum Claimed {
    /// The state is the caller's to make, if it is not there by now. Threads of one process share a claim.
    Mine(Claim),
    /// A live process, or another thread of this one, is at it. Ask again in 20 to 50 ms.
    Theirs,
}

/// The duty to make a state, shown to all processes until it is dropped.
#[derive(Debug)]
pub struct Claim {
    _held: Arc<Held>,
}

/// What a claim said when it last changed, and since when it has not.
struct Seen {
    text: String,
    since: Duration,
}

/// Processes that have made claims: whether they were dead when the system was last asked, and when that was.
type Makers = HashMap<Process, (bool, Duration)>;

/// The claims of one folder, as this process sees them.
pub(crate) struct Claims {
    folder: PathBuf,
    clock: Clock,
    seen: Mutex<HashMap<PathBuf, Seen>>,
    makers: Mutex<Makers>,
}

impl Claims {
    /// Claims in a folder of states. Touches nothing.
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
                    // Who died while giving back has left the last of several: that one is outdone.
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
                    // Somebody was faster: look at what they made.
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                    Err(error) => return Err(error),
                },
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other(format!(
            "{MOST_GENERATIONS} claimants of one state have died in {}",
            self.folder.display()
        )))
    }

    fn path(&self, key: u128, generation: u32) -> PathBuf {
        self.folder.join(match generation {
            0 => format!("{key:032x}.claim"),
            _ => format!("{key:032x}.{generation}.claim"),
        })
    }

    /// Makes a claim's file, which must not be there, and gives what it says before the count of beats.
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
        // Where a file cannot be given its name in one step, it is empty for a moment.
        self.make_folder()?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        let written = file.write_all(content.as_bytes());
        drop(file);
        written.inspect_err(|_| drop(fs::remove_file(path)))?;
        Ok(text)
    }

    /// Makes the folder of the claims, and that of the states.
    fn make_folder(&self) -> io::Result<()> {
        self.folder.parent().map_or(Ok(()), directory::make)?;
        directory::make(&self.folder)
    }

    /// Makes a file that is never seen without its content. False if there is one already.
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

    /// Whether a claim shows life. An empty one was being written, or its maker died on it: time will tell.
    fn lives(&self, path: &Path, text: &str) -> bool {
        let now = self.clock.now();
        let mut seen = self.seen.lock();
        let since = match seen.get(path) {
            Some(seen) if seen.text == text => seen.since,
            _ => {
                // Nobody asks any more for what has been silent for so long.
                seen.retain(|_, seen| now.saturating_sub(seen.since) < FORGOTTEN);
                seen.insert(path.to_path_buf(), Seen { text: text.into(), since: now });
                now
            }
        };
        drop(seen);
        now.saturating_sub(since) < SILENCE && !claimant(text).is_some_and(|maker| self.is_dead(maker, now))
    }

    /// Whether a process was dead when the system was last asked, which it is if that was some time ago.
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

    /// Claims whose makers are dead or silent for an hour.
    pub fn dead(&self) -> Vec<PathBuf> {
        let dead = |path: &PathBuf| {
            let Ok(text) = read(path) else { return false };
            let quiet = fs::metadata(path).and_then(|found| found.modified()).ok();
            let quiet = quiet.and_then(|modified| modified.elapsed().ok());
            claimant(&text).is_some_and(|process| process.is_dead()) || quiet.is_some_and(|quiet| quiet > FORGOTTEN)
        };
        self.files().into_iter().filter(dead).collect()
    }

    /// All files that are claims.
    pub fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| key_of(path).is_some()).collect();
        files.sort();
        files
    }

    pub fn is_claim(&self, path: &Path) -> bool {
        path.parent() == Some(&self.folder) && key_of(path).is_some()
    }

    /// Removes a dead claim. One that stands for a state that is being made is left to whoever makes it.
    pub fn remove_dead(&self, path: &Path) -> bool {
        let Some(key) = key_of(path) else { return false };
        // Whoever holds the claim removes the dead ones before it: so does this, by holding it for a moment.
        if let Ok(Claimed::Theirs) = self.claim(key) {
            // Not watched for long enough, but silent for an hour; and nobody is at work who outdid it.
            let dead = self.dead();
            let of_key: Vec<PathBuf> = self.files().into_iter().filter(|file| key_of(file) == Some(key)).collect();
            if of_key.iter().all(|file| dead.contains(file)) {
                of_key.iter().for_each(|file| drop(fs::remove_file(file)));
            }
        }
        !path.exists()
    }
}

/// The text of a claim. Only a plain file is opened: a pipe would wait for its writer.
fn read(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Who made a claim.
fn claimant(text: &str) -> Option<Process> {
    let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    Some(Process {
        machine: value("machine")?.to_owned(),
        pid: value("pid")?.parse().ok()?,
        start: value("start")?.parse().ok()?,
    })
}

/// The key that a file's name claims.
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
    fn the_system_is_asked_once_in_a_while_whatever_the_number_of_claims() {
        let place = tempfile::tempdir().expect("folder");
        let clock = Clock::manual();
        let claims = Claims::new(place.path(), clock.clone());
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
        // Nobody notices its death who does not ask, be it for a claim not seen before or one that has changed.
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
