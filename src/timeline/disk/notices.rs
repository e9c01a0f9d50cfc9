//! Messages about a folder: each is reported once, not at every frame.

use std::path::Path;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Pause after a failure, doubled with each further failure up to the maximum.
const FIRST_REST: Duration = Duration::from_secs(2);
const LONGEST_REST: Duration = Duration::from_secs(300);

/// Number of damaged files that are named between two calls of `take`; further ones are counted.
const MOST_NAMED: usize = 3;

#[derive(Default)]
struct Inner {
    unreported: Vec<String>,
    refused: usize,
    /// Whether the mix of two device classes was reported.
    mixed: bool,
    /// Set by a failure, which is reported once, and reset by a success.
    failing: Option<Failing>,
    folder: String,
}

struct Failing {
    rest: Duration,
    until: Instant,
}

/// The messages of a folder. Thread-safe.
#[derive(Default)]
pub struct Notices(Mutex<Inner>);

impl Notices {
    fn lock(&self) -> parking_lot::MutexGuard<'_, Inner> {
        self.0.lock()
    }

    /// Records a failure of the folder. It is reported the first time since the last success.
    pub fn failed(&self, why: String) {
        let mut inner = self.lock();
        tracing::warn!("{why}");
        let rest = match &inner.failing {
            Some(before) => (before.rest * 2).min(LONGEST_REST),
            None => {
                inner.unreported.push(format!("{why} Rendering goes on from memory."));
                FIRST_REST
            }
        };
        inner.failing = Some(Failing { rest, until: Instant::now() + rest });
    }

    /// Records a success.
    pub fn succeeded(&self) {
        self.lock().failing = None;
    }

    /// Whether the last use of the folder failed.
    pub fn failing(&self) -> bool {
        self.lock().failing.is_some()
    }

    /// Whether the pause after a failure has not ended yet.
    pub fn paused(&self) -> bool {
        self.lock().failing.as_ref().is_some_and(|failing| Instant::now() < failing.until)
    }

    /// Records a damaged file.
    pub fn refused(&self, folder: &Path, why: String) {
        tracing::warn!("{why}");
        let mut inner = self.lock();
        inner.folder = folder.display().to_string();
        if inner.unreported.len() < MOST_NAMED {
            inner.unreported.push(why);
        } else {
            inner.refused += 1;
        }
    }

    /// Whether the mix of two device classes was reported.
    pub fn is_mixed(&self) -> bool {
        self.lock().mixed
    }

    /// Reports, once, that the folder holds frames of two device classes.
    pub fn mixed(&self, message: String) {
        let mut inner = self.lock();
        if !std::mem::replace(&mut inner.mixed, true) {
            tracing::warn!("{message}");
            inner.unreported.push(message);
        }
    }

    /// Takes the messages that have not been reported yet.
    pub fn take(&self) -> Vec<String> {
        let mut inner = self.lock();
        let mut messages = std::mem::take(&mut inner.unreported);
        let more = std::mem::take(&mut inner.refused);
        if more > 0 {
            messages.push(format!(
                "{more} more files in {} were refused and are simulated again. \"flow-host cache verify\" lists them.",
                inner.folder
            ));
        }
        messages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_reported_once_until_a_success() {
        let notices = Notices::default();
        notices.failed("Full.".to_owned());
        notices.failed("Full.".to_owned());
        assert_eq!(notices.take(), ["Full. Rendering goes on from memory."]);
        assert!(notices.paused());
        notices.failed("Full.".to_owned());
        assert!(notices.take().is_empty());
        notices.succeeded();
        assert!(!notices.paused());
        notices.failed("Gone.".to_owned());
        assert_eq!(notices.take().len(), 1);
    }

    #[test]
    fn many_bad_files_are_counted() {
        let notices = Notices::default();
        (0..10).for_each(|n| notices.refused(Path::new("shot"), format!("file {n}")));
        let messages = notices.take();
        assert_eq!(messages.len(), MOST_NAMED + 1);
        assert!(messages[3].starts_with("7 more files in shot"), "{messages:?}");
        assert!(notices.take().is_empty());
    }
}
