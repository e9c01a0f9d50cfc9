//! Texture coordinates: three phases that move with the water, begin again after their life, and wrap with the edges.

mod water;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::compute::cpu::water::reference::Reference;
use flow_ofx::sim::water::inputs::Inputs;
use flow_ofx::sim::water::settings::{Edges, Foam, Model, Settings};
use flow_ofx::sim::water::texture::{PERIOD, PHASES};
use flow_ofx::sim::water::{Spec, State, next_frame, part_frame, start_frame};
use water::{settings, solid, spec, step, water};

/// A displacement is a part of a pixel at best.
const PART: f64 = 1.0 / 32.0;

fn cells(state: &State, phase: usize) -> Vec<[f64; 2]> {
    let (width, height) = (state.grid().width, state.grid().height);
    let mut all = vec![[7.0_f32; 2]; width * height];
    all.chunks_exact_mut(width).enumerate().for_each(|(y, row)| state.texture_cells(phase, y, 0, row));
    all.into_iter().map(|d| d.map(f64::from)).collect()
}

/// Water of one depth that drifts over edges that join.
fn drift(velocity: [f64; 2]) -> (Spec, Settings, Inputs) {
    let spec = spec(24, 10, Model::ShallowWater, Edges::Wrap);
    let inputs = Inputs { source: water(&spec, |_, _| 1.0), ..Inputs::default() };
    (spec, Settings { goal_strength: 1.0, goal_velocity: velocity, texture: true, ..settings() }, inputs)
}

#[test]
fn phases_move_with_the_water_and_begin_again_one_after_the_other() {
    let (spec, s, inputs) = drift([3.0, -0.7]);
    let cpu = Cpu::new(1);
    let mut state = start_frame(&spec, &s, &inputs, &cpu).0;
    let mut expected = [[0.0; 2]; PHASES];
    let mut cycles = state.texture_phases().expect("on").phases.map(|phase| phase.cycle);
    assert_eq!(cycles, [0; PHASES]);
    for frame in 1..80 {
        let made = next_frame(&spec, &state, &s, &inputs, &cpu, &mut || true).expect("never interrupted");
        state = made.0;
        let mut row = [[0.0; 4]; 24];
        state.velocity_row(4, made.1.steps, &mut row);
        let velocity = [0, 1].map(|axis| f64::from(row[5][axis]));
        let phases = state.texture_phases().expect("on").phases;
        for (nth, phase) in phases.into_iter().enumerate() {
            let life = (f64::from(frame) / PERIOD + nth as f64 / PHASES as f64).fract();
            assert!((phase.life - life).abs() < 1e-9, "frame {frame}: {} of {life}", phase.life);
            expected[nth] = if phase.cycle == cycles[nth] {
                [0, 1].map(|axis| expected[nth][axis] + velocity[axis])
            } else {
                [0.0; 2]
            };
            cycles[nth] = phase.cycle;
            for found in cells(&state, nth) {
                let off = [0, 1].map(|axis| (found[axis] - expected[nth][axis]).abs());
                assert!(off[0].max(off[1]) < 32.0 * PART / 2.0, "frame {frame} phase {nth}: {found:?} of {expected:?}");
            }
        }
    }
    assert_eq!(cycles, [2, 2, 3]);
}

#[test]
fn dry_cells_have_no_displacement_and_foam_carries_a_texture_too() {
    let spec = spec(40, 24, Model::Pipes, Edges::Open);
    let inputs = Inputs {
        source: water(&spec, |x, _| if x < 14 { 0.6 } else { 0.0 }),
        obstacles: solid(&spec, |x, y| x == 8 && y > 4),
        ..Inputs::default()
    };
    let foam = Foam { amount: 0.2, steepness: 0.05, life: 10.0, shore: 0.3 };
    let s = Settings { foam: Some(foam), speed: 2.0, ..settings() };
    let state = water::run(&spec, &s, &inputs, &Cpu::new(2), 8);
    assert!(state == water::run(&spec, &s, &inputs, &Reference, 8));
    let floor = state.wet_limit();
    let (mut moved, mut dry) = (0, 0);
    for phase in 0..PHASES {
        for (cell, found) in cells(&state, phase).into_iter().enumerate() {
            let wet = state.water().height.at(cell % 40, cell / 40, 0) >= floor;
            assert!(wet || found == [0.0; 2], "{cell}: {found:?}");
            moved += usize::from(found != [0.0; 2]);
            dry += usize::from(!wet);
        }
    }
    assert!(moved > 100 && dry > 10, "{moved} moved, {dry} dry");
    let off = water::run(&spec, &Settings { foam: None, ..s }, &inputs, &Cpu::new(1), 8);
    assert!(off.texture_phases().is_none() && off.water() == state.water() && cells(&off, 0)[5] == [0.0; 2]);
    assert!(off.bytes() < state.bytes());
}

#[test]
fn a_part_of_a_frame_moves_the_texture_by_its_share() {
    let (spec, s, inputs) = drift([2.0, 1.0]);
    let cpu = Cpu::new(1);
    let mut state = start_frame(&spec, &s, &inputs, &cpu).0;
    for _ in 0..4 {
        state = step(&spec, &state, &s, &inputs, &cpu);
    }
    // A goal is reached in a part of a frame, too: the water drifts on by itself.
    let s = Settings { goal_strength: 0.0, ..s };
    let after = |t: f64| part_frame(&spec, &state, &s, &inputs, t, &cpu, &mut || true).expect("never interrupted").0;
    let at = |state: &State| cells(state, 1)[77];
    let (half, whole) = (after(0.5), after(1.0));
    for axis in 0..2 {
        let [start, middle, end] = [&state, &half, &whole].map(|state| at(state)[axis]);
        assert!((middle - (start + end) / 2.0).abs() < 2.0 * PART, "{start} {middle} {end}");
    }
    let life = |state: &State| state.texture_phases().expect("on").phases[1].life;
    assert!((life(&half) - (life(&state) + life(&whole)) / 2.0).abs() < 1e-12);
}
