//! Values of string properties as enums.

use openfx_sys::*;

use crate::kNatronOfxImageComponentXY;

strings! {
    /// The type of one sample, from the fewest bits on.
    Depth {
        /// 8 bits; 255 is white.
        Byte = kOfxBitDepthByte,
        /// 16 bits; 65535 is white.
        Short = kOfxBitDepthShort,
        /// 16-bit float.
        Half = kOfxBitDepthHalf,
        /// 32-bit float.
        Float = kOfxBitDepthFloat,
    }
}

impl Depth {
    /// Bytes per sample.
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
    /// The samples of a pixel, in memory order.
    Components {
        /// Red, green, blue, alpha.
        Rgba = kOfxImageComponentRGBA,
        /// Red, green, blue.
        Rgb = kOfxImageComponentRGB,
        /// Alpha only.
        Alpha = kOfxImageComponentAlpha,
        /// Two channels (Natron).
        Xy = kNatronOfxImageComponentXY.to_bytes_with_nul(),
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
    /// The relation of colour to alpha.
    Premultiplication {
        /// Alpha is one everywhere, or absent.
        Opaque = kOfxImageOpaque,
        /// Colour is multiplied by alpha.
        Premultiplied = kOfxImagePreMultiplied,
        /// Colour is independent of alpha.
        Unpremultiplied = kOfxImageUnPreMultiplied,
    }
}

strings! {
    /// The lines of an image that a render or an image covers.
    Field {
        /// All lines; the image is progressive.
        None = kOfxImageFieldNone,
        /// Even lines.
        Lower = kOfxImageFieldLower,
        /// Odd lines.
        Upper = kOfxImageFieldUpper,
        /// Both fields.
        Both = kOfxImageFieldBoth,
        /// One field, as an image of half the height.
        Single = kOfxImageFieldSingle,
        /// One field, each line twice.
        Doubled = kOfxImageFieldDoubled,
    }
}

strings! {
    /// The use of an effect, which determines its clips.
    Context {
        /// One input.
        Filter = kOfxImageEffectContextFilter,
        /// Any number of inputs.
        General = kOfxImageEffectContextGeneral,
        /// No input.
        Generator = kOfxImageEffectContextGenerator,
        /// Two inputs and a mixing parameter.
        Transition = kOfxImageEffectContextTransition,
        /// One input at another time.
        Retimer = kOfxImageEffectContextRetimer,
        /// One input and a brush.
        Paint = kOfxImageEffectContextPaint,
    }
}

strings! {
    /// The number of concurrent renders that an effect allows.
    ThreadSafety {
        /// One over all instances.
        Unsafe = kOfxImageEffectRenderUnsafe,
        /// One per instance.
        InstanceSafe = kOfxImageEffectRenderInstanceSafe,
        /// Any number.
        FullySafe = kOfxImageEffectRenderFullySafe,
    }
}

strings! {
    /// The cause of a change.
    ChangeReason {
        /// An edit by the user; undo and reset count as edits.
        UserEdited = kOfxChangeUserEdited,
        /// An edit by the plug-in.
        PluginEdited = kOfxChangePluginEdited,
        /// A change of the time.
        Time = kOfxChangeTime,
    }
}

strings! {
    /// The type of a message.
    MessageType {
        /// An error: the node cannot continue.
        Error = kOfxMessageError,
        /// A warning: the node continues, but not as asked.
        Warning = kOfxMessageWarning,
        /// Information.
        Message = kOfxMessageMessage,
        /// A line for the host's log.
        Log = kOfxMessageLog,
    }
}

strings! {
    /// The frames of a host cache that a change of an animated parameter invalidates.
    CacheInvalidation {
        /// Frames whose value changed.
        ValueChange = kOfxParamInvalidateValueChange,
        /// Frames whose value changed, and all later frames.
        ValueChangeToEnd = kOfxParamInvalidateValueChangeToEnd,
        /// All frames.
        All = kOfxParamInvalidateAll,
    }
}

strings! {
    /// The type of a parameter.
    ParamType {
        /// A whole number.
        Integer = kOfxParamTypeInteger,
        /// Two whole numbers.
        Integer2D = kOfxParamTypeInteger2D,
        /// Three whole numbers.
        Integer3D = kOfxParamTypeInteger3D,
        /// A number.
        Double = kOfxParamTypeDouble,
        /// Two numbers, such as a position.
        Double2D = kOfxParamTypeDouble2D,
        /// Three numbers.
        Double3D = kOfxParamTypeDouble3D,
        /// Red, green, blue.
        Rgb = kOfxParamTypeRGB,
        /// Red, green, blue, alpha.
        Rgba = kOfxParamTypeRGBA,
        /// Off or on.
        Boolean = kOfxParamTypeBoolean,
        /// The index of an option.
        Choice = kOfxParamTypeChoice,
        /// Text.
        String = kOfxParamTypeString,
        /// Text that only the plug-in interprets.
        Custom = kOfxParamTypeCustom,
        /// A button, without value.
        PushButton = kOfxParamTypePushButton,
        /// A group of parameters, without value.
        Group = kOfxParamTypeGroup,
        /// A page of parameters, without value.
        Page = kOfxParamTypePage,
    }
}

strings! {
    /// The quantity that a double parameter measures.
    DoubleType {
        /// A number.
        Plain = kOfxParamDoubleTypePlain,
        /// A factor.
        Scale = kOfxParamDoubleTypeScale,
        /// Degrees.
        Angle = kOfxParamDoubleTypeAngle,
        /// A duration in frames.
        Time = kOfxParamDoubleTypeTime,
        /// A frame.
        AbsoluteTime = kOfxParamDoubleTypeAbsoluteTime,
        /// A canonical length along x.
        X = kOfxParamDoubleTypeX,
        /// A canonical length along y.
        Y = kOfxParamDoubleTypeY,
        /// A canonical size.
        Xy = kOfxParamDoubleTypeXY,
        /// A canonical x coordinate.
        XAbsolute = kOfxParamDoubleTypeXAbsolute,
        /// A canonical y coordinate.
        YAbsolute = kOfxParamDoubleTypeYAbsolute,
        /// A canonical position; hosts draw a handle for it.
        XyAbsolute = kOfxParamDoubleTypeXYAbsolute,
    }
}

strings! {
    /// The coordinates of a position's default.
    Coordinates {
        /// Canonical pixels.
        Canonical = kOfxParamCoordinatesCanonical,
        /// 0 to 1 over the project.
        Normalised = kOfxParamCoordinatesNormalised,
    }
}

strings! {
    /// The widget of a string parameter.
    StringMode {
        /// One line.
        SingleLine = kOfxParamStringIsSingleLine,
        /// Several lines.
        MultiLine = kOfxParamStringIsMultiLine,
        /// A file.
        FilePath = kOfxParamStringIsFilePath,
        /// A folder.
        DirectoryPath = kOfxParamStringIsDirectoryPath,
        /// Text that cannot be edited.
        Label = kOfxParamStringIsLabel,
    }
}
