//! The water of a frame with the diagnostics of its chain.

use std::sync::OnceLock;

use crate::sim::water::{Diagnostics, State};
use crate::timeline::CachedValue;

/// A frame in the store.
#[derive(Clone, Debug)]
pub struct FrameState {
    /// The water.
    pub water: State,
    /// Diagnostics of the chain up to this frame.
    pub diagnostics: Diagnostics,
    /// Mean height and wet share, after the first call of [`FrameState::summary`].
    summary: OnceLock<(f64, f64)>,
}

impl FrameState {
    /// A frame.
    pub fn new(water: State, diagnostics: Diagnostics) -> FrameState {
        FrameState { water, diagnostics, summary: OnceLock::new() }
    }

    /// The frame after `before` in a chain, or its first.
    pub fn after(before: Option<&FrameState>, water: State, diagnostics: Diagnostics) -> FrameState {
        let before = before.map(|before| before.diagnostics).unwrap_or_default();
        FrameState::new(water, diagnostics.after(before))
    }

    /// Mean height of the water, and the share of the frame that is wet. Counted on the first call.
    pub fn summary(&self) -> (f64, f64) {
        *self.summary.get_or_init(|| {
            let water = &self.water;
            (water.mean_height(), water.wet_share())
        })
    }
}

impl CachedValue for FrameState {
    fn bytes(&self) -> usize {
        self.water.bytes()
    }
}
