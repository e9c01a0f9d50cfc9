//! Pictures as solids: the input Obstacles, and the input Depth.

use flow_host::{Event, Frame, Host, Node, NodeBuilder, Order, Plugin, Profile, Request, Source};

use super::common::{bits, bundle_path, check_greyed, info, moving, picture, simulated, total};
use super::{NODE, SIZE, bare, finite};

/// Distance of the picture's plane from the default camera, pixels.
const AWAY: f64 = 96.0 * 50.0 / 24.576;

const ON: &str = "Solid";

/// A rectangle of a matte in the middle of the frame above the emitter, on even pixels.
fn block() -> Source {
    Source::still(picture(SIZE[0], SIZE[1], |u, v| {
        let inside = (u * 96.0 - 48.0).abs() < 10.0 && (v * 64.0 - 32.0).abs() < 6.0;
        if inside { [0.5, 0.5, 0.5, 1.0] } else { [0.0; 4] }
    }))
}

/// A matte that moves to the right.
fn walker() -> Source {
    moving(1, 8, |time| {
        picture(SIZE[0], SIZE[1], move |u, v| {
            let inside = (u - 0.35 - 0.04 * time).hypot(v - 0.5) < 0.12;
            [0.0, 0.0, 0.0, if inside { 1.0 } else { 0.0 }]
        })
    })
}

/// A wall that leans towards the camera at its foot, under a sky.
fn scenery() -> Source {
    Source::still(picture(SIZE[0], SIZE[1], |_, v| {
        [if v < 0.8 { (AWAY - 12.0 + 40.0 * v) as f32 } else { f32::INFINITY }, 0.0, 0.0, 1.0]
    }))
}

fn solid(plugin: &Plugin) -> NodeBuilder {
    let node = bare(plugin).set("buoyancy", 0.4).clip("Obstacles", block());
    node.set("obstacles", ON).set("obstaclesThickness", 10.0)
}

/// Both pictures, in motion, before a camera that moves.
fn lively(plugin: &Plugin) -> NodeBuilder {
    bare(plugin)
        .clip("Obstacles", walker())
        .clip("Depth", scenery())
        .set("obstacles", ON)
        .set("obstaclesDepth", 0.1)
        .set("depthSolid", ON)
        .set("noise", 0.3)
        .set("camera", "Parameters")
        .key("translate", 1.0, [0.0, 0.0, 0.0])
        .key("translate", 8.0, [6.0, 2.0, -10.0])
}

/// Alpha over a rectangle of pixels.
fn alpha(frame: &Frame, [x1, y1, x2, y2]: [i32; 4]) -> f64 {
    (y1..y2).flat_map(|y| (x1..x2).map(move |x| f64::from(frame.pixel(x, y)[3]))).sum()
}

#[test]
fn smoke_flows_around_a_matte_and_is_not_in_it() {
    NODE.process(2, |plugin| {
        let free = bare(plugin).set("buoyancy", 0.4).create().expect("a node").frame(40.0).expect("renders");
        let node = solid(plugin).create().expect("a node");
        let frame = node.frame(40.0).expect("renders");
        // The matte goes through the whole depth of the box; smoke ends two cells, or four pixels, within its outline.
        assert_eq!(alpha(&frame, [42, 30, 54, 34]), 0.0);
        assert!(alpha(&free, [42, 30, 54, 34]) > 1.0);
        let beside = |frame: &Frame| alpha(frame, [24, 26, 38, 38]) + alpha(frame, [58, 26, 72, 38]);
        assert!(beside(&frame) > 1.0 + 2.0 * beside(&free), "{} {}", beside(&frame), beside(&free));
        // A thin one in front of the box is in nobody's way.
        node.set("obstaclesThickness", 0.05).expect("set");
        node.set("obstaclesDepth", 0.5).expect("set");
        let away = node.frame(40.0).expect("renders");
        assert!(simulated(&away) > 0);
        assert!((total(&away, 3) / total(&free, 3) - 1.0).abs() < 0.1, "{} {}", total(&away, 3), total(&free, 3));
    });
}

#[test]
fn any_order_any_threads_and_the_disk_give_the_same_bits() {
    NODE.check_orders(lively, &[1.0, 3.0, 4.5, 6.0], [(Order::Reverse, 2), (Order::Random(5), 3)]);
    NODE.check_disk(lively, 4);
}

#[test]
fn a_picture_that_is_no_solid_enters_no_key() {
    NODE.process(2, |plugin| {
        let plain = bare(plugin).create().expect("a node").frame(6.0).expect("renders");
        let node = bare(plugin).clip("Obstacles", block()).clip("Depth", scenery()).create().expect("a node");
        let shown = node.frame(6.0).expect("renders");
        assert_eq!(simulated(&shown), 0, "the state of the node without inputs");
        node.connect("Depth", None).expect("disconnects");
        assert!(bits(&node.frame(6.0).expect("renders")) == bits(&plain));
        let digest = |node: &Node| node.value("simDigest", 1.0).expect("there").text().unwrap_or_default().to_owned();
        node.set("camera", "Parameters").expect("set");
        node.set("cells", 24).expect("set");
        let before = digest(&node);
        node.set("translate", [3.0, 0.0, 0.0]).expect("set");
        assert_eq!(digest(&node), before, "the camera enters no key");
        let states = |name: &str| (name.to_owned(), simulated(&node.frame(6.0).expect("renders")));
        states("cells");
        node.set("boxCentre", [40.0, 30.0]).expect("set");
        assert_eq!(states("boxCentre").1, 0);
        node.set("obstacles", ON).expect("set");
        assert!(states("obstacles").1 > 0);
        let before = digest(&node);
        node.set("translate", [5.0, 0.0, 0.0]).expect("set");
        assert_ne!(digest(&node), before, "the camera places the solid");
        assert!(states("translate").1 > 0);
        for (name, value) in [("boxDepth", 5.0), ("obstaclesDepth", 0.2), ("obstaclesThickness", 0.3), ("focal", 45.0)]
        {
            node.set(name, value).expect("set");
            assert!(states(name).1 > 0, "{name}");
        }
        node.set("opacity", 20.0).expect("set");
        node.set("depthThickness", 0.7).expect("set");
        assert_eq!(states("opacity and what has no effect").1, 0);
        node.connect("Obstacles", Some(walker())).expect("connects");
        assert!(states("another matte").1 > 0);
    });
}

#[test]
fn an_input_that_is_missing_gives_one_message() {
    let cases =
        [("obstacles", ON, "input Obstacles"), ("depthSolid", ON, "input Depth"), ("catcher", "Depth", "input Depth")];
    for (choice, option, input) in cases {
        let host = Host::new(Profile { threads: 1, ..Profile::generic() });
        let plugin = host.load_private(bundle_path()).and_then(|bundle| bundle.plugin(NODE.id)).expect("the node");
        let plain = bare(&plugin).create().expect("a node").frame(3.0).expect("renders");
        let node = bare(&plugin).set(choice, option).create().expect("a node");
        let frame = node.frame(3.0).expect("renders");
        assert!(simulated(&frame) == 0 && bits(&frame) == bits(&plain), "nothing is there");
        node.frame(4.0).expect("renders");
        let text = |event: Event| if let Event::Message { text, .. } = event { Some(text) } else { None };
        let messages: Vec<_> = host.record().events().into_iter().filter_map(text).collect();
        assert!(messages.len() == 1 && messages[0].contains(input), "{messages:?}");
        assert!(messages[0].to_lowercase().contains("connect") && info(&node).contains(&messages[0]), "{messages:?}");
    }
}

#[test]
fn pictures_of_bad_numbers_and_other_sizes_do_no_harm() {
    NODE.process(2, |plugin| {
        let plain = bare(plugin).create().expect("a node").frame(4.0).expect("renders");
        let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1e30, 1e30, 0.0];
        let mixed = |width, height| {
            Source::still(picture(width, height, move |u, v| {
                let at = (u * 13.0) as usize + 3 * (v * 9.0) as usize;
                [bad[at % 6], bad[(at + 1) % 6], 50.0, bad[(at + 2) % 6]]
            }))
        };
        for (width, height) in [(96, 64), (7, 5), (1, 1), (300, 20)] {
            let node = bare(plugin)
                .clip("Obstacles", mixed(width, height))
                .clip("Depth", mixed(width, height))
                .set("obstacles", ON)
                .set("depthSolid", ON)
                .create()
                .expect("a node");
            assert!(finite(&node.frame(4.0).expect("renders")), "{width} x {height}");
        }
        let empty = bare(plugin).clip("Obstacles", Source::constant([0.0; 4])).set("obstacles", ON);
        let frame = empty.create().expect("a node").frame(4.0).expect("renders");
        assert!(bits(&frame) == bits(&plain), "an empty matte is no solid");
        let sky = bare(plugin).clip("Depth", Source::constant([0.0; 4])).set("depthSolid", ON);
        let frame = sky.create().expect("a node").frame(4.0).expect("renders");
        assert!(bits(&frame) == bits(&plain), "a sky is no solid");
        let gone = bare(plugin).clip("Obstacles", Source::pictures(|_| None)).set("obstacles", ON);
        assert!(finite(&gone.create().expect("a node").frame(4.0).expect("renders")));
    });
}

#[test]
fn a_wall_of_the_depth_stops_a_jet() {
    NODE.process(2, |plugin| {
        let jet = |plugin: &Plugin| {
            bare(plugin)
                .set("emitter1Centre", [0.0, 0.5, 0.25])
                .set("emitter1Velocity", [0.0, 0.0, -8.0])
                .set("buoyancy", 0.0)
                .set("output", "Depth")
        };
        let free = jet(plugin).create().expect("a node").frame(16.0).expect("renders");
        // The wall stands in the middle of the box: the jet spreads on it, instead of going through.
        let wall = Source::constant([AWAY as f32, 0.0, 0.0, 1.0]);
        let node = jet(plugin).clip("Depth", wall).set("depthSolid", ON).set("depthThickness", 0.1);
        let frame = node.create().expect("a node").frame(16.0).expect("renders");
        let spread = |frame: &Frame| frame.rgba().iter().filter(|pixel| pixel[0] > 0.0).count();
        assert!(spread(&frame) as f64 > 1.2 * spread(&free) as f64, "{} {}", spread(&frame), spread(&free));
    });
}

#[test]
fn a_proxy_shows_smoke_around_the_same_solid() {
    NODE.process(2, |plugin| {
        let node = solid(plugin).set("proxy", "Full grid").create().expect("a node");
        let scaled = solid(plugin).create().expect("a node");
        let shown = |node: &Node, scale: f64| {
            let frame = node.render(&Request::at(10.0).scale(scale, scale)).expect("renders");
            total(&frame, 3) / (scale * scale)
        };
        let full = shown(&node, 1.0);
        assert_eq!(shown(&scaled, 1.0), full);
        for half in [shown(&node, 0.5), shown(&scaled, 0.5)] {
            assert!((half / full - 1.0).abs() < 0.02, "{half} {full}");
        }
    });
}

#[test]
fn parameters_of_solids_that_are_off_are_greyed() {
    NODE.process(1, |plugin| {
        let node = bare(plugin).create().expect("a node");
        let own = ["obstaclesDepth", "obstaclesThickness", "depthThickness"];
        check_greyed(&node, &["obstacles", "depthSolid"], &own, "a new node");
        node.set("obstacles", ON).expect("set");
        check_greyed(&node, &own[..2], &own[2..], "a matte");
        node.set("depthSolid", ON).expect("set");
        check_greyed(&node, &own, &[], "both");
    });
}
