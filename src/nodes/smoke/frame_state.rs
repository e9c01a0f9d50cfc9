//! The smoke of a frame with the diagnostics of its chain.

use crate::sim::smoke::{Diagnostics, State};
use crate::timeline::CachedValue;

/// A frame in the store.
#[derive(Clone, Debug)]
pub struct FrameState {
    /// The smoke.
    pub smoke: State,
    /// Diagnostics of the chain up to this frame.
    pub diagnostics: Diagnostics,
}

impl FrameState {
    /// The frame after `before` in a chain, or its first.
    pub fn after(before: Option<&FrameState>, (smoke, diagnostics): (State, Diagnostics)) -> FrameState {
        let before = before.map(|before| before.diagnostics).unwrap_or_default();
        FrameState { smoke, diagnostics: diagnostics.after(before) }
    }
}

impl CachedValue for FrameState {
    fn bytes(&self) -> usize {
        self.smoke.bytes()
    }
}
