//! The parameters of a simulation, in full-resolution pixels and frames.
//!
//! Values may be any numbers: code that uses them clamps them to their ranges, and NaN has no effect.

use super::time_step::FRAME_TIME_MAX;
use crate::sim::channel::Channel;
use crate::sim::fingerprint::fingerprinted;
pub use crate::sim::fluid::{Boundary, Scheme, Slip, Slips, Solver};
use crate::sim::grid::Grid;
use crate::sim::maths::clamp;

fingerprinted! {
    /// Parameters that hold for a whole simulation and cannot be animated.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Constants {
        /// Boundary conditions: left, right, bottom, top.
        pub edges: [Boundary; 4],
        /// Slip conditions.
        pub slip: Slips,
        /// Advection scheme of velocity.
        pub velocity_scheme: Scheme,
        /// Advection scheme of dye and temperature.
        pub dye_scheme: Scheme,
        /// Dye is read through a flow map; the dye's scheme advects the other scalars.
        pub flow_map: bool,
        /// Advection-reflection: two half steps with a reflection between, which keeps nearly all kinetic energy
        /// (Zehnder, Narain and Thomaszewski 2018).
        pub reflection: bool,
        /// The grid follows a point instead of covering the frame.
        pub follow: bool,
        /// Frames from one pressure solve to the next, at least 1. Frames between them only advect the scalars.
        pub update_every: u32,
    }
}

/// Grid and constants of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spec {
    /// The grid; where it follows a point, its position in the start frame.
    pub grid: Grid,
    /// Parameters that cannot be animated.
    pub constants: Constants,
}

fingerprinted! {
    /// Conversion of the Source to smoke.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SourceMode {
        /// Initial condition of the start frame; no effect later.
        StartFrame,
        /// Added over every frame.
        Add,
        /// Smoke is set where the Source is above 0.
        Replace,
        /// Smoke is raised to the Source, never lowered.
        FillUp,
    }

    /// Effect of the Velocity input.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum VelocityMode {
        /// The air is steered to the velocity where the picture is not 0.
        Set,
        /// The velocity is added, per frame.
        Add,
    }

    /// A brush that stirs the air and emits dye.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Brush {
        /// Position at the end of the frame, canonical.
        pub centre: [f64; 2],
        /// Position one frame earlier, canonical; `centre` in the first frame.
        pub previous: [f64; 2],
        /// Radius, pixels.
        pub radius: f64,
        /// Fraction of the radius over which the dye fades out, 0 to 1.
        pub softness: f64,
        /// Velocity of the air under the brush as a multiple of the velocity of the brush, 0 and up.
        pub force: f64,
        /// Colour and density of the dye, per frame.
        pub colour: [f64; 4],
    }

    /// A jet of air from a round nozzle, with dye and heat.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Jet {
        /// Number of the jet.
        pub number: i32,
        /// Position at the end of the frame, canonical.
        pub centre: [f64; 2],
        /// Position one frame earlier, canonical; `centre` in the first frame.
        pub previous: [f64; 2],
        /// Direction, degrees counter-clockwise from the right.
        pub direction: f64,
        /// Radius, pixels.
        pub radius: f64,
        /// Fraction of the radius over which dye and heat fade out, 0 to 1.
        pub softness: f64,
        /// Speed at the centre, pixels per frame.
        pub strength: f64,
        /// Colour and density of the dye, per frame.
        pub colour: [f64; 4],
        /// Temperature added per frame.
        pub heat: f64,
        /// Fuel at the centre, 0 to 1; 0 for a jet without fire.
        pub fuel: f64,
        /// Opening angle, degrees.
        pub spread: f64,
        /// Amplitude of the random variation of direction and strength, 0 to 1; smooth in time.
        pub random: f64,
        /// Strength of the moving noise that breaks the emission up, 0 (even) to 1 (with gaps).
        pub breakup: f64,
        /// Size of its patches, pixels.
        pub breakup_size: f64,
        /// Seed of the random variation and of the break-up.
        pub seed: i32,
        /// Pulses per simulated frame; 0 for a steady jet.
        pub pulse_rate: f64,
        /// Phase offset in pulses: keeps the phase continuous when `pulse_rate` changes.
        pub pulse_lead: f64,
        /// Duty cycle: fraction of a pulse in which the jet blows, 0 to 1.
        pub pulse_duty: f64,
    }

    /// A point force: an attractor or a vortex.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct PointForce {
        /// Position, canonical.
        pub centre: [f64; 2],
        /// Radius of the largest acceleration, pixels: the standard deviation of a Gaussian.
        pub radius: f64,
        /// Largest acceleration, pixels per frame². Positive attracts, or turns counter-clockwise.
        pub strength: f64,
    }

    /// Curl noise: a random divergence-free acceleration.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Noise {
        /// Root mean square acceleration, pixels per frame².
        pub strength: f64,
        /// Wavelength of the largest eddies, pixels.
        pub size: f64,
        /// Octaves, 1 to 6: each has eddies of half the size.
        pub octaves: i32,
        /// Rate of change, rotations of the pattern's gradients per simulated frame.
        pub speed: f64,
        /// Phase offset in rotations: keeps the pattern continuous when `speed` changes.
        pub lead: f64,
        /// Way that the wind has carried the pattern, pixels.
        pub drift: [f64; 2],
        /// Seed of the pattern.
        pub seed: i32,
    }

    /// A random divergence-free acceleration inside a flame.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Disturbance {
        /// Acceleration, pixels per frame².
        pub strength: f64,
        /// Size of the eddies, pixels.
        pub size: f64,
        /// Frames from one pattern to the next.
        pub pulse: f64,
        /// Seed of the patterns.
        pub seed: i32,
    }

    /// Fire with fuel. Rates are per simulated frame.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Fire {
        /// Height of a flame for which the rates are meant, pixels: gradients of temperature and the height over which
        /// the updraft grows are relative to it.
        pub size: f64,
        /// Fuel burnt per frame.
        pub rate: f64,
        /// Temperature at which fuel comes in, 0 to 1.
        pub pilot: f64,
        /// Temperature at which fuel begins to burn, 0 to 1.
        pub ignition: f64,
        /// Exponent of the rise of temperature per burnt fuel.
        pub heat: f64,
        /// Exponent of the growth of gas per burnt fuel: a full burn multiplies its volume by e^expansion.
        pub expansion: f64,
        /// Frames that flame gas glows.
        pub life: f64,
        /// Radiation: loss of a temperature of 1 per frame, proportional to the fourth power of the temperature.
        pub radiation: f64,
        /// Diffusion of temperature, pixels² per frame.
        pub diffusion: f64,
        /// Diffusion of flame gas and its age, pixels² per frame.
        pub gas_diffusion: f64,
        /// Soot per fuel burnt in old flame gas.
        pub soot: f64,
        /// Decay of soot per frame, as an exponent.
        pub soot_decay: f64,
        /// Weight of a soot of 1: acceleration along gravity, pixels per frame².
        pub soot_weight: f64,
        /// The disturbance, if it is on.
        pub disturbance: Option<Disturbance>,
        /// Growth of the velocity along the gradient of temperature, per frame.
        pub shredding: f64,
        /// Velocity of the air around the flame against gravity, pixels per frame.
        pub updraft: f64,
        /// Relaxation to the updraft, per frame, as an exponent.
        pub updraft_drag: f64,
    }

    /// The settings at one frame.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Settings {
        /// Frame number, if a setting depends on it (pulses, random variation, break-up, noise, disturbance,
        /// `update_every`), else 0.
        pub frame: i64,
        /// Simulated time per frame, 0 to 1,000.
        pub time_scale: f64,
        /// Offset of the simulated clock, frames: keeps it continuous when `time_scale` changes.
        pub time_lead: f64,
        /// Least number of sub-steps per frame.
        pub substeps: i32,
        /// Largest CFL number of a sub-step, cells.
        pub max_cfl: f64,
        /// Pressure solver.
        pub solver: Solver,
        /// Largest number of cycles, iterations, passes or sweeps per projection.
        pub iterations: i32,
        /// Tolerance: residual relative to the divergence before the projection.
        pub tolerance: f64,
        /// Kinematic viscosity, pixels² per frame.
        pub viscosity: f64,
        /// Strength of vorticity confinement, 0 and up: acceleration per vorticity, pixels per frame. 0.3 is strong.
        pub confinement: f64,
        /// Fraction of the dye lost per frame, 0 to 1.
        pub dissipation: f64,
        /// Fraction of the velocity lost per frame, 0 to 1.
        pub drag: f64,
        /// Fraction of the temperature above ambient lost per frame, 0 to 1.
        pub cooling: f64,
        /// Weight of a density of 1: acceleration along gravity, pixels per frame².
        pub weight: f64,
        /// Lift of a temperature of 1 above ambient: acceleration against gravity, pixels per frame².
        pub lift: f64,
        /// Ambient temperature, which causes no lift.
        pub ambient: f64,
        /// Direction of gravity, degrees counter-clockwise from the right; −90 is down.
        pub gravity: f64,
        /// Wind velocity, pixels per frame.
        pub wind: [f64; 2],
        /// Relaxation rate towards the wind: fraction of the difference per frame, 0 to 1.
        pub wind_drag: f64,
        /// The attractor, if it is on.
        pub attractor: Option<PointForce>,
        /// The vortex, if it is on.
        pub vortex: Option<PointForce>,
        /// The noise, if it is on.
        pub noise: Option<Noise>,
        /// The brush, if it is on.
        pub brush: Option<Brush>,
        /// The jets that are on.
        pub jets: Vec<Jet>,
        /// The fire, from the first frame with fuel on.
        pub fire: Option<Fire>,
        /// Conversion of the Source to smoke.
        pub source_mode: SourceMode,
        /// Channel of the Source that is the density. RGB counts as premultiplied by it unless it is alpha.
        pub source_channel: Channel,
        /// Density of a Source value of 1.
        pub source_density: f64,
        /// Effect of the Velocity input.
        pub velocity_mode: VelocityMode,
        /// Pixels per frame for a Velocity value of 1.
        pub velocity_scale: f64,
        /// Channel of the Heat input that is the temperature.
        pub heat_channel: Channel,
        /// Temperature per frame for a Heat value of 1.
        pub heat_scale: f64,
        /// Factor of the solids' velocity at their faces.
        pub obstacle_push: f64,
        /// Position that a following grid is centred on, canonical.
        pub grid_centre: [f64; 2],
        /// Fraction of the grid's motion that its contents follow, 0 to 1.
        pub inherit: f64,
    }
}

impl Settings {
    /// Simulated frames per frame, clamped to 0 … [`FRAME_TIME_MAX`].
    pub fn frame_time(&self) -> f64 {
        clamp(self.time_scale, 0.0, FRAME_TIME_MAX)
    }

    /// Simulated clock since frame 0, frames: drives pulses, random variation and noise.
    pub fn clock(&self) -> f64 {
        let clock = self.frame_time() * self.frame as f64 + self.time_lead;
        if clock.is_finite() { clock } else { 0.0 }
    }
}
