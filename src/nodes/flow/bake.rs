//! The buttons of the disk cache.

use super::cache::{self, Cache};
use super::feed::domain;
use super::instance::Instance;
use super::shot::Told;
use super::stage::{self, Stage};
use super::values::Setup;
use crate::nodes::engine::engine;
use crate::nodes::quirks;
use crate::ofx::{EffectHandle, Error, MessageKind, Progress, Result};
use crate::timeline::archive::Archive;
use crate::timeline::disk::Usage;
use crate::timeline::{Stop, catch_up};

/// What a bake came to.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    frames: u64,
    simulated: u64,
}

/// Simulates every frame from the start to the end of the timeline into the cache folder. Main thread, on a user's click.
///
/// # Errors
/// What keeps it from being done, in the artist's words.
pub fn bake(instance: &Instance, effect: &EffectHandle<'_>, time: f64) -> Result<()> {
    if quirks::ignores_time(effect.host()) {
        return Err(Error::message("This host shows a node the present frame only: there is nothing to bake from."));
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
    stage::check_length(&setup, last)?;
    let region = domain(effect, &instance.clips, setup.start);
    let region = region.ok_or_else(|| Error::message("There is no frame size yet: connect a Source first."))?;
    let mut stage = Stage::new(instance, effect, time, setup, region, [1.0; 2])?;
    let Some(Cache { folder, usage: Usage { write: true, .. } }) = stage.cache.clone() else {
        return Err(nothing_to_write(instance, effect, time));
    };
    // A bake is for files: none is left out.
    stage.cache = stage.cache.map(|cache| Cache { usage: Usage { wait: true, ..cache.usage }, ..cache });
    let progress = effect.progress(c"Baking Flow");
    let done = run(instance, effect, &stage, last, progress.as_ref());
    let flushed = engine().disks().flush(&mut || true);
    drop(progress);
    let notices = engine().take_notices();
    let failed = !notices.is_empty();
    for notice in notices {
        effect.post(MessageKind::Warning, &notice);
    }
    let Some(Count { frames, simulated }) = done? else {
        effect.post(MessageKind::Message, "Baking was stopped. The frames that were done are kept.");
        return Ok(());
    };
    tracing::info!(frames, simulated, flushed, folder = %folder.display(), "baked");
    if !failed {
        let text = format!(
            "Baked frames {} to {last} into {}: {simulated} simulated, the others were there.",
            setup.start,
            folder.display()
        );
        effect.post(MessageKind::Message, &text);
    }
    Ok(())
}

/// Frame after frame; `None` where the user stopped it.
fn run(
    instance: &Instance,
    effect: &EffectHandle<'_>,
    stage: &Stage,
    last: i64,
    progress: Option<&Progress<'_>>,
) -> Result<Option<Count>> {
    let start = stage.setup.start;
    let panel = instance.panel(effect, start);
    let disk = stage.cache.as_ref().map(|cache| cache.disk(&stage.spec, &stage.cpu));
    let archive = disk.as_ref().map(|disk| disk as &dyn Archive<Told>);
    let mut count = Count::default();
    for frame in start..=last {
        let mut feed = stage.feed(instance, effect, frame);
        let mut shot = stage.shot(&panel, &mut feed);
        match catch_up(&mut shot, frame, &instance.memory, engine().store(), archive) {
            Ok(outcome) => {
                count.frames += 1;
                count.simulated += outcome.simulated;
            }
            Err(Stop::Aborted) => return Ok(None),
            Err(Stop::Failed(error)) => return Err(error),
        }
        let share = (frame - start + 1) as f64 / (last - start + 1) as f64;
        if progress.is_some_and(|progress| !progress.update(share)) {
            return Ok(None);
        }
    }
    Ok(Some(count))
}

/// Why there is no folder to write into.
fn nothing_to_write(instance: &Instance, effect: &EffectHandle<'_>, time: f64) -> Error {
    let panel = instance.panel(effect, 0);
    match cache::folder(&panel, time) {
        None => Error::message("Set Cache folder first: that is where the frames are baked to."),
        Some(Err(why)) => Error::Message(why),
        Some(Ok(folder)) => match engine().take_notices().into_iter().next() {
            Some(why) => Error::Message(why),
            None => Error::message(format!(
                "Cache mode says not to write. Set it to Read and write to bake into {}.",
                folder.display()
            )),
        },
    }
}

/// The last frame of the timeline, as far as the host says.
fn last_frame(instance: &Instance, effect: &EffectHandle<'_>) -> Option<i64> {
    let range = effect.timeline_bounds().or_else(|| instance.output.frame_range(effect))?;
    let sane = range.max.is_finite() && range.max.abs() < 1e9;
    sane.then(|| range.max.floor() as i64)
}

/// Removes the shot's frames from disk. Main thread, on a user's click.
///
/// # Errors
/// What keeps it from being done, in the artist's words.
pub fn clear(instance: &Instance, effect: &EffectHandle<'_>, time: f64) -> Result<()> {
    let panel = instance.panel(effect, 0);
    let folder = match cache::folder(&panel, time) {
        None => return Err(Error::message("Cache folder is empty: there is nothing to clear.")),
        Some(folder) => folder.map_err(Error::Message)?,
    };
    let cleared = engine().disks().clear(&folder);
    let removed = cleared.map_err(|error| {
        Error::message(format!("{} can't be cleared: {error}. Check who may write there.", folder.display()))
    })?;
    let noun = if removed == 1 { "frame" } else { "frames" };
    effect.post(MessageKind::Message, &format!("Removed {removed} {noun} from {}.", folder.display()));
    Ok(())
}
