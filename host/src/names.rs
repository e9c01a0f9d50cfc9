//! Names: of properties, and of values in commands and job files.

use std::ffi::CStr;

use flow_openfx::{Context, Depth, ParamType, Status};

use crate::{Error, Result};

/// A property name: text, or a constant of `flow_openfx`.
pub(crate) trait PropertyName {
    fn text(&self) -> &str;
}

impl PropertyName for str {
    fn text(&self) -> &str {
        self
    }
}

impl PropertyName for String {
    fn text(&self) -> &str {
        self
    }
}

impl PropertyName for CStr {
    fn text(&self) -> &str {
        self.to_str().unwrap_or_default()
    }
}

impl PropertyName for [u8] {
    fn text(&self) -> &str {
        CStr::from_bytes_with_nul(self).unwrap_or_default().text()
    }
}

impl<const N: usize> PropertyName for [u8; N] {
    fn text(&self) -> &str {
        self[..].text()
    }
}

/// The name of a property of one clip: `prefix` followed by the clip's name.
pub(crate) fn of_clip(prefix: &CStr, clip: &str) -> String {
    prefix.text().to_owned() + clip
}

/// Whether the plug-in handled the action or left it to the host.
pub(crate) fn is_success(status: Status) -> bool {
    matches!(status, Status::OK | Status::REPLY_DEFAULT | Status::REPLY_YES | Status::REPLY_NO)
}

/// A value with a name in commands, job files and listings.
pub(crate) trait Named: Copy + 'static {
    /// The noun in error messages.
    const NOUN: &'static str;
    /// The values with their names, in the order of error messages.
    const NAMES: &'static [(Self, &'static str)];

    fn name(self) -> &'static str
    where
        Self: PartialEq,
    {
        Self::NAMES.iter().find(|(value, _)| *value == self).map_or("", |(_, name)| name)
    }

    /// The value of a name.
    ///
    /// # Errors
    /// A usage error that lists the names.
    fn named(name: &str) -> Result<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(value, _)| *value).ok_or_else(|| {
            let names: Vec<&str> = Self::NAMES.iter().map(|(_, name)| *name).collect();
            Error::usage(format!("unknown {} '{name}': expected {}", Self::NOUN, names.join(", ")))
        })
    }
}

impl Named for Context {
    const NOUN: &'static str = "context";
    const NAMES: &'static [(Self, &'static str)] = &[
        (Self::Filter, "filter"),
        (Self::General, "general"),
        (Self::Generator, "generator"),
        (Self::Transition, "transition"),
        (Self::Retimer, "retimer"),
    ];
}

impl Named for Depth {
    const NOUN: &'static str = "depth";
    const NAMES: &'static [(Self, &'static str)] =
        &[(Self::Float, "float"), (Self::Half, "half"), (Self::Short, "short"), (Self::Byte, "byte")];
}

impl Named for ParamType {
    const NOUN: &'static str = "parameter type";
    const NAMES: &'static [(Self, &'static str)] = &[
        (Self::Integer, "int"),
        (Self::Integer2D, "int2D"),
        (Self::Integer3D, "int3D"),
        (Self::Double, "double"),
        (Self::Double2D, "double2D"),
        (Self::Double3D, "double3D"),
        (Self::Rgb, "RGB"),
        (Self::Rgba, "RGBA"),
        (Self::Boolean, "bool"),
        (Self::Choice, "choice"),
        (Self::String, "string"),
        (Self::Custom, "custom"),
        (Self::PushButton, "button"),
        (Self::Group, "group"),
        (Self::Page, "page"),
    ];
}
