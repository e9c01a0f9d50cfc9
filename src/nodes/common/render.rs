//! The render action.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::chain::StateOf;
use super::clips::{depth, format, place};
use super::draft_badge;
use super::geometry::{Rect, sane_scale};
use super::instance::Instance;
use super::job::{self, Job, RenderChain};
use super::memory::{self, MemoryEstimate};
use super::node::{Failure, Node, Simulation as _, with_another_try};
use super::planes::{self, Showing, Target};
use super::progress::{self, CaughtUp, Places, Preview};
use super::report::{Origin, Report, Times};
use super::sequential::Simulated;
use super::values::Setup;
use crate::nodes::engine::engine;
use crate::nodes::quirks;
use crate::ofx::{Answer, EffectHandle, Error, MessageType, OutputImage, RectI, RenderArgs, Result};
use crate::picture::{Axis, Canvas, Format, Placement};
use crate::timeline::archive::Archive;
use crate::timeline::{ChainKey, Outcome, Shot as _, Stop, catch_up, peek};

/// Distance below which a time counts as a whole frame.
const WHOLE: f64 = 1e-6;

/// The state that a render shows, and its cost.
struct Reached<S> {
    state: Arc<S>,
    /// Key and index of the state, if it belongs to a chain.
    named: Option<(ChainKey, u64)>,
    /// For a preview: its frame, and whether it belongs to the simulation before an edit.
    preview: Option<(i64, bool)>,
    frames: u64,
    loaded: u64,
    read: u64,
}

/// Renders a frame into the output. `Default` after an abort: the simulated frames are kept.
///
/// # Errors
/// The frame cannot be rendered; the error is a text for the artist.
pub fn render<N: Node>(instance: &Instance<N>, effect: &EffectHandle<'_>, args: &RenderArgs) -> Result<Answer> {
    let started = Instant::now();
    // The outputs are always fetched, before the inputs, and written after the inputs are released: a host may use the
    // same memory for both.
    let mut targets = planes::targets(instance, effect, args)?;
    memory::attempt(|known| with_another_try(|| show(instance, effect, args, &mut targets, started, known)))
}

/// Simulates, paints and reports the frame.
fn show<N: Node>(
    instance: &Instance<N>,
    effect: &EffectHandle<'_>,
    args: &RenderArgs,
    targets: &mut [Target<'_>],
    started: Instant,
    known: &RefCell<Option<MemoryEstimate>>,
) -> Result<Answer, Failure> {
    let (frame, share) = whole_and_share(args.time)?;
    let setup = Setup::read(&instance.panel(effect, 0), args.time)?;
    job::check_length(&setup, frame)?;
    let region = instance.region(effect, setup.start);
    let first = targets.first().ok_or_else(|| Error::message("There is nothing to render."))?;
    let aspect = instance.output.pixel_aspect(effect);
    let (target, scale) = place(&first.image, region, aspect, sane_scale(args.scale));
    let region = region.unwrap_or_else(|| extent(&target));
    let mut job = Job::new(instance, effect, args.time, setup, region, scale)?;
    known.replace(Some(job.memory.clone()));
    if !job.simulation.open(&mut || !effect.abort()) {
        return Ok(Answer::Default);
    }
    let panel = instance.panel(effect, setup.start);
    // At times before the start the start frame is shown, not a frame of the pre-roll.
    let wanted = job.setup.clamped(frame);
    let mut images = job.images(instance, effect, wanted);
    let mut chain = job.chain(instance, &panel, &mut images);
    instance.uses(chain.family());

    let Some(reached) = reach(instance, effect, &job, &mut chain, wanted, args)? else { return Ok(Answer::Default) };
    let part = if reached.preview.is_none()
        && share > 0.0
        && frame >= setup.start
        && !args.thumbnail
        && !quirks::ignores_time(effect.host())
    {
        let Some(part) = chain.part(&reached.state, frame, share)? else { return Ok(Answer::Default) };
        Some(part)
    } else {
        None
    };
    let shown = part.as_ref().unwrap_or(&reached.state);
    let mut painting = Duration::ZERO;
    let mut before = None;
    let mut notices = Vec::new();
    // Files are those of the final picture: not of a part of a frame, a preview, a draft or a proxy.
    let is_final = part.is_none() && reached.preview.is_none() && !args.draft && !args.thumbnail;
    let mut exports = is_final && frame == wanted && scale == [1.0; 2];
    for Target { image, layer } in targets {
        let view = N::view(&Showing::new(&panel, *layer), args.time)?;
        let Some(pictures) = chain.shown(&view, args.time)? else { return Ok(Answer::Default) };
        for notice in N::notices(&view, &pictures) {
            engine().notices().add(N::ABOUT.folder, &notice);
            if !notices.contains(&notice) {
                notices.push(notice);
            }
        }
        let began = Instant::now();
        let (whole, _) = place(image, Some(region), aspect, sane_scale(args.scale));
        if std::mem::take(&mut exports) {
            let view = N::view(&Showing::for_files(&panel), args.time)?;
            if N::exports(&view) {
                let Some(pictures) = chain.shown(&view, args.time)? else { return Ok(Answer::Default) };
                notices.extend(job.simulation.export(&job.cpu, shown, &view, &pictures, (frame, &whole)));
            }
        }
        let window = args.window.intersect(&image.bounds());
        let paint = |view: &_, canvas: Canvas<'_>| job.simulation.paint(&job.cpu, shown, view, &pictures, canvas);
        let count = image.components().count();
        let part = layer.filter(|layer| !layer.is_whole() || count != 4);
        let format = if part.is_some() { Format { depth: depth(image), ..Format::PLAIN } } else { format(image)? };
        match (canvas(&whole, image, format, window), part) {
            (None, _) => {}
            (Some(canvas), None) => paint(&view, canvas)?,
            (Some(canvas), Some(layer)) => {
                planes::paint_channels(&job.cpu, (layer, count), window, view, &mut before, canvas, paint)?;
            }
        }
        if reached.preview.is_some() && layer.is_none() {
            draft_badge::paint(image, args.window, format);
        }
        painting += began.elapsed();
    }

    let mut frame_report = if quirks::ignores_time(effect.host()) {
        job.simulation.report(shown, &chain.current_frame(wanted, args.time)?)
    } else {
        job.simulation.report(shown, &*chain.frame(wanted)?)
    };
    frame_report.notices.extend(chain.missing());
    frame_report.notices.append(&mut notices);
    let (steps, parameters, stepping) = (chain.steps, chain.reading, chain.stepping);
    let store = engine().store();
    let report = Report {
        time: args.time,
        fluid: N::ABOUT.fluid,
        frame: frame_report,
        origin: match (reached.frames, reached.loaded) {
            (0, 0) if part.is_none() => Origin::Memory,
            (0, _) if part.is_none() => Origin::Disk,
            _ => Origin::Simulated,
        },
        frames: reached.frames,
        loaded: reached.loaded,
        named: reached.named.filter(|_| part.is_none() && job.simulation.keeps_frames()),
        preview: reached.preview,
        steps,
        read: reached.read,
        store: (store.len(), store.bytes(), store.budget()),
        times: Times {
            parameters,
            fetch: images.fetching,
            sample: images.sampling,
            steps: stepping,
            output: painting,
            total: started.elapsed(),
        },
        sequential_only: quirks::ignores_time(effect.host()),
        ignores_time: quirks::may_ignore_time(effect.host()),
    };
    post_notices(effect);
    tracing::info!(time = args.time, frames = report.frames, steps = report.steps, read = report.read, "{report}");
    effect.report_stats(args.time, &report.json());
    instance.set_report(report);
    Ok(Answer::Done)
}

/// Posts the new notices about devices and folders.
pub fn post_notices(effect: &EffectHandle<'_>) {
    for notice in engine().take_notices() {
        effect.post(MessageType::Warning, &notice);
    }
}

/// The state at a frame, by the kind of host and of render; `None` after an abort.
fn reach<N: Node>(
    instance: &Instance<N>,
    effect: &EffectHandle<'_>,
    job: &Job<N>,
    chain: &mut RenderChain<'_, '_, N>,
    wanted: i64,
    args: &RenderArgs,
) -> Result<Option<Reached<StateOf<N>>>, Failure> {
    let (store, memory) = (engine().store(), &instance.memory);
    if quirks::ignores_time(effect.host()) {
        return instance.sequential.advance(chain, wanted, args.time, store.share() / 4).map(|reached| {
            let Simulated { state, frames } = reached?;
            Some(Reached { state, named: None, preview: None, frames, loaded: 0, read: frames })
        });
    }
    let disk = job.disk(instance);
    if let (Some(disk), Some((family, kind))) = (&disk, chain.other()) {
        disk.report_if_mixed(family, kind, &mut || !effect.abort());
    }
    let archive = disk.as_ref().map(|disk| disk as &dyn Archive<StateOf<N>>);
    let reached = if args.thumbnail {
        // A thumbnail shows the nearest stored frame or, without one, the first frame.
        match peek(chain, wanted, memory, store) {
            Ok(Some((_, state))) => {
                return Ok(Some(Reached { state, named: None, preview: None, frames: 0, loaded: 0, read: 0 }));
            }
            Ok(None) => catch_up(chain, chain.first(), memory, store, archive).map(CaughtUp::Frame),
            Err(stop) => Err(stop),
        }
    } else {
        progress::state_at(chain, wanted, args.draft, &instance.progress, &Places { memory, store, archive })
    };
    match reached {
        Ok(CaughtUp::Frame(outcome)) => {
            let Outcome { state, key, place, simulated: frames, loaded, read } = outcome;
            Ok(Some(Reached { state, named: Some((key, place.index)), preview: None, frames, loaded, read }))
        }
        Ok(CaughtUp::Preview(Preview { state, frame, stale, simulated: frames })) => {
            Ok(Some(Reached { state, named: None, preview: Some((frame, stale)), frames, loaded: 0, read: 0 }))
        }
        Err(Stop::Aborted) => Ok(None),
        Err(Stop::Failed(failure)) => Err(failure),
    }
}

/// The last integer frame at or before a time, and the fraction of a frame from there to the time.
fn whole_and_share(time: f64) -> Result<(i64, f64)> {
    if !time.is_finite() || time.abs() > 1e9 {
        return Err(Error::message(format!("The host asked for frame {time}, which is no frame.")));
    }
    let nearest = time.round();
    if (time - nearest).abs() < WHOLE {
        return Ok((nearest as i64, 0.0));
    }
    Ok((time.floor() as i64, time - time.floor()))
}

/// The region of an image, in a host without a Source and without a project.
fn extent(placement: &Placement) -> Rect {
    let end = |axis: &Axis| axis.start + axis.size * axis.count.max(1) as f64;
    [placement.x.start, placement.y.start, end(&placement.x), end(&placement.y)]
}

/// The canvas of a window of an image at `whole`; `None` for an empty one.
fn canvas<'i>(whole: &Placement, image: &'i mut OutputImage<'_>, format: Format, window: RectI) -> Option<Canvas<'i>> {
    let bounds = image.bounds();
    if window.is_empty() {
        return None;
    }
    let cut = |axis: &Axis, offset: i32, count: usize| Axis {
        start: axis.start + f64::from(offset) * axis.size,
        size: axis.size,
        count,
    };
    let left = window.x1 - bounds.x1;
    let placement =
        Placement { x: cut(&whole.x, left, window.width()), y: cut(&whole.y, window.y1 - bounds.y1, window.height()) };
    let bytes = image.pixel_bytes();
    let span = left as usize * bytes..(left as usize + window.width()) * bytes;
    let shown = image.rows_mut().into_iter().filter(|row| (window.y1..window.y2).contains(&row.y));
    let rows = shown.map(|row| &mut row.bytes[span.clone()]).collect();
    Some(Canvas { placement, format, rows })
}

/// The simulated region, which is the same at all times; `None` leaves the region to the host.
///
/// # Errors
/// A parameter cannot be read.
pub fn region<N: Node>(instance: &Instance<N>, effect: &EffectHandle<'_>, time: f64) -> Result<Option<Rect>> {
    let setup = Setup::read(&instance.panel(effect, 0), time)?;
    Ok(instance.region(effect, setup.start))
}
