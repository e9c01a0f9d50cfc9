//! The matte of the input Emission as the shape of emitters, and force fields.

use flow_host::{Event, Frame, Host, Node, NodeBuilder, Order, Plugin, Profile, Source};

use super::common::{bits, bundle_path, check_greyed, info, moving, picture, simulated, total};
use super::{NODE, SIZE, bare, finite};

const MATTE: &str = "Matte";

/// A disc of a matte at a place of the frame, with this alpha.
fn disc(x: f64, y: f64, alpha: f32) -> impl Fn(f64, f64) -> [f32; 4] {
    move |u, v| {
        let inside = (u * 96.0 - x).hypot(v * 64.0 - y) < 8.0;
        [0.0, 0.0, 0.0, if inside { alpha } else { 0.0 }]
    }
}

/// A node that emits still smoke where the matte is.
fn emitting(plugin: &Plugin, matte: Source) -> NodeBuilder {
    bare(plugin)
        .clip("Emission", matte)
        .set("emitter1Shape", MATTE)
        .set("emitter1Centre", [0.0, 0.5, 0.0])
        .set("emitter1Radius", 0.1)
        .set("emitter1Breakup", 0.0)
        .set("buoyancy", 0.0)
        .set("noise", 0.0)
        .set("swirl", 0.0)
        .set("preroll", 0)
        .set("output", "Density")
}

fn still(x: f64, y: f64, alpha: f32) -> Source {
    Source::still(picture(SIZE[0], SIZE[1], disc(x, y, alpha)))
}

/// The sum of the optical depth, and its centre.
fn smoke(frame: &Frame) -> (f64, [f64; 2]) {
    let (mut sum, mut place) = (0.0, [0.0; 2]);
    for y in 0..SIZE[1] {
        for x in 0..SIZE[0] {
            let here = f64::from(frame.pixel(x, y)[0]);
            sum += here;
            place = [place[0] + here * (f64::from(x) + 0.5), place[1] + here * (f64::from(y) + 0.5)];
        }
    }
    (sum, place.map(|side| side / sum))
}

fn made(node: NodeBuilder) -> Node {
    node.create().expect("a node")
}

#[test]
fn smoke_comes_where_the_camera_sees_the_matte() {
    NODE.process(2, |plugin| {
        let node = made(emitting(plugin, still(58.0, 40.0, 1.0)));
        let frame = node.frame(1.0).expect("renders");
        let (whole, place) = smoke(&frame);
        assert!((place[0] - 58.0).abs() < 0.5 && (place[1] - 40.0).abs() < 0.5, "{place:?}");
        for (x, y) in [(44, 40), (72, 40), (58, 26), (58, 54)] {
            assert_eq!(frame.pixel(x, y)[0], 0.0, "outside at {x}, {y}");
        }
        // The same disc nearer to the camera: its smoke is at the same pixels.
        node.set("emitter1Centre", [0.0, 0.5, 0.25]).expect("set");
        let (_, near) = smoke(&node.frame(1.0).expect("renders"));
        assert!((near[0] - 58.0).abs() < 0.5 && (near[1] - 40.0).abs() < 0.5, "{near:?}");
        // A matte of half the alpha emits half of the density, and a slab of half the thickness half of the depth.
        node.set("emitter1Centre", [0.0, 0.5, 0.0]).expect("set");
        node.connect("Emission", Some(still(58.0, 40.0, 0.5))).expect("connects");
        let half = smoke(&node.frame(1.0).expect("renders")).0 / whole;
        assert!((half - 0.5).abs() < 0.02, "{half}");
        node.connect("Emission", Some(still(58.0, 40.0, 1.0))).expect("connects");
        node.set("emitter1Radius", 0.2).expect("set");
        let thick = smoke(&node.frame(1.0).expect("renders")).0 / whole;
        assert!((thick - 2.0).abs() < 0.3, "{thick}");
    });
}

#[test]
fn the_camera_and_the_box_place_the_matte() {
    NODE.process(2, |plugin| {
        let node = made(emitting(plugin, still(48.0, 32.0, 1.0)).set("camera", "Parameters"));
        node.frame(1.0).expect("renders");
        for (name, value) in [("boxDepth", 9.0), ("focal", 60.0)] {
            node.set(name, value).expect("set");
            assert!(simulated(&node.frame(1.0).expect("renders")) > 0, "{name}");
        }
        node.set("translate", [5.0, 3.0, 0.0]).expect("set");
        let (_, place) = smoke(&node.frame(1.0).expect("renders"));
        assert!((place[0] - 48.0).abs() < 0.6 && (place[1] - 32.0).abs() < 0.6, "in the picture it stays: {place:?}");
        node.set("emitter1Shape", "Sphere").expect("set");
        node.frame(1.0).expect("renders");
        node.set("boxDepth", 3.0).expect("set");
        assert_eq!(simulated(&node.frame(1.0).expect("renders")), 0, "a sphere is placed by the box alone");
    });
}

#[test]
fn the_camera_is_in_the_key_of_an_emitter_that_is_switched_on_later() {
    NODE.process(2, |plugin| {
        let scene = emitting(plugin, still(48.0, 32.0, 1.0)).set("camera", "Parameters");
        let node = made(scene.key("emitter1", 1.0, false).key("emitter1", 3.0, true));
        let digest = || node.value("simDigest", 1.0).expect("there").text().unwrap_or_default().to_owned();
        node.set("cells", 24).expect("set");
        let before = digest();
        node.set("translate", [5.0, 0.0, 0.0]).expect("set");
        assert_ne!(digest(), before, "the camera places the matte");
    });
}

/// A matte that moves, with heat and fuel, in turbulence, an attractor and a vortex.
fn lively(plugin: &Plugin) -> NodeBuilder {
    let walker = moving(1, 8, |time| picture(SIZE[0], SIZE[1], disc(30.0 + 4.0 * time, 30.0, 1.0)));
    emitting(plugin, walker)
        .set("emitter1Fuel", 0.6)
        .set("emitter1Breakup", 0.5)
        .set("emitter1Velocity", [0.0, 3.0, 1.0])
        .set("emitter1VelocityNoise", 0.7)
        .set("buoyancy", 0.4)
        .set("noise", 0.3)
        .set("attractor", true)
        .set("vortex", true)
        .set("output", "Beauty")
}

/// [`lively`] smoke in the colours of a picture, and a second emitter of another colour.
fn coloured(plugin: &Plugin) -> NodeBuilder {
    let walker = moving(1, 8, |time| {
        let inside = disc(30.0 + 4.0 * time, 30.0, 1.0);
        picture(SIZE[0], SIZE[1], move |u, v| [0.9, u as f32, v as f32, 1.0].map(|part| part * inside(u, v)[3]))
    });
    lively(plugin)
        .clip("Emission", walker)
        .set("emitter1ColourFrom", "Emission")
        .set("emitter1Fuel", 0.0)
        .set("emitterCount", 2)
        .set("emitter2Colour", [0.1, 0.6, 1.0])
        .set("emitter2Centre", [-0.3, 0.2, 0.0])
        .set("emitter2Mode", "Add")
}

/// The sum of each channel.
fn sums(frame: &Frame) -> [f64; 3] {
    [0, 1, 2].map(|channel| total(frame, channel))
}

#[test]
fn smoke_has_the_colours_of_its_emitter_or_its_picture() {
    NODE.process(2, |plugin| {
        // Red on the left half of the disc, green on the right one; premultiplied.
        let halves = |alpha: f32| {
            let inside = disc(48.0, 32.0, alpha);
            Source::still(picture(SIZE[0], SIZE[1], move |u, v| {
                let alpha = inside(u, v)[3];
                if u < 0.5 { [alpha, 0.0, 0.0, alpha] } else { [0.0, alpha, 0.0, alpha] }
            }))
        };
        let node = made(emitting(plugin, halves(0.5)).set("output", "Beauty").set("albedo", [0.8; 3]));
        let white = node.frame(1.0).expect("renders");
        node.set("emitter1ColourFrom", "Emission").expect("set");
        let frame = node.frame(1.0).expect("renders");
        assert!(simulated(&frame) > 0, "the colours are a part of the simulation");
        let [left, right] = [43, 53].map(|x| frame.pixel(x, 32));
        assert!(left[0] > 0.05 && left[1] < 0.02 * left[0] && left[2] < 0.02 * left[0], "{left:?}");
        assert!(right[1] > 0.05 && right[0] < 0.02 * right[1] && right[2] < 0.02 * right[1], "{right:?}");
        assert_eq!([43, 53].map(|x| white.pixel(x, 32)[3]), [left[3], right[3]], "alpha is that of white smoke");
        // A colour of the emitter is a factor; the smoke takes it along.
        node.set("emitter1ColourFrom", "Colour").expect("set");
        node.set("emitter1Colour", [1.0, 0.5, 0.0]).expect("set");
        let whole = sums(&white);
        let [red, green, blue] = sums(&node.frame(1.0).expect("renders"));
        let shares = [red / whole[0], green / whole[1], blue / whole[2]];
        assert!((shares[0] - 1.0).abs() < 1e-6 && (shares[1] - 0.5).abs() < 2e-3 && shares[2] < 2e-3, "{shares:?}");
        node.set("emitter1Duration", 1).expect("set");
        node.set("buoyancy", 1.0).expect("set");
        let risen = sums(&node.frame(6.0).expect("renders"));
        assert!((risen[1] / risen[0] / (green / red) - 1.0).abs() < 0.02, "{risen:?} {red} {green}");
        node.set("emitter1Colour", [1.0; 3]).expect("set");
        node.set("emitter1Duration", 0).expect("set");
        node.set("buoyancy", 0.0).expect("set");
        assert!(bits(&node.frame(1.0).expect("renders")) == bits(&white));
    });
}

#[test]
fn coloured_smoke_has_the_same_bits_in_any_order_and_from_disk() {
    NODE.check_orders(coloured, &[1.0, 3.0, 4.5], [(Order::Reverse, 2), (Order::Random(5), 3)]);
    NODE.check_disk(coloured, 3);
}

#[test]
fn any_order_any_threads_and_the_disk_give_the_same_bits() {
    NODE.check_orders(lively, &[1.0, 3.0, 4.5, 6.0], [(Order::Reverse, 2), (Order::Random(5), 3)]);
    NODE.check_disk(lively, 4);
}

#[test]
fn a_matte_that_is_missing_gives_one_message() {
    let host = Host::new(Profile { threads: 1, ..Profile::generic() });
    let plugin = host.load_private(bundle_path()).and_then(|bundle| bundle.plugin(NODE.id)).expect("the node");
    let node = made(bare(&plugin).set("emitter1Shape", MATTE));
    let frame = node.frame(3.0).expect("renders");
    assert_eq!(total(&frame, 3), 0.0);
    node.frame(4.0).expect("renders");
    let text = |event: Event| if let Event::Message { text, .. } = event { Some(text) } else { None };
    let messages: Vec<_> = host.record().events().into_iter().filter_map(text).collect();
    assert!(messages.len() == 1 && messages[0].contains("connect a matte to the input Emission"), "{messages:?}");
    assert!(info(&node).contains(&messages[0]), "{messages:?}");
    // Without such an emitter the input enters no key.
    let plain = made(bare(&plugin)).frame(5.0).expect("renders");
    let wired = made(bare(&plugin).clip("Emission", still(40.0, 30.0, 1.0))).frame(5.0).expect("renders");
    assert!(simulated(&wired) == 0 && bits(&wired) == bits(&plain));
}

#[test]
fn mattes_of_bad_numbers_and_other_sizes_do_no_harm() {
    NODE.process(2, |plugin| {
        let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1e30, 1e30, 0.5];
        for (width, height) in [(96, 64), (7, 5), (1, 1), (300, 20)] {
            let matte = Source::still(picture(width, height, move |u, v| {
                let at = (u * 13.0) as usize + 3 * (v * 9.0) as usize;
                [0.0, 0.0, 50.0, bad[at % 6]]
            }));
            assert!(finite(&made(emitting(plugin, matte)).frame(3.0).expect("renders")), "{width} x {height}");
        }
        for gone in [Source::constant([0.0; 4]), Source::pictures(|_| None)] {
            let frame = made(emitting(plugin, gone)).frame(3.0).expect("renders");
            assert_eq!(smoke(&frame).0, 0.0);
        }
    });
}

#[test]
fn forces_move_smoke_and_are_greyed_when_off() {
    NODE.process(2, |plugin| {
        let plume = || emitting(plugin, still(48.0, 32.0, 1.0)).set("emitter1Duration", 2);
        let node = made(plume());
        let own = |force: &str| ["Centre", "Radius", "Strength"].map(|field| format!("{force}{field}"));
        for force in ["attractor", "vortex"] {
            let own = own(force);
            let own: Vec<&str> = own.iter().map(String::as_str).collect();
            check_greyed(&node, &[force], &own, "a new node");
        }
        let place = |node: &Node| smoke(&node.frame(12.0).expect("renders")).1;
        let rest = place(&node);
        node.set("attractor", true).expect("set");
        node.set("attractorCentre", [0.3, 0.5, 0.0]).expect("set");
        node.set("attractorStrength", 0.5).expect("set");
        let pulled = place(&node);
        assert!(pulled[0] > rest[0] + 4.0 && (pulled[1] - rest[1]).abs() < 2.0, "{rest:?} {pulled:?}");
        node.set("attractor", false).expect("set");
        node.set("vortex", true).expect("set");
        node.set("vortexAxis", "Z").expect("set");
        // The smoke is to the right of the axis: it goes up.
        node.set("vortexCentre", [-0.2, 0.5, 0.0]).expect("set");
        node.set("vortexStrength", 0.5).expect("set");
        let turned = place(&node);
        assert!(turned[1] > rest[1] + 3.0, "{rest:?} {turned:?}");
    });
}
