//! The inputs of the node, and their pictures for the model.

use crate::nodes::common::controls::Invalidates;
use crate::nodes::common::node::Input;
use crate::nodes::common::pictures::{Picture, Pictures};
use crate::sim::smoke::inputs::{Inputs, SourcePixels};

/// Inflow.
pub const SOURCE: usize = 0;
/// Velocities.
pub const VELOCITY: usize = 1;
/// Temperatures.
pub const HEAT: usize = 2;
/// Obstacles.
pub const OBSTACLES: usize = 3;
/// Velocities of the obstacles.
pub const OBSTACLE_VELOCITY: usize = 4;
/// Mask of the other inputs, the brush and the jets.
pub const MASK: usize = 5;

/// All, in the order of the host's panel.
pub const INPUTS: &[Input] = &[
    Input { name: c"Source", matte: false, invalidates: Invalidates::Simulation },
    Input { name: c"Velocity", matte: false, invalidates: Invalidates::Simulation },
    Input { name: c"Heat", matte: false, invalidates: Invalidates::Simulation },
    Input { name: c"Obstacles", matte: true, invalidates: Invalidates::Simulation },
    Input { name: c"ObstacleVelocity", matte: false, invalidates: Invalidates::Simulation },
    Input { name: c"Mask", matte: true, invalidates: Invalidates::Simulation },
];

/// A frame's pictures for the model.
pub fn for_model(pictures: &Pictures) -> Inputs {
    let with_alpha = |input: usize| {
        let picture = pictures.get(input).cloned();
        picture.map(|Picture { pixels, has_alpha, premultiplied, .. }| SourcePixels {
            pixels,
            has_alpha,
            premultiplied,
        })
    };
    Inputs {
        source: with_alpha(SOURCE),
        velocity: pictures.pixels(VELOCITY),
        heat: with_alpha(HEAT),
        obstacles: pictures.pixels(OBSTACLES),
        obstacle_velocity: pictures.pixels(OBSTACLE_VELOCITY),
        mask: pictures.pixels(MASK),
    }
}
