//! Settings of tests.

use super::projected::ProjectedSolids;
use super::settings::{Emitter, Mode, Settings, Shape, Side};

/// An emitter of smoke and heat, 5 cells in radius, that stands at a place.
pub fn emitter(centre: [f64; 3]) -> Emitter {
    Emitter {
        shape: Shape::Sphere,
        file: None,
        matte: None,
        centre,
        previous: centre,
        radius: 5.0,
        height: 6.0,
        softness: 0.3,
        breakup: 0.0,
        breakup_size: 8.0,
        seed: 0,
        mode: Mode::Fill,
        density: 1.0,
        colour: [1.0; 3],
        temperature: 1.0,
        fuel: 0.0,
        velocity: None,
        wander: 0.0,
        velocity_noise: 0.0,
        velocity_noise_size: 4.0,
        pulse_rate: 0.0,
        pulse_duty: 1.0,
        expansion: 0.0,
    }
}

/// A plume without turbulence in open air.
pub fn plume(cells: [usize; 3]) -> Settings {
    let centre = [cells[0] as f64 / 2.0, 8.0, cells[2] as f64 / 2.0];
    Settings {
        frame: 1.0,
        time_scale: 1.0,
        cells,
        detail: 1,
        fixed: false,
        sides: [[Side::Open; 2]; 3],
        emitters: vec![emitter(centre)],
        solids: Vec::new(),
        projected: ProjectedSolids::default(),
        reflection: true,
        max_cfl: 4.0,
        min_steps: 1,
        buoyancy: 0.05,
        weight: 0.0,
        soot_weight: 0.0,
        wind: [0.0; 3],
        drag: 0.0,
        viscosity: 0.0,
        confinement: 0.0,
        noise: None,
        attractor: None,
        vortex: None,
        dissipation: 0.0,
        cooling: 0.0,
        fire: None,
    }
}
