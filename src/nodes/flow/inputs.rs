//! The inputs of the node, and their pictures for the models.

use crate::nodes::common::node::Input;
use crate::nodes::common::pictures::{Picture, Pictures};
use crate::sim::inputs::{Inputs, SourcePixels};

/// Water let in.
pub const SOURCE: usize = 0;
/// The ground.
pub const TERRAIN: usize = 1;
/// What is solid.
pub const OBSTACLES: usize = 2;
/// Push and pressure.
pub const FORCE: usize = 3;
/// Where the source acts.
pub const MASK: usize = 4;

/// All, in the order of the host's panel.
pub const INPUTS: &[Input] = &[
    Input { name: c"Source", matte: false },
    Input { name: c"Terrain", matte: false },
    Input { name: c"Obstacles", matte: true },
    Input { name: c"Force", matte: false },
    Input { name: c"Mask", matte: true },
];

/// A frame's pictures for the models.
pub fn for_models(pictures: &Pictures) -> Inputs {
    let source = pictures.get(SOURCE).cloned();
    Inputs {
        source: source.map(|Picture { pixels, has_alpha, premultiplied }| SourcePixels {
            pixels,
            has_alpha,
            premultiplied,
        }),
        terrain: pictures.pixels(TERRAIN),
        obstacles: pictures.pixels(OBSTACLES),
        force: pictures.pixels(FORCE),
        mask: pictures.pixels(MASK),
    }
}
