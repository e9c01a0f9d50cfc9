//! What there is to tell of a frame of water.

use super::frame_state::Told;
use super::inputs::{CONTROL, FORCE, GOAL, INPUTS, MASK, OBSTACLES, SOURCE, TERRAIN};
use crate::nodes::common::node::Findings;
use crate::nodes::common::report::discarded;
use crate::sim::water::settings::Model;
use crate::sim::water::{BadPixels, Diagnostics};

/// What there is to tell of a frame. `pace` is the steps that a frame takes with the settings at this one, and whether the
/// speed was cut for it; `device` is what simulates, where the artist may have asked for a graphics device (`wanted_gpu`).
pub fn findings(told: &Told, pace: (u32, bool), device: String, wanted_gpu: bool) -> Findings {
    let grid = told.water.grid();
    let (mean_height, wet_share) = told.summary();
    let (steps_per_frame, speed_cut) = pace;
    let mut warnings = Vec::new();
    if speed_cut {
        warnings
            .push("The speed needs more than 1024 steps per frame and was cut: lower Speed (Gravity in Shallow water) or Resolution".to_owned());
    }
    if wanted_gpu && device.starts_with("CPU") {
        warnings.push("There is no GPU that works: the CPU simulates, the pixels are the same".to_owned());
    }
    Findings {
        grid: [grid.width, grid.height],
        cells_per_pixel: grid.cells_per_pixel,
        model: match told.water.model() {
            Model::Pipes => "Pipes",
            Model::Classic => "Classic pipes",
            Model::ShallowWater => "Shallow water",
            Model::Ripples => "Ripples",
        },
        device,
        steps_per_frame,
        content: format!("water {mean_height:.4} high on average, {:.1} % wet", wet_share * 100.0),
        warnings,
        notices: notices(&told.notices),
        figures: Vec::new(),
    }
}

fn notices(notices: &Diagnostics) -> Vec<String> {
    // The other two are of a single frame: the settings at the one that is shown tell them.
    let Diagnostics { steps: _, speed_cut: _, bad_pixels, luminance_for_alpha, alpha_everywhere, clamped, start_cut } =
        *notices;
    let BadPixels { source, terrain, obstacles, force, mask, control, goal } = bad_pixels;
    let mut lines = Vec::new();
    if luminance_for_alpha {
        lines.push("The Source has no alpha: its luminance is the height".to_owned());
    }
    if alpha_everywhere {
        lines.push(
            "The Source's alpha is 1 everywhere, which floods the frame: choose another Source channel".to_owned(),
        );
    }
    let bad = [
        (SOURCE, source),
        (TERRAIN, terrain),
        (OBSTACLES, obstacles),
        (FORCE, force),
        (MASK, mask),
        (CONTROL, control),
        (GOAL, goal),
    ];
    lines.extend(bad.into_iter().filter_map(|(input, count)| discarded(INPUTS[input].text(), count)));
    if clamped > 0 {
        lines.push("Water above Max height was cut: raise Max height".to_owned());
    }
    if start_cut {
        lines.push(
            "The Initial state moves water by more than a cell per step, and its fastest flows were cut: raise Substeps, or lower \
             Resolution"
                .to_owned(),
        );
    }
    lines
}
