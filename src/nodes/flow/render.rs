//! A frame of the node.

use std::sync::Arc;
use std::time::Instant;

use super::controls::Id;
use super::feed::{self, ClipFeed, domain, format, place};
use super::geometry::{self, Rect, sane_scale};
use super::instance::Instance;
use super::params::Panel;
use super::report::{Origin, Report, Times};
use super::shot::{FlowShot, Told};
use super::values::{Output, Setup, Values as _, output};
use crate::compute::cpu::Cpu;
use crate::nodes::engine::{Wanted, engine};
use crate::nodes::quirks;
use crate::ofx::{Answer, EffectHandle, Error, MessageKind, OutputImage, RenderArgs, Result};
use crate::picture::{Axis, Canvas, Layer, Placement, paint};
use crate::sim::{Spec, State};
use crate::timeline::{Digest, Fingerprint as _, Shot as _, Stop, catch_up, glance};

/// The most frames that a chain may be long: over an hour of film, and a few seconds of reading parameters.
const LONGEST: i64 = 100_000;

/// Times nearer than this to a whole frame are that frame.
const WHOLE: f64 = 1e-6;

/// What a render shows, and what it cost.
struct Reached {
    told: Arc<Told>,
    frames: u64,
    read: u64,
}

/// Renders a frame into the output. `Default` for one that the host aborted: what was simulated is kept, and there is
/// nothing to say.
///
/// # Errors
/// Whatever keeps the frame from being shown, in the artist's words.
pub fn render(instance: &Instance, effect: &EffectHandle<'_>, args: &RenderArgs) -> Result<Answer> {
    let started = Instant::now();
    // Fetched first and in any case: Nuke asks again and again for a frame whose output was not fetched. Nothing is
    // written before the inputs are released: a host may have put both into the same memory.
    let image = instance.output.output_image(effect, args.time)?;
    let mut image = image.ok_or_else(|| Error::message("The host gave no image to render into."))?;
    let (frame, share) = whole_and_share(args.time)?;
    let setup = Setup::read(&instance.panel(effect, 0), args.time)?;
    if frame.saturating_sub(setup.first()) > LONGEST {
        return Err(Error::message(format!(
            "Frame {} is more than {LONGEST} frames after the first frame of the simulation ({}). Raise Start frame, or \
             lower Pre-roll.",
            args.time,
            setup.first()
        )));
    }
    let panel = instance.panel(effect, setup.start);
    let store = engine().store();
    let region = domain(effect, &instance.clips, setup.start);
    let (target, scale) = place(&image, region, instance.output.pixel_aspect(effect), sane_scale(args.scale));
    let g = setup.resolution * if setup.scaled { scale[0] } else { 1.0 };
    let region = region.unwrap_or_else(|| extent(&target));
    let grid = geometry::grid(region, g, store.machine_memory()).map_err(Error::Message)?;
    let spec = Spec { grid, constants: setup.constants };
    instance.lease.set(u64::try_from(panel.int(Id::MemoryBudget, args.time)?).unwrap_or(0) << 20);

    let wanted_device = wanted_device(panel.choice(Id::Device, args.time)?);
    let cpu = engine().cpu(quirks::processors(effect.host()));
    let device = engine().device(wanted_device, &cpu);
    let mut sampling = Digest::new("sampling");
    grid.enter(&mut sampling);
    // The water of a pre-roll is never shown: frames before the start are the start's.
    let wanted = setup.held(frame);
    let times = [setup.start as f64, wanted as f64];
    let mut feed = ClipFeed::new(effect, &instance.clips, &cpu, scale, sampling.finish(), times);
    let mut shot = FlowShot::new(&panel, &mut feed, &*device, setup, spec);
    instance.uses(shot.family());

    let Some(reached) = reach(instance, effect, &mut shot, wanted, args)? else { return Ok(Answer::Default) };
    let part = if share > 0.0 && frame >= setup.start && !args.thumbnail && !quirks::ignores_time(effect.host()) {
        let Some(part) = shot.part(&reached.told, frame, share)? else { return Ok(Answer::Default) };
        Some(part)
    } else {
        None
    };
    let shown = part.as_ref().unwrap_or(&reached.told);
    let layer = layer(output(&panel, args.time)?);
    let painting = Instant::now();
    show(&cpu, &shown.water, layer, &target, &mut image, args)?;
    let painted = painting.elapsed();

    let (mean_height, wet_share) = shown.summary();
    let pace = shot.pace(wanted)?;
    let (steps, parameters, stepping) = (shot.steps, shot.reading, shot.stepping);
    let report = Report {
        time: args.time,
        grid: [grid.width, grid.height],
        cells_per_pixel: grid.cells_per_pixel,
        model: spec.constants.model,
        pace,
        mean_height,
        wet_share,
        device: device.name(),
        wanted_gpu: wanted_device == Wanted::Gpu,
        origin: if reached.frames > 0 || part.is_some() { Origin::Simulated } else { Origin::Memory },
        frames: reached.frames,
        steps,
        read: reached.read,
        store: (store.len(), store.bytes(), store.budget()),
        times: Times {
            parameters,
            fetch: feed.fetching,
            sample: feed.sampling,
            steps: stepping,
            output: painted,
            total: started.elapsed(),
        },
        notices: shown.notices,
        ignores_time: quirks::ignores_time(effect.host()) || quirks::may_ignore_time(effect.host()),
    };
    for notice in engine().take_notices() {
        effect.post(MessageKind::Warning, &notice);
    }
    tracing::info!(time = args.time, frames = report.frames, steps = report.steps, read = report.read, "{report}");
    effect.report_stats(args.time, &report.json());
    instance.tell(report);
    Ok(Answer::Done)
}

/// What an option of the `device` choice means.
fn wanted_device(option: i32) -> Wanted {
    match option {
        1 => Wanted::Gpu,
        2 => Wanted::Cpu,
        _ => Wanted::Auto,
    }
}

/// The state at a frame, from wherever the host and the kind of render allow; `None` after an abort.
fn reach(
    instance: &Instance,
    effect: &EffectHandle<'_>,
    shot: &mut FlowShot<'_, Panel<'_>, ClipFeed<'_>>,
    wanted: i64,
    args: &RenderArgs,
) -> Result<Option<Reached>> {
    let (store, memory) = (engine().store(), &instance.memory);
    if quirks::ignores_time(effect.host()) {
        return instance.present.follow(shot, wanted, args.time).map(|reached| {
            let (told, frames) = reached?;
            Some(Reached { told, frames, read: frames })
        });
    }
    let reached = if args.thumbnail {
        // A picture that need not be right is not worth a catch-up: the nearest kept frame, else the first.
        match glance(shot, wanted, memory, store) {
            Ok(Some(told)) => return Ok(Some(Reached { told, frames: 0, read: 0 })),
            Ok(None) => catch_up(shot, shot.first(), memory, store),
            Err(stop) => Err(stop),
        }
    } else {
        catch_up(shot, wanted, memory, store)
    };
    match reached {
        Ok(outcome) => Ok(Some(Reached { told: outcome.state, frames: outcome.simulated, read: outcome.read })),
        Err(Stop::Aborted) => Ok(None),
        Err(Stop::Failed(error)) => Err(error),
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

fn layer(output: Output) -> Layer {
    match output {
        Output::Water => Layer::Water,
        Output::Height => Layer::Height,
        Output::Cross => Layer::Cross,
        Output::Diagonal => Layer::Diagonal,
    }
}

/// Writes a layer of the state into the render window.
fn show(
    cpu: &Cpu,
    state: &State,
    layer: Layer,
    whole: &Placement,
    image: &mut OutputImage<'_>,
    args: &RenderArgs,
) -> Result<()> {
    let format = format(image)?;
    let bounds = image.bounds();
    let window = args.window.intersect(&bounds);
    let cut = |axis: &Axis, offset: i32, count: usize| Axis {
        start: axis.start + f64::from(offset) * axis.size,
        size: axis.size,
        count,
    };
    let left = window.x1 - bounds.x1;
    let target =
        Placement { x: cut(&whole.x, left, window.width()), y: cut(&whole.y, window.y1 - bounds.y1, window.height()) };
    if window.is_empty() {
        return Ok(());
    }
    let grid = geometry::placement(state.grid());
    let span = left as usize * format.bytes()..(left as usize + window.width()) * format.bytes();
    let shown = image.rows_mut().into_iter().filter(|row| (window.y1..window.y2).contains(&row.y));
    let rows = shown.map(|row| &mut row.bytes[span.clone()]).collect();
    paint(cpu, state, layer, &grid, Canvas { placement: target, format, rows });
    Ok(())
}

/// What the node covers, at any time; `None` where the host is to say.
///
/// # Errors
/// A parameter can't be read.
pub fn region(instance: &Instance, effect: &EffectHandle<'_>, time: f64) -> Result<Option<Rect>> {
    let setup = Setup::read(&instance.panel(effect, 0), time)?;
    Ok(feed::domain(effect, &instance.clips, setup.start))
}
