//! Hosts that hold locks around plug-ins, and edit during renders: no deadlock, and no frame stored
//! under the key of another.

mod common;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use common::{FLOW, bits, bundle_path, scene, simulated, terrain};
use flow_host::{Context, Host, Image, Node, Plugin, Profile, Project, RectI, Request, Source};

const WIDTH: i32 = 72;
const HEIGHT: i32 = 48;

fn isolated() -> (Host, Plugin) {
    let host = Host::new(Profile::generic());
    let plugin = host.load_private(bundle_path()).and_then(|bundle| bundle.plugin(FLOW));
    (host, plugin.expect("the bundle has Flow"))
}

/// Ends the test program if a test hangs; cancelled when dropped.
struct Watchdog(#[expect(dead_code, reason = "its end is the signal")] mpsc::Sender<()>);

fn watch(what: &'static str) -> Watchdog {
    let (alive, ended) = mpsc::channel();
    std::thread::spawn(move || {
        if ended.recv_timeout(Duration::from_secs(120)) == Err(mpsc::RecvTimeoutError::Timeout) {
            eprintln!("HANGS: {what} has not finished after 120 seconds");
            std::process::abort();
        }
    });
    Watchdog(alive)
}

/// Two Flow nodes, the second connected to the first.
fn chain(plugin: &Plugin) -> (Node, Node) {
    let first = scene(plugin, WIDTH, HEIGHT).name("Upstream").create().expect("a node");
    let project = Project::new(WIDTH as u32, HEIGHT as u32);
    let second = plugin
        .node(Context::General)
        .set("output", "Water")
        .project(project)
        .name("Downstream")
        .clip("Source", Source::node(&first))
        .clip("Terrain", Source::still(terrain(WIDTH, HEIGHT)))
        .set("sourceMode", "Add")
        .set("sourceHeight", 0.2)
        .create()
        .expect("a node");
    (first, second)
}

#[test]
fn sixteen_concurrent_renders_of_a_chain_finish_under_any_lock() {
    let frames: Vec<f64> = (0..16).map(|nth| f64::from(1 + nth * 7 % 30)).collect();
    let (_cold_host, cold) = isolated();
    let (first, second) = chain(&cold);
    let truth: Vec<_> = frames
        .iter()
        .enumerate()
        .map(|(nth, time)| bits(&if nth % 4 == 3 { &first } else { &second }.frame(*time).expect("renders")))
        .collect();
    for locked in [true, false] {
        let _watchdog = watch("a chain rendered 16 times at once");
        let (host, plugin) = isolated();
        host.lock_plugin_around_renders(locked);
        let (first, second) = chain(&plugin);
        let start = std::sync::Barrier::new(frames.len());
        std::thread::scope(|scope| {
            let renders: Vec<_> = frames
                .iter()
                .enumerate()
                .map(|(nth, time)| {
                    let node = if nth % 4 == 3 { &first } else { &second };
                    let start = &start;
                    scope.spawn(move || {
                        start.wait();
                        node.frame(*time).expect("renders")
                    })
                })
                .collect();
            for (render, truth) in renders.into_iter().zip(&truth) {
                assert_eq!(&bits(&render.join().expect("no panic")), truth, "locked: {locked}");
            }
        });
        assert_eq!(host.record().violations(), [""; 0]);
    }
}

#[test]
fn a_blocked_render_blocks_no_other() {
    let _watchdog = watch("a render beside one that stands still");
    let (_host, plugin) = isolated();
    let project = Project::new(WIDTH as u32, HEIGHT as u32);
    let node = plugin
        .node(Context::Generator)
        .set("output", "Water")
        .project(project)
        .set("substeps", 64)
        .create()
        .expect("a node");
    let (inside, entered) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let still = node.clone();
    let worker = std::thread::spawn(move || {
        let request = Request::at(12.0).abort(move |polls| {
            if polls == 300 {
                inside.send(()).expect("the test listens");
                released.lock().unwrap_or_else(PoisonError::into_inner).recv().expect("the test lets go");
            }
            false
        });
        still.render(&request)
    });
    entered.recv_timeout(Duration::from_secs(60)).expect("the first render comes to its 300th poll");
    // The frame claimed by the first render is simulated a second time after the timeout.
    let beside = node.frame(12.0).expect("renders");
    assert!(simulated(&beside) > 0);
    release.send(()).expect("the first render waits");
    assert_eq!(bits(&worker.join().expect("no panic").expect("renders")), bits(&beside));
}

/// A source that differs from others of its kind; frames from `from` on are brighter.
fn blob(from: f64) -> Source {
    Source::pictures(move |time| Some(blob_image(from, time)))
}

fn blob_image(from: f64, time: f64) -> Image {
    let bounds = RectI { x1: 0, y1: 0, x2: WIDTH, y2: HEIGHT };
    Image::from_fn(bounds, |x, y| {
        let near = (f64::from(x) - 10.0 - time).hypot(f64::from(y) - 20.0) < 7.0;
        let alpha = match near {
            false => 0.0,
            true if time >= from => 0.6,
            true => 0.2,
        };
        [alpha * 0.5, alpha, 0.0, alpha]
    })
}

/// The node before the concurrent edits, and after them.
fn stormy(plugin: &Plugin, left: bool) -> Node {
    let mut node = scene(plugin, WIDTH, HEIGHT);
    if left {
        node =
            node.set("damping", 0.07).set("rain", 0.004).key("push", 3.0, [0.01, 0.0]).key("push", 20.0, [0.0, 0.02]);
        node = node.clip("Source", blob(9.0));
    }
    node.create().expect("a node")
}

#[test]
fn edits_during_renders_neither_crash_nor_leave_a_wrong_frame() {
    const FRAMES: [f64; 5] = [30.0, 2.0, 17.0, 9.0, 23.0];
    let _watchdog = watch("the storm of edits");
    let (_cold_host, cold) = isolated();
    let before = FRAMES.map(|time| bits(&stormy(&cold, false).frame(time).expect("renders")));
    let after = FRAMES.map(|time| bits(&stormy(&cold, true).frame(time).expect("renders")));
    assert!(before.iter().zip(&after).all(|(before, after)| before != after));

    let (_host, plugin) = isolated();
    let node = stormy(&plugin, false);
    let original = scene(&plugin, WIDTH, HEIGHT).create().expect("a node");
    let over = AtomicBool::new(false);
    let rendered = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for worker in 0..4_u64 {
            let (node, original, over, rendered) = (&node, &original, &over, &rendered);
            scope.spawn(move || {
                let mut turn = worker * 977;
                while !over.load(Ordering::Relaxed) {
                    turn = turn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let time = (1 + (turn >> 33) % 30) as f64;
                    let aborted = (turn >> 20) % 5 == 0;
                    let request = Request::at(time).abort(move |polls| aborted && polls > 60);
                    let frame = if worker == 3 { original.render(&request) } else { node.render(&request) };
                    frame.expect("renders through every edit");
                    rendered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        // Released even if the edits panic, or the renders would never end.
        let _release = Release(&over);
        for round in 0..60_i32 {
            let value = f64::from(round);
            node.set("damping", 0.01 * (1.0 + value % 9.0)).expect("edits");
            node.set_key("push", 1.0 + value % 25.0, [0.001 * value, 0.0]).expect("edits");
            match round % 6 {
                0 => node.connect("Source", Some(blob(value % 20.0))).expect("edits"),
                1 => node.purge().expect("edits"),
                2 => assert!(node.undo().expect("edits")),
                3 => node.push("refresh").expect("edits"),
                4 => node.input_changed("Terrain").expect("edits"),
                _ => {
                    let other = scene(&plugin, WIDTH, HEIGHT).set("rain", 0.001 * value).create().expect("a node");
                    other.frame(3.0).expect("renders");
                    other.destroy().expect("is destroyed");
                }
            }
            // Gives the renders time.
            let until = rendered.load(Ordering::Relaxed) + 1;
            while rendered.load(Ordering::Relaxed) < until {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        node.delete_keys("push", 1.0).expect("edits");
        node.set_key("push", 3.0, [0.01, 0.0]).expect("edits");
        node.set_key("push", 20.0, [0.0, 0.02]).expect("edits");
        node.set("rain", 0.004).expect("edits");
        node.connect("Source", Some(blob(9.0))).expect("edits");
        // All values but one are final, and the renders continue: their frames are not the last ones.
        node.frame(30.0).expect("renders");
        node.set("damping", 0.07).expect("edits");
    });
    for (time, truth) in FRAMES.into_iter().zip(&after) {
        assert_eq!(&bits(&node.frame(time).expect("renders")), truth, "frame {time} after the storm");
    }
    for (time, truth) in FRAMES.into_iter().zip(&before) {
        assert_eq!(&bits(&original.frame(time).expect("renders")), truth, "frame {time} of the node beside it");
    }
}

struct Release<'a>(&'a AtomicBool);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A source that calls the test at its first request of frame 15.
fn interrupted(from: f64, inside: mpsc::Sender<()>, done: mpsc::Receiver<()>) -> Source {
    let gate = Mutex::new(Some((inside, done)));
    Source::pictures(move |time| {
        if time == 15.0
            && let Some((inside, done)) = gate.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            inside.send(()).expect("the test listens");
            done.recv().expect("the test goes on");
        }
        Some(blob_image(from, time))
    })
    .region(flow_host::RectD::new(0.0, 0.0, f64::from(WIDTH), f64::from(HEIGHT)))
}

#[test]
fn an_edit_during_a_catch_up_leaves_old_and_new_frames_correct() {
    let _watchdog = watch("an edit in the middle of a catch-up");
    let make = |plugin: &Plugin, source: Source, speed: f64| {
        let project = Project::new(WIDTH as u32, HEIGHT as u32);
        let node = plugin.node(Context::General).set("output", "Water").project(project).clip("Source", source);
        node.set("sourceMode", "Add").set("speed", speed).create().expect("a node")
    };
    let (_cold_host, cold) = isolated();
    let shown = |source: Source, speed: f64| {
        let node = make(&cold, source, speed);
        [30.0, 16.0, 4.0].map(|time| bits(&node.frame(time).expect("renders")))
    };
    let (old, faster, other) = (shown(blob(99.0), 2.0), shown(blob(99.0), 5.0), shown(blob(2.0), 2.0));
    assert!(old[0] != faster[0] && old[0] != other[0]);

    for connects in [false, true] {
        let (_host, plugin) = isolated();
        let ((inside, entered), (done, go)) = (mpsc::channel(), mpsc::channel());
        let node = make(&plugin, interrupted(99.0, inside, go), 2.0);
        let render = node.clone();
        let worker = std::thread::spawn(move || render.frame(30.0));
        entered.recv_timeout(Duration::from_secs(60)).expect("the render reads frame 15");
        if connects {
            node.connect("Source", Some(blob(2.0))).expect("edits");
        } else {
            node.set("speed", 5.0).expect("edits");
        }
        done.send(()).expect("the render waits");
        worker.join().expect("no panic").expect("renders");
        let truth = if connects { &other } else { &faster };
        for (time, truth) in [30.0, 16.0, 4.0].into_iter().zip(truth) {
            assert_eq!(&bits(&node.frame(time).expect("renders")), truth, "frame {time}, connects: {connects}");
        }
        if !connects {
            assert!(node.undo().expect("edits"));
            for (time, truth) in [30.0, 16.0, 4.0].into_iter().zip(&old) {
                assert_eq!(&bits(&node.frame(time).expect("renders")), truth, "frame {time}, undone");
            }
        }
    }
    // An edit in the worst race: pictures are read before it, and their hashes are stored after it.
    let (_host, plugin) = isolated();
    let ((inside, entered), (done, go)) = (mpsc::channel(), mpsc::channel());
    let node = make(&plugin, interrupted(99.0, inside, go), 2.0);
    let render = node.clone();
    let worker = std::thread::spawn(move || render.frame(15.0));
    entered.recv_timeout(Duration::from_secs(60)).expect("the render reads frame 15");
    node.connect("Source", Some(blob(15.0))).expect("edits");
    done.send(()).expect("the render waits");
    worker.join().expect("no panic").expect("renders");
    let truth = bits(&make(&cold, blob(15.0), 2.0).frame(30.0).expect("renders"));
    assert_eq!(bits(&node.frame(30.0).expect("renders")), truth);
}
