//! The automatic memory budget of the store.

use super::limits::{Bound, Limits};

/// The automatic budget is the memory divided by this.
const SHARE: u64 = 4;

/// Lower limit of the automatic budget in bytes.
const LEAST: u64 = 256 << 20;

/// Memory that the process may use, in bytes, with its origin: the machine (16 GiB if the system does not provide its
/// size), or a smaller limit. Queries the system; call it from a render, never from describe or load.
pub fn ceiling(limits: &Limits) -> (Bound, u64) {
    let machine = sysinfo::System::new().map_or(16 << 30, |mut system| {
        system.refresh_memory();
        system.total_memory()
    });
    limits.smallest().filter(|(_, total)| *total < machine).unwrap_or((Bound::Machine, machine))
}

/// Automatic budget in bytes: a quarter of the memory, at least 256 MiB.
pub fn automatic_budget(memory: u64) -> u64 {
    (memory / SHARE).max(LEAST)
}
