//! Layers of the water in hosts with planes, under their names in files.

use crate::nodes::common::planes::Layer;
use crate::ofx::{Plane, layer};

/// The layers: their planes, and the channels of an output that they are.
pub const LAYERS: &[Layer] = &[
    Layer::new(layer!("cross", "R", "G", "B", "A"), c"Cross", &[0, 1, 2, 3]),
    Layer::new(layer!("diagonal", "R", "G", "B", "A"), c"Diagonal", &[0, 1, 2, 3]),
    Layer::new(layer!("surface", "surface", "terrain", "wet"), c"Height", &[1, 2, 3]),
    Layer::new(layer!("velocity", "x", "y"), c"Velocity", &[0, 1]),
    Layer::new(layer!("normal", "x", "y", "z"), c"Normals", &[0, 1, 2]),
    Layer::new(layer!("foam", "foam"), c"Foam", &[0]),
    Layer::new(layer!("wetness", "wetness"), c"Wetness", &[0]),
    Layer::new(Plane::ForwardMotion, c"Motion vectors", &[0, 1]),
    Layer::new(Plane::BackwardMotion, c"Motion vectors", &[2, 3]),
    Layer::new(layer!("forward", "u", "v"), c"Motion vectors", &[0, 1]),
    Layer::new(layer!("backward", "u", "v"), c"Motion vectors", &[2, 3]),
];

#[cfg(test)]
mod tests {
    use crate::compute::cpu::Cpu;
    use crate::nodes::common::planes::{check, check_names};
    use crate::nodes::water::Flow;
    use crate::nodes::water::frame_state::FrameState;
    use crate::sim::grid::Grid;
    use crate::sim::water::inputs::Inputs;
    use crate::sim::water::settings::{Edges, Settings};
    use crate::sim::water::{Spec, start_frame};
    use crate::timeline::disk::Stored as _;

    #[test]
    fn the_layers_are_of_options_and_named_as_in_files() {
        check::<Flow>();
        let constants = crate::picture::testing::constants(Edges::Open);
        let grid = Grid { width: 3, height: 2, origin: [0.0; 2], cells_per_pixel: 1.0 };
        // Foam and wetness are in files where they are on.
        let settings = Settings { dry_frames: Some(9.0), ..crate::picture::testing::still() };
        let (water, diagnostics) = start_frame(&Spec { grid, constants }, &settings, &Inputs::default(), &Cpu::new(1));
        let mut files = Vec::new();
        FrameState::new(water, diagnostics)
            .show(&mut |_, layers| files = layers.iter().map(|layer| layer.names.clone()).collect());
        assert!(files.len() > 4);
        check_names::<Flow>(&files);
    }
}
