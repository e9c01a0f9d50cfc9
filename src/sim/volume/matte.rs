//! The matte of a picture as the shape of an emitter: the alpha that a camera sees, in a slab across its view; and the
//! colour of the picture, which its smoke may have.

use std::fmt;
use std::sync::Arc;

use super::camera_view::CameraView;
use crate::sim::fingerprint::{Digest, Fingerprint};
use crate::sim::maths::{bounded, clamp};

/// Farthest position, cells.
const FAR: f64 = 1e9;

/// A matte: alpha by pixel, rows from the lowest on.
#[derive(Clone, PartialEq)]
pub struct Matte {
    size: [usize; 2],
    alpha: Vec<f32>,
    /// Colour times alpha; empty for white.
    colours: Vec<[f32; 3]>,
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
        Self { size, alpha, colours: Vec::new(), occupied }
    }

    /// The matte with colours by pixel, straight or multiplied by alpha. They are bounded to 0 to 1, and 0 where they are
    /// not numbers.
    #[must_use]
    pub fn with_colours(mut self, premultiplied: bool, colour: impl Fn(usize) -> [f32; 3]) -> Self {
        let bounded = |value: f32, most: f32| if value.is_nan() { 0.0 } else { value.clamp(0.0, most) };
        let pixels = self.alpha.iter().enumerate().map(|(at, alpha)| {
            colour(at).map(|value| if premultiplied { bounded(value, *alpha) } else { bounded(value, 1.0) * alpha })
        });
        self.colours = pixels.collect();
        self
    }

    /// Alpha at a place, pixels from the lower left corner, linear between the centres of pixels; 0 outside.
    fn at(&self, place: [f64; 2]) -> f64 {
        self.interpolated(place, |pixel| f64::from(self.alpha[pixel]))
    }

    /// Straight colour at a place; white where there is none.
    fn colour(&self, place: [f64; 2]) -> [f64; 3] {
        let alpha = self.at(place);
        if self.colours.is_empty() || alpha <= 0.0 {
            return [1.0; 3];
        }
        [0, 1, 2].map(|channel| self.interpolated(place, |pixel| f64::from(self.colours[pixel][channel])) / alpha)
    }

    /// A value of the pixels at a place, linear between their centres; 0 outside.
    fn interpolated(&self, place: [f64; 2], value: impl Fn(usize) -> f64) -> f64 {
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
            let [a, b] = ends[0].map(|x| value(x + self.size[0] * y));
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
    camera: CameraView,
    /// Change of the distance from the camera over a cell along its axis.
    slope: f64,
    /// Distance of the middle of the slab.
    middle: f64,
    /// Half the thickness of the slab, cells.
    half: f64,
    /// Whether smoke has the colours of the picture.
    coloured: bool,
    /// The matte, which a frame that is simulated needs. Without one nothing is emitted.
    pub matte: Option<Arc<Matte>>,
}

impl MatteSource {
    /// A slab across the view of a camera, without its matte. `centre`: a position in the middle of the slab, cells.
    /// `half`: half its thickness, cells, at least half a cell.
    pub fn new(camera: CameraView, centre: [f64; 3], half: f64) -> Self {
        let (_, middle) = camera.seen(centre);
        let slope = camera.slopes()[2].max(1e-9);
        Self { camera, slope, middle, half: half.max(0.5), coloured: false, matte: None }
    }

    /// The slab, whose smoke has the colours of the picture if `coloured`.
    #[must_use]
    pub fn coloured(self, coloured: bool) -> Self {
        Self { coloured, ..self }
    }

    /// Whether smoke has the colours of the picture.
    pub fn has_colours(&self) -> bool {
        self.coloured
    }

    /// Colour of the picture at a position; white without colours.
    pub fn colour(&self, position: [f64; 3]) -> [f64; 3] {
        let matte = self.matte.as_ref().filter(|_| self.coloured);
        matte.map_or([1.0; 3], |matte| matte.colour(self.camera.seen(position).0))
    }

    /// Alpha of the matte at a position, and the distance of the position from the surface of the slab, cells, below 0
    /// inside.
    pub fn sample(&self, position: [f64; 3]) -> (f64, f64) {
        let Some(matte) = &self.matte else { return (0.0, f64::INFINITY) };
        let (place, distance) = self.camera.seen(position);
        if distance.is_nan() || distance <= self.camera.near {
            return (0.0, f64::INFINITY);
        }
        (matte.at(place), (distance - self.middle).abs() / self.slope - self.half)
    }

    /// Half the thickness of the slab, cells.
    pub fn half(&self) -> f64 {
        self.half
    }

    /// The lowest and the highest position with emission along each axis, cells; `None` where there is none.
    pub fn extent(&self) -> Option<[[f64; 3]; 2]> {
        let [low, high] = self.matte.as_ref()?.occupied;
        let half = self.half * self.slope;
        let (front, back) = ((self.middle - half).max(self.camera.near), self.middle + half);
        if low[0] >= high[0] || back.is_nan() || back <= self.camera.near {
            return None;
        }
        let mut ends = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        // Between the centres of pixels alpha is interpolated.
        for column in [low[0] as f64 - 1.0, high[0] as f64 + 1.0] {
            for row in [low[1] as f64 - 1.0, high[1] as f64 + 1.0] {
                for distance in [front, back] {
                    let corner = self.camera.position([column * distance, row * distance, distance])?;
                    for axis in 0..3 {
                        let side = bounded(corner[axis], FAR);
                        ends[0][axis] = ends[0][axis].min(side);
                        ends[1][axis] = ends[1][axis].max(side);
                    }
                }
            }
        }
        Some(ends)
    }
}

impl Fingerprint for MatteSource {
    fn enter(&self, digest: &mut Digest) {
        let Self { camera, slope: _, middle, half, coloured, matte: _ } = self;
        camera.enter(digest);
        middle.enter(digest);
        half.enter(digest);
        coloured.enter(digest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [usize; 2] = [40, 30];

    /// A camera that is turned a little, about 100 cells from the origin; 40 by 30 pixels.
    fn view() -> CameraView {
        let (sin, cos) = (0.2_f64.sin(), 0.2_f64.cos());
        let distance = [-sin, 0.0, -cos, 100.0];
        let across = |axis: [f64; 3], middle: f64| {
            let mut row = distance.map(|part| part * middle);
            for (to, part) in row.iter_mut().zip(axis) {
                *to += 100.0 * part;
            }
            row
        };
        let rows = [across([cos, 0.0, -sin], 20.0), across([0.0, 1.0, 0.0], 15.0), distance];
        CameraView { rows, near: 1.0 }
    }

    fn source(alpha: impl Fn(usize) -> f32) -> MatteSource {
        let source = MatteSource::new(view(), [2.0, 1.0, -3.0], 4.0);
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
    fn colours_are_those_of_the_pixels_with_alpha() {
        let white = source(|_| 0.5);
        let matte = |premultiplied| {
            let alpha = |at: usize| if at % 40 >= 20 { 0.5 } else { 0.0 };
            let colour = if premultiplied { [0.5, 0.25, f32::NAN] } else { [1.0, 0.5, -2.0] };
            let outside = [0.0, 0.0, 1.0];
            let matte = Matte::new(SIZE, alpha);
            Some(Arc::new(matte.with_colours(premultiplied, |at| if at % 40 >= 20 { colour } else { outside })))
        };
        for premultiplied in [true, false] {
            let coloured = MatteSource { matte: matte(premultiplied), ..white.clone() }.coloured(true);
            for x in [-0.2, 2.0, 6.0] {
                let colour = coloured.colour([x, 1.0, -3.0]);
                let off = [1.0, 0.5, 0.0].iter().zip(colour).map(|(truth, seen)| (truth - seen).abs());
                assert!(off.fold(0.0, f64::max) < 1e-6, "{premultiplied} {x}: {colour:?}");
            }
            assert_eq!(coloured.coloured(false).colour([6.0, 1.0, -3.0]), [1.0; 3]);
        }
        assert_eq!(white.coloured(true).colour([6.0, 1.0, -3.0]), [1.0; 3], "without colours");
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
        for rows in [[[f64::NAN; 4]; 3], [[0.0; 4]; 3]] {
            let camera = CameraView { rows, near: 1.0 };
            let bad = MatteSource { matte: source(|_| 1.0).matte, ..MatteSource::new(camera, [0.0; 3], f64::NAN) };
            assert_eq!((bad.sample([2.0, 1.0, -3.0]).0, bad.extent()), (0.0, None));
        }
        assert_eq!(MatteSource::new(view(), [0.0; 3], 2.0).extent(), None, "without a matte");
    }
}
