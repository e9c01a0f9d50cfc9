//! Initial states from pictures.

use flow_ofx::sim::memory::Values;
use flow_ofx::sim::smoke::quantities::Quantity;
use flow_ofx::sim::smoke::{InitialCondition, initial_state};

use super::*;

/// Values of a state in one quantity.
fn shown(state: &State, layer: Quantity) -> Pixels {
    let [width, height] = [state.grid.width, state.grid.height];
    let mut pixels = vec![[0.0; 4]; width * height];
    pixels.chunks_exact_mut(width).enumerate().for_each(|(y, row)| state.quantity_cells(layer, y, 0, row, 1.0));
    Arc::new(pixels)
}

/// Sheared air with all fields, whose velocity is linear across the grid.
fn blown(spec: &Spec) -> State {
    let [width, height] = [spec.grid.width, spec.grid.height];
    let noise = |at: usize| (at as f32 * 12.9898).sin() * 0.5 + 0.5;
    let air = Air {
        u: (0..(width + 1) * height)
            .map(|at| 0.05 * (at % (width + 1)) as f32 - 0.1 * (at / (width + 1)) as f32)
            .collect(),
        v: (0..width * (height + 1)).map(|at| 0.25 + 0.02 * (at % width) as f32 - 0.05 * (at / width) as f32).collect(),
        pressure: vec![0.0; width * height].into(),
        // Thin, and denser than the picture can show.
        dye: (0..width * height).map(|at| [0.2, 0.1, 0.4, 0.5].map(|v: f32| v * 8.0 * noise(at))).collect(),
        temperature: Some((0..width * height).map(noise).collect()),
        dye_map: None,
        fire: None,
    };
    State { air: Arc::new(air), ..state(spec, None) }
}

fn layers(of: &State) -> InitialCondition {
    InitialCondition {
        dye: shown(of, Quantity::Dye),
        density: Some(shown(of, Quantity::Density)),
        velocity: Some(shown(of, Quantity::Velocity)),
        temperature: Some(shown(of, Quantity::Temperature)),
    }
}

#[test]
fn a_state_from_its_own_layers_equals_the_state() {
    let spec = spec(21, 13, 0.5);
    let before = blown(&spec);
    // The rest of a frame's forcing has no effect.
    let settings = Settings { lift: 3.0, brush: brush([0.0; 2], [20.0; 2], 9.0).brush, ..with_jet(jet()) };
    let (found, diagnostics) = initial_state(&spec, &settings, &Inputs::default(), &layers(&before), &Alone);
    assert_eq!((found.grid, diagnostics.bad_pixels.start), (before.grid, 0));
    for (found, truth) in found.air.dye.iter().flatten().zip(before.air.dye.iter().flatten()) {
        assert!((found - truth).abs() <= 1e-6 * truth.abs(), "{found} for {truth}");
    }
    assert_eq!(found.air.temperature, before.air.temperature);
    // The mean of the cells beside a face is the velocity, where it is linear.
    let [u, v] = [(&found.air.u, &before.air.u), (&found.air.v, &before.air.v)];
    let same = |(found, truth): (&Values<f32>, &Values<f32>), at: usize| {
        assert!((found[at] - truth[at]).abs() < 1e-5, "{} for {} at {at}", found[at], truth[at]);
    };
    (0..13).for_each(|y| (1..21).for_each(|x| same(u, y * 22 + x)));
    (21..21 * 13).for_each(|at| same(v, at));
    // At an open edge the face has the cell's velocity.
    let cells = shown(&before, Quantity::Velocity);
    (0..13).for_each(|y| assert!((found.air.u[y * 22] - cells[y * 21][0] * 0.5).abs() < 1e-6, "row {y}"));
}

#[test]
fn dense_smoke_keeps_its_hue_where_cells_are_merged() {
    // Half of each cell is smoke of density 10, half is empty: its picture is averaged, and so is the density.
    let spec = spec(6, 4, 1.0);
    let layers = InitialCondition {
        dye: Arc::new(vec![[0.5, 0.25, 0.0, 0.5]; 24]),
        density: Some(Arc::new(vec![[5.0, 5.0, 5.0, 1.0]; 24])),
        ..InitialCondition::default()
    };
    let (found, _) = initial_state(&spec, &settings(), &Inputs::default(), &layers, &Alone);
    assert!(found.air.dye.iter().all(|dye| *dye == [5.0, 2.5, 0.0, 5.0]), "{:?}", found.air.dye[0]);
}

#[test]
fn a_picture_without_layers_is_smoke_in_still_cold_air() {
    let spec = spec(8, 6, 1.0);
    let dye: Pixels = Arc::new(vec![[0.3, 0.2, 0.1, 0.5]; 48]);
    let layers =
        InitialCondition { dye, temperature: Some(Arc::new(vec![[0.0; 4]; 48])), ..InitialCondition::default() };
    let (found, _) = initial_state(&spec, &settings(), &Inputs::default(), &layers, &Alone);
    assert!(found.air.dye.iter().all(|dye| *dye == [0.3, 0.2, 0.1, 0.5]));
    assert!(found.air.u.iter().chain(found.air.v.iter()).all(|v| *v == 0.0));
    assert!(found.air.temperature.is_none(), "what was never heated");
}

#[test]
fn solids_and_closed_edges_have_no_velocity_and_wrapped_edges_agree() {
    let mut spec = spec(12, 8, 1.0);
    spec.constants.edges = [Boundary::Wrap, Boundary::Wrap, Boundary::Closed, Boundary::Open];
    let matte = picture(&spec, |x, y| [0.0, 0.0, 0.0, f32::from(u8::from(x == 5 && y == 4))]);
    let inputs = Inputs { obstacles: Some(matte), ..Inputs::default() };
    let flow = picture(&spec, |x, _| [x as f32, 2.0, 0.0, 1.0]);
    let layers = InitialCondition {
        dye: picture(&spec, |_, _| [1.0; 4]),
        velocity: Some(flow),
        temperature: Some(picture(&spec, |_, _| [3.0; 4])),
        density: None,
    };
    let (found, _) = initial_state(&spec, &settings(), &inputs, &layers, &Alone);
    let (u, v) = (&found.air.u, &found.air.v);
    assert_eq!((u[4 * 13 + 5], u[4 * 13 + 6], v[4 * 12 + 5], v[5 * 12 + 5]), (0.0, 0.0, 0.0, 0.0), "beside the solid");
    assert_eq!((u[0], u[12], u[3]), (5.5, 5.5, 2.5), "the first column is the last");
    assert_eq!((v[0], v[12], v[8 * 12]), (0.0, 2.0, 2.0), "a wall below, the open above");
    let at = 4 * 12 + 5;
    assert_eq!((found.air.dye[at], found.air.dye[at + 1]), ([0.0; 4], [1.0; 4]));
    let heat = found.air.temperature.as_ref().expect("it is hot");
    assert_eq!((heat[at], heat[at + 1]), (0.0, 3.0));
}

#[test]
fn values_that_are_not_finite_are_skipped_and_counted() {
    let spec = spec(4, 3, 1.0);
    let bad = [f32::NAN, f32::INFINITY, -1.0, 1e30];
    let layers = InitialCondition {
        dye: Arc::new(vec![bad; 12]),
        density: None,
        velocity: Some(Arc::new(vec![bad; 12])),
        temperature: Some(Arc::new(vec![[-1e30; 4]; 12])),
    };
    let (found, diagnostics) = initial_state(&spec, &settings(), &Inputs::default(), &layers, &Alone);
    assert_eq!((diagnostics.bad_pixels.start, diagnostics.bad_pixels.source), (12, 0), "each once");
    assert!(found.air.dye.iter().all(|dye| *dye == [0.0, 0.0, -1.0, 65536.0]));
    assert!(found.air.u.iter().chain(found.air.v.iter()).all(|v| *v == 0.0));
    assert!(found.air.temperature.iter().flat_map(|plane| plane.iter()).all(|t| *t == -65536.0));
}
