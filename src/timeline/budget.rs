//! How much memory the store may take when nobody says.

/// Share of the machine's memory that the store takes by itself.
const SHARE: u64 = 4;

/// The least automatic budget.
const LEAST: u64 = 256 << 20;

/// The memory of the machine, or of the control group where a farm sets one, in bytes; 16 GB where the system doesn't
/// say. Asks the system: call it from a render, never from describe or load.
pub fn machine_memory() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return 16 << 30 };
    system.refresh_memory();
    system.cgroup_limits().map_or(system.total_memory(), |limits| limits.total_memory)
}

/// The automatic budget in bytes: a quarter of a machine's memory, at least 256 MiB.
pub fn automatic_budget(memory: u64) -> u64 {
    (memory / SHARE).max(LEAST)
}
