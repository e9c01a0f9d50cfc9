//! Edits of several parameters that one Undo reverts.

use std::ffi::CStr;

use crate::ofx::error::succeeded;
use crate::ofx::handle::EffectHandle;

/// An edit that ends when dropped.
#[derive(Debug)]
pub struct Edit<'e> {
    effect: &'e EffectHandle<'e>,
}

impl<'a> EffectHandle<'a> {
    /// Begins an edit with the name `label`; `None` in a host without edits or during a render. Main thread only.
    #[must_use]
    pub fn edit(&'a self, label: &'static CStr) -> Option<Edit<'a>> {
        self.begin_edit(label).then_some(Edit { effect: self })
    }

    /// As [`edit`](Self::edit), for an edit that continues after this action. After true the caller has to call
    /// [`end_edit`](Self::end_edit).
    #[must_use]
    pub fn begin_edit(&self, label: &'static CStr) -> bool {
        let begin = self.may_write("editing parameters").ok().and_then(|()| self.host().param().paramEditBegin);
        let (Some(begin), Ok(set)) = (begin, self.param_set()) else { return false };
        // SAFETY: ofxParam.h: a valid parameter set and a C string.
        succeeded(unsafe { begin(set, label.as_ptr()) }, "paramEditBegin")
    }

    /// Ends an edit.
    pub fn end_edit(&self) {
        if let (Some(end), Ok(set)) = (self.host().param().paramEditEnd, self.param_set()) {
            // SAFETY: ofxParam.h: a valid parameter set, for which an edit was begun.
            succeeded(unsafe { end(set) }, "paramEditEnd");
        }
    }
}

impl Drop for Edit<'_> {
    fn drop(&mut self) {
        self.effect.end_edit();
    }
}
