//! Deep pictures of smoke, as FlowVolume writes them, before and around the particles.

use std::path::Path;

use flow_host::{Host, NodeBuilder, Plugin, Profile, Project};

use crate::common::{bundle_path, info};
use crate::{NODE, SIZE, bare};

/// The frame that is rendered.
const FRAME: f64 = 6.0;

fn project() -> Project {
    Project::new(SIZE[0] as u32, SIZE[1] as u32).frames(1.0, 2000.0)
}

/// Renders a frame of smoke with its deep picture into a folder, and returns its alpha.
fn smoke(folder: &Path) -> Vec<f32> {
    let host = Host::new(Profile { threads: 2, ..Profile::generic() });
    let plugin = host.load_private(bundle_path()).and_then(|bundle| bundle.plugin("org.flowofx.FlowVolume"));
    let node = plugin
        .expect("the bundle has the node")
        .node(flow_host::Context::General)
        .project(project())
        .set("cells", 32)
        .set("preroll", 20)
        .set("device", "CPU")
        .set("deepFolder", folder.to_str().expect("UTF-8"))
        .set("deepName", "smoke");
    let frame = node.create().expect("a node").frame(FRAME).expect("renders");
    frame.rgba().iter().map(|pixel| pixel[3]).collect()
}

/// A wall of large discs that cover, at a depth.
fn wall(plugin: &Plugin, depth: f64) -> NodeBuilder {
    bare(plugin)
        .set("emitter1Shape", "Box")
        .set("emitter1Centre", [48.0, 32.0])
        .set("emitter1Radius", 90.0)
        .set("emitter1Height", 130.0)
        .set("emitter1Rate", 400.0)
        .set("emitter1Speed", 0.0)
        .set("noise", 0.0)
        .set("noiseFine", 0.0)
        .set("emitter1Sprite", "Disc")
        .set("emitter1Size", 20.0)
        .set("emitter1Cover", 1.0)
        .set("emitter1Opacity", 1.0)
        .set("emitter1Depth", depth)
}

#[test]
fn smoke_hides_what_is_behind_it_and_lights_what_is_in_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let alpha = smoke(folder.path());
    let most = alpha.iter().copied().fold(0.0, f32::max);
    assert!(most > 0.5, "{most}");
    let file = folder.path().join("smoke.####.exr").to_str().expect("UTF-8").to_owned();
    NODE.process(2, |plugin| {
        let pixels = |node: NodeBuilder| node.create().expect("a node").frame(FRAME).expect("renders").rgba();
        let with = |node: NodeBuilder| node.set("smokeFile", file.as_str());
        let (behind, hidden) = (pixels(wall(plugin, -100.0)), pixels(with(wall(plugin, -100.0))));
        assert!(alpha.iter().zip(&behind).any(|(alpha, behind)| *alpha > 0.5 && behind[0] > 0.5));
        for (at, (behind, hidden)) in behind.iter().zip(&hidden).enumerate() {
            let truth = behind[0] * (1.0 - alpha[at]);
            assert!((hidden[0] - truth).abs() < 0.02 * behind[0].max(1.0), "pixel {at}: {} {truth}", hidden[0]);
        }
        let (front, same) = (pixels(wall(plugin, 60.0)), pixels(with(wall(plugin, 60.0))));
        assert!(front == same, "smoke behind the wall hides nothing of it");
        let middle = pixels(with(wall(plugin, 0.0)));
        let plain = pixels(wall(plugin, 0.0));
        let sum = |pixels: &[[f32; 4]]| pixels.iter().map(|pixel| f64::from(pixel[0])).sum::<f64>();
        let lost = |seen: &[[f32; 4]], of: &[[f32; 4]]| 1.0 - sum(seen) / sum(of);
        let (all, half) = (lost(&hidden, &behind), lost(&middle, &plain));
        assert!(half > 0.2 * all && half < 0.8 * all, "{half} of {all}");
        let lit = pixels(with(wall(plugin, 0.0)).set("smokeLight", 1.0));
        let thick = (0..alpha.len()).max_by(|a, b| alpha[*a].total_cmp(&alpha[*b])).expect("pixels");
        assert!(lit[thick][0] != middle[thick][0] && lit[0] == middle[0], "{:?} {:?}", lit[thick], middle[thick]);
    });
}

#[test]
fn a_file_that_is_missing_or_no_deep_picture_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    NODE.process(1, |plugin| {
        let with = |file: &str, missing: &str| {
            bare(plugin).set("smokeFile", file).set("missingFrames", missing).create().expect("a node")
        };
        for file in ["none.exr", "none.####.exr"] {
            let error = with(&path(file), "Fail").frame(2.0).expect_err("no file").to_string();
            assert!(error.contains("Deep smoke") && error.contains("Choose another file, or none."), "{error}");
        }
        let node = with(&path("none.####.exr"), "Transparent");
        node.frame(2.0).expect("renders");
        assert!(info(&node).contains("is missing at some frames, which show no smoke"), "{}", info(&node));
        std::fs::write(path("flat.exr"), b"no picture").expect("writes");
        let error = with(&path("flat.exr"), "Transparent").frame(2.0).expect_err("no picture").to_string();
        assert!(error.contains("it is no OpenEXR file"), "{error}");
    });
}
