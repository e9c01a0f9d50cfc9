//! The process that the library's threads, devices and locks belong to.
//!
//! A child made by fork(2) has the memory of its parent and one thread. Threads of pools and of drivers are not there, and
//! a lock that one of them held is never released: work that is handed to them, or waits for them, never ends. So the
//! first process that starts threads owns the library, and a child of it refuses to work (`trampoline.rs`).

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// The id of the owning process; 0 until threads are started.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// Makes this process the library's, unless one is. To be called before threads are started or a device is opened.
pub fn own_process() {
    // An owner that is there stays.
    let _ = OWNER.compare_exchange(0, process::id(), Ordering::Relaxed, Ordering::Relaxed);
}

/// Whether this process was forked from the library's.
pub(super) fn is_forked() -> bool {
    let owner = OWNER.load(Ordering::Relaxed);
    owner != 0 && owner != process::id()
}
