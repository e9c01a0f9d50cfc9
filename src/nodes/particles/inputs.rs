//! The inputs of the node, and the pictures that the simulation reads from them.

use crate::nodes::common::controls::Invalidates;
use crate::nodes::common::node::Input;
use crate::nodes::common::pictures::{Picture, Pictures};
use crate::sim::particles::inputs::{Inputs, SourcePixels};
use crate::sim::particles::settings::FIELDS;

/// Colours.
pub const SOURCE: usize = 0;
/// Places of births.
pub const EMISSION: usize = 1;
/// The first of the velocity pictures.
pub const VELOCITY: usize = 2;
/// Solid.
pub const OBSTACLES: usize = VELOCITY + FIELDS;

/// Distance of the scene.
pub const DEPTH: usize = OBSTACLES + 1;
/// Matte that hides the particles.
pub const HOLDOUT: usize = OBSTACLES + 2;

/// The picture of sprites.
pub const SPRITE: usize = OBSTACLES + 3;

/// All, in the order of the host's panel.
pub const INPUTS: &[Input] = &[
    Input { name: c"Source", matte: false, invalidates: Invalidates::Simulation },
    Input { name: c"Emission", matte: true, invalidates: Invalidates::Simulation },
    Input { name: c"Velocity1", matte: false, invalidates: Invalidates::Simulation },
    Input { name: c"Velocity2", matte: false, invalidates: Invalidates::Simulation },
    Input { name: c"Velocity3", matte: false, invalidates: Invalidates::Simulation },
    Input { name: c"Velocity4", matte: false, invalidates: Invalidates::Simulation },
    Input { name: c"Obstacles", matte: true, invalidates: Invalidates::Simulation },
    Input { name: c"Depth", matte: false, invalidates: Invalidates::Picture },
    Input { name: c"Holdout", matte: true, invalidates: Invalidates::Picture },
    Input { name: c"Sprite", matte: false, invalidates: Invalidates::Picture },
];

/// Converts the pictures of a frame to the inputs of the simulation.
pub fn for_model(pictures: &Pictures) -> Inputs {
    let source = pictures.get(SOURCE).cloned();
    Inputs {
        source: source.map(|Picture { pixels, has_alpha, premultiplied, .. }| SourcePixels {
            pixels,
            has_alpha,
            premultiplied,
        }),
        emission: pictures.pixels(EMISSION),
        fields: std::array::from_fn(|n| pictures.pixels(VELOCITY + n)),
        obstacles: pictures.pixels(OBSTACLES),
        grids: Default::default(),
    }
}
