//! `flow-host --set preset=NAME` sets all values of the preset, and explicit values take precedence.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::{bundle_path, picture};
use flow_host::{Context, Host, Image, Profile, Project, Source, Value, io};

const SIZE: &str = "64x40";

/// Runs the host in a folder.
fn host(folder: &Path, arguments: &[&str]) -> Output {
    let test = std::env::current_exe().expect("a running test has a path");
    let program = test.ancestors().nth(2).expect("tests lie two folders deep").join("flow-host");
    assert!(program.is_file(), "{} is not there; type: cargo build --package flow-host", program.display());
    Command::new(program).args(arguments).current_dir(folder).output().expect("flow-host starts")
}

/// Frame 6 of a node with flags.
fn rendered(folder: &Path, plugin: &str, flags: &[String]) -> Image {
    let bundle = bundle_path().display().to_string();
    let mut arguments = vec!["render", &bundle, "--plugin", plugin, "--size", SIZE, "--frames", "6"];
    arguments.extend(["--clip", "Source=source.exr", "-o", "out.exr", "--set", "device=CPU", "--allow-unused"]);
    arguments.extend(flags.iter().map(String::as_str));
    let output = host(folder, &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    io::read(&folder.join("out.exr"), io::FileOptions::default(), (0, 0)).expect("an image")
}

/// A folder with a Source.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let source = picture(64, 40, |u, v| [0.2, 0.3, 0.4, if (u - 0.5).hypot(v - 0.5) < 0.3 { 0.6 } else { 0.1 }]);
    let window = source.bounds();
    io::write(&folder.path().join("source.exr"), &source, window, io::FileOptions::default()).expect("writes");
    folder
}

/// The values that a preset sets, as flags, read from a node after the preset was chosen.
fn by_hand(plugin: &str, preset: &str) -> Vec<String> {
    let host = Host::new(Profile::generic());
    let bundle = host.load_private(bundle_path()).expect("the bundle loads");
    let plugin = bundle.plugin(plugin).expect("it is in the bundle");
    let node = plugin.node(Context::General).set("output", 0).project(Project::new(64, 40).frames(6.0, 6.0));
    let node = node.clip("Source", Source::still(picture(64, 40, |_, _| [0.0; 4]))).create().expect("a node");
    let values = || -> Vec<(String, Value)> {
        let names = node.params().into_iter().filter(|name| !["preset", "info", "simDigest"].contains(&name.as_str()));
        names.filter_map(|name| Some((name.clone(), node.value(&name, 6.0).ok()?))).collect()
    };
    let before = values();
    node.set("preset", preset).expect("the node takes it");
    let changed = values().into_iter().zip(before).filter(|(after, before)| after != before);
    let flags = changed.map(|((name, value), _)| format!("--set={name}={}", value.to_string().trim_matches('\'')));
    flags.collect()
}

/// Nodes, some of their presets (the first one first), and values of parameters that this preset sets, too: set before
/// and after it.
const NODES: [(&str, &[&str], [&str; 2]); 2] = [
    ("org.flowofx.Flow", &["River", "Pond in rain", "Street puddle"], ["gravity=40", "preroll=2"]),
    ("org.flowofx.FlowSmoke", &["Ink", "Campfire"], ["dissipation=0.2", "preroll=2"]),
];

#[test]
fn a_preset_flag_equals_its_values_set_by_hand() {
    let folder = folder();
    for (plugin, presets, _) in NODES {
        let plain = rendered(folder.path(), plugin, &[]);
        // The first of the water has a long pre-roll.
        for preset in &presets[1..] {
            let mut hand = by_hand(plugin, preset);
            assert!(hand.len() > 2, "{plugin} {preset}: {hand:?}");
            // Pre-rolls take minutes in all, and are a value as any other.
            let short = "--set=preroll=2".to_owned();
            hand.retain(|flag| !flag.starts_with("--set=preroll="));
            hand.push(short.clone());
            let wanted = rendered(folder.path(), plugin, &hand);
            let found = rendered(folder.path(), plugin, &[format!("--set=preset={preset}"), short]);
            assert!(found.data() == wanted.data(), "{plugin} {preset}");
            assert!(found.data() != plain.data(), "{plugin} {preset} shows");
        }
    }
}

#[test]
fn explicit_values_override_the_preset_in_any_order() {
    let folder = folder();
    for (plugin, presets, [a, b]) in NODES {
        let [a, b] = [a, b].map(|flag| format!("--set={flag}"));
        let name = |flag: &str| flag.split('=').nth(1).map(str::to_owned);
        let mut hand = by_hand(plugin, presets[0]);
        hand.retain(|flag| [&a, &b].iter().all(|own| name(own) != name(flag)));
        hand.extend([a.clone(), b.clone()]);
        let wanted = rendered(folder.path(), plugin, &hand);
        for preset in [presets[0], "1"] {
            let preset = format!("--set=preset={preset}");
            for flags in [[&a, &preset, &b], [&preset, &b, &a]] {
                let found = rendered(folder.path(), plugin, &flags.map(Clone::clone));
                assert!(found.data() == wanted.data(), "{plugin} {flags:?}");
            }
        }
    }
}

#[test]
fn job_files_accept_presets_and_errors_list_the_known_ones() {
    let folder = folder();
    let job = |render: &str, node: &str| {
        let text = format!(
            "bundle = {:?}\nsize = \"{SIZE}\"\nframes = \"6\"\n[[node]]\nplugin = \"org.flowofx.Flow\"\n\
             clips = {{ Source = \"source.exr\" }}\nset = {{ device = \"CPU\"{node} }}\n\
             [[render]]\noutput = \"job.exr\"\n{render}",
            bundle_path()
        );
        fs::write(folder.path().join("job.toml"), text).expect("writes");
        host(folder.path(), &["render", "--job", "job.toml"])
    };
    let both = |name: &str| format!("{name} = 40.0, preset = \"River\", push = [0.05, 0.0], preroll = 2");
    let flags = ["gravity=40", "preset=River", "push=0.05,0", "preroll=2"].map(|flag| format!("--set={flag}"));
    let wanted = rendered(folder.path(), "org.flowofx.Flow", &flags);
    let edit = format!("edit = [{{ set = {{ {} }} }}]", both("gravity"));
    for output in [job("", &format!(", {}", both("gravity"))), job(&edit, "")] {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let found = io::read(&folder.path().join("job.exr"), io::FileOptions::default(), (0, 0)).expect("an image");
        assert!(found.data() == wanted.data());
    }
    let output = job("", ", preset = \"Rivers\"");
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{shown}");
    assert!(
        shown.contains("preset: no option 'Rivers'") && shown.contains("'River'") && shown.contains("'Ripples'"),
        "{shown}"
    );
}
