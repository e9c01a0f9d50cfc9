//! FlowSmoke from a file: its own state continues with the same bits, and any picture is an initial state.

mod common;

use std::fs;
use std::path::Path;

use common::{bits, bundle_path, cached_frame, info, moving, picture, simulated};
use flow_host::{Bundle, Context, Frame, Host, NodeBuilder, Plugin, Profile, Project, Source};

/// Frames of the shot, and the frame of its split.
const LAST: i32 = 14;
const SPLIT: i32 = 6;

/// A private copy of the library.
fn library<T>(work: impl FnOnce(&Bundle) -> T) -> T {
    let host = Host::new(Profile::generic());
    work(&host.load_private(bundle_path()).expect("the bundle loads"))
}

/// The plug-in in such a copy.
fn process<T>(work: impl FnOnce(&Plugin) -> T) -> T {
    library(|bundle| work(&bundle.plugin("org.flowofx.FlowSmoke").expect("the bundle has FlowSmoke")))
}

/// A moving jet and a moving disc.
fn shot(plugin: &Plugin) -> NodeBuilder {
    let disc = moving(1, 100, |time| {
        picture(96, 64, move |u, v| {
            let inside = (u - 0.3 - 0.02 * time).hypot((v - 0.6) * 2.0 / 3.0) < 0.08;
            [0.0, 0.0, 0.0, f32::from(u8::from(inside))]
        })
    });
    let project = Project::new(96, 64).frames(1.0, 100.0);
    plugin
        .node(Context::General)
        .set("output", "Dye")
        .project(project)
        .set("device", "CPU")
        .clip("Obstacles", disc)
        .set("jet1", "On")
        .set("jet1Radius", 7.0)
        .set("jet1Random", 0.5)
        .key("jet1Centre", 1.0, [30.0, 8.0])
        .key("jet1Centre", 14.0, [60.0, 14.0])
}

/// The same, on a grid that follows the jet.
fn following(plugin: &Plugin) -> NodeBuilder {
    let shot = shot(plugin).set("gridMode", "Follow").set("gridSize", [50.0, 44.0]).set("gridVelocityInherit", 0.3);
    shot.key("gridCentre", 1.0, [32.3, 30.1]).key("gridCentre", 14.0, [61.7, 33.4])
}

fn render(node: NodeBuilder, frames: impl IntoIterator<Item = i32>) -> Vec<Frame> {
    let node = node.create().expect("a node");
    frames.into_iter().map(|frame| node.frame(f64::from(frame)).expect("renders")).collect()
}

fn cached(node: NodeBuilder, folder: &Path) -> NodeBuilder {
    node.set("cacheFolder", folder.to_str().expect("UTF-8")).set("cacheName", "smoke")
}

fn from(node: NodeBuilder, file: &Path) -> NodeBuilder {
    node.set("initialState", file.to_str().expect("UTF-8")).set("startFrame", SPLIT).set("preroll", 5)
}

#[test]
fn a_shot_continued_from_a_stored_state_equals_the_whole_shot() {
    for shot in [shot, following] {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = process(|plugin| render(cached(shot(plugin), folder.path()), 1..=LAST));
        let file = cached_frame(folder.path(), SPLIT);
        process(|plugin| {
            let rest = render(from(shot(plugin), &file), SPLIT..=LAST);
            assert_eq!(simulated(&rest[1]), 1, "frames before it are not simulated");
            for (rest, whole) in rest.iter().zip(&whole[SPLIT as usize - 1..]) {
                assert!(bits(rest) == bits(whole), "frame {}", whole.time);
            }
            let backwards = render(from(shot(plugin), &file), (SPLIT..=LAST).rev());
            assert!(backwards.iter().rev().map(bits).eq(rest.iter().map(bits)));
        });
    }
}

#[test]
fn a_state_on_another_grid_starts_from_its_layers() {
    let folder = tempfile::tempdir().expect("a folder");
    process(|plugin| render(cached(shot(plugin), folder.path()), [SPLIT + 1]));
    let file = cached_frame(folder.path(), SPLIT);
    process(|plugin| {
        for output in ["Dye", "Density", "Velocity", "Temperature"] {
            let shown = |resolution: f64| {
                let node = from(shot(plugin), &file).set("output", output).set("resolution", resolution);
                render(node, [SPLIT, SPLIT + 1])
            };
            let (whole, half) = (shown(100.0), shown(50.0));
            for (whole, half) in whole.iter().zip(&half) {
                let pairs =
                    || whole.rgba().into_iter().zip(half.rgba()).flat_map(|(a, b)| [(a[0], b[0]), (a[1], b[1])]);
                let size: f64 = pairs().map(|(a, _)| f64::from(a * a)).sum();
                let off: f64 = pairs().map(|(a, b)| f64::from((a - b) * (a - b))).sum();
                assert!(size > 1e-3 && off < 0.1 * size, "{output} at {}: {off} of {size}", whole.time);
            }
        }
    });
}

#[test]
fn an_unsuitable_initial_state_is_refused_with_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    process(|plugin| render(cached(shot(plugin), folder.path()), [SPLIT]));
    let file = cached_frame(folder.path(), SPLIT);
    process(|plugin| {
        let message = |node: NodeBuilder| {
            let node = node.create().expect("a node");
            node.frame(8.0).map(|_| ()).expect_err("it does not render").to_string()
        };
        let text = message(from(shot(plugin), &file).set("edgeTop", "Closed"));
        assert!(text.contains("edgeTop is Open there and Closed here"), "{text}");
        let text = message(from(shot(plugin), Path::new("/nowhere/state.exr")));
        assert!(text.contains("/nowhere/state.exr can't be used"), "{text}");
        let text = message(from(shot(plugin), folder.path()));
        assert!(text.contains("it is no file"), "{text}");
        let mut bytes = fs::read(&file).expect("readable");
        let at = bytes.len() * 3 / 4;
        bytes[at] ^= 1;
        let damaged = folder.path().join("damaged.exr");
        fs::write(&damaged, bytes).expect("writes");
        let text = message(from(shot(plugin), &damaged));
        assert!(text.contains("damaged.exr can't be used"), "{text}");
    });
}

#[test]
fn a_water_state_becomes_smoke_of_its_height() {
    let folder = tempfile::tempdir().expect("a folder");
    library(|bundle| {
        let water = bundle.plugin("org.flowofx.Flow").expect("the bundle has Flow");
        let source = Source::still(picture(96, 64, |u, _| [0.1, 0.2, 0.0, if u < 0.5 { 0.5 } else { 0.0 }]));
        let project = Project::new(96, 64).frames(1.0, 100.0);
        let node = water
            .node(Context::General)
            .set("output", "Water")
            .project(project)
            .set("device", "CPU")
            .clip("Source", source);
        render(cached(node, folder.path()), [SPLIT]);
    });
    process(|plugin| {
        let node =
            from(shot(plugin).set("output", "Density"), &cached_frame(folder.path(), SPLIT)).create().expect("a node");
        let frame = node.frame(f64::from(SPLIT)).expect("renders");
        let [wet, dry] = [10, 90].map(|x| frame.pixel(x, 10)[0]);
        assert!(wet > 0.3 && dry < 0.2, "{wet} {dry}: {}", info(&node));
    });
}
