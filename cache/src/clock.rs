//! Time as this process counts it: how long something has been so, never what o'clock it is.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Counts the time that a [`Folder`](crate::Folder) goes by. Clones are the same clock.
#[derive(Clone, Debug, Default)]
pub struct Clock(Option<Arc<AtomicU64>>);

impl Clock {
    /// The system's monotonic clock.
    pub fn system() -> Self {
        Self(None)
    }

    /// A clock that stands still but for [`Clock::advance`], so that tests need not wait.
    pub fn manual() -> Self {
        Self(Some(Arc::default()))
    }

    /// Moves a manual clock on, in whole milliseconds; the system's goes by itself.
    pub fn advance(&self, by: Duration) {
        if let Some(milliseconds) = &self.0 {
            milliseconds.fetch_add(by.as_millis() as u64, Ordering::Relaxed);
        }
    }

    /// Time since some moment that stays the same in this process.
    pub(crate) fn now(&self) -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        match &self.0 {
            Some(milliseconds) => Duration::from_millis(milliseconds.load(Ordering::Relaxed)),
            None => START.get_or_init(Instant::now).elapsed(),
        }
    }
}
