//! The controls that all nodes have. A node's table contains each of them by [`shared`], in the order of its panel; a
//! small node's table begins with all of them, by [`controls_table!`](crate::controls_table).

use std::ffi::CStr;

use super::controls::{CONDITIONS, Condition, Control, Group, Invalidates, Kind, blank, choice, double, int};

/// A control that all nodes have, in the order of [`SHARED`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// First frame of the simulation.
    StartFrame,
    /// Button: sets the start frame to the current one.
    StartHere,
    /// Frames simulated before it.
    Preroll,
    /// File to start from.
    InitialState,
    /// The simulated region.
    Extent,
    /// Grid cells per full-resolution pixel.
    Resolution,
    /// Whether a proxy simulates a scaled grid.
    Proxy,
    /// Folder of the files.
    CacheFolder,
    /// Name of the node's folder there.
    CacheName,
    /// Whether files are read and written.
    CacheMode,
    /// Frames from one written file to the next.
    CacheEvery,
    /// Limit of the folder's size.
    CacheSize,
    /// Whether rendering waits for a slow disk.
    CacheBusy,
    /// Button: simulates all frames into the folder.
    Bake,
    /// Button: removes the frames from the folder.
    ClearDisk,
    /// The requested device.
    Device,
    /// Memory for states.
    MemoryBudget,
    /// Substitute for input frames that the host cannot give.
    MissingFrames,
    /// The input frames that are declared to the host as needed.
    DeclareFrames,
    /// Button: reads the inputs again.
    Refresh,
    /// Report of the last render.
    Info,
    /// Digest of keys and values.
    SimDigest,
    /// Id of the node's folder, in hosts that do not provide the name of a node.
    CacheId,
    /// Whether positions were set to their defaults in the frame.
    PositionsSet,
}

/// The first group: what makes most shots.
pub const SIMULATION_GROUP: Group = Group { name: c"simulation", label: c"Main", open: true, parent: None };
/// The group of the disk cache's controls.
pub const CACHE_GROUP: Group = Group { name: c"cache", label: c"Layers and disk", open: false, parent: None };
/// The group of the numerics, of device, memory and host.
pub const SYSTEM_GROUP: Group = Group { name: c"system", label: c"Advanced", open: false, parent: None };

const SIMULATION: Control<Shared> = blank(Shared::StartFrame, SIMULATION_GROUP.name).constant();
const CACHE: Control<Shared> = SIMULATION.in_group(CACHE_GROUP.name).invalidates(Invalidates::Nothing);
const SYSTEM: Control<Shared> = SIMULATION.in_group(SYSTEM_GROUP.name).invalidates(Invalidates::Nothing);

/// The entry of a shared control in a node's table, with the node's name for it.
pub const fn shared<Id: Copy>(which: Shared, id: Id) -> Control<Id> {
    let Control { id: _, name, label, group, kind, animates, invalidates, shown: _, conditions: _, shared: _ } =
        SHARED[which as usize];
    let (shown, conditions) = (Condition::Always, [Condition::Always; CONDITIONS]);
    Control { id, name, label, group, kind, animates, invalidates, shown, conditions, shared: Some(which) }
}

/// A node's table with all shared controls, under names such as `Id::Shared(which)`, and then its `own`:
/// `controls_table!(Id::Shared, OWN)`.
#[macro_export]
macro_rules! controls_table {
    ($shared:path, $own:expr) => {{
        use $crate::nodes::common::shared::{SHARED, shared};
        let own = $own;
        let mut table = [own[0]; SHARED.len() + $own.len()];
        let mut place = 0;
        while place < table.len() {
            table[place] = match place.checked_sub(SHARED.len()) {
                None => shared(SHARED[place].id, $shared(SHARED[place].id)),
                Some(place) => own[place],
            };
            place += 1;
        }
        table
    }};
}

/// The controls of the disk cache, in order.
pub const DISK: [Shared; 8] = [
    Shared::CacheFolder,
    Shared::CacheName,
    Shared::CacheMode,
    Shared::CacheEvery,
    Shared::CacheSize,
    Shared::CacheBusy,
    Shared::Bake,
    Shared::ClearDisk,
];
/// The last controls of a panel, in order.
pub const LAST: [Shared; 8] = [
    Shared::MemoryBudget,
    Shared::MissingFrames,
    Shared::DeclareFrames,
    Shared::Refresh,
    Shared::Info,
    Shared::SimDigest,
    Shared::CacheId,
    Shared::PositionsSet,
];

/// Latest start frame; the earliest has the opposite sign.
pub const MOST_START: i32 = 1_000_000;

/// Options of `extent`, in the order of `clips::Extent`.
pub const EXTENTS: &[&CStr] = &[c"Source", c"Project", c"Both"];

/// The shared controls, in the order of [`Shared`].
pub const SHARED: &[Control<Shared>] = &[
    SIMULATION.id(Shared::StartFrame).of(c"startFrame", c"Start frame", int(1, [-MOST_START, MOST_START], [0, 200])),
    SIMULATION.id(Shared::StartHere).of(c"startHere", c"Start here", Kind::Button).invalidates(Invalidates::Nothing),
    SIMULATION.id(Shared::Preroll).of(c"preroll", c"Pre-roll", int(0, [0, 100_000], [0, 100])),
    SIMULATION.id(Shared::InitialState).of(c"initialState", c"Initial state", Kind::File),
    SIMULATION.id(Shared::Extent).of(c"extent", c"Simulated area", choice(EXTENTS, 0)),
    SIMULATION.id(Shared::Resolution).of(c"resolution", c"Resolution", double(100.0, [1.0, 400.0], [10.0, 100.0])),
    SIMULATION.id(Shared::Proxy).of(c"proxy", c"Proxy", choice(&[c"Scaled grid", c"Full grid"], 0)),
    CACHE.id(Shared::CacheFolder).of(c"cacheFolder", c"Cache folder", Kind::Folder),
    CACHE.id(Shared::CacheName).of(c"cacheName", c"Cache name", Kind::Text),
    CACHE.id(Shared::CacheMode).of(c"cacheMode", c"Cache mode", choice(&[c"Off", c"Read and write", c"Read only"], 1)),
    CACHE.id(Shared::CacheEvery).of(c"cacheEvery", c"Cache every", int(1, [1, 100_000], [1, 50])),
    CACHE.id(Shared::CacheSize).of(c"cacheSize", c"Cache size", int(0, [0, 1_000_000], [0, 1000])),
    CACHE.id(Shared::CacheBusy).of(c"cacheBusy", c"When the disk is slow", choice(&[c"Wait", c"Leave out frames"], 0)),
    CACHE.id(Shared::Bake).of(c"bake", c"Bake", Kind::Button),
    CACHE.id(Shared::ClearDisk).of(c"clearDisk", c"Clear disk", Kind::Button),
    SYSTEM.id(Shared::Device).of(c"device", c"Device", choice(&[c"Auto", c"GPU", c"CPU"], 0)),
    SYSTEM.id(Shared::MemoryBudget).of(c"memoryBudget", c"Memory budget", int(0, [0, 16_777_216], [0, 65_536])),
    SYSTEM
        .id(Shared::MissingFrames)
        .of(c"missingFrames", c"Missing frames", choice(&[c"Transparent", c"Hold", c"Fail"], 0))
        .invalidates(Invalidates::Simulation),
    SYSTEM.id(Shared::DeclareFrames).of(c"declareFrames", c"Declare frames", choice(&[c"Current", c"Whole range"], 0)),
    SYSTEM.id(Shared::Refresh).of(c"refresh", c"Refresh", Kind::Button),
    SYSTEM.id(Shared::Info).of(c"info", c"Info", Kind::Notice),
    SYSTEM.id(Shared::SimDigest).of(c"simDigest", c"Simulation digest", Kind::Hidden),
    CACHE.id(Shared::CacheId).of(c"cacheId", c"Cache id", Kind::Memo),
    SYSTEM.id(Shared::PositionsSet).of(c"positionsSet", c"Positions set", Kind::Hidden),
];
