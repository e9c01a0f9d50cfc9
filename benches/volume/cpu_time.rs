//! CPU time of the process.

/// CPU-seconds of all threads since the start.
#[cfg(unix)]
pub fn seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
}

/// Only the clock of Unix is known here.
#[cfg(not(unix))]
pub fn seconds() -> Option<f64> {
    None
}
