//! Promise: what drives the smoke is what was asked for: pictures, brush, jets, forces, solids and a grid that follows.

mod smoke;

use std::f64::consts::PI;
use std::sync::Arc;

use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::smoke::Workers;
use flow_ofx::sim::smoke::drive::{Drive, Move, Once, Patch, Push, draw, follow};
use flow_ofx::sim::smoke::inputs::{Inputs, Pixels, SourcePixels};
use flow_ofx::sim::smoke::settings::{Brush, Jet, Noise, Pole, Settings, Side, SourceMode, Spec, VelocityMode};
use flow_ofx::sim::smoke::state::{Air, Solids, State};
use smoke::settings;

/// One thread.
struct Alone;

impl Workers for Alone {
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(work);
    }
}

/// Three threads, each from its end backwards.
struct Crowd;

impl Workers for Crowd {
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|scope| {
            for thread in 0..3 {
                scope.spawn(move || (0..count).rev().filter(|i| i % 3 == thread).for_each(work));
            }
        });
    }
}

fn spec(width: usize, height: usize, cells_per_pixel: f64) -> Spec {
    let spec = smoke::spec(width, height, [Side::Open; 4]);
    Spec { grid: Grid { cells_per_pixel, ..spec.grid }, ..spec }
}

fn still(spec: &Spec) -> Move {
    Move { grid: spec.grid, shift: [0; 2], remainder: [0.0; 4] }
}

/// Air at rest.
fn state(spec: &Spec, solids: Option<Arc<Solids>>) -> State {
    let grid = spec.grid;
    State { grid, edges: spec.constants.edges, air: Arc::new(Air::default()), solids, remainder: [0.0; 4] }
}

/// A frame after air at rest.
fn frame(spec: &Spec, settings: &Settings, inputs: &Inputs, time: f64) -> Drive {
    draw(spec, settings, inputs, &still(spec), Some(&state(spec, None)), time, &Alone)
}

fn picture(spec: &Spec, value: impl Fn(usize, usize) -> [f32; 4]) -> Pixels {
    let width = spec.grid.width;
    Arc::new((0..spec.grid.cells()).map(|cell| value(cell % width, cell / width)).collect())
}

/// A patch on the whole of its plane.
fn plane<T: Copy + Default>(patch: &Patch<T>, width: usize, height: usize) -> Vec<T> {
    let mut all = vec![T::default(); width * height];
    assert!(patch.width > 0 && patch.height > 0 && patch.values.len() == patch.width * patch.height);
    assert!(patch.x + patch.width <= width && patch.y + patch.height <= height, "the patch lies on the plane");
    for row in 0..patch.height {
        let at = (patch.y + row) * width + patch.x;
        all[at..at + patch.width].copy_from_slice(&patch.values[row * patch.width..(row + 1) * patch.width]);
    }
    all
}

/// Velocities and shares of the one steering push on both kinds of faces.
fn steered(spec: &Spec, drive: &Drive) -> [Vec<[f32; 2]>; 2] {
    let (w, h) = (spec.grid.width, spec.grid.height);
    [(&drive.u, w + 1, h), (&drive.v, w, h + 1)].map(|(pushes, w, h)| match &pushes[..] {
        [Push::Steer(patch)] => plane(patch, w, h),
        other => panic!("one steering push, not {}", other.len()),
    })
}

/// Velocities added, all pushes together.
fn added(spec: &Spec, drive: &Drive) -> [Vec<f32>; 2] {
    let (w, h) = (spec.grid.width, spec.grid.height);
    [(&drive.u, w + 1, h), (&drive.v, w, h + 1)].map(|(pushes, w, h)| {
        let mut all = vec![0.0; w * h];
        for push in pushes {
            let Push::Add(patch) = push else { panic!("only added") };
            all.iter_mut().zip(plane(patch, w, h)).for_each(|(sum, v)| *sum += v);
        }
        all
    })
}

fn total(patches: &[Patch<[f32; 4]>]) -> [f64; 4] {
    let mut sums = [0.0; 4];
    for value in patches.iter().flat_map(|p| &p.values) {
        (0..4).for_each(|i| sums[i] += f64::from(value[i]));
    }
    sums
}

fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1e-30), "{what}: {found} instead of {expected}");
}

fn brush(previous: [f64; 2], centre: [f64; 2], radius: f64) -> Settings {
    let brush = Brush { centre, previous, radius, force: 1.0, colour: [0.5, 0.25, 1.0, 0.8] };
    Settings { brush: Some(brush), ..settings() }
}

fn jet() -> Jet {
    Jet {
        centre: [60.0, 40.0],
        direction: 30.0,
        radius: 10.0,
        strength: 6.0,
        colour: [1.0, 0.5, 0.25, 0.6],
        heat: 2.0,
        spread: 0.0,
        random: 0.0,
        seed: 1,
        pulse_rate: 0.0,
        pulse_duty: 0.5,
    }
}

fn with_jet(jet: Jet) -> Settings {
    Settings { jets: vec![jet], ..settings() }
}

#[test]
fn the_brush_lays_down_its_amount_however_small_and_however_it_moves() {
    for g in [0.25, 0.5, 1.0, 2.0] {
        let spec = spec((400.0 * g) as usize, (200.0 * g) as usize, g);
        for radius in [0.3, 1.0, 7.0, 40.0, 90.0] {
            for to in [[200.0, 100.0], [200.37, 100.81], [200.0003, 100.0], [206.0, 97.0], [110.0, 103.0]] {
                for time in [1.0, 0.25] {
                    let drive = frame(&spec, &brush([200.0, 100.0], to, radius), &Inputs::default(), time);
                    let sums = total(&drive.dye).map(|v| v / (g * g));
                    let amount = 0.8 * time * PI * radius * radius;
                    for (sum, colour) in sums.into_iter().zip([0.5, 0.25, 1.0, 1.0]) {
                        near(sum, amount * colour, 1e-5, &format!("g {g} radius {radius} to {to:?}"));
                    }
                }
            }
        }
    }
}

#[test]
fn a_fast_brush_leaves_no_gaps_and_takes_the_air_along() {
    let spec = spec(300, 60, 1.0);
    let drive = frame(&spec, &brush([40.0, 30.0], [240.0, 30.0], 3.0), &Inputs::default(), 1.0);
    let dye = plane(&drive.dye[0], 300, 60);
    let [u, v] = steered(&spec, &drive);
    let middle: Vec<f32> = (50..230).map(|x| dye[30 * 300 + x][3]).collect();
    assert!(middle.iter().all(|d| *d > 0.0 && (d / middle[0] - 1.0).abs() < 1e-5), "an even stroke");
    for x in 40..=240 {
        assert_eq!(u[30 * 301 + x], [200.0, 1.0], "at {x}");
        assert_eq!(v[30 * 300 + x.min(299)], [0.0, 1.0], "at {x}");
    }
    assert_eq!((u[30 * 301 + 20], u[50 * 301 + 100]), ([0.0; 2], [0.0; 2]));
    assert!(u.iter().all(|[_, share]| (0.0..=1.0).contains(share)));
}

#[test]
fn a_brush_that_stands_still_lays_down_dye_and_leaves_the_air_alone() {
    let spec = spec(80, 60, 1.0);
    let drive = frame(&spec, &brush([40.0, 30.0], [40.0, 30.0], 5.0), &Inputs::default(), 1.0);
    assert_eq!((drive.dye.len(), drive.u.len(), drive.v.len()), (1, 0, 0));
    let nothing = frame(&spec, &brush([40.0, 30.0], [45.0, 30.0], 0.0), &Inputs::default(), 1.0);
    assert_eq!(nothing, Drive::default());
    let outside = frame(&spec, &brush([400.0, 30.0], [450.0, 30.0], 5.0), &Inputs::default(), 1.0);
    assert_eq!(outside, Drive::default());
}

#[test]
fn where_sides_are_joined_a_brush_goes_around_the_corner() {
    let mut spec = spec(80, 60, 1.0);
    spec.constants.edges = [Side::Wrap; 4];
    let drive = frame(&spec, &brush([70.0, 50.0], [79.0, 59.0], 6.0), &Inputs::default(), 1.0);
    near(total(&drive.dye)[3], 0.8 * PI * 36.0, 1e-5, "all of it is there");
    let dye = plane(&drive.dye[0], 80, 60);
    assert!(dye[0][3] > 0.0 && dye[79][3] > 0.0 && dye[59 * 80][3] > 0.0);
    let [u, v] = steered(&spec, &drive);
    (0..60).for_each(|y| assert_eq!(u[y * 81], u[y * 81 + 80], "row {y}: the last column is the first"));
    assert_eq!(v[..80], v[60 * 80..], "the last row is the first");
}

fn source(spec: &Spec, has_alpha: bool, premultiplied: bool, value: impl Fn(usize, usize) -> [f32; 4]) -> Inputs {
    let source = SourcePixels { pixels: picture(spec, value), has_alpha, premultiplied };
    Inputs { source: Some(source), ..Inputs::default() }
}

#[test]
fn the_source_is_smoke_by_its_mode() {
    let spec = spec(20, 10, 0.5);
    let inputs = source(&spec, true, true, |x, _| if x < 10 { [0.4, 0.2, 0.1, 0.5] } else { [0.0; 4] });
    let with = |source_mode| Settings { source_mode, source_density: 2.0, ..settings() };
    let level = [0.8f32, 0.4, 0.2, 1.0];
    let check = |patch: &Patch<[f32; 4]>, value: [f32; 4]| {
        for (cell, found) in plane(patch, 20, 10).iter().enumerate() {
            let expected = if cell % 20 < 10 { value } else { [0.0; 4] };
            assert!((0..4).all(|i| (found[i] - expected[i]).abs() < 1e-6), "{found:?} instead of {expected:?}");
        }
    };
    let add = frame(&spec, &with(SourceMode::Add), &inputs, 0.25);
    check(&add.dye[0], level.map(|v| v * 0.25));
    assert_eq!((add.dye.len(), &add.once), (1, &None));
    let replace = frame(&spec, &with(SourceMode::Replace), &inputs, 0.25);
    let Some(Once::Replace(patch)) = &replace.once else { panic!("replaced") };
    check(patch, level);
    let fill = frame(&spec, &with(SourceMode::FillUp), &inputs, 0.25);
    let Some(Once::FillUp(patch)) = &fill.once else { panic!("filled up") };
    check(patch, level);
    assert_eq!(frame(&spec, &with(SourceMode::StartFrame), &inputs, 1.0), Drive::default());
    for mode in [SourceMode::StartFrame, SourceMode::Add, SourceMode::Replace, SourceMode::FillUp] {
        let start = draw(&spec, &with(mode), &inputs, &still(&spec), None, 0.0, &Alone);
        let Some(Once::Replace(patch)) = &start.once else { panic!("smoke at the start") };
        check(patch, level);
        assert!(start.dye.is_empty());
    }
}

#[test]
fn the_source_counts_premultiplied_straight_and_without_alpha() {
    let spec = spec(4, 4, 1.0);
    let found = |has_alpha, premultiplied, pixel: [f32; 4]| {
        let drive = frame(&spec, &settings(), &source(&spec, has_alpha, premultiplied, |_, _| pixel), 1.0);
        drive.dye.first().map(|patch| patch.values[0])
    };
    assert_eq!(found(true, true, [0.25, 0.5, 0.125, 0.5]), Some([0.25, 0.5, 0.125, 0.5]));
    assert_eq!(found(true, false, [0.25, 0.5, 0.125, 0.5]), Some([0.125, 0.25, 0.0625, 0.5]));
    assert_eq!(found(true, true, [0.25, 0.5, 0.125, 0.0]), None, "no density, no smoke");
    let [r, g, b, a] = found(false, false, [0.5, 0.25, 0.125, 1.0]).expect("smoke");
    near(f64::from(a), 0.2126 * 0.5 + 0.7152 * 0.25 + 0.0722 * 0.125, 1e-6, "luminance");
    assert_eq!([r, g, b], [0.5, 0.25, 0.125]);
}

#[test]
fn the_mask_lets_through_by_its_alpha() {
    let spec = spec(120, 80, 1.0);
    let mask = picture(&spec, |x, _| [1.0, 1.0, 1.0, if x < 60 { 0.5 } else { 0.0 }]);
    let mut inputs = source(&spec, true, true, |_, _| [1.0; 4]);
    inputs.heat = Some(picture(&spec, |_, _| [3.0, 0.0, 0.0, 0.0]));
    inputs.velocity = Some(picture(&spec, |_, _| [2.0, 1.0, 0.0, 0.0]));
    let s = Settings { brush: brush([50.0, 40.0], [70.0, 40.0], 9.0).brush, jets: vec![jet()], ..settings() };
    let free = frame(&spec, &s, &inputs, 1.0);
    let held = frame(&spec, &s, &Inputs { mask: Some(mask), ..inputs }, 1.0);
    assert_eq!((held.dye.len(), held.heat.len(), held.u.len(), held.v.len()), (3, 2, 3, 3));
    for (a, b) in free.dye.iter().zip(&held.dye) {
        for (cell, (a, b)) in plane(a, 120, 80).iter().zip(plane(b, 120, 80)).enumerate() {
            let factor = if cell % 120 < 60 { 0.5 } else { 0.0 };
            (0..4).for_each(|i| assert!((a[i] * factor - b[i]).abs() < 1e-6));
        }
    }
    for (a, b) in free.heat.iter().zip(&held.heat) {
        for (cell, (a, b)) in plane(a, 120, 80).iter().zip(plane(b, 120, 80)).enumerate() {
            assert!((a * if cell % 120 < 60 { 0.5 } else { 0.0 } - b).abs() < 1e-6);
        }
    }
    for (a, b) in free.u.iter().zip(&held.u) {
        let (Push::Steer(a), Push::Steer(b)) = (a, b) else { panic!("steered") };
        for (face, (a, b)) in plane(a, 121, 80).iter().zip(plane(b, 121, 80)).enumerate() {
            let factor = [0.5, 0.25, 0.0][usize::from(face % 121 >= 60) + usize::from(face % 121 > 60)];
            assert!((a[1] * factor - b[1]).abs() < 1e-6, "{face}: {a:?} {b:?}");
            assert!(b[1] == 0.0 || a[0] == b[0], "a mask changes the share, not the velocity");
        }
    }
    let none = picture(&spec, |_, _| [0.0; 4]);
    let inputs = Inputs { mask: Some(none), ..source(&spec, true, true, |_, _| [1.0; 4]) };
    assert_eq!(frame(&spec, &s, &inputs, 1.0), Drive::default(), "nothing drawn, nothing listed");
}

#[test]
fn the_velocity_input_reaches_the_faces() {
    let spec = spec(12, 8, 0.5);
    // A box of 4 × 2 cells.
    let within = |x: usize, y: usize| (4..8).contains(&x) && (3..5).contains(&y);
    let velocity = picture(&spec, |x, y| if within(x, y) { [3.0, -2.0, 0.0, 0.0] } else { [0.0; 4] });
    let inputs = Inputs { velocity: Some(velocity), ..Inputs::default() };
    let s = Settings { velocity_scale: 2.0, ..settings() };
    let [u, v] = steered(&spec, &frame(&spec, &s, &inputs, 1.0));
    assert_eq!((u[3 * 13 + 5], v[4 * 12 + 5]), ([3.0, 1.0], [-2.0, 1.0]), "inside: cells per frame");
    assert_eq!((u[3 * 13 + 4], v[3 * 12 + 5]), ([3.0, 0.5], [-2.0, 0.5]), "at the rim: half of the way");
    assert_eq!(u[3 * 13 + 3], [0.0; 2], "where the picture is 0 nothing is set");
    let added = added(&spec, &frame(&spec, &Settings { velocity_mode: VelocityMode::Add, ..s }, &inputs, 0.5));
    assert_eq!((added[0][3 * 13 + 5], added[0][3 * 13 + 4], added[1][4 * 12 + 5]), (1.5, 0.75, -1.0));
}

#[test]
fn bad_pixels_count_as_nothing_and_are_counted() {
    let spec = spec(10, 10, 1.0);
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30];
    let spoilt = |good: [f32; 4], channel: usize| {
        picture(&spec, move |x, y| {
            let mut pixel = good;
            if y == 0 && x < 4 {
                pixel[channel] = bad[x];
            }
            pixel
        })
    };
    let source = SourcePixels { pixels: spoilt([0.5, 0.5, 0.5, 1.0], 1), has_alpha: true, premultiplied: true };
    let inputs = Inputs {
        source: Some(source),
        velocity: Some(spoilt([1.0, 2.0, 0.0, 0.0], 1)),
        heat: Some(spoilt([1.0, 0.0, 0.0, 0.0], 0)),
        obstacles: Some(spoilt([0.0; 4], 3)),
        obstacle_velocity: Some(spoilt([0.0; 4], 0)),
        mask: Some(spoilt([1.0; 4], 3)),
    };
    let drive = frame(&spec, &settings(), &inputs, 1.0);
    let counts = drive.bad_pixels;
    assert_eq!((counts.source, counts.velocity, counts.heat), (4, 4, 4));
    assert_eq!((counts.obstacles, counts.obstacle_velocity, counts.mask), (3, 4, 3), "1e30 in a matte is just solid");
    let dye = plane(&drive.dye[0], 10, 10);
    assert_eq!((dye[0], dye[3], dye[4]), ([0.0; 4], [0.0; 4], [0.5, 0.5, 0.5, 1.0]));
    assert_eq!(plane(&drive.heat[0], 10, 10)[..5], [0.0, 0.0, 0.0, 0.0, 1.0]);
    let [u, _] = steered(&spec, &drive);
    assert_eq!((u[1], u[4], u[5]), ([0.0; 2], [1.0, 0.5], [1.0, 1.0]), "the face by a bad pixel has the good one's");
    let fast = Inputs { velocity: Some(picture(&spec, |_, _| [600.0, 0.0, 0.0, 0.0])), ..Inputs::default() };
    let drive = frame(&spec, &Settings { velocity_scale: 2000.0, ..settings() }, &fast, 1.0);
    assert_eq!((drive.bad_pixels.velocity, drive.u.len()), (100, 0), "1.2 million pixels per frame");
}

#[test]
fn heat_scales_with_time() {
    let spec = spec(6, 6, 0.5);
    let inputs = Inputs { heat: Some(picture(&spec, |_, _| [3.0, 9.0, 9.0, 0.0])), ..Inputs::default() };
    let drive = frame(&spec, &Settings { heat_scale: -2.0, ..settings() }, &inputs, 0.5);
    assert_eq!(plane(&drive.heat[0], 6, 6), vec![-3.0; 36]);
}

#[test]
fn a_jet_blows_lays_down_and_fans_out() {
    let spec = spec(120, 80, 1.0);
    let drive = frame(&spec, &with_jet(jet()), &Inputs::default(), 1.0);
    let [u, v] = steered(&spec, &drive);
    let (cos, sin) = (30f64.to_radians().cos(), 30f64.to_radians().sin());
    near(f64::from(u[40 * 121 + 60][0]), 6.0 * cos, 1e-6, "u in the middle");
    near(f64::from(v[40 * 120 + 60][0]), 6.0 * sin, 1e-6, "v in the middle");
    assert_eq!((u[40 * 121 + 60][1], u[40 * 121 + 75][1]), (1.0, 0.0));
    near(total(&drive.dye)[3], 0.6 * PI * 100.0, 1e-5, "dye");
    let heat: f64 = drive.heat[0].values.iter().map(|&v| f64::from(v)).sum();
    near(heat, 2.0 * PI * 100.0, 1e-5, "heat");

    let fan = Jet { direction: 0.0, spread: 60.0, ..jet() };
    let [_, v] = steered(&spec, &frame(&spec, &with_jet(fan), &Inputs::default(), 1.0));
    let slope = |y: usize| f64::from(v[y * 120 + 60][0]) / 6.0;
    for off in [2, 5, 8] {
        let angle = (off as f64 / 10.0 * 30.0).to_radians();
        near(slope(40 + off), angle.sin(), 1e-6, "the upper half blows up");
        near(slope(40 - off), -angle.sin(), 1e-6, "the lower half blows down");
    }
}

#[test]
fn a_jet_wanders_smoothly_and_within_bounds() {
    let spec = spec(120, 80, 1.0);
    let at = |frame_number: i64, random: f64, seed: i32| {
        let s = Settings { frame: frame_number, ..with_jet(Jet { random, seed, ..jet() }) };
        let [u, v] = steered(&spec, &frame(&spec, &s, &Inputs::default(), 1.0));
        let [u, v] = [u[40 * 121 + 60][0], v[40 * 120 + 60][0]].map(f64::from);
        (v.atan2(u).to_degrees(), u.hypot(v))
    };
    let mut last = at(-1, 1.0, 7);
    let (mut widest, mut strongest, mut weakest) = (0.0f64, 0.0f64, f64::MAX);
    for n in 0..600 {
        let (angle, speed) = at(n, 1.0, 7);
        assert!((angle - 30.0).abs() <= 60.0 + 1e-6 && (0.0..=12.0 + 1e-6).contains(&speed), "frame {n}");
        if speed > 0.5 && last.1 > 0.5 {
            assert!((angle - last.0).abs() < 15.0, "frame {n}: the direction leaps");
        }
        assert!((speed - last.1).abs() < 1.5, "frame {n}: the strength leaps");
        widest = widest.max((angle - 30.0).abs());
        (strongest, weakest) = (strongest.max(speed), weakest.min(speed));
        last = (angle, speed);
    }
    assert!(widest > 30.0 && strongest > 9.0 && weakest < 3.0, "{widest} {strongest} {weakest}");
    assert!((at(40, 0.5, 7).0 - 30.0).abs() <= 30.0);
    assert_ne!(at(40, 1.0, 7), at(40, 1.0, 8));
    assert_eq!(at(40, 1.0, 7), at(40, 1.0, 7));
}

#[test]
fn a_jet_pulses() {
    let spec = spec(120, 80, 1.0);
    let laid = |frame_number: i64, pulse_rate: f64, pulse_duty: f64| {
        let s = Settings { frame: frame_number, ..with_jet(Jet { pulse_rate, pulse_duty, ..jet() }) };
        total(&frame(&spec, &s, &Inputs::default(), 1.0).dye)[3] / (0.6 * PI * 100.0)
    };
    for (rate, duty) in [(0.1, 0.3), (0.5, 0.5), (0.05, 0.8), (0.02, 0.5), (1.0 / 7.0, 0.2), (2.5, 0.4)] {
        let shares: Vec<f64> = (0..1400).map(|n| laid(n, rate, duty)).collect();
        near(shares.iter().sum::<f64>() / 1400.0, duty, 0.01, &format!("rate {rate} duty {duty}"));
    }
    assert_eq!((laid(0, 0.1, 0.3), laid(5, 0.1, 0.3)), (laid(10, 0.1, 0.3), 0.0));
    near(laid(1, 0.1, 0.3), 1.0, 1e-5, "on");
    near(laid(3, 0.0, 0.3), 1.0, 1e-5, "without a rate it blows all the time");
    near(laid(3, 0.1, 1.0), 1.0, 1e-5, "so it does with all the duty");
    assert_eq!(laid(3, 0.1, 0.0), 0.0);
}

#[test]
fn poles_are_strongest_at_their_radius() {
    let spec = spec(160, 120, 0.5);
    let pole = Pole { centre: [160.0, 120.0], radius: 40.0, strength: 3.0 };
    let attractor = Settings { attractor: Some(pole), ..settings() };
    let vortex = Settings { vortex: Some(pole), ..settings() };
    let [u, _] = added(&spec, &frame(&spec, &attractor, &Inputs::default(), 1.0));
    // The pole is in cell units at (80, 60), its radius 20.
    let expected = |dx: f64, dy: f64| 1.5 * dx / 20.0 * (0.5 - (dx * dx + dy * dy) / 800.0).exp();
    for (x, y) in [(60, 60), (100, 59), (80, 70), (93, 48)] {
        let (dx, dy) = (80.0 - x as f64, 60.0 - (y as f64 + 0.5));
        assert!((f64::from(u[y * 161 + x]) - expected(dx, dy)).abs() < 1e-6, "{x} {y}");
    }
    let greatest = u.iter().fold(0.0f32, |a, b| a.max(b.abs()));
    assert!(greatest <= 1.5 && greatest > 1.499, "{greatest}");
    let both = frame(&spec, &Settings { vortex: vortex.vortex, ..attractor }, &Inputs::default(), 1.0);
    assert_eq!((both.u.len(), both.v.len()), (1, 1), "what is added to one place is added once");
    let [sum, _] = added(&spec, &both);
    let [spin, _] = added(&spec, &frame(&spec, &vortex, &Inputs::default(), 1.0));
    assert!((0..sum.len()).all(|i| (sum[i] - u[i] - spin[i]).abs() < 1e-6));
    let [u, v] = added(&spec, &frame(&spec, &vortex, &Inputs::default(), 0.5));
    assert!(v[60 * 160 + 100] > 0.7 && v[60 * 160 + 59] < -0.7 && u[80 * 161 + 80] < -0.7, "counter-clockwise");
}

#[test]
fn wind_makes_up_its_share_of_the_way() {
    let spec = spec(8, 6, 0.5);
    let s = Settings { wind: [4.0, -2.0], wind_drag: 0.19, ..settings() };
    let [u, v] = steered(&spec, &frame(&spec, &s, &Inputs::default(), 0.5));
    assert!(u.iter().all(|w| w[0] == 2.0 && (w[1] - 0.1).abs() < 1e-6));
    assert!(v.iter().all(|w| w[0] == -1.0 && (w[1] - 0.1).abs() < 1e-6));
    assert_eq!(frame(&spec, &Settings { wind_drag: 0.0, ..s }, &Inputs::default(), 1.0), Drive::default());
}

fn noise(frame_number: i64) -> Settings {
    let noise = Noise { strength: 2.0, size: 24.0, speed: 0.02, seed: 3 };
    Settings { frame: frame_number, noise: Some(noise), ..settings() }
}

/// Divergence of cells, largest against the largest velocity.
fn divergence(spec: &Spec, [u, v]: &[Vec<f32>; 2]) -> f64 {
    let (w, h) = (spec.grid.width, spec.grid.height);
    let greatest = u.iter().chain(v).fold(0.0, |a: f64, b| a.max(f64::from(b.abs())));
    let cell = |x: usize, y: usize| {
        let across = f64::from(u[y * (w + 1) + x + 1]) - f64::from(u[y * (w + 1) + x]);
        across + f64::from(v[(y + 1) * w + x]) - f64::from(v[y * w + x])
    };
    (0..w * h).fold(0.0, |a: f64, i| a.max(cell(i % w, i / w).abs())) / greatest
}

fn mean_square(values: &[f32]) -> f64 {
    values.iter().map(|&v| f64::from(v) * f64::from(v)).sum::<f64>() / values.len() as f64
}

#[test]
fn noise_neither_presses_nor_pulls_and_has_its_strength() {
    for (g, edges) in [(1.0, Side::Open), (0.5, Side::Open), (1.0, Side::Wrap)] {
        let mut spec = spec((960.0 * g) as usize, (720.0 * g) as usize, g);
        spec.constants.edges = [edges; 4];
        for n in [0, 11, 400] {
            let field = added(&spec, &frame(&spec, &noise(n), &Inputs::default(), 1.0));
            let off = divergence(&spec, &field);
            assert!(off < 1e-5, "divergence {off}");
            let strength = (mean_square(&field[0]) + mean_square(&field[1])).sqrt() / g;
            near(strength, 2.0, 0.05, &format!("strength at {g}, frame {n}"));
            if edges == Side::Wrap {
                (0..720).for_each(|y| assert_eq!(field[0][y * 961], field[0][y * 961 + 960]));
                assert_eq!(field[1][..960], field[1][720 * 960..]);
            }
        }
    }
}

#[test]
fn noise_changes_smoothly_and_by_its_seed() {
    let spec = spec(240, 160, 1.0);
    let at = |s: &Settings| added(&spec, &frame(&spec, s, &Inputs::default(), 1.0))[0].clone();
    let differ = |a: &[f32], b: &[f32]| {
        let off: Vec<f32> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        (mean_square(&off) / mean_square(a)).sqrt()
    };
    let start = at(&noise(100));
    // A turn of 0.02 is 0.126 of the length.
    let next = differ(&start, &at(&noise(101)));
    assert!(next > 0.05 && next < 0.2, "{next} in a frame");
    assert!(differ(&start, &at(&noise(125))) > 1.0, "half a turn later it is another");
    let mut other = noise(100);
    other.noise.iter_mut().for_each(|n| n.seed = 4);
    assert!(differ(&start, &at(&other)) > 1.0);
    other.noise.iter_mut().for_each(|n| (n.seed, n.speed) = (3, 0.0));
    let frozen = at(&other);
    assert_eq!(frozen, at(&Settings { frame: 7, ..other }), "without speed it stands");
}

#[test]
fn noise_stays_where_it_is_when_the_grid_moves() {
    let near_spec = spec(120, 90, 1.0);
    let mut far = near_spec;
    far.grid.origin = [31.0, -17.0];
    let [u, v] = added(&near_spec, &frame(&near_spec, &noise(5), &Inputs::default(), 1.0));
    let [moved_u, moved_v] = added(&far, &frame(&far, &noise(5), &Inputs::default(), 1.0));
    for y in 0..60 {
        for x in 0..80 {
            assert!((u[y * 121 + x + 31] - moved_u[(y + 17) * 121 + x]).abs() < 1e-5);
            assert!((v[y * 120 + x + 31] - moved_v[(y + 17) * 120 + x]).abs() < 1e-5);
        }
    }
}

#[test]
fn a_proxy_is_driven_like_the_whole() {
    let (full, half) = (spec(320, 240, 1.0), spec(160, 120, 0.5));
    let s = Settings {
        noise: noise(5).noise,
        vortex: Some(Pole { centre: [150.0, 100.0], radius: 30.0, strength: 2.0 }),
        attractor: Some(Pole { centre: [90.0, 60.0], radius: 50.0, strength: -1.0 }),
        ..settings()
    };
    let [u, v] = added(&full, &frame(&full, &s, &Inputs::default(), 1.0));
    let [small_u, small_v] = added(&half, &frame(&half, &s, &Inputs::default(), 1.0));
    for y in 0..120 {
        for x in 0..160 {
            let fine = f64::midpoint(f64::from(u[2 * y * 321 + 2 * x]), f64::from(u[(2 * y + 1) * 321 + 2 * x]));
            assert!((2.0 * f64::from(small_u[y * 161 + x]) - fine).abs() < 0.01, "u at {x} {y}");
            let fine = f64::midpoint(f64::from(v[2 * y * 320 + 2 * x]), f64::from(v[2 * y * 320 + 2 * x + 1]));
            assert!((2.0 * f64::from(small_v[y * 160 + x]) - fine).abs() < 0.01, "v at {x} {y}");
        }
    }
    let s = brush([100.0, 120.0], [180.0, 90.0], 20.0);
    let (big, small) = (frame(&full, &s, &Inputs::default(), 1.0), frame(&half, &s, &Inputs::default(), 1.0));
    near(total(&small.dye)[3] * 4.0, total(&big.dye)[3], 1e-5, "dye in pixels");
    let dye = plane(&big.dye[0], 320, 240);
    for (cell, value) in plane(&small.dye[0], 160, 120).iter().enumerate() {
        let at = cell / 160 * 2 * 320 + cell % 160 * 2;
        let mean = (dye[at][3] + dye[at + 1][3] + dye[at + 320][3] + dye[at + 321][3]) / 4.0;
        assert!((value[3] - mean).abs() < 0.02, "{cell}: {} instead of {mean}", value[3]);
    }
    let ([u, _], [small_u, _]) = (steered(&full, &big), steered(&half, &small));
    assert_eq!((u[105 * 321 + 140], small_u[52 * 161 + 70]), ([80.0, 1.0], [40.0, 1.0]));
}

/// A matte of a box, its velocities where they are given, and what was solid before.
fn box_matte(spec: &Spec, x: i64, y: i64, w: i64, h: i64) -> Pixels {
    picture(spec, |cx, cy| {
        let within = (x..x + w).contains(&(cx as i64)) && (y..y + h).contains(&(cy as i64));
        [0.0, 0.0, 0.0, if within { 1.0 } else { 0.5 }]
    })
}

fn solids_after(spec: &Spec, s: &Settings, first: Pixels, second: Pixels) -> [Arc<Solids>; 2] {
    let inputs = |pixels| Inputs { obstacles: Some(pixels), ..Inputs::default() };
    let start = draw(spec, s, &inputs(first), &still(spec), None, 1.0, &Alone).solids.expect("solid");
    let before = state(spec, Some(Arc::clone(&start)));
    let next = draw(spec, s, &inputs(second), &still(spec), Some(&before), 1.0, &Alone).solids.expect("solid");
    [start, next]
}

#[test]
fn a_matte_that_moves_pushes_at_its_faces() {
    for g in [1.0, 0.5] {
        let spec = spec(60, 40, g);
        for push in [1.0, 0.5] {
            let s = Settings { obstacle_push: push, ..settings() };
            let [first, next] = solids_after(&spec, &s, box_matte(&spec, 10, 20, 8, 6), box_matte(&spec, 13, 18, 8, 6));
            assert!(first.u.iter().chain(&first.v).all(|v| *v == 0.0), "what appears stands still");
            for y in 0..40 {
                for x in 0..61 {
                    let touches = (13..=21).contains(&x) && (18..24).contains(&y);
                    let expected = if touches { 3.0 * push as f32 } else { 0.0 };
                    assert_eq!(next.u[y * 61 + x], expected, "u at {x} {y}");
                }
            }
            for y in 0..41 {
                for x in 0..60 {
                    let touches = (13..21).contains(&x) && (18..=24).contains(&y);
                    let expected = if touches { -2.0 * push as f32 } else { 0.0 };
                    assert_eq!(next.v[y * 60 + x], expected, "v at {x} {y}");
                }
            }
        }
    }
}

#[test]
fn parts_of_a_matte_move_each_on_its_own() {
    let spec = spec(100, 60, 1.0);
    let boxes = |list: &[[i64; 4]]| {
        let list = list.to_vec();
        picture(&spec, move |x, y| {
            let (x, y) = (x as i64, y as i64);
            let solid = list.iter().any(|[a, b, w, h]| (*a..a + w).contains(&x) && (*b..b + h).contains(&y));
            [0.0, 0.0, 0.0, f32::from(u8::from(solid))]
        })
    };
    let first = boxes(&[[10, 10, 8, 8], [40, 10, 8, 8], [70, 10, 4, 4], [0, 40, 10, 8], [30, 40, 30, 10]]);
    let second =
        boxes(&[[12, 10, 8, 8], [40, 9, 8, 8], [85, 12, 4, 4], [0, 40, 13, 8], [30, 40, 30, 10], [80, 40, 9, 9]]);
    let [_, next] = solids_after(&spec, &settings(), first, second);
    let at = |x: usize, y: usize| (next.u[y * 101 + x], next.v[y * 100 + x]);
    assert_eq!(at(14, 12), (2.0, 0.0));
    assert_eq!(at(44, 12), (0.0, -1.0));
    assert_eq!(at(86, 13), (15.0, 2.0), "a small thing that leaps over itself is known again");
    assert_eq!(at(5, 44), (3.0, 0.0), "what comes in over the border moves as its edge inside");
    assert_eq!(at(40, 44), (0.0, 0.0));
    assert_eq!(at(84, 44), (0.0, 0.0), "what appears stands still");
}

#[test]
fn what_lies_still_is_not_moved_by_what_touches_it() {
    let spec = spec(100, 60, 1.0);
    // A floor over the whole width, and a ball that sinks into it; a bar that comes in over the border.
    let at = |ball: i64, bar: i64| {
        picture(&spec, move |x, y| {
            let (dx, dy) = (x as i64 - 50, y as i64 - ball);
            let bar = (40..44).contains(&y) && (x as i64) < bar;
            [0.0, 0.0, 0.0, f32::from(u8::from(y < 10 || dx * dx + dy * dy < 36 || bar))]
        })
    };
    for (from, to) in [(17, 14), (14, 11)] {
        let [_, next] = solids_after(&spec, &settings(), at(from, 2), at(to, 9));
        assert_eq!((next.v[10 * 100 + 10], next.v[5 * 100 + 50]), (0.0, 0.0), "the floor lies still");
        assert_eq!(next.u[41 * 101 + 9], 7.0, "the bar comes in, though it more than doubles");
    }
}

#[test]
fn a_matte_that_stays_is_shared() {
    let spec = spec(30, 20, 1.0);
    let matte = || box_matte(&spec, 5, 5, 6, 6);
    let [first, next] = solids_after(&spec, &settings(), matte(), matte());
    assert!(Arc::ptr_eq(&first, &next));
    let [first, next] = solids_after(&spec, &settings(), matte(), box_matte(&spec, 6, 5, 6, 6));
    assert!(!Arc::ptr_eq(&first, &next));
    // A grid that moves by two cells over a matte that stands.
    let inputs = Inputs { obstacles: Some(box_matte(&spec, 3, 5, 6, 6)), ..Inputs::default() };
    let mut moved = still(&spec);
    (moved.grid.origin[0], moved.shift[0]) = (2.0, 2);
    let before = state(&spec, Some(first));
    let drive = draw(&spec, &settings(), &inputs, &moved, Some(&before), 1.0, &Alone);
    assert!(drive.solids.expect("solid").u.iter().all(|v| *v == 0.0), "it stands");
}

#[test]
fn obstacle_velocity_says_it_where_it_is_connected() {
    let spec = spec(30, 20, 0.5);
    let before = state(&spec, None);
    let inputs = Inputs {
        obstacles: Some(box_matte(&spec, 5, 5, 6, 6)),
        obstacle_velocity: Some(picture(&spec, |x, _| if x < 8 { [4.0, 2.0, 0.0, 0.0] } else { [8.0, 2.0, 0.0, 0.0] })),
        ..source(&spec, true, true, |_, _| [1.0; 4])
    };
    let drive = draw(&spec, &settings(), &inputs, &still(&spec), Some(&before), 1.0, &Alone);
    let solids = drive.solids.expect("solid");
    let row: Vec<f32> = (4..=12).map(|x| solids.u[7 * 31 + x]).collect();
    assert_eq!(row, [0.0, 2.0, 2.0, 2.0, 3.0, 4.0, 4.0, 4.0, 0.0]);
    assert_eq!((solids.v[5 * 30 + 6], solids.v[11 * 30 + 6], solids.v[12 * 30 + 6]), (1.0, 1.0, 0.0));
    let dye = plane(&drive.dye[0], 30, 20);
    assert_eq!((dye[7 * 30 + 7], dye[7 * 30 + 12]), ([0.0; 4], [1.0; 4]), "what is solid lets nothing in");
}

#[test]
fn a_grid_that_follows_moves_by_whole_cells() {
    let mut spec = spec(64, 48, 0.5);
    spec.constants.follow = true;
    let s = |x: f64, y: f64, inherit: f64| Settings { grid_centre: [x, y], inherit, ..settings() };
    let start = follow(&spec, &s(64.0, 48.0, 0.0), None);
    assert_eq!(start, still(&spec));
    let mut before = state(&spec, None);
    let moved = follow(&spec, &s(70.0, 44.0, 0.0), Some(&before));
    assert_eq!((moved.grid.origin, moved.shift, moved.remainder), ([6.0, -4.0], [3, -2], [0.0; 4]));
    let carried = follow(&spec, &s(70.0, 44.0, 1.0), Some(&before));
    assert_eq!((carried.grid.origin, carried.shift), ([6.0, -4.0], [0, 0]));
    let half = follow(&spec, &s(70.0, 44.0, 0.5), Some(&before));
    assert_eq!((half.shift, half.remainder[2], half.remainder[3]), ([2, -1], -0.5, 0.0));
    before.grid.origin = [6.0, -4.0];
    before.remainder = [0.0, 0.0, 0.25, 0.0];
    let back = follow(&spec, &s(64.0, f64::NAN, 0.0), Some(&before));
    assert_eq!((back.grid.origin, back.shift, back.remainder), ([0.0, -4.0], [-3, 0], [0.0, 0.0, 0.25, 0.0]));
    spec.constants.follow = false;
    assert_eq!(follow(&spec, &s(70.0, 44.0, 0.0), Some(&state(&spec, None))), still(&spec));
}

#[test]
fn what_is_left_of_a_move_never_drifts() {
    let mut spec = spec(64, 48, 1.0);
    spec.constants.follow = true;
    let mut before = state(&spec, None);
    let mut shifted = 0;
    let mut held = 0;
    for n in 1..=1000 {
        let x = 0.37 * f64::from(n);
        let s = |inherit| Settings { grid_centre: [32.0 + x, 24.0], inherit, ..settings() };
        let moved = follow(&spec, &s(0.0), Some(&before));
        shifted += moved.shift[0];
        assert!((moved.grid.origin[0] + moved.remainder[0] - x).abs() < 1e-9, "step {n}");
        assert!(moved.remainder.iter().all(|r| r.abs() <= 0.5), "step {n}");
        assert_eq!(shifted as f64, moved.grid.origin[0], "what is held stands still in the world");
        held += follow(&spec, &s(1.0), Some(&before)).shift[0];
        (before.grid, before.remainder) = (moved.grid, moved.remainder);
    }
    assert_eq!((shifted, held), (370, 0));

    let mut before = state(&spec, None);
    let mut shifted = 0;
    for n in 1..=1000 {
        let s = Settings { grid_centre: [32.0 + f64::from(n), 24.0], inherit: 0.63, ..settings() };
        let moved = follow(&spec, &s, Some(&before));
        shifted += moved.shift[0];
        assert!((shifted as f64 + moved.remainder[2] - 0.37 * f64::from(n)).abs() < 1e-9, "step {n}");
        (before.grid, before.remainder) = (moved.grid, moved.remainder);
    }
    assert_eq!(shifted, 370);
}

#[test]
fn absurd_jumps_of_the_grid_are_only_far() {
    let mut spec = spec(8, 8, 1.0);
    spec.constants.follow = true;
    for x in [1e6, -1e300, f64::INFINITY, f64::NAN, f64::MAX] {
        let s = Settings { grid_centre: [x, 4.0], inherit: f64::NAN, ..settings() };
        let moved = follow(&spec, &s, Some(&state(&spec, None)));
        assert!(moved.grid.origin.iter().chain(&moved.remainder).all(|v| v.is_finite()), "{x}: {moved:?}");
        assert!(!x.is_finite() || moved.shift[0].abs() >= 8, "{x}: all is shifted out");
        assert_eq!(moved.grid.width, 8);
    }
}

fn assert_finite(drive: &Drive) {
    let once = drive.once.iter().map(|once| match once {
        Once::Replace(patch) | Once::FillUp(patch) => patch,
    });
    assert!(once.chain(&drive.dye).flat_map(|p| p.values.iter().flatten()).all(|v| v.is_finite()), "dye");
    assert!(drive.heat.iter().flat_map(|p| &p.values).all(|v| v.is_finite()), "heat");
    for push in drive.u.iter().chain(&drive.v) {
        match push {
            Push::Add(patch) => assert!(patch.values.iter().all(|v| v.is_finite()), "added"),
            Push::Steer(patch) => {
                assert!(patch.values.iter().all(|[v, w]| v.is_finite() && (0.0..=1.0).contains(w)), "steered");
            }
        }
    }
    let solids = drive.solids.iter().flat_map(|s| s.u.iter().chain(&s.v));
    assert!(solids.into_iter().all(|v| v.is_finite()), "solids");
}

/// Every number of the settings is this one.
fn all(value: f64) -> Settings {
    let pole = Pole { centre: [value; 2], radius: value, strength: value };
    let brush = Brush { centre: [value; 2], previous: [value; 2], radius: value, force: value, colour: [value; 4] };
    let jet = Jet {
        centre: [value; 2],
        direction: value,
        radius: value,
        strength: value,
        colour: [value; 4],
        heat: value,
        spread: value,
        random: value,
        seed: i32::MIN,
        pulse_rate: value,
        pulse_duty: value,
    };
    Settings {
        wind: [value; 2],
        wind_drag: value,
        attractor: Some(pole),
        vortex: Some(Pole { centre: [4.0; 2], ..pole }),
        noise: Some(Noise { strength: value, size: value, speed: value, seed: i32::MAX }),
        brush: Some(brush),
        jets: vec![jet, Jet { centre: [4.0; 2], ..jet }, Jet { radius: 3.0, centre: [4.0; 2], ..jet }],
        source_density: value,
        velocity_scale: value,
        heat_scale: value,
        obstacle_push: value,
        grid_centre: [value; 2],
        inherit: value,
        ..settings()
    }
}

#[test]
fn nothing_spoils_the_numbers() {
    let values = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, -1.0, 0.0, 1e-300, 7.0];
    for (width, height) in [(9, 7), (1, 1), (1, 50)] {
        for edges in [Side::Open, Side::Wrap] {
            let mut spec = spec(width, height, 1.0);
            spec.constants.edges = [edges; 4];
            for value in values {
                let v = value as f32;
                let pictures = picture(&spec, |x, y| if (x + y) % 3 == 0 { [v; 4] } else { [1.0, -1.0, 0.5, 1.0] });
                let inputs = Inputs {
                    source: Some(SourcePixels { pixels: pictures.clone(), has_alpha: true, premultiplied: false }),
                    velocity: Some(pictures.clone()),
                    heat: Some(pictures.clone()),
                    obstacles: Some(pictures.clone()),
                    obstacle_velocity: Some(pictures.clone()),
                    mask: Some(pictures.clone()),
                };
                for frame_number in [0, 3, i64::MIN, i64::MAX] {
                    let mut s = Settings { frame: frame_number, ..all(value) };
                    for time in [1.0, value] {
                        s.velocity_mode = if time == 1.0 { VelocityMode::Add } else { VelocityMode::Set };
                        assert_finite(&frame(&spec, &s, &inputs, time));
                        assert_finite(&frame(
                            &spec,
                            &s,
                            &Inputs { mask: None, obstacles: None, ..inputs.clone() },
                            time,
                        ));
                        s.brush.iter_mut().for_each(|b| (b.centre, b.radius) = ([4.0; 2], 2.0));
                    }
                }
            }
        }
    }
}

#[test]
fn patches_are_no_larger_than_what_is_drawn() {
    let spec = spec(50, 40, 1.0);
    let inputs = source(&spec, true, true, |x, y| if (10..13).contains(&x) && y > 35 { [1.0; 4] } else { [0.0; 4] });
    let drive = frame(&spec, &settings(), &inputs, 1.0);
    assert_eq!(drive.dye, [Patch { x: 10, y: 36, width: 3, height: 4, values: vec![[1.0; 4]; 12] }]);
}

#[test]
fn short_pictures_count_as_nothing_where_they_end() {
    let spec = spec(6, 4, 1.0);
    let short: Pixels = Arc::new(vec![[1.0; 4]; 5]);
    let inputs = Inputs {
        source: Some(SourcePixels { pixels: short.clone(), has_alpha: true, premultiplied: true }),
        velocity: Some(short.clone()),
        heat: Some(short.clone()),
        obstacles: Some(Arc::new(Vec::new())),
        obstacle_velocity: Some(short.clone()),
        mask: Some(short),
    };
    let drive = frame(&spec, &settings(), &inputs, 1.0);
    near(total(&drive.dye)[3], 5.0, 1e-6, "five cells");
    assert_eq!(drive.solids, None);
}

#[test]
fn threads_change_nothing() {
    let spec = spec(150, 90, 1.0);
    let s = Settings {
        noise: noise(9).noise,
        jets: vec![Jet { spread: 40.0, random: 0.7, ..jet() }],
        wind: [1.0, 2.0],
        wind_drag: 0.1,
        ..brush([30.0, 20.0], [100.0, 85.0], 12.0)
    };
    let mut inputs = source(&spec, true, false, |x, y| [x as f32 / 150.0, f32::NAN, y as f32 / 90.0, (x % 2) as f32]);
    inputs.obstacles = Some(box_matte(&spec, 30, 30, 9, 9));
    inputs.velocity = Some(picture(&spec, |x, y| [x as f32, y as f32, 0.0, 0.0]));
    let before = state(&spec, None);
    let [a, b] = [&Alone as &dyn Workers, &Crowd]
        .map(|workers| draw(&spec, &s, &inputs, &still(&spec), Some(&before), 0.7, workers));
    assert!(a == b);
    assert_finite(&a);
}
