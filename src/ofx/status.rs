//! Status codes, and the errors that become them.

use std::{ffi::CStr, fmt};

use super::ffi::extra;

/// An OpenFX status code, as actions and suite calls return them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub struct Status(pub i32);

impl Status {
    /// Done.
    pub const OK: Self = Self(extra::kOfxStatOK);
    /// Did not work, for a reason told elsewhere.
    pub const FAILED: Self = Self(extra::kOfxStatFailed);
    /// Nothing works any more.
    pub const ERR_FATAL: Self = Self(extra::kOfxStatErrFatal);
    /// An unknown object was named.
    pub const ERR_UNKNOWN: Self = Self(extra::kOfxStatErrUnknown);
    /// The host lacks what the plug-in cannot do without.
    pub const ERR_MISSING_HOST_FEATURE: Self = Self(extra::kOfxStatErrMissingHostFeature);
    /// Known, but not supported.
    pub const ERR_UNSUPPORTED: Self = Self(extra::kOfxStatErrUnsupported);
    /// There is one already.
    pub const ERR_EXISTS: Self = Self(extra::kOfxStatErrExists);
    /// Wrong format.
    pub const ERR_FORMAT: Self = Self(extra::kOfxStatErrFormat);
    /// Out of memory.
    pub const ERR_MEMORY: Self = Self(extra::kOfxStatErrMemory);
    /// A handle is null, unknown or of another kind.
    pub const ERR_BAD_HANDLE: Self = Self(extra::kOfxStatErrBadHandle);
    /// An index is out of range.
    pub const ERR_BAD_INDEX: Self = Self(extra::kOfxStatErrBadIndex);
    /// A value is illegal.
    pub const ERR_VALUE: Self = Self(extra::kOfxStatErrValue);
    /// Yes.
    pub const REPLY_YES: Self = Self(extra::kOfxStatReplyYes);
    /// No.
    pub const REPLY_NO: Self = Self(extra::kOfxStatReplyNo);
    /// Not handled here: do what the specification says is the default.
    pub const REPLY_DEFAULT: Self = Self(extra::kOfxStatReplyDefault);
    /// An image has a format that cannot be used.
    pub const ERR_IMAGE_FORMAT: Self = Self(extra::kOfxStatErrImageFormat);

    /// The name of the code in the C headers, or `None` for a number that has none.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            extra::kOfxStatOK => "kOfxStatOK",
            extra::kOfxStatFailed => "kOfxStatFailed",
            extra::kOfxStatErrFatal => "kOfxStatErrFatal",
            extra::kOfxStatErrUnknown => "kOfxStatErrUnknown",
            extra::kOfxStatErrMissingHostFeature => "kOfxStatErrMissingHostFeature",
            extra::kOfxStatErrUnsupported => "kOfxStatErrUnsupported",
            extra::kOfxStatErrExists => "kOfxStatErrExists",
            extra::kOfxStatErrFormat => "kOfxStatErrFormat",
            extra::kOfxStatErrMemory => "kOfxStatErrMemory",
            extra::kOfxStatErrBadHandle => "kOfxStatErrBadHandle",
            extra::kOfxStatErrBadIndex => "kOfxStatErrBadIndex",
            extra::kOfxStatErrValue => "kOfxStatErrValue",
            extra::kOfxStatReplyYes => "kOfxStatReplyYes",
            extra::kOfxStatReplyNo => "kOfxStatReplyNo",
            extra::kOfxStatReplyDefault => "kOfxStatReplyDefault",
            extra::kOfxStatErrImageFormat => "kOfxStatErrImageFormat",
            extra::kOfxStatGPUOutOfMemory => "kOfxStatGPUOutOfMemory",
            extra::kOfxStatGPURenderFailed => "kOfxStatGPURenderFailed",
            _ => return None,
        })
    }

    /// `Ok` for [`Status::OK`], otherwise the error of `call` on `subject`.
    pub(super) fn check(self, call: &'static str, subject: &CStr) -> Result<()> {
        if self == Self::OK {
            Ok(())
        } else {
            Err(Error::Host { call, subject: subject.to_string_lossy().into_owned(), status: self })
        }
    }
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

/// Why something could not be done. The text of each is fit to be shown in the host.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A cause and a way out, in the artist's words.
    #[error("{0}")]
    Message(String),
    /// The host has no such suite.
    #[error("this host offers no {name} version {version}, without which the node cannot work here")]
    MissingSuite {
        /// The suite's OpenFX name.
        name: &'static str,
        /// The version asked for.
        version: i32,
    },
    /// A suite lacks a function.
    #[error("this host offers no {0}")]
    MissingFunction(&'static str),
    /// A suite function answered with an error.
    #[error("the host answered {call} of '{subject}' with {status}")]
    Host {
        /// The function, by its name in the C headers.
        call: &'static str,
        /// The property, parameter or clip that it was called for.
        subject: String,
        /// The answer.
        status: Status,
    },
    /// The host handed over a null or unknown handle.
    #[error("the host handed over no valid {0}")]
    BadHandle(&'static str),
    /// A parameter or clip was used with an effect that it was not fetched from.
    #[error("'{0}' belongs to another instance")]
    Foreign(String),
    /// A parameter has another type than the one that it was fetched with.
    #[error("the host holds the parameter '{name}' as {found}, not as {wanted}")]
    ParamType {
        /// The parameter.
        name: String,
        /// Its type in the host.
        found: String,
        /// Its type in the plug-in.
        wanted: &'static str,
    },
    /// OpenFX forbids this call during the current action.
    #[error("{0} is not allowed while the host renders")]
    NotNow(&'static str),
    /// The host's image cannot be read as it is described.
    #[error("{0}")]
    Image(String),
    /// The plug-in does not support what was asked for.
    #[error("{0}")]
    Unsupported(String),
    /// Not enough memory.
    #[error("{0}")]
    Memory(String),
}

/// The result of a call that may fail with [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error whose text an artist can act on.
    pub fn message(text: impl Into<String>) -> Self {
        Self::Message(text.into())
    }

    /// The status that the host gets for this error.
    pub fn status(&self) -> Status {
        match self {
            Self::MissingSuite { .. } | Self::MissingFunction(_) => Status::ERR_MISSING_HOST_FEATURE,
            Self::BadHandle(_) => Status::ERR_BAD_HANDLE,
            Self::Unsupported(_) => Status::ERR_UNSUPPORTED,
            Self::Memory(_) => Status::ERR_MEMORY,
            Self::Host { status: Status::ERR_MEMORY, .. } => Status::ERR_MEMORY,
            Self::Message(_)
            | Self::Host { .. }
            | Self::Foreign(_)
            | Self::ParamType { .. }
            | Self::NotNow(_)
            | Self::Image(_) => Status::FAILED,
        }
    }
}
