//! Tests of the layers of a state.

use super::super::fixed_point::{FLOW_MAX, HEIGHT_MAX, PIGMENT_MAX, units_per_height};
use super::super::plan::flow_planes;
use super::super::settings::Edges;
use super::*;

/// A state with numbers of every magnitude, and the extremes.
fn extremes(model: Model, max_height: f64, coloured: bool, dt: f64) -> State {
    let (width, height) = (37, 5);
    let grid = Grid { width, height, origin: [0.0; 2], cells_per_pixel: 1.0 };
    let mut z = 7_u64;
    let mut number = |low: i32, high: i32| {
        z = (z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(0x9e37_79b9_7f4a_7c15);
        match z % 7 {
            0 => high,
            1 => low,
            2 => 0,
            3 => 1,
            _ => ((z >> 33) as i32 >> ((z >> 8) % 29)).wrapping_mul(if z & 64 == 0 { 1 } else { -1 }),
        }
        .clamp(low, high)
    };
    let mut field = |planes: usize, low: i32, high: i32, ring: bool| {
        let mut field = Field::new(width, height, planes);
        for (y, plane) in (0..height + 2).flat_map(|y| (0..planes).map(move |plane| (y, plane))) {
            for (x, value) in field.row_mut(y, plane).iter_mut().enumerate() {
                let inside = (1..=width).contains(&x) && (1..=height).contains(&y);
                *value = if ring || inside { number(low, high) } else { 0 };
            }
        }
        field
    };
    let least = if model == Model::Classic { 0 } else { -FLOW_MAX };
    let water = Water {
        height: field(1, 0, HEIGHT_MAX, false),
        flow: field(flow_planes(model), least, FLOW_MAX, true),
        pigment: coloured.then(|| field(3, 0, PIGMENT_MAX, false)),
    };
    State {
        grid,
        model,
        units: units_per_height(max_height),
        colour_range: 16.0,
        water: Arc::new(StateBuffers::new(water)),
        terrain: coloured.then(|| Arc::new(field(1, -HEIGHT_MAX, HEIGHT_MAX, false))),
        ground: BuiltInGround::default(),
        domain: Arc::new(Domain::new(width, height, Edges::Open, [false; 4], None)),
        pyramid: None,
        rest_level: 0.0,
        dt,
        ledger: Ledger::default(),
        age: 0.0,
        surface_maps: None,
        texture: None,
    }
}

/// The four layers of a cell by their definition: f32(f64(value) / U).
fn plain(state: &State, x: usize, y: usize) -> [[f32; 4]; 4] {
    let real = |units: i32| (f64::from(units) / state.units) as f32;
    let per_frame = f64::from((1.0 / state.dt) as f32);
    let moved = |units: i32| (f64::from(units) * per_frame / state.units) as f32;
    let flow = |dx: isize, dy: isize, pipe: usize| {
        let (x, y) = ((x + 1).wrapping_add_signed(dx), (y + 1).wrapping_add_signed(dy));
        state.water().flow.row(y, pipe)[x]
    };
    let ahead = |pipe| moved(flow(0, 0, pipe).max(0));
    let back = |dx, dy, pipe| match state.model {
        Model::Pipes | Model::ShallowWater | Model::Ripples => moved((-flow(dx, dy, pipe)).max(0)),
        Model::Classic => moved(flow(dx, dy, 4 + pipe)),
    };
    let h = state.water().height.at(x, y, 0);
    let z = state.terrain.as_ref().map_or(0, |t| t.at(x, y, 0));
    let colour = |channel: usize| match &state.water().pigment {
        Some(pigment) if h > 0 => {
            let m = pigment.at(x, y, channel).min(h);
            16.0 * (f64::from(m) / f64::from(h).max(state.units / 4096.0)) as f32
        }
        _ => 0.0,
    };
    let wet = if f64::from(h) >= state.units / 4096.0 { 1.0 } else { 0.0 };
    [
        [colour(0), colour(1), colour(2), real(h)],
        [real(h), real(h + z), real(z), wet],
        [back(-1, 0, 0), ahead(1), ahead(0), back(0, -1, 1)],
        [ahead(3), ahead(2), back(1, -1, 3), back(-1, -1, 2)],
    ]
}

#[test]
fn the_rows_of_the_layers_are_the_rule_to_the_bit() {
    let layers = [State::water_cells, State::height_cells, State::cross_cells, State::diagonal_cells];
    for model in [Model::Pipes, Model::Classic, Model::ShallowWater] {
        for (max_height, coloured, dt) in
            [(8.0, true, 1.0), (8.0, false, 1.0 / 49.0), (1.0 / 256.0, true, 0.7 / 1024.0), (65536.0, true, 1000.0)]
        {
            let state = extremes(model, max_height, coloured, dt);
            for (y, from) in [(0, 0), (2, 11), (4, 36), (1, 37), (1, 90), (5, 0)] {
                for (index, layer) in layers.iter().enumerate() {
                    let mut row = [[7.5_f32; 4]; 41];
                    layer(&state, y, from, &mut row);
                    for (i, pixel) in row.into_iter().enumerate() {
                        let inside = from + i < 37 && y < 5;
                        let truth = if inside { plain(&state, from + i, y)[index] } else { [7.5; 4] };
                        assert_eq!(pixel.map(f32::to_bits), truth.map(f32::to_bits), "{model:?} {index} {y} {i}");
                    }
                }
            }
        }
    }
}
