//! Pixel formats, premultiplication, fields and contexts: OpenFX strings as enums.

use std::ffi::CStr;

use super::{ffi::extra, names};

/// Writes an enum of OpenFX strings with its two conversions.
macro_rules! strings {
    ($(#[$outer:meta])* $name:ident { $($(#[$inner:meta])* $variant:ident = $string:expr,)* }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$inner])* $variant,)*
        }

        impl $name {
            /// The OpenFX name.
            #[must_use]
            pub const fn as_cstr(self) -> &'static CStr {
                match self {
                    $(Self::$variant => $string,)*
                }
            }

            /// The value of an OpenFX name, or `None` for one that is not known here.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                let name = name.as_bytes();
                $(if $string.to_bytes() == name { return Some(Self::$variant); })*
                None
            }
        }
    };
}

strings! {
    /// What one sample of a pixel is.
    Depth {
        /// 8 bits, 255 is white.
        Byte = names::BIT_DEPTH_BYTE,
        /// 16 bits, 65535 is white.
        Short = names::BIT_DEPTH_SHORT,
        /// 16-bit float.
        Half = names::BIT_DEPTH_HALF,
        /// 32-bit float.
        Float = names::BIT_DEPTH_FLOAT,
    }
}

impl Depth {
    /// Bytes of one sample.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Byte => 1,
            Self::Short | Self::Half => 2,
            Self::Float => 4,
        }
    }
}

strings! {
    /// Which samples a pixel has, in their order in memory.
    Components {
        /// Red, green, blue, alpha.
        Rgba = names::COMPONENT_RGBA,
        /// Red, green, blue.
        Rgb = names::COMPONENT_RGB,
        /// Alpha alone.
        Alpha = names::COMPONENT_ALPHA,
        /// Two channels (Natron).
        Xy = extra::kNatronOfxImageComponentXY,
    }
}

impl Components {
    /// Samples per pixel.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::Rgba => 4,
            Self::Rgb => 3,
            Self::Xy => 2,
            Self::Alpha => 1,
        }
    }
}

strings! {
    /// How colour relates to alpha.
    Premultiplication {
        /// There is no transparency.
        Opaque = names::OPAQUE,
        /// Colour is multiplied by alpha.
        Premultiplied = names::PRE_MULTIPLIED,
        /// Colour is independent of alpha.
        Unpremultiplied = names::UN_PRE_MULTIPLIED,
    }
}

strings! {
    /// Which lines of a picture are meant.
    Field {
        /// The picture is progressive.
        None = names::FIELD_NONE,
        /// Even lines.
        Lower = names::FIELD_LOWER,
        /// Odd lines.
        Upper = names::FIELD_UPPER,
        /// Both fields together.
        Both = names::FIELD_BOTH,
        /// One field, as a picture of half the height.
        Single = names::FIELD_SINGLE,
        /// One field, each line twice.
        Doubled = names::FIELD_DOUBLED,
    }
}

strings! {
    /// How an effect is used, which decides the clips that it has.
    Context {
        /// One input, one output.
        Filter = names::CONTEXT_FILTER,
        /// Any inputs.
        General = names::CONTEXT_GENERAL,
        /// No input.
        Generator = names::CONTEXT_GENERATOR,
        /// Two inputs.
        Transition = names::CONTEXT_TRANSITION,
        /// An input and a brush.
        Paint = names::CONTEXT_PAINT,
        /// One input, at another time.
        Retimer = names::CONTEXT_RETIMER,
    }
}

strings! {
    /// How many renders may run at once.
    ThreadSafety {
        /// One over all instances.
        Unsafe = names::RENDER_UNSAFE,
        /// One per instance.
        InstanceSafe = names::RENDER_INSTANCE_SAFE,
        /// Any number.
        FullySafe = names::RENDER_FULLY_SAFE,
    }
}

strings! {
    /// Why something changed.
    ChangeReason {
        /// The user changed it; undo and reset count as that.
        UserEdited = names::CHANGE_USER_EDITED,
        /// The plug-in itself set it.
        PluginEdited = names::CHANGE_PLUGIN_EDITED,
        /// The time changed.
        Time = names::CHANGE_TIME,
    }
}

strings! {
    /// What an animated parameter's change makes stale in a host's caches.
    CacheInvalidation {
        /// The frames whose value changed.
        ValueChange = names::PARAM_INVALIDATE_VALUE_CHANGE,
        /// Those, and all after them.
        ValueChangeToEnd = names::PARAM_INVALIDATE_VALUE_CHANGE_TO_END,
        /// Every frame.
        All = names::PARAM_INVALIDATE_ALL,
    }
}

strings! {
    /// What a double parameter measures.
    DoubleType {
        /// A number.
        Plain = names::PARAM_DOUBLE_PLAIN,
        /// A factor.
        Scale = names::PARAM_DOUBLE_SCALE,
        /// Degrees.
        Angle = names::PARAM_DOUBLE_ANGLE,
        /// A duration in frames.
        Time = names::PARAM_DOUBLE_TIME,
        /// A frame.
        AbsoluteTime = names::PARAM_DOUBLE_ABSOLUTE_TIME,
        /// A length along x, canonical.
        X = names::PARAM_DOUBLE_X,
        /// A length along y, canonical.
        Y = names::PARAM_DOUBLE_Y,
        /// A size, canonical.
        Xy = names::PARAM_DOUBLE_XY,
        /// A position, canonical; hosts draw a handle for it.
        XyAbsolute = names::PARAM_DOUBLE_XY_ABSOLUTE,
    }
}

strings! {
    /// The coordinates that a position's default is given in.
    Coordinates {
        /// Canonical pixels.
        Canonical = names::PARAM_COORDINATES_CANONICAL,
        /// 0 to 1 over the project.
        Normalised = names::PARAM_COORDINATES_NORMALISED,
    }
}

strings! {
    /// What a string parameter looks like.
    StringMode {
        /// One line.
        SingleLine = names::PARAM_STRING_SINGLE_LINE,
        /// Several lines.
        MultiLine = names::PARAM_STRING_MULTI_LINE,
        /// A file.
        FilePath = names::PARAM_STRING_FILE_PATH,
        /// A folder.
        DirectoryPath = names::PARAM_STRING_DIRECTORY_PATH,
        /// Text that cannot be edited.
        Label = names::PARAM_STRING_LABEL,
    }
}
