//! Wind: all of the air is driven towards one velocity.

use super::Forcing;
use super::patch::{Area, drawn};
use super::stage::{FACES, FASTEST, Stage, number};
use crate::sim::maths::clamp;
use crate::sim::smoke::Settings;

/// Draws the wind.
pub(super) fn draw(forcing: &mut Forcing, stage: &Stage<'_>, settings: &Settings) {
    let share = stage.over_time(clamp(settings.wind_drag, 0.0, 1.0)) as f32;
    if share <= 0.0 || stage.time <= 0.0 {
        return;
    }
    for (axis, kind) in FACES.into_iter().enumerate() {
        let speed = (number(settings.wind[axis], FASTEST) * stage.scale) as f32;
        forcing.steer(kind, drawn(stage, &Area::whole(stage, kind), |_, _| [speed, share]));
    }
}
