//! Files of particles for other programs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use flow_host::{Event, Host, Order, Plugin, Profile};

use super::common::fresh::render;
use super::common::info;
use super::{NODE, lively};

/// Names and contents of all files in a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| (entry.file_name().into_string().expect("UTF-8"), fs::read(entry.path()).expect("readable")))
        .collect()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn files_of_frames_have_the_same_bytes_in_any_order_on_any_threads() {
    let frames: Vec<f64> = (3..=9).map(f64::from).chain([4.5]).collect();
    let run = |threads: usize, order: Order, format: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new");
        NODE.process(threads, |plugin: &Plugin| {
            let scene = lively(plugin).set("particleFolder", text(&path)).set("particleFormat", format);
            let node = scene.set("particleName", "shot 10").create().expect("a node");
            render(&node, &frames, order);
        });
        files(&path)
    };
    for (format, extension) in [("PLY", "ply"), ("CSV", "csv")] {
        let truth = run(1, Order::Forward, format);
        let names: Vec<&String> = truth.keys().collect();
        let expected: Vec<String> = (3..=9).map(|frame| format!("shot 10.{frame:04}.{extension}")).collect();
        assert_eq!(names, expected.iter().collect::<Vec<_>>(), "whole frames, and no temporary file");
        assert!(truth.values().all(|bytes| bytes.len() > 1000));
        assert!(run(3, Order::Reverse, format) == truth && run(2, Order::Random(5), format) == truth, "{format}");
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
            assert!((1.0..=3.0).contains(&emitter) && age >= 0.0 && age <= life && size > 0.0, "{row:?}");
        }
        // The size that is drawn is the one in the file.
        node.set("emitter1Size", 12.0).expect("set");
        node.frame(8.0).expect("renders");
        assert!(files(folder.path()) != written, "a new render replaces the file");
    });
}

#[test]
fn a_folder_that_cannot_be_written_gives_one_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "in the way").expect("written");
    for path in [file.clone(), folder.path().join("missing").join("deep")] {
        let host = Host::new(Profile { threads: 2, ..Profile::generic() });
        let plugin = host.load_private((NODE.library)()).and_then(|bundle| bundle.plugin(NODE.id));
        let node = lively(&plugin.expect("the bundle has the node")).create().expect("a node");
        let truth = [4.0, 5.0, 6.0].map(|time| super::bits(&node.frame(time).expect("renders")));
        node.set("particleFolder", text(&path)).expect("set");
        let shown = [4.0, 5.0, 6.0].map(|time| super::bits(&node.frame(time).expect("renders")));
        assert!(shown == truth, "the picture does not depend on the files");
        let text = |event: Event| if let Event::Message { text, .. } = event { Some(text) } else { None };
        let messages: Vec<String> = host.record().events().into_iter().filter_map(text).collect();
        let told = messages.iter().filter(|text| text.contains("Particles can't be written into")).count();
        assert_eq!(told, 1, "{messages:?}");
        assert!(info(&node).contains("Particles can't be written into"), "{}", info(&node));
    }
    assert_eq!(files(folder.path()).len(), 1, "no temporary file is left");
}
