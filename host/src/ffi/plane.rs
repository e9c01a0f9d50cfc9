//! The plane suite by The Foundry, which Natron has, too.

use std::os::raw::{c_char, c_int};

use flow_openfx as ofx;

use super::{guard, handles, text, violation, write};
use crate::{Plane, Status};

pub(crate) static SUITE_V1: ofx::FnOfxImageEffectPlaneSuiteV1 =
    ofx::FnOfxImageEffectPlaneSuiteV1 { clipGetImagePlane: Some(get_plane) };

pub(crate) static SUITE_V2: ofx::FnOfxImageEffectPlaneSuiteV2 = ofx::FnOfxImageEffectPlaneSuiteV2 {
    clipGetImagePlane: Some(get_plane_of_view),
    clipGetRegionOfDefinition: Some(get_rod),
    getViewName: Some(get_view_name),
    getViewCount: Some(get_view_count),
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
            return violation("clipGetImagePlane: not a clip".into(), Status::ERR_BAD_HANDLE);
        };
        let name = text(plane).unwrap_or_default();
        let Some(plane) = Plane::parse(&name) else {
            return violation(format!("clipGetImagePlane: '{name}' is no plane"), Status::ERR_VALUE);
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
        return guard("clipGetImagePlane", || {
            violation(format!("clipGetImagePlane: no view {view}"), Status::ERR_VALUE)
        });
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
            return Status::ERR_BAD_INDEX;
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
