//! The input Goal draws water to its velocity, by its strength; moving obstacles drag the water
//! beside them, and resting ones do not.

mod water;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::sim::water::inputs::Inputs;
use flow_ofx::sim::water::settings::{Edges, Model, Settings};
use flow_ofx::sim::water::{Diagnostics, State, next_frame, start_frame};
use water::{MODELS, pixels, settings, solid, spec, step, water};

/// The velocity of a cell, full-resolution pixels per frame.
fn velocity((state, diagnostics): &(State, Diagnostics), x: usize, y: usize) -> [f64; 2] {
    let mut row = vec![[0.0; 4]; state.grid().width];
    state.velocity_row(y, diagnostics.steps, &mut row);
    [f64::from(row[x][0]), f64::from(row[x][1])]
}

#[test]
fn water_converges_to_the_goal_velocity() {
    for model in MODELS {
        for scale in [1.0, 0.5] {
            let mut spec = spec(24, 16, model, Edges::Wrap);
            spec.grid.cells_per_pixel = scale;
            let goal = pixels(&spec, |_, _| [0.4, 0.0, 9.0, 9.0]);
            let inputs = Inputs { source: water(&spec, |_, _| 1.0), goal: Some(goal), ..Inputs::default() };
            let s = Settings {
                goal_strength: 0.25,
                goal_velocity: [0.0, -0.8],
                substeps: 4,
                speed: 3.0,
                damping: 0.0,
                ..settings()
            };
            let cpu = Cpu::new(1);
            let mut state = (start_frame(&spec, &s, &inputs, &cpu).0, Diagnostics::default());
            for frame in 1..=30 {
                state = next_frame(&spec, &state.0, &s, &inputs, &cpu, &mut || true).expect("not interrupted");
                let left = 0.75_f64.powi(frame);
                let [u, v] = velocity(&state, 7, 5);
                let near = |value: f64, goal: f64| (value - goal * (1.0 - left)).abs() < 0.02 * goal.abs() + 1e-3;
                assert!(near(u, 0.4) && near(v, -0.8), "{model:?} at {scale}, frame {frame}: {u}, {v}, {left}");
            }
            assert_eq!(state.0.water_units(), state.0.ledger().start[0], "no water is lost");
        }
    }
}

#[test]
fn a_moving_obstacle_drags_the_water_beside_it() {
    for model in MODELS {
        let spec = spec(60, 40, model, Edges::Closed);
        // A long plate that moves along its length pushes hardly any water ahead.
        let plate = |by: usize| solid(&spec, move |x, y| (10 + by..40 + by).contains(&x) && (19..21).contains(&y));
        let inputs = |by: usize| Inputs { source: water(&spec, |_, _| 1.0), obstacles: plate(by), ..Inputs::default() };
        let cpu = Cpu::new(1);
        let sides = |drag: f64, moves: usize| {
            let s = Settings { obstacle_drag: drag, speed: 1.0, gravity: 1.0, ..settings() };
            let mut state = start_frame(&spec, &s, &inputs(0), &cpu).0;
            for frame in 1..4 {
                state = step(&spec, &state, &s, &inputs(frame * moves), &cpu);
            }
            let last = next_frame(&spec, &state, &s, &inputs(4 * moves), &cpu, &mut || true).expect("not interrupted");
            velocity(&last, 25, 21)[0]
        };
        let (dragged, slipping, standing) = (sides(0.5, 1), sides(0.0, 1), sides(0.5, 0));
        assert!(dragged - slipping > 0.25, "{model:?}: {dragged} with drag, {slipping} without");
        assert!(dragged < 1.1, "{model:?}: no faster than the plate: {dragged}");
        assert_eq!(standing, 0.0, "{model:?}");
    }
}

#[test]
fn a_goal_with_strength_0_has_no_effect() {
    let spec = spec(12, 9, Model::Pipes, Edges::Closed);
    let goal = Some(pixels(&spec, |x, _| [x as f64, 1.0, 0.0, 0.0]));
    let inputs = Inputs { source: water(&spec, |x, _| x as f64 * 0.1), ..Inputs::default() };
    let with = Inputs { goal, ..inputs.clone() };
    let cpu = Cpu::new(1);
    let end = |inputs: &Inputs, s: &Settings| water::run(&spec, s, inputs, &cpu, 4);
    assert_eq!(end(&with, &settings()), end(&inputs, &settings()));
    assert_ne!(end(&with, &Settings { goal_strength: 0.1, ..settings() }), end(&inputs, &settings()));
}
