//! The disk cache, and how the work is done: what all nodes have.

use super::super::Id;
use crate::nodes::common::controls::{Control, Reach};
use crate::nodes::common::shared::{Shared, shared};

/// Groups `cache` and `system`.
pub const WORK_CONTROLS: &[Control<Id>] = &[
    shared(Shared::CacheFolder, Id::CacheFolder),
    shared(Shared::CacheName, Id::CacheName),
    shared(Shared::CacheMode, Id::CacheMode),
    shared(Shared::CacheEvery, Id::CacheEvery),
    shared(Shared::CacheSize, Id::CacheSize),
    shared(Shared::CacheBusy, Id::CacheBusy),
    shared(Shared::Bake, Id::Bake),
    shared(Shared::ClearDisk, Id::ClearDisk),
    // Smoke of another kind of device has other bits.
    Control { reach: Reach::Simulation, ..shared(Shared::Device, Id::Device) }.hint(
        c"What simulates. Auto: the GPU where there is one, else the CPU. GPU: any graphics device, even one in \
               software; where none works, the CPU goes on and a message says so. The smoke of a GPU differs a little \
               from a CPU's: a shot is to be simulated by one kind.",
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
