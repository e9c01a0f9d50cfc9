//! Times of whole frames through the bundle, by flow-host.

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::Options;
use super::time::{least, median, ratio};
use crate::bundle::Bundle;
use crate::{command, demo, project};

/// Columns and rows of the shot.
const HD: (usize, usize) = (1920, 1080);
/// Columns and rows of the demo.
const DEMO: (usize, usize) = (960, 540);

/// A row of the table.
pub struct Row {
    /// The timed part.
    pub what: String,
    /// The median.
    pub median: Duration,
    /// The minimum.
    pub least: Duration,
    /// A comparison, or the parts.
    pub note: String,
}

/// Times of whole frames.
#[derive(Default)]
pub struct Figures {
    /// The table.
    pub rows: Vec<Row>,
    /// A warm 1920×1080 frame, in copies of that frame: into a new frame, and into memory in use.
    pub warm_in_copies: Option<[f64; 2]>,
    /// The sequential demo, relative to its fetches, hashes, steps and outputs.
    pub demo_in_parts: Option<f64>,
    /// A late frame from the store, relative to 1.2 early ones and 0.2 ms.
    pub late_over_allowed: Option<f64>,
}

impl Figures {
    /// Adds a row.
    pub fn row(&mut self, what: &str, times: &[Duration], note: String) {
        self.rows.push(Row { what: what.to_owned(), median: median(times.to_vec()), least: least(times), note });
    }
}

/// A frame, in the statistics of flow-host and the plug-in.
pub struct Frame {
    /// The host's whole wait.
    pub wall: Duration,
    /// The plug-in's render action alone, including the images that it fetched.
    pub action: Duration,
    /// Number of frames simulated for it; `None` if the plug-in does not report it.
    simulated: Option<u64>,
    /// Times of the parts; `None` if the plug-in does not report them.
    parts: Option<[Duration; PARTS.len()]>,
    /// Particles alive; `None` without any.
    pub particles: Option<u64>,
}

impl Frame {
    /// Times of the simulation and of the picture.
    pub fn steps_and_output(&self) -> Option<[Duration; 2]> {
        self.parts.map(|[_, _, steps, output]| [steps, output])
    }
}

/// The parts of a frame: their names in the table, and the plug-in's names of their microseconds.
const PARTS: [(&str, &str); 4] =
    [("fetch", "fetchMicros"), ("hash", "sampleMicros"), ("steps", "stepsMicros"), ("output", "outputMicros")];

/// Renders, and returns the statistics of each frame in the order of rendering. No files are written.
pub fn stats(render: &mut Command) -> Result<Vec<Frame>> {
    let path = project::target().join("bench").join("stats.json");
    command::make_folder(&project::target().join("bench"))?;
    command::output(render.arg("--stats").arg(&path), "flow-host")?;
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let parsed: Value = serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))?;
    let frames = parsed["frames"].as_array().with_context(|| format!("{} lists no frames", path.display()))?;
    let read = |frame| read(frame).with_context(|| format!("{}: a frame without its time", path.display()));
    frames.iter().map(read).collect()
}

fn read(frame: &Value) -> Option<Frame> {
    let wall = frame["seconds"].as_f64().map(Duration::from_secs_f64)?;
    let action = frame["actionSeconds"].as_f64().map(Duration::from_secs_f64)?;
    let part = |name: &str| frame[name].as_f64().map(|us| Duration::from_secs_f64(us / 1e6));
    let parts: Option<Vec<Duration>> = PARTS.iter().map(|(_, name)| part(name)).collect();
    Some(Frame {
        wall,
        action,
        simulated: frame["frames"].as_u64(),
        parts: parts.and_then(|parts| parts.try_into().ok()),
        particles: frame["particles"].as_u64(),
    })
}

/// Measures the demo, a shot at production size, warm frames against a copy, and a long sequence.
pub fn measure(host: &Path, bundle: &Bundle, options: &Options, figures: &mut Figures) -> Result<()> {
    let folder = project::target().join("bench");
    demo(host, bundle, &folder, options.frames(), figures)?;
    shot(host, bundle, &folder, options.frames(), figures)?;
    warm(host, bundle, options, figures)?;
    sequence(host, bundle, &folder, if options.quick { 48 } else { 200 }, figures)
}

/// Frames of the demo's scene: the first time, and again from the store.
fn demo(host: &Path, bundle: &Bundle, folder: &Path, frames: usize, figures: &mut Figures) -> Result<()> {
    let scene = demo::Scene::create(&folder.join("plates"), DEMO, frames)?;
    let mut render = scene.render(host, &bundle.folder, "general");
    // In reverse order, the first requested frame simulates all, and the others are in the store.
    let found = stats(render.args(["--order", "reverse"]))?;
    let (first, others) = found.split_first().context("flow-host wrote no times")?;
    let cold = first.wall.div_f64(frames as f64);
    let warm = walls(others);
    let share = ratio(median(warm.clone()), cold);
    figures.row("demo at 960×540, a simulated frame", &[cold], format!("mean of {frames} in one run"));
    figures.row("the same frame from the store", &warm, format!("{share:.2} × simulated"));
    Ok(())
}

/// The demo's scene at production size, each frame in order, then all again.
fn shot(host: &Path, bundle: &Bundle, folder: &Path, frames: usize, figures: &mut Figures) -> Result<()> {
    let scene = demo::Scene::create(&folder.join("plates"), HD, frames)?;
    let twice = format!("1-{frames},1-{frames}");
    let mut found = stats(&mut scene.render_frames(host, &bundle.folder, "general", &twice))?;
    let second = found.split_off(frames);
    let (first, next) = found.split_first().context("flow-host wrote no times")?;
    figures.row("shot at 1920×1080: cold, the first frame", &[first.wall], parts(std::slice::from_ref(first)));
    figures.row("sequential, each next frame", &walls(next), parts(next));
    let warm: Vec<Frame> = second.into_iter().filter(|frame| frame.simulated == Some(0)).collect();
    figures.row("warm, every input read again", &walls(&warm), parts(&warm));
    Ok(())
}

/// Warm frames without inputs, and plain copies of such a frame.
fn warm(host: &Path, bundle: &Bundle, options: &Options, figures: &mut Figures) -> Result<()> {
    let (width, height) = HD;
    let frames = options.frames();
    let [mut fresh, mut reused] = [Vec::new(), Vec::new()];
    let source = vec![0.5f32; width * height * 4];
    let mut target = source.clone();
    let mut copies = || {
        for _ in 0..options.repeats().div_ceil(2) {
            let start = Instant::now();
            // The memory that flow-host gives the plug-in for a frame.
            let mut copy = black_box(vec![0.0; source.len()]);
            copy.copy_from_slice(black_box(&source));
            drop(black_box(copy));
            fresh.push(start.elapsed());
            let start = Instant::now();
            black_box(&mut target).copy_from_slice(black_box(&source));
            reused.push(start.elapsed());
        }
    };
    copies();
    let mut render = command::graphic(host);
    render.arg("render").arg(&bundle.folder).args(["--plugin", project::FLOW, "--context", "general"]);
    render.args(["--set", "output=Water"]);
    render.args(["--size", &format!("{width}x{height}"), "--frames", &format!("1-{frames},1-{frames}")]);
    let second = stats(&mut render)?.split_off(frames);
    copies();
    let warm: Vec<Frame> = second.into_iter().filter(|frame| frame.simulated == Some(0)).collect();
    let times: Vec<Duration> = warm.iter().map(|frame| frame.action).collect();
    let copies = [&fresh, &reused].map(|copy| ratio(median(times.clone()), median(copy.clone())));
    figures.warm_in_copies = (!times.is_empty()).then_some(copies);
    figures.row("a plain copy of a 1920×1080 frame into a new one", &fresh, String::new());
    figures.row("the same, into memory in use", &reused, String::new());
    let note = format!("{:.2} × and {:.2} × such copies; {}", copies[0], copies[1], parts(&warm));
    figures.row("warm frame at 1920×1080, no inputs: the render action", &times, note);
    Ok(())
}

/// A long sequence of the demo, against the sum of its parts.
fn sequence(host: &Path, bundle: &Bundle, folder: &Path, frames: usize, figures: &mut Figures) -> Result<()> {
    let scene = demo::Scene::create(&folder.join("plates"), DEMO, frames)?;
    let mut render = scene.render(host, &bundle.folder, "general");
    let start = Instant::now();
    let found = stats(&mut render)?;
    let whole = start.elapsed();
    let total: Duration = found.iter().map(|frame| frame.action).sum();
    let sums: Option<Vec<Duration>> = found.iter().map(|frame| frame.parts.map(|parts| parts.iter().sum())).collect();
    let sum: Option<Duration> = sums.map(|sums| sums.iter().sum());
    figures.demo_in_parts = sum.map(|sum| ratio(total, sum));
    let note = figures.demo_in_parts.map_or_else(
        || "the plug-in does not report its parts".to_owned(),
        |times| format!("{times:.2} × (fetch + hash + steps + output)"),
    );
    figures.row(&format!("demo at 960×540, {frames} frames in order, their render actions"), &[total], note);
    let note = sum.map_or_else(String::new, |sum| format!("{:.2} × the same parts", ratio(whole, sum)));
    figures.row("the same, flow-host from start to end, which reads the plates", &[whole], note);
    Ok(())
}

fn walls(frames: &[Frame]) -> Vec<Duration> {
    frames.iter().map(|frame| frame.wall).collect()
}

/// The medians of the parts of frames, if the plug-in reports them.
fn parts(frames: &[Frame]) -> String {
    let reported: Vec<[Duration; PARTS.len()]> = frames.iter().filter_map(|frame| frame.parts).collect();
    if reported.is_empty() {
        return "parts not reported".to_owned();
    }
    let middle = |at: usize| median(reported.iter().map(|parts| parts[at]).collect()).as_secs_f64() * 1e3;
    let named: Vec<String> =
        PARTS.iter().enumerate().map(|(at, (name, _))| format!("{name} {:.1}", middle(at))).collect();
    format!("{} ms", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_with_and_without_their_parts() {
        let text = r#"{"seconds": 0.5, "actionSeconds": 0.4, "frames": 3, "fetchMicros": 1000, "sampleMicros": 2000,
            "stepsMicros": 4e5, "outputMicros": 10}"#;
        let frame = read(&serde_json::from_str(text).unwrap()).unwrap();
        assert_eq!((frame.wall.as_millis(), frame.simulated), (500, Some(3)));
        assert_eq!(frame.parts.map(|parts| parts.iter().sum::<Duration>().as_micros()), Some(403_010));
        assert_eq!(parts(&[frame]), "fetch 1.0, hash 2.0, steps 400.0, output 0.0 ms");
        let bare = read(&serde_json::json!({ "seconds": 0.5, "actionSeconds": 0.4 })).unwrap();
        assert_eq!((bare.parts, parts(&[bare])), (None, "parts not reported".to_owned()));
        assert!(read(&serde_json::json!({})).is_none());
    }
}
