//! Every parameter of the FlowSmoke node, once: its names and groups here, what it is in `table`, and when it
//! has an effect in `matters`.

mod matters;
mod table;

use crate::nodes::common::controls::{Control, Controls, Group};
use crate::nodes::common::presets::Preset;
use crate::nodes::common::shared::{CACHE_GROUP, SYSTEM_GROUP};
use crate::nodes::common::values::Values;
use crate::nodes::smoke::presets::PRESETS;
use crate::ofx::Result;

/// A parameter's place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is documented by its hint in the table")]
pub enum Id {
    Preset,
    StartFrame,
    StartHere,
    Preroll,
    InitialState,
    TimeScale,
    Substeps,
    MaxCfl,
    VelocityAdvection,
    DyeAdvection,
    Reflection,
    Solver,
    Iterations,
    Tolerance,
    EdgeLeft,
    EdgeRight,
    EdgeBottom,
    EdgeTop,
    EdgeSlip,
    Extent,
    Resolution,
    Proxy,
    UpdateEvery,
    GridMode,
    GridCentre,
    GridSize,
    GridFeather,
    GridInherit,
    Viscosity,
    Vorticity,
    Dissipation,
    Drag,
    Cooling,
    GravityDirection,
    Weight,
    Lift,
    Ambient,
    SourceMode,
    SourceChannel,
    SourceDensity,
    VelocityMode,
    VelocityScale,
    HeatChannel,
    HeatScale,
    ObstaclePush,
    ObstacleSlip,
    Brush,
    BrushCentre,
    BrushRadius,
    BrushSoftness,
    BrushForce,
    BrushColour,
    BrushDensity,
    Jet1,
    Jet1Centre,
    Jet1Direction,
    Jet1Radius,
    Jet1Softness,
    Jet1Strength,
    Jet1Colour,
    Jet1Density,
    Jet1Heat,
    Jet1Spread,
    Jet1Random,
    Jet1PulseRate,
    Jet1PulseDuty,
    Jet2,
    Jet2Centre,
    Jet2Direction,
    Jet2Radius,
    Jet2Softness,
    Jet2Strength,
    Jet2Colour,
    Jet2Density,
    Jet2Heat,
    Jet2Spread,
    Jet2Random,
    Jet2PulseRate,
    Jet2PulseDuty,
    Jet3,
    Jet3Centre,
    Jet3Direction,
    Jet3Radius,
    Jet3Softness,
    Jet3Strength,
    Jet3Colour,
    Jet3Density,
    Jet3Heat,
    Jet3Spread,
    Jet3Random,
    Jet3PulseRate,
    Jet3PulseDuty,
    Jet4,
    Jet4Centre,
    Jet4Direction,
    Jet4Radius,
    Jet4Softness,
    Jet4Strength,
    Jet4Colour,
    Jet4Density,
    Jet4Heat,
    Jet4Spread,
    Jet4Random,
    Jet4PulseRate,
    Jet4PulseDuty,
    Wind,
    WindDrag,
    Attractor,
    AttractorCentre,
    AttractorRadius,
    AttractorStrength,
    Vortex,
    VortexCentre,
    VortexRadius,
    VortexStrength,
    Noise,
    NoiseSize,
    NoiseSpeed,
    Seed,
    Output,
    LightDirection,
    LightElevation,
    LightSize,
    LightColour,
    AmbientLight,
    Shadow,
    Depth,
    Opacity,
    FireEmber,
    FireKelvin,
    FireExposure,
    FireFalloff,
    FireSoot,
    FireOpacity,
    FireLight,
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

/// The parameters of a jet.
#[derive(Clone, Copy, Debug)]
pub struct JetIds {
    /// Which jet it is, from 1 on.
    pub number: i32,
    /// When it blows.
    pub on: Id,
    /// Position.
    pub centre: Id,
    /// Angle.
    pub direction: Id,
    /// Length.
    pub radius: Id,
    /// Share of the radius that fades.
    pub softness: Id,
    /// Speed.
    pub strength: Id,
    /// Colour of the dye.
    pub colour: Id,
    /// Density of the dye.
    pub density: Id,
    /// Heat of the dye.
    pub heat: Id,
    /// Opening angle.
    pub spread: Id,
    /// Share that wanders.
    pub random: Id,
    /// Pulses per frame.
    pub pulse_rate: Id,
    /// Share of a pulse.
    pub pulse_duty: Id,
}

impl JetIds {
    /// All but when it blows.
    pub fn rest(&self) -> [Id; 12] {
        let Self {
            number: _,
            on: _,
            centre,
            direction,
            radius,
            softness,
            strength,
            colour,
            density,
            heat,
            spread,
            random,
            pulse_rate,
            pulse_duty,
        } = *self;
        [centre, direction, radius, softness, strength, colour, density, heat, spread, random, pulse_rate, pulse_duty]
    }
}

/// The jets.
pub const JETS: [JetIds; 4] = [
    JetIds {
        number: 1,
        on: Id::Jet1,
        centre: Id::Jet1Centre,
        direction: Id::Jet1Direction,
        radius: Id::Jet1Radius,
        softness: Id::Jet1Softness,
        strength: Id::Jet1Strength,
        colour: Id::Jet1Colour,
        density: Id::Jet1Density,
        heat: Id::Jet1Heat,
        spread: Id::Jet1Spread,
        random: Id::Jet1Random,
        pulse_rate: Id::Jet1PulseRate,
        pulse_duty: Id::Jet1PulseDuty,
    },
    JetIds {
        number: 2,
        on: Id::Jet2,
        centre: Id::Jet2Centre,
        direction: Id::Jet2Direction,
        radius: Id::Jet2Radius,
        softness: Id::Jet2Softness,
        strength: Id::Jet2Strength,
        colour: Id::Jet2Colour,
        density: Id::Jet2Density,
        heat: Id::Jet2Heat,
        spread: Id::Jet2Spread,
        random: Id::Jet2Random,
        pulse_rate: Id::Jet2PulseRate,
        pulse_duty: Id::Jet2PulseDuty,
    },
    JetIds {
        number: 3,
        on: Id::Jet3,
        centre: Id::Jet3Centre,
        direction: Id::Jet3Direction,
        radius: Id::Jet3Radius,
        softness: Id::Jet3Softness,
        strength: Id::Jet3Strength,
        colour: Id::Jet3Colour,
        density: Id::Jet3Density,
        heat: Id::Jet3Heat,
        spread: Id::Jet3Spread,
        random: Id::Jet3Random,
        pulse_rate: Id::Jet3PulseRate,
        pulse_duty: Id::Jet3PulseDuty,
    },
    JetIds {
        number: 4,
        on: Id::Jet4,
        centre: Id::Jet4Centre,
        direction: Id::Jet4Direction,
        radius: Id::Jet4Radius,
        softness: Id::Jet4Softness,
        strength: Id::Jet4Strength,
        colour: Id::Jet4Colour,
        density: Id::Jet4Density,
        heat: Id::Jet4Heat,
        spread: Id::Jet4Spread,
        random: Id::Jet4Random,
        pulse_rate: Id::Jet4PulseRate,
        pulse_duty: Id::Jet4PulseDuty,
    },
];

impl Controls for Id {
    const TABLE: &'static [Control<Self>] = table::CONTROLS;
    const GROUPS: &'static [Group] = &[
        Group { name: c"simulation", label: c"Simulation", open: true, parent: None },
        Group { name: c"grid", label: c"Grid", open: false, parent: None },
        Group { name: c"air", label: c"Air", open: true, parent: None },
        Group { name: c"source", label: c"Inputs", open: false, parent: None },
        Group { name: c"brushGroup", label: c"Brush", open: false, parent: None },
        Group { name: c"jet1Group", label: c"Jet 1", open: true, parent: None },
        Group { name: c"jet2Group", label: c"Jet 2", open: false, parent: None },
        Group { name: c"jet3Group", label: c"Jet 3", open: false, parent: None },
        Group { name: c"jet4Group", label: c"Jet 4", open: false, parent: None },
        Group { name: c"forces", label: c"Forces", open: false, parent: None },
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
        overlay::check::<crate::nodes::smoke::FlowSmoke>();
        assert_eq!(Id::TABLE.len(), Id::PositionsSet as usize + 1);
    }
}
