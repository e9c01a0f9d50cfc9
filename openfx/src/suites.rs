//! Layouts of suites that `openfx-sys` lacks.

#![expect(non_snake_case, reason = "published names")]

use std::ffi::{c_char, c_double, c_int};

use openfx_sys::{OfxImageClipHandle, OfxImageEffectHandle, OfxPropertySetHandle, OfxRectD, OfxStatus, OfxTime};

/// The suite of planes, version 1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct FnOfxImageEffectPlaneSuiteV1 {
    /// The image of one plane of a clip. A null region means the whole image; released as any other image.
    pub clipGetImagePlane: Option<
        unsafe extern "C" fn(
            clip: OfxImageClipHandle,
            time: OfxTime,
            plane: *const c_char,
            region: *const OfxRectD,
            image: *mut OfxPropertySetHandle,
        ) -> OfxStatus,
    >,
}

/// The suite of planes, version 2: version 1 with views.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct FnOfxImageEffectPlaneSuiteV2 {
    /// The image of one plane of a clip in a view.
    pub clipGetImagePlane: Option<
        unsafe extern "C" fn(
            clip: OfxImageClipHandle,
            time: OfxTime,
            view: c_int,
            plane: *const c_char,
            region: *const OfxRectD,
            image: *mut OfxPropertySetHandle,
        ) -> OfxStatus,
    >,
    /// The region of definition of a clip in a view.
    pub clipGetRegionOfDefinition:
        Option<unsafe extern "C" fn(OfxImageClipHandle, OfxTime, view: c_int, bounds: *mut OfxRectD) -> OfxStatus>,
    /// The name of a view.
    pub getViewName:
        Option<unsafe extern "C" fn(OfxImageEffectHandle, view: c_int, name: *mut *const c_char) -> OfxStatus>,
    /// The number of views.
    pub getViewCount: Option<unsafe extern "C" fn(OfxImageEffectHandle, count: *mut c_int) -> OfxStatus>,
}

/// A camera input of an effect instance: opaque.
#[repr(C)]
#[derive(Debug)]
pub struct NukeOfxCameraStruct {
    _opaque: [u8; 0],
}

/// Handle of a camera input.
pub type NukeOfxCameraHandle = *mut NukeOfxCameraStruct;

/// The suite of camera inputs, version 1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NukeOfxCameraSuiteV1 {
    /// Defines a camera input in the action DescribeInContext; names are unique.
    pub cameraDefine: Option<
        unsafe extern "C" fn(
            descriptor: OfxImageEffectHandle,
            name: *const c_char,
            properties: *mut OfxPropertySetHandle,
        ) -> OfxStatus,
    >,
    /// The camera input of an instance by its name. A null `properties` is allowed.
    pub cameraGetHandle: Option<
        unsafe extern "C" fn(
            effect: OfxImageEffectHandle,
            name: *const c_char,
            camera: *mut NukeOfxCameraHandle,
            properties: *mut OfxPropertySetHandle,
        ) -> OfxStatus,
    >,
    /// The properties of a camera input.
    pub cameraGetPropertySet:
        Option<unsafe extern "C" fn(camera: NukeOfxCameraHandle, properties: *mut OfxPropertySetHandle) -> OfxStatus>,
    /// Writes `count` doubles of a parameter of the connected camera. Failed where none is connected, unknown for an
    /// unknown parameter.
    pub cameraGetParameter: Option<
        unsafe extern "C" fn(
            camera: NukeOfxCameraHandle,
            parameter: *const c_char,
            time: c_double,
            view: c_int,
            values: *mut c_double,
            count: c_int,
        ) -> OfxStatus,
    >,
}

/// The statistics suite of flow-host, version 1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct FlowHostStatsSuiteV1 {
    /// Adds the members of a JSON object to the statistics of the frame that the effect renders at `time`. Called in
    /// the render action, on its thread; the host copies the string.
    pub report:
        Option<unsafe extern "C" fn(effect: OfxImageEffectHandle, time: OfxTime, json: *const c_char) -> OfxStatus>,
}
