//! What all nodes have: groups `cache` and `system`.

use super::super::Id;
use crate::nodes::common::controls::Control;
use crate::nodes::common::shared::{Shared, shared};

/// In the order of the panel.
pub const WORK_CONTROLS: &[Control<Id>] = &[
    shared(Shared::CacheFolder, Id::CacheFolder),
    shared(Shared::CacheName, Id::CacheName).hint(
        c"Name of this shot's or node's folder in the cache folder. Empty: the node's name, where the host tells it, \
               else flow.",
    ),
    shared(Shared::CacheMode, Id::CacheMode),
    shared(Shared::CacheEvery, Id::CacheEvery),
    shared(Shared::CacheSize, Id::CacheSize),
    shared(Shared::CacheBusy, Id::CacheBusy),
    shared(Shared::Bake, Id::Bake),
    shared(Shared::ClearDisk, Id::ClearDisk),
    shared(Shared::Device, Id::Device).hint(
        c"What simulates. Auto: the GPU where there is one, else the CPU. GPU: any graphics device, even one in \
               software; where none works, the CPU goes on and a message says so. The pixels are the same.",
    ),
    shared(Shared::MemoryBudget, Id::MemoryBudget),
    shared(Shared::MissingFrames, Id::MissingFrames),
    shared(Shared::DeclareFrames, Id::DeclareFrames),
    shared(Shared::Refresh, Id::Refresh),
    shared(Shared::Info, Id::Info),
    shared(Shared::SimDigest, Id::SimDigest),
    shared(Shared::CacheId, Id::CacheId),
    shared(Shared::PositionsSet, Id::PositionsSet),
];
