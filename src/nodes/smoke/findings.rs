//! What there is to tell of a frame of smoke.

use super::inputs::{HEAT, INPUTS, MASK, OBSTACLE_VELOCITY, OBSTACLES, SOURCE, VELOCITY};
use super::told::Told;
use crate::nodes::common::node::Findings;
use crate::nodes::common::report::discarded;
use crate::sim::smoke::Diagnostics;
use crate::sim::smoke::state::BadPixels;

/// What there is to tell of `told`, which is on the way of `device`: a graphics device, if one was `wanted_gpu`.
pub fn findings(told: &Told, device: String, wanted_gpu: bool) -> Findings {
    let grid = told.smoke.grid;
    let Diagnostics {
        substeps,
        iterations,
        residual,
        cfl,
        divergence,
        cfl_cut,
        discarded: lost,
        bad_pixels,
        source_everywhere,
        solid_everywhere,
    } = told.notices;
    let mut warnings = Vec::new();
    if cfl_cut {
        warnings.push(format!(
            "The air is so fast that {substeps} sub-steps were not enough: lower what drives it, or raise Max CFL"
        ));
    }
    if wanted_gpu && told.class == "cpu" {
        warnings.push("There is no GPU that works: the CPU simulates".to_owned());
    }
    let mut notices = Vec::new();
    if source_everywhere {
        notices.push(
            "The Source's alpha is 1 everywhere, which fills the grid with smoke: choose another Source channel, or \
             connect a matte as Mask"
                .to_owned(),
        );
    }
    if solid_everywhere {
        notices.push(
            "Obstacles are solid everywhere, which leaves no air: give them an alpha that is 0 where air is".to_owned(),
        );
    }
    let BadPixels { source, velocity, heat, obstacles, obstacle_velocity, mask, start } = bad_pixels;
    let bad = [
        (SOURCE, source),
        (VELOCITY, velocity),
        (HEAT, heat),
        (OBSTACLES, obstacles),
        (OBSTACLE_VELOCITY, obstacle_velocity),
        (MASK, mask),
    ];
    notices.extend(bad.into_iter().filter_map(|(input, count)| discarded(INPUTS[input].text(), count)));
    notices.extend(discarded("Initial state", start));
    if lost > 0 {
        notices.push(format!("{lost} values of the air were beyond all bounds and were set back"));
    }
    Findings {
        grid: [grid.width, grid.height],
        cells_per_pixel: grid.cells_per_pixel,
        model: "Smoke",
        device,
        steps_per_frame: substeps,
        content: format!(
            "{substeps} sub-steps, CFL {cfl:.2}; pressure {iterations} iterations, residual {residual:.1e}, divergence {divergence:.1e}"
        ),
        warnings,
        notices,
        figures: vec![
            ("iterations", iterations.to_string()),
            ("residual", format!("{residual:e}")),
            ("cfl", format!("{cfl:e}")),
            ("divergence", format!("{divergence:e}")),
        ],
    }
}
