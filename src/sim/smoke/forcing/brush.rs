//! The brush.

use super::Forcing;
use super::brush_stroke::BrushStroke;
use super::raster::{Raster, SPEED_MAX};
use crate::sim::maths::{bounded, clamp};
use crate::sim::smoke::settings::Brush;

/// Rasterises the brush: emits dye along its path over the frame, and steers the air to its velocity times `force`. A
/// brush at rest emits dye and does not steer the air.
pub(super) fn rasterise(forcing: &mut Forcing, raster: &Raster<'_>, brush: &Brush) {
    let Some(stroke) = BrushStroke::new(raster, [brush.previous, brush.centre], brush.radius, brush.softness) else {
        return;
    };
    let displacement = [0, 1].map(|axis| bounded(brush.centre[axis] - brush.previous[axis], SPEED_MAX));
    let force = clamp(brush.force, 0.0, 1e3);
    let velocity = displacement.map(|d| bounded(raster.velocity(d) * force, SPEED_MAX) * raster.scale);
    if velocity != [0.0; 2] && brush.previous.iter().all(|v| v.is_finite()) {
        stroke.steer(forcing, raster, 1.0, |_| velocity);
    }
    stroke.emit(forcing, raster, brush.colour, 0.0);
}
