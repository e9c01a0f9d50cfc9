//! openfx-runner, a program for smoke tests: it has the version-1 suites of OpenFX 1.0 with some calls missing, though
//! it claims 1.4, and ends the process where one of these is made. Every clip claims a connection.

use super::{Brackets, Components, Context, Depth, ImageIds, Messages, Overlays, Profile, Unconnected};

/// Calls that are not written: the process ends in them.
const FATAL: &[&str] = &[
    "paramGetNumKeys",
    "paramGetKeyTime",
    "paramGetKeyIndex",
    "paramCopy",
    "propReset",
    "memoryAlloc",
    "memoryFree",
    "multiThread",
    "multiThreadNumCPUs",
    "multiThreadIndex",
    "multiThreadIsSpawnedThread",
    "mutexCreate",
    "mutexDestroy",
    "mutexLock",
    "mutexUnLock",
    "mutexTryLock",
];

use crate::ffi::suites::names as suite;

impl Profile {
    /// openfx-runner, which calls itself openfx-driver.
    #[must_use]
    pub fn openfx_runner() -> Self {
        Self {
            name: "openfx-driver".into(),
            label: "OpenFX Driver".into(),
            suites: vec![(suite::MEMORY, 1), (suite::MULTI_THREAD, 1)],
            fatal_calls: FATAL,
            fatal_versions: true,
            messages: Messages::Plain,
            contexts: vec![Context::Filter],
            depths: vec![Depth::Float],
            components: vec![Components::Rgba],
            tiles: false,
            multi_resolution: false,
            multiple_depths: false,
            temporal_access: false,
            image_ids: ImageIds::Absent,
            plugin_handle: false,
            project_properties: false,
            project_properties_on_clones: false,
            all_connected: true,
            unconnected: Unconnected::Nothing,
            ignores_time: true,
            sets_host_of_library: false,
            brackets: Brackets::None,
            queries_before_render: false,
            animates: [false; 3],
            overlays: Overlays::None,
            ..Self::generic()
        }
    }
}
