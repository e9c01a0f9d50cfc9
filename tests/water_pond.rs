//! A pond without a Source: its level, and the order of rendering with drops, soft emitters, foam and surface detail.

mod common;

use common::{bits, picture, private_flow, simulated, terrain};
use flow_host::{Context, Frame, Image, Node, NodeBuilder, Order, Plugin, Profile, Project, RectI, Request, Source};

const SIZE: [i32; 2] = [64, 48];
const MODELS: [&str; 4] = ["Puddles and ponds", "Legacy pipes", "Rivers and floods", "Ripples"];

fn pond(plugin: &Plugin, model: &str) -> NodeBuilder {
    plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(SIZE[0] as u32, SIZE[1] as u32).frames(1.0, 100.0))
        .set("device", "CPU")
        .set("model", model)
        .set("emitter", "Off")
        .set("waterLevel", 0.5)
}

/// Blots of no order.
fn blots(salt: f64) -> Source {
    Source::still(picture(SIZE[0], SIZE[1], |u, v| {
        let value = (u * 37.0 + salt).sin() + (v * 29.0 - salt).cos() + (u * v * 90.0).sin();
        [0.0, 0.0, 0.0, if value > 1.1 { 1.0 } else { 0.0 }]
    }))
}

#[test]
fn a_pond_at_its_level_stays_there_in_any_mask() {
    let (_host, plugin) = private_flow(Profile::generic());
    for model in MODELS {
        for salt in [0.0, 2.0, 5.0] {
            let ground = Source::still(terrain(SIZE[0], SIZE[1]));
            let node = pond(&plugin, model)
                .clip("Obstacles", blots(salt))
                .clip("Mask", blots(salt + 1.0))
                .clip("Terrain", ground)
                .set("terrainHeight", if salt == 0.0 { 0.0 } else { 1.3 })
                .set("output", "Height")
                .create()
                .expect("a node");
            let [first, last] = [1.0, 12.0].map(|time| node.frame(time).expect("renders"));
            assert!(bits(&first) == bits(&last), "{model}: a lake at rest stays at rest");
            let (mut wet, mut dry) = (0, 0);
            for [water, surface, ground, is_wet] in first.rgba() {
                if is_wet == 1.0 {
                    assert!(
                        (surface - 0.5).abs() < 1e-6 && (water - (0.5 - ground)).abs() < 1e-6,
                        "{model}: {surface}"
                    );
                    wet += 1;
                } else {
                    assert!(water < 1e-3, "{model}: {water}");
                    dry += 1;
                }
            }
            assert!(wet > 500 && dry > 200, "{model}: {wet} wet, {dry} dry");
        }
    }
}

#[test]
fn a_level_is_below_a_source_and_ripples_without_one_have_depth() {
    let (_host, plugin) = private_flow(Profile::generic());
    for model in MODELS {
        let source = Source::still(picture(SIZE[0], SIZE[1], |_, _| [0.2, 0.3, 0.4, 0.25]));
        let node = pond(&plugin, model).clip("Source", source).create().expect("a node");
        let [r, _, _, height] = node.frame(3.0).expect("renders").pixel(30, 20);
        assert!((height - 0.75).abs() < 1e-6, "{model}: {height}");
        if model != "Ripples" {
            // The Source is premultiplied.
            assert!((r - 0.8 / 3.0).abs() < 1e-3, "the pond is clear: {r}");
        }
    }
    let node = pond(&plugin, "Ripples").set("waterLevel", 0.0).create().expect("a node");
    assert_eq!(node.frame(3.0).expect("renders").pixel(30, 20)[3], 1.0);
    // Waves lower than the water is deep do not read as dry.
    let node = pond(&plugin, "Ripples").set("waterLevel", 0.01).set("rainDrops", 3.0).set("rainSize", 6.0);
    let frame = node.create().expect("a node").frame(10.0).expect("renders");
    assert!(frame.rgba().iter().all(|pixel| pixel[3] > 0.0));
}

/// A pond with all that moves on it.
fn lively(plugin: &Plugin, model: &str) -> NodeBuilder {
    pond(plugin, model)
        .clip("Obstacles", blots(3.0))
        .set("terrainHeight", 0.8)
        .clip("Terrain", Source::still(terrain(SIZE[0], SIZE[1])))
        .set("rainDrops", 1.5)
        .set("rainSize", 4.0)
        .set("emitter", "On")
        .set("emitterSoftness", 0.8)
        .set("emitterRadius", 7.0)
        .key("emitterCentre", 1.0, [10.0, 10.0])
        .key("emitterCentre", 20.0, [50.0, 40.0])
        .set("foam", true)
        .set("foamSteepness", 0.01)
        .set("shoreFoam", 0.6)
        .set("wetness", true)
        .set("edges", "Wrap")
}

fn frames(node: &Node, times: &[f64]) -> Vec<(Vec<[u32; 4]>, u64)> {
    let frames = node.collect_frames(times, Order::Forward, 1, &Request::at(0.0)).expect("renders");
    frames.iter().map(|frame| (bits(frame), simulated(frame))).collect()
}

#[test]
fn any_order_and_the_disk_give_the_frames_of_the_forward_order() {
    for model in MODELS {
        for output in ["Height", "Foam"] {
            let forward: Vec<f64> = (1..=14).map(f64::from).collect();
            let built = |plugin: &Plugin| lively(plugin, model).set("output", output);
            let truth = {
                let (_host, plugin) = private_flow(Profile::generic());
                frames(&built(&plugin).create().expect("a node"), &forward)
            };
            let order = [9, 2, 14, 1, 13, 5];
            {
                let (_host, plugin) = private_flow(Profile::generic());
                let node = built(&plugin).create().expect("a node");
                for time in order {
                    let frame = node.frame(f64::from(time)).expect("renders");
                    assert!(bits(&frame) == truth[time as usize - 1].0, "{model} {output}: frame {time}");
                }
            }
            let folder = tempfile::tempdir().expect("a folder");
            let stored = |plugin: &Plugin| {
                let path = folder.path().to_str().expect("a name in UTF-8");
                built(plugin).set("cacheFolder", path).set("cacheName", "shot").create().expect("a node")
            };
            {
                let (_host, plugin) = private_flow(Profile::generic());
                frames(&stored(&plugin), &forward[..8]);
            }
            let (_host, plugin) = private_flow(Profile::generic());
            let node = stored(&plugin);
            let again = frames(&node, &forward);
            assert!(again[..8].iter().all(|(_, simulated)| *simulated == 0), "{model} {output}: from the disk");
            assert!(again.iter().zip(&truth).all(|(again, truth)| again.0 == truth.0), "{model} {output}: goes on");
        }
    }
}

#[test]
fn overscan_simulates_a_larger_frame_and_shows_its_middle() {
    let (_host, plugin) = private_flow(Profile::generic());
    let empty = || Source::still(Image::from_fn(RectI { x1: -16, y1: -8, x2: 80, y2: 56 }, |_, _| [0.0; 4]));
    for model in MODELS {
        // A wave from beyond the left edge.
        let shot = || {
            let drop = pond(&plugin, model).set("emitter", "On").set("emitterCentre", [-6.0, 20.0]);
            drop.set("emitterRadius", 5.0).set("emitterRate", 0.1).set("maxHeight", 4.0)
        };
        let node = shot().set("overscan", [16.0, 8.0]).create().expect("a node");
        let larger = shot().clip("Source", empty()).set("extent", "Source").create().expect("a node");
        let narrow = shot().create().expect("a node");
        let [shown, wide, cut] = [&node, &larger, &narrow].map(|node| node.frame(8.0).expect("renders"));
        let alike = |other: &Frame| (0..48).all(|y| (0..64).all(|x| shown.pixel(x, y) == other.pixel(x, y)));
        assert!(alike(&wide), "{model}: the middle of the larger frame");
        assert!(!alike(&cut), "{model}: without overscan nothing comes in from there");
    }
}

#[test]
fn built_in_ground_keeps_its_place_and_scale_with_overscan() {
    let (_host, plugin) = private_flow(Profile::generic());
    for ground in ["River bed", "Meadow", "Street", "Beach"] {
        let shot = || pond(&plugin, MODELS[0]).set("output", "Height").set("ground", ground);
        let [node, plain] =
            [[16.0, 8.0], [0.0; 2]].map(|pixels| shot().set("overscan", pixels).create().expect("a node"));
        let [wide, plain] = [&node, &plain].map(|node| node.frame(1.0).expect("renders"));
        for (x, y) in [(0, 0), (63, 47), (20, 31)] {
            assert_eq!(wide.pixel(x, y)[2], plain.pixel(x, y)[2], "{ground} at {x}, {y}");
        }
    }
}
