//! Rays of a picture through the medium, cut into segments of equal length.

use wide::f32x4;

use super::medium::{Medium, TILE};
use crate::picture::camera::Projection;

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
}

impl<'a> Caster<'a> {
    /// Rays from a camera into a medium, in segments of `length` cells.
    pub fn new(projection: &'a Projection, medium: &'a Medium, length: f64) -> Self {
        let eye = medium.position(projection.ray([0.0; 2]).origin);
        let bounds = medium.tiles.occupied.map(|range| range.map(|tile| (tile * TILE) as f64));
        Self { projection, medium, eye, bounds, length }
    }

    /// The segments of a ray through a place in canonical pixels, as far as `limit` from the camera, along its axis, in
    /// world units; `None` where there are none.
    pub fn cast(&self, place: [f64; 2], limit: f64) -> Option<Segments> {
        let direction = self.projection.ray(place).direction.map(|part| part / self.medium.spacing);
        let (mut near, mut far) = (self.projection.near(), limit);
        for ((direction, bounds), eye) in direction.iter().zip(self.bounds).zip(self.eye) {
            let ends = bounds.map(|bound| (bound - eye) / direction);
            // NaN, of a ray within a bound, is left out by `max` and `min`.
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
            last: if far < limit { 1.0 } else { (end - first - (count - 1.0)) as f32 },
            depths: [first * segment, segment],
        };
        segments.start.to_array().iter().all(|part| part.is_finite()).then_some(segments)
    }
}
