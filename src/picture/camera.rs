//! The camera: positions as places in the picture, and rays through places.
//!
//! The projection is that of Nuke's camera: it looks along −z; with `p` the position in its coordinates and
//! `a = haperture / focal`, the place is `−p.xy / (a · p.z)` in widths of the frame from its middle.

/// Nearest distance that is drawn, as a share of the distance of the default camera.
const NEAR: f64 = 1e-3;

/// Focal length and horizontal aperture of the default camera, millimetres.
const DEFAULT_LENS: [f64; 2] = [50.0, 24.576];

/// A camera relative to the default one, which shows z = 0 at one pixel a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Translation from the default position in pixels or, with a `unit`, position in a scene.
    pub translate: [f64; 3],
    /// Pixels of a unit of a scene whose origin is the middle of the picture's plane; 0 for the width of the frame.
    pub unit: Option<f64>,
    /// Rotation about x, y and z, degrees.
    pub rotate: [f64; 3],
    /// Axes in the order in which it turns about them: 0 for x, 1 for y, 2 for z.
    pub order: [usize; 3],
    /// Axes of the camera (right, up, backward) instead of the rotation.
    pub axes: Option<[[f64; 3]; 3]>,
    /// Focal length, millimetres.
    pub focal: f64,
    /// Horizontal aperture, millimetres.
    pub aperture: f64,
    /// Shift of the picture, in halves of its width.
    pub window_translate: [f64; 2],
    /// Scale of the picture's window.
    pub window_scale: [f64; 2],
    /// Rotation of the picture, degrees.
    pub roll: f64,
}

impl Default for Camera {
    fn default() -> Self {
        let [focal, aperture] = DEFAULT_LENS;
        Self {
            translate: [0.0; 3],
            unit: None,
            rotate: [0.0; 3],
            order: [2, 0, 1],
            axes: None,
            focal,
            aperture,
            window_translate: [0.0; 2],
            window_scale: [1.0; 2],
            roll: 0.0,
        }
    }
}

/// The focus of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthOfField {
    /// Distance from the camera that is sharp, pixels; 0 for that of the middle of the picture's plane.
    pub focus: f64,
    /// F-number.
    pub stop: f64,
    /// Real width of the frame in the picture's plane, metres.
    pub width: f64,
}

/// A camera before a frame.
pub struct Projection {
    eye: [f64; 3],
    /// Axes of the camera: right, up, backward.
    axes: [[f64; 3]; 3],
    middle: [f64; 2],
    /// Pixels across at a distance of 1.
    scale: f64,
    near: f64,
    width: f64,
    camera: Camera,
}

/// The line of positions that are seen at a place: `origin + depth · direction`, world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Position of the camera.
    pub origin: [f64; 3],
    /// Displacement per unit of distance along the axis of the camera.
    pub direction: [f64; 3],
}

/// A position in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projected {
    /// Place, canonical pixels.
    pub place: [f64; 2],
    /// Pixels per unit of length there.
    pub scale: f64,
    /// Distance from the camera along its axis.
    pub depth: f64,
}

impl Projection {
    /// The camera before a frame `[x1, y1, x2, y2]`.
    pub fn new(camera: Camera, frame: [f64; 4]) -> Self {
        let middle = [(frame[0] + frame[2]) / 2.0, (frame[1] + frame[3]) / 2.0];
        let width = (frame[2] - frame[0]).max(1.0);
        let distance = width * DEFAULT_LENS[0] / DEFAULT_LENS[1];
        let unit = camera.unit.map_or(1.0, |unit| if unit > 0.0 { unit } else { width });
        let [tx, ty, tz] = camera.translate.map(|side| side * unit);
        let back = if camera.unit.is_some() { 0.0 } else { distance };
        let axes = camera.axes.unwrap_or_else(|| turned(camera.rotate, camera.order));
        let lens = camera.focal.max(1e-6) / camera.aperture.max(1e-6);
        Self {
            eye: [middle[0] + tx, middle[1] + ty, back + tz],
            axes,
            middle,
            scale: width * lens,
            near: distance * NEAR,
            width,
            camera,
        }
    }

    /// The place of a position; `None` behind the camera.
    pub fn project(&self, position: [f64; 3]) -> Option<Projected> {
        let offset = [0, 1, 2].map(|axis| position[axis] - self.eye[axis]);
        let [x, y, z] = self.axes.map(|axis| axis[0] * offset[0] + axis[1] * offset[1] + axis[2] * offset[2]);
        let depth = -z;
        if depth.is_nan() || depth <= self.near {
            return None;
        }
        let scale = self.scale / depth;
        let mut offset = [x * scale, y * scale];
        let Camera { window_translate, window_scale, roll, .. } = self.camera;
        for axis in 0..2 {
            offset[axis] = (offset[axis] + window_translate[axis] * self.width / 2.0) / window_scale[axis].max(1e-6);
        }
        if roll != 0.0 {
            let (sin, cos) = (libm::sin(roll.to_radians()), libm::cos(roll.to_radians()));
            offset = [offset[0] * cos - offset[1] * sin, offset[0] * sin + offset[1] * cos];
        }
        let place = [self.middle[0] + offset[0], self.middle[1] + offset[1]];
        Some(Projected { place, scale: scale / window_scale[0].max(1e-6), depth })
    }

    /// The projection as a matrix: for a position (x, y, z, 1) the two coordinates of its place, each times its depth,
    /// and the depth.
    pub fn matrix(&self) -> [[f64; 4]; 3] {
        let row = |axis: [f64; 3], sign: f64| {
            let [x, y, z] = axis.map(|part| sign * part);
            [x, y, z, -(x * self.eye[0] + y * self.eye[1] + z * self.eye[2])]
        };
        let sum = |a: [f64; 4], by: f64, b: [f64; 4], times: f64| [0, 1, 2, 3].map(|n: usize| a[n] * by + b[n] * times);
        let [right, up, backward] = self.axes;
        let depth = row(backward, -1.0);
        let Camera { window_translate, window_scale, roll, .. } = self.camera;
        let offset = |axis: usize, side: [f64; 3]| {
            let scale = window_scale[axis].max(1e-6);
            sum(row(side, 1.0), self.scale / scale, depth, window_translate[axis] * self.width / 2.0 / scale)
        };
        let (across, along) = (offset(0, right), offset(1, up));
        let (sin, cos) = (libm::sin(roll.to_radians()), libm::cos(roll.to_radians()));
        let turned = [sum(across, cos, along, -sin), sum(across, sin, along, cos)];
        let [x, y] = [0, 1].map(|axis: usize| sum(turned[axis], 1.0, depth, self.middle[axis]));
        [x, y, depth]
    }

    /// The ray of a place in canonical pixels: the inverse of [`project`](Self::project).
    pub fn ray(&self, place: [f64; 2]) -> Ray {
        let mut offset = [place[0] - self.middle[0], place[1] - self.middle[1]];
        let Camera { window_translate, window_scale, roll, .. } = self.camera;
        if roll != 0.0 {
            let (sin, cos) = (libm::sin(roll.to_radians()), libm::cos(roll.to_radians()));
            offset = [offset[0] * cos + offset[1] * sin, offset[1] * cos - offset[0] * sin];
        }
        for axis in 0..2 {
            offset[axis] = offset[axis] * window_scale[axis].max(1e-6) - window_translate[axis] * self.width / 2.0;
        }
        let [right, up, backward] = self.axes;
        let [x, y] = offset.map(|offset| offset / self.scale);
        Ray { origin: self.eye, direction: [0, 1, 2].map(|axis| right[axis] * x + up[axis] * y - backward[axis]) }
    }

    /// Radius of the circle of confusion of a thin lens at a distance, canonical pixels.
    pub fn confusion(&self, depth: f64, lens: &DepthOfField) -> f64 {
        let middle = [self.middle[0], self.middle[1], 0.0];
        let plane = self.project(middle).map_or(self.near / NEAR, |seen| seen.depth);
        let focus = if lens.focus > 0.0 { lens.focus } else { plane };
        // Lengths at the scene are in pixels, those of the lens in millimetres.
        let millimetres = 1000.0 * lens.width.max(1e-6) / self.width;
        let Camera { focal, aperture, window_scale, .. } = self.camera;
        let beyond = (focus * millimetres - focal).max(focal * 0.01);
        let circle = focal * focal / (lens.stop.max(1e-3) * beyond) * (depth - focus).abs() / depth;
        circle / aperture.max(1e-6) * self.width / window_scale[0].max(1e-6) / 2.0
    }

    /// Axes of the camera: right, up, backward.
    pub fn axes(&self) -> [[f64; 3]; 3] {
        self.axes
    }

    /// Smallest distance along the axis of the camera that is drawn.
    pub fn near(&self) -> f64 {
        self.near
    }
}

/// The axes of a camera or a solid after rotations about x, y and z, degrees, in an order.
pub fn turned(rotate: [f64; 3], order: [usize; 3]) -> [[f64; 3]; 3] {
    let angles = rotate.map(f64::to_radians);
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis: [f64; 3]| {
        order.iter().fold(axis, |mut axis, about| {
            // A turn about x takes y to z, about y z to x, about z x to y.
            let [a, b] = [(about + 1) % 3, (about + 2) % 3];
            let (sin, cos) = (libm::sin(angles[*about]), libm::cos(angles[*about]));
            (axis[a], axis[b]) = (axis[a] * cos - axis[b] * sin, axis[a] * sin + axis[b] * cos);
            axis
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: [f64; 4] = [0.0, 0.0, 1920.0, 1080.0];

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6
    }

    #[test]
    fn the_default_camera_shows_the_plane_at_a_pixel_a_unit() {
        let camera = Projection::new(Camera::default(), FRAME);
        for place in [[0.0, 0.0], [960.0, 540.0], [1919.5, 3.25], [-50.0, 2000.0]] {
            let Projected { place: [x, y], scale, depth } =
                camera.project([place[0], place[1], 0.0]).expect("in front");
            assert!(close(x, place[0]) && close(y, place[1]) && close(scale, 1.0), "{x} {y} {scale}");
            assert!(close(depth, 1920.0 * 50.0 / 24.576));
        }
        let near = camera.project([1060.0, 540.0, 1000.0]).expect("in front");
        assert!(near.scale > 1.3 && near.place[0] > 1060.0, "{near:?}");
        assert_eq!(camera.project([0.0, 0.0, 5000.0]), None, "behind");
        assert_eq!(camera.project([f64::NAN; 3]), None);
    }

    #[test]
    fn axes_turn_as_those_of_nuke() {
        let seen = |camera: Camera, position: [f64; 3]| {
            let [x, y] = Projection::new(camera, FRAME).project(position).expect("in front").place;
            [x - 960.0, y - 540.0]
        };
        let ahead = [960.0, 540.0, 0.0];
        let pan = seen(Camera { rotate: [0.0, 5.0, 0.0], ..Camera::default() }, ahead);
        assert!(pan[0] > 100.0 && close(pan[1], 0.0), "a turn to the left moves the picture to the right: {pan:?}");
        let tilt = seen(Camera { rotate: [5.0, 0.0, 0.0], ..Camera::default() }, ahead);
        assert!(tilt[1] < -100.0 && close(tilt[0], 0.0), "a turn up moves the picture down: {tilt:?}");
        let roll = seen(Camera { rotate: [0.0, 0.0, 90.0], ..Camera::default() }, [1060.0, 540.0, 0.0]);
        assert!(close(roll[0], 0.0) && close(roll[1], -100.0), "a roll to the left turns the picture right: {roll:?}");
        let zoom = seen(Camera { focal: 100.0, ..Camera::default() }, [1060.0, 540.0, 0.0]);
        assert!(close(zoom[0], 200.0), "{zoom:?}");
        let both = Camera { rotate: [90.0, 90.0, 0.0], ..Camera::default() };
        let axes = |order: [usize; 3]| Projection::new(Camera { order, ..both }, FRAME).axes;
        // Backward, z, goes to −y by the turn about x, and to x by that about y.
        let near = |a: [f64; 3], b: [f64; 3]| (0..3).all(|axis| close(a[axis], b[axis]));
        assert!(near(axes([0, 1, 2])[2], [0.0, -1.0, 0.0]) && near(axes([1, 0, 2])[2], [1.0, 0.0, 0.0]));
        let moved = seen(Camera { translate: [10.0, -20.0, 0.0], ..Camera::default() }, ahead);
        assert!(close(moved[0], -10.0) && close(moved[1], 20.0), "{moved:?}");
    }

    #[test]
    fn a_position_in_a_scene_is_relative_to_the_middle_of_the_plane() {
        let front = Projection::new(Camera::default(), FRAME);
        let position = [700.0, 300.0, 150.0];
        let away = 50.0 / 24.576;
        for (unit, z) in [(0.0, away), (100.0, away * 19.2), (1.0, away * 1920.0)] {
            let camera = Camera { translate: [0.0, 0.0, z], unit: Some(unit), ..Camera::default() };
            let (seen, truth) = (Projection::new(camera, FRAME).project(position), front.project(position));
            let (seen, truth) = (seen.expect("in front"), truth.expect("in front"));
            assert!(close(seen.place[0], truth.place[0]) && close(seen.depth, truth.depth), "{unit}: {seen:?}");
        }
    }

    #[test]
    fn circles_of_confusion_are_those_of_a_thin_lens() {
        let camera = Projection::new(Camera::default(), FRAME);
        let plane = 1920.0 * 50.0 / 24.576;
        let lens = DepthOfField { focus: 0.0, stop: 2.8, width: 2.0 };
        assert!(close(camera.confusion(plane, &lens), 0.0));
        // Focus at 4.069 m; far away the circle is f²/(N·(s − f)) = 0.222 mm of 24.576 mm.
        let far = camera.confusion(1e12, &lens) * 2.0;
        let exact = 2500.0 / (2.8 * (2000.0 * 50.0 / 24.576 - 50.0)) / 24.576 * 1920.0;
        assert!((far / exact - 1.0).abs() < 1e-6, "{far} {exact}");
        let near = camera.confusion(plane / 2.0, &lens) * 2.0;
        assert!((near / exact - 1.0).abs() < 1e-6, "as much at half the distance: {near}");
        assert!(close(camera.confusion(1000.0, &DepthOfField { focus: 1000.0, ..lens }), 0.0));
        assert!(camera.confusion(10.0, &DepthOfField { focus: 1e-9, stop: 0.0, width: 0.0 }).is_finite());
    }

    #[test]
    fn positions_on_the_ray_of_a_place_are_seen_there() {
        let cameras = [
            Camera::default(),
            Camera {
                translate: [30.0, -200.0, 500.0],
                rotate: [12.0, -30.0, 5.0],
                focal: 35.0,
                window_translate: [0.2, -0.1],
                window_scale: [1.3, 0.8],
                roll: 25.0,
                ..Camera::default()
            },
        ];
        for camera in cameras {
            let projection = Projection::new(camera, FRAME);
            for place in [[0.5, 0.5], [960.0, 540.0], [1800.25, 77.0]] {
                let ray = projection.ray(place);
                for depth in [10.0, 1234.0] {
                    let position = [0, 1, 2].map(|axis| ray.origin[axis] + ray.direction[axis] * depth);
                    let seen = projection.project(position).expect("in front");
                    assert!(close(seen.place[0], place[0]) && close(seen.place[1], place[1]), "{seen:?}");
                    assert!(close(seen.depth, depth));
                    let [x, y, z] = position;
                    let [x, y, deep] = projection.matrix().map(|[a, b, c, d]| a * x + b * y + c * z + d);
                    assert!(close(x / deep, place[0]) && close(y / deep, place[1]) && close(deep, depth), "{x} {y}");
                }
            }
        }
    }
}
