//! Pictures sampled onto the grid.

use std::sync::Arc;

/// A picture on the grid: one RGBA value per cell, row after row, the lowest first.
pub type Pixels = Arc<Vec<[f32; 4]>>;

/// A source picture, and the properties of its clip.
#[derive(Clone, Debug)]
pub struct SourcePixels {
    /// RGBA as in the clip.
    pub pixels: Pixels,
    /// False where the clip has no alpha (RGB): the channel Alpha is then the luminance.
    pub has_alpha: bool,
    /// True where RGB is multiplied by alpha.
    pub premultiplied: bool,
}
