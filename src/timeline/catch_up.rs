//! Catch-up: simulation from the nearest stored state to the requested frame.

mod sharing;

use std::sync::Arc;

use super::archive::{Archive, ArchiveClaim};
use super::chains::Keys;
use super::key::{ChainKey, PixelHash};
use super::memory::{InputMemory, View};
use super::shot::{Hashed, Shot, Stop};
use super::store::{Claimed, Place, Store};
use sharing::Decision;

/// A state, with the work that was needed to reach it.
pub struct Outcome<S> {
    /// State of the requested frame.
    pub state: Arc<S>,
    /// Key of the state.
    pub key: ChainKey,
    /// Position of the state in the chain.
    pub place: Place,
    /// Number of frames that this render simulated.
    pub simulated: u64,
    /// Number of states that this render loaded from the archive.
    pub loaded: u64,
    /// Number of frames whose pictures this render read.
    pub read: u64,
}

/// Number of restarts after pictures changed during the computation. Afterwards a render continues with the pictures
/// that it reads. Keys are computed from the consumed pictures, so no state is ever stored under a wrong key.
const RESTARTS: u32 = 3;

/// Returns the state of a chain at frame `wanted` (clamped to the chain's first frame): from the store, from the
/// archive or by simulation.
///
/// # Errors
/// The host aborted the render, or a call to the host failed.
pub fn catch_up<H: Shot>(
    shot: &mut H,
    wanted: i64,
    memory: &InputMemory,
    store: &Store,
    archive: Option<&dyn Archive<H::State>>,
) -> Result<Outcome<H::State>, Stop<H::Error>> {
    let mut run = Run::new(shot, wanted, memory, store, archive);
    run.read_settings()?;
    run.check_sentinels()?;
    let mut changes = 0;
    loop {
        match run.attempt(changes >= RESTARTS)? {
            Attempt::Reached(state, key) => {
                let place = run.chain.place(run.chain.frames() - 1);
                let Run { simulated, loaded, read, .. } = run;
                return Ok(Outcome { state, key, place, simulated, loaded, read });
            }
            Attempt::PicturesChanged => changes += 1,
            Attempt::Retry => {}
        }
    }
}

/// A stored state with its frame number.
pub type Peeked<S> = (i64, Arc<S>);

/// Returns the last stored state at or before frame `wanted`, without reading a picture or simulating a frame; for
/// previews. `None` if there is none.
///
/// # Errors
/// The host aborted the render, or a call to the host failed.
pub fn peek<H: Shot>(
    shot: &mut H,
    wanted: i64,
    memory: &InputMemory,
    store: &Store,
) -> Result<Option<Peeked<H::State>>, Stop<H::Error>> {
    let mut run = Run::new(shot, wanted, memory, store, None);
    run.read_settings()?;
    let keys = run.known_keys()?;
    let wanted = run.chain.place(run.chain.frames() - 1);
    let nearest = store.nearest(&keys, wanted);
    Ok(nearest.map(|(position, state)| (run.chain.frame(position), state)))
}

/// The frames from the start of the chain to the requested one.
struct Chain {
    family: ChainKey,
    first: i64,
    last: i64,
}

impl Chain {
    fn frames(&self) -> usize {
        (self.last - self.first) as usize + 1
    }

    fn place(&self, position: usize) -> Place {
        Place { family: self.family, index: position as u64 }
    }

    fn frame(&self, position: usize) -> i64 {
        self.first + position as i64
    }
}

/// A frame's pictures, the hash of each clip's picture, and whether the hashes equal the remembered ones.
type PicturesRead<I> = (I, Vec<PixelHash>, bool);

/// The hash of each clip's picture, and whether the hashes equal the remembered ones.
type ReadHashes = (Vec<PixelHash>, bool);

struct Run<'a, H: Shot> {
    chain: Chain,
    shot: &'a mut H,
    memory: &'a InputMemory,
    epoch: u64,
    store: &'a Store,
    archive: Option<&'a dyn Archive<H::State>>,
    /// Claim on a strip of frames in the archive, with the index of the first frame.
    strip_claim: Option<(u64, ArchiveClaim)>,
    /// Whether this render has waited for another process since it last searched the archive.
    waited: bool,
    /// First frame of the strip for which the wait has timed out.
    timed_out_strip: Option<u64>,
    damaged_loads: u32,
    simulated: u64,
    loaded: u64,
    read: u64,
    /// Pictures of the last frame that were read as a sentinel. They are reused for its simulation, so a sequential
    /// render reads no others. `None` if a state of that frame is stored, which is most likely the requested one.
    held: Option<Hashed<H::Inputs>>,
}

impl<'a, H: Shot> Run<'a, H> {
    fn new(
        shot: &'a mut H,
        wanted: i64,
        memory: &'a InputMemory,
        store: &'a Store,
        archive: Option<&'a dyn Archive<H::State>>,
    ) -> Self {
        let first = shot.first();
        let chain = Chain { family: shot.family(), first, last: wanted.max(first) };
        let epoch = memory.epoch();
        Self {
            chain,
            shot,
            memory,
            epoch,
            store,
            archive,
            strip_claim: None,
            waited: false,
            timed_out_strip: None,
            damaged_loads: 0,
            simulated: 0,
            loaded: 0,
            read: 0,
            held: None,
        }
    }

    fn read_settings(&mut self) -> Result<(), Stop<H::Error>> {
        self.check_abort()?;
        if self.shot.read_settings(self.chain.last)? { Ok(()) } else { Err(Stop::Aborted) }
    }

    /// Key of the state at a position; `before` is the previous key, or `None` for the first.
    fn key(&mut self, before: Option<ChainKey>, position: usize, pixels: &[PixelHash]) -> Result<ChainKey, H::Error> {
        let settings = self.shot.settings(self.chain.frame(position))?;
        Ok(before.unwrap_or(self.chain.family).next(settings, pixels))
    }

    fn check_abort(&mut self) -> Result<(), Stop<H::Error>> {
        if self.shot.go_on() { Ok(()) } else { Err(Stop::Aborted) }
    }

    /// Reads a frame's pictures and compares their hashes with the remembered ones.
    fn read_pictures(&mut self, frame: i64) -> Result<PicturesRead<H::Inputs>, Stop<H::Error>> {
        let views = self.shot.views(frame)?;
        let (inputs, hashes) = self.shot.read(frame)?.ok_or(Stop::Aborted)?;
        let agrees = self.noted(frame, &views, &hashes);
        Ok((inputs, hashes, agrees))
    }

    /// Like [`read_pictures`](Self::read_pictures), but returns the hashes only.
    fn read_hashes(&mut self, frame: i64) -> Result<ReadHashes, Stop<H::Error>> {
        let views = self.shot.views(frame)?;
        let hashes = self.shot.hashes(frame)?.ok_or(Stop::Aborted)?;
        let agrees = self.noted(frame, &views, &hashes);
        Ok((hashes, agrees))
    }

    fn noted(&mut self, frame: i64, views: &[Option<View>], hashes: &[PixelHash]) -> bool {
        self.read += 1;
        self.memory.record(self.epoch, self.shot.input_frame(frame), views, hashes)
    }

    fn check_sentinels(&mut self) -> Result<(), Stop<H::Error>> {
        let Chain { first, last, .. } = self.chain;
        let mut frames = vec![first, self.memory.rotating(first, last)];
        frames.retain(|frame| *frame != last);
        frames.dedup();
        for frame in frames {
            if self.shot.views(frame)?.iter().any(Option::is_some) {
                self.check_abort()?;
                self.read_hashes(frame)?;
            }
        }
        self.check_abort()?;
        let index = self.chain.place(self.chain.frames() - 1).index;
        if self.store.has_between(self.chain.family, index, index) {
            self.read_hashes(last)?;
        } else {
            let (inputs, hashes, _) = self.read_pictures(last)?;
            self.held = Some((inputs, hashes));
        }
        Ok(())
    }

    /// Keys from the first frame on, as far as hashes of all pictures are remembered.
    fn known_keys(&mut self) -> Result<Keys, Stop<H::Error>> {
        let frames = self.chain.frames();
        let has_lineage = self.shot.lineage(self.chain.first).is_some();
        let (mut known, generation) = if has_lineage {
            self.memory.keys(frames, |position| self.shot.lineage(self.chain.frame(position)).unwrap_or(0))
        } else {
            Default::default()
        };
        let before = known.keys().len();
        while known.keys().len() < frames {
            let position = known.keys().len();
            let frame = self.chain.frame(position);
            let views = self.shot.views(frame)?;
            let Some(pixels) = self.memory.recall(self.shot.input_frame(frame), &views) else {
                break;
            };
            let key = self.key(known.keys().last().copied(), position, &pixels)?;
            known.push(self.shot.lineage(frame).unwrap_or(0), key);
        }
        if has_lineage && known.keys().len() > before {
            self.memory.keep_keys(generation, &known);
        }
        Ok(known.keys().clone())
    }

    /// Whether the store or the archive contains a state of the chain's family from `position` to the last frame.
    fn kept_beyond(&mut self, position: usize) -> bool {
        let Chain { family, last, .. } = self.chain;
        let [first_index, last_index] = [position, self.chain.frames() - 1].map(|p| self.chain.place(p).index);
        self.store.has_between(family, first_index, last_index)
            || self.archive.is_some_and(|archive| {
                archive.has_between(family, self.chain.frame(position), last, &mut || self.shot.go_on())
            })
    }

    /// One attempt. With `accept_changes` it continues even if pictures have changed.
    fn attempt(&mut self, accept_changes: bool) -> Result<Attempt<H::State>, Stop<H::Error>> {
        let frames = self.chain.frames();
        let mut keys = self.known_keys()?;
        let wanted = self.chain.place(frames - 1);
        if keys.len() < frames && self.kept_beyond(keys.len()) {
            for position in keys.len()..frames {
                self.check_abort()?;
                let (pixels, agrees) = self.read_hashes(self.chain.frame(position))?;
                if !agrees && !accept_changes {
                    return Ok(Attempt::PicturesChanged);
                }
                let key = self.key(keys.last().copied(), position, &pixels)?;
                keys.push(key);
            }
        }
        self.waited = false;
        let (mut position, mut base) = match self.store.nearest::<H::State>(&keys, wanted) {
            Some((position, state)) => (position + 1, Base::InMemory(state)),
            None => (0, Base::Start),
        };
        if let Some(archive) = self.archive
            && let Some(later) = (position..keys.len()).rev().find(|&p| archive.has(self.chain.frame(p), keys[p]))
        {
            (position, base) = (later + 1, Base::InArchive(later, keys[later]));
        }
        keys.truncate(position);
        let restart = (self.shot.restart(self.chain.last)? - self.chain.first).max(0) as usize;
        let restarts = restart > position;
        if restarts {
            base = Base::Start;
        }
        while position < frames {
            self.check_abort()?;
            if position < restart {
                // The frame counts for the key alone.
                let (pixels, agrees) = self.read_hashes(self.chain.frame(position))?;
                if !agrees && !accept_changes {
                    return Ok(Attempt::PicturesChanged);
                }
                let key = self.key(keys.last().copied(), position, &pixels)?;
                keys.push(key);
                position += 1;
                continue;
            }
            let held = if position + 1 == frames { self.held.take() } else { None };
            let (inputs, pixels, agrees) = match held {
                Some((inputs, pixels)) => (inputs, pixels, true),
                None => self.read_pictures(self.chain.frame(position))?,
            };
            if !agrees && !accept_changes {
                return Ok(Attempt::PicturesChanged);
            }
            let key = self.key(keys.last().copied(), position, &pixels)?;
            keys.push(key);
            let reached = if restarts && position + 1 < frames {
                self.pass(position, base, inputs)?
            } else {
                self.reach(position, &keys, base, inputs)?
            };
            match reached {
                Some(reached) => base = reached,
                None => return Ok(Attempt::Retry),
            }
            position += 1;
        }
        self.store.follow(self.chain.family, &keys);
        let Some(state) = self.load(&base)? else { return Ok(Attempt::Retry) };
        let Some(state) = state else { return Err(Stop::Aborted) };
        // The state may be older than the archive.
        self.archive_state(frames - 1, &keys, &state)?;
        Ok(Attempt::Reached(state, keys[frames - 1]))
    }

    /// Simulates a frame after a restart. The state is incomplete: it is kept for the next frame only. `None` as for
    /// [`reach`](Self::reach).
    fn pass(
        &mut self,
        position: usize,
        before: Base<H::State>,
        inputs: H::Inputs,
    ) -> Result<Option<Base<H::State>>, Stop<H::Error>> {
        let Some(before) = self.load(&before)? else { return Ok(None) };
        let frame = self.chain.frame(position);
        let state = self.shot.step(before.as_deref(), frame, inputs)?.ok_or(Stop::Aborted)?;
        self.simulated += 1;
        Ok(Some(Base::InMemory(Arc::new(state))))
    }

    /// Returns the state of a key: from another render, from another process, or by simulation. `None` if the archive
    /// has changed.
    fn reach(
        &mut self,
        position: usize,
        keys: &Keys,
        before: Base<H::State>,
        inputs: H::Inputs,
    ) -> Result<Option<Base<H::State>>, Stop<H::Error>> {
        let (place, frame, key) = (self.chain.place(position), self.chain.frame(position), keys[position]);
        let claim = match self.store.claim::<H::State>(key, place, &mut || self.shot.go_on()) {
            Claimed::Ready(state) => return Ok(Some(Base::InMemory(state))),
            Claimed::Stopped => return Err(Stop::Aborted),
            Claimed::Mine(claim) => claim,
        };
        match self.claim_elsewhere(position, keys, &claim)? {
            Decision::Simulate => {}
            Decision::Archived => return Ok(Some(Base::InArchive(position, key))),
            Decision::Retry => return Ok(None),
        }
        let Some(before) = self.load(&before)? else { return Ok(None) };
        let state = Arc::new(self.shot.step(before.as_deref(), frame, inputs)?.ok_or(Stop::Aborted)?);
        self.simulated += 1;
        claim.fulfil(Arc::clone(&state));
        self.archive_state(position, keys, &state)?;
        Ok(Some(Base::InMemory(state)))
    }
}

/// The result of an attempt.
enum Attempt<S> {
    /// The state and its key.
    Reached(Arc<S>, ChainKey),
    /// A picture differs from its remembered hash.
    PicturesChanged,
    /// The archive has changed: another process has stored states, or a file was damaged.
    Retry,
}

/// The state from which a render continues.
enum Base<S> {
    /// The start of the chain.
    Start,
    /// A state in memory.
    InMemory(Arc<S>),
    /// A state in the archive, with its position and key. It is loaded when a step needs it.
    InArchive(usize, ChainKey),
}
