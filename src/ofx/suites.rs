//! Suites of the host, each fetched at most once and only when it is needed.

use std::{ffi::CStr, ptr::NonNull, sync::OnceLock};

use flow_openfx as sys;

use super::host::{Host, HostInfo};

/// Declares suites that a host may lack, and their accessors:
/// `accessor: layout = name, version, if condition on the host`.
macro_rules! suites {
    ($($(#[$meta:meta])* $accessor:ident: $suite:ident = $name:expr, $version:literal, if $condition:expr;)*) => {
        /// The optional suites of a host, as far as they were fetched.
        #[derive(Default)]
        pub(super) struct Suites {
            $($accessor: OnceLock<Option<&'static sys::$suite>>,)*
        }

        impl Host {
            $(
                $(#[$meta])*
                pub(super) fn $accessor(&self) -> Option<&'static sys::$suite> {
                    let condition: fn(&HostInfo) -> bool = $condition;
                    if !condition(self.info()) {
                        return None;
                    }
                    let slot = &self.suites().$accessor;
                    if let Some(suite) = slot.get() {
                        return *suite;
                    }
                    // No lock is held while the host is called: two threads may fetch at once, and get the same suite.
                    // SAFETY: the host is valid by the invariant of `Host`; the layout is that of the OpenFX headers
                    // for this name and version.
                    let suite = unsafe { fetch(self.raw(), $crate::ofx::suites::c_name($name), $version) };
                    *slot.get_or_init(|| suite)
                }
            )*
        }
    };
}

suites! {
    message_v1: OfxMessageSuiteV1 = sys::kOfxMessageSuite, 1, if |_| true;
    message_v2: OfxMessageSuiteV2 = sys::kOfxMessageSuite, 2, if HostInfo::has_version_2_suites;
    progress_v1: OfxProgressSuiteV1 = sys::kOfxProgressSuite, 1, if |_| true;
    progress_v2: OfxProgressSuiteV2 = sys::kOfxProgressSuite, 2, if HostInfo::has_version_2_suites;
    time_line: OfxTimeLineSuiteV1 = sys::kOfxTimeLineSuite, 1, if |_| true;
    multi_thread: OfxMultiThreadSuiteV1 = sys::kOfxMultiThreadSuite, 1, if HostInfo::has_all_calls;
    interact: OfxInteractSuiteV1 = sys::kOfxInteractSuite, 1, if |_| true;
    /// The draw suite of OpenFX 1.5. Fetched under the condition of version-2 suites: openfx-runner aborts on unknown
    /// suites.
    draw: OfxDrawSuiteV1 = sys::kOfxDrawSuite, 1, if HostInfo::has_version_2_suites;
    /// The statistics suite of flow-host. Fetched under the condition of version-2 suites.
    stats: FlowHostStatsSuiteV1 = sys::kFlowHostStatsSuite, 1, if HostInfo::has_version_2_suites;
    /// The suite of planes in version 1, the version that works in Nuke; the render determines the view.
    planes: FnOfxImageEffectPlaneSuiteV1 = sys::kFnOfxImageEffectPlaneSuite, 1, if HostInfo::knows_planes;
    /// The suite of camera inputs of Nuke. Fetched under the condition of version-2 suites.
    cameras: NukeOfxCameraSuiteV1 = sys::kNukeOfxCameraSuite, 1, if HostInfo::has_version_2_suites;
}

fn c_name(name: &'static (impl sys::Name + ?Sized)) -> &'static CStr {
    name.c_str()
}

/// Fetches a suite from the host; `None` if the host lacks it.
///
/// # Safety
///
/// `host` points to a valid `OfxHost`, and the suite `name` of `version` has the layout `S`.
pub(super) unsafe fn fetch<S>(host: NonNull<sys::OfxHost>, name: &CStr, version: i32) -> Option<&'static S> {
    // SAFETY: the caller's promise.
    let host = unsafe { host.as_ref() };
    // SAFETY: ofxCore.h, OfxHost: fetchSuite takes the `host` member, an ASCII name and a version, and returns null for
    // an unknown suite.
    let suite = unsafe { host.fetchSuite?(host.host, name.as_ptr(), version) };
    // SAFETY: ofxCore.h, fetchSuite: a suite stays valid and unchanged while the library is loaded.
    unsafe { suite.cast::<S>().as_ref() }
}
