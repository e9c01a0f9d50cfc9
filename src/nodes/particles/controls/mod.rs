//! Parameters of the FlowParticles node: one row for each, with its script name, label, kind, default, range, hint, and
//! the conditions under which it has an effect. `emitters` and `velocities` have the rows that occur several times.

mod emitters;
mod velocities;

use super::presets::presets;
use crate::nodes::common::camera;
use crate::nodes::common::controls::{
    self, Condition, Control, Controls, Group, Invalidates, Kind, PresetTable, choice, double, int, join, parameters,
    place_by_ordinal, position, switch, vector,
};
use crate::nodes::common::shared::{CACHE_GROUP, EXTENTS, SYSTEM_GROUP, Shared, shared};
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

/// A control that all nodes have.
const fn common(which: Shared) -> Control<Id> {
    shared(which, Id::Shared(which))
}

/// A length or position along an axis.
const fn along(slider: f64) -> controls::Kind {
    double(0.0, [-1_000_000.0, 1_000_000.0], [-slider, slider])
}

const fn degrees(default: f64) -> controls::Kind {
    double(default, [-36_000.0, 36_000.0], [-180.0, 180.0])
}

parameters! {

family Emitter(EmitterField) times EMITTERS, Velocity(VelocityField) times VELOCITIES;

/// Groups before the emitters.
FIRST_ROWS {
    Preset = SIMULATION.of(c"preset", c"Preset", choice(&[
        c"Custom", c"Embers", c"Snow", c"Rain streaks", c"Magic trail", c"Ash", c"Dust hit", c"Disintegration"
    ], 0)).constant().invalidates(Invalidates::Nothing).hint(
        c"A whole look at once: sets emitters, air and picture. Undo brings the old values back; every value can be \
          changed afterwards.\n\
          Embers: sparks that rise at all depths, out of focus near the camera, and finer ones among them.\n\
          Snow: soft flakes at all depths, and a few near the camera, out of focus.\n\
          Rain streaks: streaks at all depths, and a few near the camera, out of focus.\n\
          Magic trail: stars and a glow that a keyed or tracked Centre leaves behind.\n\
          Ash: pale flakes that tumble down, and the last embers among them.\n\
          Dust hit: a burst of dust and debris from the floor, every two seconds.\n\
          Disintegration: the Source dissolves where Emission goes away, as dust in its own colours.");
    = common(Shared::StartFrame);
    = common(Shared::StartHere);
    = Control { kind: int(60, [0, 100_000], [0, 200]), ..common(Shared::Preroll) }.hint(
        c"Frames simulated before the start frame, with parameters and inputs held at the start frame: as many as a \
          particle lives fill the picture at the start.");
    = common(Shared::InitialState).hint(
        c"Has no effect: particles begin with the births before the start frame, see Pre-roll.");
    Seed = SIMULATION.of(c"seed", c"Seed", int(0, [i32::MIN, i32::MAX], [0, 100])).constant().hint(
        c"Another number, other particles.");
    Share = SIMULATION.of(c"share", c"Share", double(1.0, [0.0001, 1.0], [0.01, 1.0])).constant().hint(
        c"Share of the particles that exist, each so much larger that the whole looks alike: 0.1 is quick and coarse. \
          The particles of a smaller share are among those of a larger one.");
    // Particles fly beyond a small element that they come from.
    = Control { kind: choice(EXTENTS, 2), ..common(Shared::Extent) };
    = common(Shared::Resolution).hint(
        c"Cells per full-resolution pixel onto which the inputs are sampled, in percent. Particles have no grid.");
    = common(Shared::Proxy);
}

/// Groups after the emitters and velocities.
LAST_ROWS {
    Gravity = AIR.of(c"gravity", c"Gravity", double(0.0, [-1000.0, 1000.0], [-1.0, 1.0])).hint(
        c"Acceleration of a particle of weight 1, in pixels per frame squared. Particles as the air have none.");
    GravityDirection = AIR.of(c"gravityDirection", c"Gravity direction", degrees(-90.0))
        .when(controls::Condition::NonZero(Id::Gravity)).hint(
        c"Where down is, in degrees counter-clockwise from the right.");
    Wind = AIR.of(c"wind", c"Wind", vector(0.0, [-10_000.0, 10_000.0], [-20.0, 20.0])).hint(
        c"Velocity of the air outside of the Velocity inputs, in pixels per frame.");
    WindDepth = AIR.of(c"windDepth", c"Wind depth", double(0.0, [-10_000.0, 10_000.0], [-20.0, 20.0])).hint(
        c"Velocity of the wind towards the camera, in pixels per frame.");
    Noise = AIR.of(c"noise", c"Turbulence", double(2.0, [0.0, 10_000.0], [0.0, 10.0])).hint(
        c"Velocity of eddies in the air, in pixels per frame.");
    NoiseSize = EDDIES.of(c"noiseSize", c"Turbulence size", double(240.0, [1.0, 100_000.0], [8.0, 1000.0])).hint(
        c"Size of these eddies in full-resolution pixels.");
    NoiseSpeed = EDDIES.of(c"noiseSpeed", c"Turbulence speed", double(0.01, [0.0, 10.0], [0.0, 0.2])).hint(
        c"How fast their pattern changes, in eddies per frame.");
    NoiseFine = AIR.of(c"noiseFine", c"Fine turbulence", double(0.6, [0.0, 10_000.0], [0.0, 10.0])).hint(
        c"Velocity of smaller eddies, in pixels per frame.");
    NoiseFineSize = AIR.when(Positive(Id::NoiseFine)).of(c"noiseFineSize", c"Fine size",
        double(60.0, [1.0, 100_000.0], [8.0, 500.0])).hint(
        c"Size of the smaller eddies in full-resolution pixels.");
    Attractor = AIR.of(c"attractor", c"Attractor", switch(false)).hint(c"Pulls particles with mass towards a point.");
    AttractorCentre = ATTRACTOR.of(c"attractorCentre", c"Attractor centre", position([0.5, 0.5])).hint(
        c"Where it is, in full-resolution pixels.");
    AttractorDepth = ATTRACTOR.of(c"attractorDepth", c"Attractor depth", along(1000.0)).hint(
        c"Its distance in front of the picture's plane, in pixels.");
    AttractorRadius = ATTRACTOR.of(c"attractorRadius", c"Attractor radius",
        double(200.0, [0.1, 100_000.0], [1.0, 1000.0])).hint(
        c"Distance at which it pulls most, in full-resolution pixels. It reaches about three times as far.");
    AttractorStrength = ATTRACTOR.of(c"attractorStrength", c"Attractor strength",
        double(0.5, [-1000.0, 1000.0], [-4.0, 4.0])).hint(
        c"Greatest pull, in pixels per frame squared; below 0 it pushes away.");
    Vortex = AIR.of(c"vortex", c"Vortex", switch(false)).hint(c"Spins particles with mass around a point.");
    VortexCentre = VORTEX.of(c"vortexCentre", c"Vortex centre", position([0.5, 0.5])).hint(
        c"Where it is, in full-resolution pixels.");
    VortexDepth = VORTEX.of(c"vortexDepth", c"Vortex depth", along(1000.0)).hint(
        c"Its distance in front of the picture's plane, in pixels.");
    VortexRadius = VORTEX.of(c"vortexRadius", c"Vortex radius", double(200.0, [0.1, 100_000.0], [1.0, 1000.0])).hint(
        c"Distance at which it pushes most, in full-resolution pixels. It reaches about three times as far.");
    VortexStrength = VORTEX.of(c"vortexStrength", c"Vortex strength",
        double(0.5, [-1000.0, 1000.0], [-4.0, 4.0])).hint(
        c"Greatest push, in pixels per frame squared; counter-clockwise above 0.");
    Floor = SOLID.of(c"floor", c"Floor", choice(&[c"Off", c"Bounce", c"Stick"], OFF)).hint(
        c"A level floor that particles bounce off or stick to.");
    FloorPoint = SOLID.when(NoneOf(Id::Floor, &[OFF])).of(c"floorPoint", c"Floor point", position([0.5, 0.1])).hint(
        c"A point of the floor, in full-resolution pixels; its height counts.");
    Obstacles = SOLID.of(c"obstacles", c"Obstacles", choice(&[c"Off", c"Bounce", c"Stick"], 1)).hint(
        c"The effect of the Obstacles input, solid where its alpha is above a half, at all depths.");
    Bounce = SOLID.of(c"bounce", c"Bounce", double(0.3, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Share of the speed towards a floor or obstacle with which a particle comes back.");
    Friction = SOLID.of(c"friction", c"Friction", double(0.2, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Share of the speed along a floor or obstacle that a contact takes.");
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
    DepthOfField = CAMERA.of(c"depthOfField", c"Depth of field", switch(false)).hint(
        c"Blurs sprites by their distance from the focus, as a lens does. Their light stays the same.");
    FocalPoint = FOCUS.of(c"focal_point", c"Focus distance", double(0.0, [0.0, 1_000_000.0], [0.0, 10_000.0])).hint(
        c"Distance from the camera that is sharp, in pixels, as the output Depth shows it. 0: the picture's plane.");
    FStop = FOCUS.of(c"fstop", c"F-number", double(2.8, [0.1, 1000.0], [0.7, 22.0])).hint(
        c"Focal length over the opening of the lens: 1.4 is soft, 16 is nearly sharp.");
    SceneWidth = FOCUS.of(c"sceneWidth", c"Scene width", double(2.0, [0.001, 1_000_000.0], [0.1, 20.0])).hint(
        c"Real width of the frame in the picture's plane, in metres, for which the F-number is that of a real lens. Less \
          is a miniature, with more blur.");
    NearFade = CAMERA.of(c"nearFade", c"Near fade", double(0.0, [0.0, 1_000_000.0], [0.0, 2000.0])).hint(
        c"Distance before the camera over which particles fade in, in pixels.");
    SoftDepth = CAMERA.of(c"softDepth", c"Soft depth", double(50.0, [0.0, 1_000_000.0], [0.0, 500.0])).hint(
        c"Distance in front of the scene of the Depth input over which particles fade in, in pixels. Depth is the \
          distance from the camera in red, in pixels; 0 is none.");
    Output = PICTURE.of(c"output", c"Output", choice(&[
        c"Beauty", c"Depth", c"Motion vectors", c"Id and age", c"Count", c"Emission only"
    ], 0)).hint(
        c"What the node shows. Beauty: premultiplied colour, to merge over. Depth: distance from the camera in pixels. \
          Motion vectors: in pixels, to the next frame in red and green, to the previous one in blue and alpha. Id and \
          age: number, age as a share of the life, emitter. Count: sprites over a pixel. Emission only: the light that \
          Beauty adds, without alpha.");
    SpriteColumns = SPRITES.of(c"spriteColumns", c"Sprite columns", int(1, [1, MOST_FRAMES], [1, 16])).hint(
        c"Frames beside each other in the Sprite input, an atlas of frames in the order of reading.");
    SpriteRows = SPRITES.of(c"spriteRows", c"Sprite rows", int(1, [1, MOST_FRAMES], [1, 16])).hint(
        c"Frames above each other in the Sprite input.");
    SpriteFrames = SPRITES.of(c"spriteFrames", c"Sprite frames", choice(&[c"Random", c"Over life"], 0)).hint(
        c"Random: each particle shows one frame. Over life: it shows one after the other, blended.");
    Shutter = LIGHT.of(c"shutter", c"Shutter", double(0.5, [0.0, 10.0], [0.0, 1.0])).hint(
        c"Time for which the shutter is open, in frames, around the frame's time: Stretch makes sprites so long.");
    LightDirection = LIGHT.of(c"lightDirection", c"Light direction", degrees(125.0)).hint(
        c"Where the light on puffs comes from, in degrees counter-clockwise from the right.");
    LightElevation = LIGHT.of(c"lightElevation", c"Light elevation", double(35.0, [0.0, 90.0], [0.0, 90.0])).hint(
        c"How far the light on puffs stands above the picture, in degrees.");
    AmbientLight = LIGHT.of(c"ambientLight", c"Ambient light", double(0.35, [0.0, 1.0], [0.0, 1.0])).hint(
        c"Share of the light on puffs that comes from all around.");
    ParticleFolder = FILES.constant().of(c"particleFolder", c"Particle folder", Kind::Folder).hint(
        c"Where the particles of each frame that is rendered in full quality are written for other programs. Empty: nowhere. \
          %{NAME} stands for an environment variable, %% for a percent sign.");
    ParticleFormat = FILES.constant().of(c"particleFormat", c"Particle format", choice(&[c"PLY", c"CSV"], 0)).hint(
        c"PLY: binary points, for Blender, MeshLab and Houdini. CSV: a table as text. Both have number, emitter, position, \
          velocity, age, life, diameter and colour of each particle.");
    ParticleName = FILES.constant().of(c"particleName", c"Particle name", Kind::Text).hint(
        c"Name of the files before the number of the frame: NAME.0001.ply. Empty: particles.");
    = common(Shared::CacheFolder);
    = common(Shared::CacheName);
    = common(Shared::CacheMode);
    = common(Shared::CacheEvery);
    = common(Shared::CacheSize);
    = common(Shared::CacheBusy);
    = common(Shared::Bake);
    = common(Shared::ClearDisk);
    = common(Shared::Device).hint(c"Has no effect: the CPU simulates particles.");
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
    join(&[FIRST_ROWS, emitters::ROWS.as_flattened(), velocities::ROWS.as_flattened(), LAST_ROWS]);

const PLACES: [usize; Id::COUNT] = place_by_ordinal!(TABLE);

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
