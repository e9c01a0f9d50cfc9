//! The pictures and the moving air of a frame.

use std::sync::Arc;

use super::settings::{FIELDS, GRIDS};
pub use crate::sim::inputs::{Pixels, SourcePixels};
use crate::sim::volume;

/// The pictures, each with one value per cell of the raster, and the states of the grids.
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
    /// Air of the grids at the end of the frame; velocities are relative to the grid.
    pub grids: [Option<Arc<volume::State>>; GRIDS],
}
