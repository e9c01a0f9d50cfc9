//! Refraction of a vertical ray down to the bed.

use super::shading::Shading;
use super::surface::Surface;
use crate::picture::layers::Cells;
use crate::picture::maths::{clamped, up_to};
use crate::picture::placement::{Axis, Placement};

/// Deepest water that counts, pixels.
const DEEPEST: f32 = 1e6;

/// Least that a ray below the surface goes down, of its length.
const FLATTEST: f32 = 0.05;

/// Towards the eye.
const UPRIGHT: [f32; 3] = [0.0, 0.0, 1.0];

/// Snell's law at the water's surface.
#[derive(Clone, Copy)]
pub struct Refraction {
    /// One over the index of refraction.
    eta: f32,
    /// Pixels per height of 1.
    relief: f32,
}

impl Refraction {
    /// Refraction by the index and relief of shading settings.
    pub fn new(shading: &Shading) -> Self {
        let eta = 1.0 / clamped(shading.index_of_refraction, 1.0, 3.0);
        Self { eta: eta as f32, relief: clamped(shading.relief, 0.0, 1e6) as f32 }
    }

    /// Horizontal displacement, to the right and up, of a refracted ray per length down. The ray comes from
    /// `towards`, a unit vector, and meets a surface of these slopes.
    ///
    /// A ray l whose cosine with the surface's normal n is i goes on along (η·i − √(1 − η²(1 − i²)))·n − η·l.
    #[inline(always)]
    pub fn bend(&self, [x, y, z]: [f32; 3], slope_x: f32, slope_y: f32) -> [f32; 2] {
        let eta = self.eta;
        let upright = 1.0 / (1.0 + slope_x * slope_x + slope_y * slope_y).sqrt();
        let cosine = up_to((z - x * slope_x - y * slope_y) * upright, 1.0);
        let bent = eta * cosine - (1.0 - eta * eta * (1.0 - cosine * cosine)).sqrt();
        // From above at least η, since a ray that enters denser water is bent towards the normal.
        let down = (eta * z - bent * upright).max(FLATTEST);
        let normal = bent * upright / down;
        let straight = eta / down;
        [0.0 - normal * slope_x - straight * x, 0.0 - normal * slope_y - straight * y]
    }

    /// Displacement from a cell to the point that it shows of a bed that lies `height` below a surface of these slopes:
    /// pixels to the right and up. Exactly 0 where the surface is flat.
    #[inline(always)]
    pub fn offset(&self, height: f32, slope_x: f32, slope_y: f32) -> [f32; 2] {
        let depth = self.depth(height);
        self.bend(UPRIGHT, slope_x, slope_y).map(|aside| depth * aside)
    }

    /// Pixels that water of a height is deep.
    #[inline(always)]
    pub fn depth(&self, height: f32) -> f32 {
        (height * self.relief).min(DEEPEST)
    }
}

/// Offsets in pixels in R and G, the water's height in B, wet in A.
pub struct Displaced<'a> {
    /// The water's relief.
    pub surface: Surface<'a>,
    /// Its refraction.
    pub refraction: Refraction,
}

impl Cells for Displaced<'_> {
    #[inline(always)]
    fn row(&self, y: usize, from: usize, out: &mut [[f32; 4]]) {
        self.surface.cells(
            y,
            from,
            out,
            #[inline(always)]
            |[height, _, _, wet], x, y| {
                let [dx, dy] = self.refraction.offset(height * wet, x, y);
                [dx, dy, height, wet]
            },
        );
    }
}

/// Makes an ST map of offsets in a row of pixels: where each looks, in parts of the grid, 0.5 pixels from its corner to
/// the middle of the first pixel. B is 0.
pub fn map(y: usize, pixels: &mut [[f32; 4]], target: &Placement, grid: &Placement) {
    let part = |axis: &Axis, grid: &Axis, at: usize, offset: f32| {
        let place = axis.middle(at) - grid.start + f64::from(offset);
        (place / (grid.size * grid.count as f64)) as f32
    };
    for (x, pixel) in pixels.iter_mut().enumerate() {
        let [dx, dy, _, wet] = *pixel;
        *pixel = [part(&target.x, &grid.x, x, dx), part(&target.y, &grid.y, y, dy), 0.0, wet];
    }
}
