//! The cost of a frame does not depend on its number: parameters of past frames are cached. Every edit invalidates the
//! cache, and unreported edits are found by sampling.

mod common;
mod record;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use common::{bits, matte, private_flow, simulated};
use flow_host::profile::Instances;
use flow_host::{Context, Frame, Host, Node, NodeBuilder, Order, Plugin, Profile, Project, Request, Value};
use record::in_full;

type Bits = Vec<[u32; 4]>;

const SIZE: [u32; 2] = [16, 12];

/// The last frame of the edited shots, and the number of renders within which one changed frame is found (each render
/// reads a frame in 8 again).
const LAST: i32 = 300;
const RENDERS: usize = 8;

/// The emitter's rate at a frame.
fn rate(time: f64) -> f64 {
    0.01 + 0.005 * (time * 0.7).sin()
}

/// A small shot without keys.
fn small(plugin: &Plugin) -> NodeBuilder {
    let centre = [f64::from(SIZE[0]) / 2.0, f64::from(SIZE[1]) / 2.0];
    plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(SIZE[0], SIZE[1]))
        .set("device", "CPU")
        .set("emitter", "On")
        .set("emitterRadius", 3.0)
        .set("emitterCentre", centre)
}

/// The same with a key at every frame, like a baked curve.
fn baked(plugin: &Plugin) -> NodeBuilder {
    (1..=LAST).map(f64::from).fold(small(plugin), |node, time| node.key("emitterRate", time, rate(time)))
}

fn show(node: &Node, frame: i32) -> Bits {
    bits(&node.frame(f64::from(frame)).expect("renders"))
}

/// The last frame of a node that was never edited, in a private copy of the library.
fn truth(build: impl Fn(&Plugin) -> NodeBuilder) -> Bits {
    let (_host, plugin) = private_flow(Profile::generic());
    show(&build(&plugin).create().expect("a node"), LAST)
}

/// A node with all frames rendered, the last one several times.
fn warm(build: NodeBuilder) -> Node {
    let node = build.create().expect("a node");
    (0..3).for_each(|_| drop(show(&node, LAST)));
    node
}

/// The same host, but without reports of edits to the plug-in.
fn silent(profile: Profile) -> Profile {
    Profile { reports_changes: false, ..profile }
}

/// The number of values that a render requests after the frame before it; it requests no keys.
fn values_read(host: &Host, node: &Node, frame: i32) -> u64 {
    show(node, frame - 1);
    let count = || ["paramGetValue", "paramGetNumKeys"].map(|call| host.record().count(call));
    let before = count();
    show(node, frame);
    let after = count();
    assert_eq!(after[1], before[1], "a plain frame needs no keys");
    after[0] - before[0]
}

/// The last frame for which a render reads all frames again; an early frame costs no more than this.
const READ_WHOLE: i32 = 64;

#[test]
fn a_late_frame_reads_no_more_parameters_than_an_early_one() {
    for (profile, plugin_id, last) in [
        (Profile::generic(), common::FLOW, 5000),
        (Profile::natron(), common::FLOW, 5000),
        (Profile::nuke(), common::FLOW, 5000),
        (Profile::resolve(), common::FLOW, 5000),
        (Profile::mlt(), common::FLOW, 5000),
        (Profile::generic(), "org.flowofx.FlowSmoke", 2000),
    ] {
        let host = Host::new(profile);
        let bundle = host.load_private(common::bundle_path()).expect("loads");
        let plugin = bundle.plugin(plugin_id).expect("has the node");
        let context =
            if host.profile().contexts.contains(&Context::General) { Context::General } else { Context::Filter };
        let project = Project::new(SIZE[0], SIZE[1]);
        let node =
            plugin.node(context).set("output", 0).project(project).clip("Source", matte(16, 12)).set("device", "CPU");
        let node = node.create().expect("a node");
        let [early, late] = [READ_WHOLE, last].map(|frame| values_read(&host, &node, frame));
        println!(
            "{} in {}: {early} values at frame {READ_WHOLE}, {late} at frame {last}",
            plugin_id,
            host.profile().name
        );
        assert!(early > 20, "the host counts");
        assert!(late as f64 <= 1.2 * early as f64, "{late} values at frame {last}, {early} at frame {READ_WHOLE}");
    }
}

#[test]
fn a_reported_edit_of_one_past_frame_is_seen_by_the_next_render() {
    let profiles = [Profile::generic(), Profile::nuke(), Profile::natron(), Profile::resolve()];
    for profile in profiles.into_iter().take(if in_full() { 4 } else { 2 }) {
        let (host, plugin) = private_flow(profile);
        let node = warm(baked(&plugin));
        let old = show(&node, LAST);
        for &frame in if in_full() { &[1, 2, 137, 255, LAST - 1, LAST][..] } else { &[1, 137, LAST] } {
            let time = f64::from(frame);
            node.set_key("emitterRate", time, 0.5).expect("edits");
            let edited = show(&node, LAST);
            assert!(edited == truth(|plugin| baked(plugin).key("emitterRate", time, 0.5)), "key {frame} is set");
            assert!(node.undo().expect("undoes"));
            let back = node.frame(f64::from(LAST)).expect("renders");
            assert!(bits(&back) == old && simulated(&back) == 0, "key {frame}: undo");
            // The key of this frame is the only one between its neighbours.
            node.set_key("emitterRate", time + 0.5, 0.9).expect("edits");
            assert!(show(&node, LAST) == old, "a key between frames is no edit of a frame");
            node.delete_key("emitterRate", time).expect("edits");
            assert!(show(&node, LAST) != old, "key {frame} is deleted");
            (0..2).for_each(|_| assert!(node.undo().expect("undoes")));
            assert!(show(&node, LAST) == old);
        }
        assert!(host.record().violations().is_empty(), "{:?}", host.record().violations());
    }
}

#[test]
fn an_unreported_edit_is_found_within_a_few_renders() {
    let profiles = [Profile::generic(), Profile::nuke(), Profile::natron()];
    for profile in profiles.into_iter().take(if in_full() { 3 } else { 2 }) {
        let (_host, plugin) = private_flow(silent(profile));
        let node = warm(baked(&plugin));
        for &frame in if in_full() { &[2, 77, 137, 138, 255, LAST - 1][..] } else { &[2, 138] } {
            let [old, new] = [rate(f64::from(frame)), 0.5]
                .map(|value| move |plugin: &Plugin| baked(plugin).key("emitterRate", f64::from(frame), value));
            let [old, new] = [truth(old), truth(new)];
            node.set_key("emitterRate", f64::from(frame), 0.5).expect("edits");
            let shown: Vec<Bits> = (0..RENDERS + 4).map(|_| show(&node, LAST)).collect();
            let found = shown.iter().position(|bits| *bits == new).expect("is found");
            assert!(found < RENDERS, "key {frame}: {found} stale renders");
            assert!(shown[..found].iter().all(|bits| *bits == old), "key {frame}: of one state or the other");
            assert!(shown[found..].iter().all(|bits| *bits == new), "key {frame}: once found, it stays");
            node.set_key("emitterRate", f64::from(frame), rate(f64::from(frame))).expect("edits");
            (0..RENDERS).for_each(|_| drop(show(&node, LAST)));
            assert!(show(&node, LAST) == old, "key {frame}: and back");
        }
        // As many consecutive frames as one sample stands for.
        for frame in 100..100 + RENDERS as i32 {
            node.set_key("emitterRate", f64::from(frame), 0.4).expect("edits");
        }
        let broad = |plugin: &Plugin| {
            (100..100 + RENDERS as i32)
                .fold(baked(plugin), |node, frame| node.key("emitterRate", f64::from(frame), 0.4))
        };
        let broad = truth(broad);
        // An earlier render may have sampled the first of these edits.
        assert!(show(&node, LAST) == broad, "eight frames in a row");
        node.set("damping", 0.2).expect("edits");
        assert!(show(&node, LAST) != broad, "all frames");
    }
}

#[test]
fn the_first_and_the_rendered_frame_are_never_stale() {
    let (_host, plugin) = private_flow(silent(Profile::generic()));
    let node = warm(baked(&plugin));
    for frame in [1, LAST] {
        for value in [0.5, 0.1, 0.7] {
            node.set_key("emitterRate", f64::from(frame), value).expect("edits");
            let truth = truth(|plugin| baked(plugin).key("emitterRate", f64::from(frame), value));
            assert!(show(&node, LAST) == truth, "frame {frame} at {value}");
        }
        node.set_key("emitterRate", f64::from(frame), rate(f64::from(frame))).expect("edits");
    }
}

#[test]
fn every_render_reads_all_parameters_of_a_short_shot() {
    let (_host, plugin) = private_flow(silent(Profile::generic()));
    let node = baked(&plugin).create().expect("a node");
    show(&node, 64);
    for frame in 1..=64 {
        let before = show(&node, 64);
        node.set_key("emitterRate", f64::from(frame), 0.3).expect("edits");
        assert!(show(&node, 64) != before, "frame {frame}");
    }
}

#[test]
fn an_expression_that_changes_unreported_is_found() {
    let (_host, plugin) = private_flow(Profile::nuke());
    let node = small(&plugin).create().expect("a node");
    let (frame, scale) = (Arc::new(AtomicI64::new(0)), Arc::new(AtomicU64::new(1)));
    let expressed = |frame: i64, scale: u64| {
        move |time: f64| {
            let value = if time as i64 == frame { 0.5 } else { rate(time) };
            Value::from(value * scale as f64)
        }
    };
    let driven = {
        let (frame, scale) = (Arc::clone(&frame), Arc::clone(&scale));
        move |time| expressed(frame.load(Ordering::SeqCst), scale.load(Ordering::SeqCst))(time)
    };
    node.express("emitterRate", driven).expect("is driven");
    (0..3).for_each(|_| drop(show(&node, LAST)));
    let cold = |frame: i64, scale: u64| {
        let (_host, plugin) = private_flow(Profile::generic());
        let node = small(&plugin).create().expect("a node");
        node.express("emitterRate", expressed(frame, scale)).expect("is driven");
        show(&node, LAST)
    };
    // The linked value doubles at every frame.
    for doubled in [2, 4] {
        scale.store(doubled, Ordering::SeqCst);
        assert!(show(&node, LAST) == cold(0, doubled), "everywhere");
    }
    // One frame of the linked value.
    frame.store(205, Ordering::SeqCst);
    let right = cold(205, 4);
    let found = (0..RENDERS).position(|_| show(&node, LAST) == right).expect("one frame");
    println!("one frame of an expression: {found} stale renders");
    // Refresh reads all frames again, as does any edit of a node.
    type Edit<'a> = &'a dyn Fn(&Node) -> flow_host::Result<()>;
    let edits: [Edit<'_>; 4] =
        [&|node| node.push("refresh"), &|node| node.set("roughness", 0.3), &Node::purge, &Node::sync];
    for (edit, at) in edits.into_iter().zip([21, 84, 151, 238]) {
        frame.store(at, Ordering::SeqCst);
        edit(&node).expect("edits");
        assert!(show(&node, LAST) == cold(at, 4), "frame {at}");
    }
}

#[test]
fn nodes_are_sampled_separately_and_an_edit_of_one_refreshes_the_others() {
    let (_host, plugin) = private_flow(Profile::generic());
    let [first, second] = [(); 2].map(|()| warm(baked(&plugin)));
    let old = show(&first, LAST);
    first.set_key("emitterRate", 140.0, 0.5).expect("edits");
    let edited = truth(|plugin| baked(plugin).key("emitterRate", 140.0, 0.5));
    for _ in 0..3 {
        assert!(show(&second, LAST) == old && show(&first, LAST) == edited);
    }
    // Linked to the first node's parameter, whose edits are reported for that node only.
    let value = Arc::new(AtomicBool::new(false));
    let linked = {
        let value = Arc::clone(&value);
        move |time: f64| Value::from(if value.load(Ordering::SeqCst) && time == 200.0 { 0.5 } else { rate(time) })
    };
    second.express("emitterRate", linked).expect("is linked");
    (0..RENDERS).for_each(|_| drop(show(&second, LAST)));
    value.store(true, Ordering::SeqCst);
    first.set_key("emitterRate", 200.0, 0.5).expect("edits");
    assert!(show(&second, LAST) == truth(|plugin| baked(plugin).key("emitterRate", 200.0, 0.5)));
}

#[test]
fn an_instance_of_one_frame_reads_all_its_parameters() {
    let (_host, plugin) = private_flow(silent(Profile { instances: Instances::PerFrame, ..Profile::generic() }));
    let node = warm(baked(&plugin));
    for frame in [2, 137, 200] {
        node.set_key("emitterRate", f64::from(frame), 0.5).expect("edits");
        let cold = truth(|plugin| baked(plugin).key("emitterRate", f64::from(frame), 0.5));
        assert!(show(&node, LAST) == cold, "key {frame}");
        node.set_key("emitterRate", f64::from(frame), rate(f64::from(frame))).expect("edits");
    }
}

#[test]
fn settings_that_depend_on_inputs_follow_them() {
    let (_host, plugin) = private_flow(silent(Profile::generic()));
    let fed = |plugin: &Plugin| {
        baked(plugin).set("emitter", "When no Source").set("sourceMode", "Add").set("sourceHeight", 0.05)
    };
    let node = warm(fed(&plugin));
    let unconnected = show(&node, LAST);
    // Without a report to the node.
    node.connect("Source", Some(matte(16, 12))).expect("connects");
    assert!(show(&node, LAST) == truth(|plugin| fed(plugin).clip("Source", matte(16, 12))));
    node.connect("Source", None).expect("connects");
    let back = node.frame(f64::from(LAST)).expect("renders");
    assert!(bits(&back) == unconnected && simulated(&back) == 0);
}

#[test]
fn parameters_set_by_the_node_itself_are_followed() {
    let (_host, plugin) = private_flow(Profile { change_brackets: false, ..Profile::generic() });
    let node = warm(baked(&plugin));
    let old = show(&node, LAST);
    for preset in [1, 2] {
        node.set("preset", preset).expect("picks a preset");
        let shown = show(&node, LAST);
        assert!(shown != old && shown == truth(|plugin| rebuilt(&node, plugin)), "preset {preset}");
    }
    node.move_timeline(100.0).expect("moves");
    node.push("startHere").expect("is pushed");
    assert!(show(&node, LAST) == truth(|plugin| rebuilt(&node, plugin)), "start");
}

/// A node with the values and keys of another.
fn rebuilt(node: &Node, plugin: &Plugin) -> NodeBuilder {
    let described = plugin.describe(Context::General).expect("describes");
    let kept = |name: &str| {
        let of_itself = matches!(name, "preset" | "info" | "simDigest" | "positionsSet");
        let kind = described.params.iter().find(|param| param.name == name).map_or("", |param| param.kind.as_str());
        !of_itself && !matches!(kind, "group" | "page" | "button" | "")
    };
    let empty = plugin.node(Context::General).set("output", "Water").project(Project::new(SIZE[0], SIZE[1]));
    node.params().iter().filter(|name| kept(name)).fold(empty, |built, name| {
        let curve = node.curve(name).expect("there");
        if curve.keys().is_empty() {
            return built.set(name, node.value(name, 1.0).expect("there"));
        }
        curve.keys().iter().fold(built, |built, (time, value)| built.key(name, *time, value.clone()))
    })
}

#[test]
fn edits_during_renders_leave_no_stale_frame() {
    let (_host, plugin) = private_flow(Profile { threads: 2, ..Profile::generic() });
    let node = warm(baked(&plugin));
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Runs also if the edits panic.
        let _stop = Stop(&stop);
        for offset in 0..3 {
            let (node, stop) = (&node, &stop);
            scope.spawn(move || {
                let mut turn = offset;
                while !stop.load(Ordering::SeqCst) {
                    turn = (turn * 7 + 13) % LAST;
                    drop(show(node, turn + 1));
                }
            });
        }
        for edit in 0..8 {
            let (frame, value) = (f64::from(2 + (edit * 53) % (LAST - 2)), 0.02 + 0.01 * f64::from(edit % 5));
            node.set_key("emitterRate", frame, value).expect("edits");
            assert!(show(&node, LAST) == truth(|plugin| rebuilt(&node, plugin)), "edit {edit}, beside other renders");
        }
    });
}

/// Stops other threads when it is dropped.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn frames_in_any_order_mixed_with_proxies_equal_a_cold_render() {
    let (_host, plugin) = private_flow(Profile::generic());
    let node = baked(&plugin).create().expect("a node");
    let times: Vec<f64> = (1..=LAST).map(f64::from).collect();
    let collect = |order| node.collect_frames(&times, order, 1, &Request::at(0.0)).expect("renders");
    let forward: Vec<Bits> = collect(Order::Forward).iter().map(bits).collect();
    let again: Vec<Frame> = collect(Order::Random(5));
    for frame in &again {
        assert!(bits(frame) == forward[frame.time as usize - 1], "frame {}", frame.time);
    }
    assert!(again.iter().all(|frame| simulated(frame) == 0));
}
