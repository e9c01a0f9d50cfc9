//! The inputs Background and Reflection, and caustics on the bed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use flow_host::{Order, Profile, RectD, Request};

/// A plate with detail, brighter than white at some pixels.
fn plate() -> Image {
    picture(WIDTH, HEIGHT, |u, v| {
        let [r, g] = [(u * 40.0).sin() * 0.5 + 0.5, (v * 30.0).cos() * 0.7 + 0.7];
        [r as f32, g as f32, (u * v) as f32 * 3.0, 1.0]
    })
}

/// Shaded water without light or sky, of a clarity of 0.3 and a relief of 40, seen from straight above: only
/// light from below is visible.
fn dark(builder: NodeBuilder) -> NodeBuilder {
    let black = [0.0, 0.0, 0.0];
    builder
        .set("output", "Beauty")
        .set("lightColour", black)
        .set("skyColour", black)
        .set("horizonColour", black)
        .set("waterColour", [0.05, 0.3, 0.6])
        .set("clarity", 0.3)
        .set("viewElevation", 90.0)
        .set("skyContrast", 0.0)
        .set("relief", 40.0)
}

/// Transmittance of [`dark`] water of a height in three colours, after Kubelka and Munk.
fn let_through(height: f64) -> [f64; 3] {
    let lost = [0.05, 0.3, 0.6].map(|c: f64| 1.0 + (1.0 - c) * (1.0 - c) / (2.0 * c));
    lost.map(|own| (-own / lost[2] * height / 0.3).exp())
}

/// Water's reflectance at normal incidence.
fn reflectance() -> f64 {
    (0.333_f64 / 2.333).powi(2)
}

#[test]
fn still_water_shows_the_background_times_its_transmittance() {
    let (_host, plugin) = own_flow();
    // Water in the right half only, behind a wall.
    let half = Source::still(picture(WIDTH, HEIGHT, |u, _| [0.0, 0.0, 0.0, if u > 0.55 { 0.25 } else { 0.0 }]));
    let wall = Source::still(picture(WIDTH, HEIGHT, |u, _| [0.0, 0.0, 0.0, f32::from((0.45..0.55).contains(&u))]));
    let node = dark(empty(&plugin).clip("Source", half).clip("Obstacles", wall));
    let node = node.clip("Background", Source::still(plate())).create().expect("a node");
    let (frame, plate) = (at(&node, 5.0), plate());
    for (x, y) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))) {
        let (shown, bed) = (frame.pixel(x, y), plate.pixel(x, y));
        if x < 35 {
            assert_eq!(shown, [bed[0], bed[1], bed[2], 1.0], "dry at {x}, {y}");
        } else if x >= 36 {
            for (i, through) in let_through(0.25).into_iter().enumerate() {
                let truth = f64::from(bed[i]) * through * (1.0 - reflectance());
                assert!(near(shown[i], truth, 4e-6 * (1.0 + truth)), "{x}, {y}: {} for {truth}", shown[i]);
            }
        }
    }
    // The background belongs to the bed: output Water does not show it.
    node.set("alphaMode", "Water only").expect("is set");
    assert_eq!(at(&node, 5.0).pixel(3, 3), [0.0; 4]);
}

#[test]
fn tilted_water_shifts_the_background_as_snell_says() {
    let (_host, plugin) = own_flow();
    // Ground and water of equal height that rise by 1/128 a pixel to the right: the start frame has no waves yet.
    let rise = |x: f64| x / 128.0;
    let ground = picture(WIDTH, HEIGHT, move |u, _| [rise(u * 64.0) as f32; 4]);
    let ramp = picture(WIDTH, HEIGHT, |u, v| [(u * 64.0) as f32, (v * 48.0) as f32, 0.0, 1.0]);
    let node = dark(empty(&plugin).clip("Source", flood(0.25)).clip("Terrain", Source::still(ground)));
    let node = node.clip("Background", Source::still(ramp)).create().expect("a node");
    let frame = at(&node, 1.0);
    let tilt = (40.0_f64 / 128.0).atan();
    let offset = 0.25 * 40.0 * (tilt - (tilt.sin() / 1.333).asin()).tan();
    assert!(offset > 0.7);
    let share = let_through(0.25).map(|through| through * (1.0 - fresnel(tilt.cos())));
    for (x, y) in [(10, 5), (30, 24), (50, 40)] {
        let [r, g, ..] = frame.pixel(x, y);
        // The surface leans to the left, so it shows the bed from farther up the slope.
        let truth = [f64::from(x) + 0.5 + offset, f64::from(y) + 0.5];
        assert!(near(r, truth[0] * share[0], 1e-4 * truth[0]), "{x}, {y}: {r} for {}", truth[0] * share[0]);
        assert!(near(g, truth[1] * share[1], 1e-4 * truth[1]), "{x}, {y}: {g} for {}", truth[1] * share[1]);
    }
}

/// Schlick's reflectance.
fn fresnel(cosine: f64) -> f64 {
    reflectance() + (1.0 - reflectance()) * (1.0 - cosine).powi(5)
}

#[test]
fn reflections_follow_fresnel_and_the_reflected_ray() {
    let (_host, plugin) = own_flow();
    let ramp = || picture(WIDTH, HEIGHT, |u, v| [(u * 64.0) as f32, (v * 48.0) as f32, 0.0, 1.0]);
    let ground = picture(WIDTH, HEIGHT, |u, _| [(u * 64.0 / 128.0) as f32; 4]);
    let node = dark(empty(&plugin).clip("Source", flood(0.25)).clip("Terrain", Source::still(ground)));
    let node = node.clip("Reflection", Source::still(ramp())).set("groundColour", [0.0, 0.0, 0.0]);
    let node = node.set("reflectionDistance", 10.0).create().expect("a node");
    let frame = at(&node, 1.0);
    let tilt = (40.0_f64 / 128.0).atan();
    let aside = 10.0 * (2.0 * tilt).tan();
    for (x, y) in [(20, 5), (30, 24), (50, 40)] {
        let [r, g, ..] = frame.pixel(x, y);
        let truth = [f64::from(x) + 0.5 - aside, f64::from(y) + 0.5].map(|value| value * fresnel(tilt.cos()));
        assert!(near(r, truth[0], 1e-4 * truth[0]) && near(g, truth[1], 1e-4 * truth[1]), "{r} {g} for {truth:?}");
    }
    // The sky is reflected where the picture is transparent; dry ground reflects nothing.
    let still = dark(empty(&plugin).clip("Source", flood(0.25))).set("groundColour", [0.0, 0.0, 0.0]);
    let half = picture(WIDTH, HEIGHT, |_, _| [0.25, 0.25, 0.25, 0.5]);
    let still = still.clip("Reflection", Source::still(half)).set("horizonColour", [4.0, 4.0, 4.0]);
    let still = still
        .set("skyColour", [2.0, 2.0, 2.0])
        .set("clarity", 10_000.0)
        .set("murkiness", 0.0)
        .create()
        .expect("a node");
    assert!(near(at(&still, 3.0).pixel(9, 9)[0], reflectance() * (0.25 + 0.5 * 2.0), 1e-6));
}

#[test]
fn inputs_of_the_picture_alone_cause_no_step() {
    let (_host, plugin) = own_flow();
    let node = common::scene(&plugin, WIDTH, HEIGHT).set("output", "Beauty").set("startFrame", 2);
    let node = node.create().expect("a node");
    let plain = bits(&at(&node, 8.0));
    let fetched = Arc::new(AtomicU32::new(0));
    let counted = |image: Image| {
        let fetched = Arc::clone(&fetched);
        Source::pictures(move |time| {
            // The host reads the project's first frame for its format.
            assert!(time == 8.0 || time == 1.0, "fetched at {time}, and not at the rendered frame alone");
            fetched.fetch_add(1, Ordering::Relaxed);
            Some(image.clone())
        })
    };
    let mut seen = vec![plain.clone()];
    for clip in ["Background", "Reflection"] {
        for level in [0.5, 2.0] {
            node.connect(clip, Some(counted(picture(WIDTH, HEIGHT, move |u, v| [level, u as f32, v as f32, 1.0]))))
                .expect("connects");
            let frame = at(&node, 8.0);
            assert_eq!((simulated(&frame), frame.stat("steps")), (0, Some(0.0)), "{clip}");
            assert!(seen.iter().all(|other| *other != bits(&frame)), "{clip} shows");
            seen.push(bits(&frame));
        }
    }
    // No other output fetches them.
    let wanted = RectD { x1: 0.0, y1: 0.0, x2: 9.0, y2: 9.0 };
    let asked = |node: &Node| node.regions_of_interest(8.0, (1.0, 1.0), wanted).expect("is declared");
    let whole = RectD { x1: 0.0, y1: 0.0, x2: f64::from(WIDTH), y2: f64::from(HEIGHT) };
    let nothing = RectD { x1: 0.0, y1: 0.0, x2: 0.0, y2: 0.0 };
    let of = |node: &Node, name: &str| asked(node).into_iter().find(|(clip, _)| clip == name).expect("is there").1;
    assert_eq!([of(&node, "Background"), of(&node, "Reflection")], [whole, whole]);
    node.set("alphaMode", "Water only").expect("is set");
    assert_eq!([of(&node, "Background"), of(&node, "Reflection")], [nothing, whole]);
    node.set("output", "Water").expect("is set");
    assert_eq!([of(&node, "Background"), of(&node, "Reflection"), of(&node, "Terrain")], [nothing, nothing, whole]);
    let before = fetched.load(Ordering::Relaxed);
    at(&node, 8.0);
    assert_eq!(fetched.load(Ordering::Relaxed), before);
    for clip in ["Background", "Reflection"] {
        node.connect(clip, None).expect("disconnects");
    }
    for (name, value) in [("output", "Beauty"), ("alphaMode", "Over bed")] {
        node.set(name, value).expect("is set");
    }
    assert_eq!(bits(&at(&node, 8.0)), plain);
}

#[test]
fn pixels_that_are_not_finite_count_as_zero() {
    let (_host, plugin) = own_flow();
    let bad = |u: f64, v: f64| {
        let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3e38][((u * 64.0) as usize + (v * 48.0) as usize) % 4];
        [odd, 0.5, odd, if u < 0.5 { 1.0 } else { odd }]
    };
    for premultiplied in [Premultiplication::Premultiplied, Premultiplication::Unpremultiplied] {
        let node = common::scene(&plugin, WIDTH, HEIGHT).set("output", "Beauty");
        let bad = || Source::still(picture(WIDTH, HEIGHT, bad).premultiplied(premultiplied));
        let node = node.clip("Background", bad()).clip("Reflection", bad()).create().expect("a node");
        let frame = at(&node, 8.0);
        assert!(frame.rgba().iter().flatten().all(|value| value.is_finite()));
        assert!(frame.rgba().iter().any(|pixel| pixel[1] > 0.2));
    }
}

#[test]
fn the_background_is_composited_over_the_ground_by_its_alpha() {
    let (_host, plugin) = own_flow();
    let bare = empty(&plugin).set("output", "Beauty").create().expect("a node");
    let ground = at(&bare, 1.0).pixel(5, 5);
    let straight = |alpha: f32| {
        let image = picture(WIDTH, HEIGHT, move |_, _| [0.8, 0.4, 0.2, alpha]);
        Source::still(image.premultiplied(Premultiplication::Unpremultiplied))
    };
    for alpha in [0.0, 0.25, 1.0] {
        bare.connect("Background", Some(straight(alpha))).expect("connects");
        let shown = at(&bare, 1.0).pixel(5, 5);
        for (i, own) in [0.8_f32, 0.4, 0.2].into_iter().enumerate() {
            let truth = own * alpha + ground[i] * (1.0 - alpha);
            assert!(near(shown[i], f64::from(truth), 1e-6), "{alpha}: {} for {truth}", shown[i]);
        }
        assert_eq!(shown[3], 1.0);
    }
    // Outside its frame the ground is unchanged.
    let small = Image::from_fn(flow_host::RectI { x1: 10, y1: 10, x2: 20, y2: 20 }, |_, _| [0.8, 0.4, 0.2, 1.0]);
    bare.connect("Background", Some(Source::still(small))).expect("connects");
    let frame = at(&bare, 1.0);
    assert_eq!((frame.pixel(5, 5), frame.pixel(15, 15)), (ground, [0.8, 0.4, 0.2, 1.0]));
}

#[test]
fn light_below_still_water_is_exactly_one() {
    let (_host, plugin) = own_flow();
    // A lake at rest over hills, with islands.
    let hill = |u: f64, v: f64| ((0.4 + 0.5 * (u * 9.0).sin() * (v * 7.0).cos()) * 64.0).round() as f32 / 64.0;
    let ground = picture(WIDTH, HEIGHT, move |u, v| [hill(u, v); 4]);
    let lake = picture(WIDTH, HEIGHT, move |u, v| [0.0, 0.0, 0.0, (0.75 - hill(u, v)).max(0.0)]);
    let node = empty(&plugin).clip("Source", Source::still(lake)).clip("Terrain", Source::still(ground));
    let node = node.set("output", "Caustics").set("lightElevation", 20.0).create().expect("a node");
    for time in [1.0, 7.0] {
        let frame = at(&node, time);
        assert!(frame.rgba().iter().all(|pixel| pixel[..3] == [1.0; 3]), "at {time}");
        let wet = total(&frame, 3);
        assert!(wet > 1000.0 && wet < 3000.0, "{wet} wet");
    }
    // Nor does the order change the picture.
    node.set("output", "Beauty").expect("is set");
    let with = bits(&at(&node, 7.0));
    node.set("caustics", 0.0).expect("is set");
    assert_eq!(bits(&at(&node, 7.0)), with);
}

#[test]
fn caustics_conserve_light() {
    for edges in ["Closed", "Open", "Wrap"] {
        let (_host, plugin) = own_flow();
        let node = common::scene(&plugin, WIDTH, HEIGHT).set("edges", edges).set("output", "Caustics");
        let node = node.set("lightElevation", 30.0).create().expect("a node");
        for (relief, time) in [(20.0, 4.0), (60.0, 8.0), (500.0, 15.0)] {
            node.set("relief", relief).expect("is set");
            let frame = at(&node, time);
            let mean = total(&frame, 0) / f64::from(WIDTH * HEIGHT);
            assert!((mean - 1.0).abs() < 1e-4, "{edges} {relief}: {mean}");
            let brightest = frame.rgba().iter().fold(0.0_f32, |most, pixel| most.max(pixel[0]));
            println!("{edges} {relief}: mean {mean}, at most {brightest}");
            assert!(brightest > 1.3, "{edges} {relief}: {brightest} at most");
        }
    }
}

#[test]
fn caustics_are_displaced_along_the_light() {
    let (_host, plugin) = own_flow();
    // A round crest in a pool is a lens: above the bed, oblique light focuses below it, on the side away from the
    // light.
    let pool = picture(WIDTH, HEIGHT, |u, v| {
        let [x, y] = [u * 64.0 - 32.0, v * 48.0 - 24.0];
        [0.0, 0.0, 0.0, (0.5 + 0.06 * (-(x * x + y * y) / 30.0).exp()) as f32]
    });
    let node = empty(&plugin).clip("Source", Source::still(pool)).set("output", "Caustics").set("relief", 40.0);
    let node = node.set("lightDirection", 180.0).set("lightElevation", 90.0).create().expect("a node");
    let brightest = |node: &Node| {
        let frame = at(node, 1.0);
        let places = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
        places.max_by(|a, b| frame.pixel(a.0, a.1)[0].total_cmp(&frame.pixel(b.0, b.1)[0])).expect("has pixels")
    };
    let (x, y) = brightest(&node);
    assert!((31..=32).contains(&x) && (23..=24).contains(&y), "{x}, {y}");
    // 45°: 0.56 · 40 pixels deep, at the angle whose sine is that of 45° by 1.333.
    node.set("lightElevation", 45.0).expect("is set");
    let (x, y) = brightest(&node);
    let aside = 0.56 * 40.0 * (45.0_f64.to_radians().sin() / 1.333).asin().tan();
    assert!((f64::from(x) + 0.5 - 32.0 - aside).abs() < 3.0 && (23..=24).contains(&y), "{x}, {y}: {aside} aside");
}

#[test]
fn the_light_on_the_bed_does_not_depend_on_threads_or_order() {
    let show = |output: &str, order: Order, threads: usize| {
        let (_host, plugin) = common::private_flow(Profile { threads, ..Profile::generic() });
        let node = common::scene(&plugin, 640, 480).set("output", output).set("relief", 80.0).create().expect("a node");
        let frames = node.collect_frames(&[2.0, 3.0, 4.0], order, threads, &Request::at(0.0)).expect("renders");
        frames.iter().map(bits).collect::<Vec<_>>()
    };
    for output in ["Caustics", "Beauty"] {
        let one = show(output, Order::Forward, 1);
        assert!(one == show(output, Order::Reverse, 1), "{output} backwards");
        assert!(one == show(output, Order::Forward, 3), "{output} three at a time");
    }
}
