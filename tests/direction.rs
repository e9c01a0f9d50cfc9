//! Parameters and inputs that direct the water, through the panel: emitters, absorbing edges, the inputs Control
//! and Goal, foam and wetness.

mod common;

use common::{own_flow, picture, simulated, whole};
use flow_host::{Context, Frame, Node, NodeBuilder, Plugin, Project, Source};

const WIDTH: i32 = 64;
const HEIGHT: i32 = 48;

/// A node over an empty frame, whose emitter is off.
fn still(plugin: &Plugin) -> NodeBuilder {
    let project = Project::new(WIDTH as u32, HEIGHT as u32).frames(1.0, 100.0);
    plugin.node(Context::General).set("output", "Water").project(project).set("emitter", "Off")
}

/// A pool with a mound in its middle.
fn pool() -> Source {
    Source::still(picture(WIDTH, HEIGHT, |u, v| {
        let distance = (u - 0.5).powi(2) + (v - 0.5).powi(2);
        [0.0, 0.0, 0.0, (0.2 + 0.3 * (-distance / 0.005).exp()) as f32]
    }))
}

fn at(node: &Node, time: f64) -> Frame {
    node.frame(time).expect("rendered")
}

/// Heights, of the output Water.
fn heights(image: &Frame) -> Vec<f32> {
    (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))).map(|(x, y)| image.pixel(x, y)[3]).collect()
}

#[test]
fn every_emitter_adds_water_at_its_position_while_it_is_on() {
    let (_host, plugin) = own_flow();
    for number in 2..=8 {
        let name = |what: &str| format!("emitter{number}{what}");
        let node = still(&plugin).create().expect("a node");
        assert!(heights(&at(&node, 1.0)).iter().all(|&h| h == 0.0), "nothing is on");
        node.set(&name("Centre"), [20.5, 30.5]).and_then(|()| node.set(&name("Radius"), 5.0)).expect("set");
        node.set("emitterCount", number).expect("set");
        (2..number).for_each(|other| node.set(&format!("emitter{other}"), false).expect("set"));
        let disc = at(&node, 1.0);
        assert!(disc.pixel(20, 30)[3] > 0.04 && disc.pixel(28, 30)[3] == 0.0, "{number}");
        node.set(&name("Shape"), "Line").and_then(|()| node.set(&name("Angle"), 90.0)).expect("set");
        node.set(&name("Radius"), 12.0).and_then(|()| node.set(&name("Width"), 2.0)).expect("set");
        let line = at(&node, 1.0);
        assert!(line.pixel(20, 40)[3] > 0.02 && line.pixel(28, 30)[3] == 0.0, "{number}");
    }
}

#[test]
fn an_emitter_with_waves_oscillates() {
    let (_host, plugin) = own_flow();
    let node = still(&plugin).set("emitterCount", 2).set("emitter2Frequency", 0.1).set("speed", 0.0).create();
    let node = node.expect("a node");
    let volume = |time: f64| heights(&at(&node, time)).iter().map(|&h| f64::from(h)).sum::<f64>();
    let volumes: Vec<f64> = (1..=21).map(|frame| volume(f64::from(frame))).collect();
    let gains: Vec<f64> = volumes.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (low, high) = gains.iter().fold((f64::MAX, 0.0_f64), |(low, high), &v| (low.min(v), high.max(v)));
    assert!(low < 0.05 * high, "it falls to nothing: {gains:?}");
    assert!((gains[0] - gains[10]).abs() < 1e-3 * high, "and comes back after 10 frames: {gains:?}");
}

#[test]
fn absorbing_edges_calm_a_pool_and_keep_its_water() {
    let (_host, plugin) = own_flow();
    let unrest = |sets: &[(&str, &str)]| {
        let mut builder = still(&plugin).clip("Source", pool()).set("absorbWidth", 20.0).set("damping", 0.0);
        for (name, value) in sets {
            builder = builder.set(*name, *value);
        }
        let heights = heights(&at(&builder.create().expect("a node"), 30.0));
        let mean = heights.iter().sum::<f32>() / heights.len() as f32;
        (mean, heights.iter().map(|h| (h - mean).powi(2)).sum::<f32>())
    };
    let (walls, absorbed) = (unrest(&[]), unrest(&[("edges", "Absorb")]));
    let all = [("edgeLeft", "Absorb"), ("edgeRight", "Absorb"), ("edgeTop", "Absorb"), ("edgeBottom", "Absorb")];
    assert!(absorbed.1 < 0.1 * walls.1, "{} of {}", absorbed.1, walls.1);
    assert!((absorbed.0 - walls.0).abs() < 1e-4, "no water is lost");
    assert_eq!(unrest(&all), absorbed, "side by side is as all at once");
    let one = unrest(&[("edgeLeft", "Absorb")]);
    assert!(one.1 > absorbed.1 && one.1 < walls.1);
}

#[test]
fn control_and_goal_act_at_their_painted_pixels() {
    let (_host, plugin) = own_flow();
    let black = Source::still(picture(WIDTH, HEIGHT, |_, _| [0.0, 0.0, 0.0, 1.0]));
    let white = Source::still(picture(WIDTH, HEIGHT, |_, _| [1.0; 4]));
    let pond = |control: Option<Source>| {
        let builder = still(&plugin).clip("Source", pool());
        match control {
            Some(source) => builder.clip("Control", source),
            None => builder,
        }
        .create()
        .expect("a node")
    };
    let (plain, stopped, same) = (pond(None), pond(Some(black)), pond(Some(white)));
    assert_eq!(heights(&at(&stopped, 12.0)), heights(&at(&plain, 1.0)), "black holds the water");
    assert_eq!(heights(&at(&same, 12.0)), heights(&at(&plain, 12.0)), "white is as without");
    assert_ne!(heights(&at(&plain, 12.0)), heights(&at(&plain, 1.0)));

    let right = Source::still(picture(WIDTH, HEIGHT, |_, _| [2.0, 0.0, 0.0, 1.0]));
    let even = Source::still(picture(WIDTH, HEIGHT, |_, _| [0.0, 0.0, 0.0, 0.5]));
    let node = still(&plugin).clip("Source", even).clip("Goal", right).set("edges", "Wrap");
    let node = node.set("output", "Velocity").create().expect("a node");
    assert_eq!(at(&node, 9.0).pixel(30, 20)[0], 0.0, "no strength, no goal");
    node.set("goalStrength", 0.5).expect("set");
    let [u, v, ..] = at(&node, 9.0).pixel(30, 20);
    assert!((u - 2.0).abs() < 0.1 && v.abs() < 0.01, "{u}, {v}");
}

#[test]
fn foam_and_wetness_are_visible_and_their_shading_causes_no_step() {
    let (_host, plugin) = own_flow();
    let node = still(&plugin).clip("Source", pool()).set("evaporation", 0.02).set("output", "Foam");
    let node = node.create().expect("a node");
    let most = |time: f64| {
        let image = at(&node, time);
        let cells = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
        cells.map(|(x, y)| image.pixel(x, y)[0]).fold(0.0, f32::max)
    };
    assert_eq!(most(6.0), 0.0, "foam is off");
    node.set("foam", true).and_then(|()| node.set("foamSteepness", 0.01)).expect("set");
    node.set("foamAmount", 2.0).expect("set");
    assert!(most(6.0) > 0.2, "a mound that collapses foams: {}", most(6.0));
    node.set("output", "Wetness").expect("set");
    assert_eq!(most(6.0), 0.0, "wetness is off");
    node.set("wetness", true).and_then(|()| node.set("dryFrames", 50.0)).expect("set");
    assert_eq!(most(6.0), 1.0);
    let dried = most(40.0);
    assert!(dried > 0.0 && dried < 1.0, "the pool has dried up, the ground not yet: {dried}");

    node.set("output", "Beauty").expect("set");
    let white = at(&node, 6.0);
    node.set("foamColour", [0.0, 0.0, 0.0]).expect("set");
    let black = at(&node, 6.0);
    assert_eq!((simulated(&black), black.stat("steps")), (0, Some(0.0)), "a look costs no step");
    let darker = (0..HEIGHT)
        .flat_map(|y| (0..WIDTH).map(move |x| (x, y)))
        .filter(|&(x, y)| black.pixel(x, y)[0] < white.pixel(x, y)[0] - 0.05);
    assert!(darker.count() > 20, "foam takes its colour");
    assert_eq!(white.image.bounds(), whole(WIDTH, HEIGHT));
}
