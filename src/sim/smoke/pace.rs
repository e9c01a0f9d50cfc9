//! How a frame is cut into sub-steps, and each one's share of what happens in the frame.

use super::device::Task;
use super::drive::{Drive, Push};
use super::machine::{Forces, MOST};
use super::pressure::Projection;
use super::settings::Settings;
use crate::sim::maths::clamp;

/// Most sub-steps that a frame may take.
pub const SUBSTEPS_MAX: u32 = 64;

/// Longest simulated time of a frame, frames.
pub const LONGEST: f64 = 1000.0;

/// The sub-steps of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pace {
    /// How many.
    pub substeps: u32,
    /// More were wanted.
    pub cut: bool,
    /// Frames that velocity moves on in this one: 0 where it stays, `update_every` where it has been waiting.
    pub frames: f64,
    /// Simulated time of a sub-step: of velocity.
    pub time: f64,
    /// Of what the air carries.
    pub drift: f64,
}

/// A finite number within ±`most`; NaN becomes 0.
fn bounded(value: f64, most: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-most, most) }
}

impl Pace {
    /// `largest`: of the velocities at the start of the frame, cells per frame.
    ///
    /// The velocity that a sub-step has to allow for is the largest there is, or towards which it is steered, and all that
    /// is added to it; weight and lift are left out, since what they do in a frame is small.
    pub fn new(task: &Task, largest: f32) -> Pace {
        let settings = &task.settings;
        let every = i64::from(task.spec.constants.update_every.max(1));
        let solves = settings.frame.rem_euclid(every) == 0;
        let frames = if solves { every as f64 } else { 0.0 };
        let drift = clamp(task.time, 0.0, LONGEST);
        let reach = f64::from(largest).max(f64::from(steered(&task.drive))) + f64::from(added(&task.drive)) * frames;
        let distance = reach * drift * frames.max(1.0);
        let wanted = (distance / clamp(settings.max_cfl, 0.01, 1e6)).ceil();
        let least = settings.substeps.clamp(1, SUBSTEPS_MAX as i32);
        let substeps = wanted.clamp(f64::from(least), f64::from(SUBSTEPS_MAX));
        Pace {
            substeps: substeps as u32,
            cut: wanted > f64::from(SUBSTEPS_MAX),
            frames,
            time: drift * frames / substeps,
            drift: drift / substeps,
        }
    }

    /// A sub-step's share of what is added over a frame: to velocity.
    pub fn push(&self) -> f64 {
        self.frames / f64::from(self.substeps)
    }

    /// Time, in frames, whose pressure is found at once: what is found is the pressure over density times this.
    pub fn pressed(&self, reflection: bool) -> f64 {
        // No time is so short that its inverse is no number.
        (if reflection { self.time / 2.0 } else { self.time }).max(1e-6)
    }

    /// To what the air carries.
    pub fn inflow(&self) -> f64 {
        1.0 / f64::from(self.substeps)
    }

    /// The share of the way gone in `part` of a frame, where it is `share` in a whole one.
    pub fn way(share: f64, part: f64) -> f64 {
        let share = clamp(share, 0.0, 1.0);
        if share == 1.0 || share == 0.0 || part == 1.0 { share } else { 1.0 - libm::pow(1.0 - share, part) }
    }

    /// The forces of `time` frames. `scale`: cells per pixel.
    pub fn forces(settings: &Settings, time: f64, scale: f64) -> Forces {
        let drag = Pace::way(settings.drag, time);
        let down = direction(settings.gravity);
        let along = |amount: f64| down.map(|d| (d * bounded(amount * scale * time, f64::from(MOST))) as f32);
        Forces {
            keep: (1.0 - drag) as f32,
            weight: along(settings.weight),
            lift: along(-settings.lift),
            ambient: clamp(settings.ambient, 0.0, f64::from(MOST)) as f32,
            // A velocity of so many pixels is `scale` times as many cells, and vorticity the same at any scale.
            confinement: (clamp(settings.confinement, 0.0, 100.0) * time * scale) as f32,
        }
    }

    /// What `time` frames of viscosity are, in cells².
    pub fn diffusion(settings: &Settings, time: f64, scale: f64) -> f64 {
        clamp(settings.viscosity * scale * scale * time, 0.0, 1e6)
    }

    /// How the pressure is to be found.
    pub fn projection(settings: &Settings) -> Projection {
        Projection {
            solver: settings.solver,
            iterations: settings.iterations.clamp(1, 100_000) as u32,
            tolerance: clamp(settings.tolerance, 0.0, 1.0),
        }
    }
}

/// The unit vector at `degrees`; exact along the axes.
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

/// The largest velocity that anything is steered to.
fn steered(drive: &Drive) -> f32 {
    let most = |push: &Push| match push {
        Push::Steer(patch) => patch.values.iter().filter(|a| a[1] > 0.0).fold(0.0, |most: f32, a| most.max(a[0].abs())),
        Push::Add(_) => 0.0,
    };
    drive.u.iter().chain(&drive.v).map(most).fold(0.0, f32::max).min(MOST)
}

/// The most that is added to any velocity in a frame.
fn added(drive: &Drive) -> f32 {
    let most = |push: &Push| match push {
        Push::Add(patch) => patch.values.iter().fold(0.0, |most: f32, a| most.max(a.abs())),
        Push::Steer(_) => 0.0,
    };
    let all = |pushes: &[Push]| pushes.iter().map(most).sum::<f32>();
    all(&drive.u).max(all(&drive.v)).min(MOST)
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
        let third = Pace::way(0.7, 1.0 / 3.0);
        assert!((1.0 - (1.0 - third).powi(3) - 0.7).abs() < 1e-12);
        assert_eq!([Pace::way(1.0, 0.25), Pace::way(0.0, 0.25), Pace::way(f64::NAN, 1.0)], [1.0, 0.0, 0.0]);
    }
}
