//! Groups `terrain`, `forces` and `traces`.

use std::ffi::CStr;

use super::super::Id;
use super::blank;
use crate::nodes::common::controls::{Control, Kind, choice, double};

const TERRAIN: Control<Id> = blank(c"terrain");
const FORCES: Control<Id> = blank(c"forces");
const TRACES: Control<Id> = blank(c"traces");

/// Labels of `terrainChannel`.
const TERRAIN_CHANNELS: &[&CStr] = &[c"Luminance", c"Red", c"Green", c"Blue", c"Alpha"];

/// In the order of the panel.
pub const GROUND_CONTROLS: &[Control<Id>] = &[
    Control {
        id: Id::UseTerrain,
        name: c"useTerrain",
        label: c"Use terrain",
        hint: c"Off: the ground is flat, whatever is connected to Terrain.",
        kind: Kind::Bool { default: true },
        ..TERRAIN
    },
    Control {
        id: Id::TerrainChannel,
        name: c"terrainChannel",
        label: c"Terrain channel",
        hint: c"Channel of the Terrain that is the height of the ground.",
        kind: choice(TERRAIN_CHANNELS, 0),
        ..TERRAIN
    },
    Control {
        id: Id::TerrainHeight,
        name: c"terrainHeight",
        label: c"Terrain height",
        hint: c"Height of the ground for a Terrain value of 1. Animated ground moves the water on it.",
        kind: double(1.0, [-1_000_000.0, 1_000_000.0], [0.0, 4.0]),
        ..TERRAIN
    },
    Control {
        id: Id::TerrainOffset,
        name: c"terrainOffset",
        label: c"Terrain offset",
        hint: c"Height added to the ground.",
        kind: double(0.0, [-1_000_000.0, 1_000_000.0], [-1.0, 1.0]),
        ..TERRAIN
    },
    Control {
        id: Id::TerrainInvert,
        name: c"terrainInvert",
        label: c"Invert terrain",
        hint: c"Dark is high: the ground's value v is taken as 1 - v.",
        kind: Kind::Bool { default: false },
        ..TERRAIN
    },
    Control {
        id: Id::Push,
        name: c"push",
        label: c"Push",
        hint: c"A push over the whole frame, as a slope in height per full-resolution pixel: wind, or a table that is \
               tilted. Positive x pushes to the right, positive y upward.",
        kind: Kind::Vector { default: 0.0, range: [-1_000_000.0, 1_000_000.0], display: [-0.05, 0.05] },
        ..FORCES
    },
    Control {
        id: Id::ForceScale,
        name: c"forceScale",
        label: c"Force scale",
        hint: c"Multiplies red and green of the Force input: a push as a slope in height per full-resolution pixel.",
        kind: double(1.0, [-1_000_000.0, 1_000_000.0], [-2.0, 2.0]),
        ..FORCES
    },
    Control {
        id: Id::PressureScale,
        name: c"pressureScale",
        label: c"Pressure scale",
        hint: c"Multiplies blue of the Force input: a pressure on the water, in height.",
        kind: double(1.0, [-1_000_000.0, 1_000_000.0], [-2.0, 2.0]),
        ..FORCES
    },
    Control {
        id: Id::GoalStrength,
        name: c"goalStrength",
        label: c"Goal strength",
        hint: c"Share of the way that the water's velocity comes towards its goal in a frame: 0 leaves it alone, 0.1 steers, 1 \
               sets it. The goal is Goal velocity, and red and green of the Goal input.",
        kind: double(0.0, [0.0, 1.0], [0.0, 1.0]),
        ..FORCES
    },
    Control {
        id: Id::GoalVelocity,
        name: c"goalVelocity",
        label: c"Goal velocity",
        hint: c"Velocity that the water is drawn to everywhere, in full-resolution pixels per frame. The Goal input's is added.",
        kind: Kind::Vector { default: 0.0, range: [-1_000_000.0, 1_000_000.0], display: [-10.0, 10.0] },
        ..FORCES
    },
    Control {
        id: Id::ObstacleDrag,
        name: c"obstacleDrag",
        label: c"Obstacle drag",
        hint: c"How much an obstacle that moves takes the water beside it along: 0 not at all, 1 as fast as itself. Whatever it \
               is, water that it comes to is pushed ahead.",
        kind: double(0.5, [0.0, 1.0], [0.0, 1.0]),
        ..FORCES
    },
    Control {
        id: Id::Foam,
        name: c"foam",
        label: c"Foam",
        hint: c"Makes foam where the surface is steep, where water comes together and where it hits obstacles, and carries it \
               with the water. Shown by Shaded and the output Foam.",
        kind: Kind::Bool { default: false },
        ..TRACES
    },
    Control {
        id: Id::FoamAmount,
        name: c"foamAmount",
        label: c"Foam amount",
        hint: c"Share of the surface that foams over per frame where everything makes foam. More is whiter, sooner.",
        kind: double(0.15, [0.0, 1_000_000.0], [0.0, 1.0]),
        ..TRACES
    },
    Control {
        id: Id::FoamSteepness,
        name: c"foamSteepness",
        label: c"Foam steepness",
        hint: c"Slope of the surface, in height per full-resolution pixel, from which on it foams. Less lets smaller waves foam.",
        kind: double(0.05, [0.0, 1_000_000.0], [0.0, 0.2]),
        ..TRACES
    },
    Control {
        id: Id::FoamLife,
        name: c"foamLife",
        label: c"Foam life",
        hint: c"Frames in which half of the foam goes.",
        kind: double(10.0, [0.001, 1_000_000.0], [1.0, 100.0]),
        ..TRACES
    },
    Control {
        id: Id::Wetness,
        name: c"wetness",
        label: c"Wetness",
        hint: c"Remembers where water was. Shown by Shaded, as darker ground, and by the output Wetness.",
        kind: Kind::Bool { default: false },
        ..TRACES
    },
    Control {
        id: Id::DryFrames,
        name: c"dryFrames",
        label: c"Dry frames",
        hint: c"Frames in which wet ground dries once the water has gone.",
        kind: double(100.0, [0.001, 1_000_000.0], [1.0, 500.0]),
        ..TRACES
    },
];
