//! Catch-up to a frame: its progress, and the preview that a draft shows if the frame takes too long.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::timeline::archive::Archive;
use crate::timeline::{ChainKey, Hashed, InputMemory, Outcome, PixelHash, Shot, Stop, Store, catch_up, peek};

/// Time in milliseconds after which a draft starts no further frame and shows a preview.
const DRAFT_LIMIT: u64 = 250;
/// The environment variable that overrides it.
const DRAFT_LIMIT_NAME: &str = "FLOW_PREVIEW_MS";

/// Time between two lines in the log about one render.
const LOG_INTERVAL: Duration = Duration::from_secs(1);

fn draft_limit() -> Duration {
    static LIMIT: OnceLock<Duration> = OnceLock::new();
    *LIMIT.get_or_init(|| {
        let set = std::env::var(DRAFT_LIMIT_NAME).ok().and_then(|text| text.trim().parse().ok());
        Duration::from_millis(set.unwrap_or(DRAFT_LIMIT))
    })
}

/// The frame that a render in progress simulates, and the frame that it was asked for.
#[derive(Default)]
pub struct Progress(Mutex<Option<(i64, i64)>>);

impl Progress {
    fn set(&self, frames: Option<(i64, i64)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = frames;
    }

    /// A line for people, during a render.
    pub fn line(&self) -> Option<String> {
        let (frame, wanted) = (*self.0.lock().unwrap_or_else(PoisonError::into_inner))?;
        Some(format!("Simulating frame {frame} on the way to frame {wanted}"))
    }
}

/// The result of catching up.
pub enum CaughtUp<S> {
    /// The state of the frame.
    Frame(Outcome<S>),
    /// The state of another frame, for a draft that would have taken too long.
    Preview(Preview<S>),
}

/// A state that is shown in place of the requested one. It enters no key.
pub struct Preview<S> {
    /// The state.
    pub state: Arc<S>,
    /// Its frame.
    pub frame: i64,
    /// Whether the state belongs to the simulation before an edit.
    pub stale: bool,
    /// Frames that were simulated meanwhile, which are kept.
    pub simulated: u64,
}

/// The places where states are found.
pub struct Places<'a, S> {
    /// Hashes of the inputs.
    pub memory: &'a InputMemory,
    /// States in memory.
    pub store: &'a Store,
    /// States on disk.
    pub archive: Option<&'a dyn Archive<S>>,
}

/// The state at a frame. For a draft that would take too long, the nearest stored state of the same simulation or, if
/// that is nearer, of the simulation before an edit.
///
/// # Errors
/// As [`catch_up`].
pub fn state_at<H: Shot>(
    shot: &mut H,
    wanted: i64,
    draft: bool,
    progress: &Progress,
    places: &Places<'_, H::State>,
) -> Result<CaughtUp<H::State>, Stop<H::Error>> {
    let Places { memory, store, archive } = *places;
    let wanted = wanted.max(shot.first());
    let mut watched = Watched::new(shot, wanted, draft.then(draft_limit), progress);
    let stopped = match catch_up(&mut watched, wanted, memory, store, archive) {
        Ok(outcome) => return Ok(CaughtUp::Frame(outcome)),
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
            // Without any state, the preview is the first frame, however long it takes.
            let outcome = catch_up(shot, first, memory, store, archive)?;
            if wanted == first {
                return Ok(CaughtUp::Frame(outcome));
            }
            simulated += outcome.simulated;
            (first, outcome.state, false)
        }
    };
    tracing::info!("a preview of frame {wanted}: frame {frame}, after {simulated} that were simulated");
    Ok(CaughtUp::Preview(Preview { state, frame, stale, simulated }))
}

/// A shot that reports its progress, and stops at its deadline, if it has one.
struct Watched<'w, H> {
    shot: &'w mut H,
    wanted: i64,
    deadline: Option<Instant>,
    ran_out: bool,
    /// Whether the images of the wanted frame were read: the deadline applies only afterwards.
    read_wanted: bool,
    simulated: u64,
    progress: &'w Progress,
    logged: Instant,
}

impl<'w, H: Shot> Watched<'w, H> {
    fn new(shot: &'w mut H, wanted: i64, limit: Option<Duration>, progress: &'w Progress) -> Self {
        let now = Instant::now();
        let deadline = limit.map(|limit| now + limit);
        Self { shot, wanted, deadline, ran_out: false, read_wanted: false, simulated: 0, progress, logged: now }
    }

    /// Whether the deadline has passed.
    fn is_late(&mut self) -> bool {
        self.ran_out |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.ran_out
    }

    /// Whether a frame is neither the first nor the wanted one. The images of those two are read even after the
    /// deadline.
    fn is_between(&self, frame: i64) -> bool {
        frame != self.wanted && frame != self.shot.first()
    }

    fn report(&mut self, frame: i64) {
        if frame == self.wanted {
            return;
        }
        self.progress.set(Some((frame, self.wanted)));
        if self.logged.elapsed() >= LOG_INTERVAL {
            self.logged = Instant::now();
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
        self.read_wanted |= frame == self.wanted;
        if self.is_between(frame) && self.is_late() { Ok(None) } else { self.shot.read(frame) }
    }

    fn hashes(&mut self, frame: i64) -> Result<Option<Vec<PixelHash>>, H::Error> {
        self.read_wanted |= frame == self.wanted;
        if self.is_between(frame) && self.is_late() { Ok(None) } else { self.shot.hashes(frame) }
    }

    fn restart(&mut self, frame: i64) -> Result<i64, H::Error> {
        self.shot.restart(frame)
    }

    fn step(&mut self, before: Option<&H::State>, frame: i64, inputs: H::Inputs) -> Result<Option<H::State>, H::Error> {
        if self.is_late() {
            return Ok(None);
        }
        self.report(frame);
        let made = self.shot.step(before, frame, inputs)?;
        self.simulated += u64::from(made.is_some());
        Ok(made)
    }

    fn account(&mut self, frame: i64) -> Result<String, H::Error> {
        self.shot.account(frame)
    }

    /// Also false after the deadline: a late draft does not wait for states of other renders and processes.
    fn go_on(&mut self) -> bool {
        !(self.read_wanted && self.is_late()) && self.shot.go_on()
    }
}
