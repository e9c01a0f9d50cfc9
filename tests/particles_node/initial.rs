//! Particle files and cached frames as the initial state.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use flow_host::{Event, Host, NodeBuilder, Plugin, Profile};

use super::{NODE, bare, bits, finite, info, simulated};

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// Two emitters, of particles with mass and without.
fn scene(plugin: &Plugin) -> NodeBuilder {
    bare(plugin)
        .set("emitter1Rate", 20.0)
        .set("emitter1LifeSpread", 0.5)
        .set("gravity", 0.1)
        .set("emitter2", true)
        .set("emitter2Rate", 9.25)
        .set("emitter2Centre", [70.0, 30.0])
        .set("emitter2Moves", "As the air")
        .set("emitter2Life", 7.0)
}

/// The rows of a table by emitter and number.
fn rows(path: &Path) -> BTreeMap<(u32, u64), Vec<String>> {
    let table = fs::read_to_string(path).expect("a table");
    let row = |line: &str| {
        let words: Vec<String> = line.split(',').map(str::to_owned).collect();
        ((words[1].parse().expect("an emitter"), words[0].parse().expect("a number")), words[2..].to_vec())
    };
    table.lines().skip(1).map(row).collect()
}

/// Renders frames as tables, which are returned by frame.
fn tables(node: NodeBuilder, folder: &Path, frames: &[i32]) -> Vec<BTreeMap<(u32, u64), Vec<String>>> {
    let node = node.set("particleFolder", text(folder)).set("particleFormat", "CSV").create().expect("a node");
    let table = |frame: &i32| {
        assert!(finite(&node.frame(f64::from(*frame)).expect("renders")));
        rows(&folder.join(format!("particles.{frame:04}.csv")))
    };
    frames.iter().map(table).collect()
}

#[test]
fn particles_of_a_file_are_at_the_same_places_and_move_on_alike() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    let truth = NODE.process(2, |plugin| {
        let points = scene(plugin).set("particleFolder", text(&first)).create().expect("a node");
        points.frame(8.0).expect("renders");
        tables(scene(plugin), &first, &[8, 9, 10, 40])
    });
    for file in ["particles.0008.ply", "particles.0008.csv"] {
        NODE.process(3, |plugin| {
            let again = scene(plugin).set("startFrame", 8).set("initialState", text(&first.join(file)));
            let found = tables(again, &second, &[8, 9, 10, 40]);
            assert!(found[0].len() > 100 && found[0].keys().eq(truth[0].keys()), "{file}: the same particles");
            // Position and velocity; age and life go through the size of the numbers in the file.
            assert!(found[0].iter().all(|(id, row)| row[..6] == truth[0][id][..6]), "{file}");
            for (found, truth) in found.iter().zip(&truth).skip(1).take(2) {
                let old: Vec<_> = found.iter().filter(|(id, _)| truth.contains_key(id)).collect();
                let known = old.iter().filter(|(id, _)| found[*id].len() == truth[*id].len());
                assert!(known.count() > 90, "{file}");
                let last = |emitter: u32| truth.keys().filter(|id| id.0 == emitter).map(|id| id.1).max();
                let aged = old.iter().filter(|(id, _)| last(id.0).is_some_and(|last| id.1 + 60 < last));
                assert!(aged.into_iter().all(|(id, row)| row[..6] == truth[*id][..6]), "{file}: they move on alike");
            }
            assert!(!found[3].is_empty() && found[3].keys().all(|id| !found[0].contains_key(id)), "all are new");
        });
    }
}

#[test]
fn a_frame_of_the_disk_cache_goes_on_with_the_same_bits() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("cache");
    let truth = NODE.process(2, |plugin| {
        let node = scene(plugin).set("cacheFolder", text(&cache)).set("cacheName", "a").create().expect("a node");
        let shown = [8.0, 9.0, 15.0].map(|time| bits(&node.frame(time).expect("renders")));
        plugin.reload().expect("loads again");
        shown
    });
    let entries = fs::read_dir(cache.join("a")).expect("a folder").map(|entry| entry.expect("an entry").path());
    let states: Vec<PathBuf> =
        entries.filter(|path| text(path).contains("0008") && text(path).ends_with("exr")).collect();
    assert_eq!(states.len(), 1, "{states:?}");
    NODE.process(1, |plugin| {
        let node = scene(plugin).set("startFrame", 8).set("initialState", text(&states[0])).create().expect("a node");
        let found = [8.0, 9.0, 15.0].map(|time| bits(&node.frame(time).expect("renders")));
        assert!(found == truth);
    });
}

#[test]
fn the_contents_of_the_file_are_in_the_key() {
    let folder = tempfile::tempdir().expect("a folder");
    NODE.process(2, |plugin| {
        tables(scene(plugin), folder.path(), &[8, 9]);
        let [eight, nine, copy] =
            ["particles.0008.csv", "particles.0009.csv", "copy.csv"].map(|name| folder.path().join(name));
        fs::copy(&eight, &copy).expect("copied");
        let node = scene(plugin).set("startFrame", 1).create().expect("a node");
        let without = node.frame(4.0).expect("renders");
        node.set("initialState", text(&eight)).expect("set");
        let with = node.frame(4.0).expect("renders");
        assert!(simulated(&with) > 0 && bits(&with) != bits(&without));
        node.set("initialState", text(&copy)).expect("set");
        let same = node.frame(4.0).expect("renders");
        assert!(simulated(&same) == 0 && bits(&same) == bits(&with), "the same contents elsewhere");
        fs::copy(&nine, &copy).expect("copied");
        let other = node.frame(4.0).expect("renders");
        assert!(simulated(&other) > 0 && bits(&other) != bits(&with), "other contents at the same place");
    });
}

#[test]
fn a_bad_file_gives_a_message_that_names_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.ply");
    let header = "ply\nformat binary_little_endian 1.0\nelement vertex 1000000000\nproperty float x\nend_header\n";
    let columns = "id,emitter,x,y,z,vx,vy,vz,age,life";
    let all = columns.split(',').map(|name| format!("property float {name}\n")).collect::<String>();
    let cases = [
        (String::new(), "neither a PLY nor a CSV"),
        (header.to_owned(), "no column id, emitter"),
        (header.replace("property float x\n", &all), "1000000000 particles, and ends after 0"),
        (format!("{columns}\n1,1,0,0,0,0,0,0,nan,9\n"), "age of NaN"),
        (format!("{columns}\n1,1,0,0,0,0,0,0,1,9\n1,1,0,0,0,0,0,0,1,9\n"), "twice"),
    ];
    NODE.process(2, |plugin| {
        let node = scene(plugin).set("initialState", text(&path)).create().expect("a node");
        for (content, phrase) in cases {
            fs::write(&path, content).expect("written");
            let error = node.frame(3.0).expect_err(phrase).to_string();
            assert!(error.contains(phrase) && error.contains("Initial state"), "{phrase}: {error}");
        }
        fs::write(&path, format!("{columns}\n1,1,40,30,0,1e6,-1e6,0,0,900000\n")).expect("written");
        assert!(finite(&node.frame(6.0).expect("renders")), "a fast and old particle");
        node.set("initialState", "").expect("set");
        node.frame(3.0).expect("renders without it");
    });
}

#[test]
fn particles_of_an_emitter_that_is_off_are_left_out_with_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    NODE.process(2, |plugin| drop(tables(scene(plugin), folder.path(), &[8])));
    let host = Host::new(Profile { threads: 2, ..Profile::generic() });
    let plugin = host.load_private((NODE.library)()).and_then(|bundle| bundle.plugin(NODE.id)).expect("the node");
    let file = folder.path().join("particles.0008.csv");
    let node = scene(&plugin).set("emitter2", false).set("initialState", text(&file)).create().expect("a node");
    for time in [1.0, 2.0, 3.0] {
        assert!(finite(&node.frame(time).expect("renders")));
    }
    let text = |event: Event| if let Event::Message { text, .. } = event { Some(text) } else { None };
    let messages: Vec<String> = host.record().events().into_iter().filter_map(text).collect();
    assert!(messages.len() == 1 && messages[0].contains("of emitter 2. Turn the emitter on"), "{messages:?}");
    assert!(info(&node).contains("particles"), "{}", info(&node));
}
