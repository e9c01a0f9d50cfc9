//! A long shot under a small budget: memory stays within it, and every frame within a bounded number of steps.
//!
//! A test program with one test, since the memory of the whole process is measured.

mod common;
mod record;

use std::time::Instant;

use common::{bits, private_flow, simulated, terrain};
use flow_host::{Context, Node, NodeBuilder, Plugin, Profile, Project, Request, Source};
use record::in_full;

/// Frames of the shot.
fn length() -> i32 {
    if in_full() { 2_000 } else { 900 }
}

/// The budget holds some fifty states of this size.
const SIZE: [i32; 2] = [340, 190];

/// The budget, in MB.
const BUDGET: i32 = 128;

/// Memory allowed beyond the budget, in MB: the simulated frame, scratch planes for the next one, the host's
/// picture, threads, and the allocator's reserve.
const BESIDE: f64 = 16.0;

/// Frames that any frame may simulate once the shot has been rendered.
const REACH: u64 = 64;

fn shot(plugin: &Plugin) -> NodeBuilder {
    let last = f64::from(length());
    let [width, height] = SIZE;
    plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(width as u32, height as u32).frames(1.0, last))
        .clip("Terrain", Source::still(terrain(width, height)))
        .set("emitter", "On")
        .set("edges", "Open")
        .key("emitterCentre", 1.0, [60.0, 60.0])
        .key("emitterCentre", last, [420.0, 200.0])
        .set("rainMode", "Mean height")
        .set("rain", 0.0005)
        .set("speed", 0.7)
        .set("memoryBudget", BUDGET)
}

/// Resident memory of this process, in MB.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the system tells");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it has the line");
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse().expect("a number");
    kilobytes / 1024.0
}

/// Renders a frame and drops its picture; returns the number of simulated frames.
fn cost(node: &Node, time: i32) -> u64 {
    simulated(&node.render(&Request::at(f64::from(time))).expect("renders"))
}

/// Frames in an irregular order.
fn scattered(count: u64, last: i32) -> impl Iterator<Item = i32> {
    (1..=count).map(move |n| {
        let mixed = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((mixed ^ (mixed >> 29)) % last as u64) as i32 + 1
    })
}

#[test]
fn a_long_shot_stays_within_its_budget_and_every_frame_within_reach() {
    let end = length();
    let (_host, plugin) = private_flow(Profile::generic());
    let node = shot(&plugin).create().expect("a node");
    // A frame of another shot first, so that the start of threads is not measured.
    let warm = shot(&plugin).set("seed", 1).create().expect("a node");
    cost(&warm, 2);
    warm.purge().expect("purges");
    drop(warm);

    let before = resident();
    let started = Instant::now();
    let mut most = before;
    for time in 1..=end {
        assert_eq!(cost(&node, time), 1, "frame {time} after the one before it");
        most = most.max(resident());
    }
    let last = node.frame(f64::from(end)).expect("renders");
    let stored = last.stat("storedBytes").expect("is counted") / 1048576.0;
    println!(
        "{end} frames in {:.0} s: {:.0} MB more than before, {stored:.0} MB in {} states; {} steps per frame",
        started.elapsed().as_secs_f64(),
        most - before,
        last.stat("stored").expect("is counted"),
        last.stat("stepsPerFrame").expect("is counted"),
    );
    assert!(stored <= f64::from(BUDGET), "{stored} MB kept");
    assert!(stored > 0.9 * f64::from(BUDGET), "{stored} MB kept: the budget is there to be used");
    assert!(most - before <= f64::from(BUDGET) + BESIDE, "{:.1} MB more than before", most - before);

    let (places, rounds) = if in_full() { (60, 40) } else { (15, 8) };
    let worst = scattered(places, end).chain([64, 1, 2, end, end - 1, end - 16, end - 17, 65, 512, 63]).map(|time| {
        let simulated = cost(&node, time);
        assert!(simulated <= REACH, "frame {time} costs {simulated} frames");
        simulated
    });
    println!("any frame at the cost of at most {} frames", worst.max().unwrap_or(0));

    // Many renders at the shot's beginning, then one at its end.
    for round in 0..rounds {
        (1..=20).for_each(|time| assert!(cost(&node, time + round) <= REACH));
    }
    for time in [end, end * 3 / 4, end - 17, end / 2 - 40, end / 5 + 50] {
        let simulated = cost(&node, time);
        assert!(simulated <= REACH, "frame {time} costs {simulated} frames after long work at the beginning");
    }
    let after = resident();
    assert!(after - before <= f64::from(BUDGET) + BESIDE, "{:.1} MB more than before", after - before);

    // The same frame, whatever was evicted and simulated again.
    let again = node.frame(f64::from(end)).expect("renders");
    assert!(bits(&again) == bits(&last));

    the_largest_budget_of_a_living_node_holds(&plugin, &node);
}

/// Two nodes, one with a much smaller budget; part of the test above, since the store belongs to the process.
fn the_largest_budget_of_a_living_node_holds(plugin: &Plugin, large: &Node) {
    let kept = |node: &Node| {
        let frame = node.frame(3.0).expect("renders");
        frame.stat("storedBytes").expect("is counted") / 1048576.0
    };
    let small = shot(plugin).set("memoryBudget", 32).create().expect("a node");
    assert!(kept(&small) > 0.9 * f64::from(BUDGET), "the larger wish holds");
    large.set("memoryBudget", 64).expect("edits");
    let now = kept(large);
    assert!(now <= 64.0 && now > 50.0, "{now} MB: a smaller wish frees memory");
    large.destroy().expect("is destroyed");
    let now = kept(&small);
    assert!(now <= 32.0 && now > 20.0, "{now} MB: a node that is gone wishes nothing");
}
