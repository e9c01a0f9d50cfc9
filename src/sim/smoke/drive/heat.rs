//! The Heat input.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Drive;
use super::patch::{Area, drawn};
use super::stage::{Kind, MOST, Stage, number};
use crate::sim::smoke::Settings;
use crate::sim::smoke::inputs::Pixels;

/// Draws the Heat input into `drive`: red, times its scale and the time.
pub(super) fn draw(drive: &mut Drive, stage: &Stage<'_>, settings: &Settings, pixels: &Pixels) {
    let scale = number(settings.heat_scale, MOST) * stage.time;
    let bad = AtomicU64::new(0);
    let patch = drawn(stage, &Area::whole(stage, Kind::Cells), |x, y| {
        let cell = y * stage.width + x;
        let red = pixels.get(cell).map_or(0.0, |pixel| f64::from(pixel[0]));
        // NaN is not within either.
        if red.abs() <= MOST {
            number(red * scale * stage.open(cell), MOST) as f32
        } else {
            bad.fetch_add(1, Ordering::Relaxed);
            0.0
        }
    });
    drive.bad_pixels.heat = bad.into_inner();
    drive.heat.extend(patch);
}
