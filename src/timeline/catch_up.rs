//! From the nearest kept state to the frame that was asked for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::archive::{self, Address, Archive, Duty};
use super::chains::Keys;
use super::key::{ChainKey, PixelHash};
use super::memory::{InputMemory, View};
use super::store::{CachedValue, Claim, Claimed, Place, Store};

/// Pictures, and the hash of each clip's.
pub type Hashed<I> = (I, Vec<PixelHash>);

/// One render's view of its simulation. All calls come from the thread that calls [`catch_up`], which is the thread of
/// the host's action, and with no lock held.
pub trait Shot {
    /// A frame's state.
    type State: CachedValue;
    /// A frame's pictures on the grid.
    type Inputs;
    /// What can go wrong while the host is asked.
    type Error;

    /// The key from which the chain starts: everything that holds for all its frames.
    fn family(&self) -> ChainKey;
    /// The first frame of the chain; the inputs of no earlier one are read.
    fn first(&self) -> i64;
    /// Brings the settings of the frames up to `last` to hand. False if the host wants the render to stop.
    fn read_settings(&mut self, last: i64) -> Result<bool, Self::Error> {
        let _ = last;
        Ok(true)
    }
    /// Hash of the settings at a frame up to the last one that was read.
    fn settings(&mut self, frame: i64) -> Result<u128, Self::Error>;
    /// Hash of everything that decides settings, views and family at the frames up to this one, of those that were read: where
    /// it is equal in two renders, they differ in pictures alone. `None` where no such hash is known.
    fn lineage(&self, frame: i64) -> Option<u128> {
        let _ = frame;
        None
    }
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
    /// What a frame was simulated with, for people.
    fn account(&mut self, frame: i64) -> Result<String, Self::Error> {
        let _ = frame;
        Ok(String::new())
    }
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
    /// Its name.
    pub key: ChainKey,
    /// Its place in the chain.
    pub place: Place,
    /// Frames that this render simulated to get there.
    pub simulated: u64,
    /// States that this render took from the archive.
    pub loaded: u64,
    /// Frames whose pictures this render read.
    pub read: u64,
}

/// Times that a chain is begun anew because its pictures changed while it was computed. After that a render goes on
/// with what it reads: keys are made of what was consumed, so even then no state is kept under a wrong name.
const RESTARTS: u32 = 3;

/// How long a render waits for a frame that another process simulates and keeps showing signs of life, before it
/// simulates the frame as well.
const PATIENCE: Duration = Duration::from_secs(120);

/// States of the archive that may turn out bad before a render goes on without it.
const BAD_LOADS: u32 = 64;

/// Earlier frames that an archive is told of with a state.
const MOST_EARLIER: usize = 8;

/// How often a waiter asks its host whether to go on.
const POLL: Duration = Duration::from_millis(20);

/// The longest that a waiter goes without looking whether another process is done.
const LONGEST_LOOK: Duration = Duration::from_millis(320);

/// The state of a chain at `wanted` (clamped to the chain's first frame), from the store, from the archive or by
/// simulating.
pub fn catch_up<H: Shot>(
    shot: &mut H,
    wanted: i64,
    memory: &InputMemory,
    store: &Store,
    archive: Option<&dyn Archive<H::State>>,
) -> Result<Outcome<H::State>, Stop<H::Error>> {
    let mut run = Run::new(shot, wanted, memory, store, archive);
    run.read_settings()?;
    run.look_at_sentinels()?;
    let mut changes = 0;
    loop {
        match run.attempt(changes >= RESTARTS)? {
            Attempt::Reached(state, key) => {
                let place = run.chain.place(run.chain.frames() - 1);
                let Run { simulated, loaded, read, .. } = run;
                return Ok(Outcome { state, key, place, simulated, loaded, read });
            }
            Attempt::PicturesChanged => changes += 1,
            Attempt::LookAgain => {}
        }
    }
}

/// A kept state, with its frame.
pub type Glimpsed<S> = (i64, Arc<S>);

/// The last kept state at or before `wanted` with its frame, found without reading a picture or simulating a frame: for
/// pictures that need not be right. `None` where nothing is kept.
pub fn glance<H: Shot>(
    shot: &mut H,
    wanted: i64,
    memory: &InputMemory,
    store: &Store,
) -> Result<Option<Glimpsed<H::State>>, Stop<H::Error>> {
    let mut run = Run::new(shot, wanted, memory, store, None);
    run.read_settings()?;
    let keys = run.known_keys()?;
    let wanted = run.chain.place(run.chain.frames() - 1);
    let nearest = store.nearest(&keys, wanted);
    Ok(nearest.map(|(position, state)| (run.chain.frame(position), state)))
}

/// The frames at hand.
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
    archive: Option<&'a dyn Archive<H::State>>,
    /// The duty to simulate a stretch of frames, by the index of its first.
    duty: Option<(u64, Duty)>,
    /// This render has waited for another process since it last looked what there is.
    waited: bool,
    /// The stretch of frames for which this render will not wait any more.
    tired_of: Option<u64>,
    bad_loads: u32,
    simulated: u64,
    loaded: u64,
    read: u64,
    /// The pictures of the last frame, read as a sentinel: a sequential render needs no others. Not kept where a state
    /// of that frame is, which is most likely the wanted one.
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
            duty: None,
            waited: false,
            tired_of: None,
            bad_loads: 0,
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

    /// The key of the state at a position, after another or of the first one.
    fn key(&mut self, before: Option<ChainKey>, position: usize, pixels: &[PixelHash]) -> Result<ChainKey, H::Error> {
        let settings = self.shot.settings(self.chain.frame(position))?;
        Ok(before.unwrap_or(self.chain.family).next(settings, pixels))
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
        let index = self.chain.place(self.chain.frames() - 1).index;
        if self.store.has_between(self.chain.family, index, index) {
            self.glimpse(last)?;
        } else {
            let (inputs, hashes, _) = self.look(last)?;
            self.held = Some((inputs, hashes));
        }
        Ok(())
    }

    /// Keys from the first frame on, as far as the memory reaches.
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

    /// Whether a state of the chain's family is kept anywhere, from a position on to the last.
    fn kept_beyond(&mut self, position: usize) -> bool {
        let Chain { family, last, .. } = self.chain;
        let [first_index, last_index] = [position, self.chain.frames() - 1].map(|p| self.chain.place(p).index);
        self.store.has_between(family, first_index, last_index)
            || self.archive.is_some_and(|archive| {
                archive.has_between(family, self.chain.frame(position), last, &mut || self.shot.go_on())
            })
    }

    /// One try. Goes on with changed pictures only where `stubborn`.
    fn attempt(&mut self, stubborn: bool) -> Result<Attempt<H::State>, Stop<H::Error>> {
        let frames = self.chain.frames();
        let mut keys = self.known_keys()?;
        let wanted = self.chain.place(frames - 1);
        if keys.len() < frames && self.kept_beyond(keys.len()) {
            for position in keys.len()..frames {
                self.check_abort()?;
                let (pixels, agrees) = self.glimpse(self.chain.frame(position))?;
                if !agrees && !stubborn {
                    return Ok(Attempt::PicturesChanged);
                }
                let key = self.key(keys.last().copied(), position, &pixels)?;
                keys.push(key);
            }
        }
        self.waited = false;
        let (mut position, mut standing) = match self.store.nearest::<H::State>(&keys, wanted) {
            Some((position, state)) => (position + 1, Standing::Here(state)),
            None => (0, Standing::Nowhere),
        };
        if let Some(archive) = self.archive
            && let Some(later) = (position..keys.len()).rev().find(|&p| archive.has(self.chain.frame(p), keys[p]))
        {
            (position, standing) = (later + 1, Standing::Archived(later, keys[later]));
        }
        keys.truncate(position);
        while position < frames {
            self.check_abort()?;
            let held = if position + 1 == frames { self.held.take() } else { None };
            let (inputs, pixels, agrees) = match held {
                Some((inputs, pixels)) => (inputs, pixels, true),
                None => self.look(self.chain.frame(position))?,
            };
            if !agrees && !stubborn {
                return Ok(Attempt::PicturesChanged);
            }
            let key = self.key(keys.last().copied(), position, &pixels)?;
            keys.push(key);
            match self.reach(position, &keys, standing, inputs)? {
                Some(reached) => standing = reached,
                None => return Ok(Attempt::LookAgain),
            }
            position += 1;
        }
        self.store.follow(self.chain.family, &keys);
        let Some(state) = self.settle(&standing)? else { return Ok(Attempt::LookAgain) };
        let Some(state) = state else { return Err(Stop::Aborted) };
        // Simulated before there was an archive, perhaps.
        self.hand_in(frames - 1, &keys, &state)?;
        Ok(Attempt::Reached(state, keys[frames - 1]))
    }

    /// The state of a key: another render's, another process's, or simulated here. `None` where the archive has changed.
    fn reach(
        &mut self,
        position: usize,
        keys: &Keys,
        before: Standing<H::State>,
        inputs: H::Inputs,
    ) -> Result<Option<Standing<H::State>>, Stop<H::Error>> {
        let (place, frame, key) = (self.chain.place(position), self.chain.frame(position), keys[position]);
        let claim = match self.store.claim::<H::State>(key, place, &mut || self.shot.go_on()) {
            Claimed::Ready(state) => return Ok(Some(Standing::Here(state))),
            Claimed::Stopped => return Err(Stop::Aborted),
            Claimed::Mine(claim) => claim,
        };
        match self.claim_elsewhere(position, keys, &claim)? {
            Ahead::Simulate => {}
            Ahead::Archived => return Ok(Some(Standing::Archived(position, key))),
            Ahead::LookAgain => return Ok(None),
        }
        let Some(before) = self.settle(&before)? else { return Ok(None) };
        let state = Arc::new(self.shot.step(before.as_deref(), frame, inputs)?.ok_or(Stop::Aborted)?);
        self.simulated += 1;
        claim.fulfil(Arc::clone(&state));
        self.hand_in(position, keys, &state)?;
        Ok(Some(Standing::Here(state)))
    }

    /// The state that a render stands on, in memory: no state before the first frame, `None` where the archive's turned out
    /// bad.
    fn settle(&mut self, standing: &Standing<H::State>) -> Result<Settled<H::State>, Stop<H::Error>> {
        let (position, key) = match standing {
            Standing::Nowhere => return Ok(Some(None)),
            Standing::Here(state) => return Ok(Some(Some(Arc::clone(state)))),
            Standing::Archived(position, key) => (*position, *key),
        };
        let place = self.chain.place(position);
        // Another render may be loading it, or have loaded it.
        let claim = match self.store.claim::<H::State>(key, place, &mut || self.shot.go_on()) {
            Claimed::Ready(state) => return Ok(Some(Some(state))),
            Claimed::Stopped => return Err(Stop::Aborted),
            Claimed::Mine(claim) => claim,
        };
        let loaded = self.archive.and_then(|archive| archive.load(self.chain.frame(position), key));
        let Some(state) = loaded.map(Arc::new) else {
            self.bad_loads += 1;
            if self.bad_loads >= BAD_LOADS {
                self.archive = None;
            }
            return Ok(None);
        };
        self.loaded += 1;
        claim.fulfil(Arc::clone(&state));
        Ok(Some(Some(state)))
    }

    /// Takes the duty to simulate a frame from other processes, or finds that one has done it.
    fn claim_elsewhere(&mut self, position: usize, keys: &Keys, claim: &Claim<'_>) -> Result<Ahead, Stop<H::Error>> {
        let Some(archive) = self.archive else { return Ok(Ahead::Simulate) };
        let first = archive.stretch(self.chain.place(position));
        if self.tired_of == Some(first) || self.duty.as_ref().is_some_and(|(held, _)| *held == first) {
            return Ok(Ahead::Simulate);
        }
        self.duty = None;
        let (frame, key) = (self.chain.frame(position), keys[position]);
        let begun = Instant::now();
        let mut pause = POLL;
        loop {
            if archive.has(frame, key) {
                return Ok(Ahead::Archived);
            }
            match archive.claim(keys[first as usize]) {
                archive::Claimed::Mine(duty) => {
                    // The other may have finished between the two questions.
                    if archive.has(frame, key) {
                        return Ok(Ahead::Archived);
                    }
                    if self.waited && position + 1 < self.chain.frames() && self.kept_beyond(position + 1) {
                        return Ok(Ahead::LookAgain);
                    }
                    self.duty = Some((first, duty));
                    return Ok(Ahead::Simulate);
                }
                archive::Claimed::Theirs if begun.elapsed() >= PATIENCE => {
                    self.tired_of = Some(first);
                    return Ok(Ahead::Simulate);
                }
                archive::Claimed::Theirs => {
                    self.waited = true;
                    let looked = Instant::now();
                    while looked.elapsed() < pause {
                        self.check_abort()?;
                        std::thread::sleep(POLL);
                    }
                    pause = (pause * 2).min(LONGEST_LOOK);
                    // Others in this process wait for this render, which waits for another process.
                    claim.renew();
                }
            }
        }
    }

    /// Gives a state to the archive, with the duty if it ends there.
    fn hand_in(&mut self, position: usize, keys: &Keys, state: &Arc<H::State>) -> Result<(), Stop<H::Error>> {
        let Some(archive) = self.archive else { return Ok(()) };
        let (place, frame, key) = (self.chain.place(position), self.chain.frame(position), keys[position]);
        if !archive.wants(place, frame, key) {
            return Ok(());
        }
        let account = self.shot.account(frame)?;
        let duty = self.duty.take().map(|(_, duty)| duty);
        let mut earlier = Vec::new();
        let mut index = place.index;
        while index > 0 && earlier.len() < MOST_EARLIER {
            index = archive.stretch(Place { index, ..place }) - 1;
            earlier.push(keys[index as usize]);
        }
        let address = Address { place, frame, key, earlier };
        archive.keep(address, state, account, duty, &mut || self.shot.go_on());
        Ok(())
    }
}

/// A state or none, where there is nothing wrong with the archive's.
type Settled<S> = Option<Option<Arc<S>>>;

/// What a try came to.
enum Attempt<S> {
    /// The state, and its name.
    Reached(Arc<S>, ChainKey),
    /// Pictures are others than they were remembered to be.
    PicturesChanged,
    /// The archive is not what it was: another process has gone ahead, or a state turned out bad.
    LookAgain,
}

/// What a render stands on.
enum Standing<S> {
    /// The start of the chain.
    Nowhere,
    /// A state in memory.
    Here(Arc<S>),
    /// A state in the archive, not loaded yet: who only passes by does not need it.
    Archived(usize, ChainKey),
}

/// What to do about a frame, seen from the archive.
enum Ahead {
    /// Simulate it.
    Simulate,
    /// Nothing: it is there.
    Archived,
    /// Look for later frames: there may be some.
    LookAgain,
}
