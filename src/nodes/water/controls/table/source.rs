//! Group `source`.

use std::ffi::CStr;

use super::super::Id;
use super::blank;
use super::emitters::{CENTRE, RADIUS, RATE, angle, frequency, phase, shape, width};
use crate::nodes::common::controls::{Control, Kind, choice, double, int};

const SOURCE: Control<Id> = blank(c"source");

/// Labels of `sourceChannel`.
const SOURCE_CHANNELS: &[&CStr] = &[c"Alpha", c"Luminance", c"Red", c"Green", c"Blue"];

/// In the order of the panel.
pub const SOURCE_CONTROLS: &[Control<Id>] = &[
    Control {
        id: Id::SourceMode,
        name: c"sourceMode",
        label: c"Source mode",
        hint:
            c"Start frame: the Source is the water at the start. Add: its height flows in over every frame. Replace: \
               water is set where the Source is above 0. Fill up: water is raised to the Source, never lowered.",
        kind: choice(&[c"Start frame", c"Add", c"Replace", c"Fill up"], 0),
        ..SOURCE
    },
    Control {
        id: Id::SourceChannel,
        name: c"sourceChannel",
        label: c"Source channel",
        hint: c"Channel of the Source that is its height. The water's colour is the Source's RGB.",
        kind: choice(SOURCE_CHANNELS, 0),
        ..SOURCE
    },
    Control {
        id: Id::SourceHeight,
        name: c"sourceHeight",
        label: c"Source height",
        hint: c"Height of water for a Source value of 1.",
        kind: double(1.0, [0.0, 1_000_000.0], [0.0, 4.0]),
        ..SOURCE
    },
    Control {
        id: Id::Emitter,
        name: c"emitter",
        label: c"Emitter",
        hint: c"A built-in source, so that the node shows water at once.",
        kind: choice(&[c"When no Source", c"On", c"Off"], 0),
        ..SOURCE
    },
    Control {
        id: Id::EmitterCentre,
        name: c"emitterCentre",
        label: c"Emitter centre",
        hint: CENTRE,
        kind: Kind::Position { default: [0.5, 0.5] },
        ..SOURCE
    },
    Control {
        id: Id::EmitterRadius,
        name: c"emitterRadius",
        label: c"Emitter radius",
        hint: RADIUS,
        kind: double(40.0, [0.0, 100_000.0], [0.0, 500.0]),
        ..SOURCE
    },
    Control {
        id: Id::EmitterRate,
        name: c"emitterRate",
        label: c"Emitter rate",
        hint: RATE,
        kind: double(0.05, [0.0, 10_000.0], [0.0, 1.0]),
        ..SOURCE
    },
    Control {
        id: Id::EmitterColour,
        name: c"emitterColour",
        label: c"Emitter colour",
        hint: c"Colour of the emitter's water and of the rain.",
        kind: Kind::Colour { default: [0.1, 0.35, 0.6] },
        ..SOURCE
    },
    shape(Id::EmitterShape, c"emitterShape", c"Emitter shape", SOURCE),
    width(Id::EmitterWidth, c"emitterWidth", c"Emitter width", SOURCE),
    angle(Id::EmitterAngle, c"emitterAngle", c"Emitter angle", SOURCE),
    frequency(Id::EmitterFrequency, c"emitterFrequency", c"Emitter frequency", SOURCE),
    phase(Id::EmitterPhase, c"emitterPhase", c"Emitter phase", SOURCE),
    Control {
        id: Id::Rain,
        name: c"rain",
        label: c"Rain",
        hint: c"Mean height of rain that falls per frame. 0.001 is steady rain, 0.01 a downpour.",
        kind: double(0.0, [0.0, 10_000.0], [0.0, 0.02]),
        ..SOURCE
    },
    Control {
        id: Id::RainSize,
        name: c"rainSize",
        label: c"Drop size",
        hint: c"Radius of a drop in full-resolution pixels. Larger drops are fewer.",
        kind: double(3.0, [0.0, 10_000.0], [0.0, 20.0]),
        ..SOURCE
    },
    Control {
        id: Id::Seed,
        name: c"seed",
        label: c"Seed",
        hint: c"Another number, another pattern of drops.",
        kind: int(0, [i32::MIN, i32::MAX], [0, 100]),
        ..SOURCE
    },
    Control {
        id: Id::Evaporation,
        name: c"evaporation",
        label: c"Evaporation",
        hint: c"Height of water lost everywhere per frame. Its colour stays behind.",
        kind: double(0.0, [0.0, 10_000.0], [0.0, 0.05]),
        ..SOURCE
    },
    Control {
        id: Id::Drain,
        name: c"drain",
        label: c"Drain",
        hint: c"A hole that takes water away, with its colour.",
        kind: Kind::Bool { default: false },
        ..SOURCE
    },
    Control {
        id: Id::DrainCentre,
        name: c"drainCentre",
        label: c"Drain centre",
        hint: c"Where the drain is, in full-resolution pixels. Moving it, it takes water along its way.",
        kind: Kind::Position { default: [0.5, 0.25] },
        ..SOURCE
    },
    Control {
        id: Id::DrainRadius,
        name: c"drainRadius",
        label: c"Drain radius",
        hint: c"Radius of the drain in full-resolution pixels.",
        kind: double(30.0, [0.0, 100_000.0], [0.0, 500.0]),
        ..SOURCE
    },
    Control {
        id: Id::DrainRate,
        name: c"drainRate",
        label: c"Drain rate",
        hint: c"Height of water that the drain takes per frame, as far as there is any. What flows in after it is the pull.",
        kind: double(0.1, [0.0, 10_000.0], [0.0, 1.0]),
        ..SOURCE
    },
];
