//! `openfx-headers/` and the crate `openfx-sys` agree wherever both declare the same thing.

use std::mem::{align_of, offset_of, size_of};

use flow_ofx::ofx::{
    Action, Status,
    ffi::{extra, name, sys},
};

#[test]
fn layouts_agree() {
    macro_rules! same {
        ($type:ident { $($field:ident),* }) => {
            assert_eq!(size_of::<extra::$type>(), size_of::<sys::$type>(), stringify!($type));
            assert_eq!(align_of::<extra::$type>(), align_of::<sys::$type>(), stringify!($type));
            $(assert_eq!(offset_of!(extra::$type, $field), offset_of!(sys::$type, $field), stringify!($field));)*
        };
    }
    same!(OfxRectD { x1, y1, x2, y2 });
    same!(OfxHost { host, fetchSuite });
    same!(OfxStatus {});
    same!(OfxTime {});
    same!(OfxPropertySetHandle {});
    same!(OfxImageEffectHandle {});
    same!(OfxImageClipHandle {});
}

#[test]
fn plane_suites_are_rows_of_functions() {
    let function = size_of::<usize>();
    assert_eq!(size_of::<extra::FnOfxImageEffectPlaneSuiteV1>(), function);
    assert_eq!(size_of::<extra::FnOfxImageEffectPlaneSuiteV2>(), 4 * function);
    assert_eq!(offset_of!(extra::FnOfxImageEffectPlaneSuiteV2, getViewCount), 3 * function);
}

#[test]
fn status_codes_are_the_published_ones() {
    assert_eq!(i64::from(extra::kOfxStatOK), i64::from(sys::kOfxStatOK));
    // openfx-sys has the rest in its C headers only, as casts: this is the list of the specification.
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
fn additions_start_where_the_crate_ends() {
    // A name that openfx-sys had too would have to be the same; these are spelled as the published headers have them.
    let strings = [
        (extra::kOfxImageEffectPropThumbnailRender, "OfxImageEffectPropThumbnailRender"),
        (extra::kOfxImageEffectPropNoSpatialAwareness, "OfxImageEffectPropNoSpatialAwareness"),
        (extra::kOfxImageEffectPropCPURenderSupported, "OfxImageEffectPropCPURenderSupported"),
        (extra::kFnOfxImageEffectPlaneSuite, "uk.co.thefoundry.FnOfxImageEffectPlaneSuite"),
        (extra::kNatronOfxHostIsNatron, "NatronOfxHostIsNatron"),
    ];
    for (string, expected) in strings {
        assert_eq!(string.to_str(), Ok(expected));
    }
}

#[test]
fn actions_are_named_as_in_the_crate() {
    assert_eq!(Action::Render.as_cstr(), name(sys::kOfxImageEffectActionRender));
    assert_eq!(Action::parse(name(sys::kOfxActionCreateInstance)), Some(Action::CreateInstance));
    for action in Action::ALL {
        assert_eq!(Action::parse(action.as_cstr()), Some(*action));
    }
    assert_eq!(Action::parse(c""), None);
}
