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
use crate::timeline::{ChainKey, Kept as _, Shot as _};

/// Frames that are kept, at most; a host asks for frames out of order by no more than it has threads. Farther on or back
/// is another place in the shot.
const NEAR: usize = 16;

/// Frames for which none is left out after the host came back to one.
const CAREFUL: u32 = 32;

/// All the way from the frame before to this one.
const WHOLE: [f64; 2] = [0.0, 1.0];

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
    taken: u128,
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

/// From where a frame is made.
enum From<'t, N: Node> {
    /// The start.
    Start,
    /// A frame shown before it, in one step.
    Over(&'t Shown<N>),
    /// A frame shown before it, by all frames between.
    Each(&'t Shown<N>),
}

impl<N: Node> Present<N> {
    /// The state at a frame: one that was shown once more, as long as what it takes in is what it was; one frame on from
    /// the last one shown (over a gap, too, unless the host comes back to what it leaves out); or the start where the host
    /// went back farther. `None` after an abort. At most `bytes` are kept, beside the newest state.
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
        let family = shot.family();
        // A copy, since the host is called below: a render beside this one at worst repeats a frame.
        let (shown, careful) = self.recall(family, frame);
        let base = shown.iter().rfind(|shown| shown.frame < frame);
        let near = base.filter(|base| frame - base.frame <= NEAR as i64);
        let known = shown.iter().find(|shown| shown.frame == frame);
        if let Some(known) = known.filter(|known| near.is_none() && !known.start) {
            return Ok(Some(known.again()));
        }
        let late = shown.last().is_some_and(|newest| newest.frame > frame);
        let from = match (base, near) {
            (_, Some(near)) if careful > 0 => From::Each(near),
            (_, Some(near)) => From::Over(near),
            (Some(base), None) if !late => From::Over(base),
            _ => From::Start,
        };
        let pairs = near.map_or(&[][..], |near| &near.pairs);
        let first = matches!(from, From::Start);
        let Some(mut taken) = shot.now(pairs, WHOLE, frame, time, first)? else { return Ok(None) };
        if let Some(known) = known.filter(|known| known.taken == taken.hash) {
            return Ok(Some(known.again()));
        }
        let mut made: Vec<Shown<N>> = Vec::new();
        let before = match from {
            From::Start => None,
            From::Over(base) => Some(base),
            From::Each(base) => {
                let count = frame - base.frame;
                for nth in 1..count {
                    let way = [nth - 1, nth].map(|nth| nth as f64 / count as f64);
                    let Some(part) = shot.now(pairs, way, base.frame + nth, time, false)? else { return Ok(None) };
                    let before = made.last().unwrap_or(base);
                    let Some(next) = Shown::after(Some(before), shot, base.frame + nth, part)? else { return Ok(None) };
                    made.push(next);
                }
                if let Some(last) = made.last() {
                    // It begins where the one before it ends.
                    let Some(rest) = shot.now(&last.pairs, WHOLE, frame, time, false)? else { return Ok(None) };
                    taken = rest;
                }
                Some(base)
            }
        };
        let Some(last) = Shown::after(made.last().or(before), shot, frame, taken)? else { return Ok(None) };
        made.push(last.clone());
        let frames = made.len() as u64;
        self.keep(family, made, bytes);
        Ok(Some(Carried { state: last.state, frames }))
    }

    /// Forgets all: the next frame is a start.
    pub fn forget(&self) {
        self.lock().shown.clear();
    }

    /// What was shown of a family, and for how many frames none is left out.
    fn recall(&self, family: ChainKey, frame: i64) -> (Vec<Shown<N>>, u32) {
        let mut trail = self.lock();
        if trail.family != family {
            return (Vec::new(), 0);
        }
        if trail.shown.back().is_some_and(|newest| newest.frame > frame) {
            trail.careful = CAREFUL;
        }
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
        let size = |trail: &Trail<N>| trail.shown.iter().map(|shown| shown.state.bytes() as u64).sum::<u64>();
        while trail.shown.len() > NEAR || (trail.shown.len() > 1 && size(&trail) > bytes) {
            trail.shown.pop_front();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Trail<N>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
