//! From parameter values to the simulation's settings.

use super::controls::Id;
use crate::sim::settings::{Channel, Constants, Edges, Emitter, Model, Settings, SourceMode};

/// Where values come from: the host, at any time.
pub trait Values {
    /// What goes wrong when the host is asked.
    type Error;
    /// A real number.
    fn double(&self, id: Id, time: f64) -> Result<f64, Self::Error>;
    /// A whole number.
    fn int(&self, id: Id, time: f64) -> Result<i32, Self::Error>;
    /// Index of a choice.
    fn choice(&self, id: Id, time: f64) -> Result<i32, Self::Error>;
    /// On or off.
    fn switch(&self, id: Id, time: f64) -> Result<bool, Self::Error>;
    /// A pair.
    fn pair(&self, id: Id, time: f64) -> Result<[f64; 2], Self::Error>;
    /// A colour.
    fn colour(&self, id: Id, time: f64) -> Result<[f64; 3], Self::Error>;
}

/// What becomes of an input frame that the host can't give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It is transparent.
    Transparent,
    /// The last one before it that there is.
    Hold,
    /// The render fails.
    Fail,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Colour and height.
    Water,
    /// Water, surface, terrain, wet.
    Height,
    /// Flow to the left, up, right, down.
    Cross,
    /// Flow to the upper left, upper right, lower right, lower left.
    Diagonal,
}

/// What holds for all frames of a simulation, apart from its grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// For the models.
    pub constants: Constants,
    /// First frame shown as simulated.
    pub start: i64,
    /// Frames simulated before it.
    pub preroll: i64,
    /// Grid cells per full-resolution pixel.
    pub resolution: f64,
    /// Whether a proxy simulates a scaled grid.
    pub scaled: bool,
    /// What missing frames become.
    pub missing: Missing,
}

impl Setup {
    /// Reads it; none of these values is animated, `time` only says when to ask.
    pub fn read<V: Values>(values: &V, time: f64) -> Result<Self, V::Error> {
        Ok(Self {
            constants: Constants {
                model: match values.choice(Id::Model, time)? {
                    1 => Model::Classic,
                    _ => Model::Pipes,
                },
                edges: match values.choice(Id::Edges, time)? {
                    1 => Edges::Open,
                    2 => Edges::Wrap,
                    _ => Edges::Closed,
                },
                diagonal_weight: values.double(Id::DiagonalWeight, time)?,
                max_height: values.double(Id::MaxHeight, time)?,
                colour_range: values.double(Id::ColourRange, time)?,
            },
            start: i64::from(values.int(Id::StartFrame, time)?),
            preroll: i64::from(values.int(Id::Preroll, time)?).clamp(0, 100_000),
            resolution: sane_percent(values.double(Id::Resolution, time)?) / 100.0,
            scaled: values.choice(Id::Proxy, time)? != 1,
            missing: match values.choice(Id::MissingFrames, time)? {
                1 => Missing::Hold,
                2 => Missing::Fail,
                _ => Missing::Transparent,
            },
        })
    }

    /// First frame of the chain of states.
    pub fn first(&self) -> i64 {
        self.start - self.preroll
    }

    /// The frame at which parameters and inputs are taken for a frame of the chain: the pre-roll holds the start frame.
    pub fn held(&self, frame: i64) -> i64 {
        frame.max(self.start)
    }
}

/// The parameter's range, which hosts do not enforce on expressions.
fn sane_percent(value: f64) -> f64 {
    if value.is_finite() { value.clamp(1.0, 400.0) } else { 100.0 }
}

/// Which inputs are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wired {
    /// Source.
    pub source: bool,
    /// Terrain.
    pub terrain: bool,
    /// Force.
    pub force: bool,
}

/// The moment at which a frame's values are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The frame of the chain.
    pub frame: i64,
    /// The time, which for a pre-roll is the start frame and for a part of a frame is a fraction.
    pub time: f64,
    /// The time a frame ago, from where the emitter comes; without one it stands still.
    pub previous: Option<f64>,
    /// The chain's first frame, on which the Source is water whatever its mode.
    pub first: bool,
}

/// What one frame takes from the panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// For the models.
    pub settings: Settings,
    /// Whether the Terrain input is used.
    pub use_terrain: bool,
}

/// Settings that change nothing: what a value counts as where it does not matter.
const IDLE: Settings = Settings {
    frame: 0,
    speed: 0.0,
    flow_rate: 0.0,
    substeps: 1,
    time_scale: 1.0,
    damping: 0.0,
    smoothing: 0.0,
    source_mode: SourceMode::StartFrame,
    source_channel: Channel::Alpha,
    source_height: 0.0,
    emitter: None,
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
    pub fn read<V: Values>(values: &V, model: Model, wired: Wired, moment: Moment) -> Result<Self, V::Error> {
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
        }
        if wired.source {
            read_source(&mut settings, values, moment)?;
        }
        read_emitter(&mut settings, values, wired, moment)?;
        settings.rain = values.double(Id::Rain, time)?;
        if settings.rain > 0.0 {
            settings.frame = frame;
            settings.rain_size = values.double(Id::RainSize, time)?;
            settings.rain_colour = values.colour(Id::EmitterColour, time)?;
            settings.seed = values.int(Id::Seed, time)?;
        }
        let use_terrain = wired.terrain && values.switch(Id::UseTerrain, time)?;
        if use_terrain {
            read_terrain(&mut settings, values, time)?;
        }
        if wired.force {
            settings.force_scale = values.double(Id::ForceScale, time)?;
            settings.pressure_scale = values.double(Id::PressureScale, time)?;
        }
        Ok(Self { settings, use_terrain })
    }
}

fn read_source<V: Values>(settings: &mut Settings, values: &V, moment: Moment) -> Result<(), V::Error> {
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

fn read_emitter<V: Values>(settings: &mut Settings, values: &V, wired: Wired, moment: Moment) -> Result<(), V::Error> {
    let time = moment.time;
    let emits = match values.choice(Id::Emitter, time)? {
        1 => true,
        2 => false,
        _ => !wired.source,
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

fn read_terrain<V: Values>(settings: &mut Settings, values: &V, time: f64) -> Result<(), V::Error> {
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

/// What the node shows at a time.
pub fn output<V: Values>(values: &V, time: f64) -> Result<Output, V::Error> {
    Ok(match values.choice(Id::Output, time)? {
        1 => Output::Height,
        2 => Output::Cross,
        3 => Output::Diagonal,
        _ => Output::Water,
    })
}
