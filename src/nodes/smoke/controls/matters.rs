//! When a parameter has an effect.

use super::{Id, JETS, JetIds};
use crate::nodes::common::values::Values;
use crate::nodes::smoke::values::{edges, follows};
use crate::ofx::Result;
use crate::sim::smoke::settings::Boundary;

/// Option of a jet.
const OFF: i32 = 2;
/// Options of `output`.
const DYE: i32 = 0;
const SMOKE: i32 = 1;
const FIRE: i32 = 2;

/// Whether a change of `id` can have an effect, as the choices stand at a time.
pub(super) fn matters(id: Id, values: &impl Values<Id>, time: f64) -> Result<bool> {
    if let Some(ids) = JETS.iter().find(|ids| ids.rest().contains(&id)) {
        return matters_to(ids, id, values, time);
    }
    let output = || values.choice(Id::Output, time);
    let noise = || values.double(Id::Noise, time).map(|noise| noise > 0.0);
    Ok(match id {
        Id::GridCentre | Id::GridSize | Id::GridInherit => follows(values, time)?,
        Id::GridFeather => follows(values, time)? && [DYE, SMOKE, FIRE].contains(&output()?),
        Id::EdgeSlip => edges(values, time)?.contains(&Boundary::Closed),
        Id::BrushCentre | Id::BrushRadius | Id::BrushSoftness | Id::BrushForce | Id::BrushColour | Id::BrushDensity => {
            values.switch(Id::Brush, time)?
        }
        Id::WindDrag => values.pair(Id::Wind, time)? != [0.0; 2],
        Id::AttractorCentre | Id::AttractorRadius | Id::AttractorStrength => values.switch(Id::Attractor, time)?,
        Id::VortexCentre | Id::VortexRadius | Id::VortexStrength => values.switch(Id::Vortex, time)?,
        Id::NoiseSize | Id::NoiseSpeed => noise()?,
        Id::Seed => noise()? || wanders(values, time)?,
        Id::LightDirection
        | Id::LightElevation
        | Id::LightSize
        | Id::LightColour
        | Id::AmbientLight
        | Id::Shadow
        | Id::Depth
        | Id::Opacity => [SMOKE, FIRE].contains(&output()?),
        Id::FireEmber
        | Id::FireKelvin
        | Id::FireExposure
        | Id::FireFalloff
        | Id::FireSoot
        | Id::FireOpacity
        | Id::FireLight => output()? == FIRE,
        _ => true,
    })
}

/// Whether some jet wanders.
fn wanders(values: &impl Values<Id>, time: f64) -> Result<bool> {
    let mut any = false;
    for ids in &JETS {
        any |= blows(ids, values, time)? && values.double(ids.random, time)? > 0.0;
    }
    Ok(any)
}

/// Whether a jet blows, at least where there is no Source.
fn blows(ids: &JetIds, values: &impl Values<Id>, time: f64) -> Result<bool> {
    Ok(values.choice(ids.on, time)? != OFF)
}

/// Whether a change of one of a jet's controls can have an effect.
fn matters_to(ids: &JetIds, id: Id, values: &impl Values<Id>, time: f64) -> Result<bool> {
    Ok(blows(ids, values, time)? && (id != ids.pulse_duty || values.double(ids.pulse_rate, time)? > 0.0))
}
