//! Planes: in a host with planes one node renders several at once, each equal to the picture of an output,
//! with one simulation; in a host without them, or with faulty ones, all other features work.

mod common;

use common::{bits, private_flow, scene, simulated};
use flow_host::profile::Planes;
use flow_host::{
    Components, Context, Depth, Event, Frame, Host, Image, InputPremult, Node, Plane, Plugin, Premultiplication,
    Profile, Project, Request, RowLayout, Status, Value,
};

const WIDTH: i32 = 80;
const HEIGHT: i32 = 48;

/// Name, channels, option of `output` and its channels.
type Layer = (&'static str, &'static [&'static str], &'static str, &'static [usize]);

const FLOW: [Layer; 9] = [
    ("cross", &["R", "G", "B", "A"], "Cross", &[0, 1, 2, 3]),
    ("diagonal", &["R", "G", "B", "A"], "Diagonal", &[0, 1, 2, 3]),
    ("surface", &["surface", "terrain", "wet"], "Height", &[1, 2, 3]),
    ("velocity", &["x", "y"], "Velocity", &[0, 1]),
    ("normal", &["x", "y", "z"], "Normals", &[0, 1, 2]),
    ("foam", &["foam"], "Foam", &[0]),
    ("wetness", &["wetness"], "Wetness", &[0]),
    ("forward", &["u", "v"], "Motion vectors", &[0, 1]),
    ("backward", &["u", "v"], "Motion vectors", &[2, 3]),
];

const SMOKE: [Layer; 8] = [
    ("density", &["density"], "Density", &[0]),
    ("velocity", &["x", "y"], "Velocity", &[0, 1]),
    ("forward", &["u", "v"], "Motion vectors", &[0, 1]),
    ("backward", &["u", "v"], "Motion vectors", &[2, 3]),
    ("vorticity", &["vorticity"], "Vorticity", &[0]),
    ("pressure", &["pressure"], "Pressure", &[0]),
    ("divergence", &["divergence"], "Divergence", &[0]),
    ("temperature", &["temperature"], "Temperature", &[0]),
];

fn rules_kept(host: &Host) {
    let record = host.record();
    assert!(record.violations().is_empty(), "{:?}", record.violations());
    assert_eq!(record.leaked_images(), 0);
}

fn water(plugin: &Plugin) -> Node {
    scene(plugin, WIDTH, HEIGHT).create().expect("a node")
}

fn smoke(profile: Profile) -> (Host, Node) {
    let host = Host::new(profile);
    let bundle = host.load_private(common::bundle_path()).expect("the bundle loads");
    let plugin = bundle.plugin("org.flowofx.FlowSmoke").expect("the bundle has FlowSmoke");
    let project = Project::new(WIDTH as u32, HEIGHT as u32).frames(1.0, 100.0);
    let node =
        plugin.node(Context::General).set("output", "Dye").project(project).set("jet1Heat", 1.0).set("device", "CPU");
    (host, node.create().expect("a node"))
}

/// A plane's channels, pixel by pixel, as bits.
fn channels(image: &Image, count: usize) -> Vec<Vec<u32>> {
    let bounds = image.bounds();
    let pixels = (bounds.y1..bounds.y2).flat_map(|y| (bounds.x1..bounds.x2).map(move |x| (x, y)));
    pixels.map(|(x, y)| image.channels(x, y)[..count].iter().map(|v| v.to_bits()).collect()).collect()
}

/// The channels of a layer, as its output has them.
fn shown(frame: &Frame, which: &[usize]) -> Vec<Vec<u32>> {
    bits(frame).iter().map(|pixel| which.iter().map(|&channel| pixel[channel]).collect()).collect()
}

fn check_layers(frame: &Frame, node: &Node, layers: &[Layer]) {
    for (name, names, output, which) in layers {
        let plane = frame.plane(name).unwrap_or_else(|| panic!("{name} was rendered"));
        let (declared, _) = frame.planes.iter().find(|(plane, _)| plane.name == *name).expect("there");
        assert_eq!(declared.channels, *names, "{name}");
        node.set("output", *output).expect("is set");
        let alone = node.frame(frame.time).expect("renders");
        assert_eq!(simulated(&alone), 0, "{name}: the outputs share their state");
        let wanted = shown(&alone, which);
        assert!(wanted.iter().flatten().any(|bits| *bits != 0), "{output} shows something");
        assert!(channels(plane, which.len()) == wanted, "{name} is not {output}");
    }
}

#[test]
fn natron_renders_all_planes_of_one_node_in_one_action() {
    let (host, plugin) = private_flow(Profile::natron());
    let node = water(&plugin);
    let planes = node.planes(8.0).expect("is declared");
    assert_eq!(planes[0], Plane::colour());
    let names: Vec<&str> = planes[1..].iter().map(|plane| plane.name.as_str()).collect();
    assert_eq!(names, FLOW.map(|(name, ..)| name));
    host.record().clear();
    let frame = node.render(&Request::at(8.0).planes(&planes)).expect("renders");
    assert_eq!(host.record().count("OfxImageEffectActionRender"), 1);
    assert_eq!((simulated(&frame), frame.planes.len()), (8, FLOW.len()), "one simulation for all");
    // The colour plane is the choice of `output`.
    let (_plain, plain) = private_flow(Profile::generic());
    assert_eq!(bits(&frame), bits(&water(&plain).frame(8.0).expect("renders")));
    check_layers(&frame, &node, &FLOW);
    rules_kept(&host);
}

#[test]
fn smoke_renders_all_planes_in_one_action() {
    let (host, node) = smoke(Profile::natron());
    let planes = node.planes(6.0).expect("is declared");
    let names: Vec<&str> = planes[1..].iter().map(|plane| plane.name.as_str()).collect();
    assert_eq!(names, SMOKE.map(|(name, ..)| name));
    let frame = node.render(&Request::at(6.0).planes(&planes)).expect("renders");
    assert_eq!(simulated(&frame), 6);
    check_layers(&frame, &node, &SMOKE);
    rules_kept(&host);
}

#[test]
fn a_layer_alone_is_rendered_without_colour_and_at_any_scale_depth_and_layout() {
    let (host, plugin) = private_flow(Profile::natron());
    let node = water(&plugin);
    let velocity = [Plane::named("velocity", &["x", "y"])];
    for (depth, rows) in [
        (Depth::Float, RowLayout { negative: true, padding: 12 }),
        (Depth::Short, RowLayout::default()),
        (Depth::Byte, RowLayout { negative: false, padding: 3 }),
    ] {
        let request = Request::at(6.0).scale(0.5, 0.5).depth(depth).rows(rows);
        node.set("output", "Water").expect("is set");
        let frame = node.render(&request.clone().planes(&velocity)).expect("renders");
        assert!(frame.rgba().iter().flatten().all(|v| *v == 0.0), "colour was not asked for");
        node.set("output", "Velocity").expect("is set");
        let alone = node.render(&request).expect("renders");
        assert!(channels(frame.plane("velocity").expect("there"), 2) == shown(&alone, &[0, 1]), "{depth:?}");
    }
    rules_kept(&host);
}

/// Layers of two channels.
const PAIRS: [&str; 3] = ["velocity", "forward", "backward"];

#[test]
fn natron_has_images_of_two_channels_and_writes_motion_unchanged() {
    let (host, plugin) = private_flow(Profile::natron());
    let node = water(&plugin);
    let planes = node.planes(8.0).expect("is declared");
    let frame = node.render(&Request::at(8.0).planes(&planes)).expect("renders");
    for name in PAIRS {
        assert_eq!(frame.plane(name).expect("there").components(), Components::Xy, "{name}");
    }
    // As Natron's Write with all planes stores them in a file.
    let (colour, written) = node.written(&frame, InputPremult::Premultiplied).expect("writes");
    assert_eq!(channels(&colour, 4), channels(&frame.image, 4), "no plane lands in the colour");
    let names: Vec<&str> = written.iter().map(|(plane, _)| plane.name.as_str()).collect();
    assert_eq!(names, FLOW.map(|(name, ..)| name), "none is lost");
    check_layers(&Frame { planes: written, ..frame }, &node, &FLOW);
    rules_kept(&host);
}

#[test]
fn the_built_in_motion_planes_of_older_projects_are_rendered() {
    let (host, plugin) = private_flow(Profile::natron());
    let node = water(&plugin);
    let frame = node.render(&Request::at(8.0).planes(&[Plane::forward(), Plane::backward()])).expect("renders");
    check_layers(&frame, &node, &FLOW[7..]);
    rules_kept(&host);
}

#[test]
fn a_plane_of_two_channels_fills_the_rgb_image_that_the_host_gives_for_it() {
    let (host, plugin) = private_flow(Profile { closest_planes: true, ..Profile::natron() });
    let node = water(&plugin);
    let planes = node.planes(8.0).expect("is declared");
    let frame = node.render(&Request::at(8.0).planes(&planes)).expect("renders");
    for name in PAIRS {
        let image = frame.plane(name).expect("there");
        assert_eq!(image.components(), Components::Rgb, "{name}");
        let bounds = image.bounds();
        assert!((bounds.x1..bounds.x2).all(|x| image.pixel(x, 24)[2] == 0.0), "the blue of {name} is not 0");
    }
    check_layers(&frame, &node, &FLOW);
    assert_eq!(frame.messages, [""; 0]);
    rules_kept(&host);
}

#[test]
fn a_layer_without_a_host_image_is_reported_once() {
    let (host, plugin) = private_flow(Profile::natron());
    let node = water(&plugin);
    let planes = node.planes(4.0).expect("is declared");
    let velocity = planes.iter().find(|plane| plane.name == "velocity").expect("there").clone();
    let render = |time: f64| {
        let request = Request::at(time).planes(&planes).withhold(std::slice::from_ref(&velocity));
        node.render(&request).expect("renders").messages
    };
    let shown = render(4.0);
    assert!(shown.len() == 1 && shown[0].contains("no image for the layer velocity"), "{shown:?}");
    assert_eq!(render(5.0), [""; 0]);
    rules_kept(&host);
}

/// The outputs of a node that are pictures with an alpha that is coverage; all others are data.
fn check_premultiplication(node: &Node, outputs: &[String], pictures: &[&str]) {
    for output in outputs {
        node.set("output", output.as_str()).expect("is set");
        let claimed = node.preferences().expect("agrees").premultiplication;
        let frame = node.frame(6.0).expect("renders");
        let same = |input| {
            bits(&frame) == bits(&Frame { image: node.written(&frame, input).expect("writes").0, ..frame.clone() })
        };
        assert!(same(InputPremult::Premultiplied), "{output} is written as it is");
        if pictures.contains(&output.as_str()) {
            assert_eq!(claimed, Premultiplication::Premultiplied, "{output}");
            assert!(same(InputPremult::Automatic), "{output} is written as it is");
            let covers = |[r, g, b, a]: &[f32; 4]| *a > 0.0 || [r, g, b].iter().all(|v| **v == 0.0);
            assert!(output == "Fire" || frame.rgba().iter().all(covers), "{output} has colour where nothing is");
        } else {
            assert_eq!(claimed, Premultiplication::Unpremultiplied, "{output}");
        }
    }
}

#[test]
fn every_output_declares_its_premultiplication() {
    let options = |plugin: &Plugin| {
        let described = plugin.describe(Context::General).expect("describes");
        described.params.into_iter().find(|param| param.name == "output").expect("there").options
    };
    let (host, plugin) = private_flow(Profile::natron());
    let outputs = options(&plugin);
    assert_eq!(outputs.len(), 13);
    for mode in ["Over bed", "Water only"] {
        let node = water(&plugin);
        node.set("alphaMode", mode).expect("is set");
        check_premultiplication(&node, &outputs, &["Beauty"]);
    }
    // Write alters data by default: the pages on outputs name the setting that prevents it.
    for page in [include_str!("../docs/guide.md"), include_str!("../docs/look.md"), include_str!("../docs/smoke.md")] {
        let words: Vec<&str> = page.split_whitespace().collect();
        let text = words.join(" ").replace('*', "");
        assert!(text.contains("Input Premult") && text.contains("to Premultiplied"));
    }
    let node = water(&plugin);
    node.set("output", "Height").expect("is set");
    let frame = node.frame(6.0).expect("renders");
    let (written, _) = node.written(&frame, InputPremult::Automatic).expect("writes");
    assert_ne!(channels(&written, 4), channels(&frame.image, 4));
    rules_kept(&host);
    let (host, node) = smoke(Profile::natron());
    let bundle = host.load_private(common::bundle_path()).expect("the bundle loads");
    let outputs = options(&bundle.plugin("org.flowofx.FlowSmoke").expect("the bundle has FlowSmoke"));
    check_premultiplication(&node, &outputs, &["Dye", "Smoke", "Fire", "Ink"]);
    rules_kept(&host);
}

#[test]
fn nuke_has_the_motion_planes() {
    let (host, plugin) = private_flow(Profile::nuke());
    let node = water(&plugin);
    assert!(node.preferences().expect("agrees").motion);
    let planes = node.planes(8.0).expect("is declared");
    assert_eq!(planes, [Plane::colour(), Plane::forward(), Plane::backward()]);
    let frame = node.render(&Request::at(8.0).planes(&planes)).expect("renders");
    assert_eq!(simulated(&frame), 8);
    check_layers(&frame, &node, &FLOW[7..]);
    // Nothing is lost when no planes are requested.
    node.set("output", "Water").expect("is set");
    assert_eq!(bits(&node.frame(8.0).expect("renders")), bits(&frame));
    assert_eq!(host.record().count("uk.co.thefoundry.OfxImageEffectActionGetClipComponents"), 0);
    rules_kept(&host);
}

#[test]
fn plane_functions_are_not_called_in_hosts_without_planes() {
    const SUITE: &str = "uk.co.thefoundry.FnOfxImageEffectPlaneSuite";
    for profile in [Profile::generic(), Profile::resolve(), Profile::mlt()] {
        let (host, plugin) = private_flow(profile);
        let context = plugin.default_context().expect("has one");
        let node = plugin.node(context).set("output", "Water").project(Project::new(32, 32));
        let node = node.clip("Source", flow_host::Source::constant([0.5; 4])).create().expect("a node");
        let frame = node.frame(1.0).expect("renders");
        assert!(frame.planes.is_empty());
        assert_eq!(node.planes(1.0).expect("is declared"), [Plane::colour()]);
        for event in host.record().events() {
            match &event {
                Event::NoSuite { name, .. } => assert_ne!(name, SUITE),
                // The query for planes itself.
                Event::NoProperty { set, .. } if set == "host" => {}
                Event::NoProperty { name, .. } => {
                    assert!(!name.starts_with("uk.co.thefoundry.") && !name.contains("Planes"), "{event:?}");
                }
                _ => {}
            }
        }
        assert_eq!(host.record().count("clipGetImagePlane"), 0);
        rules_kept(&host);
    }
}

#[test]
fn a_host_that_names_planes_but_has_no_suite_gets_colour() {
    for with in [None, Some(0)] {
        let mut profile = Profile::natron();
        profile.suites.retain(|(name, _)| !name.ends_with("PlaneSuite"));
        if let Some(version) = with {
            profile = profile.with_planes(Planes::Any, version);
        }
        let (host, plugin) = private_flow(profile);
        let node = water(&plugin);
        assert_eq!(node.planes(4.0).expect("is declared"), [Plane::colour()]);
        assert!(common::total(&node.frame(4.0).expect("renders"), 3) > 1.0);
        rules_kept(&host);
    }
    // Version 1 of the suite is enough.
    let mut profile = Profile::natron();
    profile.suites.retain(|(name, _)| !name.ends_with("PlaneSuite"));
    let (host, plugin) = private_flow(profile.with_planes(Planes::Any, 1));
    let node = water(&plugin);
    let planes = node.planes(4.0).expect("is declared");
    let frame = node.render(&Request::at(4.0).planes(&planes)).expect("renders");
    check_layers(&frame, &node, &FLOW);
    rules_kept(&host);
}

#[test]
fn a_host_error_about_a_plane_affects_that_plane_alone() {
    let (host, plugin) = private_flow(Profile::natron());
    let node = water(&plugin);
    let good = node.frame(5.0).expect("renders");
    let planes = node.planes(5.0).expect("is declared");
    let blank = |frame: &Frame, name: &str| {
        let image = frame.plane(name).expect("there");
        channels(image, 4).iter().flatten().all(|bits| *bits == 0)
    };
    let broken: [(&str, Option<Value>); 7] = [
        ("OfxImagePropData", Some(Value::from(0))),
        ("OfxImagePropData", None),
        ("OfxImageEffectPropComponents", Some(Value::from("OfxImageComponentRGB"))),
        ("OfxImageEffectPropComponents", Some(Value::from("nonsense"))),
        ("OfxImageEffectPropComponents", None),
        ("OfxImagePropRowBytes", Some(Value::from(4))),
        ("OfxImagePropBounds", None),
    ];
    for (property, value) in broken {
        let request = Request::at(5.0).planes(&planes).misstate("Output.velocity", property, value.clone());
        let frame = node.render(&request).expect("renders");
        assert_eq!(bits(&frame), bits(&good), "{property} {value:?}");
        assert!(blank(&frame, "velocity") && !blank(&frame, "cross"), "{property} {value:?}");
    }
    // A plane without an image, and unknown planes.
    let unknown = [Plane::named("nothing", &["a", "b"]), Plane::named("cross", &["x"])];
    let request = Request::at(5.0).planes(&[planes.clone(), unknown.to_vec()].concat()).withhold(&planes[1..2]);
    let frame = node.render(&request).expect("renders");
    assert_eq!(bits(&frame), bits(&good));
    assert!(blank(&frame, "nothing") && !blank(&frame, "velocity"));
    // If no plane is left to render, a message says so.
    for request in [Request::at(5.0).planes(&unknown), Request::at(5.0).planes(&planes[1..2]).withhold(&planes[1..2])] {
        let error = node.render(&request).expect_err("there is nothing to render").to_string();
        assert!(error.contains("asked for layers that this node does not have"), "{error}");
    }
    let again = node.frame(5.0).expect("renders");
    assert_eq!(bits(&again), bits(&good));
    assert_eq!(node.persistent_message(), None);
    rules_kept(&host);
}

#[test]
fn invalid_requests_for_planes_get_a_status() {
    const ASK: &str = "uk.co.thefoundry.OfxImageEffectActionGetClipComponents";
    let (_host, plugin) = private_flow(Profile::natron());
    let node = water(&plugin);
    let handle = node.handle().expect("has one");
    let time = [("OfxPropTime", Value::from(1.0))];
    for (effect, inputs, outputs) in [
        (0, None, None),
        (12345, Some(&time[..]), None),
        (handle, None, None),
        (handle, Some(&time[..]), None),
        (handle, Some(&time[..]), Some(&[][..])),
        (handle, Some(&[][..]), Some(&[][..])),
    ] {
        assert_ne!(plugin.misuse(ASK, effect, inputs, outputs), Status::OK);
    }
    assert!(common::total(&node.frame(2.0).expect("renders"), 3) > 1.0);
}

#[test]
fn parameters_of_planes_stay_enabled_in_hosts_with_planes() {
    let greyed = |profile: Profile| {
        let (_host, plugin) = private_flow(profile);
        let node = water(&plugin);
        node.set("output", "Water").expect("is set");
        ["relief", "roughness"].map(|name| node.param_flag(name, "OfxParamPropEnabled").expect("there") == Some(0))
    };
    assert_eq!(greyed(Profile::generic()), [true, true]);
    assert_eq!(greyed(Profile::natron()), [false, true]);
}

#[test]
fn frames_before_the_start_equal_the_start_if_their_planes_do() {
    let (host, plugin) = private_flow(Profile::natron());
    let node = scene(&plugin, WIDTH, HEIGHT).set("startFrame", 10).create().expect("a node");
    let planes = node.planes(4.0).expect("is declared");
    let early = node.render(&Request::at(4.0).planes(&planes)).expect("renders");
    assert_eq!(early.identity, Some(("Output".to_owned(), 10.0)));
    let start = node.render(&Request::at(10.0).planes(&planes)).expect("renders");
    assert_eq!(channels(early.plane("normal").expect("there"), 3), channels(start.plane("normal").expect("there"), 3));
    node.set_key("relief", 1.0, 50.0).expect("is set");
    node.set_key("relief", 10.0, 100.0).expect("is set");
    let early = node.render(&Request::at(4.0).planes(&planes)).expect("renders");
    assert_eq!(early.identity, None);
    rules_kept(&host);
}
