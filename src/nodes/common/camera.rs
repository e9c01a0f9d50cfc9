//! The camera of nodes in three dimensions: its parameters, under the names that Card3D and Nuke's camera have, and
//! their values. Each row is in the group of a given one; `source` is the choice of the camera's source.

use super::camera_file;
use super::controls::{Condition, Control, Controls, Kind, choice, double, triple, vector};
use super::values::Values;
use crate::ofx::Result;
use crate::picture::camera::Camera;

/// Option of `camera`: the default.
const FRONT: i32 = 0;
/// Option of `camera`: the parameters.
const PARAMETERS: i32 = 1;
/// Option of `camera`: the file.
const FILE: i32 = 2;

/// Farthest position, pixels.
const FAR: f64 = 1e6;

/// The source of the camera.
pub const fn source<Id: Copy>(row: Control<Id>) -> Control<Id> {
    row.of(c"camera", c"Camera", choice(&[c"Front", c"Parameters", c"File"], 0))
}

/// The file.
pub const fn file<Id: Copy>(row: Control<Id>, source: Id) -> Control<Id> {
    row.when(Condition::OneOf(source, &[FILE])).constant().of(c"cameraFile", c"Camera file", Kind::File)
}

/// The size of a unit of the file.
pub const fn scale<Id: Copy>(row: Control<Id>, source: Id) -> Control<Id> {
    row.when(Condition::OneOf(source, &[FILE])).of(
        c"cameraScale",
        c"Scene scale",
        double(0.0, [0.0, 1e6], [0.0, 2000.0]),
    )
}

/// Position of the camera.
pub const fn translate<Id: Copy>(row: Control<Id>, source: Id) -> Control<Id> {
    row.when(Condition::OneOf(source, &[PARAMETERS])).of(
        c"translate",
        c"Translate",
        triple(0.0, [-1e6, 1e6], [-2000.0, 2000.0]),
    )
}

/// Rotation.
pub const fn rotate<Id: Copy>(row: Control<Id>, source: Id) -> Control<Id> {
    row.when(Condition::OneOf(source, &[PARAMETERS])).of(
        c"rotate",
        c"Rotate",
        triple(0.0, [-36_000.0, 36_000.0], [-180.0, 180.0]),
    )
}

/// Order of the rotations.
pub const fn order<Id: Copy>(row: Control<Id>, source: Id) -> Control<Id> {
    any(row, source).of(c"rotOrder", c"Rotation order", choice(&[c"XYZ", c"XZY", c"YXZ", c"YZX", c"ZXY", c"ZYX"], 4))
}

/// Focal length.
pub const fn focal<Id: Copy>(row: Control<Id>, source: Id) -> Control<Id> {
    any(row, source).of(c"focal", c"Focal length", double(50.0, [1.0, 10_000.0], [5.0, 200.0]))
}

/// Horizontal aperture.
pub const fn aperture<Id: Copy>(row: Control<Id>, source: Id) -> Control<Id> {
    any(row, source).of(c"haperture", c"Horizontal aperture", double(24.576, [0.1, 10_000.0], [5.0, 100.0]))
}

/// Vertical aperture.
pub const fn vertical<Id: Copy>(row: Control<Id>, source: Id) -> Control<Id> {
    row.when(Condition::OneOf(source, &[FILE])).of(
        c"vaperture",
        c"Vertical aperture",
        double(18.672, [0.1, 10_000.0], [5.0, 100.0]),
    )
}

/// Shift of the picture.
pub const fn window_translate<Id: Copy>(row: Control<Id>, source: Id) -> Control<Id> {
    any(row, source).of(c"win_translate", c"Window translate", vector(0.0, [-100.0, 100.0], [-1.0, 1.0]))
}

/// Size of the window.
pub const fn window_scale<Id: Copy>(row: Control<Id>, source: Id) -> Control<Id> {
    any(row, source).of(c"win_scale", c"Window scale", vector(1.0, [0.001, 1000.0], [0.1, 4.0]))
}

/// Rotation of the picture.
pub const fn roll<Id: Copy>(row: Control<Id>, source: Id) -> Control<Id> {
    any(row, source).of(c"winroll", c"Window roll", double(0.0, [-36_000.0, 36_000.0], [-180.0, 180.0]))
}

/// A row of all cameras but the default.
const fn any<Id: Copy>(row: Control<Id>, source: Id) -> Control<Id> {
    row.when(Condition::OneOf(source, &[PARAMETERS, FILE]))
}

/// The parameters of a camera.
pub struct Lens<Id> {
    /// Its source.
    pub camera: Id,
    /// The file.
    pub file: Id,
    /// Pixels of a unit of the file.
    pub scale: Id,
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
    /// Vertical aperture.
    pub vertical: Id,
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
            file: Id::CameraFile,
            scale: Id::CameraScale,
            translate: Id::Translate,
            rotate: Id::Rotate,
            order: Id::RotOrder,
            focal: Id::Focal,
            aperture: Id::Haperture,
            vertical: Id::Vaperture,
            window_translate: Id::WinTranslate,
            window_scale: Id::WinScale,
            roll: Id::WinRoll,
        }
    };
}
pub(in crate::nodes) use lens;

/// A camera, and a text for the artist where its file is not used as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Viewpoint {
    /// The camera.
    pub camera: Camera,
    /// The text.
    pub notice: Option<String>,
}

impl<Id: Controls> Lens<Id> {
    /// The cameras at times before and after a time; `None` if the camera does not move between them.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn around<const N: usize>(
        &self,
        values: &impl Values<Id>,
        time: f64,
        offsets: [f64; N],
    ) -> Result<Option<[Camera; N]>> {
        let mut cameras = [Camera::default(); N];
        if values.choice(self.camera, time)? == FRONT {
            return Ok(None);
        }
        for (camera, offset) in cameras.iter_mut().zip(offsets) {
            *camera = self.read(values, time + offset)?.camera;
        }
        Ok(cameras.windows(2).any(|pair| pair[0] != pair[1]).then_some(cameras))
    }

    /// The camera at a time.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read(&self, values: &impl Values<Id>, time: f64) -> Result<Viewpoint> {
        let source = values.choice(self.camera, time)?;
        if source != PARAMETERS && source != FILE {
            return Ok(Viewpoint::default());
        }
        let finite = |value: f64| if value.is_finite() { value.clamp(-FAR, FAR) } else { 0.0 };
        let double = |id: Id| -> Result<f64> {
            let value = values.double(id, time)?;
            let Kind::Double { default, range: [low, high], .. } = id.control().kind else { return Ok(value) };
            Ok(if value.is_nan() { default } else { value.clamp(low, high) })
        };
        let order = match values.choice(self.order, time)? {
            0 => [0, 1, 2],
            1 => [0, 2, 1],
            2 => [1, 0, 2],
            3 => [1, 2, 0],
            5 => [2, 1, 0],
            _ => [2, 0, 1],
        };
        let camera = Camera {
            order,
            focal: double(self.focal)?,
            aperture: double(self.aperture)?,
            window_translate: values.pair(self.window_translate, time)?.map(finite),
            window_scale: values.pair(self.window_scale, time)?.map(finite),
            roll: double(self.roll)?,
            ..Camera::default()
        };
        if source == PARAMETERS {
            let [translate, rotate] = [values.triple(self.translate, time)?, values.triple(self.rotate, time)?];
            let camera = Camera { translate: translate.map(finite), rotate: rotate.map(finite), ..camera };
            return Ok(Viewpoint { camera, notice: None });
        }
        let (pose, notice) = camera_file::pose(&values.text(self.file, time), time, order);
        let Some(pose) = pose else { return Ok(Viewpoint { notice, ..Viewpoint::default() }) };
        let vertical = double(self.vertical)?;
        let focal = pose.field_of_view.map(|angle| vertical / 2.0 / libm::tan(angle.to_radians() / 2.0));
        let camera = Camera {
            translate: pose.translate,
            unit: Some(double(self.scale)?),
            rotate: pose.rotate,
            order: pose.order,
            focal: focal.unwrap_or(camera.focal),
            ..camera
        };
        Ok(Viewpoint { camera, notice })
    }
}
