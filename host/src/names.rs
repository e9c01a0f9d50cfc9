//! The standard's strings and status codes under short names.

use openfx_sys as ofx;

/// A NUL-terminated constant of the base headers as text.
const fn text(bytes: &'static [u8]) -> &'static str {
    let (head, _nul) = bytes.split_at(bytes.len() - 1);
    match core::str::from_utf8(head) {
        Ok(text) => text,
        Err(_) => panic!("the standard's names are ASCII"),
    }
}

macro_rules! names {
    ($($name:ident = $ofx:ident;)*) => {
        $(pub(crate) const $name: &str = text(ofx::$ofx);)*
    };
}

names! {
    IMAGE_EFFECT_API = kOfxImageEffectPluginApi;
    ACTION_LOAD = kOfxActionLoad;
    ACTION_UNLOAD = kOfxActionUnload;
    ACTION_DESCRIBE = kOfxActionDescribe;
    ACTION_DESCRIBE_IN_CONTEXT = kOfxImageEffectActionDescribeInContext;
    ACTION_CREATE = kOfxActionCreateInstance;
    ACTION_DESTROY = kOfxActionDestroyInstance;
    ACTION_PURGE = kOfxActionPurgeCaches;
    ACTION_SYNC = kOfxActionSyncPrivateData;
    ACTION_CHANGED = kOfxActionInstanceChanged;
    ACTION_BEGIN_CHANGED = kOfxActionBeginInstanceChanged;
    ACTION_END_CHANGED = kOfxActionEndInstanceChanged;
    ACTION_ROD = kOfxImageEffectActionGetRegionOfDefinition;
    ACTION_ROI = kOfxImageEffectActionGetRegionsOfInterest;
    ACTION_TIME_DOMAIN = kOfxImageEffectActionGetTimeDomain;
    ACTION_FRAMES = kOfxImageEffectActionGetFramesNeeded;
    ACTION_PREFERENCES = kOfxImageEffectActionGetClipPreferences;
    ACTION_IDENTITY = kOfxImageEffectActionIsIdentity;
    ACTION_RENDER = kOfxImageEffectActionRender;
    ACTION_BEGIN_SEQUENCE = kOfxImageEffectActionBeginSequenceRender;
    ACTION_END_SEQUENCE = kOfxImageEffectActionEndSequenceRender;

    ACTION_DRAW = kOfxInteractActionDraw;
    ACTION_PEN_MOTION = kOfxInteractActionPenMotion;
    ACTION_PEN_DOWN = kOfxInteractActionPenDown;
    ACTION_PEN_UP = kOfxInteractActionPenUp;
    ACTION_LOSE_FOCUS = kOfxInteractActionLoseFocus;

    EFFECT_INSTANCE = kOfxPropEffectInstance;
    PIXEL_SCALE = kOfxInteractPropPixelScale;
    BACKGROUND_COLOUR = kOfxInteractPropBackgroundColour;
    SUGGESTED_COLOUR = kOfxInteractPropSuggestedColour;
    INTERACT_BIT_DEPTH = kOfxInteractPropBitDepth;
    INTERACT_HAS_ALPHA = kOfxInteractPropHasAlpha;
    SLAVE_TO_PARAM = kOfxInteractPropSlaveToParam;
    PEN_POSITION = kOfxInteractPropPenPosition;
    PEN_VIEWPORT_POSITION = kOfxInteractPropPenViewportPosition;
    PEN_PRESSURE = kOfxInteractPropPenPressure;
    DRAW_CONTEXT = kOfxInteractPropDrawContext;

    TYPE = kOfxPropType;
    NAME = kOfxPropName;
    LABEL = kOfxPropLabel;
    SHORT_LABEL = kOfxPropShortLabel;
    LONG_LABEL = kOfxPropLongLabel;
    VERSION = kOfxPropVersion;
    VERSION_LABEL = kOfxPropVersionLabel;
    API_VERSION = kOfxPropAPIVersion;
    TIME = kOfxPropTime;
    IS_INTERACTIVE = kOfxPropIsInteractive;
    FILE_PATH = kOfxPluginPropFilePath;
    INSTANCE_DATA = kOfxPropInstanceData;
    PLUGIN_DESCRIPTION = kOfxPropPluginDescription;
    ICON = kOfxPropIcon;
    CHANGE_REASON = kOfxPropChangeReason;
    HOST_OS_HANDLE = kOfxPropHostOSHandle;
    USER_EDITED = kOfxChangeUserEdited;
    PLUGIN_EDITED = kOfxChangePluginEdited;
    TIME_CHANGED = kOfxChangeTime;

    TYPE_HOST = kOfxTypeImageEffectHost;
    TYPE_EFFECT = kOfxTypeImageEffect;
    TYPE_INSTANCE = kOfxTypeImageEffectInstance;
    TYPE_CLIP = kOfxTypeClip;
    TYPE_IMAGE = kOfxTypeImage;
    TYPE_PARAM = kOfxTypeParameter;
    TYPE_PARAM_INSTANCE = kOfxTypeParameterInstance;

    IS_BACKGROUND = kOfxImageEffectHostPropIsBackground;
    NATIVE_ORIGIN = kOfxImageEffectHostPropNativeOrigin;
    ORIGIN_BOTTOM_LEFT = kOfxHostNativeOriginBottomLeft;
    SUPPORTED_CONTEXTS = kOfxImageEffectPropSupportedContexts;
    SUPPORTED_DEPTHS = kOfxImageEffectPropSupportedPixelDepths;
    SUPPORTED_COMPONENTS = kOfxImageEffectPropSupportedComponents;
    SUPPORTS_OVERLAYS = kOfxImageEffectPropSupportsOverlays;
    SUPPORTS_MULTIRES = kOfxImageEffectPropSupportsMultiResolution;
    SUPPORTS_TILES = kOfxImageEffectPropSupportsTiles;
    TEMPORAL_ACCESS = kOfxImageEffectPropTemporalClipAccess;
    MULTIPLE_DEPTHS = kOfxImageEffectPropSupportsMultipleClipDepths;
    MULTIPLE_PARS = kOfxImageEffectPropSupportsMultipleClipPARs;
    SETABLE_FRAME_RATE = kOfxImageEffectPropSetableFrameRate;
    SETABLE_FIELDING = kOfxImageEffectPropSetableFielding;
    SEQUENTIAL_RENDER = kOfxImageEffectInstancePropSequentialRender;
    SEQUENTIAL_STATUS = kOfxImageEffectPropSequentialRenderStatus;
    INTERACTIVE_STATUS = kOfxImageEffectPropInteractiveRenderStatus;
    DRAFT = kOfxImageEffectPropRenderQualityDraft;
    GROUPING = kOfxImageEffectPluginPropGrouping;
    SINGLE_INSTANCE = kOfxImageEffectPluginPropSingleInstance;
    THREAD_SAFETY = kOfxImageEffectPluginRenderThreadSafety;
    RENDER_UNSAFE = kOfxImageEffectRenderUnsafe;
    RENDER_INSTANCE_SAFE = kOfxImageEffectRenderInstanceSafe;
    RENDER_FULLY_SAFE = kOfxImageEffectRenderFullySafe;
    FRAME_THREADING = kOfxImageEffectPluginPropHostFrameThreading;
    FIELD_TWICE = kOfxImageEffectPluginPropFieldRenderTwiceAlways;
    OVERLAY_V1 = kOfxImageEffectPluginPropOverlayInteractV1;
    OVERLAY_V2 = kOfxImageEffectPluginPropOverlayInteractV2;
    SLAVE_PARAM = kOfxImageEffectPropClipPreferencesSlaveParam;
    PLUGIN_HANDLE = kOfxImageEffectPropPluginHandle;
    CONTEXT = kOfxImageEffectPropContext;
    FRAME_VARYING = kOfxImageEffectFrameVarying;

    PROJECT_SIZE = kOfxImageEffectPropProjectSize;
    PROJECT_OFFSET = kOfxImageEffectPropProjectOffset;
    PROJECT_EXTENT = kOfxImageEffectPropProjectExtent;
    PROJECT_PAR = kOfxImageEffectPropProjectPixelAspectRatio;
    DURATION = kOfxImageEffectInstancePropEffectDuration;
    FRAME_RATE = kOfxImageEffectPropFrameRate;
    UNMAPPED_FRAME_RATE = kOfxImageEffectPropUnmappedFrameRate;
    FRAME_RANGE = kOfxImageEffectPropFrameRange;
    UNMAPPED_FRAME_RANGE = kOfxImageEffectPropUnmappedFrameRange;
    FRAME_STEP = kOfxImageEffectPropFrameStep;

    RENDER_SCALE = kOfxImageEffectPropRenderScale;
    RENDER_WINDOW = kOfxImageEffectPropRenderWindow;
    FIELD_TO_RENDER = kOfxImageEffectPropFieldToRender;
    REGION_OF_DEFINITION = kOfxImageEffectPropRegionOfDefinition;
    REGION_OF_INTEREST = kOfxImageEffectPropRegionOfInterest;
    FIELD_NONE = kOfxImageFieldNone;
    FIELD_BOTH = kOfxImageFieldBoth;
    FIELD_DOUBLED = kOfxImageFieldDoubled;

    PIXEL_DEPTH = kOfxImageEffectPropPixelDepth;
    COMPONENTS = kOfxImageEffectPropComponents;
    PREMULTIPLICATION = kOfxImageEffectPropPreMultiplication;
    PIXEL_ASPECT = kOfxImagePropPixelAspectRatio;
    IMAGE_DATA = kOfxImagePropData;
    IMAGE_BOUNDS = kOfxImagePropBounds;
    IMAGE_ROD = kOfxImagePropRegionOfDefinition;
    IMAGE_ROW_BYTES = kOfxImagePropRowBytes;
    IMAGE_FIELD = kOfxImagePropField;
    IMAGE_ID = kOfxImagePropUniqueIdentifier;
    CLIP_OPTIONAL = kOfxImageClipPropOptional;
    CLIP_MASK = kOfxImageClipPropIsMask;
    CLIP_CONNECTED = kOfxImageClipPropConnected;
    CLIP_CONTINUOUS = kOfxImageClipPropContinuousSamples;
    CLIP_FIELD_ORDER = kOfxImageClipPropFieldOrder;
    CLIP_FIELD_EXTRACTION = kOfxImageClipPropFieldExtraction;
    CLIP_UNMAPPED_DEPTH = kOfxImageClipPropUnmappedPixelDepth;
    CLIP_UNMAPPED_COMPONENTS = kOfxImageClipPropUnmappedComponents;
    OUTPUT = kOfxImageEffectOutputClipName;

    PARAM_TYPE = kOfxParamPropType;
    PARAM_ANIMATES = kOfxParamPropAnimates;
    PARAM_CAN_UNDO = kOfxParamPropCanUndo;
    PARAM_IS_ANIMATING = kOfxParamPropIsAnimating;
    PARAM_MAY_WRITE = kOfxParamPropPluginMayWrite;
    PARAM_PERSISTENT = kOfxParamPropPersistant;
    PARAM_EVALUATE = kOfxParamPropEvaluateOnChange;
    PARAM_SECRET = kOfxParamPropSecret;
    PARAM_SCRIPT_NAME = kOfxParamPropScriptName;
    PARAM_INVALIDATION = kOfxParamPropCacheInvalidation;
    PARAM_INVALIDATE_VALUE = kOfxParamInvalidateValueChange;
    PARAM_HINT = kOfxParamPropHint;
    PARAM_DEFAULT = kOfxParamPropDefault;
    PARAM_DOUBLE_TYPE = kOfxParamPropDoubleType;
    PARAM_DOUBLE_PLAIN = kOfxParamDoubleTypePlain;
    PARAM_XY_ABSOLUTE = kOfxParamDoubleTypeXYAbsolute;
    PARAM_X_ABSOLUTE = kOfxParamDoubleTypeXAbsolute;
    PARAM_Y_ABSOLUTE = kOfxParamDoubleTypeYAbsolute;
    PARAM_COORDINATES = kOfxParamPropDefaultCoordinateSystem;
    COORDINATES_CANONICAL = kOfxParamCoordinatesCanonical;
    COORDINATES_NORMALISED = kOfxParamCoordinatesNormalised;
    PARAM_HAS_OVERLAY = kOfxParamPropHasHostOverlayHandle;
    PARAM_USE_OVERLAY = kOfxParamPropUseHostOverlayHandle;
    PARAM_TIME_MARKER = kOfxParamPropShowTimeMarker;
    PARAM_PAGE_ORDER = kOfxPluginPropParamPageOrder;
    PARAM_PAGE_CHILD = kOfxParamPropPageChild;
    PARAM_PARENT = kOfxParamPropParent;
    PARAM_GROUP_OPEN = kOfxParamPropGroupOpen;
    PARAM_ENABLED = kOfxParamPropEnabled;
    PARAM_DATA_PTR = kOfxParamPropDataPtr;
    PARAM_CHOICE_OPTION = kOfxParamPropChoiceOption;
    PARAM_MIN = kOfxParamPropMin;
    PARAM_MAX = kOfxParamPropMax;
    PARAM_DISPLAY_MIN = kOfxParamPropDisplayMin;
    PARAM_DISPLAY_MAX = kOfxParamPropDisplayMax;
    PARAM_INCREMENT = kOfxParamPropIncrement;
    PARAM_DIGITS = kOfxParamPropDigits;
    PARAM_DIMENSION_LABEL = kOfxParamPropDimensionLabel;
    PARAM_AUTO_KEYING = kOfxParamPropIsAutoKeying;
    PARAM_STRING_MODE = kOfxParamPropStringMode;
    PARAM_STRING_SINGLE = kOfxParamStringIsSingleLine;
    PARAM_STRING_EXISTS = kOfxParamPropStringFilePathExists;
    PARAM_CUSTOM_INTERP = kOfxParamPropCustomInterpCallbackV1;
    PARAM_INTERACT_V1 = kOfxParamPropInteractV1;
    PARAM_INTERACT_SIZE = kOfxParamPropInteractSize;
    PARAM_INTERACT_ASPECT = kOfxParamPropInteractSizeAspect;
    PARAM_INTERACT_MIN = kOfxParamPropInteractMinimumSize;
    PARAM_INTERACT_PREFERRED = kOfxParamPropInteractPreferedSize;
    PARAM_NEEDS_SYNCING = kOfxPropParamSetNeedsSyncing;
    HOST_CUSTOM_ANIMATION = kOfxParamHostPropSupportsCustomAnimation;
    HOST_STRING_ANIMATION = kOfxParamHostPropSupportsStringAnimation;
    HOST_BOOLEAN_ANIMATION = kOfxParamHostPropSupportsBooleanAnimation;
    HOST_CHOICE_ANIMATION = kOfxParamHostPropSupportsChoiceAnimation;
    HOST_CUSTOM_INTERACT = kOfxParamHostPropSupportsCustomInteract;
    HOST_MAX_PARAMETERS = kOfxParamHostPropMaxParameters;
    HOST_MAX_PAGES = kOfxParamHostPropMaxPages;
    HOST_PAGE_ROWS = kOfxParamHostPropPageRowColumnCount;

    SUITE_EFFECT = kOfxImageEffectSuite;
    SUITE_PROPERTY = kOfxPropertySuite;
    SUITE_PARAMETER = kOfxParameterSuite;
    SUITE_MEMORY = kOfxMemorySuite;
    SUITE_MULTI_THREAD = kOfxMultiThreadSuite;
    SUITE_MESSAGE = kOfxMessageSuite;
    SUITE_PROGRESS = kOfxProgressSuite;
    SUITE_TIMELINE = kOfxTimeLineSuite;
    SUITE_INTERACT = kOfxInteractSuite;
    SUITE_DRAW = kOfxDrawSuite;
}

/// The vendor suite through which a plug-in may tell flow-host what a render did.
pub(crate) const SUITE_STATS: &str = "org.flowofx.FlowHostStatsSuite";
/// Whether the effect cares where a pixel lies (OpenFX 1.5).
pub(crate) const NO_SPATIAL: &str = "OfxImageEffectPropNoSpatialAwareness";
/// A render for a thumbnail (OpenFX 1.5).
pub(crate) const THUMBNAIL: &str = "OfxImageEffectPropThumbnailRender";
/// A node's name in its group, which Natron has and leaves empty.
pub(crate) const NATRON_INSTANCE_ID: &str = "NatronOfxImageEffectPropInstanceId";
/// How Natron makes itself known, even under a borrowed name.
pub(crate) const NATRON_IS_NATRON: &str = "NatronOfxHostIsNatron";

/// The suite of planes.
pub(crate) const SUITE_PLANES: &str = "uk.co.thefoundry.FnOfxImageEffectPlaneSuite";
/// Host and effect: planes beside colour are rendered.
pub(crate) const MULTI_PLANAR: &str = "uk.co.thefoundry.OfxImageEffectPropMultiPlanar";
/// Which planes there are, and which are needed?
pub(crate) const ACTION_CLIP_COMPONENTS: &str = "uk.co.thefoundry.OfxImageEffectActionGetClipComponents";
/// Prefix of the planes of a clip.
pub(crate) const PLANES_PREFIX: &str = "uk.co.thefoundry.OfxNeededComp_";
/// The clip whose planes stand for those that are not rendered, and at which time and view.
pub(crate) const PASS_THROUGH_CLIP: &str = "uk.co.thefoundry.ImageEffectPropPassThroughClip";
/// See above.
pub(crate) const PASS_THROUGH_TIME: &str = "uk.co.thefoundry.ImageEffectPropPassThroughTime";
/// See above.
pub(crate) const PASS_THROUGH_VIEW: &str = "uk.co.thefoundry.ImageEffectPropPassThroughView";
/// Render argument: the planes that are wanted.
pub(crate) const RENDER_PLANES: &str = "OfxImageEffectPropRenderPlanes";
/// The plane that every picture has.
pub(crate) const PLANE_COLOUR: &str = "uk.co.thefoundry.OfxImagePlaneColour";
/// Motion to the next frame.
pub(crate) const PLANE_FORWARD: &str = "uk.co.thefoundry.OfxImagePlaneForwardMotionVector";
/// Motion from the frame before.
pub(crate) const PLANE_BACKWARD: &str = "uk.co.thefoundry.OfxImagePlaneBackMotionVector";
/// The components of both.
pub(crate) const MOTION_COMPONENTS: &str = "uk.co.thefoundry.OfxImageComponentMotionVectors";
/// Two channels, in Natron.
pub(crate) const XY_COMPONENTS: &str = "NatronOfxImageComponentXY";

/// Prefix of the output arguments of the regions-of-interest action.
pub(crate) const ROI_PREFIX: &str = "OfxImageClipPropRoI_";
/// Prefix of the output arguments of the frames-needed action.
pub(crate) const FRAMES_PREFIX: &str = "OfxImageClipPropFrameRange_";
/// Prefix of the preferred components of a clip.
pub(crate) const COMPONENTS_PREFIX: &str = "OfxImageClipPropComponents_";
/// Prefix of the preferred depth of a clip.
pub(crate) const DEPTH_PREFIX: &str = "OfxImageClipPropDepth_";
/// Prefix of the preferred pixel aspect ratio of a clip.
pub(crate) const PAR_PREFIX: &str = "OfxImageClipPropPAR_";

/// A status of the C ABI, with its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Status(pub i32);

impl Status {
    /// `kOfxStatOK`
    pub const OK: Self = Self(0);
    /// `kOfxStatFailed`
    pub const FAILED: Self = Self(1);
    /// `kOfxStatErrFatal`
    pub const FATAL: Self = Self(2);
    /// `kOfxStatErrUnknown`
    pub const UNKNOWN: Self = Self(3);
    /// `kOfxStatErrMissingHostFeature`
    pub const MISSING_HOST_FEATURE: Self = Self(4);
    /// `kOfxStatErrUnsupported`
    pub const UNSUPPORTED: Self = Self(5);
    /// `kOfxStatErrExists`
    pub const EXISTS: Self = Self(6);
    /// `kOfxStatErrFormat`
    pub const FORMAT: Self = Self(7);
    /// `kOfxStatErrMemory`
    pub const MEMORY: Self = Self(8);
    /// `kOfxStatErrBadHandle`
    pub const BAD_HANDLE: Self = Self(9);
    /// `kOfxStatErrBadIndex`
    pub const BAD_INDEX: Self = Self(10);
    /// `kOfxStatErrValue`
    pub const VALUE: Self = Self(11);
    /// `kOfxStatReplyYes`
    pub const REPLY_YES: Self = Self(12);
    /// `kOfxStatReplyNo`
    pub const REPLY_NO: Self = Self(13);
    /// `kOfxStatReplyDefault`
    pub const REPLY_DEFAULT: Self = Self(14);
    /// `kOfxStatErrImageFormat`
    pub const IMAGE_FORMAT: Self = Self(1000);

    /// Whether the action did its work or left it to the host.
    #[must_use]
    pub fn is_success(self) -> bool {
        matches!(self, Self::OK | Self::REPLY_DEFAULT | Self::REPLY_YES | Self::REPLY_NO)
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = match *self {
            Self::OK => "OK",
            Self::FAILED => "Failed",
            Self::FATAL => "ErrFatal",
            Self::UNKNOWN => "ErrUnknown",
            Self::MISSING_HOST_FEATURE => "ErrMissingHostFeature",
            Self::UNSUPPORTED => "ErrUnsupported",
            Self::EXISTS => "ErrExists",
            Self::FORMAT => "ErrFormat",
            Self::MEMORY => "ErrMemory",
            Self::BAD_HANDLE => "ErrBadHandle",
            Self::BAD_INDEX => "ErrBadIndex",
            Self::VALUE => "ErrValue",
            Self::REPLY_YES => "ReplyYes",
            Self::REPLY_NO => "ReplyNo",
            Self::REPLY_DEFAULT => "ReplyDefault",
            Self::IMAGE_FORMAT => "ErrImageFormat",
            Self(code) => return write!(f, "status {code}"),
        };
        f.write_str(name)
    }
}

impl std::fmt::Debug for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
