//! When a parameter has an effect.

use super::{EMITTER_IDS, EmitterIds, Id};
use crate::nodes::common::values::Values;
use crate::ofx::Result;

/// Options of `model`.
const PIPES: i32 = 0;
const CLASSIC: i32 = 1;
const SHALLOW_WATER: i32 = 2;
const RIPPLES: i32 = 3;
/// Options of `edges`.
const WRAP: i32 = 2;
const ABSORB: i32 = 3;
/// Option of `emitter`.
const OFF: i32 = 2;
/// Options of an emitter's shape.
const DISC: i32 = 0;
const LINE: i32 = 1;
/// Options of `output`.
const SHADED: i32 = 4;
const NORMALS: i32 = 5;
const REFRACTION_MAP: i32 = 8;
const DISPLACEMENT: i32 = 9;
const CAUSTICS: i32 = 10;

/// Whether a change of `id` can have an effect, as the choices stand at a time.
pub(super) fn matters(id: Id, values: &impl Values<Id>, time: f64) -> Result<bool> {
    if let Some(ids) = EMITTER_IDS.iter().find(|ids| ids.rest().contains(&id)) {
        return matters_to(ids, id, values, time);
    }
    let model = || values.choice(Id::Model, time);
    let output = || values.choice(Id::Output, time);
    Ok(match id {
        Id::Speed => [PIPES, RIPPLES].contains(&model()?),
        Id::Smoothing | Id::DiagonalWeight => model()? == PIPES,
        Id::RippleLength | Id::SlowestRipple | Id::RippleDepth | Id::RippleSmoothing => model()? == RIPPLES,
        Id::Evaporation | Id::UseTerrain => model()? != RIPPLES,
        Id::FlowRate => model()? == CLASSIC,
        Id::Gravity | Id::Friction => model()? == SHALLOW_WATER,
        Id::TimeScale => model()? != CLASSIC,
        Id::EdgeLeft | Id::EdgeRight | Id::EdgeTop | Id::EdgeBottom => values.choice(Id::Edges, time)? != WRAP,
        Id::FoamAmount | Id::FoamSteepness | Id::FoamLife => values.switch(Id::Foam, time)?,
        Id::GoalVelocity => values.double(Id::GoalStrength, time)? > 0.0,
        Id::DryFrames => values.switch(Id::Wetness, time)?,
        Id::AbsorbWidth => absorbs(values, time)?,
        Id::DrainCentre | Id::DrainRadius | Id::DrainRate => values.switch(Id::Drain, time)?,
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
        | Id::FoamColour
        | Id::WetDarkening
        | Id::ReflectionDistance => output()? == SHADED,
        Id::LightDirection | Id::LightElevation => [SHADED, CAUSTICS].contains(&output()?),
        _ => true,
    })
}

/// Whether some side absorbs.
fn absorbs(values: &impl Values<Id>, time: f64) -> Result<bool> {
    let all = values.choice(Id::Edges, time)?;
    let mut any = false;
    for side in [Id::EdgeLeft, Id::EdgeRight, Id::EdgeTop, Id::EdgeBottom] {
        let own = values.choice(side, time)?;
        any |= own == ABSORB || own == 0 && all == ABSORB;
    }
    Ok(any && all != WRAP)
}

/// Whether a change of one of an emitter's controls can have an effect.
fn matters_to(ids: &EmitterIds, id: Id, values: &impl Values<Id>, time: f64) -> Result<bool> {
    let on = match ids.on {
        // Its colour is the rain's, too.
        Id::Emitter => id == ids.colour || values.choice(Id::Emitter, time)? != OFF,
        on => values.switch(on, time)?,
    };
    if !on {
        return Ok(false);
    }
    let shape = || values.choice(ids.shape, time);
    Ok(if id == ids.width {
        shape()? != DISC
    } else if id == ids.angle {
        shape()? == LINE
    } else if id == ids.phase {
        values.double(ids.frequency, time)? != 0.0
    } else {
        true
    })
}
