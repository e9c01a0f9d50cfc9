//! The brush: a point that stirs.

use super::Forcing;
use super::disc::Disc;
use super::stage::{FASTEST, Stage, number};
use crate::sim::maths::clamp;
use crate::sim::smoke::settings::Brush;

/// Draws the brush's way over the frame: dye along it, and its own velocity times the force. A brush that stands still
/// lays down dye and leaves the air alone.
pub(super) fn draw(forcing: &mut Forcing, stage: &Stage<'_>, brush: &Brush) {
    let Some(disc) = Disc::new(stage, [brush.previous, brush.centre], brush.radius, brush.softness) else { return };
    let moved = [0, 1].map(|axis| number(brush.centre[axis] - brush.previous[axis], FASTEST));
    let force = clamp(brush.force, 0.0, 1e3);
    let velocity = moved.map(|way| number(stage.speed(way) * force, FASTEST) * stage.scale);
    if velocity != [0.0; 2] && brush.previous.iter().all(|v| v.is_finite()) {
        disc.steer(forcing, stage, 1.0, |_| velocity);
    }
    disc.lay(forcing, stage, brush.colour, 0.0);
}
