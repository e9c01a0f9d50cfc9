//! The simulation in a sequential-only host (MLT): the state advances from frame to frame in the order of the renders.
//!
//! Such a host answers every request for a value or an image with the current one, so no earlier frame can be simulated
//! again. One instance sees all frames, one at a time; each advances the state of a frame rendered before it. Several
//! threads of the host ask for frames slightly out of order: the last states are kept, and once the host has returned
//! to a frame that was skipped, the next frames are simulated without skipping any. None of these states enters the
//! store: another order of frames makes other states.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::chain::{Consumed, NodeChain, StateOf};
use super::interpolated::Pairs;
use super::node::{Failure, Node};
use super::pictures::ImageSource;
use super::values::Values;
use crate::timeline::{CachedValue as _, ChainKey, Shot as _};

/// Largest number of kept states. A host has fewer threads, and requests frames out of order by at most that number; a
/// frame farther away is a jump of the playhead.
const NEAR: usize = 16;

/// Number of frames that are simulated without skipping any, after the host returned to a skipped one.
const CAREFUL: u32 = 32;

/// The last frames that were rendered, in order.
pub struct SequentialFrames<N: Node>(Mutex<Recent<N>>);

struct Recent<N: Node> {
    family: ChainKey,
    rendered: VecDeque<Rendered<N>>,
    /// Frames still to be simulated without skipping any.
    careful: u32,
}

struct Rendered<N: Node> {
    frame: i64,
    /// Whether the frame is a start, without a previous frame.
    start: bool,
    /// Hash of its settings and pictures.
    consumed: ChainKey,
    pairs: Pairs<N::Id>,
    state: Arc<StateOf<N>>,
}

impl<N: Node> Clone for Rendered<N> {
    fn clone(&self) -> Self {
        let Self { frame, start, consumed, ref pairs, ref state } = *self;
        Self { frame, start, consumed, pairs: pairs.clone(), state: Arc::clone(state) }
    }
}

impl<N: Node> Default for SequentialFrames<N> {
    fn default() -> Self {
        Self(Mutex::new(Recent { family: ChainKey(0), rendered: VecDeque::new(), careful: 0 }))
    }
}

impl<N: Node> Recent<N> {
    /// Drops the oldest states beyond the limits, but never the newest.
    fn trim(&mut self, bytes: u64) {
        let size = |recent: &Self| recent.rendered.iter().map(|frame| frame.state.bytes() as u64).sum::<u64>();
        while self.rendered.len() > NEAR || (self.rendered.len() > 1 && size(self) > bytes) {
            self.rendered.pop_front();
        }
    }
}

impl<N: Node> Rendered<N> {
    /// Simulates a frame after another or as the start; `None` after an abort.
    fn after<V: Values<N::Id>, I: ImageSource>(
        before: Option<&Self>,
        chain: &mut NodeChain<'_, N, V, I>,
        frame: i64,
        consumed: Consumed<N>,
    ) -> Result<Option<Self>, Failure> {
        let state = chain.simulate(before.map(|before| &*before.state), &consumed)?;
        let start = before.is_none();
        let Consumed { hash: consumed, pairs, .. } = consumed;
        Ok(state.map(|state| Self { frame, start, consumed, pairs, state: Arc::new(state) }))
    }

    /// The state, without simulation.
    fn again(&self) -> Simulated<N> {
        Simulated { state: Arc::clone(&self.state), frames: 0 }
    }
}

/// A state, and the number of frames that were simulated for it.
pub struct Simulated<N: Node> {
    /// The state.
    pub state: Arc<StateOf<N>>,
    /// Frames.
    pub frames: u64,
}

impl<N: Node> SequentialFrames<N> {
    /// The state at a frame. A kept state with the same settings and pictures is returned. Otherwise the last state is
    /// advanced by one frame, also after a gap, unless the host has returned to the frames in it; if the host went back
    /// farther, the simulation starts again. A `time` below `frame` lies before the start: the result is a separate
    /// start. `None` after an abort. At most `bytes` are kept, in addition to the newest state.
    ///
    /// # Errors
    /// The host cannot be asked, or the frame cannot be simulated.
    pub fn advance<V: Values<N::Id>, I: ImageSource>(
        &self,
        chain: &mut NodeChain<'_, N, V, I>,
        frame: i64,
        time: f64,
        bytes: u64,
    ) -> Result<Option<Simulated<N>>, Failure> {
        // Each frame before the start is a separate start, with the image of its time. It is not kept, because it would
        // replace the start frame and all later frames.
        if time < frame as f64 {
            let Some(consumed) = chain.consume(&[], [0.0, 1.0], frame, time, true)? else { return Ok(None) };
            let start = Rendered::after(None, chain, frame, consumed)?;
            return Ok(start.map(|start| Simulated { state: start.state, frames: 1 }));
        }
        let family = chain.family();
        // A copy without the lock, because the host is called below. At worst a concurrent render simulates the same
        // frame.
        let (rendered, careful) = self.recent(family, frame, bytes);
        let known = rendered.iter().find(|known| known.frame == frame);
        let before = rendered.iter().rfind(|before| before.frame < frame);
        if let Some(known) = known.filter(|known| before.is_none() && !known.start) {
            return Ok(Some(known.again()));
        }
        let near = before.filter(|before| frame - before.frame <= NEAR as i64);
        let late = known.is_none() && rendered.last().is_some_and(|newest| newest.frame > frame);
        let base = near.or(before.filter(|_| !late));
        let pairs = near.map_or(&[][..], |near| &near.pairs);
        let Some(consumed) = chain.consume(pairs, [0.0, 1.0], frame, time, base.is_none())? else { return Ok(None) };
        if let Some(known) = known.filter(|known| known.consumed == consumed.hash) {
            return Ok(Some(known.again()));
        }
        // A single step skips the frames of the gap.
        let steps = near.filter(|_| careful > 0).map_or(1, |near| frame - near.frame);
        let mut consumed = Some(consumed).filter(|_| steps == 1);
        let mut made: Vec<Rendered<N>> = Vec::new();
        for step in 1..=steps {
            let at = frame - steps + step;
            let way = [step - 1, step].map(|step| step as f64 / steps as f64);
            let consumed = match consumed.take() {
                None => chain.consume(pairs, way, at, time, false)?,
                whole => whole,
            };
            let Some(consumed) = consumed else { return Ok(None) };
            let Some(next) = Rendered::after(made.last().or(base), chain, at, consumed)? else { return Ok(None) };
            made.push(next);
        }
        let frames = made.len() as u64;
        let state = made.last().map(|last| Arc::clone(&last.state));
        self.keep(family, made, bytes);
        Ok(state.map(|state| Simulated { state, frames }))
    }

    /// Drops all states. The next frame is then a start.
    pub fn clear(&self) {
        self.lock().rendered.clear();
    }

    /// The kept frames of a family, and the number of frames still to be simulated without skipping any.
    fn recent(&self, family: ChainKey, frame: i64, bytes: u64) -> (Vec<Rendered<N>>, u32) {
        let mut recent = self.lock();
        if recent.family != family {
            return (Vec::new(), 0);
        }
        if recent.rendered.back().is_some_and(|newest| newest.frame > frame) {
            recent.careful = CAREFUL;
        }
        recent.trim(bytes);
        (recent.rendered.iter().cloned().collect(), recent.careful)
    }

    /// Keeps new frames in place of those from the first of them on.
    fn keep(&self, family: ChainKey, made: Vec<Rendered<N>>, bytes: u64) {
        let mut recent = self.lock();
        let Some(first) = made.first() else { return };
        if recent.family != family || first.start {
            *recent = Recent { family, rendered: VecDeque::new(), careful: recent.careful };
        }
        recent.rendered.retain(|known| known.frame < first.frame);
        recent.careful = recent.careful.saturating_sub(made.len() as u32);
        recent.rendered.extend(made);
        recent.trim(bytes);
    }

    fn lock(&self) -> MutexGuard<'_, Recent<N>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
