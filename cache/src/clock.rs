//! The monotonic clock of this process, for durations only.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Clock of a [`Folder`](crate::Folder). Clones share the same clock.
#[derive(Clone, Debug, Default)]
pub struct Clock(Option<Arc<AtomicU64>>);

impl Clock {
    /// The system's monotonic clock.
    pub fn system() -> Self {
        Self(None)
    }

    /// A clock for tests that advances only by [`Clock::advance`].
    pub fn manual() -> Self {
        Self(Some(Arc::default()))
    }

    /// Advances a manual clock, in whole milliseconds. Has no effect on the system's clock.
    pub fn advance(&self, by: Duration) {
        if let Some(milliseconds) = &self.0 {
            milliseconds.fetch_add(by.as_millis() as u64, Ordering::Relaxed);
        }
    }

    /// Time since an arbitrary moment that is constant in this process.
    pub(crate) fn now(&self) -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        match &self.0 {
            Some(milliseconds) => Duration::from_millis(milliseconds.load(Ordering::Relaxed)),
            None => START.get_or_init(Instant::now).elapsed(),
        }
    }
}
