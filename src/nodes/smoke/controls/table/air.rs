//! What the air is like, and what is let into it.

use super::super::Id;
use crate::nodes::common::controls::{Control, Kind, blank, choice, double};

const AIR: Control<Id> = blank(Id::Viscosity, c"air");
const SOURCE: Control<Id> = blank(Id::SourceMode, c"source");
const BRUSH: Control<Id> = blank(Id::Brush, c"brushGroup");

/// Groups `air`, `source` and `brushGroup`.
pub const AIR_CONTROLS: &[Control<Id>] = &[
    Control {
        id: Id::Viscosity,
        name: c"viscosity",
        label: c"Viscosity",
        hint: c"Thickness of the air, in square pixels per frame. 0 is air, 10 is syrup.",
        kind: double(0.0, [0.0, 1_000_000.0], [0.0, 20.0]),
        ..AIR
    },
    Control {
        id: Id::Vorticity,
        name: c"vorticity",
        label: c"Vorticity",
        hint: c"Strengthens small eddies. 0.3 is lively, 1 is nervous.",
        kind: double(0.2, [0.0, 100.0], [0.0, 2.0]),
        ..AIR
    },
    Control {
        id: Id::Dissipation,
        name: c"dissipation",
        label: c"Dissipation",
        hint: c"Share of the dye lost per frame. 0.01 clears in some seconds.",
        kind: double(0.005, [0.0, 1.0], [0.0, 0.1]),
        ..AIR
    },
    Control {
        id: Id::Drag,
        name: c"drag",
        label: c"Drag",
        hint: c"Share of the velocity lost per frame.",
        kind: double(0.0, [0.0, 1.0], [0.0, 0.1]),
        ..AIR
    },
    Control {
        id: Id::Cooling,
        name: c"cooling",
        label: c"Cooling",
        hint: c"Share of the heat lost per frame. Fire wants 0.03 to 0.1.",
        kind: double(0.02, [0.0, 1.0], [0.0, 0.2]),
        ..AIR
    },
    Control {
        id: Id::GravityDirection,
        name: c"gravityDirection",
        label: c"Gravity direction",
        hint: c"Where down is, in degrees counter-clockwise from the right.",
        kind: double(-90.0, [-36_000.0, 36_000.0], [-180.0, 180.0]),
        ..AIR
    },
    Control {
        id: Id::Weight,
        name: c"weight",
        label: c"Weight",
        hint: c"How fast dense smoke sinks: acceleration of a density of 1, in pixels per frame squared. 0.3 is \
               ink in a frame 1080 pixels high; below 0 it rises.",
        kind: double(0.0, [-1000.0, 1000.0], [-1.0, 1.0]),
        ..AIR
    },
    Control {
        id: Id::Lift,
        name: c"lift",
        label: c"Lift",
        hint: c"How fast hot air rises: acceleration of a temperature of 1, in pixels per frame squared.",
        kind: double(0.3, [-1000.0, 1000.0], [0.0, 2.0]),
        ..AIR
    },
    Control {
        id: Id::Ambient,
        name: c"ambient",
        label: c"Ambient temperature",
        hint:
            c"Temperature up to which air does not rise. Cooling ends there, too: hot air falls to it and no further.",
        kind: double(0.0, [0.0, 1000.0], [0.0, 1.0]),
        ..AIR
    },
    Control {
        id: Id::SourceMode,
        name: c"sourceMode",
        label: c"Source mode",
        hint: c"Start frame: the Source is the smoke at the start. Add: it flows in over every frame. Replace: \
               smoke is set where the Source is above 0. Fill up: smoke is raised to the Source, never lowered.",
        kind: choice(&[c"Start frame", c"Add", c"Replace", c"Fill up"], 1),
        ..SOURCE
    },
    Control {
        id: Id::SourceChannel,
        name: c"sourceChannel",
        label: c"Source channel",
        hint: c"Channel of the Source that is its density; where there is no alpha, its luminance. The colour is the \
               Source's RGB, which counts as multiplied by any channel but alpha.",
        kind: choice(&[c"Alpha", c"Luminance", c"Red", c"Green", c"Blue"], 0),
        ..SOURCE
    },
    Control {
        id: Id::SourceDensity,
        name: c"sourceDensity",
        label: c"Source density",
        hint: c"Density of smoke for a Source value of 1, per frame in mode Add.",
        kind: double(0.2, [0.0, 1_000_000.0], [0.0, 2.0]),
        ..SOURCE
    },
    Control {
        id: Id::VelocityMode,
        name: c"velocityMode",
        label: c"Velocity mode",
        hint: c"Set: the air moves as the Velocity input says, where it is not 0. Add: it is accelerated by it.",
        kind: choice(&[c"Set", c"Add"], 0),
        ..SOURCE
    },
    Control {
        id: Id::VelocityScale,
        name: c"velocityScale",
        label: c"Velocity scale",
        hint: c"Pixels per frame for a value of 1 in red (to the right) and green (up) of the Velocity input.",
        kind: double(1.0, [-1_000_000.0, 1_000_000.0], [-4.0, 4.0]),
        ..SOURCE
    },
    Control {
        id: Id::HeatChannel,
        name: c"heatChannel",
        label: c"Heat channel",
        hint: c"Channel of the Heat input that is heat: Alpha for a roto. Where there is no alpha, its luminance.",
        kind: choice(&[c"Red", c"Green", c"Blue", c"Alpha", c"Luminance"], 0),
        ..SOURCE
    },
    Control {
        id: Id::HeatScale,
        name: c"heatScale",
        label: c"Heat scale",
        hint: c"Temperature per frame for a value of 1 of the Heat input.",
        kind: double(0.2, [-1000.0, 1000.0], [0.0, 2.0]),
        ..SOURCE
    },
    Control {
        id: Id::ObstaclePush,
        name: c"obstaclePush",
        label: c"Obstacle push",
        hint: c"Share of the obstacles' own motion that the air feels. 0: they only stand in its way.",
        kind: double(1.0, [0.0, 10.0], [0.0, 2.0]),
        ..SOURCE
    },
    Control {
        id: Id::ObstacleSlip,
        name: c"obstacleSlip",
        label: c"Obstacle slip",
        hint: c"How air moves along obstacles. No slip: it takes on their velocity where it touches them, and Viscosity slows \
               the air beside them. Free slip: without friction; obstacles only push.",
        kind: choice(&[c"Free slip", c"No slip"], 1),
        animates: false,
        ..SOURCE
    },
    Control {
        id: Id::Brush,
        name: c"brush",
        label: c"Brush",
        hint: c"A point that stirs: keyframe or track Brush centre, and the air follows its path.",
        kind: Kind::Bool { default: false },
        ..BRUSH
    },
    Control {
        id: Id::BrushCentre,
        name: c"brushCentre",
        label: c"Brush centre",
        hint: c"Where the brush is, in full-resolution pixels. It paints the whole way from the last frame to this \
               one.",
        kind: Kind::Position { default: [0.5, 0.5] },
        ..BRUSH
    },
    Control {
        id: Id::BrushRadius,
        name: c"brushRadius",
        label: c"Brush radius",
        hint: c"Radius in full-resolution pixels.",
        kind: double(40.0, [0.0, 100_000.0], [1.0, 300.0]),
        ..BRUSH
    },
    Control {
        id: Id::BrushSoftness,
        name: c"brushSoftness",
        label: c"Brush softness",
        hint: c"Share of the radius across which its dye fades: 0 is a hard edge, 1 fades from the middle on.",
        kind: double(0.5, [0.0, 1.0], [0.0, 1.0]),
        ..BRUSH
    },
    Control {
        id: Id::BrushForce,
        name: c"brushForce",
        label: c"Brush force",
        hint: c"Share of the brush's own velocity that the air takes on.",
        kind: double(1.0, [0.0, 100.0], [0.0, 2.0]),
        ..BRUSH
    },
    Control {
        id: Id::BrushColour,
        name: c"brushColour",
        label: c"Brush colour",
        hint: c"Colour of the dye that it leaves.",
        kind: Kind::Colour { default: [0.1, 0.35, 0.8] },
        ..BRUSH
    },
    Control {
        id: Id::BrushDensity,
        name: c"brushDensity",
        label: c"Brush density",
        hint: c"Density of the dye that it leaves in its middle, per frame.",
        kind: double(0.5, [0.0, 1000.0], [0.0, 2.0]),
        ..BRUSH
    },
];
