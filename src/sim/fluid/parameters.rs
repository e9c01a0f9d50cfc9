//! Parameters and small formulas of the operations.

use crate::sim::fingerprint::fingerprinted;

/// Largest magnitude of any value: cells per frame, density, temperature.
pub const VALUE_MAX: f32 = 65536.0;

fingerprinted! {
    /// The advection scheme.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Scheme {
        /// One backtrace with linear interpolation: diffusive.
        SemiLagrangian,
        /// Forward and backward traces remove half the error of advection (Selle et al. 2008).
        MacCormack,
        /// One backtrace with [cubic](Curve) interpolation: sharp.
        Cubic,
    }
}

/// Parameters of the advection of scalars.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advection {
    /// The scheme. For `MacCormack`, `AdvectScalars` takes the semi-Lagrangian first half, and `CorrectScalars` the
    /// second.
    pub scheme: Scheme,
    /// Factor that the colour is multiplied by after advection.
    pub keep: f32,
    /// Fraction of the [excess](Forces::excess) temperature that is lost after advection.
    pub cooling: f32,
    /// See [`Forces::ambient`].
    pub ambient: f32,
}

/// The effect of a rectangle of values `a` on the values `x` under it. Values of solid cells do not change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stamp {
    /// `x + share·a`.
    Add {
        /// Fraction of the frame's amount.
        share: f32,
    },
    /// `x + (a0 − x)·a1`: two values per position, a target velocity and the relaxation towards it.
    Steer,
    /// Colour: all of `a` where its fourth component is above 0.
    Replace,
    /// Colour: all of `a` where its fourth component is above that of the field.
    FillUp,
    /// `max(x, a)`.
    Raise,
    /// Gas of a [flame](super::combustion::Flame): `(max(x0, a0), max(x1, a1), x2·(1 − a1), x3)`. New flame gas has the
    /// age 0.
    Fuel,
}

/// Body forces, which depend on the scalars at each position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forces {
    /// Factor of the velocity.
    pub keep: f32,
    /// Velocity per density, per axis.
    pub weight: [f32; 3],
    /// Velocity per temperature above ambient, per axis.
    pub lift: [f32; 3],
    /// Ambient temperature, see [`Forces::excess`].
    pub ambient: f32,
    /// Strength of vorticity confinement.
    pub confinement: f32,
}

impl Forces {
    /// The temperature difference that causes lift: `max(t − ambient, 0) + min(t, 0)`.
    #[inline(always)]
    pub fn excess(t: f32, ambient: f32) -> f32 {
        (t - ambient).max(0.0) + t.min(0.0)
    }
}

/// Vorticity confinement (Fedkiw, Stam and Jensen 2001) with a limiter for eddies that a grid cannot resolve.
pub struct Confinement;

impl Confinement {
    /// Factor f in the force of a cell, `f·ω·(∂y |ω|, −∂x |ω|)`. `length`: that of the gradient of `|ω|`; `size`:
    /// `|ω|`. With `s = size + 1e−6`: `max(0, s − 2·length) / (s·((length + 0.02·size) + 1e−6))`.
    ///
    /// The factor of the paper is 1 / length. It acts with full strength on structures of one or two cells: it sharpens
    /// the shear at the sides of a jet into stripes, and draws a hatch in the middle of an eddy, where rounding
    /// determines the direction of the gradient. With the factor f the force is 0 where the gradient is 0, and where
    /// the gradient reaches half of `|ω|` per cell, as in a sheet of one cell.
    #[inline(always)]
    pub fn share(length: f32, size: f32) -> f32 {
        let s = size + 1e-6;
        (s - 2.0 * length).max(0.0) / (s * ((length + 0.02 * size) + 1e-6))
    }
}

/// Finite-difference weight of a neighbour in [diffusion](super::operation::Operation::Diffuse). `wall`: the neighbour
/// is a wall, half a cell away; `opposite`: so is the neighbour on the other side. Exact for parabolas, thus second
/// order at walls.
#[inline(always)]
pub fn wall_share(wall: bool, opposite: bool) -> f32 {
    match (wall, opposite) {
        (true, true) => 4.0,
        (true, false) => 8.0 / 3.0,
        (false, true) => 4.0 / 3.0,
        (false, false) => 1.0,
    }
}

/// Cubic interpolation through four values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// Lagrange's: third order, least loss for velocity.
    Lagrange,
    /// Catmull and Rom's: has a continuous derivative, so that pictures have no creases.
    CatmullRom,
}

impl Curve {
    /// Weights of the four values at the fraction t between the second and the third; their sum is `(a·w0 + b·w1) +
    /// (c·w2 + d·w3)`.
    #[inline(always)]
    pub fn weights(self, t: f32) -> [f32; 4] {
        match self {
            Curve::Lagrange => {
                let (inner, outer) = (t * (1.0 - t), (1.0 + t) * (2.0 - t));
                let (low, high) = (inner * (2.0 - t), inner * (1.0 + t));
                [low * (-1.0 / 6.0), outer * (1.0 - t) * 0.5, outer * t * 0.5, high * (-1.0 / 6.0)]
            }
            Curve::CatmullRom => [
                ((1.0 - 0.5 * t) * t - 0.5) * t,
                (1.5 * t - 2.5) * (t * t) + 1.0,
                ((2.0 - 1.5 * t) * t + 0.5) * t,
                (0.5 * t - 0.5) * (t * t),
            ],
        }
    }
}
