//! From parameter values to the simulation's settings.

use super::controls::Id;
use super::inputs::{FORCE, SOURCE, TERRAIN};
use crate::nodes::common::pictures::Wired;
use crate::nodes::common::values::{Moment, Values};
use crate::ofx::Result;
use crate::sim::settings::{Channel, Constants, Drain, Edges, Emitter, Model, Settings, SourceMode};
use crate::timeline::{Digest, Fingerprint};

/// What holds for all frames of the water, apart from its grid. None of these values is animated, `time` only says when to
/// ask.
///
/// # Errors
/// The host can't be asked.
pub fn constants(values: &impl Values<Id>, time: f64) -> Result<Constants> {
    let (edges, shut) = border(values, time)?;
    Ok(Constants {
        model: match values.choice(Id::Model, time)? {
            1 => Model::Classic,
            2 => Model::ShallowWater,
            _ => Model::Pipes,
        },
        edges,
        shut,
        diagonal_weight: values.double(Id::DiagonalWeight, time)?,
        max_height: values.double(Id::MaxHeight, time)?,
        colour_range: values.double(Id::ColourRange, time)?,
    })
}

/// What the border does, and the sides of open edges that are walls.
fn border(values: &impl Values<Id>, time: f64) -> Result<(Edges, [bool; 4])> {
    let open = match values.choice(Id::Edges, time)? {
        1 => true,
        2 => return Ok((Edges::Wrap, [false; 4])),
        _ => false,
    };
    let mut shut = [false; 4];
    for (shut, side) in shut.iter_mut().zip([Id::EdgeLeft, Id::EdgeBottom, Id::EdgeRight, Id::EdgeTop]) {
        *shut = match values.choice(side, time)? {
            1 => true,
            2 => false,
            _ => !open,
        };
    }
    Ok(if shut == [true; 4] { (Edges::Closed, [false; 4]) } else { (Edges::Open, shut) })
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

/// Settings that change nothing: what a value counts as where it does not matter.
const IDLE: Settings = Settings {
    frame: 0,
    speed: 0.0,
    flow_rate: 0.0,
    gravity: 0.0,
    friction: 0.0,
    substeps: 1,
    time_scale: 1.0,
    damping: 0.0,
    smoothing: 0.0,
    source_mode: SourceMode::StartFrame,
    source_channel: Channel::Alpha,
    source_height: 0.0,
    emitter: None,
    drain: None,
    rain: 0.0,
    rain_size: 1.0,
    rain_colour: [0.0; 3],
    seed: 0,
    evaporation: 0.0,
    terrain_channel: Channel::Luminance,
    terrain_height: 1.0,
    terrain_offset: 0.0,
    terrain_invert: false,
    push: [0.0; 2],
    force_scale: 0.0,
    pressure_scale: 0.0,
};

impl Frame {
    /// Reads what a frame takes. What cannot matter is not read and counts as nothing, so that an edit of it costs
    /// nothing either.
    ///
    /// # Errors
    /// The host can't be asked.
    pub fn read(values: &impl Values<Id>, model: Model, wired: Wired, moment: Moment) -> Result<Self> {
        let Moment { frame, time, .. } = moment;
        let mut settings = Settings {
            frame: 0,
            substeps: values.int(Id::Substeps, time)?,
            time_scale: values.double(Id::TimeScale, time)?,
            damping: values.double(Id::Damping, time)?,
            evaporation: values.double(Id::Evaporation, time)?,
            push: values.pair(Id::Push, time)?,
            ..IDLE
        };
        match model {
            Model::Pipes => {
                settings.speed = values.double(Id::Speed, time)?;
                settings.smoothing = values.double(Id::Smoothing, time)?;
            }
            Model::Classic => settings.flow_rate = values.double(Id::FlowRate, time)?,
            Model::ShallowWater => {
                settings.gravity = values.double(Id::Gravity, time)?;
                settings.friction = values.double(Id::Friction, time)?;
            }
        }
        if wired.has(SOURCE) {
            read_source(&mut settings, values, moment)?;
        }
        read_emitter(&mut settings, values, wired, moment)?;
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
        settings.source_channel = match values.choice(Id::SourceChannel, time)? {
            1 => Channel::Luminance,
            2 => Channel::Red,
            3 => Channel::Green,
            4 => Channel::Blue,
            _ => Channel::Alpha,
        };
    }
    Ok(())
}

fn read_emitter(settings: &mut Settings, values: &impl Values<Id>, wired: Wired, moment: Moment) -> Result<()> {
    let time = moment.time;
    let emits = match values.choice(Id::Emitter, time)? {
        1 => true,
        2 => false,
        _ => !wired.has(SOURCE),
    };
    if emits {
        let centre = values.pair(Id::EmitterCentre, time)?;
        settings.emitter = Some(Emitter {
            centre,
            previous: moment.previous.map_or(Ok(centre), |before| values.pair(Id::EmitterCentre, before))?,
            radius: values.double(Id::EmitterRadius, time)?,
            rate: values.double(Id::EmitterRate, time)?,
            colour: values.colour(Id::EmitterColour, time)?,
        });
    }
    Ok(())
}

fn read_terrain(settings: &mut Settings, values: &impl Values<Id>, time: f64) -> Result<()> {
    settings.terrain_channel = match values.choice(Id::TerrainChannel, time)? {
        1 => Channel::Red,
        2 => Channel::Green,
        3 => Channel::Blue,
        4 => Channel::Alpha,
        _ => Channel::Luminance,
    };
    settings.terrain_height = values.double(Id::TerrainHeight, time)?;
    settings.terrain_offset = values.double(Id::TerrainOffset, time)?;
    settings.terrain_invert = values.switch(Id::TerrainInvert, time)?;
    Ok(())
}
