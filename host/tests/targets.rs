//! Output paths that are links, pipes, sockets, devices and folders.

#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::command;
use flow_host::io::{self, FileOptions};

/// Renders two frames into `a.####.exr`, with statistics in `s.json`.
fn render(folder: &Path) -> Output {
    let line = "render BUNDLE --plugin org.flowofx.test.Rude --size 8x8 --frames 1-2 -o a.####.exr --stats s.json";
    command(folder, &line.split(' ').collect::<Vec<_>>()).output().expect("the command runs")
}

/// Renders the same by a job file.
fn render_job(folder: &Path) -> Output {
    let job = format!(
        "bundle = {:?}\nsize = \"8x8\"\nframes = \"1-2\"\nstats = \"s.json\"\n\
         [[node]]\nplugin = \"org.flowofx.test.Rude\"\n[[render]]\noutput = \"a.####.exr\"\n",
        common::library()
    );
    fs::write(folder.join("job.toml"), job).expect("written");
    let output = command(folder, &["render", "--job", "job.toml"]).output().expect("the command runs");
    fs::remove_file(folder.join("job.toml")).expect("there");
    output
}

fn is_picture(path: &Path) -> bool {
    io::read(path, FileOptions::default(), (0, 0)).is_ok_and(|image| image.bounds().width() == 8)
}

fn is_statistics(path: &Path) -> bool {
    let text = fs::read_to_string(path).expect("statistics");
    serde_json::from_str::<serde_json::Value>(&text).is_ok_and(|stats| stats["frames"].as_array().is_some())
}

/// The names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("folder").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn outputs_are_written_through_links_and_the_links_stay() {
    for run in [render, render_job] {
        let place = tempfile::tempdir().expect("folder");
        let path = |name: &str| place.path().join(name);
        fs::create_dir(path("shelf")).expect("made");
        for name in ["old.json", "old.exr"] {
            fs::write(path("shelf").join(name), "before").expect("written");
        }
        symlink("shelf/old.json", path("s.json")).expect("linked");
        symlink(path("shelf/old.exr"), path("a.0001.exr")).expect("linked");
        // This link leads to a new file through another link.
        symlink("hop", path("a.0002.exr")).expect("linked");
        symlink("shelf/new.exr", path("hop")).expect("linked");
        let output = run(place.path());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for link in ["s.json", "a.0001.exr", "a.0002.exr", "hop"] {
            assert!(path(link).is_symlink(), "{link} is no link any more");
        }
        assert!(is_statistics(&path("shelf/old.json")));
        assert!(is_picture(&path("shelf/old.exr")) && is_picture(&path("shelf/new.exr")));
        assert_eq!(names(place.path()), ["a.0001.exr", "a.0002.exr", "hop", "s.json", "shelf"]);
        assert_eq!(names(&path("shelf")), ["new.exr", "old.exr", "old.json"]);
    }
}

/// Puts an obstacle at an output: a render refuses it before its first frame with a message, and leaves it unchanged.
#[track_caller]
fn refuses(words: &str, put: impl Fn(&Path), is_there: impl Fn(&Path) -> bool) {
    for run in [render, render_job] {
        for name in ["s.json", "a.0002.exr"] {
            let place = tempfile::tempdir().expect("folder");
            let path = place.path().join(name);
            put(&path);
            let before = names(place.path());
            let output = run(place.path());
            let text = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{name}: {text}");
            assert!(text.contains(name) && text.contains(words), "{name}: '{words}' in {text}");
            assert!(is_there(&path), "{name} was replaced");
            assert_eq!(names(place.path()), before, "{name}");
        }
    }
}

fn make(program: &str, arguments: &[&str], path: &Path) -> bool {
    Command::new(program).args(&arguments[..1]).arg(path).args(&arguments[1..]).status().is_ok_and(|s| s.success())
}

#[test]
fn outputs_replace_nothing_but_plain_files() {
    let kind = |path: &Path| fs::symlink_metadata(path).expect("there").file_type();
    let fifo = |path: &Path| assert!(make("mkfifo", &["--"], path));
    refuses("is a pipe; only plain files", fifo, |path| kind(path).is_fifo());
    let socket = |path: &Path| drop(std::os::unix::net::UnixListener::bind(path).expect("bound"));
    refuses("is a socket; only plain files", socket, |path| kind(path).is_socket());
    refuses("is a folder; name a file in it", |path| fs::create_dir(path).expect("made"), Path::is_dir);
    // The same behind links.
    let link_to = |target: &'static str| move |path: &Path| symlink(target, path).expect("linked");
    refuses("is a folder; name a file in it", link_to("."), |path| kind(path).is_symlink());
    refuses("is a device; only plain files", link_to("/dev/full"), |path| kind(path).is_symlink());
    refuses("is a link, and there is no folder", link_to("nowhere/file"), |path| kind(path).is_symlink());
    refuses("lead in a circle", |path| symlink(path, path).expect("linked"), |path| kind(path).is_symlink());
    let behind = |path: &Path| {
        let pipe: PathBuf = path.with_file_name("pipe");
        assert!(make("mkfifo", &["--"], &pipe));
        symlink("pipe", path).expect("linked");
    };
    refuses("is a pipe; only plain files", behind, |path| kind(path).is_symlink());
}

#[test]
fn a_device_node_stays_for_root_too() {
    let place = tempfile::tempdir().expect("folder");
    let path = place.path().join("s.json");
    // A device with the numbers of /dev/full; only root may make one.
    if !make("mknod", &["--", "c", "1", "7"], &path) {
        return;
    }
    let output = render(place.path());
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && text.contains("s.json: is a device; only plain files"), "{text}");
    assert!(fs::symlink_metadata(&path).expect("there").file_type().is_char_device());
}

#[test]
fn the_null_device_takes_statistics_and_stays() {
    let place = tempfile::tempdir().expect("folder");
    // A link: a fault of the command would delete the real device.
    symlink("/dev/null", place.path().join("s.json")).expect("linked");
    let output = render(place.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(place.path().join("s.json").is_symlink());
    assert!(fs::metadata("/dev/null").expect("there").file_type().is_char_device());
    assert_eq!(names(place.path()), ["a.0001.exr", "a.0002.exr", "s.json"]);
}

#[test]
fn a_cache_folder_is_a_folder_or_a_link_to_one() {
    let place = tempfile::tempdir().expect("folder");
    let path = |name: &str| place.path().join(name);
    let render = |cache: &str| {
        let line = "render BUNDLE --plugin org.flowofx.test.Rude --size 8x8 --frames 1 -o a.exr --cache";
        let arguments: Vec<&str> = line.split(' ').chain([cache]).collect();
        command(place.path(), &arguments).output().expect("the command runs")
    };
    assert!(make("mkfifo", &["--"], &path("pipe")));
    symlink("nowhere", path("dangling")).expect("linked");
    for name in ["pipe", "dangling"] {
        let output = render(name);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {text}");
        assert!(text.contains(name) && text.contains("is there and is no folder; name another"), "{name}: {text}");
    }
}
