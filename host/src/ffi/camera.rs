//! The suite of camera inputs, which Nuke has.

use std::os::raw::{c_char, c_int};

use flow_openfx as ofx;

use super::{guard, handles, text, violation, write};
use crate::Status;

pub(crate) static SUITE: ofx::NukeOfxCameraSuiteV1 = ofx::NukeOfxCameraSuiteV1 {
    cameraDefine: Some(define),
    cameraGetHandle: Some(get_handle),
    cameraGetPropertySet: Some(get_property_set),
    cameraGetParameter: Some(get_parameter),
};

fn not_a_camera(call: &str) -> Status {
    violation(format!("{call}: not a camera"), Status::ERR_BAD_HANDLE)
}

unsafe extern "C" fn define(
    effect: ofx::OfxImageEffectHandle,
    name: *const c_char,
    out: *mut ofx::OfxPropertySetHandle,
) -> c_int {
    guard("cameraDefine", || {
        let Some(descriptor) = handles::descriptor(effect) else {
            return violation("cameraDefine: not a descriptor".into(), Status::ERR_BAD_HANDLE);
        };
        let Some(name) = text(name) else {
            return violation("cameraDefine: no name".into(), Status::ERR_VALUE);
        };
        match descriptor.define_camera(&name) {
            Some(props) => {
                write(out, props.handle());
                Status::OK
            }
            None => violation(format!("camera {name} is defined twice"), Status::ERR_EXISTS),
        }
    })
}

unsafe extern "C" fn get_handle(
    effect: ofx::OfxImageEffectHandle,
    name: *const c_char,
    out: *mut ofx::NukeOfxCameraHandle,
    props: *mut ofx::OfxPropertySetHandle,
) -> c_int {
    guard("cameraGetHandle", || {
        let Some(instance) = handles::instance(effect) else {
            return violation("cameraGetHandle: not an image effect".into(), Status::ERR_BAD_HANDLE);
        };
        let name = text(name).unwrap_or_default();
        let Some(camera) = instance.node.cameras.iter().find(|camera| camera.name == name) else {
            return Status::ERR_UNKNOWN;
        };
        write(out, camera.handle());
        write(props, camera.props.handle());
        Status::OK
    })
}

unsafe extern "C" fn get_property_set(camera: ofx::NukeOfxCameraHandle, out: *mut ofx::OfxPropertySetHandle) -> c_int {
    guard("cameraGetPropertySet", || match handles::camera(camera) {
        Some(camera) => {
            write(out, camera.props.handle());
            Status::OK
        }
        None => not_a_camera("cameraGetPropertySet"),
    })
}

unsafe extern "C" fn get_parameter(
    camera: ofx::NukeOfxCameraHandle,
    name: *const c_char,
    time: f64,
    view: c_int,
    out: *mut f64,
    count: c_int,
) -> c_int {
    guard("cameraGetParameter", || {
        let Some(input) = handles::camera(camera) else { return not_a_camera("cameraGetParameter") };
        if view != 0 {
            return violation(format!("cameraGetParameter: no view {view}"), Status::ERR_VALUE);
        }
        let Some(camera) = input.camera() else { return Status::FAILED };
        let name = text(name).unwrap_or_default();
        let Some(values) = camera.parameter(&name, time) else { return Status::ERR_UNKNOWN };
        let count = usize::try_from(count).unwrap_or(0);
        if count != values.len() {
            let text = format!("cameraGetParameter: {name} has {} numbers, not {count}", values.len());
            return violation(text, Status::ERR_VALUE);
        }
        for (place, value) in values.into_iter().enumerate() {
            write(out.wrapping_add(place), value);
        }
        Status::OK
    })
}
