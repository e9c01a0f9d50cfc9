//! The cache folder: renders with one, and simulation into one without pictures.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use flow_cache::{Folder, safe_name};
use serde_json::Value;

use super::args::{BakeArguments, SceneArguments};
use super::job::{Job, NodeJob, RenderJob};
use super::run;
use super::stream::say;
use crate::error::listing;
use crate::{Error, Result};

/// Name of the node's folder if nothing has a name.
const UNNAMED: &str = "flow";

/// A node's own folder in a cache folder.
pub(super) struct Used {
    /// The node's name in the job.
    node: String,
    folder: PathBuf,
    /// Every n-th frame is stored.
    every: u64,
}

/// Simulates, checks that all states are stored, and prints the folders.
pub(super) fn bake(arguments: &BakeArguments) -> Result<()> {
    let scene = &arguments.scene;
    let named = scene.cache.as_ref().filter(|folder| !folder.as_os_str().is_empty());
    let cache = named.ok_or_else(|| Error::usage("bake where to? Name a folder with --cache"))?;
    let mut job = Job::from_scene(scene)?;
    let mut used = used_by(&mut job, cache, scene)?;
    let only = override_values(&mut job, &arguments.with)?;
    used.retain(|used| only.is_empty() || only.contains(&used.node));
    for node in ours(&mut job) {
        // The job's statistics belong to its renders; a bake writes files only.
        set(node, "cacheMode", "Read and write");
        set(node, "cacheBusy", "Wait");
    }
    // One render per node, without pictures, for any number of renders in the job.
    let mut nodes: BTreeMap<Option<String>, RenderJob> = BTreeMap::new();
    for render in std::mem::take(&mut job.renders) {
        let RenderJob { node, own, .. } = render;
        // A render without a node is that of the only one.
        if !only.is_empty() && node.as_ref().is_some_and(|node| !only.contains(node)) {
            continue;
        }
        nodes.entry(node.clone()).or_insert(RenderJob { node, own, ..RenderJob::default() });
    }
    if job.nodes.len() > 1 {
        // Nodes that no render names are baked where they are asked for.
        for name in &only {
            let render = RenderJob { node: Some(name.clone()), ..RenderJob::default() };
            nodes.entry(Some(name.clone())).or_insert(render);
        }
    }
    if nodes.is_empty() {
        nodes.insert(None, RenderJob::default());
    }
    job.renders = nodes.into_values().collect();

    // The plug-in has written everything when this returns, since it is unloaded.
    let done = run::run(&job)?;
    let count = |key: &str| done.iter().filter_map(|frame| frame.get(key)?.as_u64()).sum::<u64>();
    say(&format!("{} frames done, {} simulated", done.len(), count("frames")))?;
    let is_single = job.nodes.len() == 1;
    for Used { node, folder, every } in &used {
        let own: Vec<&Value> = done.iter().filter(|frame| is_single || frame["node"] == node.as_str()).collect();
        check(folder, &own, *every)?;
    }
    used.iter().try_for_each(|used| say(&used.folder.display().to_string()))
}

/// Sets the values of a bake; returns the names of their nodes.
fn override_values(job: &mut Job, given: &[String]) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for flag in given {
        let form = || Error::usage(format!("--with {flag}: expected NAME=VALUE"));
        let (place, value) = flag.split_once('=').filter(|(place, _)| !place.is_empty()).ok_or_else(form)?;
        if place.rsplit('.').next().is_some_and(|name| name.starts_with("cache")) {
            return Err(Error::usage(format!("--with {flag}: --cache, --name and --every set the cache of a bake")));
        }
        let (at, parameter) = job.parameter(place).map_err(|why| Error::usage(format!("--with {flag}: {why}")))?;
        let (parameter, node) = (parameter.to_owned(), &mut job.nodes[at]);
        node.keys.remove(&parameter);
        set(node, &parameter, value);
        names.insert(node.name.clone());
    }
    Ok(names)
}

/// Sets a cache folder for the job's nodes and creates it; returns the nodes' own folders. An empty
/// name is no folder, and changes nothing. The cache settings of the job itself stay, except those given by flags.
pub(super) fn used_by(job: &mut Job, cache: &Path, scene: &SceneArguments) -> Result<Vec<Used>> {
    let SceneArguments { name, every, .. } = scene;
    if cache.as_os_str().is_empty() {
        return Ok(Vec::new());
    }
    if !cache.is_dir()
        && let Err(error) = std::fs::create_dir(cache)
        // Another process of the farm may have created it meanwhile.
        && !cache.is_dir()
    {
        let why = match error.kind() {
            ErrorKind::AlreadyExists => "is there and is no folder; name another".to_owned(),
            _ => format!("cannot be made: {error}; make the folder, or name another"),
        };
        return Err(Error::file(cache, why));
    }
    let cache = std::path::absolute(cache).map_err(|error| Error::file(cache, error))?;
    let nodes: Vec<_> = ours(job).collect();
    if name.is_some() && nodes.len() > 1 {
        return Err(Error::usage(
            "--name names one folder, and the job has several nodes: give the nodes names instead",
        ));
    }
    let mut used = Vec::new();
    for node in nodes {
        let own = if node.name.is_empty() { UNNAMED } else { &node.name };
        let name = safe_name(name.as_deref().unwrap_or(own));
        let folder = cache.join(&name);
        set(node, "cacheFolder", cache.to_string_lossy().replace('%', "%%"));
        set(node, "cacheName", name);
        if let Some(every) = every {
            set(node, "cacheEvery", i64::from(*every));
        }
        if !node.set.contains_key("cacheMode") {
            set(node, "cacheMode", "Read and write");
        }
        used.push(Used { node: node.name.clone(), folder, every: every_of(node) });
    }
    Ok(used)
}

/// The job's nodes that store states.
fn ours(job: &mut Job) -> impl Iterator<Item = &mut NodeJob> {
    job.nodes.iter_mut().filter(|node| node.plugin.as_deref().is_none_or(|id| id.starts_with("org.flowofx")))
}

fn set(node: &mut NodeJob, parameter: &str, value: impl Into<toml::Value>) {
    node.set.insert(parameter.to_owned(), value.into());
}

/// Distance in frames of the frames that a node stores. The plug-in accepts 1 and more.
fn every_of(node: &NodeJob) -> u64 {
    let every = node.set.get("cacheEvery").and_then(|value| match value {
        toml::Value::Integer(number) => u64::try_from(*number).ok(),
        toml::Value::String(text) => text.trim().parse().ok(),
        _ => None,
    });
    every.unwrap_or(1).max(1)
}

/// Checks that a node's folder has exactly the states of the finished frames that are to be stored.
fn check(folder: &Path, done: &[&Value], every: u64) -> Result<()> {
    let there: HashSet<u128> =
        Folder::new(folder.to_path_buf()).list().into_iter().filter_map(|file| Some(file.header.ok()?.key)).collect();
    let mut named = false;
    let mut missing = BTreeSet::new();
    for frame in done {
        let key = frame["key"].as_str().and_then(|key| u128::from_str_radix(key, 16).ok());
        // A frame that another image replaces, or between two frames, has no state.
        let (Some(key), Some(index)) = (key, frame["index"].as_u64()) else { continue };
        named = true;
        if index.is_multiple_of(every) && !there.contains(&key) {
            missing.insert(frame["frame"].as_f64().unwrap_or_default() as i64);
        }
    }
    // Frames may keep parts alone, as those of air without particles do.
    if !named && there.is_empty() && done.iter().any(|frame| frame.get("from").is_some()) {
        return Err(Error::usage(format!("{}: none of the frames is one that can be kept", folder.display())));
    }
    if missing.is_empty() {
        return Ok(());
    }
    let missing = listing(missing.iter().map(i64::to_string));
    Err(Error::usage(format!("{}: these frames are not there: {missing}", folder.display())))
}

#[cfg(test)]
mod tests {
    use flow_cache::{BlobRows, Header, Layer, Serial, encode};
    use serde_json::json;

    use super::*;

    fn store(folder: &Path, key: u128, frame: i64) {
        let values = [0; 9];
        let planes = [BlobRows::ints("depth", |y| &values[y * 3..][..3])];
        let layers = [Layer { names: vec!["R".into()], row: Box::new(|_, row| row.fill([0.5; 4])) }];
        let mut header = Header {
            key,
            family: 1,
            model: "org.flowofx.Test".into(),
            version: 1,
            frame,
            index: frame as u64 - 1,
            shape: vec![1, 1],
            origin: vec![0.0; 2],
            cells_per_pixel: 1.0,
            numbers: BTreeMap::new(),
            parameters: String::new(),
            state: 0,
        };
        header.seal(&planes);
        let written =
            Folder::new(folder.into()).store(&header, &[], |out| encode(&header, &planes, &layers, &Serial, out));
        written.expect("stored");
    }

    fn done(frame: i64, key: u128) -> Value {
        json!({ "frame": frame, "from": "simulated", "key": format!("{key:032x}"), "index": frame - 1 })
    }

    #[track_caller]
    fn lacks(folder: &Path, done: &[Value], every: u64, words: Option<&str>) {
        let checked = check(folder, &done.iter().collect::<Vec<_>>(), every);
        let error = checked.err().map(|error| error.to_string());
        let prefix = format!("{}: ", folder.display());
        assert_eq!(error.as_deref().map(|text| text.trim_start_matches(&prefix)), words);
    }

    #[test]
    fn a_bake_is_complete_when_all_its_states_exist() {
        let place = tempfile::tempdir().expect("a folder");
        for frame in 1..=6 {
            store(place.path(), 100 + frame as u128, frame);
        }
        let first: Vec<Value> = (1..=6).map(|frame| done(frame, 100 + frame as u128)).collect();
        lacks(place.path(), &first, 1, None);
        lacks(&place.path().join("other"), &first, 1, Some("these frames are not there: 1, 2, 3, 4, 5, 6"));
        // The same frames with other settings are other states.
        let second: Vec<Value> = (1..=6).map(|frame| done(frame, 200 + frame as u128)).collect();
        lacks(place.path(), &second, 1, Some("these frames are not there: 1, 2, 3, 4, 5, 6"));
        lacks(place.path(), &second, 2, Some("these frames are not there: 1, 3, 5"));
        store(place.path(), 201, 1);
        store(place.path(), 203, 3);
        lacks(place.path(), &second, 2, Some("these frames are not there: 5"));
        store(place.path(), 205, 5);
        lacks(place.path(), &second, 2, None);
        // An unusable file counts as missing.
        let path = Folder::new(place.path().into()).find(5, 205).expect("there");
        std::fs::write(path, "torn").expect("written");
        lacks(place.path(), &second, 2, Some("these frames are not there: 5"));
    }

    #[test]
    fn frames_without_a_state_are_not_requested() {
        let place = tempfile::tempdir().expect("a folder");
        let identity = json!({ "frame": 1, "identity": { "clip": "Source", "frame": 1 } });
        lacks(place.path(), std::slice::from_ref(&identity), 1, None);
        let between = json!({ "frame": 1.5, "from": "simulated" });
        lacks(place.path(), &[identity, between.clone()], 1, Some("none of the frames is one that can be kept"));
        store(place.path(), 101, 1);
        lacks(place.path(), &[done(1, 101), between], 1, None);
    }

    #[test]
    fn a_bake_s_own_values_are_of_the_nodes_that_it_names() {
        let two = "[[node]]\nname = \"a\"\nset = { x = 1 }\n[[node]]\nname = \"b\"\nkeys.x = { 1 = 2, 5 = 3 }\n";
        let mut both = job(two);
        let given = ["b.x=4".to_owned(), "b.y=Grid 1".to_owned()];
        assert_eq!(override_values(&mut both, &given).expect("values"), BTreeSet::from(["b".to_owned()]));
        assert_eq!(both.nodes[1].set.get("x"), Some(&"4".into()));
        assert_eq!(both.nodes[1].set.get("y"), Some(&"Grid 1".into()));
        assert!(both.nodes[1].keys.is_empty() && both.nodes[0].set.get("x") == Some(&1.into()));
        for (flag, why) in [
            ("x=1", "--with x=1: of which node? Write NODE.x; there are a, b"),
            ("c.x=1", "--with c.x=1: no node 'c'; there are a, b"),
            ("x", "--with x: expected NAME=VALUE"),
            ("a.cacheName=x", "--with a.cacheName=x: --cache, --name and --every set the cache of a bake"),
        ] {
            let error = override_values(&mut both, &[flag.to_owned()]).expect_err(flag).to_string();
            assert_eq!(error, why);
        }
    }

    fn job(text: &str) -> Job {
        toml::from_str(text).expect("a job")
    }

    fn scene(flags: &str) -> SceneArguments {
        use clap::Parser as _;
        let line = format!("flow-host render --job x.toml {flags}");
        let arguments = super::super::args::Arguments::parse_from(line.split(' ').map(|word| word.trim_matches('"')));
        let super::super::args::Command::Render(arguments) = arguments.command else { panic!("a render") };
        arguments.scene
    }

    #[test]
    fn flags_override_the_cache_settings_of_a_job_and_keep_the_others() {
        let place = tempfile::tempdir().expect("a folder");
        let text = "[[node]]\nname = \"own\"\nset = { cacheEvery = 20, cacheMode = \"Read only\", cacheBusy = \"Leave out frames\" }\n\
                    [[node]]\nname = \"none\"\n[[node]]\nname = \"other\"\nplugin = \"net.example.Blur\"\n";
        let run = |flags: &str| {
            let (mut job, scene) = (job(text), scene(flags));
            let cache = scene.cache.clone().expect("given");
            let used = used_by(&mut job, &cache, &scene).expect("used");
            (job, used)
        };
        let value = |job: &Job, node: usize, name: &str| job.nodes[node].set.get(name).cloned();
        let folder = format!("--cache {}", place.path().join("cache").display());
        let (job, used) = run(&folder);
        assert_eq!(value(&job, 0, "cacheEvery"), Some(20.into()));
        assert_eq!(value(&job, 0, "cacheMode"), Some("Read only".into()));
        assert_eq!(value(&job, 0, "cacheBusy"), Some("Leave out frames".into()));
        assert_eq!((value(&job, 1, "cacheEvery"), value(&job, 1, "cacheBusy")), (None, None));
        assert_eq!(value(&job, 1, "cacheMode"), Some("Read and write".into()));
        assert_eq!(value(&job, 1, "cacheName"), Some("none".into()));
        assert!(job.nodes[2].set.is_empty());
        assert_eq!(used.iter().map(|used| (&*used.node, used.every)).collect::<Vec<_>>(), [("own", 20), ("none", 1)]);
        let (job, used) = run(&format!("{folder} --every 3"));
        assert_eq!((value(&job, 0, "cacheEvery"), value(&job, 1, "cacheEvery")), (Some(3.into()), Some(3.into())));
        assert_eq!(used.iter().map(|used| used.every).collect::<Vec<_>>(), [3, 3]);
        // An empty name means none.
        let (job, used) = run("--cache \"\" --every 3");
        assert!(used.is_empty() && job.nodes[1].set.is_empty());
    }
}
