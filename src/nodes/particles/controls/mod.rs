//! Parameters of the FlowParticles node: one row for each, with its script name, label, kind, default, range, and the
//! conditions under which it has an effect. `emitters` and `velocities` have the rows that occur several times,
//! `hints.txt` has the
//! hints.

mod emitters;
mod velocities;

use std::sync::LazyLock;

use super::presets::presets;
use crate::nodes::common::camera;
use crate::nodes::common::controls::{
    self, Condition, Control, Controls, Group, Invalidates, Kind, PresetTable, choice, double, int, parameters,
    position, switch, vector,
};
use crate::nodes::common::hints::Hints;
use crate::nodes::common::shared::{CACHE_GROUP, DISK, EXTENTS, LAST, SYSTEM_GROUP, Shared};
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use Condition::{Holds, NoneOf, On, OneOf, Positive};
pub use emitters::{EMITTERS, EmitterField};
pub use velocities::{VELOCITIES, VelocityField};

/// Most frames along a side of the Sprite input.
pub const MOST_FRAMES: i32 = 64;

/// Option of an emitter's sprite: the Sprite input.
const SPRITE_INPUT: i32 = 6;

/// Option of `floor` and `obstacles` without effect.
pub const OFF: i32 = 0;
/// Options of `output` that show sprites.
const SHADED: &[i32] = &[0, 5];

const SIMULATION: Control<Id> = controls::blank(Id::Seed, c"simulation");
const AIR: Control<Id> = controls::blank(Id::Gravity, c"air");
const EDDIES: Control<Id> = AIR.when(Positive(Id::Noise));
const ATTRACTOR: Control<Id> = AIR.when(On(Id::Attractor));
const VORTEX: Control<Id> = AIR.when(On(Id::Vortex));
const SOLID: Control<Id> = controls::blank(Id::Floor, c"solids");
const CAMERA: Control<Id> = controls::blank(Id::Camera, c"cameraGroup").invalidates(Invalidates::Picture);
const FILES: Control<Id> = controls::blank(Id::ParticleFolder, c"files").invalidates(Invalidates::Picture);
const FOCUS: Control<Id> = CAMERA.when(On(Id::DepthOfField));
const PICTURE: Control<Id> = controls::blank(Id::Output, c"picture").invalidates(Invalidates::Picture);
const LIGHT: Control<Id> = PICTURE.when(OneOf(Id::Output, SHADED));
const SPRITES: Control<Id> = PICTURE.when(Holds(shows_sprites));

/// A length or position along an axis.
const fn along(slider: f64) -> controls::Kind {
    double(0.0, [-1_000_000.0, 1_000_000.0], [-slider, slider])
}

const fn degrees(default: f64) -> controls::Kind {
    double(default, [-36_000.0, 36_000.0], [-180.0, 180.0])
}

parameters! {

family Emitter(EmitterField) times EMITTERS, Velocity(VelocityField) times VELOCITIES;
order [
    FIRST_ROWS, emitters::ROWS.as_flattened(), velocities::ROWS.as_flattened(), LAST_ROWS, &Id::common(DISK),
    ADVANCED_ROWS, &Id::common(LAST),
];

/// Groups before the emitters.
FIRST_ROWS {
    Preset = SIMULATION.of(c"preset", c"Preset", choice(&[
        c"Custom", c"Embers", c"Snow", c"Rain streaks", c"Magic trail", c"Ash", c"Dust hit", c"Disintegration"
    ], 0)).constant().invalidates(Invalidates::Nothing);
    = common(Shared::StartFrame);
    = common(Shared::StartHere);
    = Control { kind: int(60, [0, 100_000], [0, 200]), ..common(Shared::Preroll) };
    = common(Shared::InitialState);
    Seed = SIMULATION.of(c"seed", c"Seed", int(0, [i32::MIN, i32::MAX], [0, 100])).constant();
    Share = SIMULATION.of(c"share", c"Share", double(1.0, [0.0001, 1.0], [0.01, 1.0])).constant();
    // Particles fly beyond a small element that they come from.
    = Control { kind: choice(EXTENTS, 2), ..common(Shared::Extent) };
    = common(Shared::Resolution);
    = common(Shared::Proxy);
}

/// Groups after the emitters and velocities.
LAST_ROWS {
    Gravity = AIR.of(c"gravity", c"Gravity", double(0.0, [-1000.0, 1000.0], [-1.0, 1.0]));
    GravityDirection = AIR.of(c"gravityDirection", c"Gravity direction", degrees(-90.0))
        .when(controls::Condition::NonZero(Id::Gravity));
    Wind = AIR.of(c"wind", c"Wind", vector(0.0, [-10_000.0, 10_000.0], [-20.0, 20.0]));
    WindDepth = AIR.of(c"windDepth", c"Wind depth", double(0.0, [-10_000.0, 10_000.0], [-20.0, 20.0]));
    Noise = AIR.of(c"noise", c"Turbulence", double(2.0, [0.0, 10_000.0], [0.0, 10.0]));
    NoiseSize = EDDIES.of(c"noiseSize", c"Turbulence size", double(240.0, [1.0, 100_000.0], [8.0, 1000.0]));
    NoiseSpeed = EDDIES.of(c"noiseSpeed", c"Turbulence speed", double(0.01, [0.0, 10.0], [0.0, 0.2]));
    NoiseFine = AIR.of(c"noiseFine", c"Fine turbulence", double(0.6, [0.0, 10_000.0], [0.0, 10.0]));
    NoiseFineSize = AIR.when(Positive(Id::NoiseFine)).of(c"noiseFineSize", c"Fine size",
        double(60.0, [1.0, 100_000.0], [8.0, 500.0]));
    Attractor = AIR.of(c"attractor", c"Attractor", switch(false));
    AttractorCentre = ATTRACTOR.of(c"attractorCentre", c"Attractor centre", position([0.5, 0.5]));
    AttractorDepth = ATTRACTOR.of(c"attractorDepth", c"Attractor depth", along(1000.0));
    AttractorRadius = ATTRACTOR.of(c"attractorRadius", c"Attractor radius",
        double(200.0, [0.1, 100_000.0], [1.0, 1000.0]));
    AttractorStrength = ATTRACTOR.of(c"attractorStrength", c"Attractor strength",
        double(0.5, [-1000.0, 1000.0], [-4.0, 4.0]));
    Vortex = AIR.of(c"vortex", c"Vortex", switch(false));
    VortexCentre = VORTEX.of(c"vortexCentre", c"Vortex centre", position([0.5, 0.5]));
    VortexDepth = VORTEX.of(c"vortexDepth", c"Vortex depth", along(1000.0));
    VortexRadius = VORTEX.of(c"vortexRadius", c"Vortex radius", double(200.0, [0.1, 100_000.0], [1.0, 1000.0]));
    VortexStrength = VORTEX.of(c"vortexStrength", c"Vortex strength",
        double(0.5, [-1000.0, 1000.0], [-4.0, 4.0]));
    Floor = SOLID.of(c"floor", c"Floor", choice(&[c"Off", c"Bounce", c"Stick"], OFF));
    FloorPoint = SOLID.when(NoneOf(Id::Floor, &[OFF])).of(c"floorPoint", c"Floor point", position([0.5, 0.1]));
    Obstacles = SOLID.of(c"obstacles", c"Obstacles", choice(&[c"Off", c"Bounce", c"Stick"], 1));
    Bounce = SOLID.of(c"bounce", c"Bounce", double(0.3, [0.0, 1.0], [0.0, 1.0]));
    Friction = SOLID.of(c"friction", c"Friction", double(0.2, [0.0, 1.0], [0.0, 1.0]));
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
    DepthOfField = CAMERA.of(c"depthOfField", c"Depth of field", switch(false));
    FocalPoint = FOCUS.of(c"focal_point", c"Focus distance", double(0.0, [0.0, 1_000_000.0], [0.0, 10_000.0]));
    FStop = FOCUS.of(c"fstop", c"F-number", double(2.8, [0.1, 1000.0], [0.7, 22.0]));
    SceneWidth = FOCUS.of(c"sceneWidth", c"Scene width", double(2.0, [0.001, 1_000_000.0], [0.1, 20.0]));
    NearFade = CAMERA.of(c"nearFade", c"Near fade", double(0.0, [0.0, 1_000_000.0], [0.0, 2000.0]));
    SoftDepth = CAMERA.of(c"softDepth", c"Soft depth", double(50.0, [0.0, 1_000_000.0], [0.0, 500.0]));
    Output = PICTURE.of(c"output", c"Output", choice(&[
        c"Beauty", c"Depth", c"Motion vectors", c"Id and age", c"Count", c"Emission only"
    ], 0));
    SpriteColumns = SPRITES.of(c"spriteColumns", c"Sprite columns", int(1, [1, MOST_FRAMES], [1, 16]));
    SpriteRows = SPRITES.of(c"spriteRows", c"Sprite rows", int(1, [1, MOST_FRAMES], [1, 16]));
    SpriteFrames = SPRITES.of(c"spriteFrames", c"Sprite frames", choice(&[c"Random", c"Over life"], 0));
    Shutter = LIGHT.of(c"shutter", c"Shutter", double(0.5, [0.0, 10.0], [0.0, 1.0]));
    LightDirection = LIGHT.of(c"lightDirection", c"Light direction", degrees(125.0));
    LightElevation = LIGHT.of(c"lightElevation", c"Light elevation", double(35.0, [0.0, 90.0], [0.0, 90.0]));
    AmbientLight = LIGHT.of(c"ambientLight", c"Ambient light", double(0.35, [0.0, 1.0], [0.0, 1.0]));
    ParticleFolder = FILES.constant().of(c"particleFolder", c"Particle folder", Kind::Folder);
    ParticleFormat = FILES.constant().of(c"particleFormat", c"Particle format", choice(&[c"PLY", c"CSV"], 0));
    ParticleName = FILES.constant().of(c"particleName", c"Particle name", Kind::Text);
}

/// Advanced parameters, after those of the disk cache.
ADVANCED_ROWS {
    = common(Shared::Device);
}

}

/// The group of an emitter, and the group of its shading settings within.
macro_rules! emitter {
    ($name:literal, $look:literal, $label:literal, $open:literal) => {
        [
            Group { name: $name, label: $label, open: $open, parent: None },
            Group { name: $look, label: c"Look", open: $open, parent: Some($name) },
        ]
    };
}

const EMITTER_GROUPS: [[Group; 2]; EMITTERS] = [
    emitter!(c"emitter1Group", c"emitter1Look", c"Emitter 1", true),
    emitter!(c"emitter2Group", c"emitter2Look", c"Emitter 2", false),
    emitter!(c"emitter3Group", c"emitter3Look", c"Emitter 3", false),
    emitter!(c"emitter4Group", c"emitter4Look", c"Emitter 4", false),
];

impl Controls for Id {
    const TABLE: &'static [Control<Self>] = &TABLE;
    const GROUPS: &'static [Group] = &[
        Group { name: c"simulation", label: c"Simulation", open: true, parent: None },
        EMITTER_GROUPS[0][0],
        EMITTER_GROUPS[0][1],
        EMITTER_GROUPS[1][0],
        EMITTER_GROUPS[1][1],
        EMITTER_GROUPS[2][0],
        EMITTER_GROUPS[2][1],
        EMITTER_GROUPS[3][0],
        EMITTER_GROUPS[3][1],
        Group { name: c"velocityGroup", label: c"Velocity inputs", open: false, parent: None },
        Group { name: c"air", label: c"Air", open: true, parent: None },
        Group { name: c"solids", label: c"Floor and obstacles", open: false, parent: None },
        Group { name: c"cameraGroup", label: c"Camera", open: false, parent: None },
        Group { name: c"picture", label: c"Output", open: true, parent: None },
        Group { name: c"files", label: c"Particle files", open: false, parent: None },
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

/// Whether an emitter that is on shows the Sprite input.
fn shows_sprites(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    for n in 0..EMITTERS {
        let id = |field| Id::Emitter(n, field);
        if values.switch(id(EmitterField::On), time)? && values.choice(id(EmitterField::Sprite), time)? == SPRITE_INPUT
        {
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
        overlay::check::<crate::nodes::particles::FlowParticles>();
    }
}
