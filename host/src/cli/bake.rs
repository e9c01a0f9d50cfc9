//! The cache folder: rendering with one, and simulating into one without pictures.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use flow_cache::{Folder, safe_name};
use serde_json::Value;

use super::args::{BakeArguments, SceneArguments};
use super::job::{Job, RenderJob};
use super::{run, say};
use crate::error::listing;
use crate::{Error, Result, parse_frames};

/// The node's folder where nothing has a name.
const UNNAMED: &str = "flow";

/// Simulates, checks that everything is there, and says where.
pub(super) fn bake(arguments: &BakeArguments) -> Result<()> {
    let scene = &arguments.scene;
    let cache = scene.cache.as_ref().ok_or_else(|| Error::usage("bake where to? Name a folder with --cache"))?;
    let mut job = Job::from_scene(scene)?;
    let folders = used_by(&mut job, cache, scene)?;
    // One render per node, whatever pictures the job makes of it, and no pictures.
    let mut nodes: BTreeMap<Option<String>, RenderJob> = BTreeMap::new();
    for render in std::mem::take(&mut job.renders) {
        let RenderJob { node, own, .. } = render;
        nodes.entry(node.clone()).or_insert(RenderJob { node, own, ..RenderJob::default() });
    }
    if nodes.is_empty() {
        nodes.insert(None, RenderJob::default());
    }
    job.renders = nodes.into_values().collect();
    let frames = job.renders.iter().map(|render| {
        let text = render.own.frames.as_ref().or(job.common.frames.as_ref());
        text.map_or_else(|| Ok(Vec::new()), |text| parse_frames(text))
    });
    let frames: Vec<f64> = frames.collect::<Result<Vec<_>>>()?.concat();

    // The plug-in has written everything when this returns: it is unloaded.
    let done = run::run(&job)?;
    let count = |key: &str| done.iter().filter_map(|frame| frame.get(key)?.as_u64()).sum::<u64>();
    say(&format!("{} frames done, {} simulated", done.len(), count("frames")))?;
    if scene.every == 1 {
        let there = there(&folders);
        // Frames before a simulation's start show the start.
        let first = there.first().copied().unwrap_or(i64::MIN);
        let missing = wanted(&frames, &done).into_iter().filter(|frame| *frame >= first && !there.contains(frame));
        let missing: Vec<String> = missing.map(|frame| frame.to_string()).collect();
        if !missing.is_empty() {
            let where_to = listing(folders.iter().map(|folder| folder.display().to_string()));
            return Err(Error::usage(format!("{where_to}: these frames are not there: {}", listing(&missing))));
        }
    }
    folders.iter().try_for_each(|folder| say(&folder.display().to_string()))
}

/// Makes the job's nodes use a cache folder, which is made where it is not there; gives the nodes' own folders.
pub(super) fn used_by(job: &mut Job, cache: &Path, scene: &SceneArguments) -> Result<Vec<PathBuf>> {
    let SceneArguments { name, every, .. } = scene;
    if !cache.is_dir()
        && let Err(error) = std::fs::create_dir(cache)
        // Another process of the farm may have been faster.
        && !cache.is_dir()
    {
        return Err(Error::file(cache, format!("cannot be made: {error}; make the folder, or name another")));
    }
    let cache = std::path::absolute(cache).map_err(|error| Error::file(cache, error))?;
    let ours = |plugin: &Option<String>| plugin.as_deref().is_none_or(|id| id.starts_with("org.flowofx."));
    let nodes: Vec<_> = job.nodes.iter_mut().filter(|node| ours(&node.plugin)).collect();
    if name.is_some() && nodes.len() > 1 {
        return Err(Error::usage(
            "--name names one folder, and the job has several nodes: give the nodes names instead",
        ));
    }
    let mut folders = Vec::new();
    for node in nodes {
        let own = if node.name.is_empty() { UNNAMED } else { &node.name };
        let name = safe_name(name.as_deref().unwrap_or(own));
        folders.push(cache.join(&name));
        let mut set = |parameter: &str, value: toml::Value| node.set.insert(parameter.to_owned(), value);
        set("cacheFolder", cache.to_string_lossy().replace('%', "%%").into());
        set("cacheName", name.into());
        set("cacheMode", "Read and write".into());
        set("cacheEvery", i64::from(*every).into());
        set("cacheBusy", "Wait".into());
    }
    Ok(folders)
}

/// The frames that have to be there: those that the plug-in simulated or found, not those that another stands for.
fn wanted(frames: &[f64], done: &[Value]) -> BTreeSet<i64> {
    let stands_for = |frame: &Value| frame.get("identity").is_none() && frame.get("from").is_some();
    let whole: BTreeSet<i64> = frames.iter().filter(|frame| frame.fract() == 0.0).map(|frame| *frame as i64).collect();
    let started =
        done.iter().filter(|frame| stands_for(frame)).filter_map(|frame| Some(frame.get("frame")?.as_f64()? as i64));
    whole.intersection(&started.collect()).copied().collect()
}

/// The frames in some folders.
fn there(folders: &[PathBuf]) -> BTreeSet<i64> {
    let listed = folders.iter().flat_map(|folder| Folder::new(folder.clone()).list());
    listed.filter_map(|file| file.header.ok().map(|header| header.frame)).collect()
}
