//! Vorticity confinement at several resolutions of one scene.

use flow_ofx::sim::fluid::Backend;
use flow_ofx::sim::grid::Grid;
use flow_ofx::sim::smoke::Settings;
use flow_ofx::sim::smoke::settings::Boundary;

use crate::devices::Under;
use crate::smoke::{air, energy, run, settings, settings_text, spec, task};

/// Width and height of the frame, pixels.
const FRAME: f64 = 256.0;
const FRAMES: usize = 12;

/// The kinetic energy of four eddies in a closed box after some frames, pixels⁴ per frame², at this number of cells per
/// pixel; and the settings.
fn kinetic_energy<B: Backend>(on: &Under<B>, scale: f64, confinement: f64) -> (f64, String) {
    let cells = (FRAME * scale) as usize;
    let mut spec = spec(cells, cells, [Boundary::Closed; 4]);
    spec.grid = Grid { cells_per_pixel: scale, ..spec.grid };
    let eddies = [[70.0, 70.0, 1.0], [186.0, 70.0, -1.0], [70.0, 186.0, -1.0], [186.0, 186.0, 1.0]];
    let velocity = |place: [f64; 2]| {
        let [x, y] = place.map(|cells| cells / scale);
        let mut velocity = [0.0; 2];
        for [left, bottom, sign] in eddies {
            let (dx, dy) = (x - left, y - bottom);
            let turn = 0.08 * sign * (-(dx * dx + dy * dy) / (2.0 * 24.0 * 24.0)).exp();
            velocity = [velocity[0] - dy * turn * scale, velocity[1] + dx * turn * scale];
        }
        velocity
    };
    let task = task(&spec, &Settings { confinement, ..settings() }, 1.0);
    let start = air(&spec, velocity, |_| [0.0; 4]);
    let end = (0..FRAMES).fold(start, |state, _| run(on.device, &task, &state).0);
    (energy(&end) / scale.powi(4), settings_text(&task.spec, &task.settings, task.time))
}

fn is_independent_of_resolution<B: Backend>(on: &Under<B>) {
    let mut record = on.record("confinement");
    let gain = |scale: f64| {
        let (driven, settings) = kinetic_energy(on, scale, 0.3);
        (driven / kinetic_energy(on, scale, 0.0).0 - 1.0, settings)
    };
    let (full, _) = gain(1.0);
    assert!(full > 0.01, "confinement drives the eddies: {full}");
    let [(half, of_half), (quarter, of_quarter)] = [0.5, 0.25].map(gain);
    let [half, quarter] = [half / full, quarter / full];
    record.under(of_half);
    record.near("energy added by confinement, a half proxy over the full frame", half, 1.0, 0.15);
    record.under(of_quarter);
    // Eddies of six cells: confinement is weaker near the size of a cell, never stronger.
    let what = "energy added by confinement, a quarter proxy over the full frame";
    record.at_least(what, quarter, 0.45);
    record.at_most(what, quarter, 1.05);
    record.save();
}

crate::gate!(confinement_does_not_depend_on_the_resolution, super::is_independent_of_resolution);
