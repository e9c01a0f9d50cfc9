//! Parameters of the FlowSmoke node: one row for each, with its script name, label, kind, default, range, and the
//! conditions under which it has an effect. `jets` has the rows of the jets, `hints.txt` the hints.

mod jets;

use std::ffi::CStr;
use std::sync::LazyLock;

use super::presets::presets;
use super::values::edges;
use crate::nodes::common::controls::PresetTable;
use crate::nodes::common::controls::{
    self, Condition, Control, Controls, Group, Invalidates, Kind, choice, colour, double, int, parameters, position,
    switch, vector,
};
use crate::nodes::common::hints::Hints;
use crate::nodes::common::shared::{CACHE_GROUP, DISK, EXTENTS, LAST, SIMULATION_GROUP, SYSTEM_GROUP, Shared};
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::sim::smoke::settings::Boundary;
use Condition::{Holds, On, OneOf, Positive};
pub use jets::{JETS, JetField};

/// Options of `gridMode`.
const FRAME: i32 = 0;
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

parameters! {

family Jet(JetField) times JETS;
order [
    FIRST_ROWS, jets::ROWS.as_flattened(), LAST_ROWS, &Id::common(DISK), ADVANCED_ROWS, &Id::common(LAST),
];

/// Groups before the jets.
FIRST_ROWS {
    Preset = MAIN.of(c"preset", c"Preset", choice(&[
        c"Custom", c"Ink", c"Candle", c"Campfire", c"Cigarette", c"Chimney", c"Steam", c"Fog bank", c"Dry ice"
    ], 0)).constant().invalidates(Invalidates::Nothing);
    Output = MAIN.invalidates(Invalidates::Picture).of(c"output", c"Output", choice(&[
        c"Dye", c"Smoke", c"Fire", c"Ink", c"Velocity", c"Motion vectors", c"Vorticity", c"Pressure", c"Divergence",
        c"Temperature", c"Density"
    ], SMOKE));
    = common(Shared::StartFrame);
    = common(Shared::StartHere);
    = common(Shared::Preroll);
    = common(Shared::Resolution);
    Lift = MAIN.of(c"lift", c"Buoyancy", double(0.3, [-1000.0, 1000.0], [0.0, 2.0]));
    Weight = MAIN.of(c"weight", c"Sink", double(0.0, [-1000.0, 1000.0], [-1.0, 1.0]));
    Noise = MAIN.of(c"noise", c"Turbulence", double(0.0, [0.0, 1000.0], [0.0, 2.0]));
    Vorticity = MAIN.of(c"vorticity", c"Swirl", double(0.2, [0.0, 100.0], [0.0, 2.0]));
    Dissipation = MAIN.of(c"dissipation", c"Dissipation", double(0.005, [0.0, 1.0], [0.0, 0.1]));
    Cooling = MAIN.of(c"cooling", c"Cooling", double(0.02, [0.0, 1.0], [0.0, 0.2]));
    TimeScale = AIR.of(c"timeScale", c"Time scale", double(1.0, [0.0, 1000.0], [0.0, 4.0]));
    NoiseSize = AIR.of(c"noiseSize", c"Turbulence size", double(120.0, [1.0, 100_000.0], [8.0, 1000.0]))
        .when(Positive(Id::Noise));
    NoiseOctaves = AIR.of(c"noiseOctaves", c"Turbulence octaves", int(1, [1, 6], [1, 6]))
        .when(Positive(Id::Noise));
    NoiseSpeed = AIR.of(c"noiseSpeed", c"Turbulence speed", double(0.05, [0.0, 10.0], [0.0, 0.5]))
        .when(Positive(Id::Noise));
    Seed = AIR.of(c"seed", c"Seed", int(0, [i32::MIN, i32::MAX], [0, 100])).when(Holds(uses_seed));
    Wind = AIR.of(c"wind", c"Wind", vector(0.0, [-10_000.0, 10_000.0], [-20.0, 20.0]));
    WindDrag = AIR.of(c"windDrag", c"Wind drag", double(0.05, [0.0, 1.0], [0.0, 0.5])).when(Holds(has_wind));
    Viscosity = AIR.of(c"viscosity", c"Viscosity", double(0.0, [0.0, 1_000_000.0], [0.0, 20.0]));
    Drag = AIR.of(c"drag", c"Drag", double(0.0, [0.0, 1.0], [0.0, 0.1]));
    GravityDirection = AIR.of(c"gravityDirection", c"Gravity direction",
        double(-90.0, [-36_000.0, 36_000.0], [-180.0, 180.0]));
    Ambient = AIR.of(c"ambient", c"Ambient temperature", double(0.0, [0.0, 1000.0], [0.0, 1.0]));
    EdgeLeft = EDGE.of(c"edgeLeft", c"Left edge", EDGES);
    EdgeRight = EDGE.of(c"edgeRight", c"Right edge", EDGES);
    EdgeBottom = EDGE.of(c"edgeBottom", c"Bottom edge", EDGES);
    EdgeTop = EDGE.of(c"edgeTop", c"Top edge", EDGES);
    EdgeSlip = BORDERS.of(c"edgeSlip", c"Edge slip", choice(&[c"Free slip", c"No slip"], 0))
        .constant().when(Holds(has_closed_edges));
    // Smoke rises beyond a small element that it comes from.
    = Control { kind: choice(EXTENTS, 2), ..common(Shared::Extent).in_group(BORDERS.group) };
    Overscan = BORDERS.of(c"overscan", c"Overscan", vector(0.0, [0.0, 10_000.0], [0.0, 200.0]))
        .constant().when(OneOf(Id::GridMode, &[FRAME]));
    GridMode = GRID.of(c"gridMode", c"Grid", choice(&[c"Frame", c"Follow"], 0)).constant();
    GridCentre = FOLLOWING.of(c"gridCentre", c"Grid centre", position([0.5, 0.5]));
    GridSize = FOLLOWING.of(c"gridSize", c"Grid size", vector(512.0, [1.0, 16_384.0], [64.0, 2048.0]))
        .constant();
    GridFeather = FOLLOWING.of(c"gridFeather", c"Grid feather", double(32.0, [0.0, 16_384.0], [0.0, 200.0]))
        .invalidates(Invalidates::Picture).when(OneOf(Id::Output, &[DYE, SMOKE, output::FIRE, output::INK]));
    GridInherit = FOLLOWING.of(c"gridVelocityInherit", c"Velocity inherit", double(0.0, [0.0, 1.0], [0.0, 1.0]));
    SourceMode = SOURCE.of(c"sourceMode", c"Source mode", choice(&[
        c"Start frame", c"Add", c"Replace", c"Fill up"
    ], 1));
    SourceChannel = SOURCE.of(c"sourceChannel", c"Source channel", choice(&[
        c"Alpha", c"Luminance", c"Red", c"Green", c"Blue"
    ], 0));
    SourceDensity = SOURCE.of(c"sourceDensity", c"Source density", double(0.2, [0.0, 1_000_000.0], [0.0, 2.0]));
    VelocityMode = SOURCE.of(c"velocityMode", c"Velocity mode", choice(&[c"Set", c"Add"], 0));
    VelocityScale = SOURCE.of(c"velocityScale", c"Velocity scale",
        double(1.0, [-1_000_000.0, 1_000_000.0], [-4.0, 4.0]));
    HeatChannel = SOURCE.of(c"heatChannel", c"Heat channel", choice(&[
        c"Red", c"Green", c"Blue", c"Alpha", c"Luminance"
    ], 0));
    HeatScale = SOURCE.of(c"heatScale", c"Heat scale", double(0.2, [-1000.0, 1000.0], [0.0, 2.0]));
    ObstaclePush = SOURCE.of(c"obstaclePush", c"Obstacle push", double(1.0, [0.0, 10.0], [0.0, 2.0]));
    ObstacleSlip = SOURCE.of(c"obstacleSlip", c"Obstacle slip", choice(&[c"Free slip", c"No slip"], 1))
        .constant();
    Brush = BRUSH.of(c"brush", c"Brush", switch(false));
    BrushCentre = BRUSHED.of(c"brushCentre", c"Brush centre", position([0.5, 0.5]));
    BrushRadius = BRUSHED.of(c"brushRadius", c"Brush radius", double(40.0, [0.0, 100_000.0], [1.0, 300.0]));
    BrushSoftness = BRUSHED.of(c"brushSoftness", c"Brush softness", double(0.5, [0.0, 1.0], [0.0, 1.0]));
    BrushForce = BRUSHED.of(c"brushForce", c"Brush force", double(1.0, [0.0, 100.0], [0.0, 2.0]));
    BrushColour = BRUSHED.of(c"brushColour", c"Brush colour", colour([0.1, 0.35, 0.8]));
    BrushDensity = BRUSHED.of(c"brushDensity", c"Brush density", double(0.5, [0.0, 1000.0], [0.0, 2.0]));
    JetCount = JET_GROUP.of(c"jetCount", c"Jets", int(1, [1, JETS as i32], [1, JETS as i32])).constant();
}

/// Groups after the jets.
LAST_ROWS {
    Attractor = FORCES.of(c"attractor", c"Attractor", switch(false));
    AttractorCentre = ATTRACTOR.of(c"attractorCentre", c"Attractor centre", position([0.5, 0.5]));
    AttractorRadius = ATTRACTOR.of(c"attractorRadius", c"Attractor radius",
        double(200.0, [0.0, 100_000.0], [1.0, 1000.0]));
    AttractorStrength = ATTRACTOR.of(c"attractorStrength", c"Attractor strength",
        double(0.5, [-1000.0, 1000.0], [-4.0, 4.0]));
    Vortex = FORCES.of(c"vortex", c"Vortex", switch(false));
    VortexCentre = VORTEX.of(c"vortexCentre", c"Vortex centre", position([0.5, 0.5]));
    VortexRadius = VORTEX.of(c"vortexRadius", c"Vortex radius", double(200.0, [0.0, 100_000.0], [1.0, 1000.0]));
    VortexStrength = VORTEX.of(c"vortexStrength", c"Vortex strength",
        double(0.5, [-1000.0, 1000.0], [-4.0, 4.0]));
    FlameSize = BURNING.of(c"flameSize", c"Flame size", double(400.0, [1.0, 100_000.0], [20.0, 1500.0]));
    BurnRate = BURNING.of(c"burnRate", c"Burn rate", double(0.03, [0.0, 0.1], [0.0, 0.1]));
    Pilot = BURNING.of(c"pilot", c"Pilot temperature", double(0.7, [0.0, 1.0], [0.0, 1.0]));
    Ignition = BURNING.of(c"ignition", c"Ignition", double(0.25, [0.0, 1.0], [0.0, 1.0]));
    BurnHeat = BURNING.of(c"burnHeat", c"Burn heat", double(3.0, [0.0, 100.0], [0.0, 10.0]));
    Expansion = BURNING.of(c"expansion", c"Expansion", double(1.0, [0.0, 3.0], [0.0, 2.0]));
    FlameLife = BURNING.of(c"flameLife", c"Flame life", double(26.0, [1.0, 10_000.0], [5.0, 100.0]));
    Radiation = BURNING.of(c"radiation", c"Radiation", double(0.03, [0.0, 10.0], [0.0, 0.2]));
    FlameDiffusion = BURNING.of(c"flameDiffusion", c"Heat diffusion", double(0.5, [0.0, 10_000.0], [0.0, 20.0]));
    GasDiffusion = BURNING.of(c"gasDiffusion", c"Gas diffusion", double(0.0, [0.0, 10_000.0], [0.0, 20.0]));
    BurnSoot = BURNING.of(c"burnSoot", c"Soot", double(0.3, [0.0, 10.0], [0.0, 1.0]));
    SootDecay = BURNING.of(c"sootDecay", c"Soot decay", double(0.02, [0.0, 10.0], [0.0, 0.2]));
    SootWeight = BURNING.of(c"sootWeight", c"Soot weight", double(0.07, [-1000.0, 1000.0], [0.0, 1.0]));
    Disturbance = BURNING.of(c"disturbance", c"Disturbance", double(0.8, [0.0, 1000.0], [0.0, 4.0]));
    DisturbanceSize = DISTURBED.of(c"disturbanceSize", c"Disturbance size",
        double(60.0, [1.0, 100_000.0], [8.0, 400.0]));
    DisturbancePulse = DISTURBED.of(c"disturbancePulse", c"Disturbance pulse",
        double(8.0, [0.1, 10_000.0], [2.0, 60.0]));
    Shredding = BURNING.of(c"shredding", c"Shredding", double(0.03, [0.0, 0.1], [0.0, 0.1]));
    Updraft = BURNING.of(c"updraft", c"Updraft", double(10.0, [-10_000.0, 10_000.0], [0.0, 40.0]));
    UpdraftDrag = BURNING.of(c"updraftDrag", c"Updraft drag", double(0.1, [0.0, 10.0], [0.0, 0.5]));
    Depth = LIGHT.of(c"depth", c"Depth", double(80.0, [0.1, 100_000.0], [1.0, 1000.0]));
    Opacity = PICTURE.of(c"opacity", c"Opacity", double(2.0, [0.0, 10_000.0], [0.0, 10.0]))
        .when(OneOf(Id::Output, &[SMOKE, output::FIRE, output::INK]));
    FireEmber = FIRE.of(c"fireEmber", c"Ember kelvin", double(1150.0, [500.0, 20_000.0], [800.0, 3000.0]));
    FireKelvin = FIRE.of(c"fireKelvin", c"Fire kelvin", double(2300.0, [500.0, 20_000.0], [1000.0, 8000.0]));
    WorkingSpace = FIRE.of(c"workingSpace", c"Working space", choice(&[c"Rec. 709", c"ACEScg", c"Rec. 2020"], 0))
        .constant();
    FireExposure = FIRE.of(c"fireExposure", c"Fire exposure", double(3.0, [-20.0, 20.0], [-4.0, 8.0]));
    FireFalloff = FIRE.of(c"fireFalloff", c"Fire falloff", double(2.5, [0.5, 8.0], [0.5, 8.0]));
    FireSoot = FIRE.of(c"fireSoot", c"Fire soot", double(8.0, [0.0, 10_000.0], [0.0, 20.0]));
    FireOpacity = FIRE.of(c"fireOpacity", c"Fire opacity", double(0.3, [0.0, 10_000.0], [0.0, 4.0]));
    FlameCore = FIRE.of(c"flameCore", c"Flame core", double(0.3, [0.0, 1.0], [0.0, 1.0]));
    FlameOnset = FIRE.of(c"flameOnset", c"Flame onset", double(0.03, [0.0, 1.0], [0.0, 0.5]));
    FlameEdge = FIRE.of(c"flameEdge", c"Flame edge", double(0.05, [0.0, 0.9], [0.0, 0.9]));
    BlueBase = FIRE.of(c"blueBase", c"Blue base", double(0.35, [0.0, 100.0], [0.0, 2.0]));
    FireLight = FIRE.of(c"fireLight", c"Fire light", double(1.0, [0.0, 10_000.0], [0.0, 4.0]));
    LightDirection = SUN.of(c"lightDirection", c"Light direction",
        double(125.0, [-36_000.0, 36_000.0], [-180.0, 180.0]));
    LightElevation = SUN.of(c"lightElevation", c"Light elevation", double(25.0, [0.0, 90.0], [0.0, 90.0]));
    LightSize = SUN.of(c"lightSize", c"Light size", double(12.0, [0.0, 45.0], [0.0, 45.0]));
    LightColour = SUN.of(c"lightColour", c"Light colour", colour([1.25, 1.2, 1.1]));
    AmbientLight = SUN.of(c"ambientLight", c"Ambient light", colour([0.14, 0.17, 0.22]));
    Shadow = SUN.of(c"shadow", c"Self-shadow", double(6.0, [0.0, 10_000.0], [0.0, 20.0]));
}

/// Advanced parameters, after those of the disk cache.
ADVANCED_ROWS {
    = common(Shared::InitialState).in_group(CACHE_GROUP.name);
    Substeps = ADVANCED.of(c"substeps", c"Least sub-steps", int(1, [1, 64], [1, 8]));
    MaxCfl = ADVANCED.of(c"maxCfl", c"Cells per step", double(4.0, [0.1, 100.0], [0.5, 8.0]));
    Reflection = ADVANCED.of(c"reflection", c"Reflection", switch(true)).constant();
    VelocityAdvection = ADVANCED.of(c"velocityAdvection", c"Velocity advection", choice(&[
        c"Semi-Lagrangian", c"MacCormack", c"Cubic"
    ], 2)).constant();
    DyeAdvection = ADVANCED.of(c"dyeAdvection", c"Dye advection", choice(&[
        c"Semi-Lagrangian", c"MacCormack", c"Catmull-Rom", c"Flow map"
    ], 2)).constant();
    Solver = ADVANCED.of(c"solver", c"Pressure solver", choice(&[
        c"Auto", c"Multigrid", c"Conjugate gradients", c"Iterated projection", c"Jacobi"
    ], 0));
    Iterations = ADVANCED.of(c"iterations", c"Iterations", int(20, [1, 10_000], [1, 60]));
    Tolerance = ADVANCED.of(c"tolerance", c"Tolerance", double(0.001, [0.0, 1.0], [0.0001, 0.1]));
    UpdateEvery = ADVANCED.of(c"updateEvery", c"Update every", int(1, [1, 100], [1, 8])).constant();
    = common(Shared::Proxy).in_group(ADVANCED.group);
    // Smoke of another kind of device has other bits.
    = common(Shared::Device).invalidates(Invalidates::Simulation);
}

}

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

    fn hints() -> &'static Hints {
        static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::read(include_str!("../hints.txt")));
        &HINTS
    }

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

/// True if there is turbulence, a jet that wanders or is broken up, or fire that is disturbed.
fn uses_seed(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    Ok(values.double(Id::Noise, time)? > 0.0
        || any_jet(values, time, JetField::Random)?
        || any_jet(values, time, JetField::Breakup)?
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
