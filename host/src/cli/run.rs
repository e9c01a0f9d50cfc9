//! Execution of a job.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use flow_openfx as ofx;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, json};

use super::camera::camera;
use super::job::{EditJob, Job, NodeJob, Pair, RenderJob, Settings, key_time, value};
use super::stream::message;
use crate::error::listing;
use crate::io::{self, FileOptions, Missing, Pattern, Sequence};
use crate::names::Named as _;
use crate::{
    Depth, Error, Frame, Host, InputPremult, Node, NodeBuilder, Order, Plane, Profile, Project, Request, Result,
    Source, Value, Viewer, parse_frames,
};

/// Statistics of all frames, as they are finished.
type Stats = Mutex<Vec<serde_json::Value>>;

/// Statistics of the finished frames, in the order of their completion.
pub(super) type FrameStats = Vec<serde_json::Value>;

/// A render with parsed settings.
struct Prepared<'a> {
    job: &'a RenderJob,
    frames: Vec<f64>,
    order: Order,
    threads: usize,
    request: Request,
    options: FileOptions,
    /// Whether the plug-in's overlay is drawn over the pictures.
    overlay: bool,
    output: Option<Pattern>,
}

/// Settings of the whole job.
struct Setup<'a> {
    job: &'a Job,
    host: Host,
    project: Project,
    missing: Missing,
}

/// Executes a job, and writes its statistics to the job's file.
pub(super) fn run(job: &Job) -> Result<FrameStats> {
    let (setup, renders) = Setup::new(job)?;
    setup.check_targets(&renders)?;
    let nodes = setup.build_nodes()?;
    let stats = Stats::default();
    let outcome = renders.iter().enumerate().try_for_each(|(at, render)| setup.render(at, render, &nodes, &stats));
    // Statistics of finished frames are written even after an error.
    let done = stats.into_inner().unwrap_or_else(PoisonError::into_inner);
    let written = setup.write_stats(&done);
    for violation in setup.host.record().violations() {
        message(format_args!("warning: the plug-in broke a rule of OpenFX: {violation}"));
    }
    outcome.and(written).map(|()| done)
}

/// Checks all that a job can be checked for before its first frame, except the folders of its output. Returns the
/// plug-ins of the nodes with their versions.
pub(super) fn check(job: &Job) -> Result<BTreeSet<String>> {
    let (setup, renders) = Setup::new(job)?;
    let nodes = setup.build_nodes()?;
    renders.iter().try_for_each(|render| setup.rendered(render, &nodes).map(drop))?;
    let named = |node: &Node| {
        let plugin = &node.core.plugin;
        format!("{} {}.{}", plugin.id, plugin.version.0, plugin.version.1)
    };
    Ok(nodes.values().map(named).collect())
}

/// One of the job's nodes, with its values, unconnected.
pub(super) fn unconnected(job: &Job, node: &NodeJob) -> Result<Node> {
    Setup::new(job)?.0.start_node(node)?.create()
}

/// The frames of each render and its files; no files for a render without output.
pub(super) fn outputs(job: &Job) -> Result<Vec<(Vec<f64>, Option<Pattern>)>> {
    let renders = job.renders.iter().map(|render| prepare(job, render));
    renders.map(|render| render.map(|render| (render.frames, render.output))).collect()
}

fn prepare<'a>(job: &Job, render: &'a RenderJob) -> Result<Prepared<'a>> {
    let settings: Settings = render.own.or(&job.common);
    let text = settings.frames.as_deref().ok_or_else(|| Error::usage("no frames: expected e.g. frames = \"1-100\""))?;
    let frames = parse_frames(text)?;
    let scale = settings.scale.unwrap_or(1.0);
    let mut request = Request::at(0.0).scale(scale, scale);
    if let Some(depth) = &settings.depth {
        request = request.depth(Depth::named(depth)?);
    }
    let output = render.output.as_ref().map(|output| Pattern::new(&job.folder.join(output).to_string_lossy()));
    if let Some(pattern) = &output {
        io::check_extension(&pattern.file(0))?;
        if frames.len() > 1 && !pattern.is_numbered() {
            return Err(Error::usage(format!(
                "{pattern}: {} frames need a place for their number, such as OUT.####.exr",
                frames.len()
            )));
        }
        if pattern.is_numbered()
            && let Some(between) = frames.iter().find(|f| f.fract() != 0.0)
        {
            return Err(Error::usage(format!("{pattern}: frame {between} has no whole number")));
        }
    }
    let threads = settings.threads.unwrap_or(1);
    if threads == 0 {
        return Err(Error::usage("0 threads: expected at least 1"));
    }
    Ok(Prepared {
        job: render,
        frames,
        order: settings.order.as_deref().map_or(Ok(Order::Forward), str::parse)?,
        // An overlay is drawn on the user's thread.
        threads: if settings.overlay == Some(true) { 1 } else { threads },
        request,
        options: FileOptions { raw: settings.raw.unwrap_or(false), half: settings.half.unwrap_or(false) },
        overlay: settings.overlay.unwrap_or(false),
        output,
    })
}

/// The file of a frame.
pub(super) fn output_of(pattern: &Pattern, frame: f64) -> PathBuf {
    pattern.file(frame.floor() as i64)
}

fn project(job: &Job, renders: &[Prepared<'_>]) -> Result<Project> {
    let text = job.size.as_deref().ok_or_else(|| Error::usage("no size: expected e.g. size = \"960x540\""))?;
    let wrong = || Error::usage(format!("size '{text}': expected width x height, e.g. 960x540"));
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let side = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
    let mut project = Project::new(side(width)?, side(height)?);
    if let Some(pair) = &job.origin {
        let (x, y) = match pair {
            Pair::Numbers([x, y]) => (*x, *y),
            Pair::Text(text) => {
                let wrong = || Error::usage(format!("origin '{text}': expected X,Y in pixels"));
                let (x, y) = text.split_once(',').ok_or_else(wrong)?;
                let number = |text: &str| text.trim().parse::<i32>().map_err(|_| wrong());
                (number(x)?, number(y)?)
            }
        };
        project = project.origin(x, y);
    }
    project.par = job.par.unwrap_or(1.0);
    project.fps = job.fps.unwrap_or(24.0);
    let all = renders.iter().flat_map(|render| render.frames.iter().copied());
    project.frames =
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(first, last), frame| (first.min(frame), last.max(frame)));
    project.check()?;
    Ok(project)
}

/// Number of parameters without an effect whose conditions a message names.
const EXPLAINED: usize = 4;

/// Refuses values and keys of parameters that the plug-in has greyed out: they have no effect with the other values.
fn all_used(job: &NodeJob, node: &Node) -> Result<()> {
    let given = job.set.keys().chain(job.keys.keys());
    let unused: BTreeSet<&str> = given
        .map(|name| Ok((name, node.param_flag(name, ofx::text(ofx::kOfxParamPropEnabled))?)))
        .filter_map(|found: Result<_>| match found {
            Ok((name, Some(0))) => Some(Ok(name.as_str())),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        })
        .collect::<Result<_>>()?;
    if unused.is_empty() {
        return Ok(());
    }
    let wanted = unused.iter().take(EXPLAINED).filter_map(|name| {
        let edits = node.enabling(name).ok().filter(|edits| !edits.is_empty())?;
        Some(format!("; {name} acts with {}", edits.join(", or with ")))
    });
    let wanted: String = wanted.collect();
    Err(Error::usage(format!(
        "{} has no effect with the other settings of {}{wanted}: leave it out, change what it depends on (the page of the \
         node's parameters says more), or add --allow-unused",
        listing(unused.iter().copied()),
        node.name(),
    )))
}

impl<'a> Setup<'a> {
    /// The settings of a job and its renders.
    fn new(job: &'a Job) -> Result<(Self, Vec<Prepared<'a>>)> {
        let mut profile = Profile::named(job.host.as_deref().unwrap_or("generic"))?;
        if let Some(processors) = job.processors {
            profile.threads = processors as usize;
        }
        let host = Host::new(profile);
        let renders: Vec<Prepared<'_>> =
            job.renders.iter().map(|render| prepare(job, render)).collect::<Result<_>>()?;
        let project = project(job, &renders)?;
        let missing = job.missing.as_deref().map_or(Ok(Missing::default()), str::parse)?;
        Ok((Self { job, host, project, missing }, renders))
    }

    /// Refuses files that could not be written, before the first frame is rendered.
    fn check_targets(&self, renders: &[Prepared<'_>]) -> Result<()> {
        for render in renders {
            let Some(pattern) = &render.output else { continue };
            render.frames.iter().try_for_each(|frame| io::check_target(&output_of(pattern, *frame)))?;
        }
        self.job.stats.as_ref().map_or(Ok(()), |path| io::check_target(&self.job.folder.join(path)))
    }

    /// Creates all nodes, then connects those that use each other's pictures.
    fn build_nodes(&self) -> Result<BTreeMap<String, Node>> {
        let mut nodes = BTreeMap::new();
        for job in &self.job.nodes {
            if nodes.contains_key(&job.name) {
                return Err(Error::usage(format!("two nodes are named '{}'", job.name)));
            }
            let builder = self.start_node(job)?;
            let node = job
                .clips
                .iter()
                .filter(|(_, what)| !what.starts_with("node:"))
                .try_fold(builder, |builder, (clip, what)| {
                    let source = self.source(what, &nodes).map_err(|error| error.of_input(clip))?;
                    Ok::<_, Error>(builder.clip(clip, source))
                })?
                .create()?;
            nodes.insert(job.name.clone(), node);
        }
        for job in &self.job.nodes {
            for (clip, what) in job.clips.iter().filter(|(_, what)| what.starts_with("node:")) {
                let source = self.source(what, &nodes).map_err(|error| error.of_input(clip))?;
                nodes[&job.name].connect(clip, Some(source))?;
            }
        }
        for job in &self.job.nodes {
            let set: Vec<&str> = job.set.keys().map(String::as_str).collect();
            let keys: Vec<&str> = job.keys.keys().map(String::as_str).collect();
            nodes[&job.name].follow(&set, &keys)?;
        }
        if !self.job.allow_unused {
            self.job.nodes.iter().try_for_each(|job| all_used(job, &nodes[&job.name]))?;
        }
        Ok(nodes)
    }

    fn start_node(&self, job: &NodeJob) -> Result<NodeBuilder> {
        let bundle = job.bundle.as_ref().or(self.job.bundle.as_ref());
        let bundle = bundle.map(|path| self.job.folder.join(path));
        let plugin = super::find(&self.host, bundle.as_ref(), job.plugin.as_deref())?;
        let context = super::context_of(&plugin, job.context.as_deref())?;
        let mut builder = plugin.node(context).project(self.project.clone());
        if let Some(depth) = &self.job.common.depth {
            builder = builder.depth(Depth::named(depth)?);
        }
        if !job.name.is_empty() {
            builder = builder.name(&job.name);
        }
        if !job.camera.is_empty() {
            builder = builder.camera(camera(&job.camera, &self.job.folder)?);
        }
        for (name, given) in &job.set {
            builder = builder.set(name, value(name, given)?);
        }
        for (name, keys) in &job.keys {
            for (time, given) in keys {
                builder = builder.key(name, key_time(name, time)?, value(name, given)?);
            }
        }
        Ok(builder)
    }

    /// `constant:r,g,b,a`, `node:NAME`, or files.
    fn source(&self, what: &str, nodes: &BTreeMap<String, Node>) -> Result<Source> {
        if let Some(name) = what.strip_prefix("node:") {
            return Ok(Source::node(self.node(name, nodes)?));
        }
        if let Some(text) = what.strip_prefix("constant:") {
            let wrong = || Error::usage(format!("'{what}': expected constant:r,g,b,a with four numbers"));
            let values: Vec<f32> = text
                .split(',')
                .map(|part| part.trim().parse::<f32>().ok().filter(|v| v.is_finite()))
                .collect::<Option<_>>()
                .ok_or_else(wrong)?;
            return match values[..] {
                [r, g, b, a] => Ok(Source::constant([r, g, b, a])),
                [r, g, b] => Ok(Source::constant([r, g, b, 1.0])),
                _ => Err(wrong()),
            };
        }
        let path = self.job.folder.join(what);
        let options = FileOptions { raw: self.job.common.raw.unwrap_or(false), half: false };
        let (x, y) = self.project.origin;
        let files = Sequence::new(&path.to_string_lossy(), self.missing, options)?.origin(x, y);
        files.check(&self.project)?;
        Ok(Source::files(files))
    }

    fn node<'n>(&self, name: &str, nodes: &'n BTreeMap<String, Node>) -> Result<&'n Node> {
        nodes.get(name).ok_or_else(|| Error::usage(format!("no node '{name}'; there are {}", listing(nodes.keys()))))
    }

    /// The node of a render.
    fn rendered<'n>(&self, render: &Prepared<'_>, nodes: &'n BTreeMap<String, Node>) -> Result<&'n Node> {
        match (&render.job.node, nodes.len()) {
            (Some(name), _) => self.node(name, nodes),
            (None, 1) => nodes.values().next().ok_or_else(|| Error::usage("no node")),
            (None, _) => Err(Error::usage(format!("a render names no node; there are {}", listing(nodes.keys())))),
        }
    }

    fn edit(&self, job: &EditJob, rendered: &Node, nodes: &BTreeMap<String, Node>) -> Result<()> {
        let EditJob { node, undo, set, keys, delete_keys, clips, camera: other, push, purge, sync } = job;
        let node = match node {
            Some(name) => self.node(name, nodes)?,
            None => rendered,
        };
        if *undo && !node.undo()? {
            return Err(Error::usage(format!("{}: nothing to undo", node.name())));
        }
        let values: Vec<(&str, Value)> =
            set.iter().map(|(name, given)| Ok((name.as_str(), value(name, given)?))).collect::<Result<_>>()?;
        node.set_together(values)?;
        for (name, keys) in keys {
            for (time, given) in keys {
                node.set_key(name, key_time(name, time)?, value(name, given)?)?;
            }
        }
        for (name, times) in delete_keys {
            times.iter().try_for_each(|time| node.delete_key(name, *time))?;
        }
        for (clip, what) in clips {
            let source = if what.is_empty() { None } else { Some(self.source(what, nodes)?) };
            node.connect(clip, source)?;
        }
        if !other.is_empty() {
            node.connect_camera(Some(camera(other, &self.job.folder)?))?;
        }
        if let Some(button) = push {
            node.push(button)?;
        }
        if *purge {
            node.purge()?;
        }
        if *sync {
            node.sync()?;
        }
        Ok(())
    }

    fn render(&self, at: usize, render: &Prepared<'_>, nodes: &BTreeMap<String, Node>, stats: &Stats) -> Result<()> {
        let node = self.rendered(render, nodes)?;
        for edit in &render.job.edit {
            self.edit(edit, node, nodes)?;
        }
        let mut request = render.request.clone();
        if let Some(list) = &render.job.planes {
            let planes = Plane::chosen(list, &node.planes(render.frames.first().copied().unwrap_or(0.0))?)?;
            request = request.planes(&[vec![Plane::colour()], planes].concat());
        }
        let overlay = if render.overlay { node.overlay()? } else { None };
        let there = |frame: &f64| render.output.as_ref().is_some_and(|files| output_of(files, *frame).is_file());
        let mut frames = render.frames.clone();
        frames.retain(|frame| !(self.job.skip_existing && there(frame)));
        if frames.is_empty() {
            return Ok(());
        }
        let bar = progress(frames.len() as u64);
        let printed = PrintedNotices::default();
        let finished = |frame: Frame| {
            let output = match &render.output {
                Some(pattern) => {
                    let path = output_of(pattern, frame.time);
                    let mut image = Arc::clone(&frame.image);
                    if let Some(overlay) = &overlay {
                        let viewer = Viewer { scale: render.request.scale, ..Viewer::at(frame.time) };
                        overlay.paint(&viewer, Arc::make_mut(&mut image))?;
                    }
                    // Values are unchanged, as with Input Premult set to Premultiplied in Natron's Write.
                    let shown = Frame { image, ..frame.clone() };
                    let (image, planes) = node.written(&shown, InputPremult::Premultiplied)?;
                    io::write_layers(&path, &image, &planes, frame.window, render.options)?;
                    Some(path)
                }
                None => None,
            };
            let notices = frame.stats.get("notices").and_then(serde_json::Value::as_array).into_iter().flatten();
            let notices = notices.filter_map(serde_json::Value::as_str).filter(|text| printed.is_new(text));
            // A message that is printed is not printed again as a notice.
            let messages = frame.messages.iter().map(String::as_str).inspect(|text| {
                printed.is_new(text);
            });
            for text in messages.collect::<Vec<_>>().into_iter().chain(notices) {
                bar.suspend(|| message(format_args!("frame {}: {text}", frame.time)));
            }
            let entry = frame_stats(at, node, &frame, output);
            stats.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
            bar.inc(1);
            Ok(())
        };
        let outcome = node.render_frames(&frames, render.order, render.threads, &request, finished);
        bar.finish_and_clear();
        node.take_messages().iter().for_each(message);
        outcome
    }

    fn write_stats(&self, frames: &FrameStats) -> Result<()> {
        let Some(path) = &self.job.stats else { return Ok(()) };
        let path = self.job.folder.join(path);
        let document = json!({ "host": self.host.profile().name, "frames": frames });
        let text = serde_json::to_string_pretty(&document).map_err(|error| Error::file(&path, error))?;
        io::write_whole(&path, text.as_bytes())
    }
}

/// Notices of the plug-in that were printed. They come with each frame, and are printed once, whatever numbers of more than
/// a digit they have: single digits are those of names.
#[derive(Default)]
struct PrintedNotices(Mutex<BTreeSet<String>>);

impl PrintedNotices {
    /// Whether a notice is the first of its kind; it is not any more.
    fn is_new(&self, text: &str) -> bool {
        let runs = text.split_inclusive(|letter: char| !letter.is_ascii_digit());
        let words =
            runs.filter(|run| run.trim_end_matches(|letter: char| !letter.is_ascii_digit()).len() < 2).collect();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(words)
    }
}

/// Statistics of a finished frame: those of the host, then those of the plug-in.
fn frame_stats(at: usize, node: &Node, frame: &Frame, output: Option<PathBuf>) -> serde_json::Value {
    let mut entry = Map::new();
    entry.insert("render".into(), json!(at));
    entry.insert("node".into(), json!(node.name()));
    entry.insert("frame".into(), json!(frame.time));
    entry.insert("seconds".into(), json!(frame.wall.as_secs_f64()));
    entry.insert("actionSeconds".into(), json!(frame.action.as_secs_f64()));
    entry.insert("inputs".into(), json!(frame.fetched.len()));
    if let Some((clip, time)) = &frame.identity {
        entry.insert("identity".into(), json!({ "clip": clip, "frame": time }));
    }
    if let Some(path) = output {
        entry.insert("output".into(), json!(path.display().to_string()));
    }
    for (name, value) in &frame.stats {
        entry.insert(name.clone(), value.clone());
    }
    entry.into()
}

/// A progress bar on standard error; hidden if that is no terminal.
fn progress(frames: u64) -> ProgressBar {
    let bar = ProgressBar::new(frames);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} frames  {per_sec}  {eta} left") {
        bar.set_style(style);
    }
    bar
}
