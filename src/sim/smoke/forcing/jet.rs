//! Jets of air from round nozzles, with opening angle, random variation, pulses, and an emission that is broken up.

use super::Forcing;
use super::brush_stroke::{Breakup, BrushStroke};
use super::raster::{AMOUNT_MAX, Raster, SPEED_MAX};
use crate::sim::maths::{bounded, clamp};
use crate::sim::noise::{PATCHES_PULSE, patterns};
use crate::sim::smoke::settings::{Fire, Jet};
use crate::sim::variation::{Pulse, wander};

/// Largest deviation of the direction, degrees.
const DEVIATION_MAX: f64 = 60.0;

/// Rasterises a jet: steers the air under its disc along its path over the frame, and emits dye, heat and fuel. With
/// pulses, all are scaled by the fraction of the frame in which the jet blows.
pub(super) fn rasterise(forcing: &mut Forcing, raster: &Raster<'_>, jet: &Jet, fire: Option<&Fire>, clock: f64) {
    let pulse = Pulse { rate: jet.pulse_rate, lead: jet.pulse_lead, duty: jet.pulse_duty };
    let active = pulse.active_fraction(clock, raster.frame_time());
    if active <= 0.0 {
        return;
    }
    let Some(stroke) = BrushStroke::new(raster, [jet.previous, jet.centre], jet.radius, jet.softness) else { return };
    let amount = clamp(jet.breakup, 0.0, 1.0);
    let breakup = (amount > 0.0).then(|| Breakup {
        amount,
        size: clamp(jet.breakup_size, 1.0, AMOUNT_MAX),
        seed: jet.seed,
        patterns: patterns(clock, PATCHES_PULSE),
    });
    let stroke = stroke.broken_up(breakup);
    let random = clamp(jet.random, 0.0, 1.0);
    let direction = bounded(jet.direction, AMOUNT_MAX) + DEVIATION_MAX * random * wander(clock, jet.seed, 0);
    let speed = bounded(jet.strength, SPEED_MAX) * (1.0 + random * wander(clock, jet.seed, 1)) * raster.scale;
    let (axis, spread) = (direction.to_radians(), clamp(jet.spread, 0.0, 360.0).to_radians());
    let ahead = [libm::cos(axis), libm::sin(axis)];
    if speed != 0.0 {
        stroke.steer(forcing, raster, active, |[x, y]| {
            let [cos, sin] = if spread > 0.0 {
                let side = ((y * ahead[0] - x * ahead[1]) / stroke.radius()).clamp(-1.0, 1.0);
                let angle = axis + side * spread / 2.0;
                [libm::cos(angle), libm::sin(angle)]
            } else {
                ahead
            };
            [cos * speed, sin * speed]
        });
    }
    let [r, g, b, density] = jet.colour;
    stroke.emit(forcing, raster, [r, g, b, density * active], bounded(jet.heat, AMOUNT_MAX) * active);
    if let Some(fire) = fire {
        stroke.feed(forcing, raster, clamp(jet.fuel, 0.0, 1.0) * active, clamp(fire.pilot, 0.0, 1.0));
    }
}
