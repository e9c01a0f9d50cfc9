//! Refused requests for memory: the render ends in one message, and the next one gives the
//! correct frame. `FLOW_MEMORY_FAULT` refuses the n-th request of a render: on the CPU for every n of a shot
//! with all features of a node, on a graphics device in software, which is slow, for some. Each shot runs in its own
//! process.

mod common;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::process::Command;

use common::{FLOW, bits, bundle_path, matte, moving, picture};
use flow_host::{Context, Event, Host, Node, Plugin, Profile, Project};

/// The variable that names the child's shot.
const CHILD: &str = "FLOW_TEST_MEMORY_FAULTS";
/// The variable under test.
const FAULT: &str = "FLOW_MEMORY_FAULT";
const SMOKE: &str = "org.flowofx.FlowSmoke";
const SIZE: [i32; 2] = [40, 28];
/// The rendered frame; earlier frames are simulated for it.
const FRAME: f64 = 2.0;
/// More requests than a shot makes.
const MOST: usize = 5_000;

fn water(plugin: &Plugin, device: &str) -> Node {
    let [width, height] = SIZE;
    let node = common::scene(plugin, width, height).clip("Obstacles", matte(width, height)).set("obstacleDrag", 0.5);
    node.set("output", "Beauty").set("caustics", 1.0).set("device", device).create().expect("a node")
}

fn smoke(plugin: &Plugin, device: &str) -> Node {
    let [width, height] = SIZE;
    let disc = move |x: f64, y: f64, pixel: [f32; 4]| {
        moving(1, FRAME as i64, move |time| {
            picture(width, height, |u, v| {
                let inside = (u - x - 0.03 * time).hypot((v - y) * 0.7) < 0.15;
                pixel.map(|value| if inside { value } else { 0.0 })
            })
        })
    };
    let node = plugin
        .node(Context::General)
        .set("output", 0)
        .project(Project::new(width as u32, height as u32).frames(1.0, 9.0));
    node.clip("Source", disc(0.2, 0.3, [0.5, 0.2, 0.1, 0.8]))
        .clip("Velocity", disc(0.6, 0.3, [-1.5, 0.5, 0.0, 1.0]))
        .clip("Heat", disc(0.4, 0.3, [1.0; 4]))
        .clip("Obstacles", disc(0.4, 0.7, [0.0, 0.0, 0.0, 1.0]))
        .set("jet1", "On")
        .set("jet1Radius", 4.0)
        .set("brush", true)
        .set("noise", 0.1)
        .set("viscosity", 0.05)
        .set("vorticity", 0.2)
        .set("output", "Fire")
        .set("device", device)
        .create()
        .expect("a node")
}

/// Renders the frame repeatedly after a purge, with a refused request in every other render, until a render
/// makes fewer requests.
#[test]
#[ignore = "run by other tests in a process of its own"]
fn child() {
    let Some(shot) = std::env::var(CHILD).ok() else { return };
    let (id, device) = shot.split_once(' ').expect("node and device");
    let host = Host::new(Profile::generic());
    let plugin = host.load(bundle_path()).and_then(|bundle| bundle.plugin(id)).expect("the bundle has it");
    let node = if id == FLOW { water(&plugin, device) } else { smoke(&plugin, device) };
    let messages = || {
        let events = host.record().events();
        events.iter().filter(|event| matches!(event, Event::Message { .. })).count()
    };
    let render = || {
        node.purge().expect("purges");
        node.frame(FRAME).map(|frame| {
            let mut hasher = DefaultHasher::new();
            bits(&frame).hash(&mut hasher);
            hasher.finish()
        })
    };
    // The first attempt has no fault: it opens the device.
    let truth = render().expect("renders");
    let (mut refused, mut survived) = (0, 0);
    while survived < 3 {
        let earlier = messages();
        match render() {
            Ok(shown) => {
                assert_eq!(shown, truth, "after {refused} refused requests, in a render that came to its end");
                survived += 1;
            }
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("ErrMemory") && text.contains("Resolution"), "{text}");
                assert_eq!(messages() - earlier, 1, "one message: {text}");
                (refused, survived) = (refused + 1, 0);
            }
        }
        assert_eq!(render().ok(), Some(truth), "the render after {refused} refused requests");
        assert!(refused < MOST, "the plan covers all requests");
    }
    assert_eq!(host.record().violations(), [""; 0]);
    println!("refused {refused}");
}

/// The number of refused requests, each in its own render.
fn refused(id: &str, device: &str, requests: impl Iterator<Item = usize>) -> usize {
    let program = std::env::current_exe().expect("a running test has a path");
    let plan: Vec<String> = requests.zip(1..).map(|(request, nth)| format!("{request}@{}", 2 * nth)).collect();
    let mut command = Command::new(program);
    command.args(["--exact", "child", "--ignored", "--nocapture"]).env(CHILD, format!("{id} {device}"));
    let output = command.env(FAULT, plan.join(",")).env_remove("FLOW_LOG").output().expect("runs");
    let [text, errors] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{}\n{text}\n{errors}", output.status);
    let count = text.lines().find_map(|line| line.strip_prefix("refused ")?.parse().ok());
    let count = count.unwrap_or_else(|| panic!("{text}\n{errors}"));
    println!("{id} on {device}: {count} requests were refused");
    count
}

#[test]
fn water_survives_every_refused_request() {
    assert!(refused(FLOW, "CPU", 1..=MOST) > 40);
}

#[test]
fn smoke_survives_every_refused_request() {
    assert!(refused(SMOKE, "CPU", 1..=MOST) > 100);
}

/// Number of requests of a frame on a graphics device.
const SOME: [usize; 4] = [2, 9, 20, 35];

#[test]
fn water_on_a_graphics_device_survives_refused_requests() {
    assert_eq!(refused(FLOW, "GPU", SOME.into_iter()), SOME.len());
}

#[test]
fn smoke_on_a_graphics_device_survives_refused_requests() {
    assert_eq!(refused(SMOKE, "GPU", SOME.into_iter()), SOME.len());
}
