//! Fire with fuel: parameters and formulas of its operations. Frames are the unit of time.
//!
//! Fuel burns at a constant rate into heat, soot and expansion (Nguyen, Fedkiw and Jensen 2002; Feldman, O'Brien and
//! Arikan 2003). Burning gas is one field of four components: fuel, flame gas, flame gas times its age, soot.

use super::fields::FieldId;

/// The fields of a fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flame {
    /// Fuel, flame gas, flame gas times its age, soot.
    pub gas: FieldId,
    /// Fuel burnt per frame in the last sub-step; contents unspecified before the first one.
    pub burning: FieldId,
}

/// Parameters of burning over one sub-step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Burning {
    /// Fuel that burns in the sub-step at full rate.
    pub rate: f32,
    /// Temperature at which burning begins; it has its full rate [`IGNITION_WIDTH`] above.
    pub ignition: f32,
    /// Exponent of the rise of temperature per burnt fuel.
    pub heat: f32,
    /// Age that flame gas gains in the sub-step at full rate, in lives.
    pub ageing: f32,
    /// Factor of the soot.
    pub keep: f32,
    /// Soot per burnt fuel in old flame gas.
    pub soot: f32,
    /// One over the time of the sub-step.
    pub per_frame: f32,
}

/// Range of temperature over which burning reaches its full rate.
pub const IGNITION_WIDTH: f32 = 0.1;

/// Least share of the full ageing, in flame gas that does not burn.
pub const AGEING_MIN: f32 = 0.15;

/// Ages between which burning makes no soot, and all of it.
pub const SOOT_AGES: [f32; 2] = [0.2, 0.7];

/// Temperature below which nothing radiates.
pub const COOLING_MIN: f32 = 1e-4;

/// Forces in and around a flame over one sub-step. Velocities are cells per frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlameForces {
    /// Velocity per soot, per axis.
    pub weight: [f32; 3],
    /// Fraction of the disturbance.
    pub disturbance: f32,
    /// Growth of the velocity along the gradient of temperature.
    pub shredding: f32,
    /// Largest velocity along the gradient that grows.
    pub shredding_max: f32,
    /// Length in which the gradient of temperature is measured, cells.
    pub unit: f32,
    /// Exponent of the relaxation to the updraft outside the flame.
    pub drag: f32,
    /// Velocity of the updraft far above the floor, per axis.
    pub updraft: [f32; 3],
    /// Gradient of the share of the updraft per axis, per cell, and the share at the origin.
    pub ramp: [f32; 4],
}

/// Temperatures over which the disturbance begins, and over which it ends.
pub const DISTURBED: [[f32; 2]; 2] = [[0.03, 0.15], [0.75, 1.0]];

/// Gradients of temperature over which shredding begins.
pub const SHREDDED: [f32; 2] = [0.01, 0.06];

/// Temperatures over which the drag ends.
pub const SHELTERED: [f32; 2] = [0.05, 0.3];

/// Smoothstep between two values: `t²·(3 − 2·t)` with `t = (x − low) / (high − low)`, clamped to 0 … 1.
#[inline(always)]
pub fn smoothstep([low, high]: [f32; 2], x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

impl Burning {
    /// Share of the full rate of burning at a temperature.
    #[inline(always)]
    pub fn share(&self, temperature: f32) -> f32 {
        smoothstep([self.ignition, self.ignition + IGNITION_WIDTH], temperature)
    }
}
