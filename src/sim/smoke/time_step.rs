//! Time step control: the sub-steps of a frame, and the part of the frame's amounts that each of them applies.

use super::device::Task;
use super::forcing::{Forcing, VelocityForcing};
use super::pressure::RECIPES;
use super::settings::Settings;
use crate::sim::fluid::{FieldId, Forces, Projection, VALUE_MAX};
use crate::sim::maths::{bounded, clamp};

/// Largest number of sub-steps of a frame.
pub const SUBSTEPS_MAX: u32 = 64;

/// Longest simulated time of a frame, in frames.
pub const FRAME_TIME_MAX: f64 = 1000.0;

/// The sub-steps of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeStep {
    /// Number of sub-steps.
    pub substeps: u32,
    /// The velocity asks for more sub-steps than [`SUBSTEPS_MAX`].
    pub limited: bool,
    /// Frames by which velocity advances: 0 in frames without an update, else `update_every`.
    pub velocity_frames: f64,
    /// Simulated time of a sub-step for velocity, frames.
    pub velocity_time: f64,
    /// Simulated time of a sub-step for the scalars, frames.
    pub scalar_time: f64,
}

impl TimeStep {
    /// The sub-steps of a frame that starts with a largest velocity component of `max_speed`, cells per frame.
    ///
    /// The CFL condition uses the larger of that speed and the largest speed to which forcing steers, plus the speed
    /// that forcing adds. It ignores weight and lift, whose effect within a frame is small.
    pub fn new(task: &Task, max_speed: f32) -> TimeStep {
        let settings = &task.settings;
        let every = i64::from(task.spec.constants.update_every.max(1));
        let solves = settings.frame.rem_euclid(every) == 0;
        let velocity_frames = if solves { every as f64 } else { 0.0 };
        let scalar_time = clamp(task.time, 0.0, FRAME_TIME_MAX);
        let speed = f64::from(max_speed).max(f64::from(steered(&task.forcing)))
            + f64::from(added(&task.forcing)) * velocity_frames;
        let distance = speed * scalar_time * velocity_frames.max(1.0);
        let wanted = (distance / clamp(settings.max_cfl, 0.01, 1e6)).ceil();
        let least = settings.substeps.clamp(1, SUBSTEPS_MAX as i32);
        let substeps = wanted.clamp(f64::from(least), f64::from(SUBSTEPS_MAX));
        TimeStep {
            substeps: substeps as u32,
            limited: wanted > f64::from(SUBSTEPS_MAX),
            velocity_frames,
            velocity_time: scalar_time * velocity_frames / substeps,
            scalar_time: scalar_time / substeps,
        }
    }

    /// Fraction of the frame's forcing of velocity that a sub-step applies.
    pub fn forcing_share(&self) -> f64 {
        self.velocity_frames / f64::from(self.substeps)
    }

    /// Time of one projection, frames. The solver's pressure is the pressure over density, times this.
    pub fn projection_time(&self, reflection: bool) -> f64 {
        // The lower bound keeps the inverse finite.
        (if reflection { self.velocity_time / 2.0 } else { self.velocity_time }).max(1e-6)
    }

    /// Fraction of the frame's inflow of scalars that a sub-step applies.
    pub fn inflow_share(&self) -> f64 {
        1.0 / f64::from(self.substeps)
    }

    /// The relaxation over `part` of a frame from one of `share` per frame: `1 − (1 − share)^part`.
    pub fn relaxation(share: f64, part: f64) -> f64 {
        let share = clamp(share, 0.0, 1.0);
        if share == 1.0 || share == 0.0 || part == 1.0 { share } else { 1.0 - libm::pow(1.0 - share, part) }
    }

    /// The forces over `time` frames. `scale`: cells per pixel.
    pub fn forces(settings: &Settings, time: f64, scale: f64) -> Forces {
        let drag = TimeStep::relaxation(settings.drag, time);
        let down = TimeStep::down(settings);
        let along = |amount: f64| {
            let [x, y] = down.map(|d| (d * bounded(amount * scale * time, f64::from(VALUE_MAX))) as f32);
            [x, y, 0.0]
        };
        Forces {
            keep: (1.0 - drag) as f32,
            weight: along(settings.weight),
            lift: along(-settings.lift),
            ambient: clamp(settings.ambient, 0.0, f64::from(VALUE_MAX)) as f32,
            // Velocity in cells is `scale` times that in pixels; vorticity does not depend on the scale.
            confinement: (clamp(settings.confinement, 0.0, 100.0) * time * scale) as f32,
        }
    }

    /// The unit vector along gravity.
    pub fn down(settings: &Settings) -> [f64; 2] {
        direction(settings.gravity)
    }

    /// The diffusion number of `time` frames of viscosity, cells².
    pub fn diffusion(settings: &Settings, time: f64, scale: f64) -> f64 {
        clamp(settings.viscosity * scale * scale * time, 0.0, 1e6)
    }

    /// The parameters of the projection onto the divergence of a source.
    pub fn projection(settings: &Settings, source: Option<FieldId>) -> Projection {
        Projection {
            solver: settings.solver,
            iterations: settings.iterations.clamp(1, 100_000) as u32,
            tolerance: clamp(settings.tolerance, 0.0, 1.0),
            recipes: RECIPES,
            source,
        }
    }
}

/// The unit vector at an angle in degrees; exact along the axes.
fn direction(degrees: f64) -> [f64; 2] {
    let degrees = if degrees.is_finite() { degrees.rem_euclid(360.0) } else { 270.0 };
    let quarter = (degrees / 90.0).floor();
    let within = (degrees - quarter * 90.0).to_radians();
    let (sin, cos) = (libm::sin(within), libm::cos(within));
    match quarter as i32 {
        0 => [cos, sin],
        1 => [-sin, cos],
        2 => [-cos, -sin],
        _ => [sin, -cos],
    }
}

/// The largest velocity that forcing steers to, cells per frame.
fn steered(forcing: &Forcing) -> f32 {
    let most = |forcing: &VelocityForcing| match forcing {
        VelocityForcing::Steer(patch) => {
            patch.values.iter().filter(|a| a[1] > 0.0).fold(0.0, |most: f32, a| most.max(a[0].abs()))
        }
        VelocityForcing::Add(_) => 0.0,
    };
    forcing.u.iter().chain(&forcing.v).map(most).fold(0.0, f32::max).min(VALUE_MAX)
}

/// The largest velocity that forcing adds in a frame, cells per frame.
fn added(forcing: &Forcing) -> f32 {
    let most = |forcing: &VelocityForcing| match forcing {
        VelocityForcing::Add(patch) => patch.values.iter().fold(0.0, |most: f32, a| most.max(a.abs())),
        VelocityForcing::Steer(_) => 0.0,
    };
    let all = |list: &[VelocityForcing]| list.iter().map(most).sum::<f32>();
    all(&forcing.u).max(all(&forcing.v)).min(VALUE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_are_exact() {
        for (degrees, expected) in [(0.0, [1.0, 0.0]), (90.0, [0.0, 1.0]), (180.0, [-1.0, 0.0]), (-90.0, [0.0, -1.0])] {
            assert_eq!(direction(degrees), expected);
        }
        assert_eq!(direction(f64::NAN), [0.0, -1.0]);
    }

    #[test]
    fn shares_of_substeps_make_up_a_frame() {
        let third = TimeStep::relaxation(0.7, 1.0 / 3.0);
        assert!((1.0 - (1.0 - third).powi(3) - 0.7).abs() < 1e-12);
        assert_eq!(
            [TimeStep::relaxation(1.0, 0.25), TimeStep::relaxation(0.0, 0.25), TimeStep::relaxation(f64::NAN, 1.0)],
            [1.0, 0.0, 0.0]
        );
    }
}
