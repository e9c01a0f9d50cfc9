//! The host: its properties and its suites.

use std::{fmt, ptr::NonNull, sync::Arc};

use flow_openfx::{self as sys, Status};

use super::{
    error::{Error, Result},
    property::PropertySet,
    suites::{self, Suites},
};

/// The host that loaded the plug-in. Cheap to clone; usable on any thread on which the host called an action.
#[derive(Clone)]
pub struct Host(Arc<Inner>);

struct Inner {
    raw: NonNull<sys::OfxHost>,
    property: &'static sys::OfxPropertySuiteV1,
    effect: &'static sys::OfxImageEffectSuiteV1,
    param: &'static sys::OfxParameterSuiteV1,
    suites: Suites,
    info: HostInfo,
}

// SAFETY: ofxCore.h, OfxHost: the host structure and every suite stay valid and unchanged while the library is loaded.
// ofxThreadSafety.rst: suites are called from the main thread and from render threads.
unsafe impl Send for Inner {}
// SAFETY: as above; after `Host::new` only the `OnceLock`s of `suites` are written.
unsafe impl Sync for Inner {}

/// Properties of the host. A missing property reads as an empty text, 0 or false.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostInfo {
    /// The name, such as `uk.co.thefoundry.nuke` or `DaVinciResolve`.
    pub name: String,
    /// The name for users.
    pub label: String,
    /// The version; missing parts are 0.
    pub version: [i32; 3],
    /// The OpenFX version that the host claims; 1.0 without a claim.
    pub api: (i32, i32),
    /// Whether the host is Natron, even under another host's name.
    pub is_natron: bool,
    /// Whether the host claims planes other than colour.
    pub multi_planar: bool,
    /// Whether the host runs without a user interface.
    pub is_background: bool,
    /// The pixel depths offered, by their OpenFX names.
    pub depths: Vec<String>,
    /// The components offered, by their OpenFX names.
    pub components: Vec<String>,
    /// Whether clips of one effect may differ in size.
    pub multi_resolution: bool,
    /// Whether images at other times than the current one can be fetched.
    pub temporal_access: bool,
    /// Whether the host draws overlays.
    pub overlays: bool,
}

/// The prefix of the names of The Foundry's hosts.
const FOUNDRY: &str = "uk.co.thefoundry.";

/// Prefixes of the names of hosts that have all functions of the version-1 suites and answer requests for newer suites.
/// Some of them claim too low an API version.
const KNOWN: [&str; 6] = [
    FOUNDRY,
    "DaVinciResolve",
    "com.vegascreativesoftware.",
    "com.sonycreativesoftware.",
    "com.FilmLight.",
    "org.flowofx.",
];

/// Hosts that claim an API version whose suites they lack: openfx-runner, which calls itself openfx-driver.
const OVERSTATED: [&str; 2] = ["openfx-driver", "openfx-runner"];

impl HostInfo {
    /// Whether the host answers every function of the version-1 suites. Other hosts may end the process: openfx-runner
    /// does in paramGetNumKeys, paramGetKeyTime, paramGetKeyIndex, paramCopy, propReset and the multi-thread and memory
    /// suites.
    pub(super) fn has_all_calls(&self) -> bool {
        self.is_natron || KNOWN.iter().any(|name| self.name.starts_with(name))
    }

    /// Whether version-2 suites may be requested. A host with version 1 only may end the process at the request
    /// (openfx-runner).
    pub(super) fn has_version_2_suites(&self) -> bool {
        self.has_all_calls() || (self.api >= (1, 2) && !OVERSTATED.contains(&self.name.as_str()))
    }

    /// Whether the host is known to have planes.
    pub(super) fn knows_planes(&self) -> bool {
        self.multi_planar || self.is_natron || self.name.starts_with(FOUNDRY)
    }
}

impl Host {
    /// Wraps the host that the library received: fetches the three suites that every action needs, and reads the
    /// properties.
    ///
    /// # Errors
    ///
    /// [`Error::MissingSuite`] for a host without one of the three suites, [`Error::BadHandle`] for null.
    ///
    /// # Safety
    ///
    /// `raw` is null or an `OfxHost` that stays valid while the library is loaded.
    pub(super) unsafe fn new(raw: *mut sys::OfxHost) -> Result<Self> {
        let raw = NonNull::new(raw).ok_or(Error::BadHandle("host"))?;
        macro_rules! required {
            ($name:expr) => {
                // SAFETY: `raw` is valid as the caller promises; name, version and layout are those of the OpenFX
                // headers.
                unsafe { suites::fetch(raw, sys::name($name), 1) }
                    .ok_or(Error::MissingSuite { name: sys::text($name), version: 1 })?
            };
        }
        let mut inner = Inner {
            raw,
            property: required!(sys::kOfxPropertySuite),
            effect: required!(sys::kOfxImageEffectSuite),
            param: required!(sys::kOfxParameterSuite),
            suites: Suites::default(),
            info: HostInfo::default(),
        };
        let bare = Self(Arc::new(inner));
        // SAFETY: ofxCore.h, OfxHost: `host` is the property set of the host, valid as long as the structure.
        let properties = unsafe { PropertySet::new(&bare, raw.as_ref().host, "host properties") };
        let info = properties.map(|properties| read_info(&properties)).unwrap_or_default();
        inner = Arc::into_inner(bare.0).expect("the only reference");
        inner.info = info;
        Ok(Self(Arc::new(inner)))
    }

    /// The properties of the host.
    #[must_use]
    pub fn info(&self) -> &HostInfo {
        &self.0.info
    }

    /// The host's name, for comparisons.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.info.name
    }

    /// The host's name in messages to an artist.
    #[must_use]
    pub fn label(&self) -> &str {
        let info = &self.0.info;
        [info.label.as_str(), info.name.as_str()].into_iter().find(|text| !text.is_empty()).unwrap_or("the host")
    }

    /// Whether images have planes other than colour that can be fetched.
    #[must_use]
    pub fn has_planes(&self) -> bool {
        self.planes().is_some_and(|suite| suite.clipGetImagePlane.is_some())
    }

    /// Whether clips can declare components of motion vectors: two planes, forward and backward motion.
    #[must_use]
    pub fn has_motion_components(&self) -> bool {
        let motion = sys::kFnOfxImageComponentMotionVectors.to_bytes();
        self.info().components.iter().any(|name| name.as_bytes() == motion)
    }

    /// Whether the host draws overlays: it says so, and has the interact suite.
    #[must_use]
    pub fn draws_overlays(&self) -> bool {
        self.0.info.overlays && self.interact().is_some()
    }

    /// The number of processors that the host grants a plug-in; `None` if the host may lack the function. A hint: some
    /// hosts return a constant.
    #[must_use]
    pub fn processors(&self) -> Option<usize> {
        let mut count = 0;
        // SAFETY: ofxMultiThread.h: takes space for one unsigned int.
        let status = unsafe { self.multi_thread()?.multiThreadNumCPUs?(&raw mut count) };
        (Status(status) == Status::OK && count > 0).then_some(count as usize)
    }

    pub(super) fn raw(&self) -> NonNull<sys::OfxHost> {
        self.0.raw
    }

    pub(super) fn suites(&self) -> &Suites {
        &self.0.suites
    }

    pub(super) fn property(&self) -> &'static sys::OfxPropertySuiteV1 {
        self.0.property
    }

    pub(super) fn effect(&self) -> &'static sys::OfxImageEffectSuiteV1 {
        self.0.effect
    }

    pub(super) fn param(&self) -> &'static sys::OfxParameterSuiteV1 {
        self.0.param
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Host").field(&self.0.info).finish()
    }
}

fn read_info(properties: &PropertySet<'_>) -> HostInfo {
    let version = [0, 1, 2].map(|index| properties.get_int(sys::kOfxPropVersion, index).unwrap_or(0));
    let api = [0, 1].map(|index| properties.get_int(sys::kOfxPropAPIVersion, index).unwrap_or(0));
    HostInfo {
        name: properties.get_string(sys::kOfxPropName, 0).unwrap_or_default(),
        label: properties.get_string(sys::kOfxPropLabel, 0).unwrap_or_default(),
        version,
        api: (api[0].max(1), api[1]),
        is_natron: properties.flag(sys::kNatronOfxHostIsNatron),
        multi_planar: properties.flag(sys::kFnOfxImageEffectPropMultiPlanar),
        is_background: properties.flag(sys::kOfxImageEffectHostPropIsBackground),
        depths: properties.strings(sys::kOfxImageEffectPropSupportedPixelDepths),
        components: properties.strings(sys::kOfxImageEffectPropSupportedComponents),
        multi_resolution: properties.flag(sys::kOfxImageEffectPropSupportsMultiResolution),
        temporal_access: properties.flag(sys::kOfxImageEffectPropTemporalClipAccess),
        overlays: properties.flag(sys::kOfxImageEffectPropSupportsOverlays),
    }
}
