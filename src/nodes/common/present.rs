//! A simulation in a host that shows the present only (MLT): it is carried from frame to frame, as they come.
//!
//! Such a host answers every request for a value or a picture with the present one, so no earlier frame can be made
//! again. One instance sees all frames, one at a time; each takes the state on from a frame shown before it. Several
//! threads of the host ask for frames a little out of order, so the last ones are kept, and once the host came back to one
//! that it had left out, the next ones are made without leaving any out. Nothing of it enters the store: another order of
//! frames makes other states.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::between::Pairs;
use super::node::{Failure, Node};
use super::pictures::Feed;
use super::shot::{NodeShot, StateOf, Taken};
use super::values::Values;
use crate::timeline::{CachedValue as _, ChainKey, Shot as _};

/// Frames that are kept, at most; a host asks for frames out of order by no more than it has threads. Farther on or back
/// is another place in the shot.
const NEAR: usize = 16;

/// Frames for which none is left out after the host came back to one.
const CAREFUL: u32 = 32;

/// The last frames that were shown, in order.
pub struct Present<N: Node>(Mutex<Trail<N>>);

struct Trail<N: Node> {
    family: ChainKey,
    shown: VecDeque<Shown<N>>,
    /// Frames still to be made without leaving any out.
    careful: u32,
}

struct Shown<N: Node> {
    frame: i64,
    /// Nothing was before it.
    start: bool,
    /// Hash of what it took in.
    taken: ChainKey,
    pairs: Pairs<N::Id>,
    state: Arc<StateOf<N>>,
}

impl<N: Node> Clone for Shown<N> {
    fn clone(&self) -> Self {
        let Self { frame, start, taken, ref pairs, ref state } = *self;
        Self { frame, start, taken, pairs: pairs.clone(), state: Arc::clone(state) }
    }
}

impl<N: Node> Default for Present<N> {
    fn default() -> Self {
        Self(Mutex::new(Trail { family: ChainKey(0), shown: VecDeque::new(), careful: 0 }))
    }
}

impl<N: Node> Trail<N> {
    /// Lets go of the oldest, but never of the newest.
    fn trim(&mut self, bytes: u64) {
        let size = |trail: &Self| trail.shown.iter().map(|shown| shown.state.bytes() as u64).sum::<u64>();
        while self.shown.len() > NEAR || (self.shown.len() > 1 && size(self) > bytes) {
            self.shown.pop_front();
        }
    }
}

impl<N: Node> Shown<N> {
    /// The frame that takes that in, after another or at the start; `None` after an abort.
    fn after<V: Values<N::Id>, F: Feed>(
        before: Option<&Self>,
        shot: &mut NodeShot<'_, N, V, F>,
        frame: i64,
        taken: Taken<N>,
    ) -> Result<Option<Self>, Failure> {
        let state = shot.onward(before.map(|before| &*before.state), &taken)?;
        let start = before.is_none();
        Ok(state.map(|state| Self { frame, start, taken: taken.hash, pairs: taken.pairs, state: Arc::new(state) }))
    }

    /// It is shown once more.
    fn again(&self) -> Carried<N> {
        Carried { state: Arc::clone(&self.state), frames: 0 }
    }
}

/// A state that was reached.
pub struct Carried<N: Node> {
    /// It.
    pub state: Arc<StateOf<N>>,
    /// Frames that were simulated for it.
    pub frames: u64,
}

impl<N: Node> Present<N> {
    /// The state at a frame: one that was shown once more, as long as what it takes in is what it was; one frame on from
    /// the last one shown (over a gap, too, unless the host comes back to what it leaves out); or the start where the host
    /// went back farther. A `time` below `frame` lies before the start, which is shown then. `None` after an abort. At most
    /// `bytes` are kept, beside the newest state.
    ///
    /// # Errors
    /// The host can't be asked, or the frame can't be simulated.
    pub fn follow<V: Values<N::Id>, F: Feed>(
        &self,
        shot: &mut NodeShot<'_, N, V, F>,
        frame: i64,
        time: f64,
        bytes: u64,
    ) -> Result<Option<Carried<N>>, Failure> {
        // Before the start each frame is a start of its own, from the picture that the host has then. CachedValue, it would take
        // the place of the start frame, and of all that goes on from that.
        if time < frame as f64 {
            let Some(taken) = shot.now(&[], [0.0, 1.0], frame, time, true)? else { return Ok(None) };
            let start = Shown::after(None, shot, frame, taken)?;
            return Ok(start.map(|start| Carried { state: start.state, frames: 1 }));
        }
        let family = shot.family();
        // A copy, since the host is called below: a render beside this one at worst repeats a frame.
        let (shown, careful) = self.recall(family, frame, bytes);
        let known = shown.iter().find(|shown| shown.frame == frame);
        let before = shown.iter().rfind(|shown| shown.frame < frame);
        if let Some(known) = known.filter(|known| before.is_none() && !known.start) {
            return Ok(Some(known.again()));
        }
        let near = before.filter(|before| frame - before.frame <= NEAR as i64);
        let late = known.is_none() && shown.last().is_some_and(|newest| newest.frame > frame);
        let base = near.or(before.filter(|_| !late));
        let pairs = near.map_or(&[][..], |near| &near.pairs);
        let Some(taken) = shot.now(pairs, [0.0, 1.0], frame, time, base.is_none())? else { return Ok(None) };
        if let Some(known) = known.filter(|known| known.taken == taken.hash) {
            return Ok(Some(known.again()));
        }
        // In so many steps; one leaves out what lies between.
        let steps = near.filter(|_| careful > 0).map_or(1, |near| frame - near.frame);
        let mut taken = Some(taken).filter(|_| steps == 1);
        let mut made: Vec<Shown<N>> = Vec::new();
        for step in 1..=steps {
            let at = frame - steps + step;
            let way = [step - 1, step].map(|step| step as f64 / steps as f64);
            let taken = match taken.take() {
                None => shot.now(pairs, way, at, time, false)?,
                whole => whole,
            };
            let Some(taken) = taken else { return Ok(None) };
            let Some(next) = Shown::after(made.last().or(base), shot, at, taken)? else { return Ok(None) };
            made.push(next);
        }
        let frames = made.len() as u64;
        let state = made.last().map(|last| Arc::clone(&last.state));
        self.keep(family, made, bytes);
        Ok(state.map(|state| Carried { state, frames }))
    }

    /// Forgets all: the next frame is a start.
    pub fn forget(&self) {
        self.lock().shown.clear();
    }

    /// What was shown of a family, and for how many frames none is left out.
    fn recall(&self, family: ChainKey, frame: i64, bytes: u64) -> (Vec<Shown<N>>, u32) {
        let mut trail = self.lock();
        if trail.family != family {
            return (Vec::new(), 0);
        }
        if trail.shown.back().is_some_and(|newest| newest.frame > frame) {
            trail.careful = CAREFUL;
        }
        trail.trim(bytes);
        (trail.shown.iter().cloned().collect(), trail.careful)
    }

    /// Keeps what was made, in place of what was shown from there on.
    fn keep(&self, family: ChainKey, made: Vec<Shown<N>>, bytes: u64) {
        let mut trail = self.lock();
        let Some(first) = made.first() else { return };
        if trail.family != family || first.start {
            *trail = Trail { family, shown: VecDeque::new(), careful: trail.careful };
        }
        trail.shown.retain(|shown| shown.frame < first.frame);
        trail.careful = trail.careful.saturating_sub(made.len() as u32);
        trail.shown.extend(made);
        trail.trim(bytes);
    }

    fn lock(&self) -> MutexGuard<'_, Trail<N>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
