//! OpenVDB files as emitters.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use flow_host::{Context, Event, Frame, Host, Node, NodeBuilder, Order, Plugin, Profile, Project, Value};
use flow_ofx::compute::cpu::Cpu;
use flow_ofx::picture::volume::{VdbGrid, VdbOptions, write_vdb};
use flow_ofx::sim::volume::fields::{Bounds, Lattice, VolumeView};
use half::f16;

use super::common::written::text;
use super::common::{bits, check_greyed, info, simulated, total};
use super::{NODE, SIZE, bare};

/// A file with a ball of density and half of it as temperature, whose centre and radius are in units of the world.
fn ball(centre: [f64; 3], radius: f64, density: f64) -> Vec<u8> {
    let spacing = radius / 7.0;
    let low: [f64; 3] = centre.map(|at| (at / spacing / 8.0).floor() * 8.0 - 8.0);
    let bounds = Bounds { low: low.map(|at| at as i32), cells: [24; 3] };
    let scalars: Vec<[f16; 4]> = (0..24 * 24 * 24)
        .map(|at| {
            let place = [at % 24, at / 24 % 24, at / 576].map(f64::from);
            let offset = [0, 1, 2].map(|axis| (low[axis] + place[axis] + 0.5) * spacing - centre[axis]);
            let inside = offset.iter().map(|side| side * side).sum::<f64>() < radius * radius;
            let value = if inside { density } else { 0.0 };
            [f16::from_f64(value), f16::from_f64(value / 2.0), f16::ZERO, f16::ZERO]
        })
        .collect();
    let lattice = Lattice { origin: [0.0; 3], spacing };
    let view = VolumeView { lattice, bounds, detail: 1, scalars: &scalars, gases: None, tints: None, velocity: None };
    let options = VdbOptions { grids: vec![VdbGrid::Temperature, VdbGrid::Density], half: false, rate: 1.0 };
    let mut file = Cursor::new(Vec::new());
    write_vdb(&Cpu::new(1), &view, &options, &mut file).expect("memory takes all");
    file.into_inner()
}

/// A node whose first emitter is a file.
fn with_file(plugin: &Plugin, path: &str) -> NodeBuilder {
    bare(plugin)
        .set("emitter1Shape", "VDB file")
        .set("emitter1File", path)
        .set("emitter1Centre", [0.0; 3])
        .set("emitter1Breakup", 0.0)
}

/// The middle of a frame's alpha, pixels.
fn middle(frame: &Frame) -> [f64; 2] {
    let mut sums = [0.0; 3];
    for (at, pixel) in frame.rgba().iter().enumerate() {
        let [x, y] = [at % SIZE[0] as usize, at / SIZE[0] as usize].map(|at| at as f64 + 0.5);
        let alpha = f64::from(pixel[3]);
        sums = [sums[0] + alpha, sums[1] + alpha * x, sums[2] + alpha * y];
    }
    assert!(sums[0] > 1.0, "there is smoke");
    [sums[1] / sums[0], sums[2] / sums[0]]
}

#[test]
fn a_file_emits_smoke_in_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ball.vdb");
    fs::write(&path, ball([0.3, 0.5, 0.1], 0.1, 1.0)).expect("written");
    NODE.process(2, |plugin| {
        let still = |edits: &[(&str, Value)]| {
            let mut node = with_file(plugin, text(&path)).set("preroll", 0).set("cells", 64);
            for name in ["buoyancy", "noise", "swirl", "dissipation"] {
                node = node.set(name, 0.0);
            }
            for (name, value) in edits {
                node = node.set(*name, value.clone());
            }
            node.create().expect("a node").frame(1.0).expect("renders")
        };
        // The middle of the floor is in the middle of the lower edge, and a height of the box is that of the frame.
        // Nearer smoke is a little farther from the middle of the frame.
        let [width, height] = SIZE.map(f64::from);
        let check = |edits: &[(&str, Value)], [x, y]: [f64; 2]| {
            let frame = still(edits);
            let found = middle(&frame);
            let truth = [width / 2.0 + x * height, y * height];
            let near = (0..2).all(|axis| (found[axis] - truth[axis]).abs() < 1.5);
            assert!(near, "{edits:?}: {found:?}, not {truth:?}");
            total(&frame, 3)
        };
        let whole = check(&[], [0.3, 0.5]);
        let small = check(&[("emitter1FileScale", 0.5.into())], [0.15, 0.25]);
        assert!((0.15..0.4).contains(&(small / whole)), "a quarter of the area: {small} of {whole}");
        check(&[("emitter1Centre", [-0.5, -0.1, 0.0].into())], [-0.2, 0.4]);
        let finer = check(&[("detail", "Twice as fine".into())], [0.3, 0.5]);
        assert!((finer / whole - 1.0).abs() < 0.1, "cells of the smoke do not change it: {finer} for {whole}");
        // Up is z: the file's (0.3, 0.5, 0.1) is at 0.3 to the right, 0.1 up and 0.5 away.
        check(&[("emitter1FileUp", "Z".into()), ("emitter1Centre", [0.0, 0.4, 0.5].into())], [0.3, 0.5]);
        let thin = total(&still(&[("emitter1Density", 0.1.into())]), 3);
        assert!(thin < 0.8 * whole, "{thin} of {whole}");
        // Fill up reaches the density of the file once, Add adds it in each frame.
        let filled = total(&still(&[("emitter1Mode", "Add".into()), ("preroll", 3.into())]), 3);
        assert!(filled > whole);
        // The output Density has the temperature in green: half of the density in the file, and its factor.
        let heat = |edits: &[(&str, Value)]| {
            let edits = [&[("output", Value::from("Density")), ("glow", true.into())], edits].concat();
            still(&edits).rgba().iter().map(|pixel| pixel[1]).fold(0.0, f32::max)
        };
        let [own, halved, other] =
            [heat(&[]), heat(&[("emitter1Heat", 0.5.into())]), heat(&[("emitter1FileHeat", "density".into())])];
        assert!((0.4..0.52).contains(&own), "{own}");
        assert!((halved / own - 0.5).abs() < 0.02 && (other / own - 2.0).abs() < 0.1, "{own} {halved} {other}");
    });
}

/// A ball that moves and grows, in files of frames 1 to `last`.
fn sequence(folder: &Path, last: i32) -> String {
    for frame in 1..=last {
        let at = f64::from(frame) / f64::from(last);
        let name = folder.join(format!("smoke.{frame:03}.vdb"));
        fs::write(name, ball([0.4 * at - 0.2, 0.2 + 0.2 * at, 0.0], 0.05 + 0.05 * at, 1.0 + at)).expect("written");
    }
    format!("{}/smoke.###.vdb", text(folder))
}

fn lively(plugin: &Plugin, path: &str) -> NodeBuilder {
    with_file(plugin, path)
        .set("emitter1Fuel", 0.5)
        .set("emitter1Breakup", 0.4)
        .set("emitter1Velocity", [1.0, 0.0, 0.0])
        .set("emitter1Expansion", 0.02)
        .key("emitter1Centre", 1.0, [0.0; 3])
        .key("emitter1Centre", 8.0, [0.2, 0.0, 0.1])
}

#[test]
fn files_of_frames_give_the_same_bits_in_any_order_and_from_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = sequence(folder.path(), 8);
    let scene = |plugin: &Plugin| lively(plugin, &path);
    NODE.check_orders(scene, &super::frames(), [(Order::Reverse, 2), (Order::Random(7), 3)]);
    NODE.check_disk(scene, 5);
}

#[test]
fn a_file_that_changes_is_simulated_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = sequence(folder.path(), 8);
    let third = folder.path().join("smoke.003.vdb");
    let original = fs::read(&third).expect("readable");
    NODE.process(2, |plugin| {
        let node = lively(plugin, &path).create().expect("a node");
        let shown = || node.frame(6.0).expect("renders");
        let before = shown();
        assert!(simulated(&before) > 0 && simulated(&shown()) == 0);
        fs::write(&third, ball([0.0, 0.7, 0.0], 0.1, 2.0)).expect("written");
        let changed = shown();
        // Frames 3 to 6; the state of frame 2 is there.
        assert_eq!(simulated(&changed), 4);
        assert!(bits(&changed) != bits(&before));
        fs::write(&third, &original).expect("written");
        let again = shown();
        assert!(simulated(&again) == 0 && bits(&again) == bits(&before), "the contents count, not the time");
        node.set("emitter1FileOffset", 1).expect("set");
        assert!(simulated(&shown()) > 0);
    });
}

/// A node in a host of its own, in a new copy of the library.
fn alone(build: impl Fn(&Plugin) -> NodeBuilder) -> (Host, Node) {
    let host = Host::new(Profile { threads: 2, ..Profile::generic() });
    let plugin = host.load_private((NODE.library)()).and_then(|bundle| bundle.plugin(NODE.id));
    let node = build(&plugin.expect("the bundle has the node")).create().expect("a node");
    (host, node)
}

/// The messages about files that a host has received.
fn messages(host: &Host) -> Vec<String> {
    let text = |event: Event| if let Event::Message { text, .. } = event { Some(text) } else { None };
    host.record().events().into_iter().filter_map(text).filter(|text| text.contains("VDB file")).collect()
}

#[test]
fn a_file_that_cannot_be_used_is_an_error_that_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = ball([0.0, 0.3, 0.0], 0.1, 1.0);
    let path = folder.path().join("smoke.vdb");
    let flags = good.windows(16).position(|window| window == b"Tree_float_5_4_3").expect("a type") + 16 + 4 + 24;
    // Zip data taken for those of Blosc.
    let mut blosc = good.clone();
    blosc[flags] = 6;
    let cases: [(Option<&[u8]>, &str, &str); 6] = [
        (None, "", "No such file"),
        (Some(b"rubble"), "", "it is no OpenVDB file"),
        (Some(&good[..good.len() - 10]), "", "it ends early"),
        (Some(&blosc), "temperature", "it is damaged (compressed values)"),
        (Some(&good), "smoke", "it has no grid smoke, but temperature, density"),
        (Some(&good), "", ""),
    ];
    for (content, grid, phrase) in cases {
        let _ = fs::remove_file(&path);
        if let Some(content) = content {
            fs::write(&path, content).expect("written");
        }
        let (_host, node) = alone(|plugin| with_file(plugin, text(&path)).set("emitter1FileDensity", grid));
        let found = node.frame(3.0).map(|frame| assert!(total(&frame, 3) > 1.0)).err();
        let found = found.map_or(String::new(), |error| error.to_string());
        assert_eq!(found.contains("smoke.vdb of Emitter 1 can't be used: "), !phrase.is_empty(), "{found}");
        assert!(found.contains(phrase), "{phrase}: {found}");
    }
}

#[test]
fn a_frame_without_a_file_is_what_missing_frames_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = sequence(folder.path(), 8);
    fs::remove_file(folder.path().join("smoke.004.vdb")).expect("removed");
    fs::remove_file(folder.path().join("smoke.005.vdb")).expect("removed");
    let shown = |missing: &str| {
        let (host, node) = alone(|plugin| lively(plugin, &path).set("missingFrames", missing));
        let frames = [5.0, 6.0, 7.0].map(|time| node.frame(time).map(|frame| bits(&frame)).map_err(|e| e.to_string()));
        (messages(&host), frames)
    };
    let (told, [transparent, ..]) = shown("Transparent");
    assert!(told.len() == 1 && told[0].contains("smoke.###.vdb of Emitter 1 are missing at some frames"), "{told:?}");
    let (none, [held, ..]) = shown("Hold");
    assert!(none.is_empty() && held.is_ok() && transparent.is_ok() && held != transparent, "{none:?}");
    let third = folder.path().join("smoke.003.vdb");
    for frame in [4, 5] {
        fs::copy(&third, folder.path().join(format!("smoke.{frame:03}.vdb"))).expect("copied");
    }
    assert!(shown("Fail").1[0] == held, "Hold: the last file before");
    fs::remove_file(folder.path().join("smoke.005.vdb")).expect("removed");
    let why = shown("Fail").1[0].clone().expect_err("an error");
    assert!(why.contains("smoke.005.vdb of Emitter 1 can't be used"), "{why}");
}

#[test]
fn a_shape_without_a_file_emits_nothing_and_says_so_once() {
    let (host, node) = alone(|plugin| with_file(plugin, ""));
    let frames = [1.0, 2.0].map(|time| node.frame(time).expect("renders"));
    assert!(frames.iter().all(|frame| total(frame, 3) == 0.0));
    let told = messages(&host);
    assert!(told.len() == 1 && told[0].contains("no VDB file is chosen"), "{told:?}");
    assert!(!info(&node).is_empty());
}

#[test]
fn parameters_of_a_file_are_enabled_for_a_file() {
    NODE.process(1, |plugin| {
        let node = bare(plugin).create().expect("a node");
        let own = ["emitter1File", "emitter1FileScale", "emitter1FileUp", "emitter1FileDensity", "emitter1FileHeat"];
        check_greyed(&node, &["emitter1Radius", "emitter1Softness"], &own, "a sphere");
        node.set("emitter1Shape", "VDB file").expect("set");
        check_greyed(
            &node,
            &own,
            &["emitter1Radius", "emitter1Height", "emitter1Softness", "emitter1FileFuel"],
            "file",
        );
    });
}

#[test]
fn the_files_of_one_node_are_the_emitter_of_another() {
    let folder = tempfile::tempdir().expect("a folder");
    NODE.process(2, |plugin| {
        let node = bare(plugin).set("vdbFolder", text(folder.path())).create().expect("a node");
        let truth = middle(&node.frame(6.0).expect("renders"));
        let height = f64::from(SIZE[1]);
        let project = Project::new(SIZE[0] as u32, SIZE[1] as u32).frames(1.0, 200.0);
        let builder = plugin.node(Context::General).project(project).set("cells", 32).set("preroll", 0);
        let copy = builder
            .set("emitter1Shape", "VDB file")
            .set("emitter1File", format!("{}/volume.%04d.vdb", text(folder.path())).as_str())
            .set("emitter1Breakup", 0.0)
            // Files are in pixels from the corner of the frame.
            .set("emitter1FileScale", 1.0 / height)
            .set("emitter1Centre", [-0.5 * f64::from(SIZE[0]) / height, 0.0, 0.0])
            .set("buoyancy", 0.0)
            .set("noise", 0.0)
            .set("startFrame", 6)
            .create()
            .expect("a node");
        let found = middle(&copy.frame(6.0).expect("renders"));
        assert!((0..2).all(|axis| (found[axis] - truth[axis]).abs() < 1.0), "{found:?} {truth:?}");
    });
}
