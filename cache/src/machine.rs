//! Identity of this machine and process, and whether another process of the machine lives.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::OnceLock;
use std::time::SystemTime;

use parking_lot::Mutex;
use sysinfo::{Pid, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

/// Tolerance of start times in seconds. They have a resolution of one second, and the boot time that they are relative
/// to may be corrected.
const START_TOLERANCE: u64 = 2;

/// A process, distinct from all others on all machines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Process {
    /// The machine, its boot and its PID namespace, without white space.
    pub machine: String,
    pub pid: u32,
    /// Start time in seconds since 1970 by the machine's clock; 0 if the system does not provide it.
    pub start: u64,
}

impl Process {
    /// This process.
    pub fn this() -> Self {
        static THIS: Mutex<Option<Process>> = Mutex::new(None);
        let mut this = THIS.lock();
        let pid = std::process::id();
        // After a fork the cached value is that of the parent.
        if let Some(process) = this.as_ref().filter(|process| process.pid == pid) {
            return process.clone();
        }
        let start = find(pid).map_or(0, |found| found.start);
        this.insert(Self { machine: machine().to_owned(), pid, start }).clone()
    }

    /// Whether the process has certainly ended. False for processes of other machines, which cannot be queried.
    pub fn is_dead(&self) -> bool {
        if self.machine != machine() {
            return false;
        }
        match find(self.pid) {
            None => true,
            // The system may have reused the number for another process.
            Some(found) => {
                found.ended
                    || (self.start != 0 && found.start != 0 && found.start.abs_diff(self.start) > START_TOLERANCE)
            }
        }
    }

    /// Sixteen hexadecimal digits that identify the machine in file names.
    pub fn machine_digits(&self) -> String {
        format!("{:016x}", xxhash_rust::xxh3::xxh3_64(self.machine.as_bytes()))
    }
}

struct Found {
    start: u64,
    /// The process is a zombie: ended, but not yet reaped by its parent.
    ended: bool,
}

/// Queries a process of this machine; `None` if it does not exist. If the query fails, the process counts as alive;
/// its claims expire when their heartbeat stops.
fn find(pid: u32) -> Option<Found> {
    let Ok(mut system) = System::new() else { return Some(Found { start: 0, ended: false }) };
    let pid = Pid::from_u32(pid);
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, ProcessRefreshKind::nothing());
    let process = system.process(pid)?;
    let ended = matches!(process.status(), ProcessStatus::Zombie | ProcessStatus::Dead);
    Some(Found { start: process.start_time(), ended })
}

/// Host name, boot ID and PID namespace, which differs between containers.
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

/// Sixteen random hexadecimal digits.
pub(crate) fn random_digits() -> String {
    let drawn = RandomState::new().hash_one((std::process::id(), SystemTime::now()));
    format!("{drawn:016x}")
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_is_dead_after_its_end_even_if_not_reaped() {
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
    fn a_reused_process_number_is_another_process_and_other_machines_are_not_queried() {
        let this = Process::this();
        assert!(Process { start: this.start - 60, ..this.clone() }.is_dead());
        assert!(!Process { machine: "elsewhere".into(), pid: u32::MAX, ..this.clone() }.is_dead());
        assert!(!this.machine.is_empty() && !this.machine.contains(char::is_whitespace));
    }
}
