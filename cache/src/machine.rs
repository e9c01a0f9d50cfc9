//! Which machine and process this is, and whether another process on it still lives.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::OnceLock;
use std::time::SystemTime;

use parking_lot::Mutex;
use sysinfo::{Pid, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

/// Processes' start times are known to the second, and the start of the machine, from which they count, may be corrected.
const START_TOLERANCE: u64 = 2;

/// A process, told apart from all others on all machines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Process {
    /// The machine, this run of it, and the space of process numbers. No white space.
    pub machine: String,
    pub pid: u32,
    /// When it began, in seconds since 1970 by its machine's clock; 0 where the system doesn't say.
    pub start: u64,
}

impl Process {
    /// This process.
    pub fn this() -> Self {
        static THIS: Mutex<Option<Process>> = Mutex::new(None);
        let mut this = THIS.lock();
        let pid = std::process::id();
        // A child that was forked is another.
        if let Some(process) = this.as_ref().filter(|process| process.pid == pid) {
            return process.clone();
        }
        let start = find(pid).map_or(0, |found| found.start);
        this.insert(Self { machine: machine().to_owned(), pid, start }).clone()
    }

    /// Whether it is sure that the process is no more. False for those of other machines, of which nothing is known.
    pub fn is_dead(&self) -> bool {
        if self.machine != machine() {
            return false;
        }
        match find(self.pid) {
            None => true,
            // A number is given to another process in time.
            Some(found) => {
                found.ended
                    || (self.start != 0 && found.start != 0 && found.start.abs_diff(self.start) > START_TOLERANCE)
            }
        }
    }

    /// Sixteen digits that stand for the machine in a file's name.
    pub fn machine_digits(&self) -> String {
        format!("{:016x}", xxhash_rust::xxh3::xxh3_64(self.machine.as_bytes()))
    }
}

struct Found {
    start: u64,
    /// Ended, but its parent has not asked how yet.
    ended: bool,
}

/// A process of this machine. Where the system cannot be asked, it is as if it lived on: silence will tell.
fn find(pid: u32) -> Option<Found> {
    let Ok(mut system) = System::new() else { return Some(Found { start: 0, ended: false }) };
    let pid = Pid::from_u32(pid);
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, ProcessRefreshKind::nothing());
    let process = system.process(pid)?;
    let ended = matches!(process.status(), ProcessStatus::Zombie | ProcessStatus::Dead);
    Some(Found { start: process.start_time(), ended })
}

/// The machine's name, this run of it, and the space of process numbers, which differs from container to container.
fn machine() -> &'static str {
    static MACHINE: OnceLock<String> = OnceLock::new();
    MACHINE.get_or_init(|| {
        let name = System::host_name().unwrap_or_default();
        let run = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let machine = format!("{name}/{}/{}", run.trim(), space.display());
        machine.split_whitespace().collect::<Vec<_>>().join("_")
    })
}

/// Sixteen hexadecimal digits that nobody else draws.
pub(crate) fn random_digits() -> String {
    let drawn = RandomState::new().hash_one((std::process::id(), SystemTime::now()));
    format!("{drawn:016x}")
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_is_dead_once_it_has_ended_even_if_nobody_asked_how() {
        let this = Process::this();
        assert!(!this.is_dead() && this.start > 0, "{this:?}");
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().expect("a child");
        let start = find(child.id()).expect("it lives").start;
        let process = Process { pid: child.id(), start, ..this.clone() };
        assert!(!process.is_dead());
        child.kill().expect("killed");
        while !process.is_dead() {
            std::thread::yield_now();
        }
        child.wait().expect("ended");
        assert!(process.is_dead());
    }

    #[test]
    fn a_number_used_again_is_another_process_and_other_machines_are_not_judged() {
        let this = Process::this();
        assert!(Process { start: this.start - 60, ..this.clone() }.is_dead());
        assert!(!Process { machine: "elsewhere".into(), pid: u32::MAX, ..this.clone() }.is_dead());
        assert!(!this.machine.is_empty() && !this.machine.contains(char::is_whitespace));
    }
}
