//! The report of a frame of smoke.

use super::frame_state::FrameState;
use crate::nodes::common::node::FrameReport;
use crate::sim::smoke::Diagnostics;

/// The report of a frame from the device of this name. `gpu_missing`: the artist asked for a GPU, and the CPU
/// simulates.
pub fn report(frame: &FrameState, device: String, gpu_missing: bool) -> FrameReport {
    let grid = frame.smoke.grid;
    let Diagnostics { substeps, iterations, residual, cfl, divergence, cfl_cut, .. } = frame.diagnostics;
    let mut warnings = Vec::new();
    if cfl_cut {
        warnings.push(format!(
            "The air is so fast that {substeps} sub-steps were not enough: lower what drives it, or raise Max CFL"
        ));
    }
    if gpu_missing {
        warnings.push("There is no GPU that works: the CPU simulates".to_owned());
    }
    FrameReport {
        shape: vec![grid.width, grid.height],
        cells_per_pixel: grid.cells_per_pixel,
        model: "Smoke",
        device,
        steps_per_frame: substeps,
        content: format!(
            "{substeps} sub-steps, CFL {cfl:.2}; pressure {iterations} iterations, residual {residual:.1e}, divergence {divergence:.1e}"
        ),
        warnings,
        notices: frame.diagnostics.notices(),
        figures: vec![
            ("iterations", iterations.to_string()),
            ("residual", format!("{residual:e}")),
            ("cfl", format!("{cfl:e}")),
            ("divergence", format!("{divergence:e}")),
        ],
    }
}
