//! Messages to the user, through the host.

use std::{ffi::CString, sync::atomic::Ordering};

use flow_openfx::{MessageType, Status};

use super::{error::succeeded, handle::EffectHandle};

impl EffectHandle<'_> {
    /// Shows `text` once, in a dialogue or the host's log. Returns whether the host accepted the message.
    pub fn post(&self, kind: MessageType, text: &str) -> bool {
        let text = c_text(text);
        let host = self.host();
        let call = host.message_v2().and_then(|suite| suite.message);
        let Some(call) = call.or_else(|| host.message_v1()?.message) else { return false };
        // SAFETY: ofxMessage.h: an effect as void pointer, the type, an id, and a printf format with a C string for its
        // `%s`.
        let status =
            unsafe { call(self.raw_void(), kind.as_cstr().as_ptr(), c"".as_ptr(), c"%s".as_ptr(), text.as_ptr()) };
        Status(status) == Status::OK
    }

    /// Shows `text` on the node until the node next works; once, as [`post`](Self::post) does, in a host without
    /// persistent messages (version 2 of the suite). Returns whether the host accepted the message.
    pub fn post_persistent(&self, kind: MessageType, text: &str) -> bool {
        let Some(set) = self.host().message_v2().and_then(|suite| suite.setPersistentMessage) else {
            return self.post(kind, text);
        };
        let text = c_text(text);
        // Set before the call: a message that the host shows has to be cleared even if the host also returns an error.
        self.posted().store(true, Ordering::Release);
        // SAFETY: as in `post`; the handle is an instance, as persistent messages require.
        let status =
            unsafe { set(self.raw_void(), kind.as_cstr().as_ptr(), c"".as_ptr(), c"%s".as_ptr(), text.as_ptr()) };
        Status(status) == Status::OK
    }

    /// Removes the persistent message if this instance has posted one: Nuke renders no node that shows a message.
    pub fn clear_persistent(&self) {
        if !self.posted().swap(false, Ordering::AcqRel) {
            return;
        }
        if let Some(clear) = self.host().message_v2().and_then(|suite| suite.clearPersistentMessage) {
            // SAFETY: ofxMessage.h: takes an effect instance as void pointer.
            succeeded(unsafe { clear(self.raw_void()) }, "clearPersistentMessage");
        }
    }
}

/// A text for C functions; each NUL becomes a space.
fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}
