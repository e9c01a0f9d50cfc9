//! The action that runs on a thread, and its target of suite calls.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};

use flow_openfx as ofx;

use crate::host::HostCore;
use crate::misuse::Claim;
use crate::node::NodeCore;
use crate::queries::Ranges;
use crate::record::Record;
use crate::{Error, RectI};
use flow_openfx::ChangeReason;

/// Called at each poll with the number of polls so far; true stops the render.
pub type AbortCheck = Arc<dyn Fn(u64) -> bool + Send + Sync>;

/// The abort state of one render and of all renders upstream.
#[derive(Default)]
pub(crate) struct Abort {
    pub check: Option<AbortCheck>,
    polls: AtomicU64,
    aborted: AtomicBool,
}

impl Abort {
    pub(crate) fn new(check: Option<AbortCheck>) -> Self {
        Self { check, ..Self::default() }
    }

    pub(crate) fn poll(&self) -> bool {
        let polls = self.polls.fetch_add(1, Ordering::Relaxed);
        if self.check.as_ref().is_some_and(|check| check(polls)) {
            self.aborted.store(true, Ordering::Relaxed);
        }
        self.aborted()
    }

    pub(crate) fn aborted(&self) -> bool {
        self.aborted.load(Ordering::Relaxed)
    }

    pub(crate) fn polls(&self) -> u64 {
        self.polls.load(Ordering::Relaxed)
    }
}

/// An image that a plug-in requested.
#[derive(Clone, Debug, PartialEq)]
pub struct Fetch {
    /// The clip.
    pub clip: String,
    /// The requested time.
    pub time: f64,
    /// Whether the clip had an image.
    pub found: bool,
}

/// Results that the action in progress collects.
#[derive(Default)]
pub(crate) struct Gathered {
    /// Images that the plug-in holds: handle and name in messages.
    pub images: Vec<(usize, String)>,
    pub fetched: Vec<Fetch>,
    pub stats: Map<String, Value>,
    /// The failure of an input.
    pub source_error: Option<Error>,
    pub messages: Vec<String>,
}

/// One action in progress.
pub(crate) struct Action {
    pub name: &'static str,
    pub record: Arc<Record>,
    /// Threads that the host offers.
    pub threads: usize,
    /// Calls that end the process in the emulated program.
    pub fatal_calls: &'static [&'static str],
    pub node: Option<Arc<NodeCore>>,
    /// Number of the effect's handle.
    pub effect: usize,
    pub time: Option<f64>,
    pub scale: (f64, f64),
    pub rows: Option<crate::RowLayout>,
    pub window: Option<RectI>,
    /// Ranges that GetFramesNeeded declared, by clip; `None` if the action was not called.
    pub declared: Option<Ranges>,
    pub abort: Arc<Abort>,
    /// Cause of the change, in InstanceChanged.
    pub reason: Option<ChangeReason>,
    /// False claims about images, in place of their true descriptions.
    pub claims: Vec<Claim>,
    pub output: Mutex<Option<crate::Image>>,
    /// Pictures of the rendered planes other than colour.
    pub planes: Mutex<Vec<(crate::Plane, crate::Image)>>,
    /// Requested planes without an image.
    pub withheld: Vec<crate::Plane>,
    pub gathered: Mutex<Gathered>,
}

impl Action {
    /// An action on the effect with that handle; all other fields are empty.
    pub(crate) fn new(name: &'static str, host: &HostCore, effect: usize) -> Self {
        Self {
            name,
            record: Arc::clone(&host.record),
            threads: host.profile.threads,
            fatal_calls: host.profile.fatal_calls,
            node: None,
            effect,
            time: None,
            scale: (1.0, 1.0),
            rows: None,
            window: None,
            declared: None,
            reason: None,
            claims: Vec::new(),
            abort: inherited_abort().unwrap_or_default(),
            output: Mutex::default(),
            planes: Mutex::default(),
            withheld: Vec::new(),
            gathered: Mutex::default(),
        }
    }

    /// Whether the action forbids changes by the plug-in.
    pub(crate) fn renders(&self) -> bool {
        matches!(
            ofx::Action::parse(self.name),
            Some(
                ofx::Action::Render
                    | ofx::Action::IsIdentity
                    | ofx::Action::GetRegionOfDefinition
                    | ofx::Action::GetRegionsOfInterest
                    | ofx::Action::GetFramesNeeded
                    | ofx::Action::BeginSequenceRender
                    | ofx::Action::EndSequenceRender
                    | ofx::Action::GetClipPreferences
                    | ofx::Action::Draw
            )
        )
    }

    /// Whether the action belongs to the user's work with an overlay.
    pub(crate) fn follows_the_pen(&self) -> bool {
        matches!(
            ofx::Action::parse(self.name),
            Some(ofx::Action::PenDown | ofx::Action::PenMotion | ofx::Action::PenUp | ofx::Action::LoseFocus)
        )
    }

    pub(crate) fn gather<R>(&self, f: impl FnOnce(&mut Gathered) -> R) -> R {
        f(&mut self.gathered.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

thread_local! {
    /// The actions in progress on this thread, the innermost last: a render may call
    /// the render of another node.
    static STACK: RefCell<Vec<Arc<Action>>> = const { RefCell::new(Vec::new()) };
}

/// Removes the action from its thread when dropped.
pub(crate) struct ActionGuard;

impl Drop for ActionGuard {
    fn drop(&mut self) {
        STACK.with_borrow_mut(|stack| stack.pop());
    }
}

/// Makes an action the current one of this thread.
pub(crate) fn enter(action: Arc<Action>) -> ActionGuard {
    STACK.with_borrow_mut(|stack| stack.push(action));
    ActionGuard
}

/// The innermost action of this thread.
pub(crate) fn current() -> Option<Arc<Action>> {
    STACK.with_borrow(|stack| stack.last().cloned())
}

/// The innermost action of this thread on that node.
pub(crate) fn current_of(node: &NodeCore) -> Option<Arc<Action>> {
    STACK.with_borrow(|stack| {
        stack.iter().rev().find(|action| action.node.as_ref().is_some_and(|n| std::ptr::eq(&**n, node))).cloned()
    })
}

/// The abort state of the innermost action of this thread.
pub(crate) fn inherited_abort() -> Option<Arc<Abort>> {
    current().map(|action| Arc::clone(&action.abort))
}
