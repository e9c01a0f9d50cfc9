//! How deep and how high up water may stand in a frame: what the steps of shallow water depend on.

use super::buffers::StateBuffers;
use super::field::Field;
use super::inputs::Inputs;
use super::settings::{Channel, Settings, SourceMode};
use crate::sim::maths::clamp;

/// Bounds of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DepthBounds {
    /// Greatest depth, height.
    pub depth: f64,
    /// From the lowest ground to the highest, height.
    pub relief: f64,
}

impl DepthBounds {
    /// Of a frame of length `time` that begins with the water of `body`, over the ground and pressure `base`, with `units`
    /// per 1.0 of height.
    pub fn new(
        body: &StateBuffers,
        base: Option<&Field>,
        units: f64,
        settings: &Settings,
        inputs: &Inputs,
        time: f64,
    ) -> DepthBounds {
        DepthBounds {
            depth: f64::from(body.highest()) / units + emitted(settings, time) + poured(settings, inputs, time),
            relief: base.map_or(0.0, |base| f64::from(range(base)) / units),
        }
    }

    /// Pixels that water goes in a frame, at most, for a gravity of 1: along an axis as if it went along the diagonal, so that
    /// what is carried both ways stays stable. The front of a broken dam goes two waves far, and falls are as high as all the
    /// heights there are; an eighth more leaves room for waves that pile up.
    pub fn distance(self) -> f64 {
        let (wave, fall) = (libm::sqrt(self.depth), libm::sqrt(2.0 * (self.depth + self.relief)));
        f64::max(3.2 * wave, 1.6 * fall)
    }
}

/// What emitters and rain bring to a cell, at most. A drop is half a unit high.
fn emitted(settings: &Settings, time: f64) -> f64 {
    let emitter: f64 = settings.emitters.iter().flatten().map(|e| clamp(e.rate, 0.0, 1e9) * time).sum();
    let rain = clamp(settings.rain, 0.0, 65536.0);
    emitter + if rain > 0.0 { f64::max(0.5, rain * time) } else { 0.0 }
}

/// What the source brings to a cell, at most.
fn poured(settings: &Settings, inputs: &Inputs, time: f64) -> f64 {
    let Some(source) = inputs.source.as_ref().filter(|_| settings.source_mode != SourceMode::StartFrame) else {
        return 0.0;
    };
    let channel = match settings.source_channel.or_luminance(source.has_alpha) {
        Channel::Alpha => 3,
        Channel::Red => 0,
        Channel::Green => 1,
        Channel::Blue => 2,
        // No brighter than its brightest channel.
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

/// The highest value of a field's cells less the lowest.
fn range(field: &Field) -> i32 {
    let rows = (1..=field.height()).map(|y| &field.row(y, 0)[1..=field.width()]);
    let [low, high] = rows.fold([i32::MAX, i32::MIN], |bounds, row| {
        row.iter().fold(bounds, |[low, high], &value| [low.min(value), high.max(value)])
    });
    high.saturating_sub(low)
}
