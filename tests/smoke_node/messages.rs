//! Bad, extreme and missing input: pictures stay finite, and the artist sees a message.

use super::*;

#[test]
fn bad_input_ends_in_finite_pictures_and_a_message() {
    let (_host, plugin) = smoke();
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, 1e6];
    for size in [[1, 1], [1, 500], [31, 17]] {
        for value in bad {
            let pixel = [value; 4];
            let node = bare(&plugin, size)
                .clip("Source", flat(size, pixel))
                .clip("Velocity", flat(size, pixel))
                .clip("Heat", flat(size, pixel))
                .clip("ObstacleVelocity", flat(size, pixel))
                .set("jet1", "On")
                .create()
                .expect("a node");
            for output in ["Dye", "Fire", "Motion vectors"] {
                node.set("output", output).expect("edits");
                let frame = node.frame(4.0).expect("renders");
                assert!(finite(&frame), "{size:?} {value} {output}");
            }
            let text = info(&node);
            assert!(value.is_finite() || text.contains("not numbers") || text.contains("set back"), "{text}");
        }
        let solid = bare(&plugin, size).clip("Obstacles", flat(size, [0.0, 0.0, 0.0, 1.0])).set("jet1", "On");
        let frame = solid.create().expect("a node").frame(4.0).expect("renders");
        assert!(finite(&frame) && dye(&frame) == 0.0, "a frame that is all solid");
    }
}

#[test]
fn closed_regions_stay_finite() {
    let (_host, plugin) = smoke();
    let size = [180, 160];
    let rooms = Source::still(Image::from_fn(whole(size[0], size[1]), |x, y| {
        [0.0, 0.0, 0.0, f32::from(u8::from(x % 9 == 0 || y % 10 == 0))]
    }));
    let node = bare(&plugin, size)
        .clip("Obstacles", rooms)
        .set("jet1", "On")
        .set("jet1Strength", 40.0)
        .set("wind", [5.0, -3.0])
        .create()
        .expect("a node");
    assert!(finite(&node.frame(3.0).expect("renders")));
}

#[test]
fn extreme_parameters_stay_finite() {
    let (_host, plugin) = smoke();
    let node = bare(&plugin, [45, 40]).set("jet1", "On").create().expect("a node");
    let most = [
        ("lift", 1000.0),
        ("weight", 1000.0),
        ("vorticity", 100.0),
        ("noise", 1000.0),
        ("jet1Strength", 10_000.0),
        ("jet1Heat", 1000.0),
        ("viscosity", 1e6),
    ];
    for (name, value) in most {
        node.set(name, value).expect("edits");
        let frame = node.frame(3.0).expect("renders");
        assert!(finite(&frame), "{name}");
    }
}

#[test]
fn frames_of_another_device_class_are_reported_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let chunk = |device: &str, times: [f64; 2]| {
        let (_host, plugin) = smoke();
        let node = bare(&plugin, [64, 48]).set("jet1", "On").set("device", device);
        let node = node.set("cacheFolder", folder.path().to_str().expect("UTF-8")).set("cacheName", "shot");
        let node = node.create().expect("a node");
        let frames = times.map(|time| node.frame(time).expect("renders"));
        (frames.iter().flat_map(|frame| frame.messages.clone()).collect::<Vec<_>>(), total(&frames))
    };
    assert_eq!(chunk("GPU", [1.0, 2.0]), (vec![], 2));
    assert_eq!(chunk("GPU", [2.0, 3.0]), (vec![], 1), "one kind alone goes on from its files");
    let (shown, made) = chunk("CPU", [2.0, 3.0]);
    assert_eq!(made, 3, "the other kind's frames are not taken");
    assert!(shown.len() == 1 && shown[0].contains("a GPU made") && shown[0].contains("set Device"), "{shown:?}");
    let (shown, _) = chunk("GPU", [3.0, 4.0]);
    assert!(shown.len() == 1 && shown[0].contains("a CPU made"), "{shown:?}");
}

#[test]
fn a_source_or_obstacles_that_cover_all_cells_are_reported() {
    let (_host, plugin) = smoke();
    let [width, height] = SIZE;
    let opaque = || flat(SIZE, [0.2, 0.2, 0.2, 1.0]);
    let matte = || Source::still(picture(width, height, |u, _| [0.2, 0.2, 0.2, if u < 0.9 { 1.0 } else { 0.0 }]));
    let words = [("Source", "alpha is 1 everywhere"), ("Obstacles", "are solid everywhere")];
    for (input, words) in words {
        let shot = bare(&plugin, SIZE).set("sourceMode", "Start frame");
        let node = shot.clip(input, opaque()).create().expect("a node");
        // The warning stays later in the shot, and for a frame from the store.
        for time in [1.0, 3.0, 3.0] {
            drop(node.frame(time).expect("renders"));
            assert!(info(&node).contains(words), "frame {time}: {}", info(&node));
        }
        let node = bare(&plugin, SIZE).clip(input, matte()).create().expect("a node");
        drop(node.frame(3.0).expect("renders"));
        assert!(!info(&node).contains("everywhere"), "{}", info(&node));
    }
}

#[test]
fn inputs_without_pictures_are_reported() {
    let (_host, plugin) = smoke();
    let [width, height] = SIZE;
    let solid = move |time: f64| {
        let matte = || picture(width, height, |u, _| [0.0, 0.0, 0.0, f32::from(u8::from(u > 0.8))]);
        (!(4.0..=6.0).contains(&time)).then(matte)
    };
    let covers = RectD::new(0.0, 0.0, f64::from(width), f64::from(height));
    let obstacles = Source::pictures(solid).region(covers);
    let node = bare(&plugin, SIZE).clip("Obstacles", obstacles).create().expect("a node");
    let shown = |time: f64| {
        drop(node.frame(time).expect("renders"));
        info(&node)
    };
    assert!(!shown(3.0).contains("no picture"), "{}", info(&node));
    let words = "Obstacles had no picture at frames 4 to 6 and counted as nothing: set Missing frames to Hold or Fail";
    assert!(shown(8.0).contains(words), "{}", info(&node));
    node.set("missingFrames", "Hold").expect("is set");
    assert!(!shown(8.0).contains("no picture"), "{}", info(&node));
}

#[test]
fn limits_apply_to_the_size_of_a_following_grid() {
    let (_host, plugin) = smoke();
    // The whole frame would have too many cells on a side.
    let wide = bare(&plugin, [5000, 4]).set("resolution", 400.0).set("gridMode", "Follow");
    let node = wide.set("gridSize", [16.0, 4.0]).create().expect("a node");
    drop(node.frame(2.0).expect("renders"));
    assert!(info(&node).contains("Grid 64 x 16"), "{}", info(&node));
    node.set("gridSize", [16.0, 5000.0]).expect("is set");
    let error = node.frame(2.0).expect_err("too many cells").to_string();
    assert!(error.contains("64 x 20000") && error.contains("Lower Grid size or Resolution"), "{error}");
    node.set("gridMode", "Frame").expect("is set");
    let error = node.frame(2.0).expect_err("too many cells").to_string();
    assert!(error.contains("20000 x 16") && error.contains("set Grid to Follow"), "{error}");
}
