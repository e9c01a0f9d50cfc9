//! A third model as a node in a host: analytic solutions, and the same bits in any order, from any cache, with any
//! threads.

#[path = "../common/mod.rs"]
mod common;

use std::f64::consts::PI;
use std::path::PathBuf;

use common::fresh::{Subject, render};
use common::{bits, simulated};
use flow_host::{Context, NodeBuilder, Order, Plugin, Project};

/// Cells of the box: one per pixel along x and y.
const SHAPE: [usize; 3] = [20, 14, 9];
const CONDUCTIVITY: f64 = 0.4;

/// The library that cargo built beside this test.
fn library() -> PathBuf {
    let library = std::env::current_exe().expect("a running test has a path").with_file_name("libflow_heat.so");
    assert!(library.is_file(), "{} is not built", library.display());
    library
}

/// The node under test.
const NODE: Subject = Subject { library, id: "org.flowofx.Heat" };

/// A ball in a box, without keys.
fn still(plugin: &Plugin) -> NodeBuilder {
    plugin
        .node(Context::Generator)
        .project(Project::new(SHAPE[0] as u32, SHAPE[1] as u32).frames(1.0, 20.0))
        .set("depth", SHAPE[2] as i32)
        .set("conductivity", CONDUCTIVITY)
        .set("centre", [9.0, 6.0])
        .set("centreDepth", 40.0)
        .set("radius", 3.5)
}

/// A moving ball, which begins to heat the box.
fn scene(plugin: &Plugin) -> NodeBuilder {
    still(plugin)
        .key("centre", 1.0, [7.0, 6.0])
        .key("centre", 10.0, [12.0, 9.0])
        .key("strength", 4.0, 0.0)
        .key("strength", 8.0, 0.5)
}

/// All temperatures of a frame, slice by slice.
fn temperatures(plugin: &Plugin, time: f64, node: impl Fn(&Plugin) -> NodeBuilder) -> Vec<f64> {
    let slice = |z: usize| {
        let middle = (z as f64 + 0.5) / SHAPE[2] as f64 * 100.0;
        let frame = node(plugin).set("slice", middle).create().expect("a node").frame(time).expect("renders");
        frame.rgba().into_iter().map(|[value, _, _, alpha]| f64::from(value * alpha)).collect::<Vec<_>>()
    };
    (0..SHAPE[2]).flat_map(slice).collect()
}

/// The amplitude of a cosine mode.
fn amplitude(values: &[f64], mode: [usize; 3]) -> f64 {
    let [width, height, _] = SHAPE;
    let wave = |cell: [usize; 3]| {
        (0..3).map(|i| (PI * mode[i] as f64 * (cell[i] as f64 + 0.5) / SHAPE[i] as f64).cos()).product::<f64>()
    };
    let cell = |at: usize| [at % width, at / width % height, at / (width * height)];
    values.iter().enumerate().map(|(at, value)| value * wave(cell(at))).sum()
}

#[test]
fn modes_decay_at_their_rates() {
    let [first, later] = NODE.process(2, |plugin| [1.0, 6.0].map(|time| temperatures(plugin, time, still)));
    let total: f64 = first.iter().sum();
    assert!((total / (4.0 / 3.0 * PI * 3.5_f64.powi(3)) - 1.0).abs() < 0.05, "a ball holds {total}");
    for mode in [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 2, 1], [2, 1, 0]] {
        let ratio = amplitude(&later, mode) / amplitude(&first, mode);
        // The eigenvalues of the seven-point Laplacian and of the continuous one.
        let sine = |i: usize| (PI * mode[i] as f64 / (2 * SHAPE[i]) as f64).sin();
        let discrete = (0..3).map(|i| 4.0 * sine(i).powi(2)).sum::<f64>();
        let steps = (CONDUCTIVITY / 0.125).ceil();
        let exact = (1.0 - CONDUCTIVITY / steps * discrete).powf(5.0 * steps);
        let continuous = (0..3).map(|i| (PI * mode[i] as f64 / SHAPE[i] as f64).powi(2)).sum::<f64>();
        let decay = (-CONDUCTIVITY * continuous * 5.0).exp();
        println!("mode {mode:?}: {ratio:.7}, exact {exact:.7}, continuous {decay:.7}");
        assert!((ratio / exact - 1.0).abs() < 1e-4 && (ratio / decay - 1.0).abs() < 0.05, "mode {mode:?}");
    }
}

#[test]
fn a_source_adds_the_same_heat_in_every_frame() {
    let fed = |plugin: &Plugin| still(plugin).set("strength", 0.25);
    let totals: Vec<f64> = NODE
        .process(2, |plugin| [1.0, 2.0, 5.0, 5.5].map(|time| temperatures(plugin, time, fed).iter().sum()).to_vec());
    // At the start the ball has a temperature of 1.
    for (total, frames) in totals.iter().zip([0.0, 1.0, 4.0, 4.5]) {
        assert!((total / (totals[0] * (1.0 + 0.25 * frames)) - 1.0).abs() < 1e-5, "{total} after {frames} frames");
    }
}

#[test]
fn any_order_and_any_number_of_threads_give_the_same_bits() {
    let frames: Vec<f64> = (1..=12).map(f64::from).chain([6.5]).collect();
    let orders = [Order::Forward, Order::Reverse, Order::Random(7)];
    let runs = orders.into_iter().flat_map(|order| [1, 2, 5].map(|threads| (order, threads)));
    let truth = NODE.check_orders(scene, &frames, runs);
    NODE.process(2, |plugin| {
        let node = scene(plugin).create().expect("a node");
        assert!(render(&node, &frames, Order::Reverse) == truth, "cold");
        let warm = node.frame(12.0).expect("renders");
        assert_eq!((simulated(&warm), bits(&warm)), (0, truth[11].clone()), "warm");
        node.set("slice", 20.0).expect("edits");
        assert_eq!(simulated(&node.frame(11.0).expect("renders")), 0, "another slice is another picture");
        node.set("conductivity", 0.3).expect("edits");
        let edited = node.frame(3.0).expect("renders");
        assert!(simulated(&edited) > 0 && bits(&edited) != truth[2], "an edit simulates");
    });
}

#[test]
fn frames_on_disk_have_the_same_bits() {
    NODE.check_disk(scene, 8);
}
