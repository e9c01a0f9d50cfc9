//! The overlay: enabled handles are drawn at their positions, and a drag sets their parameters as one edit.

mod common;

use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};

use common::{bits, bundle_path, private_flow};
use flow_host::{
    Context, Host, Line, Node, NodeBuilder, Overlay, Plugin, Profile, Project, Request, Source, StandIn, Viewer,
};

const HOSTS_HANDLE: &str = "kOfxParamPropUseHostOverlayHandle";

fn project() -> Project {
    Project::new(200, 100).frames(1.0, 60.0)
}

fn flow() -> (Host, NodeBuilder) {
    let (host, plugin) = private_flow(Profile::generic());
    let node = plugin.node(Context::General).set("output", "Water").project(project()).set("emitterRadius", 20.0);
    (host, node)
}

fn smoke_in(profile: Profile) -> (Host, Plugin) {
    let host = Host::new(profile);
    let plugin = host.load_private(bundle_path()).and_then(|bundle| bundle.plugin("org.flowofx.FlowSmoke"));
    (host, plugin.expect("the bundle has FlowSmoke"))
}

fn open(node: &Node) -> Overlay {
    node.overlay().expect("opens").expect("the plug-in has an overlay")
}

fn lines(node: &Node, time: f64) -> Vec<Line> {
    open(node).draw(&Viewer::at(time)).expect("draws")
}

/// Whether the overlay has such a circle.
fn circle(lines: &[Line], [x, y]: [f64; 2], radius: f64) -> bool {
    lines.iter().any(|line| {
        let away = |point: &[f64; 2]| ((point[0] - x).hypot(point[1] - y) - radius).abs() < 1e-6;
        line.closed && line.points.len() > 16 && line.points.iter().all(away)
    })
}

/// The drawn circles; each has an outline, drawn first.
fn circles(lines: &[Line]) -> usize {
    lines.iter().filter(|line| line.closed && line.points.len() > 16).count() / 2
}

fn pair(node: &Node, name: &str, time: f64) -> [f64; 2] {
    node.value(name, time).expect("is there").numbers().try_into().expect("two numbers")
}

fn number(node: &Node, name: &str) -> f64 {
    node.value(name, 1.0).expect("is there").numbers()[0]
}

fn rules_kept(host: &Host) {
    assert_eq!(host.record().violations(), [""; 0]);
}

#[test]
fn only_enabled_handles_are_drawn_at_their_positions() {
    let (host, builder) = flow();
    let node = builder.set("drainCentre", [150.0, 30.0]).create().expect("a node");
    let now = lines(&node, 1.0);
    assert!(circles(&now) == 1 && circle(&now, [100.0, 50.0], 20.0), "the emitter alone: {now:?}");

    node.set("drain", true).expect("sets");
    let now = lines(&node, 1.0);
    assert!(circles(&now) == 2 && circle(&now, [150.0, 30.0], 30.0), "the drain as well");

    // The light has no position: its handle is in a corner of the frame.
    node.set("output", "Beauty").expect("sets");
    assert_eq!(circles(&lines(&node, 1.0)), 3);
    node.set("output", "Height").expect("sets");
    node.set("emitter", "Off").expect("sets");
    let now = lines(&node, 1.0);
    assert!(circles(&now) == 1 && !circle(&now, [100.0, 50.0], 20.0), "the drain alone");

    node.set("emitter", "When no Source").expect("sets");
    node.connect("Source", Some(Source::constant([0.0; 4]))).expect("connects");
    assert_eq!(circles(&lines(&node, 1.0)), 1, "an emitter that rests is not drawn");
    node.set("drain", false).expect("sets");
    assert_eq!(lines(&node, 1.0), []);
    rules_kept(&host);
}

#[test]
fn smoke_shows_jets_point_forces_brush_and_the_following_grid() {
    let (host, plugin) = smoke_in(Profile::generic());
    let node = plugin.node(Context::General).set("output", "Dye").project(project()).create().expect("a node");
    assert!(circles(&lines(&node, 1.0)) == 1 && circle(&lines(&node, 1.0), [100.0, 12.0], 24.0), "the first jet");
    node.set("jetCount", 3).expect("sets");
    let on = [("jet2", "Off"), ("attractor", "1"), ("vortex", "1"), ("brush", "1"), ("gridMode", "Follow")];
    for (name, value) in on {
        node.set(name, value).expect("sets");
    }
    let now = lines(&node, 1.0);
    assert_eq!(circles(&now), 5);
    let grid = [[-156.0, -206.0], [356.0, -206.0], [356.0, 306.0], [-156.0, 306.0]];
    assert!(now.iter().any(|line| line.closed && line.points == grid), "{now:?}");
    node.set("output", "Fire").expect("sets");
    assert_eq!(circles(&lines(&node, 1.0)), 6);
    rules_kept(&host);
}

#[test]
fn a_drag_of_a_centre_is_one_edit_and_changes_the_simulation() {
    let (host, builder) = flow();
    let node = builder.create().expect("a node");
    let (before, digest) = (node.frame(12.0).expect("renders"), node.value("simDigest", 0.0).expect("is there"));
    let overlay = open(&node);
    let viewer = Viewer::at(12.0);
    // Grabbed beside its centre, the handle keeps its distance to the pen.
    assert!(overlay.drag(&viewer, [103.0, 48.0], [63.0, 78.0]).expect("drags"));
    assert_eq!(pair(&node, "emitterCentre", 12.0), [60.0, 80.0]);
    assert!(overlay.redraws() > 0, "the viewer is asked to draw what moved");
    assert_ne!(node.value("simDigest", 0.0).expect("is there"), digest, "hosts that look at one frame are told");
    let moved = node.frame(12.0).expect("renders");
    assert_ne!(bits(&moved), bits(&before));
    assert!(circle(&overlay.draw(&viewer).expect("draws"), [60.0, 80.0], 20.0));

    assert!(node.undo().expect("undoes"), "one edit");
    assert_eq!(pair(&node, "emitterCentre", 12.0), [100.0, 50.0]);
    assert_eq!(bits(&node.frame(12.0).expect("renders")), bits(&before));
    assert!(!node.undo().expect("undoes"), "and no other");
    rules_kept(&host);
}

#[test]
fn rims_arrows_and_corners_set_their_parameters() {
    let (host, builder) = flow();
    let node = builder.set("output", "Beauty").create().expect("a node");
    let viewer = Viewer::at(1.0);
    let overlay = open(&node);
    assert!(overlay.drag(&viewer, [100.0, 70.0], [100.0, 85.0]).expect("drags"));
    assert_eq!(number(&node, "emitterRadius"), 35.0);
    assert!(overlay.drag(&viewer, [65.0, 50.0], [300.0, 50.0]).expect("drags"));
    assert_eq!(number(&node, "emitterRadius"), 200.0, "to wherever the pen goes");

    // At the rim of its dial the light comes from the side.
    let dial = [200.0 * 0.88, 100.0 * 0.8];
    let at = |degrees: f64, length: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        [dial[0] + cos * length, dial[1] + sin * length]
    };
    node.set("emitter", "Off").expect("sets");
    assert!(overlay.drag(&viewer, at(125.0, 44.0 * 40.0_f64.to_radians().cos()), at(-90.0, 80.0)).expect("drags"));
    assert_eq!((number(&node, "lightDirection"), number(&node, "lightElevation")), (270.0, 0.0), "the short way round");

    let (other, plugin) = smoke_in(Profile::generic());
    let node = plugin.node(Context::General).project(project()).set("gridMode", "Follow").create().expect("a node");
    let overlay = open(&node);
    // A jet of 8 pixels per frame: its arrow is the path of ten frames from the rim.
    assert!(overlay.drag(&viewer, [100.0, 12.0 + 24.0 + 80.0], [100.0 + 24.0 + 50.0, 12.0]).expect("drags"));
    assert_eq!((number(&node, "jet1Direction"), number(&node, "jet1Strength")), (0.0, 5.0));
    assert!(overlay.drag(&viewer, [-156.0, -206.0], [50.0, 20.0]).expect("drags"));
    assert_eq!(pair(&node, "gridSize", 1.0), [100.0, 60.0]);
    rules_kept(&host);
    rules_kept(&other);
}

#[test]
fn handles_of_a_volume_are_seen_through_its_camera() {
    let host = Host::new(Profile::generic());
    let bundle = host.load_private(bundle_path()).expect("the bundle loads");
    let volume = bundle.plugin("org.flowofx.FlowVolume").expect("it has FlowVolume");
    // A box as high as the frame, whose floor is the frame's lower edge.
    let node = volume.node(Context::General).project(project()).set("boxHeight", 1.0).set("emitter1Radius", 0.1);
    let node = node.set("emitter1Centre", [0.2, 0.3, 0.0]).create().expect("a node");
    let (overlay, viewer) = (open(&node), Viewer::at(1.0));
    let triple = |name: &str| -> [f64; 3] {
        node.value(name, 1.0).expect("is there").numbers().try_into().expect("three numbers")
    };
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.02);
    assert!(circle(&lines(&node, 1.0), [120.0, 30.0], 10.0), "in front, a unit is the height of the frame");
    let edges = |lines: &[Line]| lines.iter().filter(|line| !line.closed && line.points.len() == 2).count();
    assert!(edges(&lines(&node, 1.0)) >= 2 * 12, "the edges of the box, each with its outline");
    assert!(overlay.drag(&viewer, [120.0, 30.0], [70.0, 60.0]).expect("drags"));
    assert!(near(&triple("emitter1Centre"), &[-0.3, 0.6, 0.0]), "{:?}", triple("emitter1Centre"));
    assert!(overlay.drag(&viewer, [80.0, 60.0], [90.0, 60.0]).expect("drags"));
    assert!(near(&[number(&node, "emitter1Radius")], &[0.2]));

    // From twice as far away all is half as large around the middle of the frame.
    let away = 200.0 * 50.0 / 24.576;
    node.set("camera", "Parameters").and_then(|()| node.set("translate", [0.0, 0.0, away])).expect("sets");
    let now = lines(&node, 1.0);
    assert!(circle(&now, [100.0 - 15.0, 50.0 + 5.0], 10.0), "{now:?}");
    assert!(overlay.drag(&viewer, [85.0, 55.0], [100.0, 50.0]).expect("drags"));
    assert!(near(&triple("emitter1Centre"), &[0.0, 0.5, 0.0]), "{:?}", triple("emitter1Centre"));
    node.set("boxDepth", 50.0).expect("sets");
    assert!(overlay.drag(&viewer, [100.0, 50.0], [110.0, 50.0]).expect("drags"));
    assert!(near(&[triple("emitter1Centre")[2]], &[0.0]), "it keeps its distance");
    // Behind the camera there is nothing to hold.
    node.set("boxDepth", 3.0 * away).expect("sets");
    assert_eq!(circles(&lines(&node, 1.0)), 1, "the dial of the light alone");
    rules_kept(&host);
}

#[test]
fn handle_positions_follow_the_frame_at_any_offset_pixel_aspect_and_proxy() {
    let (host, plugin) = private_flow(Profile::generic());
    let shifted = Project::new(200, 100).origin(-60, 40).par(2.0).frames(1.0, 60.0);
    let node = plugin
        .node(Context::General)
        .set("output", "Water")
        .project(shifted)
        .set("emitterRadius", 10.0)
        .create()
        .expect("a node");
    // Canonical coordinates: pixels have a width of 2.
    let middle = [(-60.0 + 100.0) * 2.0, 40.0 + 50.0];
    assert!(circle(&lines(&node, 1.0), middle, 10.0));
    let overlay = open(&node);
    let viewer = Viewer { scale: (0.5, 0.5), ..Viewer::at(1.0) };
    assert!(overlay.drag(&viewer, middle, [-80.0, 60.0]).expect("drags"));
    assert_eq!(pair(&node, "emitterCentre", 1.0), [-80.0, 60.0]);
    // The emitter is at that pixel: half as far from the origin, at half size a quarter.
    let frame = node.render(&Request::at(3.0)).expect("renders");
    assert!(frame.pixel(-40, 60)[3] > frame.pixel(40, 90)[3]);
    rules_kept(&host);
}

#[test]
fn handles_have_a_fixed_screen_size_and_values_the_screens_precision() {
    let (_host, builder) = flow();
    let node = builder.create().expect("a node");
    let overlay = open(&node);
    let far = Viewer::at(1.0).pixel(4.0, 4.0);
    assert!(
        !overlay.press(&Viewer::at(1.0), 100.0, 64.0).expect("presses"),
        "14 pixels from the centre, 6 from the rim"
    );
    assert!(overlay.press(&far, 100.0, 64.0).expect("presses"));
    overlay.move_to(&far, 123.456, 64.0).expect("moves");
    assert!(overlay.release(&far, 123.456, 64.0).expect("releases"));
    assert_eq!(pair(&node, "emitterCentre", 1.0), [123.0, 50.0]);
    let near = Viewer::at(1.0).pixel(0.05, 0.05);
    assert!(!overlay.press(&near, 124.0, 50.0).expect("presses"));
    assert!(overlay.drag(&near, [123.1, 50.0], [123.223, 50.0]).expect("drags"));
    assert_eq!(pair(&node, "emitterCentre", 1.0), [123.12, 50.0]);
}

#[test]
fn a_keyed_centre_gets_a_key_at_the_frame_that_is_shown() {
    let (_host, builder) = flow();
    let node = builder
        .key("emitterCentre", 1.0, [40.0, 50.0])
        .key("emitterCentre", 21.0, [80.0, 50.0])
        .create()
        .expect("a node");
    assert!(circle(&lines(&node, 11.0), [60.0, 50.0], 20.0));
    let overlay = open(&node);
    assert!(overlay.drag(&Viewer::at(11.0), [60.0, 50.0], [60.0, 90.0]).expect("drags"));
    let keys: Vec<f64> = node.curve("emitterCentre").expect("is there").keys().iter().map(|(time, _)| *time).collect();
    assert_eq!(keys, [1.0, 11.0, 21.0]);
    assert_eq!(pair(&node, "emitterCentre", 11.0), [60.0, 90.0]);
    assert_eq!(pair(&node, "emitterCentre", 1.0), [40.0, 50.0]);
}

#[test]
fn the_pen_is_taken_over_handles_only_and_released_on_lost_focus() {
    let (host, builder) = flow();
    let node = builder.create().expect("a node");
    let overlay = open(&node);
    let viewer = Viewer::at(1.0);
    assert!(!overlay.press(&viewer, 10.0, 10.0).expect("presses"));
    assert!(!overlay.move_to(&viewer, 20.0, 10.0).expect("moves"));
    assert!(!overlay.release(&viewer, 20.0, 10.0).expect("releases"));
    assert!(!overlay.press(&viewer, f64::NAN, 10.0).expect("presses"));
    assert!(!node.undo().expect("undoes"), "nothing was edited");

    let idle = overlay.draw(&viewer).expect("draws");
    overlay.move_to(&viewer, 101.0, 50.0).expect("moves");
    assert_ne!(overlay.draw(&viewer).expect("draws"), idle, "what the pen is over is highlighted");

    assert!(overlay.press(&viewer, 100.0, 50.0).expect("presses"));
    assert!(overlay.move_to(&viewer, 110.0, 50.0).expect("moves"));
    overlay.lose_focus(&viewer).expect("leaves");
    assert!(!overlay.move_to(&viewer, 150.0, 50.0).expect("moves"));
    assert_eq!(pair(&node, "emitterCentre", 1.0), [110.0, 50.0]);
    assert!(node.undo().expect("undoes") && pair(&node, "emitterCentre", 1.0) == [100.0, 50.0]);

    node.destroy().expect("goes");
    assert_eq!(overlay.draw(&viewer).expect("an overlay whose node has gone"), []);
    drop(overlay);
    rules_kept(&host);
}

#[test]
fn the_overlay_declares_its_parameters_to_the_viewer() {
    let (_host, builder) = flow();
    let node = builder.create().expect("a node");
    let follows = open(&node).follows();
    for name in ["emitter", "emitterCentre", "emitterRadius", "drain", "drainCentre", "output", "lightElevation"] {
        assert!(follows.iter().any(|other| other == name), "{name} is not among {follows:?}");
    }
}

#[test]
fn a_position_has_one_handle_the_hosts_or_the_plugins() {
    for (host, ours) in [("generic", true), ("natron", true), ("nuke", true), ("resolve", true), ("mlt", false)] {
        let (_host, plugin) = private_flow(Profile::named(host).expect("a host of that name"));
        let node = plugin.node(Context::Filter).set("output", "Water").project(project()).create().expect("a node");
        for name in ["emitterCentre", "drainCentre"] {
            let flag = node.param_flag(name, HOSTS_HANDLE).expect("is there");
            assert_eq!(flag, Some(i32::from(!ours)), "{host} {name}");
        }
        assert_eq!(node.overlay().expect("opens").is_some(), ours, "{host}");
    }
}

/// Calls counted by the OpenGL stub.
#[derive(Clone, Copy, Debug)]
struct Counts {
    pushed: f64,
    popped: f64,
    begun: f64,
    ended: f64,
    vertices: f64,
    outside: f64,
    coloured: f64,
    widths: f64,
    left: f64,
    right: f64,
    bottom: f64,
    top: f64,
}

impl Counts {
    /// Parses the output of tests/fake/gl.c.
    fn read(text: &str) -> Self {
        let numbers: Vec<f64> = text.split(' ').map(|number| number.parse().expect("a number")).collect();
        let [pushed, popped, begun, ended, vertices, outside, coloured, widths, left, right, bottom, top] = numbers[..]
        else {
            panic!("twelve numbers: {text}")
        };
        Self { pushed, popped, begun, ended, vertices, outside, coloured, widths, left, right, bottom, top }
    }
}

/// Loads a library that has the name of the system's OpenGL; one test at a time counts with it.
fn counting<R>(test: impl FnOnce(&dyn Fn() -> Counts) -> R) -> R {
    static LIBRARY: OnceLock<(tempfile::TempDir, StandIn)> = OnceLock::new();
    static ONE: Mutex<()> = Mutex::new(());
    let (_, library) = LIBRARY.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("libGL.so.1");
        let built = Command::new("cc")
            .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-Wl,-soname,libGL.so.1", "-o"])
            .arg(&path)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fake/gl.c"))
            .status()
            .expect("a C compiler named cc");
        assert!(built.success(), "the stand-in compiles");
        let library = StandIn::open(&path).expect("the stand-in loads");
        (folder, library)
    });
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let take = || Counts::read(&library.text("fake_gl_take").expect("is there"));
    take();
    test(&take)
}

#[test]
fn hosts_without_the_draw_suite_get_the_same_lines_through_opengl() {
    counting(|take| {
        for profile in [Profile::natron(), Profile::nuke(), Profile::resolve()] {
            let (host, plugin) = private_flow(profile);
            let node = plugin
                .node(Context::General)
                .set("output", "Water")
                .project(project())
                .set("emitter", "On")
                .set("emitterCentre", [60.0, 40.0])
                .set("emitterRadius", 30.0)
                .create()
                .expect("a node");
            let overlay = open(&node);
            overlay.draw(&Viewer::at(1.0)).expect("draws");
            let drawn = take();
            assert!(drawn.vertices > 72.0 && drawn.coloured > 0.0 && drawn.widths > 0.0, "{drawn:?}");
            assert_eq!((drawn.begun, drawn.pushed, drawn.outside), (drawn.ended, drawn.popped, 0.0), "{drawn:?}");
            // The circle with the handles on it.
            for (edge, expected) in [(drawn.left, 26.5), (drawn.right, 93.5), (drawn.bottom, 6.5), (drawn.top, 73.5)] {
                assert!((edge - expected).abs() < 1e-9, "{drawn:?}");
            }
            assert!(overlay.drag(&Viewer::at(1.0), [60.0, 40.0], [70.0, 40.0]).expect("drags"));
            assert_eq!(pair(&node, "emitterCentre", 1.0), [70.0, 40.0]);
            assert_eq!(take().vertices, 0.0, "OpenGL is for drawing alone");
            rules_kept(&host);
        }
    });
}

#[test]
fn nothing_links_a_graphics_library() {
    use object::read::elf::{Dyn as _, FileHeader as _};
    let bytes = std::fs::read(bundle_path()).expect("the library is there");
    let file = object::elf::FileHeader64::<object::Endianness>::parse(&*bytes).expect("an ELF file");
    let endian = file.endian().expect("of a byte order");
    let sections = file.sections(endian, &*bytes).expect("with sections");
    let (entries, strings) = sections.dynamic(endian, &*bytes).expect("readable").expect("a shared library");
    let strings = sections.strings(endian, &*bytes, strings).expect("names");
    let needed = entries.iter().filter(|entry| entry.tag32(endian).map(i64::from) == Some(object::elf::DT_NEEDED));
    let names: Vec<String> = needed
        .filter_map(|entry| entry.string(endian, strings).ok())
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect();
    assert!(!names.is_empty() && !names.iter().any(|name| name.contains("GL")), "{names:?}");
}
