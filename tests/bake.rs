//! A bake succeeds only if all states that it has to store are in the node's folder.

#![cfg(unix)]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::{FLOW, bundle_path};

/// A shell with a file size limit of one kilobyte, which acts as a full disk.
const FULL_DISK: &str = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";

/// Bakes a small shot of 6 frames into `cache`, with the given rain.
fn bake(folder: &Path, rain: f64, full: bool, flags: &[&str]) -> Output {
    let job = format!(
        r#"
        bundle = {:?}
        size = "24x16"
        frames = "1-6"
        [[node]]
        name = "river"
        plugin = "{FLOW}"
        set = {{ device = "CPU", emitter = "On", emitterRadius = 4.0, rainMode = "Mean height", rain = {rain} }}
        [[render]]
        node = "river"
        output = "out.####.exr"
        "#,
        bundle_path()
    );
    fs::write(folder.join("shot.toml"), job).expect("writes the job");
    let test = std::env::current_exe().expect("a running test has a path");
    let host = test.ancestors().nth(2).expect("tests lie two folders deep").join("flow-host");
    assert!(host.is_file(), "{} is not there; type: cargo build --package flow-host", host.display());
    let mut shell = Command::new("sh");
    shell.args(["-c", if full { FULL_DISK } else { "exec \"$@\"" }, "sh"]).arg(host);
    shell.args(["bake", "--job", "shot.toml", "--cache", "cache"]).args(flags).current_dir(folder);
    shell.output().expect("the shell starts")
}

fn states(folder: &Path) -> usize {
    let entries = fs::read_dir(folder.join("cache/river")).into_iter().flatten().flatten();
    entries.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "exr")).count()
}

#[test]
fn stored_frames_of_other_settings_do_not_complete_a_bake() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    let text = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    let first = bake(folder, 0.01, false, &[]);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first));
    assert_eq!(states(folder), 6);
    // A repeated bake reads all frames and writes nothing.
    let again = bake(folder, 0.01, true, &[]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again));

    for (flags, missing) in [(&[][..], "1, 2, 3, 4, 5, 6"), (&["--every", "3"], "1, 4")] {
        let failed = bake(folder, 0.02, true, flags);
        assert_eq!(failed.status.code(), Some(2), "{}", text(&failed));
        let words = format!("cache/river: these frames are not there: {missing}\n");
        assert!(text(&failed).ends_with(&words), "{}", text(&failed));
    }
    assert_eq!(states(folder), 6);
    // The disk has space again.
    let sparse = bake(folder, 0.02, false, &["--every", "3"]);
    assert_eq!(sparse.status.code(), Some(0), "{}", text(&sparse));
    assert_eq!(states(folder), 6 + 2);
    let whole = bake(folder, 0.02, false, &[]);
    assert_eq!(whole.status.code(), Some(0), "{}", text(&whole));
    assert_eq!(states(folder), 6 + 6);
}
