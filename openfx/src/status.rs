//! Status codes.

use std::fmt;

/// Declares the status codes with their names in the C headers.
macro_rules! codes {
    ($($(#[$meta:meta])* $constant:ident = $code:literal, $name:literal;)*) => {
        impl Status {
            $($(#[$meta])* pub const $constant: Self = Self($code);)*

            /// The name of the code in the C headers; `None` for any other number.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($code => Some($name),)*
                    _ => None,
                }
            }
        }
    };
}

/// An OpenFX status code, as actions and suite functions return it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Status(pub i32);

codes! {
    /// Success.
    OK = 0, "kOfxStatOK";
    /// The call failed.
    FAILED = 1, "kOfxStatFailed";
    /// The call failed, and no further call can succeed.
    ERR_FATAL = 2, "kOfxStatErrFatal";
    /// The object is unknown.
    ERR_UNKNOWN = 3, "kOfxStatErrUnknown";
    /// The host lacks a feature that the plug-in needs.
    ERR_MISSING_HOST_FEATURE = 4, "kOfxStatErrMissingHostFeature";
    /// The feature is known, but not supported.
    ERR_UNSUPPORTED = 5, "kOfxStatErrUnsupported";
    /// The object exists already.
    ERR_EXISTS = 6, "kOfxStatErrExists";
    /// The format is wrong.
    ERR_FORMAT = 7, "kOfxStatErrFormat";
    /// Out of memory.
    ERR_MEMORY = 8, "kOfxStatErrMemory";
    /// The handle is null, unknown or of another type.
    ERR_BAD_HANDLE = 9, "kOfxStatErrBadHandle";
    /// The index is out of range.
    ERR_BAD_INDEX = 10, "kOfxStatErrBadIndex";
    /// The value is illegal.
    ERR_VALUE = 11, "kOfxStatErrValue";
    /// Reply: yes.
    REPLY_YES = 12, "kOfxStatReplyYes";
    /// Reply: no.
    REPLY_NO = 13, "kOfxStatReplyNo";
    /// The action is not handled: the host takes the default of the specification.
    REPLY_DEFAULT = 14, "kOfxStatReplyDefault";
    /// The image format is not supported.
    ERR_IMAGE_FORMAT = 1000, "kOfxStatErrImageFormat";
    /// Out of memory on the graphics device.
    GPU_OUT_OF_MEMORY = 1001, "kOfxStatGPUOutOfMemory";
    /// The render failed on the graphics device.
    GPU_RENDER_FAILED = 1002, "kOfxStatGPURenderFailed";
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "status {}", self.0),
        }
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
