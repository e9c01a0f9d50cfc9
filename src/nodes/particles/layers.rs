//! Layers of the particles in hosts with planes.

use crate::nodes::common::planes::Layer;
use crate::ofx::{Plane, layer};

/// The layers: their planes, and the channels of an output that they are.
pub const LAYERS: &[Layer] = &[
    Layer::new(layer!("depth", "Z"), c"Depth", &[0]),
    Layer::new(Plane::ForwardMotion, c"Motion vectors", &[0, 1]),
    Layer::new(Plane::BackwardMotion, c"Motion vectors", &[2, 3]),
    Layer::new(layer!("forward", "u", "v"), c"Motion vectors", &[0, 1]),
    Layer::new(layer!("backward", "u", "v"), c"Motion vectors", &[2, 3]),
    Layer::new(layer!("particle", "id", "age"), c"Id and age", &[0, 1]),
];

#[cfg(test)]
mod tests {
    use crate::nodes::common::planes::check;
    use crate::nodes::particles::FlowParticles;

    #[test]
    fn the_layers_are_of_options() {
        check::<FlowParticles>();
    }
}
