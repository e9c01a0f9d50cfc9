//! Volumes on a graphics device: near those of the CPU, with keys and files of their own, and the CPU from the start
//! wherever the device fails.

use flow_host::{Frame, Host, Order, Plugin, Profile};

use super::common::alone::{alone, messages};
use super::common::written::text;
use super::common::{bits, bundle_path, info, simulated, total};
use super::{NODE, lively};

fn device(frame: &Frame) -> String {
    frame.stats["device"].as_str().expect("the plug-in says what simulated").to_owned()
}

fn on(plugin: &Plugin, device: &str) -> flow_host::NodeBuilder {
    lively(plugin).set("cells", 24).set("preroll", 0).set("device", device)
}

#[test]
fn a_graphics_device_gives_nearly_the_picture_of_the_cpu_and_its_own_bits_in_any_order() {
    NODE.process(2, |plugin| {
        let node = on(plugin, "CPU").create().expect("a node");
        let truth = node.frame(3.0).expect("renders");
        assert!(device(&truth).starts_with("CPU"), "{}", device(&truth));
        node.set("device", "GPU").expect("set");
        let found = node.frame(3.0).expect("renders");
        assert!(device(&found).starts_with("GPU, "), "{}", device(&found));
        assert!(simulated(&found) > 2 && info(&node).contains("GPU"), "{}", info(&node));
        let apart = found.rgba().iter().zip(truth.rgba()).map(|(a, b)| f64::from(a[3] - b[3]).abs()).sum::<f64>();
        assert!(apart < 0.01 * total(&truth, 3), "{apart} of {}", total(&truth, 3));
        // Each kind has its own frames.
        node.set("device", "CPU").expect("set");
        let again = node.frame(3.0).expect("renders");
        assert!(simulated(&again) == 0 && bits(&again) == bits(&truth));
    });
    NODE.check_orders(|plugin| on(plugin, "GPU"), &[1.0, 2.5, 3.0], [(Order::Reverse, 2)]);
}

#[test]
fn frames_on_disk_are_those_of_one_kind_of_device() {
    let folder = tempfile::tempdir().expect("a folder");
    let shown = |kind: &str| {
        NODE.process(2, |plugin| {
            let node = on(plugin, kind).set("cacheFolder", text(folder.path())).create().expect("a node");
            let frame = node.frame(2.0).expect("renders");
            (simulated(&frame), bits(&frame))
        })
    };
    let (made, cpu) = shown("CPU");
    assert!(made > 0);
    let (made, gpu) = shown("GPU");
    assert!(made > 0, "frames of the CPU are not those of the device");
    assert!(shown("CPU") == (0, cpu) && shown("GPU") == (0, gpu));
}

/// A device that fails with the message `what`: the CPU simulates from the start, and one message says so.
fn falls_back(what: &str) {
    let host = Host::new(Profile::generic());
    let bundle = host.load_private(bundle_path()).expect("the bundle loads");
    let plugin = bundle.plugin(NODE.id).expect("the bundle has the node");
    let node = on(&plugin, "GPU").create().expect("a node");
    let found = node.frame(3.0).expect("renders");
    assert!(device(&found).starts_with("CPU"), "{}", device(&found));
    assert!(info(&node).contains("There is no GPU that works"), "{}", info(&node));
    node.set("device", "CPU").expect("set");
    assert!(bits(&node.frame(3.0).expect("renders")) == bits(&found), "no frame of the device is in it");
    let messages = messages(&host);
    assert!(messages.len() == 1 && messages[0].contains(what), "{messages:?}");
    assert!(messages[0].contains("This node simulates on the CPU, from the start"), "{messages:?}");
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
