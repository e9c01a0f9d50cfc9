//! The looks of the `preset` choice. Each sets what makes it, and turns off what another one may have turned on.

use super::controls::Id;
use crate::nodes::common::presets::{Preset, Value};
use Value::{Choice, Colour, Double, Place, Switch};

/// Options of the choices that presets set.
mod option {
    /// `jet1` to `jet4`.
    pub const ON: i32 = 1;
    /// `jet1` to `jet4`.
    pub const OFF: i32 = 2;
    /// `output`.
    pub const DYE: i32 = 0;
    /// `output`.
    pub const SMOKE: i32 = 1;
    /// `output`.
    pub const FIRE: i32 = 2;
}
use option::{DYE, FIRE, OFF, ON, SMOKE};

/// The presets, in the order of the choice.
pub const PRESETS: &[Preset<Id>] = &[INK, CANDLE, CAMPFIRE, JET_EXHAUST, STEAM, FOG_BANK];

/// Two drops of ink that sink into still water.
const INK: Preset<Id> = Preset {
    edit: c"Preset Ink",
    values: &[
        (Id::Output, Choice(DYE)),
        (Id::MaxCfl, Double(2.0)),
        (Id::Weight, Double(0.2)),
        (Id::Lift, Double(0.0)),
        (Id::Viscosity, Double(0.0)),
        (Id::Vorticity, Double(0.15)),
        (Id::Dissipation, Double(0.0)),
        (Id::Drag, Double(0.01)),
        (Id::Noise, Double(0.02)),
        (Id::NoiseSize, Double(160.0)),
        (Id::NoiseSpeed, Double(0.02)),
        (Id::Brush, Switch(false)),
        (Id::Jet1, Choice(ON)),
        (Id::Jet1Centre, Place([0.42, 0.86])),
        (Id::Jet1Direction, Double(-84.0)),
        (Id::Jet1Radius, Double(16.0)),
        (Id::Jet1Strength, Double(4.0)),
        (Id::Jet1Colour, Colour([0.03, 0.08, 0.5])),
        (Id::Jet1Density, Double(0.1)),
        (Id::Jet1Heat, Double(0.0)),
        (Id::Jet1Spread, Double(6.0)),
        (Id::Jet1Random, Double(0.1)),
        (Id::Jet1PulseRate, Double(0.0)),
        (Id::Jet2, Choice(ON)),
        (Id::Jet2Centre, Place([0.6, 0.88])),
        (Id::Jet2Direction, Double(-98.0)),
        (Id::Jet2Radius, Double(12.0)),
        (Id::Jet2Strength, Double(5.0)),
        (Id::Jet2Colour, Colour([0.55, 0.03, 0.06])),
        (Id::Jet2Density, Double(0.12)),
        (Id::Jet2Heat, Double(0.0)),
        (Id::Jet2Spread, Double(6.0)),
        (Id::Jet2Random, Double(0.1)),
        (Id::Jet2PulseRate, Double(0.02)),
        (Id::Jet2PulseDuty, Double(0.5)),
        (Id::Jet3, Choice(OFF)),
        (Id::Jet4, Choice(OFF)),
    ],
};

/// One small, steady flame.
const CANDLE: Preset<Id> = Preset {
    edit: c"Preset Candle",
    values: &[
        (Id::Output, Choice(FIRE)),
        (Id::MaxCfl, Double(2.0)),
        (Id::Weight, Double(0.0)),
        (Id::Lift, Double(0.35)),
        (Id::Viscosity, Double(0.6)),
        (Id::Vorticity, Double(0.0)),
        (Id::Dissipation, Double(0.08)),
        (Id::Drag, Double(0.02)),
        (Id::Cooling, Double(0.05)),
        (Id::Noise, Double(0.03)),
        (Id::NoiseSize, Double(90.0)),
        (Id::NoiseSpeed, Double(0.06)),
        (Id::Brush, Switch(false)),
        (Id::Jet1, Choice(ON)),
        (Id::Jet1Centre, Place([0.5, 0.3])),
        (Id::Jet1Direction, Double(90.0)),
        (Id::Jet1Radius, Double(9.0)),
        (Id::Jet1Strength, Double(1.5)),
        (Id::Jet1Colour, Colour([0.35, 0.35, 0.38])),
        (Id::Jet1Density, Double(0.03)),
        (Id::Jet1Heat, Double(0.45)),
        (Id::Jet1Spread, Double(0.0)),
        (Id::Jet1Random, Double(0.08)),
        (Id::Jet1PulseRate, Double(0.0)),
        (Id::Jet2, Choice(OFF)),
        (Id::Jet3, Choice(OFF)),
        (Id::Jet4, Choice(OFF)),
        (Id::FireKelvin, Double(1950.0)),
        (Id::FireExposure, Double(2.0)),
        (Id::FireFalloff, Double(2.5)),
        (Id::FireOpacity, Double(0.2)),
    ],
};

/// Flames that lick and tear off, with dark smoke above.
const CAMPFIRE: Preset<Id> = Preset {
    edit: c"Preset Campfire",
    values: &[
        (Id::Output, Choice(FIRE)),
        (Id::MaxCfl, Double(2.0)),
        (Id::Weight, Double(0.0)),
        (Id::Lift, Double(0.9)),
        (Id::Viscosity, Double(0.0)),
        (Id::Vorticity, Double(0.35)),
        (Id::Dissipation, Double(0.012)),
        (Id::Drag, Double(0.0)),
        (Id::Cooling, Double(0.045)),
        (Id::Noise, Double(0.25)),
        (Id::NoiseSize, Double(70.0)),
        (Id::NoiseSpeed, Double(0.08)),
        (Id::Brush, Switch(false)),
        (Id::Jet1, Choice(ON)),
        (Id::Jet1Centre, Place([0.5, 0.12])),
        (Id::Jet1Direction, Double(90.0)),
        (Id::Jet1Radius, Double(70.0)),
        (Id::Jet1Strength, Double(3.0)),
        (Id::Jet1Colour, Colour([0.16, 0.15, 0.15])),
        (Id::Jet1Density, Double(0.03)),
        (Id::Jet1Heat, Double(0.12)),
        (Id::Jet1Spread, Double(20.0)),
        (Id::Jet1Random, Double(0.4)),
        (Id::Jet1PulseRate, Double(0.0)),
        (Id::Jet2, Choice(OFF)),
        (Id::Jet3, Choice(OFF)),
        (Id::Jet4, Choice(OFF)),
        (Id::FireKelvin, Double(2100.0)),
        (Id::FireExposure, Double(2.0)),
        (Id::FireFalloff, Double(3.0)),
        (Id::FireOpacity, Double(0.3)),
    ],
};

/// A fast, hot stream across the frame.
const JET_EXHAUST: Preset<Id> = Preset {
    edit: c"Preset Jet exhaust",
    values: &[
        (Id::Output, Choice(FIRE)),
        (Id::MaxCfl, Double(4.0)),
        (Id::Weight, Double(0.0)),
        (Id::Lift, Double(0.05)),
        (Id::Viscosity, Double(0.0)),
        (Id::Vorticity, Double(0.3)),
        (Id::Dissipation, Double(0.02)),
        (Id::Drag, Double(0.0)),
        (Id::Cooling, Double(0.09)),
        (Id::Noise, Double(0.1)),
        (Id::NoiseSize, Double(60.0)),
        (Id::NoiseSpeed, Double(0.1)),
        (Id::Brush, Switch(false)),
        (Id::Jet1, Choice(ON)),
        (Id::Jet1Centre, Place([0.06, 0.5])),
        (Id::Jet1Direction, Double(0.0)),
        (Id::Jet1Radius, Double(26.0)),
        (Id::Jet1Strength, Double(34.0)),
        (Id::Jet1Colour, Colour([0.5, 0.5, 0.52])),
        (Id::Jet1Density, Double(0.35)),
        (Id::Jet1Heat, Double(1.0)),
        (Id::Jet1Spread, Double(6.0)),
        (Id::Jet1Random, Double(0.08)),
        (Id::Jet1PulseRate, Double(0.0)),
        (Id::Jet2, Choice(OFF)),
        (Id::Jet3, Choice(OFF)),
        (Id::Jet4, Choice(OFF)),
        (Id::FireKelvin, Double(2600.0)),
        (Id::FireExposure, Double(1.0)),
        (Id::FireFalloff, Double(2.0)),
        (Id::FireOpacity, Double(0.2)),
    ],
};

/// White puffs that rise and vanish.
const STEAM: Preset<Id> = Preset {
    edit: c"Preset Steam",
    values: &[
        (Id::Output, Choice(SMOKE)),
        (Id::MaxCfl, Double(2.0)),
        (Id::Weight, Double(0.0)),
        (Id::Lift, Double(0.25)),
        (Id::Viscosity, Double(0.0)),
        (Id::Vorticity, Double(0.25)),
        (Id::Dissipation, Double(0.02)),
        (Id::Drag, Double(0.01)),
        (Id::Cooling, Double(0.03)),
        (Id::Noise, Double(0.08)),
        (Id::NoiseSize, Double(110.0)),
        (Id::NoiseSpeed, Double(0.04)),
        (Id::Brush, Switch(false)),
        (Id::Jet1, Choice(ON)),
        (Id::Jet1Centre, Place([0.5, 0.1])),
        (Id::Jet1Direction, Double(90.0)),
        (Id::Jet1Radius, Double(34.0)),
        (Id::Jet1Strength, Double(6.0)),
        (Id::Jet1Colour, Colour([0.95, 0.96, 0.97])),
        (Id::Jet1Density, Double(0.14)),
        (Id::Jet1Heat, Double(0.3)),
        (Id::Jet1Spread, Double(24.0)),
        (Id::Jet1Random, Double(0.35)),
        (Id::Jet1PulseRate, Double(0.04)),
        (Id::Jet1PulseDuty, Double(0.7)),
        (Id::Jet2, Choice(OFF)),
        (Id::Jet3, Choice(OFF)),
        (Id::Jet4, Choice(OFF)),
        (Id::Shadow, Double(2.0)),
        (Id::Opacity, Double(1.2)),
        (Id::LightElevation, Double(35.0)),
        (Id::AmbientLight, Colour([0.28, 0.3, 0.34])),
    ],
};

/// Low, slow and heavy, along the ground.
const FOG_BANK: Preset<Id> = Preset {
    edit: c"Preset Fog bank",
    values: &[
        (Id::Output, Choice(SMOKE)),
        (Id::MaxCfl, Double(2.0)),
        (Id::EdgeBottom, Choice(0)),
        (Id::Weight, Double(0.04)),
        (Id::Lift, Double(0.0)),
        (Id::Viscosity, Double(0.2)),
        (Id::Vorticity, Double(0.08)),
        (Id::Dissipation, Double(0.002)),
        (Id::Drag, Double(0.01)),
        (Id::Noise, Double(0.06)),
        (Id::NoiseSize, Double(220.0)),
        (Id::NoiseSpeed, Double(0.015)),
        (Id::Brush, Switch(false)),
        (Id::Jet1, Choice(ON)),
        (Id::Jet1Centre, Place([0.0, 0.14])),
        (Id::Jet1Direction, Double(4.0)),
        (Id::Jet1Radius, Double(110.0)),
        (Id::Jet1Strength, Double(5.0)),
        (Id::Jet1Colour, Colour([0.75, 0.8, 0.86])),
        (Id::Jet1Density, Double(0.05)),
        (Id::Jet1Heat, Double(0.0)),
        (Id::Jet1Spread, Double(30.0)),
        (Id::Jet1Random, Double(0.25)),
        (Id::Jet1PulseRate, Double(0.0)),
        (Id::Jet2, Choice(OFF)),
        (Id::Jet3, Choice(OFF)),
        (Id::Jet4, Choice(OFF)),
        (Id::Shadow, Double(1.2)),
        (Id::Opacity, Double(1.0)),
        (Id::LightElevation, Double(40.0)),
        (Id::AmbientLight, Colour([0.3, 0.34, 0.4])),
    ],
};
