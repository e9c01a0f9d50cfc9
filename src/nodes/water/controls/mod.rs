//! Parameters of the Flow node: one row for each, with its script name, label, kind, default, range, hint, and the
//! conditions under which it has an effect. `emitters` has the rows of the emitters.

mod emitters;

use std::ffi::CStr;

use super::presets::presets;
use crate::nodes::common::controls::PresetTable;
use crate::nodes::common::controls::{
    self, Condition, Control, Controls, Group, Kind, Reach, choice, colour, double, int, join, parameters,
    place_by_ordinal, position, switch, vector,
};
use crate::nodes::common::shared::{CACHE_GROUP, SYSTEM_GROUP, Shared, shared};
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

const SIMULATION: Control<Id> = controls::blank(Id::Model, c"simulation");
const PIPES: Control<Id> = SIMULATION.when(OneOf(Id::Model, &[model::PIPES]));
const CLASSIC_PIPES: Control<Id> = SIMULATION.when(OneOf(Id::Model, &[model::CLASSIC]));
const SHALLOW_WATER: Control<Id> = SIMULATION.when(OneOf(Id::Model, &[model::SHALLOW_WATER]));
const RIPPLES: Control<Id> = SIMULATION.when(OneOf(Id::Model, &[model::RIPPLES]));
const SIDE: Control<Id> = SIMULATION.constant().when(NoneOf(Id::Edges, &[WRAP]));
const AS_EDGES: Kind = choice(&[c"As Edges", c"Closed", c"Open", c"Absorb"], 0);
const SOURCE: Control<Id> = controls::blank(Id::SourceMode, c"source");
const DRAIN: Control<Id> = SOURCE.when(On(Id::Drain));
const TERRAIN: Control<Id> = controls::blank(Id::UseTerrain, c"terrain");
const FORCES: Control<Id> = controls::blank(Id::Push, c"forces");
const TRACES: Control<Id> = controls::blank(Id::Foam, c"traces");
const FOAM: Control<Id> = TRACES.when(On(Id::Foam));
const PICTURE: Control<Id> = controls::blank(Id::Output, c"picture").reach(Reach::Picture);
const SHADING: Control<Id> = PICTURE.when(OneOf(Id::Output, &[SHADED]));
const DETAIL: Control<Id> = PICTURE.when(On(Id::Detail));
const LIGHT: Control<Id> = PICTURE.when(OneOf(Id::Output, &[SHADED, CAUSTICS]));

/// A control that all nodes have.
const fn common(which: Shared) -> Control<Id> {
    shared(which, Id::Shared(which))
}

parameters! {

family Emitter(EmitterField) times EMITTERS;

/// Groups `simulation` and `source`, up to the first emitter.
FIRST_ROWS {
    Preset = SIMULATION.of(c"preset", c"Preset", choice(&[
        c"Choose", c"River", c"Flood", c"Ripples", c"Pond in rain", c"Street puddle", c"Shore", c"Puddle drying"
    ], 0)).constant().reach(Reach::Work).hint(
        c"A scene to begin with, which needs no input: sets its parameters, as one edit that Undo takes back. A Terrain \
          takes the place of its ground.");
    Model = SIMULATION.of(c"model", c"Model", choice(&[c"Pipes", c"Classic pipes", c"Shallow water", c"Ripples"], 0))
        .constant().hint(
        c"Pipes: waves of a set speed, round ripples, no grid in the surface. Classic pipes: the look of the original \
          Flow tool, whose speed is a flow rate per step. Shallow water: deep water is faster, waves steepen and break \
          into bores, rivers run and drag. Ripples: a level surface on which the speed of a wave depends on its length, so \
          that a drop makes a train of rings and a boat a wake; without terrain, colour and evaporation.");
    = common(Shared::StartFrame).hint(
        c"First frame of the simulation. Frames before it show the water as it is at the start. A shot that begins at \
          1001 begins here, too: from 1 on, 1000 frames would be simulated that nobody sees.");
    = common(Shared::StartHere);
    = common(Shared::Preroll).hint(
        c"Frames simulated before the start frame, with parameters and inputs held at the start frame: the water has \
          already settled when the shot begins.");
    = common(Shared::InitialState).hint(
        c"An EXR to start from instead of the Source: a state of Flow's disk cache, which goes on with the same bits, \
          or any EXR with the water's height in alpha and the layers cross and diagonal. Its water is the Start \
          frame's, and Pre-roll has no part in it. %{NAME} stands for an environment variable.");
    Speed = SIMULATION.of(c"speed", c"Speed", double(4.0, [0.0, 10_000.0], [0.0, 20.0]))
        .when(OneOf(Id::Model, &[model::PIPES, model::RIPPLES])).hint(
        c"Speed of the waves in full-resolution pixels per frame (Pipes; Ripples: of waves of Ripple length). Higher is faster water and more steps per \
          frame; nothing is retimed. Below about 0.04 pixels per step water no longer levels out.");
    FlowRate = CLASSIC_PIPES.of(c"flowRate", c"Flow rate", double(0.1, [0.0, 1.0], [0.0, 0.2])).hint(
        c"Share of a height difference that a pipe turns into flow in one step (Classic pipes). Above about 0.16 the \
          surface breaks up.");
    Gravity = SHALLOW_WATER.of(c"gravity", c"Gravity", double(60.0, [0.0, 100_000.0], [0.0, 200.0])).hint(
        c"How hard slopes pull (Shallow water): the acceleration, in full-resolution pixels per frame and frame, where \
          a height of 1 is lost per pixel. Waves run at the square root of gravity times depth, pixels per frame. \
          Higher is faster water and more steps per frame.");
    Friction = SHALLOW_WATER.of(c"friction", c"Friction", double(0.0005, [0.0, 1000.0], [0.0, 0.01])).hint(
        c"Drag of the bed (Shallow water), in height per full-resolution pixel: a frame takes friction times speed \
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
    Substeps = SIMULATION.of(c"substeps", c"Sub-steps", int(1, [1, 1024], [1, 16])).hint(
        c"Least number of simulation steps per frame. Pipes and Shallow water take more by themselves where the speed \
          needs it; Classic pipes takes exactly these.");
    TimeScale = SIMULATION.of(c"timeScale", c"Time scale", double(1.0, [0.0, 1000.0], [0.0, 4.0]))
        .when(NoneOf(Id::Model, &[model::CLASSIC])).hint(
        c"Simulated time per frame: 0.5 is slow motion, 0 holds the water still.");
    Damping = SIMULATION.of(c"damping", c"Damping", double(0.02, [0.0, 1.0], [0.0, 0.2])).hint(
        c"Share of the flow lost per frame. 0 ripples for ever, 0.1 is thick, 1 stops at once.");
    Smoothing = SIMULATION.of(c"smoothing", c"Smoothing", double(0.1, [0.0, 0.5], [0.0, 0.5]))
        .when(OneOf(Id::Model, &[model::PIPES, model::SHALLOW_WATER])).hint(
        c"Viscosity of the finest ripples, two to four pixels long (Pipes), or of water that piles up in a bore (Shallow \
          water). Long waves are left alone; 0 shows grid noise behind fast fronts.");
    Order = SHALLOW_WATER.of(c"order", c"Order", choice(&[c"Second order", c"First order"], 0)).constant().hint(
        c"Accuracy of Shallow water. Second order: waves keep their height and swing as far up a shore as they came \
          from. First order: a little faster, softer, and waves lose height.");
    DiagonalWeight = PIPES.of(c"diagonalWeight", c"Diagonal weight", double(0.25, [0.0, 1.0], [0.0, 1.0]))
        .constant().hint(
        c"Size of the diagonal pipes against the straight ones (Pipes). 0.25 makes ripples round; 0 makes them \
          diamonds.");
    Edges = SIMULATION.of(c"edges", c"Edges", choice(&[c"Closed", c"Open", c"Wrap", c"Absorb"], 0)).constant().hint(
        c"What the frame's border does to water. Closed: a wall. Open: water runs off. Wrap: what leaves on one side \
          enters on the other. Absorb: a wall that swallows waves, as if the water went on.");
    EdgeLeft = SIDE.of(c"edgeLeft", c"Left edge", AS_EDGES).hint(c"The left side, where it is not like the others.");
    EdgeRight = SIDE.of(c"edgeRight", c"Right edge", AS_EDGES).hint(
        c"The right side, where it is not like the others.");
    EdgeTop = SIDE.of(c"edgeTop", c"Top edge", AS_EDGES).hint(c"The upper side, where it is not like the others.");
    EdgeBottom = SIDE.of(c"edgeBottom", c"Bottom edge", AS_EDGES).hint(
        c"The lower side, where it is not like the others.");
    AbsorbWidth = SIMULATION.of(c"absorbWidth", c"Absorb width", double(100.0, [0.0, 1_000_000.0], [0.0, 500.0]))
        .when(Holds(absorbs)).hint(
        c"Width of the border that swallows waves, in full-resolution pixels (Absorb). Waves up to half as long again \
          come back with less than a fiftieth of their height; longer ones need a wider border.");
    = common(Shared::Extent);
    = common(Shared::Resolution).hint(
        c"Grid cells per full-resolution pixel, in percent. 50 simulates a quarter of the cells: faster, softer, the \
          same speed and size of waves.");
    = common(Shared::Proxy);
    MaxHeight = SIMULATION.of(c"maxHeight", c"Max height", double(8.0, [0.003_906_25, 65_536.0], [1.0, 64.0]))
        .constant().hint(
        c"Range of the heights, water and terrain: water above about this is cut. A smaller range is finer.");
    ColourRange = SIMULATION.of(c"colourRange", c"Colour range",
        double(16.0, [0.000_976_562_5, 65_536.0], [1.0, 64.0])).constant().hint(
        c"Brightest colour that the water can carry. A smaller range is finer.");
    WaterLevel = SOURCE.of(c"waterLevel", c"Water level", double(0.0, [0.0, 65_536.0], [0.0, 2.0])).hint(
        c"Level of clear water that is there at the start frame: a pond without a Source. Ground above it is an island; \
          sources add to it. In Ripples, the height of the water at rest; 0 counts as 1.");
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
}

/// Group `source`, from the first emitter on.
SOURCE_ROWS {
    RainMode = SOURCE.of(c"rainMode", c"Rain mode", choice(&[c"Drops", c"Mean height"], 0)).hint(
        c"Drops: so many drops fall per frame. Mean height: so much rain falls per frame, in as many drops as it takes.");
    RainDrops = SOURCE.of(c"rainDrops", c"Drops per frame", double(0.0, [0.0, 100_000.0], [0.0, 20.0]))
        .when(OneOf(Id::RainMode, &[DROPS])).hint(
        c"Drops that fall per frame, all over the frame. Each splashes over three frames and has a size of its own.");
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
}

/// The other groups.
LAST_ROWS {
    UseTerrain = TERRAIN.of(c"useTerrain", c"Use terrain", switch(true))
        .when(NoneOf(Id::Model, &[model::RIPPLES])).hint(
        c"Off: the ground is flat, whatever is connected to Terrain.");
    Ground = TERRAIN.of(c"ground", c"Ground", choice(&[
        c"Flat", c"Pebbles", c"River bed", c"Meadow", c"Street", c"Beach"
    ], 0)).constant().hint(
        c"Built-in ground, where no Terrain is connected. River bed: a valley with banks and boulders that falls to the \
          right. Meadow: soil, grass and stones. Street: asphalt with shallow hollows. Beach: sand that falls to the \
          lower edge. Pebbles: flat, with a texture, for Ripples too. Terrain height and Terrain offset apply.");
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
    GoalStrength = FORCES.of(c"goalStrength", c"Goal strength", double(0.0, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Share of the way that the water's velocity comes towards its goal in a frame: 0 leaves it alone, 0.1 steers, \
          1 sets it. The goal is Goal velocity, and red and green of the Goal input.");
    GoalVelocity = FORCES.of(c"goalVelocity", c"Goal velocity",
        vector(0.0, [-1_000_000.0, 1_000_000.0], [-10.0, 10.0])).when(Positive(Id::GoalStrength)).hint(
        c"Velocity that the water is drawn to everywhere, in full-resolution pixels per frame. The Goal input's is \
          added.");
    ObstacleDrag = FORCES.of(c"obstacleDrag", c"Obstacle drag", double(0.5, [0.0, 1.0], [0.0, 1.0])).hint(
        c"How much an obstacle that moves takes the water beside it along: 0 not at all, 1 as fast as itself. Whatever \
          it is, water that it comes to is pushed ahead.");
    Foam = TRACES.of(c"foam", c"Foam", switch(false)).hint(
        c"Makes foam where the surface is steep, where water comes together and where it hits obstacles, and carries \
          it with the water. Shown by Shaded and the output Foam.");
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
        c"Carries texture coordinates with the water, for fine ripples and foam that move with it in Shaded. Foam carries \
          them, too.");
    Wetness = TRACES.of(c"wetness", c"Wetness", switch(false)).hint(
        c"Remembers where water was. Shown by Shaded, as darker ground, and by the output Wetness.");
    DryFrames = TRACES.of(c"dryFrames", c"Dry frames", double(100.0, [0.001, 1_000_000.0], [1.0, 500.0]))
        .when(On(Id::Wetness)).hint(
        c"Frames in which wet ground dries once the water has gone.");
    Output = PICTURE.of(c"output", c"Output", choice(&[
        c"Water", c"Height", c"Cross", c"Diagonal", c"Shaded", c"Normals", c"Velocity", c"Motion vectors",
        c"Refraction map", c"Displacement", c"Caustics", c"Foam", c"Wetness"
    ], 0)).hint(
        c"Water: RGB the water's colour, A its height. Height: R water, G surface (water and terrain), B terrain, A \
          wet. Cross: flow per frame to the left, up, right and down. Diagonal: flow per frame to the upper left, \
          upper right, lower right and lower left. Shaded: water in light, premultiplied. Normals: x, y, z from -1 to \
          1, A wet. Velocity: pixels per frame in RG. Motion vectors: forward in RG, backward in BA, pixels. \
          Refraction map: for STMap, what the bed shows. Displacement: the same as an offset in pixels, B the water's \
          height. Caustics: the light on the bed, 1 below still water and on dry ground, A wet. Foam, Wetness: 0 to 1 \
          in all channels, where the simulation makes them. All but Shaded are unpremultiplied data.");
    Relief = PICTURE.of(c"relief", c"Relief", double(140.0, [0.0, 1_000_000.0], [0.0, 500.0]))
        .when(OneOf(Id::Output, &[SHADED, NORMALS, REFRACTION_MAP, DISPLACEMENT, CAUSTICS])).hint(
        c"Full-resolution pixels that a height of 1 stands for. More makes waves steeper, refraction and caustics \
          stronger (Shaded, Normals, Refraction map, Displacement, Caustics).");
    IndexOfRefraction = PICTURE.of(c"indexOfRefraction", c"Index of refraction", double(1.333, [1.0, 3.0], [1.0, 2.0]))
        .when(OneOf(Id::Output, &[SHADED, REFRACTION_MAP, DISPLACEMENT, CAUSTICS])).hint(
        c"How strongly the surface bends and reflects light: 1 not at all, 1.333 water, 1.5 glass (Shaded, Refraction \
          map, Displacement, Caustics).");
    WaterColour = SHADING.of(c"waterColour", c"Water colour", colour([0.01, 0.08, 0.1])).hint(
        c"Colour of deep water; shallow water lets through what it does not absorb. The water's own colour, where it \
          carries one, takes its place (Shaded).");
    Clarity = SHADING.of(c"clarity", c"Clarity", double(0.25, [0.000_1, 10_000.0], [0.01, 2.0])).hint(
        c"Height of water through which a third of the light gets: more shows deeper ground (Shaded).");
    Murkiness = SHADING.of(c"murkiness", c"Murkiness", double(0.35, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Share of the lost light that the water scatters: 0 is clear and dark where it is deep, 1 is milk or mud in the \
          Water colour (Shaded).");
    AlphaMode = SHADING.of(c"alphaMode", c"Alpha mode", choice(&[c"Over bed", c"Water only"], 0)).hint(
        c"Over bed: the ground is part of the picture, which is opaque. Water only: premultiplied water to merge over \
          a plate, alpha from what it absorbs and reflects (Shaded).");
    GroundColour = SHADING.of(c"groundColour", c"Ground colour", colour([0.2, 0.165, 0.115])).hint(
        c"Colour of the ground in white light (Shaded, Over bed).");
    SkyColour = SHADING.of(c"skyColour", c"Sky colour", colour([0.16, 0.28, 0.48])).hint(
        c"The sky overhead: reflected by water that lies flat, and half of the light in the shade (Shaded).");
    HorizonColour = SHADING.of(c"horizonColour", c"Horizon colour", colour([0.6, 0.66, 0.72])).hint(
        c"The sky at the horizon: reflected by steep waves, and half of the light in the shade (Shaded).");
    SkyContrast = SHADING.of(c"skyContrast", c"Sky contrast", double(0.6, [0.0, 4.0], [0.0, 2.0])).hint(
        c"How much brighter the sky is around the light than away from it: more draws waves out (Shaded).");
    Clouds = SHADING.of(c"clouds", c"Clouds", double(0.0, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Cover of the reflected sky by clouds, where the Reflection input shows none (Shaded).");
    Skyline = SHADING.of(c"skyline", c"Skyline", choice(&[c"None", c"Trees", c"Houses"], 0)).hint(
        c"What stands behind the upper edge of the frame and is reflected, where the Reflection input shows nothing \
          (Shaded).");
    SkylineHeight = SHADING.of(c"skylineHeight", c"Skyline height",
        double(200.0, [1.0, 1_000_000.0], [10.0, 1000.0])).when(OneOf(Id::Skyline, &[1, 2])).hint(
        c"Full-resolution pixels up to the top of its tallest tree or house (Shaded).");
    ViewElevation = SHADING.of(c"viewElevation", c"View elevation", double(40.0, [1.0, 90.0], [5.0, 90.0])).hint(
        c"How far the eye stands above the water, in degrees, for reflections alone: 90 looks straight down and sees \
          the bed, 15 sees the sky (Shaded).");
    LightDirection = LIGHT.of(c"lightDirection", c"Light direction",
        double(125.0, [-36_000.0, 36_000.0], [-180.0, 180.0])).hint(
        c"Where the light comes from, in degrees counter-clockwise from the right (Shaded, Caustics).");
    LightElevation = LIGHT.of(c"lightElevation", c"Light elevation", double(40.0, [0.0, 90.0], [0.0, 90.0])).hint(
        c"How far the light stands above the picture, in degrees: 0 from the side, 90 from the camera (Shaded, \
          Caustics).");
    LightColour = SHADING.of(c"lightColour", c"Light colour", colour([1.4, 1.28, 1.1])).hint(
        c"Colour and brightness of the light, also of its highlights (Shaded).");
    LightSize = SHADING.of(c"lightSize", c"Light size", double(8.0, [0.0, 60.0], [0.0, 40.0])).hint(
        c"Angular diameter of the light in degrees: 0.5 is the sun, more makes highlights broad and calm (Shaded).");
    Roughness = SHADING.of(c"roughness", c"Roughness", double(0.2, [0.05, 1.0], [0.05, 1.0])).hint(
        c"Width of the light's highlights: 0.05 sharp and bright, 1 a soft sheen (Shaded).");
    Caustics = SHADING.of(c"caustics", c"Caustics", double(1.0, [0.0, 100.0], [0.0, 4.0])).hint(
        c"How strongly the light that waves gather shows on the bed: 0 lights it evenly, 1 is as in nature, more draws \
          the lines harder (Shaded, Over bed).");
    ReflectionDistance = SHADING.of(c"reflectionDistance", c"Reflection distance",
        double(200.0, [0.0, 1_000_000.0], [0.0, 2000.0])).hint(
        c"Full-resolution pixels from the water up to the Reflection input. More makes waves break the reflection up \
          further (Shaded).");
    DetailStrength = DETAIL.of(c"detailStrength", c"Detail strength", double(0.25, [0.0, 100.0], [0.0, 1.0])).hint(
        c"Slope of the fine waves on fast water. Still water has none (Shaded, Normals, Refraction map, Displacement, \
          Caustics).");
    DetailSize = DETAIL.of(c"detailSize", c"Detail size", double(1.0, [0.01, 100.0], [0.1, 4.0])).hint(
        c"Size of the fine waves, and of the holes in the foam: at 1 waves of about a thirtieth of the frame's height.");
    FoamColour = SHADING.of(c"foamColour", c"Foam colour", colour([0.75, 0.78, 0.8])).hint(
        c"Colour of foam in white light (Shaded, with Foam on).");
    WetDarkening = SHADING.of(c"wetDarkening", c"Wet darkening", double(0.45, [0.0, 1.0], [0.0, 1.0])).hint(
        c"How much darker wet ground is: 0 as if dry, 0.45 sand, 0.7 asphalt (Shaded, Over bed, with Wetness on).");
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
static TABLE: [Control<Id>; Id::COUNT] = join(&[
    FIRST_ROWS,
    &emitters::ROWS[0],
    SOURCE_ROWS,
    &emitters::ROWS[1],
    &emitters::ROWS[2],
    &emitters::ROWS[3],
    &emitters::ROWS[4],
    &emitters::ROWS[5],
    &emitters::ROWS[6],
    &emitters::ROWS[7],
    LAST_ROWS,
]);

const PLACES: [usize; Id::COUNT] = place_by_ordinal!(TABLE);

const fn emitter_group(name: &'static CStr, label: &'static CStr) -> Group {
    Group { name, label, open: false, parent: Some(c"emitters") }
}

impl Controls for Id {
    const TABLE: &'static [Control<Self>] = &TABLE;
    const GROUPS: &'static [Group] = &[
        Group { name: c"simulation", label: c"Simulation", open: true, parent: None },
        Group { name: c"source", label: c"Source", open: true, parent: None },
        Group { name: c"emitters", label: c"More emitters", open: false, parent: Some(c"source") },
        emitter_group(c"emitter2Group", c"Emitter 2"),
        emitter_group(c"emitter3Group", c"Emitter 3"),
        emitter_group(c"emitter4Group", c"Emitter 4"),
        emitter_group(c"emitter5Group", c"Emitter 5"),
        emitter_group(c"emitter6Group", c"Emitter 6"),
        emitter_group(c"emitter7Group", c"Emitter 7"),
        emitter_group(c"emitter8Group", c"Emitter 8"),
        Group { name: c"terrain", label: c"Terrain", open: true, parent: None },
        Group { name: c"forces", label: c"Forces", open: false, parent: None },
        Group { name: c"traces", label: c"Foam and wetness", open: false, parent: None },
        Group { name: c"picture", label: c"Output", open: true, parent: None },
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
