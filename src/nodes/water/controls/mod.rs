//! Parameters of the Flow node: one row for each, with its script name, label, kind, default, range, hint, and the
//! conditions under which it has an effect. `emitters` has the rows of the emitters.

mod emitters;

use std::ffi::CStr;

use super::presets::presets;
use crate::nodes::common::controls::PresetTable;
use crate::nodes::common::controls::{
    self, Condition, Control, Controls, Group, Invalidates, Kind, choice, colour, double, int, join, parameters,
    place_by_ordinal, position, switch, vector,
};
use crate::nodes::common::shared::{CACHE_GROUP, SIMULATION_GROUP, SYSTEM_GROUP, Shared, shared};
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::sim::water::settings::EMITTERS;
use Condition::{Holds, NoneOf, On, OneOf, Positive};
pub use emitters::EmitterField;

/// Options of `model`.
mod model {
    pub const PIPES: i32 = 0;
    pub const CLASSIC: i32 = 1;
    pub const SHALLOW_WATER: i32 = 2;
    pub const RIPPLES: i32 = 3;
}

/// Options of `edges`, and of a side.
const WRAP: i32 = 2;
const ABSORB: i32 = 3;

/// Options of `rainMode`.
const DROPS: i32 = 0;
const MEAN_HEIGHT: i32 = 1;

/// Options of `output`.
mod output {
    pub const SHADED: i32 = 4;
    pub const NORMALS: i32 = 5;
    pub const REFRACTION_MAP: i32 = 8;
    pub const DISPLACEMENT: i32 = 9;
    pub const CAUSTICS: i32 = 10;
}
use output::{CAUSTICS, DISPLACEMENT, NORMALS, REFRACTION_MAP, SHADED};

const MAIN: Control<Id> = controls::blank(Id::Model, c"simulation");
const WAVES: Control<Id> = controls::blank(Id::TimeScale, c"waves");
const CLASSIC_PIPES: Control<Id> = WAVES.when(OneOf(Id::Model, &[model::CLASSIC]));
const SHALLOW_WATER: Control<Id> = WAVES.when(OneOf(Id::Model, &[model::SHALLOW_WATER]));
const RIPPLES: Control<Id> = WAVES.when(OneOf(Id::Model, &[model::RIPPLES]));
const BORDERS: Control<Id> = controls::blank(Id::Edges, c"borders");
const SIDE: Control<Id> = BORDERS.constant().when(NoneOf(Id::Edges, &[WRAP]));
const AS_EDGES: Kind = choice(&[c"As Edges", c"Closed", c"Open", c"Absorb"], 0);
const EMISSION: Control<Id> = controls::blank(Id::EmitterCount, emitters::GROUP);
const ADVANCED: Control<Id> = controls::blank(Id::Substeps, SYSTEM_GROUP.name);
const SOURCE: Control<Id> = controls::blank(Id::SourceMode, c"source");
const DRAIN: Control<Id> = SOURCE.when(On(Id::Drain));
const TERRAIN: Control<Id> = controls::blank(Id::UseTerrain, c"terrain");
const FORCES: Control<Id> = controls::blank(Id::Push, c"forces");
const TRACES: Control<Id> = controls::blank(Id::Foam, c"traces");
const FOAM: Control<Id> = TRACES.when(On(Id::Foam));
const PICTURE: Control<Id> = controls::blank(Id::Relief, c"picture").invalidates(Invalidates::Picture);
const SHADING: Control<Id> = PICTURE.when(OneOf(Id::Output, &[SHADED]));
const DETAIL: Control<Id> = TRACES.invalidates(Invalidates::Picture).when(On(Id::Detail));
const SUN: Control<Id> = controls::blank(Id::LightDirection, c"light").invalidates(Invalidates::Picture);
const LIGHT: Control<Id> = SUN.when(OneOf(Id::Output, &[SHADED, CAUSTICS]));
const SKY: Control<Id> = SUN.when(OneOf(Id::Output, &[SHADED]));

/// A control that all nodes have.
const fn common(which: Shared) -> Control<Id> {
    shared(which, Id::Shared(which))
}

parameters! {

family Emitter(EmitterField) times EMITTERS;

/// Groups before the emitters.
FIRST_ROWS {
    Preset = MAIN.of(c"preset", c"Preset", choice(&[
        c"Custom", c"River", c"Flood", c"Ripples", c"Pond in rain", c"Street puddle", c"Shore", c"Puddle drying"
    ], 0)).constant().invalidates(Invalidates::Nothing).hint(
        c"A scene to begin with, which needs no input: sets its parameters, as one edit that Undo takes back. A Terrain \
          takes the place of its ground.\n\
          River: a mountain stream among boulders, from the left.\n\
          Flood: brown water that breaks in from the left with a steep front.\n\
          Ripples: single drops on a clear pool over pebbles, trains of rings that cross.\n\
          Pond in rain: steady rain on a dark pond before trees.\n\
          Street puddle: rain on asphalt that stands in its hollows and shows the houses.\n\
          Shore: swell that breaks on a beach, and runs up the sand and back.\n\
          Puddle drying: a puddle that draws back from its edges until the ground is dry.");
    Output = MAIN.invalidates(Invalidates::Picture).of(c"output", c"Output", choice(&[
        c"Water", c"Height", c"Cross", c"Diagonal", c"Beauty", c"Normals", c"Velocity", c"Motion vectors",
        c"Refraction map", c"Displacement", c"Caustics", c"Foam", c"Wetness"
    ], SHADED)).hint(
        c"Water: RGB the water's colour, A its height. Height: R water, G surface (water and terrain), B terrain, A \
          wet. Cross: flow per frame to the left, up, right and down. Diagonal: flow per frame to the upper left, \
          upper right, lower right and lower left. Beauty: water in light, premultiplied. Normals: x, y, z from -1 to \
          1, A wet. Velocity: pixels per frame in RG. Motion vectors: forward in RG, backward in BA, pixels. \
          Refraction map: for STMap, what the bed shows. Displacement: the same as an offset in pixels, B the water's \
          height. Caustics: the light on the bed, 1 below still water and on dry ground, A wet. Foam, Wetness: 0 to 1 \
          in all channels, where the simulation makes them. All but Beauty are unpremultiplied data.");
    Model = MAIN.of(c"model", c"Model", choice(&[
        c"Puddles and ponds", c"Legacy pipes", c"Rivers and floods", c"Ripples"
    ], 0))
        .constant().hint(
        c"Puddles and ponds: waves of a set speed, round ripples, no grid in the surface. Legacy pipes: the look of the original \
          Flow tool, whose speed is a flow rate per step. Rivers and floods: deep water is faster, waves steepen and break \
          into bores, rivers run and drag. Ripples: a level surface on which the speed of a wave depends on its length, so \
          that a drop makes a train of rings and a boat a wake; without terrain, colour and evaporation.");
    = common(Shared::StartFrame).hint(
        c"First frame of the simulation. Frames before it show the water as it is at the start. A shot that begins at \
          1001 begins here, too: from 1 on, 1000 frames would be simulated that nobody sees.");
    = common(Shared::StartHere);
    = common(Shared::Preroll).hint(
        c"Frames simulated before the start frame, with parameters and inputs held at the start frame: the water has \
          already settled when the shot begins.");
    = common(Shared::Resolution).hint(
        c"Grid cells per full-resolution pixel, in percent. 50 simulates a quarter of the cells: faster, softer, the \
          same speed and size of waves.");
    WaterLevel = MAIN.of(c"waterLevel", c"Water level", double(0.0, [0.0, 65_536.0], [0.0, 2.0])).hint(
        c"Level of clear water that is there at the start frame: a pond without a Source. Ground above it is an island; \
          sources add to it. In Ripples, the height of the water at rest; 0 counts as 1.");
    Ground = MAIN.of(c"ground", c"Ground", choice(&[
        c"Flat", c"Pebbles", c"River bed", c"Meadow", c"Street", c"Beach"
    ], 0)).constant().hint(
        c"Built-in ground, where no Terrain is connected. River bed: a valley with banks and boulders that falls to the \
          right. Meadow: soil, grass and stones. Street: asphalt with shallow hollows. Beach: sand that falls to the \
          lower edge. Pebbles: flat, with a texture, for Ripples too. Terrain height and Terrain offset apply.");
    RainDrops = MAIN.of(c"rainDrops", c"Drops per frame", double(0.0, [0.0, 100_000.0], [0.0, 20.0]))
        .when(OneOf(Id::RainMode, &[DROPS])).hint(
        c"Drops that fall per frame, all over the frame. Each splashes over three frames and has a size of its own.");
    Speed = MAIN.of(c"speed", c"Speed", double(4.0, [0.0, 10_000.0], [0.0, 20.0]))
        .when(OneOf(Id::Model, &[model::PIPES, model::RIPPLES])).hint(
        c"Speed of the waves in full-resolution pixels per frame (Puddles and ponds; Ripples: of waves of Ripple length). Higher is faster water and more steps per \
          frame; nothing is retimed. Below about 0.04 pixels per step water no longer levels out.");
    Gravity = MAIN.when(OneOf(Id::Model, &[model::SHALLOW_WATER])).of(c"gravity", c"Gravity", double(60.0, [0.0, 100_000.0], [0.0, 200.0])).hint(
        c"How hard slopes pull (Rivers and floods): the acceleration, in full-resolution pixels per frame and frame, where \
          a height of 1 is lost per pixel. Waves run at the square root of gravity times depth, pixels per frame. \
          Higher is faster water and more steps per frame.");
    TimeScale = WAVES.of(c"timeScale", c"Time scale", double(1.0, [0.0, 1000.0], [0.0, 4.0]))
        .when(NoneOf(Id::Model, &[model::CLASSIC])).hint(
        c"Simulated time per frame: 0.5 is slow motion, 0 holds the water still.");
    Damping = WAVES.of(c"damping", c"Damping", double(0.02, [0.0, 1.0], [0.0, 0.2])).hint(
        c"Share of the flow lost per frame. 0 ripples for ever, 0.1 is thick, 1 stops at once.");
    Smoothing = WAVES.of(c"smoothing", c"Smoothing", double(0.1, [0.0, 0.5], [0.0, 0.5]))
        .when(OneOf(Id::Model, &[model::PIPES, model::SHALLOW_WATER])).hint(
        c"Viscosity of the finest ripples, two to four pixels long (Puddles and ponds), or of water that piles up in a bore (Rivers \
          and floods). Long waves are left alone; 0 shows grid noise behind fast fronts.");
    Friction = SHALLOW_WATER.of(c"friction", c"Friction", double(0.0005, [0.0, 1000.0], [0.0, 0.01])).hint(
        c"Drag of the bed (Rivers and floods), in height per full-resolution pixel: a frame takes friction times speed \
          squared over depth. Thin water is slowed most: more makes films creep and rivers settle; 0 lets water slide \
          for ever.");
    RippleLength = RIPPLES.of(c"rippleLength", c"Ripple length", double(60.0, [1.0, 1_000_000.0], [4.0, 200.0])).hint(
        c"Length of the waves that have the Speed, in full-resolution pixels (Ripples). Waves four times as long are \
          twice as fast.");
    SlowestRipple = RIPPLES.of(c"slowestRipple", c"Slowest ripple", double(6.0, [0.0, 1_000_000.0], [0.0, 17.0])).hint(
        c"Length of the slowest waves, in full-resolution pixels (Ripples): surface tension makes shorter ones faster, \
          so that they run ahead. 0 is without surface tension; 17 grid cells are the most.");
    RippleDepth = RIPPLES.of(c"rippleDepth", c"Depth", double(0.0, [0.0, 1_000_000.0], [0.0, 100.0])).hint(
        c"Depth of the water in full-resolution pixels (Ripples), which slows waves that are longer than about twice \
          the depth. 0 is water without a bottom.");
    RippleSmoothing = RIPPLES.of(c"rippleSmoothing", c"Ripple smoothing", double(0.02, [0.0, 0.5], [0.0, 0.2])).hint(
        c"Viscosity of the finest ripples, two to four pixels long (Ripples). Long waves are left alone.");
    FlowRate = CLASSIC_PIPES.of(c"flowRate", c"Flow rate", double(0.1, [0.0, 1.0], [0.0, 0.2])).hint(
        c"Share of a height difference that a pipe turns into flow in one step (Legacy pipes). Above about 0.16 the \
          surface breaks up.");
    Edges = BORDERS.of(c"edges", c"Edges", choice(&[c"Closed", c"Open", c"Wrap", c"Absorb"], 0)).constant().hint(
        c"What the frame's border does to water. Closed: a wall. Open: water runs off. Wrap: what leaves on one side \
          enters on the other. Absorb: a wall that swallows waves, as if the water went on.");
    EdgeLeft = SIDE.of(c"edgeLeft", c"Left edge", AS_EDGES).hint(c"The left side, where it is not like the others.");
    EdgeRight = SIDE.of(c"edgeRight", c"Right edge", AS_EDGES).hint(
        c"The right side, where it is not like the others.");
    EdgeTop = SIDE.of(c"edgeTop", c"Top edge", AS_EDGES).hint(c"The upper side, where it is not like the others.");
    EdgeBottom = SIDE.of(c"edgeBottom", c"Bottom edge", AS_EDGES).hint(
        c"The lower side, where it is not like the others.");
    AbsorbWidth = BORDERS.of(c"absorbWidth", c"Absorb width", double(100.0, [0.0, 1_000_000.0], [0.0, 500.0]))
        .when(Holds(absorbs)).hint(
        c"Width of the border that swallows waves, in full-resolution pixels (Absorb). Waves up to half as long again \
          come back with less than a fiftieth of their height; longer ones need a wider border.");
    = common(Shared::Extent).in_group(BORDERS.group);
    SourceMode = SOURCE.of(c"sourceMode", c"Source mode", choice(&[
        c"Start frame", c"Add", c"Replace", c"Fill up"
    ], 0)).hint(
        c"Start frame: the Source is the water at the start. Add: its height flows in over every frame. Replace: water \
          is set where the Source is above 0. Fill up: water is raised to the Source, never lowered.");
    SourceChannel = SOURCE.of(c"sourceChannel", c"Source channel", choice(&[
        c"Alpha", c"Luminance", c"Red", c"Green", c"Blue"
    ], 0)).hint(
        c"Channel of the Source that is its height. The water's colour is the Source's RGB.");
    SourceHeight = SOURCE.of(c"sourceHeight", c"Source height", double(1.0, [0.0, 1_000_000.0], [0.0, 4.0])).hint(
        c"Height of water for a Source value of 1.");
    RainMode = SOURCE.of(c"rainMode", c"Rain mode", choice(&[c"Drops", c"Mean height"], 0)).hint(
        c"Drops: so many drops fall per frame. Mean height: so much rain falls per frame, in as many drops as it takes.");
    Rain = SOURCE.of(c"rain", c"Rain", double(0.0, [0.0, 10_000.0], [0.0, 0.02]))
        .when(OneOf(Id::RainMode, &[MEAN_HEIGHT])).hint(
        c"Mean height of rain that falls per frame. 0.001 is steady rain, 0.01 a downpour.");
    RainSize = SOURCE.of(c"rainSize", c"Drop size", double(3.0, [0.0, 10_000.0], [0.0, 20.0])).hint(
        c"Radius of a drop in full-resolution pixels; drops have 0.6 to 1.6 times it.");
    RainStrength = SOURCE.of(c"rainStrength", c"Drop strength", double(0.15, [0.0, 10_000.0], [0.0, 1.0])).hint(
        c"Height of a drop of the set size at its centre. In Ripples, the depth of its crater. At one mean height, \
          stronger drops are fewer.");
    Seed = SOURCE.of(c"seed", c"Seed", int(0, [i32::MIN, i32::MAX], [0, 100])).hint(
        c"Another number, another pattern of drops.");
    Evaporation = SOURCE.of(c"evaporation", c"Evaporation", double(0.0, [0.0, 10_000.0], [0.0, 0.05]))
        .when(NoneOf(Id::Model, &[model::RIPPLES])).hint(
        c"Height of water lost everywhere per frame. Its colour stays behind.");
    Drain = SOURCE.of(c"drain", c"Drain", switch(false)).hint(
        c"A hole that takes water away, with its colour.");
    DrainCentre = DRAIN.of(c"drainCentre", c"Drain centre", position([0.5, 0.25])).hint(
        c"Where the drain is, in full-resolution pixels. Moving it, it takes water along its way.");
    DrainRadius = DRAIN.of(c"drainRadius", c"Drain radius", double(30.0, [0.0, 100_000.0], [0.0, 500.0])).hint(
        c"Radius of the drain in full-resolution pixels.");
    DrainRate = DRAIN.of(c"drainRate", c"Drain rate", double(0.1, [0.0, 10_000.0], [0.0, 1.0])).hint(
        c"Height of water that the drain takes per frame, as far as there is any. The inflow towards the drain gives its pull.");
    EmitterCount = EMISSION.of(c"emitterCount", c"Emitters", int(1, [1, EMITTERS as i32], [1, EMITTERS as i32])).constant().hint(
        c"Number of emitters: those beyond it are hidden, and off.");
}

/// Groups after the emitters.
LAST_ROWS {
    UseTerrain = TERRAIN.of(c"useTerrain", c"Use terrain", switch(true))
        .when(NoneOf(Id::Model, &[model::RIPPLES])).hint(
        c"Off: the ground is flat, whatever is connected to Terrain.");
    TerrainChannel = TERRAIN.of(c"terrainChannel", c"Terrain channel", choice(&[
        c"Luminance", c"Red", c"Green", c"Blue", c"Alpha"
    ], 0)).hint(
        c"Channel of the Terrain that is the height of the ground.");
    TerrainHeight = TERRAIN.of(c"terrainHeight", c"Terrain height",
        double(1.0, [-1_000_000.0, 1_000_000.0], [0.0, 4.0])).hint(
        c"Height of the ground for a Terrain value of 1. Animated ground moves the water on it.");
    TerrainOffset = TERRAIN.of(c"terrainOffset", c"Terrain offset",
        double(0.0, [-1_000_000.0, 1_000_000.0], [-1.0, 1.0])).hint(
        c"Height added to the ground.");
    TerrainInvert = TERRAIN.of(c"terrainInvert", c"Invert terrain", switch(false)).hint(
        c"Dark is high: the ground's value v is taken as 1 - v.");
    Push = FORCES.of(c"push", c"Push", vector(0.0, [-1_000_000.0, 1_000_000.0], [-0.05, 0.05])).hint(
        c"A push over the whole frame, as a slope in height per full-resolution pixel: wind, or a table that is \
          tilted. Positive x pushes to the right, positive y upward.");
    ForceScale = FORCES.of(c"forceScale", c"Force scale", double(1.0, [-1_000_000.0, 1_000_000.0], [-2.0, 2.0])).hint(
        c"Multiplies red and green of the Force input: a push as a slope in height per full-resolution pixel.");
    PressureScale = FORCES.of(c"pressureScale", c"Pressure scale",
        double(1.0, [-1_000_000.0, 1_000_000.0], [-2.0, 2.0])).hint(
        c"Multiplies blue of the Force input: a pressure on the water, in height.");
    GoalStrength = FORCES.of(c"goalStrength", c"Guide strength", double(0.0, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Share of the way that the water's velocity comes towards its goal in a frame: 0 leaves it alone, 0.1 steers, \
          1 sets it. The goal is Goal velocity, and red and green of the Goal input.");
    GoalVelocity = FORCES.of(c"goalVelocity", c"Guide velocity",
        vector(0.0, [-1_000_000.0, 1_000_000.0], [-10.0, 10.0])).when(Positive(Id::GoalStrength)).hint(
        c"Velocity that the water is drawn to everywhere, in full-resolution pixels per frame. The Goal input's is \
          added.");
    ObstacleDrag = FORCES.of(c"obstacleDrag", c"Obstacle drag", double(0.5, [0.0, 1.0], [0.0, 1.0])).hint(
        c"How much an obstacle that moves takes the water beside it along: 0 not at all, 1 as fast as itself. Whatever \
          it is, water that it comes to is pushed ahead.");
    Foam = TRACES.of(c"foam", c"Foam", switch(false)).hint(
        c"Makes foam where the surface is steep, where water comes together and where it hits obstacles, and carries \
          it with the water. Shown by Beauty and the output Foam.");
    FoamAmount = FOAM.of(c"foamAmount", c"Foam amount", double(0.15, [0.0, 1_000_000.0], [0.0, 1.0])).hint(
        c"Foam where everything makes it: about the share of the surface that foams over per frame. A breaking front leaves \
          four times as much. More is whiter, sooner.");
    FoamSteepness = FOAM.of(c"foamSteepness", c"Foam steepness", double(0.05, [0.0, 1_000_000.0], [0.0, 0.2])).hint(
        c"Slope of the surface, in height per full-resolution pixel, from which on it foams. Less lets smaller waves \
          foam.");
    FoamLife = FOAM.of(c"foamLife", c"Foam life", double(10.0, [0.001, 1_000_000.0], [1.0, 100.0])).hint(
        c"Frames in which half of the foam goes.");
    ShoreFoam = FOAM.of(c"shoreFoam", c"Shore foam", double(0.3, [0.0, 1.0], [0.0, 1.0])).hint(
        c"How much foam there is along the edge of dry ground, where the water moves: 0 none, 1 a white line.");
    Detail = TRACES.of(c"detail", c"Surface detail", switch(false)).hint(
        c"Carries texture coordinates with the water, for fine ripples and foam that move with it in Beauty. Foam carries \
          them, too.");
    DetailStrength = DETAIL.of(c"detailStrength", c"Detail strength", double(0.25, [0.0, 100.0], [0.0, 1.0])).hint(
        c"Slope of the fine waves on fast water. Still water has none (Beauty, Normals, Refraction map, Displacement, \
          Caustics).");
    DetailSize = DETAIL.of(c"detailSize", c"Detail size", double(1.0, [0.01, 100.0], [0.1, 4.0])).hint(
        c"Size of the fine waves, and of the holes in the foam: at 1 waves of about a thirtieth of the frame's height.");
    Wetness = TRACES.of(c"wetness", c"Wetness", switch(false)).hint(
        c"Remembers where water was, or rain fell. Shown by Beauty, as dark ground with a sheen, and by the output Wetness.");
    DryFrames = TRACES.of(c"dryFrames", c"Dry frames", double(100.0, [0.001, 1_000_000.0], [1.0, 500.0]))
        .when(On(Id::Wetness)).hint(
        c"Frames in which wet ground dries once the water has gone.");
    Relief = PICTURE.of(c"relief", c"Height scale", double(140.0, [0.0, 1_000_000.0], [0.0, 500.0]))
        .when(OneOf(Id::Output, &[SHADED, NORMALS, REFRACTION_MAP, DISPLACEMENT, CAUSTICS])).hint(
        c"Full-resolution pixels that a height of 1 stands for. More makes waves steeper, refraction and caustics \
          stronger (Beauty, Normals, Refraction map, Displacement, Caustics).");
    WaterColour = SHADING.of(c"waterColour", c"Water colour", colour([0.01, 0.08, 0.1])).hint(
        c"Colour of deep water; shallow water lets through what it does not absorb. The water's own colour, where it \
          carries one, takes its place (Beauty).");
    Clarity = SHADING.of(c"clarity", c"Clarity", double(0.25, [0.000_1, 10_000.0], [0.01, 2.0])).hint(
        c"Height of water through which a third of the light gets: more shows deeper ground (Beauty).");
    Murkiness = SHADING.of(c"murkiness", c"Murkiness", double(0.35, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Share of the lost light that the water scatters: 0 is clear and dark where it is deep, 1 is milk or mud in the \
          Water colour (Beauty).");
    IndexOfRefraction = PICTURE.of(c"indexOfRefraction", c"Index of refraction", double(1.333, [1.0, 3.0], [1.0, 2.0]))
        .when(OneOf(Id::Output, &[SHADED, REFRACTION_MAP, DISPLACEMENT, CAUSTICS])).hint(
        c"How strongly the surface bends and reflects light: 1 not at all, 1.333 water, 1.5 glass (Beauty, Refraction \
          map, Displacement, Caustics).");
    Roughness = SHADING.of(c"roughness", c"Roughness", double(0.2, [0.05, 1.0], [0.05, 1.0])).hint(
        c"Width of the light's highlights: 0.05 sharp and bright, 1 a soft sheen (Beauty).");
    Caustics = SHADING.of(c"caustics", c"Caustics", double(1.0, [0.0, 100.0], [0.0, 4.0])).hint(
        c"How strongly the light that waves gather shows on the bed: 0 lights it evenly, 1 is as in nature, more draws \
          the lines harder (Beauty, Over bed).");
    GroundColour = SHADING.of(c"groundColour", c"Ground colour", colour([0.2, 0.165, 0.115])).hint(
        c"Colour of the ground in white light (Beauty, Over bed).");
    WetDarkening = SHADING.of(c"wetDarkening", c"Wet darkening", double(0.45, [0.0, 1.0], [0.0, 1.0])).hint(
        c"How much darker wet ground is: 0 as if dry, 0.45 sand, 0.7 asphalt (Beauty, Over bed, with Wetness on).");
    FoamColour = SHADING.of(c"foamColour", c"Foam colour", colour([0.75, 0.78, 0.8])).hint(
        c"Colour of foam in white light (Beauty, with Foam on).");
    AlphaMode = SHADING.of(c"alphaMode", c"Alpha mode", choice(&[c"Over bed", c"Water only"], 0)).hint(
        c"Over bed: the ground is part of the picture, which is opaque. Water only: premultiplied water to merge over \
          a plate, alpha from what it absorbs and reflects (Beauty).");
    LightDirection = LIGHT.of(c"lightDirection", c"Light direction",
        double(125.0, [-36_000.0, 36_000.0], [-180.0, 180.0])).hint(
        c"Where the light comes from, in degrees counter-clockwise from the right (Beauty, Caustics).");
    LightElevation = LIGHT.of(c"lightElevation", c"Light elevation", double(40.0, [0.0, 90.0], [0.0, 90.0])).hint(
        c"How far the light stands above the picture, in degrees: 0 from the side, 90 from the camera (Beauty, \
          Caustics).");
    LightColour = SKY.of(c"lightColour", c"Light colour", colour([1.4, 1.28, 1.1])).hint(
        c"Colour and brightness of the light, also of its highlights (Beauty).");
    LightSize = SKY.of(c"lightSize", c"Light size", double(8.0, [0.0, 60.0], [0.0, 40.0])).hint(
        c"Angular diameter of the light in degrees: 0.5 is the sun, more makes highlights broad and calm (Beauty).");
    SkyColour = SKY.of(c"skyColour", c"Sky colour", colour([0.16, 0.28, 0.48])).hint(
        c"The sky overhead: reflected by water that lies flat, and half of the light in the shade (Beauty).");
    HorizonColour = SKY.of(c"horizonColour", c"Horizon colour", colour([0.6, 0.66, 0.72])).hint(
        c"The sky at the horizon: reflected by steep waves, and half of the light in the shade (Beauty).");
    SkyContrast = SKY.of(c"skyContrast", c"Sky contrast", double(0.6, [0.0, 4.0], [0.0, 2.0])).hint(
        c"How much brighter the sky is around the light than away from it: more draws waves out (Beauty).");
    Clouds = SKY.of(c"clouds", c"Clouds", double(0.0, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Cover of the reflected sky by clouds, where the Reflection input shows none (Beauty).");
    Skyline = SKY.of(c"skyline", c"Skyline", choice(&[c"None", c"Trees", c"Houses"], 0)).hint(
        c"What stands behind the upper edge of the frame and is reflected, where the Reflection input shows nothing \
          (Beauty).");
    SkylineHeight = SKY.of(c"skylineHeight", c"Skyline height",
        double(200.0, [1.0, 1_000_000.0], [10.0, 1000.0])).when(OneOf(Id::Skyline, &[1, 2])).hint(
        c"Full-resolution pixels up to the top of its tallest tree or house (Beauty).");
    ViewElevation = SKY.of(c"viewElevation", c"View elevation", double(40.0, [1.0, 90.0], [5.0, 90.0])).hint(
        c"How far the eye stands above the water, in degrees, for reflections alone: 90 looks straight down and sees \
          the bed, 15 sees the sky (Beauty).");
    ReflectionDistance = SKY.of(c"reflectionDistance", c"Reflection distance",
        double(200.0, [0.0, 1_000_000.0], [0.0, 2000.0])).hint(
        c"Full-resolution pixels from the water up to the Reflection input. More makes waves break the reflection up \
          further (Beauty).");
    = common(Shared::CacheFolder);
    = common(Shared::CacheName).hint(
        c"Name of this shot's or node's folder in the cache folder. Empty: the node's name, where the host tells it, \
          else flow.");
    = common(Shared::CacheMode);
    = common(Shared::CacheEvery);
    = common(Shared::CacheSize);
    = common(Shared::CacheBusy);
    = common(Shared::Bake);
    = common(Shared::ClearDisk);
    = common(Shared::InitialState).in_group(CACHE_GROUP.name).hint(
        c"An EXR to start from instead of the Source: a state of Flow's disk cache, which goes on with the same bits, \
          or any EXR with the water's height in alpha and the layers cross and diagonal. Its water is the Start \
          frame's, and Pre-roll has no part in it. %{NAME} stands for an environment variable.");
    Substeps = ADVANCED.of(c"substeps", c"Least sub-steps", int(1, [1, 1024], [1, 16])).hint(
        c"Least number of simulation steps per frame. Puddles and ponds and Rivers and floods take more by themselves where the speed \
          needs it; Legacy pipes takes exactly these.");
    Order = ADVANCED.when(OneOf(Id::Model, &[model::SHALLOW_WATER])).of(c"order", c"Order", choice(&[c"Second order", c"First order"], 0)).constant().hint(
        c"Accuracy of Rivers and floods. Second order: waves keep their height and swing as far up a shore as they came \
          from. First order: a little faster, softer, and waves lose height.");
    DiagonalWeight = ADVANCED.when(OneOf(Id::Model, &[model::PIPES])).of(c"diagonalWeight", c"Diagonal weight", double(0.25, [0.0, 1.0], [0.0, 1.0]))
        .constant().hint(
        c"Size of the diagonal pipes against the straight ones (Puddles and ponds). 0.25 makes ripples round; 0 makes them \
          diamonds.");
    MaxHeight = ADVANCED.of(c"maxHeight", c"Max height", double(8.0, [0.003_906_25, 65_536.0], [1.0, 64.0]))
        .constant().hint(
        c"Range of the heights, water and terrain: water above about this is cut. A smaller range is finer.");
    ColourRange = ADVANCED.of(c"colourRange", c"Colour range",
        double(16.0, [0.000_976_562_5, 65_536.0], [1.0, 64.0])).constant().hint(
        c"Brightest colour that the water can carry. A smaller range is finer.");
    = common(Shared::Proxy).in_group(ADVANCED.group);
    = common(Shared::Device).hint(
        c"What simulates. Auto: the GPU where there is one, else the CPU. GPU: any graphics device, even one in \
          software; where none works, the CPU goes on and a message says so. The pixels are the same.");
    = common(Shared::MemoryBudget);
    = common(Shared::MissingFrames);
    = common(Shared::DeclareFrames);
    = common(Shared::Refresh);
    = common(Shared::Info);
    = common(Shared::SimDigest);
    = common(Shared::CacheId);
    = common(Shared::PositionsSet);
}

}

/// The table, in the order of the panel.
static TABLE: [Control<Id>; Id::COUNT] = join(&[FIRST_ROWS, emitters::ROWS.as_flattened(), LAST_ROWS]);

const PLACES: [usize; Id::COUNT] = place_by_ordinal!(TABLE);

const fn emitter_group(name: &'static CStr, label: &'static CStr) -> Group {
    Group { name, label, open: false, parent: Some(emitters::GROUP) }
}

impl Controls for Id {
    const TABLE: &'static [Control<Self>] = &TABLE;
    const GROUPS: &'static [Group] = &[
        SIMULATION_GROUP,
        Group { name: c"waves", label: c"Waves", open: false, parent: None },
        Group { name: c"borders", label: c"Borders", open: false, parent: None },
        Group { name: c"source", label: c"Source, rain and drain", open: false, parent: None },
        Group { name: emitters::GROUP, label: c"Emitters", open: false, parent: None },
        emitter_group(c"emitter2Group", c"Emitter 2"),
        emitter_group(c"emitter3Group", c"Emitter 3"),
        emitter_group(c"emitter4Group", c"Emitter 4"),
        emitter_group(c"emitter5Group", c"Emitter 5"),
        emitter_group(c"emitter6Group", c"Emitter 6"),
        emitter_group(c"emitter7Group", c"Emitter 7"),
        emitter_group(c"emitter8Group", c"Emitter 8"),
        Group { name: c"terrain", label: c"Terrain", open: false, parent: None },
        Group { name: c"forces", label: c"Forces", open: false, parent: None },
        Group { name: c"traces", label: c"Foam, detail and wetness", open: false, parent: None },
        Group { name: c"picture", label: c"Look", open: false, parent: None },
        Group { name: c"light", label: c"Light and sky", open: false, parent: None },
        CACHE_GROUP,
        SYSTEM_GROUP,
    ];

    const PRESETS: Option<PresetTable<Self>> = Some((Self::Preset, presets));

    fn place(self) -> usize {
        PLACES[self.ordinal()]
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nodes::common::overlay;

    #[test]
    fn the_table_is_in_the_order_of_the_panel_and_its_entries_are_sound() {
        controls::check::<Id>();
        overlay::check::<crate::nodes::water::Flow>();
    }
}
