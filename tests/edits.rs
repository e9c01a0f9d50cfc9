//! Costs of edits: frames before an edit stay, later frames are simulated again, and undo finds the old ones.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use common::{bits, matte, moving, picture, private_flow, simulated, terrain};
use flow_host::{Context, Frame, Node, NodeBuilder, Order, Plugin, Profile, Project, Request, Source, Value};

const SIZE: [i32; 2] = [64, 48];

type Bits = Vec<[u32; 4]>;

/// A node with keys at 20, 40 and 60.
fn shot(plugin: &Plugin) -> NodeBuilder {
    let keyed = |node: NodeBuilder, name: &str, values: [Value; 3]| {
        [20.0, 40.0, 60.0].into_iter().zip(values).fold(node, |node, (time, value)| node.key(name, time, value))
    };
    let node = plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(SIZE[0] as u32, SIZE[1] as u32))
        .clip("Source", matte(SIZE[0], SIZE[1]))
        .clip("Terrain", Source::still(terrain(SIZE[0], SIZE[1])))
        .set("emitter", "On")
        .set("emitterRadius", 6.0)
        .set("rainMode", "Mean height")
        .set("edges", "Open");
    let node = keyed(node, "speed", [2.0, 3.0, 1.0].map(Value::from));
    let node = keyed(node, "emitterCentre", [[20.0, 10.0], [30.0, 30.0], [50.0, 20.0]].map(Value::from));
    let node = keyed(node, "rain", [0.001, 0.002, 0.001].map(Value::from));
    let node = keyed(node, "terrainHeight", [0.5, 0.7, 0.6].map(Value::from));
    let node = keyed(node, "damping", [0.02, 0.05, 0.01].map(Value::from));
    keyed(node, "emitterColour", [[0.1, 0.4, 0.6], [0.5, 0.5, 0.1], [0.1, 0.4, 0.6]].map(Value::from))
}

fn render(node: &Node, frames: std::ops::RangeInclusive<i32>) -> Vec<Frame> {
    let times: Vec<f64> = frames.map(f64::from).collect();
    node.collect_frames(&times, Order::Forward, 1, &Request::at(0.0)).expect("renders")
}

fn all_bits(frames: &[Frame]) -> Vec<Bits> {
    frames.iter().map(bits).collect()
}

fn total(frames: &[Frame]) -> u64 {
    frames.iter().map(simulated).sum()
}

/// The frame of a node that was never edited, in a private copy of the library.
fn truth(build: impl Fn(&Plugin) -> NodeBuilder, time: f64) -> Bits {
    let (_host, plugin) = private_flow(Profile::generic());
    bits(&build(&plugin).create().expect("a node").frame(time).expect("renders"))
}

#[test]
fn a_changed_key_keeps_earlier_frames_and_undo_restores_later_frames() {
    let (_host, plugin) = private_flow(Profile::generic());
    let edits: [(&str, Value); 6] = [
        ("speed", 6.0.into()),
        ("emitterCentre", [5.0, 40.0].into()),
        ("rain", 0.3.into()),
        ("terrainHeight", 0.2.into()),
        ("damping", 0.3.into()),
        ("emitterColour", [1.0, 0.0, 0.0].into()),
    ];
    let node = shot(&plugin).create().expect("a node");
    let before = all_bits(&render(&node, 1..=70));
    for (name, value) in edits {
        node.set_key(name, 40.0, value).expect("edits");
        let kept = render(&node, 1..=20);
        assert_eq!(total(&kept), 0, "{name}: frames up to 20 are kept");
        assert!(all_bits(&kept) == before[..20], "{name}: frames up to 20 are the same");
        let changed = render(&node, 21..=70);
        let counts: Vec<u64> = changed.iter().map(simulated).collect();
        assert_eq!(counts, [1; 50], "{name}: every frame after 20 is made once");
        for (frame, (new, old)) in (21..).zip(changed.iter().zip(&before[20..])) {
            assert!(bits(new) != *old, "{name}: frame {frame} shows the edit");
        }
        assert!(node.undo().expect("undoes"));
        let undone = render(&node, 1..=70);
        assert_eq!(total(&undone), 0, "{name}: undo costs nothing");
        assert!(all_bits(&undone) == before, "{name}: undo brings the old frames back");
    }
}

#[test]
fn an_edited_shot_equals_a_new_one_with_the_same_settings() {
    let (_host, plugin) = private_flow(Profile::generic());
    let node = shot(&plugin).create().expect("a node");
    render(&node, 1..=70);
    node.set_key("speed", 40.0, 6.0).expect("edits");
    node.delete_key("speed", 60.0).expect("edits");
    node.set("smoothing", 0.3).expect("edits");
    let built = |plugin: &Plugin| shot(plugin).set("smoothing", 0.3).key("speed", 40.0, 6.0).key("speed", 60.0, 6.0);
    assert!(bits(&node.frame(65.0).expect("renders")) == truth(built, 65.0));
}

#[test]
fn ten_nodes_with_the_same_water_simulate_it_once() {
    let (_host, plugin) = private_flow(Profile::generic());
    let outputs = ["Water", "Height", "Cross", "Diagonal"];
    let devices = ["Auto", "CPU", "GPU"];
    let nodes: Vec<Node> = (0..10_usize)
        .map(|index| {
            let node = shot(&plugin)
                .set("output", outputs[index % 4])
                .set("device", devices[index % 3])
                .set("memoryBudget", 512 + index as i32)
                .set("declareFrames", (index % 2) as i32);
            node.create().expect("a node")
        })
        .collect();
    let rendered: Vec<Vec<Frame>> = nodes.iter().map(|node| render(node, 1..=30)).collect();
    let counts: Vec<u64> = rendered.iter().map(|frames| total(frames)).collect();
    assert_eq!(counts, [30, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let pictures: Vec<Vec<Bits>> = rendered.iter().map(|frames| all_bits(frames)).collect();
    for index in 0..4 {
        assert!(pictures[index] == pictures[index + 4], "{} twice", outputs[index]);
        assert!(!pictures[..index].contains(&pictures[index]), "{} is another picture", outputs[index]);
    }
    for (name, value) in [("output", 2), ("device", 0), ("memoryBudget", 600), ("declareFrames", 0)] {
        nodes[1].set(name, value).expect("edits");
        assert_eq!(total(&render(&nodes[1], 1..=30)), 0, "{name} is in no key");
    }
    assert!(all_bits(&render(&nodes[1], 1..=30)) == pictures[2]);
}

/// Marks all frames of a [`Changing`] as changed.
const ALL: i64 = -1;

/// A Source of which one frame, or all, can change without a report to the node.
struct Changing {
    frame: Arc<AtomicI64>,
}

impl Changing {
    fn source(changed: i64) -> (Self, Source) {
        let frame = Arc::new(AtomicI64::new(changed));
        let source = {
            let frame = Arc::clone(&frame);
            let shape = |height: f32| {
                picture(SIZE[0], SIZE[1], move |u, v| {
                    let inside = (u - 0.5).hypot(v - 0.5) < 0.2;
                    [0.0, 0.0, 0.0, if inside { height } else { 0.0 }]
                })
            };
            let [usual, other] = [shape(0.5), shape(0.9)];
            Source::pictures(move |time| {
                let changed = frame.load(Ordering::SeqCst);
                Some(if changed == ALL || changed == time as i64 { other.clone() } else { usual.clone() })
            })
        };
        (Self { frame }, source)
    }

    fn change(&self, frame: i64) {
        self.frame.store(frame, Ordering::SeqCst);
    }
}

fn fed(plugin: &Plugin, source: Source) -> NodeBuilder {
    plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(SIZE[0] as u32, SIZE[1] as u32))
        .clip("Source", source)
        .clip("Terrain", Source::still(terrain(SIZE[0], SIZE[1])))
        .set("sourceMode", "Add")
        .set("sourceHeight", 0.1)
}

/// Frame 30 with another Source at frame `changed`.
fn truth_with(changed: i64) -> Bits {
    truth(|plugin| fed(plugin, Changing::source(changed).1), 30.0)
}

#[test]
fn a_reported_change_of_an_input_is_followed() {
    let (_host, plugin) = private_flow(Profile::generic());
    let (changing, source) = Changing::source(0);
    let node = fed(&plugin, source).create().expect("a node");
    let usual = node.frame(30.0).expect("renders");
    let notices: [(&str, &dyn Fn() -> flow_host::Result<()>); 3] = [
        ("InstanceChanged", &|| node.input_changed("Source")),
        ("Refresh", &|| node.push("refresh")),
        ("PurgeCaches", &|| node.purge()),
    ];
    for (changed, (name, notice)) in [8, 17, 23].into_iter().zip(notices) {
        changing.change(changed);
        notice().expect("is told");
        let frame = node.frame(30.0).expect("renders");
        assert!(bits(&frame) == truth_with(changed), "{name}: the frame is right");
        if name != "PurgeCaches" {
            assert_eq!(simulated(&frame), 31 - changed as u64, "{name}: frames before the change are kept");
        }
        changing.change(0);
        notice().expect("is told");
        let back = node.frame(30.0).expect("renders");
        assert!(bits(&back) == bits(&usual), "{name}: and back");
        assert_eq!(simulated(&back), if name == "PurgeCaches" { 30 } else { 0 }, "{name}: the old frames are there");
    }
}

#[test]
fn an_unreported_change_of_an_input_is_found_by_sampling() {
    let (_host, plugin) = private_flow(Profile::generic());
    let (changing, source) = Changing::source(0);
    let node = fed(&plugin, source).create().expect("a node");
    node.frame(30.0).expect("renders");
    for changed in [30, 1, 12, 29, 2] {
        changing.change(changed);
        let right = truth_with(changed);
        let renders = (1..).take(60).find(|_| bits(&node.frame(30.0).expect("renders")) == right);
        let renders = renders.unwrap_or_else(|| panic!("frame {changed} is never noticed"));
        assert!(renders <= if matches!(changed, 1 | 30) { 1 } else { 60 }, "frame {changed}: {renders} renders");
    }
}

#[test]
fn one_changed_frame_causes_the_whole_clip_to_be_read_again() {
    let (_host, plugin) = private_flow(Profile::generic());
    let (changing, source) = Changing::source(0);
    let node = fed(&plugin, source).create().expect("a node");
    let usual = bits(&node.frame(30.0).expect("renders"));
    for _ in 0..3 {
        changing.change(ALL);
        assert!(bits(&node.frame(30.0).expect("renders")) == truth_with(ALL), "noticed at once");
        changing.change(0);
        let back = node.frame(30.0).expect("renders");
        assert!(bits(&back) == usual && simulated(&back) == 0, "and back, with the old frames");
    }
}

#[test]
fn a_reconnected_clip_is_read_again() {
    let (_host, plugin) = private_flow(Profile::generic());
    let node = fed(&plugin, Changing::source(0).1).create().expect("a node");
    let usual = bits(&node.frame(30.0).expect("renders"));
    node.connect("Source", Some(Changing::source(15).1)).expect("connects");
    assert!(bits(&node.frame(30.0).expect("renders")) == truth_with(15));
    node.connect("Source", None).expect("connects");
    assert!(bits(&node.frame(30.0).expect("renders")) != usual);
    node.connect("Source", Some(Changing::source(0).1)).expect("connects");
    let back = node.frame(30.0).expect("renders");
    assert!(bits(&back) == usual && simulated(&back) == 0);
}

fn digest(node: &Node) -> String {
    node.value("simDigest", 1.0).expect("there").text().unwrap_or_default().to_owned()
}

/// Parameters that change no pixel of the simulation.
const NOT_SIMULATED: [&str; 40] = [
    "output",
    "relief",
    "indexOfRefraction",
    "waterColour",
    "clarity",
    "murkiness",
    "alphaMode",
    "groundColour",
    "skyColour",
    "horizonColour",
    "skyContrast",
    "clouds",
    "skyline",
    "skylineHeight",
    "viewElevation",
    "lightDirection",
    "lightElevation",
    "terrainShadow",
    "lightColour",
    "lightSize",
    "roughness",
    "caustics",
    "reflectionDistance",
    "detailStrength",
    "detailSize",
    "foamColour",
    "wetDarkening",
    "cacheFolder",
    "cacheName",
    "cacheMode",
    "cacheEvery",
    "cacheSize",
    "cacheBusy",
    "device",
    "memoryBudget",
    "declareFrames",
    "info",
    "simDigest",
    "cacheId",
    "positionsSet",
];

#[test]
fn the_digest_follows_every_edit_of_the_simulation_and_no_other() {
    let (_host, plugin) = private_flow(Profile::generic());
    let node = shot(&plugin).create().expect("a node");
    let described = plugin.describe(Context::General).expect("describes");
    let mut seen = Vec::new();
    for param in described.params.iter().filter(|param| !matches!(param.kind.as_str(), "group" | "page" | "button")) {
        let name = param.name.as_str();
        if matches!(name, "info" | "simDigest" | "cacheId" | "positionsSet") {
            continue;
        }
        let value: Value = match node.value(name, 1.0).expect("there") {
            Value::Ints(values) if param.kind == "bool" => Value::Ints(vec![1 - values[0]]),
            Value::Ints(values) if param.kind == "choice" => {
                Value::Ints(vec![(values[0] + 1) % param.options.len() as i32])
            }
            Value::Ints(values) => Value::Ints(values.iter().map(|v| if *v == 1 { 2 } else { 1 }).collect()),
            Value::Doubles(values) => Value::Doubles(values.iter().map(|v| v * 0.9 + 0.0123).collect()),
            Value::Text(text) => Value::Text(text + "another"),
        };
        let old = digest(&node);
        node.set(name, value.clone()).expect("edits");
        let new = digest(&node);
        assert_eq!(old == new, NOT_SIMULATED.contains(&name), "{name}: {old} and {new}");
        if old != new {
            assert!(!seen.contains(&new), "{name}: a digest of its own");
            seen.push(new.clone());
        }
        assert!(node.undo().expect("undoes"));
        assert!(old.is_empty() || digest(&node) == old, "{name}: undo restores the digest");
        if param.animates && old != new {
            node.set_key(name, 33.0, value.clone()).expect("edits");
            let keyed = digest(&node);
            assert_ne!(keyed, old, "{name}: a key");
            node.delete_key(name, 33.0).expect("edits");
            node.set_key(name, 34.0, value).expect("edits");
            assert!(digest(&node) != keyed && digest(&node) != old, "{name}: another frame's key");
            (0..3).for_each(|_| assert!(node.undo().expect("undoes")));
        }
    }
    assert!(seen.len() > 30, "{} parameters", seen.len());
    let old = digest(&node);
    node.push("refresh").expect("is pushed");
    assert_ne!(digest(&node), old, "a refresh");
    assert_eq!(node.param_flag("simDigest", "OfxParamPropSecret").expect("there"), Some(1));
}

#[test]
fn a_host_that_hashes_the_current_frame_renders_again_after_an_edit_of_an_earlier_key() {
    let profile = Profile { picture_cache: true, ..Profile::nuke() };
    let (host, plugin) = private_flow(profile);
    let keyed = |plugin: &Plugin, time: f64| {
        let source = moving(1, 60, |_| picture(SIZE[0], SIZE[1], |_, _| [0.0; 4]));
        let node =
            plugin.node(Context::General).set("output", "Water").project(Project::new(SIZE[0] as u32, SIZE[1] as u32));
        node.clip("Source", source).set("emitter", "On").key("emitterRate", 1.0, 0.0).key("emitterRate", time, 0.2).key(
            "emitterRate",
            10.0,
            0.0,
        )
    };
    let node = keyed(&plugin, 5.0).create().expect("a node");
    // The first edit of a node creates the digest; a user who places keys has made one.
    node.set("output", "Height").expect("edits");
    node.set("speed", 2.0).expect("edits");
    let old = node.frame(50.0).expect("renders");
    assert!(!old.cached && node.frame(50.0).expect("renders").cached, "the host keeps its pictures");
    node.set("output", "Water").expect("edits");
    let water = node.frame(50.0).expect("renders");
    node.delete_key("emitterRate", 5.0).expect("edits");
    node.set_key("emitterRate", 7.0, 0.2).expect("edits");
    let moved = node.frame(50.0).expect("renders");
    assert!(!moved.cached, "frame 50 is asked for again");
    assert!(bits(&moved) == truth(|plugin| keyed(plugin, 7.0).set("speed", 2.0), 50.0));
    (0..2).for_each(|_| assert!(node.undo().expect("undoes")));
    let back = node.frame(50.0).expect("renders");
    assert!(back.cached && bits(&back) == bits(&water), "the old picture is found again");
    node.push("refresh").expect("is pushed");
    assert!(!node.frame(50.0).expect("renders").cached, "a refresh renders again");
    assert!(host.record().violations().is_empty(), "{:?}", host.record().violations());
}

#[test]
fn such_a_host_renders_again_after_the_first_edit() {
    let profile = Profile { picture_cache: true, ..Profile::nuke() };
    let (_host, plugin) = private_flow(profile);
    let node = shot(&plugin).create().expect("a node");
    let old = node.frame(50.0).expect("renders");
    node.set_key("speed", 5.0, 3.0).expect("edits");
    let new = node.frame(50.0).expect("renders");
    assert!(!new.cached && bits(&new) != bits(&old));
}
