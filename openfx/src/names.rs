//! Names that `openfx-sys` lacks: OpenFX 1.5, extensions of The Foundry and of Natron, prefixes of per-clip properties.

#![expect(non_upper_case_globals, reason = "published names")]

use std::ffi::{CStr, CString};

/// A property name as suite functions take it: a NUL-terminated array of `openfx-sys`, or a C string.
pub trait Name {
    /// The name as a C string; empty for an array without NUL at its end.
    fn c_str(&self) -> &CStr;
}

impl Name for CStr {
    fn c_str(&self) -> &CStr {
        self
    }
}

impl Name for CString {
    fn c_str(&self) -> &CStr {
        self
    }
}

impl<const N: usize> Name for [u8; N] {
    fn c_str(&self) -> &CStr {
        CStr::from_bytes_with_nul(self).unwrap_or_default()
    }
}

/// A constant of `openfx-sys` as a C string.
///
/// # Panics
///
/// If `bytes` is not one NUL-terminated string: at compile time in a constant.
#[must_use]
pub const fn name(bytes: &'static [u8]) -> &'static CStr {
    match CStr::from_bytes_with_nul(bytes) {
        Ok(name) => name,
        Err(_) => panic!("an OpenFX name has exactly one NUL, at its end"),
    }
}

/// A constant of `openfx-sys` as text, without its NUL.
///
/// # Panics
///
/// If `bytes` is not one NUL-terminated ASCII string: at compile time in a constant.
#[must_use]
pub const fn text(bytes: &'static [u8]) -> &'static str {
    match name(bytes).to_str() {
        Ok(text) => text,
        Err(_) => panic!("an OpenFX name is ASCII"),
    }
}

/// Render argument, int: the image is a thumbnail (OpenFX 1.5).
pub const kOfxImageEffectPropThumbnailRender: &CStr = c"OfxImageEffectPropThumbnailRender";
/// Effect, string "true" or "false": an output pixel depends on the input pixel at the same position only (OpenFX 1.5).
pub const kOfxImageEffectPropNoSpatialAwareness: &CStr = c"OfxImageEffectPropNoSpatialAwareness";

/// Host and effect, int: planes other than colour are rendered.
pub const kFnOfxImageEffectPropMultiPlanar: &CStr = c"uk.co.thefoundry.OfxImageEffectPropMultiPlanar";
/// The suite of planes: [`FnOfxImageEffectPlaneSuiteV1`](crate::FnOfxImageEffectPlaneSuiteV1) and version 2.
pub const kFnOfxImageEffectPlaneSuite: &CStr = c"uk.co.thefoundry.FnOfxImageEffectPlaneSuite";
/// Action: the planes that the effect produces and needs at a time.
pub const kFnOfxImageEffectActionGetClipComponents: &CStr = c"uk.co.thefoundry.OfxImageEffectActionGetClipComponents";
/// Prefix of an out argument of that action, strings: the planes of the clip whose name follows.
pub const kFnOfxImageEffectActionGetClipComponentsPropString: &CStr = c"uk.co.thefoundry.OfxNeededComp_";
/// Out argument of that action, string: the clip that supplies the planes that the effect does not produce.
pub const kFnOfxImageEffectPropPassThroughClip: &CStr = c"uk.co.thefoundry.ImageEffectPropPassThroughClip";
/// Out argument of that action, double: the time of these planes.
pub const kFnOfxImageEffectPropPassThroughTime: &CStr = c"uk.co.thefoundry.ImageEffectPropPassThroughTime";
/// Out argument of that action, int: the view of these planes.
pub const kFnOfxImageEffectPropPassThroughView: &CStr = c"uk.co.thefoundry.ImageEffectPropPassThroughView";
/// Render argument, strings: the output planes to render.
pub const kOfxImageEffectPropRenderPlanes: &CStr = c"OfxImageEffectPropRenderPlanes";
/// Components of both planes of motion vectors.
pub const kFnOfxImageComponentMotionVectors: &CStr = c"uk.co.thefoundry.OfxImageComponentMotionVectors";

/// Argument of an action, int: the view that it is about; 0 for the first one or where there is none.
pub const kFnOfxImageEffectPropView: &CStr = c"uk.co.thefoundry.OfxImageEffectPropView";

/// The suite of camera inputs: [`NukeOfxCameraSuiteV1`](crate::NukeOfxCameraSuiteV1).
pub const kNukeOfxCameraSuite: &CStr = c"NukeOfxCameraSuite";
/// Type of the property set of a camera input.
pub const kNukeOfxTypeCamera: &CStr = c"NukeCamera";
/// Parameter of a camera, one double: 0 perspective, 1 orthographic, 2 UV, 3 spherical.
pub const kNukeOfxCameraProjectionMode: &CStr = c"projection_mode";
/// Parameter of a camera, one double: focal length, millimetres.
pub const kNukeOfxCameraFocal: &CStr = c"focal";
/// Parameter of a camera, one double: horizontal aperture, millimetres.
pub const kNukeOfxCameraHorizontalAperture: &CStr = c"haperture";
/// Parameter of a camera, 16 doubles: the matrix from the camera's coordinates to the world's, row by row.
pub const kNukeOfxCameraPositionMatrix: &CStr = c"position_matrix";
/// Parameter of a camera, two doubles: shift of the picture, in halves of its width.
pub const kNukeOfxCameraWindowTranslate: &CStr = c"win_translate";
/// Parameter of a camera, two doubles: scale of the picture's window.
pub const kNukeOfxCameraWindowScale: &CStr = c"win_scale";
/// Parameter of a camera, one double: rotation of the picture, degrees.
pub const kNukeOfxCameraWindowRoll: &CStr = c"winroll";

/// Host, int: the host is Natron, even under another host's name.
pub const kNatronOfxHostIsNatron: &CStr = c"NatronOfxHostIsNatron";
/// Instance, string: the node's name in its group.
pub const kNatronOfxImageEffectPropInstanceId: &CStr = c"NatronOfxImageEffectPropInstanceId";
/// Components: two channels.
pub const kNatronOfxImageComponentXY: &CStr = c"NatronOfxImageComponentXY";

/// Suite of flow-host: [`FlowHostStatsSuiteV1`](crate::FlowHostStatsSuiteV1).
pub const kFlowHostStatsSuite: &CStr = c"org.flowofx.FlowHostStatsSuite";

/// Prefix of a clip's region of interest, four doubles; the clip's name follows.
pub const CLIP_REGION_OF_INTEREST: &CStr = c"OfxImageClipPropRoI_";
/// Prefix of the frame ranges needed of a clip, pairs of doubles.
pub const CLIP_FRAME_RANGES: &CStr = c"OfxImageClipPropFrameRange_";
/// Prefix of a clip's preferred components, strings.
pub const CLIP_COMPONENTS: &CStr = c"OfxImageClipPropComponents_";
/// Prefix of a clip's preferred depth, string.
pub const CLIP_DEPTH: &CStr = c"OfxImageClipPropDepth_";
/// Prefix of a clip's preferred pixel aspect ratio, double.
pub const CLIP_PIXEL_ASPECT: &CStr = c"OfxImageClipPropPAR_";
