//! Each host by name: the scene renders in it, without violations, with the same water.

mod common;

use common::{bits, picture, private_flow, scene, terrain};
use flow_host::profile::Unconnected;
use flow_host::{Context, Event, Frame, Host, Node, NodeBuilder, Order, Plugin, Profile, Project, Request, Source};

const WIDTH: i32 = 80;
const HEIGHT: i32 = 48;
const FRAMES: [f64; 6] = [1.0, 2.0, 5.0, 6.0, 9.0, 12.0];

/// A host's name, and the profile that emulates it.
type Played = (&'static str, fn() -> Profile);

const PROFILES: [Played; 5] = [
    ("generic", Profile::generic),
    ("nuke", Profile::nuke),
    ("natron", Profile::natron),
    ("resolve", Profile::resolve),
    ("mlt", Profile::mlt),
];

/// The shared scene with the inputs of a context.
fn in_context(plugin: &Plugin, context: Context) -> NodeBuilder {
    if context == Context::General {
        return scene(plugin, WIDTH, HEIGHT);
    }
    let builder = plugin
        .node(context)
        .set("output", "Water")
        .project(Project::new(WIDTH as u32, HEIGHT as u32).frames(1.0, 100.0))
        .set("emitter", "On")
        .set("emitterRadius", 6.0)
        .key("emitterCentre", 1.0, [16.0, 14.0])
        .key("emitterCentre", 33.0, [64.0, 34.0])
        .key("speed", 1.0, 3.0)
        .key("speed", 25.0, 9.0)
        .set("rainMode", "Mean height")
        .set("rain", 0.002)
        .set("edges", "Open");
    if context == Context::Filter {
        builder.clip("Source", common::matte(WIDTH, HEIGHT)).set("sourceMode", "Add").set("sourceHeight", 0.1)
    } else {
        builder
    }
}

/// The identifier of the smoke node.
const SMOKE: &str = "org.flowofx.FlowSmoke";

/// A plug-in in a private copy of the library.
fn private(profile: Profile, id: &str) -> (Host, Plugin) {
    let host = Host::new(profile);
    let plugin = host.load_private(common::bundle_path()).and_then(|bundle| bundle.plugin(id));
    (host, plugin.expect("the bundle has it"))
}

fn rendered(node: &Node) -> Vec<Frame> {
    node.collect_frames(&FRAMES, Order::Random(3), 1, &Request::at(1.0)).expect("renders")
}

fn rules_kept(name: &str, host: &Host) {
    let record = host.record();
    assert!(record.violations().is_empty(), "{name}: {:?}", record.violations());
    assert_eq!(record.leaked_images(), 0, "{name}");
}

fn contexts(plugin: &Plugin) -> Vec<Context> {
    let contexts = plugin.contexts();
    assert!(!contexts.is_empty());
    contexts
}

#[test]
fn every_host_renders_every_context_without_violations() {
    let (_host, plain) = private_flow(Profile::generic());
    for (name, profile) in PROFILES {
        let (host, plugin) = private_flow(profile());
        let contexts = contexts(&plugin);
        let expected: &[Context] = match name {
            "nuke" => &[Context::General, Context::Filter],
            "mlt" => &[Context::Filter],
            _ => &[Context::General, Context::Filter, Context::Generator],
        };
        assert_eq!(contexts, expected, "{name}");
        for context in contexts {
            let node = in_context(&plugin, context).create().expect("a node");
            let frames = rendered(&node);
            for frame in &frames {
                let pixels = frame.rgba();
                assert_eq!(pixels.len(), (WIDTH * HEIGHT) as usize, "{name} {context:?}");
                let wet = pixels.iter().filter(|pixel| pixel[3] > 0.001).count();
                assert!(wet > 60, "{name} {context:?}: {wet} wet pixels at {}", frame.time);
                assert!(pixels.iter().flatten().all(|v| v.is_finite() && *v >= 0.0), "{name} {context:?}");
                assert!(frame.messages.is_empty(), "{name} {context:?}: {:?}", frame.messages);
            }
            // Hosts with temporal access show the same water, also with Resolve's missing pictures.
            if name != "mlt" {
                let same = rendered(&in_context(&plain, context).create().expect("a node"));
                let equal = frames.iter().zip(&same).all(|(here, there)| bits(here) == bits(there));
                assert!(equal, "{name} {context:?} differs from the plain host");
            }
            assert_eq!(node.persistent_message(), None, "{name} {context:?}");
        }
        rules_kept(name, &host);
    }
}

#[test]
fn mlt_creates_one_instance_and_advances_the_water() {
    let (host, plugin) = private_flow(Profile::mlt());
    let node = in_context(&plugin, Context::Filter).create().expect("a node");
    let frames: Vec<Frame> = (1..=8).map(|time| node.frame(f64::from(time)).expect("renders")).collect();
    let volumes: Vec<f64> = frames.iter().map(|frame| common::total(frame, 3)).collect();
    assert!(volumes[0] > 1.0 && volumes[7] > 4.0 * volumes[0] && volumes[7] < 1e3, "{volumes:?}");
    assert!(frames.windows(2).all(|pair| bits(&pair[0]) != bits(&pair[1])));
    let actions = host.record().actions();
    assert_eq!(actions.iter().filter(|action| *action == "CreateInstance").count(), 1, "{actions:?}");
    assert!(!actions.iter().any(|action| action == "IsIdentity"));
    rules_kept("mlt", &host);
}

/// Rain and an emitter over a still matte: MLT gives the current frame only.
fn still(plugin: &Plugin) -> Node {
    let shot = plugin
        .node(Context::Filter)
        .set("output", "Water")
        .project(Project::new(WIDTH as u32, HEIGHT as u32).frames(1.0, 100.0));
    let matte = Source::still(picture(WIDTH, HEIGHT, |u, v| [0.3, 0.2, 0.1, if u * v > 0.6 { 0.2 } else { 0.0 }]));
    let poured = shot
        .clip("Source", matte)
        .set("sourceMode", "Add")
        .set("emitter", "On")
        .set("rainMode", "Mean height")
        .set("rain", 0.002);
    poured.set("emitterRadius", 6.0).set("emitterCentre", [20.0, 30.0]).create().expect("a node")
}

#[test]
fn mlt_requests_out_of_order_skip_no_frame() {
    let (_host, plugin) = private_flow(Profile::mlt());
    let shown = |frames: &[u32]| -> Vec<_> {
        let node = still(&plugin);
        frames.iter().map(|time| bits(&node.frame(f64::from(*time)).expect("renders"))).collect()
    };
    let forward = shown(&(0..=16).collect::<Vec<u32>>());
    assert!(forward.windows(2).skip(1).all(|pair| pair[0] != pair[1]));
    // Threads of the host overtake each other, by one frame or by several.
    for order in [
        vec![1, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10],
        vec![2, 1, 4, 3, 6, 5, 8, 7, 10, 9],
        vec![1, 4, 3, 2, 5, 8, 6, 7, 9, 12, 16, 10, 13],
    ] {
        // All frames except those made before the host first went back.
        let late = order.windows(2).position(|pair| pair[1] < pair[0]).expect("is out of order") + 1;
        for (frame, picture) in order.iter().zip(shown(&order)).skip(late) {
            assert!(picture == forward[*frame as usize], "{order:?}: frame {frame}");
        }
    }
}

#[test]
fn mlt_shows_edits_after_a_short_step_back() {
    let (host, plugin) = private_flow(Profile::mlt());
    let node = still(&plugin);
    let show = |time: f64| node.frame(time).expect("renders");
    let forward: Vec<_> = (1..=30).map(|time| bits(&show(f64::from(time)))).collect();
    // One of the last frames is rendered again, as are those after it.
    for time in [30.0, 27.0, 28.0, 30.0] {
        let frame = show(time);
        assert!(bits(&frame) == forward[time as usize - 1], "{time}");
        assert_eq!(common::simulated(&frame), 0, "{time}");
    }
    // An edit shows at the frame in the viewer, and undo reverts it.
    node.set("rain", 0.02).expect("is set");
    let edited = show(30.0);
    assert!(bits(&edited) != forward[29]);
    assert_eq!(common::simulated(&edited), 1);
    assert_eq!(common::simulated(&show(30.0)), 0);
    node.set("rain", 0.002).expect("is set");
    assert!(bits(&show(30.0)) == forward[29]);
    // An edit also shows after a jump, and when the host returns to the frame.
    let [there, next] = [100.0, 101.0].map(|time| bits(&show(time)));
    node.set("rain", 0.02).expect("is set");
    assert!(bits(&show(100.0)) != there);
    node.set("rain", 0.002).expect("is set");
    assert!(bits(&show(100.0)) == there);
    assert!(bits(&show(101.0)) == next);
    assert_eq!(common::simulated(&show(100.0)), 0);
    // A frame farther back starts another shot.
    let fresh = still(&plugin);
    for time in [3.0, 4.0] {
        assert!(bits(&show(time)) == bits(&fresh.frame(time).expect("renders")), "{time}");
    }
    rules_kept("mlt", &host);
}

#[test]
fn mlt_repeats_frames_of_moving_sources_unchanged() {
    for id in [common::FLOW, SMOKE] {
        let (host, plugin) = private(Profile::mlt(), id);
        let shot = plugin
            .node(Context::Filter)
            .set("output", 0)
            .project(Project::new(WIDTH as u32, HEIGHT as u32).frames(0.0, 100.0));
        let shot = shot.clip("Source", common::matte(WIDTH, HEIGHT)).set("sourceMode", "Add").set("device", "CPU");
        let node = shot.create().expect("a node");
        let show = |time: usize| node.frame(time as f64).expect("renders");
        // MLT counts from 0, before the start frame, which is 1.
        let forward: Vec<_> = (0..=16).map(|time| bits(&show(time))).collect();
        assert!(forward.windows(2).all(|pair| pair[0] != pair[1]));
        let mut others = Vec::new();
        for time in (0..=16).rev().chain([16, 0, 9, 10, 0, 0, 16, 3, 1, 0, 12, 2, 15]) {
            let frame = show(time);
            if bits(&frame) != forward[time] || (time > 0 && common::simulated(&frame) > 0) {
                others.push(time);
            }
        }
        assert!(others.is_empty(), "{id}: {others:?} of 30 frames differ when they are shown again, or are made anew");
        rules_kept("mlt", &host);
    }
}

#[test]
fn mlt_keeps_frames_within_the_memory_budget() {
    let (_host, plugin) = private_flow(Profile::mlt());
    // The last eight frames are stored.
    let kept = |node: &Node| {
        (1..=8).for_each(|time| drop(node.frame(f64::from(time)).expect("renders")));
        (1..=8).rev().filter(|&time| common::simulated(&node.frame(f64::from(time)).expect("renders")) == 0).count()
    };
    let node = still(&plugin);
    assert_eq!(kept(&node), 8);
    node.set("memoryBudget", 3).expect("is set");
    let alone = kept(&node);
    assert!((2..8).contains(&alone), "{alone}");
    // A second node uses its own share.
    let second = still(&plugin);
    drop(second.frame(1.0).expect("renders"));
    let beside = kept(&node);
    assert!(beside < alone, "{beside} beside another, {alone} alone");
}

#[test]
fn resolve_claims_connections_that_give_no_pictures() {
    let (host, plugin) = private_flow(Profile::resolve());
    // Nothing is connected, and every clip claims to be: the node still shows water.
    let node =
        plugin.node(Context::General).set("output", "Water").project(Project::new(80, 48)).create().expect("a node");
    let frame = node.frame(3.0).expect("renders");
    assert!(frame.rgba().iter().filter(|pixel| pixel[3] > 0.01).count() > 500);
    // The emitter's position comes from the project, since this host does not scale defaults.
    assert!(frame.pixel(40, 24)[3] > 0.1, "{:?}", frame.pixel(40, 24));
    assert_eq!(node.value("emitterCentre", 0.0).expect("has one").to_string(), "40,24");
    rules_kept("resolve", &host);
}

#[test]
fn openfx_runner_renders_without_its_fatal_calls() {
    let shot = |plugin: &Plugin| {
        let source = Source::still(picture(WIDTH, HEIGHT, |u, v| [0.3, 0.2, 0.1, if u * v > 0.4 { 0.3 } else { 0.0 }]));
        let node = plugin.node(Context::Filter).set("output", 0).project(Project::new(WIDTH as u32, HEIGHT as u32));
        node.clip("Source", source).set("sourceMode", "Add").set("device", "CPU").create().expect("a node")
    };
    for id in [common::FLOW, SMOKE] {
        let (host, plugin) = private(Profile::openfx_runner(), id);
        let (_plain, other) = private(Profile::generic(), id);
        let (node, expected) = (shot(&plugin), shot(&other));
        for time in [0.0, 3.0, 1.0] {
            let [here, there] = [&node, &expected].map(|node| bits(&node.frame(time).expect("renders")));
            assert!(here == there, "{id} differs from the plain host at {time}");
        }
        rules_kept(id, &host);
        // An edit, a preset, a save, and a failure's message.
        for (param, value) in [("preset", 1), ("resolution", 50), ("startFrame", 2)] {
            node.set(param, value).expect("edits");
        }
        node.sync().expect("syncs");
        let lie = Request::at(3.0).misstate("Source", "OfxImageEffectPropPixelDepth", Some("OfxBitDepthDozen".into()));
        let error = node.render(&lie).expect_err("there is no such depth").to_string();
        assert!(error.contains("OfxBitDepthDozen"), "{error}");
        node.destroy().expect("is destroyed");
        rules_kept(id, &host);
    }
    // The host reports a fatal call: known hosts are asked.
    let (host, plugin) =
        private_flow(Profile { fatal_calls: Profile::openfx_runner().fatal_calls, ..Profile::generic() });
    drop(shot(&plugin).frame(1.0));
    let violations = host.record().violations();
    for call in ["paramGetNumKeys", "multiThreadNumCPUs"] {
        assert!(violations.iter().any(|violation| violation.starts_with(call)), "{call} in {violations:?}");
    }
}

/// A host that reports every input as connected, with its pictures for unconnected inputs.
fn claiming(unconnected: Unconnected) -> Profile {
    Profile { all_connected: true, unconnected, ..Profile::generic() }
}

#[test]
fn falsely_connected_inputs_count_as_unconnected() {
    let bare = |plugin: &Plugin| {
        plugin
            .node(Context::General)
            .set("output", 0)
            .project(Project::new(WIDTH as u32, HEIGHT as u32))
            .set("device", "CPU")
    };
    let sourced = |plugin: &Plugin| {
        let flood = Source::still(picture(WIDTH, HEIGHT, |u, _| [0.0, 0.0, 0.0, 0.5 * u as f32]));
        bare(plugin).clip("Source", flood).set("sourceMode", "Add")
    };
    for id in [common::FLOW, SMOKE] {
        let (_plain, plugin) = private(Profile::generic(), id);
        let show = |builder: NodeBuilder| bits(&builder.create().expect("a node").frame(4.0).expect("renders"));
        let expected = [show(bare(&plugin)), show(sourced(&plugin))];
        let lit = |picture: &[[u32; 4]]| picture.iter().filter(|pixel| f32::from_bits(pixel[3]) > 0.01).count();
        assert!(expected.iter().all(|picture| lit(picture) > 100), "{id}");
        for unconnected in [Unconnected::Nothing, Unconnected::Region, Unconnected::EmptyImage] {
            let (host, plugin) = private(claiming(unconnected), id);
            assert!(show(bare(&plugin)) == expected[0], "{id}, nothing wired, {unconnected:?}");
            assert!(show(sourced(&plugin)) == expected[1], "{id}, Source wired, {unconnected:?}");
            rules_kept(id, &host);
        }
        // A black picture of the frame's size cannot be distinguished from a black matte: as the guide says, it counts
        // as one.
        let (_host, plugin) = private(claiming(Unconnected::BlackImage), id);
        assert_eq!(lit(&show(sourced(&plugin))), 0, "{id}");
    }
}

#[test]
fn a_falsely_connected_mask_hides_nothing() {
    for (name, profile) in PROFILES {
        let (host, plugin) = private_flow(profile());
        if !contexts(&plugin).contains(&Context::General) {
            continue;
        }
        let flood = Source::still(picture(WIDTH, HEIGHT, |_, _| [0.0, 0.0, 0.0, 0.5]));
        let builder =
            plugin.node(Context::General).set("output", "Water").project(Project::new(80, 48)).clip("Source", flood);
        let frame = builder.create().expect("a node").frame(1.0).expect("renders");
        assert_eq!(frame.pixel(40, 24)[3], 0.5, "{name}");
        rules_kept(name, &host);
    }
}

#[test]
fn the_emitter_is_in_the_centre_of_every_frame_size() {
    for (name, profile) in PROFILES {
        let (host, plugin) = private_flow(profile());
        for context in contexts(&plugin) {
            let [left, low] = if matches!(name, "resolve" | "mlt") { [0, 0] } else { [-30, 12] };
            let project = Project::new(100, 60).origin(left, low);
            let [x, y] = [project.origin.0 + 50, project.origin.1 + 30];
            let mut builder = plugin
                .node(context)
                .set("output", "Water")
                .project(project)
                .set("emitter", "On")
                .set("emitterRadius", 10.0);
            if context == Context::Filter {
                builder = builder.clip("Source", Source::constant([0.0; 4]));
            }
            let frame = builder.create().expect("a node").frame(1.0).expect("renders");
            let wet = |dx: i32, dy: i32| frame.pixel(x + dx, y + dy)[3] > 0.02;
            assert!(wet(-9, 0) && wet(8, 0) && wet(0, -9) && wet(0, 8), "{name} {context:?}");
            assert!(!wet(-12, 0) && !wet(11, 0) && !wet(0, -12) && !wet(0, 11), "{name} {context:?}");
        }
        rules_kept(name, &host);
    }
}

#[test]
fn natron_passes_the_start_frame_through_before_the_start() {
    let (host, plugin) = private_flow(Profile::natron());
    let node = scene(&plugin, WIDTH, HEIGHT).set("startFrame", 10).create().expect("a node");
    let early = node.frame(4.0).expect("renders");
    assert_eq!(early.identity, Some(("Output".to_owned(), 10.0)));
    let start = node.frame(10.0).expect("renders");
    assert_eq!(start.identity, None);
    assert_eq!(bits(&early), bits(&start));
    assert_eq!(node.frame(11.0).expect("renders").identity, None);
    // Keys on the output make frames before the start differ.
    let keyed = scene(&plugin, WIDTH, HEIGHT)
        .set("startFrame", 10)
        .key("output", 1.0, "Height")
        .key("output", 8.0, "Water")
        .create()
        .expect("a node");
    assert_eq!(keyed.frame(4.0).expect("renders").identity, None);
    rules_kept("natron", &host);
    // In other hosts a node's own output is no input: the frame is rendered, with the same pixels.
    let (host, plugin) = private_flow(Profile::nuke());
    let node = scene(&plugin, WIDTH, HEIGHT).set("startFrame", 10).create().expect("a node");
    let rendered = node.frame(4.0).expect("renders");
    assert_eq!(rendered.identity, None);
    assert_eq!(bits(&rendered), bits(&start));
    rules_kept("nuke", &host);
}

#[test]
fn persistent_messages_stay_until_a_good_render() {
    for (name, profile) in PROFILES {
        let (host, plugin) = private_flow(profile());
        if name == "mlt" {
            continue;
        }
        let patchy =
            Source::pictures(|time| (time < 3.0).then(|| picture(WIDTH, HEIGHT, |_, _| [0.0, 0.0, 0.0, 0.25])));
        let node = plugin
            .node(Context::General)
            .set("output", "Water")
            .project(Project::new(80, 48))
            .clip("Source", patchy)
            .clip("Terrain", Source::still(terrain(WIDTH, HEIGHT)))
            .set("sourceMode", "Add")
            .set("missingFrames", "Fail")
            .create()
            .expect("a node");
        let error = node.frame(4.0).expect_err("a frame is missing").to_string();
        assert!(error.contains("Source has no picture at frame 4"), "{name}: {error}");
        let messages =
            |host: &Host| host.record().events().iter().filter(|event| matches!(event, Event::Message { .. })).count();
        assert_eq!(messages(&host), 1, "{name}: one failure, one message");
        // Resolve has no persistent messages; the others show the message until the next good frame.
        assert_eq!(node.persistent_message().is_some(), name != "resolve", "{name}");
        // A good frame clears the message without an action of the artist.
        drop(node.frame(2.0));
        node.set("missingFrames", "Hold").expect("is set");
        drop(node.frame(4.0).expect("renders"));
        assert_eq!(node.persistent_message(), None, "{name}");
        let cleared = host.record().events().iter().filter(|event| matches!(event, Event::Cleared { .. })).count();
        assert_eq!(cleared, usize::from(name != "resolve"), "{name}");
        drop(node.frame(5.0).expect("renders"));
        assert_eq!(messages(&host), 1, "{name}");
        rules_kept(name, &host);
    }
}

#[test]
fn edits_reach_the_water_in_every_host_that_reports_them() {
    for (name, profile) in PROFILES {
        if name == "mlt" {
            continue;
        }
        let (host, plugin) = private_flow(profile());
        let node = scene(&plugin, WIDTH, HEIGHT).create().expect("a node");
        let before = bits(&node.frame(8.0).expect("renders"));
        node.set_key("speed", 1.0, 6.0).expect("is set");
        let after = bits(&node.frame(8.0).expect("renders"));
        assert_ne!(before, after, "{name}");
        assert!(node.undo().expect("undoes"), "{name}");
        let undone = node.frame(8.0).expect("renders");
        assert_eq!(bits(&undone), before, "{name}");
        assert_eq!(common::simulated(&undone), 0, "{name}");
        rules_kept(name, &host);
    }
}
