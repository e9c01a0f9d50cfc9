//! The plan of a step: coefficients, emitters and box, which are all that a device needs besides the state.

use super::fields::Bounds;
use super::force_fields::ForceFields;
use super::projected::ProjectedSolid;
use super::settings::{Fire, Settings, Side};
use super::solids::Body;
use super::sources::Source;
use crate::sim::fluid::combustion::Burning;
use crate::sim::maths::{bounded, clamp};

/// Largest velocity and acceleration, cells per frame and frame².
pub const VELOCITY_MAX: f64 = 1e4;

/// Largest viscosity times a step, cells²: explicit diffusion is stable up to a sixth.
const DIFFUSION_MAX: f64 = 0.15;

/// Largest number of multigrid cycles of a projection.
pub const CYCLES_MAX: u32 = 12;

/// Largest number of iterations of a projection among solids; each has one multigrid cycle.
pub const ITERATIONS_MAX: u32 = 40;

/// Residual at which a projection ends, relative to the divergence before.
pub const TOLERANCE: f64 = 1e-3;

/// The plan of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepPlan {
    /// The box.
    pub bounds: Bounds,
    /// Cells of the scalars along each side of a cell of the velocity.
    pub detail: usize,
    /// The sides of the box.
    pub sides: [[Side; 2]; 3],
    /// Number of the step, which the rounding depends on.
    pub number: u32,
    /// Length of the step, simulated frames.
    pub time: f32,
    /// Whether the step is two half steps with a reflection of the velocity between them.
    pub reflection: bool,
    /// Emitters.
    pub sources: Vec<Source>,
    /// Solids.
    pub solids: Vec<Body>,
    /// Solids of pictures.
    pub projected: Vec<ProjectedSolid>,
    /// Factors of the density and the temperature over the step, by which they decay.
    pub keep: [f32; 2],
    /// Forces.
    pub forces: Forces,
    /// Burning.
    pub fire: Option<Combustion>,
}

/// Coefficients of the accelerations, in cells and frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Forces {
    /// Upward acceleration per density, temperature, fuel and soot.
    pub lift: [f32; 4],
    /// Velocity of the ambient air.
    pub wind: [f32; 3],
    /// Rate of the relaxation of the velocity to `wind`, per frame.
    pub drag: f32,
    /// Viscosity, cells² per frame.
    pub viscosity: f32,
    /// Vorticity confinement.
    pub confinement: f32,
    /// Turbulence, attractor and vortex.
    pub fields: Option<ForceFields>,
}

/// Burning over a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Combustion {
    /// Rates.
    pub burning: Burning,
    /// Divergence per fuel burnt per frame.
    pub expansion: f32,
    /// Three times the loss of temperature by radiation in the step at a temperature of 1.
    pub radiation: f32,
}

impl Combustion {
    fn new(fire: &Fire, time: f64) -> Self {
        let Fire { rate, ignition, heat, expansion, life, radiation, soot, soot_decay } = *fire;
        Self {
            burning: Burning {
                rate: (clamp(rate, 0.0, 1e3) * time) as f32,
                ignition: clamp(ignition, 0.0, 1.0) as f32,
                heat: clamp(heat, 0.0, 1e3) as f32,
                ageing: (time / clamp(life, 0.1, 1e6)) as f32,
                keep: libm::exp(-clamp(soot_decay, 0.0, 1e3) * time) as f32,
                soot: clamp(soot, 0.0, 1e3) as f32,
                per_frame: (1.0 / time) as f32,
            },
            expansion: clamp(expansion, 0.0, 100.0) as f32,
            radiation: (3.0 * clamp(radiation, 0.0, 1e6) * time) as f32,
        }
    }
}

impl StepPlan {
    /// Whether an emitter has smoke of another colour than white.
    pub fn is_coloured(&self) -> bool {
        self.sources.iter().any(Source::is_coloured)
    }

    /// A step of `time` frames at the simulated time `clock` in a box.
    pub fn new(
        settings: &Settings,
        bounds: Bounds,
        (sources, solids): (Vec<Source>, Vec<Body>),
        (number, time, clock): (u32, f64, f64),
    ) -> Self {
        let keep = |decay: f64| libm::exp(-clamp(decay, 0.0, 1e3) * time) as f32;
        let number_of = |value: f64| bounded(value, VELOCITY_MAX) as f32;
        let Settings { buoyancy, weight, soot_weight, .. } = *settings;
        Self {
            bounds,
            detail: settings.detail,
            sides: super::extent::sides(settings, bounds),
            number,
            time: time as f32,
            reflection: settings.reflection,
            sources,
            solids,
            projected: settings.projected.0.clone(),
            keep: [keep(settings.dissipation), keep(settings.cooling)],
            forces: Forces {
                lift: [-weight, buoyancy, 0.0, -soot_weight].map(number_of),
                wind: settings.wind.map(number_of),
                drag: clamp(settings.drag, 0.0, 1e3) as f32,
                viscosity: clamp(settings.viscosity, 0.0, DIFFUSION_MAX / time) as f32,
                confinement: clamp(settings.confinement, 0.0, 1e3) as f32,
                fields: ForceFields::new(settings, clock),
            },
            fire: settings.fire.as_ref().map(|fire| Combustion::new(fire, time)),
        }
    }
}
