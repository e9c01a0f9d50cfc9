//! Edits of several parameters that a user undoes as one.

use std::ffi::CStr;

use crate::ofx::handle::EffectHandle;
use crate::ofx::status::Status;

/// Edits under one name, until dropped.
#[derive(Debug)]
pub struct Edit<'e> {
    effect: &'e EffectHandle<'e>,
}

impl<'a> EffectHandle<'a> {
    /// Begins an edit called `label`; `None` where the host knows no such thing, or a render is under way. Main thread only.
    #[must_use]
    pub fn edit(&'a self, label: &'static CStr) -> Option<Edit<'a>> {
        self.may_write("editing parameters").ok()?;
        let begin = self.host().param().paramEditBegin?;
        // SAFETY: ofxParam.h: a valid parameter set and a C string.
        let status = unsafe { begin(self.param_set().ok()?, label.as_ptr()) };
        (Status(status) == Status::OK).then_some(Edit { effect: self })
    }
}

impl Drop for Edit<'_> {
    fn drop(&mut self) {
        let end = self.effect.host().param().paramEditEnd;
        if let (Some(end), Ok(set)) = (end, self.effect.param_set()) {
            // SAFETY: ofxParam.h: a valid parameter set, for which an edit was begun.
            let status = Status(unsafe { end(set) });
            if status != Status::OK {
                tracing::debug!("the host answered paramEditEnd with {status}");
            }
        }
    }
}
