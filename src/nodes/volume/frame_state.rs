//! The volume of a frame with its diagnostics.

use crate::sim::volume::{Diagnostics, State};
use crate::timeline::CachedValue;

/// A frame in the store.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameState {
    /// The fields.
    pub volume: State,
    /// Diagnostics of the chain.
    pub diagnostics: Diagnostics,
}

impl CachedValue for FrameState {
    fn bytes(&self) -> usize {
        self.volume.bytes()
    }
}
