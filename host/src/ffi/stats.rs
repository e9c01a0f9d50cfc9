//! The vendor suite `org.flowofx.FlowHostStatsSuite`, version 1:
//!
//! ```c
//! typedef struct {
//!     OfxStatus (*report)(OfxImageEffectHandle instance, double time, const char *json);
//! } FlowHostStatsSuiteV1;
//! ```
//!
//! A plug-in may fetch it and call `report` from its render action, on that action's
//! thread, with a JSON object such as `{"steps": 3, "from": "memory"}`. The members
//! join the frame's statistics.

use std::os::raw::{c_char, c_int};

use flow_openfx as ofx;
use serde_json::Value;

use super::{guard, handles, text, violation};
use crate::{Status, action};

pub(crate) static SUITE: ofx::FlowHostStatsSuiteV1 = ofx::FlowHostStatsSuiteV1 { report: Some(report) };

unsafe extern "C" fn report(effect: ofx::OfxImageEffectHandle, _time: f64, json: *const c_char) -> c_int {
    guard("report", || {
        let Some(instance) = handles::instance(effect) else { return Status::ERR_BAD_HANDLE };
        let Some(action) = action::current_of(&instance.node) else {
            return violation("report: no action runs on this thread".into(), Status::FAILED);
        };
        let json = text(json).unwrap_or_default();
        match serde_json::from_str(&json) {
            Ok(Value::Object(members)) => {
                action.gather(|gathered| gathered.stats.extend(members));
                Status::OK
            }
            _ => violation(format!("report: not a JSON object: {json}"), Status::ERR_VALUE),
        }
    })
}
