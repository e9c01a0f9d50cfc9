//! Parameters of the FlowVolume node: one row for each, with its script name, label, kind, default, range, and the
//! conditions under which it has an effect. `emitters` and `lights` have the rows that occur several times,
//! `hints.txt` has the
//! hints.

mod emitters;
pub mod lights;

use std::ffi::CStr;
use std::sync::LazyLock;

use super::presets::presets;
use crate::nodes::common::camera;
use crate::nodes::common::controls::{
    self, Condition, Control, Controls, Group, Invalidates, PresetTable, choice, colour, double, int, parameters,
    position, switch, triple,
};
use crate::nodes::common::hints::Hints;
use crate::nodes::common::shared::{CACHE_GROUP, DISK, LAST, SIMULATION_GROUP, SYSTEM_GROUP, Shared};
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

/// A length in heights of the frame.
const fn side(default: f64) -> controls::Kind {
    double(default, [0.01, 100.0], [0.1, 3.0])
}

parameters! {

family Emitter(EmitterField) times EMITTERS, Light(LightField) times LIGHTS;
order [
    FIRST_ROWS, emitters::ROWS.as_flattened(), MIDDLE_ROWS, lights::ROWS.as_flattened(), LAST_ROWS,
    &Id::common(DISK), ADVANCED_ROWS, &Id::common(LAST),
];

/// Groups before the emitters.
FIRST_ROWS {
    Preset = MAIN.of(c"preset", c"Preset", choice(&[
        c"Custom", c"Chimney", c"Campfire", c"Explosion", c"Fog bank", c"Dust hit", c"Ink in a tank"
    ], 0)).constant().invalidates(Invalidates::Nothing);
    Output = MAIN.invalidates(Invalidates::Picture).of(c"output", c"Output", choice(&[
        c"Beauty", c"Density", c"Alpha", c"Depth", c"Light 1", c"Ambient", c"Emission", c"Transmittance", c"Position",
        c"Normals", c"Motion vectors", c"Light 2", c"Light 3", c"Light 4"
    ], output::BEAUTY));
    = common(Shared::StartFrame);
    = common(Shared::StartHere);
    = Control { kind: int(36, [0, 100_000], [0, 200]), ..common(Shared::Preroll) };
    Cells = MAIN.of(c"cells", c"Cells", int(96, [16, 1024], [32, 256])).constant();
    Buoyancy = MAIN.of(c"buoyancy", c"Buoyancy", double(0.12, [-100.0, 100.0], [0.0, 0.5]));
    Weight = MAIN.of(c"weight", c"Sink", double(0.0, [-100.0, 100.0], [-0.2, 0.2]));
    Noise = MAIN.of(c"noise", c"Turbulence", double(0.06, [0.0, 100.0], [0.0, 0.5]));
    Swirl = MAIN.of(c"swirl", c"Swirl", double(0.05, [0.0, 10.0], [0.0, 0.5]));
    Dissipation = MAIN.of(c"dissipation", c"Dissipation", double(0.01, [0.0, 1.0], [0.0, 0.1]));
    Cooling = MAIN.of(c"cooling", c"Cooling", double(0.02, [0.0, 1.0], [0.0, 0.2]));
    BoxCentre = BOX.invalidates(Invalidates::Picture).of(c"boxCentre", c"Box centre", position([0.5, 0.5]));
    BoxDepth = BOX.invalidates(Invalidates::Picture).of(c"boxDepth", c"Box depth",
        double(0.0, [-1_000_000.0, 1_000_000.0], [-1000.0, 1000.0]));
    BoxWidth = BOX.constant().of(c"boxWidth", c"Box width", side(1.0));
    BoxHeight = BOX.constant().of(c"boxHeight", c"Box height", side(1.0));
    BoxLength = BOX.constant().of(c"boxLength", c"Box length", side(0.8));
    Follow = BOX.constant().of(c"follow", c"Simulate", choice(&[c"Around the smoke", c"Whole box"], 0));
    Floor = BOX.constant().of(c"floor", c"Floor", choice(&[c"Open", c"Closed"], 1));
    Walls = BOX.constant().of(c"walls", c"Walls", choice(&[c"Open", c"Closed", c"Wrap"], 0));
    Ceiling = BOX.constant().of(c"ceiling", c"Ceiling", choice(&[c"Open", c"Closed"], 0));
    TimeScale = AIR.of(c"timeScale", c"Time scale", double(1.0, [0.0, 100.0], [0.0, 4.0]));
    NoiseSize = STIRRED.of(c"noiseSize", c"Turbulence size", double(0.12, [0.001, 100.0], [0.01, 1.0]));
    NoisePulse = STIRRED.of(c"noisePulse", c"Turbulence pulse", double(12.0, [0.5, 10_000.0], [1.0, 100.0]));
    Seed = AIR.of(c"seed", c"Seed", int(0, [i32::MIN, i32::MAX], [0, 100])).constant();
    Wind = AIR.of(c"wind", c"Wind", triple(0.0, [-1000.0, 1000.0], [-3.0, 3.0]));
    WindDrag = AIR.of(c"windDrag", c"Wind drag", double(0.01, [0.0, 1.0], [0.0, 0.2]));
    Viscosity = AIR.of(c"viscosity", c"Viscosity", double(0.04, [0.0, 10.0], [0.0, 0.15]));
    EmitterCount = EMITTER_GROUP.of(c"emitterCount", c"Emitters",
        int(1, [1, EMITTERS as i32], [1, EMITTERS as i32])).constant();
}

/// Groups between the emitters and the lights.
MIDDLE_ROWS {
    BurnRate = BURNING.of(c"burnRate", c"Burn rate", double(0.05, [0.0, 1.0], [0.0, 0.2]));
    Ignition = BURNING.of(c"ignition", c"Ignition", double(0.25, [0.0, 1.0], [0.0, 1.0]));
    BurnHeat = BURNING.of(c"burnHeat", c"Burn heat", double(3.0, [0.0, 100.0], [0.0, 10.0]));
    Expansion = BURNING.of(c"expansion", c"Expansion", double(1.0, [0.0, 20.0], [0.0, 5.0]));
    FlameLife = BURNING.of(c"flameLife", c"Flame life", double(20.0, [0.1, 10_000.0], [1.0, 60.0]));
    Radiation = BURNING.of(c"radiation", c"Radiation", double(0.04, [0.0, 100.0], [0.0, 0.5]));
    Soot = BURNING.of(c"soot", c"Soot", double(0.4, [0.0, 100.0], [0.0, 2.0]));
    SootDecay = BURNING.of(c"sootDecay", c"Soot decay", double(0.015, [0.0, 10.0], [0.0, 0.1]));
    SootWeight = BURNING.of(c"sootWeight", c"Soot weight", double(0.0, [-100.0, 100.0], [0.0, 0.2]));
    Lights = LIGHT_GROUP.of(c"lights", c"Lights", int(1, [1, LIGHTS as i32], [1, LIGHTS as i32])).constant()
        .invalidates(Invalidates::Picture);
    SkyColour = SKY.of(c"skyColour", c"Sky colour", colour([0.26, 0.32, 0.42]));
    GroundColour = SKY.of(c"groundColour", c"Ground colour", colour([0.13, 0.12, 0.11]));
    Occlusion = SKY.of(c"occlusion", c"Occlusion", double(1.0, [0.0, 100.0], [0.0, 2.0]));
}

/// Groups after the lights.
LAST_ROWS {
    Opacity = PICTURE.of(c"opacity", c"Opacity", double(40.0, [0.0, 100_000.0], [0.0, 200.0]));
    SootOpacity = PICTURE.when(Holds(has_fuel)).of(c"sootOpacity", c"Soot opacity",
        double(40.0, [0.0, 100_000.0], [0.0, 200.0]));
    EdgeLow = PICTURE.of(c"edgeLow", c"Edge low", double(0.0, [0.0, 100.0], [0.0, 0.5]));
    EdgeHigh = PICTURE.of(c"edgeHigh", c"Edge high", double(0.0, [0.0, 100.0], [0.0, 1.0]));
    Albedo = SCATTERED.of(c"albedo", c"Smoke colour", colour([0.9, 0.9, 0.92]));
    Absorption = PICTURE.of(c"absorption", c"Absorption", colour([1.0, 1.0, 1.0]));
    Scattering = SCATTERED.of(c"scattering", c"Multiple scattering", double(0.6, [0.0, 1.0], [0.0, 1.0]));
    Forward = SCATTERED.of(c"forward", c"Forward scattering", double(0.5, [0.0, 0.95], [0.0, 0.95]));
    WorkingSpace = GLOW.of(c"workingSpace", c"Working space", choice(&[c"Rec. 709", c"ACEScg", c"Rec. 2020"], 0))
        .constant();
    FireExposure = GLOW.of(c"fireExposure", c"Fire exposure", double(3.0, [-20.0, 20.0], [-4.0, 8.0]));
    FireDepth = GLOW.of(c"fireDepth", c"Fire depth", double(0.12, [0.001, 100.0], [0.01, 1.0]));
    FireKelvin = GLOW.of(c"fireKelvin", c"Hot colour", double(2300.0, [500.0, 20_000.0], [1000.0, 4000.0]));
    FireEmber = GLOW.of(c"fireEmber", c"Ember colour", double(1150.0, [500.0, 20_000.0], [600.0, 2000.0]));
    Glow = GLOW.of(c"glow", c"Hot gas glows", switch(false));
    FireOpacity = PICTURE.of(c"fireOpacity", c"Fire opacity", double(0.3, [0.0, 100.0], [0.0, 2.0]));
    FlameCore = GLOW.of(c"flameCore", c"Flame core", double(0.3, [0.0, 1.0], [0.0, 1.0]));
    BlueBase = GLOW.of(c"blueBase", c"Blue base", double(0.2, [0.0, 10.0], [0.0, 1.0]));
    FireLight = GLOW.of(c"fireLight", c"Light of fire", double(1.0, [0.0, 100.0], [0.0, 4.0]));
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
}

/// Advanced parameters, after those of the disk cache.
ADVANCED_ROWS {
    = common(Shared::InitialState).in_group(CACHE_GROUP.name);
    = common(Shared::Extent).in_group(ADVANCED.group);
    = common(Shared::Resolution).in_group(ADVANCED.group);
    Substeps = ADVANCED.of(c"substeps", c"Least sub-steps", int(1, [1, 64], [1, 8]));
    MaxCfl = ADVANCED.of(c"maxCfl", c"Cells per step", double(4.0, [0.1, 100.0], [0.5, 8.0]));
    Reflection = ADVANCED.of(c"reflection", c"Reflection", switch(true)).constant();
    Draft = ADVANCED.invalidates(Invalidates::Picture).of(c"draft", c"Draft picture", switch(false));
    = common(Shared::Proxy).in_group(ADVANCED.group);
    = common(Shared::Device);
}

}

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

    fn hints() -> &'static Hints {
        static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::read(include_str!("../hints.txt")));
        &HINTS
    }

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
