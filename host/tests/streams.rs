//! The command's standard streams on a full disk and as closed pipes.

#![cfg(unix)]

mod common;

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::process::{Output, Stdio};

use common::command;

/// A stream on which every write fails.
#[derive(Clone, Copy, Debug)]
enum Broken {
    FullDisk,
    ClosedPipe,
}

impl Broken {
    const ALL: [Self; 2] = [Self::FullDisk, Self::ClosedPipe];

    fn stream(self) -> Stdio {
        match self {
            Self::FullDisk => OpenOptions::new().write(true).open("/dev/full").expect("this is Linux").into(),
            // The reading end is closed.
            Self::ClosedPipe => std::io::pipe().expect("a pipe").1.into(),
        }
    }
}

fn frames(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).expect("folder").flatten();
    entries.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "exr")).count()
}

/// A render of 6 frames that warns at each.
const WARNS: [&str; 13] = [
    "render",
    "BUNDLE",
    "--plugin",
    "org.flowofx.test.Rude",
    "--size",
    "8x8",
    "--frames",
    "1-6",
    "-o",
    "a.####.exr",
    "--set",
    "how=10",
    "--stats=s.json",
];

#[test]
fn a_warning_that_cannot_be_printed_ends_no_render() {
    let shown = tempfile::tempdir().expect("folder");
    let output = command(shown.path(), &WARNS).output().expect("the command runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("flow-host: frame 1: frame 1 is shallow\n"), "{text}");
    for broken in Broken::ALL {
        let folder = tempfile::tempdir().expect("folder");
        let status = command(folder.path(), &WARNS).stderr(broken.stream()).status().expect("the command runs");
        assert_eq!((status.code(), frames(folder.path())), (Some(0), 6), "{broken:?}");
        assert!(folder.path().join("s.json").is_file(), "{broken:?}");
    }
}

#[test]
fn a_failure_that_cannot_be_printed_keeps_its_exit_code() {
    let folder = tempfile::tempdir().expect("folder");
    for broken in Broken::ALL {
        for (code, arguments) in [
            (1, &["list", "nowhere.ofx.bundle"][..]),
            (1, &["list", "nowhere.ofx.bundle", "neither.ofx.bundle"]),
            (2, &["describe", "BUNDLE"]),
            (2, &["nonsense"]),
        ] {
            let status = command(folder.path(), arguments).stderr(broken.stream()).status().expect("the command runs");
            assert_eq!(status.code(), Some(code), "{broken:?}: {arguments:?}");
        }
    }
}

#[test]
fn results_end_quietly_in_a_closed_pipe_and_with_an_error_on_a_full_disk() {
    let folder = tempfile::tempdir().expect("folder");
    for arguments in [
        &["list", "BUNDLE"][..],
        &["describe", "BUNDLE", "--plugin", "org.flowofx.test.Values"],
        &["describe", "BUNDLE", "--plugin", "org.flowofx.test.Values", "--json"],
        &["cache", "ls", "."],
        &["help", "render"],
        &["--version"],
    ] {
        let run = |broken: Broken| -> Output {
            let mut command = command(folder.path(), arguments);
            command.stdout(broken.stream()).stderr(Stdio::piped());
            command.spawn().and_then(std::process::Child::wait_with_output).expect("the command runs")
        };
        let closed = run(Broken::ClosedPipe);
        assert_eq!((closed.status.code(), &*closed.stderr), (Some(0), &b""[..]), "{arguments:?}");
        let full = run(Broken::FullDisk);
        let text = String::from_utf8_lossy(&full.stderr);
        assert_eq!(full.status.code(), Some(1), "{arguments:?}: {text}");
        assert_eq!(text, "flow-host: standard output: the disk is full: the results are incomplete\n", "{arguments:?}");
    }
    // The exit code has the result of a check even if the list is not read.
    std::fs::write(folder.path().join("flow.01234567.0001.exr"), "torn").expect("written");
    let checked = command(folder.path(), &["cache", "verify", "."]).stdout(Broken::ClosedPipe.stream()).output();
    let checked = checked.expect("the command runs");
    assert_eq!(checked.status.code(), Some(1), "{}", String::from_utf8_lossy(&checked.stderr));
}

#[test]
fn a_render_needs_none_of_the_standard_streams() {
    let folder = tempfile::tempdir().expect("folder");
    // With closed streams, the first file that the command opens must not become its standard error.
    let shell = std::process::Command::new("sh")
        .args(["-c", "exec \"$@\" <&- >&- 2>&-", "sh"])
        .arg(command(folder.path(), &[]).get_program())
        .args(command(folder.path(), &WARNS).get_args())
        .current_dir(folder.path())
        .status();
    assert_eq!(shell.expect("the shell runs").code(), Some(0));
    assert_eq!(frames(folder.path()), 6);
    let stats = File::open(folder.path().join("s.json")).expect("statistics");
    serde_json::from_reader::<_, serde_json::Value>(stats).expect("JSON alone");
}
