//! The process that owns the library's threads, devices and locks.
//!
//! A child of fork(2) has the memory of its parent and one thread. It lacks the threads of pools and of drivers, and a
//! lock that one of them held is never released: work that needs them never ends. The first process that starts threads
//! therefore owns the library, and its forked children refuse to work (`trampoline.rs`).

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// The id of the owning process; 0 until threads are started.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// Makes this process the owner unless there is one. To be called before threads are started or a device is opened.
pub fn own_process() {
    // An existing owner stays.
    let _ = OWNER.compare_exchange(0, process::id(), Ordering::Relaxed, Ordering::Relaxed);
}

/// Whether this process was forked from the owner.
pub(super) fn is_forked() -> bool {
    let owner = OWNER.load(Ordering::Relaxed);
    owner != 0 && owner != process::id()
}
