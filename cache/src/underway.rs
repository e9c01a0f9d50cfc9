//! States that this process is writing, for those that come after them: under which name a state goes depends on where the
//! one before it went.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The keys of the states that are being written.
#[derive(Default)]
pub(crate) struct Underway {
    keys: Mutex<HashMap<u128, usize>>,
    changed: Condvar,
}

/// A state that is being written, until this is dropped.
pub(crate) struct Begun<'a> {
    underway: &'a Underway,
    key: u128,
}

impl Underway {
    fn keys(&self) -> MutexGuard<'_, HashMap<u128, usize>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn begin(&self, key: u128) -> Begun<'_> {
        *self.keys().entry(key).or_default() += 1;
        Begun { underway: self, key }
    }

    /// Waits while one of these is being written. False if none was, or time is up.
    pub fn wait(&self, keys: &[u128], until: Instant) -> bool {
        let mut waited = false;
        let mut written = self.keys();
        while keys.iter().any(|key| written.contains_key(key)) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            written = self.changed.wait_timeout(written, left).unwrap_or_else(PoisonError::into_inner).0;
            waited = true;
        }
        waited
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        let mut keys = self.underway.keys();
        if let Some(count) = keys.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                keys.remove(&self.key);
            }
        }
        drop(keys);
        self.underway.changed.notify_all();
    }
}
