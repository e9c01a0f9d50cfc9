//! Names of properties, actions and values, as C strings.

use std::ffi::CStr;

use super::ffi::{extra, name, sys};

macro_rules! names {
    ($($short:ident = $long:ident;)*) => {
        $(pub(super) const $short: &CStr = name(sys::$long);)*
    };
}

pub(super) const PLANE_SUITE: &CStr = extra::kFnOfxImageEffectPlaneSuite;
pub(super) const ACTION_CLIP_COMPONENTS: &CStr = extra::kFnOfxImageEffectActionGetClipComponents;

names! {
    PROPERTY_SUITE = kOfxPropertySuite;
    IMAGE_EFFECT_SUITE = kOfxImageEffectSuite;
    PARAMETER_SUITE = kOfxParameterSuite;
    MESSAGE_SUITE = kOfxMessageSuite;
    PROGRESS_SUITE = kOfxProgressSuite;
    TIME_LINE_SUITE = kOfxTimeLineSuite;
    INTERACT_SUITE = kOfxInteractSuite;
    DRAW_SUITE = kOfxDrawSuite;
    MULTI_THREAD_SUITE = kOfxMultiThreadSuite;

    PLUGIN_API = kOfxImageEffectPluginApi;

    ACTION_LOAD = kOfxActionLoad;
    ACTION_UNLOAD = kOfxActionUnload;
    ACTION_DESCRIBE = kOfxActionDescribe;
    ACTION_DESCRIBE_IN_CONTEXT = kOfxImageEffectActionDescribeInContext;
    ACTION_CREATE_INSTANCE = kOfxActionCreateInstance;
    ACTION_DESTROY_INSTANCE = kOfxActionDestroyInstance;
    ACTION_INSTANCE_CHANGED = kOfxActionInstanceChanged;
    ACTION_BEGIN_INSTANCE_CHANGED = kOfxActionBeginInstanceChanged;
    ACTION_END_INSTANCE_CHANGED = kOfxActionEndInstanceChanged;
    ACTION_PURGE_CACHES = kOfxActionPurgeCaches;
    ACTION_SYNC_PRIVATE_DATA = kOfxActionSyncPrivateData;
    ACTION_BEGIN_INSTANCE_EDIT = kOfxActionBeginInstanceEdit;
    ACTION_END_INSTANCE_EDIT = kOfxActionEndInstanceEdit;
    ACTION_RENDER = kOfxImageEffectActionRender;
    ACTION_BEGIN_SEQUENCE_RENDER = kOfxImageEffectActionBeginSequenceRender;
    ACTION_END_SEQUENCE_RENDER = kOfxImageEffectActionEndSequenceRender;
    ACTION_IS_IDENTITY = kOfxImageEffectActionIsIdentity;
    ACTION_REGION_OF_DEFINITION = kOfxImageEffectActionGetRegionOfDefinition;
    ACTION_REGIONS_OF_INTEREST = kOfxImageEffectActionGetRegionsOfInterest;
    ACTION_FRAMES_NEEDED = kOfxImageEffectActionGetFramesNeeded;
    ACTION_CLIP_PREFERENCES = kOfxImageEffectActionGetClipPreferences;
    ACTION_TIME_DOMAIN = kOfxImageEffectActionGetTimeDomain;
    ACTION_DRAW = kOfxInteractActionDraw;
    ACTION_PEN_MOTION = kOfxInteractActionPenMotion;
    ACTION_PEN_DOWN = kOfxInteractActionPenDown;
    ACTION_PEN_UP = kOfxInteractActionPenUp;
    ACTION_LOSE_FOCUS = kOfxInteractActionLoseFocus;

    API_VERSION = kOfxPropAPIVersion;
    NAME = kOfxPropName;
    TYPE = kOfxPropType;
    VERSION = kOfxPropVersion;
    VERSION_LABEL = kOfxPropVersionLabel;
    LABEL = kOfxPropLabel;
    SHORT_LABEL = kOfxPropShortLabel;
    LONG_LABEL = kOfxPropLongLabel;
    PLUGIN_DESCRIPTION = kOfxPropPluginDescription;
    ICON = kOfxPropIcon;
    TIME = kOfxPropTime;
    IS_INTERACTIVE = kOfxPropIsInteractive;
    CHANGE_REASON = kOfxPropChangeReason;
    CHANGE_USER_EDITED = kOfxChangeUserEdited;
    CHANGE_PLUGIN_EDITED = kOfxChangePluginEdited;
    CHANGE_TIME = kOfxChangeTime;
    TYPE_PARAMETER = kOfxTypeParameter;
    TYPE_CLIP = kOfxTypeClip;

    SUPPORTED_CONTEXTS = kOfxImageEffectPropSupportedContexts;
    CONTEXT = kOfxImageEffectPropContext;
    CONTEXT_FILTER = kOfxImageEffectContextFilter;
    CONTEXT_GENERAL = kOfxImageEffectContextGeneral;
    CONTEXT_GENERATOR = kOfxImageEffectContextGenerator;
    CONTEXT_TRANSITION = kOfxImageEffectContextTransition;
    CONTEXT_PAINT = kOfxImageEffectContextPaint;
    CONTEXT_RETIMER = kOfxImageEffectContextRetimer;

    GROUPING = kOfxImageEffectPluginPropGrouping;
    RENDER_THREAD_SAFETY = kOfxImageEffectPluginRenderThreadSafety;
    RENDER_UNSAFE = kOfxImageEffectRenderUnsafe;
    RENDER_INSTANCE_SAFE = kOfxImageEffectRenderInstanceSafe;
    RENDER_FULLY_SAFE = kOfxImageEffectRenderFullySafe;
    HOST_FRAME_THREADING = kOfxImageEffectPluginPropHostFrameThreading;
    SINGLE_INSTANCE = kOfxImageEffectPluginPropSingleInstance;
    SUPPORTS_MULTIPLE_CLIP_DEPTHS = kOfxImageEffectPropSupportsMultipleClipDepths;
    SUPPORTS_MULTIPLE_CLIP_PARS = kOfxImageEffectPropSupportsMultipleClipPARs;
    SUPPORTS_MULTI_RESOLUTION = kOfxImageEffectPropSupportsMultiResolution;
    SUPPORTS_TILES = kOfxImageEffectPropSupportsTiles;
    SUPPORTS_OVERLAYS = kOfxImageEffectPropSupportsOverlays;
    TEMPORAL_CLIP_ACCESS = kOfxImageEffectPropTemporalClipAccess;
    SEQUENTIAL_RENDER = kOfxImageEffectInstancePropSequentialRender;
    SEQUENTIAL_RENDER_STATUS = kOfxImageEffectPropSequentialRenderStatus;
    INTERACTIVE_RENDER_STATUS = kOfxImageEffectPropInteractiveRenderStatus;
    RENDER_QUALITY_DRAFT = kOfxImageEffectPropRenderQualityDraft;
    SUPPORTED_PIXEL_DEPTHS = kOfxImageEffectPropSupportedPixelDepths;
    SUPPORTED_COMPONENTS = kOfxImageEffectPropSupportedComponents;

    BIT_DEPTH_BYTE = kOfxBitDepthByte;
    BIT_DEPTH_SHORT = kOfxBitDepthShort;
    BIT_DEPTH_HALF = kOfxBitDepthHalf;
    BIT_DEPTH_FLOAT = kOfxBitDepthFloat;
    COMPONENT_RGBA = kOfxImageComponentRGBA;
    COMPONENT_RGB = kOfxImageComponentRGB;
    COMPONENT_ALPHA = kOfxImageComponentAlpha;

    OVERLAY_V1 = kOfxImageEffectPluginPropOverlayInteractV1;
    OVERLAY_V2 = kOfxImageEffectPluginPropOverlayInteractV2;
    EFFECT_INSTANCE = kOfxPropEffectInstance;
    PIXEL_SCALE = kOfxInteractPropPixelScale;
    PEN_POSITION = kOfxInteractPropPenPosition;
    DRAW_CONTEXT = kOfxInteractPropDrawContext;
    SUGGESTED_COLOUR = kOfxInteractPropSuggestedColour;
    SLAVE_TO_PARAM = kOfxInteractPropSlaveToParam;

    PIXEL_DEPTH = kOfxImageEffectPropPixelDepth;
    COMPONENTS = kOfxImageEffectPropComponents;
    CLIP_PREFERENCES_SLAVE_PARAM = kOfxImageEffectPropClipPreferencesSlaveParam;
    PRE_MULTIPLICATION = kOfxImageEffectPropPreMultiplication;
    OPAQUE = kOfxImageOpaque;
    PRE_MULTIPLIED = kOfxImagePreMultiplied;
    UN_PRE_MULTIPLIED = kOfxImageUnPreMultiplied;
    UNMAPPED_COMPONENTS = kOfxImageClipPropUnmappedComponents;
    CLIP_OPTIONAL = kOfxImageClipPropOptional;
    CLIP_IS_MASK = kOfxImageClipPropIsMask;
    CLIP_CONNECTED = kOfxImageClipPropConnected;
    CLIP_CONTINUOUS_SAMPLES = kOfxImageClipPropContinuousSamples;
    PIXEL_ASPECT_RATIO = kOfxImagePropPixelAspectRatio;
    FRAME_RATE = kOfxImageEffectPropFrameRate;
    FRAME_RANGE = kOfxImageEffectPropFrameRange;
    FRAME_STEP = kOfxImageEffectPropFrameStep;
    FRAME_VARYING = kOfxImageEffectFrameVarying;

    RENDER_SCALE = kOfxImageEffectPropRenderScale;
    RENDER_WINDOW = kOfxImageEffectPropRenderWindow;
    FIELD_TO_RENDER = kOfxImageEffectPropFieldToRender;
    REGION_OF_DEFINITION = kOfxImageEffectPropRegionOfDefinition;
    REGION_OF_INTEREST = kOfxImageEffectPropRegionOfInterest;
    PROJECT_SIZE = kOfxImageEffectPropProjectSize;
    PROJECT_OFFSET = kOfxImageEffectPropProjectOffset;
    PROJECT_EXTENT = kOfxImageEffectPropProjectExtent;
    PROJECT_PIXEL_ASPECT_RATIO = kOfxImageEffectPropProjectPixelAspectRatio;
    EFFECT_DURATION = kOfxImageEffectInstancePropEffectDuration;

    IMAGE_DATA = kOfxImagePropData;
    IMAGE_BOUNDS = kOfxImagePropBounds;
    IMAGE_ROW_BYTES = kOfxImagePropRowBytes;
    IMAGE_FIELD = kOfxImagePropField;
    FIELD_NONE = kOfxImageFieldNone;
    FIELD_LOWER = kOfxImageFieldLower;
    FIELD_UPPER = kOfxImageFieldUpper;
    FIELD_BOTH = kOfxImageFieldBoth;
    FIELD_SINGLE = kOfxImageFieldSingle;
    FIELD_DOUBLED = kOfxImageFieldDoubled;

    PARAM_INTEGER = kOfxParamTypeInteger;
    PARAM_DOUBLE = kOfxParamTypeDouble;
    PARAM_BOOLEAN = kOfxParamTypeBoolean;
    PARAM_CHOICE = kOfxParamTypeChoice;
    PARAM_DOUBLE_2D = kOfxParamTypeDouble2D;
    PARAM_RGB = kOfxParamTypeRGB;
    PARAM_STRING = kOfxParamTypeString;
    PARAM_PUSH_BUTTON = kOfxParamTypePushButton;
    PARAM_GROUP = kOfxParamTypeGroup;
    PARAM_PAGE = kOfxParamTypePage;
    PARAM_TYPE = kOfxParamPropType;
    PARAM_ANIMATES = kOfxParamPropAnimates;
    PARAM_CAN_UNDO = kOfxParamPropCanUndo;
    PARAM_PERSISTENT = kOfxParamPropPersistant;
    PARAM_EVALUATE_ON_CHANGE = kOfxParamPropEvaluateOnChange;
    PARAM_SECRET = kOfxParamPropSecret;
    PARAM_ENABLED = kOfxParamPropEnabled;
    PARAM_IS_ANIMATING = kOfxParamPropIsAnimating;
    PARAM_SCRIPT_NAME = kOfxParamPropScriptName;
    PARAM_CACHE_INVALIDATION = kOfxParamPropCacheInvalidation;
    PARAM_INVALIDATE_VALUE_CHANGE = kOfxParamInvalidateValueChange;
    PARAM_INVALIDATE_VALUE_CHANGE_TO_END = kOfxParamInvalidateValueChangeToEnd;
    PARAM_INVALIDATE_ALL = kOfxParamInvalidateAll;
    PARAM_HINT = kOfxParamPropHint;
    PARAM_DEFAULT = kOfxParamPropDefault;
    PARAM_MIN = kOfxParamPropMin;
    PARAM_MAX = kOfxParamPropMax;
    PARAM_DISPLAY_MIN = kOfxParamPropDisplayMin;
    PARAM_DISPLAY_MAX = kOfxParamPropDisplayMax;
    PARAM_INCREMENT = kOfxParamPropIncrement;
    PARAM_DIGITS = kOfxParamPropDigits;
    PARAM_PARENT = kOfxParamPropParent;
    PARAM_GROUP_OPEN = kOfxParamPropGroupOpen;
    PARAM_PAGE_CHILD = kOfxParamPropPageChild;
    PARAM_CHOICE_OPTION = kOfxParamPropChoiceOption;
    PARAM_STRING_MODE = kOfxParamPropStringMode;
    PARAM_STRING_FILE_PATH_EXISTS = kOfxParamPropStringFilePathExists;
    PARAM_STRING_SINGLE_LINE = kOfxParamStringIsSingleLine;
    PARAM_STRING_MULTI_LINE = kOfxParamStringIsMultiLine;
    PARAM_STRING_FILE_PATH = kOfxParamStringIsFilePath;
    PARAM_STRING_DIRECTORY_PATH = kOfxParamStringIsDirectoryPath;
    PARAM_STRING_LABEL = kOfxParamStringIsLabel;
    PARAM_DOUBLE_TYPE = kOfxParamPropDoubleType;
    PARAM_DOUBLE_PLAIN = kOfxParamDoubleTypePlain;
    PARAM_DOUBLE_SCALE = kOfxParamDoubleTypeScale;
    PARAM_DOUBLE_ANGLE = kOfxParamDoubleTypeAngle;
    PARAM_DOUBLE_TIME = kOfxParamDoubleTypeTime;
    PARAM_DOUBLE_ABSOLUTE_TIME = kOfxParamDoubleTypeAbsoluteTime;
    PARAM_DOUBLE_X = kOfxParamDoubleTypeX;
    PARAM_DOUBLE_Y = kOfxParamDoubleTypeY;
    PARAM_DOUBLE_XY = kOfxParamDoubleTypeXY;
    PARAM_DOUBLE_XY_ABSOLUTE = kOfxParamDoubleTypeXYAbsolute;
    PARAM_DEFAULT_COORDINATES = kOfxParamPropDefaultCoordinateSystem;
    PARAM_COORDINATES_CANONICAL = kOfxParamCoordinatesCanonical;
    PARAM_COORDINATES_NORMALISED = kOfxParamCoordinatesNormalised;
    PARAM_USE_HOST_OVERLAY = kOfxParamPropUseHostOverlayHandle;

    HOST_MAX_PARAMETERS = kOfxParamHostPropMaxParameters;
    HOST_STRING_ANIMATION = kOfxParamHostPropSupportsStringAnimation;
    HOST_CHOICE_ANIMATION = kOfxParamHostPropSupportsChoiceAnimation;
    HOST_BOOLEAN_ANIMATION = kOfxParamHostPropSupportsBooleanAnimation;
    HOST_IS_BACKGROUND = kOfxImageEffectHostPropIsBackground;

    MESSAGE_ERROR = kOfxMessageError;
    MESSAGE_WARNING = kOfxMessageWarning;
    MESSAGE_MESSAGE = kOfxMessageMessage;
    MESSAGE_LOG = kOfxMessageLog;
}
