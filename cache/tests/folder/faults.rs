//! Full disks, missing folders and damaged files.

use std::cell::Cell;
use std::fs;
use std::io::{self, ErrorKind, Seek as _, Write as _};
use std::time::Duration;

use flow_cache::{Claimed, Clock, Folder, Refusal, Serial, read};

use super::*;

#[test]
fn a_full_disk_is_reported_and_leaves_no_file() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().join("shot"));
    store_run(&folder, 1, 1..=1, None);
    let before = names(folder.path());
    let during = Cell::new(0);
    let error = folder
        .store(&header(key(1, 2), 2), &[key(1, 1)], |out| {
            out.write_all(&[7; 3 << 20])?;
            out.seek(io::SeekFrom::Start(5))?;
            during.set(names(folder.path()).len());
            Err(io::Error::from(ErrorKind::StorageFull))
        })
        .expect_err("full");
    assert_eq!(during.get(), before.len() + 1, "the temporary file is in the same folder");
    assert_eq!(names(folder.path()), before);
    assert_eq!(folder.find(2, key(1, 2)), None);
    assert_eq!((error.kind, error.folder.as_path()), (ErrorKind::StorageFull, folder.path()));
    let text = error.to_string();
    assert!(text.contains("shot") && text.contains("no storage space") && text.contains("Free space"), "{text}");
    store(&folder, &header(key(1, 2), 2), Some(key(1, 1))).expect("there is space again");
}

#[test]
fn a_folder_that_cannot_exist_is_reported() {
    let temp = tempfile::tempdir().expect("folder");
    let file = temp.path().join("file");
    fs::write(&file, "a file where the folder should be").expect("written");
    for path in [file.clone(), file.join("below")] {
        let folder = Folder::new(path.clone());
        assert!(folder.claim(key(1, 1)).is_err());
        let error = store(&folder, &header(key(1, 1), 1), None).expect_err("no folder");
        let text = error.to_string();
        assert!(text.contains(&path.display().to_string()) && text.contains("A file has the name"), "{text}");
        assert!(
            !folder.has_between(FAMILY, 0, 9, &mut || true)
                && folder.find(1, key(1, 1)).is_none()
                && folder.list().is_empty()
        );
        assert_eq!(folder.trim(0, &[]), flow_cache::Trimmed::default());
        assert_eq!(folder.clear().ok(), Some(0));
    }
    assert_eq!(fs::read_to_string(&file).expect("there"), "a file where the folder should be");
}

#[test]
fn the_parent_of_the_folder_is_not_created() {
    let temp = tempfile::tempdir().expect("folder");
    // The mount point of a share that is not mounted.
    let share = temp.path().join("share");
    fs::create_dir(&share).expect("made");
    let folder = Folder::new(share.join("cache/shot"));
    let says = |text: String| assert!(text.contains("share/cache does not exist"), "{text}");
    says(folder.claim(key(1, 1)).expect_err("no temp for it").to_string());
    let error = store(&folder, &header(key(1, 1), 1), None).expect_err("no temp for it");
    assert_eq!(error.kind, ErrorKind::NotFound);
    assert!(error.to_string().contains("disk is connected"), "{error}");
    says(error.to_string());
    assert_eq!(names(&share), Vec::<String>::new());
    fs::create_dir(share.join("cache")).expect("made");
    assert!(matches!(folder.claim(key(1, 1)), Ok(Claimed::Mine(_))));
    store(&folder, &header(key(1, 1), 1), None).expect("stored");
}

#[test]
fn a_folder_may_vanish_between_calls_and_in_the_middle_of_one() {
    let temp = tempfile::tempdir().expect("folder");
    let path = temp.path().join("shot");
    let clock = Clock::manual();
    let folder = Folder::with_clock(path.clone(), clock.clone());
    store_run(&folder, 1, 1..=3, None);
    let Ok(Claimed::Mine(claim)) = folder.claim(key(1, 4)) else { panic!("the claim is free") };
    fs::remove_dir_all(&path).expect("removed");
    drop(claim);
    let offered = folder.find(2, key(1, 2)).expect("it was there a moment ago");
    assert!(!folder.refuse(&offered), "gone is not bad");
    assert_eq!(folder.find(2, key(1, 2)), None, "a refused file is not offered again");
    clock.advance(Duration::from_millis(250));
    assert_eq!(folder.find(3, key(1, 3)), None);
    assert!(!folder.has_between(FAMILY, 1, 3, &mut || true) && folder.list().is_empty());
    assert_eq!(folder.trim(0, &[]).removed.len(), 0);
    let error = folder
        .store(&header(key(1, 4), 4), &[key(1, 3)], |out| {
            fs::remove_dir_all(&path)?;
            out.write_all(&[1; 100])
        })
        .expect_err("nowhere to put it");
    assert!(error.to_string().contains("shot"), "{error}");
    assert!(!path.exists());
    store_run(&folder, 1, 4..=5, Some(key(1, 3)));
    assert!(folder.find(5, key(1, 5)).is_some(), "a new folder is as good");
    assert!(matches!(folder.claim(key(1, 6)), Ok(Claimed::Mine(_))));
}

#[test]
fn a_damaged_file_is_not_offered_until_it_is_replaced_under_all_names() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    store_run(&folder, 1, 1..=3, None);
    store_run(&folder, 2, 3..=10, Some(key(1, 2)));
    // Frame 2 is in both takes. The last byte of the file belongs to the exact state.
    let path = folder.find(2, key(1, 2)).expect("there");
    let mut bytes = fs::read(&path).expect("there");
    let good = bytes.clone();
    *bytes.last_mut().expect("bytes") ^= 1;
    fs::write(&path, &bytes).expect("written");
    let offered = |folder: &Folder| {
        let mut refused = Vec::new();
        while let Some(path) = folder.find(2, key(1, 2)) {
            let refusal = read(&path, None, &Serial).expect_err("bad");
            assert!(matches!(refusal, Refusal::Damaged { .. }), "{refusal}");
            assert!(folder.refuse(&path), "reported once");
            assert!(!folder.refuse(&path), "not twice");
            refused.push(file_name(&path));
        }
        refused
    };
    assert_eq!(offered(&folder).len(), 2);
    assert!(!folder.has_between(FAMILY, 2, 2, &mut || true) && folder.has_between(FAMILY, 1, 3, &mut || true));
    store(&folder, &header(key(1, 2), 2), Some(key(1, 1))).expect("stored again");
    for name in states(temp.path()).iter().filter(|name| name.contains(".0002.")) {
        assert_eq!(fs::read(temp.path().join(name)).expect("there"), good, "{name}");
    }
    assert_eq!(states(temp.path()).len(), 3 + 10);
    assert!(folder.find(2, key(1, 2)).is_some() && folder.has_between(FAMILY, 2, 2, &mut || true));
}

#[test]
fn a_damaged_file_is_replaced_and_the_sequence_stays_complete() {
    let temp = tempfile::tempdir().expect("folder");
    store_run(&Folder::new(temp.path().into()), 1, 1..=4, None);
    let file = |frame: i64| temp.path().join(format!("flow.fa311111.{frame:04}.exr"));
    let bytes = fs::read(file(2)).expect("there");
    fs::write(file(2), &bytes[..bytes.len() / 4]).expect("cut short");
    fs::write(file(3), "").expect("emptied");
    let folder = Folder::new(temp.path().into());
    assert_eq!((folder.find(2, key(1, 2)), folder.find(3, key(1, 3))), (None, None));
    store_run(&folder, 1, 2..=3, Some(key(1, 1)));
    assert_eq!(fs::read(file(2)).expect("there"), bytes);
    assert_eq!(states(temp.path()).len(), 4);
    assert!((1..=4).all(|frame| folder.find(frame, key(1, frame)).is_some()));
}

#[test]
fn files_have_the_default_permissions() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    let path = store(&folder, &header(key(1, 1), 1), None).expect("stored");
    let plain = temp.path().join("plain");
    fs::write(&plain, "").expect("written");
    let rights = |path: &Path| fs::metadata(path).expect("there").permissions();
    assert_eq!(rights(&path), rights(&plain), "as any other file that it makes");
    assert_eq!(rights(&temp.path().join("index.tsv")), rights(&plain));
}

/// Opening a pipe blocks until its other end is opened; a host would hang.
#[cfg(unix)]
#[test]
fn pipes_with_names_of_files_do_not_block() {
    let temp = tempfile::tempdir().expect("folder");
    let clock = Clock::manual();
    let folder = Folder::with_clock(temp.path().into(), clock.clone());
    fs::create_dir(temp.path().join(".claims")).expect("made");
    let claim = format!(".claims/{:032x}.claim", key(1, 1));
    for pipe in ["index.tsv", &claim] {
        let made = std::process::Command::new("mkfifo").arg(temp.path().join(pipe)).status().expect("mkfifo");
        assert!(made.success());
    }
    assert!(folder.claim(key(1, 1)).is_err());
    store_run(&folder, 1, 1..=3, None);
    assert_eq!(folder.list().len(), 3);
    assert_eq!(folder.trim(0, &[]).removed.len(), 3);
    assert!(names(temp.path()).contains(&"index.tsv".to_owned()), "it is not ours to replace");
}

#[cfg(unix)]
#[test]
fn an_index_may_be_a_link() {
    let temp = tempfile::tempdir().expect("folder");
    let (shot, other) = (temp.path().join("shot"), temp.path().join("other.tsv"));
    fs::create_dir(&shot).expect("made");
    fs::write(&other, "a line\n").expect("written");
    std::os::unix::fs::symlink("../other.tsv", shot.join("index.tsv")).expect("linked");
    let folder = Folder::new(shot.clone());
    store_run(&folder, 1, 1..=3, None);
    folder.trim(0, &[]);
    assert!(shot.join("index.tsv").is_symlink());
    let text = fs::read_to_string(&other).expect("there");
    assert!(text.starts_with("a line\n") && text.lines().count() == 4, "{text}");
}
