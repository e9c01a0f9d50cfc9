//! Layers of a volume in hosts with planes.

use crate::nodes::common::planes::Layer;
use crate::ofx::{Plane, layer};

/// The layers: their planes, and the channels of an output that they are.
pub const LAYERS: &[Layer] = &[
    // The mean depth.
    Layer::new(layer!("depth", "Z"), c"Depth", &[1]),
    Layer::new(layer!("light1", "R", "G", "B"), c"Light 1", &[0, 1, 2]),
    Layer::new(layer!("light2", "R", "G", "B"), c"Light 2", &[0, 1, 2]),
    Layer::new(layer!("light3", "R", "G", "B"), c"Light 3", &[0, 1, 2]),
    Layer::new(layer!("light4", "R", "G", "B"), c"Light 4", &[0, 1, 2]),
    Layer::new(layer!("ambient", "R", "G", "B"), c"Ambient", &[0, 1, 2]),
    Layer::new(layer!("emission", "R", "G", "B"), c"Emission", &[0, 1, 2]),
    Layer::new(layer!("transmittance", "R", "G", "B"), c"Transmittance", &[0, 1, 2]),
    Layer::new(layer!("position", "X", "Y", "Z"), c"Position", &[0, 1, 2]),
    Layer::new(Plane::ForwardMotion, c"Motion vectors", &[0, 1]),
    Layer::new(Plane::BackwardMotion, c"Motion vectors", &[2, 3]),
    Layer::new(layer!("forward", "u", "v"), c"Motion vectors", &[0, 1]),
    Layer::new(layer!("backward", "u", "v"), c"Motion vectors", &[2, 3]),
    Layer::new(layer!("catcher", "R", "G", "B", "A"), c"Shadow catcher", &[0, 1, 2, 3]),
    Layer::new(layer!("normals", "X", "Y", "Z"), c"Normals", &[0, 1, 2]),
];

#[cfg(test)]
mod tests {
    use crate::nodes::common::planes::check;
    use crate::nodes::volume::FlowVolume;

    #[test]
    fn the_layers_are_of_options() {
        check::<FlowVolume>();
    }
}
