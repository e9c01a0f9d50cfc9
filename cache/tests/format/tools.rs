//! Compatibility with the tools of OpenEXR and OpenImageIO.
//!
//! `FLOW_EXR_TOOLS` lists the folders with OpenEXR's `exrheader` and `exrinfo` and OpenImageIO's `oiiotool`; then all
//! of them must exist. Without it the tools on `PATH` are used, and the tests of missing ones are skipped.

use std::path::{Path, PathBuf};
use std::process::Command;

use flow_cache::Values;

use crate::common::State;

fn tool(name: &str) -> Option<PathBuf> {
    let wanted = std::env::var_os("FLOW_EXR_TOOLS");
    let folders = wanted.clone().or_else(|| std::env::var_os("PATH")).unwrap_or_default();
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let found = std::env::split_paths(&folders).map(|folder| folder.join(&file)).find(|path| path.is_file());
    assert!(wanted.is_none() || found.is_some(), "{name} is in none of the folders of FLOW_EXR_TOOLS: {folders:?}");
    if found.is_none() {
        println!("{name} is not installed: not tried");
    }
    found
}

fn run(tool: &Path, arguments: &[&str]) -> String {
    let output = Command::new(tool).args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    // Some versions of `exrinfo` end with a status that was never set; their errors are in the text.
    let has_status = tool.file_stem().is_none_or(|name| name != "exrinfo");
    assert!(output.status.success() || !has_status, "{}, {}: {text}", tool.display(), output.status);
    for word in ["error", "warning", "invalid"] {
        assert!(!text.to_lowercase().contains(word), "{}: {text}", tool.display());
    }
    text
}

const CHANNELS: [&str; 14] = [
    "A",
    "B",
    "G",
    "R",
    "cross.A",
    "cross.B",
    "cross.G",
    "cross.R",
    "diagonal.A",
    "diagonal.B",
    "diagonal.G",
    "diagonal.R",
    "velocity.x",
    "velocity.y",
];

#[test]
fn openexr_lists_both_parts() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::random(&[61, 17], 1);
    let path = state.write(folder.path());
    let path = path.to_str().unwrap();
    if let Some(tool) = tool("exrheader") {
        let text = run(&tool, &[path]);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let has = |line: &str| assert!(lines.iter().any(|found| found.starts_with(line)), "no {line:?} in {text}");
        CHANNELS.iter().for_each(|name| has(&format!("{name}, 32-bit floating-point, sampling 1 1")));
        ["water", "east", "north west"].iter().for_each(|name| has(&format!("{name}, 32-bit unsigned integer")));
        has("dataWindow (type box2i): (0 0) - (60 16)");
        has("dataWindow (type box2i): (-1 -1) - (61 17)");
        has("name (type string): \"state\"");
        has("software (type string): \"Flow\"");
        has(&format!("flow.key (type string): \"{:032x}\"", state.header.key));
        has(&format!("flow.state (type string): \"{:032x}\"", state.header.state));
        has("imageCounter (type int): -17");
    }
    if let Some(tool) = tool("exrinfo") {
        // Strict mode: deviations from the standard are errors.
        let text = run(&tool, &["-s", "-a", path]);
        CHANNELS.iter().for_each(|name| assert!(text.contains(&format!("'{name}': float samp 1 1")), "{text}"));
        ["water", "east", "north west"]
            .iter()
            .for_each(|name| assert!(text.contains(&format!("'{name}': uint")), "{text}"));
    }
}

#[test]
fn openexr_lists_exact_floats() {
    let folder = tempfile::tempdir().unwrap();
    let path = State::floats(&[61, 17], 1).write(folder.path());
    let path = path.to_str().unwrap();
    if let Some(tool) = tool("exrheader") {
        let text = run(&tool, &[path]);
        for line in ["u, 32-bit floating-point, sampling 1 1", "solid, 32-bit unsigned integer, sampling 1 1"] {
            assert!(text.lines().any(|found| found.trim().starts_with(line)), "no {line:?} in {text}");
        }
    }
    if let Some(tool) = tool("exrinfo") {
        let text = run(&tool, &["-s", "-a", path]);
        ["'u': float", "'dye.red': float", "'solid': uint"]
            .iter()
            .for_each(|name| assert!(text.contains(name), "{text}"));
    }
}

#[test]
fn openimageio_reads_every_value() {
    let Some(tool) = tool("oiiotool") else { return };
    let folder = tempfile::tempdir().unwrap();
    let state = State::random(&[5, 4], 1);
    let path = state.write(folder.path());
    let text = run(&tool, &["--info", "-v", "-a", "--dumpdata:C=pixels", path.to_str().unwrap()]);
    let parts: Vec<&str> = text.split(" subimage ").collect();
    let [_, picture, exact] = parts[..] else { panic!("not two parts: {text}") };
    let (names, pixels) = dump(picture);
    // oiiotool sorts the colour channels as R, G, B, A.
    let wanted: Vec<&str> = state.layers.iter().flat_map(|(names, _)| names.iter().copied()).collect();
    assert_eq!(names, wanted);
    assert_eq!(pixels.len(), 5 * 4);
    for (([x, y], values), name) in pixels.iter().flat_map(|pixel| names.iter().map(move |name| (pixel, name))) {
        let (layer, component) = state
            .layers
            .iter()
            .find_map(|(names, pixels)| Some((pixels, names.iter().position(|known| known == name)?)))
            .unwrap();
        let found: f32 = values[names.iter().position(|known| known == name).unwrap()].parse().unwrap();
        // Row 0 of the file is the highest.
        let want = layer[((3 - y) * 5 + x) as usize][component];
        assert!((found - want).abs() <= 1e-6, "{name} at {x}, {y}: {found}, not {want}");
    }
    let (names, pixels) = dump(exact);
    assert_eq!(names, ["east", "north west", "water"]);
    assert_eq!(pixels.len(), 7 * 6);
    for ([x, y], values) in &pixels {
        for (blob, found) in state.sorted().iter().zip(values) {
            let Values::Ints(values) = &blob.values else { panic!("{} is not exact", blob.name) };
            let want = values[((4 - y) * 7 + x + 1) as usize];
            assert_eq!(found.parse::<u32>().unwrap() as i32, want, "{} at {x}, {y}", blob.name);
        }
    }
}

#[test]
fn openimageio_reads_exact_floats() {
    use exr::prelude as e;
    use exr::prelude::{ReadChannels as _, ReadLayers as _};
    let Some(tool) = tool("oiiotool") else { return };
    let folder = tempfile::tempdir().unwrap();
    let state = State::floats(&[13, 6], 1);
    let path = state.write(folder.path());
    // The text output of oiiotool is rounded, so it writes a file with the values that it has read.
    let theirs = folder.path().join("theirs.exr");
    let (from, to) = (path.to_str().unwrap(), theirs.to_str().unwrap());
    run(&tool, &[from, "--subimage", "1", "--ch", "A,dye.red,u,v", "-d", "float", "--compression", "none", "-o", to]);
    let image = e::read().no_deep_data().largest_resolution_level().all_channels().first_valid_layer().all_attributes();
    let image = image.from_file(&theirs).unwrap();
    let channels = &image.layer_data.channel_data.list;
    let blobs: Vec<_> = state.sorted().into_iter().filter_map(|blob| blob.into_floats().ok()).collect();
    assert_eq!((channels.len(), blobs.len()), (4, 4));
    for ((name, values), channel) in blobs.iter().zip(channels) {
        assert_eq!(channel.name.to_string(), *name);
        let e::FlatSamples::F32(found) = &channel.sample_data else { panic!("{name} is not a float") };
        let rows = values.chunks(15).rev().flatten().map(|value| value.to_bits());
        assert!(rows.eq(found.iter().map(|value| value.to_bits())), "{name}");
    }
}

/// The names of a part's channels, and the position and values of each pixel.
type Dump<'a> = (Vec<&'a str>, Vec<([i64; 2], Vec<&'a str>)>);

fn dump(part: &str) -> Dump<'_> {
    let names = part.split_once("channel list: ").unwrap().1.lines().next().unwrap().split(", ").collect();
    let pixels = part.split("/* (").skip(1).filter_map(|pixel| {
        let (place, rest) = pixel.split_once("): */ { ")?;
        let (x, y) = place.split_once(", ")?;
        // Integers are followed by a comment, which the split removes.
        let values = rest.split(" }").next()?;
        Some(([x.parse().ok()?, y.parse().ok()?], values.trim().split(", ").collect()))
    });
    (names, pixels.collect())
}
