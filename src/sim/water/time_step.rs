//! The number of steps of a frame, and their coefficients.

use super::depth_bounds::DepthBounds;
use super::fixed_point::{Coefficient, units_per_height};
use super::plan::Shallow;
use super::ripples::steps::RippleSteps;
use super::ripples::{self, dispersion::Coefficients};
use super::settings::{Constants, Model, Order, Settings};
use super::shallow::{Gain, SPEED_ONE};
use super::state::Spec;
use crate::sim::maths::clamp;

/// Steps per frame, at most.
pub const STEPS_MAX: u32 = 1024;

/// Viscosity of Shallow water at a smoothing of 1; it acts where water piles up, and there only.
const BORE_SMOOTHING: f64 = 5.0;

/// The steps of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeSteps {
    /// Number of steps.
    pub steps: u32,
    /// The speed needs more steps than a frame may take.
    pub cut: bool,
    /// Time per step, frames.
    pub dt: f64,
    /// Share of a flow that is left after damping, per step.
    pub keep: f64,
    /// Acceleration of a pipe of weight 1, per step.
    pub k: f64,
    /// Weight of a diagonal pipe.
    pub diagonal_weight: f64,
    /// Viscosity.
    pub smoothing: f64,
    /// Gravity, cells per step² for a slope of 1 height per cell (Shallow water).
    pub gravity: f64,
    /// Drag of the bed: slope in height per cell (Shallow water).
    pub friction: f64,
    /// Coefficients of the head operator (Ripples).
    pub head: Coefficients,
    /// Flow for a slope of 1 height per cell of a push; the square of the speed of long waves, cells per step
    /// (Ripples).
    pub push: f64,
}

/// Simulated time of a frame, clamped to 0 … 1,000.
pub(super) fn time_scale(settings: &Settings) -> f64 {
    clamp(settings.time_scale, 0.0, 1000.0)
}

/// Grid scale, clamped to 2^−20 … 2^20.
pub(super) fn cells_per_pixel(spec: &Spec) -> f64 {
    clamp(spec.grid.cells_per_pixel, 1.0 / 1048576.0, 1048576.0)
}

/// Range of colours, clamped to 2^−10 … 2^16 (NaN: 16).
pub(super) fn colour_range(constants: &Constants) -> f64 {
    let range = constants.colour_range;
    if range.is_nan() { 16.0 } else { range.clamp(1.0 / 1024.0, 65536.0) }
}

/// Units per 1.0 of height.
pub(super) fn units(constants: &Constants) -> f64 {
    match constants.model {
        Model::Ripples => f64::from(ripples::UNITS),
        Model::Pipes | Model::Classic | Model::ShallowWater => units_per_height(constants.max_height),
    }
}

impl TimeSteps {
    /// A frame without steps.
    pub const STILL: TimeSteps = TimeSteps {
        steps: 0,
        cut: false,
        dt: 0.0,
        keep: 1.0,
        k: 0.0,
        diagonal_weight: 0.0,
        smoothing: 0.0,
        gravity: 0.0,
        friction: 0.0,
        head: Coefficients::NONE,
        push: 0.0,
    };

    /// The steps of a frame. A `time_scale` of 0 takes none. Only Shallow water depends on `bounds`.
    pub fn new(spec: &Spec, settings: &Settings, bounds: DepthBounds) -> TimeSteps {
        let least = settings.substeps.clamp(1, STEPS_MAX as i32) as u32;
        let loss = clamp(settings.damping, 0.0, 1.0);
        let time = time_scale(settings);
        if time == 0.0 {
            return TimeSteps::STILL;
        }
        match spec.constants.model {
            Model::Classic => TimeSteps {
                steps: least,
                keep: libm::pow(1.0 - loss, 1.0 / f64::from(least)),
                k: clamp(settings.flow_rate, 0.0, 1.0),
                dt: 1.0 / f64::from(least),
                diagonal_weight: 1.0,
                ..TimeSteps::STILL
            },
            Model::Pipes => {
                let b = clamp(spec.constants.diagonal_weight, 0.0, 1.0);
                let smoothing = clamp(settings.smoothing, 0.0, 0.5);
                let v = clamp(settings.speed, 0.0, 1e6) * cells_per_pixel(spec) * time;
                let sum = 1.0 + 2.0 * b;
                let at = |steps: u32| {
                    let n = f64::from(steps);
                    let keep = libm::pow(1.0 - loss, time / n);
                    let limit = 0.425 * f64::min(0.5, 1.0 / sum) * (1.0 + keep) / (1.0 + 2.0 * smoothing);
                    (keep, (v / n) * (v / n) / sum, limit)
                };
                let steps = (least..=STEPS_MAX)
                    .find(|&n| {
                        let (_, k, limit) = at(n);
                        k <= limit
                    })
                    .unwrap_or(STEPS_MAX);
                let (keep, k, limit) = at(steps);
                TimeSteps {
                    steps,
                    cut: k > limit,
                    dt: time / f64::from(steps),
                    keep,
                    k: k.min(limit),
                    diagonal_weight: b,
                    smoothing,
                    ..TimeSteps::STILL
                }
            }
            Model::Ripples => {
                let RippleSteps { steps, cut, coefficients, push, .. } =
                    RippleSteps::new(settings, cells_per_pixel(spec), time, least);
                let dt = time / f64::from(steps);
                TimeSteps {
                    steps,
                    cut,
                    dt,
                    keep: libm::pow(1.0 - loss, dt),
                    diagonal_weight: 0.25,
                    smoothing: clamp(settings.smoothing, 0.0, 0.5),
                    head: coefficients,
                    push,
                    ..TimeSteps::STILL
                }
            }
            Model::ShallowWater => {
                let cells = cells_per_pixel(spec);
                let asked = clamp(settings.gravity, 0.0, 1e6) * cells * cells * time * time;
                let needed = libm::ceil(libm::sqrt(asked) * bounds.distance());
                let steps = clamp(needed, f64::from(least), f64::from(STEPS_MAX));
                let cut = needed > steps;
                let gravity = if cut { asked * (steps / needed) * (steps / needed) } else { asked };
                TimeSteps {
                    steps: steps as u32,
                    cut,
                    dt: time / steps,
                    keep: libm::pow(1.0 - loss, time / steps),
                    gravity: gravity / (steps * steps),
                    friction: clamp(settings.friction, 0.0, 1e6) / cells,
                    smoothing: f64::min(BORE_SMOOTHING * clamp(settings.smoothing, 0.0, 0.5), 1.0),
                    ..TimeSteps::STILL
                }
            }
        }
    }

    /// Coefficients of Shallow water, with `units` per 1.0 of height; zeros for pipes.
    pub fn shallow(&self, units: f64, order: Order) -> Shallow {
        let one = f64::from(SPEED_ONE);
        // The depths of both cells of a face gain from friction.
        Shallow {
            gravity: Gain::new(self.gravity * one / units),
            friction: Gain::new(2.0 * self.friction * units / one),
            order,
        }
    }

    /// Coefficients of a cross pipe with 0 to 4 blocked side diagonals, and of a diagonal pipe.
    pub fn pipes(&self, model: Model) -> ([Coefficient; 5], Coefficient) {
        match model {
            Model::Classic => ([Coefficient::new(self.k); 5], Coefficient::new(self.k)),
            Model::ShallowWater | Model::Ripples => ([Coefficient::ZERO; 5], Coefficient::ZERO),
            Model::Pipes => {
                let b = self.diagonal_weight;
                let cross = [0.0, 1.0, 2.0, 3.0, 4.0].map(|n| Coefficient::new(self.k * (1.0 + b / 2.0 * n)));
                (cross, Coefficient::new(self.k * b))
            }
        }
    }
}

/// The number of steps of a frame with these settings, and whether the speed was limited for want of steps. Steps of
/// Shallow water depend on the depth, too; the result holds for no water.
pub fn steps_per_frame(spec: &Spec, settings: &Settings) -> (u32, bool) {
    let steps = TimeSteps::new(spec, settings, DepthBounds::default());
    (steps.steps, steps.cut)
}
