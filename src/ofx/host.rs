//! The host: who it is, what it claims, and its suites.

use std::{fmt, ptr::NonNull, sync::Arc};

use super::{
    ffi::{extra, sys},
    names,
    property::PropertySet,
    stats::{self, StatsSuiteV1},
    status::{Error, Result, Status},
    suites::{self, Slot},
};

/// The host that loaded the plug-in. Cheap to clone; usable from any thread on which the host called an action.
#[derive(Clone)]
pub struct Host(Arc<Inner>);

struct Inner {
    raw: NonNull<sys::OfxHost>,
    property: NonNull<sys::OfxPropertySuiteV1>,
    effect: NonNull<sys::OfxImageEffectSuiteV1>,
    param: NonNull<sys::OfxParameterSuiteV1>,
    message_v1: Slot<sys::OfxMessageSuiteV1>,
    message_v2: Slot<sys::OfxMessageSuiteV2>,
    progress_v1: Slot<sys::OfxProgressSuiteV1>,
    progress_v2: Slot<sys::OfxProgressSuiteV2>,
    time_line: Slot<sys::OfxTimeLineSuiteV1>,
    multi_thread: Slot<sys::OfxMultiThreadSuiteV1>,
    interact: Slot<sys::OfxInteractSuiteV1>,
    draw: Slot<sys::OfxDrawSuiteV1>,
    stats: Slot<StatsSuiteV1>,
    planes: Slot<extra::FnOfxImageEffectPlaneSuiteV1>,
    info: HostInfo,
}

// SAFETY: ofxCore.h, OfxHost: the host structure and every suite stay valid and unchanged while the library is loaded,
// and ofxThreadSafety.rst has suites called from the main thread and from render threads.
unsafe impl Send for Inner {}
// SAFETY: as above; nothing here is written after `Host::new` but the atomics of the slots.
unsafe impl Sync for Inner {}

/// What a host says of itself. Hosts leave properties out: a text is then empty, a number 0 and a claim false.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostInfo {
    /// The name, such as `uk.co.thefoundry.nuke` or `DaVinciResolve`.
    pub name: String,
    /// The name that users know.
    pub label: String,
    /// The version, as far as it is given.
    pub version: [i32; 3],
    /// The version in words.
    pub version_label: String,
    /// The OpenFX version claimed; 1.0 where none is.
    pub api: (i32, i32),
    /// Whether it is Natron, whatever its name says.
    pub is_natron: bool,
    /// Whether it claims planes other than colour.
    pub multi_planar: bool,
    /// Whether it runs without a user interface.
    pub is_background: bool,
    /// The contexts offered, by their OpenFX names.
    pub contexts: Vec<String>,
    /// The pixel depths offered, by their OpenFX names.
    pub depths: Vec<String>,
    /// The components offered, by their OpenFX names.
    pub components: Vec<String>,
    /// Clips of one effect may have different sizes.
    pub multi_resolution: bool,
    /// Parts of images are rendered.
    pub tiles: bool,
    /// Images at other times than the current one can be fetched.
    pub temporal_access: bool,
    /// Clips of one effect may have different depths.
    pub multiple_clip_depths: bool,
    /// Clips of one effect may have different pixel aspect ratios.
    pub multiple_clip_pars: bool,
    /// Overlays are drawn.
    pub overlays: bool,
    /// Sequential rendering: 0 no, 1 yes, 2 sometimes.
    pub sequential_render: i32,
    /// String parameters animate.
    pub string_animation: bool,
    /// Choice parameters animate.
    pub choice_animation: bool,
    /// Boolean parameters animate.
    pub boolean_animation: bool,
    /// The most parameters that an effect may have; -1 or 0 for no limit.
    pub max_parameters: i32,
}

/// Hosts that are known to have the calls and suites that OpenFX has beyond what a plain frame needs, by the beginnings of
/// their names. The API version that some of them claim understates them.
const KNOWN: [&str; 6] = [
    "uk.co.thefoundry.",
    "DaVinciResolve",
    "com.vegascreativesoftware.",
    "com.sonycreativesoftware.",
    "com.FilmLight.",
    "org.flowofx.",
];

/// Hosts that claim an API version whose suites they do not have: openfx-runner, which calls itself openfx-driver.
const OVERSTATED: [&str; 2] = ["openfx-driver", "openfx-runner"];

impl HostInfo {
    /// Whether the host is known to answer every call of the version-1 suites. Others may end the process instead: in
    /// openfx-runner paramGetNumKeys, paramGetKeyTime, paramGetKeyIndex, paramCopy, propReset and all of the multi-thread
    /// and memory suites do.
    pub(super) fn has_all_calls(&self) -> bool {
        self.is_natron || KNOWN.iter().any(|name| self.name.starts_with(name))
    }

    /// Whether version-2 suites may be asked for: a host that has only version 1 may end the process when it is asked for
    /// another version (openfx-runner does).
    fn has_version_2_suites(&self) -> bool {
        self.has_all_calls() || (self.api >= (1, 2) && !OVERSTATED.contains(&self.name.as_str()))
    }
}

impl Host {
    /// Whether images have planes other than colour, and there is a way to get at them.
    #[must_use]
    pub fn has_planes(&self) -> bool {
        self.planes().is_some_and(|suite| suite.clipGetImagePlane.is_some())
    }

    /// Whether clips can be said to carry motion vectors, which are two planes then.
    #[must_use]
    pub fn has_motion_components(&self) -> bool {
        let motion = extra::kFnOfxImageComponentMotionVectors.to_bytes();
        self.info().components.iter().any(|name| name.as_bytes() == motion)
    }

    /// The suite of planes, in hosts that have shown that they know of planes. In its first version, which is the one
    /// that works in Nuke too; in it the render under way says which view is meant.
    pub(super) fn planes(&self) -> Option<&extra::FnOfxImageEffectPlaneSuiteV1> {
        let info = &self.0.info;
        let shown = info.multi_planar || info.is_natron || info.name.starts_with("uk.co.thefoundry.");
        if !shown {
            return None;
        }
        // SAFETY: as in `message_v1`; the layout is that of openfx-headers/flow_openfx.h.
        unsafe { self.0.planes.get(self.0.raw, names::PLANE_SUITE, 1) }
    }

    /// Takes the host that the library was handed, fetches the three suites without which nothing works, and reads what
    /// the host says of itself.
    ///
    /// # Errors
    ///
    /// [`Error::MissingSuite`] where one of the three is missing, [`Error::BadHandle`] where there is no host.
    ///
    /// # Safety
    ///
    /// `raw` is null or an `OfxHost` that stays valid while the library is loaded.
    pub(super) unsafe fn new(raw: *mut sys::OfxHost) -> Result<Self> {
        let raw = NonNull::new(raw).ok_or(Error::BadHandle("host"))?;
        let missing = |name| Error::MissingSuite { name, version: 1 };
        // SAFETY: `raw` is valid as the caller promises; names, versions and layouts are those of the OpenFX headers.
        let (property, effect, param) = unsafe {
            (
                suites::fetch::<sys::OfxPropertySuiteV1>(raw, names::PROPERTY_SUITE, 1)
                    .ok_or_else(|| missing("OfxPropertySuite"))?,
                suites::fetch::<sys::OfxImageEffectSuiteV1>(raw, names::IMAGE_EFFECT_SUITE, 1)
                    .ok_or_else(|| missing("OfxImageEffectSuite"))?,
                suites::fetch::<sys::OfxParameterSuiteV1>(raw, names::PARAMETER_SUITE, 1)
                    .ok_or_else(|| missing("OfxParameterSuite"))?,
            )
        };
        let mut inner = Inner {
            raw,
            property,
            effect,
            param,
            message_v1: Slot::new(),
            message_v2: Slot::new(),
            progress_v1: Slot::new(),
            progress_v2: Slot::new(),
            time_line: Slot::new(),
            multi_thread: Slot::new(),
            interact: Slot::new(),
            draw: Slot::new(),
            stats: Slot::new(),
            planes: Slot::new(),
            info: HostInfo::default(),
        };
        // SAFETY: as above.
        let properties = unsafe { raw.as_ref() }.host;
        let bare = Self(Arc::new(inner));
        // SAFETY: ofxCore.h, OfxHost: `host` is the property set of the host, valid as long as the structure.
        let info = unsafe { PropertySet::new(&bare, properties, "host properties") }
            .map_or_else(|_| HostInfo::default(), |p| read_info(&p));
        inner = Arc::into_inner(bare.0).expect("the only reference");
        inner.info = info;
        Ok(Self(Arc::new(inner)))
    }

    /// What the host says of itself.
    #[must_use]
    pub fn info(&self) -> &HostInfo {
        &self.0.info
    }

    /// The host's name, for comparisons.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.info.name
    }

    /// How to name the host to an artist.
    #[must_use]
    pub fn label(&self) -> &str {
        let info = &self.0.info;
        [info.label.as_str(), info.name.as_str()].into_iter().find(|text| !text.is_empty()).unwrap_or("the host")
    }

    /// The host's own properties.
    ///
    /// # Errors
    ///
    /// [`Error::BadHandle`] where it has none.
    pub fn properties(&self) -> Result<PropertySet<'_>> {
        // SAFETY: ofxCore.h, OfxHost: valid while the library is loaded, as is its property set.
        unsafe { PropertySet::new(self, self.0.raw.as_ref().host, "host properties") }
    }

    /// Number of processors that the host grants a plug-in; `None` where it does not say, or may not have the call. A hint:
    /// some hosts answer with a constant.
    #[must_use]
    pub fn processors(&self) -> Option<usize> {
        if !self.0.info.has_all_calls() {
            return None;
        }
        // SAFETY: `raw` is valid by the invariant of `Inner`; the layout is that of ofxMultiThread.h.
        let suite = unsafe { self.0.multi_thread.get(self.0.raw, names::MULTI_THREAD_SUITE, 1) }?;
        let ask = suite.multiThreadNumCPUs?;
        let mut count = 0;
        // SAFETY: ofxMultiThread.h: takes a place for one unsigned int.
        let status = unsafe { ask(&raw mut count) };
        (Status(status) == Status::OK && count > 0).then_some(count as usize)
    }

    pub(super) fn property(&self) -> &sys::OfxPropertySuiteV1 {
        // SAFETY: ofxCore.h, fetchSuite: a suite stays valid and unchanged while the library is loaded.
        unsafe { self.0.property.as_ref() }
    }

    pub(super) fn effect(&self) -> &sys::OfxImageEffectSuiteV1 {
        // SAFETY: as in `property`.
        unsafe { self.0.effect.as_ref() }
    }

    pub(super) fn param(&self) -> &sys::OfxParameterSuiteV1 {
        // SAFETY: as in `property`.
        unsafe { self.0.param.as_ref() }
    }

    pub(super) fn message_v1(&self) -> Option<&sys::OfxMessageSuiteV1> {
        // SAFETY: `raw` is valid by the invariant of `Inner`; the layout is that of ofxMessage.h.
        unsafe { self.0.message_v1.get(self.0.raw, names::MESSAGE_SUITE, 1) }
    }

    pub(super) fn message_v2(&self) -> Option<&sys::OfxMessageSuiteV2> {
        if !self.0.info.has_version_2_suites() {
            return None;
        }
        // SAFETY: as in `message_v1`.
        unsafe { self.0.message_v2.get(self.0.raw, names::MESSAGE_SUITE, 2) }
    }

    pub(super) fn progress_v1(&self) -> Option<&sys::OfxProgressSuiteV1> {
        // SAFETY: `raw` is valid by the invariant of `Inner`; the layout is that of ofxProgress.h.
        unsafe { self.0.progress_v1.get(self.0.raw, names::PROGRESS_SUITE, 1) }
    }

    pub(super) fn progress_v2(&self) -> Option<&sys::OfxProgressSuiteV2> {
        if !self.0.info.has_version_2_suites() {
            return None;
        }
        // SAFETY: as in `progress_v1`.
        unsafe { self.0.progress_v2.get(self.0.raw, names::PROGRESS_SUITE, 2) }
    }

    /// The suite of flow-host. Asked for where version-2 suites may be: openfx-runner aborts on what it doesn't know.
    pub(super) fn stats(&self) -> Option<&StatsSuiteV1> {
        if !self.0.info.has_version_2_suites() {
            return None;
        }
        // SAFETY: as in `message_v1`; the layout is flow-host's.
        unsafe { self.0.stats.get(self.0.raw, stats::SUITE, 1) }
    }

    /// Whether it draws what a node has to draw over the picture: it says so, and has the suite for that.
    #[must_use]
    pub fn draws_overlays(&self) -> bool {
        self.0.info.overlays && self.interact_suite().is_some()
    }

    pub(super) fn interact_suite(&self) -> Option<&sys::OfxInteractSuiteV1> {
        // SAFETY: `raw` is valid by the invariant of `Inner`; the layout is that of ofxInteract.h.
        unsafe { self.0.interact.get(self.0.raw, names::INTERACT_SUITE, 1) }
    }

    /// The suite of OpenFX 1.5. Asked for where version-2 suites may be, as [`stats`](Self::stats).
    pub(super) fn draw_suite(&self) -> Option<&sys::OfxDrawSuiteV1> {
        if !self.0.info.has_version_2_suites() {
            return None;
        }
        // SAFETY: as above; the layout is that of ofxDrawSuite.h.
        unsafe { self.0.draw.get(self.0.raw, names::DRAW_SUITE, 1) }
    }

    pub(super) fn time_line(&self) -> Option<&sys::OfxTimeLineSuiteV1> {
        // SAFETY: `raw` is valid by the invariant of `Inner`; the layout is that of ofxTimeLine.h.
        unsafe { self.0.time_line.get(self.0.raw, names::TIME_LINE_SUITE, 1) }
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Host").field(&self.0.info).finish()
    }
}

/// Reads what the host claims, taking every absence for the least claim.
fn read_info(properties: &PropertySet<'_>) -> HostInfo {
    let text = |name| properties.get_string(name, 0).unwrap_or_default();
    let number = |name, index| properties.get_int(name, index).unwrap_or(0);
    HostInfo {
        name: text(names::NAME),
        label: text(names::LABEL),
        version: [0, 1, 2].map(|index| number(names::VERSION, index)),
        version_label: text(names::VERSION_LABEL),
        api: (number(names::API_VERSION, 0).max(1), number(names::API_VERSION, 1)),
        is_natron: properties.flag(extra::kNatronOfxHostIsNatron),
        multi_planar: properties.flag(extra::kFnOfxImageEffectPropMultiPlanar),
        is_background: properties.flag(names::HOST_IS_BACKGROUND),
        contexts: properties.strings(names::SUPPORTED_CONTEXTS),
        depths: properties.strings(names::SUPPORTED_PIXEL_DEPTHS),
        components: properties.strings(names::SUPPORTED_COMPONENTS),
        multi_resolution: properties.flag(names::SUPPORTS_MULTI_RESOLUTION),
        tiles: properties.flag(names::SUPPORTS_TILES),
        temporal_access: properties.flag(names::TEMPORAL_CLIP_ACCESS),
        multiple_clip_depths: properties.flag(names::SUPPORTS_MULTIPLE_CLIP_DEPTHS),
        multiple_clip_pars: properties.flag(names::SUPPORTS_MULTIPLE_CLIP_PARS),
        overlays: properties.flag(names::SUPPORTS_OVERLAYS),
        sequential_render: number(names::SEQUENTIAL_RENDER, 0),
        string_animation: properties.flag(names::HOST_STRING_ANIMATION),
        choice_animation: properties.flag(names::HOST_CHOICE_ANIMATION),
        boolean_animation: properties.flag(names::HOST_BOOLEAN_ANIMATION),
        max_parameters: number(names::HOST_MAX_PARAMETERS, 0),
    }
}
