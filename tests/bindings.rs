//! The facts of OpenFX in `openfx/` agree with the crate `openfx-sys` and with the specification.

use std::mem::{offset_of, size_of};

use flow_ofx::ofx::{Action, Status};
use flow_openfx::{self as openfx, FnOfxImageEffectPlaneSuiteV1, FnOfxImageEffectPlaneSuiteV2};

#[test]
fn plane_suites_have_the_published_layout() {
    let function = size_of::<usize>();
    assert_eq!(size_of::<FnOfxImageEffectPlaneSuiteV1>(), function);
    assert_eq!(size_of::<FnOfxImageEffectPlaneSuiteV2>(), 4 * function);
    assert_eq!(offset_of!(FnOfxImageEffectPlaneSuiteV2, getViewCount), 3 * function);
}

#[test]
fn status_codes_are_the_published_ones() {
    assert_eq!(i64::from(Status::OK.0), i64::from(openfx::kOfxStatOK));
    // openfx-sys lacks the other codes, which its C headers define as casts: this is the list of the specification.
    let names = [
        "OK",
        "Failed",
        "ErrFatal",
        "ErrUnknown",
        "ErrMissingHostFeature",
        "ErrUnsupported",
        "ErrExists",
        "ErrFormat",
        "ErrMemory",
        "ErrBadHandle",
        "ErrBadIndex",
        "ErrValue",
        "ReplyYes",
        "ReplyNo",
        "ReplyDefault",
    ];
    for (code, name) in names.into_iter().enumerate() {
        let status = Status(i32::try_from(code).unwrap());
        assert_eq!(status.name(), Some(format!("kOfxStat{name}").as_str()));
    }
    assert_eq!(Status(15).name(), None);
    assert_eq!((1000..1004).filter_map(|code| Status(code).name()).count(), 3);
}

#[test]
fn constants_are_spelled_as_in_the_published_headers() {
    let strings = [
        (openfx::kOfxImageEffectPropThumbnailRender, "OfxImageEffectPropThumbnailRender"),
        (openfx::kOfxImageEffectPropNoSpatialAwareness, "OfxImageEffectPropNoSpatialAwareness"),
        (openfx::kFnOfxImageEffectPlaneSuite, "uk.co.thefoundry.FnOfxImageEffectPlaneSuite"),
        (openfx::kNatronOfxHostIsNatron, "NatronOfxHostIsNatron"),
    ];
    for (string, expected) in strings {
        assert_eq!(string.to_str(), Ok(expected));
    }
}

#[test]
fn actions_are_named_as_in_the_crate() {
    assert_eq!(Action::Render.as_cstr(), openfx::name(openfx::kOfxImageEffectActionRender));
    assert_eq!(Action::parse(openfx::text(openfx::kOfxActionCreateInstance)), Some(Action::CreateInstance));
    for action in Action::ALL {
        assert_eq!(Action::parse(action.as_str()), Some(action));
    }
    assert_eq!(Action::parse(""), None);
}
