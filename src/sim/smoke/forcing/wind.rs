//! Wind: all air relaxes towards one velocity.

use super::Forcing;
use super::patch::{CellRange, rasterise_patch};
use super::raster::{FACES, Raster, SPEED_MAX};
use crate::sim::maths::{bounded, clamp};
use crate::sim::smoke::Settings;

/// Rasterises the wind.
pub(super) fn rasterise(forcing: &mut Forcing, raster: &Raster<'_>, settings: &Settings) {
    let share = raster.over_time(clamp(settings.wind_drag, 0.0, 1.0)) as f32;
    if share <= 0.0 || raster.time <= 0.0 {
        return;
    }
    for (axis, staggering) in FACES.into_iter().enumerate() {
        let speed = (bounded(settings.wind[axis], SPEED_MAX) * raster.scale) as f32;
        forcing.steer(staggering, rasterise_patch(raster, &CellRange::all(raster, staggering), |_, _| [speed, share]));
    }
}
