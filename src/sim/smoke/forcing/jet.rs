//! Jets of air from round nozzles, with opening angle, random variation, pulses, and an emission that is broken up.

use super::Forcing;
use super::brush_stroke::{Breakup, BrushStroke};
use super::raster::{AMOUNT_MAX, Raster, SPEED_MAX, smoothstep};
use crate::sim::hash::{hash, unit};
use crate::sim::maths::{bounded, clamp};
use crate::sim::noise::{PATCHES_PULSE, patterns};
use crate::sim::smoke::settings::{Fire, Jet};

/// Periods of the random variation, frames, and their weights.
const OCTAVES: [(f64, f64); 2] = [(24.0, 2.0 / 3.0), (9.0, 1.0 / 3.0)];

/// Largest deviation of the direction, degrees.
const DEVIATION_MAX: f64 = 60.0;

/// Rasterises a jet: steers the air under its disc along its path over the frame, and emits dye, heat and fuel. With
/// pulses, all are scaled by the fraction of the frame in which the jet blows.
pub(super) fn rasterise(forcing: &mut Forcing, raster: &Raster<'_>, jet: &Jet, fire: Option<&Fire>, clock: f64) {
    let active = active_fraction(clock, raster.frame_time(), jet);
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

/// Smooth value noise of the clock, from −1 to 1; `which` selects one of several independent ones.
fn wander(clock: f64, seed: i32, which: u64) -> f64 {
    OCTAVES.iter().enumerate().fold(0.0, |sum, (turn, (frames, weight))| {
        let at = clock / frames;
        let knot = libm::floor(at);
        let value = |k: i64| unit(hash(seed, k, turn as u64, which)) * 2.0 - 1.0;
        let (from, to) = (value(knot as i64), value((knot as i64).saturating_add(1)));
        sum + weight * (from + (to - from) * smoothstep(at - knot))
    })
}

/// Fraction of a frame in which a jet blows. A pulse begins at each integer phase and lasts for the duty cycle. Its
/// edges are ramps over a tenth of its shorter phase (blowing or pausing), or over a frame if that is longer.
fn active_fraction(clock: f64, frame_time: f64, jet: &Jet) -> f64 {
    let (rate, duty) = (clamp(jet.pulse_rate, 0.0, 1e3), clamp(jet.pulse_duty, 0.0, 1.0));
    if rate == 0.0 || duty == 1.0 {
        return 1.0;
    }
    let blown = |phase: f64| libm::floor(phase) * duty + (phase - libm::floor(phase)).min(duty);
    let turns = bounded(clock * rate + jet.pulse_lead, AMOUNT_MAX);
    let phase = turns - libm::floor(turns);
    let window = (rate * frame_time).max(0.1 * duty.min(1.0 - duty));
    ((blown(phase + window) - blown(phase)) / window).clamp(0.0, 1.0)
}
