//! All times are valid: before the start, negative, between frames, after a pre-roll, beyond the limits.

mod common;

use common::{bits, moving, picture, private_flow, scene, simulated, terrain};
use flow_host::{Frame, Node, NodeBuilder, Plugin, Profile, Source};

const SIZE: [i32; 2] = [96, 64];

type Bits = Vec<[u32; 4]>;

fn shot(plugin: &Plugin) -> NodeBuilder {
    scene(plugin, SIZE[0], SIZE[1])
}

fn at(node: &Node, time: f64) -> Bits {
    bits(&node.frame(time).expect("renders"))
}

/// The frame from a library that has rendered nothing else.
fn cold(build: impl Fn(&Plugin) -> NodeBuilder, time: f64) -> Bits {
    let (_host, plugin) = private_flow(Profile::generic());
    at(&build(&plugin).create().expect("a node"), time)
}

fn volume(frame: &Frame) -> f64 {
    frame.rgba().iter().map(|pixel| f64::from(pixel[3])).sum()
}

#[test]
fn frames_before_the_start_show_the_start_frame() {
    for preroll in [0, 6] {
        // A host that does not call IsIdentity, so that the render itself has to pass the input through.
        let (_host, plugin) = private_flow(Profile { queries_before_render: false, ..Profile::generic() });
        let node = shot(&plugin).set("startFrame", 10).set("preroll", preroll).create().expect("a node");
        let start = at(&node, 10.0);
        assert!(start != at(&node, 11.0));
        for time in [9.0, 9.75, 5.0, 4.0, 3.0, 0.0, -7.5, -4000.0] {
            let frame = node.frame(time).expect("renders");
            assert!(bits(&frame) == start, "frame {time}, pre-roll {preroll}");
            assert_eq!(simulated(&frame), 0, "frame {time}, pre-roll {preroll}");
        }
        assert!(cold(|plugin| shot(plugin).set("startFrame", 10).set("preroll", preroll), -3.0) == start);
    }
}

#[test]
fn negative_frames_are_frames() {
    let moved = |plugin: &Plugin, by: f64| {
        let [width, height] = SIZE;
        let source = moving(-20 + by as i64, 20 + by as i64, move |time| {
            let time = time - by;
            picture(width, height, move |u, v| {
                let alpha = f32::from(u8::from((u - 0.5 - 0.01 * time).hypot(v - 0.5) < 0.2));
                [0.4 * alpha, 0.0, 0.1, alpha]
            })
        });
        let node = plugin.node(flow_host::Context::General).set("output", "Water");
        node.project(flow_host::Project::new(width as u32, height as u32))
            .clip("Source", source)
            .clip("Terrain", Source::still(terrain(width, height)))
            .set("sourceMode", "Add")
            .set("startFrame", -12 + by as i32)
            .set("emitter", "On")
            .key("emitterCentre", -12.0 + by, [10.0, 10.0])
            .key("emitterCentre", 3.0 + by, [80.0, 50.0])
            .key("speed", -10.0 + by, 3.0)
            .key("speed", 1.0 + by, 6.0)
    };
    let (_host, plugin) = private_flow(Profile::generic());
    let below = moved(&plugin, 0.0).create().expect("a node");
    let above = moved(&plugin, 100.0).create().expect("a node");
    for time in [-12.0, -11.0, -1.0, 0.0, 1.0, -0.5, -11.75, 2.25] {
        assert!(at(&below, time) == at(&above, time + 100.0), "frame {time}");
    }
    assert!(at(&below, -13.0) == at(&below, -12.0) && at(&below, -12.0) != at(&below, -11.0));
}

#[test]
fn a_preroll_equals_an_earlier_start_with_constant_inputs() {
    let [width, height] = SIZE;
    let (_host, plugin) = private_flow(Profile::generic());
    let wandering = moving(1, 20, |time| {
        picture(width, height, |u, v| {
            let alpha = if (u - 0.3 - 0.02 * time).hypot(v - 0.5) < 0.15 { 0.3 } else { 0.0 };
            [0.9 * alpha, 0.3 * alpha, 0.1 * alpha, alpha]
        })
    });
    let keyed = |node: NodeBuilder| {
        let node = node.clip("Source", wandering.clone());
        node.set("rain", 0.0).key("emitterCentre", 1.0, [20.0, 20.0]).key("emitterCentre", 9.0, [70.0, 40.0])
    };
    let rolled = keyed(shot(&plugin)).set("preroll", 8).create().expect("a node");
    // Started 8 frames earlier; keys and matte are constant before their first frame.
    let held = keyed(shot(&plugin)).set("startFrame", -7).create().expect("a node");
    let plain = keyed(shot(&plugin)).create().expect("a node");
    for time in [1.0, 2.0, 5.5, 12.0] {
        let frame = at(&rolled, time);
        assert!(frame == at(&held, time), "frame {time} is that of the earlier start");
        assert!(frame != at(&plain, time), "frame {time} has settled water");
    }
    let start = rolled.frame(1.0).expect("renders");
    assert!(volume(&start) > 5.0 * volume(&plain.frame(1.0).expect("renders")), "the shot begins full");
    rolled.purge().expect("purges");
    assert_eq!(simulated(&rolled.frame(1.0).expect("renders")), 9, "the pre-roll and the start frame");
}

#[test]
fn rain_continues_in_the_preroll_and_varies_by_frame() {
    let (_host, plugin) = private_flow(Profile::generic());
    let rainy = |preroll: i32| {
        let node = shot(&plugin)
            .set("preroll", preroll)
            .set("rainMode", "Mean height")
            .set("rain", 0.002)
            .set("rainSize", 2.0)
            .set("speed", 0.0);
        node.set("emitter", "Off").clip("Source", Source::constant([0.0; 4])).create().expect("a node")
    };
    let [dry, wet] = [0, 30].map(|preroll| rainy(preroll).frame(1.0).expect("renders"));
    let count = |frame: &Frame| frame.rgba().iter().filter(|pixel| pixel[3] > 1e-3).count();
    assert!(count(&wet) > 3 * count(&dry), "{} and {}", count(&wet), count(&dry));
}

#[test]
fn times_between_frames_never_enter_the_chain() {
    for model in ["Puddles and ponds", "Legacy pipes"] {
        let build = |plugin: &Plugin| shot(plugin).set("model", model).set("substeps", 4);
        let (_host, plugin) = private_flow(Profile::generic());
        let node = build(&plugin).create().expect("a node");
        let half = node.frame(10.5).expect("renders");
        assert_eq!(simulated(&half), 10, "{model}: the whole frames before it");
        assert!(bits(&half) != at(&node, 10.0) && bits(&half) != at(&node, 11.0), "{model}: it lies between");
        let next = node.frame(11.0).expect("renders");
        assert!(simulated(&next) == 0 || simulated(&next) == 1);
        assert!(bits(&next) == cold(build, 11.0), "{model}: 11 after 10.5 is 11");
        assert!(bits(&half) == cold(build, 10.5) && bits(&half) == at(&node, 10.5), "{model}: 10.5 is always 10.5");
        let stored = |node: &Node| node.frame(11.0).expect("renders").stat("stored").unwrap_or(f64::NAN);
        let before = stored(&node);
        for time in [3.25, 7.5, 10.9, 10.999_999_9] {
            assert_eq!(simulated(&node.frame(time).expect("renders")), 0, "{model}: frame {time}");
        }
        assert_eq!(stored(&node), before, "{model}: nothing of them is kept");
        assert!(at(&node, 10.999_999_9) == at(&node, 11.0), "{model}: as good as whole");
        if model == "Puddles and ponds" {
            let [a, b, c] = [10.0, 10.5, 11.0].map(|time| volume(&node.frame(time).expect("renders")));
            assert!(a < b && b < c, "{a} < {b} < {c}: half a frame's inflow");
        }
    }
}

#[test]
fn a_time_scale_of_zero_freezes_the_water() {
    let (_host, plugin) = private_flow(Profile::generic());
    for model in ["Puddles and ponds", "Legacy pipes"] {
        for mode in ["Start frame", "Add", "Replace", "Fill up"] {
            let node = shot(&plugin)
                .set("model", model)
                .set("sourceMode", mode)
                .key("timeScale", 8.0, 1.0)
                .key("timeScale", 9.0, 0.0)
                .key("timeScale", 14.0, 0.0)
                .key("timeScale", 15.0, 1.0)
                .create()
                .expect("a node");
            let held = at(&node, 8.0);
            for time in [9.0, 10.0, 13.0, 14.0] {
                assert!(at(&node, time) == held, "{model}, {mode}: frame {time}");
            }
            assert!(at(&node, 15.0) != held, "{model}, {mode}: it goes on");
        }
    }
}

#[test]
fn times_beyond_the_limits_give_a_message() {
    let (_host, plugin) = private_flow(Profile::generic());
    let node = shot(&plugin).create().expect("a node");
    for (time, why) in
        [(100_002.0, "Raise Start frame"), (5e8, "Raise Start frame"), (1e12, "no frame"), (-1e12, "no frame")]
    {
        let message = node.frame(time).expect_err("no such frame").to_string();
        assert!(message.contains(why), "frame {time}: {message}");
    }
    let (_kind, text) = node.persistent_message().expect("it stands until a frame is right");
    assert!(!text.is_empty());
    let good = node.frame(3.0).expect("renders");
    assert!(volume(&good) > 0.0);
    assert!(node.persistent_message().is_none(), "{:?}", node.persistent_message());
    for start in [-1_000_000, 1_000_000] {
        let far = shot(&plugin).set("startFrame", start).create().expect("a node");
        for time in [start, start + 2] {
            assert!(volume(&far.frame(f64::from(time)).expect("renders")) > 0.0, "frame {time}");
        }
    }
}
