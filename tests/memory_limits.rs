//! A frame that does not fit in the memory of the process ends in one message that says so; states
//! in memory stay, and smaller frames render. Never a crash. Each case runs in its own process, under a real limit.

mod common;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::process::{Command, Output};

use common::{FLOW, bits, bundle_path, simulated};
use flow_host::{Context, Event, Host, Node, Plugin, Profile, Project};

/// The child's node: its identifier, columns and rows.
const CHILD: &str = "FLOW_TEST_MEMORY_CHILD";
const SMOKE: &str = "org.flowofx.FlowSmoke";
const NODES: [&str; 2] = [FLOW, SMOKE];
const SMALL: u32 = 64;
/// Frames of the small shot that are rendered before the large one.
const LAST: i32 = 3;

fn node(plugin: &Plugin, size: u32) -> Node {
    let [source, radius] = if plugin.id() == FLOW { ["emitter", "emitterRadius"] } else { ["jet1", "jet1Radius"] };
    let node = plugin.node(Context::Generator).set("output", 0).project(Project::new(size, size));
    node.set("device", "CPU").set(source, "On").set(radius, 8.0).create().expect("a node")
}

fn hash(bits: &[[u32; 4]]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bits.hash(&mut hasher);
    hasher.finish()
}

/// Address space of this process, in KiB.
fn address_space() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok()).expect("the system tells")
}

/// Prints the results of the small shot, of a large frame, and of the small shot again.
#[test]
#[ignore = "run by other tests in a process of its own"]
fn child() {
    let Some(wanted) = std::env::var(CHILD).ok() else { return };
    let (id, size) = wanted.split_once(' ').expect("node and size");
    let host = Host::new(Profile::generic());
    let plugin = host.load(bundle_path()).and_then(|bundle| bundle.plugin(id)).expect("the bundle has it");
    let small = node(&plugin, SMALL);
    println!("space {}", address_space());
    let shown = |time: i32| match small.frame(f64::from(time)) {
        Ok(frame) => Some((simulated(&frame), hash(&bits(&frame)))),
        Err(error) => {
            println!("small refused {error}");
            None
        }
    };
    let before: Vec<_> = (1..=LAST).map(|time| shown(time).map(|(_, hash)| hash)).collect();
    let messages = |host: &Host| {
        let events = host.record().events();
        events.iter().filter(|event| matches!(event, Event::Message { .. })).count()
    };
    let earlier = messages(&host);
    let large = node(&plugin, size.parse().expect("a size"));
    match large.frame(1.0) {
        Ok(frame) => println!("rendered {}", hash(&bits(&frame))),
        Err(error) => println!("refused {} {error}", messages(&host) - earlier),
    }
    for (time, before) in (1..=LAST).zip(before) {
        let Some(before) = before else { continue };
        println!("again {} {}", shown(time).is_some_and(|(cost, hash)| cost == 0 && hash == before), time);
    }
    println!("done");
}

fn ran(output: &Output) -> Vec<String> {
    let [text, errors] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{}\n{text}\n{errors}", output.status);
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert!(lines.iter().any(|line| line == "done"), "{text}\n{errors}");
    assert!(lines.iter().all(|line| !line.starts_with("again false")), "a state was lost: {text}");
    lines
}

/// Runs the child behind a line of shell.
fn behind(script: &str, id: &str, size: u32) -> Vec<String> {
    let program = std::env::current_exe().expect("a running test has a path");
    let script = format!("{script} exec \"$0\" --exact child --ignored --nocapture");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(program).env(CHILD, format!("{id} {size}")).env_remove("FLOW_LOG");
    ran(&command.output().expect("runs"))
}

fn found<'a>(lines: &'a [String], word: &str) -> Option<&'a str> {
    lines.iter().find_map(|line| line.strip_prefix(word)?.strip_prefix(' '))
}

/// Checks that there is one message, with cause and remedy.
fn is_told(lines: &[String], limit: &str) {
    let refused = found(lines, "refused").unwrap_or_else(|| panic!("it was not refused: {lines:?}"));
    for part in ["1 ", "ErrMemory", "6000 x 6000 cells", " GB", limit, "Resolution", "aise the limit"] {
        assert!(refused.contains(part), "{part:?} is missing: {refused}");
    }
    let kept = lines.iter().filter(|line| line.starts_with("again true")).count();
    assert_eq!(kept, LAST as usize, "states that were there before are still there");
}

#[test]
#[cfg(target_os = "linux")]
fn a_large_grid_beyond_the_address_space_limit_ends_in_a_message() {
    for id in NODES {
        let lines = behind("ulimit -v 3145728;", id, 6000);
        is_told(&lines, "address space (ulimit -v) is limited to 3.0 GB");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn every_limit_ends_in_a_frame_or_a_message() {
    for (id, size) in [(FLOW, 360), (FLOW, 900), (SMOKE, 360), (SMOKE, 600)] {
        let free = behind("", id, size);
        let truth = found(&free, "rendered").expect("renders without a limit").to_owned();
        let space: u64 = found(&free, "space").and_then(|text| text.parse().ok()).expect("a number");
        let (mut rendered, mut refused) = (0, 0);
        for more in [48_u64, 72, 96, 112, 128, 160, 220, 400, 1200] {
            let lines = behind(&format!("ulimit -v {};", space + more * 1024), id, size);
            match (found(&lines, "rendered"), found(&lines, "refused")) {
                (Some(hash), None) => {
                    assert_eq!(hash, truth, "{id}, {size}, {more} MB");
                    rendered += 1;
                }
                (None, Some(why)) => {
                    // If the host's own picture does not fit, the plug-in is not called.
                    let reported = why.starts_with("1 ") && why.contains("ErrMemory");
                    assert!(
                        (reported || why.starts_with("0 a picture needs")) && why.contains("imit"),
                        "{more} MB: {why}"
                    );
                    refused += 1;
                }
                _ => panic!("{lines:?}"),
            }
        }
        println!("{id}, {size} square: {rendered} limits held the frame, {refused} did not");
        assert!(rendered > 0 && refused > 0, "{id}, {size}");
    }
}

/// A control group below this process's own that limits memory; removed with this value.
struct Group(std::path::PathBuf);

impl Group {
    fn new(bytes: u64) -> Result<Self, String> {
        let own = std::fs::read_to_string("/proc/self/cgroup").map_err(|error| error.to_string())?;
        let path = |controllers: fn(&str) -> bool| {
            own.lines().find_map(|line| {
                let (controller, path) = line.split_once(':')?.1.split_once(':')?;
                controllers(controller).then(|| path.trim_start_matches('/').to_owned())
            })
        };
        let name = format!("flow-test-{}", std::process::id());
        let first = path(|controller| controller.split(',').any(|name| name == "memory"));
        let second = path(str::is_empty);
        let places = [
            first.map(|path| (format!("/sys/fs/cgroup/memory/{path}"), "memory.limit_in_bytes")),
            Some((String::from("/sys/fs/cgroup/memory"), "memory.limit_in_bytes")),
            second.map(|path| (format!("/sys/fs/cgroup/{path}"), "memory.max")),
        ];
        let mut why = String::from("there are no control groups for memory");
        for (parent, file) in places.into_iter().flatten() {
            let folder = std::path::Path::new(&parent).join(&name);
            let made = std::fs::create_dir(&folder).map(|()| Self(folder.clone()));
            let limited = made.and_then(|group| {
                // The system creates files in every folder of control groups.
                std::fs::metadata(folder.join("cgroup.procs"))?;
                std::fs::write(folder.join(file), bytes.to_string()).map(|()| group)
            });
            match limited {
                Ok(group) => return Ok(group),
                Err(error) => why = format!("{}: {error}", folder.display()),
            }
        }
        Err(why)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        drop(std::fs::remove_dir(&self.0));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_large_grid_beyond_the_control_groups_limit_ends_in_a_message() {
    let group = match Group::new(2 << 30) {
        Ok(group) => group,
        Err(why) => return println!("skipped: no control group can be made here ({why})"),
    };
    let enter = format!("echo $$ > '{}/cgroup.procs' || exit 9;", group.0.display());
    for id in NODES {
        is_told(&behind(&enter, id, 6000), "is limited to 2.0 GB");
    }
}
