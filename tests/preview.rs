//! Drafts: they show the nearest stored frame instead of waiting, have a badge, and leave later renders
//! unchanged.

mod common;

use std::process::Command;
use std::sync::{Arc, Mutex, mpsc};

use common::{bits, info, own_flow, simulated};
use flow_host::{Components, Context, Depth, Frame, Node, Plugin, Project, Request};

const WIDTH: i32 = 48;
const HEIGHT: i32 = 36;
/// Side of the badge, pixels.
const MARK: i32 = 6;
const FAR: f64 = 200.0;

/// Runs a test's body in a child process in which drafts simulate for this number of milliseconds.
fn patient(name: &str, milliseconds: &str, body: impl FnOnce()) {
    const CHILD: &str = "FLOW_TEST_PATIENT";
    if std::env::var_os(CHILD).is_some() {
        return body();
    }
    let mut child = Command::new(std::env::current_exe().expect("a running test has a path"));
    child.args([name, "--exact", "--test-threads=1", "--nocapture"]);
    let output = child.env(CHILD, "1").env("FLOW_PREVIEW_MS", milliseconds).output().expect("the test runs again");
    let [text, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success() && text.contains("1 passed"), "{text}\n{errors}");
}

fn node(plugin: &Plugin) -> Node {
    let project = Project::new(WIDTH as u32, HEIGHT as u32).frames(1.0, 400.0);
    let node = plugin
        .node(Context::Generator)
        .set("output", "Water")
        .project(project)
        .set("emitterRadius", 6.0)
        .set("device", "CPU");
    node.set("edges", "Open").set("rainMode", "Mean height").set("rain", 0.01).create().expect("a node")
}

fn draft(node: &Node, time: f64) -> Frame {
    node.render(&Request::at(time).interactive().draft()).expect("renders")
}

/// The pixels that a badge changes, and the others.
fn parts(frame: &Frame) -> (Vec<[u32; 4]>, Vec<[u32; 4]>) {
    let (mut corner, mut others) = (Vec::new(), Vec::new());
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let pixel = frame.pixel(x, y).map(f32::to_bits);
            if x + y < MARK { corner.push(pixel) } else { others.push(pixel) }
        }
    }
    (corner, others)
}

fn is_marked(frame: &Frame) -> bool {
    let (corner, _) = parts(frame);
    let of = |value: f32| corner.iter().filter(|pixel| **pixel == [value.to_bits(); 4]).count();
    of(0.0) + of(1.0) == corner.len() && of(0.0) > 3 && of(1.0) > 3
}

#[test]
fn a_draft_after_an_edit_shows_the_nearest_frame_and_leaves_the_next_render_unchanged() {
    patient("a_draft_after_an_edit_shows_the_nearest_frame_and_leaves_the_next_render_unchanged", "0", || {
        let (_host, plugin) = own_flow();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let node = node(&plugin);
        node.set("cacheFolder", folder.path().to_str().expect("UTF-8")).expect("sets");
        node.set("cacheEvery", 50).expect("sets");
        let before = node.frame(FAR).expect("renders");
        assert_eq!(simulated(&before), 200);

        node.set("emitterRate", 0.2).expect("sets");
        let files = || walk(folder.path());
        let kept = files();
        let preview = draft(&node, FAR);
        assert_eq!((preview.stat("preview"), preview.stat("steps")), (Some(FAR), Some(0.0)));
        assert!(is_marked(&preview) && parts(&preview).1 == parts(&before).1, "frame 200 as it was, marked");
        assert!(info(&node).contains("Preview for a draft: what is shown is frame 200, from before the last edit"));
        assert_eq!(files(), kept, "nothing of a preview is on disk");

        let after = node.frame(FAR).expect("renders");
        assert_eq!((simulated(&after), after.stat("preview")), (200, None));
        assert!(!info(&node).contains("Preview"));
        let (_other, cold) = own_flow();
        let cold = self::node(&cold);
        cold.set("emitterRate", 0.2).expect("sets");
        assert_eq!(bits(&after), bits(&cold.frame(FAR).expect("renders")), "as a render that never saw a draft");

        let there = draft(&node, FAR);
        assert_eq!((bits(&there), there.stat("preview")), (bits(&after), None), "what is kept is shown as it is");
        let beyond = draft(&node, 230.0);
        assert_eq!((beyond.stat("preview"), simulated(&beyond)), (Some(FAR), 0));
        assert!(is_marked(&beyond) && parts(&beyond).1 == parts(&after).1);
        assert!(info(&node).contains("what is shown is frame 200. "), "{}", info(&node));
    });
}

/// The files below a folder.
fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() { files.extend(walk(&path)) } else { files.push(path) }
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "exr"));
    files.sort();
    files
}

#[test]
fn without_stored_frames_a_draft_shows_the_first_frame() {
    patient("without_stored_frames_a_draft_shows_the_first_frame", "0", || {
        let (_host, plugin) = own_flow();
        let node = node(&plugin);
        let preview = draft(&node, 50.0);
        assert_eq!((preview.stat("preview"), simulated(&preview)), (Some(1.0), 1));
        assert!(is_marked(&preview));
        let first = draft(&node, 1.0);
        assert!(first.stat("preview").is_none() && !is_marked(&first), "it is its own frame");
        assert_eq!(parts(&first).1, parts(&preview).1);
    });
}

#[test]
fn only_drafts_are_previews() {
    patient("only_drafts_are_previews", "0", || {
        let (_host, plugin) = own_flow();
        let node = node(&plugin);
        let interactive = node.render(&Request::at(30.0).interactive()).expect("renders");
        assert_eq!((simulated(&interactive), interactive.stat("preview")), (30, None));
        assert!(!is_marked(&interactive));
        // Thumbnails have a rule of their own, and no badge.
        let thumbnail = node.render(&Request::at(60.0).thumbnail().draft()).expect("renders");
        assert!(thumbnail.stat("preview").is_none() && !is_marked(&thumbnail));
    });
}

#[test]
fn a_draft_that_finishes_quickly_is_the_frame() {
    patient("a_draft_that_finishes_quickly_is_the_frame", "1000000", || {
        let (_host, plugin) = own_flow();
        let drafted = draft(&node(&plugin), 40.0);
        assert_eq!((simulated(&drafted), drafted.stat("preview")), (40, None));
        let (_other, plugin) = own_flow();
        assert_eq!(bits(&drafted), bits(&node(&plugin).frame(40.0).expect("renders")));
    });
}

#[test]
fn previews_of_every_output_have_the_draft_badge() {
    patient("previews_of_every_output_have_the_draft_badge", "0", || {
        let (_host, plugin) = own_flow();
        let node = node(&plugin);
        for depth in [Depth::Byte, Depth::Short, Depth::Half, Depth::Float] {
            let request = Request::at(90.0).draft().depth(depth);
            assert!(is_marked(&node.render(&request).expect("renders")), "{depth:?}");
        }
        let alone = node.render(&Request::at(90.0).draft().components(Components::Alpha)).expect("renders");
        let alpha = |x| alone.image.channels(x, 0)[0];
        assert_eq!([alpha(0), alpha(1), alpha(2)], [1.0, 0.0, 1.0]);
    });
}

#[test]
fn a_long_catch_up_reports_its_progress() {
    let (_host, plugin) = own_flow();
    let node = node(&plugin);
    let (arrived, arrives) = mpsc::channel();
    let (go_on, goes_on) = mpsc::channel();
    let goes_on = Arc::new(Mutex::new(goes_on));
    let request = Request::at(400.0).abort(move |polls| {
        if polls == 300 {
            arrived.send(()).expect("the test waits");
            goes_on.lock().expect("whole").recv().expect("the test goes on");
        }
        false
    });
    std::thread::scope(|scope| {
        let render = scope.spawn(|| node.render(&request).expect("renders"));
        arrives.recv().expect("the render goes on for long");
        let text = info(&node);
        go_on.send(()).expect("the render waits");
        assert_eq!(simulated(&render.join().expect("ends")), 400);
        assert!(text.contains("Simulating frame ") && text.contains(" on the way to frame 400"), "{text}");
    });
    assert!(!info(&node).contains("Simulating frame"), "{}", info(&node));
}
