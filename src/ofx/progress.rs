//! Progress bars, for long work that a button starts.

use std::ffi::CStr;

use super::{handle::EffectHandle, status::Status};

/// A progress bar that disappears when dropped.
///
/// For main-thread actions only: in a render, hosts confuse the bars of several renders and answer "cancelled" of
/// their own accord.
#[derive(Debug)]
pub struct Progress<'e> {
    effect: &'e EffectHandle<'e>,
}

impl<'a> EffectHandle<'a> {
    /// Shows a progress bar with `label`; `None` where the host has none to show or a render is under way.
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

impl Progress<'_> {
    /// Shows `done`, 0 to 1; false where the user wants it to stop. The host may run its event loop in here and call
    /// other actions of the same instance.
    #[must_use]
    pub fn update(&self, done: f64) -> bool {
        let host = self.effect.host();
        let update = host
            .progress_v2()
            .and_then(|suite| suite.progressUpdate)
            .or_else(|| host.progress_v1().and_then(|suite| suite.progressUpdate));
        // SAFETY: ofxProgress.h: an effect instance as void pointer, for which progress was started, and a number.
        let status = update.map(|update| unsafe { update(self.effect.raw_void(), done.clamp(0.0, 1.0)) });
        status.map(Status) != Some(Status::REPLY_NO)
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        let host = self.effect.host();
        let end = host
            .progress_v2()
            .and_then(|suite| suite.progressEnd)
            .or_else(|| host.progress_v1().and_then(|suite| suite.progressEnd));
        if let Some(end) = end {
            // SAFETY: ofxProgress.h: an effect instance as void pointer, for which progress was started.
            let status = Status(unsafe { end(self.effect.raw_void()) });
            if status != Status::OK {
                tracing::debug!("the host answered progressEnd with {status}");
            }
        }
    }
}
