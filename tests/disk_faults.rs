//! Faults of disks and processes: every frame has the bits of a run without faults, nothing crashes, and there is
//! one message.

mod common;

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::{bits, flow, matte, private_flow, simulated};
use flow_host::{Context, Frame, Node, NodeBuilder, Plugin, Profile, Project};

const SIZE: [i32; 2] = [24, 16];
/// Size of the frames whose file is changed byte by byte.
const SMALL: [i32; 2] = [12, 8];
const LAST: i32 = 12;

type Bits = Vec<[u32; 4]>;

fn shot(plugin: &Plugin, [width, height]: [i32; 2], folder: Option<&Path>) -> NodeBuilder {
    let node = plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(width as u32, height as u32))
        .clip("Source", matte(width, height))
        .set("emitter", "On")
        .set("emitterRadius", 4.0)
        .set("rainMode", "Mean height")
        .set("rain", 0.01)
        .set("device", "CPU");
    match folder {
        Some(folder) => node.set("cacheFolder", folder.to_str().expect("UTF-8")).set("cacheName", "shot"),
        None => node,
    }
}

fn render(node: &Node, last: i32) -> Vec<Frame> {
    (1..=last).map(|frame| node.frame(f64::from(frame)).expect("renders")).collect()
}

fn truth(last: i32) -> Vec<Bits> {
    truth_of(SIZE, last)
}

fn truth_of(size: [i32; 2], last: i32) -> Vec<Bits> {
    let (_host, plugin) = private_flow(Profile::generic());
    render(&shot(&plugin, size, None).create().expect("a node"), last).iter().map(bits).collect()
}

fn messages(frames: &[Frame]) -> Vec<String> {
    frames.iter().flat_map(|frame| frame.messages.clone()).collect()
}

/// Renders a whole shot with a folder, and compares it with the reference.
fn check(folder: &Path, truth: &[Bits]) -> (u64, Vec<String>) {
    let (_host, plugin) = private_flow(Profile::generic());
    let frames = render(&shot(&plugin, SIZE, Some(folder)).create().expect("a node"), truth.len() as i32);
    for (frame, truth) in frames.iter().zip(truth) {
        assert!(bits(frame) == *truth, "frame {} is wrong", frame.time);
    }
    (frames.iter().map(simulated).sum(), messages(&frames))
}

fn states(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("shot")).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "exr"))
        .collect();
    files.sort();
    files
}

/// The variable with the folder of a child process.
const CHILD: &str = "FLOW_TEST_DISK_CHILD";

#[test]
#[ignore = "run by other tests in a process of its own"]
fn child() {
    let Some(folder) = std::env::var_os(CHILD) else { return };
    let (_host, plugin) = flow();
    let frames = render(&shot(&plugin, SIZE, Some(Path::new(&folder))).create().expect("a node"), LAST);
    messages(&frames).iter().for_each(|message| println!("message: {message}"));
    frames.iter().for_each(|frame| println!("{}", line(&bits(frame))));
}

/// A text that is equal for equal bits.
fn line(bits: &Bits) -> String {
    let mut hasher = DefaultHasher::new();
    bits.hash(&mut hasher);
    format!("pixels {:016x}", hasher.finish())
}

fn child_command(folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a running test has a path"));
    command.args(["--exact", "child", "--ignored", "--nocapture"]).env(CHILD, folder);
    command
}

#[test]
fn files_of_killed_writers_are_never_read_as_frames() {
    let folder = tempfile::tempdir().expect("a folder");
    let truth = truth(LAST);
    let mut dice = 0x2545_f491_4f6c_dd1d_u64;
    let (mut between, mut found) = (0, 0);
    for kill in 1..=200 {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        let mut child = child_command(folder.path());
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a process");
        // Killed at any moment from the first write to the end.
        while states(folder.path()).is_empty() && child.try_wait().expect("there").is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(dice % 20_000));
        child.kill().expect("kills");
        child.wait().expect("ends");
        let left = states(folder.path()).len();
        between += usize::from(left > 0 && left < LAST as usize);
        if kill % 20 == 0 {
            let (simulated, shown) = check(folder.path(), &truth);
            assert_eq!(shown, [""; 0], "what a killed process leaves is no news");
            found += LAST as u64 - simulated;
        }
        // Every state is written again, among the leftovers of killed processes.
        states(folder.path()).iter().for_each(|file| fs::remove_file(file).expect("removes"));
    }
    assert!(between >= 50, "{between} of 200 processes were killed between their first and their last file");
    assert!(found >= 10, "{found} frames of killed processes were used");
    check(folder.path(), &truth);
    assert_eq!(check(folder.path(), &truth).0, 0, "in the end everything is there");
}

/// Renders frame 3 after each change of its file, with purged memory, and compares it with the reference.
fn after_each(changes: impl Fn(&[u8]) -> Vec<Vec<u8>>) {
    let folder = tempfile::tempdir().expect("a folder");
    let truth = truth_of(SMALL, 3);
    let (_host, plugin) = private_flow(Profile::generic());
    drop(render(&shot(&plugin, SMALL, Some(folder.path())).create().expect("a node"), 3));
    drop((_host, plugin));
    let (_host, plugin) = private_flow(Profile::generic());
    let node = shot(&plugin, SMALL, Some(folder.path())).set("cacheMode", "Read only").create().expect("a node");
    let file = states(folder.path()).pop().expect("frame 3 is there");
    let whole = fs::read(&file).expect("readable");
    let (mut refused, mut used, mut reported) = (0, 0, 0);
    for changed in changes(&whole) {
        // A new file each time, since the clock may not tell the changes apart.
        fs::remove_file(&file).expect("removes");
        fs::write(&file, &changed).expect("writes");
        node.purge().expect("purges");
        let frame = node.frame(3.0).expect("renders");
        assert!(bits(&frame) == truth[2], "the frame is wrong");
        assert!(frame.messages.len() <= 1, "{:?}", frame.messages);
        match simulated(&frame) {
            0 => used += 1,
            _ => refused += 1,
        }
        if let Some(message) = frame.messages.first() {
            reported += 1;
            assert!(message.contains(file.to_str().expect("UTF-8")), "{message}");
        }
    }
    // A changed key names another state: such a file is skipped without a message.
    assert!(reported * 10 >= refused * 9, "{reported} of {refused} refusals were reported");
    // The layers for other programs are not read; the parts that are read are at least a sixth of the file.
    assert!(refused * 5 > used, "{refused} refused, {used} used");
}

#[test]
fn a_changed_byte_anywhere_changes_no_picture() {
    after_each(|whole| {
        let flip = |at: usize| {
            let mut changed = whole.to_vec();
            changed[at] ^= 0xff;
            changed
        };
        (0..whole.len()).map(flip).collect()
    });
}

#[test]
fn a_file_cut_anywhere_changes_no_picture() {
    after_each(|whole| (0..whole.len()).map(|length| whole[..length].to_vec()).collect());
}

#[test]
fn a_full_disk_is_reported_once_and_rendering_continues() {
    let folder = tempfile::tempdir().expect("a folder");
    // A file size limit stops a write in the middle as a full disk does, for every user.
    let program = std::env::current_exe().expect("a running test has a path");
    let script = "trap '' XFSZ; ulimit -f 4; exec \"$0\" --exact child --ignored --nocapture";
    let output = Command::new("sh").args(["-c", script]).arg(program).env(CHILD, folder.path()).output().expect("runs");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let shown: Vec<&str> = stdout.lines().filter(|line| line.starts_with("pixels ")).collect();
    assert!(
        shown == truth(LAST).iter().map(line).collect::<Vec<_>>(),
        "{stdout}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let messages: Vec<&str> = stdout.lines().filter_map(|line| line.strip_prefix("message: ")).collect();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("Rendering goes on from memory"), "{}", messages[0]);
    assert_eq!(states(folder.path()), [""; 0].map(PathBuf::from), "no half file has a state's name");
    let left: Vec<_> = fs::read_dir(folder.path().join("shot")).expect("readable").collect();
    let temporary = |name: String| name.contains(".exr");
    let left = left.into_iter().map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned());
    assert_eq!(left.filter(|name| temporary(name.clone())).collect::<Vec<_>>(), [""; 0], "nothing is left behind");
}

#[test]
fn a_folder_removed_during_a_render_loses_only_its_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let truth = truth(60);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                drop(fs::remove_dir_all(folder.path().join("shot")));
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        let (simulated, shown) = check(folder.path(), &truth);
        done.store(true, Ordering::Relaxed);
        assert!(simulated >= 60);
        assert!(shown.len() <= 1, "{shown:?}");
    });
}

#[test]
fn an_impossible_folder_is_reported_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "in the way").expect("writes");
    let truth = truth(LAST);
    for (folder, words) in [(file.clone(), "it is a file"), (folder.path().join("no/such"), "can't be used")] {
        let (simulated, shown) = check(&folder, &truth);
        assert_eq!(simulated, LAST as u64);
        assert_eq!(shown.len(), 1, "{shown:?}");
        assert!(shown[0].contains(words) && shown[0].contains(folder.to_str().expect("UTF-8")), "{shown:?}");
    }
    let shot_is_a_file = tempfile::tempdir().expect("a folder");
    fs::write(shot_is_a_file.path().join("shot"), "in the way").expect("writes");
    let (_, shown) = check(shot_is_a_file.path(), &truth);
    assert_eq!(shown.len(), 1, "{shown:?}");
    fs::remove_file(shot_is_a_file.path().join("shot")).expect("still there");
}

#[test]
fn the_message_of_an_unwritable_folder_names_no_temporary_file() {
    let folder = tempfile::tempdir().expect("a folder");
    // No user can create files there, root included.
    std::os::unix::fs::symlink("/sys/kernel/mm", folder.path().join("shot")).expect("links");
    let (simulated, shown) = check(folder.path(), &truth(LAST));
    assert_eq!(simulated, LAST as u64);
    assert_eq!(shown.len(), 1, "{shown:?}");
    for words in [folder.path().to_str().expect("UTF-8"), "Ask for permission to write there"] {
        assert!(shown[0].contains(words), "{shown:?}");
    }
    assert!(!shown[0].contains("/.flow."), "{shown:?}");
}
