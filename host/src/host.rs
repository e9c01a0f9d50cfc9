//! A host: a profile, a record, and the structure for plug-ins.
#![expect(unsafe_code, reason = "the host table is handed to C code")]

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use flow_openfx as ofx;

use crate::ffi::handles::{HandleId, Object};
use crate::ffi::suites::fetch_suite;
use crate::library::LibraryFile;
use crate::profile::Overlays;
use crate::profile::Planes;
use crate::props::PropSet;
use crate::record::Record;
use crate::{Bundle, Profile, Result};

/// A headless OpenFX host. Cheap to clone; clones are the same host. May be used from
/// several threads.
///
/// A plug-in library keeps one host at a time. To use one library under several
/// profiles in one process, give each its own copy with [`Host::load_private`].
#[derive(Clone)]
pub struct Host {
    pub(crate) core: Arc<HostCore>,
}

pub(crate) struct HostCore {
    pub profile: Profile,
    pub record: Arc<Record>,
    pub props: Arc<PropSet>,
    /// The structure that plug-ins hold; never freed, since plug-ins may keep its address.
    pub table: &'static HostTable,
    pub force_lock: AtomicBool,
    _id: HandleId,
}

/// The C struct, whose handle has a meaning to the host only.
pub(crate) struct HostTable(pub ofx::OfxHost);

// SAFETY: the struct is never written after it was made, and its handle is a number.
unsafe impl Sync for HostTable {}
// SAFETY: as above.
unsafe impl Send for HostTable {}

impl Host {
    /// A host that behaves as the profile says.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        let props = host_props(&profile);
        let core = Arc::new_cyclic(|weak| {
            let id = HandleId::new(Object::Host(weak.clone()));
            let table = HostTable(ofx::OfxHost { host: id.pointer(), fetchSuite: Some(fetch_suite) });
            HostCore {
                profile,
                record: Arc::default(),
                props,
                table: keep(table),
                force_lock: AtomicBool::new(false),
                _id: id,
            }
        });
        Self { core }
    }

    /// The emulated profile.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.core.profile
    }

    /// Record of the calls between the host and its plug-ins.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.core.record
    }

    /// Holds one lock per plug-in around every render, whatever thread safety the plug-in declares:
    /// the lock of hosts for plug-ins with unsafe renders.
    pub fn lock_plugin_around_renders(&self, on: bool) {
        self.core.force_lock.store(on, Ordering::Relaxed);
    }

    /// Opens a bundle (`X.ofx.bundle`) or a bare library.
    ///
    /// # Errors
    /// The file is missing, the bundle has no library for this system, or the
    /// library lacks the OpenFX symbols; the message names the contents that were found instead.
    pub fn load(&self, path: impl AsRef<Path>) -> Result<Bundle> {
        Bundle::open(&self.core, &LibraryFile::find(path.as_ref())?)
    }

    /// Opens a copy of the library that shares no state with any other in this process.
    ///
    /// # Errors
    /// As [`Host::load`], and when the copy cannot be written to the temporary folder.
    pub fn load_private(&self, path: impl AsRef<Path>) -> Result<Bundle> {
        Bundle::open(&self.core, &LibraryFile::copy(path.as_ref())?)
    }

    /// Opens all bundles below the folders of `OFX_PLUGIN_PATH` and the system's own.
    /// Bundles that cannot be opened come with their error.
    #[must_use]
    pub fn search(&self) -> Vec<Result<Bundle>> {
        crate::library::search().iter().map(|path| self.load(path)).collect()
    }
}

/// Keeps a structure for the life of the process, since a plug-in may hold it for good.
fn keep(table: HostTable) -> &'static HostTable {
    static KEPT: Mutex<Vec<&'static HostTable>> = Mutex::new(Vec::new());
    let table: &'static HostTable = Box::leak(Box::new(table));
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).push(table);
    table
}

/// Number of live handles in this process, for leak tests.
#[must_use]
pub fn live_handles() -> usize {
    crate::ffi::handles::count()
}

fn host_props(profile: &Profile) -> Arc<PropSet> {
    let props = PropSet::new("host");
    let [strings, booleans, choices] = profile.animates.map(i32::from);
    let depths: Vec<&str> = profile.depths.iter().map(|d| d.as_str()).collect();
    let mut components: Vec<&str> = profile.components.iter().map(|c| c.as_str()).collect();
    match profile.planes {
        Planes::None => {}
        Planes::Motion => components.push(ofx::text(ofx::kFnOfxImageComponentMotionVectors.to_bytes_with_nul())),
        Planes::Any => components.extend([
            ofx::text(ofx::kFnOfxImageComponentMotionVectors.to_bytes_with_nul()),
            ofx::text(ofx::kNatronOfxImageComponentXY.to_bytes_with_nul()),
        ]),
    }
    let contexts: Vec<&str> = profile.contexts.iter().map(|c| c.as_str()).collect();
    props
        .text(ofx::kOfxPropType, ofx::text(ofx::kOfxTypeImageEffectHost))
        .text(ofx::kOfxPropName, &profile.name)
        .text(ofx::kOfxPropLabel, &profile.label)
        .ints(ofx::kOfxImageEffectHostPropIsBackground, &[i32::from(profile.background)])
        .ints(ofx::kOfxImageEffectPropSupportsOverlays, &[i32::from(profile.overlays != Overlays::None)])
        .ints(ofx::kOfxImageEffectPropSupportsMultiResolution, &[i32::from(profile.multi_resolution)])
        .ints(ofx::kOfxImageEffectPropSupportsTiles, &[i32::from(profile.tiles)])
        .ints(ofx::kOfxImageEffectPropTemporalClipAccess, &[i32::from(profile.temporal_access)])
        .ints(ofx::kOfxImageEffectPropSupportsMultipleClipDepths, &[i32::from(profile.multiple_depths)])
        .ints(ofx::kOfxImageEffectPropSupportsMultipleClipPARs, &[i32::from(profile.multiple_pars)])
        .ints(ofx::kOfxImageEffectPropSetableFrameRate, &[0])
        .ints(ofx::kOfxImageEffectPropSetableFielding, &[0])
        .ints(ofx::kOfxImageEffectInstancePropSequentialRender, &[2])
        .texts(ofx::kOfxImageEffectPropSupportedPixelDepths, &depths)
        .texts(ofx::kOfxImageEffectPropSupportedComponents, &components)
        .texts(ofx::kOfxImageEffectPropSupportedContexts, &contexts)
        .text(ofx::kOfxImageEffectHostPropNativeOrigin, ofx::text(ofx::kOfxHostNativeOriginBottomLeft))
        .pointer(ofx::kOfxPropHostOSHandle, 0)
        .ints(ofx::kOfxParamHostPropSupportsCustomAnimation, &[0])
        .ints(ofx::kOfxParamHostPropSupportsStringAnimation, &[strings])
        .ints(ofx::kOfxParamHostPropSupportsBooleanAnimation, &[booleans])
        .ints(ofx::kOfxParamHostPropSupportsChoiceAnimation, &[choices])
        .ints(ofx::kOfxParamHostPropSupportsCustomInteract, &[0])
        .ints(ofx::kOfxParamHostPropMaxParameters, &[-1])
        .ints(ofx::kOfxParamHostPropMaxPages, &[0])
        .ints(ofx::kOfxParamHostPropPageRowColumnCount, &[0, 0]);
    if !profile.version.is_empty() {
        props.ints(ofx::kOfxPropVersion, &profile.version);
        props.text(ofx::kOfxPropVersionLabel, &profile.version_label);
    }
    if let Some((major, minor)) = profile.api_version {
        props.ints(ofx::kOfxPropAPIVersion, &[major, minor]);
    }
    if profile.planes == Planes::Any {
        props.ints(ofx::kFnOfxImageEffectPropMultiPlanar, &[1]);
    }
    if let Some(marker) = profile.marker {
        props.ints(marker, &[1]);
    }
    props.seal();
    props
}
