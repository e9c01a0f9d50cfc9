//! From parameter values to the simulation's settings.

use super::controls::{EMITTER_IDS, EmitterIds, Id};
use super::inputs::{FORCE, OBSTACLES, SOURCE, TERRAIN};
use crate::nodes::common::pictures::Wired;
use crate::nodes::common::values::{Moment, Values};
use crate::ofx::Result;
use crate::sim::water::emitter::pulse;
use crate::sim::water::settings::{
    Channel, Constants, Drain, Edges, Emitter, Foam, Model, Scheme, Settings, Shape, SourceMode,
};
use crate::timeline::{Digest, Fingerprint};

/// What holds for all frames of the water, apart from its grid. None of these values is animated, `time` only says when to
/// ask.
///
/// # Errors
/// The host can't be asked.
pub fn constants(values: &impl Values<Id>, time: f64) -> Result<Constants> {
    let Border { edges, shut, absorb } = border(values, time)?;
    Ok(Constants {
        model: match values.choice(Id::Model, time)? {
            1 => Model::Classic,
            2 => Model::ShallowWater,
            _ => Model::Pipes,
        },
        scheme: Scheme::Second,
        edges,
        shut,
        absorb,
        diagonal_weight: values.double(Id::DiagonalWeight, time)?,
        max_height: values.double(Id::MaxHeight, time)?,
        colour_range: values.double(Id::ColourRange, time)?,
    })
}

/// What the border does.
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

/// What one frame takes from the panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// For the models.
    pub settings: Settings,
    /// Whether the Terrain input is used.
    pub use_terrain: bool,
}

impl Fingerprint for Frame {
    fn enter(&self, digest: &mut Digest) {
        let Self { settings, use_terrain } = *self;
        settings.enter(digest);
        digest.int(i64::from(use_terrain));
    }
}

impl Frame {
    /// Reads what a frame takes. What cannot matter is not read and counts as nothing, so that an edit of it costs
    /// nothing either.
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
        settings.rain = values.double(Id::Rain, time)?;
        if settings.rain > 0.0 {
            settings.frame = frame;
            settings.rain_size = values.double(Id::RainSize, time)?;
            settings.rain_colour = values.colour(Id::EmitterColour, time)?;
            settings.seed = values.int(Id::Seed, time)?;
        }
        if values.switch(Id::Foam, time)? {
            settings.foam = Some(Foam {
                amount: values.double(Id::FoamAmount, time)?,
                steepness: values.double(Id::FoamSteepness, time)?,
                life: values.double(Id::FoamLife, time)?,
            });
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
        let use_terrain = wired.has(TERRAIN) && values.switch(Id::UseTerrain, time)?;
        if use_terrain {
            read_terrain(&mut settings, values, time)?;
        }
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
    for (nth, ids) in EMITTER_IDS.iter().enumerate() {
        let emits = match ids.on {
            Id::Emitter => match values.choice(Id::Emitter, moment.time)? {
                1 => true,
                2 => false,
                _ => !wired.has(SOURCE),
            },
            on => values.switch(on, moment.time)?,
        };
        if emits {
            settings.emitters[nth] = Some(read_emitter(ids, values, moment)?);
        }
    }
    Ok(())
}

fn read_emitter(ids: &EmitterIds, values: &impl Values<Id>, moment: Moment) -> Result<Emitter> {
    let time = moment.time;
    let centre = values.pair(ids.centre, time)?;
    let shape = match values.choice(ids.shape, time)? {
        1 => Shape::Line,
        2 => Shape::Ring,
        _ => Shape::Disc,
    };
    let frequency = values.double(ids.frequency, time)?;
    let pulse =
        if frequency == 0.0 { 1.0 } else { pulse(moment.frame as f64, frequency, values.double(ids.phase, time)?) };
    Ok(Emitter {
        centre,
        previous: moment.previous.map_or(Ok(centre), |before| values.pair(ids.centre, before))?,
        shape,
        radius: values.double(ids.radius, time)?,
        width: if shape == Shape::Disc { 0.0 } else { values.double(ids.width, time)? },
        angle: if shape == Shape::Line { values.double(ids.angle, time)? } else { 0.0 },
        rate: values.double(ids.rate, time)? * pulse,
        colour: values.colour(ids.colour, time)?,
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
