//! Files of particles for other programs.

use std::path::Path;

use flow_host::Order;

use super::common::fresh::render;
use super::common::written::{check_files, check_message, files, text};
use super::{NODE, lively};

#[test]
fn files_of_frames_have_the_same_bytes_in_any_order_on_any_threads() {
    for (format, extension) in [("PLY", "ply"), ("CSV", "csv")] {
        let scene = |plugin: &_| lively(plugin).set("particleFormat", format);
        check_files(&NODE, scene, ["particleFolder", "particleName"], extension);
    }
}

#[test]
fn a_table_has_the_particles_of_the_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    NODE.process(2, |plugin| {
        let node = lively(plugin).create().expect("a node");
        node.set("particleFormat", "CSV").expect("set");
        let before = node.frame(8.0).expect("renders");
        assert!(files(folder.path()).is_empty());
        node.set("particleFolder", text(folder.path())).expect("set");
        let frame = node.frame(8.0).expect("renders");
        assert_eq!(super::simulated(&frame), 0, "files enter no key");
        assert!(super::bits(&frame) == super::bits(&before));
        let written = files(folder.path());
        let table = std::str::from_utf8(&written["particles.0008.csv"]).expect("text");
        let mut lines = table.lines();
        let header = lines.next().expect("a header");
        assert_eq!(header, "id,emitter,x,y,z,vx,vy,vz,age,life,size,red,green,blue,alpha");
        let rows: Vec<Vec<f64>> =
            lines.map(|line| line.split(',').map(|value| value.parse().expect("a number")).collect()).collect();
        assert_eq!(rows.len() as f64, frame.stat("particles").expect("counted"));
        for row in &rows {
            let [_, emitter, _, _, _, _, _, _, age, life, size, ..] = row[..] else { panic!("{row:?}") };
            assert!((1.0..=4.0).contains(&emitter) && age >= 0.0 && age <= life && size > 0.0, "{row:?}");
        }
        // The size that is drawn is the one in the file.
        node.set("emitter1Size", 12.0).expect("set");
        node.frame(8.0).expect("renders");
        assert!(files(folder.path()) != written, "a new render replaces the file");
    });
}

#[test]
fn a_bake_writes_the_files_of_renders() {
    let [folder, cache] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [rendered, baked] = ["rendered", "baked"].map(|name| folder.path().join(name));
    NODE.process(2, |plugin| {
        let scene = |path: &Path| {
            let project = flow_host::Project::new(96, 64).frames(1.0, 6.0);
            lively(plugin).project(project).set("particleFolder", text(path)).create().expect("a node")
        };
        let node = scene(&rendered);
        render(&node, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], Order::Forward);
        let node = scene(&baked);
        node.set("cacheFolder", text(cache.path())).expect("set");
        node.push("bake").expect("baked");
    });
    let truth = files(&rendered);
    assert_eq!(truth.len(), 6);
    assert!(files(&baked) == truth);
}

#[test]
fn a_folder_that_cannot_be_written_gives_one_message() {
    check_message(&NODE, lively, "particleFolder", "Particles can't be written into");
}
