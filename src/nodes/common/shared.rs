//! The controls that all nodes have. A node's table contains each of them by [`shared`], in the order of its panel; a
//! small node's table begins with all of them, by [`controls_table!`](crate::controls_table).

use std::ffi::CStr;

use super::controls::{CONDITIONS, Condition, Control, Group, Invalidates, Kind, choice, int};

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

const SIMULATION: Control<Shared> = Control {
    id: Shared::StartFrame,
    name: c"",
    label: c"",
    hint: c"",
    group: SIMULATION_GROUP.name,
    kind: Kind::Button,
    animates: false,
    invalidates: Invalidates::Simulation,
    shown: Condition::Always,
    conditions: [Condition::Always; CONDITIONS],
    shared: None,
};
const CACHE: Control<Shared> = Control { group: CACHE_GROUP.name, invalidates: Invalidates::Nothing, ..SIMULATION };
const SYSTEM: Control<Shared> = Control { group: SYSTEM_GROUP.name, invalidates: Invalidates::Nothing, ..SIMULATION };

/// The entry of a shared control in a node's table, with the node's name for it.
pub const fn shared<Id: Copy>(which: Shared, id: Id) -> Control<Id> {
    let Control { id: _, name, label, hint, group, kind, animates, invalidates, shown: _, conditions: _, shared: _ } =
        SHARED[which as usize];
    let (shown, conditions) = (Condition::Always, [Condition::Always; CONDITIONS]);
    Control { id, name, label, hint, group, kind, animates, invalidates, shown, conditions, shared: Some(which) }
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

/// Latest start frame; the earliest has the opposite sign.
pub const MOST_START: i32 = 1_000_000;

/// Options of `extent`, in the order of `clips::Extent`.
pub const EXTENTS: &[&CStr] = &[c"Source", c"Project", c"Both"];

/// The shared controls, in the order of [`Shared`].
pub const SHARED: &[Control<Shared>] = &[
    Control {
        id: Shared::StartFrame,
        name: c"startFrame",
        label: c"Start frame",
        hint: c"First frame of the simulation. Frames before it show what there is at the start. A shot that begins at 1001 \
               begins here, too: from 1 on, 1000 frames would be simulated that nobody sees.",
        kind: int(1, [-MOST_START, MOST_START], [0, 200]),
        ..SIMULATION
    },
    Control {
        id: Shared::StartHere,
        name: c"startHere",
        label: c"Start here",
        hint: c"Sets the Start frame to the frame that is shown now.",
        invalidates: Invalidates::Nothing,
        ..SIMULATION
    },
    Control {
        id: Shared::Preroll,
        name: c"preroll",
        label: c"Pre-roll",
        hint: c"Frames simulated before the start frame, with parameters and inputs held at the start frame.",
        kind: int(0, [0, 100_000], [0, 100]),
        ..SIMULATION
    },
    Control {
        id: Shared::InitialState,
        name: c"initialState",
        label: c"Initial state",
        hint: c"An EXR to start from. %{NAME} stands for an environment variable.",
        kind: Kind::File,
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Shared::Extent,
        name: c"extent",
        label: c"Simulated area",
        hint: c"What is simulated. Source: its region at the Start frame, which is small where an element is cropped. Project: \
               the project's frame. Both: what covers the two. Without a Source it is the project's frame; hosts whose pictures all \
               have one size (Resolve, MLT) simulate the Source's.",
        kind: choice(EXTENTS, 0),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Shared::Resolution,
        name: c"resolution",
        label: c"Resolution",
        hint: c"Grid cells per full-resolution pixel, in percent. 50 simulates a quarter of the cells: faster and softer.",
        kind: Kind::Double { default: 100.0, range: [1.0, 400.0], display: [10.0, 100.0] },
        ..SIMULATION
    },
    Control {
        id: Shared::Proxy,
        name: c"proxy",
        label: c"Proxy",
        hint:
            c"What a render in proxy simulates. Scaled grid: a smaller grid, fast, with the same look. Full grid: the \
               grid of the final render, from the proxy's inputs.",
        kind: choice(&[c"Scaled grid", c"Full grid"], 0),
        ..SIMULATION
    },
    Control {
        id: Shared::CacheFolder,
        name: c"cacheFolder",
        label: c"Cache folder",
        hint: c"Where simulated frames are kept as EXR, so that they need not be simulated again: tomorrow, by a Read node, \
               by every machine of a farm that sees the folder. Empty: nowhere. %{NAME} stands for an environment \
               variable, %% for a percent sign.",
        kind: Kind::Folder,
        ..CACHE
    },
    Control {
        id: Shared::CacheName,
        name: c"cacheName",
        label: c"Cache name",
        hint: c"Name of this shot's or node's folder in the cache folder. Empty: the node's name, where the host tells it; \
               where it does not, a name that the node makes up when Cache folder is set, else one for all nodes of a \
               type.",
        kind: Kind::Text,
        ..CACHE
    },
    Control {
        id: Shared::CacheMode,
        name: c"cacheMode",
        label: c"Cache mode",
        hint: c"Off: the folder is left alone. Read and write: frames found there are used, others are simulated and \
               written. Read only: nothing is written.",
        kind: choice(&[c"Off", c"Read and write", c"Read only"], 1),
        ..CACHE
    },
    Control {
        id: Shared::CacheEvery,
        name: c"cacheEvery",
        label: c"Cache every",
        hint: c"Every n-th frame is written, counted from the first. The frames between are simulated from the last one \
               that was written.",
        kind: int(1, [1, 100_000], [1, 50]),
        ..CACHE
    },
    Control {
        id: Shared::CacheSize,
        name: c"cacheSize",
        label: c"Cache size",
        hint: c"Most that this shot's folder may hold, in GB: beyond it, the frames that were used longest ago are removed. \
               0: no limit.",
        kind: int(0, [0, 1_000_000], [0, 1000]),
        ..CACHE
    },
    Control {
        id: Shared::CacheBusy,
        name: c"cacheBusy",
        label: c"When the disk is slow",
        hint: c"Frames are written behind the rendering. Where the disk falls back by more than a few frames, Wait slows \
               the rendering down; Leave out frames does not write all of them.",
        kind: choice(&[c"Wait", c"Leave out frames"], 0),
        ..CACHE
    },
    Control {
        id: Shared::Bake,
        name: c"bake",
        label: c"Bake",
        hint: c"Simulates all frames from the Start frame to the end of the timeline into the cache folder.",
        kind: Kind::Button,
        ..CACHE
    },
    Control {
        id: Shared::ClearDisk,
        name: c"clearDisk",
        label: c"Clear disk",
        hint: c"Removes this node's frames from disk, and nothing else: frames of other nodes in the same folder stay. \
               Memory is kept.",
        kind: Kind::Button,
        ..CACHE
    },
    Control {
        id: Shared::Device,
        name: c"device",
        label: c"Device",
        hint: c"What simulates. Auto: the GPU where there is one, else the CPU. GPU: any graphics device, even one in \
               software; where none works, the CPU goes on and a message says so.",
        kind: choice(&[c"Auto", c"GPU", c"CPU"], 0),
        ..SYSTEM
    },
    Control {
        id: Shared::MemoryBudget,
        name: c"memoryBudget",
        label: c"Memory budget",
        hint:
            c"Memory for simulated frames in MB, shared by all Flow nodes of this process; the largest wish holds. 0: \
               no wish; where no node has one, a quarter of the machine's memory.",
        kind: int(0, [0, 16_777_216], [0, 65_536]),
        ..SYSTEM
    },
    Control {
        id: Shared::MissingFrames,
        name: c"missingFrames",
        label: c"Missing frames",
        hint: c"What an input frame that the host can't give becomes. Transparent: nothing. Hold: the last one before \
               it, back to the start frame, that there is; else nothing. Fail: an error that names it.",
        kind: choice(&[c"Transparent", c"Hold", c"Fail"], 0),
        invalidates: Invalidates::Simulation,
        ..SYSTEM
    },
    Control {
        id: Shared::DeclareFrames,
        name: c"declareFrames",
        label: c"Declare frames",
        hint:
            c"Which input frames the host is told of. Current: the frame itself; earlier ones are fetched as needed. \
               Whole range: all from the start frame on, for hosts that give no others; heavy on long shots.",
        kind: choice(&[c"Current", c"Whole range"], 0),
        ..SYSTEM
    },
    Control {
        id: Shared::Refresh,
        name: c"refresh",
        label: c"Refresh",
        hint: c"Forgets what was read from the inputs. For hosts that did not notice that an input changed at an \
               earlier frame.",
        kind: Kind::Button,
        ..SYSTEM
    },
    Control {
        id: Shared::Info,
        name: c"info",
        label: c"Info",
        hint: c"What the last render did.",
        kind: Kind::Notice,
        ..SYSTEM
    },
    Control {
        id: Shared::SimDigest,
        name: c"simDigest",
        label: c"Simulation digest",
        hint: c"Tells hosts that look at one frame alone that an earlier frame's keys have changed.",
        kind: Kind::Hidden,
        ..SYSTEM
    },
    Control {
        id: Shared::CacheId,
        name: c"cacheId",
        label: c"Cache id",
        hint: c"Names the node's own folder in the cache folder, in hosts that do not tell a node's name.",
        kind: Kind::Memo,
        ..CACHE
    },
    Control {
        id: Shared::PositionsSet,
        name: c"positionsSet",
        label: c"Positions set",
        hint: c"Whether default positions have been moved to the middle of the frame, in hosts that can't do it.",
        kind: Kind::Hidden,
        ..SYSTEM
    },
];
