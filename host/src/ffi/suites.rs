//! The suites by name and version.

use std::os::raw::{c_char, c_int, c_void};

use flow_openfx as ofx;

use super::{
    camera, effect, handles, memory, message, multithread, overlay, param, plane, progress, property, stats, text,
    timeline,
};
use crate::profile::Messages;
use crate::record::Event;

/// Names of suites.
pub(crate) mod names {
    use flow_openfx::*;

    pub(crate) const PROPERTY: &str = text(kOfxPropertySuite);
    pub(crate) const EFFECT: &str = text(kOfxImageEffectSuite);
    pub(crate) const PARAMETER: &str = text(kOfxParameterSuite);
    pub(crate) const MEMORY: &str = text(kOfxMemorySuite);
    pub(crate) const MULTI_THREAD: &str = text(kOfxMultiThreadSuite);
    pub(crate) const MESSAGE: &str = text(kOfxMessageSuite);
    pub(crate) const PROGRESS: &str = text(kOfxProgressSuite);
    pub(crate) const TIME_LINE: &str = text(kOfxTimeLineSuite);
    pub(crate) const INTERACT: &str = text(kOfxInteractSuite);
    pub(crate) const DRAW: &str = text(kOfxDrawSuite);
    pub(crate) const PLANES: &str = text(kFnOfxImageEffectPlaneSuite.to_bytes_with_nul());
    pub(crate) const CAMERAS: &str = text(kNukeOfxCameraSuite.to_bytes_with_nul());
    pub(crate) const STATS: &str = text(kFlowHostStatsSuite.to_bytes_with_nul());
}

/// `OfxHost::fetchSuite`.
pub(crate) unsafe extern "C" fn fetch_suite(
    host: ofx::OfxPropertySetHandle,
    name: *const c_char,
    version: c_int,
) -> *const c_void {
    let found = std::panic::catch_unwind(|| {
        let host = handles::host(host)?;
        let name = text(name)?;
        let offered = host.profile.suite_version(&name);
        if offered.is_none_or(|highest| version < 1 || version > highest) {
            if offered.is_some() && host.profile.fatal_versions {
                host.record.violation(format!("{name} version {version}: this host ends the process"));
            }
            host.record.push(Event::NoSuite { name, version });
            return None;
        }
        Some(match (name.as_str(), version) {
            (names::PROPERTY, _) => (&raw const property::SUITE).cast(),
            (names::EFFECT, _) => (&raw const effect::SUITE).cast(),
            (names::PARAMETER, _) => (&raw const param::SUITE).cast(),
            (names::MEMORY, _) => (&raw const memory::SUITE).cast(),
            (names::MULTI_THREAD, _) => (&raw const multithread::SUITE).cast(),
            (names::MESSAGE, 1) => (&raw const message::SUITE_V1).cast(),
            (names::MESSAGE, _) if host.profile.messages == Messages::NullPersistent => {
                (&raw const message::SUITE_V2_NULL).cast()
            }
            (names::MESSAGE, _) => (&raw const message::SUITE_V2).cast(),
            (names::PROGRESS, 1) => (&raw const progress::SUITE_V1).cast(),
            (names::PROGRESS, _) => (&raw const progress::SUITE_V2).cast(),
            (names::TIME_LINE, _) => (&raw const timeline::SUITE).cast(),
            (names::PLANES, 1) => (&raw const plane::SUITE_V1).cast(),
            (names::PLANES, _) => (&raw const plane::SUITE_V2).cast(),
            (names::INTERACT, _) => (&raw const overlay::INTERACT).cast(),
            (names::DRAW, _) => (&raw const overlay::DRAW).cast(),
            (names::CAMERAS, _) => (&raw const camera::SUITE).cast(),
            (names::STATS, _) => (&raw const stats::SUITE).cast(),
            _ => return None,
        })
    });
    found.ok().flatten().unwrap_or(std::ptr::null())
}
