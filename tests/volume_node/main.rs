//! FlowVolume through the C symbols: any frame alone, in any order, with any threads, from memory and from disk.

mod axes;
#[path = "../common/mod.rs"]
mod common;
mod devices;
mod emission;
mod files;
mod initial;
mod ink;
mod obstacles;
mod shock_cells;
mod surroundings;
mod vdb;
mod vdb_solids;

use common::fresh::Subject;
use common::{bits, cameras, check_greyed, info, picture, simulated, total};
use flow_host::{Context, Frame, NodeBuilder, Order, Plugin, Project, Source, Value};

/// The node under test.
const NODE: Subject = Subject { library: common::bundle_path, id: "org.flowofx.FlowVolume" };
const SIZE: [i32; 2] = [96, 64];

/// A node over a small project, with few cells.
fn bare(plugin: &Plugin) -> NodeBuilder {
    let project = Project::new(SIZE[0] as u32, SIZE[1] as u32).frames(1.0, 200.0);
    plugin.node(Context::General).project(project).set("preroll", 2).set("cells", 32).set("emitter1Radius", 0.15)
}

/// Fire, wind, turbulence and an emitter that moves.
fn lively(plugin: &Plugin) -> NodeBuilder {
    bare(plugin)
        .set("emitterCount", 2)
        .set("emitter1Fuel", 0.8)
        .set("wind", [0.5, 0.0, 0.2])
        .set("noise", 0.3)
        .set("emitter2Shape", "Capsule")
        .set("emitter2Mode", "Add")
        .set("emitter2Velocity", [2.0, 1.0, 0.0])
        .set("emitter2VelocityNoise", 0.5)
        .set("emitter2Duration", 4)
        .key("emitter2Centre", 1.0, [-0.2, 0.4, 0.0])
        .key("emitter2Centre", 8.0, [0.2, 0.6, 0.1])
}

/// The same with finer smoke.
fn finer(plugin: &Plugin) -> NodeBuilder {
    lively(plugin).set("detail", "Twice as fine").set("cells", 24)
}

fn frames() -> Vec<f64> {
    (1..=7).map(f64::from).chain([4.5]).collect()
}

fn finite(frame: &Frame) -> bool {
    frame.rgba().iter().flatten().all(|value| value.is_finite())
}

#[test]
fn an_unconnected_node_shows_a_plume_at_once() {
    NODE.process(2, |plugin| {
        let project = Project::new(96, 64).frames(1.0, 20.0);
        let node = plugin.node(Context::Generator).project(project).set("cells", 48).create().expect("a node");
        let frame = node.frame(1.0).expect("renders");
        assert!(finite(&frame) && total(&frame, 3) > 50.0, "{}", total(&frame, 3));
        assert!(info(&node).contains("cells"), "{}", info(&node));
    });
}

#[test]
fn any_order_and_any_number_of_threads_give_the_same_bits() {
    NODE.check_orders(lively, &frames(), [(Order::Reverse, 2), (Order::Random(7), 3)]);
    NODE.check_orders(finer, &[1.0, 4.0, 4.5], [(Order::Reverse, 2), (Order::Random(7), 3)]);
}

#[test]
fn the_picture_enters_no_key() {
    NODE.process(2, |plugin| {
        let node = lively(plugin).create().expect("a node");
        let before = node.frame(6.0).expect("renders");
        assert!(simulated(&before) > 0);
        let mut last = bits(&before);
        node.set("camera", "Parameters").expect("set");
        let edits: [(&str, Value); 6] = [
            ("translate", [5.0, 0.0, 0.0].into()),
            ("focal", 70.0.into()),
            ("boxCentre", [40.0, 30.0].into()),
            ("opacity", 25.0.into()),
            ("light1Direction", 20.0.into()),
            ("fireExposure", 4.0.into()),
        ];
        for (name, value) in edits {
            node.set(name, value).expect("set");
            let frame = node.frame(6.0).expect("renders");
            assert_eq!(simulated(&frame), 0, "{name}");
            assert!(bits(&frame) != last, "{name}");
            last = bits(&frame);
        }
        let shown = |output: &str| {
            node.set("output", output).expect("set");
            let frame = node.frame(6.0).expect("renders");
            assert!(simulated(&frame) == 0 && finite(&frame), "{output}");
            frame
        };
        for output in ["Density", "Alpha", "Depth", "Transmittance", "Position", "Normals"] {
            assert!(total(&shown(output), 0) != 0.0, "{output}");
        }
        node.set("lights", 2).expect("set");
        node.set("light2Type", "Point").expect("set");
        let parts = ["Light 1", "Light 2", "Ambient", "Emission"].map(|output| {
            let frame = shown(output);
            assert!(total(&frame, 0) > 0.0, "{output}");
            frame.rgba().to_vec()
        });
        let beauty = shown("Beauty");
        for (place, pixel) in beauty.rgba().iter().enumerate() {
            for channel in 0..3 {
                let sum = parts.iter().fold(0.0, |sum, part| sum + part[place][channel]);
                assert_eq!(pixel[channel], sum, "Beauty is the sum of its lights");
            }
        }
        node.set("buoyancy", 0.7).expect("set");
        assert!(simulated(&node.frame(6.0).expect("renders")) > 0, "an edit of the air simulates");
    });
}

#[test]
fn a_camera_comes_from_a_file() {
    cameras::check(&NODE, bare, SIZE);
}

#[test]
fn a_connected_camera_shows_the_picture_of_equal_parameters() {
    cameras::check_connected(&NODE, bare, SIZE, &["Beauty", "Depth"]);
}

#[test]
fn a_connected_camera_that_cannot_be_used_gives_a_message_and_a_picture() {
    cameras::check_rubble(&NODE, bare);
}

#[test]
fn a_bad_camera_file_gives_a_message_and_a_picture() {
    cameras::check_bad(&NODE, bare);
}

#[test]
fn frames_on_disk_have_the_same_bits() {
    NODE.check_disk(lively, 5);
    NODE.check_disk(finer, 3);
}

#[test]
fn depth_and_holdout_hide_the_smoke() {
    NODE.process(2, |plugin| {
        let shown = |input: &str, value: [f32; 4]| {
            let still = Source::still(picture(SIZE[0], SIZE[1], |_, _| value));
            let node = bare(plugin).clip(input, still).create().expect("a node");
            total(&node.frame(4.0).expect("renders"), 3)
        };
        let free = shown("Depth", [0.0; 4]);
        assert!(free > 10.0, "{free}");
        assert_eq!(shown("Depth", [1.0, 0.0, 0.0, 1.0]), 0.0, "a wall before the camera hides all");
        assert_eq!(shown("Depth", [1e6, 0.0, 0.0, 1.0]), free, "a wall far behind hides nothing");
        assert_eq!(shown("Holdout", [0.0, 0.0, 0.0, 1.0]), 0.0);
        assert!((shown("Holdout", [0.0, 0.0, 0.0, 0.5]) / free - 0.5).abs() < 0.01);
    });
}

#[test]
fn every_preset_shows_smoke_as_one_undoable_edit() {
    NODE.process(2, |plugin| {
        for preset in [
            "Chimney",
            "Campfire",
            "Explosion",
            "Fog bank",
            "Dust hit",
            "Ink in a tank",
            "Dry ice",
            "Cigarette",
            "Jet exhaust",
        ] {
            let project = Project::new(96, 64).frames(1.0, 20.0);
            let node = plugin.node(Context::General).project(project).create().expect("a node");
            node.set("preset", preset).expect("the node takes it");
            node.set("cells", 32).expect("set");
            node.set("preroll", 8).expect("set");
            let frame = node.frame(6.0).expect("renders");
            assert!(finite(&frame) && total(&frame, 3) > 1.0, "{preset}: {}", total(&frame, 3));
        }
    });
}

#[test]
fn parameters_without_effect_are_disabled() {
    NODE.process(1, |plugin| {
        let node = bare(plugin).create().expect("a node");
        let check = |on: &[&str], off: &[&str], when: &str| check_greyed(&node, on, off, when);
        check(
            &["emitter1Radius", "noiseSize", "light1Direction", "opacity", "boxCentre"],
            &["emitter1Height", "emitter1Delay", "burnRate", "sootOpacity", "focal", "light1Position", "light1Cone"],
            "a new node",
        );
        node.set("light1Type", "Spot").expect("set");
        check(&["light1Position", "light1Reach", "light1Cone", "light1Direction"], &[], "a spot");
        node.set("emitter1Shape", "Box").expect("set");
        node.set("emitter1Fuel", 0.5).expect("set");
        node.set("emitter1Duration", 5).expect("set");
        node.set("camera", "Parameters").expect("set");
        check(&["emitter1Height", "emitter1Delay", "burnRate", "sootOpacity", "focal"], &[], "others");
        node.set("output", "Depth").expect("set");
        check(&["opacity", "fireExposure"], &["light1Direction", "albedo"], "Depth");
    });
}
