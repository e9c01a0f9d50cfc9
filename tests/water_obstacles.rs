//! Moving obstacles push water, drains remove it, closed sides keep it, and the mass balance counts all of it.

mod water;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::sim::water::domain::Domain;
use flow_ofx::sim::water::inputs::Inputs;
use flow_ofx::sim::water::settings::{Drain, Edges, Model, Settings};
use flow_ofx::sim::water::{Spec, State, start_frame};
use water::{MODELS, settings, solid, spec, step, water};

/// Water in columns `from` to `to`, in units.
fn between(state: &State, from: usize, to: usize) -> i64 {
    let h = &state.water().height;
    (0..state.grid().height).flat_map(|y| (from..to).map(move |x| i64::from(h.at(x, y, 0)))).sum()
}

/// A wall of four columns from `x` on, over the whole height of a channel that holds water 0.5 high.
fn channel(spec: &Spec, x: usize) -> Inputs {
    Inputs {
        source: water(spec, |_, _| 0.5),
        obstacles: solid(spec, |at, _| (x..x + 4).contains(&at)),
        ..Inputs::default()
    }
}

#[test]
fn a_moving_wall_passes_and_loses_no_water() {
    let cpu = Cpu::new(2);
    for model in MODELS {
        let spec = spec(60, 9, model, Edges::Closed);
        let s = Settings { speed: 4.0, gravity: 30.0, substeps: 8, ..settings() };
        let mut state = start_frame(&spec, &s, &channel(&spec, 10), &cpu).0;
        let [before, after] = [between(&state, 0, 10), between(&state, 14, 60)];
        for frame in 1..=6 {
            state = step(&spec, &state, &s, &channel(&spec, 10 + frame), &cpu);
        }
        // Up to three units in each of the 54 receiving cells cannot be divided.
        let removed = state.ledger().since.removed[0];
        assert!((0..=3 * 54).contains(&removed), "{model:?}: {removed} removed");
        assert_eq!(between(&state, 0, 16), before, "{model:?}: water went through the wall");
        assert_eq!(between(&state, 20, 60), after - removed, "{model:?}: the wall swallowed water");
        // Water piles up ahead of the wall, and flows in behind it.
        let mean = |from: usize, to: usize| between(&state, from, to) as f64 / (to - from) as f64;
        assert!(mean(20, 24) > 1.02 * mean(56, 60), "{model:?}: {} {}", mean(20, 24), mean(56, 60));
        assert!(between(&state, 12, 16) > 0, "{model:?}: nothing follows the wall");
    }
}

#[test]
fn an_obstacle_that_covers_all_cells_removes_the_water() {
    let cpu = Cpu::new(1);
    let spec = spec(12, 7, Model::Pipes, Edges::Closed);
    let free = Inputs { source: water(&spec, |_, _| 0.5), ..Inputs::default() };
    let state = start_frame(&spec, &settings(), &free, &cpu).0;
    let all = Inputs { obstacles: solid(&spec, |_, _| true), ..Inputs::default() };
    let state = step(&spec, &state, &settings(), &all, &cpu);
    assert_eq!((state.water_units(), state.ledger().since.removed[0]), (0, state.ledger().start[0]));
}

#[test]
fn a_drain_removes_its_rate_or_the_available_water() {
    let cpu = Cpu::new(1);
    let spec = spec(40, 40, Model::Pipes, Edges::Closed);
    let pool = Inputs { source: water(&spec, |_, _| 0.5), ..Inputs::default() };
    let drain = Drain { centre: [20.0, 20.0], previous: [20.0, 20.0], radius: 5.0, rate: 0.01 };
    let s = Settings { drain: Some(drain), ..settings() };
    let mut state = start_frame(&spec, &s, &pool, &cpu).0;
    for _ in 0..10 {
        state = step(&spec, &state, &s, &pool, &cpu);
    }
    let drained = state.ledger().since.drained[0] as f64 / state.units();
    let wanted = 10.0 * 0.01 * std::f64::consts::PI * 25.0;
    assert!((drained / wanted - 1.0).abs() < 1e-3, "{drained} of {wanted}");
    assert!(water::height(&state, 20, 20) < water::height(&state, 1, 1), "no funnel");

    let greedy = Settings { drain: Some(Drain { rate: 1e6, radius: 100.0, ..drain }), ..s };
    let state = step(&spec, &state, &greedy, &pool, &cpu);
    assert_eq!((state.water_units(), state.ledger().since.drained[0]), (0, state.ledger().start[0]));
}

#[test]
fn a_closed_side_keeps_water_and_an_open_side_releases_it() {
    let cpu = Cpu::new(1);
    for model in MODELS {
        for side in 0..4 {
            let mut spec = spec(24, 24, model, Edges::Open);
            spec.constants.shut = [true; 4];
            spec.constants.shut[side] = false;
            // A strip of water at one side alone.
            let strip = |which: usize| {
                let at = move |x: usize, y: usize| [x < 3, y < 3, x >= 21, y >= 21][which];
                Inputs { source: water(&spec, |x, y| if at(x, y) { 0.5 } else { 0.0 }), ..Inputs::default() }
            };
            let run = |inputs: &Inputs| {
                let state = start_frame(&spec, &settings(), inputs, &cpu).0;
                step(&spec, &state, &settings(), inputs, &cpu).ledger().since.drained[0]
            };
            assert!(run(&strip(side)) > 0, "{model:?} {side}: nothing left through the open side");
            assert_eq!(run(&strip((side + 2) % 4)), 0, "{model:?} {side}: water left through a wall");
        }
    }
}

#[test]
fn a_domain_with_moved_solids_is_the_whole_one() {
    let mut seed = 7_u64;
    let mut dice = move |count: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % count
    };
    for edges in [Edges::Closed, Edges::Open, Edges::Wrap] {
        for (width, height) in [(40, 25), (3, 2), (1, 9)] {
            let whole = |solid| Domain::new(width, height, edges, [true, false, false, true], solid);
            let mut domain = whole(None);
            for turn in 0..12 {
                let mut solid = domain.solid().map_or_else(|| vec![false; width * height], <[bool]>::to_vec);
                for _ in 0..3 {
                    let cell = dice(solid.len());
                    solid[cell] = dice(2) == 0;
                }
                let solid = (turn % 5 < 4).then_some(solid);
                let moved = domain.moved(solid.clone());
                assert_eq!(moved, whole(solid), "{edges:?} {width} x {height}");
                let changes: Vec<usize> = moved.changes(&domain).collect();
                let differ = |&cell: &usize| moved.is_solid(cell) != domain.is_solid(cell);
                assert_eq!(changes, (0..width * height).filter(differ).collect::<Vec<_>>());
                domain = moved;
            }
        }
    }
}
