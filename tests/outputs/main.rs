//! The outputs: contents of each channel, by the controls. `surface` has the outputs of the surface and shaded
//! water, `scenery` the light and the pictures around the water.

#[path = "../common/mod.rs"]
mod common;
mod scenery;
mod surface;

use common::{bits, info, own_flow, picture, simulated, total, whole};
use flow_host::{Context, Frame, Image, Node, NodeBuilder, Plugin, Premultiplication, Project, Source};

const WIDTH: i32 = 64;
const HEIGHT: i32 = 48;

/// A node whose picture consists of its inputs only.
fn empty(plugin: &Plugin) -> NodeBuilder {
    plugin
        .node(Context::General)
        .set("output", "Water")
        .project(Project::new(WIDTH as u32, HEIGHT as u32))
        .set("emitter", "Off")
}

/// Water at rest everywhere.
fn flood(height: f32) -> Source {
    Source::still(picture(WIDTH, HEIGHT, move |_, _| [0.0, 0.0, 0.0, height]))
}

fn at(node: &Node, time: f64) -> Frame {
    node.frame(time).expect("renders")
}

fn near(got: f32, want: f64, tolerance: f64) -> bool {
    (f64::from(got) - want).abs() <= tolerance
}

/// The mean position of the water, in fractions of the frame.
fn centre(frame: &Frame) -> [f64; 2] {
    let mut sum = [0.0; 3];
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let water = f64::from(frame.pixel(x, y)[3]);
            sum[0] += water * (f64::from(x) + 0.5) / f64::from(WIDTH);
            sum[1] += water * (f64::from(y) + 0.5) / f64::from(HEIGHT);
            sum[2] += water;
        }
    }
    [sum[0] / sum[2], sum[1] / sum[2]]
}

#[test]
fn water_is_straight_colour_with_its_height_in_alpha() {
    let (_host, plugin) = own_flow();
    let blob = picture(WIDTH, HEIGHT, |u, v| {
        let inside = (u - 0.5).hypot(v - 0.5) < 0.2;
        if inside { [0.4, 0.2, 0.1, 0.5] } else { [0.0; 4] }
    });
    let node = empty(&plugin).clip("Source", Source::still(blob)).set("sourceHeight", 2.0).create().expect("a node");
    let frame = at(&node, 1.0);
    let [r, g, b, a] = frame.pixel(32, 24);
    assert!(near(r, 0.8, 1e-5) && near(g, 0.4, 1e-5) && near(b, 0.2, 1e-5), "{r} {g} {b}");
    assert_eq!(a, 1.0);
    assert_eq!(frame.pixel(2, 2), [0.0; 4]);
    // Pigment moves with the water, and its amount stays.
    let pigment = |frame: &Frame, channel: usize| -> f64 {
        frame.rgba().iter().map(|pixel| f64::from(pixel[channel]) * f64::from(pixel[3])).sum()
    };
    let later = at(&node, 12.0);
    let [r, g, b, a] = later.pixel(52, 24);
    assert!(a > 0.01 && near(r, 0.8, 1e-3) && near(g, 0.4, 1e-3) && near(b, 0.2, 1e-3), "{r} {g} {b} {a}");
    for channel in 0..3 {
        let [before, after] = [&frame, &later].map(|frame| pigment(frame, channel));
        assert!((after / before - 1.0).abs() < 1e-3, "{channel}: {before} became {after}");
    }
    assert!((total(&later, 3) / total(&frame, 3) - 1.0).abs() < 1e-6);
}

#[test]
fn height_shows_water_surface_ground_and_wet() {
    let (_host, plugin) = own_flow();
    let ground = picture(WIDTH, HEIGHT, |u, v| [(0.5 * u + 0.3 * v) as f32; 4]);
    // The lower half has the least height that counts as wet, the upper half just less.
    let film = picture(WIDTH, HEIGHT, |_, v| [0.0, 0.0, 0.0, if v < 0.5 { 1.0 } else { 0.998 }]);
    let node = empty(&plugin)
        .clip("Source", Source::still(film))
        .clip("Terrain", Source::still(ground))
        .set("sourceHeight", 2.0_f64.powi(-12))
        .set("output", "Height")
        .create()
        .expect("a node");
    let frame = at(&node, 1.0);
    for (x, y) in [(3, 5), (40, 20), (20, 30), (60, 44)] {
        let [water, surface, ground, wet] = frame.pixel(x, y);
        let slope = 0.5 * (f64::from(x) + 0.5) / f64::from(WIDTH) + 0.3 * (f64::from(y) + 0.5) / f64::from(HEIGHT);
        assert!(near(ground, slope, 1e-6), "{ground} is not {slope}");
        assert!(near(surface, f64::from(ground) + f64::from(water), 1e-6), "{surface}");
        assert_eq!(wet, f32::from(y < HEIGHT / 2), "at {x}, {y}: {water}");
        assert!(water > 0.0);
    }
    node.set("output", "Water").expect("is set");
    let water = at(&node, 1.0);
    assert_eq!(water.pixel(40, 20)[3], frame.pixel(40, 20)[0]);
    assert_eq!(simulated(&water), 0, "the outputs share their water");
}

#[test]
fn flow_layers_are_in_the_original_order() {
    let (_host, plugin) = own_flow();
    for model in ["Puddles and ponds", "Legacy pipes"] {
        let node =
            empty(&plugin).clip("Source", flood(1.0)).set("model", model).set("speed", 1.0).create().expect("a node");
        let pushed = |layer: &str, push: [f64; 2]| {
            node.set("push", push).expect("is set");
            node.set("output", layer).expect("is set");
            at(&node, 2.0).pixel(WIDTH / 2, HEIGHT / 2)
        };
        let cross = [[-0.01, 0.0], [0.0, 0.01], [0.01, 0.0], [0.0, -0.01]];
        let diagonal = [[-0.01, 0.01], [0.01, 0.01], [0.01, -0.01], [-0.01, -0.01]];
        for (layer, pushes) in [("Cross", cross), ("Diagonal", diagonal)] {
            for (channel, push) in pushes.into_iter().enumerate() {
                let flows = pushed(layer, push);
                let (away, back) = (flows[channel], flows[(channel + 2) % 4]);
                assert!(away > 1e-5 && back == 0.0, "{model} {layer} pushed to {push:?}: {flows:?}");
                assert!((0..4).all(|c| c == channel || flows[c] < away), "{model} {layer} to {push:?}: {flows:?}");
            }
        }
        // A force to the left drives flow through the left pipe and both diagonals on that side.
        let flows = pushed("Diagonal", [-0.01, 0.0]);
        assert!(flows[0] > 0.0 && flows[0] == flows[3] && flows[1] == 0.0 && flows[2] == 0.0, "{flows:?}");
    }
}

#[test]
fn each_source_mode_acts_by_its_name() {
    let (_host, plugin) = own_flow();
    let half = || Source::still(picture(WIDTH, HEIGHT, |u, _| [0.0, 0.0, 0.0, if u < 0.5 { 1.0 } else { 0.0 }]));
    // Without waves a cell shows its inflow only.
    let node = |mode: &str| {
        empty(&plugin)
            .clip("Source", half())
            .set("sourceMode", mode)
            .set("speed", 0.0)
            .key("sourceHeight", 1.0, 0.5)
            .key("sourceHeight", 2.0, 0.25)
            .key("sourceHeight", 3.0, 1.0)
            .create()
            .expect("a node")
    };
    for (mode, expected) in [
        ("Start frame", [0.5, 0.5, 0.5]),
        ("Add", [0.5, 0.75, 1.75]),
        ("Replace", [0.5, 0.25, 1.0]),
        ("Fill up", [0.5, 0.5, 1.0]),
    ] {
        let node = node(mode);
        for (frame, expected) in (1..).zip(expected) {
            let picture = at(&node, f64::from(frame));
            assert!(near(picture.pixel(10, 10)[3], expected, 1e-6), "{mode} at {frame}: {:?}", picture.pixel(10, 10));
            assert_eq!(picture.pixel(50, 10)[3], 0.0, "{mode} at {frame}");
        }
    }
    // Replace keeps earlier water where the source is 0.
    let moving = Source::pictures(|time| {
        let from = if time < 2.0 { 0.0 } else { 0.5 };
        Some(picture(WIDTH, HEIGHT, move |u, _| [0.0, 0.0, 0.0, f32::from(u >= from && u < from + 0.5)]))
    });
    let node = empty(&plugin).clip("Source", moving).set("sourceMode", "Replace").set("speed", 0.0);
    let frame = at(&node.create().expect("a node"), 2.0);
    assert_eq!([frame.pixel(10, 10)[3], frame.pixel(50, 10)[3]], [1.0, 1.0]);
}

#[test]
fn the_source_channel_is_the_height() {
    let (_host, plugin) = own_flow();
    let image = picture(WIDTH, HEIGHT, |_, _| [0.1, 0.2, 0.4, 0.5]).premultiplied(Premultiplication::Unpremultiplied);
    let node = empty(&plugin).clip("Source", Source::still(image)).create().expect("a node");
    let luminance = 0.2126 * 0.1 + 0.7152 * 0.2 + 0.0722 * 0.4;
    for (channel, expected) in [("Alpha", 0.5), ("Luminance", luminance), ("Red", 0.1), ("Green", 0.2), ("Blue", 0.4)] {
        node.set("sourceChannel", channel).expect("is set");
        let [r, g, b, height] = at(&node, 1.0).pixel(20, 20);
        assert!(near(height, expected, 1e-6), "{channel}: {height}");
        assert!(near(r, 0.1, 1e-5) && near(g, 0.2, 1e-5) && near(b, 0.4, 1e-5), "{channel}: {r} {g} {b}");
    }
}

#[test]
fn the_mask_limits_source_emitter_and_rain() {
    let (_host, plugin) = own_flow();
    let mask = || {
        Source::still(picture(WIDTH, HEIGHT, |u, _| {
            let alpha = if u < 0.25 {
                0.0
            } else if u < 0.5 {
                0.25
            } else {
                1.0
            };
            [1.0, 1.0, 1.0, alpha]
        }))
    };
    let still = |builder: NodeBuilder| at(&builder.set("speed", 0.0).create().expect("a node"), 3.0);
    let emitter = |builder: NodeBuilder| {
        builder
            .set("emitter", "On")
            .set("emitterRadius", 1000.0)
            .set("emitterSoftness", 0.0)
            .set("emitterRate", 0.25)
            .set("sourceHeight", 0.0)
    };
    let poured = |masked: bool, with: &dyn Fn(NodeBuilder) -> NodeBuilder| {
        let builder = with(empty(&plugin).clip("Source", flood(1.0)).set("sourceMode", "Add"));
        still(if masked { builder.clip("Mask", mask()) } else { builder })
    };
    let rain = |builder: NodeBuilder| {
        builder.set("rainMode", "Mean height").set("rain", 0.05).set("rainSize", 6.0).set("sourceHeight", 0.0)
    };
    let plain = |builder: NodeBuilder| builder;
    for with in [&plain as &dyn Fn(NodeBuilder) -> NodeBuilder, &emitter, &rain] {
        let [free, masked] = [poured(false, with), poured(true, with)];
        for x in [4, 20, 40, 60] {
            let share = [0.0, 0.25, 1.0, 1.0][x as usize / 16];
            for y in [3, 24, 40] {
                let [free, masked] = [&free, &masked].map(|frame| frame.pixel(x, y)[3]);
                assert!(near(masked, f64::from(free) * share, 1e-6), "at {x}, {y}: {free} became {masked}");
            }
        }
        assert!(total(&free, 3) > 1.0);
    }
}

#[test]
fn obstacles_are_the_pixels_with_alpha_above_one_half() {
    let (_host, plugin) = own_flow();
    let wall = |time: f64| {
        let late = time >= 10.0;
        Some(picture(WIDTH, HEIGHT, move |u, v| {
            let alpha = match (u, v) {
                (u, _) if (0.48..0.52).contains(&u) => 0.51,
                (u, v) if late && u < 0.2 && v < 0.2 => 1.0,
                _ => 0.5,
            };
            [0.0, 0.0, 0.0, alpha]
        }))
    };
    let left = picture(WIDTH, HEIGHT, |u, _| [0.0, 0.0, 0.0, if u < 0.51 { 1.0 } else { 0.0 }]);
    let node = empty(&plugin)
        .clip("Source", Source::still(left))
        .clip("Obstacles", Source::pictures(wall))
        .create()
        .expect("a node");
    let start = at(&node, 1.0);
    // Sources in solid cells have no effect; an alpha of one half is no wall.
    assert_eq!((start.pixel(32, 20)[3], start.pixel(31, 20)[3], start.pixel(30, 20)[3]), (0.0, 0.0, 1.0));
    let frame = at(&node, 9.0);
    for y in 0..HEIGHT {
        assert!((31..WIDTH).all(|x| frame.pixel(x, y)[3] == 0.0), "water behind the wall in row {y}");
        assert_eq!(frame.pixel(20, y)[3], 1.0, "a lake at rest in row {y}");
    }
    // Water under a cell that becomes solid is removed, and no other.
    let after = at(&node, 10.0);
    let turned = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    let turned: Vec<_> =
        turned.filter(|(x, y)| (f64::from(*x) + 0.5) / 64.0 < 0.2 && (f64::from(*y) + 0.5) / 48.0 < 0.2).collect();
    assert!(turned.iter().all(|(x, y)| after.pixel(*x, *y)[3] == 0.0));
    let lost = total(&frame, 3) - total(&after, 3);
    assert!((lost - turned.len() as f64).abs() < 1e-3, "{lost} lost under {} cells", turned.len());
}

#[test]
fn the_force_input_accelerates_and_presses() {
    let (_host, plugin) = own_flow();
    let blob =
        || Source::still(picture(WIDTH, HEIGHT, |u, v| [0.0, 0.0, 0.0, f32::from((u - 0.5).hypot(v - 0.5) < 0.2)]));
    let force = |rgb: [f32; 3]| Source::still(picture(WIDTH, HEIGHT, move |_, _| [rgb[0], rgb[1], rgb[2], 1.0]));
    let moved = |builder: NodeBuilder| at(&builder.clip("Source", blob()).create().expect("a node"), 8.0);
    let pushed = |push: [f64; 2]| moved(empty(&plugin).set("push", push));
    let far = 0.005;
    assert!(centre(&pushed([0.0, 0.0])).iter().all(|c| (c - 0.5).abs() < 1e-6));
    assert!(centre(&pushed([0.02, 0.0]))[0] > 0.5 + far);
    assert!(centre(&pushed([-0.02, 0.0]))[0] < 0.5 - far);
    assert!(centre(&pushed([0.0, 0.02]))[1] > 0.5 + far);
    assert!(centre(&pushed([0.0, -0.02]))[1] < 0.5 - far);
    // The Force input with the same value gives the same force, and its scale can reverse it.
    let right = bits(&pushed([0.015625, 0.0]));
    assert_eq!(bits(&moved(empty(&plugin).clip("Force", force([0.015625, 0.0, 0.0])))), right);
    assert_eq!(bits(&moved(empty(&plugin).clip("Force", force([0.0078125, 0.0, 0.0])).set("forceScale", 2.0))), right);
    let both = empty(&plugin).clip("Force", force([0.0078125, 0.0, 0.0])).set("push", [0.0078125, 0.0]);
    assert_eq!(bits(&moved(both)), right);
    // Pressure on one side drives the water to the other; a uniform pressure has no effect.
    let press = || Source::still(picture(WIDTH, HEIGHT, |u, _| [0.0, 0.0, f32::from(u < 0.5) * 0.2, 1.0]));
    let pressed = |scale: f64| moved(empty(&plugin).clip("Force", press()).set("pressureScale", scale));
    assert!(centre(&pressed(1.0))[0] > 0.5 + far);
    assert!(centre(&pressed(-1.0))[0] < 0.5 - far);
    let even = bits(&moved(empty(&plugin).clip("Force", force([0.0, 0.0, 0.3]))));
    assert_eq!(even, bits(&pushed([0.0, 0.0])));
}

#[test]
fn terrain_is_scaled_offset_inverted_and_disabled() {
    let (_host, plugin) = own_flow();
    let image = |turn: bool| {
        picture(WIDTH, HEIGHT, move |u, v| {
            // Multiples of 1/64, which are exact in both directions.
            let value = |v: f64| {
                let v = (v * 64.0).floor() as f32 / 64.0;
                if turn { 1.0 - v } else { v }
            };
            [value(u), value(v), value(u * v), value(0.25)]
        })
    };
    let node = |turn: bool| {
        empty(&plugin)
            .clip("Source", flood(0.25))
            .clip("Terrain", Source::still(image(turn).premultiplied(Premultiplication::Unpremultiplied)))
            .set("output", "Height")
            .create()
            .expect("a node")
    };
    let plain = node(false);
    let ground = |node: &Node| at(node, 1.0).pixel(48, 36)[2];
    let [r, g, b, a] = image(false).pixel(48, 36).map(f64::from);
    let luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    for (channel, value) in [("Luminance", luminance), ("Red", r), ("Green", g), ("Blue", b), ("Alpha", a)] {
        plain.set("terrainChannel", channel).expect("is set");
        plain.set("terrainHeight", 2.0).expect("is set");
        plain.set("terrainOffset", -0.5).expect("is set");
        assert!(near(ground(&plain), 2.0 * value - 0.5, 1e-6), "{channel}: {}", ground(&plain));
    }
    let [plain, turned] = [node(false), node(true)];
    for node in [&plain, &turned] {
        node.set("terrainChannel", "Red").expect("is set");
    }
    turned.set("terrainInvert", true).expect("is set");
    assert_eq!(bits(&at(&plain, 8.0)), bits(&at(&turned, 8.0)));
    plain.set("useTerrain", false).expect("is set");
    let flat = empty(&plugin).clip("Source", flood(0.25)).set("output", "Height").create().expect("a node");
    assert_eq!(bits(&at(&plain, 8.0)), bits(&at(&flat, 8.0)));
    assert_eq!(at(&flat, 8.0).pixel(48, 36), [0.25, 0.25, 0.0, 1.0]);
}

#[test]
fn the_emitter_is_automatic_on_or_off() {
    let (_host, plugin) = own_flow();
    let node = |emitter: &str, source: bool| {
        let builder = empty(&plugin).set("emitter", emitter).set("emitterRadius", 8.0).set("emitterSoftness", 0.0);
        let dry = Source::still(picture(WIDTH, HEIGHT, |_, _| [0.0; 4]));
        if source { builder.clip("Source", dry) } else { builder }.create().expect("a node")
    };
    for (emitter, source, pours) in [
        ("When no Source", false, true),
        ("When no Source", true, false),
        ("On", false, true),
        ("On", true, true),
        ("Off", false, false),
        ("Off", true, false),
    ] {
        let frame = at(&node(emitter, source), 1.0);
        let volume = total(&frame, 3);
        let expected = if pours { 0.05 * std::f64::consts::PI * 64.0 } else { 0.0 };
        assert!((volume - expected).abs() <= 1e-3 * expected, "{emitter}, source {source}: {volume}");
        if pours {
            let [r, g, b, height] = frame.pixel(WIDTH / 2, HEIGHT / 2);
            assert!(near(height, 0.05, 1e-3) && near(r, 0.1, 1e-4) && near(g, 0.35, 1e-4) && near(b, 0.6, 1e-4));
        }
    }
}

#[test]
fn a_moving_emitter_leaves_a_continuous_stroke() {
    let (_host, plugin) = own_flow();
    let node = plugin
        .node(Context::Generator)
        .set("output", "Water")
        .project(Project::new(160, 48))
        .set("speed", 0.0)
        .set("emitterRadius", 5.0)
        .set("emitterSoftness", 0.0)
        .set("emitterRate", 2.0)
        .key("emitterCentre", 1.0, [30.0, 24.0])
        .key("emitterCentre", 2.0, [130.0, 24.0])
        .create()
        .expect("a node");
    let before = at(&node, 1.0);
    let after = at(&node, 2.0);
    let added = |x: i32, y: i32| f64::from(after.pixel(x, y)[3]) - f64::from(before.pixel(x, y)[3]);
    let middle: Vec<f64> = (36..124).map(|x| added(x, 24)).collect();
    let (least, most) = middle.iter().fold((f64::MAX, 0.0_f64), |(low, high), v| (low.min(*v), high.max(*v)));
    assert!(least > 0.0 && most / least < 1.001, "from {least} to {most} along the stroke");
    // A disc of radius 5 that moves 100 pixels covers a point of its centre line for a tenth of the frame.
    assert!((least / (2.0 * 0.1) - 1.0).abs() < 0.02, "{least}");
    let volume = total(&after, 3) - total(&before, 3);
    assert!((volume / (2.0 * std::f64::consts::PI * 25.0) - 1.0).abs() < 2e-3, "{volume}");
    assert!((0..160).all(|x| added(x, 24 + 7) == 0.0 && added(x, 24 - 8) == 0.0), "wider than the disc");
}

#[test]
fn rain_is_the_same_for_the_same_seed_and_frame() {
    let (_host, plugin) = own_flow();
    let (_other, elsewhere) = own_flow();
    let rain = |plugin: &Plugin, seed: i32| {
        empty(plugin)
            .set("rainMode", "Mean height")
            .set("rain", 0.01)
            .set("seed", seed)
            .set("speed", 0.0)
            .create()
            .expect("a node")
    };
    let [one, same, two] = [rain(&plugin, 7), rain(&elsewhere, 7), rain(&plugin, 8)];
    let once = bits(&at(&one, 6.0));
    assert_eq!(once, bits(&at(&same, 6.0)));
    assert_ne!(once, bits(&at(&two, 6.0)));
    // Each frame has its own drops.
    let fell: Vec<Vec<bool>> = (1..=3)
        .map(|time| {
            let wet = |time: f64| at(&one, time).rgba().into_iter().map(|pixel| pixel[3]).collect::<Vec<f32>>();
            let before = if time == 1 { vec![0.0; (WIDTH * HEIGHT) as usize] } else { wet(f64::from(time - 1)) };
            wet(f64::from(time)).iter().zip(before).map(|(now, before)| *now > before).collect()
        })
        .collect();
    assert!(fell[0] != fell[1] && fell[1] != fell[2]);
    let mean = total(&at(&one, 100.0), 3) / f64::from(WIDTH * HEIGHT);
    assert!((mean / (100.0 * 0.01) - 1.0).abs() < 0.05, "{mean} fell in 100 frames");
}

#[test]
fn evaporation_removes_water_and_keeps_pigment() {
    let (_host, plugin) = own_flow();
    let lake = Source::still(picture(WIDTH, HEIGHT, |_, _| [0.125, 0.25, 0.0, 0.5]));
    let node = empty(&plugin).clip("Source", lake).set("evaporation", 0.0625).create().expect("a node");
    for frame in 1..=8 {
        let [r, g, b, height] = at(&node, f64::from(frame)).pixel(30, 30);
        let expected = 0.5 - 0.0625 * f64::from(frame - 1);
        assert!(near(height, expected, 1e-6), "frame {frame}: {height}");
        // The same pigment in less water is stronger, up to the limit.
        let strength = 0.5 / expected;
        assert!(near(r, 0.25 * strength, 1e-4 * strength), "frame {frame}: {r}");
        assert!(near(g, 0.5 * strength, 1e-4 * strength) && b == 0.0, "frame {frame}: {g} {b}");
    }
    assert_eq!(at(&node, 9.0).pixel(30, 30), [0.0; 4]);
    assert_eq!(at(&node, 12.0).pixel(30, 30), [0.0; 4]);
}

#[test]
fn missing_frames_follow_the_policy() {
    let (host, plugin) = own_flow();
    // Frames 3 and 4 are missing; each other frame adds its number.
    let holes = || {
        Source::pictures(|time| {
            let there = !(time == 3.0 || time == 4.0);
            there.then(|| picture(WIDTH, HEIGHT, |_, _| [0.0, 0.0, 0.0, time as f32 / 8.0]))
        })
        .region(flow_host::RectD { x1: 0.0, y1: 0.0, x2: f64::from(WIDTH), y2: f64::from(HEIGHT) })
    };
    let node = |policy: &str| {
        let builder = empty(&plugin).clip("Source", holes()).set("sourceMode", "Add").set("missingFrames", policy);
        builder.create().expect("a node")
    };
    let height = |node: &Node, time: f64| at(node, time).pixel(5, 5)[3] * 8.0;
    assert_eq!([2.0, 3.0, 4.0, 5.0].map(|time| height(&node("Transparent"), time)), [3.0, 3.0, 3.0, 8.0]);
    assert_eq!([2.0, 3.0, 4.0, 5.0].map(|time| height(&node("Hold"), time)), [3.0, 5.0, 7.0, 12.0]);
    let failing = node("Fail");
    assert_eq!(height(&failing, 2.0), 3.0);
    let error = failing.frame(5.0).expect_err("frame 3 is missing").to_string();
    assert!(error.contains("Source") && error.contains("frame 3") && error.contains("Missing frames"), "{error}");
    let (_, standing) = failing.persistent_message().expect("stands until the node works");
    assert!(standing.contains("Source") && standing.contains("frame 3"), "{standing}");
    failing.set("missingFrames", "Hold").expect("is set");
    assert_eq!(height(&failing, 5.0), 12.0);
    assert_eq!(failing.persistent_message(), None);
    assert!(host.record().violations().is_empty(), "{:?}", host.record().violations());
}

#[test]
fn resolution_changes_the_grid_and_not_the_size_of_features() {
    let (_host, plugin) = own_flow();
    let node = |resolution: f64| {
        let builder = empty(&plugin).set("emitter", "On").set("emitterRadius", 10.0).set("resolution", resolution);
        builder.create().expect("a node")
    };
    let full = node(100.0);
    let volume = total(&at(&full, 6.0), 3);
    for (resolution, grid) in
        [(50.0, "Grid 32 x 24, 0.5 "), (25.0, "Grid 16 x 12, 0.25 "), (200.0, "Grid 128 x 96, 2 ")]
    {
        let node = node(resolution);
        let frame = at(&node, 6.0);
        assert!(info(&node).contains(grid), "{}", info(&node));
        let ratio = total(&frame, 3) / volume;
        assert!((ratio - 1.0).abs() < 0.02, "at {resolution} % there is {ratio} of the water");
    }
}

#[test]
fn info_is_written_outside_of_renders_only() {
    let (_host, plugin) = own_flow();
    let node = empty(&plugin).clip("Source", flood(0.5)).set("speed", 6.0).create().expect("a node");
    let text = |node: &Node| node.value("info", 0.0).expect("has info").to_string();
    drop(at(&node, 4.0));
    assert_eq!(text(&node), "'Nothing rendered yet.'");
    node.set("damping", 0.5).expect("is set");
    let info_text = text(&node);
    for part in [
        "Grid 64 x 48, 1 cells per pixel, Puddles and ponds",
        "steps per frame on the CPU",
        "Frame 4: water 0.5000 high on average, 100.0 % wet",
        "Simulated 4 frames",
        " seconds a frame, most of it ",
        "frames kept",
    ] {
        assert!(info_text.contains(part), "'{part}' is not in {info_text}");
    }
    let steps = info_text.lines().nth(1).and_then(|line| line.split(' ').next()).and_then(|n| n.parse::<u32>().ok());
    assert!(steps.is_some_and(|steps| steps > 6), "{info_text}");
    drop(at(&node, 4.0));
    drop(at(&node, 4.0));
    node.sync().expect("syncs");
    assert!(text(&node).contains("Taken from memory"), "{}", text(&node));
    node.set("device", "GPU").expect("is set");
    drop(at(&node, 4.0));
    let info_text = info(&node);
    assert!(info_text.contains("steps per frame on the"), "{info_text}");
}

#[test]
fn info_warns_of_a_source_that_floods_and_of_one_without_alpha() {
    let (_host, plugin) = own_flow();
    let info_text = |image: Image| {
        let node = empty(&plugin).clip("Source", Source::still(image)).create().expect("a node");
        drop(at(&node, 1.0));
        info(&node)
    };
    assert!(info_text(picture(WIDTH, HEIGHT, |_, _| [0.2, 0.2, 0.2, 1.0])).contains("alpha is 1 everywhere"));
    let nearly = info_text(picture(WIDTH, HEIGHT, |u, _| [0.2, 0.2, 0.2, if u < 0.9 { 1.0 } else { 0.5 }]));
    assert!(!nearly.contains("alpha"), "{nearly}");
    let rgb = picture(WIDTH, HEIGHT, |_, _| [0.2, 0.2, 0.2, 1.0]).converted(
        whole(WIDTH, HEIGHT),
        flow_host::Depth::Float,
        flow_host::Components::Rgb,
        flow_host::RowLayout::default(),
    );
    assert!(info_text(rgb).contains("its luminance is the height"));
    // The warning stays later in the shot, and for a frame from the store.
    let flooded = Source::still(picture(WIDTH, HEIGHT, |_, _| [0.2, 0.2, 0.2, 1.0]));
    let node = empty(&plugin).clip("Source", flooded).create().expect("a node");
    for time in [1.0, 2.0, 5.0, 5.0] {
        drop(at(&node, time));
        assert!(info(&node).contains("alpha is 1 everywhere"), "frame {time}: {}", info(&node));
    }
    node.set("sourceChannel", "Red").expect("is set");
    drop(at(&node, 5.0));
    assert!(!info(&node).contains("alpha"), "{}", info(&node));
}

#[test]
fn render_statistics_contain_the_times() {
    let (_host, plugin) = own_flow();
    let node = empty(&plugin).clip("Source", flood(0.5)).set("sourceMode", "Add").create().expect("a node");
    let cold = at(&node, 3.0);
    let warm = at(&node, 3.0);
    for frame in [&cold, &warm] {
        let micros = |part: &str| frame.stat(&format!("{part}Micros")).expect("reported");
        let parts = ["parameters", "fetch", "sample", "steps", "output"].map(micros);
        assert!(parts.iter().sum::<f64>() <= micros("total"), "{:?}", frame.stats);
        assert!(micros("total") <= frame.action.as_secs_f64() * 1e6 && frame.action <= frame.wall, "{frame:?}");
    }
    let micros = |frame: &Frame, part: &str| frame.stat(part).expect("reported");
    assert!(micros(&cold, "stepsMicros") > 0.0 && micros(&cold, "fetchMicros") > 0.0, "{:?}", cold.stats);
    assert_eq!(micros(&warm, "stepsMicros"), 0.0, "nothing is simulated");
    assert!(micros(&warm, "totalMicros") > 0.0);
}
