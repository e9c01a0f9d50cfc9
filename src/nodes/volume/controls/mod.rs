//! Parameters of the FlowVolume node: one row for each, with its script name, label, kind, default, range, hint, and
//! the conditions under which it has an effect. `emitters` and `lights` have the rows that occur several times.

mod emitters;
pub mod lights;

use std::ffi::CStr;

use super::presets::presets;
use crate::nodes::common::camera;
use crate::nodes::common::controls::{
    self, Condition, Control, Controls, Group, Invalidates, PresetTable, choice, colour, double, int, join, parameters,
    place_by_ordinal, position, switch, triple,
};
use crate::nodes::common::shared::{CACHE_GROUP, SIMULATION_GROUP, SYSTEM_GROUP, Shared, shared};
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use Condition::{Holds, NoneOf, OneOf, Positive};
pub use emitters::{EMITTERS, EmitterField};
pub use lights::{LIGHTS, LightField};

/// Options of `output`.
pub mod output {
    /// The sum of all light.
    pub const BEAUTY: i32 = 0;
    /// The part of each light.
    pub const LIGHTS: [i32; 4] = [4, 11, 12, 13];
    /// Ambient light.
    pub const AMBIENT: i32 = 5;
    /// Outputs that the lights do not affect.
    pub const DATA: &[i32] = &[1, 2, 3, 7, 8, 9, 10];
}

const MAIN: Control<Id> = controls::blank(Id::Buoyancy, SIMULATION_GROUP.name);
const ADVANCED: Control<Id> = controls::blank(Id::Reflection, SYSTEM_GROUP.name);
const BOX: Control<Id> = controls::blank(Id::BoxCentre, c"box");
const AIR: Control<Id> = controls::blank(Id::TimeScale, c"air");
const STIRRED: Control<Id> = AIR.when(Positive(Id::Noise));
const EMITTER_GROUP: Control<Id> = controls::blank(Id::EmitterCount, emitters::GROUP);
const BURNING: Control<Id> = controls::blank(Id::BurnRate, c"fire").when(Holds(has_fuel));
const PICTURE: Control<Id> = controls::blank(Id::Opacity, c"picture").invalidates(Invalidates::Picture);
const SCATTERED: Control<Id> = PICTURE.when(NoneOf(Id::Output, output::DATA));
// Bright gas hides what is behind it, in all outputs.
const GLOW: Control<Id> = PICTURE.in_group(c"fireLook");
const LIGHT_GROUP: Control<Id> = PICTURE.in_group(lights::GROUP);
const SKY: Control<Id> = LIGHT_GROUP.when(OneOf(Id::Output, &[output::BEAUTY, output::AMBIENT]));
const CAMERA: Control<Id> = controls::blank(Id::Camera, c"cameraGroup").invalidates(Invalidates::Picture);

/// A control that all nodes have.
const fn common(which: Shared) -> Control<Id> {
    shared(which, Id::Shared(which))
}

/// A length in heights of the frame.
const fn side(default: f64) -> controls::Kind {
    double(default, [0.01, 100.0], [0.1, 3.0])
}

parameters! {

family Emitter(EmitterField) times EMITTERS, Light(LightField) times LIGHTS;

/// Groups before the emitters.
FIRST_ROWS {
    Preset = MAIN.of(c"preset", c"Preset", choice(&[
        c"Custom", c"Chimney", c"Campfire", c"Explosion", c"Fog bank", c"Dust hit", c"Ink in a tank"
    ], 0)).constant().invalidates(Invalidates::Nothing).hint(
        c"A whole look at once: sets box, emitters, air, fire, light and look. Undo brings the old values back; every \
          value can be changed afterwards.\n\
          Chimney: thick smoke that rises from a chimney and leans in the wind.\n\
          Campfire: flames that lick and tear off, and the smoke that they light.\n\
          Explosion: a ball of fire that rolls up into dark smoke.\n\
          Fog bank: low, slow and wide, along the ground.\n\
          Dust hit: a ring of dust from something heavy that falls.\n\
          Ink in a tank: drops that sink into still water and unfold.");
    Output = MAIN.invalidates(Invalidates::Picture).of(c"output", c"Output", choice(&[
        c"Beauty", c"Density", c"Alpha", c"Depth", c"Light 1", c"Ambient", c"Emission", c"Transmittance", c"Position",
        c"Normals", c"Motion vectors", c"Light 2", c"Light 3", c"Light 4"
    ], output::BEAUTY)).hint(
        c"What the node shows. Beauty: premultiplied colour, to merge over; it is the sum of the lights, Ambient \
          and Emission. Density: optical depth in red, the largest temperature in green. Alpha. Depth: distance from the \
          camera in pixels, of the front in red, the mean in green, the half in blue, the back in alpha. \
          Transmittance: the share of what is behind that shows through. Position: of the mean depth. Normals: of the \
          density. Motion vectors: to the next frame in red and green, to the previous one in blue and alpha, in pixels.");
    = common(Shared::StartFrame);
    = common(Shared::StartHere);
    = Control { kind: int(36, [0, 100_000], [0, 200]), ..common(Shared::Preroll) };
    Cells = MAIN.of(c"cells", c"Cells", int(96, [16, 1024], [32, 256])).constant().hint(
        c"Cells along the longest side of the box. Twice as many are twice as fine, and take eight times the memory and \
          eight to sixteen times the time.");
    Buoyancy = MAIN.of(c"buoyancy", c"Buoyancy", double(0.12, [-100.0, 100.0], [0.0, 0.5])).hint(
        c"How fast hot gas rises: acceleration of a temperature of 1, in percent of the box's height per frame squared.");
    Weight = MAIN.of(c"weight", c"Sink", double(0.0, [-100.0, 100.0], [-0.2, 0.2])).hint(
        c"How fast dense smoke sinks: acceleration of a density of 1, in percent of the box's height per frame squared.");
    Noise = MAIN.of(c"noise", c"Turbulence", double(0.06, [0.0, 100.0], [0.0, 0.5])).hint(
        c"Eddies out of nothing, in smoke and hot gas: their push in percent of the box's height per frame squared.");
    Swirl = MAIN.of(c"swirl", c"Swirl", double(0.05, [0.0, 10.0], [0.0, 0.5])).hint(
        c"Strengthens small eddies. 0.05 is lively, 0.3 is nervous.");
    Dissipation = MAIN.of(c"dissipation", c"Dissipation", double(0.01, [0.0, 1.0], [0.0, 0.1])).hint(
        c"Share of the smoke lost per frame.");
    Cooling = MAIN.of(c"cooling", c"Cooling", double(0.02, [0.0, 1.0], [0.0, 0.2])).hint(
        c"Share of the heat lost per frame.");
    BoxCentre = BOX.invalidates(Invalidates::Picture).of(c"boxCentre", c"Box centre", position([0.5, 0.5])).hint(
        c"Middle of the box in the picture's plane, in full-resolution pixels. The smoke moves with the box.");
    BoxDepth = BOX.invalidates(Invalidates::Picture).of(c"boxDepth", c"Box depth",
        double(0.0, [-1_000_000.0, 1_000_000.0], [-1000.0, 1000.0])).hint(
        c"Distance of the middle of the box in front of the picture's plane, in pixels.");
    BoxWidth = BOX.constant().of(c"boxWidth", c"Box width", side(1.0)).hint(
        c"Width of the box, in heights of the frame. Smoke that leaves the box is gone.");
    BoxHeight = BOX.constant().of(c"boxHeight", c"Box height", side(1.0)).hint(
        c"Height of the box, in heights of the frame. All other lengths and speeds are relative to it.");
    BoxLength = BOX.constant().of(c"boxLength", c"Box length", side(0.8)).hint(
        c"Extent of the box towards the viewer, in heights of the frame.");
    Follow = BOX.constant().of(c"follow", c"Simulate", choice(&[c"Around the smoke", c"Whole box"], 0)).hint(
        c"Which part of the box is simulated. Around the smoke: as much as it needs, which grows and shrinks with it. Whole \
          box: all of it, for smoke that fills it.");
    Floor = BOX.constant().of(c"floor", c"Floor", choice(&[c"Open", c"Closed"], 1)).hint(
        c"The lower side of the box. Closed: a floor that smoke spreads on. Open: air and smoke pass.");
    Walls = BOX.constant().of(c"walls", c"Walls", choice(&[c"Open", c"Closed", c"Wrap"], 0)).hint(
        c"The four upright sides of the box. Open: smoke leaves, clear air enters. Closed: walls. Wrap: opposite sides are \
          joined.");
    Ceiling = BOX.constant().of(c"ceiling", c"Ceiling", choice(&[c"Open", c"Closed"], 0)).hint(
        c"The upper side of the box. Closed: smoke gathers under it.");
    TimeScale = AIR.of(c"timeScale", c"Time scale", double(1.0, [0.0, 100.0], [0.0, 4.0])).hint(
        c"Simulated time per frame: 0.5 is slow motion, 0 holds the smoke still.");
    NoiseSize = STIRRED.of(c"noiseSize", c"Turbulence size", double(0.12, [0.001, 100.0], [0.01, 1.0])).hint(
        c"Size of the eddies of Turbulence, in heights of the box.");
    NoisePulse = STIRRED.of(c"noisePulse", c"Turbulence pulse", double(12.0, [0.5, 10_000.0], [1.0, 100.0])).hint(
        c"Frames in which one pattern of eddies gives way to the next.");
    Seed = AIR.of(c"seed", c"Seed", int(0, [i32::MIN, i32::MAX], [0, 100])).constant().hint(
        c"Another number, other eddies and other gaps in the emission.");
    Wind = AIR.of(c"wind", c"Wind", triple(0.0, [-1000.0, 1000.0], [-3.0, 3.0])).hint(
        c"Velocity of the air around, in percent of the box's height per frame: to the right, up, and towards the viewer.");
    WindDrag = AIR.of(c"windDrag", c"Wind drag", double(0.01, [0.0, 1.0], [0.0, 0.2])).hint(
        c"How soon all air takes on the velocity of the wind, which is rest where there is none: share of the \
          difference made up per frame.");
    Viscosity = AIR.of(c"viscosity", c"Viscosity", double(0.04, [0.0, 10.0], [0.0, 0.15])).hint(
        c"Friction of the air, in square cells per frame. 0.04 takes streaks of single cells out of strong turbulence; 0 \
          keeps all.");
    EmitterCount = EMITTER_GROUP.of(c"emitterCount", c"Emitters",
        int(1, [1, EMITTERS as i32], [1, EMITTERS as i32])).constant().hint(
        c"Number of emitters: those beyond it are hidden, and off.");
}

/// Groups between the emitters and the lights.
MIDDLE_ROWS {
    BurnRate = BURNING.of(c"burnRate", c"Burn rate", double(0.05, [0.0, 1.0], [0.0, 0.2])).hint(
        c"Fuel burnt per frame. Times Expansion it should not exceed 0.3.");
    Ignition = BURNING.of(c"ignition", c"Ignition", double(0.25, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Temperature at which fuel begins to burn.");
    BurnHeat = BURNING.of(c"burnHeat", c"Burn heat", double(3.0, [0.0, 100.0], [0.0, 10.0])).hint(
        c"How much burning heats, as an exponent per burnt fuel.");
    Expansion = BURNING.of(c"expansion", c"Expansion", double(1.0, [0.0, 20.0], [0.0, 5.0])).hint(
        c"Growth of the gas in a full burn, as an exponent: 1 makes 2.7 times the volume.");
    FlameLife = BURNING.of(c"flameLife", c"Flame life", double(20.0, [0.1, 10_000.0], [1.0, 60.0])).hint(
        c"Frames for which burnt gas glows.");
    Radiation = BURNING.of(c"radiation", c"Radiation", double(0.04, [0.0, 100.0], [0.0, 0.5])).hint(
        c"Heat that the hottest gas loses per frame by its light; cooler gas loses far less.");
    Soot = BURNING.of(c"soot", c"Soot", double(0.4, [0.0, 100.0], [0.0, 2.0])).hint(
        c"Dark soot per burnt fuel, late in the flame.");
    SootDecay = BURNING.of(c"sootDecay", c"Soot decay", double(0.015, [0.0, 10.0], [0.0, 0.1])).hint(
        c"Share of the soot lost per frame.");
    SootWeight = BURNING.of(c"sootWeight", c"Soot weight", double(0.0, [-100.0, 100.0], [0.0, 0.2])).hint(
        c"How fast soot sinks: acceleration of a soot of 1, in percent of the box's height per frame squared.");
    Lights = LIGHT_GROUP.of(c"lights", c"Lights", int(1, [1, LIGHTS as i32], [1, LIGHTS as i32])).constant()
        .invalidates(Invalidates::Picture).hint(c"Number of lights: those beyond it are hidden, and off.");
    SkyColour = SKY.of(c"skyColour", c"Sky colour", colour([0.26, 0.32, 0.42])).hint(c"Light from above.");
    GroundColour = SKY.of(c"groundColour", c"Ground colour", colour([0.13, 0.12, 0.11])).hint(c"Light from below.");
    Occlusion = SKY.of(c"occlusion", c"Occlusion", double(1.0, [0.0, 100.0], [0.0, 2.0])).hint(
        c"How much smoke keeps the light from all around out of its inside.");
}

/// Groups after the lights.
LAST_ROWS {
    Opacity = PICTURE.of(c"opacity", c"Opacity", double(40.0, [0.0, 100_000.0], [0.0, 200.0])).hint(
        c"Optical depth of a density of 1 over the height of the box.");
    SootOpacity = PICTURE.when(Holds(has_fuel)).of(c"sootOpacity", c"Soot opacity",
        double(40.0, [0.0, 100_000.0], [0.0, 200.0])).hint(
        c"Optical depth of soot of 1 over the height of the box.");
    EdgeLow = PICTURE.of(c"edgeLow", c"Edge low", double(0.0, [0.0, 100.0], [0.0, 0.5])).hint(
        c"Density from which on the smoke shows: takes off its thin veil.");
    EdgeHigh = PICTURE.of(c"edgeHigh", c"Edge high", double(0.0, [0.0, 100.0], [0.0, 1.0])).hint(
        c"Density from which on the smoke has its whole opacity: close to Edge low it has a sharp edge.");
    Albedo = SCATTERED.of(c"albedo", c"Smoke colour", colour([0.9, 0.9, 0.92])).hint(
        c"Share of the light that the smoke scatters: near 1 it is white, 0.1 is black smoke.");
    Absorption = PICTURE.of(c"absorption", c"Absorption", colour([1.0, 1.0, 1.0])).hint(
        c"Opacity of red, green and blue: what is behind is tinted by the rest.");
    Scattering = SCATTERED.of(c"scattering", c"Multiple scattering", double(0.6, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Light that goes on inside the smoke: 0 is hard and dark, 0.6 soft and bright.");
    Forward = SCATTERED.of(c"forward", c"Forward scattering", double(0.5, [0.0, 0.95], [0.0, 0.95])).hint(
        c"How strongly light goes on in its direction: bright rims before a light from behind.");
    FireExposure = GLOW.of(c"fireExposure", c"Fire exposure", double(3.0, [-20.0, 20.0], [-4.0, 8.0])).hint(
        c"Brightness of fire, in stops.");
    FireDepth = GLOW.of(c"fireDepth", c"Fire depth", double(0.12, [0.001, 100.0], [0.01, 1.0])).hint(
        c"Depth of fire in which it has its brightness, in heights of the box: less is brighter and denser.");
    FireKelvin = GLOW.of(c"fireKelvin", c"Hot colour", double(2300.0, [500.0, 20_000.0], [1000.0, 4000.0])).hint(
        c"Colour of the hottest gas and of the core of flames, in kelvin.");
    FireEmber = GLOW.of(c"fireEmber", c"Ember colour", double(1150.0, [500.0, 20_000.0], [600.0, 2000.0])).hint(
        c"Colour of the coolest glow, in kelvin.");
    Glow = GLOW.of(c"glow", c"Hot gas glows", switch(false)).hint(
        c"Whether gas without fuel glows by its temperature. Burning gas always does.");
    FireOpacity = PICTURE.of(c"fireOpacity", c"Fire opacity", double(0.3, [0.0, 100.0], [0.0, 2.0])).hint(
        c"How much the flame hides what is behind it; 0 only adds light.");
    FlameCore = GLOW.of(c"flameCore", c"Flame core", double(0.3, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Brightness of old gas relative to young gas.");
    BlueBase = GLOW.of(c"blueBase", c"Blue base", double(0.2, [0.0, 10.0], [0.0, 1.0])).hint(
        c"Blue light where fuel begins to burn. With 0 the flame is bright from its first frame; else fresh gas is dark.");
    FireLight = GLOW.of(c"fireLight", c"Light of fire", double(1.0, [0.0, 100.0], [0.0, 4.0])).hint(
        c"How much the fire lights the smoke around it.");
    Camera = camera::source(CAMERA);
    CameraFile = camera::file(CAMERA, Id::Camera);
    CameraScale = camera::scale(CAMERA, Id::Camera);
    Translate = camera::translate(CAMERA, Id::Camera);
    Rotate = camera::rotate(CAMERA, Id::Camera);
    RotOrder = camera::order(CAMERA, Id::Camera);
    Focal = camera::focal(CAMERA, Id::Camera);
    Haperture = camera::aperture(CAMERA, Id::Camera);
    Vaperture = camera::vertical(CAMERA, Id::Camera);
    WinTranslate = camera::window_translate(CAMERA, Id::Camera);
    WinScale = camera::window_scale(CAMERA, Id::Camera);
    WinRoll = camera::roll(CAMERA, Id::Camera);
    = common(Shared::CacheFolder);
    = common(Shared::CacheName);
    = common(Shared::CacheMode);
    = common(Shared::CacheEvery);
    = common(Shared::CacheSize);
    = common(Shared::CacheBusy);
    = common(Shared::Bake);
    = common(Shared::ClearDisk);
    = common(Shared::InitialState).in_group(CACHE_GROUP.name).hint(
        c"Has no effect: a volume begins in still air.");
    = common(Shared::Extent).in_group(ADVANCED.group);
    = common(Shared::Resolution).in_group(ADVANCED.group).hint(
        c"Cells per full-resolution pixel onto which Depth and Holdout are sampled, in percent. The smoke's own \
          resolution is Cells.");
    Substeps = ADVANCED.of(c"substeps", c"Least sub-steps", int(1, [1, 64], [1, 8])).hint(
        c"Least number of simulation steps per frame. Fast smoke takes more by itself, see Cells per step.");
    MaxCfl = ADVANCED.of(c"maxCfl", c"Cells per step", double(4.0, [0.1, 100.0], [0.5, 8.0])).hint(
        c"How many cells the fastest smoke may cross in one step. Lower is finer in time and slower.");
    Reflection = ADVANCED.of(c"reflection", c"Reflection", switch(true)).constant().hint(
        c"Moves the air in two halves and reflects in between: eddies hardly lose any energy. Off: softer, in half the \
          time.");
    Draft = ADVANCED.invalidates(Invalidates::Picture).of(c"draft", c"Draft picture", switch(false)).hint(
        c"Marches in steps of a whole cell: twice as fast, and a little coarser.");
    = common(Shared::Proxy).in_group(ADVANCED.group);
    = common(Shared::Device).hint(c"Has no effect: the CPU simulates volumes.");
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
static TABLE: [Control<Id>; Id::COUNT] =
    join(&[FIRST_ROWS, emitters::ROWS.as_flattened(), MIDDLE_ROWS, lights::ROWS.as_flattened(), LAST_ROWS]);

const PLACES: [usize; Id::COUNT] = place_by_ordinal!(TABLE);

const fn emitter_group(name: &'static CStr, label: &'static CStr) -> Group {
    Group { name, label, open: false, parent: Some(emitters::GROUP) }
}

const fn light_group(name: &'static CStr, label: &'static CStr) -> Group {
    Group { name, label, open: false, parent: Some(lights::GROUP) }
}

impl Controls for Id {
    const TABLE: &'static [Control<Self>] = &TABLE;
    const GROUPS: &'static [Group] = &[
        SIMULATION_GROUP,
        Group { name: c"box", label: c"Box", open: false, parent: None },
        Group { name: c"air", label: c"Air and wind", open: false, parent: None },
        Group { name: emitters::GROUP, label: c"Emitters", open: true, parent: None },
        emitter_group(c"emitter1Group", c"Emitter 1"),
        emitter_group(c"emitter2Group", c"Emitter 2"),
        emitter_group(c"emitter3Group", c"Emitter 3"),
        emitter_group(c"emitter4Group", c"Emitter 4"),
        Group { name: c"fire", label: c"Fire with fuel", open: false, parent: None },
        Group { name: lights::GROUP, label: c"Light", open: false, parent: None },
        light_group(c"light1Group", c"Light 1"),
        light_group(c"light2Group", c"Light 2"),
        light_group(c"light3Group", c"Light 3"),
        light_group(c"light4Group", c"Light 4"),
        Group { name: c"picture", label: c"Look", open: false, parent: None },
        Group { name: c"fireLook", label: c"Look of fire", open: false, parent: None },
        Group { name: c"cameraGroup", label: c"Camera", open: false, parent: None },
        CACHE_GROUP,
        SYSTEM_GROUP,
    ];

    const PRESETS: Option<PresetTable<Self>> = Some((Self::Preset, presets));

    fn place(self) -> usize {
        PLACES[self.ordinal()]
    }
}

/// Number of emitters in the panel.
///
/// # Errors
/// A call to the host fails.
pub fn emitter_count(values: &dyn Values<Id>, time: f64) -> Result<usize> {
    Ok(values.int(Id::EmitterCount, time)?.clamp(1, EMITTERS as i32) as usize)
}

/// Number of lights in the panel.
///
/// # Errors
/// A call to the host fails.
pub fn light_count(values: &dyn Values<Id>, time: f64) -> Result<usize> {
    Ok(values.int(Id::Lights, time)?.clamp(1, LIGHTS as i32) as usize)
}

/// True if an emitter that is on brings fuel.
///
/// # Errors
/// A call to the host fails.
pub fn has_fuel(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    for n in 0..emitter_count(values, time)? {
        let id = |field| Id::Emitter(n, field);
        if values.switch(id(EmitterField::On), time)? && values.double(id(EmitterField::Fuel), time)? > 0.0 {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nodes::common::overlay;

    #[test]
    fn the_table_is_in_the_order_of_the_panel_and_its_entries_are_sound() {
        controls::check::<Id>();
        overlay::check::<crate::nodes::volume::FlowVolume>();
    }
}
