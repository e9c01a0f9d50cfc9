//! Layers of the smoke in hosts with planes, under their names in files.

use crate::nodes::common::planes::Layer;
use crate::ofx::{Plane, layer};

/// The layers: their planes, and the channels of an output that they are.
pub const LAYERS: &[Layer] = &[
    Layer::new(layer!("density", "density"), c"Density", &[0]),
    Layer::new(layer!("velocity", "x", "y"), c"Velocity", &[0, 1]),
    Layer::new(Plane::ForwardMotion, c"Motion vectors", &[0, 1]),
    Layer::new(Plane::BackwardMotion, c"Motion vectors", &[2, 3]),
    Layer::new(layer!("forward", "u", "v"), c"Motion vectors", &[0, 1]),
    Layer::new(layer!("backward", "u", "v"), c"Motion vectors", &[2, 3]),
    Layer::new(layer!("vorticity", "vorticity"), c"Vorticity", &[0]),
    Layer::new(layer!("pressure", "pressure"), c"Pressure", &[0]),
    Layer::new(layer!("divergence", "divergence"), c"Divergence", &[0]),
    Layer::new(layer!("temperature", "temperature"), c"Temperature", &[0]),
];

#[cfg(test)]
mod tests {
    use crate::nodes::common::planes::{check, check_names};
    use crate::nodes::smoke::FlowSmoke;
    use crate::sim::smoke::quantities::QUANTITIES;

    #[test]
    fn the_layers_are_of_options_and_named_as_in_files() {
        check::<FlowSmoke>();
        let names = |channels: &[&str]| channels.iter().map(|channel| (*channel).to_owned()).collect();
        check_names::<FlowSmoke>(&QUANTITIES.map(|named| names(named.channels)));
    }
}
