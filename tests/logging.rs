//! The plug-in's log on a full disk, in a closed pipe, and where `FLOW_LOG_FILE` names no plain file.

#![cfg(unix)]

mod common;

use std::fs::{self, OpenOptions};
use std::path::Path;
use std::process::{Command, Stdio};

use common::{FLOW, bundle_path};

/// A render of 6 small frames with a log.
fn render(folder: &Path) -> Command {
    let test = std::env::current_exe().expect("a running test has a path");
    let host = test.ancestors().nth(2).expect("tests lie two folders deep").join("flow-host");
    assert!(host.is_file(), "{} is not there; type: cargo build --package flow-host", host.display());
    let mut command = Command::new(host);
    command.arg("render").arg(bundle_path()).args(["--plugin", FLOW, "--size", "24x16", "--frames", "1-6"]);
    command.args(["--set", "device=CPU", "--set", "emitter=On", "-o", "a.####.exr"]);
    command.current_dir(folder).env("FLOW_LOG", "debug").env_remove("FLOW_LOG_FILE");
    command
}

fn frames(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("folder").flatten();
    entries.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "exr")).count()
}

#[test]
fn a_log_that_cannot_be_written_fails_no_frame() {
    let full = || OpenOptions::new().write(true).open("/dev/full").expect("this is Linux").into();
    // The reading end is closed.
    let closed = || std::io::pipe().expect("a pipe").1.into();
    for (name, stream) in [("full disk", &full as &dyn Fn() -> Stdio), ("closed pipe", &closed)] {
        let place = tempfile::tempdir().expect("folder");
        let status = render(place.path()).stderr(stream()).status().expect("the command runs");
        assert_eq!((status.code(), frames(place.path())), (Some(0), 6), "{name}");
    }
}

#[test]
fn a_full_disk_ends_a_log_file_and_no_frame() {
    let place = tempfile::tempdir().expect("folder");
    let log = place.path().join("flow.log");
    // No file may grow beyond a kilobyte; the statistics show that the frames were rendered.
    let command = render(place.path());
    let arguments = command.get_args().take_while(|argument| *argument != "-o");
    let status = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh"])
        .arg(command.get_program())
        .args(arguments)
        .args(["--stats", "/dev/null"])
        .env("FLOW_LOG", "debug")
        .env("FLOW_LOG_FILE", &log)
        .status();
    assert_eq!(status.expect("the shell runs").code(), Some(0));
    let length = fs::metadata(&log).expect("a log").len();
    assert!((1..=1024).contains(&length), "{length}");
}

#[test]
fn the_log_file_is_a_plain_file_or_a_link_to_one() {
    let place = tempfile::tempdir().expect("folder");
    let path = |name: &str| place.path().join(name);
    fs::write(path("kept.log"), "before\n").expect("written");
    std::os::unix::fs::symlink("kept.log", path("flow.log")).expect("linked");
    let output = render(place.path()).env("FLOW_LOG_FILE", "flow.log").output().expect("the command runs");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(path("kept.log")).expect("a log");
    assert!(text.starts_with("before\n") && text.lines().count() > 6, "{text}");
    assert!(path("flow.log").is_symlink());

    // Opening a pipe would wait for a reader.
    let made = Command::new("mkfifo").arg(path("pipe")).status().expect("mkfifo");
    assert!(made.success());
    for name in ["pipe", "/dev/full", "."] {
        let output = render(place.path()).env("FLOW_LOG_FILE", name).output().expect("the command runs");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {text}");
        let says = format!("FLOW_LOG_FILE '{name}' cannot be written: it is no plain file; name one, or unset");
        assert!(text.contains(&says), "{name}: {text}");
    }
    let quiet = render(place.path()).env("FLOW_LOG_FILE", "/dev/null").output().expect("the command runs");
    assert!(quiet.status.success() && quiet.stderr.is_empty(), "{}", String::from_utf8_lossy(&quiet.stderr));
}
