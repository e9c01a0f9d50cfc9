//! Rays of a picture through the medium, cut into segments of equal length.

use wide::f32x4;

use super::medium::{Medium, TILE, Tiles};
use crate::picture::camera::Projection;
use crate::picture::maths::up_to;

/// Largest number of segments of a ray.
const MOST: f64 = 65_536.0;

/// The part of a ray within the occupied tiles of a medium. Segments are numbered from the camera on, for the whole
/// picture alike: segment k lies between k and k + 1 lengths.
pub struct Segments {
    /// Middle of the first segment.
    pub start: f32x4,
    /// From one segment to the next.
    pub step: f32x4,
    /// Unit vector along the ray.
    pub direction: [f32; 3],
    /// Number of segments, the last one included.
    pub count: usize,
    /// Share of the last segment that the ray passes.
    pub last: f32,
    /// Time at which the ray sees the medium, frames from that of the picture.
    pub time: f32,
    /// Distance from the camera, along its axis, of the start of the first segment, and the length of a segment along
    /// the axis; world units.
    pub depths: [f64; 2],
}

/// Bounds of the occupied tiles and the place of the camera.
pub struct Caster<'a> {
    projection: &'a Projection,
    medium: &'a Medium,
    eye: [f64; 3],
    bounds: [[f64; 2]; 3],
    length: f64,
    time: f32,
}

impl<'a> Caster<'a> {
    /// Rays from a camera into a medium with contents in some tiles, in segments of `length` cells.
    pub fn new(projection: &'a Projection, medium: &'a Medium, tiles: &Tiles, length: f64) -> Self {
        let eye = medium.position(projection.ray([0.0; 2]).origin);
        let bounds = tiles.occupied.map(|range| range.map(|tile| (tile * TILE) as f64));
        Self { projection, medium, eye, bounds, length, time: 0.0 }
    }

    /// The rays at a time, frames from that of the picture, at which the medium lies elsewhere by `shift` world units.
    pub fn at(self, time: f64, shift: [f64; 3]) -> Self {
        let eye = [0, 1, 2].map(|axis| self.eye[axis] - shift[axis] / self.medium.spacing);
        Self { eye, time: time as f32, ..self }
    }

    /// The segments of a ray through a place in canonical pixels, as far as `limit` from the camera, along its axis, in
    /// world units; `None` where there are none.
    pub fn cast(&self, place: [f64; 2], limit: f64) -> Option<Segments> {
        let direction = self.projection.ray(place).direction.map(|part| part / self.medium.spacing);
        let (mut near, mut far) = (self.projection.near(), limit);
        for ((direction, bounds), eye) in direction.iter().zip(self.bounds).zip(self.eye) {
            let ends = bounds.map(|bound| (bound - eye) / direction);
            // A ray parallel to the bounds has infinite ends: between them it is not limited, outside it is left out.
            near = near.max(ends[0].min(ends[1]));
            far = far.min(ends[0].max(ends[1]));
        }
        let length = libm::sqrt(direction.iter().map(|part| part * part).sum());
        let segment = self.length / length;
        // Written so that NaN is left out.
        if !(near < far && segment > 0.0 && segment.is_finite()) {
            return None;
        }
        let first = libm::floor(near / segment);
        let end = (far / segment).min(first + MOST);
        let count = libm::ceil(end - first).max(1.0);
        let middle = (first + 0.5) * segment;
        let at = |axis: usize| (self.eye[axis] + direction[axis] * middle) as f32;
        let step = direction.map(|part| (part * segment) as f32);
        let segments = Segments {
            start: f32x4::new([at(0), at(1), at(2), 0.0]),
            step: f32x4::new([step[0], step[1], step[2], 0.0]),
            direction: direction.map(|part| (part / length) as f32),
            count: count as usize,
            time: self.time,
            last: if far < limit { 1.0 } else { (end - first - (count - 1.0)) as f32 },
            depths: [first * segment, segment],
        };
        segments.start.to_array().iter().all(|part| part.is_finite()).then_some(segments)
    }
}

/// Segments of a ray at which it leaves a tile, for skipping empty tiles.
pub struct Exits {
    start: [f32; 3],
    inverse: [f32; 3],
    /// Whether the ray leaves a tile at its high end.
    high: [bool; 3],
}

impl Exits {
    /// The exits of a ray.
    #[inline(always)]
    pub fn new(ray: &Segments) -> Self {
        let [start, step] = [ray.start.to_array(), ray.step.to_array()];
        Self {
            start: [start[0], start[1], start[2]],
            inverse: [0, 1, 2].map(|axis| if step[axis].abs() > 1e-12 { 1.0 / step[axis] } else { 1e12 }),
            high: [0, 1, 2].map(|axis| step[axis] > -1e-12),
        }
    }

    /// The next segment after `at` that may lie in another tile than `tile`.
    #[inline(always)]
    pub fn next(&self, at: usize, tile: [usize; 3]) -> usize {
        let mut exit = f32::INFINITY;
        for (axis, tile) in tile.into_iter().enumerate() {
            let bound = ((tile + usize::from(self.high[axis])) * TILE) as f32;
            let place = (bound - self.start[axis]) * self.inverse[axis];
            exit = if place < exit { place } else { exit };
        }
        // The margin is for rounding.
        let next = up_to(exit + 0.98, 1e6) as usize;
        next.max(at + 1)
    }
}
