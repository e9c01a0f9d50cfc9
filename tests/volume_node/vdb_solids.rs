//! Level sets of OpenVDB files as solids, written by the reference library.

use std::fs;
use std::path::Path;
use std::process::Command;

use flow_host::{Frame, NodeBuilder, Order, Plugin};

use super::common::openvdb::python;
use super::common::written::text;
use super::common::{bits, check_greyed, total};
use super::{NODE, bare};

/// Writes a ball as a level set, and its inside as fog, with the voxel size 0.02 of a unit.
const SCRIPT: &str = r#"
import sys
import pyopenvdb
x, y, z, radius = map(float, sys.argv[2:6])
ball = pyopenvdb.createLevelSetSphere(radius=radius, center=(x, y, z), voxelSize=0.02, halfWidth=3.0)
ball.name = "surface"
fog = pyopenvdb.FloatGrid()
fog.name = "density"
fog.fill((0, 0, 0), (7, 7, 7), 1.0)
pyopenvdb.write(sys.argv[1], grids=[fog, ball])
"#;

/// Writes the file of a ball.
fn ball(python: &str, path: &Path, centre: [f64; 3], radius: f64) {
    let numbers = centre.into_iter().chain([radius]).map(|number| number.to_string());
    let output = Command::new(python).args(["-c", SCRIPT]).arg(path).args(numbers).output().expect("starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Smoke that rises onto a solid.
fn below(plugin: &Plugin) -> NodeBuilder {
    bare(plugin)
        .set("preroll", 20)
        .set("buoyancy", 0.6)
        .set("noise", 0.0)
        .set("emitter1Breakup", 0.0)
        .set("solidCount", 1)
        .set("solid1Centre", [0.03, 0.3, 0.0])
        .set("solid1Radius", 0.12)
}

fn of_file(plugin: &Plugin, path: &str) -> NodeBuilder {
    below(plugin).set("solid1Shape", "VDB file").set("solid1File", path)
}

/// Mean difference of alpha, over the mean alpha of `b`.
fn apart(a: &Frame, b: &Frame) -> f64 {
    let sum = a.rgba().iter().zip(b.rgba()).map(|(a, b)| f64::from(a[3] - b[3]).abs()).sum::<f64>();
    sum / total(b, 3)
}

#[test]
fn a_level_set_is_a_solid_as_the_primitive_of_its_shape() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ball.vdb");
    // The ball of the panel, in a world of half the scale.
    ball(&python, &path, [0.0; 3], 0.24);
    NODE.process(2, |plugin| {
        let shown = |node: NodeBuilder| node.create().expect("a node").frame(1.0).expect("renders");
        let (free, truth) = (shown(below(plugin).set("solid1", false)), shown(below(plugin)));
        assert!(apart(&truth, &free) > 0.1, "the solid is in the way: {}", apart(&truth, &free));
        let found = shown(of_file(plugin, text(&path)).set("solid1FileScale", 0.5));
        assert!(apart(&found, &truth) < 0.01, "{}", apart(&found, &truth));
        // The origin of the file is at the centre; up is z.
        let moved = folder.path().join("moved.vdb");
        ball(&python, &moved, [0.06, 0.0, 0.6], 0.24);
        let placed = of_file(plugin, text(&moved))
            .set("solid1FileScale", 0.5)
            .set("solid1FileUp", "Z")
            .set("solid1Centre", [0.0; 3]);
        let placed = shown(placed);
        assert!(apart(&placed, &truth) < 0.01, "{}", apart(&placed, &truth));
    });
}

#[test]
fn a_level_set_that_moves_gives_the_same_bits_in_any_order() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for frame in 1..=7 {
        let path = folder.path().join(format!("ball.{frame:03}.vdb"));
        ball(&python, &path, [0.0; 3], 0.1 + 0.01 * f64::from(frame));
    }
    let path = format!("{}/ball.###.vdb", text(folder.path()));
    let scene = |plugin: &Plugin| {
        of_file(plugin, &path).set("preroll", 0).key("solid1Centre", 1.0, [-0.1, 0.4, 0.0]).key(
            "solid1Centre",
            7.0,
            [0.1, 0.5, 0.1],
        )
    };
    NODE.check_orders(scene, &[1.0, 4.0, 6.0], [(Order::Reverse, 2), (Order::Random(7), 3)]);
    NODE.check_disk(scene, 5);
    NODE.process(2, |plugin| {
        let node = scene(plugin).create().expect("a node");
        let before = bits(&node.frame(6.0).expect("renders"));
        ball(&python, &folder.path().join("ball.003.vdb"), [0.0; 3], 0.3);
        assert!(bits(&node.frame(6.0).expect("renders")) != before, "the contents count");
    });
}

#[test]
fn a_file_that_is_no_solid_is_an_error_that_says_why() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ball.vdb");
    ball(&python, &path, [0.0; 3], 0.2);
    NODE.process(2, |plugin| {
        let why = |node: NodeBuilder| match node.create().expect("a node").frame(1.0) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        let of = |name: &str| why(of_file(plugin, text(&path)).set("solid1FileGrid", name));
        assert_eq!(of(""), "");
        let fog = of("density");
        assert!(fog.contains("ball.vdb of Solid 1 can't be used: its grid density is no level set"), "{fog}");
        assert!(fog.contains("turn the solid off"), "{fog}");
        assert!(of("smoke").contains("it has no grid smoke, but density, surface"), "{}", of("smoke"));
        fs::remove_file(&path).expect("removed");
        assert!(of("").contains("ball.vdb of Solid 1 can't be used: No such file"), "{}", of(""));
        // Without a name of a file there is no solid.
        assert_eq!(why(of_file(plugin, "")), "");
        let node = below(plugin).create().expect("a node");
        let own = ["solid1File", "solid1FileScale", "solid1FileUp", "solid1FileGrid"];
        check_greyed(&node, &["solid1Radius"], &own, "a sphere");
        node.set("solid1Shape", "VDB file").expect("set");
        check_greyed(&node, &own, &["solid1Radius", "solid1Height"], "a file");
    });
}
