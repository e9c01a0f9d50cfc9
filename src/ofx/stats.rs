//! Statistics for flow-host, through a suite that other hosts lack.

use std::ffi::CString;

use super::{error::succeeded, handle::EffectHandle};

impl EffectHandle<'_> {
    /// Reports the statistics of the render of frame `time`, one JSON object, to a host that collects them.
    pub fn report_stats(&self, time: f64, json: &str) {
        let Some(report) = self.host().stats().and_then(|suite| suite.report) else { return };
        let text = CString::new(json.replace('\0', " ")).unwrap_or_default();
        // SAFETY: FlowHostStatsSuiteV1: takes an effect instance within its render, and a string that it copies.
        succeeded(unsafe { report(self.raw(), time, text.as_ptr()) }, "report");
    }
}
