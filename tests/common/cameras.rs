//! Checks of a node's camera that comes from a file or from a camera input.

use std::fs;
use std::path::{Path, PathBuf};

use flow_host::{Camera, Context, Event, Frame, Host, Node, NodeBuilder, Plugin, Profile, Request};

use super::fresh::Subject;
use super::{bits, info, simulated};

/// Distance of the default camera from the picture's plane, in widths of the frame.
const AWAY: f64 = 50.0 / 24.576;

/// Field of view that is a focal length of 50 mm, degrees.
fn field_of_view() -> f64 {
    (18.672_f64 / 2.0 / 50.0).atan().to_degrees() * 2.0
}

fn written(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("shot.chan");
    fs::write(&path, text).expect("written");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn difference(a: &Frame, b: &Frame) -> f32 {
    let pairs = a.rgba().into_iter().zip(b.rgba());
    pairs.flat_map(|(a, b)| [0, 1, 2, 3].map(|c| (a[c] - b[c]).abs())).fold(0.0, f32::max)
}

/// Checks that a file has the effect of equal parameters, at frames, between and beyond them, and simulates nothing.
pub fn check(subject: &Subject, scene: impl Fn(&Plugin) -> NodeBuilder, [width, _]: [i32; 2]) {
    let folder = tempfile::tempdir().expect("a folder");
    subject.process(2, |plugin| {
        let node = scene(plugin).create().expect("a node");
        let front = node.frame(6.0).expect("renders");
        let lens = field_of_view();
        let file = written(
            folder.path(),
            &format!(
                "# a camera\n4 0 0 {AWAY} 0 0 0 {lens}\n6 0.1 0.05 2 3 -4 10 {lens}\n8 0.3 0.05 2 3 4 10 {lens}\n"
            ),
        );
        node.set("cameraFile", text(&file)).expect("set");
        node.set("camera", "File").expect("set");
        let shown = node.frame(6.0).expect("renders");
        assert_eq!(simulated(&shown), 0, "a camera enters no key");
        assert!(bits(&shown) != bits(&front));
        let first = node.frame(4.0).expect("renders");
        node.set("camera", "Front").expect("set");
        let truth = node.frame(4.0).expect("renders");
        assert!(difference(&first, &truth) < 1e-3, "{}", difference(&first, &truth));
        let unit = f64::from(width);
        node.set("camera", "Parameters").expect("set");
        node.set("rotate", [3.0, -4.0, 10.0]).expect("set");
        node.set("translate", [0.1 * unit, 0.05 * unit, (2.0 - AWAY) * unit]).expect("set");
        let truth = node.frame(6.0).expect("renders");
        assert!(difference(&shown, &truth) < 2e-3, "{}", difference(&shown, &truth));
        // Held after the last line, where a message says so once.
        node.set("camera", "File").expect("set");
        let at = |time: f64| node.frame(time).expect("renders");
        let last = at(8.0);
        let moved = written(folder.path(), &format!("8 0.3 0.05 2 3 4 10 {lens}\n1 9 9 9 9 9 9 {lens}\n"));
        assert_eq!(text(&moved), text(&file));
        assert!(difference(&at(8.0), &last) == 0.0 && simulated(&at(8.0)) == 0);
    });
}

/// The messages about camera files that a host has received.
fn messages(host: &Host) -> Vec<String> {
    let text = |event: Event| if let Event::Message { text, .. } = event { Some(text) } else { None };
    host.record().events().into_iter().filter_map(text).filter(|text| text.contains("amera")).collect()
}

/// Checks that each bad file gives a finite picture, one message, and a line in the report.
pub fn check_bad(subject: &Subject, scene: impl Fn(&Plugin) -> NodeBuilder) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shot.chan");
    let good = "1 0 0 2 0 0 0 30\n3 0.2 0 2 0 0 0 30\n";
    let cases: [(Option<&[u8]>, &str, &str); 7] = [
        (None, "Front is shown", "can't be read"),
        (Some(b""), "Front is shown", "has no line"),
        (Some(b"\xff\xfe\0rubble\n\0\0\0"), "Front is shown", "has no line"),
        (Some(b"1 0 0 2 0 0 0 0\n2 0 0 2 0 0 0 180\n"), "Front is shown", "has no line"),
        (Some(b"1 0 0 2 0 0 0 30\n2 nan 0 2 0 0 0 30\n9 0 0 2 0 0 0 30\n"), "line 2 is not", "left out"),
        (Some(good.as_bytes()), "frames 1 to 3", "its last camera"),
        (Some(b"1 1e300 0 0 0 0 0 30"), "Front is shown", "has no line"),
    ];
    for (content, phrase, other) in cases {
        let _ = fs::remove_file(&path);
        if let Some(content) = content {
            fs::write(&path, content).expect("written");
        }
        let host = Host::new(Profile { threads: 2, ..Profile::generic() });
        let plugin = host.load_private((subject.library)()).and_then(|bundle| bundle.plugin(subject.id));
        let plugin = plugin.expect("the bundle has the node");
        let node = scene(&plugin).set("camera", "File").set("cameraFile", text(&path)).create().expect("a node");
        let frames = [5.0, 6.0, 7.0].map(|time| node.frame(time).expect("renders"));
        assert!(frames.iter().flat_map(Frame::rgba).flatten().all(f32::is_finite), "{phrase}");
        let messages = messages(&host);
        assert!(messages.len() == 1 && messages[0].contains(phrase), "{phrase}: {messages:?}");
        assert!(messages[0].contains(other), "{other}: {messages:?}");
        assert!(info(&node).contains(phrase), "{}", info(&node));
    }
}

/// The node in a host.
fn in_host(subject: &Subject, profile: Profile) -> (Host, Plugin) {
    let host = Host::new(Profile { threads: 2, ..profile });
    let plugin = host.load_private((subject.library)()).and_then(|bundle| bundle.plugin(subject.id));
    (host, plugin.expect("the bundle has the node"))
}

/// Knobs of a moving camera, with the parameters of the node that are the same camera: `[x, y]` of the translation in
/// pixels by frame, rotations, focal lengths.
const MOTION: [(f64, [f64; 2], [f64; 3], f64); 3] = [
    (2.0, [0.0, 4.0], [0.0, 0.0, 0.0], 48.0),
    (6.0, [8.0, 2.0], [4.0, -6.0, 9.0], 40.0),
    (10.0, [0.0; 2], [0.0; 3], 56.0),
];

/// Distance towards the picture's plane.
const NEARER: f64 = -16.0;

/// The moving camera for the camera input, in pixels.
fn moving_camera(width: i32) -> Camera {
    let distance = f64::from(width) * 50.0 / 24.576 + NEARER;
    let steady = Camera::new().set("haperture", &[22.5]).and_then(|camera| {
        camera.set("win_translate", &[0.125, -0.0625])?.set("win_scale", &[1.25, 1.5])?.set("winroll", &[7.0])
    });
    MOTION.into_iter().fold(steady.expect("knobs"), |camera, (time, [x, y], rotate, focal)| {
        let moved = camera
            .key("translate", time, &[x, y, distance])
            .and_then(|camera| camera.key("rotate", time, &rotate)?.key("focal", time, &[focal]));
        moved.expect("keys")
    })
}

/// The same camera as parameters.
fn with_parameters(mut scene: NodeBuilder) -> NodeBuilder {
    for (time, [x, y], rotate, focal) in MOTION {
        scene = scene.key("translate", time, [x, y, NEARER]).key("rotate", time, rotate).key("focal", time, focal);
    }
    let scene = scene.set("camera", "Parameters").set("haperture", 22.5).set("win_translate", [0.125, -0.0625]);
    scene.set("win_scale", [1.25, 1.5]).set("winroll", 7.0)
}

/// Checks that a connected camera shows what the same camera of parameters shows, bit by bit, that a change of it
/// simulates nothing, and that without one nothing differs. `outputs`: the outputs to compare.
pub fn check_connected(
    subject: &Subject,
    scene: impl Fn(&Plugin) -> NodeBuilder,
    [width, _]: [i32; 2],
    outputs: &[&str],
) {
    let (_generic, plain) = in_host(subject, Profile::generic());
    assert!(plain.describe(Context::General).expect("described").cameras.is_empty(), "no input without the suite");
    let (host, plugin) = in_host(subject, Profile::nuke());
    assert_eq!(plugin.describe(Context::General).expect("described").cameras, ["Camera"]);
    let times = [3.0, 6.0, 8.0];
    let shown = |node: &Node| -> Vec<Frame> {
        let at = |time: f64| node.render(&Request::at(time)).expect("renders");
        let all = outputs.iter().flat_map(|output| {
            node.set("output", *output).expect("set");
            times.map(at)
        });
        all.collect()
    };
    let all_bits = |frames: &[Frame]| frames.iter().map(bits).collect::<Vec<_>>();
    let parameters = with_parameters(scene(&plugin)).create().expect("a node");
    let truth = shown(&parameters);
    let node = scene(&plugin).set("cameraScale", 1.0).create().expect("a node");
    let front = shown(&node);
    assert!(all_bits(&front) != all_bits(&truth));
    node.connect_camera(Some(moving_camera(width))).expect("connected");
    let connected = shown(&node);
    for (place, (found, truth)) in connected.iter().zip(&truth).enumerate() {
        assert!(bits(found) == bits(truth), "{} of {outputs:?}: {}", place, difference(found, truth));
        assert_eq!(simulated(found), 0, "a camera enters no key");
    }
    // A connected camera comes before the parameters, and before the file.
    parameters
        .connect_camera(Some(Camera::new().set("translate", &[0.0, 0.0, 300.0]).expect("set")))
        .expect("connected");
    assert!(all_bits(&shown(&parameters)) != all_bits(&truth));
    parameters.connect_camera(None).expect("disconnected");
    assert!(all_bits(&shown(&parameters)) == all_bits(&truth), "the parameters again");
    node.connect_camera(None).expect("disconnected");
    assert!(all_bits(&shown(&node)) == all_bits(&front), "without one nothing differs");
    assert_eq!(messages(&host), [""; 0]);
    assert_eq!(host.record().violations(), [""; 0]);
}

/// Checks that a camera that cannot be used gives one message and the picture of the parameters.
pub fn check_rubble(subject: &Subject, scene: impl Fn(&Plugin) -> NodeBuilder) {
    let set = |knob: &str, values: &[f64]| Camera::new().set(knob, values).expect("a knob");
    let cases = [
        (set("position_matrix", &[f64::NAN; 16]), "position is no number"),
        (set("translate", &[f64::INFINITY, 0.0, 0.0]), "position is no number"),
        (set("position_matrix", &[0.0; 16]), "scale is 0"),
        (set("focal", &[0.0]), "focal length is 0"),
        (set("haperture", &[f64::NAN]), "aperture is NaN"),
        (set("win_scale", &[0.0, 1.0]), "window scale"),
        (set("projection_mode", &[1.0]), "perspective"),
    ];
    for (camera, phrase) in cases {
        let (host, plugin) = in_host(subject, Profile::nuke());
        let node = scene(&plugin).set("camera", "Parameters").set("rotate", [2.0, 3.0, 4.0]).create().expect("a node");
        let truth = [5.0, 6.0].map(|time| bits(&node.frame(time).expect("renders")));
        node.connect_camera(Some(camera)).expect("connected");
        let frames = [5.0, 6.0].map(|time| node.frame(time).expect("renders"));
        assert!(frames.iter().flat_map(Frame::rgba).flatten().all(f32::is_finite), "{phrase}");
        assert!(frames.each_ref().map(bits) == truth, "{phrase}");
        let messages = messages(&host);
        assert!(messages.len() == 1 && messages[0].contains(phrase), "{phrase}: {messages:?}");
        assert_eq!(host.record().violations(), [""; 0]);
    }
}
