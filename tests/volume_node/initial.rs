//! A state of the disk cache as the start.

use std::fs;
use std::path::Path;

use flow_host::{Event, Host, NodeBuilder, Profile};

use super::common::{bits, bundle_path, cached_frame, simulated};
use super::{NODE, bare, lively};

/// Frames of the shot, and the frame of its split.
const LAST: i32 = 9;
const SPLIT: i32 = 5;

fn from(node: NodeBuilder, file: &Path) -> NodeBuilder {
    node.set("initialState", file.to_str().expect("UTF-8")).set("startFrame", SPLIT).set("preroll", 4)
}

#[test]
fn a_shot_continued_from_a_stored_state_equals_the_whole_shot() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().to_str().expect("UTF-8").to_owned();
    let render = |node: NodeBuilder, frames: Vec<i32>| {
        let node = node.create().expect("a node");
        frames.into_iter().map(|frame| node.frame(f64::from(frame)).expect("renders")).collect::<Vec<_>>()
    };
    // Without an emitter that begins relative to the start frame.
    let shot = |plugin: &_| lively(plugin).set("emitter2Duration", 0);
    let whole = NODE.process(2, |plugin| render(shot(plugin).set("cacheFolder", &text[..]), (1..=LAST).collect()));
    let file = cached_frame(folder.path(), SPLIT);
    NODE.process(2, |plugin| {
        let rest = render(from(shot(plugin), &file), (SPLIT..=LAST).collect());
        assert_eq!(simulated(&rest[1]), 1, "frames before it are not simulated");
        for (rest, whole) in rest.iter().zip(&whole[SPLIT as usize - 1..]) {
            assert!(bits(rest) == bits(whole), "frame {}", whole.time);
        }
        let backwards = render(from(shot(plugin), &file), (SPLIT..=LAST).rev().collect());
        assert!(backwards.iter().rev().map(bits).eq(rest.iter().map(bits)));
    });
}

#[test]
fn a_file_of_another_box_or_kind_is_refused_with_the_way_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().to_str().expect("UTF-8").to_owned();
    NODE.process(2, |plugin| {
        bare(plugin).set("cacheFolder", &text[..]).create().expect("a node").frame(2.0).expect("renders");
    });
    let file = cached_frame(folder.path(), 1);
    let junk = folder.path().join("junk.exr");
    fs::write(&junk, b"no picture").expect("written");
    let gone = folder.path().join("gone.exr");
    for (file, cells, why) in
        [(&file, 40, "no state of FlowVolume"), (&junk, 32, "can't be used"), (&gone, 32, "gone.exr")]
    {
        let host = Host::new(Profile { threads: 1, ..Profile::generic() });
        let plugin = host.load_private(bundle_path()).and_then(|bundle| bundle.plugin(NODE.id)).expect("the node");
        let node = bare(&plugin).set("cells", cells).set("initialState", file.to_str().expect("UTF-8"));
        let node = node.create().expect("a node");
        assert!(node.frame(3.0).is_err(), "{why}");
        let text = |event: Event| if let Event::Message { text, .. } = event { Some(text) } else { None };
        let messages: Vec<_> = host.record().events().into_iter().filter_map(text).collect();
        assert!(messages.len() == 1 && messages[0].contains(why), "{messages:?}");
        assert!(messages[0].contains("Initial state"), "{messages:?}");
    }
}
