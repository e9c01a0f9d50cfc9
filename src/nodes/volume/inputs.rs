//! The inputs of the node.

use crate::nodes::common::controls::Invalidates;
use crate::nodes::common::node::Input;

/// Distance of the scene, which hides the volume and may be a solid.
pub const DEPTH: usize = 1;
/// Matte that hides the volume.
pub const HOLDOUT: usize = 2;

/// A picture of the surroundings in spherical projection.
pub const ENVIRONMENT: usize = 3;

/// Matte of a solid.
pub const OBSTACLES: usize = 4;

/// Matte of emitters.
pub const EMISSION: usize = 5;

/// All, in the order of the host's panel. The Source gives the frame alone.
pub const INPUTS: &[Input] = &[
    Input { name: c"Source", matte: false, invalidates: Invalidates::Picture },
    Input { name: c"Depth", matte: false, invalidates: Invalidates::Simulation },
    Input { name: c"Holdout", matte: true, invalidates: Invalidates::Picture },
    Input { name: c"Environment", matte: false, invalidates: Invalidates::Picture },
    Input { name: c"Obstacles", matte: true, invalidates: Invalidates::Simulation },
    Input { name: c"Emission", matte: true, invalidates: Invalidates::Simulation },
];
