//! Groups `terrain` and `forces`.

use std::ffi::CStr;

use super::super::Id;
use super::blank;
use crate::nodes::common::controls::{Control, Kind, choice, double};

const TERRAIN: Control<Id> = blank(c"terrain");
const FORCES: Control<Id> = blank(c"forces");

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
];
