//! The matte of a picture as the shape of an emitter: the alpha that a camera sees, in a slab across its view.

use std::fmt;
use std::sync::Arc;

use crate::sim::fingerprint::{Digest, Fingerprint};
use crate::sim::maths::{bounded, clamp};

/// Largest distance, and largest position in cells.
const FAR: f64 = 1e9;

/// A matte: alpha by pixel, rows from the lowest on.
#[derive(Clone, PartialEq)]
pub struct Matte {
    size: [usize; 2],
    alpha: Vec<f32>,
    /// The first column and row with alpha, and those after the last.
    occupied: [[usize; 2]; 2],
}

impl Matte {
    /// The matte of a picture of `size` columns and rows. Alpha is bounded to 0 to 1, and 0 where it is not a number.
    pub fn new(size: [usize; 2], alpha: impl Fn(usize) -> f32) -> Self {
        let bounded = |alpha: f32| if alpha.is_nan() { 0.0 } else { alpha.clamp(0.0, 1.0) };
        let alpha: Vec<f32> = (0..size[0] * size[1]).map(|at| bounded(alpha(at))).collect();
        let mut occupied = [size, [0; 2]];
        for (at, _) in alpha.iter().enumerate().filter(|(_, alpha)| **alpha > 0.0) {
            let place = [at % size[0], at / size[0]];
            for axis in 0..2 {
                occupied[0][axis] = occupied[0][axis].min(place[axis]);
                occupied[1][axis] = occupied[1][axis].max(place[axis] + 1);
            }
        }
        Self { size, alpha, occupied }
    }

    /// Alpha at a place, pixels from the lower left corner, linear between the centres of pixels; 0 outside.
    fn at(&self, place: [f64; 2]) -> f64 {
        let inside = (0..2).all(|axis| place[axis] >= 0.0 && place[axis] < self.size[axis] as f64);
        if !inside {
            return 0.0;
        }
        let mut ends = [[0; 2]; 2];
        let mut part = [0.0; 2];
        for axis in 0..2 {
            let last = self.size[axis] - 1;
            let at = clamp(place[axis] - 0.5, 0.0, last as f64);
            let low = at as usize;
            (ends[axis], part[axis]) = ([low, (low + 1).min(last)], at - low as f64);
        }
        let row = |y: usize| {
            let [a, b] = ends[0].map(|x| f64::from(self.alpha[x + self.size[0] * y]));
            a + (b - a) * part[0]
        };
        let [low, high] = ends[1].map(row);
        low + (high - low) * part[1]
    }
}

impl fmt::Debug for Matte {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matte").field("size", &self.size).finish_non_exhaustive()
    }
}

/// A matte before a camera. Its fingerprint is that of the camera and the slab; pixels have a hash of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct MatteSource {
    /// The camera: for a position (x, y, z, 1) in cells the column and the row of its pixel, each times its distance,
    /// and the distance.
    view: [[f64; 4]; 3],
    /// Least distance that the camera sees.
    near: f64,
    /// Distance of the middle of the slab, and half its thickness.
    slab: [f64; 2],
    /// The matte, which a frame that is simulated needs. Without one nothing is emitted.
    pub matte: Option<Arc<Matte>>,
}

impl MatteSource {
    /// A slab across the view of a camera, without its matte. `view`: for a position (x, y, z, 1) in cells the column
    /// and the row of its pixel, each times its distance along the axis of the camera, and the distance. `near`: least
    /// distance that the camera sees, above 0. `centre`: a position in the middle of the slab, cells. `half`: half its
    /// thickness, cells.
    pub fn new(view: [[f64; 4]; 3], near: f64, centre: [f64; 3], half: f64) -> Self {
        let [a, b, c, d] = view[2];
        let distance = a * centre[0] + b * centre[1] + c * centre[2] + d;
        let per_cell = libm::sqrt(a * a + b * b + c * c);
        Self { view, near, slab: [distance, half.max(0.5) * per_cell], matte: None }
    }

    /// Change of the distance for a way of one cell along the view.
    fn per_cell(&self) -> f64 {
        let [a, b, c, _] = self.view[2];
        libm::sqrt(a * a + b * b + c * c).max(1e-9)
    }

    /// Alpha of the matte at a position, and the distance of the position from the surface of the slab, cells, below 0
    /// inside.
    pub fn sample(&self, position: [f64; 3]) -> (f64, f64) {
        let Some(matte) = &self.matte else { return (0.0, f64::INFINITY) };
        let [x, y, z] = position;
        let [column, row, distance] = self.view.map(|[a, b, c, d]| a * x + b * y + c * z + d);
        if distance.is_nan() || distance <= self.near {
            return (0.0, f64::INFINITY);
        }
        let [middle, half] = self.slab;
        (matte.at([column / distance, row / distance]), ((distance - middle).abs() - half) / self.per_cell())
    }

    /// Half the thickness of the slab, cells.
    pub fn half(&self) -> f64 {
        self.slab[1] / self.per_cell()
    }

    /// The lowest and the highest position with emission along each axis, cells; `None` where there is none.
    pub fn extent(&self) -> Option<[[f64; 3]; 2]> {
        let matte = self.matte.as_ref()?;
        let [low, high] = matte.occupied;
        let [middle, half] = self.slab;
        if low[0] >= high[0] || (middle + half).is_nan() || middle + half <= self.near {
            return None;
        }
        let mut ends = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for corner in 0..8 {
            // Between the centres of pixels alpha is interpolated.
            let side = |axis: usize| match corner >> axis & 1 {
                0 => low[axis] as f64 - 1.0,
                _ => high[axis] as f64 + 1.0,
            };
            let distance = if corner & 4 == 0 { (middle - half).max(self.near) } else { middle + half };
            let place = self.place([side(0) * distance, side(1) * distance, distance])?;
            for axis in 0..3 {
                ends[0][axis] = ends[0][axis].min(place[axis]);
                ends[1][axis] = ends[1][axis].max(place[axis]);
            }
        }
        Some(ends)
    }

    /// The position with these products of the camera; `None` for a camera that is flat.
    fn place(&self, seen: [f64; 3]) -> Option<[f64; 3]> {
        let rows = self.view.map(|[a, b, c, _]| [a, b, c]);
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let columns = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])];
        let determinant: f64 = (0..3).map(|axis| rows[0][axis] * columns[0][axis]).sum();
        if determinant.is_nan() || determinant.abs() < 1e-30 {
            return None;
        }
        let apart: [f64; 3] = std::array::from_fn(|row| seen[row] - self.view[row][3]);
        Some(std::array::from_fn(|axis| {
            let sum: f64 = (0..3).map(|row| columns[row][axis] * apart[row]).sum();
            bounded(sum / determinant, FAR)
        }))
    }
}

impl Fingerprint for MatteSource {
    fn enter(&self, digest: &mut Digest) {
        let Self { view, near, slab, matte: _ } = self;
        view.enter(digest);
        near.enter(digest);
        slab.enter(digest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [usize; 2] = [40, 30];

    /// A camera that is turned a little, about 100 cells from the origin; 40 by 30 pixels.
    fn view() -> [[f64; 4]; 3] {
        let (sin, cos) = (0.2_f64.sin(), 0.2_f64.cos());
        let distance = [-sin, 0.0, -cos, 100.0];
        let across = |axis: [f64; 3], middle: f64| {
            let mut row = distance.map(|part| part * middle);
            for (to, part) in row.iter_mut().zip(axis) {
                *to += 100.0 * part;
            }
            row
        };
        [across([cos, 0.0, -sin], 20.0), across([0.0, 1.0, 0.0], 15.0), distance]
    }

    fn source(alpha: impl Fn(usize) -> f32) -> MatteSource {
        let source = MatteSource::new(view(), 1.0, [2.0, 1.0, -3.0], 4.0);
        MatteSource { matte: Some(Arc::new(Matte::new(SIZE, alpha))), ..source }
    }

    #[test]
    fn alpha_is_that_of_the_pixel_and_the_slab_has_its_thickness() {
        let source = source(|at| if at % 40 >= 20 { 0.5 } else { 0.0 });
        assert!((source.half() - 4.0).abs() < 1e-9);
        let (alpha, depth) = source.sample([6.0, 1.0, -3.0]);
        assert!((alpha - 0.5).abs() < 1e-9 && depth < -3.0, "{alpha} {depth}");
        assert_eq!(source.sample([-8.0, 1.0, -3.0]).0, 0.0, "beside the matte");
        let axis = [-0.2_f64.sin(), 0.0, -0.2_f64.cos()];
        for (cells, inside) in [(3.9, true), (4.1, false), (-3.9, true), (-4.1, false)] {
            let place = std::array::from_fn(|n| [2.0, 1.0, -3.0][n] + cells * axis[n]);
            assert_eq!(source.sample(place).1 < 0.0, inside, "{cells} cells along the view");
        }
        assert_eq!(source.sample([0.0, 0.0, 500.0]).0, 0.0, "behind the camera");
    }

    #[test]
    fn the_extent_holds_all_emission() {
        let source = source(|at| if (12..20).contains(&(at % 40)) && at / 40 > 20 { 1.0 } else { 0.0 });
        let [low, high] = source.extent().expect("some");
        let mut found = 0;
        for at in 0..27_000 {
            let place = [at % 30, at / 30 % 30, at / 900].map(|side| f64::from(side) * 2.0 - 30.0);
            let (alpha, depth) = source.sample(place);
            if alpha > 0.0 && depth < 0.0 {
                found += 1;
                assert!((0..3).all(|axis| low[axis] <= place[axis] && place[axis] <= high[axis]), "{place:?}");
            }
        }
        assert!(found > 20, "{found}");
        assert!((0..3).all(|axis| high[axis] - low[axis] < 24.0), "{low:?} {high:?}");
    }

    #[test]
    fn bad_pixels_and_cameras_emit_nothing() {
        for bad in [f32::NAN, f32::NEG_INFINITY, -5.0] {
            let source = source(|_| bad);
            assert_eq!((source.sample([2.0, 1.0, -3.0]).0, source.extent()), (0.0, None), "{bad}");
        }
        assert_eq!(source(|_| f32::INFINITY).sample([2.0, 1.0, -3.0]).0, 1.0);
        for view in [[[f64::NAN; 4]; 3], [[0.0; 4]; 3]] {
            let bad = MatteSource { matte: source(|_| 1.0).matte, ..MatteSource::new(view, 1.0, [0.0; 3], f64::NAN) };
            assert_eq!((bad.sample([2.0, 1.0, -3.0]).0, bad.extent()), (0.0, None));
        }
        assert_eq!(MatteSource::new(view(), 1.0, [0.0; 3], 2.0).extent(), None, "without a matte");
    }
}
