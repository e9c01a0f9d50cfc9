//! Parameters of the Flow node: one row for each, with its script name, label, kind, default, range, and the conditions
//! under which it has an effect. `emitters` has the rows of the emitters, `hints.txt` the hints.

mod emitters;

use std::ffi::CStr;
use std::sync::LazyLock;

use super::presets::presets;
use crate::nodes::common::controls::PresetTable;
use crate::nodes::common::controls::{
    self, Condition, Control, Controls, Group, Invalidates, Kind, choice, colour, double, int, parameters, position,
    switch, vector,
};
use crate::nodes::common::hints::Hints;
use crate::nodes::common::shared::{CACHE_GROUP, DISK, LAST, SIMULATION_GROUP, SYSTEM_GROUP, Shared};
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

parameters! {

family Emitter(EmitterField) times EMITTERS;
order [
    FIRST_ROWS, emitters::ROWS.as_flattened(), LAST_ROWS, &Id::common(DISK), ADVANCED_ROWS, &Id::common(LAST),
];

/// Groups before the emitters.
FIRST_ROWS {
    Preset = MAIN.of(c"preset", c"Preset", choice(&[
        c"Custom", c"River", c"Flood", c"Ripples", c"Pond in rain", c"Street puddle"
    ], 0)).constant().invalidates(Invalidates::Nothing);
    Output = MAIN.invalidates(Invalidates::Picture).of(c"output", c"Output", choice(&[
        c"Water", c"Height", c"Cross", c"Diagonal", c"Beauty", c"Normals", c"Velocity", c"Motion vectors",
        c"Refraction map", c"Displacement", c"Caustics", c"Foam", c"Wetness"
    ], SHADED));
    Model = MAIN.of(c"model", c"Model", choice(&[
        c"Puddles and ponds", c"Legacy pipes", c"Rivers and floods", c"Ripples"
    ], 0)).constant();
    = common(Shared::StartFrame);
    = common(Shared::StartHere);
    = common(Shared::Preroll);
    = common(Shared::Resolution);
    WaterLevel = MAIN.of(c"waterLevel", c"Water level", double(0.0, [0.0, 65_536.0], [0.0, 2.0]));
    Ground = MAIN.of(c"ground", c"Ground", choice(&[
        c"Flat", c"Pebbles", c"River bed", c"Meadow", c"Street", c"Beach"
    ], 0)).constant();
    RainDrops = MAIN.of(c"rainDrops", c"Drops per frame", double(0.0, [0.0, 100_000.0], [0.0, 20.0]))
        .when(OneOf(Id::RainMode, &[DROPS]));
    Speed = MAIN.of(c"speed", c"Speed", double(4.0, [0.0, 10_000.0], [0.0, 20.0]))
        .when(OneOf(Id::Model, &[model::PIPES, model::RIPPLES]));
    Gravity = MAIN.of(c"gravity", c"Gravity", double(60.0, [0.0, 100_000.0], [0.0, 200.0]))
        .when(OneOf(Id::Model, &[model::SHALLOW_WATER]));
    TimeScale = WAVES.of(c"timeScale", c"Time scale", double(1.0, [0.0, 1000.0], [0.0, 4.0]))
        .when(NoneOf(Id::Model, &[model::CLASSIC]));
    Damping = WAVES.of(c"damping", c"Damping", double(0.02, [0.0, 1.0], [0.0, 0.2]));
    Smoothing = WAVES.of(c"smoothing", c"Smoothing", double(0.1, [0.0, 0.5], [0.0, 0.5]))
        .when(OneOf(Id::Model, &[model::PIPES, model::SHALLOW_WATER]));
    Friction = SHALLOW_WATER.of(c"friction", c"Friction", double(0.0005, [0.0, 1000.0], [0.0, 0.01]));
    RippleLength = RIPPLES.of(c"rippleLength", c"Ripple length", double(60.0, [1.0, 1_000_000.0], [4.0, 200.0]));
    SlowestRipple = RIPPLES.of(c"slowestRipple", c"Slowest ripple", double(6.0, [0.0, 1_000_000.0], [0.0, 17.0]));
    RippleDepth = RIPPLES.of(c"rippleDepth", c"Depth", double(0.0, [0.0, 1_000_000.0], [0.0, 100.0]));
    RippleSmoothing = RIPPLES.of(c"rippleSmoothing", c"Ripple smoothing", double(0.02, [0.0, 0.5], [0.0, 0.2]));
    FlowRate = CLASSIC_PIPES.of(c"flowRate", c"Flow rate", double(0.1, [0.0, 1.0], [0.0, 0.2]));
    Edges = BORDERS.of(c"edges", c"Edges", choice(&[c"Closed", c"Open", c"Wrap", c"Absorb"], 0)).constant();
    EdgeLeft = SIDE.of(c"edgeLeft", c"Left edge", AS_EDGES);
    EdgeRight = SIDE.of(c"edgeRight", c"Right edge", AS_EDGES);
    EdgeTop = SIDE.of(c"edgeTop", c"Top edge", AS_EDGES);
    EdgeBottom = SIDE.of(c"edgeBottom", c"Bottom edge", AS_EDGES);
    AbsorbWidth = BORDERS.of(c"absorbWidth", c"Absorb width", double(100.0, [0.0, 1_000_000.0], [0.0, 500.0]))
        .when(Holds(absorbs));
    = common(Shared::Extent).in_group(BORDERS.group);
    Overscan = BORDERS.of(c"overscan", c"Overscan", vector(0.0, [0.0, 10_000.0], [0.0, 200.0])).constant();
    SourceMode = SOURCE.of(c"sourceMode", c"Source mode", choice(&[
        c"Start frame", c"Add", c"Replace", c"Fill up"
    ], 0));
    SourceChannel = SOURCE.of(c"sourceChannel", c"Source channel", choice(&[
        c"Alpha", c"Luminance", c"Red", c"Green", c"Blue"
    ], 0));
    SourceHeight = SOURCE.of(c"sourceHeight", c"Source height", double(1.0, [0.0, 1_000_000.0], [0.0, 4.0]));
    RainMode = SOURCE.of(c"rainMode", c"Rain mode", choice(&[c"Drops", c"Mean height"], 0));
    Rain = SOURCE.of(c"rain", c"Rain", double(0.0, [0.0, 10_000.0], [0.0, 0.02]))
        .when(OneOf(Id::RainMode, &[MEAN_HEIGHT]));
    RainSize = SOURCE.of(c"rainSize", c"Drop size", double(3.0, [0.0, 10_000.0], [0.0, 20.0]));
    RainStrength = SOURCE.of(c"rainStrength", c"Drop strength", double(0.15, [0.0, 10_000.0], [0.0, 1.0]));
    Seed = SOURCE.of(c"seed", c"Seed", int(0, [i32::MIN, i32::MAX], [0, 100]));
    Evaporation = SOURCE.of(c"evaporation", c"Evaporation", double(0.0, [0.0, 10_000.0], [0.0, 0.05]))
        .when(NoneOf(Id::Model, &[model::RIPPLES]));
    Drain = SOURCE.of(c"drain", c"Drain", switch(false));
    DrainCentre = DRAIN.of(c"drainCentre", c"Drain centre", position([0.5, 0.25]));
    DrainRadius = DRAIN.of(c"drainRadius", c"Drain radius", double(30.0, [0.0, 100_000.0], [0.0, 500.0]));
    DrainRate = DRAIN.of(c"drainRate", c"Drain rate", double(0.1, [0.0, 10_000.0], [0.0, 1.0]));
    EmitterCount = EMISSION.of(c"emitterCount", c"Emitters", int(1, [1, EMITTERS as i32], [1, EMITTERS as i32]))
        .constant();
}

/// Groups after the emitters.
LAST_ROWS {
    UseTerrain = TERRAIN.of(c"useTerrain", c"Use terrain", switch(true))
        .when(NoneOf(Id::Model, &[model::RIPPLES]));
    TerrainChannel = TERRAIN.of(c"terrainChannel", c"Terrain channel", choice(&[
        c"Luminance", c"Red", c"Green", c"Blue", c"Alpha"
    ], 0));
    TerrainHeight = TERRAIN.of(c"terrainHeight", c"Terrain height",
        double(1.0, [-1_000_000.0, 1_000_000.0], [0.0, 4.0]));
    TerrainOffset = TERRAIN.of(c"terrainOffset", c"Terrain offset",
        double(0.0, [-1_000_000.0, 1_000_000.0], [-1.0, 1.0]));
    TerrainInvert = TERRAIN.of(c"terrainInvert", c"Invert terrain", switch(false));
    Push = FORCES.of(c"push", c"Push", vector(0.0, [-1_000_000.0, 1_000_000.0], [-0.05, 0.05]));
    ForceScale = FORCES.of(c"forceScale", c"Force scale", double(1.0, [-1_000_000.0, 1_000_000.0], [-2.0, 2.0]));
    PressureScale = FORCES.of(c"pressureScale", c"Pressure scale",
        double(1.0, [-1_000_000.0, 1_000_000.0], [-2.0, 2.0]));
    GoalStrength = FORCES.of(c"goalStrength", c"Guide strength", double(0.0, [0.0, 1.0], [0.0, 1.0]));
    GoalVelocity = FORCES.of(c"goalVelocity", c"Guide velocity",
        vector(0.0, [-1_000_000.0, 1_000_000.0], [-10.0, 10.0])).when(Positive(Id::GoalStrength));
    ObstacleDrag = FORCES.of(c"obstacleDrag", c"Obstacle drag", double(0.5, [0.0, 1.0], [0.0, 1.0]));
    Foam = TRACES.of(c"foam", c"Foam", switch(false));
    FoamAmount = FOAM.of(c"foamAmount", c"Foam amount", double(0.15, [0.0, 1_000_000.0], [0.0, 1.0]));
    FoamSteepness = FOAM.of(c"foamSteepness", c"Foam steepness", double(0.05, [0.0, 1_000_000.0], [0.0, 0.2]));
    FoamLife = FOAM.of(c"foamLife", c"Foam life", double(10.0, [0.001, 1_000_000.0], [1.0, 100.0]));
    ShoreFoam = FOAM.of(c"shoreFoam", c"Shore foam", double(0.3, [0.0, 1.0], [0.0, 1.0]));
    Detail = TRACES.of(c"detail", c"Surface detail", switch(false));
    DetailStrength = DETAIL.of(c"detailStrength", c"Detail strength", double(0.25, [0.0, 100.0], [0.0, 1.0]));
    DetailSize = DETAIL.of(c"detailSize", c"Detail size", double(1.0, [0.01, 100.0], [0.1, 4.0]));
    Wetness = TRACES.of(c"wetness", c"Wetness", switch(false));
    DryFrames = TRACES.of(c"dryFrames", c"Dry frames", double(100.0, [0.001, 1_000_000.0], [1.0, 500.0]))
        .when(On(Id::Wetness));
    Relief = PICTURE.of(c"relief", c"Height scale", double(140.0, [0.0, 1_000_000.0], [0.0, 500.0]))
        .when(OneOf(Id::Output, &[SHADED, NORMALS, REFRACTION_MAP, DISPLACEMENT, CAUSTICS]));
    WaterColour = SHADING.of(c"waterColour", c"Water colour", colour([0.01, 0.08, 0.1]));
    Clarity = SHADING.of(c"clarity", c"Clarity", double(0.25, [0.000_1, 10_000.0], [0.01, 2.0]));
    Murkiness = SHADING.of(c"murkiness", c"Murkiness", double(0.35, [0.0, 1.0], [0.0, 1.0]));
    IndexOfRefraction = PICTURE.of(c"indexOfRefraction", c"Index of refraction", double(1.333, [1.0, 3.0], [1.0, 2.0]))
        .when(OneOf(Id::Output, &[SHADED, REFRACTION_MAP, DISPLACEMENT, CAUSTICS]));
    Roughness = SHADING.of(c"roughness", c"Roughness", double(0.2, [0.05, 1.0], [0.05, 1.0]));
    Caustics = SHADING.of(c"caustics", c"Caustics", double(1.0, [0.0, 100.0], [0.0, 4.0]));
    GroundColour = SHADING.of(c"groundColour", c"Ground colour", colour([0.2, 0.165, 0.115]));
    WetDarkening = SHADING.of(c"wetDarkening", c"Wet darkening", double(0.45, [0.0, 1.0], [0.0, 1.0]));
    FoamColour = SHADING.of(c"foamColour", c"Foam colour", colour([0.75, 0.78, 0.8]));
    AlphaMode = SHADING.of(c"alphaMode", c"Alpha mode", choice(&[c"Over bed", c"Water only"], 0));
    LightDirection = LIGHT.of(c"lightDirection", c"Light direction",
        double(125.0, [-36_000.0, 36_000.0], [-180.0, 180.0]));
    LightElevation = LIGHT.of(c"lightElevation", c"Light elevation", double(40.0, [0.0, 90.0], [0.0, 90.0]));
    LightColour = SKY.of(c"lightColour", c"Light colour", colour([1.4, 1.28, 1.1]));
    LightSize = SKY.of(c"lightSize", c"Light size", double(8.0, [0.0, 60.0], [0.0, 40.0]));
    SkyColour = SKY.of(c"skyColour", c"Sky colour", colour([0.16, 0.28, 0.48]));
    HorizonColour = SKY.of(c"horizonColour", c"Horizon colour", colour([0.6, 0.66, 0.72]));
    SkyContrast = SKY.of(c"skyContrast", c"Sky contrast", double(0.6, [0.0, 4.0], [0.0, 2.0]));
    Clouds = SKY.of(c"clouds", c"Clouds", double(0.0, [0.0, 1.0], [0.0, 1.0]));
    Skyline = SKY.of(c"skyline", c"Skyline", choice(&[c"None", c"Trees", c"Houses"], 0));
    SkylineHeight = SKY.of(c"skylineHeight", c"Skyline height",
        double(200.0, [1.0, 1_000_000.0], [10.0, 1000.0])).when(OneOf(Id::Skyline, &[1, 2]));
    ViewElevation = SKY.of(c"viewElevation", c"View elevation", double(40.0, [1.0, 90.0], [5.0, 90.0]));
    ReflectionDistance = SKY.of(c"reflectionDistance", c"Reflection distance",
        double(200.0, [0.0, 1_000_000.0], [0.0, 2000.0]));
}

/// Advanced parameters, after those of the disk cache.
ADVANCED_ROWS {
    = common(Shared::InitialState).in_group(CACHE_GROUP.name);
    Substeps = ADVANCED.of(c"substeps", c"Least sub-steps", int(1, [1, 1024], [1, 16]));
    Order = ADVANCED.of(c"order", c"Order", choice(&[c"Second order", c"First order"], 0)).constant()
        .when(OneOf(Id::Model, &[model::SHALLOW_WATER]));
    DiagonalWeight = ADVANCED.of(c"diagonalWeight", c"Diagonal weight", double(0.25, [0.0, 1.0], [0.0, 1.0])).constant()
        .when(OneOf(Id::Model, &[model::PIPES]));
    MaxHeight = ADVANCED.of(c"maxHeight", c"Max height", double(8.0, [0.003_906_25, 65_536.0], [1.0, 64.0]))
        .constant();
    ColourRange = ADVANCED.of(c"colourRange", c"Colour range",
        double(16.0, [0.000_976_562_5, 65_536.0], [1.0, 64.0])).constant();
    = common(Shared::Proxy).in_group(ADVANCED.group);
    = common(Shared::Device);
}

}

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

    fn hints() -> &'static Hints {
        static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::read(include_str!("../hints.txt")));
        &HINTS
    }

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
