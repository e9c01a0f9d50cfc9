//! When a parameter has an effect.

use super::Id;
use crate::nodes::common::values::Values;
use crate::ofx::Result;

/// Options of `model`.
const PIPES: i32 = 0;
const CLASSIC: i32 = 1;
const SHALLOW_WATER: i32 = 2;
/// Option of `edges`.
const WRAP: i32 = 2;
/// Option of `emitter`.
const OFF: i32 = 2;
/// Options of `output`.
const SHADED: i32 = 4;
const NORMALS: i32 = 5;
const REFRACTION_MAP: i32 = 8;
const DISPLACEMENT: i32 = 9;
const CAUSTICS: i32 = 10;

/// Whether a change of `id` can have an effect, as the choices stand at a time.
pub(super) fn matters(id: Id, values: &impl Values<Id>, time: f64) -> Result<bool> {
    let model = || values.choice(Id::Model, time);
    let output = || values.choice(Id::Output, time);
    Ok(match id {
        Id::Speed | Id::Smoothing | Id::DiagonalWeight => model()? == PIPES,
        Id::FlowRate => model()? == CLASSIC,
        Id::Gravity | Id::Friction => model()? == SHALLOW_WATER,
        Id::TimeScale => model()? != CLASSIC,
        Id::EdgeLeft | Id::EdgeRight | Id::EdgeTop | Id::EdgeBottom => values.choice(Id::Edges, time)? != WRAP,
        Id::DrainCentre | Id::DrainRadius | Id::DrainRate => values.switch(Id::Drain, time)?,
        Id::EmitterCentre | Id::EmitterRadius | Id::EmitterRate => values.choice(Id::Emitter, time)? != OFF,
        Id::Relief => [SHADED, NORMALS, REFRACTION_MAP, DISPLACEMENT, CAUSTICS].contains(&output()?),
        Id::IndexOfRefraction => [SHADED, REFRACTION_MAP, DISPLACEMENT, CAUSTICS].contains(&output()?),
        Id::WaterColour
        | Id::Density
        | Id::AlphaMode
        | Id::GroundColour
        | Id::SkyColour
        | Id::HorizonColour
        | Id::LightColour
        | Id::Roughness
        | Id::Caustics
        | Id::ReflectionDistance => output()? == SHADED,
        Id::LightDirection | Id::LightElevation => [SHADED, CAUSTICS].contains(&output()?),
        _ => true,
    })
}
