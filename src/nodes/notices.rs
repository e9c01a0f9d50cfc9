//! Notices about files that parameters name: each is posted once, not at every frame.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Largest number of notices that are remembered as posted.
const MOST: usize = 64;

#[derive(Default)]
struct Inner {
    /// Subject and text of the notices that have been posted, or wait.
    known: Vec<(String, String)>,
    waiting: Vec<String>,
}

/// The notices of the process. Thread-safe.
#[derive(Default)]
pub struct Notices(Mutex<Inner>);

impl Notices {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a notice about a subject, unless the same one is known.
    pub fn add(&self, subject: &str, text: &str) {
        let mut inner = self.lock();
        if inner.known.iter().any(|(other, known)| other == subject && known == text) {
            return;
        }
        tracing::warn!("{text}");
        if inner.known.len() >= MOST {
            inner.known.remove(0);
        }
        inner.known.push((subject.to_owned(), text.to_owned()));
        inner.waiting.push(text.to_owned());
    }

    /// Forgets the notices about a subject, which works again.
    pub fn settle(&self, subject: &str) {
        self.lock().known.retain(|(other, _)| other != subject);
    }

    /// Takes the notices that have not been posted.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_is_posted_once_until_its_subject_works_again() {
        let notices = Notices::default();
        for _ in 0..3 {
            notices.add("a", "Full.");
            notices.add("b", "Full.");
        }
        assert_eq!(notices.take(), ["Full.", "Full."]);
        notices.add("a", "Full.");
        assert_eq!(notices.take(), [""; 0]);
        notices.settle("a");
        notices.add("a", "Full.");
        notices.add("b", "Full.");
        assert_eq!(notices.take(), ["Full."]);
    }
}
