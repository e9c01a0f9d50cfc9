//! The parameters of a frame, in cells and frames. Positions are in cells from the lower corner of the artist's bounds.

use super::matte::MatteSource;
use super::projected::ProjectedSolids;
use super::source_grids::FileSource;
use super::turn::Turn;
use crate::sim::fingerprint::fingerprinted;

/// Largest number of emitters.
pub const EMITTERS: usize = 4;

/// Largest number of solids.
pub const SOLIDS: usize = 4;

fingerprinted! {
    /// The condition at a side of the artist's bounds.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Side {
        /// Still or moving air beyond, at pressure 0.
        Open,
        /// A wall without friction.
        Closed,
        /// Joined to the opposite side.
        Wrapped,
    }

    /// The shape of an emitter or a solid.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Shape {
        /// A ball.
        Sphere,
        /// A box.
        Box,
        /// A cylinder with round ends along its axis.
        Capsule,
        /// A flat cylinder.
        Disc,
    }

    /// The way in which an emitter changes density.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Mode {
        /// Up to its amount.
        Fill,
        /// By its amount per frame.
        Add,
        /// To its amount.
        Replace,
    }

    /// An emitter.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Emitter {
        /// Its shape.
        pub shape: Shape,
        /// The file that is its shape instead. Density, temperature and fuel are factors of the file's grids then.
        pub file: Option<FileSource>,
        /// The matte that is its shape instead. It stands still in the frame.
        pub matte: Option<MatteSource>,
        /// Centre at the end of the frame.
        pub centre: [f64; 3],
        /// Centre one frame earlier.
        pub previous: [f64; 3],
        /// Radius; half the width and depth of a box.
        pub radius: f64,
        /// Height of a box, a disc and the straight part of a capsule.
        pub height: f64,
        /// Width of the rim as a share of the radius, 0 to 1.
        pub softness: f64,
        /// Share of the emission that a noise takes away, which moves with the velocity of the emitter, 0 to 1.
        pub breakup: f64,
        /// Size of a cell of that noise, cells of the volume.
        pub breakup_size: f64,
        /// Seed of that noise.
        pub seed: i32,
        /// The way in which the emitter changes the density.
        pub mode: Mode,
        /// Density.
        pub density: f64,
        /// Colour of the smoke, 0 to 1; white leaves the colour to the shading settings.
        pub colour: [f64; 3],
        /// Temperature to which the emitter heats cooler gas.
        pub temperature: f64,
        /// Fuel to which the emitter fills gas with less of it.
        pub fuel: f64,
        /// Velocity of the gas in the emitter; `None` where it is not changed.
        pub velocity: Option<[f64; 3]>,
        /// Amplitude of the random variation of its direction and strength, 0 to 1; smooth in time.
        pub wander: f64,
        /// Root mean square of the variation of velocity from place to place, relative to its length.
        pub velocity_noise: f64,
        /// Size of a cell of that noise, cells of the volume.
        pub velocity_noise_size: f64,
        /// Pulses per simulated frame; 0 for a steady emission.
        pub pulse_rate: f64,
        /// Fraction of a pulse in which it emits, 0 to 1.
        pub pulse_duty: f64,
        /// Divergence in the emitter, per frame.
        pub expansion: f64,
    }

    /// A solid, which the air flows around. One that moves pushes the air.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Solid {
        /// Its shape.
        pub shape: Shape,
        /// The file that is its shape instead: the depth below the surface of a level set.
        pub file: Option<FileSource>,
        /// Centre at the end of the frame.
        pub centre: [f64; 3],
        /// Centre one frame earlier.
        pub previous: [f64; 3],
        /// Radius; half the width and depth of a box. A solid with a radius of 0 is none.
        pub radius: f64,
        /// Height of a box, a disc and the straight part of a capsule.
        pub height: f64,
        /// Its orientation; `None` where it stands upright without turning.
        pub turn: Option<Turn>,
    }

    /// Turbulence: a random acceleration without divergence.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Noise {
        /// Root mean square acceleration, cells per frame².
        pub strength: f64,
        /// Size of an eddy, cells.
        pub size: f64,
        /// Frames over which one pattern of the noise fades into the next.
        pub pulse: f64,
        /// Seed.
        pub seed: i32,
    }

    /// A pull to a point, on smoke and hot gas.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Attractor {
        /// The point.
        pub centre: [f64; 3],
        /// Distance of the greatest acceleration.
        pub radius: f64,
        /// Greatest acceleration, cells per frame²; below 0 it pushes away.
        pub strength: f64,
    }

    /// A push around an axis, on smoke and hot gas.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Vortex {
        /// A point of the axis.
        pub centre: [f64; 3],
        /// The axis of the volume along which it lies.
        pub axis: usize,
        /// Distance of the greatest acceleration from the axis.
        pub radius: f64,
        /// Greatest acceleration, cells per frame²; above 0 counter-clockwise as seen against the axis.
        pub strength: f64,
    }

    /// Burning, as in the smoke of two dimensions. Rates are per frame.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Fire {
        /// Fuel burnt per frame.
        pub rate: f64,
        /// Temperature at which fuel begins to burn.
        pub ignition: f64,
        /// Exponent of the rise of the temperature per fuel burnt.
        pub heat: f64,
        /// Exponent of the growth of the gas volume per fuel burnt.
        pub expansion: f64,
        /// Life of flame gas, frames for which it glows.
        pub life: f64,
        /// Loss of temperature by radiation at a temperature of 1, per frame; it grows with the fourth power of the
        /// temperature.
        pub radiation: f64,
        /// Soot that forms in old flame gas, per fuel burnt.
        pub soot: f64,
        /// Decay of soot, as an exponent.
        pub soot_decay: f64,
    }

    /// The settings of one frame.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Settings {
        /// Number of the frame, where each lasts `time_scale` simulated frames.
        pub frame: f64,
        /// Simulated frames per frame.
        pub time_scale: f64,
        /// Cells of the artist's bounds along each axis, whole tiles.
        pub cells: [usize; 3],
        /// Cells of the scalars along each side of a cell of the velocity.
        pub detail: usize,
        /// Whether the box is always the artist's bounds; otherwise it follows the smoke.
        pub fixed: bool,
        /// Conditions at the sides of the artist's bounds, low and high, per axis.
        pub sides: [[Side; 2]; 3],
        /// The emitters that are on.
        pub emitters: Vec<Emitter>,
        /// The solids that are on.
        pub solids: Vec<Solid>,
        /// The solids of pictures.
        pub projected: ProjectedSolids,
        /// Whether a step is advection with reflection, which conserves energy (Zehnder, Narain and Thomaszewski 2018);
        /// otherwise it has one projection.
        pub reflection: bool,
        /// Largest number of cells that the velocity crosses in a step.
        pub max_cfl: f64,
        /// Least number of steps.
        pub min_steps: u32,
        /// Upward acceleration per temperature, cells per frame².
        pub buoyancy: f64,
        /// Downward acceleration per density, cells per frame².
        pub weight: f64,
        /// Downward acceleration per soot, cells per frame².
        pub soot_weight: f64,
        /// Velocity of the ambient air.
        pub wind: [f64; 3],
        /// Relaxation of all air to the wind, per frame, as an exponent.
        pub drag: f64,
        /// Viscosity, cells² per frame.
        pub viscosity: f64,
        /// Vorticity confinement.
        pub confinement: f64,
        /// Turbulence.
        pub noise: Option<Noise>,
        /// The attractor.
        pub attractor: Option<Attractor>,
        /// The vortex.
        pub vortex: Option<Vortex>,
        /// Decay of density per frame, as an exponent.
        pub dissipation: f64,
        /// Decay of temperature per frame, as an exponent.
        pub cooling: f64,
        /// Burning.
        pub fire: Option<Fire>,
    }
}
