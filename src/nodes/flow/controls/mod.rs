//! Every parameter of the Flow node, once: its names and groups here, what it is in `table`.

mod table;

pub use table::CONTROLS;

use crate::nodes::controls::{Control, Group};

/// A parameter's place in [`CONTROLS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is documented by its hint in the table")]
pub enum Id {
    Model,
    StartFrame,
    Preroll,
    InitialState,
    Speed,
    FlowRate,
    Substeps,
    TimeScale,
    Damping,
    Smoothing,
    DiagonalWeight,
    Edges,
    Resolution,
    Proxy,
    MaxHeight,
    ColourRange,
    SourceMode,
    SourceChannel,
    SourceHeight,
    Emitter,
    EmitterCentre,
    EmitterRadius,
    EmitterRate,
    EmitterColour,
    Rain,
    RainSize,
    Seed,
    Evaporation,
    UseTerrain,
    TerrainChannel,
    TerrainHeight,
    TerrainOffset,
    TerrainInvert,
    Push,
    ForceScale,
    PressureScale,
    Output,
    CacheFolder,
    CacheName,
    CacheMode,
    CacheEvery,
    CacheSize,
    CacheBusy,
    Bake,
    ClearDisk,
    Device,
    MemoryBudget,
    MissingFrames,
    DeclareFrames,
    Refresh,
    Info,
    SimDigest,
    PositionsSet,
}

/// The groups of the panel, in order.
pub const GROUPS: &[Group] = &[
    Group { name: c"simulation", label: c"Simulation", open: true },
    Group { name: c"source", label: c"Source", open: true },
    Group { name: c"terrain", label: c"Terrain", open: true },
    Group { name: c"forces", label: c"Forces", open: false },
    Group { name: c"picture", label: c"Output", open: true },
    Group { name: c"cache", label: c"Disk cache", open: false },
    Group { name: c"system", label: c"System", open: false },
];

/// A parameter's entry in the table.
pub fn control(id: Id) -> &'static Control<Id> {
    &CONTROLS[id as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nodes::controls::Kind;

    #[test]
    fn the_table_is_in_the_order_of_the_ids_and_names_are_unique() {
        for (position, control) in CONTROLS.iter().enumerate() {
            assert_eq!(control.id as usize, position, "{:?}", control.name);
            assert!(CONTROLS[..position].iter().all(|other| other.name != control.name), "{:?}", control.name);
            assert!(GROUPS.iter().any(|group| group.name == control.group), "{:?}", control.name);
            assert!(!control.hint.is_empty() && control.hint.to_bytes().is_ascii(), "{:?}", control.name);
        }
        assert_eq!(CONTROLS.len(), Id::PositionsSet as usize + 1);
    }

    #[test]
    fn defaults_lie_in_their_ranges() {
        for control in CONTROLS {
            let inside = match control.kind {
                Kind::Choice { options, default } => (0..options.len() as i32).contains(&default),
                Kind::Int { default, range: [low, high], display: [from, to] } => {
                    low <= default && default <= high && low <= from && from < to && to <= high
                }
                Kind::Double { default, range: [low, high], display: [from, to] }
                | Kind::Vector { default, range: [low, high], display: [from, to] } => {
                    low <= default && default <= high && low <= from && from < to && to <= high
                }
                _ => true,
            };
            assert!(inside, "{:?}", control.name);
        }
    }
}
