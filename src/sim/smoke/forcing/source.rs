//! The Source input as smoke.

use std::sync::atomic::{AtomicU64, Ordering};

use super::patch::{CellRange, rasterise_patch};
use super::raster::{AMOUNT_MAX, Raster};
use super::{Forcing, InitialSource};
use crate::sim::channel::Channel;
use crate::sim::fluid::Staggering;
use crate::sim::maths::clamp;
use crate::sim::smoke::Settings;
use crate::sim::smoke::inputs::SourcePixels;
use crate::sim::smoke::settings::SourceMode;

/// Colour times density, and density, of a pixel; `None` where it is not finite or out of range.
///
/// Where the density is not alpha, RGB counts as premultiplied by it, as in a picture of smoke before black. Without
/// density, colour is ignored.
fn dye(pixel: &[f32; 4], source: &SourcePixels, channel: Channel) -> Option<[f64; 4]> {
    let [r, g, b, _] = pixel.map(f64::from);
    let density = channel.value_in(pixel);
    // False for NaN.
    let sound = |v: f64| v.abs() <= AMOUNT_MAX;
    if !sound(density) {
        return None;
    }
    if density <= 0.0 {
        return Some([0.0; 4]);
    }
    let factor = if channel == Channel::Alpha && !source.premultiplied { density } else { 1.0 };
    [r, g, b].iter().all(|&c| sound(c)).then_some([r * factor, g * factor, b * factor, density])
}

/// Whether the density is an alpha of at least 1 in all cells.
fn is_opaque(source: &SourcePixels, channel: Channel, cells: usize) -> bool {
    channel == Channel::Alpha && (0..cells).all(|cell| source.pixels.get(cell).is_some_and(|pixel| pixel[3] >= 1.0))
}

/// Rasterises the Source. In the start frame (`start`) it is the initial smoke in every mode.
pub(super) fn rasterise(
    forcing: &mut Forcing,
    raster: &Raster<'_>,
    settings: &Settings,
    source: &SourcePixels,
    start: bool,
) {
    let mode = if start { SourceMode::Replace } else { settings.source_mode };
    let times = if mode == SourceMode::Add { raster.time } else { 1.0 };
    let factor = clamp(settings.source_density, 0.0, AMOUNT_MAX) * times;
    if mode == SourceMode::StartFrame {
        return;
    }
    let channel = settings.source_channel.or_luminance(source.has_alpha);
    let bad = AtomicU64::new(0);
    let area = CellRange::all(raster, Staggering::Cell);
    let patch = rasterise_patch(raster, &area, |x, y| {
        let cell = y * raster.width + x;
        let pixel = source.pixels.get(cell).copied().unwrap_or_default();
        let Some(dye) = dye(&pixel, source, channel) else {
            bad.fetch_add(1, Ordering::Relaxed);
            return [0.0; 4];
        };
        let factor = factor * raster.inflow_factor(cell);
        if factor > 0.0 { dye.map(|v| (v * factor) as f32) } else { [0.0; 4] }
    });
    forcing.bad_pixels.source = bad.into_inner();
    let covered = || is_opaque(source, channel, raster.width * raster.height);
    forcing.source_everywhere = factor > 0.0 && raster.mask.is_none() && covered();
    match (mode, patch) {
        (SourceMode::Add, Some(patch)) => forcing.dye.push(patch),
        (SourceMode::Replace, Some(patch)) => forcing.initial_source = Some(InitialSource::Replace(patch)),
        (SourceMode::FillUp, Some(patch)) => forcing.initial_source = Some(InitialSource::FillUp(patch)),
        _ => (),
    }
}
