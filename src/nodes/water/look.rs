//! What is shown of a frame.

use super::controls::Id;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::RawLayer;
use crate::picture::water::{AlphaMode, Look, Output};

/// What is shown, and how it is shaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// What.
    pub output: Output,
    /// How; as by default where it does not matter.
    pub look: Look,
}

impl View {
    /// Reads it.
    ///
    /// # Errors
    /// The host can't be asked.
    pub fn read(values: &impl Values<Id>, time: f64) -> Result<Self> {
        let output = match values.choice(Id::Output, time)? {
            1 => Output::Raw(RawLayer::Height),
            2 => Output::Raw(RawLayer::Cross),
            3 => Output::Raw(RawLayer::Diagonal),
            4 => Output::Shaded,
            5 => Output::Normals,
            6 => Output::Velocity,
            7 => Output::Motion,
            8 => Output::RefractionMap,
            9 => Output::Displacement,
            10 => Output::Caustics,
            11 => Output::Foam,
            12 => Output::Wetness,
            _ => Output::Raw(RawLayer::Water),
        };
        let double = |id| values.double(id, time);
        let plain = Look::default();
        let look = match output {
            Output::Raw(_) | Output::Velocity | Output::Motion | Output::Foam | Output::Wetness => plain,
            Output::Normals => Look { relief: double(Id::Relief)?, ..plain },
            Output::RefractionMap | Output::Displacement => {
                Look { relief: double(Id::Relief)?, index_of_refraction: double(Id::IndexOfRefraction)?, ..plain }
            }
            Output::Caustics => Look {
                relief: double(Id::Relief)?,
                index_of_refraction: double(Id::IndexOfRefraction)?,
                light_direction: double(Id::LightDirection)?,
                light_elevation: double(Id::LightElevation)?,
                ..plain
            },
            Output::Shaded => shaded(values, time)?,
        };
        Ok(Self { output, look })
    }
}

fn shaded(values: &impl Values<Id>, time: f64) -> Result<Look> {
    let double = |id| values.double(id, time);
    let colour = |id| values.colour(id, time);
    Ok(Look {
        relief: double(Id::Relief)?,
        index_of_refraction: double(Id::IndexOfRefraction)?,
        water_colour: colour(Id::WaterColour)?,
        density: double(Id::Density)?,
        alpha_mode: match values.choice(Id::AlphaMode, time)? {
            1 => AlphaMode::WaterOnly,
            _ => AlphaMode::OverBed,
        },
        ground_colour: colour(Id::GroundColour)?,
        sky_colour: colour(Id::SkyColour)?,
        horizon_colour: colour(Id::HorizonColour)?,
        light_direction: double(Id::LightDirection)?,
        light_elevation: double(Id::LightElevation)?,
        light_colour: colour(Id::LightColour)?,
        roughness: double(Id::Roughness)?,
        caustics: double(Id::Caustics)?,
        reflection_distance: double(Id::ReflectionDistance)?,
        foam_colour: colour(Id::FoamColour)?,
        wet_darkening: double(Id::WetDarkening)?,
    })
}
