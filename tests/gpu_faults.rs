//! Faults of a graphics device: the CPU finishes the frame with the same bits, and the artist
//! gets one message. Through the bundle, each case in a process of its own.

mod common;

use common::alone::{alone, messages};
use common::{bits, info, own_flow};
use flow_host::{Context, Frame, Host, Node, Plugin, Project};

const WIDTH: i32 = 48;
const HEIGHT: i32 = 36;
const FRAMES: i32 = 8;

fn node(plugin: &Plugin, device: &str) -> Node {
    let project = Project::new(WIDTH as u32, HEIGHT as u32).frames(1.0, 50.0);
    let node = plugin
        .node(Context::Generator)
        .set("output", "Water")
        .project(project)
        .set("emitterRadius", 6.0)
        .set("device", device);
    node.set("edges", "Open")
        .set("rainMode", "Mean height")
        .set("rain", 0.01)
        .set("substeps", 3)
        .create()
        .expect("a node")
}

fn sequence(node: &Node) -> Vec<Frame> {
    (1..=FRAMES).map(|time| node.frame(f64::from(time)).expect("renders")).collect()
}

fn device(frame: &Frame) -> String {
    frame.stats["device"].as_str().expect("the plug-in says what simulated").to_owned()
}

/// The sequence on the CPU, then on a device that fails: the same bits, one message about `what`, and the device at the
/// end. `failing`: frames that the graphics device made before it failed.
fn falls_back(what: &str, failing: usize) {
    let (_clean_host, clean) = own_flow();
    let truth = sequence(&node(&clean, "CPU"));
    let (host, plugin) = own_flow();
    let node = node(&plugin, "GPU");
    let found = sequence(&node);
    for (nth, (truth, found)) in truth.iter().zip(&found).enumerate() {
        assert!(bits(truth) == bits(found), "frame {} differs after: {what}", nth + 1);
        assert_eq!(common::simulated(found), 1, "a frame was made twice");
        if nth > 0 {
            assert_eq!(device(found).starts_with("GPU"), nth <= failing, "frame {}: {}", nth + 1, device(found));
        }
    }
    let shown = messages(&host);
    assert_eq!(shown.len(), 1, "{shown:?}");
    assert!(shown[0].contains(what) && shown[0].contains("CPU; the pixels are the same"), "{shown:?}");
    assert!(info(&node).contains("There is no GPU that works"), "{}", info(&node));
    assert_eq!(host.record().violations(), [""; 0]);
    // All frames are there, downloaded or simulated again, in any order.
    for time in (1..=FRAMES).rev() {
        assert!(bits(&node.frame(f64::from(time)).expect("renders")) == bits(&truth[time as usize - 1]));
    }
    drop(node);
    plugin.reload().expect("loads again");
}

macro_rules! fault {
    ($name:ident, [$($variable:literal = $value:literal),*], $what:literal, after $failing:literal) => {
        #[test]
        fn $name() {
            alone(stringify!($name), &[$(($variable, $value)),*], || falls_back($what, $failing));
        }
    };
}

fault!(a_lost_device, ["FLOW_GPU_FAULT" = "lost@3"], "was lost", after 2);
fault!(a_device_lost_before_its_state_came_down, ["FLOW_GPU_FAULT" = "late@3"], "was lost", after 3);
fault!(a_command_that_the_device_refuses, ["FLOW_GPU_FAULT" = "invalid@2"], "reports an error", after 1);
fault!(a_hang, ["FLOW_GPU_FAULT" = "hang@3", "FLOW_GPU_TIMEOUT" = "0.2"], "did not answer", after 2);
fault!(a_panic, ["FLOW_GPU_FAULT" = "panic@4"], "internal error", after 3);
fault!(too_little_memory, ["FLOW_GPU_MEMORY" = "0.05"], "not enough memory", after 0);
fault!(no_driver, ["VK_DRIVER_FILES" = "/nowhere", "VK_ICD_FILENAMES" = "/nowhere"], "No graphics device", after 0);
fault!(no_such_device, ["FLOW_ADAPTER" = "Abacus"], "Abacus", after 0);

#[test]
fn a_working_device_shows_no_message_and_has_the_same_bits() {
    alone("a_working_device_shows_no_message_and_has_the_same_bits", &[], || {
        let (_clean_host, clean) = own_flow();
        let truth = sequence(&node(&clean, "CPU"));
        let (host, plugin) = own_flow();
        let node = node(&plugin, "GPU");
        for (truth, found) in truth.iter().zip(&sequence(&node)) {
            assert!(bits(truth) == bits(found), "frame {} differs", truth.time);
            assert!(truth.time == 1.0 || device(found).starts_with("GPU"), "{}", device(found));
        }
        assert!(info(&node).contains("steps per frame on the GPU"), "{}", info(&node));
        assert_eq!(messages(&host), [""; 0]);
    });
}

/// The driver of lavapipe; `None` on a machine with a graphics device and without lavapipe, where tests of software
/// devices have nothing to test.
fn lavapipe() -> Option<String> {
    let drivers = std::fs::read_dir("/usr/share/vulkan/icd.d").into_iter().flatten().flatten();
    let found = drivers.map(|entry| entry.path().display().to_string()).find(|path| path.contains("lvp_icd"));
    if found.is_none() {
        let bundle = Host::new(flow_host::Profile::generic()).load(common::bundle_path()).expect("the bundle loads");
        let listed = bundle.devices().expect("Flow lists devices");
        let hardware = listed.matches("\"type\":").count() - listed.matches("\"type\":\"software\"").count();
        assert!(hardware > 0, "neither lavapipe nor a graphics device: {listed}");
        eprintln!("no lavapipe: not tested");
    }
    found
}

#[test]
fn auto_ignores_software_devices_without_a_message() {
    const NAME: &str = "auto_ignores_software_devices_without_a_message";
    // Only software devices are visible, as on a render node.
    let Some(software) = lavapipe() else { return };
    alone(NAME, &[("VK_DRIVER_FILES", &software), ("VK_ICD_FILENAMES", &software)], || {
        let (host, plugin) = own_flow();
        for frame in sequence(&node(&plugin, "Auto")) {
            assert!(device(&frame).starts_with("CPU"), "{}", device(&frame));
        }
        assert_eq!(messages(&host), [""; 0]);
        // Both at once: a device opened for one node does not serve the other.
        let frames = sequence(&node(&plugin, "GPU"));
        assert!(frames.iter().all(|frame| common::simulated(frame) == 0), "the water is the same");
        let gpu = node(&plugin, "GPU");
        gpu.set("speed", 3.0).expect("is set");
        assert!(device(&sequence(&gpu)[4]).starts_with("GPU"));
        let auto = node(&plugin, "Auto");
        auto.set("speed", 2.0).expect("is set");
        assert!(device(&sequence(&auto)[4]).starts_with("CPU"));
    });
}

#[test]
fn auto_accepts_a_named_software_device() {
    let Some(_) = lavapipe() else { return };
    alone("auto_accepts_a_named_software_device", &[("FLOW_ADAPTER", "LLVMpipe")], || {
        let (_host, plugin) = own_flow();
        let frames = sequence(&node(&plugin, "Auto"));
        assert!(device(&frames[3]).contains("llvmpipe"), "{}", device(&frames[3]));
    });
}

#[test]
fn a_kernel_that_panics_costs_one_frame_and_one_message() {
    alone(
        "a_kernel_that_panics_costs_one_frame_and_one_message",
        &[("FLOW_GPU_FAULT", "cpu@4"), ("VK_DRIVER_FILES", "/nowhere"), ("VK_ICD_FILENAMES", "/nowhere")],
        || {
            let (_clean_host, clean) = own_flow();
            let truth = sequence(&node(&clean, "CPU"));
            let (host, plugin) = own_flow();
            // The first frame takes no step; the fifth is the fourth with steps.
            let node = node(&plugin, "Auto");
            let mut failed = Vec::new();
            for time in 1..=FRAMES {
                match node.frame(f64::from(time)) {
                    Ok(frame) => assert!(bits(&frame) == bits(&truth[time as usize - 1]), "frame {time}"),
                    Err(error) => failed.push((time, error.to_string())),
                }
            }
            assert!(matches!(&failed[..], [(5, text)] if text.contains("internal error")), "{failed:?}");
            let shown = messages(&host);
            assert!(matches!(&shown[..], [text] if text.contains("internal error")), "{shown:?}");
            assert_eq!(node.persistent_message(), None, "the next frame took it back");
            assert!(bits(&node.frame(5.0).expect("renders")) == bits(&truth[4]));
        },
    );
}

#[test]
fn devices_are_listed_in_the_order_of_choice() {
    let Some(_) = lavapipe() else { return };
    alone("devices_are_listed_in_the_order_of_choice", &[("FLOW_ADAPTER", "llvmPIPE")], || {
        let bundle = Host::new(flow_host::Profile::generic()).load(common::bundle_path()).expect("the bundle loads");
        let listed = bundle.devices().expect("Flow lists devices");
        let used = listed.matches("\"chosen\":true,\"chosenByAuto\":true").count();
        assert!(listed.contains("llvmpipe") && listed.contains("\"type\":\"software\""), "{listed}");
        assert_eq!((used, listed.matches("\"chosen\":true").count()), (1, 1), "{listed}");
    });
}
