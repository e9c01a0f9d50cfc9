//! Promise: waves move as the numerics say: dispersion, roundness, stability, walls, keyed speed.

mod water;

use std::f64::consts::{PI, TAU};

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::sim::inputs::{Inputs, SourcePixels};
use flow_ofx::sim::settings::{Edges, Model, Settings};
use flow_ofx::sim::{Spec, State, start_frame, steps_per_frame};
use water::{Dice, height, settings, solid, spec, step, water};

/// Angular frequency per step of a small standing wave with `turns` waves across the grid in x and y, from the first
/// and last zero crossing of its amplitude over `steps` steps.
fn frequency(spec: &Spec, settings: &Settings, turns: [f64; 2], steps: usize) -> f64 {
    let cpu = Cpu::new(1);
    let (w, h) = (spec.grid.width, spec.grid.height);
    let phase = |x: usize, y: usize| {
        let p = TAU * (turns[0] * x as f64 / w as f64 + turns[1] * y as f64 / h as f64);
        p.cos()
    };
    let inputs = Inputs { source: water(spec, |x, y| 1.0 + 0.01 * phase(x, y)), ..Inputs::default() };
    let mut state = start_frame(spec, settings, &inputs, &cpu).0;
    let mut crossings: Vec<f64> = Vec::new();
    let mut last = f64::NAN;
    for t in 0..steps {
        let amplitude: f64 =
            (0..w * h).map(|i| (height(&state, i % w, i / w) - 1.0) * phase(i % w, i / w)).sum::<f64>();
        if last * amplitude < 0.0 {
            crossings.push(t as f64 - 1.0 + last / (last - amplitude));
        }
        last = amplitude;
        state = step(spec, &state, settings, &inputs, &cpu);
    }
    let span = crossings[crossings.len() - 1] - crossings[0];
    PI * (crossings.len() - 1) as f64 / span
}

#[test]
fn small_waves_follow_the_discrete_dispersion_relation_to_1e_4() {
    let spec = spec(48, 48, Model::Pipes, Edges::Wrap);
    let s = Settings { speed: 0.4, ..settings() };
    assert_eq!(steps_per_frame(&spec, &s), (1, false));
    let b = spec.constants.diagonal_weight;
    let k = 0.4 * 0.4 / (1.0 + 2.0 * b);
    for turns in [[1.0, 0.0], [3.0, 3.0], [8.0, 3.0]] {
        let [kx, ky] = turns.map(|t| TAU * t / 48.0);
        let lambda = 2.0 * ((1.0 - kx.cos()) + (1.0 - ky.cos())) + 4.0 * b * (1.0 - kx.cos() * ky.cos());
        let expected = 2.0 * (0.5 * (k * lambda).sqrt()).asin();
        let found = frequency(&spec, &s, turns, 6000);
        assert!((found / expected - 1.0).abs() < 1e-4, "{turns:?}: {found} instead of {expected}");
    }
}

#[test]
fn classic_pipes_run_faster_by_the_root_of_2() {
    let spec = spec(64, 4, Model::Classic, Edges::Wrap);
    let s = Settings { flow_rate: 0.02, ..settings() };
    let kx = TAU / 64.0;
    let expected = (2.0 * 0.02 * 6.0 * (1.0 - kx.cos())).sqrt();
    let found = frequency(&spec, &s, [1.0, 0.0], 3000);
    assert!((found / expected - 1.0).abs() < 0.01, "{found} instead of {expected}");
}

/// Position and height of the highest crest along a ray, between the samples.
fn crest(samples: &[f64]) -> (f64, f64) {
    let at = (1..samples.len() - 1).max_by(|&a, &b| samples[a].total_cmp(&samples[b])).expect("three samples");
    let (a, b, c) = (samples[at - 1], samples[at], samples[at + 1]);
    (at as f64 + 0.5 * (a - c) / (a - 2.0 * b + c), b)
}

#[test]
fn ripples_are_round_within_2_percent() {
    let n = 201;
    let spec = spec(n, n, Model::Pipes, Edges::Closed);
    let cpu = Cpu::new(2);
    let middle = (n / 2) as f64;
    let bump = |x: usize, y: usize| {
        let d2 = (x as f64 - middle).powi(2) + (y as f64 - middle).powi(2);
        1.0 + 0.5 * (-d2 / 18.0).exp()
    };
    let inputs = Inputs { source: water(&spec, bump), ..Inputs::default() };
    let end = water::run(&spec, &Settings { smoothing: 0.1, ..settings() }, &inputs, &cpu, 150);
    let m = n / 2;
    let ray = |dx: isize, dy: isize| -> Vec<f64> {
        (0..=m as isize).map(|r| height(&end, (m as isize + r * dx) as usize, (m as isize + r * dy) as usize)).collect()
    };
    let axis = crest(&ray(1, 0)).0;
    let diagonal = crest(&ray(1, 1)).0 * 2f64.sqrt();
    assert!(axis > 60.0 && axis < 80.0, "the crest is at {axis}");
    assert!((axis / diagonal - 1.0).abs() < 0.02, "radius {axis} along the axis, {diagonal} along the diagonal");
    println!("crest at {axis:.3} along the axes, {diagonal:.3} along the diagonals");
}

#[test]
fn noise_stays_bounded_for_2000_undamped_steps_at_the_fastest_step() {
    let cpu = Cpu::new(2);
    for edges in [Edges::Closed, Edges::Wrap] {
        for diagonal_weight in [0.0, 0.25, 0.5, 1.0] {
            for smoothing in [0.0, 0.1, 0.5] {
                let mut spec = spec(37, 32, Model::Pipes, edges);
                spec.constants.diagonal_weight = diagonal_weight;
                let mut dice = Dice::new(7);
                let inputs = Inputs {
                    source: water(&spec, |_, _| dice.between(3.0, 4.0)),
                    obstacles: solid(&spec, |x, y| x * 7 % 13 == 3 && y % 5 > 2),
                    ..Inputs::default()
                };
                // A speed that is cut runs 1,024 steps per frame at the very limit.
                let s = Settings { speed: 1e5, smoothing, ..settings() };
                assert_eq!(steps_per_frame(&spec, &s), (1024, true));
                let start = start_frame(&spec, &s, &inputs, &cpu).0;
                // Solid cells are cleared by the first frame: compare from there.
                let first = step(&spec, &start, &s, &inputs, &cpu);
                let end = step(&spec, &first, &s, &inputs, &cpu);
                let wet = |state: &State| {
                    let of = |x: usize, y: usize| !(x * 7 % 13 == 3 && y % 5 > 2);
                    let cells: Vec<f64> =
                        (0..37 * 32).filter(|i| of(i % 37, i / 37)).map(|i| height(state, i % 37, i / 37)).collect();
                    let mean = cells.iter().sum::<f64>() / cells.len() as f64;
                    (cells.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / cells.len() as f64).sqrt()
                };
                let (before, after) = (wet(&start), wet(&end));
                assert!(
                    after < 1.5 * before,
                    "{edges:?} diagonal {diagonal_weight} smoothing {smoothing}: {before} grew to {after}"
                );
                assert_eq!(end.ledger().since.clamped[0], 0);
                if smoothing > 0.0 {
                    assert!(after < 0.9 * before, "smoothing {smoothing} does nothing: {before} and {after}");
                }
            }
        }
    }
}

#[test]
fn waves_along_a_wall_run_at_the_free_speed() {
    let cpu = Cpu::new(1);
    let pulse = |x: usize, _: usize| 1.0 + 0.2 * (-(x as f64 - 20.0).powi(2) / 30.0).exp();
    let free = spec(300, 5, Model::Pipes, Edges::Wrap);
    let closed = spec(300, 5, Model::Pipes, Edges::Closed);
    let flat = Settings { smoothing: 0.1, ..settings() };
    let run = |spec: &Spec, walls: bool| {
        let obstacles = walls.then(|| solid(spec, |_, y| y == 0 || y == 2 || y == 4).expect("a picture"));
        let inputs = Inputs { source: water(spec, pulse), obstacles, ..Inputs::default() };
        water::run(spec, &flat, &inputs, &cpu, 200)
    };
    let (truth, beside, corridor) = (run(&free, false), run(&closed, false), run(&closed, true));
    // Further left comes what the left wall throws back, which the free grid has not.
    for x in 110..180 {
        let free = height(&truth, x, 2);
        for (what, found) in [
            ("a wall", height(&beside, x, 0)),
            ("the middle", height(&beside, x, 2)),
            ("a corridor", height(&corridor, x, 1)),
        ] {
            assert!((found - free).abs() < 1e-4, "along {what} at {x}: {found} instead of {free}");
        }
    }
    let top = (110..180).map(|x| height(&truth, x, 2)).fold(0.0, f64::max);
    assert!(top > 1.05, "no wave came by: {top}");
}

#[test]
fn a_diagonal_wall_of_one_pixel_does_not_leak() {
    let cpu = Cpu::new(1);
    for model in water::MODELS {
        let spec = spec(24, 24, model, Edges::Closed);
        let inputs = Inputs {
            source: water(&spec, |x, y| if y > x { 2.0 } else { 0.0 }),
            obstacles: solid(&spec, |x, y| x == y),
            ..Inputs::default()
        };
        let end = water::run(&spec, &settings(), &inputs, &cpu, 300);
        for y in 0..24 {
            for x in y..24 {
                assert_eq!(end.water().height.at(x, y, 0), 0, "{model:?}: water behind the wall at {x}, {y}");
            }
        }
        assert_eq!(end.water_units(), start_frame(&spec, &settings(), &inputs, &cpu).0.water_units());
    }
}

#[test]
fn a_speed_keyed_on_the_way_does_not_turn_waves_back() {
    let spec = spec(500, 3, Model::Pipes, Edges::Closed);
    let cpu = Cpu::new(1);
    // Half a packet of waves at the left wall runs to the right, all of it.
    let packet = |x: usize| {
        let d = x as f64 + 0.5;
        1.0 + 0.1 * (-d * d / 600.0).exp() * (TAU * d / 24.0).cos()
    };
    let inputs = Inputs { source: water(&spec, |x, _| packet(x)), ..Inputs::default() };
    let mut state = start_frame(&spec, &settings(), &inputs, &cpu).0;
    let mut counts = Vec::new();
    let mut position = 0.0;
    for frame in 0..300 {
        let speed = 0.5 + ((f64::from(frame) - 60.0) / 200.0).clamp(0.0, 1.0);
        let s = Settings { speed, ..settings() };
        position += speed;
        counts.push(steps_per_frame(&spec, &s).0);
        state = step(&spec, &state, &s, &inputs, &cpu);
    }
    assert!(counts[299] >= 2 * counts[0], "the number of steps must change on the way: {counts:?}");
    let power = |range: std::ops::Range<usize>| range.map(|x| (height(&state, x, 1) - 1.0).powi(2)).sum::<f64>().sqrt();
    let front = position as usize;
    let (ahead, back) = (power(front - 120..500), power(0..front - 120));
    assert!(ahead > 0.1, "the packet is not where it should be: {ahead} from {} on", front - 120);
    assert!(back < 0.05 * ahead, "{back} of {ahead} came back");
    println!("{:.4} of the waves came back", back / ahead);
}

#[test]
fn still_colour_neither_mottles_nor_freezes() {
    let cpu = Cpu::new(2);
    let spec = spec(32, 32, Model::Pipes, Edges::Wrap);
    let mut dice = Dice::new(3);
    let pixels = water::pixels(&spec, |_, _| [0.5, 0.1, 2.0, 1.0 + 0.02 * dice.unit()]);
    let inputs =
        Inputs { source: Some(SourcePixels { pixels, has_alpha: true, premultiplied: false }), ..Inputs::default() };
    let s = Settings { substeps: 50, speed: 20.0, ..settings() };
    let end = water::run(&spec, &s, &inputs, &cpu, 100);
    let mut row = vec![[0.0; 4]; 32];
    let mut worst: f32 = 0.0;
    for y in 0..32 {
        end.water_row(y, &mut row);
        for pixel in &row {
            for (found, colour) in pixel.iter().zip([0.5, 0.1, 2.0]) {
                worst = worst.max((found / colour - 1.0).abs());
            }
        }
    }
    assert!(worst < 0.002, "colour mottled by {worst} in 5,000 steps");
    println!("mottling after 5,000 steps: {worst:.6}");

    // A slow current: a slope of 1/2,000 per cell carries dye all the same.
    let spec = water::spec(64, 8, Model::Pipes, Edges::Wrap);
    let dye = water::pixels(&spec, |x, _| [if x < 32 { 1.0 } else { 0.0 }, 0.0, 0.0, 1.0]);
    let inputs = Inputs {
        source: Some(SourcePixels { pixels: dye, has_alpha: true, premultiplied: false }),
        ..Inputs::default()
    };
    let s = Settings { push: [0.0005, 0.0], damping: 0.5, ..settings() };
    let end = water::run(&spec, &s, &inputs, &cpu, 200);
    end.water_row(4, &mut row);
    let mut wide = vec![[0.0; 4]; 64];
    end.water_row(4, &mut wide);
    let flow = end.water().flow.at(10, 4, 0) + 2 * end.water().flow.at(10, 4, 2);
    let travelled = 200.0 * f64::from(flow) / end.units();
    let dyed: f32 = wide[32..].iter().map(|p| p[0]).sum();
    assert!(travelled > 0.005, "no current: {travelled}");
    let carried = f64::from(dyed) / travelled;
    assert!((carried - 1.0).abs() < 0.1, "the current went {travelled} cells and carried {dyed}");
}

#[test]
fn a_fast_dam_break_is_free_of_grid_ripples() {
    let spec = spec(240, 160, Model::Pipes, Edges::Closed);
    let cpu = Cpu::new(2);
    let inputs = Inputs {
        source: water(&spec, |x, y| if (x as f64 - 60.0).hypot(y as f64 - 70.0) < 40.0 { 2.0 } else { 0.5 }),
        ..Inputs::default()
    };
    let rough = |smoothing: f64| {
        let s = Settings { speed: 16.0, damping: 0.02, smoothing, ..settings() };
        let end = water::run(&spec, &s, &inputs, &cpu, 8);
        // What alternates from cell to cell, against the slopes.
        let (mut ripple, mut slope) = (0.0, 0.0);
        for y in 0..160 {
            for x in 2..238 {
                let h = |i: usize| height(&end, x + i - 2, y);
                ripple += (h(0) - 4.0 * h(1) + 6.0 * h(2) - 4.0 * h(3) + h(4)).abs() / 16.0;
                slope += (h(3) - h(1)).abs() / 2.0;
            }
        }
        ripple / slope
    };
    let (with, without) = (rough(0.1), rough(0.0));
    println!("ripples against slopes: {with:.5} with smoothing, {without:.5} without");
    assert!(with < 0.01, "ripples are {with} of the slopes");
    assert!(without > 5.0 * with, "smoothing does little: {without} and {with}");
}
