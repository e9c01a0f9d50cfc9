//! FlowSmoke through the C symbols: the same properties as water's, as far as floats allow. `panel` has the
//! panel, `messages` bad input and messages.

#[path = "../common/mod.rs"]
mod common;
mod messages;
mod panel;

use std::path::Path;

use common::{bits, check_greyed, info, moving, picture, simulated, whole};
use flow_host::{
    Context, Frame, Host, Image, Node, NodeBuilder, Order, Plugin, Profile, Project, RectD, RectI, Request, Source,
    Value,
};

/// The identifier of the node under test.
const SMOKE: &str = "org.flowofx.FlowSmoke";
const SIZE: [i32; 2] = [96, 64];
/// Frames of the short shots.
const LAST: i32 = 12;

/// The plug-in in a private copy of the library.
fn smoke_in(profile: Profile) -> (Host, Plugin) {
    let host = Host::new(profile);
    let plugin = host.load_private(common::bundle_path()).and_then(|bundle| bundle.plugin(SMOKE));
    (host, plugin.expect("the bundle has FlowSmoke"))
}

fn smoke() -> (Host, Plugin) {
    smoke_in(Profile::generic())
}

/// A node over a small project, on the CPU, without inputs.
fn bare(plugin: &Plugin, [width, height]: [i32; 2]) -> NodeBuilder {
    let project = Project::new(width as u32, height as u32).frames(1.0, 100.0);
    plugin.node(Context::General).set("output", "Dye").project(project).set("device", "CPU")
}

/// All features at once, all of them in motion.
fn lively(plugin: &Plugin) -> NodeBuilder {
    let [width, height] = SIZE;
    let last = i64::from(LAST);
    let disc = |u: f64, v: f64, x: f64, y: f64| (u - x).hypot((v - y) * 2.0 / 3.0) < 0.08;
    let source = moving(1, last, move |time| {
        picture(width, height, |u, v| {
            let alpha = if disc(u, v, 0.3 + 0.02 * time, 0.3) { 0.8 } else { 0.0 };
            [0.7 * alpha, 0.2 * alpha, 0.1 * alpha, alpha]
        })
    });
    let velocity = moving(1, last, move |time| {
        picture(width, height, |u, v| {
            let on = f32::from(u8::from(disc(u, v, 0.7, 0.3 + 0.02 * time)));
            [-1.5 * on, 0.5 * on, 0.0, on]
        })
    });
    let heat = moving(1, last, move |time| {
        picture(width, height, |u, v| [f32::from(u8::from(disc(u, v, 0.5, 0.2 + 0.005 * time))), 0.0, 0.0, 1.0])
    });
    let obstacles = moving(1, last, move |time| {
        picture(width, height, |u, v| {
            [0.0, 0.0, 0.0, f32::from(u8::from(disc(u, v, 0.5 + 0.0105 * time.floor(), 0.6)))]
        })
    });
    let mask = moving(1, last, move |time| {
        picture(width, height, |u, v| [0.0, 0.0, 0.0, (u * 0.5 + v + 0.01 * time).fract() as f32])
    });
    bare(plugin, SIZE)
        .clip("Source", source)
        .clip("Velocity", velocity)
        .clip("Heat", heat)
        .clip("Obstacles", obstacles)
        .clip("Mask", mask)
        .set("jet1", "On")
        .set("jet1Radius", 6.0)
        .set("jet1Random", 0.5)
        .key("jet1Centre", 1.0, [48.0, 8.0])
        .key("jet1Centre", 12.0, [70.0, 14.0])
        .set("brush", true)
        .set("brushRadius", 5.0)
        .key("brushCentre", 1.0, [10.0, 50.0])
        .key("brushCentre", 12.0, [80.0, 20.0])
        .set("noise", 0.1)
        .set("noiseSize", 20.0)
        .set("viscosity", 0.05)
        .key("vorticity", 1.0, 0.1)
        .key("vorticity", 12.0, 0.4)
        .key("lift", 1.0, 0.1)
        .key("lift", 12.0, 0.5)
        .set("edgeBottom", "Closed")
}

fn frames() -> Vec<f64> {
    (1..=LAST).map(f64::from).collect()
}

fn collect(node: &Node, order: Order, threads: usize) -> Vec<Frame> {
    node.collect_frames(&frames(), order, threads, &Request::at(0.0)).expect("renders")
}

fn all_bits(frames: &[Frame]) -> Vec<Vec<[u32; 4]>> {
    frames.iter().map(bits).collect()
}

fn total(frames: &[Frame]) -> u64 {
    frames.iter().map(simulated).sum()
}

fn finite(frame: &Frame) -> bool {
    frame.rgba().iter().flatten().all(|value| value.is_finite())
}

/// A still picture of one colour.
fn flat(size: [i32; 2], pixel: [f32; 4]) -> Source {
    Source::still(Image::from_fn(whole(size[0], size[1]), move |_, _| pixel))
}

/// The sum of alpha over a frame.
fn dye(frame: &Frame) -> f64 {
    common::total(frame, 3)
}

#[test]
fn an_unconnected_node_shows_smoke() {
    let (_host, plugin) = smoke();
    let node = plugin.node(Context::Generator).set("output", "Dye").create().expect("a node");
    let [first, later] = [1.0, 12.0].map(|time| node.frame(time).expect("renders"));
    assert!(dye(&first) > 100.0, "{}", dye(&first));
    assert!(dye(&later) > 3.0 * dye(&first), "it goes on: {} after {}", dye(&later), dye(&first));
    let text = info(&node);
    assert!(text.contains("sub-steps") && text.contains("residual"), "{text}");
}

#[test]
fn heat_and_density_are_read_from_the_chosen_channels() {
    let (_host, plugin) = smoke();
    let [width, height] = SIZE;
    // A disc in some channels.
    let frame = |clip: &str, channel: &str, shown: [f32; 4]| {
        let disc = picture(width, height, |u, v| {
            shown.map(|value| if (u - 0.5).hypot((v - 0.4) * 2.0 / 3.0) < 0.1 { value } else { 0.0 })
        });
        let parameter = if clip == "Heat" { "heatChannel" } else { "sourceChannel" };
        let node = bare(&plugin, SIZE).clip(clip, Source::still(disc)).set(parameter, channel).set("jet1", "Off");
        let node = node.set("output", if clip == "Heat" { "Temperature" } else { "Dye" });
        node.create().expect("a node").frame(4.0).expect("renders")
    };
    let usual = frame("Heat", "Red", [1.0, 0.0, 0.0, 0.0]);
    assert!(common::total(&usual, 0) > 10.0, "{}", common::total(&usual, 0));
    let roto = [0.0, 0.0, 0.0, 1.0];
    assert_eq!(bits(&frame("Heat", "Alpha", roto)), bits(&usual));
    assert_eq!(common::total(&frame("Heat", "Red", roto), 0), 0.0, "nothing is red");
    let usual = frame("Source", "Alpha", [1.0; 4]);
    assert!(dye(&usual) > 10.0, "{}", dye(&usual));
    let matte = [1.0, 1.0, 1.0, 0.0];
    assert_eq!(bits(&frame("Source", "Green", matte)), bits(&usual));
    assert_eq!(dye(&frame("Source", "Alpha", matte)), 0.0, "alpha is 0");
}

#[test]
fn order_threads_and_cache_change_no_bit() {
    let (_host, plugin) = smoke();
    let node = lively(&plugin).create().expect("a node");
    let forward = collect(&node, Order::Forward, 1);
    assert_eq!(total(&forward), LAST as u64);
    assert!(forward.iter().all(finite));
    let forward = all_bits(&forward);
    for (position, frame) in forward.iter().enumerate() {
        let seen = frame.iter().filter(|pixel| f32::from_bits(pixel[3]) > 1e-3).count();
        assert!(seen > frame.len() / 100, "{seen} pixels of smoke in frame {}", position + 1);
        assert!(position == 0 || *frame != forward[position - 1], "frame {} moves", position + 1);
    }
    for (order, threads) in [(Order::Reverse, 1), (Order::Random(5), 1), (Order::Forward, 8), (Order::Random(9), 8)] {
        node.purge().expect("purges");
        let frames = collect(&node, order, threads);
        assert_eq!(total(&frames), LAST as u64, "{order:?} on {threads} threads");
        assert!(all_bits(&frames) == forward, "{order:?} on {threads} threads");
    }
    let warm = collect(&node, Order::Random(2), 8);
    assert_eq!(total(&warm), 0);
    assert!(all_bits(&warm) == forward, "warm");
    node.set("memoryBudget", 1).expect("edits");
    assert!(all_bits(&collect(&node, Order::Reverse, 1)) == forward, "a tiny budget");
}

#[test]
fn the_number_of_worker_threads_changes_no_bit() {
    let results = [1, 2, 8].map(|threads| {
        let (_host, plugin) = smoke_in(Profile { threads, ..Profile::generic() });
        let node = lively(&plugin).create().expect("a node");
        all_bits(&[3.0, 9.0].map(|time| node.frame(time).expect("renders")))
    });
    assert!(results[0] == results[1] && results[0] == results[2]);
}

#[test]
fn ten_outputs_share_one_simulation_and_have_pictures() {
    let (_host, plugin) = smoke();
    let first = lively(&plugin).create().expect("a node");
    first.frame(f64::from(LAST)).expect("renders");
    let outputs = [
        "Dye",
        "Smoke",
        "Fire",
        "Velocity",
        "Motion vectors",
        "Vorticity",
        "Pressure",
        "Divergence",
        "Temperature",
        "Density",
    ];
    let mut shown: Vec<Vec<[u32; 4]>> = Vec::new();
    for output in outputs {
        let node = lively(&plugin).set("output", output).create().expect("a node");
        let frame = node.frame(f64::from(LAST)).expect("renders");
        assert_eq!(simulated(&frame), 0, "{output}");
        assert!(finite(&frame), "{output}");
        let seen = frame.rgba().iter().filter(|pixel| pixel[..3].iter().any(|value| *value != 0.0)).count();
        assert!(seen > 50, "{output}: {seen} pixels");
        assert!(!shown.contains(&bits(&frame)), "{output} looks like another");
        shown.push(bits(&frame));
    }
    // Settings of the light are in no key.
    first.set("output", "Smoke").expect("edits");
    let lit = bits(&first.frame(f64::from(LAST)).expect("renders"));
    first.set("lightDirection", 10.0).expect("edits");
    let other = first.frame(f64::from(LAST)).expect("renders");
    assert_eq!(simulated(&other), 0);
    assert!(bits(&other) != lit);
}

#[test]
fn an_edit_simulates_only_the_changed_frames() {
    let (_host, plugin) = smoke();
    let node = lively(&plugin).key("drag", 6.0, Value::from(0.0)).key("drag", 10.0, Value::from(0.1)).create();
    let node = node.expect("a node");
    let before = all_bits(&collect(&node, Order::Forward, 1));
    node.set_key("drag", 10.0, Value::from(0.4)).expect("edits");
    let after = collect(&node, Order::Forward, 1);
    let costs: Vec<u64> = after.iter().map(simulated).collect();
    assert_eq!(costs[..6], [0; 6], "up to the key before it nothing changes");
    assert_eq!(costs[6..], [1; 6]);
    assert!(all_bits(&after)[6..] != before[6..]);
    node.set_key("drag", 10.0, Value::from(0.1)).expect("edits");
    let undone = collect(&node, Order::Forward, 1);
    assert_eq!(total(&undone), 0, "undo finds the old frames");
    assert!(all_bits(&undone) == before);
    // Settings of disabled features are in no key.
    node.set("attractorStrength", 3.0).expect("edits");
    node.set("jet2Strength", 3.0).expect("edits");
    assert_eq!(total(&collect(&node, Order::Forward, 1)), 0);
}

#[test]
fn a_simulation_continued_from_files_has_the_same_bits() {
    let folder = tempfile::tempdir().expect("a folder");
    let shot = |plugin: &Plugin, folder: Option<&Path>| {
        let node = lively(plugin);
        match folder {
            Some(folder) => node.set("cacheFolder", folder.to_str().expect("UTF-8")).set("cacheName", "smoke"),
            None => node,
        }
    };
    let (_host, plugin) = smoke();
    let truth = all_bits(&collect(&shot(&plugin, None).create().expect("a node"), Order::Forward, 1));
    {
        let (_host, plugin) = smoke();
        let node = shot(&plugin, Some(folder.path())).create().expect("a node");
        let times: Vec<f64> = (1..=8).map(f64::from).collect();
        let frames = node.collect_frames(&times, Order::Forward, 1, &Request::at(0.0)).expect("renders");
        assert!(all_bits(&frames) == truth[..8], "the disk changes nothing");
    }
    let (_host, plugin) = smoke();
    let node = shot(&plugin, Some(folder.path())).create().expect("a node");
    for frame in [8, 1, 5] {
        let again = node.frame(f64::from(frame)).expect("renders");
        assert_eq!(simulated(&again), 0, "frame {frame} comes from disk");
        assert!(bits(&again) == truth[frame as usize - 1], "frame {frame}");
    }
    let on = node.frame(f64::from(LAST)).expect("renders");
    assert_eq!(simulated(&on), 4, "frames 9 to 12 go on from frame 8");
    assert!(bits(&on) == truth[LAST as usize - 1]);
}

#[test]
fn the_frame_outside_a_following_grid_is_empty() {
    let (_host, plugin) = smoke();
    let node = bare(&plugin, [160, 90])
        .set("gridMode", "Follow")
        .set("gridSize", [40.0, 30.0])
        .key("gridCentre", 1.0, [30.0, 40.0])
        .key("gridCentre", 11.0, [130.0, 40.0])
        .key("jet1Centre", 1.0, [30.0, 40.0])
        .key("jet1Centre", 11.0, [130.0, 40.0])
        .set("jet1Radius", 5.0)
        .set("jet1Strength", 2.0)
        .create()
        .expect("a node");
    let shown = |time: f64| {
        let frame = node.frame(time).expect("renders");
        assert!(finite(&frame));
        let seen = |x: i32, y: i32| frame.pixel(x, y)[3] > 1e-3;
        let inside = (0..90).flat_map(|y| (0..160).map(move |x| (x, y))).filter(|&(x, y)| seen(x, y));
        inside.collect::<Vec<_>>()
    };
    for (time, centre) in [(1.0, 30), (6.0, 80), (11.0, 130)] {
        let cells = shown(time);
        assert!(cells.len() > 20, "{} pixels of smoke at {time}", cells.len());
        let far = cells.iter().filter(|(x, y)| (x - centre).abs() > 21 || (y - 40).abs() > 16).count();
        assert_eq!(far, 0, "nothing outside of the grid at {time}");
    }
    let forward = bits(&node.frame(11.0).expect("renders"));
    node.purge().expect("purges");
    assert!(bits(&node.frame(11.0).expect("renders")) == forward);
}

#[test]
fn smoke_rises_beyond_the_extent_of_its_source() {
    let (_host, plugin) = smoke();
    let element = Source::still(Image::from_fn(RectI { x1: 40, y1: 4, x2: 56, y2: 12 }, |_, _| [0.5; 4]));
    let shot = bare(&plugin, SIZE)
        .clip("Source", element)
        .set("sourceMode", "Add")
        .set("wind", [0.0, 2.0])
        .set("windDrag", 1.0);
    let node = shot.create().expect("a node");
    let region = |node: &Node| {
        let RectD { x1, y1, x2, y2 } = node.region(1.0, (1.0, 1.0)).expect("a region");
        [x1, y1, x2, y2]
    };
    assert_eq!(region(&node), [0.0, 0.0, 96.0, 64.0]);
    let above = |frame: &Frame| (0..96).map(|x| frame.pixel(x, 24)[3]).fold(0.0, f32::max);
    assert!(above(&node.frame(16.0).expect("renders")) > 0.05, "it has risen");
    node.set("extent", "Source").expect("edits");
    assert_eq!(region(&node), [40.0, 4.0, 56.0, 12.0]);
    node.set("extent", "Project").expect("edits");
    assert_eq!(region(&node), [0.0, 0.0, 96.0, 64.0]);
    // An element larger than the frame.
    let wide = Source::still(Image::from_fn(RectI { x1: -20, y1: 0, x2: 50, y2: 80 }, |_, _| [0.5; 4]));
    node.connect("Source", Some(wide)).expect("connects");
    assert_eq!(region(&node), [0.0, 0.0, 96.0, 64.0]);
    node.set("extent", "Both").expect("edits");
    assert_eq!(region(&node), [-20.0, 0.0, 96.0, 80.0]);
}

#[test]
fn overscan_simulates_a_larger_frame_and_shows_its_middle() {
    let (_host, plugin) = smoke();
    // Smoke from beyond the left edge, and out over the right one.
    let shot = || {
        let jet = bare(&plugin, SIZE).set("jet1", "On").set("jet1Centre", [-10.0, 30.0]).set("jet1Direction", 0.0);
        jet.set("jet1Radius", 6.0).set("jet1Breakup", 0.8).set("noise", 0.2).set("noiseOctaves", 3)
    };
    let node = shot().set("overscan", [20.0, 10.0]).create().expect("a node");
    let region = node.region(1.0, (1.0, 1.0)).expect("a region");
    assert_eq!([region.x1, region.y1, region.x2, region.y2], [0.0, 0.0, 96.0, 64.0]);
    let empty = Source::still(Image::from_fn(RectI { x1: -20, y1: -10, x2: 116, y2: 74 }, |_, _| [0.0; 4]));
    let larger = shot().clip("Source", empty).set("extent", "Source").create().expect("a node");
    let narrow = shot().create().expect("a node");
    let [shown, wide, cut] = [&node, &larger, &narrow].map(|node| node.frame(9.0).expect("renders"));
    let alike = |other: &Frame| (0..64).all(|y| (0..96).all(|x| shown.pixel(x, y) == other.pixel(x, y)));
    assert!(alike(&wide), "the middle of the larger frame");
    assert!(!alike(&cut), "without overscan the jet is cut off");
    assert!((0..64).any(|y| shown.pixel(2, y)[3] > 0.1), "smoke comes in");
    node.set("gridMode", "Follow").expect("edits");
    node.frame(3.0).expect("a grid that follows has no overscan");
}

#[test]
fn motion_vectors_include_the_time_scale_and_the_grids_motion() {
    let (_host, plugin) = smoke();
    let windy = |time_scale: f64| {
        bare(&plugin, SIZE).set("jet1", "Off").set("wind", [4.0, 2.0]).set("windDrag", 1.0).set("timeScale", time_scale)
    };
    for (output, time_scale, wanted) in [
        ("Velocity", 1.0, [4.0, 2.0]),
        ("Velocity", 0.25, [1.0, 0.5]),
        ("Velocity", 0.0, [0.0, 0.0]),
        ("Motion vectors", 1.0, [4.0, 2.0]),
        ("Motion vectors", 0.25, [1.0, 0.5]),
    ] {
        let node = windy(time_scale).set("output", output).create().expect("a node");
        let [x, y, back, _] = node.frame(3.0).expect("renders").pixel(48, 32);
        let near = |value: f32, wanted: f32| (value - wanted).abs() <= 0.02 * wanted.abs();
        assert!(near(x, wanted[0]) && near(y, wanted[1]), "{output} {time_scale}: {x} {y}");
        assert!(output == "Velocity" || near(back, -wanted[0]), "{output} {time_scale}: {back}");
    }
    for (inherit, wanted) in [(1.0, 10.0), (0.5, 5.0), (0.0, 0.0)] {
        let follow = |output: &str| {
            let node = bare(&plugin, [160, 90]).set("jet1", "Off").set("gridMode", "Follow").set("output", output);
            let node = node.set("gridSize", [40.0, 30.0]).set("gridVelocityInherit", inherit);
            let node = node.key("gridCentre", 1.0, [30.0, 40.0]).key("gridCentre", 11.0, [130.0, 40.0]);
            let frame = node.create().expect("a node").frame(6.0).expect("renders");
            (frame.pixel(80, 40), frame.pixel(5, 5))
        };
        let (inside, outside) = follow("Velocity");
        assert!((inside[0] - wanted).abs() < 0.01 && inside[1].abs() < 0.01, "{inherit}: {inside:?}");
        assert_eq!(outside, [0.0; 4]);
        let (inside, _) = follow("Motion vectors");
        assert!((inside[0] - wanted).abs() < 0.01 && (inside[2] + wanted).abs() < 0.01, "{inherit}: {inside:?}");
    }
}

#[test]
fn obstacles_moved_while_time_stands_cause_no_burst() {
    let (_host, plugin) = smoke();
    let [width, height] = SIZE;
    let obstacles = moving(1, 20, move |time| {
        picture(width, height, |u, v| {
            let on = (u * 96.0 - 12.0 - 2.0 * time.floor()).abs() < 6.0 && (v * 64.0 - 32.0).abs() < 6.0;
            [0.0, 0.0, 0.0, f32::from(u8::from(on))]
        })
    });
    let node = bare(&plugin, SIZE).clip("Obstacles", obstacles).set("jet1", "Off").set("output", "Velocity");
    let node = [(3.0, 1.0), (4.0, 0.0), (12.0, 0.0), (13.0, 1.0)]
        .into_iter()
        .fold(node, |node, (time, scale)| node.key("timeScale", time, scale))
        .create()
        .expect("a node");
    let fastest = |time: f64| {
        let frame = node.frame(time).expect("renders");
        frame.rgba().iter().map(|[u, v, ..]| u.hypot(*v)).fold(0.0, f32::max)
    };
    let before = fastest(3.0);
    assert!((1.5..8.0).contains(&before), "{before}");
    assert_eq!(fastest(8.0), 0.0, "nothing moves while time stands");
    assert!(fastest(13.0) < 2.0 * before, "{} after {before}", fastest(13.0));
}

#[test]
fn smoke_is_advected_between_velocity_updates() {
    let (_host, plugin) = smoke();
    let node = lively(&plugin).set("updateEvery", 3).create().expect("a node");
    let frames = collect(&node, Order::Forward, 1);
    let costs: Vec<u64> = frames.iter().map(simulated).collect();
    assert_eq!(costs, [1; LAST as usize]);
    for pair in frames.windows(2) {
        assert!(bits(&pair[0]) != bits(&pair[1]), "the smoke moves at {}", pair[1].time);
    }
    node.purge().expect("purges");
    assert!(all_bits(&collect(&node, Order::Reverse, 8)) == all_bits(&frames));
}

#[cfg(target_arch = "x86_64")]
#[test]
fn bits_are_the_same_where_the_host_flushes_denormals() {
    let (_host, plugin) = smoke();
    // Nearly vanished smoke.
    let node = bare(&plugin, SIZE).set("dissipation", 0.999_999_9).create().expect("a node");
    let expected = node.frame(6.0).expect("renders");
    let subnormal = expected.rgba().iter().flatten().filter(|value| value.is_subnormal()).count();
    assert!(subnormal > 10, "{subnormal} denormal numbers");
    node.purge().expect("purges");
    let (flushed, simulated) = flow_host::with_denormals_flushed(|| {
        let frame = node.frame(6.0).expect("renders");
        (bits(&frame), simulated(&frame))
    });
    assert_eq!(simulated, 6, "simulated anew");
    assert!(flushed == bits(&expected));
}

#[test]
fn keys_act_in_a_sequential_only_host() {
    let shown = |profile: Profile| -> Vec<_> {
        let (_host, plugin) = smoke_in(profile);
        let [width, height] = SIZE;
        let shot = plugin
            .node(Context::Filter)
            .set("output", "Dye")
            .project(Project::new(width as u32, height as u32).frames(1.0, 100.0));
        let source = flat(SIZE, [0.0, 0.0, 0.0, 0.0]);
        let stirred = shot.clip("Source", source).set("device", "CPU").set("brush", true).set("brushRadius", 8.0);
        let stirred = stirred.key("brushCentre", 1.0, [10.0, 50.0]).key("brushCentre", 12.0, [80.0, 20.0]);
        let jet = stirred.set("jet1", "On").key("jet1Centre", 1.0, [30.0, 10.0]).key("jet1Centre", 12.0, [60.0, 12.0]);
        let node = jet.key("lift", 1.0, 0.1).key("lift", 12.0, 0.5).create().expect("a node");
        frames().into_iter().map(|time| bits(&node.frame(time).expect("renders"))).collect()
    };
    let (carried, free) = (shown(Profile::mlt()), shown(Profile::generic()));
    for (frame, (carried, free)) in carried.iter().zip(&free).enumerate() {
        assert!(carried == free, "frame {}", frame + 1);
    }
}

#[test]
fn a_moving_jet_leaves_no_gaps() {
    let (_host, plugin) = smoke();
    let still = bare(&plugin, SIZE).set("jet1", "On").set("jet1Radius", 3.0).set("jet1Strength", 0.0).set("lift", 0.0);
    let moving = still.set("jet1Random", 0.0).key("jet1Centre", 1.0, [10.0, 32.0]).key("jet1Centre", 3.0, [86.0, 32.0]);
    let frame = moving.create().expect("a node").frame(3.0).expect("renders");
    let row: Vec<f32> = (16..80).map(|x| frame.pixel(x, 32)[3]).collect();
    let [least, most] = [f32::min, f32::max].map(|of| row.iter().copied().fold(row[0], of));
    assert!(least > 0.0 && most - least < 0.01 * most, "an even trail: {row:?}");
}

#[test]
fn every_host_renders_the_node() {
    for profile in [Profile::generic(), Profile::nuke(), Profile::natron(), Profile::resolve(), Profile::mlt()] {
        let (_host, plugin) = smoke_in(profile);
        let context = if plugin.contexts().contains(&Context::General) { Context::General } else { Context::Filter };
        let size = [64, 48];
        let node = plugin
            .node(context)
            .set("output", "Dye")
            .project(Project::new(size[0] as u32, size[1] as u32).frames(1.0, 20.0))
            .clip("Source", flat(size, [0.2, 0.1, 0.05, 0.5]))
            .create()
            .expect("a node");
        let frame = node.frame(1.0).expect("renders");
        assert!(finite(&frame) && dye(&frame) > 10.0);
        assert!(finite(&node.frame(3.0).expect("renders")));
    }
}
