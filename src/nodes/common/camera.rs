//! The camera of nodes in three dimensions: its parameters, under the names that Card3D and Nuke's camera have, and
//! their values.

use super::camera_file;
use super::controls::{Controls, Kind};
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

/// A camera, with a text for the artist if its file is missing, malformed or used in part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Viewpoint {
    /// The camera.
    pub camera: Camera,
    /// The text.
    pub notice: Option<String>,
}

impl<Id: Controls> Lens<Id> {
    /// Whether a parameter is one of the camera's.
    pub fn has(&self, id: Id) -> bool {
        let Self { camera, file, scale, translate, rotate, order, focal, aperture, vertical, .. } = *self;
        let window = [self.window_translate, self.window_scale, self.roll];
        let others = [camera, file, scale, translate, rotate, order, focal, aperture, vertical];
        others.into_iter().chain(window).any(|own| own == id)
    }

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
        if values.choice(self.camera, time)? == FRONT && values.camera(time)?.is_none() {
            return Ok(None);
        }
        for (camera, offset) in cameras.iter_mut().zip(offsets) {
            *camera = self.read(values, time + offset)?.camera;
        }
        Ok(cameras.windows(2).any(|pair| pair[0] != pair[1]).then_some(cameras))
    }

    /// The camera at a time: the connected one, else that of the file or of the parameters.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read(&self, values: &impl Values<Id>, time: f64) -> Result<Viewpoint> {
        let Some(connected) = values.camera(time)? else { return self.chosen(values, time) };
        match connected.camera(self.double(values, self.scale, time)?, self.optics(values, time)?) {
            Ok(camera) => Ok(Viewpoint { camera, notice: None }),
            Err(why) => {
                let notice = format!(
                    "The connected camera can't be used: {why}, or disconnect it. Until then the camera of the parameters is \
                     shown."
                );
                Ok(Viewpoint { notice: Some(notice), ..self.chosen(values, time)? })
            }
        }
    }

    /// The camera of the file or of the parameters.
    fn chosen(&self, values: &impl Values<Id>, time: f64) -> Result<Viewpoint> {
        let source = values.choice(self.camera, time)?;
        if source != PARAMETERS && source != FILE {
            return Ok(Viewpoint::default());
        }
        let camera = self.optics(values, time)?;
        if source == PARAMETERS {
            let [translate, rotate] = [values.triple(self.translate, time)?, values.triple(self.rotate, time)?];
            let camera = Camera { translate: translate.map(finite), rotate: rotate.map(finite), ..camera };
            return Ok(Viewpoint { camera, notice: None });
        }
        let (pose, notice) = camera_file::pose(&camera_file::CAMERA, &values.text(self.file, time), time, camera.order);
        let Some(pose) = pose else { return Ok(Viewpoint { notice, ..Viewpoint::default() }) };
        let vertical = self.double(values, self.vertical, time)?;
        let focal = pose.field_of_view.map(|angle| vertical / 2.0 / libm::tan(angle.to_radians() / 2.0));
        let camera = Camera {
            translate: pose.translate,
            unit: Some(self.double(values, self.scale, time)?),
            rotate: pose.rotate,
            order: pose.order,
            focal: focal.unwrap_or(camera.focal),
            ..camera
        };
        Ok(Viewpoint { camera, notice })
    }

    /// The default camera with the lens and the order of rotations of the parameters.
    fn optics(&self, values: &impl Values<Id>, time: f64) -> Result<Camera> {
        let order = match values.choice(self.order, time)? {
            0 => [0, 1, 2],
            1 => [0, 2, 1],
            2 => [1, 0, 2],
            3 => [1, 2, 0],
            5 => [2, 1, 0],
            _ => [2, 0, 1],
        };
        Ok(Camera {
            order,
            focal: self.double(values, self.focal, time)?,
            aperture: self.double(values, self.aperture, time)?,
            window_translate: values.pair(self.window_translate, time)?.map(finite),
            window_scale: values.pair(self.window_scale, time)?.map(finite),
            roll: self.double(values, self.roll, time)?,
            ..Camera::default()
        })
    }

    /// A number in the range of its parameter, which hosts do not enforce for expressions.
    fn double(&self, values: &impl Values<Id>, id: Id, time: f64) -> Result<f64> {
        let value = values.double(id, time)?;
        let Kind::Double { default, range: [low, high], .. } = id.control().kind else { return Ok(value) };
        Ok(if value.is_nan() { default } else { value.clamp(low, high) })
    }
}

/// A finite number.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value.clamp(-FAR, FAR) } else { 0.0 }
}
