//! The disk cache: the next process, edited nodes and other nodes reuse states, and never wrong ones.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use common::{bits, matte, private_flow, simulated, terrain};
use flow_host::{
    Context, Event, Frame, Host, Node, NodeBuilder, Order, Plugin, Profile, Project, Request, Source, Value,
};

const SIZE: [i32; 2] = [48, 32];

type Bits = Vec<[u32; 4]>;

/// A shot with colour, ground, rain and a moving source, and keys at 20 and 40.
fn shot(plugin: &Plugin, folder: Option<&Path>) -> NodeBuilder {
    let node = plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(SIZE[0] as u32, SIZE[1] as u32))
        .clip("Source", matte(SIZE[0], SIZE[1]))
        .clip("Terrain", Source::still(terrain(SIZE[0], SIZE[1])))
        .set("sourceMode", "Add")
        .set("emitter", "On")
        .set("emitterRadius", 6.0)
        .set("rainMode", "Mean height")
        .set("rain", 0.002)
        .set("edges", "Open")
        .key("speed", 20.0, Value::from(2.0))
        .key("speed", 40.0, Value::from(3.0));
    match folder {
        Some(folder) => node.set("cacheFolder", folder.to_str().expect("a name in UTF-8")).set("cacheName", "shot"),
        None => node,
    }
}

fn render(node: &Node, frames: impl IntoIterator<Item = i32>) -> Vec<Frame> {
    let times: Vec<f64> = frames.into_iter().map(f64::from).collect();
    node.collect_frames(&times, Order::Forward, 1, &Request::at(0.0)).expect("renders")
}

fn all_bits(frames: &[Frame]) -> Vec<Bits> {
    frames.iter().map(bits).collect()
}

fn counts(frames: &[Frame]) -> Vec<u64> {
    frames.iter().map(simulated).collect()
}

fn from(frame: &Frame) -> &str {
    frame.stats.get("from").and_then(|from| from.as_str()).expect("the plug-in says where it came from")
}

/// The messages that the host received.
fn messages(host: &Host) -> Vec<String> {
    let text = |event: Event| if let Event::Message { text, .. } = event { Some(text) } else { None };
    host.record().events().into_iter().filter_map(text).collect()
}

/// Renders in a private copy of the library, as a new process would, and waits for pending writes.
fn process<T>(work: impl FnOnce(&Plugin) -> T) -> T {
    let (_host, plugin) = private_flow(Profile::generic());
    work(&plugin)
}

fn truth(frames: impl IntoIterator<Item = i32>) -> Vec<Bits> {
    process(|plugin| all_bits(&render(&shot(plugin, None).create().expect("a node"), frames)))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("shot")).expect("the shot has a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "exr"));
    files.sort();
    files
}

#[test]
fn a_new_process_loads_stored_frames_instead_of_simulating() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = process(|plugin| {
        let node = shot(plugin, Some(folder.path())).create().expect("a node");
        let made = render(&node, 1..=60);
        assert_eq!(counts(&made), [1; 60]);
        all_bits(&made)
    });
    assert!(made == truth(1..=60), "the disk changes nothing");
    assert_eq!(files(folder.path()).len(), 60);
    process(|plugin| {
        let node = shot(plugin, Some(folder.path())).create().expect("a node");
        let order = [60, 1, 33, 59, 2, 60];
        let again = order.map(|frame| node.frame(f64::from(frame)).expect("renders"));
        assert_eq!(counts(&again), [0; 6]);
        assert_eq!(again.iter().map(from).collect::<Vec<_>>(), ["disk", "disk", "disk", "disk", "disk", "memory"]);
        for (frame, again) in order.into_iter().zip(&again) {
            assert!(bits(again) == made[frame as usize - 1], "frame {frame}");
        }
        let on = render(&node, 61..=70);
        assert_eq!(counts(&on), [1; 10]);
        assert!(all_bits(&on) == truth(61..=70), "what is simulated from a file goes on with the same bits");
    });
}

#[test]
fn an_edit_keeps_earlier_files_and_undo_finds_later_files_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let before =
        process(|plugin| all_bits(&render(&shot(plugin, Some(folder.path())).create().expect("a node"), 1..=50)));
    let edited = |plugin: &Plugin| {
        let node = shot(plugin, Some(folder.path())).create().expect("a node");
        node.set_key("speed", 40.0, Value::from(6.0)).expect("edits");
        node
    };
    process(|plugin| {
        let node = edited(plugin);
        let kept = render(&node, 1..=20);
        assert_eq!(counts(&kept), [0; 20], "frames up to 20 come from disk");
        assert!(all_bits(&kept) == before[..20]);
        let changed = render(&node, 21..=50);
        assert_eq!(counts(&changed), [1; 30]);
        assert!(changed.iter().zip(&before[20..]).all(|(new, old)| bits(new) != *old), "the edit shows");
    });
    process(|plugin| {
        let node = edited(plugin);
        assert_eq!(counts(&render(&node, [50])), [0], "the edited frames are on disk, too");
        assert!(node.undo().expect("undoes"));
        let undone = render(&node, 1..=50);
        assert_eq!(counts(&undone), [0; 50], "and so are the old ones");
        assert!(all_bits(&undone) == before);
    });
}

#[test]
fn simulation_continues_from_every_nth_stored_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    let build = |plugin: &Plugin| shot(plugin, Some(folder.path())).set("cacheEvery", 8).create().expect("a node");
    let made = process(|plugin| all_bits(&render(&build(plugin), 1..=30)));
    let kept: Vec<String> = files(folder.path())
        .iter()
        .map(|file| file.file_name().expect("named").to_string_lossy().into_owned())
        .collect();
    let frames: Vec<&str> = kept.iter().map(|name| name.rsplit('.').nth(1).expect("a frame")).collect();
    assert_eq!(frames, ["0001", "0009", "0017", "0025"]);
    process(|plugin| {
        let node = build(plugin);
        let again = [30, 9, 16].map(|frame| node.frame(f64::from(frame)).expect("renders"));
        assert_eq!(counts(&again), [5, 0, 7]);
        assert!(again.iter().zip([30, 9, 16]).all(|(again, frame)| bits(again) == made[frame - 1]));
    });
}

#[test]
fn read_only_and_off_write_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    for mode in ["Read only", "Off"] {
        process(|plugin| {
            let node = shot(plugin, Some(folder.path())).set("cacheMode", mode).create().expect("a node");
            render(&node, 1..=5);
        });
        assert!(!folder.path().join("shot").exists(), "{mode}");
    }
    process(|plugin| render(&shot(plugin, Some(folder.path())).create().expect("a node"), 1..=5));
    process(|plugin| {
        let node = |mode: &str| shot(plugin, Some(folder.path())).set("cacheMode", mode).create().expect("a node");
        let off = render(&node("Off"), [5]);
        assert_eq!(counts(&off), [5], "off reads nothing");
    });
    process(|plugin| {
        let node = shot(plugin, Some(folder.path())).set("cacheMode", "Read only").create().expect("a node");
        assert_eq!(counts(&render(&node, [5, 7])), [0, 2]);
    });
    assert_eq!(files(folder.path()).len(), 5);
}

#[test]
fn a_shot_continued_from_a_stored_state_equals_the_whole_shot() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = process(|plugin| {
        let node = shot(plugin, Some(folder.path())).set("cacheEvery", 29).create().expect("a node");
        all_bits(&render(&node, 1..=45))
    });
    let state = files(folder.path()).into_iter().find(|file| file.to_string_lossy().contains(".0030.")).expect("kept");
    process(|plugin| {
        let node = shot(plugin, None)
            .set("initialState", state.to_str().expect("UTF-8"))
            .set("startFrame", 30)
            .set("preroll", 7)
            .create()
            .expect("a node");
        let rest = render(&node, 30..=45);
        assert!(all_bits(&rest) == whole[29..], "frames 30 to 45 of two nodes are those of one");
    });
}

#[test]
fn an_unsuitable_initial_state_is_refused_with_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    process(|plugin| render(&shot(plugin, Some(folder.path())).create().expect("a node"), [1]));
    let state = files(folder.path()).remove(0);
    let state = state.to_str().expect("UTF-8");
    process(|plugin| {
        let message = |node: NodeBuilder| {
            let node = node.create().expect("a node");
            node.frame(3.0).map(|_| ()).expect_err("it does not render").to_string()
        };
        let other = shot(plugin, None).set("initialState", state).set("edges", "Wrap");
        let text = message(other);
        assert!(text.contains("Edges is Open there and Wrap here"), "{text}");
        let text = message(shot(plugin, None).set("initialState", "/nowhere/state.exr"));
        assert!(text.contains("/nowhere/state.exr can't be used"), "{text}");
        let text = message(shot(plugin, None).set("initialState", "%{FLOW_NO_SUCH_VARIABLE}/state.exr"));
        assert!(text.contains("FLOW_NO_SUCH_VARIABLE"), "{text}");
        let text = message(shot(plugin, None).set("initialState", folder.path().to_str().expect("UTF-8")));
        assert!(text.contains("it is no file"), "{text}");
        let mut damaged = fs::read(state).expect("readable");
        let at = damaged.windows(10).position(|bytes| bytes == b"flow.shape").expect("an attribute");
        damaged[at + 30] ^= 1;
        let file = folder.path().join("damaged.exr");
        fs::write(&file, &damaged).expect("writes");
        let text = message(shot(plugin, None).set("initialState", file.to_str().expect("UTF-8")));
        assert!(text.contains("damaged.exr can't be used"), "a damaged state is no picture to start from: {text}");
        // A state on another grid is valid: its layers are resampled to the frame.
        let half = shot(plugin, None).set("initialState", state).set("resolution", 50.0).create().expect("a node");
        half.frame(3.0).expect("renders");
    });
}

#[test]
fn bake_simulates_the_timeline_and_clear_removes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = Project::new(SIZE[0] as u32, SIZE[1] as u32).frames(1.0, 25.0);
    let (host, plugin) = private_flow(Profile::generic());
    let node = shot(&plugin, Some(folder.path())).project(project).create().expect("a node");
    node.cancel_at(Some(0.4));
    node.push("bake").expect("is pushed");
    for _ in 0..500 {
        if files(folder.path()).len() >= 10 {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(files(folder.path()).len(), 10, "it stops where the user says so, and what is done stays");
    assert!(messages(&host).last().expect("a message").contains("stopped"), "{:?}", messages(&host));
    node.cancel_at(None);
    node.push("bake").expect("is pushed");
    assert_eq!(files(folder.path()).len(), 25);
    let text = messages(&host).pop().expect("a message");
    assert!(text.contains("frames 1 to 25") && text.contains("15 simulated"), "{text}");
    let progress = |event: &Event| matches!(event, Event::Progress { progress, .. } if *progress == 1.0);
    assert!(host.record().events().iter().any(progress), "it tells how far it is");
    process(|plugin| {
        let node = shot(plugin, Some(folder.path())).create().expect("a node");
        let frames = render(&node, 1..=25);
        assert_eq!(counts(&frames), [0; 25]);
        assert!(all_bits(&frames) == truth(1..=25));
    });
    let foreign = folder.path().join("shot/notes.txt");
    fs::write(&foreign, "not ours").expect("writes");
    node.push("clearDisk").expect("is pushed");
    assert_eq!(files(folder.path()), [""; 0].map(PathBuf::from));
    assert!(foreign.exists(), "foreign files stay");
    let text = messages(&host).pop().expect("a message");
    assert!(text.contains("Removed 25 frames"), "{text}");
    assert_eq!(counts(&render(&node, 1..=25)), [0; 25], "memory is kept");
}

#[test]
fn the_message_of_a_bake_without_a_folder_names_the_remedy() {
    let (host, plugin) = private_flow(Profile::generic());
    let node = shot(&plugin, None).create().expect("a node");
    for (button, words) in [("bake", "Set Cache folder first"), ("clearDisk", "nothing to clear")] {
        drop(node.push(button));
        let text = messages(&host).pop().unwrap_or_default();
        assert!(text.contains(words), "{button}: {text}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let node = shot(&plugin, Some(folder.path())).set("cacheMode", "Read only").create().expect("a node");
    drop(node.push("bake"));
    let text = messages(&host).pop().unwrap_or_default();
    assert!(text.contains("Cache mode"), "{text}");
}

#[test]
fn folder_names_expand_variables() {
    let folder = tempfile::tempdir().expect("a folder");
    // Every process has a PATH; its text becomes a safe name.
    process(|plugin| {
        let text = folder.path().to_str().expect("UTF-8").replace('%', "%%");
        let node = shot(plugin, None).set("cacheFolder", text.as_str()).set("cacheName", "%{CARGO_PKG_NAME}-%%");
        let node = node.create().expect("a node");
        render(&node, 1..=1);
    });
    let made: Vec<String> = fs::read_dir(folder.path())
        .expect("readable")
        .map(|e| e.expect("an entry").file_name().to_string_lossy().into())
        .collect();
    assert_eq!(made, ["flow-ofx-_"], "and a folder name that every system takes");
}

#[test]
fn a_replaced_initial_state_file_is_loaded_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = |rain: f64| {
        let folder = tempfile::tempdir().expect("a folder");
        process(|plugin| {
            let node = shot(plugin, Some(folder.path()))
                .set("rainMode", "Mean height")
                .set("rain", rain)
                .create()
                .expect("a node");
            render(&node, [3]);
        });
        fs::read(files(folder.path()).pop().expect("a state")).expect("readable")
    };
    let start = folder.path().join("start.exr");
    // On a coarser grid the layers are read, not the state.
    process(|plugin| {
        let node = shot(plugin, None).set("resolution", 50.0).set("initialState", start.to_str().expect("UTF-8"));
        fs::write(&start, made(0.002)).expect("writes");
        let node = node.create().expect("a node");
        let first = render(&node, 1..=4);
        fs::write(&start, made(0.2)).expect("writes");
        let second = render(&node, 1..=4);
        assert_eq!(counts(&second), [1; 4]);
        assert!(first.iter().zip(&second).all(|(a, b)| bits(a) != bits(b)));
    });
}
