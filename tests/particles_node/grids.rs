//! Grids of air: what they do to particles, and what they must leave alone.

use flow_host::{Context, Frame, NodeBuilder, Order, Plugin};

use crate::common::{bits, info};
use crate::{NODE, SIZE, bare, finite};

/// Tracers in a grid in the middle of the frame, without other air.
fn tracers(plugin: &Plugin, grids: i32) -> NodeBuilder {
    bare(plugin)
        .set("emitter1Moves", "As the air")
        .set("emitter1Life", 40.0)
        .set("noise", 0.0)
        .set("noiseFine", 0.0)
        .set("grids", grids)
        .set("grid1Centre", [48.0, 32.0])
        .set("grid1Width", 64.0)
        .set("grid1Height", 64.0)
        .set("grid1Length", 64.0)
        .set("grid1Cells", 16)
        .set("grid1Damping", 0.0)
}

/// The largest difference of two frames.
fn difference(a: &Frame, b: &Frame) -> f32 {
    let (a, b) = (a.rgba(), b.rgba());
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.fold(0.0, |most: f32, (a, b)| most.max((a - b).abs()))
}

/// The mean position of the light, pixels.
fn middle(frame: &Frame) -> [f64; 2] {
    let (mut sum, mut total) = ([0.0; 2], 0.0);
    for (at, pixel) in frame.rgba().iter().enumerate() {
        let light = f64::from(pixel[0]);
        sum[0] += light * (at % SIZE[0] as usize) as f64;
        sum[1] += light * (at / SIZE[0] as usize) as f64;
        total += light;
    }
    sum.map(|sum| sum / total)
}

#[test]
fn a_grid_that_moves_through_still_air_leaves_it_still() {
    NODE.process(2, |plugin| {
        let without = tracers(plugin, 0).create().expect("a node").frame(20.0).expect("renders");
        let moving = tracers(plugin, 1)
            .key("grid1Centre", 1.0, [30.0, 20.0])
            .key("grid1Centre", 8.0, [60.0, 40.0])
            .key("grid1Centre", 14.0, [45.0, 30.0])
            .key("grid1Depth", 1.0, 0.0)
            .key("grid1Depth", 20.0, 12.0);
        let with = moving.create().expect("a node").frame(20.0).expect("renders");
        assert!(finite(&with));
        let found = difference(&without, &with);
        assert!(found < 2e-3, "{found}");
    });
}

#[test]
fn a_jet_blows_particles_along_its_direction_and_another_grid_s_jet_does_not() {
    NODE.process(2, |plugin| {
        let still = tracers(plugin, 1).create().expect("a node").frame(20.0).expect("renders");
        let blown = |jet: &str, direction: f64| {
            let node = tracers(plugin, 1)
                .set(jet, true)
                .set(format!("{jet}Offset").as_str(), [0.0, -12.0])
                .set(format!("{jet}Radius").as_str(), 8.0)
                .set(format!("{jet}Speed").as_str(), 1.5)
                .set(format!("{jet}Direction").as_str(), direction);
            let node = node.create().expect("a node");
            let frame = node.frame(20.0).expect("renders");
            assert!(info(&node).contains("particles"), "{}", info(&node));
            frame
        };
        let (rest, up, right) = (middle(&still), middle(&blown("jet2", 90.0)), middle(&blown("jet2", 0.0)));
        assert!(up[1] - rest[1] > 3.0 && (up[0] - rest[0]).abs() < 1.0, "{rest:?} {up:?}");
        assert!(right[0] - rest[0] > 3.0, "{rest:?} {right:?}");
        assert_eq!(difference(&still, &blown("jet3", 90.0)), 0.0, "a jet of a grid that is off");
    });
}

#[test]
fn air_flows_around_an_obstacle() {
    NODE.process(2, |plugin| {
        let inside = |obstacle: &str| {
            let node = tracers(plugin, 1)
                .set("emitter1Shape", "Line")
                .set("emitter1Radius", 10.0)
                .set("emitter1Rate", 60.0)
                .set("emitter1Size", 2.0)
                .set("grid1Cells", 32)
                .set("grid1Obstacle", obstacle)
                .set("grid1ObstacleOffset", [0.0, 8.0])
                .set("grid1ObstacleRadius", 10.0)
                .set("jet1", true)
                .set("jet1Offset", [0.0, -14.0])
                .set("jet1Radius", 9.0)
                .set("jet1Speed", 1.5);
            let frame = node.create().expect("a node").frame(30.0).expect("renders");
            // Light whose middle is a pixel and more inside the sphere around (48, 40).
            let pixels = frame.rgba();
            let within = |at: usize| {
                let (x, y) = ((at % SIZE[0] as usize) as f64 + 0.5, (at / SIZE[0] as usize) as f64 + 0.5);
                (x - 48.0).hypot(y - 40.0) < 8.0
            };
            let light = |at: usize| f64::from(pixels[at][0]);
            (0..pixels.len()).filter(|at| within(*at)).map(light).sum::<f64>()
        };
        let (without, with) = (inside("Off"), inside("Sphere"));
        assert!(without > 10.0 && with < 0.05 * without, "{with} instead of {without}");
    });
}

#[test]
fn an_obstacle_that_turns_takes_the_air_along() {
    NODE.process(2, |plugin| {
        let turned = |angle: f64, every: i32| {
            let node = tracers(plugin, 1)
                .set("emitter1Centre", [66.0, 32.0])
                .set("grid1Cells", 32)
                .set("grid1Every", every)
                .set("grid1Obstacle", "Box")
                .set("grid1ObstacleRadius", 8.0)
                .set("grid1ObstacleHeight", 28.0)
                .key("grid1ObstacleRotate", 1.0, [0.0; 3])
                .key("grid1ObstacleRotate", 21.0, [0.0, 0.0, angle]);
            middle(&node.create().expect("a node").frame(17.0).expect("renders"))
        };
        let [still, left, right] = [0.0, 180.0, -180.0].map(|angle| turned(angle, 1));
        // Counter-clockwise, air on the right goes up.
        assert!(left[1] - still[1] > 1.0 && right[1] - still[1] < -1.0, "{still:?} {left:?} {right:?}");
        let sparse = turned(180.0, 2);
        assert!((sparse[1] - left[1]).abs() < 0.4 * (left[1] - still[1]), "{sparse:?} for {left:?}");
    });
}

/// A jet in the grid, which blows up for 10 frames.
fn blown(plugin: &Plugin) -> NodeBuilder {
    tracers(plugin, 1)
        .set("jet1", true)
        .set("jet1Offset", [0.0, -12.0])
        .set("jet1Radius", 8.0)
        .key("jet1Speed", 1.0, 1.5)
        .key("jet1Speed", 10.0, 0.0)
}

#[test]
fn levels_and_intervals_keep_the_bits_in_any_order_and_from_disk() {
    let scene = |plugin: &Plugin| {
        blown(plugin)
            .set("grid1Cells", 64)
            .set("grid1Every", 3)
            .key("grid1Level", 1.0, 0.0)
            .key("grid1Level", 8.0, 2.0)
            .key("grid1Level", 18.0, 0.0)
            .key("grid1Centre", 1.0, [44.0, 30.0])
            .key("grid1Centre", 20.0, [52.0, 36.0])
    };
    let frames: Vec<f64> = (1..=16).map(f64::from).collect();
    let truth = NODE.check_orders(scene, &frames, [(Order::Reverse, 2), (Order::Random(3), 1)]);
    // A frame alone, in a process without states.
    NODE.process(2, |plugin| {
        let alone = scene(plugin).create().expect("a node").frame(14.0).expect("renders");
        assert!(bits(&alone) == truth[13]);
    });
    NODE.check_disk(scene, 10);
}

#[test]
fn fewer_updates_and_coarser_cells_move_the_particles_alike() {
    NODE.process(2, |plugin| {
        let at = |node: NodeBuilder| middle(&node.create().expect("a node").frame(20.0).expect("renders"));
        let rest = at(tracers(plugin, 1));
        let whole = at(blown(plugin).set("grid1Cells", 32));
        let risen = whole[1] - rest[1];
        assert!(risen > 3.0, "{rest:?} {whole:?}");
        for (name, value) in [("grid1Every", 2), ("grid1Every", 4), ("grid1Level", 1)] {
            let other = at(blown(plugin).set("grid1Cells", 32).set(name, value));
            assert!((other[1] - whole[1]).abs() < 0.3 * risen, "{name} {value}: {other:?} instead of {whole:?}");
        }
        // The same cells, by the level and by their number.
        let node = |cells: i32, level: f64| blown(plugin).set("grid1Cells", cells).set("grid1Level", level);
        let frame = |node: NodeBuilder| node.create().expect("a node").frame(12.0).expect("renders");
        let fade = |node: NodeBuilder, cells: f64| node.set("grid1Fade", cells);
        let (by_level, by_number) = (frame(fade(node(32, 1.0), 4.0)), frame(fade(node(16, 0.0), 2.0)));
        assert!(difference(&by_level, &by_number) < 1e-4);
    });
}

#[test]
fn a_track_at_a_distance_and_the_file_of_an_axis_are_positions_in_the_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("axis.chan");
    // In widths of the frame, from its middle: from (24, 32, 0) to (72, 32, 24).
    std::fs::write(&file, "1 -0.25 0 0 0 0 0\n13 0.25 0 0.25 0 0 0\n").expect("writes");
    let file = file.to_string_lossy().into_owned();
    NODE.process(2, |plugin| {
        let frame = |node: NodeBuilder| node.create().expect("a node").frame(13.0).expect("renders");
        let keyed = |node: NodeBuilder, name: &str| {
            node.key(format!("{name}Centre").as_str(), 1.0, [24.0, 32.0])
                .key(format!("{name}Centre").as_str(), 13.0, [72.0, 32.0])
                .key(format!("{name}Depth").as_str(), 1.0, 0.0)
                .key(format!("{name}Depth").as_str(), 13.0, 24.0)
        };
        let filed = |node: NodeBuilder, name: &str| {
            let (place, path) = (format!("{name}Place"), format!("{name}File"));
            node.set(place.as_str(), "Axis file").set(path.as_str(), file.as_str())
        };
        let by_keys = frame(keyed(keyed(blown(plugin), "grid1"), "emitter1"));
        let by_file = frame(filed(filed(blown(plugin), "grid1"), "emitter1"));
        assert!(middle(&by_keys)[0] > 35.0, "{:?}", middle(&by_keys));
        assert!(difference(&by_keys, &by_file) < 1e-3, "{}", difference(&by_keys, &by_file));
        // The camera of the parameters, nearer by 20 pixels and to the right by 10, sees (48, 32, 0) there.
        let distance = 96.0 * 50.0 / 24.576;
        let tracked = |name: &str, node: NodeBuilder, moved: [f64; 3]| {
            let away = distance + moved[2];
            let seen = 48.0 - moved[0] * distance / away;
            node.set(format!("{name}Place").as_str(), "Track and distance")
                .set(format!("{name}Centre").as_str(), [seen, 32.0])
                .set(format!("{name}Distance").as_str(), away)
        };
        for moved in [[0.0; 3], [10.0, 0.0, -20.0]] {
            let camera = |node: NodeBuilder| node.set("camera", "Parameters").set("translate", moved);
            let still = frame(camera(blown(plugin).set("emitter1Centre", [48.0, 32.0])));
            let node = camera(blown(plugin));
            let track = frame(tracked("grid1", tracked("emitter1", node, moved), moved));
            assert!(difference(&still, &track) < 1e-3, "{moved:?}: {}", difference(&still, &track));
        }
    });
}

#[test]
fn a_file_of_an_axis_that_is_missing_is_named_once() {
    NODE.process(1, |plugin| {
        let placed = || tracers(plugin, 1).set("grid1Place", "Axis file");
        let node = placed().set("grid1File", "/no/such/axis.chan").create().expect("a node");
        let frame = node.frame(3.0).expect("renders");
        let text = info(&node);
        assert!(text.contains("Axis file of Grid 1 /no/such/axis.chan can't be read"), "{text}");
        assert!(text.contains("Centre and Depth are used."), "{text}");
        assert!(difference(&frame, &tracers(plugin, 1).create().expect("a node").frame(3.0).expect("renders")) == 0.0);
        let node = placed().create().expect("a node");
        node.frame(3.0).expect("renders");
        assert!(info(&node).contains("Grid 1 is placed by Axis file, and none is chosen"), "{}", info(&node));
    });
}

/// Two grids, each with a jet.
fn pair(plugin: &Plugin) -> NodeBuilder {
    blown(plugin)
        .set("grids", 2)
        .set("grid2Centre", [48.0, 40.0])
        .set("grid2Width", 48.0)
        .set("grid2Height", 48.0)
        .set("grid2Length", 48.0)
        .set("grid2Cells", 16)
        .set("jet3", true)
        .set("jet3Radius", 8.0)
        .set("jet3Speed", 1.0)
        .set("jet3Direction", 0.0)
}

#[test]
fn grids_bake_apart_and_the_particles_find_their_air_on_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_string_lossy().into_owned();
    let cached = |node: NodeBuilder| node.set("cacheFolder", path.as_str()).set("cacheName", "shot");
    let air = || {
        let files = flow_cache::Folder::new(folder.path().join("shot")).list();
        let air =
            files.into_iter().filter(|file| file.header.as_ref().is_ok_and(|header| header.model.ends_with(" air")));
        let mut air: Vec<_> =
            air.map(|file| (file.path.clone(), file.path.metadata().expect("there").modified().ok())).collect();
        air.sort();
        air
    };
    let mut counts = Vec::new();
    for grid in ["Grid 1", "Grid 2"] {
        // Each in a process of its own, without the other's memory.
        NODE.process(2, |plugin| {
            let node = cached(pair(plugin)).set("airAlone", grid).create().expect("a node");
            let frame = node.frame(14.0).expect("renders");
            assert!(frame.rgba().iter().all(|pixel| pixel[3] == 0.0), "no particles");
            let text = info(&node);
            assert!(text.contains(&format!("The air of {grid} is simulated alone.")), "{text}");
        });
        counts.push(air().len());
    }
    // The frames, and those of the pre-roll.
    assert!(counts[0] >= 14 && counts[1] == 2 * counts[0], "{counts:?}");
    let baked = air();
    NODE.process(2, |plugin| {
        let last = |node: NodeBuilder| node.create().expect("a node").frame(14.0).expect("renders");
        let whole = bits(&last(pair(plugin)));
        assert!(bits(&last(cached(pair(plugin)))) == whole, "with the air of the disk");
        let node = pair(plugin).set("airAlone", "Grid 3").create().expect("a node");
        node.frame(2.0).expect("renders");
        assert!(info(&node).contains("Air alone is Grid 3, which is off"), "{}", info(&node));
    });
    assert!(air() == baked, "the air was there");
    // Files that are gone come back, though no particles are missing.
    air().iter().for_each(|(path, _)| std::fs::remove_file(path).expect("removes"));
    NODE.process(2, |plugin| {
        cached(pair(plugin)).set("airAlone", "Grid 1").create().expect("a node").frame(14.0).expect("renders");
    });
    assert_eq!(air().len(), counts[0]);
}

#[test]
fn absurd_grids_give_finite_pictures() {
    NODE.process(2, |plugin| {
        for (name, value) in [
            ("grid1Width", 1e5),
            ("grid1Height", 1.0),
            ("grid1Depth", 1e5),
            ("grid1Fade", 100.0),
            ("grid1Every", 8.0),
            ("grid1Level", 2.0),
            ("grid1Distance", 1e6),
            ("grid1Turbulence", 1000.0),
            ("jet1Speed", 1e4),
            ("jet1Radius", 1e5),
            ("jet1Expansion", -0.5),
        ] {
            let node = tracers(plugin, 1).set("jet1", true).set("jet1Radius", 8.0).set(name, value);
            let node = if name == "grid1Distance" { node.set("grid1Place", "Track and distance") } else { node };
            let node = node.create().expect("a node");
            let frame = node.frame(6.0).expect("renders");
            assert!(finite(&frame), "{name}");
        }
        let node = plugin.node(Context::Generator).set("grids", 4).set("jet8", true).create().expect("a node");
        assert!(finite(&node.frame(2.0).expect("renders")));
    });
}
