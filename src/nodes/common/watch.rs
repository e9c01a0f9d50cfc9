//! A render on its way to a frame: it says how far it is, and a draft does not wait for what is too far away.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::timeline::archive::Archive;
use crate::timeline::{ChainKey, Hashed, InputMemory, Outcome, PixelHash, Shot, Stop, Store, catch_up, peek};

/// How long a draft simulates before it shows what there is, in milliseconds; a frame that is begun is ended.
const PATIENCE: u64 = 250;
/// The environment variable for another number.
const PATIENCE_NAME: &str = "FLOW_PREVIEW_MS";

/// The time between two lines in the log about one render.
const BETWEEN_LINES: Duration = Duration::from_secs(1);

fn patience() -> Duration {
    static ASKED: OnceLock<Duration> = OnceLock::new();
    *ASKED.get_or_init(|| {
        let asked = std::env::var(PATIENCE_NAME).ok().and_then(|text| text.trim().parse().ok());
        Duration::from_millis(asked.unwrap_or(PATIENCE))
    })
}

/// How far the last render of a node is that is not done.
#[derive(Default)]
pub struct Progress(Mutex<Option<(i64, i64)>>);

impl Progress {
    fn set(&self, frames: Option<(i64, i64)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = frames;
    }

    /// A line about it, for people.
    pub fn line(&self) -> Option<String> {
        let (frame, wanted) = (*self.0.lock().unwrap_or_else(PoisonError::into_inner))?;
        Some(format!("Simulating frame {frame} on the way to frame {wanted}"))
    }
}

/// What a render came to.
pub enum Arrival<S> {
    /// The frame.
    There(Outcome<S>),
    /// Another frame, for a draft that would have taken too long.
    Preview(Preview<S>),
}

/// A state that stands in for the one that was asked for. It is shown and nothing else: no key is made of it.
pub struct Preview<S> {
    /// The state.
    pub state: Arc<S>,
    /// Its frame.
    pub frame: i64,
    /// It is of the simulation as it was before an edit.
    pub stale: bool,
    /// Frames that were simulated meanwhile, which are kept.
    pub simulated: u64,
}

/// Where states come from and go to.
pub struct Shelves<'a, S> {
    /// What was read.
    pub memory: &'a InputMemory,
    /// The process's states.
    pub store: &'a Store,
    /// The folder on disk.
    pub archive: Option<&'a dyn Archive<S>>,
}

/// The state at a frame. A draft of a frame that would take too long is the nearest that is kept: of the same simulation
/// or, where one from before an edit is nearer, of that.
///
/// # Errors
/// As [`catch_up`].
pub fn reach<H: Shot>(
    shot: &mut H,
    wanted: i64,
    draft: bool,
    progress: &Progress,
    shelves: &Shelves<'_, H::State>,
) -> Result<Arrival<H::State>, Stop<H::Error>> {
    let Shelves { memory, store, archive } = *shelves;
    let wanted = wanted.max(shot.first());
    let mut watched = Watched::new(shot, wanted, draft.then(patience), progress);
    let stopped = match catch_up(&mut watched, wanted, memory, store, archive) {
        Ok(outcome) => return Ok(Arrival::There(outcome)),
        Err(stopped) => stopped,
    };
    let Watched { ran_out, mut simulated, .. } = watched;
    drop(watched);
    if !ran_out || !shot.go_on() {
        return Err(stopped);
    }
    let ours = peek(shot, wanted, memory, store)?;
    let away = |frame: i64| frame.abs_diff(wanted);
    let first = shot.first();
    let other = store.nearest_of_family::<H::State>(shot.family(), (wanted - first) as u64);
    let other = other.map(|(index, state)| (first + index as i64, state));
    let (frame, state, stale) = match (ours, other) {
        (Some((frame, _)), Some((nearer, state))) if away(nearer) < away(frame) => (nearer, state, true),
        (Some((frame, state)), _) => (frame, state, false),
        (None, Some((frame, state))) => (frame, state, true),
        (None, None) => {
            // Of nothing at all there is no preview: the first frame, whatever it takes.
            let outcome = catch_up(shot, first, memory, store, archive)?;
            if wanted == first {
                return Ok(Arrival::There(outcome));
            }
            simulated += outcome.simulated;
            (first, outcome.state, false)
        }
    };
    tracing::info!("a preview of frame {wanted}: frame {frame}, after {simulated} that were simulated");
    Ok(Arrival::Preview(Preview { state, frame, stale, simulated }))
}

/// A shot that tells how far it is and, where it has a deadline, ends there.
struct Watched<'w, H> {
    shot: &'w mut H,
    wanted: i64,
    deadline: Option<Instant>,
    ran_out: bool,
    /// The wanted frame's own pictures were looked at: from here on time counts.
    looked: bool,
    simulated: u64,
    progress: &'w Progress,
    told: Instant,
}

impl<'w, H: Shot> Watched<'w, H> {
    fn new(shot: &'w mut H, wanted: i64, patience: Option<Duration>, progress: &'w Progress) -> Self {
        let now = Instant::now();
        let deadline = patience.map(|patience| now + patience);
        Self { shot, wanted, deadline, ran_out: false, looked: false, simulated: 0, progress, told: now }
    }

    /// Whether what lies on the way to a frame would take too long. Its ends are looked at in any case.
    fn is_late(&mut self) -> bool {
        self.ran_out |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.ran_out
    }

    fn is_on_the_way(&self, frame: i64) -> bool {
        frame != self.wanted && frame != self.shot.first()
    }

    fn tell(&mut self, frame: i64) {
        if frame == self.wanted {
            return;
        }
        self.progress.set(Some((frame, self.wanted)));
        if self.told.elapsed() >= BETWEEN_LINES {
            self.told = Instant::now();
            tracing::info!("simulating frame {frame} on the way to {}: {} are done", self.wanted, self.simulated);
        }
    }
}

impl<H> Drop for Watched<'_, H> {
    fn drop(&mut self) {
        self.progress.set(None);
    }
}

impl<H: Shot> Shot for Watched<'_, H> {
    type State = H::State;
    type Inputs = H::Inputs;
    type Error = H::Error;

    fn family(&self) -> ChainKey {
        self.shot.family()
    }

    fn first(&self) -> i64 {
        self.shot.first()
    }

    fn read_settings(&mut self, last: i64) -> Result<bool, H::Error> {
        self.shot.read_settings(last)
    }

    fn settings(&mut self, frame: i64) -> Result<u128, H::Error> {
        self.shot.settings(frame)
    }

    fn lineage(&self, frame: i64) -> Option<u128> {
        self.shot.lineage(frame)
    }

    fn input_frame(&self, frame: i64) -> i64 {
        self.shot.input_frame(frame)
    }

    fn views(&mut self, frame: i64) -> Result<Vec<Option<u128>>, H::Error> {
        self.shot.views(frame)
    }

    fn read(&mut self, frame: i64) -> Result<Option<Hashed<H::Inputs>>, H::Error> {
        self.looked |= frame == self.wanted;
        if self.is_on_the_way(frame) && self.is_late() { Ok(None) } else { self.shot.read(frame) }
    }

    fn hashes(&mut self, frame: i64) -> Result<Option<Vec<PixelHash>>, H::Error> {
        self.looked |= frame == self.wanted;
        if self.is_on_the_way(frame) && self.is_late() { Ok(None) } else { self.shot.hashes(frame) }
    }

    fn step(&mut self, before: Option<&H::State>, frame: i64, inputs: H::Inputs) -> Result<Option<H::State>, H::Error> {
        if self.is_late() {
            return Ok(None);
        }
        self.tell(frame);
        let made = self.shot.step(before, frame, inputs)?;
        self.simulated += u64::from(made.is_some());
        Ok(made)
    }

    fn account(&mut self, frame: i64) -> Result<String, H::Error> {
        self.shot.account(frame)
    }

    /// Nor does a draft wait for what other renders and processes simulate.
    fn go_on(&mut self) -> bool {
        !(self.looked && self.is_late()) && self.shot.go_on()
    }
}
