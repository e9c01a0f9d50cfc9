//! From the nearest kept state to the frame that was asked for.

use std::sync::Arc;

use super::key::{ChainKey, PixelHash};
use super::memory::{InputMemory, View};
use super::store::{Claimed, Kept, Place, Store};

/// Pictures, and the hash of each clip's.
pub type Hashed<I> = (I, Vec<PixelHash>);

/// One render's view of its simulation. All calls come from the thread that calls [`catch_up`], which is the thread of
/// the host's action, and with no lock held.
pub trait Shot {
    /// A frame's state.
    type State: Kept;
    /// A frame's pictures on the grid.
    type Inputs;
    /// What can go wrong while the host is asked.
    type Error;

    /// The key from which the chain starts: everything that holds for all its frames.
    fn family(&self) -> ChainKey;
    /// The first frame of the chain; the inputs of no earlier one are read.
    fn first(&self) -> i64;
    /// Hash of the settings at a frame.
    fn settings(&mut self, frame: i64) -> Result<u128, Self::Error>;
    /// The frame whose pictures a frame consumes.
    fn input_frame(&self, frame: i64) -> i64;
    /// How each clip is looked at; `None` for one that the frame does not consume.
    fn views(&mut self, frame: i64) -> Result<Vec<Option<View>>, Self::Error>;
    /// Reads the pictures that a frame consumes, with the hash of each clip's ([`PixelHash::NOTHING`] where unused).
    /// `Ok(None)` if the host wants the render to stop.
    fn read(&mut self, frame: i64) -> Result<Option<Hashed<Self::Inputs>>, Self::Error>;
    /// As [`read`](Self::read), for the hashes alone: the pictures are not kept.
    fn hashes(&mut self, frame: i64) -> Result<Option<Vec<PixelHash>>, Self::Error> {
        Ok(self.read(frame)?.map(|(_, hashes)| hashes))
    }
    /// Simulates a frame; `before` is `None` for the first. `Ok(None)` if the host wants the render to stop.
    fn step(
        &mut self,
        before: Option<&Self::State>,
        frame: i64,
        inputs: Self::Inputs,
    ) -> Result<Option<Self::State>, Self::Error>;
    /// False once the host wants the render to stop.
    fn go_on(&mut self) -> bool;
}

/// Why there is no state.
#[derive(Debug)]
pub enum Stop<E> {
    /// The host aborted the render. What was computed is kept.
    Aborted,
    /// The host could not be asked.
    Failed(E),
}

impl<E> From<E> for Stop<E> {
    fn from(error: E) -> Self {
        Self::Failed(error)
    }
}

/// A state, and what it cost.
pub struct Outcome<S> {
    /// The state at the wanted frame.
    pub state: Arc<S>,
    /// Frames that this render simulated to get there.
    pub simulated: u64,
    /// Frames whose pictures this render read.
    pub read: u64,
}

/// Times that a chain is begun anew because its pictures changed while it was computed. After that a render goes on
/// with what it reads: keys are made of what was consumed, so even then no state is kept under a wrong name.
const RESTARTS: u32 = 3;

/// The state of a chain at `wanted` (clamped to the chain's first frame), from the store or by simulating.
pub fn catch_up<H: Shot>(
    shot: &mut H,
    wanted: i64,
    memory: &InputMemory,
    store: &Store,
) -> Result<Outcome<H::State>, Stop<H::Error>> {
    let mut run = Run::new(shot, wanted, memory, store);
    run.read_settings()?;
    run.look_at_sentinels()?;
    for _ in 0..RESTARTS {
        if let Some(state) = run.attempt(false)? {
            return Ok(Outcome { state, simulated: run.simulated, read: run.read });
        }
    }
    match run.attempt(true)? {
        Some(state) => Ok(Outcome { state, simulated: run.simulated, read: run.read }),
        None => Err(Stop::Aborted),
    }
}

/// The last kept state at or before `wanted`, found without reading a picture or simulating a frame: for thumbnails.
/// `None` where nothing is kept.
pub fn glance<H: Shot>(
    shot: &mut H,
    wanted: i64,
    memory: &InputMemory,
    store: &Store,
) -> Result<Option<Arc<H::State>>, Stop<H::Error>> {
    let mut run = Run::new(shot, wanted, memory, store);
    run.read_settings()?;
    let keys = run.known_keys()?;
    let wanted = run.chain.place(run.chain.settings.len() - 1);
    Ok(store.nearest(&keys, wanted).map(|(_, state)| state))
}

/// Frames between two looks at the abort flag while settings are read.
const SETTINGS_BETWEEN_LOOKS: usize = 64;

/// The frames at hand and the hash of the settings at each.
struct Chain {
    family: ChainKey,
    first: i64,
    last: i64,
    settings: Vec<u128>,
}

impl Chain {
    fn key(&self, before: Option<&ChainKey>, position: usize, pixels: &[PixelHash]) -> ChainKey {
        before.copied().unwrap_or(self.family).next(self.settings[position], pixels)
    }

    fn place(&self, position: usize) -> Place {
        Place { family: self.family, index: position as u64 }
    }

    fn frame(&self, position: usize) -> i64 {
        self.first + position as i64
    }
}

/// A frame's pictures, the hash of each clip's, and whether the memory agrees with them.
type Look<I> = (I, Vec<PixelHash>, bool);

/// The hashes of a frame's pictures, and whether the memory agrees with them.
type Glimpse = (Vec<PixelHash>, bool);

struct Run<'a, H: Shot> {
    chain: Chain,
    shot: &'a mut H,
    memory: &'a InputMemory,
    epoch: u64,
    store: &'a Store,
    simulated: u64,
    read: u64,
    /// The pictures of the last frame, read as a sentinel: a sequential render needs no others. Not kept where a state
    /// of that frame is, which is most likely the wanted one.
    held: Option<Hashed<H::Inputs>>,
}

impl<'a, H: Shot> Run<'a, H> {
    fn new(shot: &'a mut H, wanted: i64, memory: &'a InputMemory, store: &'a Store) -> Self {
        let first = shot.first();
        let chain = Chain { family: shot.family(), first, last: wanted.max(first), settings: Vec::new() };
        Self { chain, shot, memory, epoch: memory.epoch(), store, simulated: 0, read: 0, held: None }
    }

    fn read_settings(&mut self) -> Result<(), Stop<H::Error>> {
        for frame in self.chain.first..=self.chain.last {
            if self.chain.settings.len().is_multiple_of(SETTINGS_BETWEEN_LOOKS) {
                self.check_abort()?;
            }
            self.chain.settings.push(self.shot.settings(frame)?);
        }
        Ok(())
    }

    fn check_abort(&mut self) -> Result<(), Stop<H::Error>> {
        if self.shot.go_on() { Ok(()) } else { Err(Stop::Aborted) }
    }

    /// Reads a frame's pictures and compares them with the memory; the flag is false where they disagree.
    fn look(&mut self, frame: i64) -> Result<Look<H::Inputs>, Stop<H::Error>> {
        let views = self.shot.views(frame)?;
        let (inputs, hashes) = self.shot.read(frame)?.ok_or(Stop::Aborted)?;
        let agrees = self.noted(frame, &views, &hashes);
        Ok((inputs, hashes, agrees))
    }

    /// As [`look`](Self::look), where only the hashes are wanted.
    fn glimpse(&mut self, frame: i64) -> Result<Glimpse, Stop<H::Error>> {
        let views = self.shot.views(frame)?;
        let hashes = self.shot.hashes(frame)?.ok_or(Stop::Aborted)?;
        let agrees = self.noted(frame, &views, &hashes);
        Ok((hashes, agrees))
    }

    fn noted(&mut self, frame: i64, views: &[Option<View>], hashes: &[PixelHash]) -> bool {
        self.read += 1;
        self.memory.record(self.epoch, self.shot.input_frame(frame), views, hashes)
    }

    fn look_at_sentinels(&mut self) -> Result<(), Stop<H::Error>> {
        let Chain { first, last, .. } = self.chain;
        let mut frames = vec![first, self.memory.rotating(first, last)];
        frames.retain(|frame| *frame != last);
        frames.dedup();
        for frame in frames {
            if self.shot.views(frame)?.iter().any(Option::is_some) {
                self.check_abort()?;
                self.glimpse(frame)?;
            }
        }
        self.check_abort()?;
        let index = self.chain.place(self.chain.settings.len() - 1).index;
        if self.store.has_between(self.chain.family, index, index) {
            self.glimpse(last)?;
        } else {
            let (inputs, hashes, _) = self.look(last)?;
            self.held = Some((inputs, hashes));
        }
        Ok(())
    }

    /// Keys from the first frame on, as far as the memory reaches.
    fn known_keys(&mut self) -> Result<Vec<ChainKey>, Stop<H::Error>> {
        let mut keys: Vec<ChainKey> = Vec::with_capacity(self.chain.settings.len());
        for position in 0..self.chain.settings.len() {
            let frame = self.chain.frame(position);
            let views = self.shot.views(frame)?;
            let Some(pixels) = self.memory.recall(self.shot.input_frame(frame), &views) else {
                break;
            };
            keys.push(self.chain.key(keys.last(), position, &pixels));
        }
        Ok(keys)
    }

    /// One try; `None` when the pictures changed on the way, unless `stubborn`.
    fn attempt(&mut self, stubborn: bool) -> Result<Option<Arc<H::State>>, Stop<H::Error>> {
        let frames = self.chain.settings.len();
        let mut keys = self.known_keys()?;
        let wanted = self.chain.place(frames - 1);
        if keys.len() < frames && self.store.has_between(self.chain.family, keys.len() as u64, wanted.index) {
            for position in keys.len()..frames {
                self.check_abort()?;
                let (pixels, agrees) = self.glimpse(self.chain.frame(position))?;
                if !agrees && !stubborn {
                    return Ok(None);
                }
                keys.push(self.chain.key(keys.last(), position, &pixels));
            }
        }
        let (mut position, mut state) = match self.store.nearest::<H::State>(&keys, wanted) {
            Some((position, state)) => (position + 1, Some(state)),
            None => (0, None),
        };
        keys.truncate(position);
        while position < frames {
            self.check_abort()?;
            let held = if position + 1 == frames { self.held.take() } else { None };
            let (inputs, pixels, agrees) = match held {
                Some((inputs, pixels)) => (inputs, pixels, true),
                None => self.look(self.chain.frame(position))?,
            };
            if !agrees && !stubborn {
                return Ok(None);
            }
            let key = self.chain.key(keys.last(), position, &pixels);
            keys.push(key);
            state = Some(self.reach(position, key, state.as_deref(), inputs)?);
            position += 1;
        }
        self.store.follow(self.chain.family, &keys);
        Ok(state)
    }

    /// The state of a key: another render's, or simulated here.
    fn reach(
        &mut self,
        position: usize,
        key: ChainKey,
        before: Option<&H::State>,
        inputs: H::Inputs,
    ) -> Result<Arc<H::State>, Stop<H::Error>> {
        let place = self.chain.place(position);
        match self.store.claim::<H::State>(key, place, &mut || self.shot.go_on()) {
            Claimed::Ready(state) => Ok(state),
            Claimed::Stopped => Err(Stop::Aborted),
            Claimed::Mine(claim) => {
                let frame = self.chain.frame(position);
                let state = Arc::new(self.shot.step(before, frame, inputs)?.ok_or(Stop::Aborted)?);
                self.simulated += 1;
                claim.fulfil(Arc::clone(&state));
                Ok(state)
            }
        }
    }
}
