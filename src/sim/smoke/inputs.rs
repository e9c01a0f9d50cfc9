//! The pictures of a frame, sampled onto its grid.

pub use crate::sim::inputs::{Pixels, SourcePixels};

/// The pictures of one frame; `None` for an input that is not connected. Values may be any number, NaN and infinities
/// included.
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
    /// Red, green: the solids' velocity in full-resolution pixels per frame, y up. `None`: it is found from the change
    /// of the matte.
    pub obstacle_velocity: Option<Pixels>,
    /// Alpha, 0 to 1, is a factor of source, velocity, heat, brush and jets.
    pub mask: Option<Pixels>,
}
