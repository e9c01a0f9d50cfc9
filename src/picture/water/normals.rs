//! Which way the surface faces.

use super::surface::{CHUNK, Slopes, Surface};
use crate::picture::layers::Cells;
use crate::sim::State;

/// Normals of the water's surface, and of the ground where it is dry: not of length 1 yet, so that they can be averaged.
pub struct Normals<'a> {
    /// What is wet.
    pub state: &'a State,
    /// Its relief.
    pub surface: Surface<'a>,
}

impl Cells for Normals<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        self.state.height_cells(y, from, out);
        let mut slopes = Slopes::FLAT;
        for (i, out) in out.chunks_mut(CHUNK).enumerate() {
            self.surface.slopes(y, from + i * CHUNK, out.len(), &mut slopes);
            for ((pixel, x), y) in out.iter_mut().zip(&slopes.x).zip(&slopes.y) {
                *pixel = [0.0 - x, 0.0 - y, 1.0, pixel[3]];
            }
        }
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
