//! Files that nodes write for other programs, one per frame.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use flow_host::{Event, Host, NodeBuilder, Order, Plugin, Profile};

use super::fresh::{Subject, render};
use super::{bits, info};

/// Names and contents of all files in a folder.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| (entry.file_name().into_string().expect("UTF-8"), fs::read(entry.path()).expect("readable")))
        .collect()
}

/// A path as the value of a parameter.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The files of frames 3 to 9 and of a frame between, which are equal in any order on any number of threads. `folder` and
/// `name` are parameters; names of files end in `extension`.
pub fn check_files(
    node: &Subject,
    scene: impl Fn(&Plugin) -> NodeBuilder,
    [folder, name]: [&str; 2],
    extension: &str,
) -> BTreeMap<String, Vec<u8>> {
    let frames: Vec<f64> = (3..=9).map(f64::from).chain([4.5]).collect();
    let run = |threads: usize, order: Order| {
        let parent = tempfile::tempdir().expect("a folder");
        let path = parent.path().join("new");
        node.process(threads, |plugin: &Plugin| {
            let scene = scene(plugin).set(folder, text(&path)).set(name, "shot 10");
            render(&scene.create().expect("a node"), &frames, order);
        });
        files(&path)
    };
    let truth = run(1, Order::Forward);
    let names: Vec<&String> = truth.keys().collect();
    let expected: Vec<String> = (3..=9).map(|frame| format!("shot 10.{frame:04}.{extension}")).collect();
    assert_eq!(names, expected.iter().collect::<Vec<_>>(), "whole frames, and no temporary file");
    assert!(truth.values().all(|bytes| bytes.len() > 1000));
    assert!(run(3, Order::Reverse) == truth && run(2, Order::Random(5)) == truth, "{extension}");
    truth
}

/// Checks that a folder that cannot be written to gives one message with `words`, and no other picture.
pub fn check_message(node: &Subject, scene: impl Fn(&Plugin) -> NodeBuilder, parameter: &str, words: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "in the way").expect("written");
    for path in [file.clone(), folder.path().join("missing").join("deep")] {
        let host = Host::new(Profile { threads: 2, ..Profile::generic() });
        let plugin = host.load_private((node.library)()).and_then(|bundle| bundle.plugin(node.id));
        let node = scene(&plugin.expect("the bundle has the node")).create().expect("a node");
        let truth = [4.0, 5.0, 6.0].map(|time| bits(&node.frame(time).expect("renders")));
        node.set(parameter, text(&path)).expect("set");
        let shown = [4.0, 5.0, 6.0].map(|time| bits(&node.frame(time).expect("renders")));
        assert!(shown == truth, "the picture does not depend on the files");
        let text = |event: Event| if let Event::Message { text, .. } = event { Some(text) } else { None };
        let messages: Vec<String> = host.record().events().into_iter().filter_map(text).collect();
        let told = messages.iter().filter(|text| text.contains(words)).count();
        assert_eq!(told, 1, "{messages:?}");
        assert!(info(&node).contains(words), "{}", info(&node));
    }
    assert_eq!(files(folder.path()).len(), 1, "no temporary file is left");
}
