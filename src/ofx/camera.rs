//! Camera inputs of an effect, in hosts with the camera suite.

use std::{
    ffi::{CStr, c_int},
    ptr::{self, NonNull},
};

use flow_openfx::{self as sys, Status};

use super::{
    descriptor::{EffectDescriptor, set_labels},
    error::{Error, Result, call},
    handle::EffectHandle,
    property::PropertySet,
};

/// A camera input of an instance. `create_instance` fetches it once; every use takes the [`EffectHandle`] of the current
/// action of the same instance.
#[derive(Clone, Debug)]
pub struct Camera {
    handle: NonNull<sys::NukeOfxCameraStruct>,
    name: &'static CStr,
    owner: u64,
}

// SAFETY: the handle is used through an `EffectHandle` only, which stays on the thread of its action. The camera suite
// returns handles that live as long as their instance, as those of clips.
unsafe impl Send for Camera {}
// SAFETY: as above; no field changes.
unsafe impl Sync for Camera {}

impl EffectDescriptor<'_> {
    /// Defines an optional camera input, in `describe_in_context`, in hosts that have such inputs.
    ///
    /// # Errors
    ///
    /// The host refuses the name.
    pub fn camera(&self, name: &'static CStr) -> Result<()> {
        let Some(suite) = self.host().cameras() else { return Ok(()) };
        let mut properties = ptr::null_mut();
        // SAFETY: NukeOfxCameraSuiteV1: a valid descriptor, a C string, and space for a handle.
        unsafe { call!(suite, cameraDefine(self.raw(), name.as_ptr(), &raw mut properties), name) }?;
        // SAFETY: NukeOfxCameraSuiteV1: the set lives as long as the descriptor.
        if let Ok(properties) = unsafe { PropertySet::new(self.host(), properties, "camera properties") } {
            set_labels(&properties, name);
            properties.try_set(sys::kOfxImageClipPropOptional, [true]);
        }
        Ok(())
    }
}

impl EffectHandle<'_> {
    /// The camera input `name` of this instance; `None` in a host without camera inputs, or in a context without this
    /// one.
    #[must_use]
    pub fn camera(&self, name: &'static CStr) -> Option<Camera> {
        let (effect, mut handle, mut properties) = (self.raw(), ptr::null_mut(), ptr::null_mut());
        let get = self.host().cameras()?.cameraGetHandle?;
        // SAFETY: NukeOfxCameraSuiteV1: a valid effect, a C string, and space for two handles.
        let status = unsafe { get(effect, name.as_ptr(), &raw mut handle, &raw mut properties) };
        if Status(status) != Status::OK {
            tracing::debug!("there is no camera {name:?}: {}", Status(status));
            return None;
        }
        Some(Camera { handle: NonNull::new(handle)?, name, owner: self.id() })
    }
}

impl Camera {
    /// Parameter of 16 numbers: the matrix from the camera's coordinates to the scene's, row by row.
    pub const MATRIX: &CStr = sys::kNukeOfxCameraPositionMatrix;
    /// Parameter: 0 for perspective, 1 for orthographic, 2 for UV, 3 for spherical.
    pub const PROJECTION: &CStr = sys::kNukeOfxCameraProjectionMode;
    /// Parameter: focal length, millimetres.
    pub const FOCAL: &CStr = sys::kNukeOfxCameraFocal;
    /// Parameter: horizontal aperture, millimetres.
    pub const APERTURE: &CStr = sys::kNukeOfxCameraHorizontalAperture;
    /// Parameter of two numbers: shift of the picture, in halves of its width.
    pub const WINDOW_TRANSLATE: &CStr = sys::kNukeOfxCameraWindowTranslate;
    /// Parameter of two numbers: scale of the picture's window.
    pub const WINDOW_SCALE: &CStr = sys::kNukeOfxCameraWindowScale;
    /// Parameter: rotation of the picture, degrees.
    pub const ROLL: &CStr = sys::kNukeOfxCameraWindowRoll;

    /// The numbers of a parameter of the connected camera at a time, in the view of the action; `None` if no camera is
    /// connected.
    ///
    /// # Errors
    ///
    /// The camera has no such parameter, or belongs to another instance.
    pub fn parameter<const N: usize>(
        &self,
        effect: &EffectHandle<'_>,
        parameter: &'static CStr,
        time: f64,
    ) -> Result<Option<[f64; N]>> {
        if effect.id() != self.owner {
            return Err(Error::Foreign(self.name.to_string_lossy().into_owned()));
        }
        let suite = effect.host().cameras().ok_or(Error::MissingFunction("cameraGetParameter"))?;
        let get = suite.cameraGetParameter.ok_or(Error::MissingFunction("cameraGetParameter"))?;
        let (camera, mut values, count) = (self.handle.as_ptr(), [f64::NAN; N], N as c_int);
        // SAFETY: NukeOfxCameraSuiteV1: a valid camera (its instance is in an action), a C string, a time, a view, and
        // space for `count` doubles.
        let status = unsafe { get(camera, parameter.as_ptr(), time, effect.view(), values.as_mut_ptr(), count) };
        match Status(status) {
            Status::OK => Ok(Some(values)),
            Status::FAILED => Ok(None),
            status => Err(Error::Host {
                call: "cameraGetParameter",
                subject: parameter.to_string_lossy().into_owned(),
                status,
            }),
        }
    }
}
