//! The table: every parameter with its label, hint, kind, default and range, in the order of the panel.

use std::ffi::CStr;

use super::Id;
use crate::nodes::common::controls::{Control, Kind, Reach, choice, double, int};
use crate::nodes::common::shared::{Shared, shared};

const SIMULATION: Control<Id> = Control {
    id: Id::Model,
    name: c"",
    label: c"",
    hint: c"",
    group: c"simulation",
    kind: Kind::Button,
    animates: true,
    reach: Reach::Simulation,
    shared: None,
};
const SOURCE: Control<Id> = Control { group: c"source", ..SIMULATION };
const TERRAIN: Control<Id> = Control { group: c"terrain", ..SIMULATION };
const FORCES: Control<Id> = Control { group: c"forces", ..SIMULATION };
const PICTURE: Control<Id> = Control { group: c"picture", reach: Reach::Picture, ..SIMULATION };

/// A side of the frame's border.
const fn side(id: Id, name: &'static CStr, label: &'static CStr, hint: &'static CStr) -> Control<Id> {
    Control {
        id,
        name,
        label,
        hint,
        kind: choice(&[c"As Edges", c"Closed", c"Open"], 0),
        animates: false,
        ..SIMULATION
    }
}

/// Labels of `sourceChannel`.
const SOURCE_CHANNELS: &[&CStr] = &[c"Alpha", c"Luminance", c"Red", c"Green", c"Blue"];
/// Labels of `terrainChannel`.
const TERRAIN_CHANNELS: &[&CStr] = &[c"Luminance", c"Red", c"Green", c"Blue", c"Alpha"];

/// The table, in the order of the panel and of [`Id`].
pub const CONTROLS: &[Control<Id>] = &[
    Control {
        id: Id::Preset,
        name: c"preset",
        label: c"Preset",
        hint: c"A look to begin with: sets what makes it, as one edit that Undo takes back. Ink in water, Ripples and Puddle \
               drying stand on water that a Source with alpha brings at the start; the others need no input, and take a \
               Terrain.",
        kind: choice(
            &[
                c"Choose",
                c"River",
                c"Rain on glass",
                c"Ink in water",
                c"Flood",
                c"Ripples",
                c"Waterfall",
                c"Puddle drying",
                c"Shaw classic",
            ],
            0,
        ),
        animates: false,
        reach: Reach::Work,
        ..SIMULATION
    },
    Control {
        id: Id::Model,
        name: c"model",
        label: c"Model",
        hint: c"Pipes: waves of a set speed, round ripples, no grid in the surface. Classic pipes: the look of the \
               original Flow tool, whose speed is a flow rate per step. Shallow water: deep water is faster, waves steepen \
               and break into bores, rivers run and drag.",
        kind: choice(&[c"Pipes", c"Classic pipes", c"Shallow water"], 0),
        animates: false,
        ..SIMULATION
    },
    shared(Shared::StartFrame, Id::StartFrame).hint(
        c"First frame of the simulation. Frames before it show the water as it is at the start.",
    ),
    shared(Shared::Preroll, Id::Preroll).hint(
        c"Frames simulated before the start frame, with parameters and inputs held at the start frame: the water \
               has already settled when the shot begins.",
    ),
    Control {
        id: Id::InitialState,
        name: c"initialState",
        label: c"Initial state",
        hint: c"An EXR to start from instead of the Source: a state of Flow's disk cache, which goes on with the same bits, \
               or any EXR with the water's height in alpha and the layers cross and diagonal. Its water is the Start \
               frame's, and Pre-roll has no part in it. %{NAME} stands for an environment variable.",
        kind: Kind::File,
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::Speed,
        name: c"speed",
        label: c"Speed",
        hint: c"Speed of the waves in full-resolution pixels per frame (Pipes). Higher is faster water and more steps \
               per frame; nothing is retimed. Below about 0.04 pixels per step water no longer levels out.",
        kind: double(4.0, [0.0, 10_000.0], [0.0, 20.0]),
        ..SIMULATION
    },
    Control {
        id: Id::FlowRate,
        name: c"flowRate",
        label: c"Flow rate",
        hint:
            c"Share of a height difference that a pipe turns into flow in one step (Classic pipes). Above about 0.16 \
               the surface breaks up.",
        kind: double(0.1, [0.0, 1.0], [0.0, 0.2]),
        ..SIMULATION
    },
    Control {
        id: Id::Gravity,
        name: c"gravity",
        label: c"Gravity",
        hint: c"How hard slopes pull (Shallow water): the acceleration, in full-resolution pixels per frame and frame, where a height \
               of 1 is lost per pixel. Waves run at the square root of gravity times depth, pixels per frame. Higher is faster water and more \
               steps per frame.",
        kind: double(60.0, [0.0, 100_000.0], [0.0, 200.0]),
        ..SIMULATION
    },
    Control {
        id: Id::Friction,
        name: c"friction",
        label: c"Friction",
        hint: c"Drag of the bed (Shallow water), in height per full-resolution pixel: a frame takes friction times speed squared over depth. Thin water is slowed most: more makes films creep and rivers settle; 0 lets water slide for ever.",
        kind: double(0.0005, [0.0, 1000.0], [0.0, 0.01]),
        ..SIMULATION
    },
    Control {
        id: Id::Substeps,
        name: c"substeps",
        label: c"Sub-steps",
        hint: c"Least number of simulation steps per frame. Pipes and Shallow water take more by themselves where \
               the speed needs it; \
               Classic pipes takes exactly these.",
        kind: int(1, [1, 1024], [1, 16]),
        ..SIMULATION
    },
    Control {
        id: Id::TimeScale,
        name: c"timeScale",
        label: c"Time scale",
        hint: c"Simulated time per frame: 0.5 is slow motion, 0 holds the water still.",
        kind: double(1.0, [0.0, 1000.0], [0.0, 4.0]),
        ..SIMULATION
    },
    Control {
        id: Id::Damping,
        name: c"damping",
        label: c"Damping",
        hint: c"Share of the flow lost per frame. 0 ripples for ever, 0.1 is thick, 1 stops at once.",
        kind: double(0.02, [0.0, 1.0], [0.0, 0.2]),
        ..SIMULATION
    },
    Control {
        id: Id::Smoothing,
        name: c"smoothing",
        label: c"Smoothing",
        hint: c"Viscosity of the finest ripples, two to four pixels long (Pipes). Long waves are left alone; 0 shows \
               grid noise behind fast fronts.",
        kind: double(0.1, [0.0, 0.5], [0.0, 0.5]),
        ..SIMULATION
    },
    Control {
        id: Id::DiagonalWeight,
        name: c"diagonalWeight",
        label: c"Diagonal weight",
        hint: c"Size of the diagonal pipes against the straight ones (Pipes). 0.25 makes ripples round; 0 makes them \
               diamonds.",
        kind: double(0.25, [0.0, 1.0], [0.0, 1.0]),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::Edges,
        name: c"edges",
        label: c"Edges",
        hint: c"What the frame's border does to water. Closed: a wall. Open: water runs off. Wrap: what leaves on one \
               side enters on the other.",
        kind: choice(&[c"Closed", c"Open", c"Wrap"], 0),
        animates: false,
        ..SIMULATION
    },
    side(Id::EdgeLeft, c"edgeLeft", c"Left edge", c"The left side, where it is not like the others."),
    side(Id::EdgeRight, c"edgeRight", c"Right edge", c"The right side, where it is not like the others."),
    side(Id::EdgeTop, c"edgeTop", c"Top edge", c"The upper side, where it is not like the others."),
    side(Id::EdgeBottom, c"edgeBottom", c"Bottom edge", c"The lower side, where it is not like the others."),
    shared(Shared::Resolution, Id::Resolution).hint(
        c"Grid cells per full-resolution pixel, in percent. 50 simulates a quarter of the cells: faster, softer, \
               the same speed and size of waves.",
    ),
    shared(Shared::Proxy, Id::Proxy),
    Control {
        id: Id::MaxHeight,
        name: c"maxHeight",
        label: c"Max height",
        hint: c"Range of the heights, water and terrain: water above about this is cut. A smaller range is finer.",
        kind: double(8.0, [0.003_906_25, 65_536.0], [1.0, 64.0]),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::ColourRange,
        name: c"colourRange",
        label: c"Colour range",
        hint: c"Brightest colour that the water can carry. A smaller range is finer.",
        kind: double(16.0, [0.000_976_562_5, 65_536.0], [1.0, 64.0]),
        animates: false,
        ..SIMULATION
    },
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
        hint: c"A built-in round source, so that the node shows water at once.",
        kind: choice(&[c"When no Source", c"On", c"Off"], 0),
        ..SOURCE
    },
    Control {
        id: Id::EmitterCentre,
        name: c"emitterCentre",
        label: c"Emitter centre",
        hint: c"Where the emitter is, in full-resolution pixels. Moving it draws a stroke of water.",
        kind: Kind::Position { default: [0.5, 0.5] },
        ..SOURCE
    },
    Control {
        id: Id::EmitterRadius,
        name: c"emitterRadius",
        label: c"Emitter radius",
        hint: c"Radius of the emitter in full-resolution pixels.",
        kind: double(40.0, [0.0, 100_000.0], [0.0, 500.0]),
        ..SOURCE
    },
    Control {
        id: Id::EmitterRate,
        name: c"emitterRate",
        label: c"Emitter rate",
        hint: c"Height of water that flows in under the emitter per frame.",
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
        id: Id::Output,
        name: c"output",
        label: c"Output",
        hint:
            c"Water: RGB the water's colour, A its height. Height: R water, G surface (water and terrain), B terrain, \
               A wet. Cross: flow per step to the left, up, right and down. Diagonal: flow per step to the upper left, \
               upper right, lower right and lower left. Shaded: water in light, premultiplied. Normals: x, y, z from -1 \
               to 1, A wet. Velocity: pixels per frame. Motion vectors: forward in RG, backward in BA, pixels. \
               Refraction map: for STMap, what the bed shows. Displacement: the same as an offset in pixels, B the \
               water's height. Caustics: the light on the bed, 1 below still water, A wet. All but Shaded are unpremultiplied \
               data.",
        kind: choice(
            &[
                c"Water",
                c"Height",
                c"Cross",
                c"Diagonal",
                c"Shaded",
                c"Normals",
                c"Velocity",
                c"Motion vectors",
                c"Refraction map",
                c"Displacement",
                c"Caustics",
            ],
            0,
        ),
        ..PICTURE
    },
    Control {
        id: Id::Relief,
        name: c"relief",
        label: c"Relief",
        hint: c"Full-resolution pixels that a height of 1 stands for. More makes waves steeper, refraction and caustics \
               stronger (Shaded, Normals, Refraction map, Displacement, Caustics).",
        kind: double(140.0, [0.0, 1_000_000.0], [0.0, 500.0]),
        ..PICTURE
    },
    Control {
        id: Id::IndexOfRefraction,
        name: c"indexOfRefraction",
        label: c"Index of refraction",
        hint: c"How strongly the surface bends and reflects light: 1 not at all, 1.333 water, 1.5 glass (Shaded, Refraction \
               map, Displacement, Caustics).",
        kind: double(1.333, [1.0, 3.0], [1.0, 2.0]),
        ..PICTURE
    },
    Control {
        id: Id::WaterColour,
        name: c"waterColour",
        label: c"Water colour",
        hint: c"Colour of deep water; shallow water lets through what it does not absorb. The water's own colour, where it \
               carries one, takes its place (Shaded).",
        kind: Kind::Colour { default: [0.01, 0.08, 0.1] },
        ..PICTURE
    },
    Control {
        id: Id::Density,
        name: c"density",
        label: c"Density",
        hint: c"How fast depth hides the bed, per height of 1: 0 is clear, 20 is milky (Shaded).",
        kind: double(3.0, [0.0, 10_000.0], [0.0, 20.0]),
        ..PICTURE
    },
    Control {
        id: Id::AlphaMode,
        name: c"alphaMode",
        label: c"Alpha mode",
        hint: c"Over bed: the ground is part of the picture, which is opaque. Water only: premultiplied water to merge over \
               a plate, alpha from what it absorbs and reflects (Shaded).",
        kind: choice(&[c"Over bed", c"Water only"], 0),
        ..PICTURE
    },
    Control {
        id: Id::GroundColour,
        name: c"groundColour",
        label: c"Ground colour",
        hint: c"Colour of the ground in white light (Shaded, Over bed).",
        kind: Kind::Colour { default: [0.2, 0.165, 0.115] },
        ..PICTURE
    },
    Control {
        id: Id::SkyColour,
        name: c"skyColour",
        label: c"Sky colour",
        hint: c"The sky overhead: reflected by water that lies flat, and half of the light in the shade (Shaded).",
        kind: Kind::Colour { default: [0.16, 0.28, 0.48] },
        ..PICTURE
    },
    Control {
        id: Id::HorizonColour,
        name: c"horizonColour",
        label: c"Horizon colour",
        hint: c"The sky at the horizon: reflected by steep waves, and half of the light in the shade (Shaded).",
        kind: Kind::Colour { default: [0.6, 0.66, 0.72] },
        ..PICTURE
    },
    Control {
        id: Id::LightDirection,
        name: c"lightDirection",
        label: c"Light direction",
        hint: c"Where the light comes from, in degrees counter-clockwise from the right (Shaded, Caustics).",
        kind: double(125.0, [-36_000.0, 36_000.0], [-180.0, 180.0]),
        ..PICTURE
    },
    Control {
        id: Id::LightElevation,
        name: c"lightElevation",
        label: c"Light elevation",
        hint: c"How far the light stands above the picture, in degrees: 0 from the side, 90 from the camera (Shaded, \
               Caustics).",
        kind: double(40.0, [0.0, 90.0], [0.0, 90.0]),
        ..PICTURE
    },
    Control {
        id: Id::LightColour,
        name: c"lightColour",
        label: c"Light colour",
        hint: c"Colour and brightness of the light, also of its highlights (Shaded).",
        kind: Kind::Colour { default: [1.4, 1.28, 1.1] },
        ..PICTURE
    },
    Control {
        id: Id::Roughness,
        name: c"roughness",
        label: c"Roughness",
        hint: c"Width of the light's highlights: 0.05 sharp and bright, 1 a soft sheen (Shaded).",
        kind: double(0.25, [0.05, 1.0], [0.05, 1.0]),
        ..PICTURE
    },
    Control {
        id: Id::Caustics,
        name: c"caustics",
        label: c"Caustics",
        hint: c"How strongly the light that waves gather shows on the bed: 0 lights it evenly, 1 is as in nature, more \
               draws the lines harder (Shaded, Over bed).",
        kind: double(1.0, [0.0, 100.0], [0.0, 4.0]),
        ..PICTURE
    },
    Control {
        id: Id::ReflectionDistance,
        name: c"reflectionDistance",
        label: c"Reflection distance",
        hint: c"Full-resolution pixels from the water up to the Reflection input. More makes waves break the reflection up \
               further (Shaded).",
        kind: double(200.0, [0.0, 1_000_000.0], [0.0, 2000.0]),
        ..PICTURE
    },
    shared(Shared::CacheFolder, Id::CacheFolder),
    shared(Shared::CacheName, Id::CacheName).hint(
        c"Name of this shot's or node's folder in the cache folder. Empty: the node's name, where the host tells it, \
               else flow.",
    ),
    shared(Shared::CacheMode, Id::CacheMode),
    shared(Shared::CacheEvery, Id::CacheEvery),
    shared(Shared::CacheSize, Id::CacheSize),
    shared(Shared::CacheBusy, Id::CacheBusy),
    shared(Shared::Bake, Id::Bake),
    shared(Shared::ClearDisk, Id::ClearDisk),
    shared(Shared::Device, Id::Device).hint(
        c"What simulates. Auto: the GPU where there is one, else the CPU. GPU: any graphics device, even one in \
               software; where none works, the CPU goes on and a message says so. The pixels are the same.",
    ),
    shared(Shared::MemoryBudget, Id::MemoryBudget),
    shared(Shared::MissingFrames, Id::MissingFrames),
    shared(Shared::DeclareFrames, Id::DeclareFrames),
    shared(Shared::Refresh, Id::Refresh),
    shared(Shared::Info, Id::Info),
    shared(Shared::SimDigest, Id::SimDigest),
    shared(Shared::PositionsSet, Id::PositionsSet),
];
