//! Parameters of the FlowParticles node: their names, and the functions of conditions. The table is `parameters.txt`.

use super::presets::presets;
use crate::nodes::common::controls::Holds;
use crate::nodes::common::values::Values;
use crate::ofx::Result;

/// Number of emitters.
pub const EMITTERS: usize = crate::sim::particles::settings::EMITTERS;
/// Number of Velocity inputs.
pub const VELOCITIES: usize = crate::sim::particles::settings::FIELDS;
/// Number of grids.
pub const GRIDS: usize = crate::sim::particles::settings::GRIDS;
/// Number of jets in a grid.
pub const GRID_JETS: usize = 2;
/// Number of jets in all grids: those of a grid follow each other.
pub const JETS: usize = GRIDS * GRID_JETS;
/// Most frames along a side of the Sprite input.
pub const MOST_FRAMES: i32 = 64;

/// Option of an emitter's sprite: the Sprite input.
const SPRITE_INPUT: i32 = 6;
/// Option of `floor` and `obstacles` without effect.
pub const OFF: i32 = 0;

crate::parameters! {
    table include_str!("parameters.txt");
    presets Some((Self::Preset, presets));
    conditions condition;
    own {
        Preset, Seed, Share, Gravity, GravityDirection, Wind, WindDepth, Noise, NoiseSize, NoiseSpeed, NoiseFine,
        NoiseFineSize, Attractor, AttractorCentre, AttractorDepth, AttractorRadius, AttractorStrength, Vortex,
        VortexCentre, VortexDepth, VortexRadius, VortexStrength, Floor, FloorPoint, Obstacles, Bounce, Friction, Grids, AirAlone,
        SmokeFile, SmokeUnits, SmokeLight, DepthOfField, FocalPoint "focal_point", FStop "fstop", SceneWidth, NearFade, SoftDepth, Output, SpriteColumns,
        SpriteRows, SpriteFrames, Shutter, LightDirection, LightElevation, AmbientLight, SelfShadow, SpriteLight, Catcher,
        CatcherPoint, CatcherShadow, CatcherSoftness, CatcherColour, ParticleFolder,
        ParticleFormat, ParticleName, Camera, CameraFile, CameraScale, Translate, Rotate, RotOrder, Focal, Haperture,
        Vaperture, WinTranslate "win_translate", WinScale "win_scale", WinRoll "winroll",
    }
    /// A parameter of an emitter.
    family Emitter(EmitterField) times EMITTERS ["emitter1", "emitter2", "emitter3", "emitter4"] {
        On "", Shape, Place, Centre, Depth, Distance, File, Radius, Height, Thickness, Angle, Threshold, Rate, BurstCount "Burst",
        BurstFrame, BurstEvery, Life, LifeSpread, Speed, SpeedSpread, Direction, Spread, Elevation, DepthSpread,
        Inherit, InheritAir, Moves, Drag, DragSpread, DragBySize, ReleaseDelay, ReleaseFront, ReleaseAngle, ReleaseSpread,
        ReleaseSpeed, ReleasePatch, Weight,
        Capacity, ColourFrom, Sprite, Size, SizeSpread, SizeSkew, SizeYoung,
        SizeOld, Opacity, OpacityYoung, OpacityLate, OpacityEnd, ShockCells, ColourBirth, ColourMiddle, ColourEnd, Brightness,
        Cover, Stretch, Spin, Tumble,
    }
    /// A parameter of a Velocity input.
    family Velocity(VelocityField) times VELOCITIES ["velocity1", "velocity2", "velocity3", "velocity4"] {
        Scale, Depth, Thickness, Fade, Group,
    }
    /// A parameter of a grid.
    family Grid(GridField) times GRIDS ["grid1", "grid2", "grid3", "grid4"] {
        Place, Centre, Depth, Distance, File, Width, Height, Length, Cells, Level, Every, Fade, Group, Swirl, Turbulence, TurbulenceSize, Damping, Obstacle,
        ObstacleOffset, ObstacleDepth, ObstacleRadius, ObstacleRotate, ObstacleHeight,
    }
    /// A parameter of a jet.
    family Jet(JetField) times JETS ["jet1", "jet2", "jet3", "jet4", "jet5", "jet6", "jet7", "jet8"] {
        On "", Offset, Depth, Radius, Speed, Direction, Elevation, Wander, PulseRate, PulseDuty, Expansion,
    }
}

/// The function of a condition.
fn condition(name: &str) -> Option<Holds<Id>> {
    Some(match name {
        "shows_sprites" => shows_sprites,
        "has_smoke" => has_smoke,
        _ => return None,
    })
}

/// Whether there is a deep picture of smoke.
fn has_smoke(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    Ok(!values.text(Id::SmokeFile, time).is_empty())
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
