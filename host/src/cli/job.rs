//! The description of a job: a job file, or the command's flags. The
//! format is shown in the documentation of the module above.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::args::{RenderArguments, SceneArguments};
use super::bake as cache;
use crate::error::listing;
use crate::{Error, Result, Value};

/// A whole job.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Job {
    pub host: Option<String>,
    /// Number of processors that the host reports to the plug-in; the default is that of this machine.
    pub processors: Option<u32>,
    pub bundle: Option<PathBuf>,
    pub size: Option<String>,
    pub origin: Option<Pair>,
    pub par: Option<f64>,
    pub fps: Option<f64>,
    pub missing: Option<String>,
    pub stats: Option<PathBuf>,
    /// Values of parameters that have no effect are accepted.
    #[serde(skip_serializing_if = "is_default")]
    pub allow_unused: bool,
    #[serde(flatten)]
    pub common: Settings,
    #[serde(rename = "node")]
    pub nodes: Vec<NodeJob>,
    #[serde(rename = "render")]
    pub renders: Vec<RenderJob>,
    /// Frames whose files are there are left out.
    #[serde(skip)]
    pub skip_existing: bool,
    /// Folder of relative file names.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// `"X,Y"` or `[X, Y]`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub(super) enum Pair {
    Text(String),
    Numbers([i32; 2]),
}

/// Settings allowed at the top level and in each render.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
pub(super) struct Settings {
    pub frames: Option<String>,
    pub order: Option<String>,
    pub threads: Option<usize>,
    pub scale: Option<f64>,
    pub depth: Option<String>,
    pub raw: Option<bool>,
    pub half: Option<bool>,
    pub overlay: Option<bool>,
}

/// A node.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct NodeJob {
    #[serde(skip_serializing_if = "is_default")]
    pub name: String,
    pub bundle: Option<PathBuf>,
    pub plugin: Option<String>,
    pub context: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub clips: BTreeMap<String, String>,
    /// A camera for its camera input: `file`, and knobs by name, each a value or a table of keys.
    #[serde(skip_serializing_if = "is_default")]
    pub camera: BTreeMap<String, toml::Value>,
    #[serde(skip_serializing_if = "is_default")]
    pub set: BTreeMap<String, toml::Value>,
    #[serde(skip_serializing_if = "is_default")]
    pub keys: BTreeMap<String, BTreeMap<String, toml::Value>>,
    /// Lists of values for the combinations of a wedge, by parameter; a render ignores them.
    #[serde(skip_serializing_if = "is_default")]
    pub vary: BTreeMap<String, toml::Value>,
}

/// A render, after edits.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RenderJob {
    pub node: Option<String>,
    pub output: Option<String>,
    /// Planes that become layers of the files: "all", or names with commas.
    pub planes: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub edit: Vec<EditJob>,
    #[serde(flatten)]
    pub own: Settings,
}

/// An edit of a node; its changes are made in the order of the fields here.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct EditJob {
    /// The node; the default is the rendered one.
    pub node: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub undo: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub set: BTreeMap<String, toml::Value>,
    #[serde(skip_serializing_if = "is_default")]
    pub keys: BTreeMap<String, BTreeMap<String, toml::Value>>,
    /// Times of keys to delete, by parameter.
    #[serde(skip_serializing_if = "is_default")]
    pub delete_keys: BTreeMap<String, Vec<f64>>,
    /// New connections; an empty text disconnects.
    #[serde(skip_serializing_if = "is_default")]
    pub clips: BTreeMap<String, String>,
    /// Another camera.
    #[serde(skip_serializing_if = "is_default")]
    pub camera: BTreeMap<String, toml::Value>,
    pub push: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub purge: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub sync: bool,
}

/// Whether a field has its default, which a written job leaves out.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Settings {
    /// These settings; missing ones are taken from the others.
    pub(super) fn or(&self, others: &Self) -> Self {
        let Self { frames, order, threads, scale, depth, raw, half, overlay } = self.clone();
        Self {
            frames: frames.or_else(|| others.frames.clone()),
            order: order.or_else(|| others.order.clone()),
            threads: threads.or(others.threads),
            scale: scale.or(others.scale),
            depth: depth.or_else(|| others.depth.clone()),
            raw: raw.or(others.raw),
            half: half.or(others.half),
            overlay: overlay.or(others.overlay),
        }
    }
}

impl Job {
    /// The node and the parameter of a place: NAME, or NODE.NAME where there are several nodes; the error is the reason.
    pub(super) fn parameter<'a>(&self, place: &'a str) -> std::result::Result<(usize, &'a str), String> {
        let names = || listing(self.nodes.iter().map(|node| &node.name));
        match (place.rsplit_once('.'), self.nodes.len()) {
            (Some((node, parameter)), _) => {
                let at = self.nodes.iter().position(|job| job.name == node);
                at.map(|at| (at, parameter)).ok_or_else(|| format!("no node '{node}'; there are {}", names()))
            }
            (None, 1) => Ok((0, place)),
            (None, _) => Err(format!("of which node? Write NODE.{place}; there are {}", names())),
        }
    }

    /// Reads a job file.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text =
            std::fs::read_to_string(path).map_err(|error| Error::file(path, format!("cannot be read: {error}")))?;
        let mut job: Self =
            toml::from_str(&text).map_err(|error| Error::usage(format!("{}: {error}", path.display())))?;
        job.folder = path.parent().map(Path::to_owned).unwrap_or_default();
        if job.nodes.is_empty() {
            return Err(Error::usage(format!("{}: no [[node]]", path.display())));
        }
        if job.renders.is_empty() {
            return Err(Error::usage(format!("{}: no [[render]]", path.display())));
        }
        Ok(job)
    }

    /// The same job for a file in another folder: bundles and inputs have absolute names.
    pub(super) fn with_absolute_inputs(mut self) -> Result<Self> {
        let folder = std::mem::take(&mut self.folder);
        let bundles = self.nodes.iter_mut().map(|node| &mut node.bundle).chain([&mut self.bundle]);
        for bundle in bundles.flatten() {
            *bundle = absolute(&folder, bundle)?;
        }
        let edits = self.renders.iter_mut().flat_map(|render| &mut render.edit).map(|edit| &mut edit.clips);
        let clips = self.nodes.iter_mut().map(|node| &mut node.clips).chain(edits);
        for what in clips.flat_map(BTreeMap::values_mut) {
            *what = absolute_clip(&folder, what)?;
        }
        self.folder = folder;
        Ok(self)
    }

    /// The text of a file of this job.
    pub(super) fn to_text(&self) -> Result<String> {
        toml::to_string(self).map_err(|error| Error::usage(format!("the job cannot be written: {error}")))
    }

    /// The job that the flags of `render` describe.
    pub(super) fn from_arguments(arguments: &RenderArguments) -> Result<Self> {
        let RenderArguments { scene, half, planes, overlay, output, skip_existing } = arguments;
        let mut job = Self::from_scene(scene)?;
        job.skip_existing = *skip_existing;
        if let Some(folder) = &scene.cache {
            cache::used_by(&mut job, folder, scene)?;
        }
        if scene.job.is_none() {
            job.common.half = half.then_some(true);
            job.renders = vec![RenderJob { output: output.clone(), planes: planes.clone(), ..RenderJob::default() }];
            if planes.is_some() {
                job.host.get_or_insert_with(|| "natron".into());
            }
            job.common.overlay = overlay.then_some(true);
        }
        Ok(job)
    }

    /// The job that the flags describe: a job file with other frames, or one node. The latter has no renders yet.
    pub(super) fn from_scene(arguments: &SceneArguments) -> Result<Self> {
        let SceneArguments {
            bundle,
            job,
            plugin,
            context,
            size,
            origin,
            par,
            fps,
            scale,
            depth,
            frames,
            order,
            threads,
            processors,
            clips,
            camera,
            missing,
            set,
            keys,
            stats,
            raw,
            host,
            cache: _,
            name: _,
            every: _,
            allow_unused,
        } = arguments;
        if let Some(path) = job {
            let mut job = Self::read(path)?;
            let given =
                Settings { frames: frames.clone(), order: order.clone(), threads: *threads, ..Settings::default() };
            job.common = given.or(&job.common);
            job.renders.iter_mut().for_each(|render| render.own = given.or(&render.own));
            job.host = host.clone().or(job.host);
            job.processors = processors.or(job.processors);
            job.allow_unused |= allow_unused;
            if let Some(stats) = stats {
                // The flag's path is relative to the working folder, not to the job file's.
                job.stats = Some(std::path::absolute(stats).map_err(|error| Error::file(stats, error))?);
            }
            return Ok(job);
        }
        let mut node = NodeJob { plugin: plugin.clone(), context: context.clone(), ..NodeJob::default() };
        for text in clips {
            let (name, what) = split(text, '=', "--clip", "NAME=WHAT")?;
            if node.clips.insert(name.clone(), what).is_some() {
                return Err(Error::usage(format!("--clip {name} is given twice")));
            }
        }
        camera.iter().try_for_each(|text| super::camera::add_flag(&mut node.camera, text))?;
        for text in set {
            let (name, value) = split(text, '=', "--set", "NAME=VALUE")?;
            node.set.insert(name, toml::Value::String(value));
        }
        for text in keys {
            let form = "NAME@FRAME=VALUE";
            let (place, value) = split(text, '=', "--key", form)?;
            let (name, frame) = split(&place, '@', "--key", form)?;
            node.keys.entry(name).or_default().insert(frame, toml::Value::String(value));
        }
        Ok(Self {
            allow_unused: *allow_unused,
            host: host.clone(),
            processors: *processors,
            bundle: bundle.clone(),
            size: size.clone(),
            origin: origin.clone().map(Pair::Text),
            par: *par,
            fps: *fps,
            missing: missing.clone(),
            stats: stats.clone(),
            common: Settings {
                frames: frames.clone(),
                order: order.clone(),
                threads: *threads,
                scale: *scale,
                depth: depth.clone(),
                raw: raw.then_some(true),
                half: None,
                overlay: None,
            },
            nodes: vec![node],
            renders: Vec::new(),
            skip_existing: false,
            folder: PathBuf::new(),
        })
    }
}

fn split(text: &str, at: char, flag: &str, form: &str) -> Result<(String, String)> {
    match text.split_once(at) {
        Some((name, rest)) if !name.is_empty() => Ok((name.into(), rest.into())),
        _ => Err(Error::usage(format!("{flag} {text}: expected {form}"))),
    }
}

/// An input's text in which a file name is absolute: `constant:…`, `node:NAME` and an empty text stay.
fn absolute_clip(folder: &Path, what: &str) -> Result<String> {
    if what.is_empty() || what.starts_with("constant:") || what.starts_with("node:") {
        return Ok(what.to_owned());
    }
    Ok(absolute(folder, Path::new(what))?.to_string_lossy().into_owned())
}

fn absolute(folder: &Path, path: &Path) -> Result<PathBuf> {
    std::path::absolute(folder.join(path)).map_err(|error| Error::file(path, error))
}

/// A parameter's value in a job file.
pub(super) fn value(name: &str, value: &toml::Value) -> Result<Value> {
    let wrong = || Error::usage(format!("{name}: {value} is no value for a parameter"));
    Ok(match value {
        toml::Value::String(text) => Value::Text(text.clone()),
        toml::Value::Integer(number) => Value::Ints(vec![i32::try_from(*number).map_err(|_| wrong())?]),
        toml::Value::Float(number) => Value::Doubles(vec![*number]),
        toml::Value::Boolean(on) => Value::from(*on),
        toml::Value::Array(values) => {
            let numbers: Option<Vec<f64>> = values
                .iter()
                .map(|value| match value {
                    toml::Value::Integer(number) => Some(*number as f64),
                    toml::Value::Float(number) => Some(*number),
                    _ => None,
                })
                .collect();
            Value::Doubles(numbers.ok_or_else(wrong)?)
        }
        _ => return Err(wrong()),
    })
}

/// The frame of a key.
pub(super) fn key_time(name: &str, text: &str) -> Result<f64> {
    text.trim()
        .parse()
        .ok()
        .filter(|time: &f64| time.is_finite())
        .ok_or_else(|| Error::usage(format!("{name}: '{text}' is no frame for a key")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../docs/jobs.md");

    /// Names of the fields of this file's structs.
    fn fields() -> Vec<&'static str> {
        let code = include_str!("job.rs").split("\nimpl ").next().unwrap_or_default();
        let renamed =
            code.lines().filter_map(|line| line.trim().strip_prefix("#[serde(rename = \"")?.strip_suffix("\")]"));
        let plain =
            code.lines().filter_map(|line| line.trim().strip_prefix("pub ")?.split_once(": ").map(|(name, _)| name));
        // Fields of other names in the file, or of none.
        let inner = ["nodes", "renders", "common", "own", "folder", "skip_existing"];
        renamed.chain(plain.filter(|name| !inner.contains(name))).collect()
    }

    #[test]
    fn every_field_is_documented() {
        let cells: Vec<&str> = PAGE.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next()).collect();
        let documented: Vec<&str> =
            cells.iter().flat_map(|cell| cell.split("`, `")).map(|name| name.trim_matches('`')).collect();
        let fields = fields();
        assert!(fields.len() > 30, "{fields:?}");
        for field in fields {
            assert!(documented.contains(&field), "docs/jobs.md has no row for `{field}`");
        }
    }

    #[test]
    fn every_example_of_the_documentation_is_a_job() {
        let examples: Vec<&str> = PAGE.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        assert!(examples.len() > 3);
        for example in examples {
            let job: Job = toml::from_str(example).unwrap_or_else(|error| panic!("{error}\n{example}"));
            assert!(!job.nodes.is_empty() && !job.renders.is_empty() && job.size.is_some(), "{example}");
            let sets = job.nodes.iter().flat_map(|node| &node.set);
            sets.for_each(|(name, given)| drop(value(name, given).expect("a value")));
        }
    }
}
