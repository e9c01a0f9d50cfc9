//! Memory of the process.

/// Largest resident memory so far, bytes; `None` where the system does not tell.
pub fn largest() -> Option<u64> {
    of("VmHWM:")
}

/// Resident memory, bytes; `None` where the system does not tell.
pub fn resident() -> Option<u64> {
    of("VmRSS:")
}

fn of(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes << 10)
}
