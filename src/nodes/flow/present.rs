//! Water in a host that shows the present only (MLT): it is carried from frame to frame, as they come.
//!
//! Such a host answers every request for a value or a picture with the present one, so no earlier frame can be made
//! again. One instance sees all frames, one at a time; each takes the water one frame on from the last. Nothing of it
//! enters the store: another order of frames is another water.

use std::sync::{Arc, Mutex, PoisonError};

use super::shot::{Feed, FlowShot, Told};
use super::values::Values;
use crate::ofx::{Error, Result};
use crate::timeline::{ChainKey, Shot as _};

/// The water of the last frame that was shown.
#[derive(Default)]
pub struct Present(Mutex<Option<Last>>);

#[derive(Clone)]
struct Last {
    family: ChainKey,
    frame: i64,
    told: Arc<Told>,
}

impl Present {
    /// The water at a frame, and how many frames were simulated for it: the last once more, one frame on from it (over a
    /// gap, too), or the start where the host went back. `None` after an abort.
    ///
    /// # Errors
    /// The host can't be asked.
    pub fn follow<V: Values<Error = Error>, F: Feed>(
        &self,
        shot: &mut FlowShot<'_, V, F>,
        frame: i64,
        time: f64,
    ) -> Result<Option<(Arc<Told>, u64)>> {
        // A copy, since the host is called below: a render beside this one at worst repeats a frame.
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let last = last.filter(|last| last.family == shot.family() && last.frame <= frame);
        if let Some(last) = last.as_ref().filter(|last| last.frame == frame) {
            return Ok(Some((Arc::clone(&last.told), 0)));
        }
        let before = last.as_ref().map(|last| &*last.told);
        let Some(told) = shot.present(before, frame, time)? else { return Ok(None) };
        let told = Arc::new(told);
        let now = Last { family: shot.family(), frame, told: Arc::clone(&told) };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
        Ok(Some((told, 1)))
    }

    /// Forgets it: the next frame is a start.
    pub fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
