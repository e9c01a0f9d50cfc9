//! Every number an artist sets, in full-resolution pixels and frames, as the simulation sees it.
//!
//! Values may be anything: whoever uses one holds it to its range, and takes NaN as the value that does nothing.

use super::time_step::FRAME_TIME_MAX;
use crate::sim::channel::Channel;
pub use crate::sim::fluid::{Boundary, Scheme, Slip, Slips, Solver};
use crate::sim::grid::Grid;
use crate::sim::maths::clamp;

/// What holds for a whole simulation: it cannot be animated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constants {
    /// Left, right, bottom, top.
    pub edges: [Boundary; 4],
    /// Slip conditions.
    pub slip: Slips,
    /// How velocity is carried.
    pub velocity_scheme: Scheme,
    /// How dye and temperature are carried.
    pub dye_scheme: Scheme,
    /// Two half steps with a reflection between: hardly any energy is lost.
    pub reflection: bool,
    /// The grid follows a point instead of covering the frame.
    pub follow: bool,
    /// Frames from one solution of the pressure to the next, at least 1; in between, what the air carries moves on.
    pub update_every: u32,
}

/// What a simulation stands on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spec {
    /// The cells, at the first frame where the grid follows a point.
    pub grid: Grid,
    /// What cannot be animated.
    pub constants: Constants,
}

/// How the Source becomes smoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceMode {
    /// The smoke there at the start; nothing after.
    StartFrame,
    /// Added over every frame.
    Add,
    /// Smoke is set where the Source is above 0.
    Replace,
    /// Smoke is raised to the Source, never lowered.
    FillUp,
}

/// How the pictures of velocity act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VelocityMode {
    /// The air takes the velocity on where the picture is not 0.
    Set,
    /// The velocity is added, per frame.
    Add,
}

/// A point that stirs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// Where it is at the end of the frame, canonical.
    pub centre: [f64; 2],
    /// Where it was a frame ago; equal to `centre` on the first.
    pub previous: [f64; 2],
    /// Radius, pixels.
    pub radius: f64,
    /// Share of the radius across which its dye fades, 0 to 1.
    pub softness: f64,
    /// Share of its own velocity that the air under it takes on, 0 and up.
    pub force: f64,
    /// Colour and density of its dye, per frame.
    pub colour: [f64; 4],
}

/// A nozzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// Which of the jets it is.
    pub number: i32,
    /// Where it is at the end of the frame, canonical.
    pub centre: [f64; 2],
    /// Where it was a frame ago; equal to `centre` on the first.
    pub previous: [f64; 2],
    /// Where it blows, degrees counter-clockwise from the right.
    pub direction: f64,
    /// Radius, pixels.
    pub radius: f64,
    /// Share of the radius across which its dye and heat fade, 0 to 1.
    pub softness: f64,
    /// Speed in its middle, pixels per frame.
    pub strength: f64,
    /// Colour and density of its dye, per frame.
    pub colour: [f64; 4],
    /// Heat of its dye, per frame.
    pub heat: f64,
    /// Opening angle, degrees.
    pub spread: f64,
    /// Share by which direction and strength wander, smooth in time.
    pub random: f64,
    /// Seed of the wandering.
    pub seed: i32,
    /// Pulses per simulated frame; 0 blows all the time.
    pub pulse_rate: f64,
    /// Pulses more than the rate makes since frame 0, for a rate that has changed.
    pub pulse_lead: f64,
    /// Share of a pulse in which it blows, 0 to 1.
    pub pulse_duty: f64,
}

/// Pull towards a point, or a spin around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointForce {
    /// Where it is, canonical.
    pub centre: [f64; 2],
    /// Radius of its reach (a Gaussian's standard deviation), pixels.
    pub radius: f64,
    /// Greatest acceleration, pixels per frame². Positive pulls, or spins counter-clockwise.
    pub strength: f64,
}

/// Eddies out of nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Root mean square acceleration, pixels per frame².
    pub strength: f64,
    /// Size of the eddies, pixels.
    pub size: f64,
    /// How fast they change, turns of the pattern per simulated frame.
    pub speed: f64,
    /// Turns more than the speed makes since frame 0, for a speed that has changed.
    pub lead: f64,
    /// Another number, another pattern.
    pub seed: i32,
}

/// The settings at one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Number of the frame where something depends on it (pulses, wandering, noise, `update_every`), else 0.
    pub frame: i64,
    /// Simulated time per frame, 0 to 1,000.
    pub time_scale: f64,
    /// Simulated frames more than the time scale makes since frame 0, for one that has changed.
    pub time_lead: f64,
    /// Least number of sub-steps per frame.
    pub substeps: i32,
    /// Most cells that anything may move in a sub-step.
    pub max_cfl: f64,
    /// How the pressure is found.
    pub solver: Solver,
    /// Most cycles, iterations, passes or sweeps per projection.
    pub iterations: i32,
    /// Residual, against the divergence before, at which the pressure is good.
    pub tolerance: f64,
    /// Kinematic viscosity, pixels² per frame.
    pub viscosity: f64,
    /// Strength of vorticity confinement, 0 and up; 0.3 is lively. Acceleration per vorticity, pixels per frame.
    pub confinement: f64,
    /// Share of dye lost per frame, 0 to 1.
    pub dissipation: f64,
    /// Share of velocity lost per frame, 0 to 1.
    pub drag: f64,
    /// Share of the temperature above ambient lost per frame, 0 to 1.
    pub cooling: f64,
    /// Weight of a density of 1: acceleration along gravity, pixels per frame².
    pub weight: f64,
    /// Lift of a temperature of 1 above ambient: acceleration against gravity, pixels per frame².
    pub lift: f64,
    /// Temperature that does not rise.
    pub ambient: f64,
    /// Direction of gravity, degrees counter-clockwise from the right; −90 is down.
    pub gravity: f64,
    /// Velocity to which the wind drives the air, pixels per frame.
    pub wind: [f64; 2],
    /// Share of the difference to the wind that is made up per frame, 0 to 1.
    pub wind_drag: f64,
    /// Pull.
    pub attractor: Option<PointForce>,
    /// Spin.
    pub vortex: Option<PointForce>,
    /// Eddies.
    pub noise: Option<Noise>,
    /// The brush, where it is on.
    pub brush: Option<Brush>,
    /// The jets that are on.
    pub jets: Vec<Jet>,
    /// How the Source becomes smoke.
    pub source_mode: SourceMode,
    /// The channel of the Source that is its density. Where it is not alpha, RGB counts as multiplied by it.
    pub source_channel: Channel,
    /// Density of a Source value of 1.
    pub source_density: f64,
    /// How the Velocity input acts.
    pub velocity_mode: VelocityMode,
    /// Pixels per frame for a Velocity value of 1.
    pub velocity_scale: f64,
    /// The channel of the Heat input that is heat.
    pub heat_channel: Channel,
    /// Temperature per frame for a Heat value of 1.
    pub heat_scale: f64,
    /// Share of the solids' own motion that the air feels.
    pub obstacle_push: f64,
    /// Where the middle of a grid that follows is to be, canonical.
    pub grid_centre: [f64; 2],
    /// Share of the grid's motion that what it holds takes part in, 0 to 1.
    pub inherit: f64,
}

impl Settings {
    /// Simulated frames in a frame, held to its range.
    pub fn frame_time(&self) -> f64 {
        clamp(self.time_scale, 0.0, FRAME_TIME_MAX)
    }

    /// Simulated frames since frame 0, by which pulses, wandering and noise go.
    pub fn clock(&self) -> f64 {
        let clock = self.frame_time() * self.frame as f64 + self.time_lead;
        if clock.is_finite() { clock } else { 0.0 }
    }
}
