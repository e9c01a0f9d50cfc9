//! States that this process is writing. The take of a state depends on the take of the previous one, so later states
//! wait.

use std::collections::HashMap;
use std::time::Instant;

use parking_lot::{Condvar, Mutex, MutexGuard};

/// The keys of the states that are being written, each with the number of its writers.
#[derive(Default)]
pub(crate) struct InProgress {
    keys: Mutex<HashMap<u128, usize>>,
    changed: Condvar,
}

/// Registration of a state that is being written; dropping it ends the registration.
pub(crate) struct Begun<'a> {
    in_progress: &'a InProgress,
    key: u128,
}

impl InProgress {
    fn keys(&self) -> MutexGuard<'_, HashMap<u128, usize>> {
        self.keys.lock()
    }

    pub fn begin(&self, key: u128) -> Begun<'_> {
        *self.keys().entry(key).or_default() += 1;
        Begun { in_progress: self, key }
    }

    /// Waits while one of the keys is being written, at most until `until`. Returns false if there was no wait or the
    /// time is over.
    pub fn wait(&self, keys: &[u128], until: Instant) -> bool {
        let mut waited = false;
        let mut written = self.keys();
        while keys.iter().any(|key| written.contains_key(key)) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            self.changed.wait_for(&mut written, left);
            waited = true;
        }
        waited
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        let mut keys = self.in_progress.keys();
        if let Some(count) = keys.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                keys.remove(&self.key);
            }
        }
        drop(keys);
        self.in_progress.changed.notify_all();
    }
}
