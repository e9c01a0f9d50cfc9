//! The view of a frame: the output and its shading settings.

use super::controls::Id;
use super::values::follows;
use crate::nodes::common::controls::Controls as _;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::smoke::blackbody::WorkingSpace;
use crate::picture::smoke::{FrameMotion, Output, Shading};
use crate::sim::smoke::quantities::Quantity;

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
    /// A call to the host fails.
    pub fn read(values: &impl Values<Id>, time: f64) -> Result<Self> {
        let output = match values.choice(Id::Output, time)? {
            1 => Output::Smoke,
            2 => Output::Fire,
            3 => Output::Ink,
            4 => Output::Raw(Quantity::Velocity),
            5 => Output::Raw(Quantity::Motion),
            6 => Output::Raw(Quantity::Vorticity),
            7 => Output::Raw(Quantity::Pressure),
            8 => Output::Raw(Quantity::Divergence),
            9 => Output::Raw(Quantity::Temperature),
            10 => Output::Raw(Quantity::Density),
            _ => Output::Raw(Quantity::Dye),
        };
        let mut shading = Shading::default();
        let s = &mut shading;
        if let Output::Raw(Quantity::Velocity | Quantity::Motion) = output {
            s.motion = motion(values, time)?;
        }
        for (id, value) in [
            (Id::GridFeather, &mut s.feather),
            (Id::LightDirection, &mut s.light_direction),
            (Id::LightElevation, &mut s.light_elevation),
            (Id::LightSize, &mut s.light_size),
            (Id::Shadow, &mut s.shadow),
            (Id::Depth, &mut s.depth),
            (Id::Opacity, &mut s.opacity),
            (Id::FireEmber, &mut s.fire.ember),
            (Id::FireKelvin, &mut s.fire.kelvin),
            (Id::FireExposure, &mut s.fire.exposure),
            (Id::FireFalloff, &mut s.fire.falloff),
            (Id::FireSoot, &mut s.fire.soot),
            (Id::FireOpacity, &mut s.fire.opacity),
            (Id::FlameCore, &mut s.fire.flame.core),
            (Id::FlameOnset, &mut s.fire.flame.onset),
            (Id::FlameEdge, &mut s.fire.flame.edge),
            (Id::BlueBase, &mut s.fire.flame.blue),
            (Id::FireLight, &mut s.fire.light),
        ] {
            if id.matters(values, time)? {
                *value = values.double(id, time)?;
            }
        }
        if output == Output::Fire {
            s.fire.working_space = WorkingSpace::of_option(values.choice(Id::WorkingSpace, time)?);
            s.fire.flame.rate = values.double(Id::BurnRate, time)?;
            s.fire.flame.size = values.double(Id::FlameSize, time)?;
        }
        for (id, value) in [(Id::LightColour, &mut s.light_colour), (Id::AmbientLight, &mut s.ambient)] {
            if id.matters(values, time)? {
                *value = values.colour(id, time)?;
            }
        }
        Ok(Self { output, shading })
    }
}

/// The motion of the grid and the time scale of the frame at a time.
fn motion(values: &impl Values<Id>, time: f64) -> Result<FrameMotion> {
    let mut motion = FrameMotion { time_scale: values.double(Id::TimeScale, time)?, ..FrameMotion::default() };
    if !follows(values, time)? {
        return Ok(motion);
    }
    let inherit = values.double(Id::GridInherit, time)?;
    if inherit != 0.0 {
        let here = values.pair(Id::GridCentre, time)?;
        for (shift, when) in motion.shifts.iter_mut().zip([time + 1.0, time - 1.0]) {
            let there = values.pair(Id::GridCentre, when)?;
            *shift = [0, 1].map(|axis| (there[axis] - here[axis]) * inherit.clamp(0.0, 1.0));
        }
    }
    Ok(motion)
}
