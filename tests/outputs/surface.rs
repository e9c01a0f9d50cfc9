//! Shaded water, and the outputs with data of its surface and motion.

use super::*;

const LOOKS: [&str; 7] =
    ["Beauty", "Normals", "Velocity", "Motion vectors", "Refraction map", "Displacement", "Caustics"];

#[test]
fn every_output_has_a_picture_and_causes_no_simulation() {
    let (_host, plugin) = own_flow();
    let node = common::scene(&plugin, WIDTH, HEIGHT).create().expect("a node");
    let water = bits(&at(&node, 8.0));
    let mut seen = vec![water];
    for output in ["Height", "Cross", "Diagonal"].into_iter().chain(LOOKS) {
        node.set("output", output).expect("is set");
        let frame = at(&node, 8.0);
        assert_eq!(simulated(&frame), 0, "{output} shares the water");
        assert_eq!(frame.stat("steps"), Some(0.0), "{output} takes no step");
        assert!(frame.rgba().iter().flatten().all(|value| value.is_finite()), "{output}");
        assert!(frame.rgba().iter().any(|pixel| pixel.iter().any(|value| value.abs() > 1e-3)), "{output} is empty");
        let shown = bits(&frame);
        assert!(seen.iter().all(|other| *other != shown), "{output} looks like another");
        seen.push(shown);
    }
    // Nor do edits of the shading.
    node.set("output", "Beauty").expect("is set");
    let before = bits(&at(&node, 8.0));
    for (name, value) in [
        ("relief", 33.0),
        ("clarity", 0.05),
        ("murkiness", 0.9),
        ("viewElevation", 20.0),
        ("lightSize", 30.0),
        ("lightElevation", 10.0),
        ("roughness", 0.6),
    ] {
        node.set(name, value).expect("is set");
        let frame = at(&node, 8.0);
        assert_eq!(simulated(&frame), 0, "{name}");
        assert_ne!(bits(&frame), before, "{name} changes the picture");
    }
    node.set("alphaMode", "Water only").expect("is set");
    let frame = at(&node, 8.0);
    let alpha: Vec<f32> = frame.rgba().iter().map(|pixel| pixel[3]).collect();
    assert!(alpha.iter().all(|a| (0.0..=1.0).contains(a)) && alpha.contains(&0.0) && alpha.iter().any(|a| *a > 0.2));
}

#[test]
fn water_at_rest_is_flat_and_still() {
    let (_host, plugin) = own_flow();
    let node = empty(&plugin).clip("Source", flood(0.5)).create().expect("a node");
    let show = |output: &str, time: f64| {
        node.set("output", output).expect("is set");
        at(&node, time)
    };
    let place = |at: i32, of: i32| ((f64::from(at) + 0.5) / f64::from(of)) as f32;
    let [normals, velocity, motion, map, shift] =
        ["Normals", "Velocity", "Motion vectors", "Refraction map", "Displacement"].map(|name| show(name, 6.0));
    for (x, y) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))) {
        assert_eq!(normals.pixel(x, y), [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(velocity.pixel(x, y), [0.0; 4]);
        assert_eq!(motion.pixel(x, y), [0.0; 4]);
        assert_eq!(map.pixel(x, y), [place(x, WIDTH), place(y, HEIGHT), 0.0, 1.0]);
        assert_eq!(shift.pixel(x, y), [0.0, 0.0, 0.5, 1.0]);
    }
    let [one, later] = [1.0, 9.0].map(|time| bits(&show("Beauty", time)));
    assert_eq!(one, later, "still water is a still picture");
}

/// A channel between pixels, at a position relative to the centre of the lower left pixel.
fn between(values: &[f64], x: f64, y: f64) -> f64 {
    let (x, y) = (x.clamp(0.0, f64::from(WIDTH - 1)), y.clamp(0.0, f64::from(HEIGHT - 1)));
    let (left, low) = ((x as i32).min(WIDTH - 2), (y as i32).min(HEIGHT - 2));
    let (u, v) = (x - f64::from(left), y - f64::from(low));
    let at = |x: i32, y: i32| values[(y * WIDTH + x) as usize];
    (at(left, low) * (1.0 - u) + at(left + 1, low) * u) * (1.0 - v)
        + (at(left, low + 1) * (1.0 - u) + at(left + 1, low + 1) * u) * v
}

#[test]
fn motion_vectors_point_to_the_next_and_previous_frame() {
    let (_host, plugin) = own_flow();
    // A lake with a soft red dot, under an oblique force.
    let lake = picture(WIDTH, HEIGHT, |u, v| {
        let red = (-((u - 0.4) * 8.0).powi(2) - ((v - 0.45) * 6.0).powi(2)).exp() as f32;
        [red, 0.0, 0.0, 1.0]
    });
    let node = empty(&plugin)
        .clip("Source", Source::still(lake.premultiplied(Premultiplication::Unpremultiplied)))
        .set("edges", "Wrap")
        .set("push", [0.02, 0.008])
        .create()
        .expect("a node");
    let show = |output: &str, time: f64| {
        node.set("output", output).expect("is set");
        at(&node, time)
    };
    let red = |time: f64| -> Vec<f64> { show("Water", time).rgba().iter().map(|pixel| f64::from(pixel[0])).collect() };
    let (now, next) = (red(5.0), red(6.0));
    let (motion, later) = (show("Motion vectors", 5.0), show("Motion vectors", 6.0));
    let fastest = motion.rgba().iter().map(|pixel| pixel[0].hypot(pixel[1])).fold(0.0, f32::max);
    assert!(fastest > 0.5, "{fastest} pixels per frame at most");
    let off = |guess: &dyn Fn(i32, i32) -> f64, truth: &[f64]| -> f64 {
        let pixels = (4..HEIGHT - 4).flat_map(|y| (4..WIDTH - 4).map(move |x| (x, y)));
        pixels.map(|(x, y)| (guess(x, y) - truth[(y * WIDTH + x) as usize]).powi(2)).sum::<f64>().sqrt()
    };
    let plain = off(&|x, y| now[(y * WIDTH + x) as usize], &next);
    let moved = |values: &[f64], vectors: &Frame, channel: usize, x: i32, y: i32| {
        let [dx, dy] = [0, 1].map(|i| f64::from(vectors.pixel(x, y)[channel + i]));
        between(values, f64::from(x) + dx, f64::from(y) + dy)
    };
    // A pixel's content is found where its forward vector points in the next frame, and its backward vector in the
    // last.
    let forward = off(&|x, y| moved(&next, &motion, 0, x, y), &now);
    let backward = off(&|x, y| moved(&now, &later, 2, x, y), &next);
    println!("without vectors {plain}, forward {forward}, backward {backward}");
    assert!(forward * 4.0 < plain, "{forward} forward, {plain} without");
    assert!(backward * 4.0 < plain, "{backward} backward, {plain} without");
    let velocity = show("Velocity", 5.0).pixel(30, 20);
    assert!((velocity[0] - motion.pixel(30, 20)[0]).abs() < 0.2 * velocity[0], "{velocity:?}");
}
