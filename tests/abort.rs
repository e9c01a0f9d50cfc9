//! Aborted renders: a render stops at once, keeps its finished frames, and discards incomplete pictures that a
//! host returns during the abort.

mod common;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use common::{FLOW, bits, bundle_path, scene, simulated};
use flow_host::{Context, Host, Image, Node, Plugin, Profile, Project, RectI, Request, Source};

const WIDTH: i32 = 64;
const HEIGHT: i32 = 48;

/// A private copy of the library, without state shared with other tests.
fn isolated() -> (Host, Plugin) {
    let host = Host::new(Profile::generic());
    let plugin = host.load_private(bundle_path()).and_then(|bundle| bundle.plugin(FLOW));
    (host, plugin.expect("the bundle has Flow"))
}

fn small(plugin: &Plugin, frames: f64, substeps: i32) -> Node {
    let project = Project::new(WIDTH as u32, HEIGHT as u32).frames(1.0, frames);
    let node = plugin.node(Context::Generator).set("output", "Water").project(project).set("emitterRadius", 8.0);
    node.set("substeps", substeps).set("speed", 1.0).create().expect("a node")
}

#[test]
fn an_aborted_catch_up_stops_at_the_step_and_keeps_finished_frames() {
    const FRAMES: f64 = 500.0;
    const STEPS: u64 = 4;
    let (_cold_host, cold) = isolated();
    let whole = small(&cold, FRAMES, STEPS as i32).frame(FRAMES).expect("renders");
    assert_eq!((simulated(&whole), whole.stat("steps")), (500, Some((STEPS * 499) as f64)));

    let (_host, plugin) = isolated();
    let node = small(&plugin, FRAMES, STEPS as i32);
    let mut left = 500;
    let mut reached = Vec::new();
    for wanted in [900, 20, 333, 1] {
        // Some polls precede the first step: only polls after the abort are measured.
        let after = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&after);
        let request = Request::at(FRAMES).abort(move |polls| {
            let stop = polls >= wanted;
            counted.fetch_add(u64::from(stop), Ordering::Relaxed);
            stop
        });
        let frame = node.render(&request).expect("an abort is no failure");
        assert!(frame.aborted);
        assert_eq!(after.load(Ordering::Relaxed), 1, "polls from the answer on, the answered one included");
        assert_eq!(frame.polls, wanted + 1);
        // Each frame polls at its steps and once before them; only a started frame is lost.
        let done = wanted / (STEPS + 1);
        let least = done.saturating_sub(12);
        reached.push((least, done));
        left -= least;
    }
    let rest = node.frame(FRAMES).expect("renders");
    let most: u64 = reached.iter().map(|(_, most)| most).sum();
    assert!(simulated(&rest) >= 500 - most && simulated(&rest) <= left, "{} left of {reached:?}", simulated(&rest));
    assert_eq!(bits(&rest), bits(&whole));
    assert_eq!(node.persistent_message(), None);
}

#[test]
fn an_abort_stops_a_render_that_waits_for_a_frame_of_another() {
    let (_host, plugin) = isolated();
    let node = small(&plugin, 40.0, 64);
    let (_cold_host, cold) = isolated();
    let truth = bits(&small(&cold, 40.0, 64).frame(40.0).expect("renders"));

    let (inside, entered) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let first = node.clone();
    let worker = std::thread::spawn(move || {
        // Blocks in the middle of a frame, while it holds the claim to simulate it.
        let request = Request::at(40.0).abort(move |polls| {
            if polls == 700 {
                inside.send(()).expect("the test listens");
                released.lock().unwrap_or_else(PoisonError::into_inner).recv().expect("the test lets go");
            }
            false
        });
        first.render(&request)
    });
    entered.recv_timeout(Duration::from_secs(60)).expect("the first render comes to its 700th poll");
    let waiter = node.render(&Request::at(40.0).abort(|polls| polls >= 100)).expect("an abort is no failure");
    assert!(waiter.aborted);
    assert_eq!(waiter.polls, 101);
    release.send(()).expect("the first render waits");
    let frame = worker.join().expect("no panic").expect("renders");
    assert_eq!(bits(&frame), truth);
    assert_eq!(simulated(&frame), 40, "the waiter simulated nothing in its place");
}

/// Two Flow nodes, the second connected to the first.
fn chain(plugin: &Plugin) -> Node {
    let first = scene(plugin, WIDTH, HEIGHT).name("Upstream").create().expect("a node");
    let project = Project::new(WIDTH as u32, HEIGHT as u32);
    let second = plugin
        .node(Context::General)
        .set("output", "Water")
        .project(project)
        .name("Downstream")
        .clip("Source", Source::node(&first));
    second.set("sourceMode", "Add").set("sourceHeight", 0.2).create().expect("a node")
}

#[test]
fn aborts_upstream_lose_no_frames_and_change_no_pixels() {
    const FRAME: f64 = 40.0;
    let (_cold_host, cold) = isolated();
    let truth: Vec<_> = {
        let node = chain(&cold);
        [FRAME, 9.0, 25.0].map(|time| bits(&node.frame(time).expect("renders"))).into()
    };
    for patience in [7, 40, 150, 400] {
        let (host, plugin) = isolated();
        let node = chain(&plugin);
        let mut tries = 0;
        let last = loop {
            let frame = node.render(&Request::at(FRAME).abort(move |polls| polls >= patience)).expect("no failure");
            if !frame.aborted {
                break frame;
            }
            tries += 1;
            assert!(tries < 500, "aborted renders get nowhere with {patience} polls");
            if patience < 100 && tries == 30 {
                // Every render reads three frames upstream before it simulates: fewer polls never reach the simulation.
                break node.frame(FRAME).expect("renders");
            }
        };
        assert!(tries > 2, "{tries} aborts with {patience} polls");
        assert_eq!(bits(&last), truth[0], "{patience} polls");
        assert_eq!(bits(&node.frame(9.0).expect("renders")), truth[1], "{patience} polls");
        assert_eq!(bits(&node.frame(25.0).expect("renders")), truth[2], "{patience} polls");
        assert_eq!(host.record().violations(), [""; 0]);
    }
}

/// A moving matte; once `stop` is set, it gives no picture, like hosts that end a render.
fn hasty(stop: &Arc<AtomicBool>, at: f64, nothing: bool) -> Source {
    let stop = Arc::clone(stop);
    let armed = Arc::new(AtomicBool::new(true));
    Source::pictures(move |time| {
        if time == at && armed.swap(false, Ordering::Relaxed) {
            stop.store(true, Ordering::Relaxed);
        }
        let stopped = stop.load(Ordering::Relaxed);
        if stopped && nothing {
            return None;
        }
        let bounds = RectI { x1: 0, y1: 0, x2: WIDTH, y2: HEIGHT };
        Some(Image::from_fn(bounds, |x, y| {
            let near = (f64::from(x) - time).hypot(f64::from(y) - 24.0) < 6.0;
            // The incomplete picture of an upstream node that was aborted.
            let alpha = if near && !stopped { 0.5 } else { 0.0 };
            [alpha, 0.0, alpha * 0.5, alpha]
        }))
    })
    .region(flow_host::RectD::new(0.0, 0.0, f64::from(WIDTH), f64::from(HEIGHT)))
}

#[test]
fn inputs_fetched_during_an_abort_are_discarded() {
    for policy in ["Transparent", "Hold", "Fail"] {
        for nothing in [true, false] {
            let make = |plugin: &Plugin, stop: &Arc<AtomicBool>, at: f64| {
                let project = Project::new(WIDTH as u32, HEIGHT as u32);
                let node = plugin
                    .node(Context::General)
                    .set("output", "Water")
                    .project(project)
                    .clip("Source", hasty(stop, at, nothing));
                node.set("sourceMode", "Add").set("missingFrames", policy).create().expect("a node")
            };
            let (_cold_host, cold) = isolated();
            let truth = bits(&make(&cold, &Arc::default(), f64::NAN).frame(50.0).expect("renders"));

            let (host, plugin) = isolated();
            let stop = Arc::new(AtomicBool::new(false));
            let node = make(&plugin, &stop, 20.0);
            let wanted = Arc::clone(&stop);
            let request = Request::at(50.0).abort(move |_| wanted.load(Ordering::Relaxed));
            let frame = node.render(&request).expect("no failure");
            assert!(frame.aborted, "{policy}");
            assert_eq!(node.persistent_message(), None, "{policy}");
            stop.store(false, Ordering::Relaxed);

            let rest = node.frame(50.0).expect("renders");
            assert_eq!(bits(&rest), truth, "{policy}");
            // 19 frames were done, or a few less if the rotating sample met the frame. Cached input hashes stay valid:
            // only the samples are read again.
            let (frames, read) = (simulated(&rest), rest.stat("read").expect("counted") as u64);
            assert!(frames == 31 || frames == 50, "{frames} frames after {policy}");
            assert!(read <= frames + 2, "{read} frames read for {frames} after {policy}");
            assert_eq!(host.record().violations(), [""; 0]);
        }
    }
}
