//! The command: `list`, `describe`, `presets`, `devices`, `render`, `bake`, `wedge`, `cache`; `flow-host help` has the flags.
//!
//! # Job files
//!
//! `flow-host render --job FILE.toml` takes everything from a file; `--frames` may replace its
//! frames, for the chunks of a farm. A job file can do more than
//! the flags: several connected nodes, and renders after edits in one process.
//!
//! ```toml
//! host = "generic"
//! bundle = "Flow.ofx.bundle"
//! size = "960x540"
//! frames = "1-100"
//! stats = "stats.json"
//!
//! [[node]]
//! name = "flow"
//! plugin = "org.flowofx.Flow"
//! context = "general"
//! clips = { Source = "plate.####.exr", Terrain = "node:ground" }
//! set = { output = "Height" }
//! keys.speed = { 1 = 4, 50 = 8.0 }
//!
//! [[render]]
//! node = "flow"
//! output = "before.####.exr"
//!
//! [[render]]
//! node = "flow"
//! output = "after.####.exr"
//! order = "reverse"
//! edit = [{ keys.speed = { 50 = 2 } }, { push = "refresh" }]
//! ```
//!
//! Everything at the top is a default for all nodes and renders. `processors` at the top is the number that the host
//! reports to the plug-in. File names are relative to the job file's folder. Edits happen in order before their render,
//! as a user's.
//!
//! The plug-in is listed of the values in `set` as of edits, once all nodes are connected, so that a preset sets its
//! parameters; values and keys that the job gives take precedence over those that the plug-in sets.
//!
//! An edit may have `node` (else the rendered one), `undo`, `set`, `keys`, `delete_keys`
//! (times by parameter), `clips` (an empty text disconnects), `push`, `purge` and `sync`.
//! A render may have its own `frames`, `order`, `threads`, `scale`, `depth`, `raw`, `half`, and
//! `planes` ("all", or names with commas) that become layers of its EXR files, in hosts that
//! have planes (natron, nuke).
//!
//! A node's table `vary` has lists of values for `flow-host wedge`, which renders every combination of them.
//! `render --skip-existing` leaves out frames whose files are there.
//!
//! # Files and streams
//!
//! Pictures and statistics appear under their names only when they are complete. Where a name is a link, the file that
//! it leads to is replaced and the link stays. A folder, pipe, socket or device is refused before the first frame; the
//! null device takes statistics and stores nothing.
//!
//! Results go to standard output: a closed pipe ends quietly, and a full disk is a failure. Messages go to standard
//! error; one that cannot be printed is dropped and fails nothing.
//!
//! # Statistics
//!
//! `--stats FILE.json` writes `{"host": …, "frames": […]}`, one entry per frame in the
//! order in which they were finished: `render` (its index in the job), `node`, `frame`,
//! `seconds`, `actionSeconds` (the plug-in's Render action alone, with the images that it
//! asked for), `inputs` (images fetched), `output`, `identity` where another image stood
//! for the frame, and whatever the plug-in reported about it, such as `steps` and `from`
//! (`simulated`, `memory` or `disk`).

mod args;
mod bake;
mod cache;
mod camera;
mod job;
mod run;
mod stream;
mod wedge;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser as _;
use serde_json::{Map, Value};

use crate::error::listing;
use crate::names::Named as _;
use crate::{Bundle, Context, Error, Host, Plugin, Profile, Result, memory};
use args::{Arguments, Command, DescribeArguments, DevicesArguments, ListArguments, PresetsArguments, RenderArguments};
use job::Job;
use stream::{message, printed, say};

/// Runs the command with this process's arguments: exit code 0, 1 for a failure of a
/// plug-in or file, 2 for wrong usage.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return no_command(&error),
    };
    let outcome = memory::attempt(|| match arguments.command {
        Command::List(arguments) => list(&arguments),
        Command::Describe(arguments) => describe(&arguments),
        Command::Presets(arguments) => presets(&arguments),
        Command::Devices(arguments) => devices(&arguments),
        Command::Render(arguments) => render(&arguments),
        Command::Bake(arguments) => bake::bake(&arguments),
        Command::Wedge(arguments) => wedge::wedge(&arguments),
        Command::Cache(command) => cache::run(&command),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            message(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

/// Prints the requested help or version, or the fault in the arguments.
fn no_command(error: &clap::Error) -> ExitCode {
    let outcome = error.print();
    if error.use_stderr() {
        return ExitCode::from(2);
    }
    match printed(outcome) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            message(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

fn list(arguments: &ListArguments) -> Result<()> {
    let host = Host::new(Profile::named(&arguments.host)?);
    let bundles = if arguments.bundles.is_empty() {
        host.search()
    } else {
        arguments.bundles.iter().map(|path| host.load(path)).collect()
    };
    if bundles.is_empty() {
        return Err(Error::usage(
            "no bundle named and none found; name one, or set OFX_PLUGIN_PATH to folders with \
             bundles",
        ));
    }
    let mut failed = None;
    for bundle in bundles {
        let listed = bundle.and_then(|bundle| {
            bundle.plugins().iter().try_for_each(|(id, _)| {
                let plugin = bundle.plugin(id)?;
                let (major, minor) = plugin.version();
                let contexts = listing(plugin.contexts().iter().map(|c| c.name()));
                say(&format!("{id}\t{major}.{minor}\t{}\t{contexts}", plugin.label()))
            })
        });
        if let Err(error) = listed
            && let Some(earlier) = failed.replace(error)
        {
            message(&earlier);
        }
    }
    failed.map_or(Ok(()), Err)
}

fn describe(arguments: &DescribeArguments) -> Result<()> {
    let host = Host::new(Profile::named(&arguments.host)?);
    let plugin = find(&host, arguments.bundle.as_ref(), arguments.plugin.as_deref())?;
    let context = context_of(&plugin, arguments.context.as_deref())?;
    let description = plugin.describe(context)?;
    if arguments.json {
        let json = serde_json::to_string_pretty(&description).map_err(|error| Error::usage(error.to_string()))?;
        say(&json)
    } else {
        say(description.to_markdown().trim_end())
    }
}

/// Prints the options of the choice `preset`, each with its line of the parameter's hint, `Name: text`.
fn presets(arguments: &PresetsArguments) -> Result<()> {
    let host = Host::new(Profile::generic());
    let plugins = match (&arguments.plugin, &arguments.bundle) {
        (None, Some(path)) => {
            let bundle = host.load(path)?;
            bundle.plugins().iter().map(|(id, _)| bundle.plugin(id)).collect::<Result<Vec<_>>>()?
        }
        (id, bundle) => vec![find(&host, bundle.as_ref(), id.as_deref())?],
    };
    let mut any = false;
    for plugin in plugins {
        let description = plugin.describe(plugin.default_context()?)?;
        let Some(param) = description.params.iter().find(|param| param.name == "preset") else { continue };
        for option in &param.options {
            let line = param.hint.lines().find_map(|line| line.strip_prefix(option.as_str())?.strip_prefix(": "));
            if let Some(line) = line {
                any = true;
                say(&format!("{}\t{option}\t{line}", plugin.label()))?;
            }
        }
    }
    if any { Ok(()) } else { Err(Error::usage("no plug-in with presets")) }
}

fn devices(arguments: &DevicesArguments) -> Result<()> {
    let host = Host::new(Profile::generic());
    let bundles = match &arguments.bundle {
        Some(path) => vec![host.load(path)?],
        None => host.search().into_iter().flatten().collect(),
    };
    let listed = bundles.iter().find_map(|bundle| Some((bundle, bundle.devices()?)));
    let Some((bundle, json)) = listed else {
        return Err(Error::usage("no bundle that uses graphics devices; name one, or set OFX_PLUGIN_PATH"));
    };
    if arguments.json {
        return say(&json);
    }
    let path = bundle.path();
    let listed: Vec<Map<String, Value>> =
        serde_json::from_str(&json).map_err(|error| Error::bundle(path, format!("lists no devices: {error}")))?;
    if listed.is_empty() {
        return say("no graphics device: the CPU simulates");
    }
    let megabytes = |device: &Map<String, Value>, key| device.get(key).and_then(Value::as_u64).unwrap_or(0) >> 20;
    for device in &listed {
        let text = |key| device.get(key).and_then(Value::as_str).unwrap_or_default();
        let flag = |key| device.get(key).and_then(Value::as_bool) == Some(true);
        let used = match (flag("chosenByAuto"), flag("chosen")) {
            (true, _) => "used by Auto and GPU",
            (false, true) => "used by GPU",
            (false, false) => "not used",
        };
        say(&format!(
            "{}\t{}\t{}\t{}\tbinds {} MB, buffers of {} MB\t{used}",
            text("name"),
            text("type"),
            text("backend"),
            text("driver"),
            megabytes(device, "largestBinding"),
            megabytes(device, "largestBuffer"),
        ))?;
    }
    Ok(())
}

fn render(arguments: &RenderArguments) -> Result<()> {
    run::run(&Job::from_arguments(arguments)?).map(drop)
}

/// The requested context, or the plug-in's first.
fn context_of(plugin: &Plugin, name: Option<&str>) -> Result<Context> {
    match name {
        Some(name) => Context::named(name),
        None => plugin.default_context(),
    }
}

/// A plug-in of a bundle, or of all bundles that the search finds.
fn find(host: &Host, bundle: Option<&PathBuf>, id: Option<&str>) -> Result<Plugin> {
    let Some(path) = bundle else {
        let id = id.ok_or_else(|| Error::usage("name a bundle or a --plugin"))?;
        let bundles: Vec<Bundle> = host.search().into_iter().flatten().collect();
        let found = bundles.iter().find(|b| b.plugins().iter().any(|(name, _)| name == id));
        return match found {
            Some(bundle) => bundle.plugin(id),
            None => {
                let names = bundles.iter().flat_map(Bundle::plugins).map(|(name, _)| name);
                let path = std::env::var("OFX_PLUGIN_PATH").unwrap_or_else(|_| "not set".to_owned());
                Err(Error::usage(format!(
                    "no plug-in '{id}' in the folders of OFX_PLUGIN_PATH ({path}) and the system's; they have {}",
                    listing(names)
                )))
            }
        };
    };
    let bundle = host.load(path)?;
    match (id, &bundle.plugins()[..]) {
        (Some(id), _) => bundle.plugin(id),
        (None, [(only, _)]) => bundle.plugin(only),
        (None, several) => Err(Error::usage(format!(
            "{} has several plug-ins; name one with --plugin: {}",
            path.display(),
            listing(several.iter().map(|(id, _)| id))
        ))),
    }
}
