//! The steps of a frame: their number, and the coefficients of the head operator.

use std::f64::consts::PI;

use super::dispersion::{Coefficients, Dispersion};
use crate::sim::maths::clamp;
use crate::sim::water::settings::Settings;
use crate::sim::water::time_step::STEPS_MAX;

/// Greatest ω² of a wave of two cells, per step squared.
const FASTEST: f64 = 4.8;
/// Greatest eigenvalue of a step; it is stable below 4.
const LARGEST: f64 = 3.8;
/// Greatest ratio of tension to gravity, cells²; the fit fails beyond.
const TENSION: f64 = 7.5;
/// Least depth, cells.
const SHALLOWEST: f64 = 0.5;

/// The steps of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RippleSteps {
    /// Number of steps.
    pub steps: u32,
    /// The speed needs more steps than a frame may take, and is lowered.
    pub cut: bool,
    /// The dispersion relation of the steps.
    pub dispersion: Dispersion,
    /// Coefficients of the head operator.
    pub coefficients: Coefficients,
    /// Flow per step for a slope of a push of 1 height per cell.
    pub push: f64,
}

/// The dispersion relation of a frame of length `time`, in cells and frames.
fn dispersion(settings: &Settings, cells: f64, time: f64) -> Dispersion {
    let speed = clamp(settings.speed, 0.0, 1e6) * cells * time;
    let length = clamp(settings.ripple_length, 1.0, 1e6) * cells;
    let slowest = clamp(settings.ripple_slowest, 0.0, 1e6) * cells / (2.0 * PI);
    let depth =
        if settings.ripple_depth > 0.0 { (settings.ripple_depth * cells).max(SHALLOWEST) } else { f64::INFINITY };
    let gravity = 2.0 * PI * speed * speed / length;
    Dispersion { gravity, tension: gravity * (slowest * slowest).min(TENSION), depth }
}

impl RippleSteps {
    /// The steps of a frame of length `time` on a grid of `cells` per full-resolution pixel: at least `least`.
    pub fn new(settings: &Settings, cells: f64, time: f64, least: u32) -> RippleSteps {
        let smoothing = clamp(settings.smoothing, 0.0, 0.5);
        let frame = dispersion(settings, cells, time);
        let needed = libm::ceil(libm::sqrt(frame.square(PI) / FASTEST));
        let mut cut = needed > f64::from(STEPS_MAX);
        let mut steps = clamp(needed, f64::from(least), f64::from(STEPS_MAX)) as u32;
        let mut speed_factor = if cut { f64::from(STEPS_MAX) / needed } else { 1.0 };
        loop {
            // Gravity and tension per step² from those per frame².
            let scale = speed_factor * speed_factor / (f64::from(steps) * f64::from(steps));
            let dispersion =
                Dispersion { gravity: frame.gravity * scale, tension: frame.tension * scale, depth: frame.depth };
            let coefficients = Coefficients::fit(&dispersion);
            if dispersion.square(PI) <= FASTEST && coefficients.largest(smoothing) <= LARGEST {
                // Squared speed of long waves: gravity·depth; in deep water that of the wave with the given speed,
                // gravity·length / 2π.
                let length = clamp(settings.ripple_length, 1.0, 1e6) * cells;
                let push = dispersion.gravity * dispersion.depth.min(length / (2.0 * PI));
                return RippleSteps { steps, cut, dispersion, coefficients, push };
            }
            if steps < STEPS_MAX {
                steps += 1;
            } else {
                (cut, speed_factor) = (true, speed_factor * 0.9);
            }
        }
    }
}
