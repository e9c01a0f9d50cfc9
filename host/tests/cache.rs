//! `flow-host cache`: output, removed files and exit codes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use flow_cache::{BlobRows, Folder, Header, Layer, Serial, encode};

const FAMILY: u128 = 0xfa31_1111 << 96;

/// A folder of shots: "one" has frames 1 to 5 and a second version of 4 to 11, "two" has every fifth frame.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a temporary folder"));
        place.store("one", 1, 1..=5, None);
        place.store("one", 2, 4..=11, Some(key(1, 3)));
        place.store("two", 3, [1, 6, 11], None);
        fs::create_dir(place.0.path().join("plates")).expect("made");
        fs::write(place.0.path().join("plates/flow.exr"), "somebody's").expect("written");
        place
    }

    fn store(&self, shot: &str, version: u8, frames: impl IntoIterator<Item = i64>, mut previous: Option<u128>) {
        let folder = Folder::new(self.0.path().join(shot));
        for frame in frames {
            let values: Vec<i32> = (0..20).map(|cell| cell * i32::from(version)).collect();
            let planes = [BlobRows::ints("depth", |y| &values[y * 5..][..5])];
            let layers = [Layer { names: vec!["R".into()], row: Box::new(|_, row| row.fill([0.5; 4])) }];
            let mut header = Header {
                key: key(version, frame),
                family: FAMILY,
                model: "org.flowofx.Test".into(),
                version: 3,
                frame,
                index: frame as u64 - 1,
                shape: vec![3, 2],
                origin: vec![0.0, 0.0],
                cells_per_pixel: 0.5,
                numbers: BTreeMap::from([("inflow".to_owned(), u64::MAX)]),
                parameters: "speed 4\nrain 0.5".into(),
                state: 0,
            };
            header.seal(&planes);
            folder
                .store(&header, previous.as_slice(), |out| encode(&header, &planes, &layers, &Serial, out))
                .expect("stored");
            previous = Some(header.key);
        }
    }

    /// Standard output, error output and exit code of the command.
    fn run(&self, line: &str) -> (String, String, Option<i32>) {
        let output = Command::new(env!("CARGO_BIN_EXE_flow-host"))
            .current_dir(self.0.path())
            .arg("cache")
            .args(line.split_whitespace())
            .output()
            .expect("the command runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (text(output.stdout), text(output.stderr), output.status.code())
    }

    #[track_caller]
    fn output(&self, line: &str) -> String {
        let (printed, error, code) = self.run(line);
        assert_eq!((error.as_str(), code), ("", Some(0)), "{line}: {printed}");
        printed
    }

    #[track_caller]
    fn json(&self, line: &str) -> serde_json::Value {
        serde_json::from_str(&self.output(line)).expect("JSON")
    }

    fn files(&self, shot: &str) -> usize {
        let entries = fs::read_dir(self.0.path().join(shot)).expect("there").flatten();
        entries.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "exr")).count()
    }
}

fn key(version: u8, frame: i64) -> u128 {
    u128::from(version) << 120 | u128::from(frame.unsigned_abs()) << 96 | 7
}

#[test]
fn takes_are_listed_as_sequences() {
    let place = Place::new();
    let text = place.output("ls .");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    let first: Vec<&str> = lines[0].split('\t').collect();
    assert!(first[0].ends_with("one/flow.02000004.####.exr"), "{text}");
    assert_eq!((first[1], first[3], first[4]), ("1-11", "org.flowofx.Test 3", "3×2"), "{text}");
    assert!(lines[1].contains("one/flow.fa311111.####.exr\t1-5\t") && lines[2].contains("\t1-11x5\t"), "{text}");
    // Frames 1 to 3 of both takes are the same files.
    let room: u64 = place
        .json("ls one --json")
        .as_array()
        .expect("takes")
        .iter()
        .map(|take| take["bytes"].as_u64().expect("a size"))
        .sum();
    assert!(lines[3].starts_with("3 takes of 19 files, "), "{text}");
    let total = |text: &str| text.lines().last().expect("a line").to_owned();
    assert!(total(&place.output("ls one")).starts_with("2 takes of 16 files, "));
    assert_ne!(
        total(&place.output("ls one")),
        format!("2 takes of 16 files, {}", bytesize::ByteSize::b(room).display().si())
    );

    let takes = place.json("ls . --json");
    assert_eq!(takes[2]["frames"], "1-11x5");
    assert_eq!(
        (&takes[2]["count"], &takes[2]["bad"], &takes[2]["shape"]),
        (&3.into(), &0.into(), &serde_json::json!([3, 2]))
    );
    let files = place.json("ls one --files --json");
    assert_eq!(files.as_array().map(Vec::len), Some(16));
    assert_eq!(files[4]["key"], format!("{:032x}", key(2, 5)));
    assert_eq!((&files[4]["frame"], &files[4]["take"]), (&5.into(), &"02000004".into()));
    assert_eq!(place.output("ls one --files").lines().count(), 16);
    assert_eq!(place.output("ls plates"), "0 takes of 0 files, 0 B\n");
}

#[test]
fn info_prints_the_whole_header_of_a_file() {
    let place = Place::new();
    let text = place.output("info two/flow.fa311111.0006.exr");
    for line in [
        "frame: 6",
        "index: 5",
        "model: org.flowofx.Test",
        "cellsPerPixel: 0.5",
        "inflow: ffffffffffffffff",
        "speed 4",
        "rain 0.5",
    ] {
        assert!(text.lines().any(|found| found.trim() == line), "{line} in {text}");
    }
    assert!(text.contains(&format!("key: {:032x}", key(3, 6))), "{text}");
    let json = place.json("info two/flow.fa311111.0006.exr --json");
    assert_eq!((&json["parameters"], &json["shape"]), (&"speed 4\nrain 0.5".into(), &serde_json::json!([3, 2])));
    assert_eq!(json["numbers"]["inflow"], "ffffffffffffffff");
    // Of a folder, the newest state of each take.
    let text = place.output("info .");
    assert_eq!(text.matches("parameters:").count(), 3, "{text}");
    assert!(text.contains("frame: 11"), "{text}");
    assert_eq!(place.json("info . --json")[2]["newestState"]["frame"], 11);
    let (_, error, code) = place.run("info plates/flow.exr");
    assert_eq!(code, Some(1));
    assert!(error.contains("plates/flow.exr is not an EXR file"), "{error}");
}

#[test]
fn verify_names_every_bad_file_and_its_fault() {
    let place = Place::new();
    assert!(place.output("verify .").starts_with("19 files whole, "));
    let path = |name: &str| place.0.path().join(name);
    // The last byte belongs to the exact state; frame 2 is in both takes.
    let damage = |name: &str| {
        let mut bytes = fs::read(path(name)).expect("there");
        *bytes.last_mut().expect("bytes") ^= 1;
        fs::write(path(name), bytes).expect("written");
    };
    damage("one/flow.fa311111.0002.exr");
    fs::rename(path("two/flow.fa311111.0006.exr"), path("two/flow.fa311111.0007.exr")).expect("renamed");
    fs::write(path("two/flow.fa311111.0012.exr"), "torn").expect("written");
    let (printed, error, code) = place.run("verify .");
    assert_eq!(code, Some(1), "{printed}{error}");
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 4, "{printed}");
    assert!(lines[0].contains("one/flow.02000004.0002.exr is damaged"), "{printed}");
    assert!(lines[1].contains("one/flow.fa311111.0002.exr is the same file"), "{printed}");
    assert!(lines[2].contains("0007.exr holds frame 6") && lines[3].contains("0012.exr is not an EXR"), "{printed}");
    assert!(error.contains("4 of 20 files cannot be used"), "{error}");
    let listed = place.output("ls two");
    assert!(listed.contains("\t1,7,11-12\t") && listed.contains("\t1 file not used\n"), "{listed}");
}

#[test]
fn gc_enforces_the_limit_and_removes_leftovers() {
    let place = Place::new();
    let left = place.0.path().join("two/.flow.fa311111.5.elsewhere.7.9.x.tmp");
    fs::write(&left, "half a state").expect("written");
    let long_ago = fs::FileTimes::new().set_modified(std::time::UNIX_EPOCH);
    fs::File::options().write(true).open(&left).expect("there").set_times(long_ago).expect("set");
    let planned = place.output("gc . --limit 0B --dry-run");
    assert!(
        planned.ends_with(" left\n") && planned.contains("would be removed: 19 states and 1 leftover, "),
        "{planned}"
    );
    assert_eq!((place.files("one"), place.files("two"), left.exists()), (16, 3, true));

    let removed = place.output("gc .");
    assert!(removed.contains("removed: 0 states and 1 leftover, 0 B; "), "{removed}");
    assert_eq!((place.files("one"), place.files("two"), left.exists()), (16, 3, false));

    let size = |shot: &str| place.json(&format!("ls {shot} --json"))[0]["bytes"].as_u64().expect("a size");
    let two = size("two");
    let removed = place.output(&format!("gc . --limit {two}B"));
    assert!(removed.contains("removed: ") && !removed.contains("would"), "{removed}");
    assert_eq!((place.files("one"), place.files("two")), (0, 3), "the shots share the limit, the older go first");
    place.output("gc two --limit 0.5kB");
    assert_eq!(place.files("two"), 0);
    assert!(place.0.path().join("plates/flow.exr").exists());
}

#[test]
fn wrong_usage_exits_with_two_and_unreadable_files_with_one() {
    let place = Place::new();
    for (code, line, words) in [
        (2, "", "Usage"),
        (2, "ls", "<FOLDER>"),
        (2, "gc . --limit lots", "--limit"),
        (1, "ls nowhere", "nowhere"),
        (1, "verify one/index.tsv", "name the folder that it claims in"),
        (1, "info nowhere.exr", "does not exist"),
    ] {
        let (printed, error, found) = place.run(line);
        assert_eq!(found, Some(code), "{line}: {printed}{error}");
        assert!(error.contains(words), "{line}: '{words}' in {error}");
    }
    fs::write(place.0.path().join("two/flow.01234567.0001.exr"), vec![0; 5000]).expect("written");
    let (_, error, code) = place.run("gc two --limit 1kB");
    assert_eq!(code, Some(1));
    assert!(error.contains("the limit is not met"), "{error}");
    assert!(Path::new(&place.0.path().join("two/flow.01234567.0001.exr")).exists());
}
