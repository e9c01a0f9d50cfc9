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
        self.begin_edit(label).then_some(Edit { effect: self })
    }

    /// As [`edit`](Self::edit), for an edit that goes on after this action: [`end_edit`](Self::end_edit) is owed where
    /// this says that it began.
    #[must_use]
    pub fn begin_edit(&self, label: &'static CStr) -> bool {
        let begin = self.may_write("editing parameters").ok().and_then(|()| self.host().param().paramEditBegin);
        let (Some(begin), Ok(set)) = (begin, self.param_set()) else { return false };
        // SAFETY: ofxParam.h: a valid parameter set and a C string.
        Status(unsafe { begin(set, label.as_ptr()) }) == Status::OK
    }

    /// Ends an edit.
    pub fn end_edit(&self) {
        if let (Some(end), Ok(set)) = (self.host().param().paramEditEnd, self.param_set()) {
            // SAFETY: ofxParam.h: a valid parameter set, for which an edit was begun.
            let status = Status(unsafe { end(set) });
            if status != Status::OK {
                tracing::debug!("the host answered paramEditEnd with {status}");
            }
        }
    }
}

impl Drop for Edit<'_> {
    fn drop(&mut self) {
        self.effect.end_edit();
    }
}
