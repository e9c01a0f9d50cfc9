//! The greatest depth and the relief of a frame, which decide the number of steps of Shallow water.

use super::buffers::StateBuffers;
use super::field::Field;
use super::inputs::Inputs;
use super::rain;
use super::settings::{Channel, Settings, SourceMode};
use crate::sim::maths::clamp;

/// Bounds of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DepthBounds {
    /// Greatest depth, in height.
    pub depth: f64,
    /// Height of the highest ground above the lowest.
    pub relief: f64,
}

impl DepthBounds {
    /// Bounds of a frame of length `time` that begins with the water of `before`, over terrain and pressure `base`,
    /// with `units` per 1.0 of height. `area`: of the grid, full-resolution pixels.
    pub fn new(
        before: &StateBuffers,
        base: Option<&Field>,
        units: f64,
        settings: &Settings,
        inputs: &Inputs,
        time: f64,
        area: f64,
    ) -> DepthBounds {
        let added = emitted(settings, time) + rain::highest(settings, area, time) + poured(settings, inputs, time);
        DepthBounds {
            depth: f64::from(before.highest()) / units + added,
            relief: base.map_or(0.0, |base| f64::from(range(base)) / units),
        }
    }

    /// Distance that water covers per frame at a gravity of 1, in pixels, at most. Along an axis it counts as along the
    /// diagonal, which keeps advection in both directions stable. The front of a dam break covers two wave lengths of
    /// depth, and a fall is as high as depth and relief; an eighth is added for waves that pile up.
    pub fn distance(self) -> f64 {
        let (wave, fall) = (libm::sqrt(self.depth), libm::sqrt(2.0 * (self.depth + self.relief)));
        f64::max(3.2 * wave, 1.6 * fall)
    }
}

/// Greatest height that emitters add to a cell. The middle of a soft disc has up to three times its mean.
fn emitted(settings: &Settings, time: f64) -> f64 {
    settings
        .emitters
        .iter()
        .flatten()
        .map(|e| clamp(e.rate, 0.0, 1e9) * (1.0 + 2.0 * clamp(e.softness, 0.0, 1.0)) * time)
        .sum()
}

/// Greatest height that the source adds to a cell.
fn poured(settings: &Settings, inputs: &Inputs, time: f64) -> f64 {
    let Some(source) = inputs.source.as_ref().filter(|_| settings.source_mode != SourceMode::StartFrame) else {
        return 0.0;
    };
    let channel = match settings.source_channel.or_luminance(source.has_alpha) {
        Channel::Alpha => 3,
        Channel::Red => 0,
        Channel::Green => 1,
        Channel::Blue => 2,
        // Luminance is at most the greatest channel.
        Channel::Luminance => 4,
    };
    let value = |pixel: &[f32; 4]| match pixel.get(channel) {
        Some(&value) => value,
        None => pixel[0].max(pixel[1]).max(pixel[2]),
    };
    let top = source.pixels.iter().map(value).filter(|v| v.is_finite()).fold(0.0_f32, f32::max);
    let factor = if settings.source_mode == SourceMode::Add { time } else { 1.0 };
    f64::from(top) * clamp(settings.source_height, 0.0, 1e9) * factor
}

/// Greatest value of a field's cells minus the least.
fn range(field: &Field) -> i32 {
    let rows = (1..=field.height()).map(|y| &field.row(y, 0)[1..=field.width()]);
    let [low, high] = rows.fold([i32::MAX, i32::MIN], |bounds, row| {
        row.iter().fold(bounds, |[low, high], &value| [low.min(value), high.max(value)])
    });
    high.saturating_sub(low)
}
