//! Reflection of a picture in the surface.

use super::plane::Plane;
use super::scene::Backdrop;
use crate::compute::cpu::Cpu;
use crate::picture::layers::Cells;
use crate::picture::maths::clamped;
use crate::sim::water::State;

/// Least that a reflected ray goes up, of its length: one that goes lower meets the picture where this one does.
const LOWEST: f32 = 0.1;

/// A picture that lies above the water as a ceiling, its face down.
pub struct Reflection {
    picture: Plane<4>,
    /// Cells between the water and the picture.
    distance: f32,
}

impl Reflection {
    /// Reflection of a picture at a distance in full-resolution pixels above a state, on the threads of `cpu`.
    pub fn new(cpu: &Cpu, state: &State, picture: Backdrop<'_>, distance: f64) -> Self {
        let cells = BackdropCells { picture, width: state.grid().width };
        let distance = clamped(distance, 0.0, 1e6) * state.grid().cells_per_pixel;
        Self { picture: Plane::new(cpu, state, &cells), distance: distance as f32 }
    }

    /// Reflected colour at a cell of these slopes, premultiplied.
    #[inline(always)]
    pub fn at(&self, x: usize, y: usize, slope_x: f32, slope_y: f32) -> [f32; 4] {
        // The reflected ray is tilted by twice the tilt of the normal.
        let upright = 1.0 / (1.0 + slope_x * slope_x + slope_y * slope_y);
        let aside = self.distance * 2.0 * upright / (2.0 * upright - 1.0).max(LOWEST);
        self.picture.at(x, y, -aside * slope_x, -aside * slope_y)
    }
}

/// The cells of a picture, premultiplied.
struct BackdropCells<'a> {
    picture: Backdrop<'a>,
    width: usize,
}

impl Cells for BackdropCells<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        let first = y * self.width + from;
        for (pixel, at) in out.iter_mut().zip(first..) {
            *pixel = self.picture.cell(at);
        }
    }
}
