//! Takes: the names of files, and that no file replaces one of another state.

use std::fs;
use std::io::Write as _;
use std::sync::mpsc;

use flow_cache::{Clock, Folder, Refusal, Serial, Values, read};

use super::*;

#[test]
fn a_chain_is_one_sequence_named_after_its_family() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().join("a"));
    let frames = [-2, -1, 0, 1, 10_000];
    let mut previous = None;
    for frame in frames {
        let header = header_from(key(1, frame), frame, -2);
        let path = store(&folder, &header, previous).expect("stored");
        assert_eq!(folder.find(frame, header.key), Some(path));
        previous = Some(header.key);
    }
    assert_eq!(
        states(folder.path()),
        ["-0001", "-0002", "0000", "0001", "10000"].map(|frame| format!("flow.fa311111.{frame}.exr"))
    );
    let found = folder.find(1, key(1, 1)).expect("there");
    let (header, blobs) = read(&found, None, &Serial).expect("whole");
    assert_eq!((header.key, &blobs[0].values), (key(1, 1), &Values::Ints(values(key(1, 1)))));
    assert_eq!(folder.find(1, key(2, 1)), None);
    assert_eq!(folder.find(2, key(1, 1)), None);
}

#[test]
fn an_edit_splits_the_take_and_undo_finds_the_old_one() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    store_run(&folder, 1, 1..=6, None);
    // The second version differs from frame 4 on, the third from frame 3 on, both from the first.
    store_run(&folder, 2, 4..=11, Some(key(1, 3)));
    store_run(&folder, 3, 3..=4, Some(key(1, 2)));
    let (second, third) = (own_take(2, 4), own_take(3, 3));
    let takes = [("fa311111", 1..=6), (&*second, 1..=11), (&*third, 3..=4)];
    let mut expected: Vec<String> =
        takes.into_iter().flat_map(|(take, frames)| frames.map(move |f| format!("flow.{take}.{f:04}.exr"))).collect();
    expected.sort();
    assert_eq!(states(temp.path()), expected);
    let check = |folder: &Folder| {
        for (version, frames) in [(1, 1..=6), (2, 4..=11), (3, 3..=4)] {
            for frame in frames {
                let path = folder.find(frame, key(version, frame)).expect("there");
                assert_eq!(flow_cache::peek(&path).expect("ours").key, key(version, frame));
            }
        }
    };
    check(&folder);
    check(&Folder::new(temp.path().into()));
    // Another process that continues the first version uses its take.
    store_run(&Folder::new(temp.path().into()), 1, 7..=8, Some(key(1, 6)));
    assert!(temp.path().join("flow.fa311111.0008.exr").exists());
}

#[cfg(unix)]
#[test]
fn the_frames_before_a_split_become_links_once_the_take_is_long_enough() {
    use std::os::unix::fs::MetadataExt as _;
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    store_run(&folder, 1, 1..=3, None);
    // A moved slider leaves one or two frames per position.
    store_run(&folder, 2, 3..=9, Some(key(1, 2)));
    assert_eq!(states(temp.path()).len(), 3 + 7);
    // The frame that reaches the limit may be written by another process, which does not know the split.
    let earlier: Vec<u128> = (3..=9).rev().map(|frame| key(2, frame)).chain([key(1, 2)]).collect();
    store_after(&Folder::new(temp.path().into()), &header(key(2, 10), 10), &earlier).expect("stored");
    assert_eq!(states(temp.path()).len(), 3 + 10);
    let number =
        |take: &str, frame| fs::metadata(temp.path().join(format!("flow.{take}.{frame:04}.exr"))).expect("there").ino();
    let second = own_take(2, 3);
    assert_eq!([1, 2].map(|frame| number("fa311111", frame)), [1, 2].map(|frame| number(&second, frame)));
    assert_ne!(number("fa311111", 3), number(&second, 3));
    let index = fs::read_to_string(temp.path().join("index.tsv")).expect("an index");
    assert_eq!(index.lines().count(), 1 + 3 + 8, "links are not listed: {index}");
    assert!(index.starts_with("file\tframe\tkey\t"), "{index}");
    let line = index.lines().find(|line| line.contains(&format!("flow.{second}.0003.exr"))).expect("a line");
    assert!(line.contains(&format!("\t3\t{:032x}\t{FAMILY:032x}\torg.flowofx.Test\t3×2\t", key(2, 3))), "{line}");
}

#[test]
fn only_the_same_state_is_replaced() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    // Two first frames of one family, and a third with the same eight digits as the second.
    let keys = [key(1, 1), key(2, 1), key(2, 1) + 1, (key(2, 1) + 1) ^ (1 << 40)];
    let paths = keys.map(|key| store(&folder, &header(key, 1), None).expect("stored"));
    let digits = |key: u128, count: usize| format!("flow.{}.0001.exr", &format!("{key:032x}")[..count]);
    assert_eq!(
        paths.each_ref().map(|path| file_name(path)),
        ["flow.fa311111.0001.exr".into(), digits(keys[1], 8), digits(keys[2], 16), digits(keys[3], 32)]
    );
    let contents = paths.each_ref().map(|path| fs::read(path).expect("there"));
    for (key, path) in keys.into_iter().zip(&paths) {
        assert_eq!(&store(&folder, &header(key, 1), None).expect("stored again"), path);
    }
    assert_eq!(paths.each_ref().map(|path| fs::read(path).expect("there")), contents);
    assert_eq!(states(temp.path()).len(), 4);
    // The longest name of a take is the whole key.
    let lost = keys[3] ^ 2;
    fs::write(temp.path().join(digits(lost, 32)), "another program's").expect("written");
    let error = store(&folder, &header(lost, 1), None).expect_err("no name is left");
    assert!(error.to_string().contains("all names of frame 1"), "{error}");
    assert_eq!(fs::read_to_string(temp.path().join(digits(lost, 32))).expect("there"), "another program's");
    assert!(names(temp.path()).iter().all(|name| !name.ends_with(".tmp")));
}

#[test]
fn files_of_other_programs_are_not_replaced() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    let name = |take: &str| temp.path().join(format!("flow.{take}.0001.exr"));
    fs::write(name("fa311111"), "not an EXR").expect("written");
    fs::create_dir(name(&own_take(1, 1))).expect("made");
    let path = store(&folder, &header(key(1, 1), 1), None).expect("stored");
    assert_eq!(file_name(&path).len(), "flow.0123456789abcdef.0001.exr".len());
    assert_eq!(fs::read_to_string(name("fa311111")).expect("there"), "not an EXR");
    assert_eq!(folder.find(1, key(1, 1)), Some(path));
    let listed = folder.list();
    assert_eq!(listed.iter().filter(|listed| listed.header.is_ok()).count(), 1);
    assert_eq!(listed.len(), 2, "the folder with that name is not listed");
}

#[test]
fn files_of_another_format_are_neither_read_nor_overwritten() {
    let temp = tempfile::tempdir().expect("folder");
    let state = header(key(1, 1), 1);
    let old = store(&Folder::new(temp.path().into()), &state, None).expect("stored");
    let version = |format: u8| [b"flow.format\0int\0\x04\0\0\0".as_slice(), &[format]].concat();
    let mut bytes = fs::read(&old).expect("there");
    let positions: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(&version(2))).collect();
    assert_eq!(positions.len(), 2, "one in each part");
    positions.into_iter().for_each(|at| bytes[at..at + version(1).len()].copy_from_slice(&version(1)));
    fs::write(&old, &bytes).expect("written");
    let folder = Folder::new(temp.path().into());
    assert_eq!(folder.find(1, state.key), None);
    let refusals = folder.take_refusals();
    assert!(matches!(&refusals[..], [Refusal::OtherFormat { found: 1, expected: 2, .. }]), "{refusals:?}");
    let new = store(&folder, &state, None).expect("stored");
    assert_ne!(new, old);
    assert_eq!(folder.find(1, state.key), Some(new));
    assert!(folder.trim(u64::MAX, &[]).removed.is_empty());
    assert!(fs::read(&old).expect("there") == bytes, "the old file is as it was");
}

#[test]
fn processes_that_store_different_states_at_once_lose_none() {
    let temp = tempfile::tempdir().expect("folder");
    // Each thread has its own `Folder` and does not see the contents known to the others.
    std::thread::scope(|scope| {
        for version in 0..8 {
            let path = temp.path();
            scope.spawn(move || {
                for frame in 1..=20 {
                    let folder = Folder::with_clock(path.into(), Clock::manual());
                    let previous = (frame > 1).then(|| key(version, frame - 1));
                    store(&folder, &header(key(version, frame), frame), previous).expect("stored");
                }
            });
        }
    });
    let folder = Folder::new(temp.path().into());
    for version in 0..8 {
        for frame in 1..=20 {
            let path = folder.find(frame, key(version, frame)).expect("none is lost");
            assert_eq!(
                read(&path, None, &Serial).expect("whole").1[0].values,
                Values::Ints(values(key(version, frame)))
            );
        }
    }
    assert!(names(temp.path()).iter().all(|name| !name.ends_with(".tmp")));
}

#[test]
fn a_take_that_splits_from_a_recent_split_is_complete() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    store_run(&folder, 1, 1..=6, None);
    store_run(&folder, 2, 4..=6, Some(key(1, 3)));
    store_run(&folder, 3, 6..=13, Some(key(2, 5)));
    let third = own_take(3, 6);
    let frames: Vec<String> = (1..=13).map(|frame| format!("flow.{third}.{frame:04}.exr")).collect();
    let found: Vec<String> = states(temp.path()).into_iter().filter(|name| name.contains(&third)).collect();
    assert_eq!(found, frames);
    let keys = found.iter().map(|name| flow_cache::peek(&temp.path().join(name)).expect("ours").key);
    let versions = [1, 1, 1, 2, 2].into_iter().chain([3; 8]);
    assert!(keys.eq(versions.zip(1..).map(|(version, frame)| key(version, frame))));
}

#[test]
fn a_skipped_frame_does_not_end_a_take() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    store_run(&folder, 1, 1..=6, None);
    store_run(&folder, 2, 4..=4, Some(key(1, 3)));
    // Frame 5 was not stored: the nearest stored frame determines the take, which is not that of the old version.
    let earlier = [key(2, 5), key(2, 4), key(1, 3), key(1, 2)];
    let path = store_after(&Folder::new(temp.path().into()), &header(key(2, 6), 6), &earlier).expect("stored");
    assert_eq!(file_name(&path), format!("flow.{}.0006.exr", own_take(2, 4)));
}

#[test]
fn frames_written_concurrently_after_a_split_are_one_take() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    store_run(&folder, 1, 1..=6, None);
    let (written, fifth) = mpsc::channel();
    std::thread::scope(|scope| {
        let (begun, fourth) = mpsc::channel();
        let first = &folder;
        scope.spawn(move || {
            let stored = first.store(&header(key(2, 4), 4), &[key(1, 3)], |out| {
                begun.send(()).expect("sent");
                fifth.recv().expect("received");
                // Without waiting, the other state would be stored by now.
                std::thread::sleep(std::time::Duration::from_millis(200));
                out.write_all(b"a state")
            });
            stored.expect("stored");
        });
        fourth.recv().expect("received");
        let stored = folder.store(&header(key(2, 5), 5), &[key(2, 4), key(1, 3), key(1, 2)], |out| {
            written.send(()).expect("sent");
            out.write_all(b"a state")
        });
        assert_eq!(file_name(&stored.expect("stored")), format!("flow.{}.0005.exr", own_take(2, 4)));
    });
    // A state whose writing fails is not waited for, nor one that is not being written.
    let failing = folder.store(&header(key(3, 4), 4), &[key(1, 3)], |_| Err(std::io::Error::other("no")));
    failing.expect_err("it fails");
    let stored = store_after(&folder, &header(key(3, 5), 5), &[key(3, 4), key(1, 3)]).expect("stored");
    assert_eq!(file_name(&stored), format!("flow.{}.0005.exr", own_take(3, 5)));
}

#[test]
fn every_n_th_frame_is_a_sequence_too() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    let mut previous = None;
    for (version, frames) in [(1, vec![1, 6, 11, 16]), (2, (11..50).step_by(5).collect())] {
        for frame in frames {
            store(&folder, &header(key(version, frame), frame), previous).expect("stored");
            previous = Some(key(version, frame));
        }
        previous = Some(key(1, 6));
    }
    let take = |take: &str| states(temp.path()).into_iter().filter(|name| name.contains(take)).count();
    assert_eq!((take("fa311111"), take(&own_take(2, 11))), (4, 2 + 8));
    // Without an earlier state the take of the family is used, if the name is free.
    let alone = store(&folder, &header(key(9, 30), 30), Some(key(9, 29))).expect("stored");
    assert_eq!(file_name(&alone), "flow.fa311111.0030.exr");
}
