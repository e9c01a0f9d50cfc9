//! Drops of rain and soft emitters: volumes, shapes, and the way they come, at any resolution.

mod water;

use std::f64::consts::PI;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::compute::cpu::water::reference::Reference;
use flow_ofx::sim::water::inputs::Inputs;
use flow_ofx::sim::water::settings::{Edges, Emitter, Model, RainMode, Settings, Shape};
use flow_ofx::sim::water::{Spec, State, part_frame, start_frame};
use water::{disc, only, settings, solid, spec, step, water};

const STRENGTH: f64 = 0.15;

fn drops(number: f64, size: f64) -> Settings {
    Settings {
        rain_mode: RainMode::Drops,
        rain_drops: number,
        rain_size: size,
        rain_strength: STRENGTH,
        seed: 11,
        speed: 0.0,
        ..settings()
    }
}

fn grid(g: f64, width: f64, height: f64, model: Model) -> Spec {
    let mut spec = spec((width * g) as usize, (height * g) as usize, model, Edges::Closed);
    spec.grid.cells_per_pixel = g;
    spec
}

/// Heights that the rain of a frame adds.
fn added(spec: &Spec, s: Settings, frame: i64) -> Vec<f64> {
    let state = start_frame(spec, &Settings { frame, ..s }, &Inputs::default(), &Cpu::new(1)).0;
    let rest = if spec.constants.model == Model::Ripples { 4.0 } else { 0.0 };
    let (width, height) = (spec.grid.width, spec.grid.height);
    (0..width * height).map(|i| water::height(&state, i % width, i / width) - rest).collect()
}

/// Frames with rain between frames without, in which one drop falls.
fn single_drops(spec: &Spec, s: Settings) -> Vec<Vec<Vec<f64>>> {
    let frames: Vec<Vec<f64>> = (0..600).map(|frame| added(spec, s, frame)).collect();
    let dry = |frame: &Vec<f64>| frame.iter().all(|&h| h == 0.0);
    let runs = frames.split(dry).filter(|run| (3..=4).contains(&run.len()));
    runs.map(<[Vec<f64>]>::to_vec).collect()
}

#[test]
fn a_drop_splashes_over_frames_and_has_the_volume_of_its_size() {
    let (width, size) = (90_usize, 12.0);
    let runs = single_drops(&grid(1.0, 90.0, 60.0, Model::Pipes), drops(0.04, size));
    assert!(runs.len() > 8, "{} drops", runs.len());
    let whole = STRENGTH * PI * size * size / 3.0;
    let mut sizes = Vec::new();
    let mut crowns = 0;
    for run in &runs {
        let volumes: Vec<f64> = run.iter().map(|frame| frame.iter().sum()).collect();
        let volume: f64 = volumes.iter().sum();
        sizes.push((volume / whole).cbrt());
        assert!(volumes.iter().all(|part| *part < 0.37 * volume), "{volumes:?}");
        // No cell rises by much at once, in time or from one frame to the next.
        let top = STRENGTH * sizes[sizes.len() - 1];
        assert!(run.iter().flatten().all(|&h| h < 0.65 * top), "a disc pops in");
        let sum: Vec<f64> = (0..run[0].len()).map(|cell| run.iter().map(|frame| frame[cell]).sum()).collect();
        let centre = (0..sum.len()).fold([0.0; 2], |[x, y], cell| {
            [x + sum[cell] * (cell % width) as f64 / volume, y + sum[cell] * (cell / width) as f64 / volume]
        });
        let [x, y] = centre.map(|at| at.round() as usize);
        let inside = x > 20 && x < 70 && y > 20 && y < 40;
        if inside && run.len() == 4 {
            let [first, last] = [&run[0], &run[3]].map(|frame| {
                let top = frame.iter().fold(0.0_f64, |top, &h| top.max(h));
                frame[y * width + x] / top
            });
            assert!(first < 0.9 && last > 0.95, "a crown, then the middle: {first} {last}");
            crowns += 1;
        }
    }
    assert!(crowns > 0);
    assert!(sizes.iter().all(|size| (0.599..1.601).contains(size)), "{sizes:?}");
    let spread = sizes.iter().fold([2.0_f64, 0.0], |[low, high], &size| [low.min(size), high.max(size)]);
    assert!(spread[1] - spread[0] > 0.3, "{spread:?}");
}

#[test]
fn drops_are_the_same_at_every_resolution() {
    for (model, bound) in [(Model::Pipes, 0.1), (Model::Ripples, 0.25)] {
        for frame in 1..6 {
            let s = drops(4.0, 9.0);
            let full = added(&grid(1.0, 240.0, 160.0, model), s, frame);
            for g in [0.5, 0.25] {
                let small = added(&grid(g, 240.0, 160.0, model), s, frame);
                let volume = |heights: &[f64], g: f64| heights.iter().sum::<f64>() / (g * g);
                if model == Model::Pipes {
                    assert!((volume(&small, g) / volume(&full, 1.0) - 1.0).abs() < 1e-3, "g {g}");
                }
                let (block, width) = ((1.0 / g) as usize, (240.0 * g) as usize);
                let (mut off, mut all) = (0.0, 0.0);
                for (cell, found) in small.iter().enumerate() {
                    let (x, y) = (cell % width, cell / width);
                    let cells = (0..block * block).map(|i| full[(y * block + i / block) * 240 + x * block + i % block]);
                    let mean = cells.sum::<f64>() / (block * block) as f64;
                    off += (found - mean).powi(2);
                    all += mean.powi(2);
                }
                let off = (off / all).sqrt();
                assert!(off < bound * 0.5 / g, "{model:?} g {g}: the drops differ by {off}");
            }
        }
    }
}

#[test]
fn drops_of_ripples_dig_craters_and_do_not_raise_the_level() {
    let mut spec = spec(160, 100, Model::Ripples, Edges::Closed);
    spec.grid.origin = [3.0, 7.0];
    let inputs = Inputs { obstacles: solid(&spec, |x, y| x / 20 == 3 && y > 30), ..Inputs::default() };
    let s = Settings { speed: 2.0, rain_size: 5.0, ..drops(3.0, 5.0) };
    let [cpu, reference]: [State; 2] = [0, 1].map(|which| {
        let (two, one) = (Cpu::new(2), Reference);
        let device: &dyn flow_ofx::sim::water::Device = if which == 0 { &two } else { &one };
        water::run(&spec, &s, &inputs, device, 24)
    });
    assert!(cpu == reference, "all devices take negative amounts");
    let open = (0..160 * 100).filter(|i| !(i % 160 / 20 == 3 && i / 160 > 30));
    let deviations: Vec<f64> = open.map(|i| water::height(&cpu, i % 160, i / 160) - 4.0).collect();
    let mean = deviations.iter().sum::<f64>() / deviations.len() as f64;
    let [low, high] = deviations.iter().fold([0.0_f64; 2], |[low, high], &d| [low.min(d), high.max(d)]);
    assert!(low < -0.01 && high > 0.01, "there are waves: {low} {high}");
    assert!(mean.abs() < 1e-6, "the level rose by {mean}");
    let ledger = cpu.ledger();
    assert_eq!(cpu.totals()[0], ledger.start[0] + ledger.since.added[0] - ledger.since.clamped[0]);
    // A crater first.
    let spec = grid(1.0, 90.0, 60.0, Model::Ripples);
    for run in single_drops(&spec, drops(0.04, 12.0)) {
        let first = run[0].iter().fold([0.0_f64; 2], |[low, high], &d| [low.min(d), high.max(d)]);
        assert!(first[0].abs() > first[1], "{first:?}");
    }
}

#[test]
fn a_part_of_a_frame_has_its_share_of_every_drop() {
    let spec = spec(120, 80, Model::Pipes, Edges::Closed);
    let inputs = Inputs { source: water(&spec, |_, _| 0.5), ..Inputs::default() };
    let s = drops(2.0, 6.0);
    let cpu = Cpu::new(1);
    let begin = start_frame(&spec, &s, &inputs, &cpu).0;
    let after = |t: f64| {
        let made = part_frame(&spec, &begin, &Settings { frame: 2, ..s }, &inputs, t, &cpu, &mut || true);
        made.expect("never interrupted").0
    };
    let (half, whole) = (after(0.5), after(1.0));
    assert!(whole == step(&spec, &begin, &Settings { frame: 2, ..s }, &inputs, &cpu));
    for cell in 0..120 * 80 {
        let height = |state: &State| state.water().height.at(cell % 120, cell / 120, 0);
        let rise = |state: &State| height(state) - height(&begin);
        assert!((2 * rise(&half) - rise(&whole)).abs() <= 1, "at {cell}");
    }
}

fn soft(shape: Shape, softness: f64, from: [f64; 2], to: [f64; 2]) -> Emitter {
    Emitter { shape, softness, width: 12.0, angle: 33.0, ..disc(from, to, 24.0) }
}

fn poured(spec: &Spec, emitter: Emitter) -> State {
    start_frame(spec, &Settings { emitters: only(emitter), ..settings() }, &Inputs::default(), &Cpu::new(1)).0
}

#[test]
fn softness_keeps_the_volume_of_every_shape_and_motion() {
    let spec = spec(200, 160, Model::Pipes, Edges::Closed);
    let areas = [
        (Shape::Disc, PI * 24.0 * 24.0),
        (Shape::Line, 2.0 * 24.0 * 12.0 + PI * 36.0),
        (Shape::Ring, 2.0 * PI * 24.0 * 12.0),
    ];
    for (shape, area) in areas {
        for softness in [0.0, 0.1, 0.5, 1.0] {
            for from in [[100.0, 80.0], [100.4, 80.9], [60.0, 60.0], [130.0, 50.0]] {
                let state = poured(&spec, soft(shape, softness, from, [100.0, 80.0]));
                let volume = state.water_units() as f64 / state.units();
                let off = (volume / (0.05 * area) - 1.0).abs();
                assert!(off < 2e-3, "{shape:?} softness {softness} from {from:?}: {volume} of {}", 0.05 * area);
            }
        }
    }
    // Larger shapes are scaled by their area.
    let mut large = spec;
    (large.grid.width, large.grid.height) = (620, 560);
    for (shape, area) in [(Shape::Disc, PI * 240.0 * 240.0), (Shape::Ring, 2.0 * PI * 240.0 * 60.0)] {
        let emitter = Emitter { shape, softness: 1.0, width: 60.0, ..disc([310.0, 280.0], [310.0, 280.0], 240.0) };
        let state = poured(&large, emitter);
        let volume = state.water_units() as f64 / state.units();
        assert!((volume / (0.05 * area) - 1.0).abs() < 5e-3, "{shape:?}: {volume} of {}", 0.05 * area);
    }
}

#[test]
fn soft_discs_fall_smoothly_from_the_middle_or_a_flat_core() {
    let spec = spec(120, 120, Model::Pipes, Edges::Closed);
    let at = |softness: f64, x: usize| {
        let state = poured(&spec, Emitter { softness, ..disc([60.5, 60.5], [60.5, 60.5], 40.0) });
        water::height(&state, x, 60)
    };
    let share = |softness: f64, away: usize| at(softness, 60 + away) / at(softness, 60);
    for away in [5, 10, 20, 30, 38] {
        let t = away as f64 / 40.5;
        assert!((share(1.0, away) - (1.0 - t * t).powi(2)).abs() < 1e-3, "at {away}: {}", share(1.0, away));
    }
    assert!((share(0.5, 18) - 1.0).abs() < 1e-6 && (0.3..0.7).contains(&share(0.5, 31)), "a flat core");
    assert!((share(0.0, 39) - 1.0).abs() < 1e-6 && share(0.0, 41) == 0.0, "a hard rim");
    let steepest = (1..42).map(|x| share(0.5, x - 1) - share(0.5, x)).fold(0.0, f64::max);
    assert!(steepest < 0.08, "{steepest}");
}

#[test]
fn a_moving_soft_disc_is_the_mean_of_resting_ones() {
    let spec = spec(160, 80, Model::Pipes, Edges::Closed);
    for softness in [0.15, 0.5, 1.0] {
        let (from, to) = ([50.0, 40.0], [103.0, 37.0]);
        let moving = poured(&spec, Emitter { softness, ..disc(from, to, 12.0) });
        let places = 300;
        let mut mean = vec![0.0; 160 * 80];
        for place in 0..places {
            let part = (f64::from(place) + 0.5) / f64::from(places);
            let centre = [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * part);
            let still = poured(&spec, Emitter { softness, ..disc(centre, centre, 12.0) });
            (0..160 * 80).for_each(|i| mean[i] += water::height(&still, i % 160, i / 160) / f64::from(places));
        }
        for (i, mean) in mean.iter().enumerate() {
            let found = water::height(&moving, i % 160, i / 160);
            assert!((found - mean).abs() < 2e-4 * 0.05, "softness {softness} at {i}: {found} of {mean}");
        }
    }
}
