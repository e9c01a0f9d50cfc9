//! Numbers for tools: a suite of flow-host's, which other hosts don't have.

use std::ffi::{CStr, CString, c_char};

use super::{ffi::sys, handle::EffectHandle};

/// The name of the suite, version 1.
pub(super) const SUITE: &CStr = c"org.flowofx.FlowHostStatsSuite";

/// The suite: one function, to be called from within a render.
#[repr(C)]
pub struct StatsSuiteV1 {
    /// Takes the instance, the time of the render and a JSON object, which the host copies.
    report: Option<unsafe extern "C" fn(sys::OfxImageEffectHandle, f64, *const c_char) -> sys::OfxStatus>,
}

impl EffectHandle<'_> {
    /// Tells a host that counts what this render did: one JSON object. Other hosts are told nothing.
    pub fn report_stats(&self, time: f64, json: &str) {
        let Some(report) = self.host().stats().and_then(|suite| suite.report) else { return };
        let text = CString::new(json.replace('\0', " ")).unwrap_or_default();
        // SAFETY: flow-host's suite: takes an effect instance within its render, and a string that it copies.
        let status = unsafe { report(self.raw(), time, text.as_ptr()) };
        if status != 0 {
            tracing::debug!("the host refused the numbers of frame {time}: status {status}");
        }
    }
}
