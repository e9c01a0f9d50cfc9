//! What a frame consumes from outside: pictures, already sampled onto the grid of that frame.

pub use crate::sim::inputs::{Pixels, SourcePixels};

/// The pictures of one frame; `None` where nothing is connected. Values may be anything, NaN and infinities included.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Dye by RGB, density by one of its channels.
    pub source: Option<SourcePixels>,
    /// Red, green: velocity in full-resolution pixels per frame, y up.
    pub velocity: Option<Pixels>,
    /// Heat by one of its channels.
    pub heat: Option<SourcePixels>,
    /// Solid where alpha > 0.5.
    pub obstacles: Option<Pixels>,
    /// Red, green: the solids' velocity in full-resolution pixels per frame, y up. Without it, the matte's change says.
    pub obstacle_velocity: Option<Pixels>,
    /// Alpha, 0 to 1, multiplies source, velocity, heat, brush and jets.
    pub mask: Option<Pixels>,
}
