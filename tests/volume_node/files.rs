//! Files of volumes for other programs.

use flow_host::{Plugin, Project, RectD, Request, Source};

use super::common::written::{check_files, check_message, files, text};
use super::common::{bits, picture, simulated, total};
use super::{NODE, SIZE, bare, finer, lively};

#[test]
fn files_of_frames_have_the_same_bytes_in_any_order_on_any_threads() {
    check_files(&NODE, finer, ["vdbFolder", "vdbName"], "vdb");
    let scene = |plugin: &Plugin| lively(plugin).set("deepSamples", 8);
    check_files(&NODE, scene, ["deepFolder", "deepName"], "exr");
}

#[test]
fn files_are_those_of_beauty_whichever_output_is_shown() {
    NODE.process(2, |plugin| {
        let folder = tempfile::tempdir().expect("a folder");
        let scene = lively(plugin).set("deepFolder", text(folder.path())).set("fineDetail", 0.7);
        let node = scene.set("catcher", "Floor").create().expect("a node");
        let written = |output: &str| {
            node.set("output", output).expect("set");
            node.frame(6.0).expect("renders");
            files(folder.path()).remove("deep.0006.exr").expect("a file")
        };
        let beauty = written("Beauty");
        for output in ["Alpha", "Depth", "Light 1", "Ambient", "Shadow catcher", "Slice"] {
            assert!(written(output) == beauty, "{output}");
        }
    });
}

#[test]
fn a_proxy_leaves_the_files_of_the_final_render() {
    NODE.process(2, |plugin| {
        let folder = tempfile::tempdir().expect("a folder");
        let node = lively(plugin).set("deepFolder", text(folder.path())).create().expect("a node");
        node.frame(6.0).expect("renders");
        let before = files(folder.path());
        node.render(&Request::at(6.0).scale(0.5, 0.5)).expect("renders");
        node.render(&Request::at(5.0).scale(0.5, 0.5)).expect("renders");
        assert!(!before.is_empty() && files(folder.path()) == before);
    });
}

#[test]
fn a_bake_writes_the_deep_files_of_renders_also_with_wide_pixels() {
    let [folder, cache] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [rendered, baked] = ["rendered", "baked"].map(|name| folder.path().join(name));
    NODE.process(2, |plugin| {
        let scene = |path: &std::path::Path| {
            let project = Project { par: 2.0, ..Project::new(SIZE[0] as u32 / 2, SIZE[1] as u32).frames(1.0, 3.0) };
            lively(plugin).project(project).set("deepFolder", text(path)).create().expect("a node")
        };
        let node = scene(&rendered);
        for frame in [1.0, 2.0, 3.0] {
            node.frame(frame).expect("renders");
        }
        let node = scene(&baked);
        node.set("cacheFolder", text(cache.path())).expect("set");
        node.push("bake").expect("baked");
    });
    let truth = files(&rendered);
    assert_eq!(truth.len(), 3);
    assert!(files(&baked) == truth);
}

#[test]
fn the_environment_is_asked_for_where_a_file_needs_it() {
    NODE.process(1, |plugin| {
        let folder = tempfile::tempdir().expect("a folder");
        let sky = Source::still(picture(16, 8, |_, _| [0.2, 0.3, 0.5, 1.0]));
        let node = lively(plugin).clip("Environment", sky).set("output", "Depth").create().expect("a node");
        let wanted = RectD { x1: 0.0, y1: 0.0, x2: 20.0, y2: 20.0 };
        let width = || {
            let asked = node.regions_of_interest(6.0, (1.0, 1.0), wanted).expect("is declared");
            asked.into_iter().find(|(name, _)| name == "Environment").map_or(-1.0, |(_, region)| region.x2 - region.x1)
        };
        assert_eq!(width(), 0.0, "Depth has no light");
        node.set("deepFolder", text(folder.path())).expect("set");
        assert!(width() > 0.0);
    });
}

#[test]
fn a_folder_that_cannot_be_written_gives_one_message() {
    check_message(&NODE, bare, "vdbFolder", "VDB files can't be written into");
    check_message(&NODE, bare, "deepFolder", "Deep files can't be written into");
}

/// Where a file has a text.
fn find(bytes: &[u8], text: &str) -> Option<usize> {
    bytes.windows(text.len()).position(|window| window == text.as_bytes())
}

/// The translation of the first grid of a VDB file and the size of its voxels.
fn transform(bytes: &[u8]) -> [f64; 4] {
    let at = find(bytes, "AffineMap").expect("a transform") + 9;
    [12, 13, 14, 0].map(|which| f64::from_le_bytes(bytes[at + 8 * which..][..8].try_into().expect("eight bytes")))
}

#[test]
fn a_vdb_file_has_the_chosen_grids_where_the_camera_sees_them() {
    let folder = tempfile::tempdir().expect("a folder");
    NODE.process(2, |plugin| {
        let node = lively(plugin).create().expect("a node");
        let before = node.frame(6.0).expect("renders");
        node.set("vdbFolder", text(folder.path())).expect("set");
        let written = || {
            let frame = node.frame(6.0).expect("renders");
            assert_eq!(simulated(&frame), 0, "files enter no key");
            assert!(bits(&frame) == bits(&before));
            files(folder.path()).remove("volume.0006.vdb").expect("a file")
        };
        let all = written();
        for (grid, kind) in [("density", "float"), ("temperature", "float"), ("flame", "float"), ("velocity", "vec3s")]
        {
            let head = [&(grid.len() as u32).to_le_bytes(), grid.as_bytes()].concat();
            let at = all.windows(head.len()).position(|window| window == head).expect(grid);
            let kind = format!("Tree_{kind}_5_4_3_HalfFloat");
            assert_eq!(find(&all[at..], &kind), Some(head.len() + 4), "{grid}");
        }
        assert!(find(&all, "fuel").is_none());
        // The box is as high as the frame and stands in its middle; its cells are cubes of 1/32 of the width.
        let [x, y, z, size] = transform(&all);
        let height = f64::from(SIZE[1]);
        let tall = height / size;
        assert!((tall - tall.round()).abs() < 1e-9 && tall <= 32.0, "{tall} cells");
        assert!((y - size / 2.0).abs() < 1e-9, "the floor is at the lower edge: {y}");
        assert!(x > 0.0 && z < 0.0);
        node.set("boxCentre", [f64::from(SIZE[0]) / 2.0 + 10.0, height / 2.0]).expect("set");
        let frame = node.frame(6.0).expect("renders");
        assert_eq!(simulated(&frame), 0);
        let moved = transform(&files(folder.path())["volume.0006.vdb"]);
        assert!((moved[0] - x - 10.0).abs() < 1e-9 && moved[1..] == [y, z, size], "{moved:?}");
        node.set("boxCentre", [f64::from(SIZE[0]) / 2.0, height / 2.0]).expect("set");
        node.set("fileUnits", "Scene of the camera").expect("set");
        let [width, scene] = [f64::from(SIZE[0]), transform(&written())[3]];
        assert!((scene * width - size).abs() < 1e-9, "the width of the frame is 1");
        node.set("fileUnits", "Pixels").expect("set");
        node.set("vdbFuel", true).expect("set");
        node.set("vdbVelocity", false).expect("set");
        node.set("vdbPrecision", "Float").expect("set");
        let some = written();
        assert!(find(&some, "fuel").is_some() && find(&some, "vec3s").is_none() && find(&some, "Half").is_none());
    });
}

#[test]
fn a_deep_file_has_the_volume_without_depth_and_holdout() {
    NODE.process(2, |plugin| {
        let written = |masked: bool| {
            let folder = tempfile::tempdir().expect("a folder");
            let wall = || Source::still(picture(SIZE[0], SIZE[1], |_, _| [1.0, 0.0, 0.0, 1.0]));
            let mut scene = lively(plugin).set("deepFolder", text(folder.path()));
            if masked {
                scene = scene.clip("Depth", wall()).clip("Holdout", wall());
            }
            let frame = scene.create().expect("a node").frame(6.0).expect("renders");
            (files(folder.path()).remove("deep.0006.exr").expect("a file"), total(&frame, 3))
        };
        let (free, behind) = (written(false), written(true));
        assert!(free.1 > 10.0 && behind.1 == 0.0);
        assert!(free.0 == behind.0);
        let window = find(&free.0, "dataWindow").expect("a window") + "dataWindow\0box2i\0".len() + 4;
        let sides = [8, 12].map(|at| i32::from_le_bytes(free.0[window + at..][..4].try_into().expect("four")) + 1);
        assert_eq!(sides, SIZE);
    });
}
