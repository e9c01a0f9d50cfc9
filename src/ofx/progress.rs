//! Progress bars, for long work that a button starts.

use std::ffi::CStr;

use flow_openfx::Status;

use super::{error::succeeded, handle::EffectHandle};

/// A progress bar that disappears when dropped.
///
/// For main-thread actions only: in a render, hosts mix up the bars of concurrent renders and report a cancellation of
/// their own.
#[derive(Debug)]
pub struct Progress<'e> {
    effect: &'e EffectHandle<'e>,
}

impl<'a> EffectHandle<'a> {
    /// Shows a progress bar with `label`; `None` if the host has none or during a render.
    #[must_use]
    pub fn progress(&'a self, label: &'static CStr) -> Option<Progress<'a>> {
        self.may_write("showing progress").ok()?;
        let status = if let Some(start) = self.host().progress_v2().and_then(|suite| suite.progressStart) {
            // SAFETY: ofxProgress.h: an effect instance as void pointer, a text and an id.
            unsafe { start(self.raw_void(), label.as_ptr(), c"".as_ptr()) }
        } else {
            let start = self.host().progress_v1()?.progressStart?;
            // SAFETY: ofxProgress.h: an effect instance as void pointer and a text.
            unsafe { start(self.raw_void(), label.as_ptr()) }
        };
        (Status(status) == Status::OK).then_some(Progress { effect: self })
    }
}

/// A function that both versions of the progress suite have; version 2 takes precedence.
macro_rules! function {
    ($host:expr, $name:ident) => {{
        let newer = $host.progress_v2().and_then(|suite| suite.$name);
        newer.or_else(|| $host.progress_v1().and_then(|suite| suite.$name))
    }};
}

impl Progress<'_> {
    /// Shows `done`, 0 to 1. Returns false if the user cancels. The host may run its event loop in this call, and call
    /// other actions of the same instance.
    #[must_use]
    pub fn update(&self, done: f64) -> bool {
        let update = function!(self.effect.host(), progressUpdate);
        // SAFETY: ofxProgress.h: an effect instance as void pointer, for which progress was started, and a number.
        let status = update.map(|update| unsafe { update(self.effect.raw_void(), done.clamp(0.0, 1.0)) });
        status.map(Status) != Some(Status::REPLY_NO)
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if let Some(end) = function!(self.effect.host(), progressEnd) {
            // SAFETY: ofxProgress.h: an effect instance as void pointer, for which progress was started.
            succeeded(unsafe { end(self.effect.raw_void()) }, "progressEnd");
        }
    }
}
