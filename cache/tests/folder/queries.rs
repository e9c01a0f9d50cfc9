//! Queries: their disk accesses, their locks, and their reports of damaged files.

use std::fs;
use std::time::Duration;

use flow_cache::{Clock, Effort, Folder, Refusal};

use super::*;

/// Maximum age of a cached answer.
const RECENT: Duration = Duration::from_millis(250);

/// Creates `count` files that are links to one state.
fn many(temp: &Path, count: i64) {
    let model = store(&Folder::new(temp.into()), &header(key(1, 1), 1), None).expect("stored");
    // The frame in the header is that of the first file; queries use the frame in the name.
    for frame in 2..=count {
        fs::hard_link(&model, temp.join(format!("flow.fa311111.{frame:04}.exr"))).expect("linked");
    }
}

#[test]
fn queries_cost_one_listing_in_250_ms_and_one_header_per_file() {
    let temp = tempfile::tempdir().expect("folder");
    many(temp.path(), 2000);
    let clock = Clock::manual();
    let folder = Folder::with_clock(temp.path().into(), clock.clone());
    assert_eq!(folder.effort(), Effort::default(), "no access before the first query");
    for _ in 0..100 {
        assert!(folder.has_between(FAMILY, 1, 2000, &mut || true));
    }
    assert_eq!((folder.effort().listings, folder.effort().peeks), (1, 1), "the latest header is read first");
    for _ in 0..3 {
        assert!(
            !folder.has_between(FAMILY + 1, 1, 2000, &mut || true)
                && !folder.has_between(FAMILY, 2001, i64::MAX, &mut || true)
        );
        for frame in 1..=2000 {
            assert!(folder.find(frame, key(1, 1)).is_some());
            assert_eq!(folder.find(frame, key(1, 2)), None);
        }
        assert_eq!((folder.effort().listings, folder.effort().peeks), (1, 2000));
    }
    // A later listing reads only the headers of new files, and a query after `store` needs no listing.
    let model = temp.path().join("flow.fa311111.0001.exr");
    fs::hard_link(&model, temp.path().join("flow.fa311111.2001.exr")).expect("linked");
    assert_eq!(folder.find(2001, key(1, 1)), None, "the listing is not old enough to be made again");
    store(&folder, &header(key(1, 2500), 2500), None).expect("stored");
    assert!(folder.find(2500, key(1, 2500)).is_some());
    assert_eq!((folder.effort().listings, folder.effort().peeks), (1, 2000));
    clock.advance(Duration::from_secs(3600));
    assert!(folder.find(2001, key(1, 1)).is_some() && folder.find(7, key(1, 1)).is_some());
    assert_eq!((folder.effort().listings, folder.effort().peeks), (2, 2001));
}

#[test]
fn a_recent_answer_costs_no_disk_access() {
    let temp = tempfile::tempdir().expect("folder");
    let clock = Clock::manual();
    let folder = Folder::with_clock(temp.path().into(), clock.clone());
    store_run(&Folder::new(temp.path().into()), 1, 1..=3, None);
    let spent = |before: Effort| {
        let Effort { listings, peeks, looks } = folder.effort();
        (listings - before.listings, peeks - before.peeks, looks - before.looks)
    };
    assert!(folder.find(2, key(1, 2)).is_some());
    let before = folder.effort();
    for _ in 0..1000 {
        assert!(folder.find(2, key(1, 2)).is_some());
    }
    assert_eq!(spent(before), (0, 0, 0));
    for times in 1..=5 {
        clock.advance(RECENT);
        for _ in 0..1000 {
            assert!(folder.find(2, key(1, 2)).is_some());
        }
        assert_eq!(spent(before), (0, 0, times), "one check, and no listing");
    }
    fs::remove_file(temp.path().join("flow.fa311111.0002.exr")).expect("removed");
    clock.advance(RECENT);
    assert_eq!(folder.find(2, key(1, 2)), None);
    // A folder that this process has cleared is listed again at once.
    assert!(folder.find(3, key(1, 3)).is_some());
    folder.clear().expect("cleared");
    assert_eq!(folder.find(3, key(1, 3)), None);
}

#[test]
fn a_long_query_can_be_ended_and_holds_no_lock() {
    let temp = tempfile::tempdir().expect("folder");
    many(temp.path(), 300);
    let folder = Folder::with_clock(temp.path().into(), Clock::manual());
    let mut asked = 0;
    let mut until_third = || {
        asked += 1;
        // Other queries and writes are possible while this thread lists the folder.
        store(&folder, &header(key(2, 500), 500), None).expect("stored");
        assert!(folder.find(500, key(2, 500)).is_some());
        asked < 3
    };
    assert!(!folder.has_between(FAMILY + 1, 1, 300, &mut until_third));
    assert_eq!(asked, 3);
    let peeks = folder.effort().peeks;
    assert!((3..300).contains(&peeks), "{peeks}");
    // The next query continues with the headers that are not read yet.
    assert!(!folder.has_between(FAMILY + 1, 1, 300, &mut || true));
    assert_eq!(folder.effort().peeks, 300);
}

#[test]
fn damaged_files_are_reported_once_until_they_change() {
    let temp = tempfile::tempdir().expect("folder");
    store_run(&Folder::new(temp.path().into()), 1, 1..=9, None);
    store_run(&Folder::new(temp.path().into()), 2, 3..=3, None);
    let file = |frame: i64| temp.path().join(format!("flow.fa311111.{frame:04}.exr"));
    let change = |frame: i64, to: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = fs::read(file(frame)).expect("there");
        to(&mut bytes);
        fs::write(file(frame), bytes).expect("written");
    };
    let replace = |bytes: &mut Vec<u8>, from: &[u8], to: &[u8]| {
        let positions: Vec<usize> = (0..bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
        assert!(!positions.is_empty());
        positions.into_iter().for_each(|at| bytes[at..at + to.len()].copy_from_slice(to));
    };
    change(4, &|bytes| bytes.truncate(300));
    change(5, &|bytes| replace(bytes, b"flow.family\0string", b"flow.familY\0string"));
    change(6, &|bytes| replace(bytes, b"flow.format\0int\0\x04\0\0\0\x02", b"flow.format\0int\0\x04\0\0\0\x01"));
    change(7, &|bytes| *bytes = b"not an EXR".to_vec());
    fs::remove_file(file(8)).expect("removed");
    let clock = Clock::manual();
    let folder = Folder::with_clock(temp.path().into(), clock.clone());
    let reported = |folder: &Folder| {
        let mut frames: Vec<String> =
            folder.take_refusals().iter().map(|refusal| file_name(refusal.path())[14..18].to_owned()).collect();
        frames.sort();
        frames
    };
    // `store`, `list` and `trim` do not report damaged files; only queries do.
    folder.list();
    folder.trim(u64::MAX, &[]);
    store(&folder, &header(key(1, 10), 10), Some(key(1, 1))).expect("stored");
    assert_eq!(reported(&folder), Vec::<String>::new());
    assert!(!folder.has_between(FAMILY + 1, 5, 10, &mut || true));
    assert_eq!(reported(&folder), ["0005", "0006", "0007"]);
    for frame in 1..=9 {
        let bad = (4..=8).contains(&frame);
        assert_eq!(folder.find(frame, key(1, frame)).is_none(), bad);
        assert_eq!(folder.find(frame, key(9, frame)), None, "another key is not an error");
    }
    let refusals = folder.take_refusals();
    assert!(matches!(&refusals[..], [Refusal::Damaged { path, .. }] if *path == file(4)), "{refusals:?}");
    // A file is reported again only after it has changed.
    for _ in 0..3 {
        clock.advance(RECENT);
        assert_eq!(folder.find(5, key(1, 5)), None);
        assert!(!folder.has_between(FAMILY + 1, 1, 10, &mut || true));
        assert_eq!(reported(&folder), Vec::<String>::new());
    }
    change(5, &|bytes| bytes.truncate(200));
    clock.advance(RECENT);
    assert_eq!(folder.find(5, key(1, 5)), None);
    assert_eq!(reported(&folder), ["0005"]);
    // A cached file is offered without a check; the caller reports the damage.
    assert!(folder.find(2, key(1, 2)).is_some());
    change(2, &|bytes| bytes.truncate(300));
    let offered = folder.find(2, key(1, 2)).expect("cached");
    assert!(folder.refuse(&offered));
    clock.advance(RECENT);
    assert_eq!(folder.find(2, key(1, 2)), None);
    assert!(!folder.has_between(FAMILY + 1, 1, 10, &mut || true));
    assert_eq!(reported(&folder), Vec::<String>::new(), "it was reported by `refuse`");
}
