//! The brush: a point that stirs.

use super::Forcing;
use super::brush_stroke::BrushStroke;
use super::raster::{FASTEST, Raster, number};
use crate::sim::maths::clamp;
use crate::sim::smoke::settings::Brush;

/// Draws the brush's way over the frame: dye along it, and its own velocity times the force. A brush that stands still
/// lays down dye and leaves the air alone.
pub(super) fn draw(forcing: &mut Forcing, raster: &Raster<'_>, brush: &Brush) {
    let Some(stroke) = BrushStroke::new(raster, [brush.previous, brush.centre], brush.radius, brush.softness) else { return };
    let moved = [0, 1].map(|axis| number(brush.centre[axis] - brush.previous[axis], FASTEST));
    let force = clamp(brush.force, 0.0, 1e3);
    let velocity = moved.map(|way| number(raster.speed(way) * force, FASTEST) * raster.scale);
    if velocity != [0.0; 2] && brush.previous.iter().all(|v| v.is_finite()) {
        stroke.steer(forcing, raster, 1.0, |_| velocity);
    }
    stroke.lay(forcing, raster, brush.colour, 0.0);
}
