//! The Flow node as the timeline sees it: settings and pictures by frame, and the water's step.

use std::ffi::CStr;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::geometry;
use super::initial::Initial;
use super::values::{Frame, Missing, Moment, Setup, Values, Wired};
use crate::compute::cpu::Cpu;
use crate::ofx::Error;
use crate::picture::{Components, Placement};
use crate::sim::inputs::{Inputs, Pixels, SourcePixels};
use crate::sim::settings::{Channel, SourceMode};
use crate::sim::{self, BadPixels, Device, Notices, Spec, State, steps_per_frame};
use crate::timeline::disk::Threads;
use crate::timeline::{ChainKey, Digest, Fingerprint, Kept, PixelHash, Shot};

/// An input of the node; the number is its place wherever inputs are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Water let in.
    Source,
    /// The ground.
    Terrain,
    /// What is solid.
    Obstacles,
    /// Push and pressure.
    Force,
    /// Where the source acts.
    Mask,
}

impl Input {
    /// All, in the order of the host's panel.
    pub const ALL: [Self; 5] = [Self::Source, Self::Terrain, Self::Obstacles, Self::Force, Self::Mask];

    /// Name of the clip in the host.
    pub fn clip_name(self) -> &'static CStr {
        [c"Source", c"Terrain", c"Obstacles", c"Force", c"Mask"][self as usize]
    }

    /// Name of the clip in messages.
    pub fn name(self) -> &'static str {
        ["Source", "Terrain", "Obstacles", "Force", "Mask"][self as usize]
    }
}

/// A picture that the host gave, sampled onto the grid.
pub struct Sampled {
    /// Hash of the cells' values.
    pub hash: PixelHash,
    /// One value per cell, as the clip has them; `None` where only the hash was asked for.
    pub pixels: Option<Pixels>,
    /// Channels of the clip.
    pub components: Components,
    /// RGB is multiplied by alpha.
    pub premultiplied: bool,
}

/// How a picture is sampled.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// The cells.
    pub grid: Placement,
    /// Straight colour counts by its alpha where it has to be averaged.
    pub by_alpha: bool,
    /// The pixels are wanted, not only their hash.
    pub keep: bool,
}

/// Where pictures come from. Called on the thread of the action, with no lock held.
pub trait Feed {
    /// How an input is looked at (its format and geometry, as a hash); `None` where it is not connected.
    fn view(&self, input: Input) -> Option<u128>;
    /// The picture at a time; `None` where the host has none.
    fn sample(&mut self, input: Input, time: f64, sampling: &Sampling) -> Result<Option<Sampled>, Error>;
    /// A picture of nothing.
    fn nothing(&mut self, sampling: &Sampling) -> Sampled;
    /// False once the host wants the render to stop.
    fn go_on(&mut self) -> bool;
}

/// A frame as it is kept: the water, and what its chain had to tell on the way to it.
#[derive(Clone, Debug)]
pub struct Told {
    /// The water.
    pub water: State,
    /// Of all frames so far: that something happened stays true, counts are those of the worst frame.
    pub notices: Notices,
    /// Mean height and wet share, once someone has asked.
    summary: OnceLock<(f64, f64)>,
}

impl Told {
    /// A frame.
    pub fn new(water: State, notices: Notices) -> Told {
        Told { water, notices, summary: OnceLock::new() }
    }

    /// Mean height of the water, and the share of the frame that is wet. Counted on the first call.
    pub fn summary(&self) -> (f64, f64) {
        *self.summary.get_or_init(|| {
            let water = &self.water;
            (water.water_units() as f64 / water.units() / water.grid().cells() as f64, water.wet_share())
        })
    }
}

impl Kept for Told {
    fn bytes(&self) -> usize {
        self.water.bytes()
    }
}

/// What a chain has to tell after one more frame.
fn told_so_far(before: &Notices, now: Notices) -> Notices {
    let (a, b) = (&before.bad_pixels, &now.bad_pixels);
    Notices {
        luminance_for_alpha: before.luminance_for_alpha || now.luminance_for_alpha,
        alpha_everywhere: before.alpha_everywhere || now.alpha_everywhere,
        clamped: before.clamped.max(now.clamped),
        bad_pixels: BadPixels {
            source: a.source.max(b.source),
            terrain: a.terrain.max(b.terrain),
            obstacles: a.obstacles.max(b.obstacles),
            force: a.force.max(b.force),
            mask: a.mask.max(b.mask),
        },
        ..now
    }
}

/// A stretch of an input without pictures, for holding: from `found` (if any) there is none up to `last`.
#[derive(Clone, Copy, Debug)]
struct Hole {
    found: Option<f64>,
    last: f64,
}

/// What a simulation starts from.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// A file, instead of the Source.
    pub initial: Option<&'a Initial>,
    /// To read it.
    pub cpu: &'a Cpu,
}

/// One render's view of its water.
pub struct FlowShot<'a, V, F> {
    values: &'a V,
    feed: &'a mut F,
    device: &'a dyn Device,
    setup: Setup,
    spec: Spec,
    start: Start<'a>,
    family: ChainKey,
    /// What each frame from the first on takes from the panel, read once per render.
    frames: Vec<Frame>,
    holes: [Option<Hole>; Input::ALL.len()],
    /// Steps that this render took.
    pub steps: u64,
    /// Time that this render spent on reading parameters.
    pub reading: Duration,
    /// Time that this render spent on simulating.
    pub stepping: Duration,
}

impl<'a, V: Values<Error = Error>, F: Feed> FlowShot<'a, V, F> {
    /// The water of a node whose grid is known.
    pub fn new(
        values: &'a V,
        feed: &'a mut F,
        device: &'a dyn Device,
        setup: Setup,
        spec: Spec,
        start: Start<'a>,
    ) -> Self {
        let mut digest = Digest::new("org.flowofx.Flow");
        digest.int(i64::from(sim::MODEL_VERSION));
        spec.grid.enter(&mut digest);
        spec.constants.enter(&mut digest);
        digest.int(setup.start);
        digest.int(setup.preroll);
        digest.int(setup.missing as i64);
        if let Some(initial) = start.initial {
            initial.enter(&mut digest);
        }
        let family = ChainKey(digest.finish());
        Self {
            values,
            feed,
            device,
            setup,
            spec,
            start,
            family,
            frames: Vec::new(),
            holes: Default::default(),
            steps: 0,
            reading: Duration::ZERO,
            stepping: Duration::ZERO,
        }
    }

    /// The last frame's fractional successor: `before` is the state of `frame`, and `share` (above 0, below 1) of the
    /// next one passes. `Ok(None)` if the host wants the render to stop.
    pub fn part(&mut self, before: &Told, frame: i64, share: f64) -> Result<Option<Told>, Error> {
        let time = frame as f64 + share;
        let whole = Some(frame as f64);
        let moment = Moment { frame: frame + 1, time, previous: whole, first: false };
        let taken = self.read_frame(moment)?;
        let Some((inputs, _)) = self.inputs_at(&taken, false, time, true)? else { return Ok(None) };
        let started = Instant::now();
        let feed = &mut *self.feed;
        let mut go_on = || feed.go_on();
        let settings = &taken.settings;
        let part = sim::part_frame(&self.spec, &before.water, settings, &inputs, share, self.device, &mut go_on);
        self.stepping += started.elapsed();
        Ok(part.ok().map(|made| self.tell(Some(before), made)))
    }

    /// Steps that a frame takes with the settings at it, and whether the speed was cut for it.
    pub fn pace(&mut self, frame: i64) -> Result<(u32, bool), Error> {
        let taken = self.frame(self.setup.held(frame))?;
        Ok(steps_per_frame(&self.spec, &taken.settings))
    }

    /// The state after one frame with what the host shows now, from `before` or from the start: for hosts that show the
    /// present only. `Ok(None)` if the host wants the render to stop.
    pub fn present(&mut self, before: Option<&Told>, frame: i64, time: f64) -> Result<Option<Told>, Error> {
        let first = before.is_none();
        let taken = self.read_frame(Moment { frame, time, previous: None, first })?;
        let Some((inputs, _)) = self.inputs_at(&taken, first, time, true)? else { return Ok(None) };
        self.advance(before, &taken, &inputs)
    }

    fn advance(&mut self, before: Option<&Told>, taken: &Frame, inputs: &Inputs) -> Result<Option<Told>, Error> {
        let started = Instant::now();
        let settings = &taken.settings;
        if let (None, Some(initial)) = (before, self.start.initial) {
            let threads = Threads(self.start.cpu);
            let (water, notices) = initial.start(&self.spec, settings, inputs, self.device, &threads)?;
            // Its steps were taken by whoever wrote it.
            return Ok(Some(Told::new(water, notices)));
        }
        let feed = &mut *self.feed;
        let mut go_on = || feed.go_on();
        let made = match before {
            None => Ok(sim::start_frame(&self.spec, settings, inputs, self.device)),
            Some(told) => sim::next_frame(&self.spec, &told.water, settings, inputs, self.device, &mut go_on),
        };
        self.stepping += started.elapsed();
        Ok(made.ok().map(|made| self.tell(before, made)))
    }

    fn tell(&mut self, before: Option<&Told>, (water, notices): (State, Notices)) -> Told {
        self.steps += u64::from(notices.steps);
        let before = before.map(|told| told.notices).unwrap_or_default();
        Told::new(water, told_so_far(&before, notices))
    }

    fn wired(&self, input: Input) -> bool {
        self.feed.view(input).is_some()
    }

    fn read_frame(&mut self, moment: Moment) -> Result<Frame, Error> {
        let started = Instant::now();
        let wired = Wired {
            source: self.wired(Input::Source),
            terrain: self.wired(Input::Terrain),
            force: self.wired(Input::Force),
        };
        let taken = Frame::read(self.values, self.setup.constants.model, wired, moment);
        self.reading += started.elapsed();
        taken
    }

    fn frame(&mut self, frame: i64) -> Result<Frame, Error> {
        let position = (frame - self.setup.first()) as usize;
        while self.frames.len() <= position {
            let next = self.setup.first() + self.frames.len() as i64;
            let held = self.setup.held(next) as f64;
            let previous = (next > self.setup.start).then_some(held - 1.0);
            let first = self.frames.is_empty();
            let taken = self.read_frame(Moment { frame: next, time: held, previous, first })?;
            self.frames.push(taken);
        }
        Ok(self.frames[position])
    }

    fn consumes(&self, taken: &Frame, first: bool, input: Input) -> bool {
        let settings = &taken.settings;
        if first && let Some(initial) = self.start.initial {
            // Ours has all that it stands on; others need the ground and the walls.
            return !initial.is_exact()
                && matches!(input, Input::Terrain | Input::Obstacles)
                && (input != Input::Terrain || taken.use_terrain);
        }
        let source = self.wired(Input::Source) && (first || settings.source_mode != SourceMode::StartFrame);
        match input {
            Input::Source => source,
            Input::Terrain => taken.use_terrain,
            Input::Obstacles => true,
            Input::Force => settings.force_scale != 0.0 || settings.pressure_scale != 0.0,
            Input::Mask => source || settings.emitter.is_some() || settings.rain > 0.0,
        }
    }

    /// What a frame consumes: its pictures, none where not to `keep`, and their hashes. `None` if the host wants the
    /// render to stop.
    fn inputs_at(&mut self, taken: &Frame, first: bool, time: f64, keep: bool) -> Result<Option<Consumed>, Error> {
        let grid = geometry::placement(&self.spec.grid);
        let mut inputs = Inputs::default();
        let mut hashes = vec![PixelHash::NOTHING; Input::ALL.len()];
        for input in Input::ALL {
            if !self.wired(input) || !self.consumes(taken, first, input) {
                continue;
            }
            let sampling = Sampling { grid, by_alpha: by_alpha(taken, input), keep };
            let Some(sampled) = self.sample(input, time, &sampling)? else { return Ok(None) };
            hashes[input as usize] = hash(&sampled);
            let Sampled { hash: _, pixels, components, premultiplied } = sampled;
            let Some(pixels) = pixels else { continue };
            match input {
                Input::Source => {
                    let has_alpha = components != Components::Rgb;
                    inputs.source = Some(SourcePixels { pixels, has_alpha, premultiplied });
                }
                Input::Terrain => inputs.terrain = Some(pixels),
                Input::Obstacles => inputs.obstacles = Some(pixels),
                Input::Force => inputs.force = Some(pixels),
                Input::Mask => inputs.mask = Some(pixels),
            }
        }
        Ok(Some((inputs, hashes)))
    }

    /// A picture, or what a missing one becomes. `None` if the host wants the render to stop: it also answers with no
    /// picture then, or with one that a node upstream left unfinished, which says nothing about the clip.
    fn sample(&mut self, input: Input, time: f64, sampling: &Sampling) -> Result<Option<Sampled>, Error> {
        let start = self.setup.start as f64;
        let mut wanted = time;
        loop {
            let sampled = self.feed.sample(input, wanted, sampling)?;
            if !self.feed.go_on() {
                return Ok(None);
            }
            if sampled.is_some() && wanted < time {
                self.holes[input as usize] = Some(Hole { found: Some(wanted), last: time });
            }
            if sampled.is_some() {
                return Ok(sampled);
            }
            match self.setup.missing {
                Missing::Fail => {
                    return Err(Error::message(format!(
                        "{} has no picture at frame {time}. Give it one, or set Missing frames to Hold or Transparent.",
                        input.name()
                    )));
                }
                Missing::Hold if wanted > start => {
                    wanted = (wanted.ceil() - 1.0).max(start);
                    // A long hole is walked through once, not from each of its frames.
                    if let Some(hole) = self.holes[input as usize]
                        && wanted <= hole.last
                        && hole.found.is_none_or(|found| found <= wanted)
                    {
                        wanted = hole.found.unwrap_or(start);
                    }
                }
                Missing::Hold | Missing::Transparent => {
                    self.holes[input as usize] = Some(Hole { found: None, last: time });
                    return Ok(Some(self.feed.nothing(sampling)));
                }
            }
        }
    }
}

/// A frame's pictures, and the hash of each input's.
type Consumed = (Inputs, Vec<PixelHash>);

/// Hash of what is consumed of a picture.
fn hash(sampled: &Sampled) -> PixelHash {
    let Sampled { hash, pixels: _, components, premultiplied } = sampled;
    let mut digest = Digest::new("picture");
    digest.int(*components as i64);
    digest.int(i64::from(*premultiplied));
    digest.wide(hash.0);
    PixelHash(digest.finish())
}

/// Straight colour is averaged by its alpha where alpha is the height; a height in RGB is averaged as it stands.
fn by_alpha(taken: &Frame, input: Input) -> bool {
    input == Input::Source && taken.settings.source_channel == Channel::Alpha
}

impl<V: Values<Error = Error>, F: Feed> Shot for FlowShot<'_, V, F> {
    type State = Told;
    type Inputs = Inputs;
    type Error = Error;

    fn family(&self) -> ChainKey {
        self.family
    }

    fn first(&self) -> i64 {
        self.setup.first()
    }

    fn settings(&mut self, frame: i64) -> Result<u128, Error> {
        let Frame { settings, use_terrain } = self.frame(frame)?;
        let mut digest = Digest::new("settings");
        settings.enter(&mut digest);
        digest.int(i64::from(use_terrain));
        Ok(digest.finish())
    }

    fn input_frame(&self, frame: i64) -> i64 {
        self.setup.held(frame)
    }

    fn views(&mut self, frame: i64) -> Result<Vec<Option<u128>>, Error> {
        let taken = self.frame(frame)?;
        let first = frame == self.first();
        let view = |input| {
            let view = self.feed.view(input).filter(|_| self.consumes(&taken, first, input))?;
            Some(view.wrapping_add(u128::from(by_alpha(&taken, input))))
        };
        Ok(Input::ALL.into_iter().map(view).collect())
    }

    fn read(&mut self, frame: i64) -> Result<Option<Consumed>, Error> {
        let taken = self.frame(frame)?;
        self.inputs_at(&taken, frame == self.first(), self.setup.held(frame) as f64, true)
    }

    fn hashes(&mut self, frame: i64) -> Result<Option<Vec<PixelHash>>, Error> {
        let taken = self.frame(frame)?;
        let consumed = self.inputs_at(&taken, frame == self.first(), self.setup.held(frame) as f64, false)?;
        Ok(consumed.map(|(_, hashes)| hashes))
    }

    fn step(&mut self, before: Option<&Told>, frame: i64, inputs: Inputs) -> Result<Option<Told>, Error> {
        let taken = self.frame(frame)?;
        self.advance(before, &taken, &inputs)
    }

    fn account(&mut self, frame: i64) -> Result<String, Error> {
        let taken = self.frame(frame)?;
        Ok(format!("{:#?}\n{:#?}", self.spec.constants, taken.settings))
    }

    fn go_on(&mut self) -> bool {
        self.feed.go_on()
    }
}
