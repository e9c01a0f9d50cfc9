//! The particles of a frame with its diagnostics.

use crate::sim::particles::{Diagnostics, State};
use crate::timeline::CachedValue;

/// A frame in the store.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameState {
    /// The particles.
    pub particles: State,
    /// Diagnostics of the frame.
    pub diagnostics: Diagnostics,
}

impl CachedValue for FrameState {
    fn bytes(&self) -> usize {
        self.particles.bytes()
    }
}
