//! Which suite a plug-in gets for a name and version.

use std::os::raw::{c_char, c_int, c_void};

use openfx_sys as ofx;

use super::{
    effect, handles, memory, message, multithread, overlay, param, plane, progress, property, stats, text, timeline,
};
use crate::names;
use crate::profile::Messages;
use crate::record::Event;

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
            (names::SUITE_PROPERTY, _) => (&raw const property::SUITE).cast(),
            (names::SUITE_EFFECT, _) => (&raw const effect::SUITE).cast(),
            (names::SUITE_PARAMETER, _) => (&raw const param::SUITE).cast(),
            (names::SUITE_MEMORY, _) => (&raw const memory::SUITE).cast(),
            (names::SUITE_MULTI_THREAD, _) => (&raw const multithread::SUITE).cast(),
            (names::SUITE_MESSAGE, 1) => (&raw const message::SUITE_V1).cast(),
            (names::SUITE_MESSAGE, _) if host.profile.messages == Messages::NullPersistent => {
                (&raw const message::SUITE_V2_NULL).cast()
            }
            (names::SUITE_MESSAGE, _) => (&raw const message::SUITE_V2).cast(),
            (names::SUITE_PROGRESS, 1) => (&raw const progress::SUITE_V1).cast(),
            (names::SUITE_PROGRESS, _) => (&raw const progress::SUITE_V2).cast(),
            (names::SUITE_TIMELINE, _) => (&raw const timeline::SUITE).cast(),
            (names::SUITE_PLANES, 1) => (&raw const plane::SUITE_V1).cast(),
            (names::SUITE_PLANES, _) => (&raw const plane::SUITE_V2).cast(),
            (names::SUITE_INTERACT, _) => (&raw const overlay::INTERACT).cast(),
            (names::SUITE_DRAW, _) => (&raw const overlay::DRAW).cast(),
            (names::SUITE_STATS, _) => (&raw const stats::SUITE).cast(),
            _ => return None,
        })
    });
    found.ok().flatten().unwrap_or(std::ptr::null())
}
