//! Sprites on a graphics device: the picture of the CPU within rounding, and the CPU wherever the device fails.

use flow_host::{Frame, Host, NodeBuilder, Plugin, Profile, Source};

use super::common::alone::{alone, messages};
use super::common::{bits, bundle_path, info, picture, simulated};
use super::{NODE, SIZE, lively};

/// Outputs, and the largest share of pixels that may differ: where two sprites are equally near, or a cover is a half,
/// rounding decides which of them a pixel shows.
const OUTPUTS: [(&str, f64); 6] = [
    ("Beauty", 0.0),
    ("Emission only", 0.0),
    ("Count", 0.002),
    ("Depth", 0.002),
    ("Motion vectors", 0.002),
    ("Id and age", 0.002),
];

/// Share of the pixels that differ by more than a rounding of many sums.
fn differing(a: &Frame, b: &Frame) -> f64 {
    let (a, b) = (a.rgba(), b.rgba());
    let near = |a: f32, b: f32| (a - b).abs() <= 2e-4 * a.abs().max(b.abs()).max(1.0);
    let differs = |(a, b): &(&[f32; 4], &[f32; 4])| !a.iter().zip(b.iter()).all(|(a, b)| near(*a, *b));
    a.iter().zip(&b).filter(differs).count() as f64 / a.len() as f64
}

fn device(frame: &Frame) -> String {
    frame.stats["device"].as_str().expect("the plug-in says what drew").to_owned()
}

/// The scene of all features with sprites of every kind, of which some are out of focus, and half of a wall before
/// them.
fn scenes(plugin: &Plugin) -> Vec<(String, NodeBuilder)> {
    let wall = || Source::still(picture(SIZE[0], SIZE[1], |u, _| [if u < 0.5 { 190.0 } else { 0.0 }, 0.0, 0.0, 1.0]));
    let holdout = || Source::still(picture(SIZE[0], SIZE[1], |_, v| [0.0, 0.0, 0.0, v as f32]));
    let kinds = ["Disc", "Soft disc", "Spark", "Puff", "Star", "Flake", "Sprite input", "Shard"];
    let scene = |(nth, kind): (usize, &&str)| {
        let node = lively(plugin)
            .set("emitter1Sprite", *kind)
            .set("depthOfField", nth % 2 == 1)
            .set("emitter1Stretch", if nth % 3 == 0 { 1.0 } else { 0.0 })
            .set("softDepth", 12.0);
        let node = if nth % 2 == 0 { node.clip("Depth", wall()).clip("Holdout", holdout()) } else { node };
        ((*kind).to_owned(), node)
    };
    kinds.iter().enumerate().map(scene).collect()
}

#[test]
fn a_graphics_device_draws_the_picture_of_the_cpu() {
    NODE.process(2, |plugin| {
        for (kind, scene) in scenes(plugin) {
            let node = scene.set("device", "CPU").create().expect("a node");
            for (output, share) in OUTPUTS {
                node.set("output", output).expect("set");
                node.set("device", "CPU").expect("set");
                let truth = node.frame(12.0).expect("renders");
                assert!(truth.rgba().iter().any(|pixel| pixel[0] != 0.0), "{kind}: {output} shows nothing");
                node.set("device", "GPU").expect("set");
                let found = node.frame(12.0).expect("renders");
                assert_eq!(simulated(&found), 0, "the device enters no key");
                assert!(device(&found).contains("sprites: GPU, "), "{}", device(&found));
                let differs = differing(&truth, &found);
                assert!(differs <= share, "{kind}: {output} differs in {:.3} % of the pixels", differs * 100.0);
                assert!(bits(&found) == bits(&node.frame(12.0).expect("renders")), "{kind}: {output} twice");
            }
        }
    });
}

#[test]
fn any_number_of_threads_gives_the_graphics_device_the_same_picture() {
    let shown = |threads: usize| {
        NODE.process(threads, |plugin| {
            let node = lively(plugin).set("device", "GPU").create().expect("a node");
            [9.0, 12.0].map(|time| bits(&node.frame(time).expect("renders")))
        })
    };
    assert!(shown(1) == shown(5));
}

/// A device that fails with the message `what`: the CPU draws, and one message says so.
fn falls_back(what: &str) {
    let host = Host::new(Profile::generic());
    let bundle = host.load_private(bundle_path()).expect("the bundle loads");
    let plugin = bundle.plugin(NODE.id).expect("the bundle has the node");
    let node = lively(&plugin).set("device", "GPU").create().expect("a node");
    let first = node.frame(11.0).expect("renders");
    assert!(device(&first).contains("sprites: GPU, "), "{}", device(&first));
    let second = node.frame(12.0).expect("renders");
    assert_eq!(device(&second), "CPU", "{}", info(&node));
    node.set("device", "CPU").expect("set");
    assert!(bits(&node.frame(12.0).expect("renders")) == bits(&second));
    let messages = messages(&host);
    assert!(messages.len() == 1 && messages[0].contains(what), "{messages:?}");
    assert!(messages[0].contains("This node draws on the CPU: the pixels differ a little."), "{messages:?}");
}

macro_rules! fault {
    ($name:ident, $fault:literal, $what:literal) => {
        #[test]
        fn $name() {
            let name = concat!("devices::", stringify!($name));
            alone(name, &[("FLOW_GPU_FAULT", $fault)], || falls_back($what));
        }
    };
}

fault!(a_lost_device, "lost@2", "was lost");
fault!(a_command_that_the_device_refuses, "invalid@2", "reports an error");
fault!(a_panic, "panic@2", "internal error");
