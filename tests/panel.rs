//! The panel's behaviour: presets are one edit, and parameters without effect are disabled.

mod common;

use common::{bits, check_greyed, own_flow, picture, total};
use flow_host::{Context, Node, Plugin, Project, Source, Value};

const PRESETS: [&str; 5] = ["River", "Flood", "Ripples", "Pond in rain", "Street puddle"];

/// A node with a Source that is water everywhere.
fn node(plugin: &Plugin) -> Node {
    plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(96, 64).frames(1.0, 20.0))
        .clip("Source", Source::still(picture(96, 64, |_, _| [0.2, 0.3, 0.4, 0.5])))
        .create()
        .expect("a node")
}

#[test]
fn a_preset_is_one_undoable_edit_and_shows_water() {
    let (_host, plugin) = own_flow();
    for preset in PRESETS {
        let node = node(&plugin);
        let before: Vec<Value> = node.params().iter().filter_map(|name| node.value(name, 1.0).ok()).collect();
        node.set("preset", preset).expect("the node takes it");
        let model = node.value("model", 1.0).expect("there");
        let wanted = match preset {
            "River" | "Flood" => 2,
            "Ripples" | "Pond in rain" => 3,
            _ => 0,
        };
        assert_eq!(model, Value::from(wanted), "{preset}");
        let frame = node.frame(6.0).expect("renders");
        assert!(bits(&frame).iter().flatten().all(|&v| f32::from_bits(v).is_finite()), "{preset}");
        assert!(total(&frame, 3) > 10.0, "{preset}: {}", total(&frame, 3));
        assert!(node.undo().expect("undone"), "{preset}");
        let after: Vec<Value> = node.params().iter().filter_map(|name| node.value(name, 1.0).ok()).collect();
        let same = before.iter().zip(&after).filter(|(a, b)| a == b).count();
        // The node's own outputs, info and digest, may differ.
        assert!(same + 2 >= before.len(), "{preset}: {same} of {}", before.len());
    }
}

#[test]
fn the_host_finds_the_edits_that_enable_a_parameter() {
    let (_host, plugin) = own_flow();
    let node = node(&plugin);
    let enabling = |name| node.enabling(name).expect("tried");
    let numbers = || -> Vec<_> {
        node.params().iter().filter_map(|name| node.value(name, 1.0).ok()).map(|value| value.numbers()).collect()
    };
    let before = numbers();
    assert_eq!(enabling("rain"), ["rainMode = 'Mean height'"]);
    assert_eq!(enabling("foamLife"), ["foam = on"]);
    assert!(enabling("emitter2Radius").contains(&"emitterCount = 2, 3, 4, 5, 6, 7, 8".to_owned()));
    assert!(enabling("output").is_empty(), "it is enabled");
    assert_eq!(before, numbers(), "no value stays changed");
}

#[test]
fn parameters_without_effect_are_disabled() {
    let (_host, plugin) = own_flow();
    let node = node(&plugin);
    let check = |on: &[&str], off: &[&str], when: &str| check_greyed(&node, on, off, when);
    check(&["speed", "smoothing", "output"], &["gravity", "flowRate", "relief", "roughness"], "a new node");
    node.set("model", "Rivers and floods").expect("set");
    check(
        &["gravity", "friction", "timeScale", "smoothing", "order"],
        &["speed", "rippleLength", "flowRate"],
        "Rivers and floods",
    );
    node.set("model", "Ripples").expect("set");
    check(&["speed", "rippleLength", "rippleDepth", "rippleSmoothing"], &["gravity", "smoothing", "order"], "Ripples");
    node.set("model", "Legacy pipes").expect("set");
    check(&["flowRate"], &["gravity", "speed", "timeScale"], "Legacy pipes");
    node.set("output", "Normals").expect("set");
    check(&["relief"], &["clarity", "indexOfRefraction"], "Normals");
    node.set("output", "Beauty").expect("set");
    check(&["relief", "clarity", "murkiness", "indexOfRefraction", "roughness"], &["detailSize"], "Beauty");
    node.set("emitter", "Off").expect("set");
    check(&["rainDrops", "rainSize"], &["rain", "emitterRate", "emitterSoftness", "emitterCentre"], "no emitter");
    node.set("rainMode", "Mean height").expect("set");
    check(&["rain", "rainSize"], &["rainDrops"], "Mean height");
    check(&["waterLevel", "detail"], &["foamAmount", "shoreFoam"], "no foam");
    node.set("preset", "River").expect("set");
    check(&["gravity", "emitterRate"], &["flowRate"], "a preset");
}
