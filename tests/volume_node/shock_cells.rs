//! Shock cells in the jet of an emitter.

use flow_host::{Frame, NodeBuilder, Plugin};

use super::common::{bits, check_greyed, simulated};
use super::{NODE, bare, finite};

/// A jet of hot gas to the right, whose nozzle is a quarter of the height from the left side of the box.
fn jet(plugin: &Plugin) -> NodeBuilder {
    bare(plugin)
        .set("preroll", 0)
        .set("cells", 48)
        .set("noise", 0.0)
        .set("swirl", 0.0)
        .set("buoyancy", 0.0)
        .set("output", "Emission")
        .set("glow", true)
        .set("fireOpacity", 0.0)
        .set("emitter1Centre", [-0.25, 0.5, 0.0])
        .set("emitter1Radius", 0.125)
        .set("emitter1Breakup", 0.0)
        .set("emitter1Velocity", [20.0, 0.0, 0.0])
        .set("emitter1ShockLength", 0.25)
}

/// Light on the axis of the jet at a distance from the nozzle, in heights of the box.
fn light(frame: &Frame, along: f64) -> f64 {
    let column = (48.0 + (along - 0.25) * 64.0) as i32;
    f64::from(frame.pixel(column, 31)[0])
}

#[test]
fn a_jet_has_standing_cells_that_are_a_part_of_the_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("axis.chan");
    std::fs::write(&path, "1 -0.25 0 0 0 0 0\n9 -0.25 0 0 0 0 0\n").expect("writes");
    NODE.process(2, |plugin| {
        let node = jet(plugin).create().expect("a node");
        let plain = node.frame(6.0).expect("renders");
        check_greyed(&node, &["emitter1ShockCells"], &["emitter1ShockLength"], "without cells");
        node.set("emitter1ShockCells", 3.0).expect("set");
        let cells = node.frame(6.0).expect("renders");
        assert!(simulated(&cells) == 0 && finite(&cells), "cells enter no key");
        check_greyed(&node, &["emitter1ShockCells", "emitter1ShockLength"], &[], "with cells");
        // Middles of cells, and places between them, relative to the jet without any.
        let found = [0.125, 0.25, 0.375].map(|along| light(&cells, along) / light(&plain, along));
        assert!(found[0] > 1.2 && found[2] > 1.03 && found[0] > found[2] && found[1] < 0.85, "{found:?}");
        let later = node.frame(8.0).expect("renders");
        node.set("emitter1ShockCells", 0.0).expect("set");
        let later = light(&later, 0.125) / light(&node.frame(8.0).expect("renders"), 0.125);
        assert!((later / found[0] - 1.0).abs() < 0.1, "the first cell stays: {later}, {found:?}");
        // The same place by the file of an axis.
        let filed = jet(plugin).set("emitter1Place", "Axis file").set("emitter1AxisFile", &*path.to_string_lossy());
        let filed = filed.set("cameraScale", 64.0).set("emitter1ShockCells", 3.0).create().expect("a node");
        let worst =
            filed.frame(6.0).expect("renders").rgba().into_iter().zip(cells.rgba()).map(|(a, b)| (a[0] - b[0]).abs());
        assert!(worst.fold(0.0, f32::max) < 1e-3 * cells.pixel(40, 32)[0]);
    });
}

#[test]
fn jets_without_gas_of_their_own_have_no_cells() {
    NODE.process(2, |plugin| {
        let bits_with = |name: &str, value: f64| {
            let node = jet(plugin).set("emitter1Duration", 4).set("emitter1ShockCells", 3.0).set(name, value);
            bits(&node.create().expect("a node").frame(6.0).expect("renders"))
        };
        let none = bits_with("emitter1ShockCells", 0.0);
        assert_eq!(bits_with("emitter1ShockLength", 0.25), none, "the emitter has ended");
        let still = |cells: f64| {
            let node = jet(plugin).set("emitter1Velocity", [0.0; 3]).set("emitter1ShockCells", cells);
            bits(&node.create().expect("a node").frame(4.0).expect("renders"))
        };
        assert_eq!(still(3.0), still(0.0), "gas at rest has no direction");
    });
}
