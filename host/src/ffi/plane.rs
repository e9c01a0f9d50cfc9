//! The suite of planes, which is The Foundry's; Natron has it too.

use std::os::raw::{c_char, c_int};

use openfx_sys as ofx;

use super::{guard, handles, text, violation, write};
use crate::{Plane, Status};

type GetPlaneV1 = unsafe extern "C" fn(
    ofx::OfxImageClipHandle,
    f64,
    *const c_char,
    *const ofx::OfxRectD,
    *mut ofx::OfxPropertySetHandle,
) -> c_int;
type GetPlaneV2 = unsafe extern "C" fn(
    ofx::OfxImageClipHandle,
    f64,
    c_int,
    *const c_char,
    *const ofx::OfxRectD,
    *mut ofx::OfxPropertySetHandle,
) -> c_int;
type GetRod = unsafe extern "C" fn(ofx::OfxImageClipHandle, f64, c_int, *mut ofx::OfxRectD) -> c_int;
type GetViewName = unsafe extern "C" fn(ofx::OfxImageEffectHandle, c_int, *mut *const c_char) -> c_int;
type GetViewCount = unsafe extern "C" fn(ofx::OfxImageEffectHandle, *mut c_int) -> c_int;

/// Version 1: an image of a plane.
#[repr(C)]
pub(crate) struct SuiteV1 {
    get_plane: Option<GetPlaneV1>,
}

/// Version 2: the same with a view.
#[repr(C)]
pub(crate) struct SuiteV2 {
    get_plane: Option<GetPlaneV2>,
    get_rod: Option<GetRod>,
    get_view_name: Option<GetViewName>,
    get_view_count: Option<GetViewCount>,
}

pub(crate) static SUITE_V1: SuiteV1 = SuiteV1 { get_plane: Some(get_plane) };
pub(crate) static SUITE_V2: SuiteV2 = SuiteV2 {
    get_plane: Some(get_plane_of_view),
    get_rod: Some(get_rod),
    get_view_name: Some(get_view_name),
    get_view_count: Some(get_view_count),
};

unsafe extern "C" fn get_plane(
    clip: ofx::OfxImageClipHandle,
    time: f64,
    plane: *const c_char,
    _region: *const ofx::OfxRectD,
    out: *mut ofx::OfxPropertySetHandle,
) -> c_int {
    write(out, std::ptr::null_mut());
    guard("clipGetImagePlane", || {
        let Some(clip) = handles::clip(clip) else {
            return violation("clipGetImagePlane: not a clip".into(), Status::BAD_HANDLE);
        };
        let name = text(plane).unwrap_or_default();
        let Some(plane) = Plane::parse(&name) else {
            return violation(format!("clipGetImagePlane: '{name}' is no plane"), Status::VALUE);
        };
        match clip.fetch_plane(time, &plane) {
            Some(handle) => {
                write(out, std::ptr::without_provenance_mut(handle));
                Status::OK
            }
            None => Status::FAILED,
        }
    })
}

unsafe extern "C" fn get_plane_of_view(
    clip: ofx::OfxImageClipHandle,
    time: f64,
    view: c_int,
    plane: *const c_char,
    region: *const ofx::OfxRectD,
    out: *mut ofx::OfxPropertySetHandle,
) -> c_int {
    if view != 0 {
        write(out, std::ptr::null_mut());
        return guard("clipGetImagePlane", || violation(format!("clipGetImagePlane: no view {view}"), Status::VALUE));
    }
    // SAFETY: the arguments are the caller's, under the same rules.
    unsafe { get_plane(clip, time, plane, region, out) }
}

unsafe extern "C" fn get_rod(clip: ofx::OfxImageClipHandle, time: f64, _view: c_int, out: *mut ofx::OfxRectD) -> c_int {
    // SAFETY: the arguments are the caller's, under the same rules; there is one view.
    unsafe { super::effect::clip_get_rod(clip, time, out) }
}

unsafe extern "C" fn get_view_name(_: ofx::OfxImageEffectHandle, view: c_int, out: *mut *const c_char) -> c_int {
    guard("getViewName", || {
        if view != 0 {
            return Status::BAD_INDEX;
        }
        write(out, c"main".as_ptr());
        Status::OK
    })
}

unsafe extern "C" fn get_view_count(_: ofx::OfxImageEffectHandle, out: *mut c_int) -> c_int {
    guard("getViewCount", || {
        write(out, 1);
        Status::OK
    })
}
