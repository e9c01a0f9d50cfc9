//! Every parameter of the Flow node, once: its names and groups here, what it is in `table`, and when it
//! has an effect in `matters`.

mod matters;
mod table;

use crate::nodes::common::controls::{Control, Controls, Group};
use crate::nodes::common::presets::Preset;
use crate::nodes::common::shared::{CACHE_GROUP, SYSTEM_GROUP};
use crate::nodes::common::values::Values;
use crate::nodes::flow::presets::PRESETS;
use crate::ofx::Result;

/// A parameter's place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is documented by its hint in the table")]
pub enum Id {
    Preset,
    Model,
    StartFrame,
    Preroll,
    InitialState,
    Speed,
    FlowRate,
    Gravity,
    Friction,
    Substeps,
    TimeScale,
    Damping,
    Smoothing,
    DiagonalWeight,
    Edges,
    EdgeLeft,
    EdgeRight,
    EdgeTop,
    EdgeBottom,
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
    Drain,
    DrainCentre,
    DrainRadius,
    DrainRate,
    UseTerrain,
    TerrainChannel,
    TerrainHeight,
    TerrainOffset,
    TerrainInvert,
    Push,
    ForceScale,
    PressureScale,
    Output,
    Relief,
    IndexOfRefraction,
    WaterColour,
    Density,
    AlphaMode,
    GroundColour,
    SkyColour,
    HorizonColour,
    LightDirection,
    LightElevation,
    LightColour,
    Roughness,
    Caustics,
    ReflectionDistance,
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

impl Controls for Id {
    const TABLE: &'static [Control<Self>] = table::CONTROLS;
    const GROUPS: &'static [Group] = &[
        Group { name: c"simulation", label: c"Simulation", open: true },
        Group { name: c"source", label: c"Source", open: true },
        Group { name: c"terrain", label: c"Terrain", open: true },
        Group { name: c"forces", label: c"Forces", open: false },
        Group { name: c"picture", label: c"Output", open: true },
        CACHE_GROUP,
        SYSTEM_GROUP,
    ];

    const PRESETS: Option<(Self, &'static [Preset<Self>])> = Some((Self::Preset, PRESETS));

    fn place(self) -> usize {
        self as usize
    }

    fn matters(self, values: &impl Values<Self>, time: f64) -> Result<bool> {
        matters::matters(self, values, time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nodes::common::controls::check;
    use crate::nodes::common::overlay;
    use crate::nodes::common::presets::check as check_presets;

    #[test]
    fn the_table_is_in_the_order_of_the_ids_and_its_entries_are_sound() {
        check::<Id>();
        check_presets::<Id>();
        overlay::check::<crate::nodes::flow::Flow>();
        assert_eq!(Id::TABLE.len(), Id::PositionsSet as usize + 1);
    }
}
