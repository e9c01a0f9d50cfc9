//! How much memory the store may take when nobody says.

use super::limits::{Bound, Limits};

/// Share of the memory that the store takes by itself.
const SHARE: u64 = 4;

/// The least automatic budget.
const LEAST: u64 = 256 << 20;

/// The memory that the process may take at most, in bytes, and what says so: the machine (16 GB where the system doesn't
/// say), or a limit below that. Asks the system: call it from a render, never from describe or load.
pub fn ceiling(limits: &Limits) -> (Bound, u64) {
    let machine = sysinfo::System::new().map_or(16 << 30, |mut system| {
        system.refresh_memory();
        system.total_memory()
    });
    limits.smallest().filter(|(_, total)| *total < machine).unwrap_or((Bound::Machine, machine))
}

/// The automatic budget in bytes: a quarter of the memory, at least 256 MiB.
pub fn automatic_budget(memory: u64) -> u64 {
    (memory / SHARE).max(LEAST)
}
