//! Surface maps: foam starts where the surface is steep, converges or hits an obstacle, moves with the water and
//! fades; wetness marks ground that was under water and dries in the set number of frames. Both are the same on all
//! devices, and neither changes the water.

mod water;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::compute::cpu::water::reference::Reference;
use flow_ofx::sim::water::inputs::Inputs;
use flow_ofx::sim::water::settings::{Edges, Emitter, Foam, Model, RainMode, Settings};
use flow_ofx::sim::water::surface_maps::{FOAM, WETNESS};
use flow_ofx::sim::water::{Spec, State, next_frame, start_frame};
use water::{MODELS, disc, only, play, run, settings, shot, solid, spec, step, water};

fn share(state: &State, plane: usize, x: usize, y: usize) -> f64 {
    f64::from(state.surface_maps().expect("traces").at(x, y, plane)) / 65536.0
}

fn foaming() -> Settings {
    let foam = Foam { amount: 0.5, steepness: 0.02, life: 10.0, shore: 0.0 };
    Settings { foam: Some(foam), speed: 2.0, gravity: 4.0, ..settings() }
}

#[test]
fn surface_maps_do_not_change_the_water_and_are_the_same_on_every_device() {
    for model in MODELS {
        for seed in 0..6 {
            let mut shot = shot(seed, 37, 23, model, Edges::Wrap, 5);
            let foam = Some(Foam { amount: 0.5, steepness: 0.01, life: 7.0, shore: 0.5 });
            for (s, _) in &mut shot.frames {
                (s.foam, s.dry_frames) = (foam, Some(6.0));
            }
            let (two, plain) = (play(&shot, &Cpu::new(2)), play(&shot, &Reference));
            assert!(two.last().is_some_and(|state| state.surface_maps().is_some_and(|traces| !traces.is_zero())));
            assert_eq!(two, plain, "{model:?} {seed}");
            for (s, _) in &mut shot.frames {
                (s.foam, s.dry_frames) = (None, None);
            }
            let without = play(&shot, &Cpu::new(1));
            assert!(without.iter().zip(&two).all(|(a, b)| a.water() == b.water() && a.surface_maps().is_none()));
        }
    }
}

#[test]
fn a_lake_at_rest_has_no_foam() {
    let spec = spec(30, 20, Model::ShallowWater, Edges::Closed);
    let hills = |x: usize, y: usize| 0.4 * ((x as f64 * 0.5).sin() + (y as f64 * 0.4).cos());
    let inputs = Inputs {
        source: water(&spec, |x, y| (0.3 - hills(x, y)).max(0.0)),
        terrain: water::grey(&spec, hills),
        obstacles: solid(&spec, |x, y| x == 15 && y > 10),
        ..Inputs::default()
    };
    let calm = Settings { terrain_channel: flow_ofx::sim::water::settings::Channel::Red, ..foaming() };
    let state = run(&spec, &calm, &inputs, &Cpu::new(1), 20);
    let most = (0..600).map(|i| share(&state, FOAM, i % 30, i / 30)).fold(0.0, f64::max);
    // Heights are whole units: waves of one unit have no slope.
    assert!(most < 1e-3, "{most}");
}

/// A pond with a wall of water to the left, and an obstacle to the right.
fn bore() -> (Spec, Inputs) {
    let spec = spec(120, 12, Model::ShallowWater, Edges::Closed);
    let inputs = Inputs {
        source: water(&spec, |x, _| if x < 30 { 0.8 } else { 0.2 }),
        obstacles: solid(&spec, |x, y| (80..84).contains(&x) && (4..8).contains(&y)),
        ..Inputs::default()
    };
    (spec, inputs)
}

#[test]
fn foam_starts_at_fronts_and_obstacles_moves_with_the_water_and_fades() {
    let (spec, inputs) = bore();
    let cpu = Cpu::new(1);
    let mut state = start_frame(&spec, &foaming(), &inputs, &cpu).0;
    let (mut at_front, mut at_obstacle): (f64, f64) = (0.0, 0.0);
    for frame in 2..40 {
        state = step(&spec, &state, &Settings { frame, ..foaming() }, &inputs, &cpu);
        let row =
            |y: usize, columns: std::ops::Range<usize>| columns.map(|x| share(&state, FOAM, x, y)).fold(0.0, f64::max);
        at_front = at_front.max(row(1, 31..75));
        at_obstacle = at_obstacle.max(row(5, 76..80));
    }
    assert!(at_front > 0.5, "the bore foams: {at_front}");
    assert!(at_obstacle > 0.5, "water before the obstacle foams: {at_obstacle}");
    // No foam starts once nothing is steep and nothing hits: half of it decays in its lifetime.
    let all = |state: &State| (0..120 * 12).map(|i| share(state, FOAM, i % 120, i / 120)).sum::<f64>();
    let calm = |life: f64| Settings {
        foam: Some(Foam { amount: 0.0, steepness: 1e9, life, shore: 0.0 }),
        speed: 0.0,
        gravity: 0.0,
        ..foaming()
    };
    let still = Settings { damping: 1.0, ..calm(10.0) };
    let halted = step(&spec, &state, &still, &inputs, &cpu);
    let mut later = halted.clone();
    for _ in 0..10 {
        later = step(&spec, &later, &still, &inputs, &cpu);
    }
    let left = all(&later) / all(&halted);
    assert!((left - 0.5).abs() < 0.01, "half of it is left after its life: {left}");
}

#[test]
fn foam_is_advected_by_the_water_below_it() {
    let spec = spec(64, 8, Model::ShallowWater, Edges::Wrap);
    let inputs = Inputs { source: water(&spec, |_, _| 1.0), ..Inputs::default() };
    let cpu = Cpu::new(1);
    let drift = Settings { goal_strength: 1.0, goal_velocity: [3.0, 0.0], ..foaming() };
    let mut state = run(&spec, &drift, &inputs, &cpu, 2);
    // A patch that an emitter makes steep once.
    let splash = Settings { emitters: only(Emitter { rate: 0.6, ..disc([20.0, 4.0], [20.0, 4.0], 2.0) }), ..drift };
    for _ in 0..3 {
        state = step(&spec, &state, &splash, &inputs, &cpu);
    }
    let middle = |state: &State| {
        let (mut sum, mut turn) = (0.0, [0.0; 2]);
        for i in 0..64 * 8 {
            let angle = std::f64::consts::TAU * (i % 64) as f64 / 64.0;
            let foam = share(state, FOAM, i % 64, i / 64);
            sum += foam;
            turn = [turn[0] + foam * angle.cos(), turn[1] + foam * angle.sin()];
        }
        assert!(sum > 0.2, "there is foam: {sum}");
        turn[1].atan2(turn[0]).rem_euclid(std::f64::consts::TAU) * 64.0 / std::f64::consts::TAU
    };
    let quiet = Settings { foam: Some(Foam { amount: 0.0, steepness: 1e9, life: 1e6, shore: 0.0 }), ..drift };
    let before = middle(&state);
    for _ in 0..5 {
        state = step(&spec, &state, &quiet, &inputs, &cpu);
    }
    let way = (middle(&state) - before).rem_euclid(64.0);
    assert!((way - 15.0).abs() < 1.5, "it went {way} of 15 pixels");
}

#[test]
fn rain_wets_the_ground_between_its_drops() {
    let spec = spec(20, 4, Model::Pipes, Edges::Closed);
    let wet = |rain_drops: f64, frames: usize| {
        let settings =
            Settings { speed: 0.0, dry_frames: Some(8.0), rain_mode: RainMode::Drops, rain_drops, ..settings() };
        let state = run(&spec, &settings, &Inputs::default(), &Cpu::new(1), frames);
        (0..80).map(|i| share(&state, WETNESS, i % 20, i / 20)).fold(1.0, f64::min)
    };
    assert_eq!(wet(0.0, 10), 0.0);
    // So few drops that none falls here.
    let [early, late] = [10, 40].map(|frames| wet(1e-6, frames));
    assert!(early > 0.3 && early < late && late > 0.85 && late < 1.0, "{early} {late}");
}

#[test]
fn ground_is_wet_under_water_and_dries_in_the_set_time() {
    let spec = spec(20, 4, Model::Pipes, Edges::Closed);
    let inputs = Inputs { source: water(&spec, |x, _| if x < 8 { 0.01 } else { 0.0 }), ..Inputs::default() };
    let cpu = Cpu::new(1);
    let still = Settings { speed: 0.0, dry_frames: Some(8.0), ..settings() };
    let mut state = run(&spec, &still, &inputs, &cpu, 3);
    assert_eq!((share(&state, WETNESS, 3, 1), share(&state, WETNESS, 12, 1)), (1.0, 0.0));
    assert_eq!(share(&state, FOAM, 3, 1), 0.0, "foam is off");
    let drying = Settings { evaporation: 1.0, ..still };
    for frame in 1..=10 {
        state = step(&spec, &state, &drying, &inputs, &cpu);
        let left = (1.0 - f64::from(frame) / 8.0).max(0.0);
        assert!((share(&state, WETNESS, 3, 1) - left).abs() < 1e-4, "frame {frame}: {}", share(&state, WETNESS, 3, 1));
    }
}

/// Heights behind a dam and before it.
const DAM: [f64; 2] = [0.8, 0.2];

/// A dam that breaks, and its foam, which stays: the foam of a row, the place of the bore, its speed and that of the
/// water behind it, in pixels and frames.
fn breaking_dam(gravity: f64, frames: usize) -> (Vec<f64>, f64, [f64; 2]) {
    let (width, dam) = (900, 260);
    let spec = spec(width, 3, Model::ShallowWater, Edges::Closed);
    let inputs = Inputs { source: water(&spec, |x, _| DAM[usize::from(x >= dam)]), ..Inputs::default() };
    let foam = Foam { amount: 0.15, steepness: 0.05, life: 1e6, shore: 0.0 };
    let s = Settings { foam: Some(foam), gravity, smoothing: 0.1, ..settings() };
    let cpu = Cpu::new(2);
    let middle = 0.31;
    let front =
        |state: &State| (0..width).rev().find(|&x| water::height(state, x, 1) > middle).map_or(0.0, |x| x as f64);
    let before = run(&spec, &s, &inputs, &cpu, frames - 1);
    let (state, diagnostics) = next_frame(&spec, &before, &s, &inputs, &cpu, &mut || true).expect("never interrupted");
    let mut row = vec![[0.0; 4]; width];
    state.velocity_row(1, diagnostics.steps, &mut row);
    let (at, was) = (front(&state), front(&before));
    let behind = f64::from(row[at as usize - 14][0]);
    ((0..width).map(|x| share(&state, FOAM, x, 1)).collect(), at, [at - was, behind])
}

#[test]
fn a_front_of_any_speed_leaves_even_foam() {
    for (gravity, frames) in [(23.0, 60), (205.0, 30), (2270.0, 12)] {
        let (foam, front, [speed, behind]) = breaking_dam(gravity, frames);
        // The foam of a frame's front is carried on until the next one: lines would be this far apart.
        let apart = speed - behind;
        let to = front - 14.0;
        let from = (to - 0.7 * apart * frames as f64).max(to - 8.0 * apart - 20.0);
        let half = apart.round().max(2.0) as usize;
        let (mut off, mut all, mut count) = (0.0, 0.0, 0.0);
        for x in from as usize + half..to as usize - half {
            let around = &foam[x - half..=x + half];
            let mean = around.iter().sum::<f64>() / around.len() as f64;
            off += (foam[x] - mean).powi(2);
            all += mean;
            count += 1.0;
        }
        let (mean, comb) = (all / count, (off / count).sqrt());
        assert!(mean > 0.2, "gravity {gravity}: a front at {speed} pixels per frame leaves foam: {mean}");
        assert!(comb / mean < 0.05, "gravity {gravity}: speed {speed}, lines {apart} apart: {comb} of {mean}");
    }
}

#[test]
fn smooth_waves_do_not_break() {
    let spec = spec(200, 3, Model::ShallowWater, Edges::Wrap);
    let inputs = Inputs {
        source: water(&spec, |x, _| 0.5 + 0.05 * (std::f64::consts::TAU * x as f64 / 50.0).sin()),
        ..Inputs::default()
    };
    let foam = Foam { amount: 1.0, steepness: 0.05, life: 1e6, shore: 1.0 };
    let s = Settings { foam: Some(foam), gravity: 30.0, ..settings() };
    let state = run(&spec, &s, &inputs, &Cpu::new(1), 12);
    let most = (0..200).map(|x| share(&state, FOAM, x, 1)).fold(0.0, f64::max);
    assert!(most < 1e-3, "{most}");
}

#[test]
fn water_that_flows_in_is_no_front() {
    let spec = spec(60, 60, Model::Pipes, Edges::Closed);
    let inputs = Inputs { source: water(&spec, |_, _| 0.05), ..Inputs::default() };
    let foam = Foam { amount: 1.0, steepness: 1e9, life: 1e6, shore: 0.0 };
    let emitter = Emitter { softness: 1.0, rate: 0.05, ..disc([30.0, 30.0], [30.0, 30.0], 25.0) };
    let s = Settings { foam: Some(foam), emitters: only(emitter), speed: 0.0, ..settings() };
    let state = run(&spec, &s, &inputs, &Cpu::new(1), 3);
    assert!((0..3600).all(|i| share(&state, FOAM, i % 60, i / 60) < 1e-3));
}

#[test]
fn a_shore_that_is_lapped_has_a_thin_line_of_foam() {
    let spec = spec(120, 6, Model::ShallowWater, Edges::Closed);
    let beach = |x: usize, _: usize| 0.004 * x as f64;
    let inputs = Inputs {
        source: water(&spec, |x, y| if x < 20 { 0.3 - beach(x, y) } else { (0.2 - beach(x, y)).max(0.0) }),
        terrain: water::grey(&spec, beach),
        ..Inputs::default()
    };
    let foamed = |shore: f64, frames: usize| {
        let foam = Foam { amount: 0.0, steepness: 0.05, life: 10.0, shore };
        let s = Settings {
            foam: Some(foam),
            gravity: 20.0,
            terrain_channel: flow_ofx::sim::water::settings::Channel::Red,
            ..settings()
        };
        run(&spec, &s, &inputs, &Cpu::new(1), frames)
    };
    let state = foamed(1.0, 30);
    let wet = (0..120).rev().find(|&x| state.water().height.at(x, 3, 0) >= state.wet_limit()).expect("water");
    let at_edge = (wet - 8..=wet).map(|x| share(&state, FOAM, x, 3)).fold(0.0, f64::max);
    let offshore = (5..30).map(|x| share(&state, FOAM, x, 3)).fold(0.0, f64::max);
    assert!(at_edge > 0.1 && offshore < 0.01, "{at_edge} at the edge, {offshore} away from it");
    let none = foamed(0.0, 30);
    assert!((0..120).all(|x| share(&none, FOAM, x, 3) == 0.0));
}
