//! Parameters of the Flow node: their names, and the functions of conditions. The table is `parameters.txt`.

use super::presets::presets;
use crate::nodes::common::controls::Holds;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::sim::water::settings::EMITTERS;

/// Options of `edges`, and of a side.
const WRAP: i32 = 2;
const ABSORB: i32 = 3;

crate::parameters! {
    table include_str!("parameters.txt");
    presets Some((Self::Preset, presets));
    conditions condition;
    own {
        Preset, Output, Model, WaterLevel, Ground, RainDrops, Speed, Gravity, TimeScale, Damping, Smoothing, Friction,
        RippleLength, SlowestRipple, RippleDepth, RippleSmoothing, FlowRate, Edges, EdgeLeft, EdgeRight, EdgeTop,
        EdgeBottom, AbsorbWidth, Overscan, SourceMode, SourceChannel, SourceHeight, RainMode, Rain, RainSize,
        RainStrength, Seed, Evaporation, Drain, DrainCentre, DrainRadius, DrainRate, EmitterCount, UseTerrain,
        TerrainChannel, TerrainHeight, TerrainOffset, TerrainInvert, Push, ForceScale, PressureScale, GoalStrength,
        GoalVelocity, ObstacleDrag, Foam, FoamAmount, FoamSteepness, FoamLife, ShoreFoam, Detail, DetailStrength,
        DetailSize, Wetness, DryFrames, Relief, WaterColour, Clarity, Murkiness, IndexOfRefraction, Roughness,
        Caustics, GroundColour, WetDarkening, FoamColour, AlphaMode, LightDirection, LightElevation, TerrainShadow, LightColour,
        LightSize, SkyColour, HorizonColour, SkyContrast, Clouds, Skyline, SkylineHeight, ViewElevation,
        ReflectionDistance, Substeps, Order, DiagonalWeight, MaxHeight, ColourRange,
    }
    /// A parameter of an emitter.
    family Emitter(EmitterField) times EMITTERS
        ["emitter", "emitter2", "emitter3", "emitter4", "emitter5", "emitter6", "emitter7", "emitter8"]
    {
        On "", Centre, Radius, Softness, Rate, Colour, Shape, Width, Angle, Frequency, Phase,
    }
}

/// The function of a condition.
fn condition(name: &str) -> Option<Holds<Id>> {
    Some(match name {
        "absorbs" => absorbs,
        _ => return None,
    })
}

/// True if a side absorbs waves.
fn absorbs(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    let all = values.choice(Id::Edges, time)?;
    let mut any = false;
    for side in [Id::EdgeLeft, Id::EdgeRight, Id::EdgeTop, Id::EdgeBottom] {
        let own = values.choice(side, time)?;
        any |= own == ABSORB || own == 0 && all == ABSORB;
    }
    Ok(any && all != WRAP)
}
