//! Which way the surface faces.

use super::surface::Surface;
use crate::picture::layers::Cells;

/// Normals of the water's surface, and of the ground where it is dry: not of length 1 yet, so that they can be
/// averaged.
pub struct Normals<'a>(pub Surface<'a>);

impl Cells for Normals<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        self.0.cells(
            y,
            from,
            out,
            #[inline(always)]
            |[.., wet], x, y| [0.0 - x, 0.0 - y, 1.0, wet],
        );
    }
}

/// Makes vectors of length 1, and leaves those alone that are 0.
pub fn normalise(pixels: &mut [[f32; 4]]) {
    for [x, y, z, _] in pixels {
        let length = (*x * *x + *y * *y + *z * *z).sqrt();
        if length > 0.0 {
            (*x, *y, *z) = (*x / length, *y / length, *z / length);
        }
    }
}
