//! A frame's steps, planes and layers are those of the numerics.

mod water;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::sim::water::inputs::{Inputs, SourcePixels};
use flow_ofx::sim::water::settings::{Edges, Model, Settings};
use flow_ofx::sim::water::state::colour;
use flow_ofx::sim::water::{start_frame, steps_per_frame};
use proptest::prelude::*;
use water::{height, settings, solid, spec, step, water};

/// The stability limit on the number of steps.
fn keeps_limit(n: u32, v: f64, b: f64, s: &Settings) -> bool {
    let per_step = v / f64::from(n);
    let keep = libm::pow(1.0 - s.damping, s.time_scale / f64::from(n));
    per_step * per_step / (1.0 + 2.0 * b)
        <= 0.425 * f64::min(0.5, 1.0 / (1.0 + 2.0 * b)) * (1.0 + keep) / (1.0 + 2.0 * s.smoothing)
}

#[test]
fn a_frame_has_the_smallest_stable_number_of_steps() {
    for (speed, g, time_scale, b, damping, smoothing) in [
        (4.0, 1.0, 1.0, 0.25, 0.02, 0.1),
        (4.0, 0.5, 1.0, 0.25, 0.02, 0.1),
        (16.0, 1.0, 1.0, 1.0, 0.0, 0.5),
        (0.3, 1.0, 1.0, 0.0, 0.0, 0.0),
        (7.0, 2.0, 3.0, 0.5, 1.0, 0.2),
        (33.0, 1.0, 0.1, 0.25, 0.5, 0.1),
    ] {
        let mut spec = spec(8, 8, Model::Pipes, Edges::Closed);
        spec.grid.cells_per_pixel = g;
        spec.constants.diagonal_weight = b;
        let s = Settings { speed, time_scale, damping, smoothing, ..settings() };
        let (n, cut) = steps_per_frame(&spec, &s);
        let v = speed * g * time_scale;
        assert!(!cut && keeps_limit(n, v, b, &s), "{n} steps are too few for {speed}");
        assert!(n == 1 || !keeps_limit(n - 1, v, b, &s), "{n} steps are too many for {speed}");
        let more = Settings { substeps: n as i32 + 5, ..s };
        assert_eq!(steps_per_frame(&spec, &more), (n + 5, false));
    }
    let spec = spec(8, 8, Model::Pipes, Edges::Closed);
    assert_eq!(steps_per_frame(&spec, &Settings { speed: 600.0, ..settings() }), (752, false));
    assert_eq!(steps_per_frame(&spec, &Settings { speed: 820.0, ..settings() }), (1024, true));
    assert_eq!(steps_per_frame(&spec, &Settings { time_scale: 0.0, ..settings() }), (0, false));
    let classic = water::spec(8, 8, Model::Classic, Edges::Closed);
    assert_eq!(
        steps_per_frame(&classic, &Settings { speed: 700.0, substeps: 3, time_scale: 9.0, ..settings() }),
        (3, false)
    );
}

#[test]
fn one_step_of_one_pipe_matches_a_calculation_by_hand() {
    // Two columns, 1 and 3/4 high, walls all around: the pipe's coefficient is a + (b/2)·4.
    let spec = spec(2, 1, Model::Pipes, Edges::Closed);
    let inputs = Inputs { source: water(&spec, |x, _| 1.0 - 0.25 * x as f64), ..Inputs::default() };
    let s = settings();
    let state = step(&spec, &start_frame(&spec, &s, &inputs, &Cpu::new(1)).0, &s, &inputs, &Cpu::new(1));
    let k = 0.25 / 1.5 * 1.5;
    assert!((height(&state, 0, 0) - (1.0 - 0.25 * k)).abs() < 1e-5, "{}", height(&state, 0, 0));
    let mut row = [[0.0; 4]; 2];
    state.cross_row(0, &mut row);
    assert!((row[0][2] - 0.25 * k as f32).abs() < 1e-5, "right is blue: {row:?}");
    assert_eq!([row[0][0], row[0][1], row[0][3]], [0.0; 3]);
    assert_eq!(row[1], [0.0; 4], "outflows only");

    // Classic: both pipes carry flow, so the same coefficient is 1, and the flow has one direction.
    let classic = water::spec(2, 1, Model::Classic, Edges::Closed);
    let state = step(&classic, &start_frame(&classic, &s, &inputs, &Cpu::new(1)).0, &s, &inputs, &Cpu::new(1));
    assert!((height(&state, 0, 0) - (1.0 - 0.25 * 0.1)).abs() < 1e-5);
}

#[test]
fn the_flow_layers_have_the_order_of_the_original() {
    for model in water::MODELS {
        let spec = spec(5, 5, model, Edges::Closed);
        for (dx, dy, layer, channel) in [
            (-1, 0, 0, 0),
            (0, 1, 0, 1),
            (1, 0, 0, 2),
            (0, -1, 0, 3),
            (-1, 1, 1, 0),
            (1, 1, 1, 1),
            (1, -1, 1, 2),
            (-1, -1, 1, 3),
        ] {
            if model == Model::ShallowWater && layer == 1 {
                // Its cells have faces to four neighbours.
                continue;
            }
            // A full column between walls with one open side.
            let way = ((2 + dx) as usize, (2 + dy) as usize);
            let beside = (way.0, 2);
            let inputs = Inputs {
                source: water(&spec, |x, y| if (x, y) == (2, 2) { 1.0 } else { 0.0 }),
                obstacles: solid(&spec, |x, y| (x, y) != (2, 2) && (x, y) != way && (x, y) != beside),
                terrain: water::grey(&spec, |x, y| if (x, y) == beside && beside != way { 4.0 } else { 0.0 }),
                ..Inputs::default()
            };
            // One step: no water flows back.
            let s = Settings { gravity: 0.05, ..settings() };
            let cpu = Cpu::new(1);
            let state = step(&spec, &start_frame(&spec, &s, &inputs, &cpu).0, &s, &inputs, &cpu);
            for y in 0..5 {
                let mut rows = [[[0.0; 4]; 5]; 2];
                state.cross_row(y, &mut rows[0]);
                state.diagonal_row(y, &mut rows[1]);
                for (l, row) in rows.iter().enumerate() {
                    for (x, pixel) in row.iter().enumerate() {
                        for (c, &v) in pixel.iter().enumerate() {
                            let here = (x, y, l, c) == (2, 2, layer, channel);
                            assert_eq!(v > 0.0, here, "{model:?} to {dx} {dy}: {v} at {x} {y} layer {l} channel {c}");
                        }
                    }
                }
            }
            assert!(height(&state, way.0, way.1) > 0.0);
        }
    }
}

#[test]
fn height_rows_hold_water_surface_terrain_and_wet() {
    let spec = spec(3, 1, Model::Pipes, Edges::Closed);
    let heights = [0.5, 1.0 / 4096.0, 0.99 / 4096.0];
    let inputs = Inputs {
        source: water(&spec, |x, _| heights[x]),
        terrain: water::grey(&spec, |x, _| x as f64),
        ..Inputs::default()
    };
    let s = Settings { terrain_height: 0.25, terrain_offset: -0.125, ..settings() };
    let state = start_frame(&spec, &s, &inputs, &Cpu::new(1)).0;
    let mut row = [[0.0; 4]; 3];
    state.height_row(0, &mut row);
    assert_eq!(row[0], [0.5, 0.375, -0.125, 1.0]);
    assert_eq!(row[1], [1.0 / 4096.0, 1.0 / 4096.0 + 0.125, 0.125, 1.0], "2^-12 is wet");
    assert_eq!(row[2][3], 0.0, "less is not");
    assert!((state.wet_share() - 2.0 / 3.0).abs() < 1e-12);
    let inverted = Settings { terrain_invert: true, terrain_height: 1.0, ..settings() };
    let state = start_frame(&spec, &inverted, &inputs, &Cpu::new(1)).0;
    state.height_row(0, &mut row);
    assert_eq!([row[0][2], row[1][2], row[2][2]], [1.0, 0.0, -1.0]);
    let mut beyond = [[7.0; 4]; 3];
    state.height_row(1, &mut beyond);
    assert_eq!(beyond, [[7.0; 4]; 3], "a row beyond the grid is left alone");
}

#[test]
fn unchanged_terrain_and_walls_are_shared_between_frames() {
    let spec = spec(16, 16, Model::Pipes, Edges::Open);
    let s = settings();
    let cpu = Cpu::new(1);
    let inputs = |ground: f64| Inputs {
        source: water(&spec, |_, _| 1.0),
        terrain: water::grey(&spec, |x, _| x as f64 * ground),
        obstacles: solid(&spec, |x, _| x == 3),
        ..Inputs::default()
    };
    let first = start_frame(&spec, &s, &inputs(0.1), &cpu).0;
    let second = step(&spec, &first, &s, &inputs(0.1), &cpu);
    let third = step(&spec, &second, &s, &inputs(0.2), &cpu);
    let same = |a: &flow_ofx::sim::water::State, b: &flow_ofx::sim::water::State| {
        (std::ptr::eq(a.terrain().expect("ground"), b.terrain().expect("ground")), std::ptr::eq(a.domain(), b.domain()))
    };
    assert_eq!(same(&first, &second), (true, true));
    assert_eq!(same(&second, &third), (false, true));
    assert!(first.bytes() > 16 * 16 * 4 * 6);
}

#[test]
fn water_under_a_new_wall_is_removed_and_counted() {
    let spec = spec(6, 6, Model::Pipes, Edges::Closed);
    let s = settings();
    let cpu = Cpu::new(1);
    let pixels = water::pixels(&spec, |_, _| [0.5, 0.5, 0.5, 1.0]);
    let source = Some(SourcePixels { pixels, has_alpha: true, premultiplied: false });
    let begin = start_frame(&spec, &s, &Inputs { source, ..Inputs::default() }, &cpu).0;
    let walled = Inputs { obstacles: solid(&spec, |x, y| x == 2 && y < 3), ..Inputs::default() };
    let state = step(&spec, &begin, &s, &walled, &cpu);
    assert_eq!(state.ledger().since.removed[0], 3 << 25);
    assert_eq!(height(&state, 2, 1), 0.0);
    assert_eq!(height(&state, 4, 4), 1.0, "the rest is at rest");
    let again = step(&spec, &state, &s, &walled, &cpu);
    assert_eq!(again.ledger().since, state.ledger().since);
}

/// Whether f32 `found` is the value nearest to a/b.
fn nearest(found: f32, a: i32, b: i32) -> bool {
    // Distance |f − a/b| as an exact fraction of 2^60·b.
    let off = |f: f32| (f64::from(f) * (1u64 << 60) as f64) as i128 * i128::from(b) - (i128::from(a) << 60);
    let mine = off(found).abs();
    mine <= off(f32::from_bits(found.to_bits() + 1)).abs()
        && (found == 0.0 || mine <= off(f32::from_bits(found.to_bits() - 1)).abs())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn colour_is_the_nearest_quotient(m in 0..=1i32 << 28, h in 1..=1i32 << 28) {
        prop_assert!(m < h >> 30 || nearest(colour(m, h, 1, 1.0), m.min(h), h), "{m} {h}");
        prop_assert_eq!(colour(m, h, 1, 16.0), 16.0 * colour(m, h, 1, 1.0));
        prop_assert_eq!(colour(m, 0, 1, 1.0), 0.0);
        let thin = (f64::from(m.min(h)) / f64::from(1 << 28)) as f32;
        prop_assert_eq!(colour(m, h, 1 << 28, 1.0), thin, "films are as dark as they are thin");
    }
}
