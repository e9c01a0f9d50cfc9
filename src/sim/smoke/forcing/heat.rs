//! The Heat input.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Forcing;
use super::patch::{CellRange, rasterise_patch};
use super::raster::{AMOUNT_MAX, Raster};
use crate::sim::fluid::Staggering;
use crate::sim::maths::bounded;
use crate::sim::smoke::Settings;
use crate::sim::smoke::inputs::SourcePixels;

/// Rasterises the Heat input: its channel, times its scale and the time.
pub(super) fn rasterise(forcing: &mut Forcing, raster: &Raster<'_>, settings: &Settings, heat: &SourcePixels) {
    let scale = bounded(settings.heat_scale, AMOUNT_MAX) * raster.time;
    let channel = settings.heat_channel.or_luminance(heat.has_alpha);
    let bad = AtomicU64::new(0);
    let patch = rasterise_patch(raster, &CellRange::all(raster, Staggering::Cell), |x, y| {
        let cell = y * raster.width + x;
        let value = heat.pixels.get(cell).map_or(0.0, |pixel| channel.value_in(pixel));
        // False for NaN.
        if value.abs() <= AMOUNT_MAX {
            bounded(value * scale * raster.inflow_factor(cell), AMOUNT_MAX) as f32
        } else {
            bad.fetch_add(1, Ordering::Relaxed);
            0.0
        }
    });
    forcing.bad_pixels.heat = bad.into_inner();
    forcing.heat.extend(patch);
}
