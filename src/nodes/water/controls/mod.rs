//! Every parameter of the Flow node, once: its names and groups here, what it is in `table`, and when it
//! has an effect in `matters`.

mod matters;
mod table;

use crate::nodes::common::controls::{Control, Controls, Group};
use crate::nodes::common::presets::Preset;
use crate::nodes::common::shared::{CACHE_GROUP, SYSTEM_GROUP};
use crate::nodes::common::values::Values;
use crate::nodes::water::presets::PRESETS;
use crate::ofx::Result;
use crate::sim::water::settings::EMITTERS;

/// A parameter's place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is documented by its hint in the table")]
pub enum Id {
    Preset,
    Model,
    StartFrame,
    StartHere,
    Preroll,
    InitialState,
    Speed,
    FlowRate,
    Gravity,
    Friction,
    RippleLength,
    SlowestRipple,
    RippleDepth,
    RippleSmoothing,
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
    AbsorbWidth,
    Extent,
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
    EmitterShape,
    EmitterWidth,
    EmitterAngle,
    EmitterFrequency,
    EmitterPhase,
    Rain,
    RainSize,
    Seed,
    Evaporation,
    Drain,
    DrainCentre,
    DrainRadius,
    DrainRate,
    Emitter2,
    Emitter2Centre,
    Emitter2Radius,
    Emitter2Rate,
    Emitter2Colour,
    Emitter2Shape,
    Emitter2Width,
    Emitter2Angle,
    Emitter2Frequency,
    Emitter2Phase,
    Emitter3,
    Emitter3Centre,
    Emitter3Radius,
    Emitter3Rate,
    Emitter3Colour,
    Emitter3Shape,
    Emitter3Width,
    Emitter3Angle,
    Emitter3Frequency,
    Emitter3Phase,
    Emitter4,
    Emitter4Centre,
    Emitter4Radius,
    Emitter4Rate,
    Emitter4Colour,
    Emitter4Shape,
    Emitter4Width,
    Emitter4Angle,
    Emitter4Frequency,
    Emitter4Phase,
    Emitter5,
    Emitter5Centre,
    Emitter5Radius,
    Emitter5Rate,
    Emitter5Colour,
    Emitter5Shape,
    Emitter5Width,
    Emitter5Angle,
    Emitter5Frequency,
    Emitter5Phase,
    Emitter6,
    Emitter6Centre,
    Emitter6Radius,
    Emitter6Rate,
    Emitter6Colour,
    Emitter6Shape,
    Emitter6Width,
    Emitter6Angle,
    Emitter6Frequency,
    Emitter6Phase,
    Emitter7,
    Emitter7Centre,
    Emitter7Radius,
    Emitter7Rate,
    Emitter7Colour,
    Emitter7Shape,
    Emitter7Width,
    Emitter7Angle,
    Emitter7Frequency,
    Emitter7Phase,
    Emitter8,
    Emitter8Centre,
    Emitter8Radius,
    Emitter8Rate,
    Emitter8Colour,
    Emitter8Shape,
    Emitter8Width,
    Emitter8Angle,
    Emitter8Frequency,
    Emitter8Phase,
    UseTerrain,
    TerrainChannel,
    TerrainHeight,
    TerrainOffset,
    TerrainInvert,
    Push,
    ForceScale,
    PressureScale,
    GoalStrength,
    GoalVelocity,
    ObstacleDrag,
    Foam,
    FoamAmount,
    FoamSteepness,
    FoamLife,
    Wetness,
    DryFrames,
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
    FoamColour,
    WetDarkening,
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
    CacheId,
    PositionsSet,
}

/// The controls of an emitter.
pub struct EmitterIds {
    /// Whether it is on; of the first, when.
    pub on: Id,
    /// Where it is.
    pub centre: Id,
    /// Radius.
    pub radius: Id,
    /// Rate.
    pub rate: Id,
    /// Colour.
    pub colour: Id,
    /// Shape.
    pub shape: Id,
    /// Width of lines and rings.
    pub width: Id,
    /// Angle of lines.
    pub angle: Id,
    /// Waves per frame.
    pub frequency: Id,
    /// Where they begin.
    pub phase: Id,
}

impl EmitterIds {
    const fn new([on, centre, radius, rate, colour, shape, width, angle, frequency, phase]: [Id; 10]) -> Self {
        Self { on, centre, radius, rate, colour, shape, width, angle, frequency, phase }
    }

    /// All but whether it is on.
    pub fn rest(&self) -> [Id; 9] {
        let Self { on: _, centre, radius, rate, colour, shape, width, angle, frequency, phase } = *self;
        [centre, radius, rate, colour, shape, width, angle, frequency, phase]
    }
}

/// The emitters' controls.
pub const EMITTER_IDS: [EmitterIds; EMITTERS] = {
    use Id::*;
    [
        EmitterIds::new([
            Emitter,
            EmitterCentre,
            EmitterRadius,
            EmitterRate,
            EmitterColour,
            EmitterShape,
            EmitterWidth,
            EmitterAngle,
            EmitterFrequency,
            EmitterPhase,
        ]),
        EmitterIds::new([
            Emitter2,
            Emitter2Centre,
            Emitter2Radius,
            Emitter2Rate,
            Emitter2Colour,
            Emitter2Shape,
            Emitter2Width,
            Emitter2Angle,
            Emitter2Frequency,
            Emitter2Phase,
        ]),
        EmitterIds::new([
            Emitter3,
            Emitter3Centre,
            Emitter3Radius,
            Emitter3Rate,
            Emitter3Colour,
            Emitter3Shape,
            Emitter3Width,
            Emitter3Angle,
            Emitter3Frequency,
            Emitter3Phase,
        ]),
        EmitterIds::new([
            Emitter4,
            Emitter4Centre,
            Emitter4Radius,
            Emitter4Rate,
            Emitter4Colour,
            Emitter4Shape,
            Emitter4Width,
            Emitter4Angle,
            Emitter4Frequency,
            Emitter4Phase,
        ]),
        EmitterIds::new([
            Emitter5,
            Emitter5Centre,
            Emitter5Radius,
            Emitter5Rate,
            Emitter5Colour,
            Emitter5Shape,
            Emitter5Width,
            Emitter5Angle,
            Emitter5Frequency,
            Emitter5Phase,
        ]),
        EmitterIds::new([
            Emitter6,
            Emitter6Centre,
            Emitter6Radius,
            Emitter6Rate,
            Emitter6Colour,
            Emitter6Shape,
            Emitter6Width,
            Emitter6Angle,
            Emitter6Frequency,
            Emitter6Phase,
        ]),
        EmitterIds::new([
            Emitter7,
            Emitter7Centre,
            Emitter7Radius,
            Emitter7Rate,
            Emitter7Colour,
            Emitter7Shape,
            Emitter7Width,
            Emitter7Angle,
            Emitter7Frequency,
            Emitter7Phase,
        ]),
        EmitterIds::new([
            Emitter8,
            Emitter8Centre,
            Emitter8Radius,
            Emitter8Rate,
            Emitter8Colour,
            Emitter8Shape,
            Emitter8Width,
            Emitter8Angle,
            Emitter8Frequency,
            Emitter8Phase,
        ]),
    ]
};

impl Controls for Id {
    const TABLE: &'static [Control<Self>] = table::CONTROLS;
    const GROUPS: &'static [Group] = &[
        Group { name: c"simulation", label: c"Simulation", open: true, parent: None },
        Group { name: c"source", label: c"Source", open: true, parent: None },
        Group { name: c"emitters", label: c"More emitters", open: false, parent: Some(c"source") },
        Group { name: c"emitter2Group", label: c"Emitter 2", open: false, parent: Some(c"emitters") },
        Group { name: c"emitter3Group", label: c"Emitter 3", open: false, parent: Some(c"emitters") },
        Group { name: c"emitter4Group", label: c"Emitter 4", open: false, parent: Some(c"emitters") },
        Group { name: c"emitter5Group", label: c"Emitter 5", open: false, parent: Some(c"emitters") },
        Group { name: c"emitter6Group", label: c"Emitter 6", open: false, parent: Some(c"emitters") },
        Group { name: c"emitter7Group", label: c"Emitter 7", open: false, parent: Some(c"emitters") },
        Group { name: c"emitter8Group", label: c"Emitter 8", open: false, parent: Some(c"emitters") },
        Group { name: c"terrain", label: c"Terrain", open: true, parent: None },
        Group { name: c"forces", label: c"Forces", open: false, parent: None },
        Group { name: c"traces", label: c"Foam and wetness", open: false, parent: None },
        Group { name: c"picture", label: c"Output", open: true, parent: None },
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
        overlay::check::<crate::nodes::water::Flow>();
        assert_eq!(Id::TABLE.len(), Id::PositionsSet as usize + 1);
    }
}
