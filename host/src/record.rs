//! Record of the calls between the host and its plug-ins: the latest events, and counts of all calls.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Status;

/// An action, a request, a message or a violation.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The host called an action.
    Action {
        /// The node's name, or the plug-in's identifier before there is a node.
        node: String,
        /// The action.
        action: &'static str,
        /// The frame, for actions that have one.
        time: Option<f64>,
        /// The answer.
        status: Status,
    },
    /// The plug-in requested an image.
    Fetch {
        /// The node's name.
        node: String,
        /// The clip.
        clip: String,
        /// The requested time.
        time: f64,
        /// Whether the clip had an image.
        found: bool,
    },
    /// The plug-in showed a message.
    Message {
        /// The node's name.
        node: String,
        /// The standard's message type.
        kind: String,
        /// The text.
        text: String,
        /// Whether the message stays until it is cleared.
        persistent: bool,
    },
    /// The plug-in cleared its persistent message.
    Cleared {
        /// The node's name.
        node: String,
    },
    /// The plug-in requested a suite that this host lacks.
    NoSuite {
        /// The suite.
        name: String,
        /// The requested version.
        version: i32,
    },
    /// The plug-in named a property that the set lacks; allowed.
    NoProperty {
        /// Owner of the set.
        set: String,
        /// The property.
        name: String,
    },
    /// The plug-in reported progress, 0 to 1.
    Progress {
        /// The node's name.
        node: String,
        /// The fraction that is done.
        progress: f64,
    },
    /// The plug-in broke a rule of the standard.
    Violation(String),
}

/// Number of events that are kept.
const KEPT: usize = 20_000;

#[derive(Default)]
struct Inner {
    events: VecDeque<Event>,
    counts: BTreeMap<&'static str, u64>,
    violations: Vec<String>,
    leaked: usize,
}

/// The record of one host. May be read at any time from any thread.
#[derive(Default)]
pub struct Record {
    inner: Mutex<Inner>,
}

impl Record {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, event: Event) {
        let mut inner = self.lock();
        if inner.events.len() == KEPT {
            inner.events.pop_front();
        }
        inner.events.push_back(event);
    }

    pub(crate) fn violation(&self, text: impl Into<String>) {
        let text = text.into();
        let mut inner = self.lock();
        if inner.violations.len() < 1000 && !inner.violations.contains(&text) {
            inner.violations.push(text.clone());
        }
        drop(inner);
        self.push(Event::Violation(text));
    }

    pub(crate) fn leak(&self, text: String) {
        self.lock().leaked += 1;
        self.violation(text);
    }

    pub(crate) fn count_call(&self, call: &'static str) {
        *self.lock().counts.entry(call).or_default() += 1;
    }

    /// The latest events, oldest first (at most 20,000).
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        self.lock().events.iter().cloned().collect()
    }

    /// Names of the actions among the latest events, oldest first, without the
    /// standard's prefixes.
    #[must_use]
    pub fn actions(&self) -> Vec<String> {
        self.lock()
            .events
            .iter()
            .filter_map(|event| match event {
                Event::Action { action, .. } => Some(short_action(action)),
                _ => None,
            })
            .collect()
    }

    /// Number of calls of a suite function by plug-ins, or of an action by the host.
    #[must_use]
    pub fn count(&self, call: &str) -> u64 {
        self.lock().counts.get(call).copied().unwrap_or(0)
    }

    /// Rules of the standard that were broken, each once.
    #[must_use]
    pub fn violations(&self) -> Vec<String> {
        self.lock().violations.clone()
    }

    /// Images that plug-ins fetched and did not release.
    #[must_use]
    pub fn leaked_images(&self) -> usize {
        self.lock().leaked
    }

    /// Removes all entries.
    pub fn clear(&self) {
        *self.lock() = Inner::default();
    }
}

/// "Render" for `OfxImageEffectActionRender`.
pub(crate) fn short_action(action: &str) -> String {
    action.trim_start_matches("OfxImageEffectAction").trim_start_matches("OfxAction").to_owned()
}
