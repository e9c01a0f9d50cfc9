//! The camera of nodes in three dimensions: its parameters, under the names that Card3D and Nuke's camera have, and
//! their values.

use super::controls::{Control, Controls, Kind, choice, double, triple, vector};
use super::values::Values;
use crate::ofx::Result;
use crate::picture::camera::Camera;

/// Option of `camera`: the parameters.
pub const PARAMETERS: i32 = 1;

/// Farthest position, pixels.
const FAR: f64 = 1e6;

/// Position, in the group and under the conditions of a row.
pub const fn translate<Id: Copy>(row: Control<Id>) -> Control<Id> {
    row.of(c"translate", c"Translate", triple(0.0, [-1e6, 1e6], [-2000.0, 2000.0]))
        .hint(c"Position from that of Front: to the right, up and backward, in pixels.")
}

/// Rotation, in the group and under the conditions of a row.
pub const fn rotate<Id: Copy>(row: Control<Id>) -> Control<Id> {
    row.of(c"rotate", c"Rotate", triple(0.0, [-36_000.0, 36_000.0], [-180.0, 180.0]))
        .hint(c"Rotation in degrees about x (tilt up), y (turn to the left) and z (roll to the left).")
}

/// Order of the rotations, in the group and under the conditions of a row.
pub const fn order<Id: Copy>(row: Control<Id>) -> Control<Id> {
    row.of(c"rotOrder", c"Rotation order", choice(&[c"XYZ", c"XZY", c"YXZ", c"YZX", c"ZXY", c"ZYX"], 4))
        .hint(c"Axes in the order in which the camera turns about them.")
}

/// Focal length, in the group and under the conditions of a row.
pub const fn focal<Id: Copy>(row: Control<Id>) -> Control<Id> {
    row.of(c"focal", c"Focal length", double(50.0, [1.0, 10_000.0], [5.0, 200.0])).hint(c"Millimetres.")
}

/// Horizontal aperture, in the group and under the conditions of a row.
pub const fn aperture<Id: Copy>(row: Control<Id>) -> Control<Id> {
    row.of(c"haperture", c"Horizontal aperture", double(24.576, [0.1, 10_000.0], [5.0, 100.0]))
        .hint(c"Millimetres. At 50 and 24.576 the picture's plane is shown at one pixel a unit.")
}

/// Shift of the picture, in the group and under the conditions of a row.
pub const fn window_translate<Id: Copy>(row: Control<Id>) -> Control<Id> {
    row.of(c"win_translate", c"Window translate", vector(0.0, [-100.0, 100.0], [-1.0, 1.0]))
        .hint(c"Shift of the picture, in halves of its width.")
}

/// Size of the window, in the group and under the conditions of a row.
pub const fn window_scale<Id: Copy>(row: Control<Id>) -> Control<Id> {
    row.of(c"win_scale", c"Window scale", vector(1.0, [0.001, 1000.0], [0.1, 4.0]))
        .hint(c"Size of the camera's window: 2 shows twice as much.")
}

/// Rotation of the picture, in the group and under the conditions of a row.
pub const fn roll<Id: Copy>(row: Control<Id>) -> Control<Id> {
    row.of(c"winroll", c"Window roll", double(0.0, [-36_000.0, 36_000.0], [-180.0, 180.0]))
        .hint(c"Rotation of the picture, in degrees counter-clockwise.")
}

/// The parameters of a camera.
pub struct Lens<Id> {
    /// Whether they are used.
    pub camera: Id,
    /// Position.
    pub translate: Id,
    /// Rotation.
    pub rotate: Id,
    /// Order of the rotations.
    pub order: Id,
    /// Focal length.
    pub focal: Id,
    /// Horizontal aperture.
    pub aperture: Id,
    /// Shift of the picture.
    pub window_translate: Id,
    /// Size of the window.
    pub window_scale: Id,
    /// Rotation of the picture.
    pub roll: Id,
}

/// The camera's parameters of a node whose ids are `Id`.
macro_rules! lens {
    () => {
        $crate::nodes::common::camera::Lens {
            camera: Id::Camera,
            translate: Id::Translate,
            rotate: Id::Rotate,
            order: Id::RotOrder,
            focal: Id::Focal,
            aperture: Id::Haperture,
            window_translate: Id::WinTranslate,
            window_scale: Id::WinScale,
            roll: Id::WinRoll,
        }
    };
}
pub(in crate::nodes) use lens;

impl<Id: Controls> Lens<Id> {
    /// The camera at a time.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read(&self, values: &impl Values<Id>, time: f64) -> Result<Camera> {
        if values.choice(self.camera, time)? != PARAMETERS {
            return Ok(Camera::default());
        }
        let finite = |value: f64| if value.is_finite() { value.clamp(-FAR, FAR) } else { 0.0 };
        let double = |id: Id| -> Result<f64> {
            let value = values.double(id, time)?;
            let Kind::Double { default, range: [low, high], .. } = id.control().kind else { return Ok(value) };
            Ok(if value.is_nan() { default } else { value.clamp(low, high) })
        };
        Ok(Camera {
            translate: values.triple(self.translate, time)?.map(finite),
            rotate: values.triple(self.rotate, time)?.map(finite),
            order: match values.choice(self.order, time)? {
                0 => [0, 1, 2],
                1 => [0, 2, 1],
                2 => [1, 0, 2],
                3 => [1, 2, 0],
                5 => [2, 1, 0],
                _ => [2, 0, 1],
            },
            focal: double(self.focal)?,
            aperture: double(self.aperture)?,
            window_translate: values.pair(self.window_translate, time)?.map(finite),
            window_scale: values.pair(self.window_scale, time)?.map(finite),
            roll: double(self.roll)?,
        })
    }
}
