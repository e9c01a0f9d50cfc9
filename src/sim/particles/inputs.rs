//! The pictures of a frame.

use super::settings::FIELDS;
pub use crate::sim::inputs::{Pixels, SourcePixels};

/// The pictures, each with one value per cell of the grid.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Colours of particles.
    pub source: Option<SourcePixels>,
    /// Places of births: alpha.
    pub emission: Option<Pixels>,
    /// Velocity fields: red to the right, green up, alpha the weight.
    pub fields: [Option<Pixels>; FIELDS],
    /// Solid: alpha.
    pub obstacles: Option<Pixels>,
}
