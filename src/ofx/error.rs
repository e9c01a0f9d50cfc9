//! Errors of this layer, the statuses that they become, and calls of suite functions that end in them.

use std::ffi::CStr;

use flow_openfx::Status;

/// Calls a function of a suite about `$subject`, a property, parameter or clip.
///
/// Evaluates to [`Error::Host`] for any status but OK. Returns [`Error::MissingFunction`] from the surrounding function
/// if the host lacks the function.
macro_rules! call {
    ($suite:expr, $function:ident($($argument:expr),* $(,)?), $subject:expr) => {{
        let function = $suite.$function.ok_or($crate::ofx::Error::MissingFunction(stringify!($function)))?;
        $crate::ofx::error::check(function($($argument),*), stringify!($function), $subject)
    }};
}
pub(super) use call;

/// The reason why a call failed. Each text can be shown to the user of the host.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A cause and a remedy, as a text for the artist.
    #[error("{0}")]
    Message(String),
    /// The host lacks a suite that the plug-in needs.
    #[error("this host offers no {name} version {version}, without which the node cannot work here")]
    MissingSuite {
        /// The OpenFX name of the suite.
        name: &'static str,
        /// The version.
        version: i32,
    },
    /// A suite lacks a function.
    #[error("this host offers no {0}")]
    MissingFunction(&'static str),
    /// A suite function returned an error.
    #[error("the host answered {call} of '{subject}' with {status}")]
    Host {
        /// The function, by its name in the C headers.
        call: &'static str,
        /// The property, parameter or clip of the call.
        subject: String,
        /// The status.
        status: Status,
    },
    /// The host passed a null or unknown handle.
    #[error("the host handed over no valid {0}")]
    BadHandle(&'static str),
    /// A parameter or clip was used with another instance than its own.
    #[error("'{0}' belongs to another instance")]
    Foreign(String),
    /// A parameter has another type in the host than in the plug-in.
    #[error("the host holds the parameter '{name}' as {found}, not as {wanted}")]
    ParamType {
        /// The parameter.
        name: String,
        /// Its type in the host.
        found: String,
        /// Its type in the plug-in.
        wanted: &'static str,
    },
    /// OpenFX forbids the call during the current action.
    #[error("{0} is not allowed while the host renders")]
    NotNow(&'static str),
    /// An image of the host contradicts its description.
    #[error("{0}")]
    Image(String),
    /// The plug-in does not support the request.
    #[error("{0}")]
    Unsupported(String),
    /// Out of memory.
    #[error("{0}")]
    Memory(String),
}

/// The result of a call that may fail with [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error whose text names a cause and a remedy.
    pub fn message(text: impl Into<String>) -> Self {
        Self::Message(text.into())
    }

    /// The status that the host receives for this error.
    #[must_use]
    pub fn status(&self) -> Status {
        match self {
            Self::MissingSuite { .. } | Self::MissingFunction(_) => Status::ERR_MISSING_HOST_FEATURE,
            Self::BadHandle(_) => Status::ERR_BAD_HANDLE,
            Self::Unsupported(_) => Status::ERR_UNSUPPORTED,
            Self::Memory(_) | Self::Host { status: Status::ERR_MEMORY, .. } => Status::ERR_MEMORY,
            Self::Message(_)
            | Self::Host { .. }
            | Self::Foreign(_)
            | Self::ParamType { .. }
            | Self::NotNow(_)
            | Self::Image(_) => Status::FAILED,
        }
    }
}

/// `Ok` for the status OK, otherwise the error of `call` about `subject`.
pub(super) fn check(status: i32, call: &'static str, subject: &CStr) -> Result<()> {
    match Status(status) {
        Status::OK => Ok(()),
        status => Err(Error::Host { call, subject: subject.to_string_lossy().into_owned(), status }),
    }
}

/// Logs the failure of a call that has no consequence for the action. Returns whether the call succeeded.
pub(super) fn succeeded(status: i32, call: &'static str) -> bool {
    let status = Status(status);
    if status != Status::OK {
        tracing::debug!("the host answered {call} with {status}");
    }
    status == Status::OK
}
