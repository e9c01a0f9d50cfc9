//! Water resumes from the layers that it writes: `water`, `cross` and `diagonal`, through a host or from cache files.

mod common;

use std::path::{Path, PathBuf};

use common::{bits, bundle_path, info, picture};
use flow_host::{Context, Frame, Host, NodeBuilder, Plane, Plugin, Profile, Project, Request, Source, io};

const SIZE: [i32; 2] = [128, 80];
/// The written frame, and the last compared one.
const SPLIT: i32 = 8;
const LAST: i32 = 20;
const SUBSTEPS: i32 = 4;

/// A private copy of the library, in a host with planes.
fn process<T>(work: impl FnOnce(&Plugin) -> T) -> T {
    let host = Host::new(Profile::natron());
    let bundle = host.load_private(bundle_path()).expect("the bundle loads");
    work(&bundle.plugin("org.flowofx.Flow").expect("the bundle has Flow"))
}

/// Two swells on a pool over a bank, which collide with each other and the edges.
fn shot(plugin: &Plugin, model: &str) -> NodeBuilder {
    let [width, height] = SIZE;
    let swell = |u: f64, v: f64, x: f64, y: f64| (-((u - x).powi(2) + (v - y).powi(2) * 0.4) * 60.0).exp();
    let pool = picture(width, height, |u, v| {
        [0.1, 0.2, 0.3, (0.5 + 0.3 * swell(u, v, 0.3, 0.4) + 0.2 * swell(u, v, 0.7, 0.7)) as f32]
    });
    let bank = picture(width, height, |u, v| [(0.1 * (u * 3.0).sin() * v) as f32, 0.0, 0.0, 1.0]);
    plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(width as u32, height as u32).frames(1.0, 100.0))
        .clip("Source", Source::still(pool))
        .clip("Terrain", Source::still(bank))
        .set("terrainChannel", "Red")
        .set("device", "CPU")
        .set("model", model)
        .set("sourceMode", "Start frame")
        .set("gravity", 20.0)
        .set("substeps", SUBSTEPS)
}

fn render(node: NodeBuilder, frames: impl IntoIterator<Item = i32>) -> Vec<Frame> {
    let node = node.create().expect("a node");
    frames.into_iter().map(|frame| node.frame(f64::from(frame)).expect("renders")).collect()
}

/// Writes the split frame with its flows as a host with planes does.
fn written(node: NodeBuilder, folder: &Path) -> PathBuf {
    let node = node.create().expect("a node");
    let time = f64::from(SPLIT);
    let mut planes = node.planes(time).expect("is declared");
    planes.retain(|plane| *plane == Plane::colour() || ["cross", "diagonal"].contains(&&*plane.name));
    assert_eq!(planes.len(), 3);
    let frame = node.render(&Request::at(time).planes(&planes)).expect("renders");
    let path = folder.join("written.exr");
    io::write_layers(&path, &frame.image, &frame.planes, frame.window, io::FileOptions::default()).expect("writes");
    path
}

fn resumed(node: NodeBuilder, file: &Path) -> NodeBuilder {
    node.set("initialState", file.to_str().expect("UTF-8")).set("startFrame", SPLIT)
}

fn heights(frame: &Frame) -> Vec<f64> {
    bits(frame).iter().map(|pixel| f64::from(f32::from_bits(pixel[3]))).collect()
}

/// The greatest relative L1 distance of the heights from those of `truth`, over what these deviate from their mean.
fn error(found: &[Frame], truth: &[Frame]) -> f64 {
    let of = |(found, truth): (&Frame, &Frame)| {
        let (found, truth) = (heights(found), heights(truth));
        let mean = truth.iter().sum::<f64>() / truth.len() as f64;
        let off: f64 = found.iter().zip(&truth).map(|(a, b)| (a - b).abs()).sum();
        off / truth.iter().map(|h| (h - mean).abs()).sum::<f64>()
    };
    found.iter().zip(truth).map(of).fold(0.0, f64::max)
}

const MODELS: [&str; 3] = ["Puddles and ponds", "Legacy pipes", "Rivers and floods"];

/// The same shot on a grid of another size. Speeds are in pixels per frame, except for Classic pipes: their wave moves
/// a fixed number of cells per step, so that steps scale with the grid.
fn scaled(node: NodeBuilder, model: &str, substeps: i32, resolution: f64) -> NodeBuilder {
    let steps = if model == "Legacy pipes" { f64::from(substeps) * resolution / 100.0 } else { f64::from(substeps) };
    assert_eq!(steps.fract(), 0.0);
    node.set("substeps", steps as i32).set("resolution", resolution)
}

#[test]
fn water_resumes_from_layers_written_by_a_host() {
    for model in MODELS {
        for (substeps, edges) in [(8, "Closed"), (4, "Open"), (2, "Wrap")] {
            let folder = tempfile::tempdir().expect("a folder");
            let node = |plugin: &Plugin| shot(plugin, model).set("edges", edges);
            let whole = |plugin: &Plugin| node(plugin).set("substeps", substeps);
            let (whole, file) =
                process(|plugin| (render(whole(plugin), SPLIT..=LAST), written(whole(plugin), folder.path())));
            let [full, half] = [100.0, 50.0].map(|resolution| {
                let node = |plugin: &Plugin| scaled(resumed(node(plugin), &file), model, substeps, resolution);
                error(&process(|plugin| render(node(plugin), SPLIT..=LAST)), &whole)
            });
            println!("{model}, {substeps} substeps, {edges}: {full:.2e} at full size, {half:.2e} at half");
            assert!(full <= 0.01, "{model}, {substeps} substeps, {edges}: {full} at full size");
            // Half a grid of Pipes drains over open edges sooner, also from its own start: hardly any water is left.
            let drained = edges == "Open" && model == "Puddles and ponds";
            assert!(half <= 0.15 || drained, "{model}, {substeps} substeps, {edges}: {half} at half");
        }
    }
}

#[test]
fn the_layers_do_not_depend_on_the_number_of_steps() {
    // A file with another number of steps, or of another model of pipes, is as good a start: the water keeps its
    // velocity.
    let folder = tempfile::tempdir().expect("a folder");
    let node = |plugin: &Plugin, substeps: i32| shot(plugin, "Puddles and ponds").set("substeps", substeps);
    let (whole, file) =
        process(|plugin| (render(node(plugin, 1), SPLIT..=LAST), written(node(plugin, 1), folder.path())));
    let more = process(|plugin| render(resumed(node(plugin, 12), &file), SPLIT..=LAST));
    let own = process(|plugin| render(node(plugin, 12), SPLIT..=LAST));
    let (resumed, steps) = (error(&more, &whole), error(&own, &whole));
    println!("with twice the steps: {resumed:.2e}, which alone are {steps:.2e}");
    assert!(resumed <= steps.max(0.02));
}

/// The cache's file of the split frame.
fn cached(model: &str, folder: &Path) -> PathBuf {
    let cache = folder.to_str().expect("UTF-8").to_owned();
    process(|plugin| {
        render(shot(plugin, model).set("cacheFolder", cache.as_str()).set("cacheName", "shot"), [SPLIT]);
    });
    let files = std::fs::read_dir(folder.join("shot")).expect("readable");
    let mut files = files.map(|entry| entry.expect("an entry").path());
    files.find(|file| file.to_string_lossy().contains(".0008.")).expect("kept")
}

#[test]
fn water_resumes_from_a_file_of_the_cache_on_another_grid() {
    for model in MODELS {
        let folder = tempfile::tempdir().expect("a folder");
        let file = cached(model, folder.path());
        let whole = process(|plugin| render(shot(plugin, model), SPLIT..=LAST));
        for (resolution, most) in [(50.0, 0.15), (75.0, 0.1), (200.0, 0.1)] {
            let node = |plugin: &Plugin| scaled(resumed(shot(plugin, model), &file), model, SUBSTEPS, resolution);
            let error = error(&process(|plugin| render(node(plugin), SPLIT..=LAST)), &whole);
            println!("{model} at {resolution} %: {error:.2e}");
            assert!(error <= most, "{model} at {resolution} %: {error}");
        }
    }
}

#[test]
fn an_initial_state_too_fast_for_shallow_water_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = process(|plugin| written(shot(plugin, "Rivers and floods").set("gravity", 400.0), folder.path()));
    let info_text = |substeps: i32| {
        process(|plugin| {
            let node =
                resumed(shot(plugin, "Rivers and floods").set("gravity", 0.001).set("substeps", substeps), &file);
            let node = node.create().expect("a node");
            node.frame(f64::from(SPLIT + 1)).expect("renders");
            info(&node)
        })
    };
    let slow = info_text(1);
    assert!(slow.contains("moves water by more than a cell per step") && slow.contains("raise Substeps"), "{slow}");
    let enough = info_text(40);
    assert!(!enough.contains("a cell per step"), "{enough}");
}
