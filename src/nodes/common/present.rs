//! A simulation in a host that shows the present only (MLT): it is carried from frame to frame, as they come.
//!
//! Such a host answers every request for a value or a picture with the present one, so no earlier frame can be made
//! again. One instance sees all frames, one at a time; each takes the state one frame on from the last. Nothing of it
//! enters the store: another order of frames makes other states.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::node::{Failure, Node, Simulation};
use super::pictures::Feed;
use super::shot::NodeShot;
use super::values::Values;
use crate::timeline::{ChainKey, Shot as _};

/// The last frame that was shown.
pub struct Present<S>(Mutex<Option<Last<S>>>);

struct Last<S> {
    family: ChainKey,
    frame: i64,
    state: Arc<S>,
}

impl<S> Default for Present<S> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<S> Present<S> {
    /// The state at a frame, and how many frames were simulated for it: the last once more, one frame on from it (over a
    /// gap, too), or the start where the host went back. `None` after an abort.
    ///
    /// # Errors
    /// The host can't be asked, or the frame can't be simulated.
    pub fn follow<N: Node, V: Values<N::Id>, F: Feed>(
        &self,
        shot: &mut NodeShot<'_, N, V, F>,
        frame: i64,
        time: f64,
    ) -> Result<Option<(Arc<S>, u64)>, Failure>
    where
        N::Simulation: Simulation<N, State = S>,
    {
        let family = shot.family();
        let fits = |last: &&Last<S>| last.family == family && last.frame <= frame;
        // A copy, since the host is called below: a render beside this one at worst repeats a frame.
        let last = self.lock().as_ref().filter(fits).map(|last| (last.frame, Arc::clone(&last.state)));
        if let Some((_, state)) = last.as_ref().filter(|(last, _)| *last == frame) {
            return Ok(Some((Arc::clone(state), 0)));
        }
        let before = last.as_ref().map(|(_, state)| &**state);
        let Some(state) = shot.present(before, frame, time)? else { return Ok(None) };
        let state = Arc::new(state);
        *self.lock() = Some(Last { family, frame, state: Arc::clone(&state) });
        Ok(Some((state, 1)))
    }

    /// Forgets it: the next frame is a start.
    pub fn forget(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<Last<S>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
