//! The report of a frame of particles.

use super::frame_state::FrameState;
use crate::nodes::common::node::FrameReport;
use crate::sim::grid::Grid;

/// The report of a frame, whose inputs are sampled onto `raster`.
pub fn report(frame: &FrameState, raster: &Grid) -> FrameReport {
    let diagnostics = frame.diagnostics;
    FrameReport {
        shape: vec![raster.width, raster.height],
        cells_per_pixel: raster.cells_per_pixel,
        model: "Particles",
        device: "CPU".to_owned(),
        steps_per_frame: 1,
        content: format!("{} particles, {} born in this frame", diagnostics.particles, diagnostics.births),
        warnings: Vec::new(),
        notices: diagnostics.notices(),
        figures: vec![("particles", diagnostics.particles.to_string()), ("births", diagnostics.births.to_string())],
    }
}
