//! Figures in three dimensions: positions of the scene in the picture, through the node's camera.

use std::ffi::CStr;

use super::super::geometry::Rect;
use crate::picture::camera::{Camera, Projected, Projection};

/// The scene before a node's camera. Positions of the scene are in full-resolution pixels; those of a box are in its own
/// unit.
pub struct Space {
    projection: Projection,
    /// Position of the origin of the box in the scene, and pixels of its unit.
    origin: [f64; 3],
    unit: f64,
    /// Two opposite corners of the box, in its unit.
    pub bounds: [[f64; 3]; 2],
    anchors: Vec<Anchor>,
}

/// A position parameter that is elsewhere in the scene than it says: at a place of the picture, or not by its value.
#[derive(Clone, Copy)]
pub struct Anchor {
    parameter: &'static CStr,
    /// Where it is in the scene.
    pub position: [f64; 3],
    /// Whether the value is its place in the picture.
    pub is_tracked: bool,
}

impl Space {
    /// The scene before a camera that shows a frame; `None` for an empty frame.
    pub fn new(camera: Camera, frame: Rect) -> Option<Self> {
        let [x1, y1, x2, y2] = frame;
        let shown = x2 > x1 && y2 > y1;
        let bounds = [[0.0; 3]; 2];
        shown.then(|| Self {
            projection: Projection::new(camera, frame),
            origin: [0.0; 3],
            unit: 1.0,
            bounds,
            anchors: Vec::new(),
        })
    }

    /// The scene with a box, whose unit is so many pixels.
    #[must_use]
    pub fn with_box(self, origin: [f64; 3], unit: f64, bounds: [[f64; 3]; 2]) -> Self {
        Self { origin, unit: unit.max(1e-9), bounds, ..self }
    }

    /// The scene with a position parameter, by its script name, that is at `position`; `is_tracked`: its value is its
    /// place in the picture, else it is not used.
    #[must_use]
    pub fn with_anchor(mut self, parameter: &'static CStr, position: [f64; 3], is_tracked: bool) -> Self {
        self.anchors.push(Anchor { parameter, position, is_tracked });
        self
    }

    /// The anchor of a position parameter; `None` where its value is its position.
    pub fn anchor(&self, parameter: &CStr) -> Option<Anchor> {
        self.anchors.iter().find(|anchor| anchor.parameter == parameter).copied()
    }

    /// The place of a position of the scene; `None` behind the camera.
    pub fn project(&self, position: [f64; 3]) -> Option<Projected> {
        self.projection.project(position)
    }

    /// The position in the scene of a position of the box.
    pub fn of_box(&self, position: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.origin[axis] + position[axis] * self.unit)
    }

    /// Pixels of the unit of the box.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// The position of the box that is seen at a place, as far from the camera as another one; `None` if that one is not
    /// seen.
    pub fn moved(&self, from: [f64; 3], place: [f64; 2]) -> Option<[f64; 3]> {
        let depth = self.project(self.of_box(from))?.depth;
        let ray = self.projection.ray(place);
        let to = |axis: usize| ray.origin[axis] + ray.direction[axis] * depth;
        Some([0, 1, 2].map(|axis| (to(axis) - self.origin[axis]) / self.unit))
    }

    /// The position, at a depth, that is seen at a place; `None` where no position of that depth is in front of the camera.
    pub fn at_depth(&self, depth: f64, place: [f64; 2]) -> Option<[f64; 2]> {
        let ray = self.projection.ray(place);
        let away = (depth - ray.origin[2]) / ray.direction[2];
        let seen = away.is_finite() && away > self.projection.near();
        seen.then(|| [0, 1].map(|axis| ray.origin[axis] + ray.direction[axis] * away))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Rect = [0.0, 0.0, 960.0, 540.0];

    fn space() -> Space {
        let camera = Camera { translate: [40.0, -80.0, 300.0], rotate: [9.0, -20.0, 3.0], ..Camera::default() };
        Space::new(camera, FRAME).expect("a frame").with_box([480.0, 20.0, -30.0], 500.0, [[-0.5, 0.0, -0.4]; 2])
    }

    fn close(a: &[f64], b: &[f64]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
    }

    #[test]
    fn a_moved_position_is_seen_at_its_place_and_as_far_away() {
        let space = space();
        let from = [0.1, 0.4, -0.2];
        let before = space.project(space.of_box(from)).expect("in front");
        let to = space.moved(from, [600.0, 111.0]).expect("in front");
        let after = space.project(space.of_box(to)).expect("in front");
        assert!(close(&after.place, &[600.0, 111.0]) && close(&[after.depth], &[before.depth]), "{after:?}");
        assert!(close(&space.moved(from, before.place).expect("in front"), &from));
    }

    #[test]
    fn a_position_of_a_depth_is_seen_at_its_place() {
        let [x, y] = space().at_depth(120.0, [300.0, 200.0]).expect("in front");
        let seen = space().project([x, y, 120.0]).expect("in front");
        assert!(close(&seen.place, &[300.0, 200.0]), "{seen:?}");
        assert_eq!(space().at_depth(1e9, [300.0, 200.0]), None, "behind the camera");
        assert!(Space::new(Camera::default(), [0.0; 4]).is_none());
    }
}
