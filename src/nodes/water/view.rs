//! The view of a frame: the output and its shading settings.

use super::controls::Id;
use crate::nodes::common::controls::Controls as _;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::RawLayer;
use crate::picture::water::{AlphaMode, Output, Row, Shading};

/// The output and its shading settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The output.
    pub output: Output,
    /// The shading settings; those without effect on the output are at their defaults.
    pub shading: Shading,
}

impl View {
    /// Reads the parameters that have an effect on the output at a time.
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
        let mut shading = Shading::default();
        let s = &mut shading;
        for (id, value) in [
            (Id::Relief, &mut s.relief),
            (Id::IndexOfRefraction, &mut s.index_of_refraction),
            (Id::Clarity, &mut s.clarity),
            (Id::Murkiness, &mut s.murkiness),
            (Id::SkyContrast, &mut s.sky_contrast),
            (Id::Clouds, &mut s.clouds),
            (Id::SkylineHeight, &mut s.skyline_height),
            (Id::ViewElevation, &mut s.view_elevation),
            (Id::LightSize, &mut s.light_size),
            (Id::LightDirection, &mut s.light_direction),
            (Id::LightElevation, &mut s.light_elevation),
            (Id::Roughness, &mut s.roughness),
            (Id::TerrainShadow, &mut s.terrain_shadow),
            (Id::Caustics, &mut s.caustics),
            (Id::ReflectionDistance, &mut s.reflection_distance),
            (Id::DetailStrength, &mut s.detail_strength),
            (Id::DetailSize, &mut s.detail_size),
            (Id::WetDarkening, &mut s.wet_darkening),
        ] {
            if id.matters(values, time)? {
                *value = values.double(id, time)?;
            }
        }
        for (id, value) in [
            (Id::WaterColour, &mut s.water_colour),
            (Id::GroundColour, &mut s.ground_colour),
            (Id::SkyColour, &mut s.sky_colour),
            (Id::HorizonColour, &mut s.horizon_colour),
            (Id::LightColour, &mut s.light_colour),
            (Id::FoamColour, &mut s.foam_colour),
        ] {
            if id.matters(values, time)? {
                *value = values.colour(id, time)?;
            }
        }
        if Id::AlphaMode.matters(values, time)? && values.choice(Id::AlphaMode, time)? == 1 {
            s.alpha_mode = AlphaMode::WaterOnly;
        }
        if Id::Skyline.matters(values, time)? {
            s.skyline = match values.choice(Id::Skyline, time)? {
                1 => Some(Row::Trees),
                2 => Some(Row::Houses),
                _ => None,
            };
        }
        Ok(Self { output, shading })
    }
}
