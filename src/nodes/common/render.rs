//! A frame of a node.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::feed::{depth, format, place};
use super::geometry::{Rect, sane_scale};
use super::instance::Instance;
use super::mark;
use super::need::{self, Need};
use super::node::{Failure, Node, Simulation as _, with_another_try};
use super::planes::{self, Showing, Target};
use super::present::Carried;
use super::report::{Origin, Report, Times};
use super::shot::StateOf;
use super::stage::{self, RenderShot, Stage};
use super::values::Setup;
use super::watch::{self, Arrival, Preview, Shelves};
use crate::nodes::engine::engine;
use crate::nodes::quirks;
use crate::ofx::{Answer, EffectHandle, Error, MessageType, OutputImage, RectI, RenderArgs, Result};
use crate::picture::{Axis, Canvas, Format, Placement};
use crate::timeline::archive::Archive;
use crate::timeline::{ChainKey, Outcome, Shot as _, Stop, catch_up, peek};

/// Times nearer than this to a whole frame are that frame.
const WHOLE: f64 = 1e-6;

/// What a render shows, and what it cost.
struct Reached<S> {
    state: Arc<S>,
    /// Its name and its place in the chain, where it is of one.
    named: Option<(ChainKey, u64)>,
    /// It stands in for another: its frame, and whether it is from before an edit.
    preview: Option<(i64, bool)>,
    frames: u64,
    loaded: u64,
    read: u64,
}

/// Renders a frame into the output. `Default` for one that the host aborted: what was simulated is kept, and there is
/// nothing to say.
///
/// # Errors
/// Whatever keeps the frame from being shown, in the artist's words.
pub fn render<N: Node>(instance: &Instance<N>, effect: &EffectHandle<'_>, args: &RenderArgs) -> Result<Answer> {
    let started = Instant::now();
    // Fetched first and in any case. Nothing is written before the inputs are released: a host may have put both into the
    // same memory.
    let mut targets = planes::targets(instance, effect, args)?;
    need::attempt(|known| with_another_try(|| show(instance, effect, args, &mut targets, started, known)))
}

/// Simulates and paints the frame, and tells of it.
fn show<N: Node>(
    instance: &Instance<N>,
    effect: &EffectHandle<'_>,
    args: &RenderArgs,
    targets: &mut [Target<'_>],
    started: Instant,
    known: &Cell<Option<Need>>,
) -> Result<Answer, Failure> {
    let (frame, share) = whole_and_share(args.time)?;
    let setup = Setup::read(&instance.panel(effect, 0), args.time)?;
    stage::check_length(&setup, frame)?;
    let region = instance.domain(effect, setup.start);
    let first = targets.first().ok_or_else(|| Error::message("There is nothing to render."))?;
    let aspect = instance.output.pixel_aspect(effect);
    let (target, scale) = place(&first.image, region, aspect, sane_scale(args.scale));
    let region = region.unwrap_or_else(|| extent(&target));
    let mut stage = Stage::new(instance, effect, args.time, setup, region, scale)?;
    known.set(Some(stage.need));
    if !stage.simulation.open(&mut || !effect.abort()) {
        return Ok(Answer::Default);
    }
    let panel = instance.panel(effect, setup.start);
    // The frames of a pre-roll are never shown: those before the start are the start's.
    let wanted = stage.setup.held(frame);
    let mut feed = stage.feed(instance, effect, wanted);
    let mut shot = stage.shot(instance, &panel, &mut feed);
    instance.uses(shot.family());

    let Some(reached) = reach(instance, effect, &stage, &mut shot, wanted, args)? else { return Ok(Answer::Default) };
    let part = if reached.preview.is_none()
        && share > 0.0
        && frame >= setup.start
        && !args.thumbnail
        && !quirks::ignores_time(effect.host())
    {
        let Some(part) = shot.part(&reached.state, frame, share)? else { return Ok(Answer::Default) };
        Some(part)
    } else {
        None
    };
    let shown = part.as_ref().unwrap_or(&reached.state);
    let mut painting = Duration::ZERO;
    let mut before = None;
    for Target { image, layer } in targets {
        let view = N::view(&Showing::new(&panel, *layer), args.time)?;
        let Some(pictures) = shot.shown(&view, args.time)? else { return Ok(Answer::Default) };
        let began = Instant::now();
        let (whole, _) = place(image, Some(region), aspect, sane_scale(args.scale));
        let window = args.window.intersect(&image.bounds());
        let paint = |view: &_, canvas: Canvas<'_>| stage.simulation.paint(&stage.cpu, shown, view, &pictures, canvas);
        let count = image.components().count();
        let part = layer.filter(|layer| !layer.is_whole() || count != 4);
        let format = if part.is_some() { Format { depth: depth(image), ..Format::PLAIN } } else { format(image)? };
        match (canvas(&whole, image, format, window), part) {
            (None, _) => {}
            (Some(canvas), None) => paint(&view, canvas)?,
            (Some(canvas), Some(layer)) => {
                planes::paint_channels(&stage.cpu, (layer, count), window, view, &mut before, canvas, paint)?;
            }
        }
        if reached.preview.is_some() && layer.is_none() {
            mark::corner(image, args.window, format);
        }
        painting += began.elapsed();
    }

    let mut frame_report = if quirks::ignores_time(effect.host()) {
        stage.simulation.report(shown, &shot.present_frame(wanted, args.time)?)
    } else {
        stage.simulation.report(shown, &*shot.frame(wanted)?)
    };
    frame_report.notices.extend(shot.missing());
    let (steps, parameters, stepping) = (shot.steps, shot.reading, shot.stepping);
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
        named: reached.named.filter(|_| part.is_none()),
        preview: reached.preview,
        steps,
        read: reached.read,
        store: (store.len(), store.bytes(), store.budget()),
        times: Times {
            parameters,
            fetch: feed.fetching,
            sample: feed.sampling,
            steps: stepping,
            output: painting,
            total: started.elapsed(),
        },
        carried: quirks::ignores_time(effect.host()),
        ignores_time: quirks::may_ignore_time(effect.host()),
    };
    tell_notices(effect);
    tracing::info!(time = args.time, frames = report.frames, steps = report.steps, read = report.read, "{report}");
    effect.report_stats(args.time, &report.json());
    instance.tell(report);
    Ok(Answer::Done)
}

/// Tells what went wrong with a device or a folder and was not told yet.
pub fn tell_notices(effect: &EffectHandle<'_>) {
    for notice in engine().take_notices() {
        effect.post(MessageType::Warning, &notice);
    }
}

/// The state at a frame, from wherever the host and the kind of render allow; `None` after an abort.
fn reach<N: Node>(
    instance: &Instance<N>,
    effect: &EffectHandle<'_>,
    stage: &Stage<N>,
    shot: &mut RenderShot<'_, '_, N>,
    wanted: i64,
    args: &RenderArgs,
) -> Result<Option<Reached<StateOf<N>>>, Failure> {
    let (store, memory) = (engine().store(), &instance.memory);
    if quirks::ignores_time(effect.host()) {
        return instance.present.follow(shot, wanted, args.time, store.share() / 4).map(|reached| {
            let Carried { state, frames } = reached?;
            Some(Reached { state, named: None, preview: None, frames, loaded: 0, read: frames })
        });
    }
    let disk = stage.cache.cache().map(|cache| cache.disk::<N>(&stage.simulation, &stage.cpu, &instance.on_disk));
    if let (Some(disk), Some((family, kind))) = (&disk, shot.other()) {
        disk.report_if_mixed(family, kind, &mut || !effect.abort());
    }
    let archive = disk.as_ref().map(|disk| disk as &dyn Archive<StateOf<N>>);
    let reached = if args.thumbnail {
        // A picture that need not be right is not worth a catch-up: the nearest kept frame, else the first.
        match peek(shot, wanted, memory, store) {
            Ok(Some((_, state))) => {
                return Ok(Some(Reached { state, named: None, preview: None, frames: 0, loaded: 0, read: 0 }));
            }
            Ok(None) => catch_up(shot, shot.first(), memory, store, archive).map(Arrival::There),
            Err(stop) => Err(stop),
        }
    } else {
        watch::reach(shot, wanted, args.draft, &instance.progress, &Shelves { memory, store, archive })
    };
    match reached {
        Ok(Arrival::There(outcome)) => {
            let Outcome { state, key, place, simulated: frames, loaded, read } = outcome;
            Ok(Some(Reached { state, named: Some((key, place.index)), preview: None, frames, loaded, read }))
        }
        Ok(Arrival::Preview(Preview { state, frame, stale, simulated: frames })) => {
            Ok(Some(Reached { state, named: None, preview: Some((frame, stale)), frames, loaded: 0, read: 0 }))
        }
        Err(Stop::Aborted) => Ok(None),
        Err(Stop::Failed(failure)) => Err(failure),
    }
}

/// The whole frame at or before a time, and the share of the next one that has passed.
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

/// The region that an image covers: where a host knows neither Source nor project.
fn extent(placement: &Placement) -> Rect {
    let end = |axis: &Axis| axis.start + axis.size * axis.count.max(1) as f64;
    [placement.x.start, placement.y.start, end(&placement.x), end(&placement.y)]
}

/// A window of an image that lies at `whole`; `None` where there is nothing to paint.
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

/// What the node covers, at any time; `None` where the host is to say.
///
/// # Errors
/// A parameter can't be read.
pub fn region<N: Node>(instance: &Instance<N>, effect: &EffectHandle<'_>, time: f64) -> Result<Option<Rect>> {
    let setup = Setup::read(&instance.panel(effect, 0), time)?;
    Ok(instance.domain(effect, setup.start))
}
