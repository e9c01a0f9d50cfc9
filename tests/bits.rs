//! A frame's bits depend on its settings and inputs alone.

mod common;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::process::Command;

use common::{bits, bundle_path, flow, moving, picture, private_flow, scene, simulated};
use flow_host::{Frame, Node, NodeBuilder, Order, Plugin, Profile, Request, Source};

/// Frames of the short shots.
const LAST: i32 = 12;

/// Settings of a shot.
#[derive(Clone, Copy, Debug)]
struct Shot {
    model: &'static str,
    mode: &'static str,
    edges: &'static str,
    size: [i32; 2],
}

/// Both models, all source modes, all edges.
const SHOTS: [Shot; 8] = [
    shot("Puddles and ponds", "Start frame", "Closed"),
    shot("Puddles and ponds", "Add", "Open"),
    shot("Puddles and ponds", "Replace", "Wrap"),
    shot("Puddles and ponds", "Fill up", "Open"),
    shot("Legacy pipes", "Start frame", "Open"),
    shot("Legacy pipes", "Add", "Wrap"),
    shot("Legacy pipes", "Replace", "Closed"),
    shot("Legacy pipes", "Fill up", "Wrap"),
];

const fn shot(model: &'static str, mode: &'static str, edges: &'static str) -> Shot {
    Shot { model, mode, edges, size: [96, 64] }
}

impl Shot {
    /// A shot with all inputs and sources in motion.
    fn node(self, plugin: &Plugin) -> NodeBuilder {
        let [width, height] = self.size;
        let last = i64::from(LAST);
        let terrain = moving(1, last, |time| {
            picture(width, height, |u, v| {
                let ground = 0.2 + 0.3 * (v - 0.5).abs() + 0.1 * (u * 9.0 + time * 0.2).sin();
                [ground as f32, 0.0, 0.0, 1.0]
            })
        });
        let obstacles = moving(1, last, |time| {
            picture(width, height, |u, v| {
                let wall = (u - 0.5 - 0.01 * time).abs() < 0.03 && (v - 0.5).abs() > 0.1;
                [0.0, 0.0, 0.0, f32::from(u8::from(wall))]
            })
        });
        let force = moving(1, last, |time| {
            picture(width, height, |u, v| {
                let pressure = if (u - 0.7).hypot(v - 0.02 * time) < 0.1 { 0.2 } else { 0.0 };
                [0.004 * (v as f32 - 0.5), 0.004 * (0.5 - u as f32), pressure, 1.0]
            })
        });
        let mask = moving(1, last, |time| {
            picture(width, height, |u, v| [0.0, 0.0, 0.0, (u + v + 0.01 * time).fract() as f32])
        });
        scene(plugin, width, height)
            .set("model", self.model)
            .set("sourceMode", self.mode)
            .set("edges", self.edges)
            .set("terrainChannel", "Red")
            .clip("Terrain", terrain)
            .clip("Obstacles", obstacles)
            .clip("Force", force)
            .clip("Mask", mask)
            .key("flowRate", 1.0, 0.05)
            .key("flowRate", 12.0, 0.12)
            .key("substeps", 1.0, 1)
            .key("substeps", 7.0, 3)
            .key("timeScale", 3.0, 1.0)
            .key("timeScale", 9.0, 0.6)
            .key("sourceHeight", 1.0, 0.3)
            .key("sourceHeight", 12.0, 0.1)
            .key("terrainHeight", 1.0, 0.8)
            .key("terrainHeight", 12.0, 1.1)
            .key("push", 1.0, [0.0, 0.002])
            .key("push", 12.0, [0.003, -0.002])
            .key("emitterColour", 1.0, [0.9, 0.1, 0.0])
            .key("emitterColour", 12.0, [0.0, 0.2, 0.8])
    }
}

fn frames() -> Vec<f64> {
    (1..=LAST).map(f64::from).collect()
}

fn collect(node: &Node, order: Order, threads: usize) -> Vec<Frame> {
    node.collect_frames(&frames(), order, threads, &Request::at(0.0)).expect("renders")
}

/// All frames after a purge: each is simulated exactly once, for any order and number of threads.
fn cold(node: &Node, order: Order, threads: usize) -> Vec<Vec<[u32; 4]>> {
    node.frame(1.0).expect("renders");
    node.purge().expect("purges");
    let frames = collect(node, order, threads);
    assert_eq!(frames.iter().map(simulated).sum::<u64>(), LAST as u64, "{order:?} on {threads} threads");
    frames.iter().map(bits).collect()
}

/// All frames from the store: nothing is simulated.
fn warm(node: &Node, order: Order, threads: usize) -> Vec<Vec<[u32; 4]>> {
    let frames = collect(node, order, threads);
    assert_eq!(frames.iter().map(simulated).sum::<u64>(), 0, "{order:?} on {threads} threads, warm");
    frames.iter().map(bits).collect()
}

/// Fails unless the frames differ from each other and hold water.
fn assert_alive(frames: &[Vec<[u32; 4]>]) {
    for (position, frame) in frames.iter().enumerate() {
        let wet = frame.iter().filter(|pixel| f32::from_bits(pixel[3]) > 1e-3).count();
        assert!(wet > frame.len() / 50, "{wet} wet pixels on frame {}", position + 1);
        assert!(position == 0 || *frame != frames[position - 1], "frame {} moves", position + 1);
    }
}

#[test]
fn an_unconnected_node_shows_water() {
    let (_host, plugin) = flow();
    let node = plugin
        .node(flow_host::Context::Generator)
        .set("output", "Water")
        .set("emitterSoftness", 0.0)
        .create()
        .expect("a node");
    let frame = node.frame(1.0).expect("renders");
    let wet = frame.rgba().iter().filter(|pixel| pixel[3] > 0.0).count();
    assert!(wet > 4000, "{wet} wet pixels on the first frame");
    let middle = frame.pixel(320, 180);
    assert!((middle[3] - 0.05).abs() < 1e-4, "{middle:?}");
}

#[test]
fn any_order_and_any_number_of_concurrent_renders_give_the_same_bits() {
    let (_host, plugin) = private_flow(Profile::generic());
    let mut pictures = Vec::new();
    for shot in SHOTS {
        let node = shot.node(&plugin).create().expect("a node");
        let forward = cold(&node, Order::Forward, 1);
        assert_alive(&forward);
        for (order, threads) in [(Order::Reverse, 1), (Order::Random(5), 1), (Order::Forward, 8), (Order::Random(9), 8)]
        {
            assert!(cold(&node, order, threads) == forward, "{shot:?}: {order:?} on {threads} threads");
        }
        assert!(warm(&node, Order::Random(2), 8) == forward, "{shot:?}: warm");
        pictures.push(forward);
    }
    for (position, picture) in pictures.iter().enumerate() {
        assert!(!pictures[..position].contains(picture), "{:?} looks like another", SHOTS[position]);
    }
}

#[test]
fn several_nodes_on_several_threads_share_one_simulation() {
    let (_host, plugin) = private_flow(Profile::generic());
    for shot in [SHOTS[1], SHOTS[7]] {
        let first = shot.node(&plugin).create().expect("a node");
        let forward = cold(&first, Order::Forward, 1);
        first.purge().expect("purges");
        let nodes: Vec<Node> = (0..4).map(|_| shot.node(&plugin).create().expect("a node")).collect();
        let results: Vec<Vec<Frame>> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0_u64..)
                .zip(&nodes)
                .map(|(seed, node)| scope.spawn(move || collect(node, Order::Random(seed), 2)))
                .collect();
            workers.into_iter().map(|worker| worker.join().expect("no panic")).collect()
        });
        let total: u64 = results.iter().flatten().map(simulated).sum();
        assert_eq!(total, LAST as u64, "{shot:?}: each frame once for all nodes");
        for frames in &results {
            assert!(frames.iter().map(bits).eq(forward.iter().cloned()), "{shot:?}");
        }
    }
}

#[test]
fn the_number_of_worker_threads_changes_no_bit() {
    for shot in [SHOTS[1], SHOTS[2], SHOTS[5]] {
        // Large enough for several threads.
        let shot = Shot { size: [256, 200], ..shot };
        let results: Vec<_> = [1, 2, 8]
            .map(|threads| {
                let (_host, plugin) = private_flow(Profile { threads, ..Profile::generic() });
                let node = shot.node(&plugin).create().expect("a node");
                let frames: Vec<_> = [1.0, 4.0, 7.0].map(|time| bits(&node.frame(time).expect("renders"))).into();
                node.sync().expect("syncs");
                let info = node.value("info", 1.0).expect("there").text().unwrap_or_default().to_owned();
                assert!(info.contains(&format!("CPU, {threads} thread")), "{info}");
                frames
            })
            .into();
        assert_alive(&results[0]);
        assert!(results[0] == results[1] && results[0] == results[2], "{shot:?}");
    }
}

#[test]
fn purges_new_nodes_and_reloads_change_no_bit() {
    let (_host, plugin) = private_flow(Profile::generic());
    for shot in [SHOTS[3], SHOTS[4]] {
        let node = shot.node(&plugin).create().expect("a node");
        let forward = cold(&node, Order::Forward, 1);
        assert!(cold(&node, Order::Reverse, 1) == forward, "{shot:?}: purged");
        drop(node);
        let next = shot.node(&plugin).create().expect("a node");
        assert!(warm(&next, Order::Forward, 1) == forward, "{shot:?}: a new node finds what the old one left");
        drop(next);
        plugin.reload().expect("unloads and loads");
        let reloaded = shot.node(&plugin).create().expect("a node");
        let frames = collect(&reloaded, Order::Random(4), 1);
        assert_eq!(frames.iter().map(simulated).sum::<u64>(), LAST as u64, "an unload frees everything");
        assert!(frames.iter().map(bits).eq(forward.iter().cloned()), "{shot:?}: loaded again");
        drop(reloaded);
        let (_other_host, other) = private_flow(Profile::generic());
        let elsewhere = shot.node(&other).create().expect("a node");
        assert!(cold(&elsewhere, Order::Random(3), 2) == forward, "{shot:?}: another copy of the library");
    }
}

#[test]
fn a_tiny_budget_changes_no_bit() {
    let (_host, plugin) = private_flow(Profile::generic());
    for shot in [SHOTS[1], SHOTS[6]] {
        let node = shot.node(&plugin).create().expect("a node");
        let forward = cold(&node, Order::Forward, 1);
        node.set("memoryBudget", 1).expect("edits");
        for (order, threads) in [(Order::Forward, 1), (Order::Reverse, 1), (Order::Random(1), 8), (Order::Random(2), 3)]
        {
            let frames = collect(&node, order, threads);
            assert!(frames.iter().map(bits).eq(forward.iter().cloned()), "{shot:?}: {order:?} on {threads} threads");
            let kept = frames.iter().filter_map(|frame| frame.stat("storedBytes")).fold(0.0, f64::max);
            assert!(kept > 0.0 && kept <= 1048576.0, "{kept} bytes");
        }
        node.set("memoryBudget", 64).expect("edits");
    }
}

#[test]
fn alternating_proxies_and_finals_change_no_bit() {
    let half = |frame: f64| Request::at(frame).scale(0.5, 0.5);
    let shot = SHOTS[1];
    let (_host, plugin) = private_flow(Profile::generic());
    let node = shot.node(&plugin).create().expect("a node");
    let full = cold(&node, Order::Forward, 1);
    node.purge().expect("purges");
    let proxies: Vec<_> = frames().iter().map(|frame| bits(&node.render(&half(*frame)).expect("renders"))).collect();
    assert_alive(&proxies);
    node.purge().expect("purges");
    for frame in Order::Random(6).arrange(&frames()) {
        let position = frame as usize - 1;
        assert!(bits(&node.render(&half(frame)).expect("renders")) == proxies[position], "proxy, frame {frame}");
        assert!(bits(&node.frame(frame).expect("renders")) == full[position], "final, frame {frame}");
    }
    // Each render scale has its own input hashes: only the frame, the first frame and one sample are read again.
    for request in [half(12.0), Request::at(12.0), half(12.0), Request::at(12.0)] {
        let frame = node.render(&request).expect("renders");
        assert!(simulated(&frame) == 0 && frame.stat("read") <= Some(3.0), "{:?}", frame.stats);
    }
}

#[test]
fn chained_nodes_give_the_same_bits_in_any_order() {
    let (_host, plugin) = private_flow(Profile::generic());
    let upstream = SHOTS[2].node(&plugin).set("output", "Height").create().expect("a node");
    let node = SHOTS[1]
        .node(&plugin)
        .clip("Source", Source::node(&upstream))
        .clip("Terrain", Source::node(&upstream))
        .set("sourceChannel", "Red")
        .create()
        .expect("a node");
    let purged = |order: Order, threads: usize| -> Vec<_> {
        node.purge().expect("purges");
        upstream.purge().expect("purges");
        collect(&node, order, threads).iter().map(bits).collect()
    };
    let forward = purged(Order::Forward, 1);
    assert_alive(&forward);
    for (order, threads) in [(Order::Reverse, 1), (Order::Random(8), 8), (Order::Forward, 8)] {
        assert!(purged(order, threads) == forward, "{order:?} on {threads} threads");
    }
}

/// The variable that selects the child process.
const CHILD: &str = "FLOW_TEST_CHILD";

/// One line per frame, equal for equal bits.
fn lines(order: Order, threads: usize) -> Vec<String> {
    let (_host, plugin) = private_flow(Profile::generic());
    let mut lines = Vec::new();
    for shot in SHOTS {
        let node = shot.node(&plugin).create().expect("a node");
        for frame in collect(&node, order, threads) {
            let mut hasher = DefaultHasher::new();
            bits(&frame).hash(&mut hasher);
            lines.push(format!("frame {} {:016x}", frame.time, hasher.finish()));
        }
    }
    lines
}

#[test]
#[ignore = "run by another_process_gives_the_same_bits in a process of its own"]
fn child() {
    if std::env::var_os(CHILD).is_some() {
        for line in lines(Order::Random(77), 4) {
            println!("{line}");
        }
    }
}

#[test]
fn another_process_gives_the_same_bits() {
    let here = lines(Order::Forward, 1);
    let output = Command::new(std::env::current_exe().expect("a running test has a path"))
        .args(["child", "--exact", "--ignored", "--nocapture"])
        .env(CHILD, "1")
        .output()
        .expect("the test runs again");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    // The test runner may write on the line of the first frame.
    let there: Vec<&str> = text.lines().filter_map(|line| line.find("frame ").map(|at| &line[at..])).collect();
    assert_eq!(here.len(), SHOTS.len() * LAST as usize);
    assert_eq!(there, here, "{} is the library", bundle_path().display());
}
