//! A node as the timeline sees it: settings and pictures by frame, and a step of its simulation.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::between::{Between, Pairs};
use super::controls::Reach;
use super::geometry;
use super::need::Need;
use super::node::{Failure, Node, Simulation, Step};
use super::pictures::{Feed, Pictures, Sampled, Sampling, Wired};
use super::reader::{SettingsReader, digest};
use super::report;
use super::values::{Missing, Moment, Setup, Values};
use crate::ofx::{Error, Result};
use crate::picture::Averaging;
use crate::sim::fingerprint::{Digest, Fingerprint as _};
use crate::sim::grid::Grid;
use crate::timeline::{ChainKey, FrameSettings, PixelHash, SettingsCache, Shot};

/// A stretch of an input without pictures, for holding: from `found` (if any) there is none up to `last`.
#[derive(Clone, Copy, Debug)]
struct Hole {
    found: Option<f64>,
    last: f64,
}

/// A frame's state.
pub type StateOf<N> = <<N as Node>::Simulation as Simulation<N>>::State;

/// A frame's settings.
pub type FrameOf<N> = <<N as Node>::Simulation as Simulation<N>>::Frame;

/// What a frame takes in.
pub struct Taken<N: Node> {
    settings: FrameOf<N>,
    pictures: Pictures,
    /// What was read of what may move.
    pub pairs: Pairs<N::Id>,
    /// Of settings and pictures.
    pub hash: ChainKey,
}

/// One render's view of its simulation.
pub struct NodeShot<'a, N: Node, V, F> {
    values: &'a V,
    feed: &'a mut F,
    simulation: &'a N::Simulation,
    setup: Setup,
    grid: Grid,
    wired: Wired,
    family: ChainKey,
    /// The family of the same simulation on the other kind of device, and that kind's name, where its bits are others.
    other: Option<(ChainKey, &'static str)>,
    /// Settings of each frame, from the first on.
    frames: SettingsReader<'a, FrameOf<N>>,
    /// By input.
    holes: Vec<Option<Hole>>,
    /// By input: frames that this render read and the host had no picture for, which count as nothing.
    missing: Vec<BTreeSet<i64>>,
    /// Memory of a frame, where it is to be compared with what there is.
    pub need: Option<Need>,
    /// Steps that this render took.
    pub steps: u64,
    /// Time that this render spent on reading parameters.
    pub reading: Duration,
    /// Time that this render spent on simulating.
    pub stepping: Duration,
}

impl<'a, N: Node, V: Values<N::Id>, F: Feed> NodeShot<'a, N, V, F> {
    /// Of a node whose grid is known.
    pub fn new(values: &'a V, feed: &'a mut F, simulation: &'a N::Simulation, setup: Setup, grid: Grid) -> Self {
        let mut kind = None;
        let mut family = |other: bool| {
            let mut digest = Digest::new(&N::ABOUT.identifier.to_string_lossy());
            digest.int(i64::from(N::Simulation::VERSION));
            grid.enter(&mut digest);
            if other {
                kind = simulation.enter_other(&mut digest);
            } else {
                simulation.enter(&mut digest);
            }
            digest.int(setup.start);
            digest.int(setup.preroll);
            digest.int(setup.missing as i64);
            if let Some(initial) = simulation.initial() {
                initial.enter(&mut digest);
            }
            ChainKey(digest.finish())
        };
        let (family, others) = (family(false), family(true));
        let other = kind.map(|kind| (others, kind));
        // An input of the picture alone is never wired to the simulation.
        let enters = |input: usize| N::INPUTS[input].reach == Reach::Simulation;
        let wired = Wired::new(N::INPUTS.len(), |input| enters(input) && feed.view(input).is_some());
        let mut context = Digest::new("context");
        context.wide(family.0);
        for input in 0..N::INPUTS.len() {
            context.int(i64::from(wired.has(input)));
            context.wide(feed.view(input).unwrap_or(0));
        }
        Self {
            values,
            feed,
            simulation,
            setup,
            grid,
            wired,
            family,
            other,
            frames: SettingsReader::new(context.finish()),
            holes: vec![None; N::INPUTS.len()],
            missing: vec![BTreeSet::new(); N::INPUTS.len()],
            need: None,
            steps: 0,
            reading: Duration::ZERO,
            stepping: Duration::ZERO,
        }
    }

    /// The same with a cache of settings. `stamp` covers everything that announces a change of a parameter, and was taken before
    /// any parameter is read through this.
    #[must_use]
    pub fn with_cache(self, cache: &'a SettingsCache<FrameOf<N>>, stamp: u128) -> Self {
        Self { frames: self.frames.with_cache(cache, stamp), ..self }
    }

    /// The family of the same simulation on the other kind of device, with that kind's name, where its bits are others.
    pub fn other(&self) -> Option<(ChainKey, &'static str)> {
        self.other
    }

    /// The last frame's fractional successor: `before` is the state of `frame`, and `share` (above 0, below 1) of the
    /// next one passes. `Ok(None)` if the host wants the render to stop.
    ///
    /// # Errors
    /// There is none.
    pub fn part(&mut self, before: &StateOf<N>, frame: i64, share: f64) -> Result<Option<StateOf<N>>, Failure> {
        let time = frame as f64 + share;
        let whole = Some(frame as f64);
        let moment = Moment { frame: frame + 1, time, previous: whole, first: false };
        let last = self.frame(frame)?;
        let taken = self.read_frame(self.values, moment, Some(&last))?;
        let Some((pictures, _)) = self.pictures_at(&taken, false, time, true)? else { return Ok(None) };
        let started = Instant::now();
        let feed = &mut *self.feed;
        let made = self.simulation.part(before, &taken, &pictures, share, &mut || feed.go_on());
        self.stepping += started.elapsed();
        Ok(self.count(made?))
    }

    /// What a frame takes in of what the host shows now: for hosts that show the present only. What moves comes from
    /// where it was in `before`; `way` says where on the way to now the frame begins and ends. `Ok(None)` if the host
    /// wants the render to stop.
    ///
    /// # Errors
    /// The host can't be asked.
    pub fn now(
        &mut self,
        before: &[(N::Id, [f64; 2])],
        way: [f64; 2],
        frame: i64,
        time: f64,
        first: bool,
    ) -> Result<Option<Taken<N>>> {
        let values = Between { values: self.values, now: time, before, way, read: RefCell::default() };
        let moment = Moment { frame, time, previous: (!first).then_some(time - 1.0), first };
        let settings = self.read_frame(&values, moment, None)?;
        let Some((pictures, hashes)) = self.pictures_at(&settings, first, time, true)? else { return Ok(None) };
        let hash = ChainKey(u128::from(first)).next(digest(&settings), &hashes);
        Ok(Some(Taken { settings, pictures, pairs: values.read.into_inner(), hash }))
    }

    /// The state after a frame that takes that in, from `before` or from the start. `Ok(None)` if the host wants the
    /// render to stop.
    ///
    /// # Errors
    /// The frame can't be simulated.
    pub fn onward(&mut self, before: Option<&StateOf<N>>, taken: &Taken<N>) -> Result<Option<StateOf<N>>, Failure> {
        self.advance(before, &taken.settings, &taken.pictures)
    }

    /// The settings of a frame of the chain.
    ///
    /// # Errors
    /// The host can't be asked.
    pub fn frame(&mut self, frame: i64) -> Result<Arc<FrameOf<N>>> {
        Ok(Arc::clone(&self.known(frame)?.settings))
    }

    /// The settings of a frame on its own, for hosts that show the present only.
    ///
    /// # Errors
    /// The host can't be asked.
    pub fn present_frame(&mut self, frame: i64, time: f64) -> Result<FrameOf<N>> {
        let moment = Moment { frame, time, previous: Some(time - 1.0), first: false };
        self.read_frame(self.values, moment, None)
    }

    fn known(&mut self, frame: i64) -> Result<&FrameSettings<FrameOf<N>>> {
        let position = self.position(frame);
        if self.frames.get(position).is_none() {
            self.read_up_to(position, false)?;
        }
        self.frames.get(position).ok_or_else(|| Error::message(format!("Frame {frame} could not be read.")))
    }

    fn position(&self, frame: i64) -> usize {
        (frame - self.setup.first()) as usize
    }

    /// Brings the settings up to a position to hand; false where the host is asked whether to go on and says no.
    fn read_up_to(&mut self, position: usize, asking: bool) -> Result<bool> {
        let Self { frames, values, feed, simulation, setup, wired, reading, .. } = self;
        let started = Instant::now();
        let read = |position: usize, before: Option<&FrameOf<N>>| {
            let frame = setup.first() + position as i64;
            let held = setup.held(frame) as f64;
            let previous = (frame > setup.start).then_some(held - 1.0);
            simulation.frame(*values, *wired, Moment { frame, time: held, previous, first: position == 0 }, before)
        };
        let goes_on = frames.read_up_to(position, read, || !asking || feed.go_on());
        *reading += started.elapsed();
        goes_on
    }

    fn read_frame<W: Values<N::Id>>(
        &mut self,
        values: &W,
        moment: Moment,
        before: Option<&FrameOf<N>>,
    ) -> Result<FrameOf<N>> {
        let started = Instant::now();
        let taken = self.simulation.frame(values, self.wired, moment, before);
        self.reading += started.elapsed();
        taken
    }

    fn advance(
        &mut self,
        before: Option<&StateOf<N>>,
        taken: &FrameOf<N>,
        pictures: &Pictures,
    ) -> Result<Option<StateOf<N>>, Failure> {
        let started = Instant::now();
        let feed = &mut *self.feed;
        let made = self.simulation.step(before, taken, pictures, &mut || feed.go_on());
        self.stepping += started.elapsed();
        Ok(self.count(made?))
    }

    fn count(&mut self, made: Option<Step<StateOf<N>>>) -> Option<StateOf<N>> {
        let Step { state, steps } = made?;
        self.steps += steps;
        Some(state)
    }

    fn consumes(&self, taken: &FrameOf<N>, first: bool, input: usize) -> Option<Averaging> {
        if !self.wired.has(input) {
            return None;
        }
        self.simulation.consumes(taken, first, self.wired, input)
    }

    /// What a frame consumes: its pictures, none where not to `keep`, and their hashes. `None` if the host wants the
    /// render to stop.
    fn pictures_at(
        &mut self,
        taken: &FrameOf<N>,
        first: bool,
        time: f64,
        keep: bool,
    ) -> Result<Option<(Pictures, Vec<PixelHash>)>> {
        // Pictures are kept for a frame that is about to be simulated.
        if let Some(need) = self.need.filter(|_| keep) {
            need.check()?;
        }
        let grid = geometry::placement(&self.simulation.window(taken).unwrap_or(self.grid));
        let mut pictures = Pictures::none(N::INPUTS.len());
        let mut hashes = vec![PixelHash::NOTHING; N::INPUTS.len()];
        for (input, hash) in hashes.iter_mut().enumerate() {
            let Some(averaging) = self.consumes(taken, first, input) else { continue };
            let Some(sampled) = self.sample(input, time, &Sampling { grid, averaging, keep })? else {
                return Ok(None);
            };
            *hash = sampled.consumed();
            pictures.put(input, sampled);
        }
        Ok(Some((pictures, hashes)))
    }

    /// The pictures that what is shown takes in beside a state. `None` if the host wants the render to stop.
    ///
    /// # Errors
    /// There is none.
    pub fn shown(&mut self, view: &N::View, time: f64) -> Result<Option<Pictures>> {
        let grid = geometry::placement(&self.grid);
        let sampling = Sampling { grid, averaging: Averaging::ByAlpha, keep: true };
        let mut pictures = Pictures::none(N::INPUTS.len());
        for (input, about) in N::INPUTS.iter().enumerate() {
            if about.reach != Reach::Picture || !N::shows(view, input) || self.feed.view(input).is_none() {
                continue;
            }
            let Some(sampled) = self.sample(input, time, &sampling)? else { return Ok(None) };
            pictures.put(input, sampled);
        }
        Ok(Some(pictures))
    }

    /// A line for each input that this render found without a picture, and that counted as nothing there.
    pub fn missing(&self) -> impl Iterator<Item = String> {
        let way_out = match self.setup.missing {
            Missing::Hold => "there is none before to hold",
            Missing::Transparent | Missing::Fail => "set Missing frames to Hold or Fail",
        };
        N::INPUTS.iter().zip(&self.missing).filter_map(move |(input, at)| report::missing(input.text(), at, way_out))
    }

    /// A picture, or what a missing one becomes. `None` if the host wants the render to stop: it also answers with no
    /// picture then, or with one that a node upstream left unfinished, which says nothing about the clip.
    fn sample(&mut self, input: usize, time: f64, sampling: &Sampling) -> Result<Option<Sampled>> {
        let start = self.setup.start as f64;
        let mut wanted = time;
        loop {
            let sampled = self.feed.sample(input, wanted, sampling)?;
            if !self.feed.go_on() {
                return Ok(None);
            }
            if sampled.is_some() && wanted < time {
                self.holes[input] = Some(Hole { found: Some(wanted), last: time });
            }
            if sampled.is_some() {
                return Ok(sampled);
            }
            match self.setup.missing {
                Missing::Fail => {
                    return Err(Error::message(format!(
                        "{} has no picture at frame {time}. Give it one, or set Missing frames to Hold or Transparent.",
                        N::INPUTS[input].text()
                    )));
                }
                Missing::Hold if wanted > start => {
                    wanted = (wanted.ceil() - 1.0).max(start);
                    // A long hole is walked through once, not from each of its frames.
                    if let Some(hole) = self.holes[input]
                        && wanted <= hole.last
                        && hole.found.is_none_or(|found| found <= wanted)
                    {
                        wanted = hole.found.unwrap_or(start);
                    }
                }
                Missing::Hold | Missing::Transparent => {
                    self.holes[input] = Some(Hole { found: None, last: time });
                    self.missing[input].insert(time.floor() as i64);
                    return Ok(Some(self.feed.nothing(sampling)));
                }
            }
        }
    }
}

impl<N: Node, V: Values<N::Id>, F: Feed> Shot for NodeShot<'_, N, V, F> {
    type State = StateOf<N>;
    type Inputs = Pictures;
    type Error = Failure;

    fn family(&self) -> ChainKey {
        self.family
    }

    fn first(&self) -> i64 {
        self.setup.first()
    }

    fn read_settings(&mut self, last: i64) -> Result<bool, Failure> {
        Ok(self.read_up_to(self.position(last), true)?)
    }

    fn settings(&mut self, frame: i64) -> Result<u128, Failure> {
        Ok(self.known(frame)?.hash)
    }

    fn lineage(&self, frame: i64) -> Option<u128> {
        self.frames.get(self.position(frame)).map(|known| known.lineage)
    }

    fn input_frame(&self, frame: i64) -> i64 {
        self.setup.held(frame)
    }

    fn views(&mut self, frame: i64) -> Result<Vec<Option<u128>>, Failure> {
        let taken = self.frame(frame)?;
        let first = frame == self.first();
        let window = self.simulation.window(&taken).map(|window| {
            let mut digest = Digest::new("window");
            window.enter(&mut digest);
            digest.finish()
        });
        let view = |input| {
            let averaging = self.consumes(&taken, first, input)?;
            let view = self.feed.view(input)?.wrapping_add(u128::from(averaging == Averaging::ByAlpha));
            Some(view ^ window.unwrap_or(0))
        };
        Ok((0..N::INPUTS.len()).map(view).collect())
    }

    fn read(&mut self, frame: i64) -> Result<Option<(Pictures, Vec<PixelHash>)>, Failure> {
        let taken = self.frame(frame)?;
        Ok(self.pictures_at(&taken, frame == self.first(), self.setup.held(frame) as f64, true)?)
    }

    fn hashes(&mut self, frame: i64) -> Result<Option<Vec<PixelHash>>, Failure> {
        let taken = self.frame(frame)?;
        let consumed = self.pictures_at(&taken, frame == self.first(), self.setup.held(frame) as f64, false)?;
        Ok(consumed.map(|(_, hashes)| hashes))
    }

    fn step(
        &mut self,
        before: Option<&StateOf<N>>,
        frame: i64,
        pictures: Pictures,
    ) -> Result<Option<StateOf<N>>, Failure> {
        let taken = self.frame(frame)?;
        self.advance(before, &taken, &pictures)
    }

    fn account(&mut self, frame: i64) -> Result<String, Failure> {
        let taken = self.frame(frame)?;
        Ok(self.simulation.account(&taken))
    }

    fn go_on(&mut self) -> bool {
        self.feed.go_on()
    }
}
