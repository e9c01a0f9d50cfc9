//! The report of a frame of a volume.

use super::vdb_sources::FrameSettings;
use crate::nodes::common::node::FrameReport;
use crate::nodes::volume_state::FrameState;

/// The report of a frame from the device of this name. `gpu_missing`: the artist asked for a GPU, and the CPU
/// simulates.
pub fn report(frame: &FrameState, settings: &FrameSettings, device: String, gpu_missing: bool) -> FrameReport {
    let diagnostics = frame.diagnostics;
    let bounds = frame.bounds;
    let speed = frame.statistics.speed;
    FrameReport {
        shape: bounds.cells.to_vec(),
        cells_per_pixel: 1.0,
        model: "Volume",
        device,
        steps_per_frame: 1,
        content: format!(
            "{} cells, fastest {speed:.2} cells per frame; pressure {} cycles, residual {:.1e}",
            diagnostics.cells, diagnostics.cycles, diagnostics.residual
        ),
        warnings: gpu_missing.then(|| "There is no GPU that works: the CPU simulates".to_owned()).into_iter().collect(),
        notices: settings.notices.iter().map(ToString::to_string).chain(diagnostics.notices()).collect(),
        figures: vec![
            ("cells", diagnostics.cells.to_string()),
            ("cycles", diagnostics.cycles.to_string()),
            ("residual", format!("{:e}", diagnostics.residual)),
        ],
    }
}
