//! Emitters and solids that are placed by the file of an axis, rotations, and the output Slice.

use flow_host::{Frame, NodeBuilder, Plugin};

use super::common::{bits, check_greyed, info, simulated, total};
use super::{NODE, bare, finite};

/// Height of the box, pixels.
const HEIGHT: f64 = 64.0;

/// The file of an axis with these lines.
fn file(folder: &tempfile::TempDir, lines: &str) -> String {
    let path = folder.path().join("axis.chan");
    std::fs::write(&path, lines).expect("writes");
    path.to_string_lossy().into_owned()
}

/// A plume against a plate.
fn plate(plugin: &Plugin) -> NodeBuilder {
    let node = bare(plugin).set("preroll", 0).set("cells", 48).set("buoyancy", 0.5).set("solidCount", 1);
    let node = node.set("solid1Shape", "Box").set("solid1Radius", 0.2).set("solid1Height", 0.06);
    node.set("emitter1Radius", 0.1).set("emitter1Centre", [0.0, 0.125, 0.0])
}

fn frame(node: NodeBuilder, time: f64) -> Frame {
    node.create().expect("a node").frame(time).expect("renders")
}

fn difference(a: &Frame, b: &Frame) -> f64 {
    let pairs = a.rgba().into_iter().zip(b.rgba());
    pairs.map(|(a, b)| f64::from((a[3] - b[3]).abs())).fold(0.0, f64::max)
}

/// Share of the alpha in the right half.
fn right(frame: &Frame) -> f64 {
    let mut sides = [0.0; 2];
    for y in 0..64 {
        for x in 0..96 {
            sides[usize::from(x >= 48)] += f64::from(frame.pixel(x, y)[3]);
        }
    }
    sides[1] / (sides[0] + sides[1])
}

#[test]
fn a_file_moves_and_turns_a_solid_as_keys_do() {
    let folder = tempfile::tempdir().expect("a folder");
    // In heights of the box from the middle of the frame, which is that of the box.
    let path = file(&folder, "1 -0.25 0 0 0 0 0\n17 0.25 -0.125 0.125 0 0 60\n");
    NODE.process(2, |plugin| {
        let keyed = plate(plugin)
            .key("solid1Centre", 1.0, [-0.25, 0.5, 0.0])
            .key("solid1Centre", 17.0, [0.25, 0.375, 0.125])
            .key("solid1Rotate", 1.0, [0.0, 0.0, 0.0])
            .key("solid1Rotate", 17.0, [0.0, 0.0, 60.0]);
        let filed = |scale: f64| {
            let node = plate(plugin).set("solid1Place", "Axis file").set("solid1AxisFile", path.as_str());
            node.set("cameraScale", scale)
        };
        let by_keys = frame(keyed, 17.0);
        let by_file = frame(filed(HEIGHT), 17.0);
        assert!(total(&by_file, 3) > 20.0);
        assert!(difference(&by_keys, &by_file) < 2e-3, "{}", difference(&by_keys, &by_file));
        let upright = frame(plate(plugin), 17.0);
        assert!(difference(&by_file, &upright) > 0.2, "{}", difference(&by_file, &upright));
        // The file's unit is another one.
        assert!(difference(&by_file, &frame(filed(HEIGHT / 2.0), 17.0)) > 0.1);
        // The box moves, and the solid stays where its axis is; with a position, it moves along.
        let node = filed(HEIGHT).create().expect("a node");
        node.frame(17.0).expect("renders");
        assert_eq!(simulated(&node.frame(17.0).expect("renders")), 0);
        node.set("boxCentre", [52.0, 32.0]).expect("set");
        assert!(simulated(&node.frame(17.0).expect("renders")) > 0, "a part of the simulation");
        // Also of a solid that is off at first.
        let node = filed(HEIGHT).key("solid1", 0.0, false).key("solid1", 10.0, true).create().expect("a node");
        node.frame(17.0).expect("renders");
        node.set("boxCentre", [52.0, 32.0]).expect("set");
        assert!(simulated(&node.frame(17.0).expect("renders")) > 0, "a part of the simulation");
        let node = plate(plugin).create().expect("a node");
        node.frame(17.0).expect("renders");
        node.set("boxCentre", [52.0, 32.0]).expect("set");
        assert_eq!(simulated(&node.frame(17.0).expect("renders")), 0, "a part of the picture");
    });
}

#[test]
fn a_file_moves_an_emitter() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(&folder, "1 -0.25 -0.375 0 0 0 0\n13 0.25 -0.375 0 0 90 0\n");
    NODE.process(2, |plugin| {
        let by_keys = bare(plugin).key("emitter1Centre", 1.0, [-0.25, 0.125, 0.0]).key(
            "emitter1Centre",
            13.0,
            [0.25, 0.125, 0.0],
        );
        let by_file = bare(plugin).set("emitter1Place", "Axis file").set("emitter1AxisFile", path.as_str());
        let [by_keys, by_file] = [by_keys, by_file.set("cameraScale", HEIGHT)].map(|node| frame(node, 13.0));
        assert!(total(&by_file, 3) > 20.0 && difference(&by_keys, &by_file) < 2e-3);
    });
}

#[test]
fn a_plate_that_turns_throws_smoke_aside() {
    NODE.process(2, |plugin| {
        let turned = |angle: f64| frame(plate(plugin).set("solid1Rotate", [0.0, 0.0, angle]), 20.0);
        let [left, level, up] = [-30.0, 0.0, 30.0].map(|angle| right(&turned(angle)));
        assert!((level - 0.5).abs() < 0.03, "{level}");
        // The smoke slides up along the plate.
        assert!(left < 0.46 && up > 0.54, "{left} {up}");
        // A turn between two frames of the same orientation takes the air along.
        let spun = plate(plugin).key("solid1Rotate", 1.0, [0.0; 3]).key("solid1Rotate", 21.0, [0.0, 0.0, 360.0]);
        let spun = frame(spun, 21.0);
        let still = frame(plate(plugin), 21.0);
        assert!(finite(&spun) && difference(&spun, &still) > 0.2);
    });
}

#[test]
fn a_file_that_is_missing_is_named_and_what_has_no_effect_is_greyed_out() {
    NODE.process(1, |plugin| {
        let node = plate(plugin).set("solid1Place", "Axis file").set("solid1AxisFile", "/no/such/axis.chan");
        let node = node.create().expect("a node");
        let found = node.frame(3.0).expect("renders");
        let text = info(&node);
        assert!(text.contains("Axis file of Solid 1 /no/such/axis.chan can't be read"), "{text}");
        assert!(text.contains("Centre is used."), "{text}");
        assert!(bits(&found) == bits(&frame(plate(plugin), 3.0)));
        check_greyed(&node, &["solid1AxisFile", "emitter1Centre"], &["solid1Centre", "solid1Rotate"], "by a file");
        node.set("solid1Place", "Position").expect("set");
        check_greyed(&node, &["solid1Centre", "solid1Rotate"], &["solid1AxisFile"], "by a position");
        node.set("solid1Shape", "Sphere").expect("set");
        check_greyed(&node, &["solid1Centre"], &["solid1Rotate"], "a ball");
        node.set("emitter1Place", "Axis file").expect("set");
        node.frame(3.0).expect("renders");
        assert!(info(&node).contains("Emitter 1 is placed by Axis file, and none is chosen"), "{}", info(&node));
    });
}

#[test]
fn absurd_rotations_give_finite_pictures() {
    NODE.process(2, |plugin| {
        for angle in [-36_000.0, 180.0, 36_000.0] {
            let node = plate(plugin).key("solid1Rotate", 1.0, [0.0; 3]).key("solid1Rotate", 2.0, [angle, angle, 90.0]);
            assert!(finite(&frame(node, 4.0)), "{angle}");
        }
    });
}

#[test]
fn a_slice_shows_the_values_of_the_simulation() {
    NODE.process(2, |plugin| {
        let slice = |node: NodeBuilder, field: &str| node.set("output", "Slice").set("sliceField", field);
        let at = |node: NodeBuilder, [x, y]: [i32; 2]| frame(node, 12.0).pixel(x, y);
        // In the emitter.
        let [density, temperature, fuel, soot] = at(slice(plate(plugin), "Smoke"), [48, 8]);
        assert!(
            (density - 1.0).abs() < 0.1 && (temperature - 1.0).abs() < 0.1 && fuel == 0.0 && soot == 0.0,
            "{density} {temperature} {fuel} {soot}"
        );
        // The solid has none, and the frame beside the box neither.
        for place in [[48, 25], [4, 8]] {
            assert_eq!(at(slice(plate(plugin), "Smoke"), place), [0.0; 4], "{place:?}");
        }
        let [x, y, z, speed] = at(slice(plate(plugin), "Velocity"), [48, 12]);
        let length = (x * x + y * y + z * z).sqrt();
        assert!(y > 0.2 && x.abs() < 0.3 * y && (speed - length).abs() < 1e-5, "{x} {y} {z} {speed}");
        let red = || plate(plugin).set("emitter1Colour", [1.0, 0.25, 0.125]);
        let [r, g, b, density] = at(slice(red(), "Colour"), [48, 8]);
        assert!((r - 1.0).abs() < 0.01 && (g - 0.25).abs() < 0.01 && (b - 0.125).abs() < 0.01 && density > 0.9);
        let burnt = slice(plate(plugin).set("emitter1Fuel", 1.0), "Flame");
        assert!(at(burnt, [48, 8])[2] > 0.0, "fuel burns");
        // Behind the emitter, and on the floor.
        let back = slice(plate(plugin), "Smoke").set("slicePlace", 0.05);
        assert_eq!(total(&frame(back, 12.0), 0), 0.0);
        let flat = slice(plate(plugin), "Smoke").set("sliceAxis", "Y").set("slicePlace", 0.1);
        let flat = flat.set("camera", "Parameters").set("translate", [0.0, 40.0, 0.0]).set("rotate", [-12.0, 0.0, 0.0]);
        assert!(total(&frame(flat, 12.0), 0) > 1.0);
        let node = slice(plate(plugin), "Smoke").create().expect("a node");
        check_greyed(&node, &["sliceAxis", "slicePlace"], &["skyColour"], "a slice");
        node.set("output", "Beauty").expect("set");
        check_greyed(&node, &["skyColour"], &["sliceAxis", "slicePlace"], "light");
    });
}
