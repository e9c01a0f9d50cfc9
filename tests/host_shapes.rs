//! Pictures in any layout, depth, size and position give the same water.

mod common;

use common::{bits, info, own_flow, picture, private_flow, scene, total, whole};
use flow_host::{
    Components, Context, Depth, Frame, Host, Image, Node, NodeBuilder, Plugin, Premultiplication, Profile, Project,
    RectD, RectI, Request, RowLayout, Source,
};

const WIDTH: i32 = 96;
const HEIGHT: i32 = 64;

fn at(node: &Node, time: f64) -> Frame {
    node.frame(time).expect("renders")
}

fn rules_kept(host: &Host) {
    let record = host.record();
    assert!(record.violations().is_empty(), "{:?}", record.violations());
    assert_eq!(record.leaked_images(), 0);
}

/// A node whose picture consists of its inputs only.
fn empty(plugin: &Plugin) -> NodeBuilder {
    plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(WIDTH as u32, HEIGHT as u32))
        .set("emitter", "Off")
}

#[test]
fn rows_may_have_either_direction_and_padding() {
    let (host, plugin) = own_flow();
    let node = scene(&plugin, WIDTH, HEIGHT).create().expect("a node");
    for depth in Depth::ALL {
        let plain = node.render(&Request::at(6.0).depth(depth)).expect("renders");
        for negative in [false, true] {
            for padding in [0, 1, 4, 60] {
                let rows = RowLayout { negative, padding };
                node.purge().expect("purges");
                let frame = node.render(&Request::at(6.0).depth(depth).rows(rows)).expect("renders");
                assert_eq!(frame.image.rows(), rows);
                // The host detects a byte written between rows.
                assert_eq!(bits(&frame), bits(&plain), "{depth:?} {rows:?}");
            }
        }
        assert!(total(&plain, 3) > 10.0, "{depth:?}");
    }
    rules_kept(&host);
}

/// A scene whose numbers are exact at any position.
fn elsewhere(plugin: &Plugin, [x, y]: [i32; 2]) -> Node {
    let bounds = RectI { x1: x, y1: y, x2: x + WIDTH, y2: y + HEIGHT };
    let shifted = |image: Image| {
        let here = image.clone();
        Image::from_fn(bounds, move |px, py| here.pixel(px - x, py - y))
    };
    let source = picture(WIDTH, HEIGHT, |u, v| {
        let inside = f32::from((u - 0.3).hypot(v - 0.6) < 0.15);
        [0.5 * inside, 0.25 * inside, 0.1 * inside, inside]
    });
    let centre = |u: i32, v: i32| [f64::from(x + u), f64::from(y + v)];
    plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(WIDTH as u32, HEIGHT as u32).origin(x, y))
        .clip("Source", Source::still(shifted(source)))
        .clip("Terrain", Source::still(shifted(common::terrain(WIDTH, HEIGHT))))
        .set("sourceMode", "Add")
        .set("sourceHeight", 0.25)
        .set("emitter", "On")
        .set("emitterRadius", 7.0)
        .key("emitterCentre", 1.0, centre(10, 10))
        .key("emitterCentre", 9.0, centre(74, 42))
        .set("rainMode", "Mean height")
        .set("rain", 0.01)
        .create()
        .expect("a node")
}

#[test]
fn the_frame_may_have_any_origin() {
    let (host, plugin) = own_flow();
    let home = at(&elsewhere(&plugin, [0, 0]), 7.0);
    assert!(total(&home, 3) > 50.0);
    for origin in [[-37, 21], [1000, -500], [-96, -64], [3, 0]] {
        let there = at(&elsewhere(&plugin, origin), 7.0);
        let [x, y] = origin;
        assert_eq!(there.window, RectI { x1: x, y1: y, x2: x + WIDTH, y2: y + HEIGHT });
        assert_eq!(bits(&there), bits(&home), "at {origin:?}");
    }
    rules_kept(&host);
}

#[test]
fn the_node_covers_a_source_at_any_position() {
    let (host, plugin) = own_flow();
    // Smaller than the frame and beyond its edge.
    let bounds = RectI { x1: -20, y1: 10, x2: 40, y2: 50 };
    let source = Image::from_fn(bounds, |_, _| [0.0, 0.0, 0.0, 0.5]);
    let node = empty(&plugin).clip("Source", Source::still(source)).create().expect("a node");
    let region = node.region(1.0, (1.0, 1.0)).expect("is declared");
    assert_eq!(region, RectD { x1: -20.0, y1: 10.0, x2: 40.0, y2: 50.0 });
    let frame = at(&node, 4.0);
    let here = |x: i32, y: i32| frame.pixel(x, y)[3];
    assert_eq!([here(0, 10), here(39, 49), here(40, 30), here(20, 9), here(20, 50)], [0.5, 0.5, 0.0, 0.0, 0.0]);
    assert!(info(&node).contains("Grid 60 x 40"), "{}", info(&node));
    let beyond = node.render(&Request::at(4.0).whole_region()).expect("renders");
    assert_eq!(beyond.window, bounds);
    assert_eq!(beyond.pixel(-20, 10)[3], 0.5);
    // An image may be smaller than its clip: missing pixels are transparent.
    let part = RectI { x1: 30, y1: 20, x2: 50, y2: 40 };
    let smaller = Source::still(Image::from_fn(part, |_, _| [0.0, 0.0, 0.0, 0.5])).region(RectD {
        x1: 0.0,
        y1: 0.0,
        x2: f64::from(WIDTH),
        y2: f64::from(HEIGHT),
    });
    let node = empty(&plugin).clip("Source", smaller).set("speed", 0.0).create().expect("a node");
    let frame = at(&node, 2.0);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let expected = if part.contains(x, y) { 0.5 } else { 0.0 };
            assert_eq!(frame.pixel(x, y)[3], expected, "at {x}, {y}");
        }
    }
    rules_kept(&host);
}

#[test]
fn other_inputs_may_have_other_sizes_and_pixels() {
    let (host, plugin) = own_flow();
    // A plane over the canonical frame, in any raster.
    let slope = |x: f64, y: f64| (0.004 * x + 0.006 * y + 0.1) as f32;
    let raster = move |bounds: RectI, aspect: f64| {
        Image::from_fn(bounds, move |x, y| [slope((f64::from(x) + 0.5) * aspect, f64::from(y) + 0.5); 4])
            .pixel_aspect(aspect)
    };
    for (bounds, aspect, tolerance) in [
        (RectI { x1: -50, y1: -9, x2: 200, y2: 100 }, 1.0, 0.0),
        (RectI { x1: 0, y1: 0, x2: 48, y2: 64 }, 2.0, 0.0045),
        (RectI { x1: 0, y1: 0, x2: 192, y2: 64 }, 0.5, 0.0001),
    ] {
        let [frame, exact] = [raster(bounds, aspect), raster(whole(WIDTH, HEIGHT), 1.0)].map(|terrain| {
            // With a Source first: a host takes the output's pixels from the first input.
            let builder =
                empty(&plugin).clip("Source", Source::constant([0.0; 4])).clip("Terrain", Source::still(terrain));
            at(&builder.set("output", "Height").create().expect("a node"), 1.0)
        });
        for (x, y) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))) {
            let [got, want] = [&frame, &exact].map(|frame| frame.pixel(x, y)[2]);
            assert!((got - want).abs() <= tolerance, "{bounds:?} at {x}, {y}: {got}, not {want}");
        }
    }
    // Beyond a smaller terrain the ground has the value 0.
    let corner = raster(RectI { x1: 0, y1: 0, x2: 30, y2: 20 }, 1.0);
    let node = empty(&plugin).clip("Terrain", Source::still(corner)).set("output", "Height");
    let frame = at(&node.set("terrainOffset", 0.25).create().expect("a node"), 1.0);
    assert!(frame.pixel(29, 19)[2] > 0.3);
    assert_eq!([frame.pixel(30, 19)[2], frame.pixel(29, 20)[2]], [0.25, 0.25]);
    rules_kept(&host);
}

#[test]
fn inputs_without_a_picture_add_no_water() {
    let (host, plugin) = own_flow();
    for clip in ["Source", "Terrain", "Obstacles", "Force", "Mask"] {
        let nothing = Source::pictures(|_| None);
        let mut builder = empty(&plugin).clip(clip, nothing);
        if clip != "Source" {
            builder = builder.clip("Source", Source::still(picture(WIDTH, HEIGHT, |_, _| [0.0, 0.0, 0.0, 0.5])));
        }
        let frame = at(&builder.create().expect("a node"), 3.0);
        // An empty Mask masks everything.
        let expected = if matches!(clip, "Source" | "Mask") { 0.0 } else { 0.5 };
        assert_eq!(frame.pixel(40, 40)[3], expected, "{clip}");
        assert_eq!((frame.window.width(), frame.window.height()), (WIDTH as usize, HEIGHT as usize));
    }
    rules_kept(&host);
}

#[test]
fn pixels_that_are_not_finite_are_counted_and_skipped() {
    let (host, plugin) = own_flow();
    let clean = |x: i32, y: i32| [0.1, 0.1, 0.1, 0.25 + 0.001 * (x + y) as f32];
    let dirty = |bad: [f32; 4], count: i32| {
        Image::from_fn(whole(WIDTH, HEIGHT), move |x, y| if y == 30 && x < count { bad } else { clean(x, y) })
    };
    let base = |clip: &str, image: Image| {
        let builder = empty(&plugin).clip(clip, Source::still(image));
        if clip == "Source" {
            return builder;
        }
        builder.clip("Source", Source::still(Image::from_fn(whole(WIDTH, HEIGHT), |_, _| [0.0, 0.0, 0.0, 0.5])))
    };
    for (count, bad) in [(3, f32::NAN), (5, f32::INFINITY), (7, f32::NEG_INFINITY)] {
        for clip in ["Source", "Terrain", "Obstacles", "Force", "Mask"] {
            let [node, zero] =
                [[bad; 4], [0.0; 4]].map(|pixel| base(clip, dirty(pixel, count)).create().expect("a node"));
            let [frame, expected] = [&node, &zero].map(|node| at(node, 3.0));
            assert_eq!(bits(&frame), bits(&expected), "{bad} in {clip}");
            assert!(frame.rgba().iter().flatten().all(|v| v.is_finite()), "{bad} in {clip}");
            let info_text = info(&node);
            assert!(
                info_text.contains(&format!("{count} pixels of {clip} are not numbers")),
                "{bad} in {clip}: {info_text}"
            );
            assert!(!info(&zero).contains("not numbers"));
        }
    }
    rules_kept(&host);
}

#[test]
fn every_depth_is_read_and_written() {
    let (host, plugin) = own_flow();
    for depth in Depth::ALL {
        // Values that this depth holds exactly.
        let steps = if depth == Depth::Half { 256.0_f32 } else { 255.0 };
        let image = picture(WIDTH, HEIGHT, |u, v| {
            let step = |v: f64| (v * 200.0).floor() as f32 / steps;
            [step(u), step(v), step(u * v), step(1.0 - u)]
        })
        .premultiplied(Premultiplication::Unpremultiplied);
        let stored = image.converted(whole(WIDTH, HEIGHT), depth, Components::Rgba, RowLayout::default());
        let node = |image: &Image| {
            let source = Source::still(image.clone()).as_is();
            empty(&plugin).clip("Source", source).create().expect("a node")
        };
        let float = node(&image).render(&Request::at(5.0).depth(Depth::Float)).expect("renders");
        let other = node(&stored).render(&Request::at(5.0).depth(Depth::Float)).expect("renders");
        assert_eq!(bits(&other), bits(&float), "{depth:?} in");
        let out = node(&image).render(&Request::at(5.0).depth(depth)).expect("renders");
        assert_eq!(out.image.depth(), depth);
        let rounded = float.image.converted(out.image.bounds(), depth, Components::Rgba, RowLayout::default());
        assert!(out.image.to_rgba(out.window) == rounded.to_rgba(out.window), "{depth:?} out");
        assert!(total(&out, 3) > 100.0);
    }
    rules_kept(&host);
}

#[test]
fn rgb_and_alpha_images_are_accepted() {
    let (host, plugin) = own_flow();
    let image = picture(WIDTH, HEIGHT, |u, v| [0.2, (u * 0.5) as f32, 0.1, (v * 0.5) as f32]);
    let as_components = |components| {
        let image = image.converted(whole(WIDTH, HEIGHT), Depth::Float, components, RowLayout::default());
        Source::still(image).as_is()
    };
    let node = |clip: &str, source: Source| {
        let builder = empty(&plugin).clip(clip, source);
        let flood = Source::still(picture(WIDTH, HEIGHT, |_, _| [0.0, 0.0, 0.0, 0.5]));
        if clip == "Source" { builder } else { builder.clip("Source", flood) }.create().expect("a node")
    };
    // Without alpha, luminance is the height, and the panel says so.
    let rgb = node("Source", as_components(Components::Rgb));
    let [r, g, b, height] = at(&rgb, 1.0).pixel(60, 40);
    assert!((f64::from(height) - (0.2126 * 0.2 + 0.7152 * f64::from(g) + 0.0722 * 0.1)).abs() < 1e-6, "{height}");
    assert!((r - 0.2).abs() < 1e-4 && (b - 0.1).abs() < 1e-4 && (g - 0.315).abs() < 1e-2, "{r} {g} {b}");
    assert!(info(&rgb).contains("its luminance is the height"), "{}", info(&rgb));
    // An alpha clip is white of that alpha.
    let alpha = node("Source", as_components(Components::Alpha));
    let [r, g, b, height] = at(&alpha, 1.0).pixel(60, 40);
    assert_eq!(height, image.pixel(60, 40)[3]);
    assert!([r, g, b].iter().all(|c| (c - 1.0).abs() < 1e-4), "{r} {g} {b}");
    // An alpha clip serves as ground and as mask; an RGB one as a mask by its brightness.
    let terrain = node("Terrain", as_components(Components::Alpha));
    terrain.set("output", "Height").expect("is set");
    assert!((at(&terrain, 1.0).pixel(60, 40)[2] - image.pixel(60, 40)[3]).abs() < 1e-6);
    let masked = |source: Source| at(&node("Mask", source), 1.0).pixel(60, 40)[3];
    assert!((masked(as_components(Components::Alpha)) - 0.5 * image.pixel(60, 40)[3]).abs() < 1e-6);
    let [r, g, b, _] = image.pixel(60, 40);
    let brightness = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    assert!((masked(as_components(Components::Rgb)) - 0.5 * brightness).abs() < 1e-6);
    rules_kept(&host);
}

#[test]
fn hosts_without_rgba_get_their_nearest_components() {
    let poured = |components: Vec<Components>, source: Components| {
        let (host, plugin) = private_flow(Profile { components, ..Profile::generic() });
        let image = picture(WIDTH, HEIGHT, |_, v| [0.25, 0.5, 0.125, (v * 0.5) as f32])
            .premultiplied(Premultiplication::Unpremultiplied)
            .converted(whole(WIDTH, HEIGHT), Depth::Float, source, RowLayout::default());
        let node = empty(&plugin).clip("Source", Source::still(image)).create().expect("a node");
        let frame = at(&node, 1.0);
        rules_kept(&host);
        (frame.image.components(), frame.image.channels(60, 40))
    };
    let (components, [r, g, b, _]) = poured(vec![Components::Rgb], Components::Rgb);
    assert_eq!(components, Components::Rgb);
    assert!((r - 0.25).abs() < 1e-4 && (g - 0.5).abs() < 1e-4 && (b - 0.125).abs() < 1e-4, "{r} {g} {b}");
    let (components, [height, ..]) = poured(vec![Components::Alpha], Components::Alpha);
    assert_eq!(components, Components::Alpha);
    assert!((f64::from(height) - 0.5 * 40.5 / 64.0).abs() < 1e-6, "{height}");
}

#[test]
fn water_has_the_straight_colour_of_its_source() {
    let (host, plugin) = own_flow();
    for (meaning, pixel, colour) in [
        (Premultiplication::Premultiplied, [0.4, 0.2, 0.1, 0.5], [0.8, 0.4, 0.2]),
        (Premultiplication::Unpremultiplied, [0.4, 0.2, 0.1, 0.5], [0.4, 0.2, 0.1]),
        (Premultiplication::Opaque, [0.4, 0.2, 0.1, 1.0], [0.4, 0.2, 0.1]),
        // Light without alpha: division by 0 is avoided.
        (Premultiplication::Premultiplied, [4.0, 2.0, 1.0, 0.25], [16.0, 8.0, 4.0]),
    ] {
        let source = Source::still(picture(WIDTH, HEIGHT, |_, _| pixel).premultiplied(meaning));
        let node = empty(&plugin).clip("Source", source).create().expect("a node");
        // In proxy the picture is averaged; the colour is not.
        for scale in [1.0, 0.5] {
            let [r, g, b, height] = node.render(&Request::at(1.0).scale(scale, scale)).expect("renders").pixel(20, 20);
            assert_eq!(height, pixel[3], "{meaning:?}");
            for (got, want) in [r, g, b].into_iter().zip(colour) {
                assert!((got / want - 1.0).abs() < 1e-4, "{meaning:?}: {r} {g} {b}");
            }
        }
    }
    rules_kept(&host);
}

#[test]
fn a_render_window_has_the_pixels_of_the_whole_frame() {
    let (host, plugin) = private_flow(Profile { forces_tiles: true, ..Profile::generic() });
    let node = scene(&plugin, WIDTH, HEIGHT).create().expect("a node");
    let full = at(&node, 5.0);
    for window in [
        RectI { x1: 0, y1: 0, x2: 1, y2: 1 },
        RectI { x1: 95, y1: 63, x2: 96, y2: 64 },
        RectI { x1: 17, y1: 9, x2: 61, y2: 50 },
    ] {
        let part = node.render(&Request::at(5.0).window(window)).expect("renders");
        assert_eq!(part.window, window);
        for (x, y) in (window.y1..window.y2).flat_map(|y| (window.x1..window.x2).map(move |x| (x, y))) {
            assert_eq!(part.pixel(x, y), full.pixel(x, y), "at {x}, {y} of {window:?}");
        }
    }
    // A host that splits frames that should be whole: the output image is larger than each window.
    for bands in [2, 5, 64] {
        let cut = node.render(&Request::at(5.0).bands(bands)).expect("renders");
        assert_eq!(bits(&cut), bits(&full), "{bands} bands");
    }
    rules_kept(&host);
}

#[test]
fn circles_are_round_with_any_pixel_aspect() {
    let (host, plugin) = own_flow();
    for aspect in [2.0, 0.5, 1.0] {
        let columns = (160.0 / aspect) as u32;
        let node = plugin
            .node(Context::Generator)
            .set("output", "Water")
            .project(Project::new(columns, 100).par(aspect))
            .set("emitterRadius", 30.0)
            .set("emitterSoftness", 0.0)
            .set("emitterCentre", [80.0, 50.0])
            .create()
            .expect("a node");
        let frame = at(&node, 1.0);
        assert_eq!(frame.window.width(), columns as usize);
        let height = |x: i32, y: i32| f64::from(frame.pixel(x, y)[3]) / 0.05;
        let across: f64 = (0..columns as i32).map(|x| height(x, 50) * aspect).sum();
        let up: f64 = (0..100).map(|y| height((80.0 / aspect) as i32, y)).sum();
        assert!((across - 60.0).abs() < 1.0 && (up - 60.0).abs() < 1.0, "{across} by {up} at aspect {aspect}");
        let area = total(&frame, 3) / 0.05 * aspect;
        assert!((area / (std::f64::consts::PI * 900.0) - 1.0).abs() < 0.01, "{area} at aspect {aspect}");
        assert!(info(&node).contains("Grid 160 x 100"), "{}", info(&node));
    }
    rules_kept(&host);
}

#[test]
fn the_grid_covers_the_source_of_the_start_frame() {
    let (host, plugin) = own_flow();
    // The plate grows, moves and disappears during the shot.
    let plate = |time: f64| {
        let bounds = match time as i32 {
            ..4 => RectI { x1: 0, y1: 0, x2: 60, y2: 40 },
            4..6 => RectI { x1: -30, y1: -30, x2: 120, y2: 90 },
            6 => RectI { x1: 200, y1: 200, x2: 210, y2: 210 },
            _ => return None,
        };
        Some(Image::from_fn(bounds, |_, _| [0.0, 0.0, 0.0, 0.125]))
    };
    let node = empty(&plugin)
        .clip("Source", Source::pictures(plate))
        .set("sourceMode", "Add")
        .set("speed", 0.0)
        .create()
        .expect("a node");
    let start = RectD { x1: 0.0, y1: 0.0, x2: 60.0, y2: 40.0 };
    for (time, height) in [(8.0, 0.625), (1.0, 0.125), (5.0, 0.625), (3.0, 0.375)] {
        let frame = at(&node, time);
        assert_eq!(node.region(time, (1.0, 1.0)).expect("is declared"), start, "frame {time}");
        assert_eq!([frame.pixel(5, 5)[3], frame.pixel(59, 39)[3]], [height; 2], "frame {time}");
        assert_eq!(frame.pixel(60, 5)[3], 0.0, "frame {time}");
        assert!(info(&node).contains("Grid 60 x 40"), "{}", info(&node));
    }
    rules_kept(&host);
}

#[test]
fn unbounded_sources_are_clipped_to_the_project() {
    let (host, plugin) = own_flow();
    let endless = RectD { x1: f64::NEG_INFINITY, y1: -2_147_483_648.0, x2: 2_147_483_647.0, y2: f64::INFINITY };
    let flood = picture(WIDTH, HEIGHT, |_, _| [0.0, 0.0, 0.0, 0.25]);
    let node = empty(&plugin).clip("Source", Source::still(flood).region(endless)).create().expect("a node");
    assert_eq!(node.region(3.0, (1.0, 1.0)).expect("is declared"), RectD { x1: 0.0, y1: 0.0, x2: 96.0, y2: 64.0 });
    assert_eq!(at(&node, 3.0).pixel(95, 63)[3], 0.25);
    assert!(info(&node).contains("Grid 96 x 64"), "{}", info(&node));
    // Without a Source the project defines the grid, at any origin.
    let project = Project::new(50, 30).origin(-20, 7);
    for context in [Context::General, Context::Generator] {
        let node = plugin.node(context).set("output", "Water").project(project.clone()).create().expect("a node");
        assert_eq!(
            node.region(3.0, (1.0, 1.0)).expect("is declared"),
            RectD { x1: -20.0, y1: 7.0, x2: 30.0, y2: 37.0 }
        );
        let frame = at(&node, 1.0);
        // The emitter is in the centre of the frame.
        assert!(frame.pixel(5, 22)[3] > 0.0 && frame.window.x1 == -20);
        assert!(info(&node).contains("Grid 50 x 30"), "{}", info(&node));
    }
    rules_kept(&host);
}
