//! Load, render on a graphics device, unload, many times: nothing leaks, and the process ends normally.

mod common;

use std::process::Command;

use common::{FLOW, bits, bundle_path};
use flow_host::{Context, Host, Profile, Project};

fn count(folder: &str) -> usize {
    std::fs::read_dir(folder).expect("this is Linux").count()
}

/// Resident memory in KiB.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
    line.trim().trim_end_matches("kB").trim().parse().expect("a number")
}

#[test]
fn loads_with_a_device_leak_nothing() {
    const CHILD: &str = "FLOW_TEST_ALONE";
    if std::env::var_os(CHILD).is_none() {
        let program = std::env::current_exe().expect("a running test has a path");
        let output = Command::new(program)
            .args(["--test-threads=1", "--nocapture"])
            .env(CHILD, "1")
            // Memory that the C library keeps for each of many short-lived threads is no leak.
            .env("MALLOC_ARENA_MAX", "1")
            .env_remove("FLOW_LOG")
            .output()
            .expect("the test runs again");
        let text = String::from_utf8_lossy(&output.stdout);
        // A crash at the end of the process shows in its status.
        assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("1 passed"), "{text}");
        print!("{text}");
        return;
    }
    let host = Host::new(Profile::generic());
    let mut first = None;
    let mut round = || {
        // Opened and closed as by a host that ends with its plug-ins' libraries.
        let bundle = host.load(bundle_path()).expect("the bundle loads");
        let plugin = bundle.plugin(FLOW).expect("the bundle has Flow");
        let project = Project::new(64, 48).frames(1.0, 10.0);
        let node = plugin
            .node(Context::Generator)
            .set("output", "Water")
            .project(project)
            .set("device", "GPU")
            .create()
            .expect("a node");
        let frame = node.frame(4.0).expect("renders");
        let device = frame.stats["device"].as_str().expect("the plug-in says what simulated");
        assert!(device.starts_with("GPU"), "{device}");
        assert_eq!(common::simulated(&frame), 4, "unload frees the frames");
        assert!(*first.get_or_insert_with(|| bits(&frame)) == bits(&frame));
        node.destroy().expect("it goes");
        plugin.reload().expect("loads again");
    };
    (0..10).for_each(|_| round());
    let (threads, files, memory) = (count("/proc/self/task"), count("/proc/self/fd"), resident());
    // As many as the report has take a minute on a software device.
    let lives = if std::env::var_os("FLOW_GATES").is_some() { 90 } else { 40 };
    (0..lives).for_each(|_| round());
    assert_eq!((count("/proc/self/task"), count("/proc/self/fd")), (threads, files), "threads, files");
    let grown = resident().saturating_sub(memory);
    println!("resident: {memory} KiB after 10 lives, {grown} more after {lives} others");
    assert!(grown < lives * 32, "{grown} KiB more after {lives} lives");
    assert_eq!(host.record().violations(), [""; 0]);
}
