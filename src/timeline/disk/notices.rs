//! What there is to tell of a folder: each thing once, and not at every frame.

use std::path::Path;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// After a failure the folder is left alone for this long, doubled with each further one.
const FIRST_REST: Duration = Duration::from_secs(2);
const LONGEST_REST: Duration = Duration::from_secs(300);

/// Bad files that are named one by one between two looks; the others are counted.
const MOST_NAMED: usize = 3;

#[derive(Default)]
struct Inner {
    unreported: Vec<String>,
    refused: usize,
    /// It was told that the folder holds frames of two kinds of devices.
    mixed: bool,
    /// Since a failure, until a success: it has been told.
    failing: Option<Failing>,
    folder: String,
}

struct Failing {
    rest: Duration,
    until: Instant,
}

/// Collects them. Safe to use from any thread.
#[derive(Default)]
pub struct Notices(Mutex<Inner>);

impl Notices {
    fn lock(&self) -> parking_lot::MutexGuard<'_, Inner> {
        self.0.lock()
    }

    /// The folder can't be used. Told the first time since it last could be.
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

    /// The folder can be used.
    pub fn succeeded(&self) {
        self.lock().failing = None;
    }

    /// Whether it failed the last time.
    pub fn failing(&self) -> bool {
        self.lock().failing.is_some()
    }

    /// Whether it failed a moment ago, so that another try would most likely fail, too.
    pub fn paused(&self) -> bool {
        self.lock().failing.as_ref().is_some_and(|failing| Instant::now() < failing.until)
    }

    /// A file turned out bad.
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

    /// Whether it was told that the folder holds frames of two kinds of devices.
    pub fn is_mixed(&self) -> bool {
        self.lock().mixed
    }

    /// The folder holds frames of two kinds of devices. Told once.
    pub fn mixed(&self, what: String) {
        let mut inner = self.lock();
        if !std::mem::replace(&mut inner.mixed, true) {
            tracing::warn!("{what}");
            inner.unreported.push(what);
        }
    }

    /// What was not told yet.
    pub fn take(&self) -> Vec<String> {
        let mut inner = self.lock();
        let mut told = std::mem::take(&mut inner.unreported);
        let more = std::mem::take(&mut inner.refused);
        if more > 0 {
            told.push(format!(
                "{more} more files in {} were refused and are simulated anew. \"flow-host cache verify\" lists them.",
                inner.folder
            ));
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_once_until_the_folder_works_again() {
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
        let told = notices.take();
        assert_eq!(told.len(), MOST_NAMED + 1);
        assert!(told[3].starts_with("7 more files in shot"), "{told:?}");
        assert!(notices.take().is_empty());
    }
}
