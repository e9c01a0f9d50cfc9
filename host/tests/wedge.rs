//! The command `wedge`: combinations, what it writes, failures, and runs that go on after they were stopped.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

use common::{command, library};
use flow_host::io::{self, FileOptions};

/// Runs a line of words; `~` stands for a space within a word.
fn run(folder: &Path, line: &str) -> Output {
    let words: Vec<String> = line.split_whitespace().map(|word| word.replace('~', " ")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    command(folder, &words).output().expect("the command runs")
}

#[track_caller]
fn succeeds(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The command fails with this exit code, and says each of the words in one line.
#[track_caller]
fn fails(code: i32, words: &[&str], line: &str) {
    let folder = tempfile::tempdir().expect("folder");
    let output = run(folder.path(), line);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{line}: {error}");
    let said = |line: &str| words.iter().all(|words| line.contains(words));
    assert!(error.lines().any(said), "{line}: {words:?} in {error}");
    assert_eq!(fs::read_dir(folder.path()).expect("folder").count(), 0, "nothing written");
}

/// All files below a folder by their relative names, without those that hold times and locks.
fn pictures(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "exr") {
                let name = path.strip_prefix(folder).expect("inside").to_owned();
                found.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    found
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

const VALUES: &str = "wedge BUNDLE --plugin org.flowofx.test.Values --size 24x4 --frames 1-2 --out w";
const AVERAGE: &str =
    "wedge BUNDLE --plugin org.flowofx.test.Average --clip Source=constant:0.25,0.5,0.75,1 --size 12x8 --out w";

#[test]
fn every_combination_is_what_a_render_with_its_values_is() {
    let folder = tempfile::tempdir().expect("folder");
    let line = format!("{VALUES} --vary number=1,2.5 --vary choice=blue,0 --vary centre=3,4;5,6 --set flag=true");
    let printed = succeeds(folder.path(), &line);
    let out = folder.path().join("w");
    let combinations = [
        ("1", "Blue", "3,4"),
        ("1", "Blue", "5,6"),
        ("1", "Red", "3,4"),
        ("1", "Red", "5,6"),
        ("2.5", "Blue", "3,4"),
        ("2.5", "Blue", "5,6"),
        ("2.5", "Red", "3,4"),
        ("2.5", "Red", "5,6"),
    ];
    let mut different = BTreeMap::new();
    for (number, choice, centre) in combinations {
        let name = format!("number-{number}_choice-{choice}_centre-{}", centre.replace(',', "x"));
        let plain = format!(
            "render BUNDLE --plugin org.flowofx.test.Values --size 24x4 --frames 1-2 -o plain.####.exr --set flag=true \
             --set number={number} --set choice={choice} --set centre={centre}"
        );
        succeeds(folder.path(), &plain);
        for frame in ["0001", "0002"] {
            let picture = fs::read(out.join(&name).join(format!("frame.{frame}.exr"))).expect("a frame");
            assert!(picture == fs::read(folder.path().join(format!("plain.{frame}.exr"))).expect("there"), "{name}");
            different.insert(picture, ());
        }
        assert!(printed.contains(&format!("| {number} | {choice} | {centre} | complete | 2 |")), "{printed}");
        // The folder's job file renders the combination again.
        let again = format!("render --job w/{name}/job.toml --stats again.json");
        succeeds(folder.path(), &again);
    }
    assert_eq!(different.len(), 16, "all combinations differ");
    assert_eq!(names(&out).len(), 8 + 2, "{:?}", names(&out));
    let table = fs::read_to_string(out.join("wedge.csv")).expect("a table");
    assert!(table.starts_with("number,choice,centre,result,frames,simulated,seconds,seconds a frame\r\n"), "{table}");
    assert!(table.contains("\r\n2.5,Red,\"5,6\",complete,2,"), "{table}");
    assert_eq!(table.lines().count(), 1 + 8);
    let sheet = io::read(&out.join("wedge.png"), FileOptions::default(), (0, 0)).expect("a sheet");
    let bounds = sheet.bounds();
    let bright = |x: i32, y: i32| sheet.pixel(x, y)[1] > 0.2;
    let ink = (bounds.x1..bounds.x2)
        .flat_map(|x| (bounds.y1..bounds.y2).map(move |y| (x, y)))
        .filter(|(x, y)| bright(*x, *y));
    assert!(ink.count() > 8 * 100, "labels and pictures");
}

#[test]
fn misuse_is_one_message_and_writes_nothing() {
    fails(2, &["nothing varies", "--vary"], VALUES);
    fails(2, &["has no parameter 'nmber'", "did you mean number?"], &format!("{VALUES} --vary nmber=1,2"));
    fails(
        2,
        &["no plug-in 'x'", "org.flowofx.test.Invert"],
        "wedge BUNDLE --plugin x --size 8x8 --frames 1 --out w --vary a=1",
    );
    fails(2, &["choice: no option 'Pink'", "'Red', 'Green', 'Blue'"], &format!("{VALUES} --vary choice=Red,Pink"));
    let invert =
        "wedge BUNDLE --plugin org.flowofx.test.Invert --size 8x8 --frames 1 --out w --clip Source=constant:1,1,1,1";
    fails(2, &["amount", "3 is outside 0 to 1"], &format!("{invert} --vary amount=0,3"));
    fails(2, &["amount", "expected a number", "'x'"], &format!("{invert} --vary amount=0,x"));
    fails(2, &["amount: 0.5 is given twice"], &format!("{invert} --vary amount=0.5,0.50"));
    fails(2, &["amount: an empty value"], &format!("{invert} --vary amount=0,,1"));
    fails(2, &["FIRST..LAST/COUNT"], &format!("{invert} --vary amount=0..1"));
    fails(2, &["--vary amount is given twice"], &format!("{invert} --vary amount=0 --vary amount=1"));
    fails(2, &["expected NAME=VALUE"], &format!("{invert} --vary amount"));
    fails(2, &["amount has keys"], &format!("{invert} --vary amount=0,1 --key amount@1=1"));
    fails(2, &["button is a button"], &format!("{VALUES} --vary button=1"));
    fails(2, &["11 combinations are more than 10", "--limit"], &format!("{invert} --vary amount=0..1/11 --limit 10"));
    fails(
        2,
        &["9 × 8 = 72 combinations are more than 64"],
        &format!("{VALUES} --vary number=0..1/9 --vary whole=1..8/8"),
    );
    fails(2, &["--sheet-frame 7 is none of the frames"], &format!("{invert} --vary amount=0,1 --sheet-frame 7"));
    fails(2, &["--stats"], &format!("{invert} --vary amount=0,1 --stats s.json"));
    fails(2, &["only exr and png"], &format!("{invert} --vary amount=0,1 -o a.jpg"));
    fails(2, &["no node 'a'"], &format!("{invert} --vary a.amount=0,1"));
    fails(1, &["there is no folder"], &format!("{invert} --vary amount=0,1 --out no/w").replacen("--out w", "", 1));
    fails(
        1,
        &["b.0001.exr", "is missing"],
        &invert.replace("constant:1,1,1,1", "b.####.exr").replace("--out w", "--out w --vary amount=0,1"),
    );
    fails(
        2,
        &["has no clip 'Sorce'"],
        &invert.replace("Source=", "Sorce=").replace("--out w", "--out w --vary amount=0,1"),
    );
}

#[test]
fn a_failed_combination_is_named_and_the_others_are_rendered() {
    let folder = tempfile::tempdir().expect("folder");
    let line = "wedge BUNDLE --plugin org.flowofx.test.Rude --size 8x8 --frames 1-3 --out w --vary how=0,7,10";
    let output = run(folder.path(), line);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("how = 7: ") && error.contains("rude at frame 1 of the test"), "{error}");
    assert!(error.contains("how = 10: frame 2: frame 2 is shallow"), "{error}");
    assert!(error.ends_with("1 of 3 combinations failed, see above; the same command tries them again\n"), "{error}");
    let count = |name: &str| pictures(&folder.path().join("w").join(name)).len();
    assert_eq!([count("how-0"), count("how-7"), count("how-10")], [3, 0, 3]);
    let table = fs::read_to_string(folder.path().join("w/wedge.csv")).expect("a table");
    assert!(table.contains("\r\n7,failed,,,,\r\n") && table.contains("\r\n10,complete,3,"), "{table}");
    assert!(folder.path().join("w/wedge.png").is_file());
    // The same command tries the failed one again, and only that.
    let again = run(folder.path(), line);
    let error = String::from_utf8_lossy(&again.stderr);
    assert_eq!(again.status.code(), Some(1), "{error}");
    assert!(error.contains("how = 7: ") && !error.contains("how = 10: "), "{error}");
}

/// When each picture was written.
fn written(folder: &Path) -> BTreeMap<PathBuf, SystemTime> {
    let time = |name: &PathBuf| fs::metadata(folder.join(name)).and_then(|found| found.modified()).expect("a time");
    pictures(folder).into_keys().map(|name| (name.clone(), time(&name))).collect()
}

#[test]
fn complete_combinations_are_left_alone_and_missing_frames_are_rendered() {
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().join("w");
    let line = format!("{AVERAGE} --frames 1-4 --vary radius=0,1");
    succeeds(folder.path(), &line);
    let (first, times) = (pictures(&out), written(&out));
    assert_eq!(first.len(), 8);
    assert!(succeeds(folder.path(), &line).contains("| 0 | complete | 4 |"), "the times of the first run");
    assert_eq!(written(&out), times, "nothing is rendered again");

    let (lost, half) = (PathBuf::from("radius-1/frame.0003.exr"), out.join("radius-1/.frame.0003.exr.77.0.part"));
    fs::remove_file(out.join(&lost)).expect("removed");
    fs::write(&half, &first[&lost][..100]).expect("written");
    succeeds(folder.path(), &line);
    assert_eq!(pictures(&out), first);
    let again = written(&out);
    assert!(times.iter().all(|(name, time)| (again[name] == *time) == (*name != lost)), "only the missing frame");
    assert!(!half.exists(), "what a killed process left is removed");

    // More frames of the same settings are added to those that are there.
    succeeds(folder.path(), &line.replace("1-4", "1-6"));
    assert_eq!(pictures(&out).len(), 12);
    assert!(times.iter().filter(|(name, _)| **name != lost).all(|(name, time)| written(&out)[name] == *time));
}

#[test]
fn frames_of_other_settings_are_rendered_again() {
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().join("w");
    let line = format!("{AVERAGE} --frames 1-4 --vary radius=0,1");
    succeeds(folder.path(), &line);
    let other = line.replace("0.25,0.5", "0.5,0.5").replace("1-4", "1-2");
    succeeds(folder.path(), &other);
    let there = pictures(&out);
    assert_eq!(there.len(), 4, "frames 3 and 4 were of the other settings");
    for name in there.keys() {
        let image = io::read(&out.join(name), FileOptions::default(), (0, 0)).expect("a picture");
        assert_eq!(image.pixel(3, 3)[0], 0.5);
    }
}

#[cfg(unix)]
#[test]
fn a_killed_wedge_goes_on_and_gives_the_same_files() {
    let line = format!("{AVERAGE} --frames 1-12 --vary radius=80,81 --jobs 2").replace("12x8", "96x64");
    let whole = tempfile::tempdir().expect("folder");
    succeeds(whole.path(), &line);
    let want = pictures(&whole.path().join("w"));
    assert_eq!(want.len(), 24);

    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().join("w");
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut killed = command(folder.path(), &words).stderr(Stdio::null()).spawn().expect("starts");
    let started = Instant::now();
    let count = || if out.is_dir() { pictures(&out).len() } else { 0 };
    while count() < 3 {
        assert!(started.elapsed() < Duration::from_secs(60), "no frames within a minute");
        std::thread::sleep(Duration::from_millis(2));
    }
    // SIGKILL.
    killed.kill().expect("killed");
    killed.wait().expect("ended");
    // Its processes end, too.
    let mut there = count();
    loop {
        std::thread::sleep(Duration::from_millis(300));
        match count() {
            now if now == there => break,
            now => there = now,
        }
    }
    assert!((3..24).contains(&there), "{there} frames: the test needs a slower render");
    assert!(!out.join("wedge.csv").exists());
    for (name, bytes) in pictures(&out) {
        assert!(bytes == want[&name], "{} is there and not complete", name.display());
    }
    let times = written(&out);
    succeeds(folder.path(), &line);
    assert!(pictures(&out) == want, "the same files");
    let again = written(&out);
    assert!(times.iter().all(|(name, time)| again[name] == *time), "frames that were there stay");
}

#[test]
fn a_job_file_varies_the_values_of_its_nodes() {
    let folder = tempfile::tempdir().expect("folder");
    let job = format!(
        r#"
        bundle = "{}"
        size = "8x4"
        frames = "1-2"

        [[node]]
        name = "average"
        plugin = "org.flowofx.test.Average"
        clips.Source = "node:invert"
        vary = {{ radius = [0, 2] }}

        [[node]]
        name = "invert"
        plugin = "org.flowofx.test.Invert"
        clips.Source = "plate.exr"
        vary = {{ amount = "0.5..1/2" }}

        [[render]]
        node = "average"
        output = "frames/a.####.exr"

        [[render]]
        node = "invert"
        output = "still.exr"
        frames = "1"
        "#,
        library().display()
    );
    fs::write(folder.path().join("job.toml"), &job).expect("written");
    let plate = flow_host::Image::from_fn(flow_host::RectI::new(0, 0, 8, 4), |_, _| [1.0; 4]);
    io::write(&folder.path().join("plate.exr"), &plate, plate.bounds(), FileOptions::default()).expect("written");
    fs::create_dir(folder.path().join("other")).expect("made");
    // From another folder: names in the job are relative to the job file.
    let other = folder.path().join("other");
    succeeds(&other, "wedge --job ../job.toml --out w");
    let red = |name: &str| {
        io::read(&other.join("w").join(name), FileOptions::default(), (0, 0)).expect("there").pixel(1, 1)[0]
    };
    assert_eq!(red("average.radius-0_invert.amount-0.5/a.0002.exr"), 0.5);
    assert_eq!(red("average.radius-2_invert.amount-1/a.0001.exr"), 0.0);
    assert_eq!(red("average.radius-2_invert.amount-0.5/still.exr"), 0.5);
    // A flag replaces the list of one parameter.
    succeeds(&other, "wedge --job ../job.toml --out v --vary invert.amount=0.25 --no-sheet");
    assert_eq!(names(&other.join("v")), ["average.radius-0_invert.amount-0.25", "average.radius-2_invert.amount-0.25"]);
    // A render has no use for the lists.
    fs::create_dir(folder.path().join("frames")).expect("made");
    succeeds(folder.path(), "render --job job.toml");
    let output = run(&other, "wedge --job ../job.toml --out u --vary amount=1");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("of which node? Write NODE.amount; there are average, invert")
    );
    assert!(!other.join("u").exists());
}

#[test]
fn a_template_has_a_task_for_each_combination() {
    let folder = tempfile::tempdir().expect("folder");
    let line = format!("{VALUES} --vary centre=1,2;3,4 --vary text=a~b,c --openjd wedge.json");
    let printed = succeeds(folder.path(), &line);
    assert_eq!(printed, "wedge.json: 4 tasks\n");
    assert_eq!(names(&folder.path().join("w")), ["wedge.toml"], "nothing is rendered");
    let text = fs::read_to_string(folder.path().join("wedge.json")).expect("a template");
    let template: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let space = &template["steps"][0]["parameterSpace"];
    assert_eq!(space["combination"], "centre * text");
    assert_eq!(space["taskParameterDefinitions"][0]["range"], serde_json::json!(["1,2", "3,4"]));
    assert_eq!(template["parameterDefinitions"][2]["default"], "w");
    // A task renders its own combination, into the folder of the wedge.
    succeeds(folder.path(), "wedge --job w/wedge.toml --out w --vary centre=3,4; --vary text=a~b; --no-sheet");
    assert_eq!(names(&folder.path().join("w")), ["centre-3x4_text-a-b", "wedge.toml"]);
    succeeds(folder.path(), "wedge --job w/wedge.toml --out w");
    assert_eq!(names(&folder.path().join("w")).len(), 4 + 3);
}
