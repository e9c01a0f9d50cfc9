//! What is shown of a frame.

use super::controls::Id;
use super::values::follows;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::smoke::{Fire, Look, Output, Passing};
use crate::sim::smoke::quantities::Quantity;

/// What is shown, and how it is lit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// What.
    pub output: Output,
    /// How; as by default where nothing is lit.
    pub look: Look,
}

impl View {
    /// Reads it.
    ///
    /// # Errors
    /// The host can't be asked.
    pub fn read(values: &impl Values<Id>, time: f64) -> Result<Self> {
        let output = match values.choice(Id::Output, time)? {
            1 => Output::Smoke,
            2 => Output::Fire,
            3 => Output::Raw(Quantity::Velocity),
            4 => Output::Raw(Quantity::Motion),
            5 => Output::Raw(Quantity::Vorticity),
            6 => Output::Raw(Quantity::Pressure),
            7 => Output::Raw(Quantity::Divergence),
            8 => Output::Raw(Quantity::Temperature),
            9 => Output::Raw(Quantity::Density),
            _ => Output::Raw(Quantity::Dye),
        };
        let feather = if follows(values, time)? { values.double(Id::GridFeather, time)? } else { 0.0 };
        let look = match output {
            Output::Raw(Quantity::Velocity | Quantity::Motion) => {
                Look { passing: passing(values, time)?, ..Look::default() }
            }
            Output::Raw(_) => Look { feather, ..Look::default() },
            Output::Smoke | Output::Fire => Look { feather, ..look(values, time, output == Output::Fire)? },
        };
        Ok(Self { output, look })
    }
}

/// How the frame at a time passes.
fn passing(values: &impl Values<Id>, time: f64) -> Result<Passing> {
    let mut passing = Passing { time: values.double(Id::TimeScale, time)?, ..Passing::default() };
    if !follows(values, time)? {
        return Ok(passing);
    }
    let inherit = values.double(Id::GridInherit, time)?;
    if inherit != 0.0 {
        let here = values.pair(Id::GridCentre, time)?;
        for (ride, when) in passing.ride.iter_mut().zip([time + 1.0, time - 1.0]) {
            let there = values.pair(Id::GridCentre, when)?;
            *ride = [0, 1].map(|axis| (there[axis] - here[axis]) * inherit.clamp(0.0, 1.0));
        }
    }
    Ok(passing)
}

fn look(values: &impl Values<Id>, time: f64, burns: bool) -> Result<Look> {
    let double = |id| values.double(id, time);
    let fire = if burns {
        Fire {
            ember: double(Id::FireEmber)?,
            kelvin: double(Id::FireKelvin)?,
            exposure: double(Id::FireExposure)?,
            falloff: double(Id::FireFalloff)?,
            soot: double(Id::FireSoot)?,
            opacity: double(Id::FireOpacity)?,
            light: double(Id::FireLight)?,
        }
    } else {
        Fire::default()
    };
    Ok(Look {
        light_direction: double(Id::LightDirection)?,
        light_elevation: double(Id::LightElevation)?,
        light_size: double(Id::LightSize)?,
        light_colour: values.colour(Id::LightColour, time)?,
        ambient: values.colour(Id::AmbientLight, time)?,
        shadow: double(Id::Shadow)?,
        depth: double(Id::Depth)?,
        opacity: double(Id::Opacity)?,
        fire,
        ..Look::default()
    })
}
