//! Parameters of the FlowVolume node: their names, and the functions of conditions. The table is `parameters.txt`.

use super::presets::presets;
use crate::nodes::common::controls::Holds;
use crate::nodes::common::values::Values;
use crate::ofx::Result;

/// Number of emitters.
pub const EMITTERS: usize = crate::sim::volume::settings::EMITTERS;
/// Number of solids.
pub const SOLIDS: usize = crate::sim::volume::settings::SOLIDS;
/// Number of lights.
pub const LIGHTS: usize = crate::picture::volume::LIGHTS;

/// The option of the shape of an emitter or a solid that is a file.
pub const VDB_FILE: i32 = 4;

/// The option of an emitter's shape that is the matte of the input Emission.
pub const MATTE: i32 = 5;

/// Options of the type of a light.
pub mod kind {
    /// Parallel light.
    pub const DIRECTIONAL: i32 = 0;
    /// Light from a point.
    pub const POINT: i32 = 1;
    /// Light from a point in a cone.
    pub const SPOT: i32 = 2;
}

crate::parameters! {
    table include_str!("parameters.txt");
    presets Some((Self::Preset, presets));
    conditions condition;
    own {
        Preset, Output, SliceField, SliceAxis, SlicePlace, Cells, Detail, Buoyancy, Weight, Noise, Swirl, Dissipation, Cooling, BoxCentre, BoxDepth, BoxWidth,
        BoxHeight, BoxLength, Follow, Floor, Walls, Ceiling, TimeScale, NoiseSize, NoisePulse, Attractor, AttractorCentre,
        AttractorRadius, AttractorStrength, Vortex, VortexCentre, VortexAxis, VortexRadius, VortexStrength, Seed, Wind, WindDrag,
        Viscosity, EmitterCount, SolidCount, Obstacles, ObstaclesDepth, ObstaclesThickness, DepthSolid,
        DepthThickness, BurnRate, Ignition, BurnHeat, Expansion, FlameLife, Radiation, Soot, SootDecay,
        SootWeight, Lights, SkyColour, GroundColour, EnvironmentGain, EnvironmentTurn, Occlusion, Catcher, CatcherShadow, CatcherSoftness, CatcherColour,
        Opacity, SootOpacity, SootAlbedo, EdgeLow, EdgeHigh, Sharpness, FineDetail, FineDetailSize, FineDetailOctaves, FineDetailContrast, Albedo,
        Absorption, AbsorptionFrom, LightBehind, Scattering, Forward, Shutter, ShutterSamples, WorkingSpace, FireExposure, FireDepth, FireKelvin, FireEmber, Glow,
        FireOpacity, FlameCore, BlueBase, FireLight, ParticleFile, ParticleLight, Substeps, MaxCfl, Reflection, Draft, Camera, CameraFile,
        CameraScale, Translate, Rotate, RotOrder, Focal, Haperture, Vaperture, WinTranslate "win_translate",
        WinScale "win_scale", WinRoll "winroll", VdbFolder, VdbName, VdbPrecision, VdbDensity, VdbTemperature, VdbFlame,
        VdbFuel, VdbSoot, VdbColour, VdbVelocity, VdbVelocityTime, VdbRate, DeepFolder, DeepName, DeepSamples, FileUnits,
    }
    /// A parameter of an emitter.
    family Emitter(EmitterField) times EMITTERS ["emitter1", "emitter2", "emitter3", "emitter4"] {
        On "", Shape, Place, Centre, AxisFile, Radius, Height, Softness, File, FileOffset, FileScale, FileUp, FileDensity, FileHeat,
        FileFuel, Density, Mode, Colour, ColourFrom, Heat, Fuel, Velocity, Wander, VelocityNoise, VelocityNoiseSize, Expansion, Breakup, BreakupSize, ShockCells, ShockLength, PulseRate, PulseDuty,
        Delay, Duration,
    }
    /// A parameter of a solid.
    family Solid(SolidField) times SOLIDS ["solid1", "solid2", "solid3", "solid4"] {
        On "", Shape, Place, Centre, Rotate, AxisFile, Radius, Height, File, FileOffset, FileScale, FileUp, FileGrid,
    }
    /// A parameter of a light.
    family Light(LightField) times LIGHTS ["light1", "light2", "light3", "light4"] {
        Type, Direction, Elevation, Position, Reach, Cone, Colour, Intensity, Shadow,
    }
}

/// The function of a condition.
fn condition(name: &str) -> Option<Holds<Id>> {
    Some(match name {
        "has_fuel" => has_fuel,
        "has_particles" => has_particles,
        _ => return None,
    })
}

/// Whether there is a file of particles.
fn has_particles(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    Ok(!values.text(Id::ParticleFile, time).is_empty())
}

/// Number of emitters in the panel.
///
/// # Errors
/// A call to the host fails.
pub fn emitter_count(values: &dyn Values<Id>, time: f64) -> Result<usize> {
    Ok(values.int(Id::EmitterCount, time)?.clamp(1, EMITTERS as i32) as usize)
}

/// Number of solids in the panel.
///
/// # Errors
/// A call to the host fails.
pub fn solid_count(values: &dyn Values<Id>, time: f64) -> Result<usize> {
    Ok(values.int(Id::SolidCount, time)?.clamp(0, SOLIDS as i32) as usize)
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
