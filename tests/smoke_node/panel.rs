//! The panel: presets, buttons, and disabled parameters.

use super::*;

#[test]
fn start_here_sets_the_current_frame() {
    let (_host, plugin) = smoke();
    let node = bare(&plugin, SIZE).project(Project::new(96, 64).frames(1001.0, 1100.0)).create().expect("a node");
    node.set_timeline(1001.0);
    node.push("startHere").expect("is pushed");
    assert_eq!(node.value("startFrame", 1001.0).expect("there"), Value::from(1001));
    assert_eq!(simulated(&node.frame(1002.0).expect("renders")), 2);
}

#[test]
fn parameters_that_a_key_may_enable_stay_enabled() {
    let (_host, plugin) = smoke();
    let plain = bare(&plugin, SIZE).create().expect("a node");
    check_greyed(&plain, &[], &["noiseSize", "brushRadius"], "nothing is keyed");
    let keyed = bare(&plugin, SIZE).key("noise", 5.0, 0.0).key("noise", 9.0, 1.0).key("brush", 5.0, false);
    let keyed = keyed.key("brush", 9.0, true).create().expect("a node");
    check_greyed(&keyed, &["noiseSize", "noiseSpeed", "brushRadius"], &["vortexRadius"], "keys turn it on later");
}

#[test]
fn a_change_of_the_device_class_invalidates_the_picture() {
    let (_host, plugin) = smoke();
    let node = bare(&plugin, SIZE).create().expect("a node");
    let counts = |param: &str| node.param_flag(param, "OfxParamPropEvaluateOnChange").expect("asked");
    assert_ne!(counts("device"), Some(0), "its bits are others");
    assert_eq!(counts("memoryBudget"), Some(0));
}

#[test]
fn a_preset_sets_its_parameters_as_one_edit() {
    let (_host, plugin) = smoke();
    let all = ["Ink", "Campfire", "Chimney", "Fog bank"];
    for preset in all {
        let node = bare(&plugin, [160, 90]).create().expect("a node");
        node.set("preset", preset).expect("the node takes it");
        let output = node.value("output", 1.0).expect("there");
        let wanted = match preset {
            "Campfire" => 2,
            "Ink" => 3,
            _ => 1,
        };
        assert_eq!(output, Value::from(wanted), "{preset}");
        let frame = node.frame(8.0).expect("renders");
        assert!(finite(&frame) && dye(&frame) > 1.0, "{preset}: {}", dye(&frame));
    }
}

#[test]
fn parameters_without_effect_are_disabled() {
    let (_host, plugin) = smoke();
    let node = bare(&plugin, SIZE).create().expect("a node");
    let check = |on: &[&str], off: &[&str], when: &str| check_greyed(&node, on, off, when);
    let still =
        ["gridCentre", "gridFeather", "brushRadius", "windDrag", "attractorRadius", "vortexCentre", "noiseSize"];
    check(&["jet1Centre", "seed", "gridMode", "wind", "iterations"], &still, "a new node");
    check(&[], &["jet1PulseDuty", "jet2Centre", "jet4Random", "lightDirection", "opacity", "fireKelvin"], "a new node");
    node.set("output", "Smoke").expect("set");
    check(&["lightDirection", "lightColour", "shadow", "depth", "opacity"], &["fireKelvin", "fireSoot"], "Smoke");
    node.set("gridMode", "Follow").expect("set");
    check(&["gridCentre", "gridSize", "gridFeather", "gridVelocityInherit"], &[], "Follow");
    node.set("output", "Fire").expect("set");
    check(&["ambientLight", "fireEmber", "fireOpacity", "gridFeather"], &[], "Fire");
    node.set("output", "Velocity").expect("set");
    check(&["gridCentre"], &["gridFeather", "opacity", "fireExposure"], "Velocity");
    node.set("jet1PulseRate", 0.1).expect("set");
    check(&["jet1PulseDuty"], &["jet2PulseDuty"], "pulses");
    node.set("jet1Random", 0.0).expect("set");
    check(&["jet1Random"], &["seed"], "nothing wanders");
    node.set("noise", 0.5).expect("set");
    check(&["noiseSize", "noiseSpeed", "seed"], &[], "turbulence");
    node.set("jet1", "Off").expect("set");
    check(&["jet1"], &["jet1Centre", "jet1PulseRate", "jet1PulseDuty"], "no jet");
    node.set("wind", [0.0, 1.0]).expect("set");
    ["brush", "attractor", "vortex"].iter().for_each(|name| node.set(name, true).expect("set"));
    check(&["windDrag", "brushDensity", "attractorStrength", "vortexRadius"], &[], "all else on");
    node.set("preset", "Fog bank").expect("set");
    check(&["jet4Centre", "shadow"], &["brushForce", "fireFalloff", "jet4PulseDuty"], "a preset");
}

#[test]
fn a_preset_covers_the_same_fraction_of_any_frame_size() {
    let (_host, plugin) = smoke();
    let set = |size: [i32; 2]| {
        let node = bare(&plugin, size).create().expect("a node");
        node.set("preset", "Chimney").expect("the node takes it");
        ["jet1Radius", "jet2Strength", "noiseSize", "shadow", "opacity"]
            .map(|name| node.value(name, 1.0).expect("there"))
    };
    // Lengths and speeds scale with the height; a shadow per pixel inversely; a fraction does not.
    assert_eq!(set([1920, 1080]), [104.0, 12.0, 130.0, 2.4, 1.5].map(Value::from));
    assert_eq!(set([480, 270]), [26.0, 3.0, 32.5, 9.6, 1.5].map(Value::from));
}

#[test]
fn slip_changes_the_flow_along_walls_only() {
    let (_host, plugin) = smoke();
    let obstacle = moving(1, 12, |_| {
        picture(SIZE[0], SIZE[1], |u, v| {
            [0.0, 0.0, 0.0, f32::from(u8::from((u - 0.5).hypot((v - 0.7) * 2.0 / 3.0) < 0.1))]
        })
    });
    let node = bare(&plugin, SIZE).set("viscosity", 3.0).clip("Obstacles", obstacle).create().expect("a node");
    let shown = || bits(&node.frame(5.0).expect("renders"));
    let [edge, obstacle] = ["edgeSlip", "obstacleSlip"].map(|name| node.value(name, 1.0).expect("there"));
    assert_eq!([edge, obstacle], [Value::from(0), Value::from(1)], "edges slip, obstacles do not");
    let plain = shown();
    check_greyed(&node, &["obstacleSlip"], &["edgeSlip"], "no edge is closed");
    node.set("edgeSlip", "No slip").expect("set");
    let frame = node.frame(5.0).expect("renders");
    assert_eq!((simulated(&frame), bits(&frame) == plain), (0, true), "there is no wall at the edges");
    node.set("obstacleSlip", "Free slip").expect("set");
    let slippery = shown();
    assert!(slippery != plain, "obstacles slip now");
    node.set("edgeBottom", "Closed").expect("set");
    check_greyed(&node, &["edgeSlip"], &[], "an edge is closed");
    let sticky = shown();
    node.set("edgeSlip", "Free slip").expect("set");
    assert!(shown() != sticky, "the bottom slips now");
}
