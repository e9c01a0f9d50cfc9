//! The report of a frame of water.

use super::frame_state::FrameState;
use crate::nodes::common::node::FrameReport;
use crate::sim::water::settings::Model;

/// The report of a frame from the device of this name. `pace`: the steps of a frame with its settings, and whether the
/// speed was limited for it; `wanted_gpu`: the artist asked for a GPU.
pub fn report(
    frame: &FrameState,
    (steps_per_frame, speed_cut): (u32, bool),
    device: String,
    wanted_gpu: bool,
) -> FrameReport {
    let grid = frame.water.grid();
    let (mean_height, wet_share) = frame.summary();
    let mut warnings = Vec::new();
    if speed_cut {
        warnings
            .push("The speed needs more than 1024 steps per frame and was cut: lower Speed (Gravity in Rivers and floods) or Resolution".to_owned());
    }
    if wanted_gpu && device.starts_with("CPU") {
        warnings.push("There is no GPU that works: the CPU simulates, the pixels are the same".to_owned());
    }
    FrameReport {
        shape: vec![grid.width, grid.height],
        cells_per_pixel: grid.cells_per_pixel,
        model: match frame.water.model() {
            Model::Pipes => "Puddles and ponds",
            Model::Classic => "Legacy pipes",
            Model::ShallowWater => "Rivers and floods",
            Model::Ripples => "Ripples",
        },
        device,
        steps_per_frame,
        content: format!("water {mean_height:.4} high on average, {:.1} % wet", wet_share * 100.0),
        warnings,
        notices: frame.diagnostics.notices(),
        figures: Vec::new(),
    }
}
