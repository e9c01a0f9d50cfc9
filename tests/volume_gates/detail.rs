//! Scalars on cells finer than those of the velocity.

use flow_ofx::sim::volume::settings::Solid;
use flow_ofx::sim::volume::settings::{Mode, Shape};
use flow_ofx::sim::volume::{Settings, State, fields::Lattice, testing};

use crate::plume::run;
use crate::record::Record;

const LATTICE: Lattice = Lattice { origin: [0.0; 3], spacing: 1.0 };

/// The mass of the smoke in cells of the velocity, its centre, and the mean square of the differences of neighbours
/// along x relative to that of the densities.
fn measures(state: &State) -> (f64, [f64; 3], f64) {
    let view = state.view(LATTICE);
    let [nx, ny, _] = view.bounds.cells;
    let (mut mass, mut moment, mut squares, mut steps) = (0.0, [0.0; 3], 0.0, 0.0);
    for (at, pack) in view.scalars.iter().enumerate() {
        let density = pack[0].to_f64();
        let cell = [at % nx, at / nx % ny, at / nx / ny];
        mass += density;
        for axis in 0..3 {
            let place = f64::from(view.bounds.low[axis]) + cell[axis] as f64 + 0.5;
            moment[axis] += density * place * view.lattice.spacing;
        }
        squares += density * density;
        if cell[0] > 0 {
            steps += (density - view.scalars[at - 1][0].to_f64()).powi(2);
        }
    }
    let spacing = view.lattice.spacing;
    (mass * spacing.powi(3), moment.map(|moment| moment / mass), steps / squares / (spacing * spacing))
}

#[test]
fn finer_smoke_moves_with_the_same_air_and_keeps_finer_edges() {
    let mut record = Record::new("volume-detail", "CPU");
    record.under("48 × 64 × 48 cells, a plume of 4 cells in radius, 24 frames, detail 1 and 2".to_owned());
    let mut settings = testing::plume([48, 64, 48]);
    settings.emitters[0] = flow_ofx::sim::volume::settings::Emitter {
        radius: 4.0,
        softness: 0.0,
        mode: Mode::Replace,
        ..settings.emitters[0].clone()
    };
    let [(mass, centre, edges), (finer_mass, finer_centre, finer_edges)] = [1, 2].map(|detail| {
        let (state, _) = run(&Settings { detail, ..settings.clone() }, 24);
        assert_eq!(state.scalars.len(), 4 * state.bounds.len() * detail.pow(3));
        measures(&state)
    });
    let far = (0..3).map(|axis| (centre[axis] - finer_centre[axis]).abs()).fold(0.0, f64::max);
    record.at_most("distance between the centres of the smoke, cells", far, 0.75);
    record.at_most("difference of the mass", (finer_mass / mass - 1.0).abs(), 0.08);
    record.at_least("mean square gradient over that with detail 1", finer_edges / edges, 1.4);
    record.save();
}

#[test]
fn no_smoke_enters_a_solid() {
    let mut settings = testing::plume([32, 48, 32]);
    settings.detail = 2;
    let centre = [16.0, 20.0, 16.0];
    settings.solids = vec![Solid {
        shape: Shape::Sphere,
        file: None,
        centre,
        previous: centre,
        radius: 5.0,
        height: 0.0,
        turn: None,
    }];
    let (state, _) = run(&settings, 16);
    let view = state.view(LATTICE);
    let [nx, ny, _] = view.bounds.cells;
    let mut near = 0.0;
    for (at, pack) in view.scalars.iter().enumerate() {
        let cell = [at % nx, at / nx % ny, at / nx / ny];
        let distance = (0..3).map(|axis| {
            let place = (f64::from(view.bounds.low[axis]) + cell[axis] as f64 + 0.5) * view.lattice.spacing;
            (place - centre[axis]).powi(2)
        });
        let distance = distance.sum::<f64>().sqrt();
        // The cells of the velocity within the sphere are solid whole.
        if distance < 4.0 {
            assert_eq!(pack[0].to_f32(), 0.0, "{cell:?}");
        } else if distance < 8.0 {
            near += pack[0].to_f64();
        }
    }
    assert!(near > 10.0, "smoke flows around it: {near}");
}
