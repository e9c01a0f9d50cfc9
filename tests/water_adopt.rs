//! Water written as the layers of an image and read back.

mod water;

use std::sync::Arc;

use flow_ofx::compute::cpu::water::reference::Reference;
use flow_ofx::sim::water::inputs::Inputs;
use flow_ofx::sim::water::settings::{Edges, Model, Settings};
use flow_ofx::sim::{
    self,
    water::{Adopted, FlowLayers, State},
};
use water::{pixels, settings, solid, spec, step, water};

/// The layers of a state, as pictures.
fn layers(state: &State) -> Adopted {
    let (width, height) = (state.grid().width, state.grid().height);
    let of = |row: &dyn Fn(usize, &mut [[f32; 4]])| {
        let mut all = vec![[0.0; 4]; width * height];
        all.chunks_exact_mut(width).enumerate().for_each(|(y, out)| row(y, out));
        Arc::new(all)
    };
    let wraps = state.domain().edges() == Edges::Wrap;
    let [cross, diagonal] = [of(&|y, out| state.cross_row(y, out)), of(&|y, out| state.diagonal_row(y, out))];
    Adopted {
        water: of(&|y, out| state.water_row(y, out)),
        flows: Some(FlowLayers::of_layers([width, height], Some(&cross), Some(&diagonal), wraps)),
    }
}

#[test]
fn water_from_its_own_layers_equals_the_water() {
    // The steps of Shallow water follow its depths: its flows are read with other steps, see `water_resume`.
    for model in [Model::Pipes, Model::Classic] {
        for edges in [Edges::Closed, Edges::Open, Edges::Wrap] {
            let spec = spec(23, 17, model, edges);
            let settings = settings();
            let inputs = Inputs {
                source: water(&spec, |x, y| if x < 9 && y > 3 { 0.5 + 0.01 * (x * y) as f64 } else { 0.0 }),
                obstacles: solid(&spec, |x, y| x == 12 && y < 8),
                ..Inputs::default()
            };
            let (mut state, _) = sim::water::start_frame(&spec, &settings, &inputs, &Reference);
            for _ in 0..3 {
                state = step(&spec, &state, &settings, &inputs, &Reference);
            }
            let (back, _) = sim::water::adopt(&spec, &settings, &inputs, &layers(&state), &Reference);
            // 24 bits of a float hold these heights and flows up to rounding.
            let near = |a: i32, b: i32| (a - b).abs() <= (a.abs() >> 23) + 1;
            for y in 0..17 {
                for x in 0..23 {
                    let [a, b] = [&state, &back].map(|state| state.water().height.at(x, y, 0));
                    assert!(near(a, b), "{model:?} {edges:?} height at {x} {y}: {a} {b}");
                    for plane in 0..state.water().flow.planes() {
                        let [a, b] = [&state, &back].map(|state| state.water().flow.at(x, y, plane));
                        assert!(near(a, b), "{model:?} {edges:?} flow {plane} at {x} {y}: {a} {b}");
                    }
                }
            }
            assert!(back.water().flow.sum(0) != 0 || back.water().flow.sum(1) != 0, "something flows");
        }
    }
}

#[test]
fn values_that_are_not_finite_count_as_0_and_are_reported() {
    let spec = spec(4, 1, Model::Pipes, Edges::Closed);
    let picture = pixels(&spec, |x, _| [0.5, 0.25, f64::NAN, [1.0, f64::NAN, -3.0, f64::INFINITY][x]]);
    let adopted = Adopted { water: picture, ..Adopted::default() };
    let (state, diagnostics) = sim::water::adopt(&spec, &settings(), &Inputs::default(), &adopted, &Reference);
    assert_eq!(diagnostics.bad_pixels.source, 2);
    assert_eq!((1..4).map(|x| state.water().height.at(x, 0, 0)).collect::<Vec<_>>(), [0; 3]);
    assert_eq!(f64::from(state.water().height.at(0, 0, 0)), state.units());
    let mut row = [[0.0; 4]; 4];
    state.water_row(0, &mut row);
    assert_eq!(row[0], [0.5, 0.25, 0.0, 1.0]);
}

#[test]
fn the_velocity_layer_moves_a_slab_at_its_speed() {
    // A slab of uniform height that moves to the right: its velocity is its flow over its height, per frame.
    let spec = spec(32, 4, Model::Pipes, Edges::Wrap);
    let adopted = Adopted {
        water: pixels(&spec, |_, _| [0.0, 0.0, 0.0, 0.5]),
        flows: Some(FlowLayers::of_layers([32, 4], Some(&pixels(&spec, |_, _| [0.0, 0.0, 0.5, 0.0])), None, true)),
    };
    let settings = Settings { substeps: 4, ..settings() };
    let (state, _) = sim::water::adopt(&spec, &settings, &Inputs::default(), &adopted, &Reference);
    let mut row = [[9.0; 4]; 32];
    state.velocity_row(2, 4, &mut row);
    assert_eq!(row, [[1.0, 0.0, 0.0, 0.0]; 32]);
    state.cross_row(2, &mut row);
    assert_eq!(row, [[0.0, 0.0, 0.5, 0.0]; 32]);
}
