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
    /// Air of the grids.
    pub grids: [Option<GridAir>; GRIDS],
}

/// Air of a grid before and after the simulated interval in which a frame lies. Velocities are relative to the grid.
#[derive(Clone, Debug)]
pub struct GridAir {
    /// Before; `None` where the frame shows the air after the interval alone.
    pub before: Option<Arc<volume::State>>,
    /// After.
    pub after: Arc<volume::State>,
}
