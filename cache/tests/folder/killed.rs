//! Processes that are killed during writing.

use std::io::{BufRead as _, BufReader};
use std::time::Duration;

use flow_cache::{Folder, Serial, Values, peek, read};

use super::*;

#[test]
#[ignore = "a process of other tests"]
fn writer_without_end() {
    let folder = Folder::new(process_folder());
    let first: u64 = std::env::var("FLOW_TEST_ROUND").ok().and_then(|round| round.parse().ok()).expect("a number");
    println!("writing");
    for round in first.. {
        // Versions alternate, so that takes split repeatedly.
        for frame in 1..=6 {
            let version = if frame < 3 { 0 } else { (round % 5) as u8 };
            let before = if frame <= 3 { 0 } else { version };
            let previous = (frame > 1).then(|| key(before, frame - 1));
            // The frames that all versions share are rewritten only in every fourth round.
            if frame < 3 && round % 4 != 0 && folder.find(frame, key(version, frame)).is_some() {
                continue;
            }
            let _claim = folder.claim(key(version, frame));
            store(&folder, &header(key(version, frame), frame), previous).expect("stored");
        }
    }
}

#[test]
fn a_killed_process_leaves_only_complete_states() {
    let temp = tempfile::tempdir().expect("folder");
    let mut left_behind = 0;
    for round in 0..50_u64 {
        let mut command = process("killed::writer_without_end", temp.path());
        let mut child = command.env("FLOW_TEST_ROUND", round.to_string()).spawn().expect("a child");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.as_mut().expect("piped"));
        while !line.contains("writing") {
            line.clear();
            assert_ne!(out.read_line(&mut line).expect("readable"), 0, "the child has ended");
        }
        std::thread::sleep(Duration::from_micros(round * 7919 % 30_000));
        child.kill().expect("killed");
        child.wait().expect("ended");
        // Every file is complete and holds the state that its name and header declare.
        let folder = Folder::new(temp.path().into());
        for listed in folder.list() {
            let (header, blobs) = read(&listed.path, None, &Serial).expect("whole");
            assert_eq!((header.frame, &blobs[0].values), (listed.frame, &Values::Ints(values(header.key))));
        }
        for frame in 1..=6 {
            for version in 0..5 {
                if let Some(path) = folder.find(frame, key(version, frame)) {
                    assert_eq!(peek(&path).expect("ours").key, key(version, frame));
                }
            }
        }
        let temporary = |name: &String| name.ends_with(".tmp");
        left_behind += names(temp.path()).iter().filter(|name| temporary(name)).count();
        let trimmed = folder.trim(u64::MAX, &[]);
        assert_eq!(trimmed.removed, Vec::<PathBuf>::new());
        assert!(!names(temp.path()).iter().any(temporary), "{:?}", names(temp.path()));
        assert_eq!(names(&temp.path().join(".claims")), Vec::<String>::new(), "nor claims");
    }
    assert!(left_behind > 0, "the test has hit no write");
    assert!(states(temp.path()).len() > 6);
}
