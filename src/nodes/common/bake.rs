//! The buttons of the disk cache: Bake and Clear disk.

use std::cell::{Cell, RefCell};
use std::ffi::CStr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::cache::{self, CacheRequest};
use super::chain::StateOf;
use super::controls::Controls as _;
use super::geometry::{self, Rect};
use super::instance::Instance;
use super::job::{self, Job};
use super::memory::{self, MemoryEstimate};
use super::node::{Failure, Node, Simulation as _, with_another_try};
use super::planes::Showing;
use super::render;
use super::shared::Shared;
use super::values::{Setup, Values as _};
use crate::nodes::engine::engine;
use crate::nodes::quirks;
use crate::ofx::{EffectHandle, Error, MessageType, Progress, Result};
use crate::timeline::archive::Archive;
use crate::timeline::{Shot as _, Stop, catch_up};

/// Simulates every frame from the start to the end of the timeline into the cache folder. Main thread, on a user's
/// click.
///
/// # Errors
/// The reason for the artist, where the action is impossible.
pub fn bake<N: Node>(instance: &Instance<N>, effect: &EffectHandle<'_>, time: f64) -> Result<()> {
    if quirks::ignores_time(effect.host()) {
        return Err(Error::message("This host gives a node the current frame only: there is nothing to bake from."));
    }
    let setup = Setup::read(&instance.panel(effect, 0), time)?;
    let last = last_frame(instance, effect).ok_or_else(|| {
        Error::message("This host does not say where its timeline ends. Render the frames, or use \"flow-host bake\".")
    })?;
    if last < setup.start {
        return Err(Error::message(format!(
            "The timeline ends at frame {last}, before the Start frame {}: there is nothing to bake.",
            setup.start
        )));
    }
    job::check_length(&setup, last)?;
    let region = instance.region(effect, setup.start);
    let region = region.ok_or_else(|| Error::message("There is no frame size yet: connect a Source first."))?;
    let prepare = || prepare(instance, effect, time, Job::new(instance, effect, time, setup, region, [1.0; 2])?);
    let (job, folder) = prepare()?;
    let bar = Bar::new(effect, N::ABOUT.baking);
    let mut first = Some(job);
    let mut attempt = |known: &RefCell<Option<MemoryEstimate>>| -> Result<Option<u64>, Failure> {
        let mut job = first.take().map_or_else(|| prepare().map(|(job, _)| job), Ok)?;
        known.replace(Some(job.memory.clone()));
        if !job.simulation.open(&mut || bar.go_on() && !effect.abort()) {
            return Ok(None);
        }
        run(instance, effect, &job, region, last, &bar)
    };
    let done = memory::attempt(|known| with_another_try(|| attempt(known)));
    // After a cancelled bake, the frames are written in the background.
    let flushed = matches!(done, Ok(Some(_))) && engine().disks().flush(&mut || bar.go_on());
    drop(bar);
    render::post_notices(effect);
    let text = match done? {
        None => "Baking was stopped. The frames that were done are kept.".to_owned(),
        Some(_) if engine().disks().failing(&folder) => {
            format!("Not all frames could be written into {}. Repair the folder, and bake again.", folder.display())
        }
        Some(_) if !flushed => {
            format!("The last frames are still being written into {}, which does not answer.", folder.display())
        }
        Some(simulated) => format!(
            "Baked frames {} to {last} into {}: {simulated} simulated, the others were there.",
            setup.start,
            folder.display()
        ),
    };
    tracing::info!("{text}");
    effect.post(MessageType::Message, &text);
    Ok(())
}

/// Changes the job so that it writes every frame; returns the folder.
fn prepare<N: Node>(
    instance: &Instance<N>,
    effect: &EffectHandle<'_>,
    time: f64,
    mut job: Job<N>,
) -> Result<(Job<N>, PathBuf)> {
    let cache = match &mut job.cache {
        CacheRequest::Use(cache) if cache.usage.write => cache,
        CacheRequest::Impossible(why) => return Err(Error::Message(std::mem::take(why))),
        CacheRequest::Use(_) | CacheRequest::None if has_no_folder(instance, effect, time) => {
            return Err(Error::message("Set Cache folder first: that is where the frames are baked to."));
        }
        CacheRequest::Use(_) | CacheRequest::None => {
            return Err(Error::message("Cache mode says not to write. Set it to Read and write to bake."));
        }
    };
    // A bake writes every frame, however slow the disk is.
    cache.usage.wait = true;
    job.simulation.keep_parts(cache, &instance.on_disk);
    let folder = cache.folder.clone();
    Ok((job, folder))
}

fn has_no_folder<N: Node>(instance: &Instance<N>, effect: &EffectHandle<'_>, time: f64) -> bool {
    instance.panel(effect, 0).text(N::Id::shared(Shared::CacheFolder), time).is_empty()
}

/// The host's progress bar, if any, with a button to cancel.
struct Bar<'e> {
    progress: Option<Progress<'e>>,
    share: Cell<f64>,
    updated: Cell<Option<Instant>>,
    cancelled: Cell<bool>,
}

/// Least time between two updates of the bar: hosts run their event loop in each update.
const UPDATE_INTERVAL: Duration = Duration::from_millis(100);

impl<'e> Bar<'e> {
    fn new(effect: &'e EffectHandle<'e>, label: &'static CStr) -> Self {
        let progress = effect.progress(label);
        Self { progress, share: Cell::new(0.0), updated: Cell::new(None), cancelled: Cell::new(false) }
    }

    /// False once the user has cancelled.
    fn go_on(&self) -> bool {
        if self.updated.get().is_none_or(|updated| updated.elapsed() >= UPDATE_INTERVAL) {
            self.show();
        }
        !self.cancelled.get()
    }

    fn show(&self) {
        self.updated.set(Some(Instant::now()));
        if self.progress.as_ref().is_some_and(|progress| !progress.update(self.share.get())) {
            self.cancelled.set(true);
        }
    }

    /// Moves the bar. Returns false once the user has cancelled.
    fn reached(&self, share: f64) -> bool {
        self.share.set(share);
        self.show();
        !self.cancelled.get()
    }
}

/// Bakes frame by frame. Returns the number of simulated frames, or `None` after a cancellation.
fn run<N: Node>(
    instance: &Instance<N>,
    effect: &EffectHandle<'_>,
    job: &Job<N>,
    region: Rect,
    last: i64,
    bar: &Bar<'_>,
) -> Result<Option<u64>, Failure> {
    let start = job.setup.start;
    let panel = instance.panel(effect, start);
    let disk = job.disk(instance);
    let archive = disk.as_ref().map(|disk| disk as &dyn Archive<StateOf<N>>);
    let patience = || bar.go_on();
    let picture = geometry::pixels(region, instance.output.pixel_aspect(effect));
    let mut simulated = 0;
    for frame in start..=last {
        let mut images = job.images(instance, effect, frame);
        images.patience = Some(&patience);
        let mut chain = job.chain(instance, &panel, &mut images);
        instance.uses(chain.family());
        if let (Some(disk), Some((family, kind))) = (&disk, chain.other()) {
            disk.report_if_mixed(family, kind, &mut || bar.go_on());
        }
        match catch_up(&mut chain, frame, &instance.memory, engine().store(), archive) {
            Ok(outcome) => {
                simulated += outcome.simulated;
                // Renders write these files too; a text about a failure is posted once.
                let view = N::view(&Showing::for_files(&panel), frame as f64)?;
                if N::exports(&view) {
                    let Some(pictures) = chain.shown(&view, frame as f64)? else { return Ok(None) };
                    for notice in N::notices(&view, &pictures) {
                        engine().notices().add(N::ABOUT.folder, &notice);
                    }
                    let _ = job.simulation.export(&job.cpu, &outcome.state, &view, &pictures, (frame, &picture));
                }
            }
            Err(Stop::Aborted) => return Ok(None),
            Err(Stop::Failed(error)) => return Err(error),
        }
        if !bar.reached((frame - start + 1) as f64 / (last - start + 1) as f64) {
            return Ok(None);
        }
    }
    Ok(Some(simulated))
}

/// The last frame of the timeline; `None` if the host does not know it.
fn last_frame<N: Node>(instance: &Instance<N>, effect: &EffectHandle<'_>) -> Option<i64> {
    let range = effect.timeline_bounds().or_else(|| instance.output.frame_range(effect))?;
    let sane = range.max.is_finite() && range.max.abs() < 1e9;
    sane.then(|| range.max.floor() as i64)
}

/// Removes the node's frames from disk. Main thread, on a user's click.
///
/// # Errors
/// The reason for the artist, where the action is impossible.
pub fn clear<N: Node>(instance: &Instance<N>, effect: &EffectHandle<'_>, time: f64) -> Result<()> {
    if has_no_folder(instance, effect, time) {
        return Err(Error::message("Cache folder is empty: there is nothing to clear."));
    }
    let panel = instance.panel(effect, 0);
    let folder = cache::folder::<N>(&panel, time).map_err(Error::Message)?;
    // In a folder that all nodes of a type share, only the simulations that the node has used are removed.
    let families = cache::is_common::<N>(&panel, time).then(|| instance.families());
    let cleared = engine().disks().clear(&folder, &instance.on_disk, families.as_deref());
    let removed = cleared.map_err(|error| {
        Error::message(format!("{} can't be cleared: {error}. Check who may write there.", folder.display()))
    })?;
    let noun = if removed == 1 { "frame" } else { "frames" };
    effect.post(MessageType::Message, &format!("Removed {removed} {noun} from {}.", folder.display()));
    Ok(())
}
