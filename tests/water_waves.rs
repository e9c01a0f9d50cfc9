//! Waves follow the numerics: dispersion, roundness, stability, walls, keyed speed.

mod record;
mod water;

use std::f64::consts::{PI, TAU};

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::sim::water::inputs::{Inputs, SourcePixels};
use flow_ofx::sim::water::settings::{Edges, Model, Settings};
use flow_ofx::sim::water::{Spec, State, start_frame, steps_per_frame};
use record::{Record, Scale};
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

/// Angular frequency per step by the discrete dispersion relation.
fn relation(k: f64, b: f64, [kx, ky]: [f64; 2]) -> f64 {
    let lambda = 2.0 * ((1.0 - kx.cos()) + (1.0 - ky.cos())) + 4.0 * b * (1.0 - kx.cos() * ky.cos());
    2.0 * (0.5 * (k * lambda).sqrt()).asin()
}

#[test]
fn small_waves_follow_the_discrete_dispersion_relation_to_1e_4() {
    const SPEED: f64 = 0.4;
    let spec = spec(48, 48, Model::Pipes, Edges::Wrap);
    let s = Settings { speed: SPEED, ..settings() };
    assert_eq!(steps_per_frame(&spec, &s), (1, false));
    let b = spec.constants.diagonal_weight;
    let k = SPEED * SPEED / (1.0 + 2.0 * b);
    let (mut worst, mut count) = (0.0_f64, 0);
    // A wave's length in cells, and its speed relative to the set one.
    let mut place = |turns: [f64; 2]| {
        let wave = turns.map(|t| TAU * t / 48.0);
        let (expected, found) = (relation(k, b, wave), frequency(&spec, &s, turns, 6000));
        let off = (found / expected - 1.0).abs();
        assert!(off < 1e-4, "{turns:?}: {found} instead of {expected}");
        (worst, count) = (worst.max(off), count + 1);
        let size = wave[0].hypot(wave[1]);
        [TAU / size, found / size / SPEED]
    };
    let axis = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0].map(|t| place([t, 0.0]));
    let diagonal = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0].map(|t| place([t, t]));
    place([8.0, 3.0]);

    let mut record = Record::new("water-dispersion", "CPU");
    record.under(water::settings_text(&spec, &s));
    record.row("waves of 2 to 48 cells", "counted", f64::from(count));
    record.at_most("frequency against the discrete relation, largest error", worst, 1e-4);
    record.near("speed of the longest wave over the set speed", axis[0][1], 1.0, 0.002);
    let theory = |[x, y]: [f64; 2], shortest: f64| -> Vec<[f64; 2]> {
        let lengths = (0..200).map(|i| shortest * (48.0 / shortest).powf(f64::from(i) / 199.0));
        lengths
            .map(|length| [length, relation(k, b, [x, y].map(|c| c * TAU / length)) * length / TAU / SPEED])
            .collect()
    };
    let half = 0.5_f64.sqrt();
    record.plot(
        "Pipes: speed of small waves by their length",
        ["wavelength in cells", "phase speed over the speed that is set"],
        [Scale::Linear; 2],
        &[
            ("relation, along an axis".to_owned(), theory([1.0, 0.0], 2.0)),
            ("relation, along a diagonal".to_owned(), theory([half, half], 2.0)),
        ],
        &[
            ("found, along an axis".to_owned(), axis.to_vec()),
            ("found, along a diagonal".to_owned(), diagonal.to_vec()),
        ],
    );
    record.save();
}

#[test]
fn classic_pipes_run_faster_by_the_root_of_2() {
    let spec = spec(64, 4, Model::Classic, Edges::Wrap);
    let s = Settings { flow_rate: 0.02, ..settings() };
    let kx = TAU / 64.0;
    let expected = (2.0 * 0.02 * 6.0 * (1.0 - kx.cos())).sqrt();
    let found = frequency(&spec, &s, [1.0, 0.0], 3000);
    let mut record = Record::new("water-classic", "CPU");
    record.under(water::settings_text(&spec, &s));
    record.near("Classic pipes: speed of a long wave over √2 times that of Pipes", found / expected, 1.0, 0.01);
    record.save();
}

#[test]
fn classic_pipes_are_stable_up_to_one_sixth() {
    let spec = spec(48, 48, Model::Classic, Edges::Wrap);
    let cpu = Cpu::new(2);
    let mut dice = Dice::new(11);
    let inputs = Inputs { source: water(&spec, |_, _| dice.between(3.0, 3.01)), ..Inputs::default() };
    let limit = |flow_rate: f64| Settings { flow_rate, substeps: 200, ..settings() };
    let growth = |flow_rate: f64| {
        let s = limit(flow_rate);
        let rms = |state: &State| {
            let off = |i: usize| (height(state, i % 48, i / 48) - 3.005).powi(2);
            ((0..48 * 48).map(off).sum::<f64>() / (48.0 * 48.0)).sqrt()
        };
        let start = start_frame(&spec, &s, &inputs, &cpu).0;
        rms(&water::run(&spec, &s, &inputs, &cpu, 10)) / rms(&start)
    };
    let mut record = Record::new("water-classic-limit", "CPU");
    let what = "Classic pipes at a flow rate of 0.16: noise after 2,000 steps over that before";
    record.under(water::settings_text(&spec, &limit(0.16)));
    record.at_most(what, growth(0.16), 2.0);
    record.under(water::settings_text(&spec, &limit(0.175)));
    record.at_least("the same at 0.175, beyond a sixth", growth(0.175), 10.0);
    record.save();
}

/// Position of the highest crest along a ray, between the samples.
fn crest(samples: &[f64]) -> f64 {
    let at = (1..samples.len() - 1).max_by(|&a, &b| samples[a].total_cmp(&samples[b])).expect("three samples");
    let (a, b, c) = (samples[at - 1], samples[at], samples[at + 1]);
    at as f64 + 0.5 * (a - c) / (a - 2.0 * b + c)
}

/// Radius of the crest of a ring of ripples, in cells, by direction in degrees from the axis. And the ring,
/// and the settings.
fn ring(diagonal_weight: f64) -> (Vec<[f64; 2]>, Vec<f32>, String) {
    const N: usize = 201;
    let mut spec = spec(N, N, Model::Pipes, Edges::Closed);
    spec.constants.diagonal_weight = diagonal_weight;
    let middle = (N / 2) as f64;
    let bump = |x: usize, y: usize| {
        let d2 = (x as f64 - middle).powi(2) + (y as f64 - middle).powi(2);
        1.0 + 0.5 * (-d2 / 18.0).exp()
    };
    let inputs = Inputs { source: water(&spec, bump), ..Inputs::default() };
    let smooth = Settings { smoothing: 0.1, ..settings() };
    let end = water::run(&spec, &smooth, &inputs, &Cpu::new(2), 150);
    // Between four cells.
    let at = |x: f64, y: f64| {
        let ([i, j], [u, v]) = ([x, y].map(|c| c as usize), [x, y].map(|c| c.fract()));
        let row = |j: usize| (1.0 - u) * height(&end, i, j) + u * height(&end, i + 1, j);
        (1.0 - v) * row(j) + v * row(j + 1)
    };
    let radius = |degrees: u32| {
        let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
        let ray: Vec<f64> = (0..99).map(|r| at(middle + f64::from(r) * cos, middle + f64::from(r) * sin)).collect();
        [f64::from(degrees), crest(&ray)]
    };
    let shown = (0..N * N).map(|i| (0.5 + 15.0 * (height(&end, i % N, i / N) - 1.0)) as f32).collect();
    ((0..=90).step_by(3).map(radius).collect(), shown, water::settings_text(&spec, &smooth))
}

#[test]
fn ripples_are_round_within_2_percent() {
    let ((round, ripple, under), (diamond, other, under_other)) = (ring(0.25), ring(0.0));
    assert!(round[0][1] > 60.0 && round[0][1] < 80.0, "the crest is at {}", round[0][1]);
    let spread = |radii: &[[f64; 2]]| {
        let ends = radii.iter().fold((f64::MAX, 0.0_f64), |(low, high), r| (low.min(r[1]), high.max(r[1])));
        ends.1 / ends.0
    };
    let mut record = Record::new("water-round", "CPU");
    record.under(under);
    record.at_most("ring of ripples: largest radius over smallest", spread(&round), 1.02);
    record.under(under_other);
    record.row("the same without diagonal pipes", "", spread(&diamond));
    record.plot(
        "Pipes: radius of a ring after 150 steps",
        ["direction in degrees", "radius in cells"],
        [Scale::Linear; 2],
        &[("diagonal weight 0.25".to_owned(), round), ("diagonal weight 0".to_owned(), diamond)],
        &[],
    );
    record.image("diagonal weight 0.25", 201, &ripple);
    record.image("diagonal weight 0", 201, &other);
    record.save();
}

#[test]
fn noise_stays_bounded_for_2000_undamped_steps_at_the_fastest_step() {
    let cpu = Cpu::new(2);
    let (mut worst, mut scenes) = (0.0_f64, 0);
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
                // A limited speed runs 1,024 steps per frame at the stability limit.
                let s = Settings { speed: 1e5, smoothing, ..settings() };
                assert_eq!(steps_per_frame(&spec, &s), (1024, true));
                let start = start_frame(&spec, &s, &inputs, &cpu).0;
                // The first frame clears solid cells: compare from there.
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
                (worst, scenes) = (worst.max(after / before), scenes + 1);
            }
        }
    }
    let mut record = Record::new("water-noise", "CPU");
    record.under(
        "37×32 cells, Pipes, edges Closed and Wrap, diagonal weight 0 to 1, smoothing 0 to 0.5, steps at the limit",
    );
    let what = format!("noise after 2,000 undamped steps at the limit over that before, most of {scenes} scenes");
    record.at_most(what, worst, 1.5);
    record.save();
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
    let mut worst = 0.0_f64;
    // Further left is the reflection from the left wall, which the free grid lacks.
    for x in 110..180 {
        let free = height(&truth, x, 2);
        for (what, found) in [
            ("a wall", height(&beside, x, 0)),
            ("the middle", height(&beside, x, 2)),
            ("a corridor", height(&corridor, x, 1)),
        ] {
            assert!((found - free).abs() < 1e-4, "along {what} at {x}: {found} instead of {free}");
            worst = worst.max((found - free).abs());
        }
    }
    let top = (110..180).map(|x| height(&truth, x, 2)).fold(0.0, f64::max);
    assert!(top > 1.05, "no wave came by: {top}");
    let mut record = Record::new("water-walls", "CPU");
    record.under(water::settings_text(&closed, &flat));
    record.at_most("a wave of 0.1 along a wall and in a corridor against a free one, error of the height", worst, 1e-4);
    record.save();
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
fn a_keyed_speed_does_not_reflect_waves() {
    let spec = spec(500, 3, Model::Pipes, Edges::Closed);
    let cpu = Cpu::new(1);
    // Half a wave packet at the left wall moves to the right, all of it.
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
    let mut record = Record::new("water-keyed", "CPU");
    record.under(format!("first frame: {}", water::settings_text(&spec, &settings())));
    record.at_most("speed keyed from 0.5 to 1.5: reflected share of the waves", back / ahead, 0.05);
    record.save();
}

#[test]
fn colour_at_rest_neither_mottles_nor_freezes() {
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
    let mut record = Record::new("water-colour", "CPU");
    record.under(water::settings_text(&spec, &s));
    record.at_most("even colour after 5,000 steps, error", f64::from(worst), 0.002);

    // A slow current: a slope of 1/2,000 per cell still advects dye.
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
    record.under(water::settings_text(&spec, &s));
    record.near("colour advected by a slow current over the exact amount", f64::from(dyed) / travelled, 1.0, 0.1);
    record.save();
}

#[test]
fn a_fast_dam_break_has_no_grid_ripples() {
    let spec = spec(240, 160, Model::Pipes, Edges::Closed);
    let cpu = Cpu::new(2);
    let inputs = Inputs {
        source: water(&spec, |x, y| if (x as f64 - 60.0).hypot(y as f64 - 70.0) < 40.0 { 2.0 } else { 0.5 }),
        ..Inputs::default()
    };
    let fast = |smoothing: f64| Settings { speed: 16.0, damping: 0.02, smoothing, ..settings() };
    let rough = |smoothing: f64| {
        let s = fast(smoothing);
        let end = water::run(&spec, &s, &inputs, &cpu, 8);
        // The component that alternates from cell to cell, relative to the slopes.
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
    let mut record = Record::new("water-grid-noise", "CPU");
    record.under(water::settings_text(&spec, &fast(0.1)));
    record.at_most("behind a fast front, ripples of the grid over slopes, smoothing 0.1", with, 0.01);
    record.under(water::settings_text(&spec, &fast(0.0)));
    record.at_least("the same without smoothing, over that with it", without / with, 5.0);
    record.save();
}
