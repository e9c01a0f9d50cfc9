//! Parameters of the FlowSmoke node: one row for each, with its script name, label, kind, default, range, hint, and the
//! conditions under which it has an effect. `jets` has the rows of the jets.

mod jets;

use std::ffi::CStr;

use super::presets::presets;
use super::values::edges;
use crate::nodes::common::controls::PresetTable;
use crate::nodes::common::controls::{
    self, Condition, Control, Controls, Group, Invalidates, Kind, choice, colour, double, int, join, parameters,
    place_by_ordinal, position, switch, text, vector,
};
use crate::nodes::common::shared::{CACHE_GROUP, EXTENTS, SIMULATION_GROUP, SYSTEM_GROUP, Shared, shared};
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::sim::smoke::settings::Boundary;
use Condition::{Holds, On, OneOf, Positive};
pub use jets::{JETS, JetField};

/// Option of `gridMode`.
const FOLLOW: i32 = 1;
/// Options of `output`.
mod output {
    pub const DYE: i32 = 0;
    pub const SMOKE: i32 = 1;
    pub const FIRE: i32 = 2;
    pub const INK: i32 = 3;
}
use output::{DYE, SMOKE};

const MAIN: Control<Id> = controls::blank(Id::Lift, SIMULATION_GROUP.name);
const ADVANCED: Control<Id> = controls::blank(Id::Substeps, SYSTEM_GROUP.name);
const BORDERS: Control<Id> = controls::blank(Id::EdgeLeft, c"borders");
const EDGE: Control<Id> = BORDERS.constant();
const JET_GROUP: Control<Id> = controls::blank(Id::JetCount, jets::GROUP);
const EDGES: Kind = choice(&[c"Closed", c"Open", c"Wrap"], 1);
const GRID: Control<Id> = controls::blank(Id::GridMode, c"grid");
const FOLLOWING: Control<Id> = GRID.when(OneOf(Id::GridMode, &[FOLLOW]));
const AIR: Control<Id> = controls::blank(Id::Viscosity, c"air");
const SOURCE: Control<Id> = controls::blank(Id::SourceMode, c"source");
const BRUSH: Control<Id> = controls::blank(Id::Brush, c"brushGroup");
const BRUSHED: Control<Id> = BRUSH.when(On(Id::Brush));
const FORCES: Control<Id> = controls::blank(Id::Attractor, c"forces");
const ATTRACTOR: Control<Id> = FORCES.when(On(Id::Attractor));
const VORTEX: Control<Id> = FORCES.when(On(Id::Vortex));
const BURNING: Control<Id> = controls::blank(Id::FlameSize, c"fire").when(Holds(has_fuel));
const DISTURBED: Control<Id> = BURNING.when(Positive(Id::Disturbance));
const PICTURE: Control<Id> = controls::blank(Id::Opacity, c"picture").invalidates(Invalidates::Picture);
const LIGHT: Control<Id> = PICTURE.when(OneOf(Id::Output, &[SMOKE, output::FIRE]));
const SUN: Control<Id> = LIGHT.in_group(c"light");
const FIRE: Control<Id> = PICTURE.when(OneOf(Id::Output, &[output::FIRE]));

/// Hint of an edge.
macro_rules! edge {
    ($edge:literal) => {
        text(concat!(
            "What the ",
            $edge,
            " of the frame, or of a grid that follows, does to air. Closed: a wall. Open: smoke leaves, clear air enters. \
             Wrap: joined to the opposite side, whichever of the two says so.\0"
        ))
    };
}

/// A control that all nodes have.
const fn common(which: Shared) -> Control<Id> {
    shared(which, Id::Shared(which))
}

parameters! {

family Jet(JetField) times JETS;

/// Groups before the jets.
FIRST_ROWS {
    Preset = MAIN.of(c"preset", c"Preset", choice(&[
        c"Custom", c"Ink", c"Candle", c"Campfire", c"Cigarette", c"Chimney", c"Steam", c"Fog bank", c"Dry ice",
        c"Explosion", c"Dust hit"
    ], 0)).constant().invalidates(Invalidates::Nothing).hint(
        c"A whole look at once: sets jets, brush, air and picture. Undo brings the old values back; every value can be \
          changed afterwards.\n\
          Ink: two drops of ink that sink into still water.\n\
          Candle: one small, steady flame.\n\
          Campfire: flames that lick and tear off, with soot above.\n\
          Cigarette: a thread of smoke that rises in still air, bends and curls.\n\
          Chimney: dark smoke from a chimney, which the wind takes along.\n\
          Steam: white puffs that rise and vanish.\n\
          Fog bank: low, slow and heavy, along the ground.\n\
          Dry ice: white fog that pours over the floor and thins out.\n\
          Explosion: a ball of fire that rolls up into dark smoke.\n\
          Dust hit: dust that a heavy fall throws out over the floor.");
    Output = MAIN.invalidates(Invalidates::Picture).of(c"output", c"Output", choice(&[
        c"Dye", c"Smoke", c"Fire", c"Ink", c"Velocity", c"Motion vectors", c"Vorticity", c"Pressure", c"Divergence",
        c"Temperature", c"Density"
    ], SMOKE)).hint(
        c"What the node shows. Dye: premultiplied colour, to merge over. Smoke: lit, with its own shadow. Fire: \
          glowing heat with smoke. Ink: light through dye, to merge over \
          white. The others are data: Velocity in pixels per frame, x in red, y in green, the speed \
          in blue; Motion vectors in pixels, Vorticity, Pressure, Divergence, Temperature.");
    = common(Shared::StartFrame);
    = common(Shared::StartHere);
    = common(Shared::Preroll);
    = common(Shared::Resolution);
    Lift = MAIN.of(c"lift", c"Buoyancy", double(0.3, [-1000.0, 1000.0], [0.0, 2.0])).hint(
        c"How fast hot air rises: acceleration of a temperature of 1, in pixels per frame squared.");
    Weight = MAIN.of(c"weight", c"Sink", double(0.0, [-1000.0, 1000.0], [-1.0, 1.0])).hint(
        c"How fast dense smoke sinks: acceleration of a density of 1, in pixels per frame squared. 0.3 is ink in a \
          frame 1080 pixels high; below 0 it rises.");
    Noise = MAIN.of(c"noise", c"Turbulence", double(0.0, [0.0, 1000.0], [0.0, 2.0])).hint(
        c"Eddies out of nothing: their push in pixels per frame squared.");
    Vorticity = MAIN.of(c"vorticity", c"Swirl", double(0.2, [0.0, 100.0], [0.0, 2.0])).hint(
        c"Strengthens small eddies. 0.3 is lively, 1 is nervous.");
    Dissipation = MAIN.of(c"dissipation", c"Dissipation", double(0.005, [0.0, 1.0], [0.0, 0.1])).hint(
        c"Share of the dye lost per frame. 0.01 clears in some seconds.");
    Cooling = MAIN.of(c"cooling", c"Cooling", double(0.02, [0.0, 1.0], [0.0, 0.2])).hint(
        c"Share of the heat lost per frame. Fire wants 0.03 to 0.1.");
    TimeScale = AIR.of(c"timeScale", c"Time scale", double(1.0, [0.0, 1000.0], [0.0, 4.0])).hint(
        c"Simulated time per frame: 0.5 is slow motion, 0 holds the smoke still. Pulses, turbulence and the jets' \
          wandering slow down with it; brush, obstacles and Velocity (Set) push the air as fast as they are seen to \
          move.");
    NoiseSize = AIR.when(Positive(Id::Noise)).of(c"noiseSize", c"Turbulence size", double(120.0, [1.0, 100_000.0], [8.0, 1000.0])).hint(
        c"Size of these eddies in full-resolution pixels.");
    NoiseSpeed = AIR.when(Positive(Id::Noise)).of(c"noiseSpeed", c"Turbulence speed", double(0.05, [0.0, 10.0], [0.0, 0.5])).hint(
        c"How fast their pattern changes, in turns per frame.");
    Seed = AIR.of(c"seed", c"Seed", int(0, [i32::MIN, i32::MAX], [0, 100])).when(Holds(uses_seed)).hint(
        c"Another number, other eddies and wandering jets.");
    Wind = AIR.of(c"wind", c"Wind", vector(0.0, [-10_000.0, 10_000.0], [-20.0, 20.0])).hint(
        c"Velocity of a wind over the whole frame, in pixels per frame.");
    WindDrag = AIR.of(c"windDrag", c"Wind drag", double(0.05, [0.0, 1.0], [0.0, 0.5])).when(Holds(has_wind)).hint(
        c"How soon the wind has taken the air along: share of the difference made up per frame.");
    Viscosity = AIR.of(c"viscosity", c"Viscosity", double(0.0, [0.0, 1_000_000.0], [0.0, 20.0])).hint(
        c"Thickness of the air, in square pixels per frame. 0 is air, 10 is syrup.");
    Drag = AIR.of(c"drag", c"Drag", double(0.0, [0.0, 1.0], [0.0, 0.1])).hint(
        c"Share of the velocity lost per frame.");
    GravityDirection = AIR.of(c"gravityDirection", c"Gravity direction",
        double(-90.0, [-36_000.0, 36_000.0], [-180.0, 180.0])).hint(
        c"Where down is, in degrees counter-clockwise from the right.");
    Ambient = AIR.of(c"ambient", c"Ambient temperature", double(0.0, [0.0, 1000.0], [0.0, 1.0])).hint(
        c"Temperature up to which air does not rise. Cooling ends there, too: hot air falls to it and no further.");
    EdgeLeft = EDGE.of(c"edgeLeft", c"Left edge", EDGES).hint(edge!("left"));
    EdgeRight = EDGE.of(c"edgeRight", c"Right edge", EDGES).hint(edge!("right"));
    EdgeBottom = EDGE.of(c"edgeBottom", c"Bottom edge", EDGES).hint(edge!("bottom"));
    EdgeTop = EDGE.of(c"edgeTop", c"Top edge", EDGES).hint(edge!("top"));
    EdgeSlip = BORDERS.of(c"edgeSlip", c"Edge slip", choice(&[c"Free slip", c"No slip"], 0))
        .constant().when(Holds(has_closed_edges)).hint(
        c"How air moves along Closed edges. Free slip: without friction. No slip: it sticks to them, and Viscosity \
          slows the air beside them.");
    // Smoke rises beyond a small element that it comes from.
    = Control { kind: choice(EXTENTS, 2), ..common(Shared::Extent).in_group(BORDERS.group) };
    GridMode = GRID.of(c"gridMode", c"Grid", choice(&[c"Frame", c"Follow"], 0)).constant().hint(
        c"Frame: the whole frame is simulated. Follow: a smaller grid that follows Grid centre; outside it the picture \
          is empty.");
    GridCentre = FOLLOWING.of(c"gridCentre", c"Grid centre", position([0.5, 0.5])).hint(
        c"Middle of the grid that follows, in full-resolution pixels. Track it to what burns.");
    GridSize = FOLLOWING.of(c"gridSize", c"Grid size", vector(512.0, [1.0, 16_384.0], [64.0, 2048.0]))
        .constant().hint(
        c"Width and height of the grid that follows, in full-resolution pixels.");
    GridFeather = FOLLOWING.of(c"gridFeather", c"Grid feather", double(32.0, [0.0, 16_384.0], [0.0, 200.0]))
        .invalidates(Invalidates::Picture).when(OneOf(Id::Output, &[DYE, SMOKE, output::FIRE, output::INK])).hint(
        c"Width of the border along which dye, smoke and fire fade out towards the sides of the grid that follows, in \
          full-resolution pixels. 0 cuts them off. Only the picture fades; the air does not.");
    GridInherit = FOLLOWING.of(c"gridVelocityInherit", c"Velocity inherit", double(0.0, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Share of the grid's motion that its smoke takes part in. 0: smoke stays where it is in the frame and trails \
          behind. 1: it is carried along.");
    SourceMode = SOURCE.of(c"sourceMode", c"Source mode", choice(&[
        c"Start frame", c"Add", c"Replace", c"Fill up"
    ], 1)).hint(
        c"Start frame: the Source is the smoke at the start. Add: it flows in over every frame. Replace: smoke is set \
          where the Source is above 0. Fill up: smoke is raised to the Source, never lowered.");
    SourceChannel = SOURCE.of(c"sourceChannel", c"Source channel", choice(&[
        c"Alpha", c"Luminance", c"Red", c"Green", c"Blue"
    ], 0)).hint(
        c"Channel of the Source that is its density; where there is no alpha, its luminance. The colour is the \
          Source's RGB, which counts as multiplied by any channel but alpha.");
    SourceDensity = SOURCE.of(c"sourceDensity", c"Source density", double(0.2, [0.0, 1_000_000.0], [0.0, 2.0])).hint(
        c"Density of smoke for a Source value of 1, per frame in mode Add.");
    VelocityMode = SOURCE.of(c"velocityMode", c"Velocity mode", choice(&[c"Set", c"Add"], 0)).hint(
        c"Set: the air moves as the Velocity input says, where it is not 0. Add: it is accelerated by it.");
    VelocityScale = SOURCE.of(c"velocityScale", c"Velocity scale",
        double(1.0, [-1_000_000.0, 1_000_000.0], [-4.0, 4.0])).hint(
        c"Pixels per frame for a value of 1 in red (to the right) and green (up) of the Velocity input.");
    HeatChannel = SOURCE.of(c"heatChannel", c"Heat channel", choice(&[
        c"Red", c"Green", c"Blue", c"Alpha", c"Luminance"
    ], 0)).hint(
        c"Channel of the Heat input that is heat: Alpha for a roto. Where there is no alpha, its luminance.");
    HeatScale = SOURCE.of(c"heatScale", c"Heat scale", double(0.2, [-1000.0, 1000.0], [0.0, 2.0])).hint(
        c"Temperature per frame for a value of 1 of the Heat input.");
    ObstaclePush = SOURCE.of(c"obstaclePush", c"Obstacle push", double(1.0, [0.0, 10.0], [0.0, 2.0])).hint(
        c"Share of the obstacles' own motion that the air feels. 0: they only stand in its way.");
    ObstacleSlip = SOURCE.of(c"obstacleSlip", c"Obstacle slip", choice(&[c"Free slip", c"No slip"], 1))
        .constant().hint(
        c"How air moves along obstacles. No slip: it takes on their velocity where it touches them, and Viscosity \
          slows the air beside them. Free slip: without friction; obstacles only push.");
    Brush = BRUSH.of(c"brush", c"Brush", switch(false)).hint(
        c"A point that stirs: keyframe or track Brush centre, and the air follows its path.");
    BrushCentre = BRUSHED.of(c"brushCentre", c"Brush centre", position([0.5, 0.5])).hint(
        c"Where the brush is, in full-resolution pixels. It paints the whole way from the last frame to this one.");
    BrushRadius = BRUSHED.of(c"brushRadius", c"Brush radius", double(40.0, [0.0, 100_000.0], [1.0, 300.0])).hint(
        c"Radius in full-resolution pixels.");
    BrushSoftness = BRUSHED.of(c"brushSoftness", c"Brush softness", double(0.5, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Share of the radius across which its dye fades: 0 is a hard edge, 1 fades from the middle on.");
    BrushForce = BRUSHED.of(c"brushForce", c"Brush force", double(1.0, [0.0, 100.0], [0.0, 2.0])).hint(
        c"Share of the brush's own velocity that the air takes on.");
    BrushColour = BRUSHED.of(c"brushColour", c"Brush colour", colour([0.1, 0.35, 0.8])).hint(
        c"Colour of the dye that it leaves.");
    BrushDensity = BRUSHED.of(c"brushDensity", c"Brush density", double(0.5, [0.0, 1000.0], [0.0, 2.0])).hint(
        c"Density of the dye that it leaves in its middle, per frame.");
    JetCount = JET_GROUP.of(c"jetCount", c"Jets", int(1, [1, JETS as i32], [1, JETS as i32])).constant().hint(
        c"Number of jets: those beyond it are hidden, and off.");
}

/// Groups after the jets.
LAST_ROWS {
    Attractor = FORCES.of(c"attractor", c"Attractor", switch(false)).hint(
        c"Pulls the air towards a point.");
    AttractorCentre = ATTRACTOR.of(c"attractorCentre", c"Attractor centre", position([0.5, 0.5])).hint(
        c"Where it is, in full-resolution pixels.");
    AttractorRadius = ATTRACTOR.of(c"attractorRadius", c"Attractor radius",
        double(200.0, [0.0, 100_000.0], [1.0, 1000.0])).hint(
        c"Distance at which it pulls most, in full-resolution pixels. It reaches about three times as far.");
    AttractorStrength = ATTRACTOR.of(c"attractorStrength", c"Attractor strength",
        double(0.5, [-1000.0, 1000.0], [-4.0, 4.0])).hint(
        c"Greatest pull, in pixels per frame squared; below 0 it pushes away.");
    Vortex = FORCES.of(c"vortex", c"Vortex", switch(false)).hint(
        c"Spins the air around a point.");
    VortexCentre = VORTEX.of(c"vortexCentre", c"Vortex centre", position([0.5, 0.5])).hint(
        c"Where it is, in full-resolution pixels.");
    VortexRadius = VORTEX.of(c"vortexRadius", c"Vortex radius", double(200.0, [0.0, 100_000.0], [1.0, 1000.0])).hint(
        c"Distance at which it pushes most, in full-resolution pixels. It reaches about three times as far.");
    VortexStrength = VORTEX.of(c"vortexStrength", c"Vortex strength",
        double(0.5, [-1000.0, 1000.0], [-4.0, 4.0])).hint(
        c"Greatest push, in pixels per frame squared; counter-clockwise above 0.");
    FlameSize = BURNING.of(c"flameSize", c"Flame size", double(400.0, [1.0, 100_000.0], [20.0, 1500.0])).hint(
        c"Height of a flame that the other values are meant for, in full-resolution pixels: shredding and the blue base \
          look at edges of this scale, and the updraft grows over half of it. How high the flame is follows from fuel, \
          Burn rate and Lift.");
    BurnRate = BURNING.of(c"burnRate", c"Burn rate", double(0.03, [0.0, 0.1], [0.0, 0.1])).hint(
        c"Fuel burnt per frame: fuel of 1 lasts 1 / Burn rate frames. Slower is a higher flame.");
    Pilot = BURNING.of(c"pilot", c"Pilot temperature", double(0.7, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Temperature at which fuel comes in. Above Ignition it burns at once; below, something else has to light it.");
    Ignition = BURNING.of(c"ignition", c"Ignition", double(0.25, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Temperature at which fuel begins to burn; 0.1 above, it burns at its full rate.");
    BurnHeat = BURNING.of(c"burnHeat", c"Burn heat", double(3.0, [0.0, 100.0], [0.0, 10.0])).hint(
        c"How far burning takes the temperature towards 1: 3 nearly there, 1 to two thirds.");
    Expansion = BURNING.of(c"expansion", c"Expansion", double(1.0, [0.0, 3.0], [0.0, 2.0])).hint(
        c"How much gas grows as it burns: fuel of 1 grows e^expansion times. Makes the flame fuller; needs an Open edge.");
    FlameLife = BURNING.of(c"flameLife", c"Flame life", double(26.0, [1.0, 10_000.0], [5.0, 100.0])).hint(
        c"Frames that gas glows while it burns; without burning it glows longer, and cools.");
    Radiation = BURNING.of(c"radiation", c"Radiation", double(0.03, [0.0, 10.0], [0.0, 0.2])).hint(
        c"Temperature that the hottest fire loses per frame. Cooler fire loses far less; Cooling takes the same share of \
          any heat.");
    FlameDiffusion = BURNING.of(c"flameDiffusion", c"Heat diffusion", double(0.5, [0.0, 10_000.0], [0.0, 20.0])).hint(
        c"How fast heat spreads, in square pixels per frame. Lights fuel nearby, and softens the flame.");
    GasDiffusion = BURNING.of(c"gasDiffusion", c"Gas diffusion", double(0.0, [0.0, 10_000.0], [0.0, 20.0])).hint(
        c"How fast the glowing gas spreads, in square pixels per frame: smooth, calm flames.");
    BurnSoot = BURNING.of(c"burnSoot", c"Soot", double(0.3, [0.0, 10.0], [0.0, 1.0])).hint(
        c"Soot of the fuel that burns late in the flame. It darkens the picture above the flame.");
    SootDecay = BURNING.of(c"sootDecay", c"Soot decay", double(0.02, [0.0, 10.0], [0.0, 0.2])).hint(
        c"Share of the soot that vanishes per frame.");
    SootWeight = BURNING.of(c"sootWeight", c"Soot weight", double(0.07, [-1000.0, 1000.0], [0.0, 1.0])).hint(
        c"How fast soot sinks: acceleration of a soot of 1, in pixels per frame squared.");
    Disturbance = BURNING.of(c"disturbance", c"Disturbance", double(0.8, [0.0, 1000.0], [0.0, 4.0])).hint(
        c"Eddies in the warm parts of the flame: their push in pixels per frame squared. Makes flames lick and flicker.");
    DisturbanceSize = DISTURBED.of(c"disturbanceSize", c"Disturbance size",
        double(60.0, [1.0, 100_000.0], [8.0, 400.0])).hint(
        c"Size of these eddies in full-resolution pixels.");
    DisturbancePulse = DISTURBED.of(c"disturbancePulse", c"Disturbance pulse",
        double(8.0, [0.1, 10_000.0], [2.0, 60.0])).hint(
        c"Frames in which these eddies turn into others.");
    Shredding = BURNING.of(c"shredding", c"Shredding", double(0.03, [0.0, 0.1], [0.0, 0.1])).hint(
        c"Growth of the motion across the flame's edge, per frame: tears flames into tongues.");
    Updraft = BURNING.of(c"updraft", c"Updraft", double(10.0, [-10_000.0, 10_000.0], [0.0, 40.0])).hint(
        c"Velocity of the air around the flame against gravity, in pixels per frame; it grows from the floor up. Keeps a \
          flame upright.");
    UpdraftDrag = BURNING.of(c"updraftDrag", c"Updraft drag", double(0.1, [0.0, 10.0], [0.0, 0.5])).hint(
        c"How soon the air around the flame takes on the updraft: share of the difference per frame. Calms the eddies \
          beside the flame. 0: no updraft.");
    Depth = LIGHT.of(c"depth", c"Depth", double(80.0, [0.1, 100_000.0], [1.0, 1000.0])).hint(
        c"How deep the smoke is towards the camera, in full-resolution pixels: shadows reach further through deeper \
          smoke (Smoke, Fire).");
    Opacity = PICTURE.when(OneOf(Id::Output, &[SMOKE, output::FIRE, output::INK])).of(c"opacity", c"Opacity", double(2.0, [0.0, 10_000.0], [0.0, 10.0])).hint(
        c"How much smoke covers: alpha is 1 - exp(-density x opacity) (Smoke, Fire). Ink of that \
          density leaves as much of its brightest channel.");
    FireEmber = FIRE.of(c"fireEmber", c"Ember kelvin", double(1150.0, [500.0, 20_000.0], [800.0, 3000.0])).hint(
        c"Colour of what hardly glows, in kelvin; 1150 is a deep orange (Fire).");
    FireKelvin = FIRE.of(c"fireKelvin", c"Fire kelvin", double(2300.0, [500.0, 20_000.0], [1000.0, 8000.0])).hint(
        c"Colour of a temperature of 1, in kelvin; 1900 is a candle, 2300 wood, 6500 white (Fire).");
    FireExposure = FIRE.of(c"fireExposure", c"Fire exposure", double(3.0, [-20.0, 20.0], [-4.0, 8.0])).hint(
        c"Brightness of a temperature of 1, in stops (Fire).");
    FireFalloff = FIRE.of(c"fireFalloff", c"Fire falloff", double(2.5, [0.5, 8.0], [0.5, 8.0])).hint(
        c"How fast the glow fades as the fire cools: brightness goes with this power of the temperature (Fire).");
    FireSoot = FIRE.of(c"fireSoot", c"Fire soot", double(8.0, [0.0, 10_000.0], [0.0, 20.0])).hint(
        c"How dark smoke is where it burns. 0 turns red fire pink on grey smoke (Fire).");
    FireOpacity = FIRE.of(c"fireOpacity", c"Fire opacity", double(0.3, [0.0, 10_000.0], [0.0, 4.0])).hint(
        c"How much fire hides what is behind it; 0 only adds its light (Fire).");
    FlameCore = FIRE.of(c"flameCore", c"Flame core", double(0.3, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Brightness of old gas in the flame of burning fuel, as a share of that of young gas: 1 glows to the tips (Fire).");
    FlameOnset = FIRE.of(c"flameOnset", c"Flame onset", double(0.03, [0.0, 1.0], [0.0, 0.5])).hint(
        c"Age at which the gas of burning fuel begins to glow, as a share of its life: the dark foot of the flame (Fire).");
    FlameEdge = FIRE.of(c"flameEdge", c"Flame edge", double(0.05, [0.0, 0.9], [0.0, 0.9])).hint(
        c"Share of flame gas from which on the flame of burning fuel shows: higher is a slimmer, sharper flame (Fire).");
    BlueBase = FIRE.of(c"blueBase", c"Blue base", double(0.35, [0.0, 100.0], [0.0, 2.0])).hint(
        c"Brightness of the blue where fuel begins to burn (Fire).");
    FireLight = FIRE.of(c"fireLight", c"Fire light", double(1.0, [0.0, 10_000.0], [0.0, 4.0])).hint(
        c"How much of its light fire sheds on the smoke around it; the deeper (Depth), the further. 0: none, as if it \
          only glowed (Fire).");
    LightDirection = SUN.of(c"lightDirection", c"Light direction",
        double(125.0, [-36_000.0, 36_000.0], [-180.0, 180.0])).hint(
        c"Where the light comes from, in degrees counter-clockwise from the right (Smoke, Fire).");
    LightElevation = SUN.of(c"lightElevation", c"Light elevation", double(25.0, [0.0, 90.0], [0.0, 90.0])).hint(
        c"How far the light stands above the picture, in degrees: 0 from the side, with long shadows, 90 from the \
          camera, with none (Smoke, Fire).");
    LightSize = SUN.of(c"lightSize", c"Light size", double(12.0, [0.0, 45.0], [0.0, 45.0])).hint(
        c"Half of the angle that the light takes up, in degrees: larger is softer (Smoke, Fire).");
    LightColour = SUN.of(c"lightColour", c"Light colour", colour([1.25, 1.2, 1.1])).hint(
        c"Colour and brightness of the light (Smoke, Fire).");
    AmbientLight = SUN.of(c"ambientLight", c"Ambient light", colour([0.14, 0.17, 0.22])).hint(
        c"Light from all around (Smoke, Fire).");
    Shadow = SUN.of(c"shadow", c"Self-shadow", double(6.0, [0.0, 10_000.0], [0.0, 20.0])).hint(
        c"How dark the smoke's own shadow is: optical depth of a density of 1 over 100 pixels (Smoke, Fire).");
    = common(Shared::CacheFolder);
    = common(Shared::CacheName);
    = common(Shared::CacheMode);
    = common(Shared::CacheEvery);
    = common(Shared::CacheSize);
    = common(Shared::CacheBusy);
    = common(Shared::Bake);
    = common(Shared::ClearDisk);
    = common(Shared::InitialState).in_group(CACHE_GROUP.name).hint(
        c"An EXR to start from instead of still air and of what comes in at the Start frame: a state of FlowSmoke's \
          disk cache, which goes on with the same bits, or any EXR with dye in RGB and density in alpha, and with \
          density.density, velocity.x, velocity.y and temperature.temperature where it has them. Its smoke is the \
          Start frame's, and Pre-roll has no part in it. %{NAME} stands for an environment variable.");
    Substeps = ADVANCED.of(c"substeps", c"Least sub-steps", int(1, [1, 64], [1, 8])).hint(
        c"Least number of simulation steps per frame. Fast air takes more by itself, see Cells per step.");
    MaxCfl = ADVANCED.of(c"maxCfl", c"Cells per step", double(4.0, [0.1, 100.0], [0.5, 8.0])).hint(
        c"How many cells the fastest air may cross in one step. Lower is finer in time and slower; above 4 fast jets \
          lose detail.");
    Reflection = ADVANCED.of(c"reflection", c"Reflection", switch(true)).constant().hint(
        c"Moves the air in two halves and reflects in between: eddies hardly lose any energy. Off: softer, and a little \
          faster.");
    VelocityAdvection = ADVANCED.of(c"velocityAdvection", c"Velocity advection", choice(&[
        c"Semi-Lagrangian", c"MacCormack", c"Cubic"
    ], 2)).constant().hint(
        c"How the air carries its own motion. Cubic is the most exact and keeps eddies round; MacCormack never goes \
          beyond what is around, and takes longer; Semi-Lagrangian is soft and thick.");
    DyeAdvection = ADVANCED.of(c"dyeAdvection", c"Dye advection", choice(&[
        c"Semi-Lagrangian", c"MacCormack", c"Catmull-Rom", c"Flow map"
    ], 2)).constant().hint(
        c"How the air carries dye and heat. Flow map keeps twice the fine detail of dye and takes longer: for ink, and for \
          pictures that are stirred; heat goes by Catmull-Rom, the crispest of the others. Semi-Lagrangian blurs.");
    Solver = ADVANCED.of(c"solver", c"Pressure solver", choice(&[
        c"Auto", c"Multigrid", c"Conjugate gradients", c"Iterated projection", c"Jacobi"
    ], 0)).hint(
        c"How the air is kept from piling up. Auto: multigrid, with conjugate gradients where there are obstacles. \
          Iterated projection: the whole frame is solved again and again with the obstacles' motion put back. Jacobi: \
          the soft, bouncy look of simple solvers.");
    Iterations = ADVANCED.of(c"iterations", c"Iterations", int(20, [1, 10_000], [1, 60])).hint(
        c"Most cycles of the solver per step. Auto rarely needs more than 4; Jacobi needs thousands.");
    Tolerance = ADVANCED.of(c"tolerance", c"Tolerance", double(0.001, [0.0, 1.0], [0.0001, 0.1])).hint(
        c"Divergence that may be left, as a share of what there was. Smaller is stricter and slower.");
    UpdateEvery = ADVANCED.of(c"updateEvery", c"Update every", int(1, [1, 100], [1, 8])).constant().hint(
        c"Frames from one solution of the air to the next; in between, dye is carried by the last. 2 or 3 for quick \
          looks.");
    = common(Shared::Proxy).in_group(ADVANCED.group);
    // Smoke of another kind of device has other bits.
    = common(Shared::Device).invalidates(Invalidates::Simulation).hint(
        c"What simulates. Auto: the GPU where there is one, else the CPU. GPU: any graphics device, even one in \
          software; where none works, the CPU goes on and a message says so. The smoke of a GPU differs a little from \
          a CPU's: a shot is to be simulated by one kind.");
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
static TABLE: [Control<Id>; Id::COUNT] = join(&[FIRST_ROWS, jets::ROWS.as_flattened(), LAST_ROWS]);

const PLACES: [usize; Id::COUNT] = place_by_ordinal!(TABLE);

const fn jet_group(name: &'static CStr, label: &'static CStr) -> Group {
    Group { name, label, open: false, parent: Some(jets::GROUP) }
}

impl Controls for Id {
    const TABLE: &'static [Control<Self>] = &TABLE;
    const GROUPS: &'static [Group] = &[
        SIMULATION_GROUP,
        Group { name: c"air", label: c"Air and wind", open: false, parent: None },
        Group { name: c"borders", label: c"Borders", open: false, parent: None },
        Group { name: c"grid", label: c"Moving grid", open: false, parent: None },
        Group { name: c"source", label: c"Inputs", open: false, parent: None },
        Group { name: c"brushGroup", label: c"Brush", open: false, parent: None },
        Group { name: jets::GROUP, label: c"Jets", open: true, parent: None },
        jet_group(c"jet1Group", c"Jet 1"),
        jet_group(c"jet2Group", c"Jet 2"),
        jet_group(c"jet3Group", c"Jet 3"),
        jet_group(c"jet4Group", c"Jet 4"),
        Group { name: c"forces", label: c"Attractor and vortex", open: false, parent: None },
        Group { name: c"fire", label: c"Fire with fuel", open: false, parent: None },
        Group { name: c"picture", label: c"Look", open: false, parent: None },
        Group { name: c"light", label: c"Light", open: false, parent: None },
        CACHE_GROUP,
        SYSTEM_GROUP,
    ];

    const PRESETS: Option<PresetTable<Self>> = Some((Self::Preset, presets));

    fn place(self) -> usize {
        PLACES[self.ordinal()]
    }
}

/// True if an edge is closed.
fn has_closed_edges(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    Ok(edges(values, time)?.contains(&Boundary::Closed))
}

/// True if there is wind.
fn has_wind(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    Ok(values.pair(Id::Wind, time)? != [0.0; 2])
}

/// Number of jets in the panel.
pub fn jet_count(values: &dyn Values<Id>, time: f64) -> Result<usize> {
    Ok(values.int(Id::JetCount, time)?.clamp(1, JETS as i32) as usize)
}

/// True if a field is above 0 of any jet that is on.
fn any_jet(values: &dyn Values<Id>, time: f64, field: JetField) -> Result<bool> {
    for n in 0..jet_count(values, time)? {
        if values.choice(Id::Jet(n, JetField::On), time)? != jets::OFF && values.double(Id::Jet(n, field), time)? > 0.0
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True if a jet brings fuel.
fn has_fuel(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    any_jet(values, time, JetField::Fuel)
}

/// True if there is turbulence, a jet that wanders, or fire that is disturbed.
fn uses_seed(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    Ok(values.double(Id::Noise, time)? > 0.0
        || any_jet(values, time, JetField::Random)?
        || has_fuel(values, time)? && values.double(Id::Disturbance, time)? > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nodes::common::overlay;

    #[test]
    fn the_table_is_in_the_order_of_the_panel_and_its_entries_are_sound() {
        controls::check::<Id>();
        overlay::check::<crate::nodes::smoke::FlowSmoke>();
    }
}
