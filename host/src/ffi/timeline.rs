//! The timeline suite.

use std::os::raw::{c_int, c_void};

use flow_openfx as ofx;

use super::{guard, handles, violation, write};
use crate::{Status, action};

pub(crate) static SUITE: ofx::OfxTimeLineSuiteV1 =
    ofx::OfxTimeLineSuiteV1 { getTime: Some(get_time), gotoTime: Some(goto_time), getTimeBounds: Some(get_bounds) };

unsafe extern "C" fn get_time(effect: *mut c_void, out: *mut f64) -> c_int {
    guard("getTime", || match handles::instance(effect) {
        Some(instance) if instance.node.profile().project_properties => {
            write(out, instance.node.timeline());
            Status::OK
        }
        Some(_) => Status::FAILED,
        None => Status::ERR_BAD_HANDLE,
    })
}

unsafe extern "C" fn goto_time(effect: *mut c_void, time: f64) -> c_int {
    guard("gotoTime", || {
        let Some(instance) = handles::instance(effect) else { return Status::ERR_BAD_HANDLE };
        if action::current().is_some_and(|action| action.renders()) {
            return violation("gotoTime in a render action".into(), Status::FAILED);
        }
        instance.node.set_timeline(time);
        Status::OK
    })
}

unsafe extern "C" fn get_bounds(effect: *mut c_void, first: *mut f64, last: *mut f64) -> c_int {
    guard("getTimeBounds", || match handles::instance(effect) {
        Some(instance) if instance.node.profile().project_properties => {
            let (from, to) = instance.node.project.frames;
            write(first, from);
            write(last, to);
            Status::OK
        }
        Some(_) => Status::FAILED,
        None => Status::ERR_BAD_HANDLE,
    })
}
