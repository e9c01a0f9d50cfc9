//! FlowParticles through the C symbols: any frame alone, in any order, with any threads, from memory and from disk.

#[path = "../common/mod.rs"]
mod common;
mod devices;
mod files;
mod grids;
mod initial;
mod smoke;

use common::fresh::Subject;
use common::{bits, cameras, check_greyed, info, moving, picture, simulated, total};
use flow_host::{Context, Frame, NodeBuilder, Order, Plugin, Project, Source, Value};

/// The node under test.
const NODE: Subject = Subject { library: common::bundle_path, id: "org.flowofx.FlowParticles" };
const SIZE: [i32; 2] = [96, 64];

/// A node over a small project, with small particles.
fn bare(plugin: &Plugin) -> NodeBuilder {
    let project = Project::new(SIZE[0] as u32, SIZE[1] as u32).frames(1.0, 2000.0);
    plugin
        .node(Context::General)
        .project(project)
        .set("preroll", 5)
        .set("emitter1Radius", 8.0)
        .set("emitter1Centre", [48.0, 20.0])
        .set("emitter1Speed", 1.5)
        .set("emitter1Size", 6.0)
        .set("emitter1Life", 10.0)
        .set("noise", 0.3)
        .set("noiseSize", 20.0)
        .set("noiseFine", 0.1)
        .set("noiseFineSize", 6.0)
}

/// All features at once, all of them in motion.
fn lively(plugin: &Plugin) -> NodeBuilder {
    let [width, height] = SIZE;
    let disc = |u: f64, v: f64, x: f64, y: f64, r: f64| f32::from(u8::from((u - x).hypot((v - y) * 2.0 / 3.0) < r));
    let matte = moving(-5, 30, move |time| {
        picture(width, height, |u, v| [0.0, 0.0, 0.0, disc(u, v, 0.3, 0.5, 0.25 - 0.01 * time)])
    });
    let colours =
        moving(-5, 30, move |time| picture(width, height, |u, v| [u as f32, v as f32, time.sin() as f32, 1.0]));
    let swirl = |speed: f32| {
        moving(-5, 30, move |time| {
            picture(width, height, |u, v| {
                [speed * (0.5 - v) as f32, speed * (u - 0.5) as f32 + time as f32 * 0.01, 0.0, 0.8]
            })
        })
    };
    let solid = moving(-5, 30, move |time| {
        picture(width, height, |u, v| [0.0, 0.0, 0.0, disc(u, v, 0.8, 0.3 + 0.01 * time, 0.1)])
    });
    bare(plugin)
        .clip("Source", colours)
        .clip("Emission", matte)
        .clip("Velocity1", swirl(4.0))
        .clip("Velocity2", swirl(-2.0))
        .clip("Obstacles", solid)
        .clip("Sprite", atlas(40, 20))
        .set("spriteColumns", 2)
        .set("spriteFrames", "Over life")
        .set("depthOfField", true)
        .set("fstop", 1.0)
        .set("emitter1Sprite", "Sprite input")
        .set("emitter2", true)
        .set("emitter2Shape", "Matte edge")
        .set("emitter2ColourFrom", "Source")
        .set("emitter2Life", 6.0)
        .set("emitter2Size", 3.0)
        .set("emitter2Moves", "As the air")
        .set("emitter3", true)
        .set("emitter3Shape", "Matte")
        .set("emitter4", true)
        .set("emitter4Shape", "Figure")
        .set("emitter4Height", 30.0)
        .set("emitter4Life", 5.0)
        .set("emitter4Size", 2.0)
        .set("emitter3Sprite", "Puff")
        .set("emitter3Cover", 0.8)
        .set("emitter3Life", 4.0)
        .set("emitter3DragSpread", 0.5)
        .set("emitter3Size", 9.0)
        .key("emitter1Centre", 1.0, [20.0, 20.0])
        .key("emitter1Centre", 12.0, [70.0, 40.0])
        .key("emitter1Rate", 1.0, 5.0)
        .key("emitter1Rate", 6.0, 60.0)
        .key("emitter1Rate", 9.0, 0.0)
        .key("gravity", 1.0, 0.0)
        .key("gravity", 12.0, 0.3)
        .set("velocity2Group", 1)
        .set("attractor", true)
        .set("attractorRadius", 20.0)
        .set("vortex", true)
        .set("vortexRadius", 20.0)
        .set("floor", "Bounce")
        .set("floorPoint", [0.0, 6.0])
        .set("grids", 2)
        .set("grid1Width", 40.0)
        .set("grid1Height", 40.0)
        .set("grid1Length", 40.0)
        .set("grid1Cells", 16)
        .key("grid1Centre", 1.0, [30.0, 25.0])
        .key("grid1Centre", 12.0, [60.0, 30.0])
        .set("grid2Width", 50.0)
        .set("grid2Height", 30.0)
        .set("grid2Length", 20.0)
        .set("grid2Cells", 16)
        .set("grid2Centre", [50.0, 20.0])
        .set("grid2Turbulence", 0.2)
        .set("grid2TurbulenceSize", 20.0)
        .set("grid2Group", 1)
        .set("grid2Obstacle", "Sphere")
        .set("grid2ObstacleRadius", 6.0)
        .key("grid2ObstacleOffset", 1.0, [0.0, 0.0])
        .key("grid2ObstacleOffset", 12.0, [6.0, 2.0])
        .set("jet1", true)
        .set("jet2", true)
        .set("jet3", true)
        .set("jet1Radius", 6.0)
        .set("jet1Speed", 3.0)
        .set("jet1Wander", 0.6)
        .set("jet2Radius", 6.0)
        .key("jet2Speed", 1.0, 0.0)
        .key("jet2Speed", 8.0, 4.0)
        .set("jet2Offset", [5.0, -4.0])
        .set("jet2PulseRate", 0.2)
        .set("jet3Radius", 5.0)
        .set("jet3Expansion", 0.1)
}

fn frames() -> Vec<f64> {
    (1..=14).map(f64::from).chain([6.5, 9.875]).collect()
}

fn finite(frame: &Frame) -> bool {
    frame.rgba().iter().flatten().all(|value| value.is_finite())
}

#[test]
fn a_figure_is_a_person_of_the_height() {
    NODE.process(2, |plugin| {
        let node = plugin.node(Context::Generator).project(Project::new(SIZE[0] as u32, SIZE[1] as u32));
        let node = node
            .set("output", "Count")
            .set("preroll", 1)
            .set("emitter1Shape", "Figure")
            .set("emitter1Centre", [48.0, 32.0])
            .set("emitter1Height", 50.0)
            .set("emitter1Rate", 6000.0)
            .set("emitter1Speed", 0.0)
            .set("emitter1Size", 0.5)
            .set("noise", 0.0)
            .set("noiseFine", 0.0)
            .create()
            .expect("a node");
        let frame = node.frame(1.0).expect("renders");
        let rgba = frame.rgba();
        // Pixels with particles, by their rows from below.
        let width = |row: i32| (0..SIZE[0]).filter(|x| rgba[(row * SIZE[0] + x) as usize][0] > 0.0).count();
        let from = |height: f64| (32.0 + 50.0 * (height - 0.5)) as i32;
        let [feet, knees, hips, shoulders, neck, head] = [0.03, 0.28, 0.5, 0.8, 0.865, 0.93].map(|h| width(from(h)));
        assert!(feet > 2 && knees > 4 && hips > 8 && head > 4, "{feet} {knees} {hips} {head}");
        assert!(shoulders > 12 && neck < head && 2 * neck < shoulders, "{shoulders} {neck} {head}");
        assert_eq!([width(from(1.05)), width(from(-0.05))], [0, 0], "nothing is above or below");
    });
}

#[test]
fn bursts_and_pulses_are_counted_from_the_start_frame() {
    NODE.process(2, |plugin| {
        let counts = |start: i32| {
            let node = bare(plugin)
                .set("output", "Count")
                .set("startFrame", start)
                .set("noise", 0.0)
                .set("noiseFine", 0.0)
                .set("emitter1Rate", 0.0)
                .set("emitter1Burst", 300.0)
                .set("emitter1BurstFrame", -2)
                .set("emitter1BurstEvery", 7)
                .set("grids", 1)
                .set("grid1Width", 90.0)
                .set("grid1Height", 60.0)
                .set("grid1Length", 40.0)
                .set("grid1Cells", 16)
                .set("jet1", true)
                .set("jet1Radius", 20.0)
                .set("jet1Speed", 6.0)
                .set("jet1PulseRate", 0.1)
                .create()
                .expect("a node");
            [0, 3, 5, 8].map(|since| bits(&node.frame(f64::from(start + since)).expect("renders")))
        };
        let first = counts(1);
        assert!(first.iter().all(|frame| frame.iter().any(|pixel| pixel[0] != 0)), "each frame shows a burst");
        for start in [8, 1001] {
            assert!(counts(start) == first, "start frame {start}");
        }
    });
}

#[test]
fn an_unconnected_node_shows_particles_at_once() {
    NODE.process(2, |plugin| {
        let node = plugin.node(Context::Generator).create().expect("a node");
        let frame = node.frame(1.0).expect("renders");
        assert!(finite(&frame) && total(&frame, 0) > 500.0, "{}", total(&frame, 0));
        assert!(info(&node).contains("particles"), "{}", info(&node));
    });
}

#[test]
fn any_order_and_any_number_of_threads_give_the_same_bits() {
    let orders = [Order::Forward, Order::Reverse, Order::Random(7)];
    let orders = orders.into_iter().flat_map(|order| [1, 2, 5].map(|threads| (order, threads)));
    NODE.check_orders(lively, &frames(), orders);
}

#[test]
fn the_picture_enters_no_key() {
    NODE.process(2, |plugin| {
        let node = lively(plugin).create().expect("a node");
        let before = node.frame(12.0).expect("renders");
        assert!(simulated(&before) > 0);
        let mut last = bits(&before);
        node.set("camera", "Parameters").expect("set");
        let edits: [(&str, Value); 4] = [
            ("translate", [5.0, 0.0, 0.0].into()),
            ("rotate", [0.0, 3.0, 0.0].into()),
            ("focal", 70.0.into()),
            ("emitter1Size", 9.0.into()),
        ];
        for (name, value) in edits {
            node.set(name, value).expect("set");
            let frame = node.frame(12.0).expect("renders");
            assert_eq!(simulated(&frame), 0, "{name}");
            assert!(bits(&frame) != last, "{name}");
            last = bits(&frame);
        }
        for output in ["Depth", "Motion vectors", "Id and age", "Count", "Emission only"] {
            node.set("output", output).expect("set");
            let frame = node.frame(12.0).expect("renders");
            assert!(simulated(&frame) == 0 && finite(&frame) && total(&frame, 0) != 0.0, "{output}");
        }
        node.set("gravity", 0.7).expect("set");
        assert!(simulated(&node.frame(12.0).expect("renders")) > 0, "an edit of the air simulates");
    });
}

#[test]
fn a_camera_comes_from_a_file() {
    // Sprites are stretched by the camera's motion, which a camera of parameters without keys does not have.
    cameras::check(&NODE, |plugin| lively(plugin).set("shutter", 0.0), SIZE);
}

#[test]
fn a_connected_camera_shows_the_picture_of_equal_parameters() {
    cameras::check_connected(&NODE, lively, SIZE, &["Beauty", "Motion vectors", "Depth"]);
}

#[test]
fn a_connected_camera_that_cannot_be_used_gives_a_message_and_a_picture() {
    cameras::check_rubble(&NODE, bare);
}

#[test]
fn a_bad_camera_file_gives_a_message_and_a_picture() {
    cameras::check_bad(&NODE, bare);
}

/// An atlas of two frames, as large as a sprite needs: a red one and a green one.
fn atlas(width: i32, height: i32) -> Source {
    Source::still(picture(width, height, |u, v| {
        let cover = f32::from(u8::from((2.0 * (u % 0.5) - 0.5).hypot(v - 0.5) < 0.45));
        if u < 0.5 { [cover, 0.0, 0.0, cover] } else { [0.0, cover, 0.0, cover] }
    }))
}

#[test]
fn sprites_are_frames_of_their_input() {
    NODE.process(2, |plugin| {
        let shown = |frames: &str, columns: i32| {
            let node = bare(plugin)
                .clip("Sprite", atlas(64, 32))
                .set("emitter1Sprite", "Sprite input")
                .set("emitter1ColourBirth", [1.0, 1.0, 1.0])
                .set("emitter1ColourMiddle", [1.0, 1.0, 1.0])
                .set("emitter1ColourEnd", [1.0, 1.0, 1.0])
                .set("spriteColumns", columns)
                .set("spriteFrames", frames)
                .create()
                .expect("a node");
            let frame = node.frame(8.0).expect("renders");
            assert!(finite(&frame));
            (node, [0, 1, 2].map(|channel| total(&frame, channel)), bits(&frame))
        };
        let (node, [red, green, blue], truth) = shown("Random", 2);
        assert!(red > 10.0 && green > 10.0 && blue == 0.0, "{red} {green} {blue}");
        let life = shown("Over life", 2).2;
        assert!(life != truth && shown("Random", 1).2 != truth);
        node.set("emitter1Sprite", "Disc").expect("set");
        let frame = node.frame(8.0).expect("renders");
        assert!(simulated(&frame) == 0 && total(&frame, 2) > 0.0, "a disc is white");
        check_greyed(&node, &[], &["spriteColumns", "spriteFrames"], "no Sprite input");
    });
}

#[test]
fn light_out_of_focus_is_the_same_light() {
    NODE.process(2, |plugin| {
        // Wide enough for the light of all sprites out of focus.
        let project = Project::new(192, 128).frames(1.0, 2000.0);
        let node = bare(plugin)
            .project(project)
            .set("emitter1Centre", [96.0, 60.0])
            .set("emitter1Sprite", "Soft disc")
            .create()
            .expect("a node");
        check_greyed(&node, &["depthOfField"], &["fstop", "focal_point"], "a sharp camera");
        let sharp = node.frame(8.0).expect("renders");
        node.set("depthOfField", true).expect("set");
        node.set("focal_point", 300.0).expect("set");
        node.set("sceneWidth", 0.3).expect("set");
        node.set("fstop", 0.7).expect("set");
        let soft = node.frame(8.0).expect("renders");
        assert_eq!(simulated(&soft), 0, "the focus enters no key");
        let peak = |frame: &Frame| frame.rgba().iter().map(|pixel| pixel[0]).fold(0.0, f32::max);
        assert!(peak(&soft) < peak(&sharp) * 0.8, "{} {}", peak(&soft), peak(&sharp));
        let ratio = total(&soft, 0) / total(&sharp, 0);
        assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
    });
}

#[test]
fn frames_on_disk_have_the_same_bits() {
    NODE.check_disk(lively, 10);
}

#[test]
fn the_last_frame_of_a_long_shot_takes_the_frames_of_a_life() {
    let scene = |plugin: &Plugin| {
        bare(plugin)
            .set("emitter1Life", 100.0)
            .set("emitter1LifeSpread", 0.0)
            .key("emitter1Rate", 1.0, 2.0)
            .key("emitter1Rate", 2000.0, 9.0)
            .create()
            .expect("a node")
    };
    let alone = NODE.process(2, |plugin| {
        let frame = scene(plugin).frame(2000.0).expect("renders");
        assert!(simulated(&frame) <= 100, "{} frames", simulated(&frame));
        bits(&frame)
    });
    let in_order = NODE.process(2, |plugin| {
        let node = scene(plugin);
        // From a state that is no restart: each of these frames continues from the one before.
        (1701..2000).for_each(|time| drop(node.frame(f64::from(time)).expect("renders")));
        let frame = node.frame(2000.0).expect("renders");
        assert_eq!(simulated(&frame), 1);
        bits(&frame)
    });
    assert!(alone == in_order);
}

#[test]
fn a_drag_spread_changes_the_picture_where_there_is_drag() {
    NODE.process(2, |plugin| {
        let picture = |drag: f64, spread: f64| {
            let node = bare(plugin).set("emitter1Drag", drag).set("emitter1DragSpread", spread);
            bits(&node.create().expect("a node").frame(6.0).expect("renders"))
        };
        assert!(picture(0.3, 0.0) != picture(0.3, 0.9));
        assert!(picture(0.0, 0.0) == picture(0.0, 0.9));
    });
}

#[test]
fn a_full_region_is_reported_and_nothing_pops() {
    NODE.process(2, |plugin| {
        let crowded = bare(plugin)
            .set("emitter1Rate", 10.0)
            .set("emitter1Life", 40.0)
            .set("emitter1LifeSpread", 0.0)
            .set("emitter1Capacity", 100)
            .set("emitter1Speed", 0.0)
            .set("emitter1SizeSpread", 0.0)
            .set("emitter1Sprite", "Soft disc")
            .set("emitter1Cover", 0.0)
            .set("noise", 0.0)
            .set("noiseFine", 0.0);
        let node = crowded.create().expect("a node");
        // In sub-frame steps: a particle that ends while it is seen would be a jump of a hundredth of the light.
        let light = |time: f64| total(&node.frame(time).expect("renders"), 0);
        let mut last = light(40.0);
        for step in 1..=30 {
            let next = light(40.0 + f64::from(step) / 10.0);
            assert!((next / last - 1.0).abs() < 2e-3, "{last} to {next} after {step} steps");
            last = next;
        }
        assert_eq!(info(&node).matches("bears more particles than its Capacity").count(), 1, "{}", info(&node));
        node.set("emitter1Capacity", 1000).expect("set");
        node.frame(43.0).expect("renders");
        assert!(!info(&node).contains("Capacity"), "{}", info(&node));
    });
}

#[test]
fn a_share_is_as_bright_as_the_whole() {
    NODE.process(2, |plugin| {
        let node = bare(plugin).set("emitter1Rate", 400.0).set("emitter1Capacity", 10_000).create().expect("a node");
        let seen = |share: f64| {
            node.set("share", share).expect("set");
            let frame = node.frame(20.0).expect("renders");
            (frame.stat("particles").expect("counted"), total(&frame, 0))
        };
        let (all, light) = seen(1.0);
        let (some, other) = seen(0.25);
        assert!((some / all - 0.25).abs() < 0.03, "{some} of {all}");
        assert!((other / light - 1.0).abs() < 0.1, "{other} and {light}");
    });
}

#[test]
fn every_preset_shows_particles_as_one_undoable_edit() {
    NODE.process(2, |plugin| {
        let presets = ["Embers", "Snow", "Rain streaks", "Magic trail", "Ash", "Dust hit", "Disintegration"];
        for preset in presets {
            let matte =
                moving(1, 20, |time| picture(96, 64, |u, _| [0.0, 0.0, 0.0, f32::from(u8::from(u > 0.03 * time))]));
            let node = plugin
                .node(Context::General)
                .project(Project::new(96, 64).frames(1.0, 20.0))
                .clip("Source", Source::still(picture(96, 64, |u, v| [u as f32, v as f32, 0.5, 1.0])))
                .clip("Emission", matte)
                .create()
                .expect("a node");
            node.set("preset", preset).expect("the node takes it");
            let frame = node.frame(6.0).expect("renders");
            assert!(finite(&frame) && total(&frame, 0) > 3.0, "{preset}: {}", total(&frame, 0));
            assert!(node.undo().expect("undone"), "{preset}");
        }
    });
}

#[test]
fn parameters_without_effect_are_disabled() {
    NODE.process(1, |plugin| {
        let node = bare(plugin).create().expect("a node");
        let check = |on: &[&str], off: &[&str], when: &str| check_greyed(&node, on, off, when);
        check(
            &["emitter1Radius", "emitter1Drag", "emitter1DragSpread", "noiseSize"],
            &["emitter1Height", "emitter1BurstFrame", "emitter2Rate", "vortexRadius", "floorPoint", "focal"],
            "a new node",
        );
        node.set("emitter1Shape", "Box").expect("set");
        node.set("emitter1Moves", "As the air").expect("set");
        node.set("emitter1Burst", 5.0).expect("set");
        node.set("camera", "Parameters").expect("set");
        check(
            &["emitter1Height", "emitter1BurstFrame", "focal"],
            &["emitter1Drag", "emitter1DragSpread", "emitter1Weight"],
            "others",
        );
        node.set("output", "Depth").expect("set");
        check(&["nearFade"], &["shutter", "lightDirection"], "Depth");
    });
}
