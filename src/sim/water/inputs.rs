//! The input pictures of a frame, sampled onto the grid.

pub use crate::sim::inputs::{Pixels, SourcePixels};

/// The pictures of one frame; `None` where none is connected. Values may be NaN or infinite.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Source of water: height by `source_channel`, colour by RGB.
    pub source: Option<SourcePixels>,
    /// Terrain: height by `terrain_channel`.
    pub terrain: Option<Pixels>,
    /// Solid where alpha > 0.5.
    pub obstacles: Option<Pixels>,
    /// Red, green: push as a slope in height per full-resolution pixel. Blue: pressure in height.
    pub force: Option<Pixels>,
    /// Alpha, 0 to 1, multiplies source, emitter and rain.
    pub mask: Option<Pixels>,
    /// Red, green, blue, 0 to 1: share of the speed, of the damping and of the smoothing.
    pub control: Option<Pixels>,
    /// Red, green: goal velocity, full-resolution pixels per frame.
    pub goal: Option<Pixels>,
}
