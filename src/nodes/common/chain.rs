//! The frames of a node for the timeline: settings and pictures by frame, and a step of the simulation.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::controls::Invalidates;
use super::geometry;
use super::interpolated::{Interpolated, Pairs};
use super::memory::MemoryEstimate;
use super::node::{Failure, Node, Simulation, Step};
use super::pictures::{ImageSource, Pictures, Sampled, Sampling, Wired};
use super::reader::{SettingsReader, digest};
use super::report;
use super::values::{Missing, Moment, Setup, Values};
use crate::ofx::{Error, Result};
use crate::picture::Averaging;
use crate::sim::fingerprint::{Digest, Fingerprint as _};
use crate::sim::grid::Grid;
use crate::timeline::{ChainKey, FrameSettings, PixelHash, SettingsCache, Shot};

/// A run of frames of an input without images, for [`Missing::Hold`]: the frames after `found`, if it is known, up to
/// `last`.
#[derive(Clone, Copy, Debug)]
struct Hole {
    found: Option<f64>,
    last: f64,
}

/// The state of a frame.
pub type StateOf<N> = <<N as Node>::Simulation as Simulation<N>>::State;

/// The settings of a frame.
pub type FrameOf<N> = <<N as Node>::Simulation as Simulation<N>>::Frame;

/// The settings and pictures of a frame in a sequential-only host.
pub struct Consumed<N: Node> {
    settings: FrameOf<N>,
    pictures: Pictures,
    /// The pairs (positions and other two-component values) that were read for the settings.
    pub pairs: Pairs<N::Id>,
    /// Hash of settings and pictures.
    pub hash: ChainKey,
}

/// The chain of a node during one render.
pub struct NodeChain<'a, N: Node, V, I> {
    values: &'a V,
    images: &'a mut I,
    simulation: &'a N::Simulation,
    setup: Setup,
    raster: Grid,
    wired: Wired,
    family: ChainKey,
    /// The family of the same simulation on the other class of device, and the name of that class, where its bits
    /// differ.
    other: Option<(ChainKey, &'static str)>,
    /// Settings of each frame, from the first on.
    frames: SettingsReader<'a, FrameOf<N>>,
    /// For each input: the last run of frames without images.
    holes: Vec<Option<Hole>>,
    /// For each input: frames without an image that this render read as transparent.
    missing: Vec<BTreeSet<i64>>,
    /// Memory of a frame, to be compared with the limits; `None` for no comparison.
    pub memory: Option<MemoryEstimate>,
    /// Steps of this render.
    pub steps: u64,
    /// Time that this render spent on parameters.
    pub reading: Duration,
    /// Time that this render spent on simulation.
    pub stepping: Duration,
}

impl<'a, N: Node, V: Values<N::Id>, I: ImageSource> NodeChain<'a, N, V, I> {
    /// The chain of a simulation over a raster.
    pub fn new(values: &'a V, images: &'a mut I, simulation: &'a N::Simulation, setup: Setup, raster: Grid) -> Self {
        let mut kind = None;
        let mut family = |other: bool| {
            let mut digest = Digest::new(&N::ABOUT.identifier.to_string_lossy());
            digest.int(i64::from(N::Simulation::VERSION));
            raster.enter(&mut digest);
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
        // An input that only the picture uses counts as not connected to the simulation.
        let enters = |input: usize| N::INPUTS[input].invalidates == Invalidates::Simulation;
        let wired = Wired::new(N::INPUTS.len(), |input| enters(input) && images.view(input).is_some());
        let mut context = Digest::new("context");
        context.wide(family.0);
        for input in 0..N::INPUTS.len() {
            context.int(i64::from(wired.has(input)));
            context.wide(images.view(input).unwrap_or(0));
        }
        Self {
            values,
            images,
            simulation,
            setup,
            raster,
            wired,
            family,
            other,
            frames: SettingsReader::new(context.finish()),
            holes: vec![None; N::INPUTS.len()],
            missing: vec![BTreeSet::new(); N::INPUTS.len()],
            memory: None,
            steps: 0,
            reading: Duration::ZERO,
            stepping: Duration::ZERO,
        }
    }

    /// Adds a cache of settings. `stamp` covers all announcements of a change of a parameter; take it before any
    /// parameter is read.
    #[must_use]
    pub fn with_cache(self, cache: &'a SettingsCache<FrameOf<N>>, stamp: u128) -> Self {
        Self { frames: self.frames.with_cache(cache, stamp), ..self }
    }

    /// The family of the same simulation on the other class of device, and the name of that class, where its bits
    /// differ.
    pub fn other(&self) -> Option<(ChainKey, &'static str)> {
        self.other
    }

    /// The state at a `share` (above 0, below 1) of the frame after `frame`, whose state is `before`. `Ok(None)` after
    /// an abort.
    ///
    /// # Errors
    /// The fraction of the frame cannot be simulated.
    pub fn part(&mut self, before: &StateOf<N>, frame: i64, share: f64) -> Result<Option<StateOf<N>>, Failure> {
        let time = frame as f64 + share;
        let whole = Some(frame as f64);
        let moment = Moment { frame: frame + 1, time, previous: whole, first: false };
        let last = self.frame(frame)?;
        let settings = self.read_frame(self.values, moment, Some(&last))?;
        let Some((pictures, _)) = self.pictures_at(&settings, false, time, true)? else { return Ok(None) };
        self.advance(Some(before), &settings, &pictures, share)
    }

    /// The settings and pictures of a frame in a sequential-only host. Pairs are interpolated between `before`, the
    /// pairs of the last rendered frame, and the current ones; `way` has the positions of the previous frame and of
    /// this frame between both, 0 to 1. `Ok(None)` after an abort.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn consume(
        &mut self,
        before: &[(N::Id, [f64; 2])],
        way: [f64; 2],
        frame: i64,
        time: f64,
        first: bool,
    ) -> Result<Option<Consumed<N>>> {
        let values = Interpolated { values: self.values, now: time, before, way, read: RefCell::default() };
        let moment = Moment { frame, time, previous: (!first).then_some(time - 1.0), first };
        let settings = self.read_frame(&values, moment, None)?;
        let Some((pictures, hashes)) = self.pictures_at(&settings, first, time, true)? else { return Ok(None) };
        let hash = ChainKey(u128::from(first)).next(digest(&settings), &hashes);
        Ok(Some(Consumed { settings, pictures, pairs: values.read.into_inner(), hash }))
    }

    /// The state after a frame, from the state `before` or from the start. `Ok(None)` after an abort.
    ///
    /// # Errors
    /// The frame cannot be simulated.
    pub fn simulate(
        &mut self,
        before: Option<&StateOf<N>>,
        frame: &Consumed<N>,
    ) -> Result<Option<StateOf<N>>, Failure> {
        self.advance(before, &frame.settings, &frame.pictures, 1.0)
    }

    /// The settings of a frame of the chain.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn frame(&mut self, frame: i64) -> Result<Arc<FrameOf<N>>> {
        Ok(Arc::clone(&self.known(frame)?.settings))
    }

    /// The current settings of a sequential-only host.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn current_frame(&mut self, frame: i64, time: f64) -> Result<FrameOf<N>> {
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

    /// Reads the settings up to a position. Returns false after an abort.
    fn read_up_to(&mut self, position: usize, asking: bool) -> Result<bool> {
        let Self { frames, values, images, simulation, setup, wired, reading, .. } = self;
        let started = Instant::now();
        let read = |position: usize, before: Option<&FrameOf<N>>| {
            let frame = setup.first() + position as i64;
            let held = setup.clamped(frame) as f64;
            let previous = (frame > setup.start).then_some(held - 1.0);
            simulation.frame(*values, *wired, Moment { frame, time: held, previous, first: position == 0 }, before)
        };
        let goes_on = frames.read_up_to(position, read, || !asking || images.go_on());
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
        let settings = self.simulation.frame(values, self.wired, moment, before);
        self.reading += started.elapsed();
        settings
    }

    fn advance(
        &mut self,
        before: Option<&StateOf<N>>,
        settings: &FrameOf<N>,
        pictures: &Pictures,
        share: f64,
    ) -> Result<Option<StateOf<N>>, Failure> {
        let started = Instant::now();
        let images = &mut *self.images;
        let made = self.simulation.step(before, settings, pictures, share, &mut || images.go_on());
        self.stepping += started.elapsed();
        let Some(Step { state, steps }) = made? else { return Ok(None) };
        self.steps += steps;
        Ok(Some(state))
    }

    fn consumes(&self, settings: &FrameOf<N>, first: bool, input: usize) -> Option<Averaging> {
        if !self.wired.has(input) {
            return None;
        }
        self.simulation.consumes(settings, first, self.wired, input)
    }

    /// The pictures that a frame consumes, and their hashes; without `keep` the hashes alone. `None` after an abort.
    fn pictures_at(
        &mut self,
        settings: &FrameOf<N>,
        first: bool,
        time: f64,
        keep: bool,
    ) -> Result<Option<(Pictures, Vec<PixelHash>)>> {
        // Pictures are kept for a frame that is simulated next.
        if let Some(memory) = self.memory.as_ref().filter(|_| keep) {
            memory.check()?;
        }
        let grid = geometry::placement(&self.simulation.window(settings).unwrap_or(self.raster));
        let mut pictures = Pictures::none(N::INPUTS.len());
        let mut hashes = vec![PixelHash::NOTHING; N::INPUTS.len()];
        for (input, hash) in hashes.iter_mut().enumerate() {
            let Some(averaging) = self.consumes(settings, first, input) else { continue };
            let Some(sampled) = self.sample(input, time, &Sampling { grid, averaging, keep })? else {
                return Ok(None);
            };
            *hash = sampled.consumed();
            pictures.put(input, sampled, &grid);
        }
        while hashes.len() > N::LATER_INPUTS && hashes.last() == Some(&PixelHash::NOTHING) {
            hashes.pop();
        }
        Ok(Some((pictures, hashes)))
    }

    /// The pictures that a view contains in addition to the state. `None` after an abort.
    ///
    /// # Errors
    /// An image cannot be read.
    pub fn shown(&mut self, view: &N::View, time: f64) -> Result<Option<Pictures>> {
        let grid = geometry::placement(&self.raster);
        let mut pictures = Pictures::none(N::INPUTS.len());
        for input in 0..N::INPUTS.len() {
            if !N::shows(view, input) || self.images.view(input).is_none() {
                continue;
            }
            let own = if N::has_own_grid(input) { self.images.own_grid(input, time) } else { None };
            let grid = own.unwrap_or(grid);
            let sampling = Sampling { grid, averaging: Averaging::ByAlpha, keep: true };
            let Some(sampled) = self.sample(input, time, &sampling)? else { return Ok(None) };
            pictures.put(input, sampled, &grid);
        }
        Ok(Some(pictures))
    }

    /// A line for each input without an image at some frames, which this render read as transparent.
    pub fn missing(&self) -> impl Iterator<Item = String> {
        let way_out = match self.setup.missing {
            Missing::Hold => "there is none before to hold",
            Missing::Transparent | Missing::Fail => "set Missing frames to Hold or Fail",
        };
        N::INPUTS.iter().zip(&self.missing).filter_map(move |(input, at)| report::missing(input.text(), at, way_out))
    }

    /// A picture, or the substitute for a missing one. `None` after an abort: a host gives no images then, or
    /// unfinished ones of an upstream node.
    fn sample(&mut self, input: usize, time: f64, sampling: &Sampling) -> Result<Option<Sampled>> {
        let start = self.setup.start as f64;
        let mut wanted = time;
        loop {
            let sampled = self.images.sample(input, wanted, sampling)?;
            if !self.images.go_on() {
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
                    // A long run of missing images is searched once, not from each of its frames.
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
                    return Ok(Some(self.images.nothing(sampling)));
                }
            }
        }
    }
}

impl<N: Node, V: Values<N::Id>, I: ImageSource> Shot for NodeChain<'_, N, V, I> {
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
        self.setup.clamped(frame)
    }

    fn views(&mut self, frame: i64) -> Result<Vec<Option<u128>>, Failure> {
        let settings = self.frame(frame)?;
        let first = frame == self.first();
        let window = self.simulation.window(&settings).map(|window| {
            let mut digest = Digest::new("window");
            window.enter(&mut digest);
            digest.finish()
        });
        let view = |input| {
            let averaging = self.consumes(&settings, first, input)?;
            let view = self.images.view(input)?.wrapping_add(u128::from(averaging == Averaging::ByAlpha));
            Some(view ^ window.unwrap_or(0))
        };
        let mut views: Vec<_> = (0..N::INPUTS.len()).map(view).collect();
        while views.len() > N::LATER_INPUTS && views.last() == Some(&None) {
            views.pop();
        }
        Ok(views)
    }

    fn read(&mut self, frame: i64) -> Result<Option<(Pictures, Vec<PixelHash>)>, Failure> {
        let settings = self.frame(frame)?;
        Ok(self.pictures_at(&settings, frame == self.first(), self.setup.clamped(frame) as f64, true)?)
    }

    fn hashes(&mut self, frame: i64) -> Result<Option<Vec<PixelHash>>, Failure> {
        let settings = self.frame(frame)?;
        let consumed = self.pictures_at(&settings, frame == self.first(), self.setup.clamped(frame) as f64, false)?;
        Ok(consumed.map(|(_, hashes)| hashes))
    }

    fn restart(&mut self, frame: i64) -> Result<i64, Failure> {
        let (settings, first) = (self.frame(frame)?, self.setup.first());
        let frames = self.simulation.history(&settings);
        Ok(frames.map_or(first, |frames| frame.saturating_sub_unsigned(frames.max(1) - 1).max(first)))
    }

    fn step(
        &mut self,
        before: Option<&StateOf<N>>,
        frame: i64,
        pictures: Pictures,
    ) -> Result<Option<StateOf<N>>, Failure> {
        let settings = self.frame(frame)?;
        self.advance(before, &settings, &pictures, 1.0)
    }

    fn account(&mut self, frame: i64) -> Result<String, Failure> {
        let settings = self.frame(frame)?;
        Ok(self.simulation.account(&settings))
    }

    fn go_on(&mut self) -> bool {
        self.images.go_on()
    }
}
