//! The looks of the `preset` choice. Each sets what makes it; inputs and positions that it says nothing of stay as they are,
//! and so do emitters 4 to 8.

use super::controls::Id;
use crate::nodes::common::presets::{Preset, Value};
use Value::{Choice, Colour, Double, Int, Pair, Place, Sized, Switch};

/// Options of the choices that presets set.
mod option {
    /// `model`.
    pub const PIPES: i32 = 0;
    /// `model`.
    pub const CLASSIC: i32 = 1;
    /// `model`.
    pub const SHALLOW: i32 = 2;
    /// `edges`.
    pub const CLOSED: i32 = 0;
    /// `edges`.
    pub const OPEN: i32 = 1;
    /// `edges`.
    pub const ABSORB: i32 = 3;
    /// `emitter`.
    pub const ON: i32 = 1;
    /// `emitter`.
    pub const OFF: i32 = 2;
    /// `emitterShape`.
    pub const DISC: i32 = 0;
    /// `emitterShape`.
    pub const LINE: i32 = 1;
    /// `sourceMode`.
    pub const START: i32 = 0;
    /// `output`.
    pub const WATER: i32 = 0;
    /// `output`.
    pub const SHADED: i32 = 4;
    /// `alphaMode`.
    pub const OVER_BED: i32 = 0;
    /// `alphaMode`.
    pub const WATER_ONLY: i32 = 1;
}
use option::{
    ABSORB, CLASSIC, CLOSED, DISC, LINE, OFF, ON, OPEN, OVER_BED, PIPES, SHADED, SHALLOW, START, WATER, WATER_ONLY,
};

/// The ground as it is at first.
const EARTH: Value = Colour([0.2, 0.165, 0.115]);

/// The presets, in the order of the choice.
pub const PRESETS: &[Preset<Id>] =
    &[RIVER, RAIN_ON_GLASS, INK_IN_WATER, FLOOD, RIPPLES, WATERFALL, PUDDLE_DRYING, SHAW_CLASSIC];

/// A stream that runs down its bed, from the left; a Terrain gives it banks and rocks.
const RIVER: Preset<Id> = Preset {
    edit: c"Preset River",
    values: &[
        (Id::Model, Choice(SHALLOW)),
        (Id::Gravity, Double(90.0)),
        (Id::Friction, Double(0.0015)),
        (Id::Substeps, Int(1)),
        (Id::Damping, Double(0.002)),
        (Id::Edges, Choice(OPEN)),
        (Id::Emitter, Choice(ON)),
        (Id::EmitterShape, Choice(DISC)),
        (Id::EmitterFrequency, Double(0.0)),
        (Id::EmitterCentre, Place([0.03, 0.68])),
        (Id::EmitterRadius, Double(20.0)),
        (Id::EmitterRate, Double(0.03)),
        (Id::EmitterColour, Colour([0.0, 0.0, 0.0])),
        (Id::Emitter2, Switch(false)),
        (Id::Emitter3, Switch(false)),
        (Id::Rain, Double(0.0)),
        (Id::Evaporation, Double(0.0002)),
        (Id::Push, Pair([0.008, -0.002])),
        (Id::Foam, Switch(true)),
        (Id::FoamAmount, Double(0.12)),
        (Id::FoamSteepness, Double(0.05)),
        (Id::FoamLife, Double(8.0)),
        (Id::Wetness, Switch(false)),
        (Id::Output, Choice(SHADED)),
        (Id::AlphaMode, Choice(OVER_BED)),
        (Id::Relief, Double(140.0)),
        (Id::WaterColour, Colour([0.012, 0.07, 0.075])),
        (Id::Density, Double(3.0)),
        (Id::Roughness, Double(0.25)),
        (Id::GroundColour, EARTH),
    ],
};

/// Drops that hit a pane, run together and down.
const RAIN_ON_GLASS: Preset<Id> = Preset {
    edit: c"Preset Rain on glass",
    values: &[
        (Id::Model, Choice(PIPES)),
        (Id::Speed, Double(1.2)),
        (Id::Smoothing, Double(0.3)),
        (Id::Substeps, Int(1)),
        (Id::Damping, Double(0.6)),
        (Id::Edges, Choice(OPEN)),
        (Id::Emitter, Choice(OFF)),
        (Id::EmitterFrequency, Double(0.0)),
        (Id::EmitterColour, Colour([0.0, 0.0, 0.0])),
        (Id::Emitter2, Switch(false)),
        (Id::Emitter3, Switch(false)),
        (Id::Rain, Double(0.0012)),
        (Id::RainSize, Double(16.0)),
        (Id::Evaporation, Double(0.001)),
        (Id::Push, Pair([0.0, -0.2])),
        (Id::Foam, Switch(false)),
        (Id::Wetness, Switch(false)),
        (Id::Output, Choice(SHADED)),
        (Id::AlphaMode, Choice(WATER_ONLY)),
        (Id::Relief, Double(120.0)),
        (Id::WaterColour, Colour([0.8, 0.85, 0.9])),
        (Id::Density, Double(0.05)),
        (Id::Roughness, Double(0.15)),
        (Id::GroundColour, EARTH),
    ],
};

/// A white tank of clear water (a Source with alpha makes it, at the start) into which three inks are poured: they swell by turns, and
/// push one another about.
const INK_IN_WATER: Preset<Id> = Preset {
    edit: c"Preset Ink in water",
    values: &[
        (Id::Model, Choice(SHALLOW)),
        (Id::Gravity, Sized(32.0, 2)),
        (Id::Friction, Double(0.0)),
        (Id::Substeps, Int(1)),
        (Id::Damping, Double(0.0)),
        (Id::Edges, Choice(CLOSED)),
        (Id::SourceMode, Choice(START)),
        (Id::SourceHeight, Double(0.5)),
        (Id::Emitter, Choice(ON)),
        (Id::EmitterShape, Choice(DISC)),
        (Id::EmitterCentre, Place([0.45, 0.44])),
        (Id::EmitterRadius, Sized(52.0, 1)),
        (Id::EmitterRate, Double(0.12)),
        (Id::EmitterColour, Colour([0.03, 0.05, 0.45])),
        (Id::EmitterFrequency, Double(0.025)),
        (Id::EmitterPhase, Double(0.0)),
        (Id::Emitter2, Switch(true)),
        (Id::Emitter2Shape, Choice(DISC)),
        (Id::Emitter2Centre, Place([0.54, 0.46])),
        (Id::Emitter2Radius, Sized(52.0, 1)),
        (Id::Emitter2Rate, Double(0.12)),
        (Id::Emitter2Colour, Colour([0.5, 0.02, 0.1])),
        (Id::Emitter2Frequency, Double(0.025)),
        (Id::Emitter2Phase, Double(0.33)),
        (Id::Emitter3, Switch(true)),
        (Id::Emitter3Shape, Choice(DISC)),
        (Id::Emitter3Centre, Place([0.49, 0.59])),
        (Id::Emitter3Radius, Sized(52.0, 1)),
        (Id::Emitter3Rate, Double(0.12)),
        (Id::Emitter3Colour, Colour([0.02, 0.3, 0.25])),
        (Id::Emitter3Frequency, Double(0.025)),
        (Id::Emitter3Phase, Double(0.66)),
        (Id::Rain, Double(0.0)),
        (Id::Evaporation, Double(0.0)),
        (Id::Push, Pair([0.0, 0.0])),
        (Id::Foam, Switch(false)),
        (Id::Wetness, Switch(false)),
        (Id::Output, Choice(SHADED)),
        (Id::AlphaMode, Choice(OVER_BED)),
        (Id::Relief, Sized(80.0, 1)),
        (Id::WaterColour, Colour([0.75, 0.8, 0.8])),
        (Id::Density, Double(8.0)),
        (Id::Roughness, Double(0.25)),
        (Id::GroundColour, Colour([0.82, 0.82, 0.8])),
    ],
};

/// Brown water that breaks in from the left with a steep front.
const FLOOD: Preset<Id> = Preset {
    edit: c"Preset Flood",
    values: &[
        (Id::Model, Choice(SHALLOW)),
        (Id::Gravity, Double(110.0)),
        (Id::Friction, Double(0.0004)),
        (Id::Substeps, Int(1)),
        (Id::Damping, Double(0.0)),
        (Id::Edges, Choice(CLOSED)),
        (Id::Emitter, Choice(ON)),
        (Id::EmitterShape, Choice(DISC)),
        (Id::EmitterFrequency, Double(0.0)),
        (Id::EmitterCentre, Place([0.0, 0.6])),
        (Id::EmitterRadius, Double(160.0)),
        (Id::EmitterRate, Double(0.06)),
        (Id::EmitterColour, Colour([0.0, 0.0, 0.0])),
        (Id::Emitter2, Switch(false)),
        (Id::Emitter3, Switch(false)),
        (Id::Rain, Double(0.0)),
        (Id::Evaporation, Double(0.0)),
        (Id::Push, Pair([0.0, 0.0])),
        (Id::Foam, Switch(true)),
        (Id::FoamAmount, Double(0.12)),
        (Id::FoamSteepness, Double(0.06)),
        (Id::FoamLife, Double(8.0)),
        (Id::Wetness, Switch(true)),
        (Id::Output, Choice(SHADED)),
        (Id::AlphaMode, Choice(OVER_BED)),
        (Id::Relief, Double(140.0)),
        (Id::WaterColour, Colour([0.16, 0.1, 0.05])),
        (Id::Density, Double(14.0)),
        (Id::Roughness, Double(0.25)),
        (Id::GroundColour, EARTH),
    ],
};

/// Rings of drops on a pool (a Source with alpha makes it, at the start), which cross and leave the frame.
const RIPPLES: Preset<Id> = Preset {
    edit: c"Preset Ripples",
    values: &[
        (Id::Model, Choice(PIPES)),
        (Id::Speed, Double(4.0)),
        (Id::Smoothing, Double(0.05)),
        (Id::Substeps, Int(1)),
        (Id::Damping, Double(0.03)),
        (Id::Edges, Choice(ABSORB)),
        (Id::SourceMode, Choice(START)),
        (Id::SourceHeight, Double(0.4)),
        (Id::Emitter, Choice(OFF)),
        (Id::EmitterFrequency, Double(0.0)),
        (Id::EmitterColour, Colour([0.0, 0.0, 0.0])),
        (Id::Emitter2, Switch(false)),
        (Id::Emitter3, Switch(false)),
        (Id::Rain, Double(0.000_03)),
        (Id::RainSize, Double(10.0)),
        (Id::Evaporation, Double(0.000_03)),
        (Id::Push, Pair([0.0, 0.0])),
        (Id::Foam, Switch(false)),
        (Id::Wetness, Switch(false)),
        (Id::Output, Choice(SHADED)),
        (Id::AlphaMode, Choice(OVER_BED)),
        (Id::Relief, Double(140.0)),
        (Id::WaterColour, Colour([0.01, 0.08, 0.1])),
        (Id::Density, Double(3.0)),
        (Id::Roughness, Double(0.25)),
        (Id::GroundColour, EARTH),
    ],
};

/// A sheet that falls from above, over whatever stands in its way.
const WATERFALL: Preset<Id> = Preset {
    edit: c"Preset Waterfall",
    values: &[
        (Id::Model, Choice(SHALLOW)),
        (Id::Gravity, Double(80.0)),
        (Id::Friction, Double(0.003)),
        (Id::Substeps, Int(1)),
        (Id::Damping, Double(0.0)),
        (Id::Edges, Choice(OPEN)),
        (Id::Emitter, Choice(ON)),
        (Id::EmitterCentre, Place([0.5, 0.97])),
        (Id::EmitterShape, Choice(LINE)),
        (Id::EmitterAngle, Double(0.0)),
        (Id::EmitterWidth, Double(24.0)),
        (Id::EmitterRadius, Double(260.0)),
        (Id::EmitterRate, Double(0.12)),
        (Id::EmitterFrequency, Double(0.0)),
        (Id::EmitterColour, Colour([0.0, 0.0, 0.0])),
        (Id::Emitter2, Switch(false)),
        (Id::Emitter3, Switch(false)),
        (Id::Rain, Double(0.0)),
        (Id::Evaporation, Double(0.0)),
        (Id::Push, Pair([0.0, -0.02])),
        (Id::Foam, Switch(true)),
        (Id::FoamAmount, Double(0.15)),
        (Id::FoamSteepness, Double(0.05)),
        (Id::FoamLife, Double(8.0)),
        (Id::Wetness, Switch(true)),
        (Id::Output, Choice(SHADED)),
        (Id::AlphaMode, Choice(OVER_BED)),
        (Id::Relief, Double(160.0)),
        (Id::WaterColour, Colour([0.3, 0.42, 0.45])),
        (Id::Density, Double(6.0)),
        (Id::Roughness, Double(0.25)),
        (Id::GroundColour, EARTH),
    ],
};

/// A puddle (the Source's alpha, at the start) that draws back from its edges until the ground is dry.
const PUDDLE_DRYING: Preset<Id> = Preset {
    edit: c"Preset Puddle drying",
    values: &[
        (Id::Model, Choice(PIPES)),
        (Id::Speed, Double(2.0)),
        (Id::Smoothing, Double(0.2)),
        (Id::Substeps, Int(1)),
        (Id::Damping, Double(0.1)),
        (Id::Edges, Choice(CLOSED)),
        (Id::SourceMode, Choice(START)),
        (Id::SourceHeight, Double(0.2)),
        (Id::Emitter, Choice(OFF)),
        (Id::EmitterFrequency, Double(0.0)),
        (Id::Emitter2, Switch(false)),
        (Id::Emitter3, Switch(false)),
        (Id::Rain, Double(0.0)),
        (Id::Evaporation, Double(0.002)),
        (Id::Push, Pair([0.0, 0.0])),
        (Id::Foam, Switch(false)),
        (Id::Wetness, Switch(true)),
        (Id::Output, Choice(SHADED)),
        (Id::AlphaMode, Choice(OVER_BED)),
        (Id::Relief, Double(140.0)),
        (Id::WaterColour, Colour([0.02, 0.05, 0.05])),
        (Id::Density, Double(2.0)),
        (Id::Roughness, Double(0.25)),
        (Id::GroundColour, EARTH),
    ],
};

/// The original tool's water as data: the Source's alpha is the start, a step per frame, and nothing comes or goes.
const SHAW_CLASSIC: Preset<Id> = Preset {
    edit: c"Preset Shaw classic",
    values: &[
        (Id::Model, Choice(CLASSIC)),
        (Id::FlowRate, Double(0.1)),
        (Id::Substeps, Int(1)),
        (Id::Damping, Double(0.0)),
        (Id::Edges, Choice(CLOSED)),
        (Id::SourceMode, Choice(START)),
        (Id::SourceHeight, Double(1.0)),
        (Id::Emitter, Choice(OFF)),
        (Id::EmitterFrequency, Double(0.0)),
        (Id::Emitter2, Switch(false)),
        (Id::Emitter3, Switch(false)),
        (Id::Rain, Double(0.0)),
        (Id::Evaporation, Double(0.0)),
        (Id::Push, Pair([0.0, 0.0])),
        (Id::Foam, Switch(false)),
        (Id::Wetness, Switch(false)),
        (Id::Output, Choice(WATER)),
    ],
};
