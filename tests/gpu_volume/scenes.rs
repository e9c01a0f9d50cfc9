//! Scenes that use every pass.

use flow_ofx::sim::volume::settings::{Attractor, Emitter, Fire, Mode, Noise, Shape, Side, Vortex};
use flow_ofx::sim::volume::{Settings, testing};

use crate::record::in_full;

/// A scene by its frame.
pub struct Scene {
    pub name: &'static str,
    pub settings: Settings,
    /// Movement of the solids in a frame.
    pub push: [f64; 3],
}

impl Scene {
    /// The settings of a frame; the emitter and the solids move.
    pub fn at(&self, frame: i64) -> Settings {
        let place = |frame: i64| {
            let centre = self.settings.emitters[0].centre;
            [centre[0] + 0.4 * frame as f64, centre[1], centre[2]]
        };
        let mut settings = Settings { frame: frame as f64, ..self.settings.clone() };
        let first = Emitter { centre: place(frame), previous: place(frame - 1), ..settings.emitters[0].clone() };
        settings.emitters[0] = first;
        for solid in &mut settings.solids {
            solid.previous = std::array::from_fn(|axis| solid.centre[axis] + (frame - 1) as f64 * self.push[axis]);
            solid.centre = std::array::from_fn(|axis| solid.previous[axis] + self.push[axis]);
        }
        settings
    }
}

/// A plume in a box of this size, with forces of all kinds.
pub fn forced(cells: [usize; 3]) -> Settings {
    let plume = testing::plume(cells);
    Settings {
        wind: [0.3, 0.0, -0.1],
        drag: 0.02,
        viscosity: 0.03,
        confinement: 0.1,
        noise: Some(Noise { strength: 0.05, size: 9.0, pulse: 8.0, seed: 3 }),
        attractor: Some(Attractor { centre: [8.0, 20.0, 8.0], radius: 9.0, strength: 0.04 }),
        vortex: Some(Vortex { centre: [12.0, 0.0, 8.0], axis: 1, radius: 6.0, strength: 0.05 }),
        weight: 0.01,
        dissipation: 0.02,
        cooling: 0.03,
        ..plume
    }
}

pub fn fire() -> Fire {
    Fire {
        rate: 0.08,
        ignition: 0.2,
        heat: 6.0,
        expansion: 0.4,
        life: 12.0,
        radiation: 0.02,
        soot: 1.5,
        soot_decay: 0.01,
    }
}

/// An emitter of fuel.
pub fn burning(centre: [f64; 3]) -> Emitter {
    Emitter { fuel: 0.8, ..testing::emitter(centre) }
}

/// The scenes: in an ordinary run a small one, and two that use every pass; in the validation report all.
pub fn scenes() -> Vec<Scene> {
    let full = in_full();
    let cells = if full { [32, 40, 24] } else { [24, 32, 16] };
    let [x, _, z] = cells.map(|cells| cells as f64 / 2.0);
    let scene = |name, settings| Scene { name, settings, push: [0.0; 3] };
    let plain = testing::plume(cells);
    let jet = Emitter {
        shape: Shape::Box,
        mode: Mode::Add,
        velocity: Some([0.5, 1.5, 0.2]),
        velocity_noise: 0.6,
        expansion: 0.1,
        breakup: 0.5,
        density: 0.2,
        colour: [0.9, 0.3, 0.0],
        ..testing::emitter([x - 4.0, 6.0, z])
    };
    let replacing = Emitter { mode: Mode::Replace, density: 0.7, ..testing::emitter([x + 4.0, 20.0, z]) };
    let burning = burning([x, 8.0, z]);
    let sides = [[Side::Wrapped; 2], [Side::Closed, Side::Open], [Side::Closed; 2]];
    let all = vec![burning.clone(), jet.clone(), replacing.clone()];
    let mut scenes = vec![
        scene("a plume with reflection", plain.clone()),
        scene(
            "fire, finer, with emitters of all kinds",
            Settings { fire: Some(fire()), emitters: all, detail: 2, ..forced(cells) },
        ),
        scene(
            "wrapped and closed sides, in one step",
            // 24 wrapped cells have a level of three, where two cells of a colour are neighbours.
            Settings { sides, fixed: true, reflection: false, cells: [24, 16, 16], ..forced([24, 16, 16]) },
        ),
    ];
    if full {
        let closed = [[Side::Closed; 2]; 3];
        scenes.extend([
            scene("a plume in one step", Settings { reflection: false, ..plain }),
            scene("forces of all kinds", forced(cells)),
            scene("emitters of all kinds", Settings { emitters: vec![jet.clone(), replacing, jet], ..forced(cells) }),
            scene("wrapped sides", Settings { sides, fixed: true, cells: [24, 32, 40], ..forced([24, 32, 40]) }),
            scene("a closed box", Settings { sides: closed, fixed: true, ..forced(cells) }),
            scene("finer smoke", Settings { detail: 2, ..forced(cells) }),
            scene("finer smoke in one step", Settings { detail: 2, reflection: false, ..forced(cells) }),
            scene("fire", Settings { fire: Some(fire()), emitters: vec![burning], ..forced(cells) }),
        ]);
    }
    scenes
}
