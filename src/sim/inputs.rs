//! Pictures, already sampled onto the grid.

use std::sync::Arc;

/// A picture on the grid: one RGBA value per column, row 0 lowest.
pub type Pixels = Arc<Vec<[f32; 4]>>;

/// A picture that is let in, with what its clip could say of its channels.
#[derive(Clone, Debug)]
pub struct SourcePixels {
    /// RGBA as the clip has it.
    pub pixels: Pixels,
    /// False where the clip carries no alpha (RGB): where Alpha is asked for, Luminance counts.
    pub has_alpha: bool,
    /// True where RGB is multiplied by alpha.
    pub premultiplied: bool,
}
