//! The actions that a host calls.

use std::ffi::CStr;

use super::names;

macro_rules! actions {
    ($($(#[$meta:meta])* $variant:ident = $name:ident,)*) => {
        /// An action that this layer handles; any other is answered with the default.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action {
            $($(#[$meta])* $variant,)*
        }

        impl Action {
            /// Every action.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The OpenFX name.
            #[must_use]
            pub const fn as_cstr(self) -> &'static CStr {
                match self {
                    $(Self::$variant => names::$name,)*
                }
            }
        }
    };
}

actions! {
    /// The library was loaded.
    Load = ACTION_LOAD,
    /// The library will be unloaded.
    Unload = ACTION_UNLOAD,
    /// What is true of the effect in every context.
    Describe = ACTION_DESCRIBE,
    /// Clips and parameters in one context.
    DescribeInContext = ACTION_DESCRIBE_IN_CONTEXT,
    /// A new instance.
    CreateInstance = ACTION_CREATE_INSTANCE,
    /// The end of an instance.
    DestroyInstance = ACTION_DESTROY_INSTANCE,
    /// A parameter, a clip or the time changed.
    InstanceChanged = ACTION_INSTANCE_CHANGED,
    /// Changes follow.
    BeginInstanceChanged = ACTION_BEGIN_INSTANCE_CHANGED,
    /// No more changes.
    EndInstanceChanged = ACTION_END_INSTANCE_CHANGED,
    /// Free what can be made again.
    PurgeCaches = ACTION_PURGE_CACHES,
    /// Put private data into parameters: the host saves or copies.
    SyncPrivateData = ACTION_SYNC_PRIVATE_DATA,
    /// A panel was opened.
    BeginInstanceEdit = ACTION_BEGIN_INSTANCE_EDIT,
    /// A panel was closed.
    EndInstanceEdit = ACTION_END_INSTANCE_EDIT,
    /// Renders follow.
    BeginSequenceRender = ACTION_BEGIN_SEQUENCE_RENDER,
    /// One picture.
    Render = ACTION_RENDER,
    /// No more renders.
    EndSequenceRender = ACTION_END_SEQUENCE_RENDER,
    /// Is the output an input unchanged?
    IsIdentity = ACTION_IS_IDENTITY,
    /// How large is the output?
    RegionOfDefinition = ACTION_REGION_OF_DEFINITION,
    /// How much of the inputs is needed?
    RegionsOfInterest = ACTION_REGIONS_OF_INTEREST,
    /// Which frames of the inputs are needed?
    FramesNeeded = ACTION_FRAMES_NEEDED,
    /// Which formats do the clips have?
    ClipPreferences = ACTION_CLIP_PREFERENCES,
    /// Which frames does the output have?
    TimeDomain = ACTION_TIME_DOMAIN,
    /// Which planes does the output have, and which are needed of the inputs?
    ClipPlanes = ACTION_CLIP_COMPONENTS,
    /// An overlay is drawn.
    Draw = ACTION_DRAW,
    /// The pen moved over an overlay.
    PenMotion = ACTION_PEN_MOTION,
    /// The pen was pressed on an overlay.
    PenDown = ACTION_PEN_DOWN,
    /// The pen was let go on an overlay.
    PenUp = ACTION_PEN_UP,
    /// An overlay no longer gets the pen.
    LoseFocus = ACTION_LOSE_FOCUS,
}

impl Action {
    /// The action of an OpenFX name, or `None` for one that is not handled here.
    #[must_use]
    pub fn parse(name: &CStr) -> Option<Self> {
        Self::ALL.iter().copied().find(|action| action.as_cstr() == name)
    }

    /// Whether parameters may be set, and progress shown: on the main thread and outside a render.
    #[must_use]
    pub const fn may_write(self) -> bool {
        match self {
            Self::CreateInstance
            | Self::DestroyInstance
            | Self::InstanceChanged
            | Self::BeginInstanceChanged
            | Self::EndInstanceChanged
            | Self::BeginInstanceEdit
            | Self::EndInstanceEdit
            | Self::SyncPrivateData
            | Self::PenMotion
            | Self::PenDown
            | Self::PenUp
            | Self::LoseFocus => true,
            Self::Load
            | Self::Unload
            | Self::Describe
            | Self::DescribeInContext
            | Self::PurgeCaches
            | Self::BeginSequenceRender
            | Self::Render
            | Self::EndSequenceRender
            | Self::IsIdentity
            | Self::RegionOfDefinition
            | Self::RegionsOfInterest
            | Self::FramesNeeded
            | Self::ClipPreferences
            | Self::TimeDomain
            | Self::ClipPlanes
            | Self::Draw => false,
        }
    }
}
