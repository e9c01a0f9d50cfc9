//! The command: output, files and exit codes.

mod common;

use std::path::Path;
use std::process::Output;

use common::{command, library};
use flow_host::io::{self, FileOptions};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the command runs")
}

#[track_caller]
fn fails(code: i32, words: &str, line: &str) {
    let folder = tempfile::tempdir().expect("folder");
    let output = run(folder.path(), &line.split_whitespace().collect::<Vec<_>>());
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{line}: {error}");
    assert!(error.contains(words), "{line}: '{words}' in {error}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("folder").count(), 0, "nothing written");
}

const INVERT: &str = "render BUNDLE --plugin org.flowofx.test.Invert";

#[test]
fn wrong_usage_exits_with_two_and_lists_the_valid_names() {
    let more = "--size 8x8 --frames 1 -o a.exr";
    fails(2, "Invert, org.flowofx.test.Average", &format!("render BUNDLE --plugin x {more}"));
    fails(2, "has several plug-ins", &format!("render BUNDLE {more}"));
    fails(2, "did you mean amount?", &format!("{INVERT} {more} --set amout=1"));
    fails(2, "expected a number, found 'x'", &format!("{INVERT} {more} --set amount=x"));
    fails(2, "expected NAME@FRAME=VALUE", &format!("{INVERT} {more} --key amount=1"));
    fails(2, "has no clip 'Sorce'", &format!("{INVERT} {more} --clip Sorce=constant:0,0,0,0"));
    fails(2, "input Source: ", &format!("{INVERT} {more} --clip Source=constant:0,x"));
    fails(2, "four numbers", &format!("{INVERT} {more} --clip Source=constant:0,x"));
    fails(2, "expected width x height", &format!("{INVERT} --size 8 --frames 1 -o a.exr"));
    fails(2, "between 1 and", &format!("{INVERT} --size 0x8 --frames 1 -o a.exr"));
    fails(2, "before the first", &format!("{INVERT} --size 8x8 --frames 9-1 -o a.####.exr"));
    fails(2, "such as OUT.####.exr", &format!("{INVERT} --size 8x8 --frames 1-3 -o a.exr"));
    fails(2, "only exr and png", &format!("{INVERT} --size 8x8 --frames 1 -o a.jpg"));
    fails(2, "unknown host 'maya'", &format!("{INVERT} {more} --host maya"));
    fails(2, "unknown order", &format!("{INVERT} {more} --order sideways"));
    fails(2, "unknown depth", &format!("{INVERT} {more} --depth deep"));
    fails(2, "its depths are", &format!("{INVERT} {more} --depth half"));
    fails(2, "unknown --missing", &format!("{INVERT} {more} --missing maybe"));
    fails(2, "render scale", &format!("{INVERT} {more} --scale 0"));
    fails(2, "has no context", &format!("{INVERT} {more} --context generator"));
    fails(2, "unexpected argument", &format!("{INVERT} {more} --nonsense"));
    fails(2, "--size", &format!("{INVERT} --frames 1 -o a.exr"));
    fails(2, "no camera input in context", &format!("{INVERT} {more} --camera focal=35"));
    fails(2, "has no 'fokal'", &format!("{INVERT} {more} --host nuke --camera fokal=35"));
    fails(1, "cannot be read", &format!("{INVERT} {more} --host nuke --camera shot.chan"));
}

#[test]
fn failures_of_bundles_files_and_plug_ins_exit_with_one() {
    fails(1, "no such bundle", "list nowhere.ofx.bundle");
    fails(1, "no image of Source at frame 1", &format!("{INVERT} --size 8x8 --frames 1 -o a.exr"));
    fails(1, "(input Source)", &format!("{INVERT} --size 8x8 --frames 1 -o a.exr --clip Source=b.####.exr"));
    fails(1, "no file of this sequence", &format!("{INVERT} --size 8x8 --frames 1 -o a.exr --clip Source=b.####.exr"));
    fails(1, "there is no folder", &format!("{INVERT} --size 8x8 --frames 1 -o no/a.exr"));
    fails(
        1,
        "rude at frame 4",
        "render BUNDLE --plugin org.flowofx.test.Rude --size 8x8 --frames 4 -o a.exr --set how=7",
    );
}

#[test]
fn errors_about_a_bundle_list_its_contents() {
    let folder = tempfile::tempdir().expect("folder");
    let list = |path: &str| {
        let output = run(folder.path(), &["list", path]);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    std::fs::create_dir_all(folder.path().join("A.ofx.bundle/Contents/Plan9")).expect("folder");
    let (code, error) = list("A.ofx.bundle");
    assert_eq!(code, Some(1));
    assert!(error.contains("no library for this system") && error.contains("Plan9"), "{error}");
    assert!(list("B.ofx.bundle").1.contains(" has A.ofx.bundle"));
    assert!(list(".").1.contains("a folder with bundles: A.ofx.bundle"));
    std::fs::write(folder.path().join("text.ofx"), "text").expect("written");
    assert!(list("text.ofx").1.contains("cannot be loaded"));
}

#[test]
fn list_and_describe_print_the_plug_ins() {
    let folder = tempfile::tempdir().expect("folder");
    let listed = run(folder.path(), &["list", "BUNDLE"]);
    let text = String::from_utf8_lossy(&listed.stdout);
    assert!(text.contains("org.flowofx.test.Average\t1.2\tAverage\tfilter, general"), "{text}");
    let described = run(folder.path(), &["describe", "BUNDLE", "--plugin", "org.flowofx.test.Invert", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&described.stdout).expect("JSON");
    assert_eq!(json["params"][0]["name"], "amount");
    assert_eq!(json["params"][0]["range"], serde_json::json!([0.0, 1.0]));
    assert_eq!(json["params"][0]["hint"], "How much of the inverse is shown");
    let markdown = run(folder.path(), &["describe", "BUNDLE", "--plugin", "org.flowofx.test.Values"]);
    let text = String::from_utf8_lossy(&markdown.stdout);
    assert!(text.contains("### group") && text.contains("| Red, Green, Blue |"), "{text}");
}

#[test]
fn devices_are_printed_for_bundles_that_report_them() {
    fails(2, "no bundle that uses graphics devices", "devices");
    fails(2, "no bundle that uses graphics devices", "devices BUNDLE");
    fails(1, "no such bundle", "devices nowhere.ofx.bundle --json");
    fails(2, "unexpected argument", "devices BUNDLE --nonsense");
}

#[test]
fn a_render_writes_frames_and_statistics() {
    let folder = tempfile::tempdir().expect("folder");
    let line = "render BUNDLE --plugin org.flowofx.test.Average --size 12x8 --origin -4,2 \
                --frames 2-8x3 --order reverse --threads 2 --stats s.json -o o.####.exr \
                --clip Source=constant:0.25,0.5,0.75,1";
    let output = run(folder.path(), &line.split_whitespace().collect::<Vec<_>>());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for frame in [2, 5, 8] {
        let path = folder.path().join(format!("o.{frame:04}.exr"));
        let image = io::read(&path, FileOptions::default(), (0, 0)).expect("written");
        assert_eq!(image.bounds(), flow_host::RectI::new(-4, 2, 8, 10));
        assert_eq!(image.pixel(7, 9), [0.25, 0.5, 0.75, 1.0]);
    }
    let stats = std::fs::read_to_string(folder.path().join("s.json")).expect("statistics");
    let stats: serde_json::Value = serde_json::from_str(&stats).expect("JSON");
    let frames = stats["frames"].as_array().expect("frames");
    assert_eq!(frames.len(), 3);
    assert!(frames.iter().all(|f| f["steps"] == 3 && f["from"] == "simulated" && f["inputs"] == 3));
}

#[test]
fn a_job_connects_nodes_and_edits_between_renders() {
    let folder = tempfile::tempdir().expect("folder");
    let job = format!(
        r#"
        bundle = "{}"
        size = "8x4"
        frames = "1-3"
        stats = "s.json"

        [[node]]
        name = "average"
        plugin = "org.flowofx.test.Average"
        clips.Source = "node:invert"

        [[node]]
        name = "invert"
        plugin = "org.flowofx.test.Invert"
        clips.Source = "constant:1,1,1,1"
        keys.amount = {{ 1 = 0.5, 3 = 1 }}

        [[render]]
        node = "average"
        output = "a.####.exr"

        [[render]]
        node = "average"
        output = "b.####.exr"
        order = "random:3"
        frames = "2"
        edit = [{{ node = "invert", set.amount = 0.25 }}]

        [[render]]
        node = "average"
        output = "c.exr"
        frames = "2"
        edit = [{{ node = "invert", undo = true }}]
        "#,
        library().display()
    );
    std::fs::write(folder.path().join("job.toml"), &job).expect("written");
    let output = run(folder.path(), &["render", "--job", "job.toml"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let red = |name: &str| {
        let path = folder.path().join(name);
        io::read(&path, FileOptions::default(), (0, 0)).expect("written").pixel(3, 3)[0]
    };
    assert!((red("a.0002.exr") - 0.25).abs() < 1e-6);
    assert!((red("b.0002.exr") - 0.75).abs() < 1e-6);
    assert!((red("c.exr") - 0.25).abs() < 1e-6);
    for (from, to, words) in [
        ("size =", "sise =", "unknown field `sise`"),
        ("node:invert", "node:other", "no node 'other'; there are average, invert"),
        ("order =", "ordr =", "unknown field `ordr`"),
        ("constant:1,1,1,1", "node:average", "makes a loop"),
    ] {
        std::fs::write(folder.path().join("bad.toml"), job.replace(from, to)).expect("written");
        let output = run(folder.path(), &["render", "--job", "bad.toml"]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(words), "{words} in {error}");
    }
}
