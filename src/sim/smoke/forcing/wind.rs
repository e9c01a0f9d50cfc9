//! Wind: all of the air is driven towards one velocity.

use super::Forcing;
use super::patch::{Area, drawn};
use super::raster::{FACES, FASTEST, Raster, number};
use crate::sim::maths::clamp;
use crate::sim::smoke::Settings;

/// Draws the wind.
pub(super) fn draw(forcing: &mut Forcing, raster: &Raster<'_>, settings: &Settings) {
    let share = raster.over_time(clamp(settings.wind_drag, 0.0, 1.0)) as f32;
    if share <= 0.0 || raster.time <= 0.0 {
        return;
    }
    for (axis, staggering) in FACES.into_iter().enumerate() {
        let speed = (number(settings.wind[axis], FASTEST) * raster.scale) as f32;
        forcing.steer(staggering, drawn(raster, &Area::whole(raster, staggering), |_, _| [speed, share]));
    }
}
