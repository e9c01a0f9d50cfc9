//! The report of a frame of particles.

use super::frame_state::FrameState;
use crate::nodes::common::node::FrameReport;
use crate::sim::grid::Grid;

/// The report of a frame, whose inputs are sampled onto `raster`. `drawing`: the graphics device that draws.
pub fn report(frame: &FrameState, raster: &Grid, drawing: Option<String>) -> FrameReport {
    let diagnostics = frame.diagnostics;
    FrameReport {
        shape: vec![raster.width, raster.height],
        cells_per_pixel: raster.cells_per_pixel,
        model: "Particles",
        device: drawing.map_or("CPU".to_owned(), |drawing| format!("CPU; sprites: {drawing}")),
        steps_per_frame: 1,
        content: format!("{} particles, {} born in this frame", diagnostics.particles, diagnostics.births),
        warnings: Vec::new(),
        notices: diagnostics.notices(),
        figures: vec![("particles", diagnostics.particles.to_string()), ("births", diagnostics.births.to_string())],
    }
}
