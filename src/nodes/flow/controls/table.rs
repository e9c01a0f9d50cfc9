//! The table: every parameter with its label, hint, kind, default and range, in the order of the panel.

use std::ffi::CStr;

use super::Id;
use crate::nodes::controls::{Control, Kind, Reach};

const SIMULATION: Control<Id> = Control {
    id: Id::Model,
    name: c"",
    label: c"",
    hint: c"",
    group: c"simulation",
    kind: Kind::Button,
    animates: true,
    reach: Reach::Simulation,
};
const SOURCE: Control<Id> = Control { group: c"source", ..SIMULATION };
const TERRAIN: Control<Id> = Control { group: c"terrain", ..SIMULATION };
const FORCES: Control<Id> = Control { group: c"forces", ..SIMULATION };
const CACHE: Control<Id> = Control { group: c"cache", animates: false, reach: Reach::Work, ..SIMULATION };
const SYSTEM: Control<Id> = Control { group: c"system", animates: false, reach: Reach::Work, ..SIMULATION };

const fn choice(options: &'static [&'static CStr], default: i32) -> Kind {
    Kind::Choice { options, default }
}

const fn int(default: i32, range: [i32; 2], display: [i32; 2]) -> Kind {
    Kind::Int { default, range, display }
}

const fn double(default: f64, range: [f64; 2], display: [f64; 2]) -> Kind {
    Kind::Double { default, range, display }
}

/// Labels of `sourceChannel`.
const SOURCE_CHANNELS: &[&CStr] = &[c"Alpha", c"Luminance", c"Red", c"Green", c"Blue"];
/// Labels of `terrainChannel`.
const TERRAIN_CHANNELS: &[&CStr] = &[c"Luminance", c"Red", c"Green", c"Blue", c"Alpha"];

/// The table, in the order of the panel and of [`Id`].
pub const CONTROLS: &[Control<Id>] = &[
    Control {
        id: Id::Model,
        name: c"model",
        label: c"Model",
        hint: c"Pipes: waves of a set speed, round ripples, no grid in the surface. Classic pipes: the look of the \
               original Flow tool, whose speed is a flow rate per step.",
        kind: choice(&[c"Pipes", c"Classic pipes"], 0),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::StartFrame,
        name: c"startFrame",
        label: c"Start frame",
        hint: c"First frame of the simulation. Frames before it show the water as it is at the start.",
        kind: int(1, [-1_000_000, 1_000_000], [0, 200]),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::Preroll,
        name: c"preroll",
        label: c"Pre-roll",
        hint:
            c"Frames simulated before the start frame, with parameters and inputs held at the start frame: the water \
               has already settled when the shot begins.",
        kind: int(0, [0, 100_000], [0, 100]),
        animates: false,
        ..SIMULATION
    },
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
        id: Id::Substeps,
        name: c"substeps",
        label: c"Sub-steps",
        hint: c"Least number of simulation steps per frame. Pipes takes more by itself where the speed needs it; \
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
    Control {
        id: Id::Resolution,
        name: c"resolution",
        label: c"Resolution",
        hint:
            c"Grid cells per full-resolution pixel, in percent. 50 simulates a quarter of the cells: faster, softer, \
               the same speed and size of waves.",
        kind: double(100.0, [1.0, 400.0], [10.0, 100.0]),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::Proxy,
        name: c"proxy",
        label: c"Proxy",
        hint:
            c"What a render in proxy simulates. Scaled grid: a smaller grid, fast, with the same look. Full grid: the \
               grid of the final render, from the proxy's inputs.",
        kind: choice(&[c"Scaled grid", c"Full grid"], 0),
        animates: false,
        ..SIMULATION
    },
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
               upper right, lower right and lower left. The result is unpremultiplied.",
        group: c"picture",
        kind: choice(&[c"Water", c"Height", c"Cross", c"Diagonal"], 0),
        reach: Reach::Picture,
        ..SIMULATION
    },
    Control {
        id: Id::CacheFolder,
        name: c"cacheFolder",
        label: c"Cache folder",
        hint: c"Where simulated frames are kept as EXR, so that they need not be simulated again: tomorrow, by a Read node, \
               by every machine of a farm that sees the folder. Empty: nowhere. %{NAME} stands for an environment \
               variable, %% for a percent sign.",
        kind: Kind::Folder,
        ..CACHE
    },
    Control {
        id: Id::CacheName,
        name: c"cacheName",
        label: c"Cache name",
        hint: c"Name of this shot's or node's folder in the cache folder. Empty: the node's name, where the host tells it, \
               else flow.",
        kind: Kind::Text,
        ..CACHE
    },
    Control {
        id: Id::CacheMode,
        name: c"cacheMode",
        label: c"Cache mode",
        hint: c"Off: the folder is left alone. Read and write: frames found there are used, others are simulated and \
               written. Read only: nothing is written.",
        kind: choice(&[c"Off", c"Read and write", c"Read only"], 1),
        ..CACHE
    },
    Control {
        id: Id::CacheEvery,
        name: c"cacheEvery",
        label: c"Cache every",
        hint: c"Every n-th frame is written, counted from the first. The frames between are simulated from the last one \
               that was written.",
        kind: int(1, [1, 100_000], [1, 50]),
        ..CACHE
    },
    Control {
        id: Id::CacheSize,
        name: c"cacheSize",
        label: c"Cache size",
        hint: c"Most that this shot's folder may hold, in GB: beyond it, the frames that were used longest ago are removed. \
               0: no limit.",
        kind: int(0, [0, 1_000_000], [0, 1000]),
        ..CACHE
    },
    Control {
        id: Id::CacheBusy,
        name: c"cacheBusy",
        label: c"When the disk is slow",
        hint: c"Frames are written behind the rendering. Where the disk falls back by more than a few frames, Wait slows \
               the rendering down; Leave out frames does not write all of them.",
        kind: choice(&[c"Wait", c"Leave out frames"], 0),
        ..CACHE
    },
    Control {
        id: Id::Bake,
        name: c"bake",
        label: c"Bake",
        hint: c"Simulates all frames from the Start frame to the end of the timeline into the cache folder.",
        kind: Kind::Button,
        ..CACHE
    },
    Control {
        id: Id::ClearDisk,
        name: c"clearDisk",
        label: c"Clear disk",
        hint: c"Removes the frames of this shot's folder from disk, and nothing else. Memory is kept.",
        kind: Kind::Button,
        ..CACHE
    },
    Control {
        id: Id::Device,
        name: c"device",
        label: c"Device",
        hint: c"What simulates. Auto: the GPU where there is one, else the CPU. GPU: any graphics device, even one in \
               software; where none works, the CPU goes on and a message says so. The pixels are the same.",
        kind: choice(&[c"Auto", c"GPU", c"CPU"], 0),
        ..SYSTEM
    },
    Control {
        id: Id::MemoryBudget,
        name: c"memoryBudget",
        label: c"Memory budget",
        hint:
            c"Memory for simulated frames in MB, shared by all Flow nodes of this process; the largest wish holds. 0: \
               no wish; where no node has one, a quarter of the machine's memory.",
        kind: int(0, [0, 16_777_216], [0, 65_536]),
        ..SYSTEM
    },
    Control {
        id: Id::MissingFrames,
        name: c"missingFrames",
        label: c"Missing frames",
        hint: c"What an input frame that the host can't give becomes. Transparent: nothing. Hold: the last one before \
               it, back to the start frame, that there is; else nothing. Fail: an error that names it.",
        kind: choice(&[c"Transparent", c"Hold", c"Fail"], 0),
        reach: Reach::Simulation,
        ..SYSTEM
    },
    Control {
        id: Id::DeclareFrames,
        name: c"declareFrames",
        label: c"Declare frames",
        hint:
            c"Which input frames the host is told of. Current: the frame itself; earlier ones are fetched as needed. \
               Whole range: all from the start frame on, for hosts that give no others; heavy on long shots.",
        kind: choice(&[c"Current", c"Whole range"], 0),
        ..SYSTEM
    },
    Control {
        id: Id::Refresh,
        name: c"refresh",
        label: c"Refresh",
        hint: c"Forgets what was read from the inputs. For hosts that did not notice that an input changed at an \
               earlier frame.",
        kind: Kind::Button,
        ..SYSTEM
    },
    Control {
        id: Id::Info,
        name: c"info",
        label: c"Info",
        hint: c"What the last render did.",
        kind: Kind::Notice,
        ..SYSTEM
    },
    Control {
        id: Id::SimDigest,
        name: c"simDigest",
        label: c"Simulation digest",
        hint: c"Tells hosts that look at one frame alone that an earlier frame's keys have changed.",
        kind: Kind::Hidden,
        ..SYSTEM
    },
    Control {
        id: Id::PositionsSet,
        name: c"positionsSet",
        label: c"Positions set",
        hint: c"Whether default positions have been moved to the middle of the frame, in hosts that can't do it.",
        kind: Kind::Hidden,
        ..SYSTEM
    },
];
