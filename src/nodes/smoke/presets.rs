//! The looks of the `preset` choice. All set the same parameters, so that none leaves anything to the next, but those of
//! jets that they turn off. Sizes and speeds go with the frame's height, so that a look fills the same part of a frame of
//! any size.

use super::controls::Id;
use crate::nodes::common::controls::{Controls as _, Kind};
use crate::nodes::common::presets::{Preset, Value};
use Value::{Choice, Colour, Double, Place, Sized, Switch};

/// Options of the choices that presets set.
mod option {
    /// `jet1` to `jet4`.
    pub const ON: i32 = 1;
    /// `jet1` to `jet4`.
    pub const OFF: i32 = 2;
    /// `edgeBottom`.
    pub const CLOSED: i32 = 0;
    /// `output`.
    pub const DYE: i32 = 0;
    /// `output`.
    pub const SMOKE: i32 = 1;
    /// `output`.
    pub const FIRE: i32 = 2;
}
use option::{CLOSED, DYE, FIRE, OFF, ON, SMOKE};

/// A length or a speed, for a frame 1080 pixels high.
const fn length(pixels: f64) -> Value {
    Sized(pixels, 1)
}

/// An area, or one per frame.
const fn area(pixels: f64) -> Value {
    Sized(pixels, 2)
}

/// A parameter of which a look says nothing, as it is on a new node.
const fn first(id: Id) -> (Id, Value) {
    let value = match Id::TABLE[id as usize].kind {
        Kind::Choice { default, .. } => Choice(default),
        Kind::Double { default, .. } => Double(default),
        Kind::Colour { default } => Colour(default),
        _ => panic!("no look sets a parameter of this kind"),
    };
    (id, value)
}

/// The presets, in the order of the choice.
pub const PRESETS: &[Preset<Id>] = &[INK, CANDLE, CAMPFIRE, JET_EXHAUST, STEAM, FOG_BANK];

/// Two drops of ink that sink into still water.
const INK: Preset<Id> = Preset {
    edit: c"Preset Ink",
    values: &[
        (Id::Output, Choice(DYE)),
        (Id::MaxCfl, Double(2.0)),
        first(Id::EdgeBottom),
        (Id::Weight, length(0.3)),
        (Id::Lift, length(0.0)),
        (Id::Viscosity, area(0.2)),
        (Id::Vorticity, Double(0.07)),
        (Id::Dissipation, Double(0.0)),
        (Id::Drag, Double(0.004)),
        first(Id::Cooling),
        (Id::Noise, length(0.06)),
        (Id::NoiseSize, length(400.0)),
        (Id::NoiseSpeed, Double(0.02)),
        (Id::Brush, Switch(false)),
        (Id::Jet1, Choice(ON)),
        (Id::Jet1Centre, Place([0.4, 0.97])),
        (Id::Jet1Direction, Double(-88.0)),
        (Id::Jet1Radius, length(64.0)),
        (Id::Jet1Softness, Double(0.2)),
        (Id::Jet1Strength, length(6.0)),
        (Id::Jet1Colour, Colour([0.02, 0.06, 0.4])),
        (Id::Jet1Density, Double(0.2)),
        (Id::Jet1Heat, Double(0.0)),
        (Id::Jet1Spread, Double(0.0)),
        (Id::Jet1Random, Double(0.15)),
        (Id::Jet1PulseRate, Double(0.0)),
        (Id::Jet2, Choice(ON)),
        (Id::Jet2Centre, Place([0.62, 0.99])),
        (Id::Jet2Direction, Double(-95.0)),
        (Id::Jet2Radius, length(50.0)),
        (Id::Jet2Softness, Double(0.2)),
        (Id::Jet2Strength, length(7.0)),
        (Id::Jet2Colour, Colour([0.5, 0.02, 0.05])),
        (Id::Jet2Density, Double(0.2)),
        (Id::Jet2Heat, Double(0.0)),
        (Id::Jet2Spread, Double(0.0)),
        (Id::Jet2Random, Double(0.15)),
        (Id::Jet2PulseRate, Double(0.02)),
        (Id::Jet2PulseDuty, Double(0.6)),
        (Id::Jet3, Choice(OFF)),
        (Id::Jet4, Choice(OFF)),
        (Id::Shadow, Sized(6.0, -1)),
        (Id::Depth, length(80.0)),
        first(Id::Opacity),
        first(Id::LightElevation),
        first(Id::AmbientLight),
        first(Id::FireKelvin),
        first(Id::FireExposure),
        first(Id::FireFalloff),
        first(Id::FireOpacity),
    ],
};

/// One small, steady flame.
const CANDLE: Preset<Id> = Preset {
    edit: c"Preset Candle",
    values: &[
        (Id::Output, Choice(FIRE)),
        (Id::MaxCfl, Double(4.0)),
        first(Id::EdgeBottom),
        (Id::Weight, length(0.0)),
        (Id::Lift, length(0.5)),
        (Id::Viscosity, area(4.0)),
        (Id::Vorticity, Double(0.0)),
        (Id::Dissipation, Double(0.06)),
        (Id::Drag, Double(0.0)),
        (Id::Cooling, Double(0.08)),
        (Id::Noise, length(0.03)),
        (Id::NoiseSize, length(300.0)),
        (Id::NoiseSpeed, Double(0.03)),
        (Id::Brush, Switch(false)),
        (Id::Jet1, Choice(ON)),
        (Id::Jet1Centre, Place([0.5, 0.3])),
        (Id::Jet1Direction, Double(90.0)),
        (Id::Jet1Radius, length(48.0)),
        (Id::Jet1Softness, Double(1.0)),
        (Id::Jet1Strength, length(8.0)),
        (Id::Jet1Colour, Colour([0.3, 0.3, 0.33])),
        (Id::Jet1Density, Double(0.002)),
        (Id::Jet1Heat, Double(0.38)),
        (Id::Jet1Spread, Double(0.0)),
        (Id::Jet1Random, Double(0.06)),
        (Id::Jet1PulseRate, Double(0.0)),
        (Id::Jet2, Choice(OFF)),
        (Id::Jet3, Choice(OFF)),
        (Id::Jet4, Choice(OFF)),
        (Id::Shadow, Sized(6.0, -1)),
        (Id::Depth, length(80.0)),
        first(Id::Opacity),
        first(Id::LightElevation),
        first(Id::AmbientLight),
        (Id::FireKelvin, Double(2000.0)),
        (Id::FireExposure, Double(3.2)),
        (Id::FireFalloff, Double(4.0)),
        (Id::FireOpacity, Double(0.2)),
    ],
};

/// Flames that lick and tear off, with dark smoke above.
const CAMPFIRE: Preset<Id> = Preset {
    edit: c"Preset Campfire",
    values: &[
        (Id::Output, Choice(FIRE)),
        (Id::MaxCfl, Double(4.0)),
        first(Id::EdgeBottom),
        (Id::Weight, length(0.0)),
        (Id::Lift, length(1.5)),
        (Id::Viscosity, area(0.0)),
        (Id::Vorticity, Double(0.2)),
        (Id::Dissipation, Double(0.012)),
        (Id::Drag, Double(0.0)),
        (Id::Cooling, Double(0.035)),
        (Id::Noise, length(0.7)),
        (Id::NoiseSize, length(120.0)),
        (Id::NoiseSpeed, Double(0.08)),
        (Id::Brush, Switch(false)),
        (Id::Jet1, Choice(ON)),
        (Id::Jet1Centre, Place([0.5, 0.05])),
        (Id::Jet1Direction, Double(90.0)),
        (Id::Jet1Radius, length(80.0)),
        (Id::Jet1Softness, Double(0.8)),
        (Id::Jet1Strength, length(8.0)),
        (Id::Jet1Colour, Colour([0.16, 0.15, 0.15])),
        (Id::Jet1Density, Double(0.03)),
        (Id::Jet1Heat, Double(0.16)),
        (Id::Jet1Spread, Double(20.0)),
        (Id::Jet1Random, Double(0.5)),
        (Id::Jet1PulseRate, Double(0.0)),
        (Id::Jet2, Choice(ON)),
        (Id::Jet2Centre, Place([0.45, 0.03])),
        (Id::Jet2Direction, Double(80.0)),
        (Id::Jet2Radius, length(60.0)),
        (Id::Jet2Softness, Double(0.8)),
        (Id::Jet2Strength, length(7.0)),
        (Id::Jet2Colour, Colour([0.16, 0.15, 0.15])),
        (Id::Jet2Density, Double(0.03)),
        (Id::Jet2Heat, Double(0.14)),
        (Id::Jet2Spread, Double(20.0)),
        (Id::Jet2Random, Double(0.6)),
        (Id::Jet2PulseRate, Double(0.05)),
        (Id::Jet2PulseDuty, Double(0.75)),
        (Id::Jet3, Choice(ON)),
        (Id::Jet3Centre, Place([0.55, 0.03])),
        (Id::Jet3Direction, Double(100.0)),
        (Id::Jet3Radius, length(60.0)),
        (Id::Jet3Softness, Double(0.8)),
        (Id::Jet3Strength, length(7.0)),
        (Id::Jet3Colour, Colour([0.16, 0.15, 0.15])),
        (Id::Jet3Density, Double(0.03)),
        (Id::Jet3Heat, Double(0.14)),
        (Id::Jet3Spread, Double(20.0)),
        (Id::Jet3Random, Double(0.6)),
        (Id::Jet3PulseRate, Double(0.06)),
        (Id::Jet3PulseDuty, Double(0.75)),
        (Id::Jet4, Choice(OFF)),
        (Id::Shadow, Sized(6.0, -1)),
        (Id::Depth, length(80.0)),
        first(Id::Opacity),
        first(Id::LightElevation),
        first(Id::AmbientLight),
        (Id::FireKelvin, Double(2150.0)),
        (Id::FireExposure, Double(2.0)),
        (Id::FireFalloff, Double(2.6)),
        (Id::FireOpacity, Double(0.3)),
    ],
};

/// A fast, hot stream across the frame.
const JET_EXHAUST: Preset<Id> = Preset {
    edit: c"Preset Jet exhaust",
    values: &[
        (Id::Output, Choice(FIRE)),
        (Id::MaxCfl, Double(4.0)),
        first(Id::EdgeBottom),
        (Id::Weight, length(0.0)),
        (Id::Lift, length(0.1)),
        (Id::Viscosity, area(0.0)),
        (Id::Vorticity, Double(0.3)),
        (Id::Dissipation, Double(0.02)),
        (Id::Drag, Double(0.0)),
        (Id::Cooling, Double(0.09)),
        (Id::Noise, length(0.2)),
        (Id::NoiseSize, length(120.0)),
        (Id::NoiseSpeed, Double(0.1)),
        (Id::Brush, Switch(false)),
        (Id::Jet1, Choice(ON)),
        (Id::Jet1Centre, Place([0.06, 0.5])),
        (Id::Jet1Direction, Double(0.0)),
        (Id::Jet1Radius, length(52.0)),
        (Id::Jet1Softness, Double(0.7)),
        (Id::Jet1Strength, length(68.0)),
        (Id::Jet1Colour, Colour([0.5, 0.5, 0.52])),
        (Id::Jet1Density, Double(0.6)),
        (Id::Jet1Heat, Double(1.8)),
        (Id::Jet1Spread, Double(6.0)),
        (Id::Jet1Random, Double(0.08)),
        (Id::Jet1PulseRate, Double(0.0)),
        (Id::Jet2, Choice(OFF)),
        (Id::Jet3, Choice(OFF)),
        (Id::Jet4, Choice(OFF)),
        (Id::Shadow, Sized(6.0, -1)),
        (Id::Depth, length(80.0)),
        first(Id::Opacity),
        first(Id::LightElevation),
        first(Id::AmbientLight),
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
        (Id::MaxCfl, Double(4.0)),
        first(Id::EdgeBottom),
        (Id::Weight, length(0.0)),
        (Id::Lift, length(0.9)),
        (Id::Viscosity, area(0.0)),
        (Id::Vorticity, Double(0.15)),
        (Id::Dissipation, Double(0.028)),
        (Id::Drag, Double(0.01)),
        (Id::Cooling, Double(0.03)),
        (Id::Noise, length(0.4)),
        (Id::NoiseSize, length(200.0)),
        (Id::NoiseSpeed, Double(0.05)),
        (Id::Brush, Switch(false)),
        (Id::Jet1, Choice(ON)),
        (Id::Jet1Centre, Place([0.5, 0.03])),
        (Id::Jet1Direction, Double(90.0)),
        (Id::Jet1Radius, length(80.0)),
        (Id::Jet1Softness, Double(0.7)),
        (Id::Jet1Strength, length(10.0)),
        (Id::Jet1Colour, Colour([0.95, 0.96, 0.97])),
        (Id::Jet1Density, Double(0.1)),
        (Id::Jet1Heat, Double(0.12)),
        (Id::Jet1Spread, Double(30.0)),
        (Id::Jet1Random, Double(0.4)),
        (Id::Jet1PulseRate, Double(0.0)),
        (Id::Jet2, Choice(ON)),
        (Id::Jet2Centre, Place([0.44, 0.02])),
        (Id::Jet2Direction, Double(80.0)),
        (Id::Jet2Radius, length(60.0)),
        (Id::Jet2Softness, Double(0.7)),
        (Id::Jet2Strength, length(8.0)),
        (Id::Jet2Colour, Colour([0.95, 0.96, 0.97])),
        (Id::Jet2Density, Double(0.08)),
        (Id::Jet2Heat, Double(0.1)),
        (Id::Jet2Spread, Double(30.0)),
        (Id::Jet2Random, Double(0.5)),
        (Id::Jet2PulseRate, Double(0.05)),
        (Id::Jet2PulseDuty, Double(0.6)),
        (Id::Jet3, Choice(OFF)),
        (Id::Jet4, Choice(OFF)),
        (Id::Shadow, Sized(0.5, -1)),
        (Id::Depth, length(320.0)),
        (Id::Opacity, Double(1.0)),
        (Id::LightElevation, Double(35.0)),
        (Id::AmbientLight, Colour([0.28, 0.3, 0.34])),
        first(Id::FireKelvin),
        first(Id::FireExposure),
        first(Id::FireFalloff),
        first(Id::FireOpacity),
    ],
};

/// Low, slow and heavy, along the ground.
const FOG_BANK: Preset<Id> = Preset {
    edit: c"Preset Fog bank",
    values: &[
        (Id::Output, Choice(SMOKE)),
        (Id::MaxCfl, Double(2.0)),
        (Id::EdgeBottom, Choice(CLOSED)),
        (Id::Weight, length(0.06)),
        (Id::Lift, length(0.0)),
        (Id::Viscosity, area(0.0)),
        (Id::Vorticity, Double(0.1)),
        (Id::Dissipation, Double(0.004)),
        (Id::Drag, Double(0.01)),
        first(Id::Cooling),
        (Id::Noise, length(0.4)),
        (Id::NoiseSize, length(220.0)),
        (Id::NoiseSpeed, Double(0.02)),
        (Id::Brush, Switch(false)),
        (Id::Jet1, Choice(ON)),
        (Id::Jet1Centre, Place([0.0, 0.08])),
        (Id::Jet1Direction, Double(4.0)),
        (Id::Jet1Radius, length(140.0)),
        (Id::Jet1Softness, Double(0.8)),
        (Id::Jet1Strength, length(10.0)),
        (Id::Jet1Colour, Colour([0.75, 0.8, 0.86])),
        (Id::Jet1Density, Double(0.06)),
        (Id::Jet1Heat, Double(0.0)),
        (Id::Jet1Spread, Double(30.0)),
        (Id::Jet1Random, Double(0.5)),
        (Id::Jet1PulseRate, Double(0.0)),
        (Id::Jet2, Choice(ON)),
        (Id::Jet2Centre, Place([0.3, 0.02])),
        (Id::Jet2Direction, Double(20.0)),
        (Id::Jet2Radius, length(120.0)),
        (Id::Jet2Softness, Double(0.8)),
        (Id::Jet2Strength, length(8.0)),
        (Id::Jet2Colour, Colour([0.75, 0.8, 0.86])),
        (Id::Jet2Density, Double(0.04)),
        (Id::Jet2Heat, Double(0.0)),
        (Id::Jet2Spread, Double(60.0)),
        (Id::Jet2Random, Double(0.8)),
        (Id::Jet2PulseRate, Double(0.03)),
        (Id::Jet2PulseDuty, Double(0.5)),
        (Id::Jet3, Choice(ON)),
        (Id::Jet3Centre, Place([0.75, 0.02])),
        (Id::Jet3Direction, Double(160.0)),
        (Id::Jet3Radius, length(140.0)),
        (Id::Jet3Softness, Double(0.8)),
        (Id::Jet3Strength, length(6.0)),
        (Id::Jet3Colour, Colour([0.75, 0.8, 0.86])),
        (Id::Jet3Density, Double(0.04)),
        (Id::Jet3Heat, Double(0.0)),
        (Id::Jet3Spread, Double(60.0)),
        (Id::Jet3Random, Double(0.8)),
        (Id::Jet3PulseRate, Double(0.02)),
        (Id::Jet3PulseDuty, Double(0.6)),
        (Id::Jet4, Choice(ON)),
        (Id::Jet4Centre, Place([1.0, 0.06])),
        (Id::Jet4Direction, Double(176.0)),
        (Id::Jet4Radius, length(120.0)),
        (Id::Jet4Softness, Double(0.8)),
        (Id::Jet4Strength, length(8.0)),
        (Id::Jet4Colour, Colour([0.75, 0.8, 0.86])),
        (Id::Jet4Density, Double(0.05)),
        (Id::Jet4Heat, Double(0.0)),
        (Id::Jet4Spread, Double(30.0)),
        (Id::Jet4Random, Double(0.6)),
        (Id::Jet4PulseRate, Double(0.025)),
        (Id::Jet4PulseDuty, Double(0.7)),
        (Id::Shadow, Sized(0.3, -1)),
        (Id::Depth, length(320.0)),
        (Id::Opacity, Double(0.7)),
        (Id::LightElevation, Double(40.0)),
        (Id::AmbientLight, Colour([0.3, 0.34, 0.4])),
        first(Id::FireKelvin),
        first(Id::FireExposure),
        first(Id::FireFalloff),
        first(Id::FireOpacity),
    ],
};

#[cfg(test)]
mod tests {
    use super::super::controls::JETS;
    use super::*;

    #[test]
    fn all_looks_set_the_same_but_for_jets_that_they_turn_off() {
        let sets = |preset: &Preset<Id>, id| preset.values.iter().find(|value| value.0 == id).map(|value| value.1);
        let all = PRESETS.iter().flat_map(|preset| preset.values).map(|value| value.0);
        for id in all {
            for preset in PRESETS {
                let jet = JETS.iter().find(|ids| ids.rest().contains(&id));
                let off = jet.is_some_and(|ids| sets(preset, ids.on) == Some(Choice(OFF)));
                assert_eq!(sets(preset, id).is_none(), off, "{id:?} in {:?}", preset.edit);
            }
        }
    }
}
