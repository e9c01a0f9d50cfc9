//! The progress suites: progress is recorded, and cancelled by an abort or by the node's user.

use std::os::raw::{c_char, c_int, c_void};

use flow_openfx as ofx;

use super::{guard, handles, with_record};
use crate::record::Event;
use crate::{Status, action};

pub(crate) static SUITE_V1: ofx::OfxProgressSuiteV1 =
    ofx::OfxProgressSuiteV1 { progressStart: Some(start_v1), progressUpdate: Some(update), progressEnd: Some(end) };

pub(crate) static SUITE_V2: ofx::OfxProgressSuiteV2 =
    ofx::OfxProgressSuiteV2 { progressStart: Some(start_v2), progressUpdate: Some(update), progressEnd: Some(end) };

fn known(effect: *mut c_void) -> Status {
    if handles::instance(effect).is_some() { Status::OK } else { Status::ERR_BAD_HANDLE }
}

unsafe extern "C" fn start_v1(effect: *mut c_void, _label: *const c_char) -> c_int {
    guard("progressStart", || known(effect))
}

unsafe extern "C" fn start_v2(effect: *mut c_void, _message: *const c_char, _id: *const c_char) -> c_int {
    guard("progressStart", || known(effect))
}

unsafe extern "C" fn update(effect: *mut c_void, progress: f64) -> c_int {
    guard("progressUpdate", || {
        let Some(instance) = handles::instance(effect) else { return Status::ERR_BAD_HANDLE };
        let node = instance.node.name.clone();
        with_record(|record| record.push(Event::Progress { node, progress }));
        let aborted = action::current().is_some_and(|action| action.abort.poll());
        if aborted || instance.node.cancels_at(progress) { Status::REPLY_NO } else { Status::REPLY_YES }
    })
}

unsafe extern "C" fn end(effect: *mut c_void) -> c_int {
    guard("progressEnd", || known(effect))
}
