//! The built-in ground: the same at every resolution and in every order, and the Terrain input takes its place.

mod common;

use common::{bits, own_flow, picture};
use flow_host::{Context, Frame, Node, NodeBuilder, Plugin, Project, Source};

const WIDTH: u32 = 96;
const HEIGHT: u32 = 64;
const GROUNDS: [&str; 4] = ["River bed", "Meadow", "Street", "Beach"];

fn node(plugin: &Plugin, ground: &str) -> NodeBuilder {
    plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(WIDTH, HEIGHT).frames(1.0, 20.0))
        .set("ground", ground)
        .set("emitterRadius", 9.0)
        .set("output", "Height")
}

fn at(node: &Node, time: f64) -> Frame {
    node.frame(time).expect("renders")
}

/// Heights of the ground.
fn ground(frame: &Frame) -> Vec<f32> {
    frame.rgba().iter().map(|pixel| pixel[2]).collect()
}

#[test]
fn grounds_differ_and_are_the_same_at_half_resolution() {
    let (_host, plugin) = own_flow();
    let mut seen: Vec<Vec<f32>> = Vec::new();
    for name in GROUNDS {
        let whole = ground(&at(&node(&plugin, name).create().expect("a node"), 1.0));
        let half = ground(&at(&node(&plugin, name).set("resolution", 50.0).create().expect("a node"), 1.0));
        let mean = |heights: &[f32]| heights.iter().sum::<f32>() / heights.len() as f32;
        let range = whole.iter().fold(f32::MIN, |a, &b| a.max(b)) - whole.iter().fold(f32::MAX, |a, &b| a.min(b));
        assert!(range > 0.03, "{name}: {range}");
        assert!((mean(&whole) - mean(&half)).abs() < 0.02 * range, "{name}: {} and {}", mean(&whole), mean(&half));
        let off = whole.iter().zip(&half).map(|(a, b)| (a - b).abs()).sum::<f32>() / whole.len() as f32;
        assert!(off < 0.06 * range, "{name}: {off} of {range}");
        assert!(seen.iter().all(|other| *other != whole), "{name}");
        seen.push(whole);
    }
}

#[test]
fn height_and_offset_scale_the_ground() {
    let (_host, plugin) = own_flow();
    let plain = ground(&at(&node(&plugin, "Meadow").create().expect("a node"), 1.0));
    let scaled = node(&plugin, "Meadow").set("terrainHeight", 0.5).set("terrainOffset", 0.25).create().expect("a node");
    for (plain, scaled) in plain.iter().zip(ground(&at(&scaled, 1.0))) {
        assert!((plain * 0.5 + 0.25 - scaled).abs() < 1e-5, "{plain} {scaled}");
    }
}

#[test]
fn a_terrain_takes_the_place_of_the_ground_and_pebbles_are_flat() {
    let (_host, plugin) = own_flow();
    let wired = || {
        node(&plugin, "Street")
            .clip("Terrain", Source::still(picture(WIDTH as i32, HEIGHT as i32, |u, _| [u as f32; 4])))
    };
    let heights = ground(&at(&wired().create().expect("a node"), 1.0));
    assert!((heights[0] - 0.5 / 96.0).abs() < 1e-3 && heights[WIDTH as usize - 1] > 0.99, "the picture");
    let off = ground(&at(&wired().set("useTerrain", false).create().expect("a node"), 1.0));
    let pebbles = ground(&at(&node(&plugin, "Pebbles").create().expect("a node"), 1.0));
    assert!(off.iter().chain(&pebbles).all(|height| *height == 0.0));
}

#[test]
fn water_on_the_ground_has_the_same_bits_in_any_order() {
    let (_host, plugin) = own_flow();
    for name in GROUNDS {
        let shot =
            || node(&plugin, name).set("model", "Rivers and floods").set("output", "Beauty").create().expect("a node");
        let forward = shot();
        let frames: Vec<_> = (1..=8).map(|frame| bits(&at(&forward, f64::from(frame)))).collect();
        let other = shot();
        for frame in [8, 3, 7, 1, 5] {
            assert_eq!(bits(&at(&other, f64::from(frame))), frames[frame as usize - 1], "{name} {frame}");
        }
    }
}
