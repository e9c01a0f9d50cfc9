//! Parameter values as settings of the water.

use super::controls::{EmitterField, Id};
use super::inputs::{FORCE, OBSTACLES, SOURCE, TERRAIN};
use crate::nodes::common::pictures::Wired;
use crate::nodes::common::values::{Moment, Values};
use crate::ofx::Result;
use crate::sim::fingerprint::fingerprinted;
use crate::sim::water::emitter::pulse;
use crate::sim::water::settings::{
    Channel, Constants, Drain, EMITTERS, Edges, Emitter, Foam, Ground, Model, Order, RainMode, Settings, Shape,
    SourceMode,
};

/// Reads the constants of the simulation, which are not animated; `time` is only passed to the host.
///
/// # Errors
/// The host can't be asked.
pub fn constants(values: &impl Values<Id>, time: f64) -> Result<Constants> {
    let Border { edges, shut, absorb } = border(values, time)?;
    Ok(Constants {
        model: match values.choice(Id::Model, time)? {
            1 => Model::Classic,
            2 => Model::ShallowWater,
            3 => Model::Ripples,
            _ => Model::Pipes,
        },
        order: match values.choice(Id::Order, time)? {
            1 => Order::First,
            _ => Order::Second,
        },
        edges,
        shut,
        absorb,
        diagonal_weight: values.double(Id::DiagonalWeight, time)?,
        max_height: values.double(Id::MaxHeight, time)?,
        colour_range: values.double(Id::ColourRange, time)?,
    })
}

/// Conditions at the border.
struct Border {
    edges: Edges,
    /// Sides of open edges that are walls.
    shut: [bool; 4],
    /// Sides that absorb.
    absorb: [bool; 4],
}

/// Options of a side of the border, and of `edges` in another order.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Closed,
    Open,
    Absorb,
}

fn border(values: &impl Values<Id>, time: f64) -> Result<Border> {
    let all = match values.choice(Id::Edges, time)? {
        1 => Side::Open,
        2 => return Ok(Border { edges: Edges::Wrap, shut: [false; 4], absorb: [false; 4] }),
        3 => Side::Absorb,
        _ => Side::Closed,
    };
    let mut sides = [all; 4];
    for (side, id) in sides.iter_mut().zip([Id::EdgeLeft, Id::EdgeBottom, Id::EdgeRight, Id::EdgeTop]) {
        *side = match values.choice(id, time)? {
            1 => Side::Closed,
            2 => Side::Open,
            3 => Side::Absorb,
            _ => all,
        };
    }
    let absorb = sides.map(|side| side == Side::Absorb);
    let shut = sides.map(|side| side != Side::Open);
    Ok(if shut == [true; 4] {
        Border { edges: Edges::Closed, shut: [false; 4], absorb }
    } else {
        Border { edges: Edges::Open, shut, absorb }
    })
}

fingerprinted! {
    /// The parameters of one frame.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Frame {
        /// Settings of the model.
        pub settings: Settings,
        /// Whether the Terrain input is used.
        pub use_terrain: bool,
    }
}

impl Frame {
    /// Reads the settings of a frame. Parameters without effect are not read and stay at a fixed value, so that their
    /// edits invalidate no state.
    ///
    /// # Errors
    /// The host can't be asked.
    pub fn read(values: &impl Values<Id>, constants: &Constants, wired: Wired, moment: Moment) -> Result<Self> {
        let Moment { frame, time, .. } = moment;
        let mut settings = Settings {
            frame: 0,
            substeps: values.int(Id::Substeps, time)?,
            time_scale: values.double(Id::TimeScale, time)?,
            damping: values.double(Id::Damping, time)?,
            evaporation: values.double(Id::Evaporation, time)?,
            push: values.pair(Id::Push, time)?,
            ..Settings::IDLE
        };
        if constants.absorb != [false; 4] {
            settings.absorb_width = values.double(Id::AbsorbWidth, time)?;
        }
        match constants.model {
            Model::Pipes => {
                settings.speed = values.double(Id::Speed, time)?;
                settings.smoothing = values.double(Id::Smoothing, time)?;
            }
            Model::Classic => settings.flow_rate = values.double(Id::FlowRate, time)?,
            Model::ShallowWater => {
                settings.gravity = values.double(Id::Gravity, time)?;
                settings.friction = values.double(Id::Friction, time)?;
                settings.smoothing = values.double(Id::Smoothing, time)?;
            }
            Model::Ripples => {
                settings.speed = values.double(Id::Speed, time)?;
                settings.ripple_length = values.double(Id::RippleLength, time)?;
                settings.ripple_slowest = values.double(Id::SlowestRipple, time)?;
                settings.ripple_depth = values.double(Id::RippleDepth, time)?;
                settings.smoothing = values.double(Id::RippleSmoothing, time)?;
                settings.evaporation = 0.0;
            }
        }
        if moment.first {
            settings.water_level = values.double(Id::WaterLevel, time)?;
        }
        if wired.has(SOURCE) {
            read_source(&mut settings, values, moment)?;
        }
        read_emitters(&mut settings, values, wired, moment)?;
        if values.switch(Id::Drain, time)? {
            let centre = values.pair(Id::DrainCentre, time)?;
            settings.drain = Some(Drain {
                centre,
                previous: moment.previous.map_or(Ok(centre), |before| values.pair(Id::DrainCentre, before))?,
                radius: values.double(Id::DrainRadius, time)?,
                rate: values.double(Id::DrainRate, time)?,
            });
        }
        settings.rain_mode = match values.choice(Id::RainMode, time)? {
            1 => RainMode::MeanHeight,
            _ => RainMode::Drops,
        };
        match settings.rain_mode {
            RainMode::Drops => settings.rain_drops = values.double(Id::RainDrops, time)?,
            RainMode::MeanHeight => settings.rain = values.double(Id::Rain, time)?,
        }
        if settings.rains() {
            settings.frame = frame;
            settings.rain_size = values.double(Id::RainSize, time)?;
            settings.rain_strength = values.double(Id::RainStrength, time)?;
            settings.rain_colour = values.colour(Id::Emitter(0, EmitterField::Colour), time)?;
            settings.seed = values.int(Id::Seed, time)?;
        } else {
            settings.rain_mode = Settings::IDLE.rain_mode;
        }
        if values.switch(Id::Foam, time)? {
            settings.foam = Some(Foam {
                amount: values.double(Id::FoamAmount, time)?,
                steepness: values.double(Id::FoamSteepness, time)?,
                life: values.double(Id::FoamLife, time)?,
                shore: values.double(Id::ShoreFoam, time)?,
            });
        }
        if settings.foam.is_none() {
            settings.texture = values.switch(Id::Detail, time)?;
        }
        if values.switch(Id::Wetness, time)? {
            settings.dry_frames = Some(values.double(Id::DryFrames, time)?);
        }
        settings.goal_strength = values.double(Id::GoalStrength, time)?;
        if settings.goal_strength > 0.0 {
            settings.goal_velocity = values.pair(Id::GoalVelocity, time)?;
        }
        if wired.has(OBSTACLES) {
            settings.obstacle_drag = values.double(Id::ObstacleDrag, time)?;
        }
        let use_terrain =
            constants.model != Model::Ripples && wired.has(TERRAIN) && values.switch(Id::UseTerrain, time)?;
        if use_terrain {
            read_terrain(&mut settings, values, time)?;
        } else if !wired.has(TERRAIN) && (constants.model == Model::Ripples || values.switch(Id::UseTerrain, time)?) {
            settings.ground = Ground::from_number(values.choice(Id::Ground, time)? as u64).unwrap_or_default();
            settings.terrain_height = values.double(Id::TerrainHeight, time)?;
            settings.terrain_offset = values.double(Id::TerrainOffset, time)?;
        }
        settings.overscan = values.pair(Id::Overscan, time)?;
        if wired.has(FORCE) {
            settings.force_scale = values.double(Id::ForceScale, time)?;
            settings.pressure_scale = values.double(Id::PressureScale, time)?;
        }
        Ok(Self { settings, use_terrain })
    }
}

fn read_source(settings: &mut Settings, values: &impl Values<Id>, moment: Moment) -> Result<()> {
    let time = moment.time;
    settings.source_mode = match values.choice(Id::SourceMode, time)? {
        1 => SourceMode::Add,
        2 => SourceMode::Replace,
        3 => SourceMode::FillUp,
        _ => SourceMode::StartFrame,
    };
    if moment.first || settings.source_mode != SourceMode::StartFrame {
        settings.source_height = values.double(Id::SourceHeight, time)?;
        settings.source_channel = Channel::from_index(Channel::ALL, values.choice(Id::SourceChannel, time)?);
    }
    Ok(())
}

fn read_emitters(settings: &mut Settings, values: &impl Values<Id>, wired: Wired, moment: Moment) -> Result<()> {
    let count = values.int(Id::EmitterCount, moment.time)?.clamp(1, EMITTERS as i32) as usize;
    for n in 0..count {
        let on = Id::Emitter(n, EmitterField::On);
        let emits = if n > 0 {
            values.switch(on, moment.time)?
        } else {
            match values.choice(on, moment.time)? {
                1 => true,
                2 => false,
                _ => !wired.has(SOURCE),
            }
        };
        if emits {
            settings.emitters[n] = Some(read_emitter(n, values, moment)?);
        }
    }
    Ok(())
}

fn read_emitter(n: usize, values: &impl Values<Id>, moment: Moment) -> Result<Emitter> {
    use EmitterField::{Angle, Centre, Colour, Frequency, Phase, Radius, Rate, Softness, Width};
    let time = moment.time;
    let double = |field| values.double(Id::Emitter(n, field), time);
    let centre = values.pair(Id::Emitter(n, Centre), time)?;
    let previous = moment.previous.map_or(Ok(centre), |before| values.pair(Id::Emitter(n, Centre), before))?;
    let shape = match values.choice(Id::Emitter(n, EmitterField::Shape), time)? {
        1 => Shape::Line,
        2 => Shape::Ring,
        _ => Shape::Disc,
    };
    let frequency = double(Frequency)?;
    let pulse = if frequency == 0.0 { 1.0 } else { pulse(moment.frame as f64, frequency, double(Phase)?) };
    Ok(Emitter {
        centre,
        previous,
        shape,
        radius: double(Radius)?,
        width: if shape == Shape::Disc { 0.0 } else { double(Width)? },
        angle: if shape == Shape::Line { double(Angle)? } else { 0.0 },
        softness: double(Softness)?,
        rate: double(Rate)? * pulse,
        colour: values.colour(Id::Emitter(n, Colour), time)?,
    })
}

fn read_terrain(settings: &mut Settings, values: &impl Values<Id>, time: f64) -> Result<()> {
    let channels = [Channel::Luminance, Channel::Red, Channel::Green, Channel::Blue, Channel::Alpha];
    settings.terrain_channel = Channel::from_index(channels, values.choice(Id::TerrainChannel, time)?);
    settings.terrain_height = values.double(Id::TerrainHeight, time)?;
    settings.terrain_offset = values.double(Id::TerrainOffset, time)?;
    settings.terrain_invert = values.switch(Id::TerrainInvert, time)?;
    Ok(())
}
