//! Limits, leftovers and clearing.

use std::fs::{self, File, FileTimes};
use std::io::Write as _;
use std::time::{Duration, SystemTime};

use flow_cache::{Folder, trim, trim_plan};

use super::*;

/// Sets the ages of a file's last write and last use, in minutes.
fn age(path: &Path, written: u64, used: u64) {
    let ago = |minutes: u64| SystemTime::now() - Duration::from_secs(60 * minutes);
    let times = FileTimes::new().set_modified(ago(written)).set_accessed(ago(used));
    File::options().write(true).open(path).expect("there").set_times(times).expect("set");
}

fn file(folder: &Folder, take: &str, frame: i64) -> PathBuf {
    folder.path().join(format!("flow.{take}.{frame:04}.exr"))
}

#[test]
fn the_least_recently_used_go_first_and_some_are_kept() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    store_run(&folder, 1, 1..=8, None);
    let path = |frame| file(&folder, "fa311111", frame);
    let bytes =
        |frames: &[i64]| frames.iter().map(|frame| fs::metadata(path(*frame)).expect("there").len()).sum::<u64>();
    // Frame 1 is the oldest but was used recently; frame 2 must be kept; frames 7 and 8 are young.
    for frame in 1..=6 {
        age(&path(frame), 100 - frame as u64, 100 - frame as u64);
    }
    age(&path(1), 200, 2);
    let keep = [path(2)];
    let (all, most, few) = (bytes(&[1, 2, 3, 4, 5, 6, 7, 8]), bytes(&[1, 2, 6, 7, 8]), bytes(&[2, 7, 8]));
    let kept = bytes(&[2]);
    assert_eq!(folder.trim(all, &keep).removed, Vec::<PathBuf>::new());
    let planned = trim_plan(std::slice::from_ref(&folder), most, &keep);
    assert_eq!(planned.removed, [3, 4, 5].map(path));
    assert_eq!((planned.bytes, planned.left_bytes), (all - most, most));
    assert_eq!(states(temp.path()).len(), 8, "a plan removes nothing");
    assert_eq!(folder.trim(most, &keep), planned);
    assert_eq!(states(temp.path()).len(), 5);
    assert_eq!(folder.find(4, key(1, 4)), None);
    let index = fs::read_to_string(temp.path().join("index.tsv")).expect("there");
    assert_eq!(index.lines().count(), 6, "{index}");
    // Young files are removed last, and files to keep stay even above the limit.
    assert_eq!(folder.trim(few, &keep).removed, [6, 1].map(path));
    let last = folder.trim(0, &keep);
    assert_eq!((last.removed, last.left_bytes), ([7, 8].map(path).to_vec(), kept));
    assert_eq!(states(temp.path()), [file_name(&path(2))]);
}

#[test]
fn folders_may_share_a_limit() {
    let temp = tempfile::tempdir().expect("folder");
    let folders = ["a", "b"].map(|name| Folder::new(temp.path().join(name)));
    for folder in &folders {
        store_run(folder, 1, 1..=2, None);
    }
    let path = |of: usize, frame| file(&folders[of], "fa311111", frame);
    let ages = [(0, 1, 40), (1, 1, 30), (0, 2, 20), (1, 2, 10)];
    ages.iter().for_each(|(of, frame, minutes)| age(&path(*of, *frame), *minutes, *minutes));
    let one = fs::metadata(path(1, 2)).expect("there").len();
    let trimmed = trim(&folders, one, &[]);
    assert_eq!(trimmed.removed, [path(0, 1), path(1, 1), path(0, 2)]);
    assert_eq!(trimmed.left_bytes, one);
    let lines = |of: usize| fs::read_to_string(folders[of].path().join("index.tsv")).expect("there").lines().count();
    assert_eq!((lines(0), lines(1)), (1, 2));
}

#[test]
fn a_query_counts_as_use() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    store_run(&folder, 1, 1..=3, None);
    let path = |frame| file(&folder, "fa311111", frame);
    (1..=3).for_each(|frame| age(&path(frame), 100 - frame as u64, 100 - frame as u64));
    assert_eq!(folder.find(1, key(1, 1)), Some(path(1)));
    let limit = [1, 3].map(|frame| fs::metadata(path(frame)).expect("there").len()).iter().sum();
    assert_eq!(folder.trim(limit, &[]).removed, [path(2)]);
}

#[cfg(unix)]
#[test]
fn a_file_of_several_takes_counts_once_and_is_removed_with_all_names() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    store_run(&folder, 1, 1..=3, None);
    store_run(&folder, 2, 3..=10, Some(key(1, 2)));
    let second = own_take(2, 3);
    let all = states(temp.path());
    assert_eq!(all.len(), 3 + 10);
    let bytes = |path: PathBuf| fs::metadata(path).expect("there").len();
    let total: u64 = (1..=3).map(|frame| bytes(file(&folder, "fa311111", frame))).sum::<u64>()
        + (3..=10).map(|frame| bytes(file(&folder, &second, frame))).sum::<u64>();
    let planned = trim_plan(std::slice::from_ref(&folder), 0, &[]);
    assert_eq!((planned.removed.len(), planned.bytes), (13, total));
    (1..=2).for_each(|frame| age(&file(&folder, "fa311111", frame), 50 - frame as u64, 50 - frame as u64));
    // Frame 1 is the oldest, but its other name is in the list to keep.
    let trimmed = folder.trim(total - 1, &[file(&folder, "fa311111", 1)]);
    assert_eq!(trimmed.removed.len(), 2, "{trimmed:?}");
    assert!(trimmed.removed.iter().all(|path| file_name(path).contains(".0002.")), "{trimmed:?}");
    assert_eq!(states(temp.path()).len(), 11);
}

#[test]
fn files_of_other_programs_are_neither_trimmed_nor_cleared() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    store_run(&folder, 1, 1..=3, None);
    fs::write(file(&folder, "fa311111", 2), "").expect("emptied");
    let theirs = ["flow.01234567.0001.exr", "flow.exr", "plate.0001.exr", ".flow.tmp", "notes.txt", ".claims/notes"];
    let claims = temp.path().join(".claims");
    fs::create_dir(&claims).expect("made");
    for name in theirs {
        fs::write(temp.path().join(name), "theirs").expect("written");
    }
    fs::create_dir(temp.path().join("flow.01234567.0002.exr")).expect("made");
    let left = [claims.join(format!("{:032x}.1.claim", 9)), temp.path().join(".flow.fa311111.5.elsewhere.7.9.x.tmp")];
    for path in &left {
        fs::write(path, "").expect("written");
        age(path, 61, 61);
    }
    assert!(names(temp.path()).contains(&"index.tsv".to_owned()));
    assert_eq!(folder.trim(0, &[]).removed.len(), 3);
    store_run(&folder, 1, 1..=3, None);
    for path in &left {
        fs::write(path, "").expect("written");
        age(path, 61, 61);
    }
    assert_eq!(folder.clear().expect("cleared"), 3);
    let mut expected: Vec<String> = theirs[..5].iter().map(|&name| name.to_owned()).collect();
    expected.extend([".claims".into(), "flow.01234567.0002.exr".into()]);
    expected.sort();
    assert_eq!(names(temp.path()), expected);
    assert_eq!(names(&claims), ["notes"]);
    fs::remove_file(claims.join("notes")).expect("removed");
    assert_eq!(folder.clear().expect("cleared"), 0);
    assert!(!claims.exists());
    assert!(!folder.has_between(FAMILY, 1, 3, &mut || true));
}

#[test]
fn files_of_live_processes_are_not_cleared() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    store_run(&folder, 1, 1..=2, None);
    // Files of another machine, whose processes cannot be queried; they are young.
    let (claim, temporary) = (format!("{:032x}.claim", 9), ".flow.fa311111.5.elsewhere.7.9.x.tmp");
    let own = folder.claim(3).expect("claimed");
    let elsewhere = "flow claim 1\nmachine elsewhere\npid 1\nstart 5\nid 77\nbeat 0\n";
    fs::write(temp.path().join(".claims").join(&claim), elsewhere).expect("written");
    fs::write(temp.path().join(temporary), "half a state").expect("written");
    let mut written = 0;
    let stored = folder.store(&header(key(1, 3), 3), &[key(1, 2)], |out| {
        written += 1;
        assert_eq!(Folder::new(temp.path().into()).clear().expect("cleared"), 2);
        out.write_all(b"a state")
    });
    assert_eq!(file_name(&stored.expect("stored")), "flow.fa311111.0003.exr");
    assert_eq!(written, 1, "its temporary was left alone");
    assert_eq!(names(temp.path()), [".claims", temporary, "flow.fa311111.0003.exr", "index.tsv"]);
    assert_eq!(names(&temp.path().join(".claims")), [format!("{:032x}.claim", 3), claim.clone()]);
    drop(own);
    assert_eq!(names(&temp.path().join(".claims")), [claim]);
}

#[test]
fn a_state_whose_file_is_removed_during_writing_is_written_again() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().join("shot"));
    let store = |times: usize| {
        let mut written = 0;
        let stored = folder.store(&header(key(1, 3), 3), &[], |out| {
            written += 1;
            if written <= times {
                let ours = names(folder.path()).into_iter().filter(|name| name.ends_with(".tmp"));
                ours.for_each(|name| fs::remove_file(folder.path().join(name)).expect("removed"));
            }
            out.write_all(b"a state")
        });
        assert!(names(folder.path()).iter().all(|name| !name.ends_with(".tmp")));
        stored
    };
    let error = store(2).expect_err("removed again and again").to_string();
    assert!(error.contains("another process removed the file") && error.contains("Render the frame again"), "{error}");
    assert_eq!(states(folder.path()), Vec::<String>::new());
    store(1).expect("the second time");
    assert_eq!(states(folder.path()), ["flow.fa311111.0003.exr"]);
}

#[test]
fn leftovers_are_files_of_dead_processes() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    let claims = temp.path().join(".claims");
    fs::create_dir(&claims).expect("made");
    let elsewhere = "flow claim 1\nmachine elsewhere\npid 1\nstart 5\nid 77\nbeat 0\n";
    let live = claims.join(format!("{:032x}.claim", 1));
    let silent = claims.join(format!("{:032x}.claim", 2));
    let writing = temp.path().join(".flow.fa311111.5.elsewhere.7.9.x.tmp");
    let left = temp.path().join(".flow.fa311111.6.elsewhere.7.9.x.tmp");
    for path in [&live, &silent] {
        fs::write(path, elsewhere).expect("written");
    }
    for path in [&writing, &left] {
        fs::write(path, "half a state").expect("written");
    }
    // A dead claim that another machine's live claim has superseded must stay.
    let superseded = claims.join(format!("{:032x}.claim", 3));
    fs::write(&superseded, elsewhere).expect("written");
    fs::write(claims.join(format!("{:032x}.1.claim", 3)), elsewhere.replace("77", "78")).expect("written");
    for path in [&silent, &left, &superseded] {
        age(path, 61, 61);
    }
    let trimmed = folder.trim(u64::MAX, &[]);
    assert_eq!(trimmed.leftovers, [left, silent]);
    assert!(live.exists() && writing.exists() && superseded.exists());
    assert!(trimmed.leftovers.iter().all(|path| !path.exists()));
}
