//! Ripples: waves on a height field whose speed depends on their length, ω² = (g·k + s·k³)·tanh(k·d).
//!
//! A step is that of the balanced pipes with another head: E = P(η + B) + smoothing·D, where η is the deviation from
//! rest, B a pressure in height and D the net inflow of the last step. The operator P smooths on a pyramid of levels
//! (after Canabal et al. 2016, in a symmetric form): h is blurred and restricted level by level, and the results are
//! added up by the transposed operations. P is symmetric and positive for any solid cells, and P of a constant is a
//! constant. Energy is thus conserved, a wall lets nothing through, and a lake at rest stays at rest.
//!
//! | file | contents |
//! |---|---|
//! | `dispersion` | the dispersion relation and the coefficients of P |
//! | `least_squares` | the fit |
//! | `pyramid` | the levels, and the stencils of P |
//! | `links`, `tiles` | building the levels, whole or near moved solids |
//! | `margin` | the cells beyond open edges |
//! | `steps`, `plan` | the steps of a frame |
//! | `sources` | sources and moving solids |

pub mod dispersion;
mod least_squares;
mod links;
pub mod margin;
mod plan;
pub mod pyramid;
pub mod sources;
pub mod steps;
mod tiles;

pub use plan::Ripples;

/// Units per 1.0 of height.
pub const UNITS: i32 = 1 << 20;
/// Level of the surface at rest where the settings name none, height.
pub const DEFAULT_LEVEL: f64 = 1.0;
/// Greatest deviation from rest, units.
pub const DEVIATION: i32 = 1 << 22;
/// Stored height of the surface at rest, units: stored heights are not negative.
pub const REST: i32 = DEVIATION;
/// Greatest head, units.
pub const HEAD: i32 = 1 << 29;
/// Greatest difference of heads that accelerates a pipe, units.
pub const DROP: i32 = 1 << 27;

/// Depth that velocities refer to, units, of a stored height: the level at rest and the deviation, and at least half of
/// the level. `rest_level`: height.
pub fn depth(stored: i32, rest_level: f64) -> f64 {
    let rest = rest_level * f64::from(UNITS);
    (rest + f64::from(stored - REST)).max(rest / 2.0)
}
