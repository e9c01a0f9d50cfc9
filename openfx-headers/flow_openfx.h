/* What Flow needs of OpenFX and the crate openfx-sys 0.1.0 does not carry, or not in a form that bindgen can read:
 * status codes, the additions of OpenFX 1.5 that Flow uses, and two vendors' extensions for several image planes.
 * Names, values and layouts are the published ones; the wording is Flow's. tests/bindings.rs compares this file with
 * openfx-sys wherever both declare the same thing. */

#ifndef FLOW_OPENFX_H
#define FLOW_OPENFX_H

/* ---- The base types that the declarations below stand on ---- */

typedef int OfxStatus;
typedef double OfxTime;
typedef struct OfxPropertySetStruct *OfxPropertySetHandle;
typedef struct OfxImageEffectStruct *OfxImageEffectHandle;
typedef struct OfxImageClipStruct *OfxImageClipHandle;

/* A rectangle in doubles; x2 and y2 are exclusive. */
typedef struct OfxRectD {
  double x1, y1, x2, y2;
} OfxRectD;

/* What a host hands to a plug-in library. */
typedef struct OfxHost {
  OfxPropertySetHandle host;
  const void *(*fetchSuite)(OfxPropertySetHandle host, const char *suiteName, int suiteVersion);
} OfxHost;

/* ---- Status codes ---- */

#define kOfxStatOK 0
#define kOfxStatFailed 1
#define kOfxStatErrFatal 2
#define kOfxStatErrUnknown 3
#define kOfxStatErrMissingHostFeature 4
#define kOfxStatErrUnsupported 5
#define kOfxStatErrExists 6
#define kOfxStatErrFormat 7
#define kOfxStatErrMemory 8
#define kOfxStatErrBadHandle 9
#define kOfxStatErrBadIndex 10
#define kOfxStatErrValue 11
#define kOfxStatReplyYes 12
#define kOfxStatReplyNo 13
#define kOfxStatReplyDefault 14
#define kOfxStatErrImageFormat 1000
#define kOfxStatGPUOutOfMemory 1001
#define kOfxStatGPURenderFailed 1002

/* ---- OpenFX 1.5 ---- */

/* The optional export through which a host hands over its OfxHost once for all plug-ins of a library. */
typedef OfxStatus(OfxSetHostFunction)(const OfxHost *host);

/* Render argument, int: the picture is a thumbnail, speed matters more than the last pixel. */
#define kOfxImageEffectPropThumbnailRender "OfxImageEffectPropThumbnailRender"
/* Effect, string "true" or "false": output pixels depend on the input pixel at the same place only. */
#define kOfxImageEffectPropNoSpatialAwareness "OfxImageEffectPropNoSpatialAwareness"
/* Effect, string "true" or "false": the effect renders with images in main memory. */
#define kOfxImageEffectPropCPURenderSupported "OfxImageEffectPropCPURenderSupported"

/* ---- Several planes per clip (The Foundry) ---- */

/* Effect, int: the effect reads and writes planes other than colour. */
#define kFnOfxImageEffectPropMultiPlanar "uk.co.thefoundry.OfxImageEffectPropMultiPlanar"
#define kFnOfxImageEffectPlaneSuite "uk.co.thefoundry.FnOfxImageEffectPlaneSuite"
/* Action: which planes of which clips does the effect need and make at a time? */
#define kFnOfxImageEffectActionGetClipComponents "uk.co.thefoundry.OfxImageEffectActionGetClipComponents"
/* Out argument of that action, strings; the clip's name follows. */
#define kFnOfxImageEffectActionGetClipComponentsPropString "uk.co.thefoundry.OfxNeededComp_"
#define kFnOfxImageEffectPropPassThroughClip "uk.co.thefoundry.ImageEffectPropPassThroughClip"
#define kFnOfxImageEffectPropPassThroughTime "uk.co.thefoundry.ImageEffectPropPassThroughTime"
#define kFnOfxImageEffectPropPassThroughView "uk.co.thefoundry.ImageEffectPropPassThroughView"
/* Render argument, strings: the planes wanted of the output. */
#define kOfxImageEffectPropRenderPlanes "OfxImageEffectPropRenderPlanes"
/* Clip, strings: the planes that the clip carries. */
#define kFnOfxImageEffectClipPropPlanesPresent "uk.co.thefoundry.OfxImageEffectClipPropPlanesPresent"
#define kFnOfxImagePlaneColour "uk.co.thefoundry.OfxImagePlaneColour"
#define kFnOfxImagePlaneForwardMotionVector "uk.co.thefoundry.OfxImagePlaneForwardMotionVector"
#define kFnOfxImagePlaneBackwardMotionVector "uk.co.thefoundry.OfxImagePlaneBackMotionVector"
#define kFnOfxImageComponentMotionVectors "uk.co.thefoundry.OfxImageComponentMotionVectors"

/* Version 1: an image of one plane. A null region asks for all of it; the image is released as any other. */
typedef struct FnOfxImageEffectPlaneSuiteV1 {
  OfxStatus (*clipGetImagePlane)(OfxImageClipHandle clip, OfxTime time, const char *plane, const OfxRectD *region,
                                 OfxPropertySetHandle *imageHandle);
} FnOfxImageEffectPlaneSuiteV1;

/* Version 2: the same with a view, and what there is to know of the views. */
typedef struct FnOfxImageEffectPlaneSuiteV2 {
  OfxStatus (*clipGetImagePlane)(OfxImageClipHandle clip, OfxTime time, int view, const char *plane,
                                 const OfxRectD *region, OfxPropertySetHandle *imageHandle);
  OfxStatus (*clipGetRegionOfDefinition)(OfxImageClipHandle clip, OfxTime time, int view, OfxRectD *bounds);
  OfxStatus (*getViewName)(OfxImageEffectHandle effect, int view, const char **viewName);
  OfxStatus (*getViewCount)(OfxImageEffectHandle effect, int *count);
} FnOfxImageEffectPlaneSuiteV2;

/* ---- Natron ---- */

/* Host, int: the host is Natron, whatever its name says. */
#define kNatronOfxHostIsNatron "NatronOfxHostIsNatron"
/* Instance, string: the node's name in its group. */
#define kNatronOfxImageEffectPropInstanceId "NatronOfxImageEffectPropInstanceId"
/* Two-channel component. */
#define kNatronOfxImageComponentXY "NatronOfxImageComponentXY"
/* The parts of the name of a plane of any channels, one to four: the plane; labels of the plane and of its channels, both
 * of which may be left out; the channels. Planes of one name and number of channels are the same. */
#define kNatronOfxImageComponentsPlaneName "NatronOfxImageComponentsPlaneName_"
#define kNatronOfxImageComponentsPlaneLabel "_PlaneLabel_"
#define kNatronOfxImageComponentsPlaneChannelsLabel "_ChannelsLabel_"
#define kNatronOfxImageComponentsPlaneChannel "_Channel_"

#endif
