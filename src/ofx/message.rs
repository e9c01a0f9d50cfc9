//! Telling the user something through the host.

use std::{
    ffi::{CStr, CString},
    sync::atomic::Ordering,
};

use super::{handle::EffectHandle, names, status::Status};

/// How bad the news are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// The node cannot go on.
    Error,
    /// The node goes on, but not as asked.
    Warning,
    /// For information.
    Message,
    /// For the host's log, not for a dialogue.
    Log,
}

impl MessageKind {
    const fn as_cstr(self) -> &'static CStr {
        match self {
            Self::Error => names::MESSAGE_ERROR,
            Self::Warning => names::MESSAGE_WARNING,
            Self::Message => names::MESSAGE_MESSAGE,
            Self::Log => names::MESSAGE_LOG,
        }
    }
}

impl EffectHandle<'_> {
    /// Shows `text` once, in a dialogue or the host's log. Says whether the host took it.
    pub fn post(&self, kind: MessageKind, text: &str) -> bool {
        let text = c_text(text);
        let call = self
            .host()
            .message_v2()
            .and_then(|suite| suite.message)
            .or_else(|| self.host().message_v1().and_then(|suite| suite.message));
        let Some(call) = call else { return false };
        // SAFETY: ofxMessage.h: an effect as void pointer, the kind, an id, and a printf format whose one `%s` is given a
        // C string.
        let status =
            unsafe { call(self.raw_void(), kind.as_cstr().as_ptr(), c"".as_ptr(), c"%s".as_ptr(), text.as_ptr()) };
        Status(status) == Status::OK
    }

    /// Puts `text` on the node, where it stays until the node next works. Without persistent messages (version 2 of the
    /// suite) it is shown once, as [`post`](Self::post) does. Says whether the host took it.
    pub fn post_persistent(&self, kind: MessageKind, text: &str) -> bool {
        let Some(set) = self.host().message_v2().and_then(|suite| suite.setPersistentMessage) else {
            return self.post(kind, text);
        };
        let text = c_text(text);
        // Remembered before the call: what the host shows must be cleared even where it also reports an error.
        self.posted().store(true, Ordering::Release);
        // SAFETY: as in `post`; the handle is an instance, as persistent messages need.
        let status =
            unsafe { set(self.raw_void(), kind.as_cstr().as_ptr(), c"".as_ptr(), c"%s".as_ptr(), text.as_ptr()) };
        Status(status) == Status::OK
    }

    /// Takes the persistent message away, if this instance has put one up: Nuke renders no node that carries one, and a
    /// node that never did needs no call.
    pub fn clear_persistent(&self) {
        if !self.posted().swap(false, Ordering::AcqRel) {
            return;
        }
        if let Some(clear) = self.host().message_v2().and_then(|suite| suite.clearPersistentMessage) {
            // SAFETY: ofxMessage.h: takes an effect instance as void pointer.
            let status = Status(unsafe { clear(self.raw_void()) });
            if status != Status::OK {
                tracing::debug!("the host answered clearPersistentMessage with {status}");
            }
        }
    }
}

/// Text for a C function: NULs, which would end it, become spaces.
fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}
