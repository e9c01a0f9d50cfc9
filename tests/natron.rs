//! Deviations of Natron from the standard: one undo reverts a whole preset or drag, and
//! nodes, whose names Natron does not report, have separate cache folders.

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use common::{private_flow, scene, simulated};
use flow_host::{Context, Host, Node, NodeBuilder, Overlay, Plugin, Profile, Project, Value, Viewer};

const SMOKE: &str = "org.flowofx.FlowSmoke";

/// Natron with a user interface.
fn natron() -> Profile {
    Profile { background: false, ..Profile::natron() }
}

fn project() -> Project {
    Project::new(200, 100).frames(1.0, 60.0)
}

/// A node of each type.
fn nodes() -> Vec<(Host, Node)> {
    [common::FLOW, SMOKE]
        .map(|name| {
            let host = Host::new(natron());
            let bundle = host.load_private(common::bundle_path()).expect("the bundle loads");
            let node = bundle.plugin(name).expect("is there").node(Context::General).project(project());
            (host, node.create().expect("a node"))
        })
        .into()
}

fn water() -> (Host, NodeBuilder) {
    let (host, plugin) = private_flow(natron());
    let node = plugin.node(Context::General).set("output", "Water").project(project());
    (host, node)
}

/// All values of a node at a frame, except those that the node writes itself.
fn values(node: &Node, time: f64) -> BTreeMap<String, Value> {
    let own = ["info", "simDigest", "cacheId"];
    let named = node.params().into_iter().filter(|name| !own.contains(&name.as_str()));
    named.map(|name| (name.clone(), node.value(&name, time).expect("is there"))).collect()
}

/// Number of values that differ.
fn changed(a: &BTreeMap<String, Value>, b: &BTreeMap<String, Value>) -> usize {
    a.iter().filter(|(name, value)| b[*name] != **value).count()
}

fn rules_kept(host: &Host) {
    assert_eq!(host.record().violations(), [""; 0]);
}

#[test]
fn one_undo_reverts_a_preset_and_redo_restores_it() {
    for (host, node) in nodes() {
        let before = values(&node, 1.0);
        node.set("preset", 1).expect("is set");
        let after = values(&node, 1.0);
        let set = changed(&before, &after);
        assert!(set > 10, "the preset sets {set} values");
        assert!(node.undo().expect("undoes"));
        let now = values(&node, 1.0);
        assert_eq!(now, before, "{} of {set} values came back", set - changed(&now, &before));
        assert!(node.redo().expect("redoes"));
        assert_eq!(values(&node, 1.0), after);
        assert!(node.undo().expect("undoes"));
        assert_eq!(values(&node, 1.0), before);
        assert!(!node.undo().expect("undoes"), "there is no other step");
        rules_kept(&host);
    }
}

#[test]
fn undo_of_a_preset_keeps_earlier_and_later_edits() {
    let (host, builder) = water();
    let node = builder.set("damping", 0.3).create().expect("a node");
    node.set("preset", "River").expect("is set");
    node.set("relief", 33.0).expect("is set");
    let river = values(&node, 1.0);
    // From preset to preset and back: the values are the earlier ones, not those of the preset.
    node.set("preset", "Flood").expect("is set");
    assert!(changed(&values(&node, 1.0), &river) > 5);
    assert!(node.undo().expect("undoes"));
    assert_eq!(values(&node, 1.0), river);
    // By hand, without the host's history: the artist's value stays, all others return.
    node.set("preset", 0).expect("is set");
    assert_eq!(node.value("relief", 1.0).expect("is there"), Value::from(33.0));
    assert_eq!(node.value("damping", 1.0).expect("is there"), Value::from(0.3));
    let (_host, plain) = water();
    let plain = values(&plain.set("damping", 0.3).set("relief", 33.0).create().expect("a node"), 1.0);
    assert_eq!(values(&node, 1.0), plain);
    rules_kept(&host);
}

#[test]
fn undo_of_a_preset_removes_the_keys_that_it_made() {
    let (host, builder) = water();
    let node = builder.key("damping", 1.0, 0.3).key("damping", 21.0, 0.5).create().expect("a node");
    let keys =
        || -> Vec<f64> { node.curve("damping").expect("is there").keys().iter().map(|(time, _)| *time).collect() };
    let before = values(&node, 11.0);
    node.move_timeline(11.0).expect("moves");
    node.set("preset", "River").expect("is set");
    assert_eq!(keys(), [1.0, 11.0, 21.0]);
    assert!(node.undo().expect("undoes"));
    assert_eq!(keys(), [1.0, 21.0]);
    assert_eq!(values(&node, 11.0), before);
    // An earlier key gets its value back.
    node.set_key("damping", 11.0, 0.9).expect("is set");
    node.set("preset", "River").expect("is set");
    assert!(node.undo().expect("undoes"));
    assert_eq!(node.value("damping", 11.0).expect("is there"), Value::from(0.9));
    rules_kept(&host);
}

fn open(node: &Node) -> Overlay {
    node.overlay().expect("opens").expect("the plug-in has an overlay")
}

/// Checks the undo of a drag: after the first step all values are as before, whatever the host's history contains.
fn check_drag(node: &Node, [from, to]: [[f64; 2]; 2], names: &[&str], most: usize) {
    let before = values(node, 1.0);
    assert!(open(node).drag(&Viewer::at(1.0), from, to).expect("drags"));
    let after = values(node, 1.0);
    let dragged: Vec<&String> = before.keys().filter(|name| before[*name] != after[*name]).collect();
    assert_eq!(dragged, names);
    assert!(node.undo().expect("undoes"));
    let now = values(node, 1.0);
    assert_eq!(now, before, "{} of {} values came back", names.len() - changed(&now, &before), names.len());
    assert!(node.redo().expect("redoes"));
    assert_eq!(values(node, 1.0), after);
    let mut steps = 0;
    while node.undo().expect("undoes") {
        steps += 1;
        assert_eq!(values(node, 1.0), before, "step {steps}");
    }
    assert!(steps <= most, "{steps} steps");
}

#[test]
fn one_undo_reverts_a_whole_drag() {
    let (host, node) = nodes().pop().expect("FlowSmoke");
    // A jet's arrow: direction and strength.
    let tip = [100.0, 12.0 + 24.0 + 80.0];
    check_drag(&node, [tip, [100.0 + 24.0 + 50.0, 12.0]], &["jet1Direction", "jet1Strength"], 2);
    check_drag(&node, [tip, [100.0, 12.0 + 24.0 + 50.0]], &["jet1Strength"], 1);
    check_drag(&node, [[100.0, 12.0], [60.0, 30.0]], &["jet1Centre"], 1);
    rules_kept(&host);
    let (host, builder) = water();
    let lit = builder.set("output", "Beauty").set("emitterRadius", 20.0);
    let node = lit.set("lightDirection", 0.0).set("lightElevation", 0.0).create().expect("a node");
    let dial = [200.0 * 0.88, 100.0 * 0.8];
    check_drag(&node, [[dial[0] + 44.0, dial[1]], [dial[0], dial[1] + 10.0]], &["lightDirection", "lightElevation"], 2);
    check_drag(&node, [[100.0, 70.0], [100.0, 85.0]], &["emitterRadius"], 1);
    check_drag(&node, [[100.0, 50.0], [60.0, 30.0]], &["emitterCentre"], 1);
    rules_kept(&host);
}

#[test]
fn undo_tells_drags_from_edits_by_hand() {
    let (host, builder) = water();
    let lit = builder.set("output", "Beauty").set("emitter", "Off").set("lightDirection", 0.0);
    let node = lit.set("lightElevation", 0.0).create().expect("a node");
    let dial = [200.0 * 0.88, 100.0 * 0.8];
    let before = values(&node, 1.0);
    assert!(open(&node).drag(&Viewer::at(1.0), [dial[0] + 44.0, dial[1]], [dial[0], dial[1] + 10.0]).expect("drags"));
    let dragged = values(&node, 1.0);
    // Later edits are undone one by one, a slider's motion at once; then the whole drag.
    for (name, value) in [("relief", 10.0), ("relief", 20.0), ("relief", 30.0), ("roughness", 0.5)] {
        node.set(name, value).expect("is set");
    }
    (0..4).for_each(|_| assert!(node.undo().expect("undoes")));
    assert_eq!(values(&node, 1.0), dragged);
    assert!(node.undo().expect("undoes"));
    assert_eq!(values(&node, 1.0), before);
    assert!(node.redo().expect("redoes"));
    assert_eq!(values(&node, 1.0), dragged);
    // By hand, after another edit, one value is set back: the other is the artist's.
    node.set("relief", 40.0).expect("is set");
    node.set("lightElevation", 0.0).expect("is set");
    let direction = node.value("lightDirection", 1.0).expect("is there");
    assert_eq!(direction, dragged["lightDirection"]);
    rules_kept(&host);
}

/// The state files below a folder, by their folder.
fn files(folder: &Path) -> BTreeMap<String, usize> {
    let entries = |path: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(path).map_or_else(|_| Vec::new(), |all| all.map(|e| e.expect("readable").path()).collect())
    };
    let count = |path: &Path| entries(path).iter().filter(|file| file.extension().is_some_and(|e| e == "exr")).count();
    let named = |path: PathBuf| (path.file_name().expect("named").to_string_lossy().into_owned(), count(&path));
    entries(folder).into_iter().map(named).collect()
}

fn text(node: &Node, name: &str) -> String {
    node.value(name, 1.0).expect("is there").text().expect("a text").to_owned()
}

/// A water identified by its flow rate.
fn shot(plugin: &Plugin, rate: f64) -> NodeBuilder {
    scene(plugin, 40, 24).set("sourceHeight", rate)
}

fn render(node: &Node) {
    (1..=3).for_each(|frame| drop(node.frame(f64::from(frame)).expect("renders")));
    // Pending writes end before anything is cleared or counted.
    node.sync().expect("syncs");
}

fn flushed(folder: &Path, wanted: usize) -> BTreeMap<String, usize> {
    for _ in 0..400 {
        if files(folder).values().sum::<usize>() >= wanted {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    files(folder)
}

#[test]
fn unnamed_nodes_have_separate_cache_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let (host, plugin) = private_flow(natron());
    let [first, second] = [0.5, 0.75].map(|rate| shot(&plugin, rate).create().expect("a node"));
    for node in [&first, &second] {
        assert_eq!(text(node, "cacheId"), "", "a node that needs no id has none");
        node.set("cacheFolder", path).expect("is set");
        render(node);
    }
    let ids = [&first, &second].map(|node| text(node, "cacheId"));
    assert!(ids[0].len() == 16 && ids[1].len() == 16 && ids[0] != ids[1], "{ids:?}");
    let own = ids.clone().map(|id| format!("flow-{id}"));
    assert_eq!(flushed(folder.path(), 6), BTreeMap::from(own.clone().map(|name| (name, 3))));
    first.push("clearDisk").expect("is pushed");
    let [cleared, kept] = own;
    assert_eq!(files(folder.path()), BTreeMap::from([(cleared, 0), (kept, 3)]));
    // The id is in no key: with the first node's settings, the second finds its states.
    second.set("sourceHeight", 0.5).expect("is set");
    assert_eq!(simulated(&second.frame(3.0).expect("renders")), 0);
    rules_kept(&host);
}

#[test]
fn undo_and_redo_keep_a_nodes_cache_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    for profile in [natron(), Profile { names_nodes: false, background: false, ..Profile::generic() }] {
        let (host, plugin) = private_flow(profile);
        let node = shot(&plugin, 0.5).create().expect("a node");
        node.set("cacheFolder", path).expect("is set");
        let id = text(&node, "cacheId");
        assert!(node.undo().expect("undoes"));
        assert_eq!(text(&node, "cacheFolder"), "");
        if !node.redo().expect("redoes") {
            node.set("cacheFolder", path).expect("is set");
        }
        assert_eq!((text(&node, "cacheFolder").as_str(), text(&node, "cacheId")), (path, id));
        rules_kept(&host);
    }
}

#[test]
fn a_copied_node_gets_a_new_id_and_a_loaded_node_keeps_its_id() {
    let (host, plugin) = private_flow(natron());
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let with = |id: &str| shot(&plugin, 0.5).set("cacheId", id).set("cacheFolder", path).create().expect("a node");
    let first = with("0123456789abcdef");
    first.set("speed", 2.0).expect("is set");
    let [second, third] = [(); 2].map(|()| with("0123456789abcdef"));
    second.set("speed", 2.0).expect("is set");
    third.sync().expect("syncs");
    first.set("speed", 3.0).expect("is set");
    assert_eq!(text(&first, "cacheId"), "0123456789abcdef");
    let ids = [&second, &third].map(|node| text(node, "cacheId"));
    assert!(ids.iter().all(|id| id.len() == 16 && *id != "0123456789abcdef") && ids[0] != ids[1], "{ids:?}");
    // Once the node is gone, the id is free.
    first.destroy().expect("goes");
    let again = with("0123456789abcdef");
    again.set("speed", 2.0).expect("is set");
    assert_eq!(text(&again, "cacheId"), "0123456789abcdef");
    rules_kept(&host);
}

#[test]
fn background_processes_keep_the_loaded_id() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let (host, plugin) = private_flow(Profile::natron());
    let named = shot(&plugin, 0.25).set("cacheId", "0123456789abcdef").create().expect("a node");
    let [first, second] = [0.5, 0.75].map(|rate| shot(&plugin, rate).create().expect("a node"));
    for node in [&named, &first, &second] {
        node.set("cacheFolder", path).expect("is set");
        render(node);
    }
    assert_eq!([&named, &first, &second].map(|node| text(node, "cacheId")), ["0123456789abcdef", "", ""]);
    let own = "flow-0123456789abcdef".to_owned();
    assert_eq!(flushed(folder.path(), 9), BTreeMap::from([("flow".to_owned(), 6), (own.clone(), 3)]));
    // Clear disk removes the node's own frames from a shared folder.
    first.push("clearDisk").expect("is pushed");
    assert_eq!(files(folder.path()), BTreeMap::from([("flow".to_owned(), 3), (own, 3)]));
    rules_kept(&host);
}
