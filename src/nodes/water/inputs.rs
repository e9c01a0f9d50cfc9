//! The inputs of the node, and their pictures for the models.

use crate::nodes::common::controls::Invalidates;
use crate::nodes::common::node::Input;
use crate::nodes::common::pictures::{Picture, Pictures};
use crate::picture::water::{Backdrop, Scene, Shading};
use crate::sim::water::inputs::{Inputs, SourcePixels};

/// Inflow.
pub const SOURCE: usize = 0;
/// The ground.
pub const TERRAIN: usize = 1;
/// Obstacles.
pub const OBSTACLES: usize = 2;
/// Push and pressure.
pub const FORCE: usize = 3;
/// Mask of the source.
pub const MASK: usize = 4;
/// Picture of the bed.
pub const BACKGROUND: usize = 5;
/// Picture that the surface reflects.
pub const REFLECTION: usize = 6;
/// Local factors of speed, damping and smoothing.
pub const CONTROL: usize = 7;
/// Goal velocities.
pub const GOAL: usize = 8;

/// All, in the order of the host's panel.
pub const INPUTS: &[Input] = &[
    Input { name: c"Source", matte: false, invalidates: Invalidates::Simulation },
    Input { name: c"Terrain", matte: false, invalidates: Invalidates::Simulation },
    Input { name: c"Obstacles", matte: true, invalidates: Invalidates::Simulation },
    Input { name: c"Force", matte: false, invalidates: Invalidates::Simulation },
    Input { name: c"Mask", matte: true, invalidates: Invalidates::Simulation },
    Input { name: c"Background", matte: false, invalidates: Invalidates::Picture },
    Input { name: c"Reflection", matte: false, invalidates: Invalidates::Picture },
    Input { name: c"Control", matte: false, invalidates: Invalidates::Simulation },
    Input { name: c"Goal", matte: false, invalidates: Invalidates::Simulation },
];

/// The scene of shading settings and a frame's pictures.
pub fn scene<'a>(shading: &'a Shading, pictures: &'a Pictures) -> Scene<'a> {
    let backdrop = |input| {
        let Picture { pixels, has_alpha, premultiplied, .. } = pictures.get(input)?;
        Some(Backdrop { pixels, has_alpha: *has_alpha, premultiplied: *premultiplied })
    };
    Scene { shading, background: backdrop(BACKGROUND), reflection: backdrop(REFLECTION) }
}

/// A frame's pictures for the models.
pub fn for_models(pictures: &Pictures) -> Inputs {
    let source = pictures.get(SOURCE).cloned();
    Inputs {
        source: source.map(|Picture { pixels, has_alpha, premultiplied, .. }| SourcePixels {
            pixels,
            has_alpha,
            premultiplied,
        }),
        terrain: pictures.pixels(TERRAIN),
        obstacles: pictures.pixels(OBSTACLES),
        force: pictures.pixels(FORCE),
        mask: pictures.pixels(MASK),
        control: pictures.pixels(CONTROL),
        goal: pictures.pixels(GOAL),
    }
}
