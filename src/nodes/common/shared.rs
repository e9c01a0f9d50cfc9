//! The parameters that several nodes have; `parameters.txt` in this folder has their rows.

/// Latest start frame; the earliest has the opposite sign.
pub const MOST_START: i32 = 1_000_000;

/// Declares [`Shared`] with the list of all.
macro_rules! shared {
    ($($(#[$doc:meta])* $Name:ident),+ $(,)?) => {
        /// A parameter that all nodes have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Shared { $($(#[$doc])* $Name),+ }

        impl Shared {
            /// Each with its script name, but for the first letter's case; in the order of the enumeration.
            pub const ALL: &[(&str, Self)] = &[$((stringify!($Name), Self::$Name)),+];
        }
    };
}

shared! {
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
