//! The demo's scenes at a smaller size: the residual divergence of every frame.

use flow_host::{Context, Host, Node, NodeBuilder, Plugin, Profile, Project};

use crate::common::{self, moving, picture};
use crate::record::{Line, Record, Scale};

const SIZE: [i32; 2] = [240, 136];
/// The demo's number of frames.
const LAST: u32 = 84;

/// A quarter of the demo's size.
fn small(x: f64, y: f64) -> [f64; 2] {
    [x / 4.0, y / 4.0]
}

fn scene(plugin: &Plugin) -> NodeBuilder {
    let project = Project::new(SIZE[0] as u32, SIZE[1] as u32).frames(1.0, 200.0);
    plugin.node(Context::General).set("output", "Dye").project(project)
}

/// A node with a preset, and its forcing as in the demo.
fn made(plugin: &Plugin, preset: &str, device: &str) -> Node {
    let mut node = scene(plugin).set("device", device);
    if preset == "Chimney" {
        let discs = moving(1, i64::from(LAST), |time| {
            picture(SIZE[0], SIZE[1], |u, v| {
                let off = ((u - 0.5) * 16.0 / 9.0).hypot(v - 0.5 + 0.22 * (time * 0.08).cos());
                [0.0, 0.0, 0.0, f32::from(u8::from(off < 0.085))]
            })
        });
        node = node.clip("Obstacles", discs);
    }
    let node = node.create().expect("a node");
    node.set("preset", preset).expect("the node takes it");
    // The gate counts frames from still air.
    node.set("preroll", 0).expect("is set");
    if preset == "Ink" {
        node.set("brush", true).expect("the node takes it");
        node.set("brushRadius", 6.5).expect("the node takes it");
        let path = [(30.0, 250.0, 120.0), (44.0, 520.0, 330.0), (58.0, 700.0, 130.0), (84.0, 250.0, 330.0)];
        for (frame, x, y) in path {
            node.set_key("brushCentre", frame, small(x, y)).expect("the node takes it");
        }
    }
    node
}

/// The settings of a node, for the validation report.
fn settings_text(node: &Node, preset: &str) -> String {
    let names = ["velocityAdvection", "reflection", "maxCfl", "substeps", "solver", "tolerance", "iterations"];
    let value = |name: &&str| format!("{name} {}", node.value(name, 1.0).expect("the node has it"));
    let values: Vec<String> = names.iter().map(value).collect();
    format!("{}×{} pixels, the preset {preset}: {}", SIZE[0], SIZE[1], values.join(", "))
}

/// Relative residual divergence, by frame.
fn residual(node: &Node, last: u32) -> Vec<[f64; 2]> {
    let frame = |frame: u32| {
        let shown = node.frame(f64::from(frame)).expect("renders");
        assert_eq!(common::simulated(&shown), 1, "frame {frame} is made, not kept");
        [f64::from(frame), shown.stat("residual").expect("the node tells")]
    };
    assert!(node.frame(1.0).is_ok(), "renders");
    (2..=last).map(frame).collect()
}

fn gate(device: &str, presets: &[(&str, u32)]) {
    let host = Host::new(Profile::generic());
    let bundle = host.load_private(common::bundle_path()).expect("the bundle loads");
    let plugin = bundle.plugin("org.flowofx.FlowSmoke").expect("the bundle has FlowSmoke");
    let mut record = Record::new("demo", device);
    let mut lines: Vec<Line> = Vec::new();
    for &(preset, last) in presets {
        let node = made(&plugin, preset, device);
        record.under(settings_text(&node, preset));
        let curve = residual(&node, last);
        let most = curve.iter().map(|point| point[1]).fold(0.0, f64::max);
        record.at_most(format!("{preset}, {last} frames, divergence after projection over before"), most, 1e-3);
        lines.push((preset.to_owned(), curve));
    }
    record.plot(
        "The demo: divergence that a frame's projection leaves",
        ["frame", "share of the divergence before"],
        [Scale::Linear, Scale::Log],
        &lines,
        &[],
    );
    record.save();
}

#[test]
fn every_frame_is_free_of_divergence_on_the_cpu() {
    let all = ["Ink", "Campfire", "Chimney", "Fog bank"];
    gate("CPU", &all.map(|preset| (preset, LAST)));
}

#[test]
fn every_frame_is_free_of_divergence_on_a_graphics_device() {
    // With solids: seconds a frame on a software device.
    gate("GPU", &[("Campfire", 24), ("Chimney", 3)]);
}
